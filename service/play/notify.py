"""What a resolution brings besides entries: clocks set, events written, letters queued, all in its transaction."""

from __future__ import annotations

from service.config import Config
from service.events.log import Event, write_events
from service.jobs import outbox
from service.play import seat_cache
from service.play.resolve import Effects, Resolution
from service.record.table import Table


def make_effects(config: Config) -> Effects:
    """Make the function that writes clocks, events and letters of a resolution, under this configuration."""

    def write_all(resolution: Resolution) -> None:
        events = _notify_dropped_orders(resolution)
        if resolution.whole:
            if resolution.since < 0:
                events += _events_for_players(resolution.table, 0, "match.started")
            ready = _notify_new_questions(resolution.table, config)
            if resolution.table.state.over:
                events += _notify_match_over(resolution.table)
            elif resolution.table.seq > resolution.since:
                asked = {event.player for event in ready}
                moved = _events_for_players(resolution.table, resolution.table.seq, "match.moved")
                events += [event for event in moved if event.player not in asked]
            events += ready
        write_events(events)

    return write_all


def _events_for_players(table: Table, seq: int, kind: str) -> list[Event]:
    """An event for every person at the table."""
    return [Event(player, table.facts.id, seat, seq, kind) for seat, player in enumerate(table.players) if player]


def _notify_dropped_orders(resolution: Resolution) -> list[Event]:
    table, events = resolution.table, []
    for orders in resolution.orders.values():
        if orders.why:
            events.append(Event(orders.player, table.facts.id, orders.seat, table.seq, "orders.dropped"))
            outbox.add("letter", f"dropped:{orders.id}", {"kind": "dropped", "submission": orders.id})
    return events


def _notify_match_over(table: Table) -> list[Event]:
    for seat, player in enumerate(table.players):
        if player:
            payload = {"kind": "over", "match": table.facts.id, "seat": seat, "player": player}
            outbox.add("letter", f"over:{table.facts.id}:{seat}", payload)
    return _events_for_players(table, table.seq, "match.over")


def _notify_new_questions(table: Table, config: Config) -> list[Event]:
    """Renew the caches of the seats; whoever is asked something new is told, by letter after a short hold."""
    events = []
    for seat, was, place in seat_cache.renew(table):
        if place.asked is None or (place.asked, place.player) == (was.asked, was.player):
            continue
        events.append(Event(str(place.player), table.facts.id, seat, place.asked, "turn.ready"))
        key = f"turn:{table.facts.id}:{seat}:{place.asked}:{place.player}"
        payload = {"kind": "turn", "match": table.facts.id, "seat": seat, "asked": place.asked}
        outbox.add("letter", key, payload, table.at + config.letter_hold * 1000)
    return events
