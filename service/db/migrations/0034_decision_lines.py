"""Indexes of rulings and of who left in the logs of tournaments: finding them costs the same in a log of any length."""

from __future__ import annotations

INDEXES = {
    "tournament_entry_ruling": "on tournament_entry (tournament, seq) where substr(line, 1, 7) = 'ruling '",
    "tournament_entry_leaving": "on tournament_entry (tournament, seq) where substr(line, 1, 7) in ('withdra', 'exclude')",
}


def up() -> None:
    """Nothing but the indexes, which are built after this."""
