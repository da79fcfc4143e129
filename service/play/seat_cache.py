"""The caches of the seats: who sits there and what they are asked, as the log has it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from engine.game import to_act
from service.db.connection import rows, run
from service.play import seat_clock as deadlines
from service.play.seat_clock import Rules, Shows
from service.record.table import Table

SEATS = (
    "select s.seat, s.player, s.bot, s.keys, s.asked, s.asked_at, s.bank, s.since, s.due_at, s.turns, "
    "s.paused_at, s.promised, "
    "m.clock, p.zone, p.quiet_weekends, m.leave_allowed "
    "from seat s join match m on m.id = s.match left join player p on p.id = s.player where s.match = ? order by s.seat"
)
UPDATE = (
    "update seat set player = ?, bot = ?, keys = ?, asked = ?, asked_at = ?, bank = ?, since = ?, due_at = ?, "
    "turns = ?, promised = ? where match = ? and seat = ?"
)
TURN = "select min(seq), min(at) from entry where match = ? and seat = ? and seq > ?"
OTHERS = "select 1 from entry where match = ? and seq > ? and seat >= 0 and seat <> ? limit 1"


@dataclass(frozen=True)
class Place:
    """What the log says about a seat now."""

    player: str | None
    bot: str | None
    keys: str
    asked: int | None
    asked_at: int | None


@dataclass(frozen=True)
class Kept:
    """What the row of a seat says, with what its clock needs."""

    seat: int
    place: Place
    shows: Shows
    rules: Rules
    paused_at: int | None
    promised: int | None
    """The latest deadline this player was given at this seat before the present one."""


def derived(table: Table) -> tuple[Place, ...]:
    """The places at this table."""
    asked = frozenset[int]() if table.state.over else to_act(table.state)
    return tuple(_place(table, seat, seat in asked) for seat in range(table.facts.seats))


def _place(table: Table, seat: int, asked: bool) -> Place:
    player = table.players[seat] or None
    question = table.questions[seat] if asked and player else None
    return Place(
        player,
        table.bots[seat] or None,
        table.keys[seat],
        question.asked if question else None,
        question.at if question else None,
    )


def kept(match: str) -> list[Kept]:
    """The rows of the seats."""
    found = []
    for seat, player, bot, keys, asked, asked_at, bank, since, due_at, turns, *rest in rows(SEATS, match):
        paused_at, promised, clock, zone, quiet, leave = rest
        by = deadlines.rules(clock, player, zone, quiet=quiet, leave=leave)
        place = Place(player, bot, keys, asked, asked_at)
        found.append(Kept(seat, place, Shows(bank, since, due_at, turns), by, paused_at, promised))
    return found


def renew(table: Table) -> list[tuple[int, Place, Place]]:
    """Bring the rows in line with the log, inside a transaction; each seat that changed, as it was and as it is."""
    changed = []
    for row, place in zip(kept(table.facts.id), derived(table), strict=True):
        if row.place != place:
            _write(table, row, place)
            changed.append((row.seat, row.place, place))
    return changed


def _write(table: Table, row: Kept, place: Place) -> None:
    shows, promised = row.shows, row.promised
    if (row.place.asked, row.place.player) != (place.asked, place.player):
        given = [each for each in (shows.due_at, promised) if each is not None and place.player == row.place.player]
        promised = max(given, default=None)
        shows = _clock(table, row, place, promised)
        run("update seat set reminded = '' where match = ? and seat = ?", table.facts.id, row.seat)
    values: tuple[Any, ...] = (place.player, place.bot, place.keys, place.asked, place.asked_at)
    run(UPDATE, *values, shows.bank, shows.since, shows.due_at, shows.turns, promised, table.facts.id, row.seat)


def _clock(table: Table, row: Kept, place: Place, promised: int | None) -> Shows:
    """What the clock shows now that the seat is asked something else, or another player sits there."""
    if place.player != row.place.player:
        by = sitter(row, place.player)
        shows = deadlines.fresh(by)
    else:
        by = row.rules
        shows = row.shows if row.place.asked is None else deadlines.stopped(row.shows, by, *_answered(table, row))
    return deadlines.started(shows, by, place.asked_at, promised) if place.asked_at is not None else shows


def _answered(table: Table, row: Kept) -> tuple[int, bool]:
    """When the seat answered what it was asked, and whether its turn is over: another seat has acted since."""
    ((seq, at),) = rows(TURN, table.facts.id, row.seat, row.place.asked)
    if seq is None:
        return table.at, False
    alone = table.facts.seats == 1 or table.questions[row.seat] is None
    if row.paused_at is not None and row.shows.since is not None:
        at = min(at, max(row.paused_at, row.shows.since))
    return int(at), alone or bool(rows(OTHERS, table.facts.id, seq, row.seat))


def sitter(row: Kept, player: str | None) -> Rules:
    """The rules of the seat's clock with this player in it."""
    found = rows("select zone, quiet_weekends from player where id = ?", player) if player else []
    zone, quiet = found[0] if found else ("UTC", False)
    return replace(row.rules, player=player, zone=zone, quiet=bool(quiet))
