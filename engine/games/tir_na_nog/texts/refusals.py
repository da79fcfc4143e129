"""Refusals of Tír na nÓg: the rule that forbids a line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.games.tir_na_nog.rules import actions
from engine.games.tir_na_nog.rules.geas import other_colour
from engine.games.tir_na_nog.rules.otherworld import otherworld
from engine.games.tir_na_nog.rules.saga import POINT
from engine.games.tir_na_nog.rules.state import Asking, Asks
from engine.games.tir_na_nog.rules.steps import TakeCard, placement
from engine.games.tir_na_nog.texts.menu import ROWS_OF
from engine.games.tir_na_nog.texts.names import WORDS, card_name, geas_name
from engine.phrases import Phrases, localise
from engine.reasons import Reason, in_languages

if TYPE_CHECKING:
    from engine.game import Action, Seat
    from engine.games.tir_na_nog.rules.state import TirNaNog

MERROW, BRU = "merrow-milliners", "bru-na-boinne"
ASKED = Phrases(
    {
        "mark": ("now you put Balor’s marker on a space", "maintenant vous posez le pion Premier joueur"),
        "place": ("now you place a Storyteller", "maintenant vous placez un barde"),
        "take": (
            "now you take a card beside one of your Storytellers",
            "maintenant vous prenez une carte adjacente à un de vos bardes",
        ),
        "far": (
            "now you take any card of the Otherworld",
            "maintenant vous prenez n’importe quelle carte de l’Autre Monde",
        ),
        "echtra": (
            "now a Lost Storyteller of yours takes any card of the Otherworld",
            "maintenant un de vos bardes égarés prend n’importe quelle carte de l’Autre Monde",
        ),
        "keep": (
            "now you keep the card you drew, or discard it",
            "maintenant vous gardez la carte piochée, ou la défaussez",
        ),
        "play": ("now you play a card of your hand", "maintenant vous jouez une carte de votre main"),
        "after": (
            "your card is played; now a card may still move, or you stay",
            "votre carte est jouée, une carte peut encore se déplacer, ou vous restez là",
        ),
        "resolve": ("now you choose what {card} does", "maintenant vous choisissez l’effet de la carte {card}"),
        "keen": (
            "now you say where the Storyteller just lost at {about} goes",
            "maintenant vous dites où va le barde égaré en {about}",
        ),
        "cleanup": ("now you discard a card of your hand", "maintenant vous défaussez une carte de votre main"),
        "scoring": ("now you choose the colour of {card}", "maintenant vous choisissez la couleur de la carte {card}"),
        "spare": ("now you discard a card of Balor’s pile", "maintenant vous défaussez une carte de la pile de Balor"),
    }
)
"""Refusals of lines that do not answer the question, by question."""
REFUSALS = Phrases(
    {
        "no-spot": (
            "the Otherworld of this match has no {spot}",
            "l’Autre Monde de cette partie n’a pas d’emplacement {spot}",
        ),
        "no-marker-there": (
            "the marker goes on a space between two cards, not on a corner",
            "le pion Premier joueur va entre deux cartes, pas dans un angle",
        ),
        "corner": (
            "{spot} is a corner, where a Storyteller stands only by the Merrow Milliners of your Saga",
            "{spot} est un angle, où un barde ne va qu’avec les Merrows modistes de votre saga",
        ),
        "used": (
            "you have used {card} in this Journey Phase already",
            "vous avez déjà utilisé la carte {card} dans cette phase de Voyage",
        ),
        "space-taken": ("a Storyteller stands at {spot} already", "un barde se trouve déjà en {spot}"),
        "space-full": ("two Storytellers stand at {spot} already", "deux bardes se trouvent déjà en {spot}"),
        "no-teller": ("you have no Storyteller at {spot}", "vous n’avez pas de barde en {spot}"),
        "no-card-there": ("no card lies at {cell}", "il n’y a pas de carte en {cell}"),
        "not-beside": (
            "the Storyteller at {spot} is not beside {cell}",
            "le barde en {spot} n’est pas adjacent à {cell}",
        ),
        "not-in-hand": ("{card} is not in your hand", "la carte {card} n’est pas dans votre main"),
        "not-in-pile": ("{card} is not in Balor’s pile", "la carte {card} n’est pas dans la pile de Balor"),
        "not-drawn": (
            "you drew {drawn}, so that is the card to keep or discard",
            "vous avez pioché la carte {drawn}, c’est elle que l’on garde ou défausse",
        ),
        "row-full": (
            "the {row} row of your Saga has its five cards already",
            "la rangée {row} de votre saga a déjà ses cinq cartes",
        ),
        "geas-colour": (
            "{geas} allows no card of the colour of the card on its left",
            "{geas} interdit la couleur de la carte à gauche",
        ),
        "geas-value": (
            "{geas} allows no card above the value of the card on its left",
            "{geas} interdit une valeur supérieure à celle de la carte à gauche",
        ),
        "must-play": (
            "you can play a card, so you may not discard one",
            "vous pouvez jouer une carte, vous n’en défaussez donc pas",
        ),
        "no-saga-card": ("your Saga has no card at {place}", "votre saga n’a pas de carte en {place}"),
        "not-by-card": ("the card {card} does not allow that here", "la carte {card} ne le permet pas ici"),
        "no-power": ("no card of your Saga allows that now", "aucune carte de votre saga ne le permet maintenant"),
        "seat-named": (
            "the seat is named only where two seats share the space",
            "on ne nomme la place que si deux places partagent l’intervalle",
        ),
        "must-answer": ("here you cannot decline", "ici vous ne pouvez pas renoncer"),
    }
)
refuse = REFUSALS.refuse
ANSWERS: dict[type[Action[TirNaNog]], tuple[str, ...]] = {
    actions.Mark: ("mark",),
    actions.Place: ("place",),
    actions.Take: ("take", "far", "echtra"),
    actions.Keep: ("keep",),
    actions.Play: ("play",),
    actions.Discard: ("take", "keep", "play", "cleanup", "spare"),
    actions.Paint: ("resolve", "scoring"),
    actions.Swap: ("resolve",),
    actions.Shift: ("take", "far", "echtra", "keep", "play", "after", "resolve"),
    actions.Wander: ("resolve", "keen"),
    actions.Eat: ("resolve",),
    actions.Adjust: ("resolve",),
    actions.Stay: ("after", "resolve", "keen"),
}
"""The questions that a kind of line can answer."""


def refusal(state: TirNaNog, seat: Seat, action: Action[TirNaNog]) -> Reason | None:  # noqa: PLR0911  # a rule each
    """Name the rule that forbids this line to the seat that is asked."""
    step = state.agenda[0]
    asking = step.asking(state) if isinstance(step, Asks) else Asking()
    if asking.what not in ASKED:
        return None
    if asking.what not in ANSWERS.get(type(action), ()):
        return ASKED.refuse(asking.what, card=in_languages(card_name, asking.card), about=asking.about)
    match action:
        case actions.Mark(spot):
            return _spot(state, spot) or refuse("no-marker-there")
        case actions.Place(spot):
            return _spot(state, spot) or _refuse_place(state, seat, spot)
        case actions.Take(cell, spot):
            return _refuse_take(state, seat, cell, spot)
        case actions.Keep(spot):
            return refuse("no-teller", spot=spot)
        case actions.Play(card, row):
            return _refuse_play(state, seat, card, row)
        case actions.Discard(card):
            return _refuse_discard(state, seat, card, asking.what)
    return _refuse_change(state, seat, action, asking)


def _spot(state: TirNaNog, spot: str) -> Reason | None:
    return None if spot in otherworld(state.seats).touched else refuse("no-spot", spot=spot)


def _refuse_place(state: TirNaNog, seat: Seat, spot: str) -> Reason:
    cards, used = state.sagas[seat].cards, state.used[seat]
    standing = [other for spots in state.out for other in spots].count(spot)
    if spot in otherworld(state.seats).corners:
        if MERROW not in cards:
            return refuse("corner", spot=spot)
        key = "space-taken" if standing else "used"
        return refuse(key, spot=spot, card=in_languages(card_name, MERROW))
    if BRU in cards and BRU in used:
        return refuse("used", card=in_languages(card_name, BRU))
    return refuse("space-full" if standing > 1 else "space-taken", spot=spot)


def _refuse_take(state: TirNaNog, seat: Seat, cell: str, spot: str) -> Reason | None:
    world, step = otherworld(state.seats), state.agenda[0]
    if spot not in state.out[seat]:
        return _spot(state, spot) or refuse("no-teller", spot=spot)
    if cell not in world.at:
        return refuse("no-spot", spot=cell)
    if not state.grid[world.at[cell]]:
        return refuse("no-card-there", cell=cell)
    far = isinstance(step, TakeCard) and step.far
    return None if far else refuse("not-beside", spot=spot, cell=cell)


def _refuse_play(state: TirNaNog, seat: Seat, card: str, row: str) -> Reason | None:
    saga, at = state.sagas[seat], actions.ROW_AT[row]
    if card not in state.hands[seat]:
        return refuse("not-in-hand", card=in_languages(card_name, card))
    if at not in saga.open:
        return refuse("row-full", row=in_languages(localise, ROWS_OF[row]))
    rule, slug = placement(state.geas)[at], state.geas[at]
    if rule is None:
        return None
    key = "geas-colour" if rule is other_colour else "geas-value"
    return refuse(key, geas=in_languages(geas_name, slug))


def _refuse_discard(state: TirNaNog, seat: Seat, card: str, what: str) -> Reason | None:
    if what == "spare":
        return refuse("not-in-pile", card=in_languages(card_name, card))
    if what == "keep":
        return refuse("not-drawn", drawn=in_languages(card_name, state.drawn))
    if card not in state.hands[seat]:
        return refuse("not-in-hand", card=in_languages(card_name, card))
    return refuse("must-play") if what == "play" else ASKED.refuse("take")


def _refuse_change(state: TirNaNog, seat: Seat, action: Action[TirNaNog], asking: Asking) -> Reason | None:
    """Name the rule by which cards of the Saga, or Storytellers moved by a card, cannot change like this."""
    if isinstance(action, actions.Stay):
        return refuse("must-answer")
    if isinstance(action, actions.Wander):
        return _refuse_wander(state, action, asking)
    places = [getattr(action, name) for name in ("place", "one", "other") if hasattr(action, name)]
    for place in places:
        if not state.sagas[seat].at(POINT[place]):
            return refuse("no-saga-card", place=in_languages(WORDS.name, place))
    if not asking.card:
        return refuse("no-power")
    return refuse("not-by-card", card=in_languages(card_name, asking.card))


def _refuse_wander(state: TirNaNog, action: actions.Wander, asking: Asking) -> Reason | None:
    for spot in (action.start, action.end):
        if _spot(state, spot):
            return _spot(state, spot)
    owners = [seat for seat, spots in enumerate(state.out) if action.start in spots]
    if any(action.end in spots for spots in state.out):
        return refuse("space-taken", spot=action.end)
    if action.whose is not None and owners and len(owners) == 1:
        return refuse("seat-named")
    return refuse("not-by-card", card=in_languages(card_name, asking.card))
