"""Refusals of Keltis: the rule that forbids a line."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from engine.games.keltis import cards as printed
from engine.games.keltis.rules import Discard, Draw, DrawFrom, Keltis, Last, LastCards, Lay, Stone, lay_card
from engine.games.keltis.words import card_name, row_colour
from engine.phrases import Phrases
from engine.reasons import Reason, in_languages, reason

if TYPE_CHECKING:
    from engine.game import Action, Seat

MOST_LAST_CARDS = 2
REFUSALS = Phrases(
    {
        "play-first": (
            "first lay a card, discard one or take a wish stone; the draw comes after that",
            "posez d’abord une carte, défaussez-en une ou prenez une Pierre de Vœux, la pioche vient après",
        ),
        "draw-now": (
            "you have already played this turn; now draw",
            "vous avez joué ce tour-ci, maintenant vous piochez",
        ),
        "not-last": (
            "last cards are laid only when the match ends",
            "les dernières cartes ne se posent qu’à la fin de la partie",
        ),
        "last-now": (
            "the match ends; say which last cards you lay, as in last none",
            "la partie se termine, dites quelles dernières cartes vous posez, par exemple last none",
        ),
        "two-last": ("you can lay at most two last cards", "on pose au plus deux dernières cartes"),
        "chance": ("the cards are dealt by chance", "c’est le hasard qui donne les cartes"),
        "not-in-hand": ("{card} is not in your hand", "vous n’avez pas {card} en main"),
        "one-only": ("you have {card} only once", "vous n’avez {card} qu’une fois"),
        "pair-values": (
            "a wish stone costs two cards of the same value",
            "une Pierre de Vœux se prend contre deux cartes de même valeur",
        ),
        "no-stone": (
            "there are wish stones for 1 to 9, not for {value}",
            "il y a des Pierres de Vœux de 1 à 9, pas pour {value}",
        ),
        "stone-taken": ("wish stone {value} is taken already", "la Pierre de Vœux {value} est déjà prise"),
        "own-row": ("{card} goes only on the row of its own colour", "{card} ne va que dans la série de sa couleur"),
        "row-ended": (
            "the {row} row has its End card, and only a second End may follow",
            "la série {row} a sa carte Fin, seule une seconde carte Fin peut suivre",
        ),
        "two-ends": ("the {row} row has two End cards already", "la série {row} a déjà deux cartes Fin"),
        "end-opens": (
            "an End card does not open a row, and the {row} row is empty",
            "une carte Fin n’ouvre pas de série, et la série {row} est vide",
        ),
        "rising": (
            "the {row} row rises, and its last card is {last}",
            "la série {row} monte, et sa dernière carte est {last}",
        ),
        "falling": (
            "the {row} row falls, and its last card is {last}",
            "la série {row} descend, et sa dernière carte est {last}",
        ),
        "point-value": (
            "on a colour row a Point card must repeat the last value, and in the {row} row that is {last}",
            "une carte Point répète la dernière valeur d’une série, et dans la série {row} c’est {last}",
        ),
        "point-opens": (
            "a Point card does not open a colour row, and the {row} row is empty",
            "une carte Point n’ouvre pas de série de couleur, et la série {row} est vide",
        ),
        "deck-empty": ("the deck is empty", "la pioche est vide"),
        "pile-empty": ("the {row} discard pile is empty", "la défausse {row} est vide"),
        "pile-closed": (
            "you have just discarded on the {row} pile, so it is closed in this turn",
            "vous venez de défausser sur la pile {row}, elle est fermée ce tour-ci",
        ),
    }
)
refuse = REFUSALS.refuse


def refusal(state: Keltis, seat: Seat, action: Action[Keltis]) -> Reason | None:  # noqa: PLR0911  # a rule each
    """Name the rule that forbids this line to the seat that is asked."""
    step = state.agenda[0]
    if not isinstance(action, Discard | Stone | Lay | DrawFrom | LastCards):
        return refuse("chance")
    if isinstance(step, Draw):
        return _draw(step, action) if isinstance(action, DrawFrom) else refuse("draw-now")
    if isinstance(step, Last):
        return _last(state, seat, action) if isinstance(action, LastCards) else refuse("last-now")
    match action:
        case DrawFrom():
            return refuse("play-first")
        case LastCards():
            return refuse("not-last")
        case Discard(card):
            return _missing(state, seat, card)
        case Stone(one, two):
            return _stone(state, seat, one, two)
        case Lay(card, row):
            return _lay(state, seat, card, row)
    return None


def _missing(state: Keltis, seat: Seat, *cards: str) -> Reason | None:
    """Name the first of these cards that the seat lacks."""
    hand = Counter(state.hands[seat])
    for card, number in Counter(cards).items():
        if hand[card] < number:
            return refuse("one-only" if hand[card] else "not-in-hand", card=in_languages(card_name, card))
    return None


def _stone(state: Keltis, seat: Seat, one: str, two: str) -> Reason | None:
    missing = _missing(state, seat, one, two)
    if missing is not None:
        return missing
    value = printed.VALUE[one]
    if value != printed.VALUE[two]:
        return refuse("pair-values")
    if value not in printed.STONES:
        return refuse("no-stone", value=value)
    if value not in state.line:
        return refuse("stone-taken", value=value)
    return reason("line.written", line=f"stone {' '.join(sorted((one, two), key=printed.ORDER.__getitem__))}")


def _lay(state: Keltis, seat: Seat, card: str, row: str | None) -> Reason | None:
    missing = _missing(state, seat, card)
    if missing is not None:
        return missing
    if row is not None and card[0] != printed.POINT:
        if row == card[0]:
            return reason("line.written", line=f"lay {card}")
        return refuse("own-row", card=in_languages(card_name, card))
    return _row(state, seat, card, printed.COLOURS.index(row) if row else printed.PILE[card])


def _row(state: Keltis, seat: Seat, card: str, pile: int) -> Reason | None:
    """Name the rule by which a card does not lengthen a row."""
    laid_there = state.rows[seat][pile]
    if card in printed.fitting_cards(laid_there, pile, state.end_may_open):
        return None
    values = [printed.VALUE[each] for each in laid_there if each in printed.VALUE]
    ends = len(laid_there) - len(values)
    row = in_languages(row_colour, printed.PILES[pile])
    if card in printed.ENDS:
        return refuse("two-ends" if ends >= printed.ENDS_IN_A_ROW else "end-opens", row=row)
    if ends:
        return refuse("row-ended", row=row)
    if not values:
        return refuse("point-opens", row=row)
    if card[0] == printed.POINT:
        return refuse("point-value", last=values[-1], row=row)
    return refuse("falling" if printed.VALUE[card] > values[-1] else "rising", last=values[-1], row=row)


def _draw(step: Draw, action: DrawFrom) -> Reason:
    if action.source == "deck":
        return refuse("deck-empty")
    key = "pile-closed" if action.source in step.closed else "pile-empty"
    return refuse(key, row=in_languages(row_colour, action.source))


def _last(state: Keltis, seat: Seat, action: LastCards) -> Reason | None:
    if len(action.lays) > MOST_LAST_CARDS:
        return refuse("two-last")
    for lay in action.lays:
        card, _, colour = lay.partition(":")
        refused = _lay(state, seat, card, colour or None)
        if refused is not None:
            return refused
        state = lay_card(state, seat, lay)
    return None
