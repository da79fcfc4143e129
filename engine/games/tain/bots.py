"""Bots of Táin: `random`, and `steady`, which weighs every placement by the tokens that may be opposite."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Any

from engine.game import Action, Options, Pick, Seat
from engine.games.tain.rules import Free, Guards, Pass, Postings, Put
from engine.games.tain.score import BOY_POINTS, CATTLE_POINTS, DAUGHTER_POINTS, JEWEL_POINTS
from engine.games.tain.state import Tain
from engine.games.tain.tokens import (
    BEATEN,
    BLUFF,
    BOY,
    CHIEF,
    DAUGHTER,
    EMPTY,
    KINDS,
    KINGDOM,
    LETTERS,
    MANY,
    PASTURE,
    RAIDERS,
    ROUNDS,
    SCOUTS,
    WARRIOR,
    Gates,
    Tokens,
    free,
)
from engine.games.tain.view import Clan, TainView
from engine.sums import add_up

PASS_ONE_IN = 20
COST = {CHIEF: 1.1, WARRIOR: 0.7, BOY: 0.35, DAUGHTER: 0.25, BLUFF: 0.0}
COVERED = 0.25  # a single rival still guards an empty gate; one of several is busier elsewhere
COMES = 0.35  # probability that a scout still comes to an empty place
CLAIMED = 0.3  # share of the loot's worth if others are there already
BACK = 1.0  # worth of a token that comes home, apart from the rival's loss
LOST = 0.6
BLOCKS = 2.2  # the cost of a bluff, which takes a place and a turn: real tokens go out late
NOISE = 0.35
FEW, ENOUGH = 4, 9
NEAR = 2
DUEL = 2
UNGUARDED = 0.85
"""With three seats or more, the kingdom is worth this much more: nobody guards it, and no clan strikes back."""
RUSH = 1.5


def random(view: TainView, options: Options, pick: Pick) -> Action[Tain]:
    """Choose any placement. Pass about one time in twenty, or when nothing else is listed."""
    if view.phase != "recon":
        return nth(options, pick(len(options)))
    number = 0 if len(options) == 1 else pick(PASS_ONE_IN)
    return nth(options, len(options) - 1 if number == 0 else pick(len(options) - 1))


def nth(options: Options, index: int) -> Action[Any]:
    """Return the option with this number, counted from 0."""
    if isinstance(options, Sequence | Postings):
        option: Action[Any] = options[index]
        return option
    return next(islice(options, index, None))


@lru_cache(maxsize=1 << 14)
def chances(tokens: Tokens, allowed: str) -> dict[str, float]:
    """Return the probability of each kind for one of these tokens, on a place for the allowed kinds."""
    numbers = {kind: tokens.count(kind) for kind in allowed}
    total = sum(numbers.values()) or 1
    return {kind: number / total for kind, number in numbers.items() if number}


@lru_cache(maxsize=1 << 14)
def guard_chances(tokens: Tokens, there: str, covered: float) -> dict[str, float]:
    """Return the probability that a scout meets each guard at a gate: the one there, or one that may still come."""
    if there != EMPTY:
        return chances(tokens, "".join(KINDS))
    coming = chances(tokens, SCOUTS.replace(BLUFF, "") + DAUGHTER)
    return {EMPTY: 1 - covered, **{kind: chance * covered for kind, chance in coming.items()}}


def prize(
    gate: int, owners: Gates, letter: str, loot: int, prisoners: tuple[str, ...], harm: float, rush: float = 0.0
) -> float:
    """Return the worth of the loot behind a rival's gate to a clan, less if other scouts are there already."""
    side = owners[:PASTURE] if gate < PASTURE else owners[PASTURE:]
    if gate >= PASTURE and prisoners:
        captives = sorted([token[1] for token in prisoners if token[0] == letter], reverse=True)
        mine = side.count(letter)
        if mine < len(captives):
            daughter = captives[mine] == DAUGHTER
            return (DAUGHTER_POINTS if daughter else BOY_POINTS) * harm + BACK * daughter + BACK / 2
    worth = (CATTLE_POINTS if gate < PASTURE else JEWEL_POINTS) * (1 + harm) + rush
    return worth if loot > len(side) - side.count(EMPTY) else worth * CLAIMED * bool(loot)


def risk(gate: int, letter: str, loot: int, prisoners: tuple[str, ...], harm: float) -> float:
    """Return the loss of a clan if the clan with this letter gets in at a gate."""
    if gate >= PASTURE:
        captives = [token[1] for token in prisoners if token[0] == letter]
        if captives:
            return DAUGHTER_POINTS if DAUGHTER in captives else BOY_POINTS
    return (CATTLE_POINTS if gate < PASTURE else JEWEL_POINTS) * (1 + harm) * bool(loot)


@dataclass(frozen=True)
class Mind:
    """Judgement of the table before a token is placed."""

    view: TainView
    seat: Seat
    harm: float  # the cost of a rival's point to us
    thrift: float  # weight of a spent token
    alone: bool

    def scout(self, kind: str, board: Seat, gate: int) -> float:
        """Estimate the gain of a scout there."""
        clan = self.view.clans[board]
        guards = guard_chances(clan.unshown, clan.guards[gate], 0.0 if clan.out else COVERED * self.harm)
        wins = add_up(guards.get(guard, 0.0) for guard in BEATEN[kind])
        worth = wins * self.prize(clan, gate)
        if kind == WARRIOR:
            worth += guards.get(DAUGHTER, 0.0) * (DAUGHTER_POINTS + LOST * self.harm)
        elif kind == BOY:
            worth -= guards.get(WARRIOR, 0.0) * (BOY_POINTS * self.harm + LOST)
        return worth + (BLOCKS if kind == BLUFF else 0.0)

    def prize(self, clan: Clan, gate: int) -> float:
        """Return the worth of the loot behind a rival's gate. Near the end a leader hurries to get cattle."""
        hurries = gate < PASTURE and self.view.clans[self.seat].cattle >= MANY - NEAR and self.leads()
        loot = clan.cattle if gate < PASTURE else clan.jewels
        return prize(gate, clan.owners, LETTERS[self.seat], loot, clan.prisoners, self.harm, RUSH if hurries else 0.0)

    def leads(self) -> bool:
        """Return True if nobody is richer."""
        totals = [score.total for score in self.view.scores]
        return totals[self.seat] == max(totals)

    def guard(self, kind: str, gate: int) -> float:
        """Estimate the losses that a guard prevents there, and its captives."""
        clan = self.view.clans[self.seat]
        owner = clan.owners[gate]
        if owner == EMPTY:
            return 0.0 if self.alone else COMES * self.meeting(kind, gate, self.rivals())
        return self.meeting(kind, gate, (LETTERS.index(owner),))

    def rivals(self) -> tuple[Seat, ...]:
        """Return the rivals still in."""
        return tuple(seat for seat, clan in enumerate(self.view.clans) if seat != self.seat and not clan.out)

    def meeting(self, kind: str, gate: int, rivals: tuple[Seat, ...]) -> float:
        """Estimate the value of the guard against a scout of one of these rivals."""
        worth = 0.0
        for rival in rivals:
            scouts = chances(self.view.clans[rival].unshown, SCOUTS)
            stopped = add_up(chance for scout, chance in scouts.items() if scout != BLUFF and kind not in BEATEN[scout])
            worth += stopped * self.risk(rival, gate)
            if kind == WARRIOR:
                worth += scouts.get(BOY, 0.0) * (BOY_POINTS + LOST * self.harm)
            elif kind == DAUGHTER:
                worth -= scouts.get(WARRIOR, 0.0) * (DAUGHTER_POINTS * self.harm + BACK)
        return worth / max(1, len(rivals)) + (BLOCKS if kind == BLUFF else 0.0)

    def risk(self, rival: Seat, gate: int) -> float:
        """Return our loss if this rival gets in."""
        clan = self.view.clans[self.seat]
        loot = clan.cattle if gate < PASTURE else clan.jewels
        return risk(gate, LETTERS[rival], loot, clan.prisoners, self.harm)

    def kingdom(self, kind: str) -> float:
        """Estimate the gain of a token in the kingdom."""
        if kind == BLUFF:
            return BLOCKS
        other = next((LETTERS.index(token[0]) for token in self.view.kingdom), None)
        rivals = self.rivals() if other is None else (other,)
        if self.view.stock <= len(self.view.kingdom):
            return 0.0
        chief = add_up(chances(self.view.clans[rival].unshown, RAIDERS).get(CHIEF, 0.0) for rival in rivals)
        chief *= 1 / max(1, len(rivals)) * (1.0 if other is not None else COMES)
        worth = CATTLE_POINTS * (1.0 if kind == CHIEF else 1.0 - chief)
        return worth + (UNGUARDED if self.view.seats > DUEL else 0.0)

    def worth(self, action: Put) -> float:
        """Return the worth of a placement, less the cost of the spent token."""
        kind, place = action.kind, action.place
        if place == KINGDOM:
            worth = self.kingdom(kind)
        elif len(place) == 1:
            worth = self.guard(kind, int(place) - 1)
        else:
            worth = self.scout(kind, LETTERS.index(place[0]), int(place[1]) - 1)
        return worth - self.thrift * COST[kind]


def mind(view: TainView) -> Mind:
    """Return the bot's judgement of this table."""
    seat = view.seat or 0
    harm = 1 / (view.seats - 1)
    left = view.clans[seat].unused
    thrift = 0.0 if view.round == ROUNDS or left <= FEW else 1.0
    alone = all(clan.out for at, clan in enumerate(view.clans) if at != seat)
    return Mind(view, seat, harm, thrift, alone)


def steady(view: TainView, options: Options, pick: Pick) -> Action[Tain]:
    """Choose the placement with the best prospects, with some noise so that nobody can predict it."""
    if view.phase == "free":
        return max(options, key=lambda action: isinstance(action, Free) and action.kind == DAUGHTER)
    thought = mind(view)
    if view.phase == "guards":
        return best_posting(thought, options, pick)
    best: Action[Tain] | None = None
    most = threshold(thought)
    for action in options:
        if isinstance(action, Put):
            worth = thought.worth(action) + NOISE * pick(1000) / 1000
            if worth > most:
                best, most = action, worth
    return best if best is not None else next(action for action in options if isinstance(action, Pass))


def threshold(thought: Mind) -> float:
    """Return the minimum worth of a placement. Below it the bot passes."""
    clan = thought.view.clans[thought.seat]
    if clan.placed >= ENOUGH and clan.unused > FEW and thought.view.round < ROUNDS:
        return 1.0
    return 0.0


def best_posting(thought: Mind, options: Options, pick: Pick) -> Action[Tain]:
    """Choose the last guards: the best token for the gates with most at stake, while it is worth its cost."""
    view = thought.view
    tokens, posts = view.unused, []
    for gate in sorted(free(view.clans[thought.seat].guards), key=lambda each: each < "4"):
        worth = {
            kind: thought.guard(kind, int(gate) - 1) - thought.thrift * COST[kind] + NOISE * pick(1000) / 1000
            for kind in dict.fromkeys(tokens)
        }
        best = max(worth, key=worth.__getitem__, default="")
        if best and worth[best] > 0:
            posts.append(best + gate)
            tokens = tokens.replace(best, "", 1)
    posted = Guards(tuple(sorted(posts, key=lambda post: post[1])))
    return posted if posted in options else nth(options, 0)
