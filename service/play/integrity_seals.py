"""Seals: what each entry keeps about who may see it, derived again from the rules."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engine.game import Action, Seal, seal
from engine.reading import read
from service.db.connection import rows
from service.record.table import Table, first

KEPT = (
    "select seq, seat, line, hash, at, prev, sealed, reveals, owner, shown from entry where match = ? and seq <= ? "
    "order by seq"
)


def wrong(now: Table) -> Iterator[int]:
    """The entries up to here that keep something else than the rules say."""
    then = first(now.facts)
    for seq, seat, line, hash_, at, *kept in rows(KEPT, now.facts.id, now.seq):
        action = read(now.facts.game, line, seat)
        if kept != _derived(then, seat, action):
            yield seq
        then = then.after(seat, action, hash_, at)


def _derived(then: Table, seat: int, action: Action[Any]) -> list[str | int]:
    sealed = seal(then.state, action)
    shown = action.line if sealed is Seal.NEVER else action.seen_by(seat, None)
    return [then.hash, sealed.value, then.state.reveals, action.owner(seat), shown]
