"""The search behind pods: swaps between tables until nobody meets again who need not.

Costs are integers in this order: people who meet again, pairs to be avoided, the spread of points at a table, a second
short table for one entrant. A table with a fault looks for swaps in the tables nearest to it, twice as far each time.
In a field of up to 64 a longer search follows where faults remain.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from engine.chance import stretched_pick
from engine.game import Pick
from service.tournaments.formats.crosstable import BOT, Number, StageRound

MOST_FOR_LONG_SEARCH = 64
_RESTARTS, _STEPS, _REST_ROUNDS = 20, 500, 7

_SPREAD_BITS, _SHORT_BITS, _AVOID_BITS = 40, 16, 20
_SPREAD = 1 << _SHORT_BITS
_AVOID = _SPREAD << _SPREAD_BITS
_REPEAT = _AVOID << _AVOID_BITS

Pods = list[list[Number]]


class MeetingRows(dict[Number, dict[Number, int]]):
    """Whom everybody has met how often; the row of an entrant is made when it is first asked for.

    Most people never need theirs: whether anybody at a table has met is seen from the tables at which they sat, and
    many thousands of rows would not fit into the caches of a processor.
    """

    def __init__(self, rounds: Iterable[StageRound], people: Iterable[Number]) -> None:
        super().__init__()
        self._tables: list[tuple[Number, ...]] = []
        self._sat: dict[Number, list[int]] = {number: [] for number in people}
        for each in rounds:
            for pairing in each.pairings:
                if len(pairing.seats) > 1:
                    self._add_table(pairing.seats)

    def _add_table(self, seats: tuple[Number, ...]) -> None:
        table = len(self._tables)
        self._tables.append(seats)
        for number in seats:
            own = self._sat.get(number)
            if own is not None:
                own.append(table)

    def __missing__(self, number: Number) -> dict[Number, int]:
        row: dict[Number, int] = {}
        for table in self._sat[number]:
            for other in self._tables[table]:
                row[other] = row.get(other, 0) + 1
        row.pop(number, None)
        row.pop(BOT, None)
        self[number] = row
        return row

    def have_met(self, pod: Sequence[Number]) -> bool:
        """Whether any two of these have sat at one table."""
        tables = [table for one in pod for table in self._sat[one]]
        return len(set(tables)) < len(tables)


@dataclass(frozen=True)
class PodCosts:
    """What a table costs: who has met whom how often, pairs to be avoided, points, and how often tables were short."""

    met: MeetingRows
    avoid: Mapping[Number, frozenset[Number]]
    points: Mapping[Number, int]
    short: Mapping[Number, int]
    seats: int

    @classmethod
    def build(
        cls,
        played: Sequence[StageRound],
        people: Sequence[Number],
        points: Mapping[Number, int],
        avoid: Iterable[tuple[Number, Number]],
        seats: int,
    ) -> PodCosts:
        """The costs that follow from the rounds so far."""
        short: dict[Number, int] = {}
        for each in played:
            for pairing in each.pairings:
                if 1 < len(pairing.seats) < seats:
                    short.update({number: short.get(number, 0) + 1 for number in pairing.seats})
        hated: dict[Number, set[Number]] = {}
        for one, other in avoid:
            hated.setdefault(one, set()).add(other)
            hated.setdefault(other, set()).add(one)
        kept = {number: frozenset(others) for number, others in hated.items()}
        return cls(MeetingRows(played, people), kept, points, short, seats)

    def count_repeats(self, pod: Sequence[Number]) -> int:
        """How many pairs at this table have met before."""
        if not self.met.have_met(pod):
            return 0
        return sum(other in self.met[one] for at, one in enumerate(pod) for other in pod[at + 1 :])

    def faults(self, one: Number, pod: Sequence[Number], without: Number = BOT) -> int:
        """What it costs that this one sits with the others at a table."""
        row, total = self.met[one], 0
        for other in pod:
            if other in row and other != without:
                total += _REPEAT * row[other]
        if self.avoid and one in self.avoid:
            total += _AVOID * sum(other in self.avoid[one] for other in pod if other != without)
        return total

    def has_fault(self, pod: Sequence[Number]) -> bool:
        """Whether somebody at this table should not sit with somebody else there."""
        avoid = self.avoid
        return self.met.have_met(pod) or (
            bool(avoid) and any(not avoid.get(one, frozenset()).isdisjoint(pod) for one in pod)
        )

    def rest(self, pod: Sequence[Number]) -> int:
        """What a table costs apart from who sits with whom: its spread of points, and second short tables."""
        points = [self.points[one] for one in pod]
        total = _SPREAD * (max(points) - min(points))
        if len(pod) < self.seats:
            total += sum(self.short.get(one, 0) ** 2 for one in pod)
        return total

    def total(self, pods: Pods) -> int:
        """What all tables cost."""
        return sum(self.rest(pod) + sum(self.faults(one, pod) for one in pod) // 2 for pod in pods)


def improve_pods(blocks: Pods, costs: PodCosts) -> Pods:
    """The tables after all swaps that pay."""
    pods = [list(block) for block in blocks]
    _repair(pods, costs)
    if sum(map(len, pods)) <= MOST_FOR_LONG_SEARCH and any(costs.has_fault(pod) for pod in pods):
        pods = _search_long(blocks, pods, costs)
    return pods


def _repair(pods: Pods, costs: PodCosts) -> None:
    """Swap people of faulty tables with those of tables near by, in place."""
    faulty = [at for at, pod in enumerate(pods) if costs.has_fault(pod)]
    reach = 1
    while faulty and reach < 2 * len(pods):
        touched = set(faulty)
        for at in faulty:
            near = [*range(max(0, at - reach), at), *range(at + 1, min(len(pods), at + reach + 1))]
            while costs.has_fault(pods[at]):
                other = _swap_best(pods, at, near, costs)
                if other is None:
                    break
                touched.add(other)
        faulty = [at for at in sorted(touched) if costs.has_fault(pods[at])]
        reach *= 2


def _swap_best(pods: Pods, at: int, near: Iterable[int], costs: PodCosts) -> int | None:
    """Make the swap of a faulty table with those near that saves most, and tell with which table, if any."""
    pod = pods[at]
    best, found = 0, None
    for seat, one in enumerate(pod):
        fault = costs.faults(one, pod)
        if not fault:
            continue
        for other in near:
            there = pods[other]
            for place, two in enumerate(there):
                saved = fault + costs.faults(two, there) - costs.faults(one, there, two) - costs.faults(two, pod, one)
                if saved <= 0:
                    continue
                saved += costs.rest(pod) + costs.rest(there)
                pod[seat], there[place] = two, one
                saved -= costs.rest(pod) + costs.rest(there)
                pod[seat], there[place] = one, two
                if saved > best:
                    best, found = saved, (other, seat, place)
    if found is None:
        return None
    other, seat, place = found
    pod[seat], pods[other][place] = pods[other][place], pod[seat]
    return other


def _search_long(blocks: Pods, repaired: Pods, costs: PodCosts) -> Pods:
    """The best tables of several walks over swaps, then whatever else pays."""
    people = [one for pod in repaired for one in pod]
    weights = [[costs.faults(one, (other,)) if one != other else 0 for other in people] for one in people]
    at = {one: index for index, one in enumerate(people)}
    pick = stretched_pick(len(people))
    best, least = repaired, costs.total(repaired)
    for restart in range(_RESTARTS):
        start = [[at[one] for one in pod] for pod in (repaired if restart == 0 else blocks)]
        if restart > 1:
            _shuffle_pods(start, pick)
        found = [[people[index] for index in pod] for pod in _walk(start, weights, pick)]
        _settle(found, costs)
        cost = costs.total(found)
        if cost < least:
            best, least = found, cost
        if least < _AVOID:
            break
    return best


def _shuffle_pods(pods: Pods, pick: Pick) -> None:
    people = [one for pod in pods for one in pod]
    for pod in pods:
        for seat in range(len(pod)):
            pod[seat] = people.pop(pick(len(people)))


def _walk(pods: Pods, weights: Sequence[Sequence[int]], pick: Pick) -> Pods:
    """The best tables of one walk: somebody with a fault takes the best swap, even a bad one, and none back at once.

    People are places in `weights` here, and `load` has what each would suffer at each table.
    """
    table = {one: at for at, pod in enumerate(pods) for one in pod}
    people = sorted(table)
    load = [[sum(weights[one][other] for other in pod) for pod in pods] for one in people]
    now = sum(load[one][table[one]] for one in people) // 2
    best, least = dict(table), now
    rests = [0] * len(people)
    for step in range(1, _STEPS + 1):
        faulty = [one for one in people if load[one][table[one]]]
        if not faulty:
            break
        one = faulty[pick(len(faulty))]
        here = table[one]
        mine, own, row = load[one], load[one][here], weights[one]
        found, fewest = -1, 0
        for other in people:
            there = table[other]
            if there == here or rests[other] > step:
                continue
            change = mine[there] + load[other][here] - 2 * row[other] - own - load[other][there]
            if found < 0 or change < fewest:
                found, fewest = other, change
        if found < 0:
            continue
        there = table[found]
        for each in people:
            moved = weights[each][found] - weights[each][one]
            load[each][here] += moved
            load[each][there] -= moved
        table[one], table[found] = there, here
        now += fewest
        rests[one] = rests[found] = step + 2 + pick(_REST_ROUNDS)
        if now < least:
            best, least = dict(table), now
    return [[one for one in people if best[one] == at] for at in range(len(pods))]


def _best_exchange(pods: Pods, at: int, seat: int, costs: PodCosts) -> tuple[int, int, int] | None:
    """The swap of one person with somebody at another table that saves most, or costs least."""
    pod, one = pods[at], pods[at][seat]
    fault = costs.faults(one, pod)
    best: tuple[int, int, int] | None = None
    for other, there in enumerate(pods):
        if other == at:
            continue
        for place, two in enumerate(there):
            saved = fault + costs.faults(two, there) - costs.faults(one, there, two) - costs.faults(two, pod, one)
            saved += costs.rest(pod) + costs.rest(there)
            pod[seat], there[place] = two, one
            saved -= costs.rest(pod) + costs.rest(there)
            pod[seat], there[place] = one, two
            if best is None or saved > best[0]:
                best = (saved, other, place)
    return best


def _settle(pods: Pods, costs: PodCosts) -> None:
    """Make every swap that pays, until none does."""
    better = True
    while better:
        better = False
        for at, pod in enumerate(pods):
            for seat in range(len(pod)):
                found = _best_exchange(pods, at, seat, costs)
                if found is not None and found[0] > 0:
                    _, other, place = found
                    pod[seat], pods[other][place] = pods[other][place], pod[seat]
                    better = True
