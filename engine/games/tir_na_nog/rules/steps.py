"""The steps of a round: the Journey Phase, the Saga Phase, Cleanup and Scoring, and the questions that cards ask."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache

from engine.game import NOBODY, ONLY, Action, Seal, Seat, Step
from engine.games.tir_na_nog.bots import balor
from engine.games.tir_na_nog.bots.balor import DIFFICULTIES
from engine.games.tir_na_nog.rules import actions
from engine.games.tir_na_nog.rules.chance import Begin, DealHand, DrawCard, LayOtherworld, TurnCard
from engine.games.tir_na_nog.rules.effects import registry
from engine.games.tir_na_nog.rules.geas import GEAS, Allows
from engine.games.tir_na_nog.rules.otherworld import otherworld
from engine.games.tir_na_nog.rules.saga import PLACE, POINT, Here
from engine.games.tir_na_nog.rules.state import BALOR, ROUNDS, STORYTELLERS, Asking, Asks, TirNaNog
from engine.steps import SeatStep
from engine.tuples import put, without


class Resolve(Asks, SeatStep[TirNaNog]):
    """The card just played asks its owner."""

    place: str

    def asking(self, state: TirNaNog) -> Asking:
        return Asking("resolve", self.place, state.sagas[self.seat].card(POINT[self.place]).card)

    def options(self, state: TirNaNog, seat: Seat) -> Collection[Action[TirNaNog]]:
        here = Here(state.sagas[seat], POINT[self.place])
        return list(registry.WHEN_PLAYED[here.card](state, seat, here))


class Keen(Asks, SeatStep[TirNaNog]):
    """A Storyteller has just lost its last card, and a card in its owner's Saga may move it."""

    spot: str
    card: str

    def asking(self, state: TirNaNog) -> Asking:
        return Asking("keen", self.spot, self.card)

    def actors(self, state: TirNaNog) -> frozenset[Seat]:
        return ONLY[self.seat] if self.options(state, self.seat) else NOBODY

    def options(self, state: TirNaNog, seat: Seat) -> Collection[Action[TirNaNog]]:
        return list(registry.LOST[self.card](state, seat, self.spot))


def ask_keening(state: TirNaNog, active: Seat, cell: str) -> TirNaNog:
    """Ask every seat that can move a Storyteller just lost, from the active seat on, after a card was taken."""
    world = otherworld(state.seats)
    lost = [spot for spot in world.near[world.at[cell]] if not world.touches(spot, state.grid)]
    if not lost:
        return state
    asked = []
    for at in range(state.seats):
        seat = (active - at) % state.seats
        cards = [card for card in state.sagas[seat].cards if card in registry.LOST]
        if cards:
            asked += [Keen(seat, spot, cards[0]) for spot in state.out[seat] if spot in lost]
    return state.first(*asked) if asked else state


MARKS = tuple(actions.Mark(space) for space in otherworld(2).spaces)


class MarkSpace(Asks, Step[TirNaNog]):
    """In a solo match the person puts Balor's marker on a space, knowing the first Otherworld and the hand."""

    what = "mark"

    def actors(self, state: TirNaNog) -> frozenset[Seat]:
        return ONLY[0]

    def options(self, state: TirNaNog, seat: Seat) -> Collection[Action[TirNaNog]]:
        return MARKS


class PlaceStoryteller(Asks, SeatStep[TirNaNog]):
    """A seat places one of its Storytellers."""

    what = "place"

    def options(self, state: TirNaNog, seat: Seat) -> Collection[Action[TirNaNog]]:
        options: list[Action[TirNaNog]] = [actions.PLACES[space] for space in otherworld(state.seats).free(state.out)]
        saga, used = state.sagas[seat], state.used[seat]
        powers = {saga.card(point).card: point for point in saga.powers}  # several copies give no second corner
        for card, point in powers.items():
            if card in registry.JOURNEY_PHASE and card not in used:
                options.extend(registry.JOURNEY_PHASE[card](state, seat, Here(saga, point)))
        return options


class BalorPlaces(Asks, Step[TirNaNog]):
    """Balor places a Storyteller. His card, the cards and the marker determine how."""

    what = "place"

    def actors(self, state: TirNaNog) -> frozenset[Seat]:
        return ONLY[BALOR]

    def options(self, state: TirNaNog, seat: Seat) -> Collection[Action[TirNaNog]]:
        return (actions.PLACES[balor.choose_space(state).tied[0]],)

    def take(self, state: TirNaNog, seat: Seat, action: Action[TirNaNog]) -> TirNaNog:
        return action.do(state.but(agenda=state.agenda[1:], gaze=balor.choose_space(state)), seat)


class Journey(Step[TirNaNog]):
    """The Journey Phase begins."""

    def run(self, state: TirNaNog) -> TirNaNog:
        laps = _laps(state.seats, state.token, state.solo)
        return state.but(agenda=laps + state.agenda, phase="journey", used=((),) * state.seats)


@cache
def _laps(seats: int, token: Seat, solo: bool) -> tuple[Step[TirNaNog], ...]:
    steps: list[Step[TirNaNog]] = []
    for at in range(STORYTELLERS * seats):
        seat = (token + at) % seats
        steps += [TurnCard(), BalorPlaces()] if solo and seat == BALOR else [PlaceStoryteller(seat)]
    return tuple(steps)


Found = list[Action[TirNaNog]]


def own_moves(state: TirNaNog, seat: Seat) -> Found:
    """Return the offers of cards of the Saga in the owner's turn, as often in a phase as there are copies."""
    saga = state.sagas[seat]
    moves: Found = []
    for point in saga.powers:
        card = saga.card(point).card
        if card in registry.SAGA_PHASE and state.used[seat].count(card) < saga.cards.count(card):
            moves.extend(registry.SAGA_PHASE[card](state, seat, Here(saga, point)))
    return moves


class TurnPart(Asks, SeatStep[TirNaNog]):
    """Part of a turn. Cards of the Saga may move themselves before it; then the part is asked again."""

    def take(self, state: TirNaNog, seat: Seat, action: Action[TirNaNog]) -> TirNaNog:
        if isinstance(action, actions.Shift):
            card = state.sagas[seat].card(POINT[action.place]).card
            return action.do(state.but(used=actions.spend(state, seat, card)), seat)
        return self.goes_on(state.but(agenda=state.agenda[1:]), seat, action)

    def goes_on(self, state: TirNaNog, seat: Seat, action: Action[TirNaNog]) -> TirNaNog:
        """Return the state after the action that this part is about."""
        return action.do(state, seat)


class TakeCard(TurnPart):
    """A seat takes a card that its Storytellers touch, or any card if the whole Otherworld is open to it."""

    far: bool = False
    echtra: bool = False

    def asking(self, state: TirNaNog) -> Asking:
        return Asking("echtra" if self.echtra else "far" if self.far else "take")

    def options(self, state: TirNaNog, seat: Seat) -> Collection[Action[TirNaNog]]:
        world, grid, spots = otherworld(state.seats), state.grid, dict.fromkeys(state.out[seat])
        options: Found
        if self.far:
            cells = [cell for cell, card in zip(world.cells, grid, strict=True) if card]
            options = [actions.TAKES[cell, spot] for spot in spots for cell in cells]
        else:
            cells, touched = list(world.cells), world.touched
            options = [actions.TAKES[cells[at], spot] for spot in spots for at in touched[spot] if grid[at]]
            for card in dict.fromkeys(state.hands[seat]):
                if card in registry.FROM_HAND:
                    options.extend(registry.FROM_HAND[card](state, seat))
        return options + own_moves(state, seat)

    def goes_on(self, state: TirNaNog, seat: Seat, action: Action[TirNaNog]) -> TirNaNog:
        if isinstance(action, actions.Take):
            return ask_keening(action.do(state, seat), seat, action.cell)
        return action.do(state, seat).first(TakeCard(seat, far=True))


class KeepCard(TurnPart):
    """A seat keeps the card it drew on its Echtra turn, or discards it and takes one."""

    def asking(self, state: TirNaNog) -> Asking:
        card = next(card for card in state.sagas[self.seat].cards if card in registry.ECHTRA)
        return Asking("keep", card=card)

    def options(self, state: TirNaNog, seat: Seat) -> Collection[Action[TirNaNog]]:
        card = next(card for card in state.sagas[seat].cards if card in registry.ECHTRA)
        return [*registry.ECHTRA[card](state, seat), *own_moves(state, seat)]

    def goes_on(self, state: TirNaNog, seat: Seat, action: Action[TirNaNog]) -> TirNaNog:
        if isinstance(action, actions.Keep):
            return action.do(state, seat)
        discards = (*state.discards, state.drawn)
        return state.but(discards=discards, drawn="").first(TakeCard(seat, far=True, echtra=True))


class PlayCard(TurnPart):
    """A seat plays a card, or discards one if it can play none."""

    what = "play"

    def options(self, state: TirNaNog, seat: Seat) -> Collection[Action[TirNaNog]]:
        saga, hand = state.sagas[seat], dict.fromkeys(state.hands[seat])
        rules = placement(state.geas)
        options: Found = [actions.PLAYS[card][row] for card in hand for row in saga.open if not rules[row]]
        for row in saga.open:
            rule = rules[row]
            if rule:
                slot = saga.slot(row)
                options += [actions.PLAYS[card][row] for card in hand if rule(saga, row, slot, card)]
        if not options:
            options += [actions.DISCARDS[card] for card in hand]
        return options + own_moves(state, seat)

    def goes_on(self, state: TirNaNog, seat: Seat, action: Action[TirNaNog]) -> TirNaNog:
        state = action.do(state, seat)
        effect = registry.WHEN_PLAYED.get(action.card) if isinstance(action, actions.Play) else None
        if effect is None:
            return state
        point = POINT[state.played]
        offers = list(effect(state, seat, Here(state.sagas[seat], point)))
        if len(offers) == 1:
            return offers[0].do(state, seat)
        return state.first(Resolve(seat, state.played)) if offers else state


@cache
def placement(geas: tuple[str, ...]) -> tuple[Allows | None, ...]:
    """Return the placement rule of each row's Geas, or None."""
    return tuple(GEAS[slug].allows for slug in geas)


class BalorTakes(Asks, Step[TirNaNog]):
    """Balor takes a card. His card, the cards and the marker determine which."""

    def asking(self, state: TirNaNog) -> Asking:
        return Asking("echtra" if balor.choose_card(state).echtra else "take")

    def actors(self, state: TirNaNog) -> frozenset[Seat]:
        return ONLY[BALOR]

    def options(self, state: TirNaNog, seat: Seat) -> Collection[Action[TirNaNog]]:
        gaze = balor.choose_card(state)
        return (actions.TAKES[gaze.tied[0], gaze.tellers[0]],)

    def take(self, state: TirNaNog, seat: Seat, action: Action[TirNaNog]) -> TirNaNog:
        gaze = balor.choose_card(state)
        return ask_keening(action.do(state.but(agenda=state.agenda[1:], gaze=gaze), seat), seat, gaze.tied[0])


class SagaPhase(Step[TirNaNog]):
    """The Saga Phase begins right of the token. In a solo match Balor begins."""

    def run(self, state: TirNaNog) -> TirNaNog:
        start = BALOR if state.solo else (state.token - 1) % state.seats
        return next_turn(state.but(phase="saga", used=((),) * state.seats), start)


class EndTurn(TurnPart):
    """After the play the Saga's own cards may still move. Then the next seat's turn begins."""

    what = "after"

    def actors(self, state: TirNaNog) -> frozenset[Seat]:
        return ONLY[self.seat] if state.sagas[self.seat].powers and own_moves(state, self.seat) else NOBODY

    def options(self, state: TirNaNog, seat: Seat) -> Collection[Action[TirNaNog]]:
        return [*own_moves(state, seat), actions.STAY]

    def goes_on(self, state: TirNaNog, seat: Seat, action: Action[TirNaNog]) -> TirNaNog:
        return self.run(state)

    def run(self, state: TirNaNog) -> TirNaNog:
        return next_turn(state, (self.seat - 1) % state.seats)


def next_turn(state: TirNaNog, start: Seat) -> TirNaNog:
    """Begin the next turn.

    It goes to the first seat counter-clockwise that still touches a card, else to the first with a Lost Storyteller.
    """
    grid, touched = state.grid, otherworld(state.seats).touched
    order = [(start - at) % state.seats for at in range(state.seats)]
    for seat in order:
        for spot in state.out[seat]:
            for at in touched[spot]:
                if grid[at]:
                    return state.but(agenda=_turn(seat, state.solo) + state.agenda)
    for seat in order:
        if state.out[seat]:
            draws = any(card in registry.ECHTRA for card in state.sagas[seat].cards)
            return state.but(agenda=_echtra(seat, state.solo, draws) + state.agenda)
    return state.but(phase="cleanup")


@cache
def _turn(seat: Seat, solo: bool) -> tuple[Step[TirNaNog], ...]:
    if solo and seat == BALOR:
        return TurnCard(), BalorTakes(), EndTurn(seat)
    return TakeCard(seat), PlayCard(seat), EndTurn(seat)


@cache
def _echtra(seat: Seat, solo: bool, draws: bool) -> tuple[Step[TirNaNog], ...]:
    if solo and seat == BALOR:
        return _turn(seat, solo)
    if draws:
        return DrawCard(seat), KeepCard(seat), PlayCard(seat), EndTurn(seat)
    return TakeCard(seat, far=True, echtra=True), PlayCard(seat), EndTurn(seat)


class Cleanup(Asks, Step[TirNaNog]):
    """Seats with more cards than rounds to come choose one to discard. All are shown when the last answer is in."""

    sealed = Seal.UNTIL_REVEAL

    def asking(self, state: TirNaNog) -> Asking:
        return Asking("cleanup")

    def actors(self, state: TirNaNog) -> frozenset[Seat]:
        left = ROUNDS - state.round
        return frozenset(
            [seat for seat, hand in enumerate(state.hands) if len(hand) > left > 0 and not state.answers[seat]]
        )

    def options(self, state: TirNaNog, seat: Seat) -> Collection[Action[TirNaNog]]:
        return [actions.DISCARDS[card] for card in dict.fromkeys(state.hands[seat])]

    def take(self, state: TirNaNog, seat: Seat, action: Action[TirNaNog]) -> TirNaNog:
        return (
            state.but(answers=put(state.answers, seat, action.card)) if isinstance(action, actions.Discard) else state
        )

    def run(self, state: TirNaNog) -> TirNaNog:
        hands, gone = list(state.hands), list(state.discards)
        for seat, hand in enumerate(hands):
            leaving = hand if state.round == ROUNDS else tuple(filter(None, (state.answers[seat],)))
            for card in leaving:
                hands[seat] = without(hands[seat], card)
            gone += leaving
        return state.but(
            hands=tuple(hands),
            discards=(*gone, *filter(None, state.grid)),
            grid=(),
            answers=("",) * state.seats,
            reveals=state.reveals + (len(gone) > len(state.discards)),
            round=min(state.round + 1, ROUNDS),
            token=state.token if state.solo else (state.token + 1) % state.seats,
        )


class Scoring(Step[TirNaNog]):
    """Scoring begins. Cards with a choice ask their owners clockwise from the token, then Balor's pile is thinned."""

    def run(self, state: TirNaNog) -> TirNaNog:
        asked: list[Step[TirNaNog]] = []
        for at in range(state.seats):
            seat = (state.token + at) % state.seats
            saga = state.sagas[seat]
            asked += [
                ScoreCard(seat, PLACE[point]) for point in saga.powers if saga.card(point).card in registry.SCORING
            ]
        asked += [Spare(left) for left in range(DIFFICULTIES.get(state.balor, 0), 0, -1)]
        return state.but(phase="scoring").first(*asked)


class ScoreCard(Asks, SeatStep[TirNaNog]):
    """A card asks its owner before the count."""

    place: str

    def asking(self, state: TirNaNog) -> Asking:
        return Asking("scoring", self.place, state.sagas[self.seat].card(POINT[self.place]).card)

    def options(self, state: TirNaNog, seat: Seat) -> Collection[Action[TirNaNog]]:
        here = Here(state.sagas[seat], POINT[self.place])
        return list(registry.SCORING[here.card](state, seat, here))


class Spare(Asks, Step[TirNaNog]):
    """The person discards a card of Balor's pile. `left` cards are still to be discarded."""

    left: int

    def asking(self, state: TirNaNog) -> Asking:
        return Asking("spare", left=self.left)

    def actors(self, state: TirNaNog) -> frozenset[Seat]:
        return ONLY[0]

    def options(self, state: TirNaNog, seat: Seat) -> Collection[Action[TirNaNog]]:
        return [actions.DISCARDS[card] for card in sorted(set(state.pile))]

    def take(self, state: TirNaNog, seat: Seat, action: Action[TirNaNog]) -> TirNaNog:
        state = state.but(agenda=state.agenda[1:])
        if not isinstance(action, actions.Discard):
            return state
        return state.but(pile=without(state.pile, action.card), discards=(*state.discards, action.card))


STEPS = (
    *(Begin, DealHand, LayOtherworld, MarkSpace, Journey, TurnCard, BalorPlaces, PlaceStoryteller),
    *(SagaPhase, BalorTakes, DrawCard, KeepCard, TakeCard, Keen, PlayCard, Resolve, EndTurn),
    *(Cleanup, Scoring, ScoreCard, Spare),
)
