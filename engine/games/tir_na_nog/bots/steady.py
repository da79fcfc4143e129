"""The bots `steady`, which looks one turn ahead in its own view, and `strong`, which plays on as steady would."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations_with_replacement
from typing import Any

from engine.game import Action, Options, Pick, Seat, legal
from engine.games.tir_na_nog.bots.evaluation import hope
from engine.games.tir_na_nog.rules import actions
from engine.games.tir_na_nog.rules.cards import CARDS, COLOURS
from engine.games.tir_na_nog.rules.geas import GEAS
from engine.games.tir_na_nog.rules.saga import POINT, ROWS, Placed, Saga
from engine.games.tir_na_nog.rules.score import Rival, awards, pile_regions, region_prizes, scores, tally
from engine.games.tir_na_nog.rules.state import BALOR, ROUNDS, TirNaNog
from engine.games.tir_na_nog.view import View, view
from engine.search import Candidate, SearchBot, final_lead, lead, rank
from engine.sums import add_up
from engine.tuples import put, without

AT_ONCE = {
    "fomoire-raiders": 1.5,
    "wandering-puca": 1.5,
    "dullaghan": 1.5,
    "glastonbury-tor": 1.5,
    "manannans-dock": 2.0,
    "hungry-oillipheist": 1.0,
    "sly-bodach": 1.0,
    "gancanaghs-valley": 0.5,
    "selkie-cove": 2.0,
}
"""Worth of a card's effect when it is played, beyond its colour and value."""
EACH_ROUND = {"merrow-milliners": 0.6, "bru-na-boinne": 0.4, "aengus-bru": 0.3, "leipreachan-cobblers": 0.7}
"""The same for cards that help in every round to come."""
POOL = (1.0, 0.45, 0.25, 0.1)
"""Weight of the best, second best … card in hand."""
CONTESTED = 0.75
AHEAD = 0.5
LEFT_OVER = 0.3
ENOUGH = 0.75
FAR_COST = 1.0


@dataclass(frozen=True)
class Thought:
    """Judgement of one view."""

    view: View

    @property
    def seat(self) -> int:
        """The seat it plays."""
        return self.view.seat or 0

    @property
    def saga(self) -> Saga:
        """Its own Saga."""
        return self.view.sagas[self.seat]

    @cached_property
    def rivals(self) -> tuple[tuple[int, ...], ...]:
        """The largest regions of the other seats, by colour."""
        view = self.view
        sizes = [saga.regions for seat, saga in enumerate(view.sagas) if seat != self.seat]
        if view.solo:
            sizes = [pile_regions(view.pile)]
        return tuple(tuple(size[colour] for size in sizes) for colour in COLOURS)

    @cached_property
    def prizes(self) -> tuple[int, ...]:
        """The awards for regions of one colour."""
        return region_prizes(self.view.edition, self.view.seats)

    def hope(self, saga: Saga) -> float:
        """Estimate the points of a Saga at the end."""
        return hope(saga, self.view.geas, self.rivals, self.prizes)

    @cached_property
    def now(self) -> float:
        """Estimate for the bot's Saga without another card."""
        return self.hope(self.saga)

    def play_gain(self, card: str, row: int) -> float:
        """Return the gain of playing a card to a row."""
        bonus = AT_ONCE.get(card, 0.0) + EACH_ROUND.get(card, 0.0) * (ROUNDS - self.view.round)
        return self.hope(self.saga.play(row, card)) + bonus - self.now

    @cached_property
    def gains(self) -> dict[str, float]:
        """The maximum gain of playing each card, in hand or in the Otherworld."""
        cards = {*self.view.hand, *filter(None, self.view.grid), *filter(None, (self.view.drawn,))}
        known = known_gains(self.saga, self.view.geas, self.rivals, self.prizes, self.view.round)
        for card in cards - known.keys():
            known[card] = max((self.play_gain(card, row) for row in self.rows(card)), default=0.0)
        return {card: known[card] for card in cards}

    def rows(self, card: str) -> list[int]:
        """Return the rows to which the card may be played."""
        saga = self.saga
        allowed = [GEAS[slug].allows for slug in self.view.geas]
        return [row for row in saga.open if not (rule := allowed[row]) or rule(saga, row, saga.slot(row), card)]

    def pool(self, cards: Iterable[str]) -> float:
        """Return the value of these cards in hand."""
        ranked = sorted((self.gains[card] for card in cards), reverse=True)
        return add_up(share * gain for share, gain in zip(POOL, ranked, strict=False))

    @cached_property
    def contested(self) -> dict[int, float]:
        """Probability that the card of each cell is still there when it is wanted."""
        view = self.view
        chances: dict[int, float] = dict.fromkeys(range(len(view.grid)), 1.0)
        for seat, spots in enumerate(view.out):
            for spot in spots if seat != self.seat else ():
                for at in view.world.touched[spot]:
                    chances[at] *= CONTESTED
        return chances

    def out(self, spots: Iterable[str], gone: int = -1) -> float:
        """Estimate the gain of Storytellers on these spots, each with another card."""
        view, total, waiting = self.view, 0.0, list(spots)
        low = min(self.gains.values(), default=0.0)
        for at in sorted(self.wanted, key=self.wanted.__getitem__, reverse=True):
            near = [spot for spot in waiting if at != gone and at in view.world.touched[spot]]
            if near:
                chosen = min(near, key=lambda spot: len(view.world.touched[spot]))
                waiting.remove(chosen)
                total += self.wanted[at] - low
        return total + LEFT_OVER * len(waiting)

    @cached_property
    def wanted(self) -> dict[int, float]:
        """Worth of each card of the Otherworld to the bot by cell, less if others may take it first."""
        return {
            at: self.gains[card] * self.contested[at] if self.gains[card] > 0 else self.gains[card]
            for at, card in enumerate(self.view.grid)
            if card
        }


@lru_cache(maxsize=1 << 12)
def known_gains(  # one for each Saga that was considered, since lookahead meets it again and again
    _saga: Saga, _geas: tuple[str, ...], _rivals: tuple[tuple[int, ...], ...], _prizes: tuple[int, ...], _round: int
) -> dict[str, float]:
    """Return a dictionary that caches the gains of cards, one for each position that determines them."""
    return {}


def steady(view: View, options: Options, pick: Pick) -> Action[Any]:
    """Choose the option that looks best one turn ahead. Equals are drawn by lot."""
    listed = list(options)
    if len(listed) == 1:
        return listed[0]
    marks = judge_options(view, listed)
    best = max([mark for mark, _ in marks])
    equal = [option for mark, option in marks if mark == best]
    return equal[pick(len(equal))] if len(equal) > 1 else equal[0]


def judge_options(view: View, listed: list[Action[Any]]) -> list[tuple[float, Action[Any]]]:
    """Return every option with its mark."""
    judge, thought = JUDGES.get(view.asking.what, _judge_effect), Thought(view)
    return [(judge(thought, option), option) for option in listed]


def _judge_place(thought: Thought, action: Action[Any]) -> float:
    spot = getattr(action, "spot", "")
    return thought.out((*thought.view.out[thought.seat], spot))


def _judge_take(thought: Thought, action: Action[Any]) -> float:
    view = thought.view
    match action:
        case actions.Take(cell, spot):
            at = view.world.at[cell]
            rest = without(view.out[thought.seat], spot)
            return thought.pool((*view.hand, view.grid[at])) + AHEAD * thought.out(rest, at)
        case actions.Keep(spot):
            rest = without(view.out[thought.seat], spot)
            return thought.pool((*view.hand, view.drawn)) + AHEAD * thought.out(rest)
        case actions.Discard(card):
            return _judge_discard_to_take(thought, card)
    return _judge_shift(thought, action)


def _judge_discard_to_take(thought: Thought, card: str) -> float:
    """Judge the discard of Mag Mell, or of the card drawn for Aengus's Brú: any card of the Otherworld may follow."""
    view = thought.view
    hand = view.hand if view.drawn else without(view.hand, card)
    best = max(range(len(view.grid)), key=lambda at: thought.gains.get(view.grid[at], -999.0))
    rest = sorted(view.out[thought.seat])[1:]
    cost = 0.0 if view.drawn else FAR_COST
    return thought.pool((*hand, view.grid[best])) + AHEAD * thought.out(rest, best) - cost


def _judge_shift(thought: Thought, action: Action[Any]) -> float:
    """Judge a move of the Cobblers: it goes first if it helps, since takes and plays stay possible after it."""
    gain = thought.hope(apply_effect(thought.saga, action, thought.view.asking.about)) - thought.now
    return gain + 1000 if gain > ENOUGH else -1000


def _judge_play(thought: Thought, action: Action[Any]) -> float:
    match action:
        case actions.Play(card, row):
            return thought.play_gain(card, ROWS.index(row))
        case actions.Discard(card):
            return -thought.gains[card]
    return _judge_shift(thought, action)


def _judge_discard(thought: Thought, action: Action[Any]) -> float:
    card = getattr(action, "card", "")
    return thought.pool(without(thought.view.hand, card))


def _judge_effect(thought: Thought, action: Action[Any]) -> float:
    """Judge an effect by the resulting Saga, or by the Storytellers."""
    if isinstance(action, actions.Wander):
        return _judge_wander(thought, action)
    if isinstance(action, actions.Stay):
        return thought.out(thought.view.out[thought.seat]) if thought.view.asking.card in WANDERERS else 0.0
    return thought.hope(apply_effect(thought.saga, action, thought.view.asking.about)) - thought.now


WANDERERS = ("dobhar-chu-loch", "keening-banshee")


def _judge_wander(thought: Thought, action: actions.Wander) -> float:
    own = thought.view.out[thought.seat]
    if action.start not in own or action.whose not in (None, thought.seat):
        return -1.0
    return thought.out((*without(own, action.start), action.end))


def apply_effect(saga: Saga, action: Action[Any], about: str) -> Saga:
    """Return a Saga after an effect. `about` is the place of the card that asks."""
    match action:
        case actions.Paint(place, colour):
            placed = saga.card(POINT[place])
            return saga.put(POINT[place], Placed(placed.card, colour, placed.extra))
        case actions.Swap(one, other):
            return saga.swap(POINT[one], POINT[other])
        case actions.Shift(place, row):
            return saga.move(POINT[place], ROWS.index(row))
        case actions.Eat(place):
            row_at, slot = POINT[place]
            eater = saga.card(POINT[about])
            fed = Placed(eater.card, eater.colour, eater.extra + saga.values[row_at][slot])
            return saga.put(POINT[about], fed).put(POINT[place], None)
        case actions.Adjust(place, by):
            placed = saga.card(POINT[place])
            return saga.put(POINT[place], Placed(placed.card, placed.colour, placed.extra + int(by)))
    return saga


def _judge_spare(thought: Thought, action: Action[Any]) -> float:
    """Return the lead in the Regions after this card, and the best of those that may follow, leave Balor's pile."""
    view = thought.view
    first, prizes = CARDS[getattr(action, "card", "")].colour, region_prizes(view.edition, view.seats)
    best = -999
    for more in combinations_with_replacement(COLOURS, view.asking.left - 1):
        sizes = pile_regions(view.pile)
        for colour in (first, *more):
            sizes[colour] -= 1
        won = [awards([thought.saga.regions[colour], sizes[colour]], prizes) for colour in COLOURS]
        best = max(best, sum(pair[1 - BALOR] - pair[BALOR] for pair in won))
    return float(best)


def _judge_score(thought: Thought, action: Action[Any]) -> float:
    """Return the lead in the whole count after a last choice."""
    view = thought.view
    saga = apply_effect(thought.saga, action, view.asking.about)
    rival = Rival(view.pile, view.balor) if view.solo else None
    scores = tally(put(view.sagas, thought.seat, saga), view.geas, view.edition, rival)
    others = max(score.total for seat, score in enumerate(scores) if seat != thought.seat)
    return float(scores[thought.seat].total - others)


Judge = Callable[[Thought, Action[Any]], float]
JUDGES: dict[str, Judge] = {
    "mark": lambda _thought, _action: 0.0,
    "place": _judge_place,
    "take": _judge_take,
    "echtra": _judge_take,
    "far": _judge_take,
    "keep": _judge_take,
    "play": _judge_play,
    "cleanup": _judge_discard,
    "scoring": _judge_score,
    "spare": _judge_spare,
}


WIN = 5.0
"""Bonus for winning."""
HAND = 0.5
"""Share at which the cards in hand count."""


def candidates(seen: View, options: Options, pick: Pick) -> list[Candidate[TirNaNog]]:  # noqa: ARG001  # no ties by lot
    """Return the options, the best first by the judgement of `steady`."""
    return rank(judge_options(seen, list(options)))


def policy(state: TirNaNog, seat: Seat, pick: Pick) -> Action[Any]:
    """Choose like `steady`."""
    return steady(view(state, seat), legal(state, seat), pick)


def far_enough(before: TirNaNog, now: TirNaNog) -> bool:
    """Return True once the round is over."""
    return now.round > before.round


def worth(state: TirNaNog, seat: Seat) -> float:
    """Return the lead over the best rival, counted or estimated, with a bonus for winning.

    Against Balor only the lead counts, so that the bot plays the same whatever points he has for a Geas.
    """
    if state.over and not state.solo:
        return final_lead(scores(state), seat, WIN)
    return lead([expected_total(state, other) for other in range(state.seats)], seat)


def expected_total(state: TirNaNog, seat: Seat) -> float:
    """Return the total of a seat, or an estimate of it. Balor's points depend only on his pile."""
    if state.over or (state.solo and seat == BALOR):
        return float(scores(state)[seat].total)
    thought = Thought(view(state, seat))
    return thought.now + HAND * thought.pool(state.hands[seat])


strong = SearchBot(candidates, policy, far_enough, worth, playouts=96, width=6, trust=3.0)
