"""Pod search: swap people between tables until no avoidable repeat is left.

Costs are integers, in order of weight: people who meet again, pairs to avoid, the spread of points at a table, a second
short table for one entrant. A table with a fault looks for swaps in the nearest tables, then twice as far each time, so
that points stay close and a field of thousands takes linear time. In a field of at most 64 every pair has a weight in a
matrix, and if faults remain a tabu search with restarts follows: greedy swaps get stuck there, because few people are
left who have not met.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from engine.chance import stretched_pick
from engine.game import Pick
from service.tournaments.formats.crosstable import BOT, Number, StageRound, list_pairings

MOST_FOR_LONG_SEARCH = 64
_RESTARTS, _STEPS, _REST_ROUNDS = 20, 500, 7

# The bits of each cost leave room for its largest sum over all tables, so that a lower cost never outweighs a higher.
_SPREAD_BITS, _SHORT_BITS, _AVOID_BITS = 40, 16, 20
_SPREAD = 1 << _SHORT_BITS
_AVOID = _SPREAD << _SPREAD_BITS
_REPEAT = _AVOID << _AVOID_BITS

Pods = list[list[Number]]


class MeetingRows(dict[Number, dict[Number, int]]):
    """Number of times each pair has met. The row of an entrant is built on first use.

    Most rows are never needed, because `have_met` compares the earlier tables of people instead. Many thousands of rows
    would not fit into the cache of a processor.
    """

    def __init__(self, rounds: Iterable[StageRound], people: Iterable[Number]) -> None:
        super().__init__()
        self._tables: list[tuple[Number, ...]] = []
        self._sat: dict[Number, list[int]] = {number: [] for number in people}
        for pairing in list_pairings(rounds):
            if len(pairing.seats) > 1:
                for number in pairing.seats:
                    if number in self._sat:
                        self._sat[number].append(len(self._tables))
                self._tables.append(pairing.seats)

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
        """Return True if any two of these have sat at one table."""
        tables = [table for one in pod for table in self._sat[one]]
        return len(set(tables)) < len(tables)


@dataclass(frozen=True)
class PodCosts:
    """Costs of tables: earlier meetings, pairs to avoid, points, and the number of earlier short tables."""

    met: MeetingRows
    avoid: Mapping[Number, set[Number]]
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
        """Return the costs that follow from the rounds so far."""
        tables = (pairing.seats for pairing in list_pairings(played))
        short = Counter(number for table in tables if 1 < len(table) < seats for number in table)
        apart: dict[Number, set[Number]] = {}
        for one, other in avoid:
            apart.setdefault(one, set()).add(other)
            apart.setdefault(other, set()).add(one)
        return cls(MeetingRows(played, people), apart, points, short, seats)

    def count_repeats(self, pod: Sequence[Number]) -> int:
        """Count the pairs at this table who have met before."""
        return sum(other in self.met[one] for one, other in combinations(pod, 2)) if self.met.have_met(pod) else 0

    def faults(self, one: Number, pod: Sequence[Number], without: Number = BOT) -> int:
        """Return the cost of one person sitting with the others of a table, not counting `without`."""
        row, total = self.met[one], 0
        for other in pod:
            if other in row and other != without:
                total += _REPEAT * row[other]
        if self.avoid and one in self.avoid:
            total += _AVOID * sum(other in self.avoid[one] for other in pod if other != without)
        return total

    def has_fault(self, pod: Sequence[Number]) -> bool:
        """Return True if two people at this table should not sit together."""
        avoid = self.avoid
        return self.met.have_met(pod) or any(not avoid[one].isdisjoint(pod) for one in pod if one in avoid)

    def rest(self, pod: Sequence[Number]) -> int:
        """Return the other costs of a table: its spread of points, and second short tables."""
        points = [self.points[one] for one in pod]
        total = _SPREAD * (max(points) - min(points))
        if len(pod) < self.seats:
            total += sum(self.short.get(one, 0) ** 2 for one in pod)
        return total

    def total(self, pods: Pods) -> int:
        """Return the cost of all tables."""
        return sum(self.rest(pod) + sum(self.faults(one, pod) for one in pod) // 2 for pod in pods)

    def saved_faults(self, pod: list[Number], seat: int, there: list[Number], place: int) -> int:
        """Return the faults that a swap of two people saves."""
        one, two = pod[seat], there[place]
        before = self.faults(one, pod) + self.faults(two, there)
        return before - self.faults(one, there, two) - self.faults(two, pod, one)

    def saved_rest(self, pod: list[Number], seat: int, there: list[Number], place: int) -> int:
        """Return the other costs that a swap of two people saves."""
        before = self.rest(pod) + self.rest(there)
        pod[seat], there[place] = there[place], pod[seat]
        after = self.rest(pod) + self.rest(there)
        pod[seat], there[place] = there[place], pod[seat]
        return before - after


def improve_pods(blocks: Pods, costs: PodCosts) -> Pods:
    """Return the tables after all swaps that pay."""
    pods = [list(block) for block in blocks]
    _repair(pods, costs)
    if sum(map(len, pods)) <= MOST_FOR_LONG_SEARCH and any(costs.has_fault(pod) for pod in pods):
        pods = _search_long(blocks, pods, costs)
    return pods


def _repair(pods: Pods, costs: PodCosts) -> None:
    """Swap people of faulty tables with people of nearby tables, in place."""
    faulty = [index for index, pod in enumerate(pods) if costs.has_fault(pod)]
    reach = 1
    while faulty and reach < 2 * len(pods):
        touched = set(faulty)
        for index in faulty:
            near = [*range(max(0, index - reach), index), *range(index + 1, min(len(pods), index + reach + 1))]
            while costs.has_fault(pods[index]):
                other = _swap_best(pods, index, near, costs)
                if other is None:
                    break
                touched.add(other)
        faulty = [index for index in sorted(touched) if costs.has_fault(pods[index])]
        reach *= 2


def _swap_best(pods: Pods, index: int, near: Iterable[int], costs: PodCosts) -> int | None:
    """Make the swap with a nearby table that saves most, and return that table. Return None if no swap pays."""
    pod = pods[index]
    best, swap = 0, None
    for seat, one in enumerate(pod):
        if not costs.faults(one, pod):
            continue
        for other in near:
            there = pods[other]
            for place in range(len(there)):
                saved = costs.saved_faults(pod, seat, there, place)
                # A swap that saves no fault would only trade spread, so the other costs need not be computed.
                if saved > 0:
                    saved += costs.saved_rest(pod, seat, there, place)
                    if saved > best:
                        best, swap = saved, (other, seat, place)
    if swap is None:
        return None
    other, seat, place = swap
    pod[seat], pods[other][place] = pods[other][place], pod[seat]
    return other


def _search_long(blocks: Pods, repaired: Pods, costs: PodCosts) -> Pods:
    """Return the best tables of several walks, each followed by all swaps that pay.

    The walks start from the repaired tables, from the blocks, and then from shuffled tables. Their choices come from a
    fixed stream of numbers, so everybody computes the same tables.
    """
    people = [one for pod in repaired for one in pod]
    weights = [[costs.faults(one, (other,)) if one != other else 0 for other in people] for one in people]
    index_of = {one: index for index, one in enumerate(people)}
    pick = stretched_pick(len(people))
    best, least = repaired, costs.total(repaired)
    for restart in range(_RESTARTS):
        start = [[index_of[one] for one in pod] for pod in (repaired if restart == 0 else blocks)]
        if restart > 1:
            _shuffle_pods(start, pick)
        pods = [[people[index] for index in pod] for pod in _walk(start, weights, pick)]
        _settle(pods, costs)
        cost = costs.total(pods)
        if cost < least:
            best, least = pods, cost
        if least < _AVOID:
            break
    return best


def _shuffle_pods(pods: Pods, pick: Pick) -> None:
    people = [one for pod in pods for one in pod]
    for pod in pods:
        for seat in range(len(pod)):
            pod[seat] = people.pop(pick(len(people)))


def _walk(pods: Pods, weights: Sequence[Sequence[int]], pick: Pick) -> Pods:
    """Return the best tables of one walk (tabu search).

    In each step a random person with a fault takes the best swap, even a bad one, so that the walk can leave a local
    minimum. Both people then rest for some steps, so that the walk does not undo the swap at once.
    People are indices of `weights` here, and `load` has the cost of each person at each table.
    """
    table = {one: index for index, pod in enumerate(pods) for one in pod}
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
        partner, fewest = -1, 0
        for other in people:
            there = table[other]
            if there == here or rests[other] > step:
                continue
            # Each leaves their own table and joins the other's, where the one who leaves must not be counted.
            change = mine[there] + load[other][here] - 2 * row[other] - own - load[other][there]
            if partner < 0 or change < fewest:
                partner, fewest = other, change
        if partner < 0:
            continue
        there = table[partner]
        for person in people:
            moved = weights[person][partner] - weights[person][one]
            load[person][here] += moved
            load[person][there] -= moved
        table[one], table[partner] = there, here
        now += fewest
        rests[one] = rests[partner] = step + 2 + pick(_REST_ROUNDS)
        if now < least:
            best, least = dict(table), now
    return [[one for one in people if best[one] == index] for index in range(len(pods))]


def _settle(pods: Pods, costs: PodCosts) -> None:
    """Make the best swap of each person that pays, until none does."""
    better = True
    while better:
        better = False
        for pod in pods:
            for seat in range(len(pod)):
                best, swap = 0, None
                for there in pods:
                    for place in range(len(there) if there is not pod else 0):
                        saved = costs.saved_faults(pod, seat, there, place) + costs.saved_rest(pod, seat, there, place)
                        if saved > best:
                            best, swap = saved, (there, place)
                if swap is not None:
                    there, place = swap
                    pod[seat], there[place] = there[place], pod[seat]
                    better = True
