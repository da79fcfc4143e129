"""The caches of the seats: who sits there and what they are asked, as the log has it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from engine.game import to_act
from service.db.connection import execute, rows
from service.play import seat_clock
from service.play.seat_clock import ClockRules, ClockState
from service.record.table import Table

SEATS = (
    "select s.seat, s.player, s.bot, s.keys, s.asked, s.asked_at, s.bank, s.since, s.due_at, s.turns, "
    "s.paused_at, s.promised, "
    "m.clock, p.zone, p.quiet_weekends, m.leave_allowed, exists (select 1 from leave l where l.player = s.player) "
    "from seat s join match m on m.id = s.match left join player p on p.id = s.player where s.match = ? order by s.seat"
)
UPDATE = (
    "update seat set player = ?, bot = ?, keys = ?, asked = ?, asked_at = ?, bank = ?, since = ?, due_at = ?, "
    "turns = ?, promised = ?, reminded = case when ? then '' else reminded end where match = ? and seat = ?"
)
SELECT_ANSWER = (
    "select a.seq, a.at, exists (select 1 from entry o where o.match = ? and o.seq > a.seq and o.seat >= 0 "
    "and o.seat <> ?) from (select min(seq) seq, min(at) at from entry where match = ? and seat = ? and seq > ?) a"
)
"""The first entry of a seat after the one it was asked by, and whether another seat has acted since."""


@dataclass(frozen=True)
class SeatState:
    """What the log says about a seat now."""

    player: str | None
    bot: str | None
    keys: str
    asked: int | None
    asked_at: int | None


@dataclass(frozen=True)
class StoredSeat:
    """What the row of a seat says, with what its clock needs."""

    seat: int
    place: SeatState
    clock_state: ClockState
    rules: ClockRules
    paused_at: int | None
    promised: int | None
    """The latest deadline this player was given at this seat before the present one."""


def derive_seats(table: Table) -> tuple[SeatState, ...]:
    """The places at this table."""
    asked = frozenset[int]() if table.state.over else to_act(table.state)
    return tuple(_derive_seat(table, seat, seat in asked) for seat in range(table.facts.seats))


def _derive_seat(table: Table, seat: int, asked: bool) -> SeatState:
    player = table.players[seat] or None
    question = table.questions[seat] if asked and player else None
    return SeatState(
        player,
        table.bots[seat] or None,
        table.keys[seat],
        question.asked if question else None,
        question.at if question else None,
    )


def stored_seats(match: str) -> list[StoredSeat]:
    """The rows of the seats."""
    found = []
    for seat, player, bot, keys, asked, asked_at, bank, since, due_at, turns, *rest in rows(SEATS, match):
        paused_at, promised, clock, zone, quiet, leave, has_leave = rest
        by = seat_clock.rules_for(clock, player, zone, quiet=quiet, leave=leave, has_leave=has_leave)
        place = SeatState(player, bot, keys, asked, asked_at)
        found.append(StoredSeat(seat, place, ClockState(bank, since, due_at, turns), by, paused_at, promised))
    return found


def renew(table: Table) -> list[tuple[int, SeatState, SeatState]]:
    """Bring the rows in line with the log, inside a transaction; each seat that changed, as it was and as it is."""
    changed = []
    for row, place in zip(stored_seats(table.facts.id), derive_seats(table), strict=True):
        if row.place != place:
            _update_seat(table, row, place)
            changed.append((row.seat, row.place, place))
    return changed


def _update_seat(table: Table, row: StoredSeat, place: SeatState) -> None:
    clock, promised = row.clock_state, row.promised
    is_new_question = (row.place.asked, row.place.player) != (place.asked, place.player)
    if is_new_question:
        given = [each for each in (clock.due_at, promised) if each is not None and place.player == row.place.player]
        promised = max(given, default=None)
        clock = _next_clock_state(table, row, place, promised)
    values: tuple[Any, ...] = (place.player, place.bot, place.keys, place.asked, place.asked_at)
    times = (clock.bank, clock.since, clock.due_at, clock.turns, promised)
    execute(UPDATE, *values, *times, is_new_question, table.facts.id, row.seat)


def _next_clock_state(table: Table, row: StoredSeat, place: SeatState, promised: int | None) -> ClockState:
    """What the clock shows now that the seat is asked something else, or another player sits there."""
    if place.player != row.place.player:
        by = clock_rules_for(row, place.player)
        clock = seat_clock.initial_state(by)
    else:
        by = row.rules
        clock = (
            row.clock_state
            if row.place.asked is None
            else seat_clock.stop(row.clock_state, by, *_answer_time(table, row))
        )
    return seat_clock.start(clock, by, place.asked_at, promised) if place.asked_at is not None else clock


def _answer_time(table: Table, row: StoredSeat) -> tuple[int, bool]:
    """When the seat answered what it was asked, and whether its turn is over: another seat has acted since."""
    match = table.facts.id
    ((seq, at, others_acted),) = rows(SELECT_ANSWER, match, row.seat, match, row.seat, row.place.asked)
    if seq is None:
        return table.at, False
    alone = table.facts.seats == 1 or table.questions[row.seat] is None
    if row.paused_at is not None and row.clock_state.since is not None:
        at = min(at, max(row.paused_at, row.clock_state.since))
    return int(at), alone or bool(others_acted)


def clock_rules_for(row: StoredSeat, player: str | None) -> ClockRules:
    """The rules of the seat's clock with this player in it."""
    found = rows("select zone, quiet_weekends from player where id = ?", player) if player else []
    zone, quiet = found[0] if found else ("UTC", False)
    return replace(row.rules, player=player, zone=zone, quiet=bool(quiet), has_leave=True)
