"""Labels of the parts of a picture of Keltis, for screen readers and for touching."""

from __future__ import annotations

from collections import Counter

from engine.game import Seat
from engine.games.keltis.cards import PILES, POINT, Card
from engine.games.keltis.view import KeltisView
from engine.games.keltis.words import card_code, card_codes, card_name, row_colour
from engine.lettering import shorten_name
from engine.phrases import Phrases
from engine.words import Locale

LABELS = Phrases(
    {
        "row": ("{whose} {colour} row ({code})", "{whose} série {colour} ({code})"),
        "point row": ("{whose} Point row ({code})", "{whose} série neutre ({code})"),
        "your": ("Your", "Votre"),
        "whose": ("{who}’s", "{who} :"),
        "pile": ("Discards, {colour} ({code})", "Défausse {colour} ({code})"),
        "point pile": ("Discards, Points ({code})", "Défausse neutre ({code})"),
        "empty": ("empty", "vide"),
        "top": ("{card} on top of {count}", "{card} sur {count} cartes"),
        "only": ("{card}", "{card}"),
        "closed": ("closed this turn", "fermée ce tour-ci"),
        "deck": ("Deck: {deck}", "Pioche : {deck}"),
        "stone": ("Wish stone {stone}", "Pierre de Vœux {stone}"),
        "gone": ("Wish stone {stone}, gone", "Pierre de Vœux {stone}, prise"),
        "stones": ("Wish stones", "Pierres de Vœux"),
        "no stones": ("no stones", "sans Pierre"),
        "twice": ("twice", "deux fois"),
        "held": ("{held} in hand", "{held} en main"),
        "hand of": ("{who}: {held}", "{who} : {held}"),
        "hand": ("Your hand", "Votre main"),
        "piles": ("Discards", "Défausses"),
        "play": ("to play", "à jouer"),
        "draw": ("to draw", "à piocher"),
        "last": ("last cards", "dernières cartes"),
        "resigned": ("resigned", "abandon"),
    }
)


def with_sign(points: int) -> str:
    """Return points with a plus or minus sign."""
    return f"{'+' if points > 0 else ''}{points}".replace("-", "−")


def minus_sign(points: int) -> str:
    """Return a total with a proper minus sign, and without a plus."""
    return str(points).replace("-", "−")


def seat_state(view: KeltisView, seat: Seat) -> tuple[str, bool]:
    """Return the key in `LABELS` of a seat's state, or an empty text; and True if the table waits for the seat."""
    asked = seat in view.asked and view.phase in LABELS
    return view.phase if asked else "resigned" if seat in view.resigned else "", asked


def row_label(view: KeltisView, seat: Seat, pile: str, locale: Locale) -> str:
    """Describe a row: its owner, its cards and its points."""
    words, at = LABELS[locale], PILES.index(pile)
    whose = words["your"] if seat == view.seat else words["whose"].format(who=view.called(seat, locale))
    name = words["point row" if pile == POINT else "row"]
    named = name.format(whose=whose, colour=row_colour(pile, locale), code=card_code(pile, locale))
    row = view.rows[seat][at]
    if not row:
        return f"{named}, {words['empty']}"
    return f"{named}, {card_codes(row, locale)}, {with_sign(view.scores[seat].counts[at].points)}"


def pile_label(view: KeltisView, pile: str, locale: Locale) -> str:
    """Describe a discard pile: its colour, its top card and how many cards it has."""
    words, cards = LABELS[locale], view.piles[PILES.index(pile)]
    name = words["point pile" if pile == POINT else "pile"]
    named = name.format(colour=row_colour(pile, locale), code=card_code(pile, locale))
    if not cards:
        return f"{named}, {words['empty']}"
    top = words["top" if len(cards) > 1 else "only"].format(card=card_name(cards[-1], locale), count=len(cards))
    closed = f", {words['closed']}" if pile in view.closed else ""
    return f"{named}, {top}{closed}"


def hand_label(card: Card, count: int, locale: Locale) -> str:
    """Describe a card of the hand, and say if there are two of it."""
    twice = f", {LABELS[locale]['twice']} ×{count}" if count > 1 else ""
    return f"{card_name(card, locale)} ({card_code(card, locale)}){twice}"


def stones_label(view: KeltisView, seat: Seat, locale: Locale) -> str:
    """Describe the wish stones of a seat and their points."""
    words, points = LABELS[locale], with_sign(view.scores[seat].counts[-1].points)
    numbers = " ".join(map(str, sorted(view.stones[seat])))
    return f"{words['stones']} {numbers}, {points}" if numbers else f"{words['no stones']} {points}"


NAME_ROOM = 190.0
"""The room for a name before the cards of a hand in words, at size 12."""


def hands_in_words(view: KeltisView, locale: Locale) -> list[str]:
    """Say for each seat how many cards it holds, or at the end which ones are left."""
    lines = []
    for seat in view.clockwise:
        cards = card_codes(view.left[seat], locale) if view.over else ""
        held = LABELS[locale]["held"].format(held=cards or view.held[seat])
        lines.append(
            LABELS[locale]["hand of"].format(who=shorten_name(view.called(seat, locale), NAME_ROOM, 12), held=held)
        )
    return lines


def counted_hand(view: KeltisView) -> Counter[Card]:
    """Count the different cards of the hand, in their order."""
    return Counter(view.hand)
