"""Which rule of Tír na nÓg forbids a line, for those who tried it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.games.tir_na_nog.rules import actions
from engine.games.tir_na_nog.rules.geas import other_colour
from engine.games.tir_na_nog.rules.otherworld import otherworld
from engine.games.tir_na_nog.rules.saga import POINT
from engine.games.tir_na_nog.rules.state import Asking, Asks
from engine.games.tir_na_nog.rules.steps import TakeCard, placement
from engine.games.tir_na_nog.texts.menu import ROWS_OF
from engine.games.tir_na_nog.texts.names import WORDS, card_name, geas_name, pick_of
from engine.reasons import Localised, Reason, Texts, localised, rule_reason

if TYPE_CHECKING:
    from engine.game import Action, Seat
    from engine.games.tir_na_nog.rules.state import TirNaNog

MERROW, BRU = "merrow-milliners", "bru-na-boinne"
ASKED: dict[str, Texts] = {
    "mark": {"en": "now you put Balor’s marker on a space", "fr": "maintenant vous posez le pion Premier joueur"},
    "place": {"en": "now you place a Storyteller", "fr": "maintenant vous placez un barde"},
    "take": {
        "en": "now you take a card beside one of your Storytellers",
        "fr": "maintenant vous prenez une carte adjacente à un de vos bardes",
    },
    "far": {
        "en": "now you take any card of the Otherworld",
        "fr": "maintenant vous prenez n’importe quelle carte de l’Autre Monde",
    },
    "echtra": {
        "en": "now a Lost Storyteller of yours takes any card of the Otherworld",
        "fr": "maintenant un de vos bardes égarés prend n’importe quelle carte de l’Autre Monde",
    },
    "keep": {
        "en": "now you keep the card you drew, or discard it",
        "fr": "maintenant vous gardez la carte piochée, ou la défaussez",
    },
    "play": {"en": "now you play a card of your hand", "fr": "maintenant vous jouez une carte de votre main"},
    "after": {
        "en": "your card is played; now a card may still move, or you stay",
        "fr": "votre carte est jouée, une carte peut encore se déplacer, ou vous restez là",
    },
    "resolve": {
        "en": "now you choose what {card} does",
        "fr": "maintenant vous choisissez l’effet de la carte {card}",
    },
    "keen": {
        "en": "now you say where the Storyteller just lost at {about} goes",
        "fr": "maintenant vous dites où va le barde égaré en {about}",
    },
    "cleanup": {"en": "now you discard a card of your hand", "fr": "maintenant vous défaussez une carte de votre main"},
    "scoring": {
        "en": "now you choose the colour of {card}",
        "fr": "maintenant vous choisissez la couleur de la carte {card}",
    },
    "spare": {
        "en": "now you discard a card of Balor’s pile",
        "fr": "maintenant vous défaussez une carte de la pile de Balor",
    },
}
"""What a seat is asked now, for lines that answer something else."""
REFUSALS: dict[str, Texts] = {
    "no-spot": {
        "en": "the Otherworld of this match has no {spot}",
        "fr": "l’Autre Monde de cette partie n’a pas d’emplacement {spot}",
    },
    "no-marker-there": {
        "en": "the marker goes on a space between two cards, not on a corner",
        "fr": "le pion Premier joueur va entre deux cartes, pas dans un angle",
    },
    "corner": {
        "en": "{spot} is a corner, where a Storyteller stands only by the Merrow Milliners of your Saga",
        "fr": "{spot} est un angle, où un barde ne va qu’avec les Merrows modistes de votre saga",
    },
    "used": {
        "en": "you have used {card} in this Journey Phase already",
        "fr": "vous avez déjà utilisé la carte {card} dans cette phase de Voyage",
    },
    "space-taken": {
        "en": "a Storyteller stands at {spot} already",
        "fr": "un barde se trouve déjà en {spot}",
    },
    "space-full": {
        "en": "two Storytellers stand at {spot} already",
        "fr": "deux bardes se trouvent déjà en {spot}",
    },
    "no-teller": {
        "en": "you have no Storyteller at {spot}",
        "fr": "vous n’avez pas de barde en {spot}",
    },
    "no-card-there": {"en": "no card lies at {cell}", "fr": "il n’y a pas de carte en {cell}"},
    "not-beside": {
        "en": "the Storyteller at {spot} is not beside {cell}",
        "fr": "le barde en {spot} n’est pas adjacent à {cell}",
    },
    "not-in-hand": {"en": "{card} is not in your hand", "fr": "la carte {card} n’est pas dans votre main"},
    "not-in-pile": {"en": "{card} is not in Balor’s pile", "fr": "la carte {card} n’est pas dans la pile de Balor"},
    "not-drawn": {
        "en": "you drew {drawn}, so that is the card to keep or discard",
        "fr": "vous avez pioché la carte {drawn}, c’est elle que l’on garde ou défausse",
    },
    "row-full": {
        "en": "the {row} row of your Saga has its five cards already",
        "fr": "la rangée {row} de votre saga a déjà ses cinq cartes",
    },
    "geas-colour": {
        "en": "{geas} allows no card of the colour of the card on its left",
        "fr": "{geas} interdit la couleur de la carte à gauche",
    },
    "geas-value": {
        "en": "{geas} allows no card above the value of the card on its left",
        "fr": "{geas} interdit une valeur supérieure à celle de la carte à gauche",
    },
    "must-play": {
        "en": "you can play a card, so you do not discard one",
        "fr": "vous pouvez jouer une carte, vous n’en défaussez donc pas",
    },
    "no-saga-card": {
        "en": "your Saga has no card at {place}",
        "fr": "votre saga n’a pas de carte en {place}",
    },
    "not-by-card": {
        "en": "the card {card} does not allow that here",
        "fr": "la carte {card} ne le permet pas ici",
    },
    "no-power": {
        "en": "no card of your Saga allows that now",
        "fr": "aucune carte de votre saga ne le permet maintenant",
    },
    "seat-named": {
        "en": "the seat is named only where two seats share the space",
        "fr": "on ne nomme la place que si deux places partagent l’intervalle",
    },
    "must-answer": {"en": "here you cannot decline", "fr": "ici vous ne pouvez pas renoncer"},
}
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
"""Which questions a kind of line can answer."""


def refusal(state: TirNaNog, seat: Seat, action: Action[TirNaNog]) -> Reason | None:  # noqa: PLR0911  # a rule each
    """The rule that forbids this line to the seat that is asked."""
    step = state.agenda[0]
    asking = step.asking(state) if isinstance(step, Asks) else Asking()
    if asking.what not in ASKED:
        return None
    if asking.what not in ANSWERS.get(type(action), ()):
        return rule_reason(ASKED[asking.what], card=_card(asking.card), about=asking.about)
    match action:
        case actions.Mark(spot):
            return _spot(state, spot) or rule_reason(REFUSALS["no-marker-there"])
        case actions.Place(spot):
            return _spot(state, spot) or _placing(state, seat, spot)
        case actions.Take(cell, spot):
            return _taking(state, seat, cell, spot)
        case actions.Keep(spot):
            return rule_reason(REFUSALS["no-teller"], spot=spot)
        case actions.Play(card, row):
            return _playing(state, seat, card, row)
        case actions.Discard(card):
            return _discarding(state, seat, card, asking.what)
    return _changing(state, seat, action, asking)


def _card(card: str) -> Localised:
    return localised(lambda locale: card_name(card, locale))


def _spot(state: TirNaNog, spot: str) -> Reason | None:
    return None if spot in otherworld(state.seats).touched else rule_reason(REFUSALS["no-spot"], spot=spot)


def _placing(state: TirNaNog, seat: Seat, spot: str) -> Reason:
    cards, used = state.sagas[seat].cards, state.used[seat]
    standing = [other for spots in state.out for other in spots].count(spot)
    if spot in otherworld(state.seats).corners:
        if MERROW not in cards:
            return rule_reason(REFUSALS["corner"], spot=spot)
        key = "space-taken" if standing else "used"
        return rule_reason(REFUSALS[key], spot=spot, card=_card(MERROW))
    if BRU in cards and BRU in used:
        return rule_reason(REFUSALS["used"], card=_card(BRU))
    return rule_reason(REFUSALS["space-full" if standing > 1 else "space-taken"], spot=spot)


def _taking(state: TirNaNog, seat: Seat, cell: str, spot: str) -> Reason | None:
    world, step = otherworld(state.seats), state.agenda[0]
    if spot not in state.out[seat]:
        return _spot(state, spot) or rule_reason(REFUSALS["no-teller"], spot=spot)
    if cell not in world.at:
        return rule_reason(REFUSALS["no-spot"], spot=cell)
    if not state.grid[world.at[cell]]:
        return rule_reason(REFUSALS["no-card-there"], cell=cell)
    far = isinstance(step, TakeCard) and step.far
    return None if far else rule_reason(REFUSALS["not-beside"], spot=spot, cell=cell)


def _playing(state: TirNaNog, seat: Seat, card: str, row: str) -> Reason | None:
    saga, at = state.sagas[seat], actions.ROW_AT[row]
    if card not in state.hands[seat]:
        return rule_reason(REFUSALS["not-in-hand"], card=_card(card))
    if at not in saga.open:
        return rule_reason(REFUSALS["row-full"], row=localised(lambda locale: pick_of(ROWS_OF[row], locale)))
    rule, slug = placement(state.geas)[at], state.geas[at]
    if rule is None:
        return None
    key = "geas-colour" if rule is other_colour else "geas-value"
    return rule_reason(REFUSALS[key], geas=localised(lambda locale: geas_name(slug, locale)))


def _discarding(state: TirNaNog, seat: Seat, card: str, what: str) -> Reason | None:
    if what == "spare":
        return rule_reason(REFUSALS["not-in-pile"], card=_card(card))
    if what == "keep":
        return rule_reason(REFUSALS["not-drawn"], drawn=_card(state.drawn))
    if card not in state.hands[seat]:
        return rule_reason(REFUSALS["not-in-hand"], card=_card(card))
    return rule_reason(REFUSALS["must-play"]) if what == "play" else rule_reason(ASKED["take"])


def _changing(state: TirNaNog, seat: Seat, action: Action[TirNaNog], asking: Asking) -> Reason | None:
    """Why cards of the Saga, or Storytellers moved by a card, cannot change like this."""
    if isinstance(action, actions.Stay):
        return rule_reason(REFUSALS["must-answer"])
    if isinstance(action, actions.Wander):
        return _wandering(state, action, asking)
    places = [getattr(action, name) for name in ("place", "one", "other") if hasattr(action, name)]
    for place in places:
        if not state.sagas[seat].at(POINT[place]):
            return rule_reason(REFUSALS["no-saga-card"], place=_place(place))
    if not asking.card:
        return rule_reason(REFUSALS["no-power"])
    return rule_reason(REFUSALS["not-by-card"], card=_card(asking.card))


def _place(place: str) -> Localised:
    return localised(lambda locale: WORDS.name(place, locale))


def _wandering(state: TirNaNog, action: actions.Wander, asking: Asking) -> Reason | None:
    for spot in (action.start, action.end):
        if _spot(state, spot):
            return _spot(state, spot)
    owners = [seat for seat, spots in enumerate(state.out) if action.start in spots]
    if any(action.end in spots for spots in state.out):
        return rule_reason(REFUSALS["space-taken"], spot=action.end)
    if action.whose is not None and owners and len(owners) == 1:
        return rule_reason(REFUSALS["seat-named"])
    return rule_reason(REFUSALS["not-by-card"], card=_card(asking.card))
