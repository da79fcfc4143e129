"""What a resolution brings besides entries: clocks set, events written, letters queued, all in its transaction."""

from __future__ import annotations

from service.config import Config
from service.events.log import Event, write
from service.jobs import outbox as jobs
from service.play import seat_cache as seats
from service.play.resolve import Effects, Resolution
from service.record.table import Table


def effects(config: Config) -> Effects:
    """The effects under this configuration."""

    def write_all(resolution: Resolution) -> None:
        events = _dropped(resolution)
        if resolution.whole:
            if resolution.since < 0:
                events += _told(resolution.table, 0, "match.started")
            ready = _seats(resolution.table, config)
            if resolution.table.state.over:
                events += _over(resolution.table)
            elif resolution.table.seq > resolution.since:
                asked = {event.player for event in ready}
                moved = _told(resolution.table, resolution.table.seq, "match.moved")
                events += [event for event in moved if event.player not in asked]
            events += ready
        write(events)

    return write_all


def _told(table: Table, seq: int, kind: str) -> list[Event]:
    """An event for every person at the table."""
    return [Event(player, table.facts.id, seat, seq, kind) for seat, player in enumerate(table.players) if player]


def _dropped(resolution: Resolution) -> list[Event]:
    table, events = resolution.table, []
    for orders in resolution.orders.values():
        if orders.why:
            events.append(Event(orders.player, table.facts.id, orders.seat, table.seq, "orders.dropped"))
            jobs.add("letter", f"dropped:{orders.id}", {"kind": "dropped", "submission": orders.id})
    return events


def _over(table: Table) -> list[Event]:
    for seat, player in enumerate(table.players):
        if player:
            payload = {"kind": "over", "match": table.facts.id, "seat": seat, "player": player}
            jobs.add("letter", f"over:{table.facts.id}:{seat}", payload)
    return _told(table, table.seq, "match.over")


def _seats(table: Table, config: Config) -> list[Event]:
    """Renew the caches of the seats; whoever is asked something new is told, by letter after a short hold."""
    events = []
    for seat, was, place in seats.renew(table):
        if place.asked is None or (place.asked, place.player) == (was.asked, was.player):
            continue
        events.append(Event(str(place.player), table.facts.id, seat, place.asked, "turn.ready"))
        key = f"turn:{table.facts.id}:{seat}:{place.asked}:{place.player}"
        payload = {"kind": "turn", "match": table.facts.id, "seat": seat, "asked": place.asked}
        jobs.add("letter", key, payload, table.at + config.letter_hold * 1000)
    return events
