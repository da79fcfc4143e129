"""The table of Bardwood Grove as a picture, for wide and for narrow screens."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import NamedTuple

from engine.game import Seat
from engine.games.bardwood_grove import picture_cards as cards
from engine.games.bardwood_grove import picture_labels as labels
from engine.games.bardwood_grove.picture_labels import Pawn, label
from engine.games.bardwood_grove.picture_seats import (
    GAP,
    Drawn,
    draw_bards,
    draw_hand,
    draw_own,
    draw_rivals,
    draw_sides,
    draw_song,
    seat_sign,
)
from engine.games.bardwood_grove.picture_signs import FORMS
from engine.games.bardwood_grove.rules.board import (
    BANK,
    FIRST_LAIR,
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
from engine.games.bardwood_grove.rules.cards import CREATURES, DECKS, IMPROS, SKILLS
from engine.games.bardwood_grove.rules.effects import NOTHING, Effect
from engine.games.bardwood_grove.rules.events import OFFERS
from engine.games.bardwood_grove.rules.motifs import GEMS
from engine.games.bardwood_grove.rules.prices import STAGE_AT
from engine.games.bardwood_grove.texts.names import AMOUNTS, amount, name, pick_of
from engine.games.bardwood_grove.texts.powers import CRITERION_TEXTS, EVENT_TEXTS
from engine.games.bardwood_grove.texts.table_places import (
    coins_due,
    legend_words,
    level_words,
    lyrics_due,
    motif_words,
    shows_prices,
    soothing,
    tale_lyrics,
)
from engine.games.bardwood_grove.view import BardwoodView
from engine.picture import Box, Group, PartCache, Shape, Text
from engine.signs import CREAM, FAINT_ON_FELT, GOLD, ON_FELT, band
from engine.words import Locale

WIDE, NARROW, EDGE = 780.0, 360.0, 8.0
TILE, REGION, ROW, CROSS = 120.0, 41.0, 62.0, 48.0
"""The width of a place between two regions, of a region, the height of a row of regions, of a place between rows."""
PITCH = TILE + REGION
Offer = tuple[Effect, Effect, str]


def picture(view: BardwoodView, locale: Locale, *, narrow: bool = False) -> tuple[Shape, ...]:
    """Draw the map, the river, the legends, every seat, and the viewer's song and hand."""
    draw, width = (draw_narrow, NARROW) if narrow else (draw_wide, WIDE)
    shapes, end = draw(view, locale)
    return (Box(0, 0, width, end + 2, "felt"), *shapes)


def draw_wide(view: BardwoodView, locale: Locale) -> Drawn:
    """Draw map, river and legends, then the seats, song and hand beside each other."""
    x, width = EDGE, WIDE - 2 * EDGE
    shapes: list[Shape] = [
        Text(x, 30, "Bardwood Grove", 21, ON_FELT, bold=True),
        *draw_status(view, x, 56, locale),
        *draw_event(view, x + 330, 6, width - 330, 58, locale),
        *band(x, 74, width, GOLD),
    ]
    y = 84.0
    motifs, y = draw_motifs(view, x, y, width, 6, locale)
    shapes += [*motifs, *draw_map(view, x, y, locale)]
    y += 3 * ROW + 2 * CROSS + 4 * 4 + 8
    river, y = draw_river(view, x, y, width, locale)
    legends, y = draw_legends(view, x, y, width, 3, locale)
    shapes += river + legends
    if view.phase == "bards":
        more, y = draw_bards(view, x, y, width, 4, locale)
        shapes += more
    rivals, y = draw_rivals(view, x, y + 2, width, 3, locale)
    shapes += rivals
    if view.seat is not None and view.players[view.seat].bard in DECKS:
        more, y = draw_wide_seat(view, x, y + 2, width, locale)
        shapes += more
    key, y = draw_key(x, y + 4, width, locale)
    return [*shapes, *key], y


def draw_wide_seat(view: BardwoodView, x: float, y: float, width: float, locale: Locale) -> Drawn:
    """Draw the viewer's dial and holdings, then song and hand beside each other, and return where they end."""
    shapes, y = draw_own(view, x, y, width, locale)
    if view.fan and view.seat in view.asked:
        more, y = draw_sides(view, x, y + 2, width, locale)
        shapes += more
    if not view.hand:
        song, end = draw_song(view, x, y, width, 6, locale)
        return shapes + song, end
    song, end = draw_song(view, x, y, width * 0.66 - 8, 4, locale)
    hand, low = draw_hand(view, x + width * 0.66, y, width * 0.34, locale)
    return [*shapes, *song, *hand], max(end, low)


def draw_narrow(view: BardwoodView, locale: Locale) -> Drawn:
    """Draw everything below each other, the hand last."""
    x, width = EDGE, NARROW - 2 * EDGE
    shapes: list[Shape] = [
        Text(x, 28, "Bardwood Grove", 21, ON_FELT, bold=True),
        *draw_status(view, x, 49, locale),
        *draw_event(view, x, 60, width, 58, locale),
    ]
    y = 126.0 if view.act else 62.0
    for draw, columns in ((draw_motifs, 2), (draw_regions, 4), (draw_places, 2)):
        more, y = draw(view, x, y, width, columns, locale)
        shapes += more
    river, y = draw_river(view, x, y + 2, width, locale)
    legends, y = draw_legends(view, x, y, width, 1, locale)
    key, y = draw_key(x, y + 2, width, locale)
    shapes += river + legends + key
    if view.phase == "bards":
        more, y = draw_bards(view, x, y, width, 2, locale)
        shapes += more
    rivals, y = draw_rivals(view, x, y + 2, width, 1, locale)
    shapes += rivals
    if view.seat is None or view.players[view.seat].bard not in DECKS:
        return shapes, y
    own, y = draw_own(view, x, y + 2, width, locale)
    song, y = draw_song(view, x, y + 4, width, 3, locale)
    shapes += own + song
    if view.fan and view.seat in view.asked:
        more, y = draw_sides(view, x, y + 2, width, locale)
        shapes += more
    hand, low = draw_hand(view, x, y, width, locale) if view.hand else ([], y)
    return [*shapes, *hand], low


def draw_key(x: float, y: float, width: float, locale: Locale) -> Drawn:
    """Draw the legend of the symbols, and return where it ends."""
    names = key_names(locale)
    shapes, high = cards.draw_key(names, width)
    return [Group(x, y, shapes, label=", ".join(word for _, word in names))], y + high


@cache
def key_names(locale: Locale) -> tuple[tuple[str, str], ...]:
    """Return the symbols that need an explanation, with it."""
    return tuple(
        (kind, pick_of((one, other), locale)) for kind, ((one, _), (other, _)) in AMOUNTS.items() if kind in FORMS
    )


def draw_status(view: BardwoodView, x: float, y: float, locale: Locale) -> list[Shape]:
    """Draw the round, and the gems left in both pools."""
    words = label("over", locale) if view.over else label("round", locale, round=view.round)
    shapes: list[Shape] = [Text(x, y, words, 14, FAINT_ON_FELT)]
    for at, gems in enumerate(view.pools):
        pool = label("pool", locale, pool="I" * (at + 1), gems=amount("gems", gems, locale))
        face = (
            Text(-6, 5, "I" * (at + 1), 14, FAINT_ON_FELT, "end", bold=True),
            *cards.draw_amount("gems", gems, 15, CREAM),
        )
        shapes.append(Group(x + 190 + at * 72, y - 5, face, label=pool))
    return shapes


def draw_event(view: BardwoodView, x: float, y: float, width: float, height: float, locale: Locale) -> list[Shape]:
    """Draw the event in force; a touch takes its offer."""
    return [draw_act(view.act, view.events, x, y, (width, height), locale)] if view.act else []


@lru_cache(maxsize=256)
def draw_act(act: int, events: tuple[str, ...], x: float, y: float, size: tuple[float, float], locale: Locale) -> Group:
    """Draw the event of an act, and in the first act the name of the later one."""
    event = events[act - 1]
    text = labels.said(EVENT_TEXTS[event], locale)
    later = label("next", locale, name=name(events[1], locale)) if act == 1 else ""
    face = cards.draw_event(labels.act_words(act, events, locale), text, later, *size, event in OFFERS)
    return Group(x, y, face, f"event:{event}", labels.event_label(act, events, locale))


def draw_motifs(view: BardwoodView, x: float, y: float, width: float, columns: int, locale: Locale) -> Drawn:
    """Draw the motif tokens on the board, and return where they end."""
    step = (width + GAP) / columns
    shapes: list[Shape] = [
        draw_motif(motif, x + at % columns * step, y + at // columns * 36, step - GAP, locale)
        for at, motif in enumerate(view.motifs)
    ]
    return shapes, y + -(-len(view.motifs) // columns) * 36 + (4 if view.motifs else 0)


@lru_cache(maxsize=1024)
def draw_motif(motif: str, x: float, y: float, width: float, locale: Locale) -> Group:
    """Draw a motif token."""
    face = cards.draw_motif(name(motif, locale), GEMS[motif], width)
    return Group(x, y, face, f"motif:{motif}", motif_words(motif, locale))


def find_pawns(view: BardwoodView, locale: Locale) -> dict[str, tuple[Pawn, ...]]:
    """Return the seats whose pawns are in each region."""
    found: dict[str, tuple[Pawn, ...]] = {}
    for seat, player in enumerate(view.players):
        if player.bard:
            found[player.region] = (*found.get(player.region, ()), pawn_of(view, seat, locale))
    return found


def pawn_of(view: BardwoodView, seat: Seat, locale: Locale) -> Pawn:
    """Return a seat, the symbol of its pieces, and its player."""
    return seat, seat_sign(view, seat), view.called(seat, locale)


def region_of(view: BardwoodView) -> str:
    """Return the region of the viewer's bard."""
    return view.players[view.seat].region if view.seat is not None and view.players[view.seat].bard else ""


@lru_cache(maxsize=1024)
def draw_one_region(
    region: str, pawns: tuple[Pawn, ...], x: float, y: float, size: tuple[float, float], own: bool, locale: Locale
) -> Group:
    """Draw a region; a touch moves the bard there."""
    face = cards.draw_region(region, signs_of(pawns), size, own)
    return Group(x, y, face, f"region:{region}", labels.region_label(region, pawns, locale))


def signs_of(pawns: tuple[Pawn, ...]) -> tuple[tuple[Seat, str], ...]:
    """Return seats with the symbols of their pieces."""
    return tuple((seat, sign) for seat, sign, _ in pawns)


def draw_one_place(view: BardwoodView, spot: Spot, here: str, locale: Locale) -> Group:
    """Draw a place with its contents; its outline is golden if it borders on the viewer's region."""
    near = here in LOCATIONS[spot.place].borders
    values = place_values(view, spot.place, locale)

    def draw() -> Group:
        title, offer = place_offer(view, spot.place, locale)
        face = cards.draw_tile(LOCATIONS[spot.place].kind, title, offer, pieces_at(view, spot.place), spot.size, near)
        return Group(spot.x, spot.y, face, f"place:{spot.place}", labels.place_label(view, spot.place, locale))

    return PLACES.find((spot, near, values, locale), draw)


def place_values(view: BardwoodView, place: str, locale: Locale) -> tuple[object, ...]:
    """Return everything in the picture of a place that can change: the key of its cached drawing."""
    if place in LAIRS:
        at = LAIRS.index(place)
        creature = view.tops[FIRST_LAIR + at]
        price = soothing(view, at) if creature and shows_prices(view) else None
        crests = tuple([pawn_of(view, seat, locale) for seat in view.crests[at]])
        return creature, view.left[FIRST_LAIR + at], bool(view.act), crests, price
    if place in SHOPS:
        at = PILE_AT[LOCATIONS[place].pile]
        return view.tops[at], view.left[at], bool(view.act), coins_due(view, place) if view.tops[at] else 0
    if place in STAGES:
        runes = enumerate(view.stages[STAGE_AT[place]])
        laid = tuple([(pawn_of(view, seat, locale), many) for seat, many in runes if many])
        fan = (view.tops[0], view.left[0], bool(view.act)) if LOCATIONS[place].gain.fans else ()
        return laid, lyrics_due(view, place), fan
    return (view.stall,) if place == MARKET else ()


class Spot(NamedTuple):
    """The position of a place."""

    place: str
    x: float
    y: float
    size: tuple[float, float]


PLACES: PartCache[Group] = PartCache(2048)


def draw_map(view: BardwoodView, x: float, y: float, locale: Locale) -> list[Shape]:
    """Draw regions in rows and columns, and on each border the place that both share."""
    regions, spots = lay_out_map(x, y)
    pawns, here = find_pawns(view, locale), region_of(view)
    shapes: list[Shape] = [
        draw_one_region(region, pawns.get(region, ()), left, top, (REGION, ROW), region == here, locale)
        for region, left, top in regions
    ]
    shapes += [draw_one_place(view, spot, here, locale) for spot in spots]
    return shapes


@lru_cache(maxsize=16)
def lay_out_map(x: float, y: float) -> tuple[tuple[tuple[str, float, float], ...], tuple[Spot, ...]]:
    """Return the positions of the regions and places of a wide map."""
    regions: list[tuple[str, float, float]] = []
    for at, region in enumerate(REGIONS):
        column, row = at % 4, at // 4
        regions.append((region, x + TILE + column * PITCH, y + row * (ROW + CROSS + 8)))
    spots: list[Spot] = []
    for place, location in LOCATIONS.items():
        column, row = int(location.borders[0][1]) - 1, "abc".index(location.borders[0][0])
        left, top = x + TILE + column * PITCH, y + row * (ROW + CROSS + 8)
        if len(location.borders) == 1:
            side = left - TILE if column == 0 else left + REGION
            spots.append(Spot(place, side + 2, top, (TILE - 4, ROW)))
        elif location.borders[0][0] == location.borders[1][0]:
            spots.append(Spot(place, left + REGION + 2, top, (TILE - 4, ROW)))
        else:
            middle = left + REGION / 2 - PITCH / 2 + 2
            spots.append(Spot(place, middle, top + ROW + 4, (PITCH - 4, CROSS)))
    return tuple(regions), tuple(spots)


def draw_regions(view: BardwoodView, x: float, y: float, width: float, columns: int, locale: Locale) -> Drawn:
    """Draw the regions alone, in rows and columns, and return where they end."""
    step, size = (width + 4) / columns, ((width + 4) / columns - 4, 32.0)
    pawns, here = find_pawns(view, locale), region_of(view)
    shapes: list[Shape] = []
    for at, region in enumerate(REGIONS):
        left, top = x + at % columns * step, y + at // columns * 36
        shapes.append(draw_one_region(region, pawns.get(region, ()), left, top, size, region == here, locale))
    return shapes, y + len(REGIONS) // columns * 36 + 4


def draw_places(view: BardwoodView, x: float, y: float, width: float, columns: int, locale: Locale) -> Drawn:
    """Draw the places in a list, those around the viewer's bard first, and return where they end."""
    step, here = (width + GAP) / columns, region_of(view)
    places = sorted(LOCATIONS, key=lambda place: here not in LOCATIONS[place].borders)
    shapes: list[Shape] = []
    for at, place in enumerate(places):
        spot = Spot(place, x + at % columns * step, y + at // columns * (CROSS + 5), (step - GAP, CROSS))
        shapes.append(draw_one_place(view, spot, here, locale))
    return shapes, y + -(-len(places) // columns) * (CROSS + 5) + 4


def pieces_at(view: BardwoodView, place: str) -> tuple[tuple[int, str], ...]:
    """Return the seats with a crest on the creature of a place, or with a rune on its stage."""
    if place in LAIRS:
        return tuple((seat, seat_sign(view, seat)) for seat in view.crests[LAIRS.index(place)])
    if place in STAGES:
        runes = view.stages[STAGE_AT[place]]
        return tuple((seat, seat_sign(view, seat)) for seat, many in enumerate(runes) if many)
    return ()


def place_offer(view: BardwoodView, place: str, locale: Locale) -> tuple[str, Offer]:
    """Return the present name of a place, its cost, its gain, and what else it takes."""
    location, title = LOCATIONS[place], name(place, locale)
    if place in LAIRS:
        return lair_offer(view, LAIRS.index(place), title, locale)
    if place in SHOPS:
        card = view.tops[PILE_AT[location.pile]]
        if not card:
            return title, NO_OFFER
        given = SKILLS[card].upper if card in SKILLS else IMPROS[card].upper
        return name(card, locale), (Effect(coins=coins_due(view, place)), given, "")
    if place in STAGES:
        return title, (Effect(lyrics=lyrics_due(view, place)), location.gain, "runes")
    fixed: dict[str, Offer] = {
        BANK: (Effect(melody=MOST_BANKED), Effect(coins=MOST_BANKED), "lyrics"),
        MARKET: (*STALLS[view.stall - 1], ""),
    }
    tales = (NOTHING, NOTHING, label("legends", locale))
    return title, tales if location.kind == "jetty" else fixed.get(place) or (location.cost, location.gain, "")


NO_OFFER: Offer = (NOTHING, NOTHING, "–")


def lair_offer(view: BardwoodView, at: int, title: str, locale: Locale) -> tuple[str, Offer]:
    """Return the creature of a lair, what soothing it costs and brings; or a gem for lulling the empty lair."""
    creature = view.tops[FIRST_LAIR + at]
    if not creature:
        lulled = Effect(melody=LULL_COST), Effect(gems=1), ""
        return title, NO_OFFER if view.left[FIRST_LAIR + at] else lulled
    card = CREATURES[creature]
    cost = soothing(view, at) if shows_prices(view) else Effect(melody=card.value)
    return name(creature, locale), (cost, card.benefits, "")


def draw_river(view: BardwoodView, x: float, y: float, width: float, locale: Locale) -> Drawn:
    """Draw the river of legends with its spaces and the boats on them, and return where it ends."""
    step = (width + 4) / (RIVER_END + 1)
    boats: dict[int, tuple[Pawn, ...]] = {}
    for seat, player in enumerate(view.players):
        if player.bard and not (view.solo and seat == 1):
            boats[player.boat] = (*boats.get(player.boat, ()), pawn_of(view, seat, locale))
    shapes: list[Shape] = [
        draw_space(space, boats.get(space, ()), x + space * step, y, step - 4, locale) for space in range(RIVER_END + 1)
    ]
    return shapes, y + 38


LEVEL_OF_SPACE = {level.boat: level.name for level in reversed(LEVELS)}
"""The names of the levels by the space of the river that a boat must have reached."""


@lru_cache(maxsize=1024)
def draw_space(space: int, boats: tuple[Pawn, ...], x: float, y: float, width: float, locale: Locale) -> Group:
    """Draw a space of the river with the boats on it."""
    level = LEVEL_OF_SPACE.get(space, "")
    words = label(
        "river",
        locale,
        space=space,
        level=label("level", locale, level=level) if level else "",
        boats="".join(f", {sign} {who}" for _, sign, who in boats),
    )
    return Group(x, y, cards.draw_space(space, level, signs_of(boats), width), f"river:{space}", words)


LEVEL_OFFERS: PartCache[Group] = PartCache(512)
LEGENDS: PartCache[Group] = PartCache(1024)


def draw_legends(view: BardwoodView, x: float, y: float, width: float, columns: int, locale: Locale) -> Drawn:
    """Draw the open legends by level with what telling one costs, and return where they end."""
    step = (width + GAP) / columns
    shapes: list[Shape] = []
    lowest = y
    for at, level in enumerate(LEVELS):
        left, top = (x + at * step, y) if columns > 1 else (x, lowest)
        if not view.legends[at]:
            continue
        shapes.append(draw_level(view, at, left, top, locale))
        top += 20
        for legend in view.legends[at]:
            shapes.append(draw_legend(view, legend, level.name, (left, top), step - GAP, locale))
            top += cards.legend_height(labels.said(CRITERION_TEXTS[legend], locale), step - GAP) + GAP
        lowest = max(lowest, top + 2)
    return shapes, lowest


def draw_level(view: BardwoodView, at: int, x: float, y: float, locale: Locale) -> Group:
    """Return what telling a legend of a level costs the viewer, and its gain."""
    level, lyrics = LEVELS[at], tale_lyrics(view, at)

    def draw() -> Group:
        words = level_words(view, at, locale, lambda value: labels.effect_words(value, locale))
        return Group(x, y, cards.draw_level(level.name, lyrics, level.gems, level.boat), label=words)

    return LEVEL_OFFERS.find((at, lyrics, view.legends_left[at], x, y, locale), draw)


def draw_legend(
    view: BardwoodView, legend: str, level: str, place: tuple[float, float], width: float, locale: Locale
) -> Group:
    """Draw a legend with its criterion and who told it."""
    told = tuple([pawn_of(view, seat, locale) for seat in range(view.seats) if legend in view.players[seat].told])

    def draw() -> Group:
        text = labels.said(CRITERION_TEXTS[legend], locale)
        face = cards.draw_legend(name(legend, locale), text, level, signs_of(told), width)
        signs = "".join(f", {sign}" for _, sign, _ in told)
        return Group(*place, face, f"legend:{legend}", f"{level}, {legend_words(view, legend, locale)}{signs}")

    return LEGENDS.find((legend, level, told, place, width, locale), draw)
