"""Labels of the parts of a picture of Tír na nÓg, for screen readers and for touching."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from engine.game import Seat
from engine.games.tir_na_nog.rules.cards import CARDS
from engine.games.tir_na_nog.rules.geas import GEAS
from engine.games.tir_na_nog.rules.saga import POINT, ROWS, Saga, Standing
from engine.games.tir_na_nog.rules.state import BALOR
from engine.games.tir_na_nog.texts.cards import effect_text, geas_text, hint
from engine.games.tir_na_nog.texts.menu import ROWS_OF, between, card_title
from engine.games.tir_na_nog.texts.names import ROW_NAMES, WORDS, card_name, geas_name
from engine.games.tir_na_nog.texts.phrases import who
from engine.games.tir_na_nog.texts.table_text import worth
from engine.games.tir_na_nog.view import View
from engine.phrases import Phrases, localise
from engine.view import seat_signs
from engine.words import Locale, capitalise, of_name

LABELS = Phrases(
    {
        "space": ("Space {spot}, {between}", "Intervalle {spot}, {between}"),
        "corner": ("Corner {spot}, {between}", "Angle {spot}, {between}"),
        "teller": ("Storyteller of {who}", "barde {of}"),
        "lost": ("Lost Storyteller of {who}", "barde égaré {of}"),
        "marker": ("Balor’s marker", "pion Premier joueur"),
        "row": ("{row} row, place {slot}", "Rangée {row}, emplacement {slot}"),
        "place": ("{place}: {card}", "{place} : {card}"),
        "taken": ("{cell}, no card", "{cell}, sans carte"),
        "deck": ("Deck: {count}", "Pioche : {count}"),
        "discards": ("Discards: {count}", "Défausse : {count}"),
        "last": ("on top {card}", "au-dessus {card}"),
        "drawn": ("Drawn: {card}", "Piochée : {card}"),
        "points": ("{points} points", "{points} points"),
        "twice": ("twice", "deux fois"),
    }
)
DECKS = Phrases(
    {
        "deck": ("Deck", "Pioche"),
        "discards": ("Discards", "Défausse"),
        "drawn": ("Drawn card", "Carte piochée"),
    }
)


label = LABELS.say


def deck_label(name: str, locale: Locale) -> str:
    """Return the name of deck, discards or the drawn card."""
    return DECKS[locale][name] if name in DECKS else WORDS.name(name, locale)


def teller_sign(view: View, seat: Seat) -> str:
    """Return the letter on a Storyteller."""
    return "B" if view.solo and seat == BALOR else seat_signs(view.names, view.seats)[seat]


@lru_cache(maxsize=512)
def card_label(card: str, locale: Locale) -> str:
    """Describe a card: everything printed on it, and its effect."""
    ailm = ", Ailm" if CARDS[card].ailm else ""
    texts = [text for text in (hint(card, locale), effect_text(card, locale)) if text]
    said = "".join(f" {capitalise(text).rstrip('.')}." for text in texts)
    return f"{card_title(card, locale)}{ailm}.{said}"


@lru_cache(maxsize=4096)
def standing_label(standing: Standing, locale: Locale) -> str:
    """Describe a card of a Saga as it counts now."""
    whole = card_label(standing.card, locale)
    now = f"{card_name(standing.card, locale)} ({worth(standing, locale)})"
    return whole.replace(card_title(standing.card, locale), now, 1)


def spot_label(view: View, spot: str, locale: Locale) -> str:
    """Describe a spot: the cards around it, and the Storytellers there."""
    kind = "corner" if spot in view.world.corners else "space"
    beside = between(view, spot, locale) if view.grid else ""
    named = label(kind, locale, spot=spot, between=beside).rstrip(", ")
    parts = [named, *_tellers(view, spot, locale), *([label("marker", locale)] if spot == view.marker else [])]
    return {"en": "; ", "fr": "\N{NO-BREAK SPACE}; "}[locale].join(parts)


def _tellers(view: View, spot: str, locale: Locale) -> Iterator[str]:
    for seat, spots in enumerate(view.out):
        if spot in spots:
            name, key = who(view, seat, locale), "lost" if spot in view.lost_spots(seat) else "teller"
            teller = label(key, locale, who=name, of=of_name(name))
            yield from (teller for _ in range(spots.count(spot)))


def row_label(saga: Saga, row: str, locale: Locale) -> str:
    """Describe the place of the next card of a row."""
    slot = saga.slot(ROWS.index(row)) + 1
    return capitalise(label("row", locale, row=localise(ROWS_OF[row], locale), slot=slot))


def place_label(saga: Saga, place: str, locale: Locale) -> str:
    """Describe a card of a Saga with its place."""
    row, slot = POINT[place]
    standing = saga.standing[row]
    card = standing[slot] if slot < len(standing) else None
    name = WORDS.name(place, locale)
    return label("place", locale, place=name, card=standing_label(card, locale)) if card else name


def geas_label(view: View, row: int, seat: Seat | None, locale: Locale) -> str:
    """Describe a Geas: its whole text, the viewer's points for it so far, and Balor's."""
    slug = view.geas[row]
    parts = [
        f"{localise(ROW_NAMES[ROWS[row]], locale).capitalize()} – {geas_name(slug, locale)}. {geas_text(slug, locale)}"
    ]
    if seat is not None:
        parts.append(label("points", locale, points=GEAS[slug].score(view.sagas[seat])))
    if view.balor_score:
        parts.append(f"Balor {view.balor_score.counts[row].points}")
    return " · ".join(parts)


PLATE_WORDS = Phrases(
    {
        "turn": ("to act", "à jouer"),
        "resigned": ("resigned", "abandon"),
        "region": ("region", "région"),
    }
)


def plate_word(key: str, locale: Locale) -> str:
    """Return a word for a name plate."""
    return PLATE_WORDS[locale][key]
