"""Resolving a match: chance, bots, stand-ins and waiting orders go on until a person must act."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from engine.chance import Numbered, bot_stream
from engine.game import CHANCE, HOUSE, Action, to_act
from engine.house import BotTakes, End
from engine.playout import answer, rolled
from service.database import rows, run
from service.log import Moved, Row, Signed, append, entry, proof
from service.moment import now
from service.play import choose
from service.record.chain import by_bot, by_signed
from service.table import Table, dumped, load

TRIES = 50
MOST_AT_ONCE = 400
UPSERT = (
    "insert into snapshot (match, seq, hash, shape, state) values (?, ?, ?, ?, ?) on conflict (match) do update set "
    "seq = excluded.seq, hash = excluded.hash, shape = excluded.shape, state = excluded.state "
    "where snapshot.seq < excluded.seq or snapshot.shape <> excluded.shape"
)


@dataclass(frozen=True)
class Orders:
    """A submission whose remaining lines wait."""

    id: str
    seat: int
    asked: int
    orders: bool
    key: str
    lines: tuple[str, ...]
    signatures: tuple[str, ...]
    made: int
    why: str = ""

    @property
    def open(self) -> bool:
        """Whether a line still waits."""
        return not self.why and self.made < len(self.lines)


@dataclass(frozen=True)
class Resolution:
    """What follows from the head of a match: the entries to append, and what became of orders."""

    before: Table
    table: Table
    entries: tuple[Row, ...] = ()
    orders: dict[int, Orders] = field(default_factory=dict)
    stale: tuple[str, ...] = ()
    whole: bool = True
    """Whether nothing is left to do by itself."""

    def with_entry(self, made: tuple[Row, Table]) -> Resolution:
        """One entry more."""
        return replace(self, entries=(*self.entries, made[0]), table=made[1])


Effects = Callable[[Resolution], None]
"""What else is written in the transaction of a resolution: clocks, events, letters."""


def resolve(match: str, effects: Effects, most_entries: int) -> Table | None:
    """Play the match on as far as it goes by itself; safe to repeat, whoever else does it too."""
    for _ in range(TRIES):
        found = rows("select status, head_seq, head_hash, resolved_seq from match where id = ?", match)
        if not found or found[0][0] not in ("running", "over") or found[0][1] == found[0][3]:
            return None
        table = load(match, found[0][1], found[0][2])
        resolution = resolution_of(table, max(now(), table.at), most_entries)
        try:
            append(
                table,
                list(resolution.entries),
                resolution.table,
                _effects(resolution, effects),
                resolved=resolution.whole,
            )
        except Moved:
            continue
        if resolution.whole:
            return resolution.table
    return None


def _effects(resolution: Resolution, effects: Effects) -> Callable[[], None]:
    def write() -> None:
        table = resolution.table
        run(UPSERT, table.facts.id, table.seq, table.hash, *dumped(table))
        for stale in resolution.stale:
            run("update submission set status = 'replaced' where id = ? and status = 'waiting'", stale)
        for orders in resolution.orders.values():
            if orders.open:
                status = "dropped" if table.state.over else "waiting"
            else:
                status = "dropped" if orders.why else "made"
            sql = "update submission set made = ?, status = ?, why = ? where id = ? and status = 'waiting'"
            run(sql, orders.made, status, orders.why, orders.id)
        effects(resolution)

    return write


def resolution_of(table: Table, at: int, most_entries: int) -> Resolution:
    """What follows from this table by itself, every entry at one time."""
    orders, stale = waiting(table)
    resolution = Resolution(table, table, orders=orders, stale=stale)
    while True:
        if len(resolution.entries) >= MOST_AT_ONCE:
            return replace(resolution, whole=False)
        step = _next(resolution, at, most_entries)
        if step is None:
            return resolution
        resolution = step


def _next(resolution: Resolution, at: int, most_entries: int) -> Resolution | None:
    table = resolution.table
    state, known = table.state, table.facts
    if state.over:
        return None
    decision = _decided(table, most_entries)
    if decision is not None:
        return resolution.with_entry(entry(table, HOUSE, decision, "house", at))
    asked = to_act(state)
    if CHANCE in asked:
        action = rolled(state, Numbered(known.key, state.picks))
        return resolution.with_entry(entry(table, CHANCE, action, "chance", at))
    for seat in sorted(asked):
        if table.bots[seat]:
            return resolution.with_entry(entry(table, seat, _bot(table, seat), by_bot(table.bots[seat]), at))
        orders = resolution.orders.get(seat)
        if orders is not None and orders.open:
            return _ordered(resolution, orders, at)
    return None


def _decided(table: Table, most_entries: int) -> Action[Any] | None:
    """What the house must decide now: the end of a match that is too long, a stand-in for a seat that resigned."""
    if table.seq >= most_entries:
        return End("too-long")
    left = [seat for seat in table.state.house.resigned if not table.bots[seat]]
    return BotTakes(left[0], table.facts.game.stand_in) if left else None


def _bot(table: Table, seat: int) -> Action[Any]:
    game = table.facts.game
    choices = bot_stream(table.facts.key, seat, table.made[seat])
    return answer(game, table.state, seat, game.bots[table.bots[seat]], choices)


def waiting(table: Table) -> tuple[dict[int, Orders], tuple[str, ...]]:
    """The orders of each seat, where they are still its last word, and the ids of those that are not."""
    sql = (
        "select s.id, s.seat, s.asked, s.orders, s.body, s.made, e.signature from submission s "
        "left join entry e on e.match = s.match and e.seq = (select max(o.seq) from entry o where o.match = s.match "
        "and o.seat = s.seat) where s.match = ? and s.status = 'waiting' order by s.at, s.id"
    )
    found: dict[int, Orders] = {}
    stale: list[str] = []
    for id_, seat, asked, orders, body, made, last in rows(sql, table.facts.id):
        plain = json.loads(body)
        lines, signatures = tuple(plain["lines"]), tuple(plain["signatures"])
        standing = last == signatures[made - 1] if made else table.own[seat] <= asked
        if not standing or not table.players[seat]:
            stale.append(id_)
            continue
        if seat in found:
            stale.append(found[seat].id)
        found[seat] = Orders(id_, seat, asked, bool(orders), plain["key"], lines, signatures, made)
    return found, tuple(stale)


def _ordered(resolution: Resolution, orders: Orders, at: int) -> Resolution:
    """The next line of waiting orders is made if it is listed; otherwise the rest is dropped."""
    table, seat, n = resolution.table, orders.seat, orders.made + 1
    text = orders.lines[orders.made]
    action, why = choose(table, seat, text)
    if orders.key not in table.keys[seat].split(","):
        action, why = None, "its key is no longer one of this seat"
    if action is None:
        return replace(resolution, orders={**resolution.orders, seat: replace(orders, why=f"{text}: {why}")})
    signature = orders.signatures[orders.made]
    chosen = text if text != action.line else None
    signed = Signed(orders.asked, n, orders.key, signature, chosen, orders=orders.orders and n == 1)
    made = entry(table, seat, action, by_signed(signature), at, proof(signed))
    rest = {**resolution.orders, seat: replace(orders, made=n)}
    return replace(resolution.with_entry(made), orders=rest)
