"""The small phrases around the table of Tír na nÓg, in English and French."""

from __future__ import annotations

from engine.game import Seat
from engine.games.tir_na_nog.rules.state import BALOR
from engine.games.tir_na_nog.view import View
from engine.words import Locale

SAY: dict[Locale, dict[str, str]] = {
    "en": {
        "round": "round {round} of {rounds}",
        "asked": "{who} to act",
        "paused": "paused",
        "deck": "deck {deck}",
        "discards": "discards {discards}",
        "last": " (last {card})",
        "token": "first player {who}",
        "answered": "answers in: {who}",
        "geas": "Geas",
        "otherworld": "The Otherworld",
        "letters": "B blue, G green, R red, Y yellow",
        "standing": "(0) Storyteller of seat 0",
        "lost": "!0! Lost Storyteller",
        "shared": "0&1 two in one space",
        "marker": "* Balor’s marker",
        "balors": "(B) Balor’s Storyteller",
        "you": ", you",
        "resigned": ", resigned",
        "held": "{held} in hand",
        "tellers": "Storytellers {spots}",
        "is-lost": "Lost",
        "home": "{home} at home",
        "regions": "regions {sizes}",
        "used": "used: {cards}",
        "balor": "Balor ({level})",
        "side": "his card shows {side}",
        "marked": "marker at {spot}",
        "why": "His last choice: {why}.",
        "pile": "score pile {count} ({sizes})",
        "hand": "Your hand ({count})",
        "drawn": "  Drawn for Aengus’s Brú: {card}",
        "answer": "  Chosen to discard: {card}",
    },
    "fr": {
        "round": "manche {round} sur {rounds}",
        "asked": "à {who} d’agir",
        "paused": "partie suspendue",
        "deck": "pioche {deck}",
        "discards": "défausse {discards}",
        "last": " (dernière {card})",
        "token": "pion Premier joueur : {who}",
        "answered": "réponses reçues : {who}",
        "geas": "Geis",
        "otherworld": "L’Autre Monde",
        "letters": "B bleu, V vert, R rouge, J jaune",
        "standing": "(0) barde de la place 0",
        "lost": "!0! barde égaré",
        "shared": "0&1 deux dans un intervalle",
        "marker": "* pion Premier joueur",
        "balors": "(B) barde de Balor",
        "you": ", vous",
        "resigned": ", abandon",
        "held": "{held} en main",
        "tellers": "bardes {spots}",
        "is-lost": "égaré",
        "home": "{home} en réserve",
        "regions": "régions {sizes}",
        "used": "déjà utilisé : {cards}",
        "balor": "Balor (difficulté {level})",
        "side": "carte Référence sur {side}",
        "marked": "pion Premier joueur en {spot}",
        "why": "Son dernier choix – {why}.",
        "pile": "pile de score {count} ({sizes})",
        "hand": "Votre main ({count})",
        "drawn": "  Piochée pour le Tumulus d’Óengus : {card}",
        "answer": "  Choisie pour la défausse : {card}",
    },
}

ASKED: dict[Locale, dict[str, str]] = {
    "en": {
        "mark": "{who} to place Balor’s marker",
        "place": "{who} to place a Storyteller",
        "take": "{who} to take a card",
        "echtra": "{who} to take any card for a Lost Storyteller",
        "far": "{who} to take any card with Mag Mell",
        "keep": "{who} to keep the drawn card or discard it",
        "play": "{who} to play a card",
        "after": "{who} may still move the Leipreachán Cobblers",
        "resolve": "{who} to resolve the card just played",
        "keen": "{who} may move a Storyteller by the Keening Banshee",
        "cleanup": "to discard a card: {who}",
        "scoring": "{who} to choose a colour for Selkie Cove",
        "spare": "{who} to discard from Balor’s pile",
    },
    "fr": {
        "mark": "à {who} de poser le pion Premier joueur",
        "place": "à {who} de placer un barde",
        "take": "à {who} de prendre une carte",
        "echtra": "à {who} de prendre n’importe quelle carte pour un barde égaré",
        "far": "à {who} de prendre n’importe quelle carte grâce à Mag Mell",
        "keep": "à {who} de garder ou de défausser la carte piochée",
        "play": "à {who} de jouer une carte",
        "after": "{who} peut encore déplacer les Leprechauns cordonniers",
        "resolve": "à {who} de résoudre la carte jouée",
        "keen": "{who} peut déplacer un barde par la Complainte de la Banshee",
        "cleanup": "doivent défausser une carte : {who}",
        "scoring": "à {who} de choisir une couleur pour la Crique de la selkie",
        "spare": "à {who} de défausser de la pile de Balor",
    },
}


def who(view: View, seat: Seat, locale: Locale) -> str:
    """How texts call a seat; in a solo match seat 1 is Balor."""
    return "Balor" if view.solo and seat == BALOR else view.called(seat, locale)
