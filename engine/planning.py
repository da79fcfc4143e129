"""Planning: lines of a seat and likely lines of the other seats, tried on re-deals.

Everything that the seat cannot see is dealt again several times, and chance is rolled in each of these states, always
by picks that depend only on the name of the planner. So a plan is the same for all states that the seat cannot
distinguish.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256

from engine.chance import seeded_pick
from engine.game import CHANCE, CORE_VERBS, AnyAction, AnyBot, AnyGame, Pick, Seat, State, Thinker, apply, legal, to_act
from engine.notation import NotALine
from engine.playout import answer, play_out
from engine.reading import read

DEALS = 6
"""Number of re-deals. A line of the seat can be planned if all of them list it."""
FEWEST_SURE = 4
"""Minimum number of re-deals for calling a line sure; fewer that agree may do so by chance."""
MOST_TRIES = 24
"""Maximum number of new deals of a re-deal until it lists the planned line of another seat."""
MOST_REPLAYS = 24
"""Maximum number of re-deals in one plan that may be replaced by a new deal from the start.

Each replay makes all lines of the plan again, so this bounds the cost of long plans that hardly fit.
"""


@dataclass(frozen=True)
class PlannedStep:
    """A line of a plan with the seat that would make it, and a state before it in which it is listed."""

    seat: Seat
    action: AnyAction
    before: State


@dataclass(frozen=True)
class Plan:
    """Re-dealt states after some lines of several seats. The first one is shown."""

    origin: State
    states: Sequence[State]
    steps: tuple[PlannedStep, ...] = ()
    replays: int = MOST_REPLAYS
    """Number of replays left."""


@dataclass(frozen=True)
class LikelyLine:
    """A line that a bot would make for another seat, and the number of re-deals in which it would."""

    step: PlannedStep
    deals: int


@dataclass(frozen=True)
class Planner:
    """Tries lines on re-deals for one seat."""

    game: AnyGame
    seat: Seat
    name: str
    """The text that alone determines all picks."""
    bots: Mapping[Seat, str]
    """The bots at the table. For other seats the stand-in chooses the likely line."""

    def start(self, state: State) -> Plan:
        """Return re-deals that the seat cannot distinguish from this state, after chance has acted in them."""
        return self._keep_alike(Plan(state, [self._deal(state, number) for number in range(DEALS)]))

    def make(self, plan: Plan, seat: Seat, line: str) -> Plan | None:
        """Add a line to a plan, or return None if it is impossible.

        A line of the seat itself must be listed in all re-deals, so that it does not depend on chance or on what is
        hidden. For a line of another seat, re-deals that do not list it are dealt again.
        """
        try:
            action = read(self.game, line, seat)
        except NotALine:
            return None
        if action.verb in CORE_VERBS:
            return None
        if seat == self.seat:
            states, replays = plan.states if self.is_sure(plan, action) else (), plan.replays
        else:
            states, replays = self._fit(plan, seat, action)
        if not states:
            return None
        step = PlannedStep(seat, action, states[0])
        after = [self._advance(state, step, len(plan.steps), number) for number, state in enumerate(states)]
        return self._keep_alike(Plan(plan.origin, after, (*plan.steps, step), replays))

    def is_sure(self, plan: Plan, action: AnyAction) -> bool:
        """Return True if the seat can make this line in all re-deals, and there are enough of them to tell."""
        return len(plan.states) >= FEWEST_SURE and all(action in legal(state, self.seat) for state in plan.states)

    def likely_lines(self, plan: Plan) -> list[LikelyLine]:
        """Return the lines that bots would make for the other seats that act next, the most likely first."""
        seats = sorted(to_act(plan.states[0]) - {self.seat, CHANCE})
        return [each for seat in seats for each in self._likely_lines_of(plan, seat)]

    def _likely_lines_of(self, plan: Plan, seat: Seat) -> list[LikelyLine]:
        steps: dict[str, PlannedStep] = {}
        counts = Counter[str]()
        for number, state in enumerate(plan.states):
            pick = self._pick("bot", len(plan.steps), number)
            action = answer(self.game, state, seat, self._bot_of(seat), pick)
            steps.setdefault(action.line, PlannedStep(seat, action, state))
            counts[action.line] += 1
        return [LikelyLine(steps[line], count) for line, count in counts.most_common()]

    def _bot_of(self, seat: Seat) -> AnyBot:
        """Return the bot that chooses for a seat. A bot that searches would take too long."""
        bots = self.game.bots
        bot = bots.find(self.bots.get(seat, ""))
        return bots.by_name[bots.stand_in] if bot is None or isinstance(bot, Thinker) else bot

    def _fit(self, plan: Plan, seat: Seat, action: AnyAction) -> tuple[list[State], int]:
        """Return re-deals of the plan in which a line of another seat is listed, and the number of replays left.

        Dealing again keeps the cards that the seat has drawn in the plan. If that is not enough, a new deal from the
        start also draws other cards, so that the remaining re-deals do not all agree on them.
        """
        states, left = [], plan.replays
        for number, before in enumerate(plan.states):
            state = self._deal_until_listed(before, seat, action, len(plan.steps), number)
            while state is None and left:
                left -= 1
                replayed = self._replay(plan, number, left)
                if replayed is not None:
                    state = self._deal_until_listed(replayed, seat, action, len(plan.steps), number, left)
            if state is not None:
                states.append(state)
        return states, left

    def _keep_alike(self, plan: Plan) -> Plan:
        """Keep the re-deals in which the same seats act next as in the first, and replace the others by new deals."""
        first = to_act(plan.states[0])
        states, left = [state for state in plan.states if to_act(state) == first], plan.replays
        while len(states) < DEALS and left:
            left -= 1
            state = self._replay(plan, DEALS, left)
            if state is not None and to_act(state) == first:
                states.append(state)
        return replace(plan, states=states, replays=left)

    def _replay(self, plan: Plan, *parts: int) -> State | None:
        """Return a new deal after all lines of the plan, or None if it does not list one of them."""
        state = self._deal(plan.origin, *parts)
        for place, step in enumerate(plan.steps):
            before = self._deal_until_listed(state, step.seat, step.action, place, *parts)
            if before is None:
                return None
            state = self._advance(before, step, place, *parts)
        return state

    def _deal_until_listed(self, state: State, seat: Seat, action: AnyAction, *parts: int) -> State | None:
        """Return the state, or a re-deal of it, in which a line is listed, or None."""
        pick = self._pick("again", *parts)
        for _ in range(1 if seat == self.seat else MOST_TRIES):
            if action in legal(state, seat):
                return state
            state = self.game.rules.redeal(state, self.seat, pick)
        return None

    def _deal(self, state: State, *parts: int) -> State:
        """Deal again everything that the seat cannot see, and let chance act."""
        return self._roll(self.game.rules.redeal(state, self.seat, self._pick("deal", *parts)), *parts)

    def _advance(self, state: State, step: PlannedStep, *parts: int) -> State:
        """Return the state after a line and after chance."""
        return self._roll(apply(state, step.seat, step.action), *parts)

    def _roll(self, state: State, *parts: int) -> State:
        """Return the state after all lines of chance up to the next question."""
        pick = self._pick("chance", *parts)
        for _, _, after in play_out(self.game, state, pick, {}, lambda _: pick):
            state = after
        return state

    def _pick(self, *parts: str | int) -> Pick:
        text = "".join(f"{part}\n" for part in (self.name, *parts))
        return seeded_pick(int.from_bytes(sha256(text.encode()).digest(), "big"))
