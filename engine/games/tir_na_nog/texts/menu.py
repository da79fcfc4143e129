"""Menu sentences for actions, and the short forms that people type."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from engine.game import Action, Options
from engine.games.tir_na_nog.rules import actions
from engine.games.tir_na_nog.rules.actions import PLAYS, Take
from engine.games.tir_na_nog.rules.cards import CARDS
from engine.games.tir_na_nog.rules.saga import POINT, Placed, Saga
from engine.games.tir_na_nog.rules.score import awards, pile_regions, region_prizes
from engine.games.tir_na_nog.rules.state import BALOR, ROUNDS, STORYTELLERS
from engine.games.tir_na_nog.texts.names import WORDS, card_name
from engine.games.tir_na_nog.texts.phrases import who
from engine.games.tir_na_nog.texts.table_text import sign
from engine.games.tir_na_nog.view import View
from engine.phrases import Pair, Phrases, localise
from engine.reading import SEPARATORS, Unclear, choose_option, fits, tokenise
from engine.task import Task, fill_task
from engine.words import AND, Locale, of_name

FEMININE: dict[str, Pair] = {
    "blue": ("blue", "bleue"),
    "green": ("green", "verte"),
    "red": ("red", "rouge"),
    "yellow": ("yellow", "jaune"),
}
SENTENCES = Phrases(
    {
        "mark": ("Put Balor’s marker at {spot}, {between}", "Poser le pion Premier joueur en {spot}, {between}"),
        "place": ("Place a Storyteller at {spot}, {between}", "Placer un barde en {spot}, {between}"),
        "corner": (
            "Place a Storyteller on the corner {spot}, {between} (Merrow Milliners)",
            "Placer un barde dans l’angle {spot}, {between} (Merrows modistes)",
        ),
        "join": (
            "Join the Storyteller at {spot}, {between} (Brú na Bóinne)",
            "Rejoindre le barde en {spot}, {between} (Brú na Bóinne)",
        ),
        "take": (
            "Take {card} at {cell}; the Storyteller at {spot} goes home",
            "Prendre {card} en {cell} ; le barde en {spot} rentre",
        ),
        "keep": (
            "Keep {card}; the Lost Storyteller at {spot} goes home",
            "Garder {card} ; le barde égaré en {spot} rentre",
        ),
        "play": ("Play {card} to the {row} row, place {slot}", "Jouer {card} sur la rangée {row}, emplacement {slot}"),
        "far": ("Discard Mag Mell to take any card", "Défausser Mag Mell pour prendre n’importe quelle carte"),
        "refuse": (
            "Discard the drawn {card} and take a card of the Otherworld",
            "Défausser {card}, tout juste piochée, et prendre une carte de l’Autre Monde",
        ),
        "forced": (
            "Discard {card} without effect, since no card can be played",
            "Défausser {card} sans effet, faute de pouvoir jouer",
        ),
        "discard": ("Discard {card}", "Défausser {card}"),
        "spare": ("Discard {card} from Balor’s pile: {effect}", "Défausser {card} de la pile de Balor : {effect}"),
        "paint": ("Turn {card} at {place} {colour}", "Rendre {card} en {place} {colour}"),
        "become": ("{card} at {place} becomes {colour}", "{card} en {place} devient {colour}"),
        "remain": ("{card} at {place} remains {colour}", "{card} en {place} reste {colour}"),
        "swap": ("Swap {card} at {place} with {other} at {end}", "Échanger {card} en {place} avec {other} en {end}"),
        "shift": ("Move {card} from {place} to {end}", "Déplacer {card} de {place} à {end}"),
        "wander": (
            "Move the Storyteller of {whose} from {spot} to {end}",
            "Déplacer le barde {of} de {spot} à {end}",
        ),
        "eat": ("Eat {card} at {place} for its value {value}", "Dévorer {card} en {place} pour sa valeur {value}"),
        "adjust": ("Make {card} at {place} worth {value}", "Donner à {card} en {place} la valeur {value}"),
        "stay": ("Leave it at that", "Ne rien changer"),
        "stay-after": ("End the turn", "Finir le tour"),
        "stay-keen": ("Leave the Storyteller Lost at {about}", "Laisser le barde égaré en {about}"),
    }
)
SPARED: Pair = (
    "{colour} {size} -> {less} against your {mine}, you {was[0]} -> {then[0]} VP, Balor {was[1]} -> {then[1]} VP",
    "{colour} {size} -> {less} contre {mine} chez vous, vous {was[0]} -> {then[0]} PV, Balor {was[1]} -> {then[1]} PV",
)
ROWS_OF: dict[str, Pair] = {
    "top": ("top", "du haut"),
    "middle": ("middle", "du milieu"),
    "bottom": ("bottom", "du bas"),
}


def say(view: View, action: Action[Any], locale: Locale) -> str:
    """Return one short sentence for a menu."""
    key, words = _sentence(view, action, locale)
    return SENTENCES.say(key, locale, **words) if key in SENTENCES else action.line


Spoken = tuple[str, dict[str, object]]
"""The kind of sentence, and the words that go into it."""


def _sentence(view: View, action: Action[Any], locale: Locale) -> Spoken:
    match action:
        case actions.Play(card, row):
            slot = _saga(view).slot(actions.ROW_AT[row]) + 1
            return "play", {"card": card_title(card, locale), "row": localise(ROWS_OF[row], locale), "slot": slot}
        case actions.Discard(card):
            effect = spare_effect(view, card, locale) if view.asking.what == "spare" else ""
            return _discarding_key(view, card), {"card": card_title(card, locale), "effect": effect}
        case actions.Stay():
            what = f"stay-{view.asking.what}"
            return what if what in SENTENCES else "stay", {"about": view.asking.about}
        case actions.Paint(place, colour):
            words = _at(view, place, locale) | {"colour": localise(FEMININE[colour], locale)}
            return _painting_key(view, place, colour), words
    return _teller_sentence(view, action, locale) or _saga_sentence(view, action, locale)


def _teller_sentence(view: View, action: Action[Any], locale: Locale) -> Spoken | None:
    """Return the sentence for a Storyteller's action, or None."""
    match action:
        case actions.Mark(spot) | actions.Place(spot):
            return _placing_key(view, action, spot), {"spot": spot, "between": between(view, spot, locale)}
        case actions.Take(cell, spot):
            return "take", {"card": card_title(view.cards[cell], locale), "cell": cell, "spot": spot}
        case actions.Keep(spot):
            return "keep", {"card": card_title(view.drawn, locale), "spot": spot}
        case actions.Wander(start, end, whose):
            name = who(view, _owner(view, start, whose), locale)
            return "wander", {"whose": name, "of": of_name(name), "spot": start, "end": end}
    return None


def _saga_sentence(view: View, action: Action[Any], locale: Locale) -> Spoken:
    """Return the sentence for a change to the viewer's Saga."""
    saga = _saga(view)
    match action:
        case actions.Swap(one, other):
            there = _at(view, other, locale)
            return "swap", _at(view, one, locale) | {"other": there["card"], "end": there["place"]}
        case actions.Shift(place, row):
            end = f"{row}{saga.slot(actions.ROW_AT[row]) + 1}"
            return "shift", _at(view, place, locale) | {"end": WORDS.name(end, locale)}
        case actions.Eat(place):
            row_at, slot = POINT[place]
            return "eat", _at(view, place, locale) | {"value": saga.values[row_at][slot]}
        case actions.Adjust(place, by):
            row_at, slot = POINT[place]
            placed = saga.card((row_at, slot))
            changed = saga.put((row_at, slot), Placed(placed.card, placed.colour, placed.extra + int(by)))
            return "adjust", _at(view, place, locale) | {"value": f"{changed.values[row_at][slot]} ({by})"}
    return "", {}


def card_title(card: str, locale: Locale) -> str:
    """Return a card with its printed colour and value: Lugh (Y7)."""
    if card not in CARDS:
        return card
    return f"{card_name(card, locale)} ({sign(CARDS[card].colour, CARDS[card].value, locale)})"


def between(view: View, spot: str, locale: Locale) -> str:
    """Say between which cards a spot lies."""
    return _between_cards(tuple(view.grid[at] for at in view.world.touched[spot] if view.grid[at]), locale)


@lru_cache(maxsize=4096)
def _between_cards(slugs: tuple[str, ...], locale: Locale) -> str:
    cards = [card_title(slug, locale) for slug in slugs]
    if not cards:
        return {"en": "beside no card", "fr": "sans carte à côté"}[locale]
    joined = AND[locale].join(filter(None, (", ".join(cards[:-1]), cards[-1])))
    return (
        {"en": "between ", "fr": "entre "}[locale] + joined
        if cards[1:]
        else {"en": "by ", "fr": "près de "}[locale] + joined
    )


def spare_effect(view: View, card: str, locale: Locale) -> str:
    """Say how much the region of this card's colour is worth without the card, for the person and for Balor."""
    colour = CARDS[card].colour
    size, mine = pile_regions(view.pile)[colour], view.sagas[1 - BALOR].regions[colour]
    was, then = (awards([mine, his], region_prizes(view.edition, view.seats)) for his in (size, size - 1))
    return localise(SPARED, locale).format(
        colour=localise(FEMININE[colour], locale), size=size, less=size - 1, mine=mine, was=was, then=then
    )


def _saga(view: View) -> Saga:
    return view.sagas[view.seat or 0]


def _at(view: View, place: str, locale: Locale) -> dict[str, object]:
    placed = _saga(view).at(POINT[place])
    return {"card": card_name(placed.card, locale) if placed else "?", "place": WORDS.name(place, locale)}


def _owner(view: View, spot: str, whose: int | None) -> int:
    owners = [seat for seat, spots in enumerate(view.out) if spot in spots]
    if whose is not None:
        return whose
    return view.seat if view.seat is not None and view.seat in owners else owners[0]


def _placing_key(view: View, action: Action[Any], spot: str) -> str:
    if action.verb == "place" and spot in view.world.corners:
        return "corner"
    return "join" if action.verb == "place" and any(spot in spots for spots in view.out) else action.verb


def _painting_key(view: View, place: str, colour: str) -> str:
    row, slot = POINT[place]
    if place != view.asking.about:
        return "paint"
    return "remain" if _saga(view).colours[row][slot] == colour else "become"


def _discarding_key(view: View, card: str) -> str:
    if view.asking.what == "take" and card == "mag-mell":
        return "far"
    return {"keep": "refuse", "play": "forced", "spare": "spare"}.get(view.asking.what, "discard")


WAYS = ((True, True), (True, False), (False, True), (False, False))
"""Full names before beginnings, with the Storyteller's spot before without it."""


def short(view: View, options: Options, text: str) -> tuple[str, ...] | None:
    """Return the canonical lines of a take by name and the lines after it, or None for any other text."""
    parts = [part.strip() for part in SEPARATORS.split(text) if part.strip()]
    if not parts or not _names_take(parts[0]):
        return None
    takes = [option for option in options if type(option) is Take]
    take = _find_take(view, takes, parts[0])
    if take is None:
        return None
    hand = dict.fromkeys((*view.hand, view.cards[take.cell]))
    plays = [play for card in hand for play in PLAYS[card]]
    return (take.line, *(choose_option(WORDS, part, plays).line for part in parts[1:]))


@lru_cache(maxsize=512)
def _names_take(text: str) -> bool:
    """Return True if a text begins with the verb of a take and more words follow. Most lines of an email do not."""
    said = tokenise(WORDS, text)
    if len(said.tokens) < 2:  # noqa: PLR2004  # a verb and a name
        return False
    first = next((at for at in range(len(said.tokens)) if at not in said.idle), len(said.tokens) - 1)
    return any(said.token_counts(at, Take.verb, exact=False) for at in range(first + 1))


def _find_take(view: View, takes: list[Take], text: str) -> Take | None:
    said = tokenise(WORDS, text)
    if any(token in view.world.at for token in said.tokens):
        return None
    for exact, whole in WAYS:
        named = [
            take for take in takes if fits(said, f"take {view.cards[take.cell]} {take.spot}", exact=exact, whole=whole)
        ]
        if len(named) == 1:
            return named[0]
        if named:
            raise Unclear(text, tuple(take.line for take in named))
    return None


TASKS = Phrases(
    {
        "mark": (
            "Setup: Put Balor’s marker on a space. He looks from there.",
            "Mise en place : Posez le pion Premier joueur : c’est de là que Balor regarde.",
        ),
        "place": (
            "Journey: Place a Storyteller between two cards. {left} left.",
            "Voyage : Placez un barde entre deux cartes. Il en reste {left}.",
        ),
        "place-last": (
            "Journey: Place your last Storyteller between two cards.",
            "Voyage : Placez votre dernier barde entre deux cartes.",
        ),
        "take": (
            "Saga: Take a card that one of your Storytellers touches, then play a card.",
            "Saga : Prenez une carte que touche l’un de vos bardes, puis jouez une carte.",
        ),
        "far": (
            "Saga: Take any card of the Otherworld, then play a card.",
            "Saga : Prenez n’importe quelle carte de l’Autre Monde, puis jouez une carte.",
        ),
        "echtra": (
            "Echtra Quest: Take any card for your Lost Storyteller, then play a card.",
            "Quête de l’Echtra : Prenez n’importe quelle carte pour votre barde égaré, puis jouez une carte.",
        ),
        "keep": (
            "Echtra Quest: Keep the card you drew, or discard it and take another.",
            "Quête de l’Echtra : Gardez la carte piochée, ou défaussez-la et prenez-en une autre.",
        ),
        "play": (
            "Saga: Play a card from your hand to your Saga.",
            "Saga : Jouez une carte de votre main dans votre saga.",
        ),
        "after": (
            "Saga: Move a card of your Saga once more, or stay.",
            "Saga : Déplacez encore une carte de votre saga, ou restez là.",
        ),
        "resolve": ("Saga: Choose what {card} does.", "Saga : Choisissez l’effet de la carte {card}."),
        "keen": (
            "Saga: Say where your Storyteller just lost at {about} goes.",
            "Saga : Dites où va votre barde qui vient de s’égarer en {about}.",
        ),
        "cleanup": (
            "Cleanup: Discard one card and keep {keep}. Others choose at the same time.",
            "Entretien : Défaussez une carte, gardez-en {keep}. Les autres choisissent en même temps.",
        ),
        "cleanup-solo": (
            "Cleanup: Discard one card and keep {keep}.",
            "Entretien : Défaussez une carte, gardez-en {keep}.",
        ),
        "scoring": (
            "Scoring: Choose the colour of {card} for the final count.",
            "Décompte : Choisissez la couleur de la carte {card} pour le décompte.",
        ),
        "spare": (
            "Scoring: Discard a card from Balor’s pile. {left} to go.",
            "Décompte : Défaussez une carte de la pile de Balor. Encore {left}.",
        ),
    }
)


def task(view: View, locale: Locale) -> Task:
    """Return the viewer's current task."""
    asking, situation = view.asking, view.asking.what
    left = STORYTELLERS - len(view.out[view.seat or 0]) if situation == "place" else asking.left
    if situation == "place" and left == 1:
        situation = "place-last"
    if situation == "cleanup" and view.solo:
        situation = "cleanup-solo"
    card = card_name(asking.card, locale) if asking.card else ""
    return fill_task(TASKS, situation, locale, left=left, card=card, about=asking.about, keep=ROUNDS - view.round)
