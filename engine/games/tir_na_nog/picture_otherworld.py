"""The Otherworld on a picture: its cards, the spaces and corners between them, and the Storytellers there."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from engine.games.tir_na_nog import pieces
from engine.games.tir_na_nog.pieces import Teller
from engine.games.tir_na_nog.rules.otherworld import LINES
from engine.games.tir_na_nog.texts.labels import card_label, deck_label, label, spot_label, teller_sign
from engine.games.tir_na_nog.texts.phrases import who
from engine.games.tir_na_nog.view import View
from engine.picture import Group, PartCache, Shape, Text
from engine.signs import ON_FELT
from engine.words import Locale

CORNER_CARD = "merrow-milliners"


class Grid(NamedTuple):
    """Layout of the cells of the Otherworld. If `turned`, its lines run downwards."""

    left: float
    top: float
    width: float
    height: float
    gaps: tuple[float, float]
    """Gap between two columns, and between two lines of cards."""
    turned: bool = False

    def corner(self, cell: str) -> tuple[float, float]:
        """Return the upper left corner of a cell."""
        line, column = LINES.index(cell[0]), int(cell[1]) - 1
        across, down = (line, column) if self.turned else (column, line)
        return self.left + across * (self.width + self.gaps[0]), self.top + down * (self.height + self.gaps[1])

    def bottom(self, columns: int) -> float:
        """Return the lower end of the last line of cards."""
        down = columns if self.turned else len(LINES)
        return self.top + down * (self.height + self.gaps[1]) - self.gaps[1]


@lru_cache(maxsize=1024)
def _middle(grid: Grid, spot: str) -> tuple[float, float]:
    """Return the middle of the cells around a spot."""
    corners = [grid.corner(spot[at : at + 2]) for at in range(0, len(spot), 2)]
    x = sum(corner[0] for corner in corners) / len(corners) + grid.width / 2
    return x, sum(corner[1] for corner in corners) / len(corners) + grid.height / 2


SPOTS: PartCache[Group] = PartCache(4096)


def otherworld_shapes(view: View, grid: Grid, locale: Locale) -> Iterator[Shape]:
    """Draw the cards, then the spots: every space, and the corners that count now."""
    world = view.world
    yield from (_cell(grid, cell, card, locale) for cell, card in zip(world.cells, view.grid, strict=True))
    standing, corners = _standing(view), () if _may_take_corner(view) else frozenset(world.corners)
    for spot, cells in world.touched.items():
        if spot not in corners or spot in standing:
            beside = tuple([view.grid[at] for at in cells])
            yield _spot(view, grid, spot, standing.get(spot, ()), beside, locale)


def _spot(
    view: View, grid: Grid, spot: str, tellers: tuple[Teller, ...], beside: tuple[str, ...], locale: Locale
) -> Group:
    """Draw a space or corner, and the Storytellers there."""
    marker, names = spot == view.marker, tuple([who(view, each.seat, locale) for each in tellers])

    def draw() -> Group:
        x, y = _middle(grid, spot)
        drawn = pieces.spot_shapes(tellers, marker=marker)
        return Group(x - pieces.SPOT / 2, y - pieces.SPOT / 2, drawn, f"spot:{spot}", spot_label(view, spot, locale))

    return SPOTS.find((grid, spot, tellers, names, marker, beside, locale), draw)


@lru_cache(maxsize=4096)
def _cell(grid: Grid, cell: str, card: str, locale: Locale) -> Group:
    x, y = grid.corner(cell)
    if not card:
        return Group(x, y, pieces.empty_shapes(grid.width, grid.height, cell), "", label("taken", locale, cell=cell))
    shapes = pieces.card_shapes(pieces.printed_card(card), grid.width, grid.height, locale, cell)
    return Group(x, y, shapes, f"cell:{cell}", f"{cell}: {card_label(card, locale)}")


def _standing(view: View) -> dict[str, tuple[Teller, ...]]:
    """Group the Storytellers by their spot."""
    by_spot: dict[str, tuple[Teller, ...]] = {}
    for seat, spots in enumerate(view.out):
        lost = view.lost_spots(seat)
        for spot in spots:
            teller = Teller(seat, teller_sign(view, seat), spot in lost, seat == view.seat)
            by_spot[spot] = (*by_spot.get(spot, ()), teller)
    return by_spot


def _may_take_corner(view: View) -> bool:
    """Return True if the viewer is asked to place a Storyteller and may choose a corner."""
    seat = view.seat
    if seat is None or seat not in view.asked or view.asking.what != "place":
        return False
    return CORNER_CARD in view.sagas[seat].cards and CORNER_CARD not in view.used[seat]


def place_deck(
    view: View,
    place: tuple[float, float],
    size: tuple[float, float],
    step: float,
    locale: Locale,
    *,
    deck: bool = False,
) -> Iterator[Shape]:
    """Draw the deck if asked for, the place for discards, and the card that the viewer has drawn, side by side."""
    (x, y), (width, height) = place, size
    words = label("deck", locale, count=view.deck)
    if deck:
        yield Group(x, y, pieces.deck_shapes(view.deck, width, height), "", words)
        x += step
    name, shapes = label("discards", locale, count=len(view.discards)), pieces.empty_shapes(width, height)
    if view.discards:
        top = view.discards[-1]
        shapes = pieces.card_shapes(pieces.printed_card(top), width, height, locale)
        name = f"{name}, {label('last', locale, card=card_label(top, locale))}"
    yield Group(x, y, shapes, "discards", name)
    yield Text(x + width / 2, y - 5, deck_label("discards", locale), 11, ON_FELT, "middle")
    if view.drawn:
        x += step
        shapes = pieces.card_shapes(pieces.printed_card(view.drawn), width, height, locale)
        yield Group(x, y, shapes, "drawn", label("drawn", locale, card=card_label(view.drawn, locale)))
        yield Text(x + width / 2, y - 5, deck_label("drawn", locale), 11, ON_FELT, "middle")
