"""Tables of Tír na nÓg set up by hand, and rows of text made on them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from engine.chance import seeded_pick
from engine.game import CHANCE, HOUSE, Seat, Step, apply, legal, settle, to_act
from engine.games.tir_na_nog import GAME
from engine.games.tir_na_nog.rules.cards import CARDS, DECK
from engine.games.tir_na_nog.rules.otherworld import otherworld
from engine.games.tir_na_nog.rules.saga import Placed, Saga
from engine.games.tir_na_nog.rules.state import TirNaNog
from engine.games.tir_na_nog.rules.steps import Cleanup, EndTurn, PlaceStoryteller, PlayCard, TakeCard
from engine.house import objection
from engine.notation import NotALine
from engine.playout import roll_chance
from engine.reading import read

COLOURS = {"B": "blue", "G": "green", "R": "red", "Y": "yellow"}
PLAIN = {(card.colour, card.value): slug for slug, card in CARDS.items() if card.plain}


def card(word: str) -> str:
    """A card by colour letter and value, or by its name."""
    return PLAIN[COLOURS[word[0]], int(word[1:])] if word[0] in COLOURS else word


def cards(words: str) -> tuple[str, ...]:
    """Return cards by their written forms."""
    return tuple(map(card, words.split()))


def placed(word: str) -> Placed | None:
    """A placed card: `R7`, `lugh=red`, `R7+2`, `dolmen=red-2`, or `.` for a hole."""
    if word == ".":
        return None
    for sign in (1, -1):
        name, found, extra = word.rpartition("+" if sign > 0 else "-")
        if found and extra.isdigit():
            return Placed(*_painted(name), sign * int(extra))
    return Placed(*_painted(word))


def _painted(word: str) -> tuple[str, str]:
    name, _, colour = word.partition("=")
    return card(name), colour


def saga(text: str) -> Saga:
    """A Saga written row by row: `R7 R2 / . G5 / dolmen`."""
    rows = [tuple(map(placed, row.split())) for row in text.split("/")]
    return Saga((*rows, *((),) * (3 - len(rows))))


def table(
    *steps: Step[Any],
    seats: int = 2,
    grid: str = "",
    out: Iterable[str] = (),
    hands: Iterable[str] = (),
    sagas: Iterable[str] = (),
    geas: str = "first",
    balor: str = "off",
    **changes: Any,  # noqa: ANN401  # other fields of the state
) -> TirNaNog:
    """A table with these Sagas, hands and Storytellers by seat; a grid that is not given is laid from the deck."""
    start: TirNaNog = GAME.rules.start(seats, {"geas": geas, "balor": balor})
    all_hands = _filled([tuple(sorted(cards(hand))) for hand in hands], seats, ())
    all_sagas = _filled([saga(text) for text in sagas], seats, Saga())
    laid = tuple("" if word == "." else card(word) for word in grid.split())
    seen = [*laid, *(each for hand in all_hands for each in hand), *(each for own in all_sagas for each in own.cards)]
    seen += [each for name in ("pile", "discards") for each in changes.get(name, ())]
    left = Counter(DECK)
    left.subtract(seen)
    deck = sorted((left - Counter()).elements())
    if not laid:
        plain = [each for each in deck if CARDS[each].plain][: len(otherworld(seats).cells)]
        laid = tuple(plain)
        for each in plain:
            deck.remove(each)
    changes.setdefault("phase", "journey" if steps and isinstance(steps[0], PlaceStoryteller) else "saga")
    changes.setdefault("marker", "a1a2" if balor != "off" else "")
    changes.setdefault("deck", tuple(deck))
    return settle(
        start.but(
            agenda=(*steps, Cleanup()),
            hands=all_hands,
            sagas=all_sagas,
            grid=laid,
            out=_filled([tuple(sorted(spots.split())) for spots in out], seats, ()),
            **changes,
        )
    )


def _filled(given: list[Any], seats: int, empty: object) -> tuple[Any, ...]:
    return (*given, *[empty] * (seats - len(given)))


def turn(seat: Seat, *, far: bool = False) -> tuple[Step[Any], ...]:
    """The steps of a Saga turn."""
    return TakeCard(seat, far), PlayCard(seat), EndTurn(seat)


def playing(seat: Seat = 0) -> tuple[Step[Any], ...]:
    """The steps of a Saga turn from the play on."""
    return PlayCard(seat), EndTurn(seat)


def lines(state: TirNaNog, seat: Seat = 0, verb: str = "") -> list[str]:
    """Return the lines listed for a seat, in order; with a verb only those."""
    return sorted(option.line for option in legal(state, seat) if option.line.startswith(verb))


def refusal(state: TirNaNog, row: str) -> str:
    """Return why a row cannot come next, or an empty string if it can."""
    seat, line = _read(row)
    try:
        return str(objection(state, seat, read(GAME, line, seat)) or "")
    except NotALine as error:
        return str(error)


def after(state: TirNaNog, *made: str) -> TirNaNog:
    """The table after these rows, each of them allowed."""
    for row in made:
        assert not refusal(state, row), f"{row}: {refusal(state, row)}"
        seat, line = _read(row)
        state = apply(state, seat, read(GAME, line, seat))
    return state


def _read(row: str) -> tuple[Seat, str]:
    sign, _, line = row.partition(" ")
    seat = {"*": CHANCE, "!": HOUSE}.get(sign)
    return int(sign) if seat is None else seat, line


def values(state: TirNaNog, seat: Seat = 0) -> str:
    """The current values of a Saga row by row, `.` for a hole."""
    return " / ".join(" ".join("." if value < 0 else str(value) for value in row) for row in state.sagas[seat].values)


def colours(state: TirNaNog, seat: Seat = 0) -> str:
    """The current colours of a Saga by letter, `.` for a hole."""
    return " / ".join(" ".join(colour[:1].upper() or "." for colour in row) for row in state.sagas[seat].colours)


def begun(seats: int, geas: str = "first") -> TirNaNog:
    """A match whose first Otherworld is laid."""
    state: TirNaNog = GAME.rules.start(seats, {"geas": geas})
    pick = seeded_pick(seats)
    while to_act(state) == {CHANCE}:
        state = apply(state, CHANCE, roll_chance(state, pick))
    return state


def asked(state: TirNaNog) -> int:
    """The only seat that is asked."""
    (seat,) = to_act(state)
    return seat
