"""The raids of a round: the gains, failures and captures of the turned-up tokens."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from engine.game import Seat
from engine.games.tain.tokens import BEATEN, BLUFF, BOY, CHIEF, DAUGHTER, EMPTY, LETTERS, PASTURE, WARRIOR, Gates


@dataclass(frozen=True)
class Boards:
    """The boards at the reveal."""

    active: Seat
    guards: tuple[Gates, ...]
    scouts: tuple[Gates, ...]
    owners: tuple[Gates, ...]
    kingdom: tuple[str, ...]
    cattle: tuple[int, ...]
    jewels: tuple[int, ...]
    stock: int
    prisoners: tuple[tuple[str, ...], ...]
    one_each: bool

    def turns(self) -> Iterator[Seat]:
        """Return the seats in turn order from the active player."""
        seats = len(self.cattle)
        return ((self.active + step) % seats for step in range(seats))


@dataclass(frozen=True)
class Raid:
    """One scout at one gate, and its outcome.

    Outcomes: `cattle`, `jewel`, `free`, `nothing` (let in, but nothing was left), `fails`, `caught` (a boy by a
    warrior), `kidnaps` (a warrior the daughter), `bluff`.
    """

    board: Seat
    gate: int
    raider: Seat
    scout: str
    guard: str
    outcome: str


@dataclass(frozen=True)
class Release:
    """A captive that came home from a rival's house."""

    seat: Seat
    holder: Seat
    kind: str


@dataclass(frozen=True)
class Report:
    """All tokens turned up and all gains of a round."""

    round: int
    guards: tuple[Gates, ...]
    kingdom: tuple[str, ...]
    takers: tuple[Seat, ...]
    raids: tuple[Raid, ...]
    released: tuple[Release, ...] = ()


def takers(boards: Boards) -> tuple[Seat, ...]:
    """Return who takes one cattle from the kingdom, in turn order while its stock lasts."""
    there = {LETTERS.index(token[0]): token[1] for token in boards.kingdom if token[1] != BLUFF}
    chiefs = [seat for seat, kind in there.items() if kind == CHIEF]
    entitled = chiefs or list(there)
    return tuple(seat for seat in boards.turns() if seat in entitled)[: boards.stock]


def raids(boards: Boards) -> tuple[Raid, ...]:
    """Return every scout's raid: boards from the active player's on, gates by number."""
    every_raid: list[Raid] = []
    for board in boards.turns():
        if boards.owners[board].strip(EMPTY):
            every_raid.extend(_board(boards, board))
    return tuple(every_raid)


def _board(boards: Boards, board: Seat) -> Iterator[Raid]:
    met = [
        (gate, LETTERS.index(owner), scout, guard, _outcome(scout, guard))
        for gate, (owner, scout, guard) in enumerate(
            zip(boards.owners[board], boards.scouts[board], boards.guards[board], strict=True)
        )
        if owner != EMPTY
    ]
    won = [(gate, raider) for gate, raider, _, _, outcome in met if outcome == "wins"]
    herd = _pasture(boards, board, [raider for gate, raider in won if gate < PASTURE])
    house = _house(boards, board, [raider for gate, raider in won if gate >= PASTURE])
    for gate, raider, scout, guard, outcome in met:
        loot = (herd if gate < PASTURE else house)[raider].pop(0) if outcome == "wins" else outcome
        yield Raid(board, gate, raider, scout, guard, loot)


def _outcome(scout: str, guard: str) -> str:
    if guard in BEATEN[scout]:
        return "wins"
    if scout == BLUFF:
        return "bluff"
    return {(BOY, WARRIOR): "caught", (WARRIOR, DAUGHTER): "kidnaps"}.get((scout, guard), "fails")


def _paying_order(boards: Boards, winners: list[Seat]) -> list[Seat]:
    """Return the order in which successes are paid: seat by seat, or one each and then again."""
    if len(winners) < 2 and not boards.one_each:  # noqa: PLR2004  # nobody to put in order
        return winners
    left = Counter(winners)
    if not boards.one_each:
        return [seat for seat in boards.turns() for _ in range(left[seat])]
    return [seat for turn in range(len(winners)) for seat in boards.turns() if left[seat] > turn]


def _pasture(boards: Boards, board: Seat, winners: list[Seat]) -> dict[Seat, list[str]]:
    paid: dict[Seat, list[str]] = {seat: [] for seat in winners}
    for number, seat in enumerate(_paying_order(boards, winners)):
        paid[seat].append("cattle" if number < boards.cattle[board] else "nothing")
    return paid


def _house(boards: Boards, board: Seat, winners: list[Seat]) -> dict[Seat, list[str]]:
    paid: dict[Seat, list[str]] = {seat: [] for seat in winners}
    jewels = boards.jewels[board]
    held = Counter(LETTERS.index(token[0]) for token in boards.prisoners[board])
    for seat in _paying_order(boards, winners):
        if held[seat] > paid[seat].count("free"):
            paid[seat].append("free")
        elif jewels:
            jewels -= 1
            paid[seat].append("jewel")
        else:
            paid[seat].append("nothing")
    return paid
