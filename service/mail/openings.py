"""Letters about a match that has not begun: an invitation, a match that will not take place."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.games import GAMES
from engine.words import Locale
from service.clock import PRESETS
from service.config import Config
from service.database import rows
from service.mail import parts, times
from service.mail.desk import addressee
from service.mail.desk import called as game_name
from service.mail.letter import Addressee, Answering, Block, Facts, Fine, Letter, Para
from service.mail.words import listed, say
from service.models import Invitation, Match, Player, SeatRow
from service.views import BOT, called

Payload = Mapping[str, Any]


def invitation(payload: Payload, _config: Config) -> Letter | None:
    """Somebody offers a seat; nothing if it was answered or the match no longer waits."""
    made = Invitation.get_or_none(Invitation.id == payload["invitation"])
    match = Match.get_or_none(Match.id == made.match) if made else None
    if made is None or match is None or made.answered_at is not None or match.status != "open":
        return None
    to = _guest(made)
    if to is None:
        return None
    locale = to.locale
    by = called([made.by_player], locale)[made.by_player]
    game = game_name(GAMES[match.game], locale)
    blocks: list[Block] = [
        parts.above(locale),
        Para(say(locale, "invitation.lead", by=by, game=game), strong=True),
        Facts(tuple(_facts(match, made, locale))),
        Para(say(locale, "invitation.how")),
    ]
    if to.player is None:
        blocks += [Para(say(locale, "invitation.new")), Fine(say(locale, "invitation.why", by=by))]
    return Letter(
        kind="invitation",
        to=to,
        subject=say(locale, "invitation.subject", by=by, game=game),
        blocks=tuple(blocks),
        match=match.id,
        answering=Answering("invitation", payload={"invitation": made.id}),
        scope="all" if to.player else "address",
        preview=say(locale, "invitation.how"),
    )


def _guest(made: Invitation) -> Addressee | None:
    """Who is invited; an address without an account reads the language of whoever invites."""
    if made.player is not None:
        return addressee(made.player)
    if not made.address:
        return None
    host = Player.get_or_none(Player.id == made.by_player)
    locale: Locale = "fr" if host is not None and host.language == "fr" else "en"
    return Addressee(made.address, "", locale, host.zone if host else "UTC")


def _facts(match: Match, made: Invitation, locale: Locale) -> list[tuple[str, str]]:
    seats = list(SeatRow.select().where(SeatRow.match == match.id).order_by(SeatRow.seat))
    names = called(sorted({row.player for row in seats if row.player}), locale)
    sits = [names[row.player] if row.player else _bot(match, row.bot, locale) for row in seats if row.player or row.bot]
    free = match.seats - len(sits)
    found = [(say(locale, "invitation.title"), match.title)] if match.title else []
    found.append((say(locale, "invitation.seats"), f"{match.seats} ({say(locale, 'free', count=free)})"))
    if sits:
        found.append((say(locale, "invitation.sits"), listed(locale, sits)))
    if made.seat is not None:
        found.append((say(locale, "invitation.seat"), say(locale, "seat.number", seat=made.seat)))
    found.append((say(locale, "invitation.clock"), clock_words(match.clock, locale)))
    if match.moves == "signed":
        found.append((say(locale, "invitation.moves"), say(locale, "invitation.signed")))
    return found


def _bot(match: Match, bot: str | None, locale: Locale) -> str:
    name = GAMES[match.game].words.name(bot or "", locale)
    return BOT[locale].format(f"{name[:1].upper()}{name[1:]}")


def clock_words(preset: str, locale: Locale) -> str:
    """The time rules of a match in a phrase."""
    clock = PRESETS[preset]
    if clock.per_move:
        told = say(locale, "clock.move", span=times.span(clock.per_move, locale))
    elif clock.bank:
        spans = {name: times.span(getattr(clock, name), locale) for name in ("bank", "increment", "cap")}
        told = say(locale, "clock.bank", **spans)
    else:
        return say(locale, "clock.none")
    return told + say(locale, "clock.weekends") if clock.weekends else told


def cancelled(payload: Payload, _config: Config) -> Letter | None:
    """A match did not find its players."""
    to, match = addressee(payload["player"]), Match.get_or_none(Match.id == payload["match"])
    if to is None or match is None:
        return None
    game = game_name(GAMES[match.game], to.locale)
    blocks = (
        Para(say(to.locale, "cancelled.lead", game=game), strong=True),
        Para(say(to.locale, "cancelled.again")),
    )
    subject = say(to.locale, "cancelled.subject", game=game)
    return Letter("cancelled", to, subject, blocks, match=match.id, scope="all")


def waited(match: str) -> list[str]:
    """Who is told that a match did not begin: who sat there, and who made it."""
    sql = (
        "select player from seat where match = ? and player is not null union select created_by from match where id = ?"
    )
    return [player for (player,) in rows(sql, match, match)]
