"""The table of Bardwood Grove drawn with characters in 100 or 80 columns, and in prose for emails in 78."""

from __future__ import annotations

from functools import lru_cache
from itertools import zip_longest

from engine.games.bardwood_grove.rules.board import HERE, REGIONS
from engine.games.bardwood_grove.rules.effects import Effect
from engine.games.bardwood_grove.texts import table_places as places
from engine.games.bardwood_grove.texts import table_seats as seats
from engine.games.bardwood_grove.texts.names import brief, effect, name
from engine.games.bardwood_grove.texts.table_phrases import INDENT, fold, say
from engine.games.bardwood_grove.view import BardwoodView
from engine.lines import fold_words, join_parts
from engine.words import Locale

WIDTH = 100
NARROW = 80
CELLS = {WIDTH: 23, NARROW: 18}
"""Width of the inside of a region on the map."""
MOST_PLACES = 4


def text(view: BardwoodView, locale: Locale) -> str:
    """Return the whole table: round, act and pools, the map, the locations, the seats, own cards, and the count."""
    return join_parts([*_parts(view, locale, WIDTH), seats.final_count(view, locale, WIDTH)], locale)


def board(view: BardwoodView, locale: Locale, width: int) -> str:
    """Return the table for a terminal of this width, at least 80 columns, without the count."""
    return join_parts(_parts(view, locale, WIDTH if width >= WIDTH else NARROW), locale)


def _parts(view: BardwoodView, locale: Locale, width: int) -> list[list[str]]:
    return [
        seats.heading(view, locale, width),
        draw_map(view, locale, CELLS[width]),
        fold(say("letters", locale), width),
        *_places(view, locale, width, brief),
        *(seats.seat_lines(view, seat, locale, width) for seat in view.clockwise),
        seats.song_now(view, locale, width),
        seats.own_cards(view, locale, width, brief),
    ]


def _places(view: BardwoodView, locale: Locale, width: int, effects: places.Effects) -> list[list[str]]:
    parts = (places.lairs, places.shops, places.stages, places.conversions, places.legends)
    return [*(part(view, locale, width, effects) for part in parts), places.motifs(view, locale, width)]


def draw_map(view: BardwoodView, locale: Locale, cell: int) -> list[str]:
    """Draw the twelve regions in three rows, each with its pawns and the locations on its border."""
    rule = "+" + "+".join("-" * cell for _ in range(4)) + "+"
    lines = [rule]
    for start in range(0, len(REGIONS), 4):
        cells = [map_cell(view, region, locale, cell) for region in REGIONS[start : start + 4]]
        rows = zip_longest(*cells, fillvalue="")
        lines += ["|" + "|".join(f"{words:<{cell}}" for words in row) + "|" for row in rows]
        lines.append(rule)
    return lines


def map_cell(view: BardwoodView, region: str, locale: Locale, cell: int) -> list[str]:
    """Return one region: its name with the seats whose pawns are there, then its locations."""
    pawns = "".join(
        f"({'R' if view.solo and seat == 1 else seat})"
        for seat, player in enumerate(view.players)
        if player.region == region and player.bard
    )
    shown = [line for place in HERE[region] for line in fold_words(name(place, locale), cell, " ", "   ")]
    return [f" {region} {pawns}", *shown, *[""] * (MOST_PLACES - len(shown))]


INKS: tuple[tuple[str, str], ...] = (
    (r"\([0-9R]\)", "bold"),
    (r"\bG\d+\b|\b\d+ (?:gems?|gemmes?)\b", "green"),
    (r"\bM\d+\b", "magenta"),
    (r"\bL\d+\b", "blue"),
    (r"\bV\d+\b", "yellow"),
    (r"\bboss\b", "red"),
)
"""Patterns that the terminal colours."""


PROSE_WIDTH = 78


def prose(view: BardwoodView, locale: Locale) -> str:
    """Return the whole table, line by line in the order in which it is read."""

    def words(value: Effect) -> str:
        return effect(value, locale) or say("nothing", locale)

    found = [
        seats.heading(view, locale, PROSE_WIDTH),
        seats.song_now(view, locale, PROSE_WIDTH),
        seats.own_cards(view, locale, PROSE_WIDTH, words),
        *(seats.seat_lines(view, seat, locale, PROSE_WIDTH) for seat in view.clockwise),
        regions(view, locale),
        *_places(view, locale, PROSE_WIDTH, words),
        seats.final_count(view, locale, PROSE_WIDTH),
    ]
    return join_parts(found, locale)


def regions(view: BardwoodView, locale: Locale) -> list[str]:
    """Return each region with its locations and bards."""
    lines = [say("regions", locale)]
    for region in REGIONS:
        pawns = [
            view.called(seat, locale)
            for seat, player in enumerate(view.players)
            if player.region == region and player.bard
        ]
        lines += region_lines(region, tuple(pawns), locale)
    return lines


@lru_cache(maxsize=1024)
def region_lines(region: str, pawns: tuple[str, ...], locale: Locale) -> tuple[str, ...]:
    """Return a region with its locations and the seats whose bards are there."""
    here = say("here", locale, who=", ".join(pawns)) if pawns else ""
    shown = ", ".join(name(place, locale) for place in HERE[region])
    return tuple(fold(f"{region} {shown}{here}", PROSE_WIDTH, INDENT))
