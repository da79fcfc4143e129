"""Letters about a match before its first turn: an invitation, a seat that somebody gave, a match that never began."""

from __future__ import annotations

from engine.games import GAMES
from engine.words import Locale
from service.db.connection import rows
from service.db.models.accounts import PlayerRow
from service.db.models.matches import InvitationRow, MatchRow, SeatRow
from service.i18n import dates
from service.i18n.catalogue import join_items, translate
from service.mail.letters import sections
from service.mail.letters.blocks import Addressee, Block, FactList, Heading, Letter, Para, ReplyPurpose, SmallPrint
from service.mail.letters.context import LetterContext, find_addressee, game_name
from service.mail.letters.sections import describe_clock, split_paragraphs
from service.play.time_control import PRESETS
from service.play.views import bot_name, player_names


def compose_invitation(context: LetterContext) -> Letter | None:
    """The letter that offers a seat; nothing if it was answered or the match no longer waits."""
    made = InvitationRow.get_or_none(InvitationRow.id == context.payload["invitation"])
    match = MatchRow.get_or_none(MatchRow.id == made.match) if made else None
    if made is None or match is None or made.answered_at is not None or match.status != "open":
        return None
    to = _invitee(made, context.payload.get("language", ""))
    if to is None:
        return None
    locale = to.locale
    by = player_names([made.by_player], locale)[made.by_player]
    game = game_name(GAMES[match.game], locale)
    blocks: list[Block] = [
        sections.reply_line(locale),
        *([Para(translate(locale, "invitation.again"))] if context.payload.get("again") else []),
        Para(translate(locale, "invitation.lead", by=by, game=game), strong=True),
        FactList(tuple(_match_facts(match, made.seat, locale))),
        Para(translate(locale, "invitation.how")),
    ]
    blocks += [Para(translate(locale, "invitation.ask"))] if to.player else _stranger_blocks(match, by, locale)
    return Letter(
        kind="invitation",
        to=to,
        subject=translate(locale, "invitation.subject", by=by, game=game),
        blocks=tuple(blocks),
        match=match.id,
        reply_purpose=ReplyPurpose("invitation", payload={"invitation": made.id}),
        scope="all" if to.player else "address",
        in_reply_to=context.in_reply_to,
        preview=translate(locale, "invitation.how"),
    )


def _stranger_blocks(match: MatchRow, by: str, locale: Locale) -> list[Block]:
    """What somebody without an account reads besides: they can ask for nothing before they join."""
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
    if not made.address:
        return None
    host = PlayerRow.get_or_none(PlayerRow.id == made.by_player)
    locale: Locale = "fr" if (language or (host.language if host else "")) == "fr" else "en"
    return Addressee(made.address, "", locale, host.zone if host else "UTC")


def _match_facts(match: MatchRow, seat: int | None, locale: Locale) -> list[tuple[str, str]]:
    seats = list(SeatRow.select().where(SeatRow.match == match.id).order_by(SeatRow.seat))
    names = player_names(sorted({row.player for row in seats if row.player}), locale)
    game = GAMES[match.game]
    sits = [
        names[row.player] if row.player else bot_name(game, row.bot or "", locale)
        for row in seats
        if row.player or row.bot
    ]
    free = match.seats - len(sits)
    found = [(translate(locale, "invitation.title"), match.title)] if match.title else []
    found.append((translate(locale, "invitation.seats"), f"{match.seats} ({translate(locale, 'free', count=free)})"))
    if sits:
        found.append((translate(locale, "invitation.sits"), join_items(locale, sits)))
    if seat is not None:
        found.append((translate(locale, "invitation.seat"), translate(locale, "seat.number", seat=seat)))
    found.append((translate(locale, "invitation.clock"), describe_clock(match.clock, locale)))
    if match.clock != "none":
        found.append(
            (
                translate(locale, "leave.label"),
                translate(locale, "leave.counts" if match.leave_allowed else "leave.not"),
            )
        )
        follows = translate(locale, f"policy.{match.policy}")
        hard = PRESETS[match.clock].hard
        found.append(
            (translate(locale, "policy.label"), follows if hard else translate(locale, "policy.excused", what=follows))
        )
    if match.arbiter:
        found.append((translate(locale, "matches.arbiter"), player_names([match.arbiter], locale)[match.arbiter]))
    if match.moves == "signed":
        found.append((translate(locale, "invitation.moves"), translate(locale, "invitation.signed")))
    return found


def compose_seat_given(context: LetterContext) -> Letter | None:
    """The letter to who was given a seat by an organiser; nothing if it is no longer theirs."""
    to, match = context.to, MatchRow.get_or_none(MatchRow.id == context.payload["match"])
    here = (SeatRow.match == context.payload["match"]) & (SeatRow.seat == context.payload["seat"])
    row = SeatRow.get_or_none(here & (SeatRow.player == context.payload["player"]))
    if to is None or match is None or row is None or match.status not in ("open", "running"):
        return None
    locale, by = to.locale, player_names([context.payload["by"]], to.locale)[context.payload["by"]]
    game = game_name(GAMES[match.game], locale)
    blocks: list[Block] = [
        sections.reply_line(locale),
        Para(translate(locale, "seated.lead", by=by, game=game), strong=True),
        FactList(tuple(_match_facts(match, context.payload["seat"], locale))),
        Para(_start_sentence(match, to)),
    ]
    blocks += [Para(translate(locale, "seated.how"))] if match.status == "open" else []
    return Letter(
        kind="seated",
        to=to,
        subject=translate(locale, "seated.subject", by=by, game=game),
        blocks=(*blocks, SmallPrint(translate(locale, "seated.why", by=by, organiser=context.payload["by"]))),
        match=match.id,
        reply_purpose=ReplyPurpose("seated", payload={"match": match.id, "seat": context.payload["seat"]}),
        scope="all",
        preview=_start_sentence(match, to),
    )


def _start_sentence(match: MatchRow, to: Addressee) -> str:
    """When a match begins, in a sentence."""
    if match.status != "open":
        return translate(to.locale, "made.started")
    if match.starts_at is None:
        return translate(to.locale, "begins.full")
    return translate(to.locale, "begins.at", moment=dates.format_moment(match.starts_at, to.zone, to.locale))


def compose_seat_withdrawn(context: LetterContext) -> Letter | None:
    """The letter to who lost a seat that an organiser gave to nobody, or to somebody else."""
    to, match = context.to, MatchRow.get_or_none(MatchRow.id == context.payload["match"])
    sits = (SeatRow.match == context.payload["match"]) & (SeatRow.player == context.payload["player"])
    if to is None or match is None or SeatRow.select().where(sits).exists():
        return None
    locale, by = to.locale, player_names([context.payload["by"]], to.locale)[context.payload["by"]]
    game = game_name(GAMES[match.game], locale)
    blocks = (
        Para(translate(locale, "unseated.lead", by=by, game=match.title or game), strong=True),
        Para(translate(locale, "unseated.then")),
    )
    subject = translate(locale, "unseated.subject", game=match.title or game)
    return Letter("unseated", to, subject, blocks, match=match.id, scope="all")


def compose_match_cancelled(context: LetterContext) -> Letter | None:
    """The letter about a match that did not find its players."""
    to, match = context.to, MatchRow.get_or_none(MatchRow.id == context.payload["match"])
    if to is None or match is None:
        return None
    game = game_name(GAMES[match.game], to.locale)
    game = translate(to.locale, "titled", title=match.title, what=game) if match.title else game
    blocks = (
        Para(translate(to.locale, "cancelled.lead", game=game), strong=True),
        Para(translate(to.locale, "cancelled.again", game=match.game)),
    )
    subject = translate(to.locale, "cancelled.subject", game=game)
    return Letter("cancelled", to, subject, blocks, match=match.id, scope="all")


def cancellation_recipients(match: str) -> list[str]:
    """Who is told that a match did not begin: who sat there, and who made it."""
    sql = (
        "select player from seat where match = ? and player is not null union select created_by from match where id = ?"
    )
    return [player for (player,) in rows(sql, match, match)]
