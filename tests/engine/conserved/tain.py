"""Invariants of Táin: 25 cattle, three jewels and eighteen tokens per clan, and their allowed places."""

from __future__ import annotations

from collections import Counter

from engine.games.tain.state import Tain

CLAN = Counter({"C": 1, "W": 2, "B": 6, "D": 1, "X": 8})
FITTING = {"scouts": set(".CWBX"), "guards": set(".CWBDX"), "kingdom": set("CWX")}


def conserved(state: Tain) -> None:
    """Cattle, jewels and tokens are all there, and every token lies where its kind may."""
    assert sum(state.cattle) + state.stock + sum(loot.cattle for loot in state.beside) == 25
    assert sum(state.jewels) + sum(loot.jewels for loot in state.beside) == 3 * state.seats
    assert min(state.stock, *state.cattle, *state.jewels) >= 0
    for seat in range(state.seats):
        assert clan_tokens(state, seat) == CLAN
        assert "abcd"[seat] not in state.owners[seat], "a scout before its own gate"
    assert {token[1] for tokens in state.prisoners for token in tokens} <= {"B", "D"}
    assert {token[1] for token in state.kingdom} <= FITTING["kingdom"]
    assert len({token[0] for token in state.kingdom}) == len(state.kingdom) <= 2
    assert set("".join(state.scouts)) <= FITTING["scouts"]
    assert set("".join(state.guards)) <= FITTING["guards"]
    for owners, kinds in zip(state.owners, state.scouts, strict=True):
        assert [owner == "." for owner in owners] == [kind == "." for kind in kinds]


def clan_tokens(state: Tain, seat: int) -> Counter[str]:
    """Every token of a clan, wherever it is."""
    letter = "abcd"[seat]
    found = Counter(state.unused[seat] + state.used[seat] + state.guards[seat].replace(".", ""))
    found.update(token[1] for token in state.kingdom if token[0] == letter)
    for owners, kinds in zip(state.owners, state.scouts, strict=True):
        found.update(kind for owner, kind in zip(owners, kinds, strict=True) if owner == letter)
    held = [*state.prisoners, *(loot.captives for loot in state.beside)]
    found.update(token[1] for tokens in held for token in tokens if token[0] == letter)
    return found
