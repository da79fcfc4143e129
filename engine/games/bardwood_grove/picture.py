"""The table of Bardwood Grove as a picture: the map with pawns and piles, the river, the pools and the legends."""

from __future__ import annotations

from engine.game import Seat
from engine.games.bardwood_grove.picture_seats import (
    ACCENT,
    EDGE,
    FAINT,
    GEM,
    INK,
    LEFT,
    LINE,
    PANEL,
    PAPER,
    RIGHT,
    SEAT_FILLS,
    SEAT_INKS,
    WIDTH,
    cut,
    draw_seats,
    seat_sign,
)
from engine.games.bardwood_grove.rules.board import (
    FIRST_LAIR,
    HERE,
    LAIRS,
    LEVELS,
    LOCATIONS,
    PILE_AT,
    REGIONS,
    RIVER_END,
    STAGES,
    STALLS,
)
from engine.games.bardwood_grove.rules.cards import CREATURES
from engine.games.bardwood_grove.texts.names import Pair, brief, name, pick_of
from engine.games.bardwood_grove.view import BardwoodView
from engine.picture import Box, Disc, Line, Shape, Text
from engine.words import Locale

TOP, CELL_WIDTH, CELL_HEIGHT = 66.0, 146.0, 92.0
ROW, LETTERS = 16.0, 11.0
KIND_FILLS = {
    "lair": SEAT_FILLS[0],
    "shop": ACCENT,
    "bank": ACCENT,
    "performance": SEAT_FILLS[2],
    "jetty": GEM,
    "conversion": FAINT,
}
"""Colours of the signs before locations, few enough for a palette; each kind has a form of its own too."""
WORDS: dict[str, Pair] = {
    "round": ("round {round}", "manche {round}"),
    "over": ("the match is over", "la partie est finie"),
    "act": ("Act {act}: {name}", "Acte {act} : {name}"),
    "river": ("River", "Rivière"),
    "legend": ("{level}: {names}", "{level} : {names}"),
    "motifs": ("Motifs: {names}", "Motifs : {names}"),
    "none": ("none", "aucun"),
    "empty": ("empty: M5 → G1", "vide : M5 → G1"),
}


def say(key: str, locale: Locale, **words: object) -> str:
    """A label with its words."""
    return pick_of(WORDS[key], locale).format(**words)


def picture(view: BardwoodView, locale: Locale, *, narrow: bool = False) -> tuple[Shape, ...]:  # noqa: ARG001  # one form so far
    """The map, the piles, the river, the pools and every seat's dial."""
    shapes = draw_heading(view, locale)
    for at, region in enumerate(REGIONS):
        shapes += draw_region(view, region, EDGE + (at % 4) * CELL_WIDTH, TOP + (at // 4) * CELL_HEIGHT, locale)
    y = TOP + 3 * CELL_HEIGHT + 10
    shapes += draw_river(view, y, locale)
    below, y = draw_legends(view, y + 40, locale)
    seats, y = draw_seats(view, y + 6, locale)
    return (Box(0, 0, WIDTH, y + 4, PAPER), *shapes, *below, *seats)


def draw_heading(view: BardwoodView, locale: Locale) -> list[Shape]:
    """The title, the round, the event in force and the two gem pools."""
    head = say("over", locale) if view.over else say("round", locale, round=view.round)
    shapes: list[Shape] = [
        Text(LEFT, 28, "Bardwood Grove", 20, INK, bold=True),
        Text(RIGHT, 27, head, 14, INK, "end"),
    ]
    if view.act:
        words = say("act", locale, act="I" * view.act, name=name(view.event, locale))
        shapes.append(Text(LEFT, 52, cut(words, 380, 13.5), 13.5, ACCENT, bold=True))
    for at, gems in enumerate(view.pools):
        x = 470.0 + at * 66
        shapes.append(Text(x - 12, 53, "I" * (at + 1), 13, FAINT, "end", bold=True))
        shapes.append(Line(((x, 40), (x + 8, 48), (x, 56), (x - 8, 48), (x, 40)), INK, 1, GEM if gems else PAPER))
        shapes.append(Text(x + 13, 53, str(gems), 14, INK, bold=True))
    return shapes


def draw_region(view: BardwoodView, region: str, x: float, y: float, locale: Locale) -> list[Shape]:
    """One region: its name, the pawns that stand there, and what lies at its locations."""
    shapes: list[Shape] = [
        Box(x + 1, y + 1, CELL_WIDTH - 2, CELL_HEIGHT - 2, PANEL, LINE, 5),
        Text(x + 8, y + 17, region, 13, FAINT, bold=True),
    ]
    here = [seat for seat, player in enumerate(view.players) if player.region == region and player.bard]
    for at, seat in enumerate(here):
        shapes += draw_pawn(view, seat, x + CELL_WIDTH - 14 - at * 20, y + 13)
    for at, place in enumerate(HERE[region]):
        shapes += draw_place(view, place, x + 7, y + 24 + at * ROW, locale)
    return shapes


def draw_pawn(view: BardwoodView, seat: Seat, x: float, y: float) -> list[Shape]:
    """A pawn or a boat: a disc with the number of its seat."""
    return [
        Disc(x, y, 9, SEAT_FILLS[seat], INK, 1),
        Text(x, y + 4.5, seat_sign(view, seat), 12, SEAT_INKS[seat], "middle", bold=True),
    ]


def draw_place(view: BardwoodView, place: str, x: float, y: float, locale: Locale) -> list[Shape]:
    """A location in one line: the sign of its kind, what lies there, and its number."""
    words, number = place_words(view, place, locale)
    room = CELL_WIDTH - 32 - 7.5 * len(number)
    shapes = [
        *draw_sign(LOCATIONS[place].kind, x, y + 3),
        Text(x + 14, y + 12, cut(words, room, LETTERS), LETTERS, INK),
    ]
    if number:
        shapes.append(Text(x + CELL_WIDTH - 15, y + 12, number, LETTERS, INK, "end", bold=True))
    if place in LAIRS:
        shapes += draw_crests(view, LAIRS.index(place), x + CELL_WIDTH - 40, y + 8)
    return shapes


def draw_crests(view: BardwoodView, lair: int, x: float, y: float) -> list[Shape]:
    """The crests on a creature as small shields with the number of their seat."""
    shapes: list[Shape] = []
    for at, seat in enumerate(view.crests[lair]):
        left = x - 10 * at
        shapes.append(Box(left - 4.5, y - 5.5, 9, 11, SEAT_FILLS[seat], INK, 2, 0.7))
        shapes.append(Text(left, y + 3.2, seat_sign(view, seat), 8.5, SEAT_INKS[seat], "middle", bold=True))
    return shapes


def draw_sign(kind: str, x: float, y: float) -> list[Shape]:
    """The sign of a kind of location: a form and a colour."""
    fill = KIND_FILLS[kind]
    if kind == "lair":
        return [Line(((x, y + 10), (x + 5, y), (x + 10, y + 10)), fill, 1, fill)]
    if kind == "performance":
        return [Line(((x + 5, y), (x + 10, y + 5), (x + 5, y + 10), (x, y + 5)), fill, 1, fill)]
    if kind == "jetty":
        return [Disc(x + 5, y + 5, 5, fill)]
    if kind == "conversion":
        return [Box(x, y + 3, 10, 4, fill)]
    return [Box(x, y, 10, 10, fill)]


def place_words(view: BardwoodView, place: str, locale: Locale) -> tuple[str, str]:
    """What lies at a location, and the number that matters: soothe value, price or lyrics."""
    location = LOCATIONS[place]
    if place in LAIRS:
        creature = view.tops[FIRST_LAIR + LAIRS.index(place)]
        if creature:
            return name(creature, locale), str(CREATURES[creature].value)
        gone = not view.left[FIRST_LAIR + LAIRS.index(place)]
        return (say("empty", locale) if gone else name(place, locale)), ""
    if location.pile:
        card = view.tops[PILE_AT[location.pile]]
        return (name(card, locale), f"C{location.cost.coins}") if card else (name(place, locale), "–")
    if place in STAGES:
        return name(place, locale), brief(location.cost)
    if location.kind == "conversion":
        return name(place, locale), brief(STALLS[view.stall - 1][0]) if place == "market-row" else brief(location.cost)
    return name(place, locale), ""


def draw_river(view: BardwoodView, y: float, locale: Locale) -> list[Shape]:
    """The river of legends with its spaces and the boats on them."""
    shapes: list[Shape] = [Text(LEFT, y + 20, say("river", locale), 13, INK, bold=True)]
    step = 72.0
    for space in range(RIVER_END + 1):
        x = 78 + space * step
        level = next((level.name for level in LEVELS if level.boat == space), "")
        shapes.append(Box(x, y, step - 4, 32, PANEL, LINE, 6))
        shapes.append(Text(x + 6, y + 13, str(space), 11, FAINT))
        if level:
            shapes.append(Text(x + step - 9, y + 13, level, 11, ACCENT, "end", bold=True))
        boats = [seat for seat, player in enumerate(view.players) if player.boat == space and player.bard]
        for at, seat in enumerate(seat for seat in boats if not (view.solo and seat == 1)):
            shapes += draw_pawn(view, seat, x + 20 + at * 13, y + 21)
    return shapes


def draw_legends(view: BardwoodView, y: float, locale: Locale) -> tuple[list[Shape], float]:
    """The open legends by level and the motif tokens, line by line, and where they end."""
    shapes: list[Shape] = []
    lines = [
        say("legend", locale, level=level.name, names=", ".join(legend_words(view, slug, locale) for slug in slugs))
        for level, slugs in zip(LEVELS, view.legends, strict=True)
        if slugs
    ]
    names = ", ".join(name(motif, locale) for motif in view.motifs)
    lines += [say("motifs", locale, names=names or say("none", locale))] if view.act else []
    for line in lines:
        for row in wrap(line, RIGHT - LEFT, 11.5):
            y += 16
            shapes.append(Text(LEFT, y, row, 11.5, INK))
    return shapes, y + 4


def legend_words(view: BardwoodView, legend: str, locale: Locale) -> str:
    """A legend with the seats that told it."""
    told = [seat_sign(view, seat) for seat, player in enumerate(view.players) if legend in player.told]
    return name(legend, locale) + (f" ({' '.join(told)})" if told else "")


def wrap(words: str, room: float, size: float) -> list[str]:
    """Words in as many rows as they need."""
    rows, row = [], ""
    for word in words.split(" "):
        longer = f"{row} {word}".strip()
        if row and cut(longer, room, size) != longer:
            rows.append(row)
            row = f"   {word}"
        else:
            row = longer if not row.startswith("   ") else f"{row} {word}"
    return [*rows, row]
