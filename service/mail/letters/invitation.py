"""Emails about a match before its first turn: an invitation, a seat given or taken away, a match that never began."""

from __future__ import annotations

from engine.games import GAMES
from engine.words import Locale
from service.db.connection import rows
from service.db.models.matches import InvitationRow, MatchRow, SeatRow
from service.i18n import dates
from service.i18n.catalogue import join_items, translate
from service.mail.letters import sections
from service.mail.letters.blocks import Addressee, Block, FactList, Heading, Letter, Para, ReplyPurpose, SmallPrint
from service.mail.letters.context import LetterContext, address_stranger, find_addressee, game_name
from service.mail.letters.registry import letter, player_letter
from service.mail.letters.sections import describe_clock, split_paragraphs
from service.matches.job_payloads import CancelledLetter, InvitationLetter, SeatedLetter, UnseatedLetter
from service.play.time_control import PRESETS
from service.play.views import player_names


@letter(InvitationLetter)
def compose_invitation(context: LetterContext[InvitationLetter]) -> Letter | None:
    """Compose the email that offers a seat. None if it was answered or the match no longer waits."""
    made = InvitationRow.get_or_none(InvitationRow.id == context.job.invitation)
    match = MatchRow.get_or_none(MatchRow.id == made.match) if made else None
    if made is None or match is None or made.answered_at is not None or match.status != "open":
        return None
    to = _invitee(made, context.job.language)
    if to is None:
        return None
    locale = to.locale
    by = player_names([made.by_player], locale)[made.by_player]
    game = game_name(GAMES[match.game], locale)
    blocks: list[Block] = [
        *([Para(translate(locale, "invitation.again"))] if context.job.again else []),
        Para(translate(locale, "invitation.lead", by=by, game=game), strong=True),
        _match_facts(match, made.seat, locale),
        Para(translate(locale, "invitation.how")),
    ]
    blocks += [Para(translate(locale, "invitation.ask"))] if to.player else _stranger_blocks(match, by, locale)
    return Letter(
        kind=context.job.kind,
        to=to,
        subject=translate(locale, "invitation.subject", by=by, game=game),
        blocks=tuple(blocks),
        match=match.id,
        reply_purpose=ReplyPurpose("invitation", payload={"invitation": made.id}),
        scope="all" if to.player else "address",
        in_reply_to=context.job.in_reply_to,
        preview=translate(locale, "invitation.how"),
    )


def _stranger_blocks(match: MatchRow, by: str, locale: Locale) -> list[Block]:
    """Return what only somebody without an account reads: they cannot ask for anything before they join."""
    game = GAMES[match.game]
    heading = Heading(translate(locale, "invitation.rules", game=game_name(game, locale)))
    rules = [Para(words) for words in split_paragraphs(game.presentation.rules_summary[locale])]
    return [
        Para(translate("en" if locale == "fr" else "fr", "invitation.how")),
        Para(translate(locale, "invitation.new")),
        Para(translate(locale, "invitation.never")),
        Para(translate(locale, "invitation.what")),
        heading,
        *rules,
        SmallPrint(translate(locale, "invitation.why", by=by)),
    ]


def _invitee(made: InvitationRow, language: str) -> Addressee | None:
    """Return who is invited. An address without an account reads the language it answered in, else the host's."""
    if made.player is not None:
        return find_addressee(made.player)
    return address_stranger(made.address, made.by_player, language)


def _match_facts(match: MatchRow, seat: int | None, locale: Locale) -> FactList:
    """Return what to know about a match before it begins."""
    sits = sections.name_occupants(match, locale)
    free = translate(locale, "free", count=match.seats - len(sits))
    facts = [("invitation.title", match.title)] if match.title else []
    facts.append(("invitation.seats", f"{match.seats} ({free})"))
    if sits:
        facts.append(("invitation.sits", join_items(locale, sits)))
    if seat is not None:
        facts.append(("invitation.seat", translate(locale, "seat.number", seat=seat + 1, seats=match.seats)))
    facts.append(("invitation.clock", describe_clock(match.clock, locale)))
    if match.clock != "none":
        facts.append(("leave.label", translate(locale, "leave.counts" if match.leave_allowed else "leave.not")))
        policy = translate(locale, f"policy.{match.policy}")
        hard = PRESETS[match.clock].hard
        facts.append(("policy.label", policy if hard else translate(locale, "policy.excused", what=policy)))
    if match.arbiter:
        facts.append(("invitation.arbiter", player_names([match.arbiter], locale)[match.arbiter]))
    if match.moves == "signed":
        facts.append(("invitation.moves", translate(locale, "invitation.signed")))
    return FactList(tuple((translate(locale, label), value) for label, value in facts))


@player_letter(SeatedLetter)
def compose_seat_given(context: LetterContext[SeatedLetter], to: Addressee) -> Letter | None:
    """Compose the email to a player whom an organiser gave a seat. None if it is no longer theirs."""
    job, locale = context.job, to.locale
    match = MatchRow.get_or_none(MatchRow.id == job.match)
    own = (SeatRow.match == job.match) & (SeatRow.seat == job.seat) & (SeatRow.player == job.player)
    if match is None or match.status not in ("open", "running") or not SeatRow.select().where(own).exists():
        return None
    by, game = player_names([job.by], locale)[job.by], game_name(GAMES[match.game], locale)
    blocks: tuple[Block, ...] = (
        Para(translate(locale, "seated.lead", by=by, game=game), strong=True),
        _match_facts(match, job.seat, locale),
        Para(_start_sentence(match, to)),
        *([Para(translate(locale, "seated.how"))] if match.status == "open" else []),
        SmallPrint(translate(locale, "seated.why", by=by)),
    )
    return Letter(
        kind=job.kind,
        to=to,
        subject=translate(locale, "seated.subject", by=by, game=game),
        blocks=blocks,
        match=match.id,
        reply_purpose=ReplyPurpose("seated", payload={"match": match.id, "seat": job.seat}),
        scope="all",
        preview=_start_sentence(match, to),
    )


def _start_sentence(match: MatchRow, to: Addressee) -> str:
    """Return when a match begins, in a sentence."""
    if match.status != "open":
        return translate(to.locale, "made.started")
    if match.starts_at is None:
        return translate(to.locale, "begins.full")
    return translate(to.locale, "begins.at", moment=dates.format_moment(match.starts_at, to.zone, to.locale))


@player_letter(UnseatedLetter)
def compose_seat_withdrawn(context: LetterContext[UnseatedLetter], to: Addressee) -> Letter | None:
    """Compose the email to a player whose seat an organiser took away. None if they have a seat again."""
    job, locale = context.job, to.locale
    match = MatchRow.get_or_none(MatchRow.id == job.match)
    sits = (SeatRow.match == job.match) & (SeatRow.player == job.player)
    if match is None or SeatRow.select().where(sits).exists():
        return None
    by, game = player_names([job.by], locale)[job.by], match.title or game_name(GAMES[match.game], locale)
    blocks = (
        Para(translate(locale, "unseated.lead", by=by, game=game), strong=True),
        Para(translate(locale, "unseated.then")),
    )
    subject = translate(locale, "unseated.subject", game=game)
    return Letter(job.kind, to, subject, blocks, match=match.id, scope="all")


@player_letter(CancelledLetter)
def compose_match_cancelled(context: LetterContext[CancelledLetter], to: Addressee) -> Letter | None:
    """Compose the email about a match that did not find enough players."""
    match = MatchRow.get_or_none(MatchRow.id == context.job.match)
    if match is None:
        return None
    game = game_name(GAMES[match.game], to.locale)
    game = translate(to.locale, "titled", title=match.title, what=game) if match.title else game
    blocks = (
        Para(translate(to.locale, "cancelled.lead", game=game), strong=True),
        Para(translate(to.locale, "cancelled.again", game=match.game)),
    )
    subject = translate(to.locale, "cancelled.subject", game=game)
    return Letter(context.job.kind, to, subject, blocks, match=match.id, scope="all")


def cancellation_recipients(match: str) -> list[str]:
    """Return who is told that a match did not begin: the players who have seats, and whoever made it."""
    sql = (
        "select player from seat where match = ? and player is not null union select created_by from match where id = ?"
    )
    return [player for (player,) in rows(sql, match, match)]
