"""Starting a match when it is full, at its time, or when its creator says so; and cancelling one that never fills."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from peewee import fn

from engine.game import AnyGame
from engine.games import GAMES
from engine.options import Option
from engine.words import bot_version
from service.db.connection import db, write_transaction
from service.db.models.matches import HeaderRow, MatchRow, SeatRow
from service.i18n.catalogue import Message, msg
from service.jobs import queue, wakeups
from service.matches.job_payloads import CancelledLetter
from service.play.match_log import lock_match
from service.problems import Problem, invalid_field_problem
from service.record.header import Header, Occupant
from service.record.match_state import MatchState
from service.record.patterns import is_beacon
from service.timestamps import now

RANDOM_BOT = "random"
"""The bot that moves at random. It is useful in tests, and not offered as an opponent."""


def start_if_full(match: MatchRow) -> bool:
    """Start a match that is full and has no start time. Call inside a transaction."""
    if not is_beacon(match.beacon):
        return False
    if (match.starts_at is not None and match.starts_at > now()) or free_seats(match.id):
        return False
    start_match(match)
    return True


def start_match(match: MatchRow) -> None:
    """Write the header and open the log, inside a transaction. The worker continues from there."""
    seats = list(SeatRow.select().where(SeatRow.match == match.id).order_by(SeatRow.seat))
    header = build_header(match, seats, now())
    HeaderRow.create(match=match.id, hash=header.hash, body=header.body)
    match.status, match.started_at = "running", header.started
    match.head_seq, match.head_hash, match.head_at, match.resolved_seq = 0, header.hash, header.started, -1
    match.save(force_insert=False)
    db.after_commit(lambda: wakeups.wake_for_match(match.id))


def build_header(match: MatchRow, seats: Sequence[SeatRow], at: int) -> Header:
    """Return the header of a match that starts now with these seats."""
    bots = GAMES[match.game].bots
    places = [
        Occupant(bot=bots.current(row.bot)) if row.bot else Occupant(row.player or "", row.nonce, row.keys)
        for row in seats
    ]
    return Header(
        match=match.id,
        game=match.game,
        revision=match.revision,
        options=match.options,
        moves=match.moves,
        seed=match.seed_hash,
        beacon=match.beacon,
        created=match.created_at,
        started=max(at, match.created_at),
        places=tuple(places),
    )


def start_now(player: str, match_id: str, bot: str | None, value: str | None = None) -> None:
    """Start a match because its creator says so. Bots take empty seats; a beacon's value goes into the draws."""
    with write_transaction():
        match = lock_match(match_id)
        check_is_open(match, msg("matches.waits_no_more"))
        check_is_not_paired(match)
        if match.created_by != player:
            raise Problem("forbidden", msg("matches.only_maker_starts"))
        free = free_seats(match.id)
        if free and bot is None:
            raise Problem("conflict", msg("matches.seats_empty"), free=sorted(free))
        _fill_with_bots(match, free, bot)
        match.beacon = _complete_beacon(match, value)
        match.starts_at = None
        start_match(match)


def check_is_open(match: MatchRow, refusal: Message) -> None:
    """Refuse an action that is possible only before the start."""
    if match.status != "open":
        raise Problem("match-started" if match.status == "running" else "match-over", refusal)


def check_is_not_paired(match: MatchRow) -> None:
    """Refuse manual changes to the seats or start of a tournament match."""
    if match.pairing is not None:
        raise Problem("conflict", msg("matches.paired"))


def _complete_beacon(match: MatchRow, value: str | None) -> str:
    """Return the beacon for the header: the round named at creation, with its value."""
    named: str = match.beacon
    if is_beacon(named):
        if value is not None:
            raise Problem("conflict", msg("matches.no_beacon_round"))
        return named
    if value is None:
        raise Problem("conflict", msg("matches.beacon_value", beacon=named))
    return f"{named}:{value}"


def solo_rivals(game: AnyGame) -> list[Option]:
    """Return the game's options that seat a solo opponent of the same name, such as Balor."""
    return [option for option in game.rules.options if option.name in game.bots.by_name]


@dataclass(frozen=True)
class Opponent:
    """A bot to play alone against. Solo opponents such as Balor have a level; ordinary bots have none."""

    bot: str
    level: str = ""

    @property
    def id(self) -> str:
        """The opponent's name in forms: `steady`, `balor-hard`."""
        return f"{self.bot}-{self.level}" if self.level else self.bot


def list_opponents(game: AnyGame) -> list[Opponent]:
    """Return the opponents for solo play: solo opponents by level first, then bots that try to win."""
    rivals = solo_rivals(game)
    levels = [
        Opponent(option.name, str(level)) for option in rivals for level in option.choices if level != option.default
    ]
    names = {option.name for option in rivals} | {RANDOM_BOT}
    return [*levels, *(Opponent(name) for name in game.bots.by_name if name not in names)]


def find_harder(match_state: MatchState) -> Opponent | None:
    """Return the next stronger opponent after a solo match, or None."""
    bots = {place.bot for place in match_state.facts.header.places if place.bot}
    if len(bots) != 1 or sum(bool(place.player) for place in match_state.facts.header.places) != 1:
        return None
    bot, _ = bot_version(bots.pop())
    settings = match_state.facts.settings
    family = [each for each in list_opponents(match_state.facts.game) if bool(each.level) == (bot in settings)]
    level = str(settings[bot]) if bot in settings else ""
    ids = [each.id for each in family]
    current = Opponent(bot, level).id
    place = ids.index(current) + 1 if current in ids else len(ids)
    return family[place] if place < len(ids) else None


def solo_rival_refusal(game: AnyGame, name: str) -> Message:
    """Return why a solo opponent cannot play in an ordinary match, and how to play it."""
    return msg("commands.match.rival_bot", name=name, slug=game.slug)


def _fill_with_bots(match: MatchRow, free: list[int], bot: str | None) -> None:
    game = GAMES[match.game]
    if bot in [option.name for option in solo_rivals(game)]:
        raise invalid_field_problem("fill", solo_rival_refusal(game, str(bot)))
    if bot is not None and not game.bots.knows(bot):
        reason = f"one of {', '.join(game.bots.by_name)}"
        raise Problem("invalid", msg("matches.no_bot", bot=bot), errors=[{"field": "fill", "reason": reason}])
    for seat in free:
        SeatRow.update(bot=bot).where((SeatRow.match == match.id) & (SeatRow.seat == seat)).execute()


def matches_due_to_start(at: int) -> list[str]:
    """Return the open matches whose start time has come."""
    due = (MatchRow.status == "open") & (MatchRow.starts_at <= at) & MatchRow.pairing.is_null()
    found = MatchRow.select(MatchRow.id).where(due)
    return [row.id for row in found]


def start_at_time(match_id: str) -> bool:
    """Start a match whose time has come; cancel it if it is not full."""
    with write_transaction():
        match = lock_match(match_id)
        if match.status != "open" or match.pairing is not None:
            return False
        if start_if_full(match):
            return True
        _cancel_unfilled(match)
    return False


def cancel_match(match: MatchRow) -> None:
    """Cancel a match that has not started. Call inside a transaction."""
    MatchRow.update(status="cancelled", ended_at=now()).where(MatchRow.id == match.id).execute()


def _cancel_unfilled(match: MatchRow) -> None:
    """Cancel a match that did not fill, and notify those who waited."""
    cancel_match(match)
    queue.add(CancelledLetter(match=match.id), f"cancelled:{match.id}")


def expire_open_matches(at: int) -> int:
    """Cancel open matches that never filled and have no start time. Return how many."""
    late = (MatchRow.status == "open") & MatchRow.starts_at.is_null() & (MatchRow.expires_at <= at)
    found = [row.id for row in MatchRow.select(MatchRow.id).where(late & MatchRow.pairing.is_null())]
    return sum(_expire_match(match) for match in found)


def _expire_match(match_id: str) -> bool:
    with write_transaction():
        match = lock_match(match_id)
        if match.status != "open":
            return False
        _cancel_unfilled(match)
    return True


def free_seats(match: str) -> list[int]:
    """Return the empty seats in random order."""
    free = (SeatRow.match == match) & SeatRow.player.is_null() & SeatRow.bot.is_null()
    return [row.seat for row in SeatRow.select(SeatRow.seat).where(free).order_by(fn.Random())]


def matches_with_free_seats(matches: Collection[str]) -> set[str]:
    """Return those of these matches that have an empty seat."""
    free = SeatRow.match.in_(list(matches)) & SeatRow.player.is_null() & SeatRow.bot.is_null()
    return {row.match for row in SeatRow.select(SeatRow.match).where(free).distinct()}
