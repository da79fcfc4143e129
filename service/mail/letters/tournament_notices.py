"""Emails about the course of a tournament: invitations, rulings, offers, challenges, ends of rounds, messages."""

from __future__ import annotations

import json
import textwrap
from dataclasses import replace

from engine.words import Locale
from service.db.models.accounts import PlayerRow
from service.db.models.matches import MatchRow
from service.db.models.tournaments import (
    ChallengeRow,
    PairingRow,
    RoundRow,
    TournamentEntryRow,
    TournamentInvitationRow,
    TournamentMessageRow,
    TournamentRow,
)
from service.i18n import dates
from service.i18n.catalogue import join_items, translate
from service.jobs.payloads import LetterJob
from service.mail.commands import Command
from service.mail.job_payloads import RulingQuestionAnswer
from service.mail.letters.blocks import (
    Addressee,
    Block,
    Bullets,
    FactList,
    Heading,
    Letter,
    Link,
    Para,
    Preformatted,
    Quote,
    ReplyPurpose,
    SmallPrint,
)
from service.mail.letters.context import LetterContext, address_stranger, find_addressee
from service.mail.letters.move_answers import ask_about_command
from service.mail.letters.registry import letter, player_letter
from service.mail.letters.tournament import (
    build_tournament_letter,
    describe_tournament,
    format_time,
    reason_blocks,
    rule_blocks,
    tournament_letter,
)
from service.play.views import player_names
from service.timestamps import now
from service.tournaments.formats import log_lines
from service.tournaments.formats.crosstable import read_results
from service.tournaments.formats.log_lines import is_bot
from service.tournaments.job_payloads import (
    AdjudicationLetter,
    ByeQuestionLetter,
    ChallengeLetter,
    EndingLetter,
    OrganiserMessageLetter,
    PlaceOfferLetter,
    RulingNoticeLetter,
    TournamentInvitationLetter,
)
from service.tournaments.rounds.standings import find_names
from service.tournaments.rulings.organiser_tools import describe_public_table
from service.tournaments.rulings.rulings import read_ruling
from service.tournaments.tournament_caches import CANCELLED, OVER, document_of
from service.tournaments.tournament_store import load_state
from service.tournaments.views import overview
from service.tournaments.views.derivations import format_place

MOST_LINES = 30
LETTER_WIDTH = 70
TO_CHALLENGED = frozenset({"made", "missed"})
"""The emails to the player who was challenged; the others go to the challenger."""


@tournament_letter(RulingNoticeLetter)
def compose_tournament_ruling(
    context: LetterContext[RulingNoticeLetter], to: Addressee, row: TournamentRow
) -> Letter | None:
    """Compose the email to those whom a ruling concerns: what was decided, and why."""
    locale, seq = to.locale, context.job.seq
    entry = TournamentEntryRow.get((TournamentEntryRow.tournament == row.id) & (TournamentEntryRow.seq == seq))
    ruling = read_ruling(entry.line)
    title, values = overview.title_of(row, locale), _ruling_values(ruling, to)
    composed = build_tournament_letter(
        context,
        to,
        row,
        translate(locale, f"tournament.ruling.{ruling.what}", title=title, **values),
        *reason_blocks(entry, locale),
        Preformatted(wrap_line(entry.line)),
        Para(translate(locale, "tournament.ruling.log", seq=seq)),
    )
    return replace(composed, subject=translate(locale, "tournament.ruling.subject", title=title))


def wrap_line(line: str) -> str:
    """Return a line of the log, broken between words so that it fits into an email."""
    return textwrap.fill(line, LETTER_WIDTH, subsequent_indent="  ", break_on_hyphens=False)


def _ruling_values(ruling: log_lines.Ruling, to: Addressee) -> dict[str, str]:
    """Return what the sentence about a ruling names: players, a table, a round, a time."""
    match ruling:
        case log_lines.ReplaceRuling(player=player, other=other):
            names = find_names([player, other], to.locale)
            return {"player": names[player], "other": names[other]}
        case log_lines.ExcludeRuling(player=player) | log_lines.AcceptRuling(player=player):
            return {"player": find_names([player], to.locale)[player]}
        case log_lines.ResultRuling(match=match) | log_lines.ReplayRuling(match=match):
            pairing = PairingRow.get_by_id(match)
            seats = json.loads(pairing.seats)
            people = find_names([player for player in seats if not is_bot(player)], to.locale)
            places = [
                f"{people[player]} {format_place(result.place, to.locale)}"
                for player, result in zip(seats, read_results(pairing.result), strict=False)
                if player in people
            ]
            return {"players": join_items(to.locale, list(people.values())), "result": ", ".join(places)}
        case log_lines.ExtendRuling(round=name, until=until):
            return {"round": str(name), "until": format_time(until, to)}
        case log_lines.RepairRuling(round=name):
            return {"round": str(name)}
    return {}


@tournament_letter(PlaceOfferLetter)
def compose_tournament_offer(
    context: LetterContext[PlaceOfferLetter], to: Addressee, row: TournamentRow
) -> Letter | None:
    """Compose the email that offers a reserve a place that came free, or a seat that somebody left."""
    if context.job.until <= now():
        return None
    locale, title = to.locale, overview.title_of(row, to.locale)
    kind = "seat" if context.job.match else "place"
    lead = translate(locale, f"tournament.offer.{kind}", title=title)
    blocks = [
        Para(translate(locale, "tournament.offer.until", moment=format_time(context.job.until, to))),
        Para(translate(locale, "tournament.offer.how", name=row.name)),
    ]
    if kind == "seat":
        blocks.append(Para(translate(locale, "tournament.offer.points")))
    return build_tournament_letter(context, to, row, lead, *blocks)


@tournament_letter(EndingLetter)
def compose_tournament_ending(context: LetterContext[EndingLetter], to: Addressee, row: TournamentRow) -> Letter | None:
    """Compose the email before the end of a round, or of all that end together, for players with open matches."""
    locale, about = to.locale, context.job
    ending = (RoundRow.stage == about.stage) & (RoundRow.ends_at == about.ends_at) & RoundRow.over_at.is_null()
    rounds = list(RoundRow.select().where((RoundRow.tournament == row.id) & ending).order_by(RoundRow.number))
    tables = [
        table
        for each in rounds
        for table in overview.list_pairings_of(row, about.player, each.stage, each.number, locale)
        if not table.over
    ]
    if not tables:
        return None
    key = "lead" if len({table.round for table in tables}) == 1 else "stage"
    days = translate(locale, "tournament.ending.days", count=about.days)
    values = {"title": overview.title_of(row, locale), "stage": about.stage, "round": tables[0].round, "days": days}
    lead = translate(locale, f"tournament.ending.{key}", **values)
    others = [join_items(locale, [seat.name for seat in table.seats if seat.player != to.player]) for table in tables]
    return build_tournament_letter(
        context,
        to,
        row,
        lead,
        Para(translate(locale, "tournament.ending.at", moment=format_time(about.ends_at, to))),
        Bullets(tuple(translate(locale, "tournament.ending.table", others=names) for names in others)),
        Para(translate(locale, f"tournament.ending.{about.then}")),
    )


@tournament_letter(ByeQuestionLetter)
def compose_tournament_leave(
    context: LetterContext[ByeQuestionLetter], to: Addressee, row: TournamentRow
) -> Letter | None:
    """Compose the email that asks a player on leave whether they take a bye; a yes to it asks for one."""
    about = context.job
    if about.until <= now():
        return None
    locale, document = to.locale, document_of(row)
    bye = next(plan.bye for plan in document.stages if plan.name == about.stage)
    name = f"{about.stage}:{about.round}"
    values = {"title": overview.title_of(row, locale), "stage": about.stage, "round": about.round}
    lead = translate(locale, "tournament.on_leave.lead", **values)
    counts = "counts" if document.counts_leave else "counts_not"
    until = format_time(about.until, to)
    composed = build_tournament_letter(
        context,
        to,
        row,
        lead,
        Para(translate(locale, "tournament.on_leave.starts", moment=format_time(about.starts_at, to))),
        Para(translate(locale, f"leave_clash.{counts}")),
        Para(translate(locale, f"tournament.on_leave.{bye.asked}")),
        Para(translate(locale, "tournament.on_leave.how", moment=until, name=row.name, round=name)),
    )
    purpose = ReplyPurpose("command", payload={"verb": "bye", "rest": f"{row.id} {name}", "asked": True})
    return replace(composed, reply_purpose=purpose)


@tournament_letter(AdjudicationLetter)
def compose_tournament_adjudication(
    context: LetterContext[AdjudicationLetter], to: Addressee, row: TournamentRow
) -> Letter | None:
    """Compose the email to an organiser about a match whose time is over: its public table, and how to decide."""
    match = MatchRow.get_or_none((MatchRow.id == context.job.match) & (MatchRow.status == "running"))
    if match is None:
        return None
    locale, title = to.locale, overview.title_of(row, to.locale)
    return build_tournament_letter(
        context,
        to,
        row,
        translate(locale, "tournament.decide.lead", title=title),
        Para(translate(locale, "tournament.decide.until", moment=format_time(context.job.until, to))),
        Heading(translate(locale, "tournament.decide.table")),
        Preformatted(describe_public_table(match.id, locale)),
        Para(translate(locale, "tournament.decide.how")),
        Preformatted(f"rule {row.name} result {match.id} 1,2 time"),
    )


@tournament_letter(OrganiserMessageLetter)
def compose_tournament_message(
    context: LetterContext[OrganiserMessageLetter], to: Addressee, row: TournamentRow
) -> Letter | None:
    """Compose the email with a message of an organiser to all entrants."""
    message = TournamentMessageRow.get_or_none(TournamentMessageRow.id == context.job.message)
    if message is None:
        return None
    locale, title = to.locale, overview.title_of(row, to.locale)
    lead = translate(locale, "tournament.message.lead", title=title)
    author = find_names([message.author], locale)[message.author]
    note = SmallPrint(translate(locale, "tournament.message.note"))
    return build_tournament_letter(
        context, to, row, lead, Quote(translate(locale, "note", who=author), message.text), note
    )


@player_letter(RulingQuestionAnswer)
def compose_ruling_question(context: LetterContext[RulingQuestionAnswer], to: Addressee) -> Letter:
    """Compose the answer that shows what a ruling would do; a yes to it makes the ruling."""
    about, locale = context.job, to.locale
    blocks: list[Block] = [
        Preformatted("\n".join(wrap_line(line) for line in about.lines[:MOST_LINES])),
        Para(translate(locale, "tournament.rule.letters", count=about.letters)),
    ]
    if about.standings:
        heading = Heading(translate(locale, "tournament.rule.standings"))
        blocks += [heading, Bullets(tuple(about.standings[:MOST_LINES]))]
    return ask_about_command(to, about, "tournament.rule", Command("ruling", about.rest), blocks)


@tournament_letter(ChallengeLetter)
def compose_tournament_challenge(context: LetterContext[ChallengeLetter], to: Addressee, row: TournamentRow) -> Letter:
    """Compose the email about a challenge."""
    what, locale = context.job.what, to.locale
    challenge = ChallengeRow.get_by_id(context.job.challenge)
    rival = challenge.challenger if what in TO_CHALLENGED else challenge.challenged
    who = find_names([rival], locale)[rival]
    lead = translate(locale, f"challenges.letter.{what}", who=who, title=overview.title_of(row, locale))
    blocks: list[Block] = [_places(challenge, to, rival, who, waits=what == "made")]
    if what == "made":
        blocks.append(Para(translate(locale, "challenges.letter.made_how", name=row.name, who=who)))
    return build_tournament_letter(context, to, row, lead, *blocks)


def _places(challenge: ChallengeRow, to: Addressee, rival: str, who: str, *, waits: bool) -> FactList:
    """Return the places of both players, and when an answer is due."""
    locale = to.locale
    facts = [
        (translate(locale, "challenges.letter.your_place"), _place_of(challenge, to.player or "", locale)),
        (translate(locale, "challenges.letter.their_place", who=who), _place_of(challenge, rival, locale)),
    ]
    if waits:
        moment = dates.format_moment(challenge.answer_by, to.zone, locale)
        facts.append((translate(locale, "challenges.letter.answer_by"), moment))
    return FactList(tuple(facts))


def _place_of(challenge: ChallengeRow, player: str, locale: Locale) -> str:
    state = load_state(challenge.tournament)
    order = state.ladder_order(challenge.stage)
    number = state.number_of.get(player)
    return format_place(order.index(number) + 1, locale) if number in order else "–"


@letter(TournamentInvitationLetter)
def compose_tournament_invitation(context: LetterContext[TournamentInvitationLetter]) -> Letter | None:
    """Compose the email to somebody invited. None if the tournament is over or nobody can be written to."""
    made = TournamentInvitationRow.get_or_none(TournamentInvitationRow.id == context.job.invitation)
    row = TournamentRow.get_by_id(made.tournament) if made is not None else None
    to = _find_invitee(made) if made is not None else None
    if made is None or row is None or to is None or row.state in {OVER, CANCELLED}:
        return None
    locale, title = to.locale, overview.title_of(row, to.locale)
    by = player_names([made.by_player], locale)[made.by_player]
    blocks: list[Block] = [
        Para(translate(locale, "tournament.invitation.lead", by=by, title=title), strong=True),
        *_answer_blocks(row, to, context),
        describe_tournament(row, to),
    ]
    blocks += rule_blocks(row, locale)
    if to.player is None:
        blocks += [
            Para(translate(locale, "invitation.what")),
            SmallPrint(translate(locale, "invitation.why", by=by)),
        ]
    return Letter(
        kind=context.job.kind,
        to=to,
        subject=translate(locale, "tournament.invitation.subject", by=by, title=title),
        blocks=tuple(blocks),
        scope="all" if to.player else "address",
    )


def _answer_blocks(row: TournamentRow, to: Addressee, context: LetterContext[LetterJob]) -> list[Block]:
    """Tell how to say yes: by a reply or on the page; without an account, by making one first."""
    page = f"{context.config.url}/tournaments/{row.id}"
    if to.player is not None:
        how = translate(to.locale, "tournament.invitation.how", name=row.name)
        return [Para(how), Link(translate(to.locale, "tournament.page"), page)]
    links = (("tournament.invitation.sign_in", f"{context.config.url}/enter"), ("tournament.page", page))
    return [
        Para(translate(to.locale, "tournament.invitation.stranger")),
        *(Link(translate(to.locale, key), url) for key, url in links),
    ]


def _find_invitee(made: TournamentInvitationRow) -> Addressee | None:
    """Return who is invited. Somebody without an account gets the language of the player who invites."""
    if made.player is not None:
        return find_addressee(made.player)
    known = PlayerRow.get_or_none((PlayerRow.address == made.address) & PlayerRow.confirmed_at.is_null(False))
    if known is not None:
        return find_addressee(known.id)
    return address_stranger(made.address, made.by_player)
