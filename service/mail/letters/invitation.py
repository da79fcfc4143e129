"""Letters about a match before its first turn: an invitation, a seat that somebody gave, a match that never began."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.games import GAMES
from engine.words import Locale
from service.config import Config
from service.db.connection import rows
from service.db.models import Invitation, Match, Player, SeatRow
from service.i18n import dates as times
from service.i18n.catalogue import listed, say
from service.mail.letters import sections as parts
from service.mail.letters.blocks import Addressee, Answering, Block, Facts, Fine, Heading, Letter, Para
from service.mail.letters.context import addressee
from service.mail.letters.context import called as game_name
from service.play.time_control import PRESETS
from service.play.views import bot_name, called

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
        Facts(tuple(_facts(match, made.seat, locale))),
        Para(say(locale, "invitation.how")),
    ]
    blocks += [Para(say(locale, "invitation.ask"))] if to.player else _stranger(match, by, locale)
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


def _stranger(match: Match, by: str, locale: Locale) -> list[Block]:
    """What somebody without an account reads besides: they can ask for nothing before they join."""
    game = GAMES[match.game]
    heading = Heading(say(locale, "invitation.rules", game=game_name(game, locale)))
    rules = [Para(words) for words in paragraphs(game.rules[locale])]
    return [Para(say(locale, "invitation.new")), heading, *rules, Fine(say(locale, "invitation.why", by=by))]


def paragraphs(text: str) -> list[str]:
    """The paragraphs of a text whose rows were broken for a page: a row that ends a sentence ends a paragraph."""
    found = [""]
    for row in text.split("\n"):
        found[-1] = f"{found[-1]} {row.strip()}".strip()
        if row.rstrip().endswith((".", ":", "!")):
            found.append("")
    return [words for words in found if words]


def _guest(made: Invitation) -> Addressee | None:
    """Who is invited; an address without an account reads the language of whoever invites."""
    if made.player is not None:
        return addressee(made.player)
    if not made.address:
        return None
    host = Player.get_or_none(Player.id == made.by_player)
    locale: Locale = "fr" if host is not None and host.language == "fr" else "en"
    return Addressee(made.address, "", locale, host.zone if host else "UTC")


def _facts(match: Match, seat: int | None, locale: Locale) -> list[tuple[str, str]]:
    seats = list(SeatRow.select().where(SeatRow.match == match.id).order_by(SeatRow.seat))
    names = called(sorted({row.player for row in seats if row.player}), locale)
    game = GAMES[match.game]
    sits = [
        names[row.player] if row.player else bot_name(game, row.bot or "", locale)
        for row in seats
        if row.player or row.bot
    ]
    free = match.seats - len(sits)
    found = [(say(locale, "invitation.title"), match.title)] if match.title else []
    found.append((say(locale, "invitation.seats"), f"{match.seats} ({say(locale, 'free', count=free)})"))
    if sits:
        found.append((say(locale, "invitation.sits"), listed(locale, sits)))
    if seat is not None:
        found.append((say(locale, "invitation.seat"), say(locale, "seat.number", seat=seat)))
    found.append((say(locale, "invitation.clock"), clock_words(match.clock, locale)))
    if match.clock != "none":
        found.append((say(locale, "leave.label"), say(locale, "leave.counts" if match.leave_allowed else "leave.not")))
        follows = say(locale, f"policy.{match.policy}")
        hard = PRESETS[match.clock].hard
        found.append((say(locale, "policy.label"), follows if hard else say(locale, "policy.excused", what=follows)))
    if match.moves == "signed":
        found.append((say(locale, "invitation.moves"), say(locale, "invitation.signed")))
    return found


def seated(payload: Payload, _config: Config) -> Letter | None:
    """An organiser gave you a seat; nothing if it is no longer yours."""
    to, match = addressee(payload["player"]), Match.get_or_none(Match.id == payload["match"])
    here = (SeatRow.match == payload["match"]) & (SeatRow.seat == payload["seat"])
    row = SeatRow.get_or_none(here & (SeatRow.player == payload["player"]))
    if to is None or match is None or row is None or match.status not in ("open", "running"):
        return None
    locale, by = to.locale, called([payload["by"]], to.locale)[payload["by"]]
    game = game_name(GAMES[match.game], locale)
    blocks: list[Block] = [
        parts.above(locale),
        Para(say(locale, "seated.lead", by=by, game=game), strong=True),
        Facts(tuple(_facts(match, payload["seat"], locale))),
        Para(_begins(match, to)),
    ]
    blocks += [Para(say(locale, "seated.how"))] if match.status == "open" else []
    return Letter(
        kind="seated",
        to=to,
        subject=say(locale, "seated.subject", by=by, game=game),
        blocks=(*blocks, Fine(say(locale, "seated.why", by=by, organiser=payload["by"]))),
        match=match.id,
        answering=Answering("seated", payload={"match": match.id, "seat": payload["seat"]}),
        scope="all",
        preview=_begins(match, to),
    )


def _begins(match: Match, to: Addressee) -> str:
    """When a match begins, in a sentence."""
    if match.status != "open":
        return say(to.locale, "made.started")
    if match.starts_at is None:
        return say(to.locale, "begins.full")
    return say(to.locale, "begins.at", moment=times.moment(match.starts_at, to.zone, to.locale))


def unseated(payload: Payload, _config: Config) -> Letter | None:
    """An organiser gave your seat to nobody, or to somebody else."""
    to, match = addressee(payload["player"]), Match.get_or_none(Match.id == payload["match"])
    sits = (SeatRow.match == payload["match"]) & (SeatRow.player == payload["player"])
    if to is None or match is None or SeatRow.select().where(sits).exists():
        return None
    locale, by = to.locale, called([payload["by"]], to.locale)[payload["by"]]
    game = game_name(GAMES[match.game], locale)
    blocks = (
        Para(say(locale, "unseated.lead", by=by, game=match.title or game), strong=True),
        Para(say(locale, "unseated.then")),
    )
    subject = say(locale, "unseated.subject", game=match.title or game)
    return Letter("unseated", to, subject, blocks, match=match.id, scope="all")


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
    game = say(to.locale, "titled", title=match.title, what=game) if match.title else game
    blocks = (
        Para(say(to.locale, "cancelled.lead", game=game), strong=True),
        Para(say(to.locale, "cancelled.again", game=match.game)),
    )
    subject = say(to.locale, "cancelled.subject", game=game)
    return Letter("cancelled", to, subject, blocks, match=match.id, scope="all")


def waited(match: str) -> list[str]:
    """Who is told that a match did not begin: who sat there, and who made it."""
    sql = (
        "select player from seat where match = ? and player is not null union select created_by from match where id = ?"
    )
    return [player for (player,) in rows(sql, match, match)]
