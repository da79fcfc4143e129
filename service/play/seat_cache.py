"""Cached seat rows: who has each seat and what they are asked, derived from the log."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from engine.game import to_act
from service.db.connection import execute, rows, rows_from_json, with_rows
from service.play import seat_clock
from service.play.seat_clock import ClockRules, ClockState
from service.record.header import write_keys
from service.record.match_state import MatchState

SEATS = (
    "select s.match, s.seat, s.player, s.bot, s.keys, s.asked, s.asked_at, s.bank, s.since, s.due_at, s.turns, "
    "s.paused_at, s.promised, "
    "m.clock, p.zone, p.quiet_weekends, m.leave_allowed, exists (select 1 from leave l where l.player = s.player), "
    "(select e.at from entry e where e.match = s.match and e.seat = s.seat and e.seq > s.asked order by e.seq limit 1),"
    " exists (select 1 from entry o where o.match = s.match and o.seat >= 0 and o.seat <> s.seat and o.seq > "
    "(select min(e.seq) from entry e where e.match = s.match and e.seat = s.seat and e.seq > s.asked)) "
    "from {wanted} join seat s on s.match = w.match join match m on m.id = s.match "
    "left join player p on p.id = s.player order by s.match, s.seat"
)
"""Seat rows with what their clocks need: when the seat answered, and whether another seat has acted since."""
UPDATE_TYPES = {"match": "text", "seat": "int", "player": "text", "bot": "text", "keys": "text", "asked": "bigint"}
UPDATE_TYPES |= dict.fromkeys(("asked_at", "bank", "since", "due_at"), "bigint") | {"turns": "int"}
UPDATE_TYPES |= {"promised": "bigint", "is_new": "int"}
UPDATE = (
    "update seat set player = v.player, bot = v.bot, keys = v.keys, asked = v.asked, asked_at = v.asked_at, "
    "bank = v.bank, since = v.since, due_at = v.due_at, turns = v.turns, promised = v.promised, "
    "reminded = case when v.is_new = 1 then '' else reminded end "
    "from v where seat.match = v.match and seat.seat = v.seat"
)


@dataclass(frozen=True)
class SeatState:
    """A seat as the log has it now."""

    player: str | None
    bot: str | None
    keys: str
    asked: int | None
    asked_at: int | None


@dataclass(frozen=True)
class StoredSeat:
    """The row of a seat, with what its clock needs."""

    seat: int
    place: SeatState
    clock_state: ClockState
    rules: ClockRules
    paused_at: int | None
    promised: int | None
    """The latest deadline that this player was given at this seat before the current one."""
    answered_at: int | None
    """When the seat first acted after the question in its row."""
    others_acted: bool
    """True if another seat has acted since."""


def derive_seats(match_state: MatchState) -> tuple[SeatState, ...]:
    """Return the seats of this match, derived from its state."""
    asked = frozenset[int]() if match_state.state.over else to_act(match_state.state)
    return tuple(_derive_seat(match_state, seat, seat in asked) for seat in range(match_state.facts.seats))


def _derive_seat(match_state: MatchState, seat: int, asked: bool) -> SeatState:
    player = match_state.players[seat] or None
    question = match_state.questions[seat] if asked and player else None
    return SeatState(
        player,
        match_state.bots[seat] or None,
        write_keys(match_state.keys[seat]),
        question.asked if question else None,
        question.at if question else None,
    )


@dataclass(frozen=True)
class SeatChange:
    """A seat whose row differed from the log: before and after."""

    seat: int
    was: SeatState
    place: SeatState

    @property
    def is_new_question(self) -> bool:
        """True if the seat has a new question or a new player."""
        return (self.was.asked, self.was.player) != (self.place.asked, self.place.player)

    @property
    def has_answered(self) -> bool:
        """True if a player's question here is no longer open."""
        return self.was.asked is not None and self.is_new_question


def stored_seats(match: str) -> list[StoredSeat]:
    """Return the seat rows of a match."""
    return _stored_seats_of([match]).get(match, [])


def _stored_seats_of(matches: Sequence[str]) -> dict[str, list[StoredSeat]]:
    found: dict[str, list[StoredSeat]] = {}
    sql = SEATS.format(wanted=rows_from_json("w", match="text"))
    wanted = json.dumps([{"match": match} for match in matches])
    for match, seat, player, bot, keys, asked, asked_at, bank, since, due_at, turns, *rest in rows(sql, wanted):
        paused_at, promised, clock, zone, quiet, leave, has_leave, answered_at, others_acted = rest
        by = seat_clock.rules_for(clock, player, zone, quiet=quiet, leave=leave, has_leave=has_leave)
        place = SeatState(player, bot, keys, asked, asked_at)
        clock_state = ClockState(bank, since, due_at, turns)
        stored = StoredSeat(seat, place, clock_state, by, paused_at, promised, answered_at, bool(others_acted))
        found.setdefault(match, []).append(stored)
    return found


def renew(match_state: MatchState) -> list[SeatChange]:
    """Bring the seat rows of a match in line with its log and return the changes. Call inside a transaction."""
    return renew_all([match_state]).get(match_state.facts.id, [])


def renew_all(match_states: Sequence[MatchState]) -> dict[str, list[SeatChange]]:
    """Bring the seat rows of matches in line with their logs and return the changes by match.

    Call inside a transaction.
    """
    if not match_states:
        return {}
    stored = _stored_seats_of([match_state.facts.id for match_state in match_states])
    differing = [
        (match_state, row, place)
        for match_state in match_states
        for row, place in zip(stored[match_state.facts.id], derive_seats(match_state), strict=True)
        if row.place != place
    ]
    changed: dict[str, list[SeatChange]] = {}
    values: list[tuple[Any, ...]] = []
    for match_state, row, place in differing:
        change = SeatChange(row.seat, row.place, place)
        changed.setdefault(match_state.facts.id, []).append(change)
        answer = _seat_answer(match_state, row) if _has_answered(row, place) else None
        values.append(_new_columns(match_state.facts.id, row, change, answer))
    if values:
        with_seats, given = with_rows("v", UPDATE_TYPES, values)
        execute(with_seats + UPDATE, *given)
    return changed


def _has_answered(row: StoredSeat, place: SeatState) -> bool:
    """Return True if the same player had a question that is no longer open."""
    return row.place.asked is not None and row.place.asked != place.asked and row.place.player == place.player


def _new_columns(match: str, row: StoredSeat, change: SeatChange, answer: SeatAnswer | None) -> tuple[Any, ...]:
    """Return the new columns of a seat row, in the order of `UPDATE_TYPES`."""
    clock, promised, place = row.clock_state, row.promised, change.place
    if change.is_new_question:
        given = [each for each in (clock.due_at, promised) if each is not None and place.player == row.place.player]
        promised = max(given, default=None)
        clock = _next_clock_state(row, place, promised, answer)
    who = (match, row.seat, place.player, place.bot, place.keys, place.asked, place.asked_at)
    return (*who, clock.bank, clock.since, clock.due_at, clock.turns, promised, int(change.is_new_question))


def _next_clock_state(row: StoredSeat, place: SeatState, promised: int | None, answer: SeatAnswer | None) -> ClockState:
    """Return the clock state after the seat got a new question or a new player."""
    if place.player != row.place.player:
        by = clock_rules_for(row, place.player)
        clock = seat_clock.initial_state(by)
    else:
        by = row.rules
        clock = row.clock_state if answer is None else seat_clock.stop(row.clock_state, by, *answer)
    return seat_clock.start(clock, by, place.asked_at, promised) if place.asked_at is not None else clock


class SeatAnswer(NamedTuple):
    """Return when a seat answered its question, and True if its turn is over because another seat has acted since."""

    at: int
    completed: bool


def _seat_answer(match_state: MatchState, row: StoredSeat) -> SeatAnswer:
    at = row.answered_at
    if at is None:
        return SeatAnswer(match_state.at, completed=False)
    alone = match_state.facts.seats == 1 or match_state.questions[row.seat] is None
    if row.paused_at is not None and row.clock_state.since is not None:
        at = min(at, max(row.paused_at, row.clock_state.since))
    return SeatAnswer(int(at), alone or row.others_acted)


def clock_rules_for(row: StoredSeat, player: str | None) -> ClockRules:
    """Return the clock rules of a player's seat."""
    found = rows("select zone, quiet_weekends from player where id = ?", player) if player else []
    zone, quiet = found[0] if found else ("UTC", False)
    return replace(row.rules, player=player, zone=zone, quiet=bool(quiet), has_leave=True)
