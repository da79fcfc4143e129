"""The map of Bardwood Grove: clearings, paths, landmarks, the river with its boats, and the legends."""

from __future__ import annotations

from functools import cache, lru_cache
from itertools import pairwise
from typing import NamedTuple

from engine.games.bardwood_grove import picture_cards as cards
from engine.games.bardwood_grove import picture_labels as labels
from engine.games.bardwood_grove.picture_cards import Offer, Seats, Size
from engine.games.bardwood_grove.picture_labels import Pawn, label
from engine.games.bardwood_grove.picture_seats import Lit, pawn_of
from engine.games.bardwood_grove.rules.board import (
    BANK,
    FIRST_LAIR,
    HERE,
    LAIRS,
    LEVELS,
    LOCATIONS,
    LULL_COST,
    MARKET,
    MOST_BANKED,
    PILE_AT,
    REGIONS,
    RIVER_END,
    SHOPS,
    STAGES,
    STALLS,
)
from engine.games.bardwood_grove.rules.cards import CREATURES, IMPROS, SKILLS
from engine.games.bardwood_grove.rules.effects import NOTHING, Effect
from engine.games.bardwood_grove.rules.prices import STAGE_AT
from engine.games.bardwood_grove.texts.names import name
from engine.games.bardwood_grove.texts.powers import CRITERION_TEXTS
from engine.games.bardwood_grove.texts.table_places import (
    coins_due,
    legend_words,
    level_words,
    lyrics_due,
    shows_prices,
    soothing,
    tale_lyrics,
)
from engine.games.bardwood_grove.view import BardwoodView
from engine.picture import Box, Group, PartCache, Path, Shape
from engine.signs import sign
from engine.words import Locale

ROWS = "abc"


class Spot(NamedTuple):
    """The area of a drawing."""

    x: float
    y: float
    size: Size


class Geometry(NamedTuple):
    """Measures of a map: where it begins, its width, a clearing, a landmark at the edge, one between two rows."""

    x: float
    y: float
    width: float
    clearing: Size
    edge: Size
    cross: Size
    inset: Size
    """The room that a landmark leaves to the clearings next to it, and how much lower than them it is."""
    gap: float
    """Distance of a landmark from the clearings above and below."""

    @property
    def between(self) -> float:
        """Distance between two clearings of a row."""
        return (self.width - 2 * (self.edge[0] + self.inset[0] / 2) - 4 * self.clearing[0]) / 3

    @property
    def low(self) -> float:
        """The lower end of the map."""
        return self.y + 3 * self.clearing[1] + 2 * (self.cross[1] + 2 * self.gap)

    def region(self, region: str) -> Spot:
        """Return the position of a clearing."""
        row, column = ROWS.index(region[0]), int(region[1]) - 1
        left = self.x + self.edge[0] + self.inset[0] / 2 + column * (self.clearing[0] + self.between)
        return Spot(left, self.y + row * (self.clearing[1] + self.cross[1] + 2 * self.gap), self.clearing)

    def place(self, place: str) -> Spot:
        """Return the position of a landmark: next to a clearing at the edge of the map, or between two clearings."""
        borders = LOCATIONS[place].borders
        left, top, (wide, high) = self.region(borders[0])
        over, down = self.inset
        if len(borders) == 1:
            side = self.x if borders[0][1] == "1" else self.x + self.width - self.edge[0]
            return Spot(side, top + (high - self.edge[1]) / 2, self.edge)
        if borders[0][0] == borders[1][0]:
            return Spot(left + wide + over, top + down, (self.between - 2 * over, high - 2 * down))
        return Spot(left + wide / 2 - self.cross[0] / 2, top + high + self.gap, self.cross)


WIDE_MAP = Geometry(10, 88, 672, (42, 64), (85, 52), (146, 48), (5, 0), 8)
NARROW_MAP = Geometry(6, 54, 388, (30, 43), (32, 31), (64, 32), (4, 4), 3)
PLACES: PartCache[Group] = PartCache(4096)


@cache
def draw_ground(geometry: Geometry) -> tuple[Shape, ...]:
    """Draw meadows, the paths between them, and trees in the empty space."""
    middles = [(spot.x + spot.size[0] / 2, spot.y + spot.size[1] / 2) for spot in map(geometry.region, REGIONS)]
    wide, high = geometry.clearing
    thick = wide / 3
    shapes: list[Shape] = []
    for line, more in (("hedge", 3.0), ("trail", 0.0)):
        half = (thick + more) / 2
        shapes += [
            Box(middles[at][0], middles[at][1] - half, middles[at + 3][0] - middles[at][0], 2 * half, line)
            for at in (0, 4, 8)
        ]
        shapes += [Box(x - half, y, 2 * half, middles[at + 8][1] - y, line) for at, (x, y) in enumerate(middles[:4])]
    shapes += [Path(x, y, cards.ellipse(wide * 1.4, high * 1.12), "meadow", "hedge", 1.2) for x, y in middles]
    step = high + geometry.cross[1] + 2 * geometry.gap
    ends = (geometry.x + geometry.edge[0] * 0.16, geometry.x + geometry.width - geometry.edge[0] * 0.16)
    size = geometry.cross[1] * 0.42
    for row in range(2):
        top = geometry.y + high + geometry.gap + row * step
        for at, x in enumerate(ends):
            shapes += [
                sign("fir", x, top + size * 0.6, size, "hedge"),
                sign("fir", x + (6 - 12 * at), top + size * 1.7, size * 0.8, "hedge"),
            ]
    return tuple(shapes)


def draw_map(view: BardwoodView, geometry: Geometry, lit: Lit, locale: Locale) -> list[Shape]:
    """Draw the clearings with their pawns, a landmark on each border, and the last ways of rivals."""
    ways = find_ways(view)
    pawns: dict[str, tuple[Pawn, ...]] = {}
    for seat, player in enumerate(view.players):
        if player.bard:
            pawns[player.region] = (*pawns.get(player.region, ()), pawn_of(view, seat, locale))
    own = view.players[view.seat].region if view.seat is not None else ""
    entered = {way[-1] for _, way in ways}
    shapes: list[Shape] = [*draw_ground(geometry)]
    for region in REGIONS:
        look = (
            "lit" if f"region:{region}" in lit else "own" if region == own else "entered" if region in entered else ""
        )
        ghosts = tuple(seat for seat, way in ways if way[0] == region)
        shapes.append(draw_region(region, pawns.get(region, ()), ghosts, geometry, look, locale))
    shapes += [draw_place(view, place, geometry.place(place), lit, locale) for place in LOCATIONS]
    for seat, way in ways:
        shapes += [draw_step(seat, one, two, geometry) for one, two in pairwise(way)]
    return shapes


def find_ways(view: BardwoodView) -> list[tuple[int, tuple[str, ...]]]:
    """Return the last way of each rival whose pawn moved: the regions on it, along its row first."""
    ways = []
    for seat, player in enumerate(view.players):
        start, end = view.origins[seat], player.region
        if player.bard and start and start != end and seat != view.seat and not view.over:
            ways.append((seat, trace_way(start, end)))
    return ways


@cache
def trace_way(start: str, end: str) -> tuple[str, ...]:
    """Return the regions on the way from one to another, along the row first."""
    (row, column), (last_row, last_column) = ((ROWS.index(region[0]), int(region[1])) for region in (start, end))
    over, down = (1 if last_column > column else -1), (1 if last_row > row else -1)
    along = [f"{start[0]}{at}" for at in range(column, last_column, over)]
    return (*along, *(f"{ROWS[at]}{last_column}" for at in range(row, last_row, down)), end)


@cache
def draw_step(seat: int, one: str, two: str, geometry: Geometry) -> Group:
    """Draw the tab on the rim of a clearing that a pawn left."""
    first, second = geometry.region(one), geometry.region(two)
    over, down = (second.x > first.x) - (second.x < first.x), (second.y > first.y) - (second.y < first.y)
    wide, high = first.size
    x, y = first.x + wide / 2 + over * (wide / 2 + 4), first.y + high / 2 + down * (high / 2 + 4.5)
    return Group(x, y, (cards.draw_tab(seat, over, down),))


@lru_cache(maxsize=1024)
def draw_region(
    region: str, pawns: tuple[Pawn, ...], ghosts: tuple[int, ...], geometry: Geometry, look: str, locale: Locale
) -> Group:
    """Draw a clearing. A touch moves the bard there."""
    spot = geometry.region(region)
    face = cards.draw_region(region, signs_of(pawns), ghosts, spot.size, look)
    return Group(spot.x, spot.y, face, f"region:{region}", labels.region_label(region, pawns, locale))


def signs_of(pawns: tuple[Pawn, ...]) -> Seats:
    """Return seats with the letters of their pieces."""
    return tuple((seat, letter) for seat, letter, _ in pawns)


def draw_place(view: BardwoodView, place: str, spot: Spot, lit: Lit, locale: Locale) -> Group:
    """Draw a landmark with its contents. It is lit if the viewer can use it now."""
    usable = f"place:{place}" in lit
    values = place_values(view, place, locale)

    def draw() -> Group:
        title, offer, creature = place_offer(view, place, locale)
        kind, seats = LOCATIONS[place].kind, signs_of(pieces_at(view, place, locale))
        face: tuple[Shape, ...]
        if spot.size[0] < LEAST_NAMED:
            face = cards.draw_small_place(kind, creature, offer, seats, spot.size, usable)
        else:
            face = cards.draw_place(kind, creature, title, offer, len(seats), spot.size, usable)
        if seats and spot.size[0] >= LEAST_NAMED:  # apart, so that the drawing of the landmark is cached without them
            face = Group(0, 0, face), Group(0, 0, cards.draw_crests(seats, spot.size))
        return Group(spot.x, spot.y, face, f"place:{place}", labels.place_label(view, place, locale))

    return PLACES.find((place, spot, usable, values, locale), draw)


LEAST_NAMED = 70.0


def place_values(view: BardwoodView, place: str, locale: Locale) -> tuple[object, ...]:
    """Return everything in the picture of a place that can change: the key of its cached drawing."""
    if place in LAIRS:
        at = LAIRS.index(place)
        creature = view.tops[FIRST_LAIR + at]
        price = soothing(view, at) if creature and shows_prices(view) else None
        return creature, view.left[FIRST_LAIR + at], bool(view.act), pieces_at(view, place, locale), price
    if place in SHOPS:
        at = PILE_AT[LOCATIONS[place].pile]
        return view.tops[at], view.left[at], bool(view.act), coins_due(view, place) if view.tops[at] else 0
    if place in STAGES:
        counts = view.stages[STAGE_AT[place]]
        fan = (view.tops[0], view.left[0], bool(view.act)) if LOCATIONS[place].gain.fans else ()
        return counts, pieces_at(view, place, locale), lyrics_due(view, place), fan
    return (view.stall,) if place == MARKET else ()


def pieces_at(view: BardwoodView, place: str, locale: Locale) -> tuple[Pawn, ...]:
    """Return the seats with a crest on the creature of a place, or with a rune on its stage."""
    if place in LAIRS:
        return tuple([pawn_of(view, seat, locale) for seat in view.crests[LAIRS.index(place)]])
    if place in STAGES:
        counts = view.stages[STAGE_AT[place]]
        return tuple([pawn_of(view, seat, locale) for seat, many in enumerate(counts) if many])
    return ()


def place_offer(view: BardwoodView, place: str, locale: Locale) -> tuple[str, Offer, str]:
    """Return the current name of a place, its cost and gain, and the creature that lives there."""
    location, title = LOCATIONS[place], name(place, locale)
    if place in LAIRS:
        return lair_offer(view, LAIRS.index(place), title, locale)
    if place in SHOPS:
        card = view.tops[PILE_AT[location.pile]]
        if not card:
            return title, NO_OFFER, ""
        gain = SKILLS[card].upper if card in SKILLS else IMPROS[card].upper
        return name(card, locale), (Effect(coins=coins_due(view, place)), gain, ""), ""
    if place in STAGES:
        return title, (Effect(lyrics=lyrics_due(view, place)), location.gain, "runes"), ""
    if location.kind == "jetty":
        return title, (NOTHING, NOTHING, label("legends", locale)), ""
    fixed: dict[str, Offer] = {
        BANK: (Effect(melody=MOST_BANKED), Effect(coins=MOST_BANKED), "lyrics"),
        MARKET: (*STALLS[view.stall - 1], ""),
    }
    return title, fixed.get(place) or (location.cost, location.gain, ""), ""


NO_OFFER: Offer = (NOTHING, NOTHING, "–")


def lair_offer(view: BardwoodView, at: int, title: str, locale: Locale) -> tuple[str, Offer, str]:
    """Return the creature of a lair with the cost and gain of soothing it, or a gem for lulling the empty lair."""
    creature = view.tops[FIRST_LAIR + at]
    if not creature:
        lulled = Effect(melody=LULL_COST), Effect(gems=1), ""
        return title, NO_OFFER if view.left[FIRST_LAIR + at] else lulled, ""
    card = CREATURES[creature]
    cost = soothing(view, at) if shows_prices(view) else Effect(melody=card.value)
    return name(creature, locale), (cost, card.benefits, ""), creature


def places_around(view: BardwoodView) -> tuple[str, ...]:
    """Return the places around the viewer's bard."""
    return HERE[view.players[view.seat].region] if view.seat is not None else ()


def draw_river(view: BardwoodView, spot: Spot, lit: Lit, locale: Locale) -> list[Shape]:
    """Draw the river of legends with its spaces and the boats on them."""
    width, height = spot.size
    step = width / (RIVER_END + 1)
    boats: dict[int, tuple[Pawn, ...]] = {}
    for seat, player in enumerate(view.players):
        if player.bard and not (view.solo and seat == 1):
            boats[player.boat] = (*boats.get(player.boat, ()), pawn_of(view, seat, locale))
    shapes: list[Shape] = [Group(spot.x + at * step, spot.y, draw_wave(step, height)) for at in range(RIVER_END + 1)]
    for space in range(RIVER_END + 1):
        place = Spot(spot.x + space * step + 2, spot.y + 2, (step - 4, height - 4))
        shapes.append(draw_space(space, boats.get(space, ()), place, f"river:{space}" in lit, locale))
    return shapes


@cache
def draw_wave(width: float, height: float) -> tuple[Path, ...]:
    """Draw a piece of the river, which continues in the next one."""
    third = width / 3
    outline = (
        *((0.0, 1.0), (third, -3.0, 2 * third, 5.0, width, 1.0)),
        *((width, height - 1), (2 * third, height + 3, third, height - 5, 0.0, height - 1)),
    )
    return (Path(0, 0, (outline,), "water"),)


LEVEL_OF_SPACE = {level.boat: level.name for level in reversed(LEVELS)}
"""The names of the levels, by the space of the river that a boat must have reached."""


@lru_cache(maxsize=1024)
def draw_space(space: int, boats: tuple[Pawn, ...], spot: Spot, lit: bool, locale: Locale) -> Group:
    """Draw a space of the river with the boats on it."""
    level = LEVEL_OF_SPACE.get(space, "")
    words = label(
        "river",
        locale,
        space=space,
        level=label("level", locale, level=level) if level else "",
        boats="".join(f", {letter} {who}" for _, letter, who in boats),
    )
    face = cards.draw_space(space, level, signs_of(boats), spot.size, lit)
    return Group(spot.x, spot.y, face, f"river:{space}", words)


LEVEL_OFFERS: PartCache[Group] = PartCache(512)
LEGENDS: PartCache[Group] = PartCache(2048)
LEVEL_HEAD, LEAST_PAIRED = 16.0, 3


def draw_legends(view: BardwoodView, spot: Spot, lit: Lit, locale: Locale) -> list[Shape]:
    """Draw the open legends by level, with the cost of telling one. Three or more are names in two columns."""
    width = (spot.size[0] + 8) / len(LEVELS) - 8
    shapes: list[Shape] = []
    for at in range(len(LEVELS)):
        left, legends = spot.x + at * (width + 8), view.legends[at]
        shapes.append(draw_level(view, at, left, spot.y, width, locale))
        columns = 2 if len(legends) >= LEAST_PAIRED else 1
        rows = max(2, -(-len(legends) // columns))
        wide, high = (width + 4) / columns, (spot.size[1] - LEVEL_HEAD + 3) / rows
        for index, legend in enumerate(legends):
            x, y = left + index % columns * wide, spot.y + LEVEL_HEAD + index // columns * high
            shapes.append(draw_legend(view, legend, Spot(x, y, (wide - 4, high - 3)), lit, locale))
    return shapes


def draw_level(view: BardwoodView, at: int, x: float, y: float, width: float, locale: Locale) -> Group:
    """Draw the viewer's cost of telling a legend of a level, and its gain."""
    level, lyrics = LEVELS[at], tale_lyrics(view, at)

    def draw() -> Group:
        cap = label("cap", locale, cap=level.cap)
        words = f"{level_words(view, at, locale, lambda value: labels.effect_words(value, locale))}. {cap}"
        face = cards.draw_level(level.name, lyrics, level.gems, level.boat, cap, width)
        return Group(x, y, face, label=words)

    return LEVEL_OFFERS.find((at, lyrics, view.legends_left[at], x, y, locale), draw)


def draw_legend(view: BardwoodView, legend: str, spot: Spot, lit: Lit, locale: Locale) -> Group:
    """Draw a legend with its criterion and the seats that told it."""
    tellers = tuple([pawn_of(view, seat, locale) for seat in range(view.seats) if legend in view.players[seat].told])
    usable = f"legend:{legend}" in lit

    def draw() -> Group:
        text = labels.said(CRITERION_TEXTS[legend], locale)
        face = cards.draw_legend(name(legend, locale), text, signs_of(tellers), spot.size, usable)
        letters = "".join(f", {letter}" for _, letter, _ in tellers)
        return Group(spot.x, spot.y, face, f"legend:{legend}", legend_words(view, legend, locale) + letters)

    return LEGENDS.find((legend, tellers, spot, usable, locale), draw)
