"""The table of Bardwood Grove for letters and for reading aloud: lists instead of drawings, at most 78 columns."""

from __future__ import annotations

from functools import lru_cache

from engine.games.bardwood_grove.rules.board import HERE, REGIONS
from engine.games.bardwood_grove.rules.effects import Effect
from engine.games.bardwood_grove.texts import table_places as places
from engine.games.bardwood_grove.texts import table_seats as seats
from engine.games.bardwood_grove.texts.names import Pair, effect, name, pick_of
from engine.games.bardwood_grove.texts.table_phrases import INDENT, fold
from engine.games.bardwood_grove.view import BardwoodView
from engine.words import Locale, french

WIDTH = 78
REGION: Pair = ("Regions", "Régions")
HERE_ARE: Pair = ("; here: {who}", " ; ici : {who}")
NOTHING: Pair = ("nothing", "rien")


def prose(view: BardwoodView, locale: Locale) -> str:
    """Return the whole table, line by line in the order in which it is read."""

    def words(value: Effect) -> str:
        return effect(value, locale) or pick_of(NOTHING, locale)

    found = [
        seats.heading(view, locale, WIDTH),
        seats.song_now(view, locale, WIDTH),
        seats.own_cards(view, locale, WIDTH, words),
        *(seats.seat_lines(view, seat, locale, WIDTH) for seat in view.clockwise),
        regions(view, locale),
        places.lairs(view, locale, WIDTH, words),
        places.shops(view, locale, WIDTH, words),
        places.stages(view, locale, WIDTH, words),
        places.conversions(view, locale, WIDTH, words),
        places.legends(view, locale, WIDTH, words),
        places.motifs(view, locale, WIDTH),
        seats.final_count(view, locale, WIDTH),
    ]
    whole = "\n\n".join("\n".join(part) for part in found if part)
    return french(whole) if locale == "fr" else whole


def regions(view: BardwoodView, locale: Locale) -> list[str]:
    """Return each region with its locations and bards."""
    lines = [pick_of(REGION, locale)]
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
    here = pick_of(HERE_ARE, locale).format(who=", ".join(pawns)) if pawns else ""
    shown = ", ".join(name(place, locale) for place in HERE[region])
    return tuple(fold(f"{region} {shown}{here}", WIDTH, INDENT))
