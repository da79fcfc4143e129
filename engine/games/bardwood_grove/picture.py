"""The table of Bardwood Grove as a picture, for wide and for narrow screens."""

from __future__ import annotations

from engine.games.bardwood_grove import picture_cards as cards
from engine.games.bardwood_grove import picture_labels as labels
from engine.games.bardwood_grove.picture_labels import label
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
from engine.picture import Box, Group, Shape, Text
from engine.signs import CREAM, FAINT_ON_FELT, GOLD, ON_FELT, band
from engine.words import Locale

WIDE, NARROW, EDGE = 780.0, 360.0, 8.0
TILE, REGION, ROW, CROSS = 120.0, 41.0, 62.0, 48.0
"""The width of a place between two regions, of a region, the height of a row of regions, of a place between rows."""
PITCH = TILE + REGION
Offer = tuple[Effect, Effect, str]


def picture(view: BardwoodView, locale: Locale, *, narrow: bool = False) -> tuple[Shape, ...]:
    """The map, the river, the legends, every seat, and the viewer's song and hand."""
    draw, width = (draw_narrow, NARROW) if narrow else (draw_wide, WIDE)
    shapes, end = draw(view, locale)
    return (Box(0, 0, width, end + 2, "felt"), *shapes)


def draw_wide(view: BardwoodView, locale: Locale) -> Drawn:
    """Map, river and legends, then the seats, song and hand beside each other."""
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
    """The viewer's dial and holdings, then song and hand beside each other, and where they end."""
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
    """Everything below each other, the hand last."""
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
    """What the signs mean, and where that ends."""
    names = tuple(
        (kind, pick_of((one, other), locale)) for kind, ((one, _), (other, _)) in AMOUNTS.items() if kind in FORMS
    )
    shapes, high = cards.draw_key(names, width)
    return [Group(x, y, shapes, label=", ".join(word for _, word in names))], y + high


def draw_status(view: BardwoodView, x: float, y: float, locale: Locale) -> list[Shape]:
    """The round, and the gems left in both pools."""
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
    """The event in force; its offer is taken by a touch."""
    if not view.act:
        return []
    text = labels.said(EVENT_TEXTS[view.event], locale)
    later = label("next", locale, name=name(view.events[1], locale)) if view.act == 1 else ""
    face = cards.draw_event(labels.act_words(view, locale), text, later, width, height, view.event in OFFERS)
    return [Group(x, y, face, f"event:{view.event}", labels.event_label(view, locale))]


def draw_motifs(view: BardwoodView, x: float, y: float, width: float, columns: int, locale: Locale) -> Drawn:
    """The motif tokens on the board, and where they end."""
    step = (width + GAP) / columns
    shapes: list[Shape] = []
    for at, motif in enumerate(view.motifs):
        face = cards.draw_motif(name(motif, locale), GEMS[motif], step - GAP)
        left, top = x + at % columns * step, y + at // columns * 36
        shapes.append(Group(left, top, face, f"motif:{motif}", motif_words(motif, locale)))
    return shapes, y + -(-len(view.motifs) // columns) * 36 + (4 if view.motifs else 0)


def seats_at(view: BardwoodView, region: str) -> tuple[tuple[int, str], ...]:
    """The seats whose pawns stand in a region, with their signs."""
    return tuple(
        (seat, seat_sign(view, seat))
        for seat, player in enumerate(view.players)
        if player.bard and player.region == region
    )


def region_of(view: BardwoodView) -> str:
    """Where the viewer's bard stands."""
    return view.players[view.seat].region if view.seat is not None and view.players[view.seat].bard else ""


def draw_one_region(
    view: BardwoodView, region: str, x: float, y: float, size: tuple[float, float], locale: Locale
) -> Group:
    """A region; touched, it is where the bard goes."""
    face = cards.draw_region(region, seats_at(view, region), size, region == region_of(view))
    return Group(x, y, face, f"region:{region}", labels.region_label(view, region, locale))


def draw_one_place(
    view: BardwoodView, place: str, x: float, y: float, size: tuple[float, float], locale: Locale
) -> Group:
    """A place with what lies there."""
    title, offer = place_offer(view, place, locale)
    here = region_of(view) in LOCATIONS[place].borders
    face = cards.draw_tile(LOCATIONS[place].kind, title, offer, pieces_at(view, place), size, here)
    return Group(x, y, face, f"place:{place}", labels.place_label(view, place, locale))


def draw_map(view: BardwoodView, x: float, y: float, locale: Locale) -> list[Shape]:
    """Regions in rows and columns, and on each border the place that both share."""
    shapes: list[Shape] = []
    for at, region in enumerate(REGIONS):
        column, row = at % 4, at // 4
        left, top = x + TILE + column * PITCH, y + row * (ROW + CROSS + 8)
        shapes.append(draw_one_region(view, region, left, top, (REGION, ROW), locale))
    for place, location in LOCATIONS.items():
        column, row = int(location.borders[0][1]) - 1, "abc".index(location.borders[0][0])
        left, top = x + TILE + column * PITCH, y + row * (ROW + CROSS + 8)
        if len(location.borders) == 1:
            side = left - TILE if column == 0 else left + REGION
            shapes.append(draw_one_place(view, place, side + 2, top, (TILE - 4, ROW), locale))
        elif location.borders[0][0] == location.borders[1][0]:
            shapes.append(draw_one_place(view, place, left + REGION + 2, top, (TILE - 4, ROW), locale))
        else:
            middle = left + REGION / 2 - PITCH / 2 + 2
            shapes.append(draw_one_place(view, place, middle, top + ROW + 4, (PITCH - 4, CROSS), locale))
    return shapes


def draw_regions(view: BardwoodView, x: float, y: float, width: float, columns: int, locale: Locale) -> Drawn:
    """The regions alone, in rows and columns, and where they end."""
    step = (width + 4) / columns
    shapes: list[Shape] = []
    for at, region in enumerate(REGIONS):
        left, top = x + at % columns * step, y + at // columns * 36
        shapes.append(draw_one_region(view, region, left, top, (step - 4, 32), locale))
    return shapes, y + len(REGIONS) // columns * 36 + 4


def draw_places(view: BardwoodView, x: float, y: float, width: float, columns: int, locale: Locale) -> Drawn:
    """The places in a list, those around the viewer's bard first, and where they end."""
    step, here = (width + GAP) / columns, region_of(view)
    places = sorted(LOCATIONS, key=lambda place: here not in LOCATIONS[place].borders)
    shapes: list[Shape] = []
    for at, place in enumerate(places):
        left, top = x + at % columns * step, y + at // columns * (CROSS + 5)
        shapes.append(draw_one_place(view, place, left, top, (step - GAP, CROSS), locale))
    return shapes, y + -(-len(places) // columns) * (CROSS + 5) + 4


def pieces_at(view: BardwoodView, place: str) -> tuple[tuple[int, str], ...]:
    """The seats with a crest on the creature of a place, or with a rune on its stage."""
    if place in LAIRS:
        return tuple((seat, seat_sign(view, seat)) for seat in view.crests[LAIRS.index(place)])
    if place in STAGES:
        runes = view.stages[STAGE_AT[place]]
        return tuple((seat, seat_sign(view, seat)) for seat, many in enumerate(runes) if many)
    return ()


def place_offer(view: BardwoodView, place: str, locale: Locale) -> tuple[str, Offer]:
    """What a place is called now, what it asks, what it brings, and what else it takes."""
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
    """The creature of a lair, what soothing it costs and brings; or a gem for lulling the empty lair."""
    creature = view.tops[FIRST_LAIR + at]
    if not creature:
        lulled = Effect(melody=LULL_COST), Effect(gems=1), ""
        return title, NO_OFFER if view.left[FIRST_LAIR + at] else lulled
    card = CREATURES[creature]
    cost = soothing(view, at) if shows_prices(view) else Effect(melody=card.value)
    return name(creature, locale), (cost, card.benefits, "")


def draw_river(view: BardwoodView, x: float, y: float, width: float, locale: Locale) -> Drawn:
    """The river of legends with its spaces and the boats on them, and where it ends."""
    step = (width + 4) / (RIVER_END + 1)
    shapes: list[Shape] = []
    for space in range(RIVER_END + 1):
        level = next((level.name for level in LEVELS if level.boat == space), "")
        boats = [
            seat
            for seat, player in enumerate(view.players)
            if player.boat == space and player.bard and not (view.solo and seat == 1)
        ]
        face = cards.draw_space(space, level, tuple((seat, seat_sign(view, seat)) for seat in boats), step - 4)
        words = label(
            "river",
            locale,
            space=space,
            level=label("level", locale, level=level) if level else "",
            boats="".join(f", {seat_sign(view, seat)} {view.called(seat, locale)}" for seat in boats),
        )
        shapes.append(Group(x + space * step, y, face, f"river:{space}", words))
    return shapes, y + 38


def draw_legends(view: BardwoodView, x: float, y: float, width: float, columns: int, locale: Locale) -> Drawn:
    """The open legends by level with what telling one costs, and where they end."""
    step = (width + GAP) / columns
    shapes: list[Shape] = []
    lowest = y
    for at, level in enumerate(LEVELS):
        left, top = (x + at * step, y) if columns > 1 else (x, lowest)
        if not view.legends[at]:
            continue
        offer = cards.draw_level(level.name, tale_lyrics(view, at), level.gems, level.boat)
        words = level_words(view, at, locale, lambda value: labels.effect_words(value, locale))
        shapes.append(Group(left, top, offer, label=words))
        top += 20
        for legend in view.legends[at]:
            told = tuple(
                (seat, seat_sign(view, seat)) for seat in range(view.seats) if legend in view.players[seat].told
            )
            text = labels.said(CRITERION_TEXTS[legend], locale)
            face = cards.draw_legend(name(legend, locale), text, level.name, told, step - GAP)
            shapes.append(Group(left, top, face, f"legend:{legend}", legend_label(view, at, legend, locale)))
            top += cards.legend_height(text, step - GAP) + GAP
        lowest = max(lowest, top + 2)
    return shapes, lowest


def legend_label(view: BardwoodView, at: int, legend: str, locale: Locale) -> str:
    """A legend with its level, its criterion and who told it."""
    told = "".join(f", {seat_sign(view, seat)}" for seat in range(view.seats) if legend in view.players[seat].told)
    return f"{LEVELS[at].name}, {legend_words(view, legend, locale)}{told}"
