"""The table of Bardwood Grove drawn with characters, in at most 100 columns."""

from __future__ import annotations

from engine.games.bardwood_grove.rules.board import HERE, REGIONS
from engine.games.bardwood_grove.texts import table_places as places
from engine.games.bardwood_grove.texts import table_seats as seats
from engine.games.bardwood_grove.texts.names import brief, name
from engine.games.bardwood_grove.texts.table_phrases import fold, say
from engine.games.bardwood_grove.view import BardwoodView
from engine.words import Locale, french

WIDTH = 100
CELL = 23
MOST_PLACES = 4


def text(view: BardwoodView, locale: Locale) -> str:
    """The whole table: round, act and pools, the map, what lies where, every seat, and the viewer's cards."""
    found = [
        seats.heading(view, locale, WIDTH),
        draw_map(view, locale),
        fold(say("letters", locale), WIDTH),
        places.lairs(view, locale, WIDTH, brief),
        places.shops(view, locale, WIDTH, brief),
        places.stages(view, locale, WIDTH, brief),
        places.conversions(view, locale, WIDTH, brief),
        places.legends(view, locale, WIDTH, brief),
        places.motifs(view, locale, WIDTH),
        *(seats.seat_lines(view, seat, locale, WIDTH) for seat in seats.seat_order(view)),
        seats.song_now(view, locale, WIDTH),
        seats.own_cards(view, locale, WIDTH, brief),
        seats.final_count(view, locale, WIDTH),
    ]
    whole = "\n\n".join("\n".join(part) for part in found if part)
    return french(whole) if locale == "fr" else whole


def draw_map(view: BardwoodView, locale: Locale) -> list[str]:
    """Twelve regions in three rows, each with the pawns that stand there and the locations on its border."""
    rule = "+" + "+".join("-" * CELL for _ in range(4)) + "+"
    lines = [rule]
    for start in range(0, len(REGIONS), 4):
        cells = [map_cell(view, region, locale) for region in REGIONS[start : start + 4]]
        lines += ["|" + "|".join(f"{row:<{CELL}}" for row in rows) + "|" for rows in zip(*cells, strict=True)]
        lines.append(rule)
    return lines


def map_cell(view: BardwoodView, region: str, locale: Locale) -> list[str]:
    """One region: its name with the seats whose pawns stand there, then its locations."""
    pawns = "".join(
        f"({'R' if view.solo and seat == 1 else seat})"
        for seat, player in enumerate(view.players)
        if player.region == region and player.bard
    )
    shown = [f" {name(place, locale)}"[:CELL] for place in HERE[region]]
    return [f" {region} {pawns}", *shown, *[""] * (MOST_PLACES - len(shown))]


INKS: tuple[tuple[str, str], ...] = (
    (r"\([0-9R]\)", "bold"),
    (r"\bG\d+\b|\b\d+ (?:gems?|gemmes?)\b", "green"),
    (r"\bM\d+\b", "magenta"),
    (r"\bL\d+\b", "blue"),
    (r"\bV\d+\b", "yellow"),
    (r"\bboss\b", "red"),
)
"""What the terminal colours."""
