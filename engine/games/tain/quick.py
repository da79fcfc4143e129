"""Policy for playouts of Táin: much like `steady`, but cached, and only the best token for each place."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from engine.game import Action, Pick, Seat
from engine.games.tain import bots
from engine.games.tain.rules import PASSING, PUTS, FreeCaptives, PostGuards, guards_action
from engine.games.tain.score import BOY_POINTS, CATTLE_POINTS, DAUGHTER_POINTS
from engine.games.tain.state import RIVALS, Tain
from engine.games.tain.tokens import (
    BEATEN,
    BLUFF,
    BOY,
    CHIEF,
    CLAN,
    DAUGHTER,
    EMPTY,
    GATES,
    KINGDOM,
    LETTERS,
    PASTURE,
    RAIDERS,
    ROUNDS,
    SCOUTS,
    UNKNOWN,
    WARRIOR,
    Tokens,
    kinds,
)
from engine.sums import add_up

Bet = tuple[float, str]  # the gain of a token at a place, and its kind
Rival = tuple[Tokens, float]  # the kinds that a rival's token may be, and the loss if it gets in
NONE: Bet = (-99.0, "")
HOUSE_FIRST = (3, 4, 0, 1, 2)
FINE = 1000


@lru_cache(maxsize=1 << 12)
def unshown_tokens(seat: Seat, used: Tokens, prisoners: tuple[tuple[str, ...], ...]) -> Tokens:
    """Return a clan's tokens behind the screen and face down: all that are neither used nor captive."""
    tokens = CLAN
    for kind in (*used, *(token[1] for held in prisoners for token in held if token[0] == LETTERS[seat])):
        tokens = tokens.replace(kind, "", 1)
    return tokens


@lru_cache(maxsize=1 << 14)
def best_scout(own: Tokens, guards: Tokens, there: str, prize: float, harm: float, thrift: float) -> Bet:
    """Return the best scout for a rival's gate. `there` is the visible part of its guard."""
    met, best = bots.guard_chances(guards, there, bots.COVERED * harm), NONE
    for kind in own:
        if kind in SCOUTS:
            worth = prize * add_up(met.get(guard, 0.0) for guard in BEATEN[kind]) - thrift * bots.COST[kind]
            if kind == WARRIOR:
                worth += met.get(DAUGHTER, 0.0) * (DAUGHTER_POINTS + bots.LOST * harm)
            elif kind == BOY:
                worth -= met.get(WARRIOR, 0.0) * (BOY_POINTS * harm + bots.LOST)
            elif kind == BLUFF:
                worth += bots.BLOCKS
            best = max(best, (worth, kind))
    return best


@lru_cache(maxsize=1 << 14)
def best_guard(own: Tokens, rivals: tuple[Rival, ...], share: float, harm: float, thrift: float) -> Bet:
    """Return the best guard against a scout of one of these rivals, who comes with probability `share`."""
    best = NONE
    for kind in own:
        worth = bots.BLOCKS if kind == BLUFF else 0.0
        for tokens, risk in rivals:
            scouts = bots.chances(tokens, SCOUTS)
            stopped = add_up(chance for scout, chance in scouts.items() if scout != BLUFF and kind not in BEATEN[scout])
            met = stopped * risk
            if kind == WARRIOR:
                met += scouts.get(BOY, 0.0) * (BOY_POINTS + bots.LOST * harm)
            elif kind == DAUGHTER:
                met -= scouts.get(WARRIOR, 0.0) * (DAUGHTER_POINTS * harm + bots.BACK)
            worth += met / len(rivals)
        best = max(best, (worth * share - thrift * bots.COST[kind], kind))
    return best


@lru_cache(maxsize=1 << 12)
def best_raider(own: Tokens, rivals: tuple[Tokens, ...], share: float, thrift: float) -> Bet:
    """Return the best token for the kingdom, to which one of these rivals comes with probability `share`."""
    chief = share * add_up(bots.chances(tokens, RAIDERS).get(CHIEF, 0.0) for tokens in rivals) / max(1, len(rivals))
    worth = {CHIEF: CATTLE_POINTS, WARRIOR: CATTLE_POINTS * (1 - chief), BLUFF: bots.BLOCKS}
    return max(((worth[kind] - thrift * bots.COST[kind], kind) for kind in own if kind in RAIDERS), default=NONE)


@dataclass(frozen=True)
class PlacementJudge:
    """Judgement of a table before a seat places a token. `tokens` are the unshown tokens of every clan."""

    state: Tain
    seat: Seat
    harm: float
    thrift: float
    tokens: tuple[Tokens, ...]

    def prize(self, board: Seat, gate: int) -> float:
        """Return the worth of the loot behind a rival's gate, less if other scouts are there already."""
        state = self.state
        loot = state.cattle[board] if gate < PASTURE else state.jewels[board]
        return bots.prize(gate, state.owners[board], LETTERS[self.seat], loot, state.prisoners[board], self.harm)

    def risk(self, rival: Seat, gate: int) -> float:
        """Return the loss if this rival gets in."""
        state = self.state
        loot = state.cattle[self.seat] if gate < PASTURE else state.jewels[self.seat]
        return bots.risk(gate, LETTERS[rival], loot, state.prisoners[self.seat], self.harm)

    def guard(self, own: Tokens, gate: int, rivals: tuple[Seat, ...]) -> Bet:
        """Return the best guard for a gate of this seat."""
        owner, share = self.state.owners[self.seat][gate], bots.COMES
        if owner != EMPTY:
            rivals, share = (LETTERS.index(owner),), 1.0
        faced = tuple([(self.tokens[rival], self.risk(rival, gate)) for rival in rivals])
        return best_guard(own, faced, share, self.harm, self.thrift)

    def bets(self, own: Tokens) -> Iterator[tuple[Bet, str]]:
        """Yield the best token for every free place."""
        state, seat = self.state, self.seat
        others = RIVALS[state.seats][seat]
        rivals = tuple([other for other in others if state.is_in(other)])
        for gate, kind in enumerate(state.guards[seat]):
            if kind == EMPTY:
                yield self.guard(own, gate, rivals), GATES[gate]
        for board in others:
            tokens, guards = self.tokens[board], state.guards[board]
            for gate, owner in enumerate(state.owners[board]):
                if owner == EMPTY:
                    there = EMPTY if guards[gate] == EMPTY else UNKNOWN
                    bet = best_scout(own, tokens, there, self.prize(board, gate), self.harm, self.thrift)
                    yield bet, LETTERS[board] + GATES[gate]
        if state.may_enter(seat) and state.stock > len(state.kingdom):
            there_already = tuple([LETTERS.index(token[0]) for token in state.kingdom])
            faced = tuple([self.tokens[rival] for rival in there_already or rivals])
            yield best_raider(own, faced, 1.0 if there_already else bots.COMES, self.thrift), KINGDOM

    def posting(self, own: Tokens, pick: Pick) -> Action[Tain]:
        """Choose the last guards, the house first, while they are worth their cost."""
        posts = []
        for gate in HOUSE_FIRST:
            if own and self.state.guards[self.seat][gate] == EMPTY:
                worth, kind = self.guard(kinds(own), gate, ())
                if worth + bots.NOISE * pick(FINE) / FINE > 0:
                    posts.append(kind + GATES[gate])
                    own = own.replace(kind, "", 1)
        return guards_action(tuple(sorted(posts, key=lambda post: post[1])))


def quick(state: Tain, seat: Seat, pick: Pick) -> Action[Tain]:
    """Choose a seat's action in a playout, from its own tokens and what everybody sees."""
    step, own = state.agenda[0], state.unused[seat]
    if isinstance(step, FreeCaptives):
        return bots.nth(step.options(state, seat), 0)
    thrift = 0.0 if state.round == ROUNDS or len(own) <= bots.FEW else 1.0
    tokens = tuple([unshown_tokens(each, used, state.prisoners) for each, used in enumerate(state.used)])
    judge = PlacementJudge(state, seat, 1 / (state.seats - 1), thrift, tokens)
    if isinstance(step, PostGuards):
        return judge.posting(own, pick)
    chosen: Action[Tain] = PASSING[0]
    most = 1.0 if thrift and len(tokens[seat]) - len(own) >= bots.ENOUGH else 0.0
    for (worth, kind), place in judge.bets(kinds(own)):
        noisy = worth + bots.NOISE * pick(FINE) / FINE
        if noisy > most:
            chosen, most = PUTS[kind, place], noisy
    return chosen
