"""The tokens of a clan, where each may go, and the effect of a scout on a guard."""

from __future__ import annotations

from functools import lru_cache

Tokens = str  # letters in the order of KINDS, one for each token: CWWBX
Gates = str  # five letters, one for each gate of a board, a dot for an empty place: .W..X

KINDS = CHIEF, WARRIOR, BOY, DAUGHTER, BLUFF = tuple("CWBDX")
CLAN: Tokens = "CWWBBBBBBDXXXXXXXX"
SCOUTS, RAIDERS = "CWBX", "CWX"  # the kinds for rival boards, and for the kingdom
CAPTIVES = (BOY, DAUGHTER)
LETTERS = "abcd"
GATES = "12345"
PASTURE = 3  # gates 1 to 3 lead to the pasture, 4 and 5 to the house
KINGDOM, KINGDOM_PLACES = "kingdom", 2
EMPTY = "."
NO_GATES: Gates = EMPTY * len(GATES)
UNKNOWN = "?"
CATTLE, HERD, JEWELS, ROUNDS, MANY = 25, 5, 3, 8, 11

BEATEN = {CHIEF: EMPTY + BLUFF + WARRIOR + BOY, WARRIOR: EMPTY + BLUFF + BOY, BOY: EMPTY + BLUFF, BLUFF: ""}


@lru_cache(maxsize=1 << 12)
def kinds(tokens: Tokens) -> str:
    """Return the different kinds among these tokens."""
    return "".join(kind for kind in KINDS if kind in tokens)


@lru_cache(maxsize=1 << 14)
def sort_tokens(tokens: str) -> Tokens:
    """Return these tokens in order."""
    return "".join(kind * tokens.count(kind) for kind in KINDS)


def set_at(gates: Gates, gate: int, kind: str) -> Gates:
    """Return the row with this letter at a gate, counted from 0."""
    return gates[:gate] + kind + gates[gate + 1 :]


@lru_cache(maxsize=1 << 12)
def free(gates: Gates) -> str:
    """Return the numbers of the gates with an empty place."""
    return "".join(number for number, kind in zip(GATES, gates, strict=True) if kind == EMPTY)
