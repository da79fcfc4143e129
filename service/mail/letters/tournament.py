"""Emails about tournaments: you are in, a round begins, it is over, it is cancelled, and the standings."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import lru_cache
from typing import TypeVar

from engine.games import GAMES
from engine.words import Locale
from service.config import Config
from service.db.models.accounts import PlayerRow
from service.db.models.matches import SeatRow
from service.db.models.tournaments import ChallengeRow, RoundRow, RulingTextRow, TournamentEntryRow, TournamentRow
from service.i18n import dates
from service.i18n.catalogue import join_items, translate
from service.mail.job_payloads import TournamentAnswer
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
    ScoreTable,
    SmallPrint,
)
from service.mail.letters.context import LetterContext, game_name
from service.mail.letters.move_answers import build_account_reply
from service.mail.letters.registry import letter, player_letter
from service.mail.letters.sections import describe_clock
from service.play.views import name_colour
from service.timestamps import MINUTE, now
from service.tournaments.calendars.calendar_addresses import calendar_path, find_address
from service.tournaments.calendars.leave_clashes import describe_clash, find_booked_clashes
from service.tournaments.formats.log_lines import CancelRuling
from service.tournaments.formats.stage_rules import LADDER
from service.tournaments.formats.tournament_state import IN
from service.tournaments.job_payloads import (
    EnteredLetter,
    RoundLetter,
    TournamentCancelledLetter,
    TournamentLetter,
    TournamentOverLetter,
)
from service.tournaments.ratings.ratings import list_ratings
from service.tournaments.rounds.standings import StandingLine, StandingsTable, find_names, read_standings
from service.tournaments.rulings.ruling_words import REASONS
from service.tournaments.rulings.rulings import read_ruling
from service.tournaments.tournament_caches import ANNOUNCED, ENTRY, document_of
from service.tournaments.tournament_store import find_entrant, load_state, select_rulings
from service.tournaments.views import overview
from service.tournaments.views.derivations import format_place, format_units
from service.tournaments.views.own_rounds import OwnRound, list_own_rounds
from service.tournaments.views.rule_sheet import write_rule_sheet
from service.tournaments.views.tournament_shapes import PairingShown

MOST_LINES = 50
MOST_TABLES = 60
MOST_OPEN = 20
OPEN_STATES = (ANNOUNCED, ENTRY)
AnyLetter = TypeVar("AnyLetter", bound=TournamentLetter)
TournamentComposer = Callable[[LetterContext[AnyLetter], Addressee, TournamentRow], Letter | None]


def tournament_letter(
    kind: type[AnyLetter],
) -> Callable[[TournamentComposer[AnyLetter]], TournamentComposer[AnyLetter]]:
    """Register the composer of a kind, which gets the player, if they want emails, and the tournament."""

    def register(composer: TournamentComposer[AnyLetter]) -> TournamentComposer[AnyLetter]:
        @letter(kind)
        def compose_if_wanted(context: LetterContext[AnyLetter]) -> Letter | None:
            wants = (PlayerRow.id == context.job.player) & (PlayerRow.letters != "none")
            if context.to is None or not PlayerRow.select().where(wants).exists():
                return None
            return composer(context, context.to, TournamentRow.get_by_id(context.job.tournament))

        return composer

    return register


def log_head(row: TournamentRow, locale: Locale) -> SmallPrint:
    """Return the head of the log: 12 digits that must be in every later record."""
    return SmallPrint(translate(locale, "tournament.head", seq=row.head_seq, digits=overview.head_digits(row)))


def page_link(row: TournamentRow, locale: Locale, config: Config) -> Link:
    """Return the link to the page of a tournament."""
    return Link(translate(locale, "tournament.page"), f"{config.url}/tournaments/{row.id}")


def build_tournament_letter(
    context: LetterContext[TournamentLetter], to: Addressee, row: TournamentRow, lead: str, *blocks: Block
) -> Letter:
    """Build an email that begins with `lead`, its subject too, and ends with a link and the head of the log."""
    foot = (page_link(row, to.locale, context.config), log_head(row, to.locale))
    return Letter(context.job.kind, to, lead.rstrip("."), (Para(lead, strong=True), *blocks, *foot), scope="all")


def format_time(time: int | None, to: Addressee) -> str:
    """Return a time in the reader's zone and language, or that it is not fixed yet."""
    return translate(to.locale, "tournament.unknown") if time is None else dates.format_moment(time, to.zone, to.locale)


def describe_tournament(row: TournamentRow, to: Addressee) -> FactList:
    """Describe a tournament by a few facts: game, clock, number of entrants, when entry closes and play begins."""
    locale, document = to.locale, json.loads(row.document)
    counts = overview.count_entrants([row.id])[row.id]
    facts = [
        (translate(locale, "tournament.game"), game_name(GAMES[row.game], locale)),
        (translate(locale, "invitation.clock"), describe_clock(document["clock"], locale)),
        (translate(locale, "tournament.entrants"), str(counts.get(IN, 0))),
    ]
    if row.closes_at is not None and row.state in OPEN_STATES:
        facts.append((translate(locale, "tournament.closes"), format_time(row.closes_at, to)))
    first = RoundRow.select().where((RoundRow.tournament == row.id) & RoundRow.starts_at.is_null(is_null=False))
    begin = first.order_by(RoundRow.starts_at).first()
    if begin is not None and row.started_at is None:
        facts.append((translate(locale, "tournament.begins"), format_time(begin.starts_at, to)))
    return FactList(tuple(facts))


@tournament_letter(EnteredLetter)
def compose_tournament_entered(context: LetterContext[EnteredLetter], to: Addressee, row: TournamentRow) -> Letter:
    """Compose the email to an entrant: in, on the waiting list, or waiting for approval."""
    locale, title, status = to.locale, overview.title_of(row, to.locale), context.job.status
    return build_tournament_letter(
        context,
        to,
        row,
        translate(locale, f"tournament.entered.{status}", title=title),
        Para(translate(locale, "tournament.entered.how")),
        describe_tournament(row, to),
        *_leave_blocks(row, to),
        *rule_blocks(row, locale),
        Para(translate(locale, "tournament.entered.ask", name=row.name)),
    )


def _leave_blocks(row: TournamentRow, to: Addressee) -> list[Block]:
    """Return the rounds that clash with leave the player has booked."""
    clashes = find_booked_clashes(to.player or "", to.zone, row.id, to.locale)
    return [Bullets(tuple(describe_clash(clash, to.zone, to.locale) for clash in clashes))] if clashes else []


def rule_blocks(row: TournamentRow, locale: Locale) -> list[Block]:
    """Return the rules of a tournament in sentences."""
    blocks: list[Block] = []
    for paragraph in write_rule_sheet(document_of(row), locale):
        blocks += [Heading(paragraph.heading), Para(paragraph.text)]
    return blocks


@tournament_letter(RoundLetter)
def compose_tournament_round(context: LetterContext[RoundLetter], to: Addressee, row: TournamentRow) -> Letter:
    """Compose the email about a round that begins: the reader's tables with opponents and deadlines, or a bye."""
    locale, stage, number = to.locale, context.job.stage, context.job.round
    title = overview.title_of(row, locale)
    if overview.find_stage(row.id, stage).format == LADDER:
        return _compose_ladder_start(context, row, to, stage)
    tables = overview.list_pairings_of(row, context.job.player, stage, number, locale)
    matches = [table for table in tables if not table.is_bye]
    key = "lead" if matches else "bye"
    lead = translate(locale, f"tournament.round.{key}", title=title, stage=stage, round=number, count=len(matches))
    blocks: list[Block] = []
    if matches:
        blocks += [
            Heading(translate(locale, "tournament.round.tables")),
            Bullets(tuple(_describe_table(table, to) for table in matches[:MOST_TABLES])),
        ]
    end = RoundRow.get_or_none(
        (RoundRow.tournament == row.id) & (RoundRow.stage == stage) & (RoundRow.number == number)
    )
    facts = [(translate(locale, "invitation.clock"), describe_clock(json.loads(row.document)["clock"], locale))]
    if end is not None and end.ends_at is not None:
        facts.append((translate(locale, "tournament.round.ends"), format_time(end.ends_at, to)))
    plan = next(plan for plan in document_of(row).stages if plan.name == stage)
    if matches and plan.rules.series is not None:
        blocks.append(Para(translate(locale, "tournament.round.series", count=plan.rules.best_of)))
    if matches:
        blocks += [FactList(tuple(facts)), Para(translate(locale, "tournament.round.how"))]
    return build_tournament_letter(context, to, row, lead, *blocks)


def _compose_ladder_start(context: LetterContext[RoundLetter], row: TournamentRow, to: Addressee, stage: str) -> Letter:
    """Compose the email about a ladder that begins: the reader's place, and how to challenge."""
    locale, state = to.locale, load_state(row.id)
    order, number = state.ladder_order(stage), state.number_of.get(to.player or "", 0)
    place = order.index(number) + 1 if number in order else len(order)
    about = {"title": overview.title_of(row, locale), "place": place, "count": len(order)}
    lead = translate(locale, "challenges.begins", **about)
    plan = next(plan for plan in document_of(row).stages if plan.name == stage)
    how = Para(translate(locale, "challenges.begins_how", count=plan.reach, name=row.name))
    return build_tournament_letter(context, to, row, lead, how)


def _describe_table(table: PairingShown, to: Addressee) -> str:
    """Describe a table: the opponents, the reader's seat, and when the first move is due."""
    own = next(seat.seat for seat in table.seats if seat.player == to.player)
    others = [seat.name for seat in table.seats if seat.seat != own]
    key = "tournament.round.against" if others else "tournament.round.alone"
    text = translate(to.locale, key, others=join_items(to.locale, others), colour=name_colour(own, to.locale))
    seat = SeatRow.get_or_none((SeatRow.match == table.match) & (SeatRow.seat == own))
    if seat is None or seat.due_at is None:
        return text
    return translate(to.locale, "tournament.round.due", table=text, moment=format_time(seat.due_at, to))


@tournament_letter(TournamentCancelledLetter)
def compose_tournament_cancelled(
    context: LetterContext[TournamentCancelledLetter], to: Addressee, row: TournamentRow
) -> Letter:
    """Compose the email about a tournament that was cancelled, before its start or during play."""
    locale = to.locale
    lead = translate(locale, "tournament.cancelled.lead", title=overview.title_of(row, locale))
    began = "tournament.cancelled.began" if row.started_at is not None else "tournament.cancelled.not_begun"
    blocks: list[Block] = [Para(translate(locale, began))]
    ruling = select_rulings(row.id).where(TournamentEntryRow.line.startswith(f"{CancelRuling.verb} ")).first()
    if ruling is not None:
        blocks += reason_blocks(ruling, locale)
    return build_tournament_letter(context, to, row, lead, *blocks)


def reason_blocks(ruling: TournamentEntryRow, locale: Locale) -> list[Block]:
    """Return the reason of a ruling, and the organiser's text if there is one."""
    why = read_ruling(ruling.line).why
    blocks: list[Block] = []
    if why in REASONS:
        reason = translate(locale, f"tournament.reason.{why}")
        blocks.append(Para(translate(locale, "tournament.ruling.why", reason=reason)))
    same = (RulingTextRow.tournament == ruling.tournament) & (RulingTextRow.seq == ruling.seq)
    text = RulingTextRow.get_or_none(same)
    return blocks if text is None else [*blocks, Quote(translate(locale, "tournament.organisers"), text.text)]


@tournament_letter(TournamentOverLetter)
def compose_tournament_over(context: LetterContext[TournamentOverLetter], to: Addressee, row: TournamentRow) -> Letter:
    """Compose the email about a tournament that is over: the reader's place and why, the standings, how to verify."""
    locale, title = to.locale, overview.title_of(row, to.locale)
    return build_tournament_letter(
        context,
        to,
        row,
        translate(locale, "tournament.over.lead", title=title),
        *_own_standing(row, to),
        *_standings_blocks(row, to, context.config),
        Heading(translate(locale, "verify")),
        Para(translate(locale, "tournament.over.verify")),
        Preformatted(verify_commands(row, context.config)),
    )


def verify_commands(row: TournamentRow, config: Config) -> str:
    """Return the shell commands that verify a tournament."""
    return (
        f"curl -o {row.name}.jsonl \\\n  {config.url}/v1/tournaments/{row.id}/record\n"
        f"echtra tournament verify {row.name}.jsonl"
    )


@lru_cache(maxsize=32)
def _read_table(tournament: str, stage: str, _hash: str, locale: Locale, _minute: int) -> StandingsTable:
    """Return the standings at a head of the log. Cached for a minute, since names may change."""
    return read_standings(tournament, stage, locale=locale)


def _find_table(row: TournamentRow, locale: Locale) -> StandingsTable | None:
    stages = overview.list_stages(row.id)
    begun = [stage for stage in stages if stage.state != "planned"]
    return _read_table(row.id, begun[-1].name, row.head_hash, locale, now() // MINUTE) if begun else None


def _find_line(table: StandingsTable | None, player: str | None) -> StandingLine | None:
    if table is None:
        return None
    return next((line for section in table.sections for line in section if line.player == player), None)


def _own_standing(row: TournamentRow, to: Addressee, *, details: bool = False) -> list[Block]:
    """Return the reader's rank and the reason for it; an empty list for a player without rank in this stage."""
    table = _find_table(row, to.locale)
    line = _find_line(table, to.player)
    if table is None or line is None:
        return []
    reason = overview.explain_lines(row, table.stage, [line.number], to.locale).get(line.number)
    if reason is None:
        place = format_place(line.rank, to.locale)
        return [Para(translate(to.locale, "tournament.your_place", place=place, stage=table.stage))]
    blocks: list[Block] = [Para(translate(to.locale, "tournament.your_line", stage=table.stage, why=reason.summary))]
    return [*blocks, Bullets(reason.details)] if details and reason.details else blocks


def _standings_blocks(row: TournamentRow, to: Addressee, config: Config) -> list[Block]:
    """Return the standings of the last stage that began, the first lines of each section."""
    locale, table = to.locale, _find_table(row, to.locale)
    if table is None:
        return []
    blocks: list[Block] = []
    shown = max(1, MOST_LINES // max(1, len(table.sections)))
    counted = any(line.by_round for section in table.sections for line in section)
    for number, section in enumerate(table.sections, 1):
        key = "tournament.standings" if len(table.sections) == 1 else "tournament.section"
        heading = translate(locale, key, stage=table.stage, section=number)
        rows = tuple(
            (f"{line.rank}. {line.name}", (format_units(line.points, locale),) if counted else ("",))
            for line in section[:shown]
        )
        blocks += [Heading(heading), ScoreTable((translate(locale, "tournament.points"),), rows, summed=False)]
    left_out = sum(max(0, len(section) - shown) for section in table.sections)
    if left_out:
        url = f"{config.url}/tournaments/{row.id}"
        blocks.append(Para(translate(locale, "tournament.more_lines", count=left_out, url=url)))
    return blocks


@player_letter(TournamentAnswer)
def compose_tournament_status(context: LetterContext[TournamentAnswer], to: Addressee) -> Letter:
    """Compose the answer to a query about tournaments or ratings, to a withdrawal, a bye or a challenge."""
    plain = {"list": _open_tournaments, "rating": _rating_blocks}.get(context.job.about)
    blocks = plain(to) if plain else _status_blocks(context, to)
    return build_account_reply(to, context.job, blocks)


def _status_blocks(context: LetterContext[TournamentAnswer], to: Addressee) -> list[Block]:
    job, locale, row = context.job, to.locale, TournamentRow.get_by_id(context.job.tournament)
    title = overview.title_of(row, locale)
    if job.about == "challenge":
        lead = _describe_own_challenge(ChallengeRow.get_by_id(job.challenge), to, title)
    else:
        lead = translate(locale, f"tournament.answer.{job.about}", title=title, round=job.round)
    blocks: list[Block] = [Para(lead, strong=True)]
    if job.about == "standing":
        blocks += [*_own_standing(row, to), *_standings_blocks(row, to, context.config)]
    elif job.about == "why":
        blocks += _own_standing(row, to, details=True)
    elif job.about == "schedule":
        blocks += _schedule_blocks(row, to, context.config)
    if len(blocks) == 1 and job.about in ("standing", "why"):
        blocks += [Para(translate(locale, "tournament.no_standing")), describe_tournament(row, to)]
    return [*blocks, page_link(row, locale, context.config), log_head(row, locale)]


def _schedule_blocks(row: TournamentRow, to: Addressee, config: Config) -> list[Block]:
    """Return the reader's rounds with opponents and times, and the link to their calendar."""
    entrant = find_entrant(row.id, to.player or "")
    if entrant is None:
        return [Para(translate(to.locale, "tournament.schedule.not_entered", name=row.name))]
    own = list_own_rounds(row, entrant, overview.list_rounds(row), to.locale)
    lines = tuple(line for each in own for line in _describe_own_round(each, to))
    calendar = f"{config.url}{calendar_path(find_address(entrant.player))}"
    return [
        Bullets(lines) if lines else Para(translate(to.locale, "tournament.schedule.none")),
        Link(translate(to.locale, "tournament.schedule.calendar"), calendar),
        SmallPrint(translate(to.locale, "tournament.schedule.secret")),
    ]


def _describe_own_round(own: OwnRound, to: Addressee) -> list[str]:
    """Describe a round of the reader: a line for each of their tables, or when it begins."""

    def say(key: str, time: int | None = None, names: str = "") -> str:
        about = {"stage": own.shown.stage, "round": own.shown.number, "names": names, "moment": format_time(time, to)}
        return translate(to.locale, f"tournament.schedule.{key}", **about)

    if not own.tables:
        coming = "to_come_by" if own.shown.moved else "to_come" if own.begins else "later"
        return [say("missed") if own.is_missed else say(coming, own.begins)]
    lines = []
    for table in own.tables:
        if table.shown.is_bye:
            lines.append(say("bye"))
        elif table.shown.over:
            lines.append(say("over", names=table.opponents))
        elif own.shown.started_at is None:
            lines.append(say("next" if own.begins else "next_soon", own.begins, table.opponents))
        else:
            lines.append(say("asked" if table.is_asked else "running", table.due, table.opponents))
    return lines


def _describe_own_challenge(challenge: ChallengeRow, to: Addressee, title: str) -> str:
    """Return what a player did about a challenge by email: made one, accepted it, or declined it."""
    made = challenge.state == "open"
    rival = challenge.challenged if made else challenge.challenger
    who = find_names([rival], to.locale)[rival]
    moment = dates.format_moment(challenge.answer_by, to.zone, to.locale)
    key = "made" if made else challenge.state
    return translate(to.locale, f"challenges.mail.{key}", who=who, title=title, moment=moment)


def _rating_blocks(to: Addressee) -> list[Block]:
    """Return the ratings of the reader, one for each game."""
    locale, found = to.locale, list_ratings(to.player or "", now())
    if not found:
        return [Para(translate(locale, "tournament.rating.none"), strong=True)]
    items = (
        translate(
            locale,
            "tournament.rating.item",
            game=game_name(GAMES[rating.game], locale),
            rating=rating.skill.rating,
            deviation=rating.skill.deviation,
        )
        for rating in found
    )
    return [Para(translate(locale, "tournament.rating.lead"), strong=True), Bullets(tuple(items))]


def _open_tournaments(to: Addressee) -> list[Block]:
    """Return the tournaments that the reader can enter, and those they are in."""
    locale = to.locale
    mine = list(overview.select_entered(to.player or "").limit(MOST_OPEN))
    entered = {row.id for row in mine}
    entering = TournamentRow.listed & TournamentRow.state.in_(OPEN_STATES)
    later = TournamentRow.closes_at.is_null() | (TournamentRow.closes_at > now())
    listed = TournamentRow.select().where(entering & later).order_by(TournamentRow.closes_at).limit(MOST_OPEN)
    open_ = [row for row in listed if row.id not in entered]
    if not mine and not open_:
        return [Para(translate(locale, "tournament.none"), strong=True), Para(translate(locale, "tournament.none.how"))]
    blocks: list[Block] = [Para(translate(locale, "tournament.open"), strong=True)]
    if open_:
        lines = tuple(
            translate(
                locale,
                "tournament.open_line",
                title=overview.title_of(row, locale),
                name=row.name,
                game=game_name(GAMES[row.game], locale),
                moment=format_time(row.closes_at, to),
            )
            for row in open_
        )
        blocks += [Bullets(lines), Para(translate(locale, "tournament.enter_how", name=open_[0].name))]
    if mine:
        lines = tuple(
            translate(
                locale,
                "tournament.own_line",
                title=overview.title_of(row, locale),
                name=row.name,
                state=translate(locale, f"tournament.state.{row.state}"),
            )
            for row in mine
        )
        blocks += [Heading(translate(locale, "tournament.own")), Bullets(lines)]
        blocks.append(Para(translate(locale, "tournament.ask_how", name=mine[0].name)))
    return blocks
