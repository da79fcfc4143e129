"""What a resolution brings besides entries: clocks set, events written, letters queued, all in its transaction."""

from __future__ import annotations

from engine.game import to_act
from service import jobs
from service.clock import PRESETS, Clock, answered, due
from service.config import Config
from service.database import rows, run
from service.events import Event, write
from service.table import Question, Table
from worker.resolve import Effects, Resolution

SEATS = (
    "select s.seat, s.player, s.asked, s.asked_at, s.due_at, s.bank, p.zone, m.clock, m.leave_allowed from seat s "
    "join match m on m.id = s.match left join player p on p.id = s.player where s.match = ? order by s.seat"
)


def effects(config: Config) -> Effects:
    """The effects under this configuration."""

    def write_all(resolution: Resolution) -> None:
        table = resolution.table
        events: list[Event] = []
        if resolution.before.seq == 0:
            events += [Event(player, table.facts.id, seat, 0, "match.started") for seat, player in _people(table)]
        events += _seats(resolution, config)
        if table.state.over:
            events += _over(table)
        for orders in resolution.orders.values():
            if orders.why:
                player = table.players[orders.seat]
                events.append(Event(player, table.facts.id, orders.seat, table.seq, "orders.dropped"))
                jobs.add("letter", f"dropped:{orders.id}", {"kind": "dropped", "submission": orders.id})
        write(events)

    return write_all


def _people(table: Table) -> list[tuple[int, str]]:
    return [(seat, player) for seat, player in enumerate(table.players) if player]


def _over(table: Table) -> list[Event]:
    for seat, player in _people(table):
        payload = {"kind": "over", "match": table.facts.id, "seat": seat, "player": player}
        jobs.add("letter", f"over:{table.facts.id}:{seat}", payload)
    run("update seat set asked = null, due_at = null where match = ?", table.facts.id)
    return [Event(player, table.facts.id, seat, table.seq, "match.over") for seat, player in _people(table)]


def _seats(resolution: Resolution, config: Config) -> list[Event]:
    """Bring the caches of the seats in line with the questions that stand now."""
    table, events = resolution.table, []
    if table.state.over:
        return []
    asked = to_act(table.state)
    for seat, player, was, was_at, was_due, bank, zone, preset, leave in rows(SEATS, table.facts.id):
        question = table.questions[seat] if seat in asked and table.players[seat] else None
        if (question.asked if question else None) == was:
            continue
        clock = PRESETS[preset]
        if was is not None and was_at is not None:
            bank = answered(clock, bank, was_at, _answered_at(table, seat, was), zone or "UTC")  # noqa: PLW2901
        _ask(table, seat, question, clock, bank, zone or "UTC", player if leave else None, was_due)
        if question is not None:
            events.append(Event(table.players[seat], table.facts.id, seat, question.asked, "turn.ready"))
            payload = {"kind": "turn", "match": table.facts.id, "seat": seat, "asked": question.asked}
            hold = table.at + config.letter_hold * 1000
            jobs.add("letter", f"turn:{table.facts.id}:{seat}:{question.asked}", payload, hold)
    return events


def _answered_at(table: Table, seat: int, asked: int) -> int:
    sql = "select min(at) from entry where match = ? and seat = ? and seq > ?"
    ((at,),) = rows(sql, table.facts.id, seat, asked)
    return table.at if at is None else int(at)


def _ask(
    table: Table,
    seat: int,
    question: Question | None,
    clock: Clock,
    bank: int,
    zone: str,
    leave: str | None,
    was_due: int | None,
) -> None:
    until = due(clock, bank, question.at, zone, leaves(leave)) if question else None
    if until is not None and was_due is not None:
        until = max(until, was_due) if question and was_due > question.at else until
    run(
        "update seat set player = ?, bot = ?, asked = ?, asked_at = ?, due_at = ?, bank = ?, reminded = '' "
        "where match = ? and seat = ?",
        table.players[seat] or None,
        table.bots[seat] or None,
        question.asked if question else None,
        question.at if question else None,
        until,
        bank,
        table.facts.id,
        seat,
    )


def leaves(player: str | None) -> tuple[tuple[str, str], ...]:
    """The days on which this player's clocks rest."""
    if player is None:
        return ()
    sql = "select first_day, last_day from leave where player = ? and cancelled_at is null order by first_day"
    return tuple((first, last) for first, last in rows(sql, player))
