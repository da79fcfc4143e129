"""Why Balor does what he does, in plain words."""

from __future__ import annotations

from engine.games.tir_na_nog.rules.state import HIGHEST, Gaze
from engine.games.tir_na_nog.texts.names import SIDE_NAMES, card_name, pick_of
from engine.games.tir_na_nog.view import View
from engine.words import Locale

SAY: dict[Locale, dict[str, str]] = {
    "en": {
        "turned": "Balor turns {card}{ailm}; his card shows {side}.",
        "ailm": ", whose Ailm flips his card",
        "place": "{best} sum {sum} at {spot}",
        "take": "{best} card he touches: {sum} at {spot}",
        "echtra": "{best} card left, on his Echtra Quest: {sum} at {spot}",
        "highest": "highest",
        "lowest": "lowest",
        "passed": "occupied already: {spots}",
        "tied": "tie with {others} broken clockwise from the marker at {marker}",
        "tellers": "the Storyteller at {first} goes home, for it comes before {others} on the same walk",
        "and": " and ",
    },
    "fr": {
        "turned": "Balor révèle {card}{ailm} ; sa carte Référence est sur {side}.",
        "ailm": ", dont l’Ailm retourne sa carte Référence",
        "place": "somme {best} : {sum} en {spot}",
        "take": "carte {best} à son contact : {sum} en {spot}",
        "echtra": "carte {best} encore là, pour sa Quête de l’Echtra : {sum} en {spot}",
        "highest": "la plus forte",
        "lowest": "la plus faible",
        "passed": "déjà occupé : {spots}",
        "tied": "égalité avec {others}, tranchée en sens horaire depuis le pion Premier joueur en {marker}",
        "tellers": "le barde en {first} rentre, car il précède {others} sur ce même parcours",
        "and": " et ",
    },
}


def reason(view: View, gaze: Gaze, locale: Locale) -> str:
    """Why he chose as he did: highest sum 13 at a1a2, tie with c1c2 broken clockwise from the marker at a2a3."""
    say = SAY[locale]
    what = "echtra" if gaze.echtra else gaze.verb
    best = say["highest" if gaze.side == HIGHEST else "lowest"]
    parts = [say[what].format(best=best, sum=gaze.best, spot=gaze.tied[0])]
    if gaze.passed:
        parts.append(say["passed"].format(spots=", ".join(gaze.passed)))
    if gaze.tied[1:]:
        parts.append(say["tied"].format(others=_listed(gaze.tied[1:], say["and"]), marker=view.marker))
    if gaze.tellers[1:]:
        parts.append(say["tellers"].format(first=gaze.tellers[0], others=_listed(gaze.tellers[1:], say["and"])))
    return "; ".join(parts) if locale == "en" else " ; ".join(parts)


def turning(card: str, *, flipped: bool, side: str, locale: Locale) -> str:
    """What the card turned for Balor means."""
    say = SAY[locale]
    ailm = say["ailm"] if flipped else ""
    return say["turned"].format(card=card_name(card, locale), ailm=ailm, side=pick_of(SIDE_NAMES[side], locale))


def _listed(words: tuple[str, ...], last: str) -> str:
    return last.join((", ".join(words[:-1]), words[-1])) if words[1:] else words[0]
