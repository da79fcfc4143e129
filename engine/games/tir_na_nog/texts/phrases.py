"""The small phrases around the table of Tír na nÓg, in English and French."""

from __future__ import annotations

from engine.game import Seat
from engine.games.tir_na_nog.rules.state import BALOR
from engine.games.tir_na_nog.view import View
from engine.phrases import by_locale
from engine.words import Locale

SAY = by_locale(
    {
        "round": ("round {round} of {rounds}", "manche {round} sur {rounds}"),
        "asked": ("{who} to act", "à {who} d’agir"),
        "paused": ("paused", "partie suspendue"),
        "deck": ("deck {deck}", "pioche {deck}"),
        "discards": ("discards {discards}", "défausse {discards}"),
        "last": (" (last {card})", " (dernière {card})"),
        "token": ("first player {who}", "pion Premier joueur : {who}"),
        "answered": ("answers in: {who}", "réponses reçues : {who}"),
        "geas": ("Geas", "Geis"),
        "otherworld": ("The Otherworld", "L’Autre Monde"),
        "letters": ("B blue, G green, R red, Y yellow", "B bleu, V vert, R rouge, J jaune"),
        "standing": ("(0) Storyteller of player 0", "(0) barde du joueur 0"),
        "lost": ("!0! Lost Storyteller", "!0! barde égaré"),
        "shared": ("0&1 two in one space", "0&1 deux dans un intervalle"),
        "marker": ("* Balor’s marker", "* pion Premier joueur"),
        "balors": ("(B) Balor’s Storyteller", "(B) barde de Balor"),
        "you": (", you", ", vous"),
        "resigned": (", resigned", ", abandon"),
        "held": ("{held} in hand", "{held} en main"),
        "tellers": ("Storytellers {spots}", "bardes {spots}"),
        "is-lost": ("Lost", "égaré"),
        "home": ("{home} at home", "{home} en réserve"),
        "regions": ("regions {sizes}", "régions {sizes}"),
        "used": ("used: {cards}", "déjà utilisé : {cards}"),
        "balor": ("Balor ({level})", "Balor (difficulté {level})"),
        "side": ("his card shows {side}", "carte Référence sur {side}"),
        "marked": ("marker at {spot}", "pion Premier joueur en {spot}"),
        "why": ("His last choice: {why}.", "Son dernier choix – {why}."),
        "pile": ("score pile {count} ({sizes})", "pile de score {count} ({sizes})"),
        "hand": ("Your hand ({count})", "Votre main ({count})"),
        "drawn": ("Drawn for Aengus’s Brú: {card}", "Piochée pour le Tumulus d’Óengus : {card}"),
        "answer": ("Chosen to discard: {card}", "Choisie pour la défausse : {card}"),
    }
)

ASKED = by_locale(
    {
        "mark": ("{who} to place Balor’s marker", "à {who} de poser le pion Premier joueur"),
        "place": ("{who} to place a Storyteller", "à {who} de placer un barde"),
        "take": ("{who} to take a card", "à {who} de prendre une carte"),
        "echtra": (
            "{who} to take any card for a Lost Storyteller",
            "à {who} de prendre n’importe quelle carte pour un barde égaré",
        ),
        "far": ("{who} to take any card with Mag Mell", "à {who} de prendre n’importe quelle carte grâce à Mag Mell"),
        "keep": ("{who} to keep the drawn card or discard it", "à {who} de garder ou de défausser la carte piochée"),
        "play": ("{who} to play a card", "à {who} de jouer une carte"),
        "after": (
            "{who} may still move the Leipreachán Cobblers",
            "{who} peut encore déplacer les Leprechauns cordonniers",
        ),
        "resolve": ("{who} to resolve the card just played", "à {who} de résoudre la carte jouée"),
        "keen": (
            "{who} may move a Storyteller by the Keening Banshee",
            "{who} peut déplacer un barde par la Complainte de la Banshee",
        ),
        "cleanup": ("to discard a card: {who}", "doivent défausser une carte : {who}"),
        "scoring": (
            "{who} to choose a colour for Selkie Cove",
            "à {who} de choisir une couleur pour la Crique de la selkie",
        ),
        "spare": ("{who} to discard from Balor’s pile", "à {who} de défausser de la pile de Balor"),
    }
)


def who(view: View, seat: Seat, locale: Locale) -> str:
    """Return the name of a seat. In a solo match seat 1 is Balor."""
    return "Balor" if view.solo and seat == BALOR else view.called(seat, locale)
