"""Tables of Keltis set up by hand, and rows of text made on them."""

from __future__ import annotations

from collections import Counter
from typing import Any

from engine.game import CHANCE, HOUSE, Seat, Step, apply, legal
from engine.games import GAMES
from engine.games.keltis.rules import Keltis, Last, Play
from engine.house import objection
from engine.notation import NotALine
from engine.reading import read
from tests.engine.keltis.second_referee import FULL

KELTIS = GAMES["keltis"]


def cards(words: str) -> tuple[str, ...]:
    """Cards in canonical order."""
    order = [*(f"{colour}{value}" for colour in "RYGBP" for value in (*range(11), "E")), *(f"N{n}" for n in range(11))]
    return tuple(sorted(words.split(), key=order.index))


def rows(text: str) -> tuple[tuple[str, ...], ...]:
    """The six rows of a seat, written as in `R: 3 5 N5 E; N: 4`."""
    found: dict[str, tuple[str, ...]] = dict.fromkeys("RYGBPN", ())
    for part in filter(None, text.split(";")):
        colour, _, values = part.strip().partition(":")
        found[colour] = tuple(value if value[0] == "N" else f"{colour}{value}" for value in values.split())
    return tuple(found.values())


def table(
    *hands: str,
    laid: tuple[str, ...] = (),
    piles: str = "",
    deck: int = 20,
    taken: tuple[int, ...] = (),
    step: Step[Any] | None = None,
    **changes: Any,  # noqa: ANN401  # other fields of the state
) -> Keltis:
    """A table with these hands and rows by seat; seat 1 has taken stones, and seat 0 is to play."""
    seats = max(2, len(hands), len(laid))
    held = tuple(cards(hand) for hand in (*hands, *[""] * (seats - len(hands))))
    own = tuple(rows(each) for each in (*laid, *[""] * (seats - len(laid))))
    thrown = rows(piles)
    used = Counter(card for group in (held, *own, thrown) for row in group for card in row)
    unseen = FULL - used
    start: Keltis = KELTIS.rules.start(seats, {"start": 0})
    return start.but(
        agenda=(step or Play(0),),
        hands=held,
        rows=own,
        piles=thrown,
        deck=deck,
        unseen=cards(" ".join(unseen.elements())),
        stones=((), taken, *((),) * (seats - 2)),
        line=frozenset(range(1, 10)) - set(taken),
        **changes,
    )


def last_cards(*hands: str, **fields: Any) -> Keltis:  # noqa: ANN401  # fields of table
    """A table whose seats are asked for their last cards."""
    return table(*hands, step=Last(), **fields)


def lines(state: Keltis, seat: Seat = 0) -> list[str]:
    """Return the lines listed for a seat."""
    return [option.line for option in legal(state, seat)]


def refusal(state: Keltis, row: str) -> str:
    """Return why a row cannot come next, or an empty string if it can."""
    sign, _, line = row.partition(" ")
    seat = {"*": CHANCE, "!": HOUSE}.get(sign)
    seat = int(sign) if seat is None else seat
    try:
        return str(objection(state, seat, read(KELTIS, line, seat)) or "")
    except NotALine as error:
        return str(error)


def after(state: Keltis, *made: str) -> Keltis:
    """The table after these rows, each of them allowed."""
    for row in made:
        assert not refusal(state, row), f"{row}: {refusal(state, row)}"
        sign, _, line = row.partition(" ")
        seat = {"*": CHANCE, "!": HOUSE}.get(sign)
        seat = int(sign) if seat is None else seat
        state = apply(state, seat, read(KELTIS, line, seat))
    return state
