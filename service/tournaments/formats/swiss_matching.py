"""Swiss by brackets: a matching of minimum cost, for fields of any size.

Costs are integers, in order of weight: meeting again, a second bye, pairs to avoid, the distance in points, denied
colour preferences, and the distance from the fold (the first of the upper half meets the first of the lower half). A
large field is cut into brackets of at most 1,000 along its order. Players who could only be paired badly float down to
the next bracket.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import rustworkx

from service.tournaments.formats.colours import ColourPreference, denial_cost, find_preference
from service.tournaments.formats.crosstable import Number

MOST_IN_BRACKET = 1_000
MOST_CANDIDATES = 30

# Each weight is larger than the sum of all lower costs over 1,000 pairs, so that a matching never saves a lower cost by
# paying a higher one: 33 bits hold 1,000 squared fold distances of up to 2,000, 16 bits 1,000 seat costs of up to 63,
# 38 bits 1,000 squared distances below 2**14. An edge stays below 2**120, within the 128-bit integers of rustworkx.
_FOLD_BITS, _SEAT_BITS, _DISTANCE_BITS, _AVOID_BITS, _BYE_BITS = 33, 16, 38, 10, 10
_SEAT = 1 << _FOLD_BITS
_DISTANCE = _SEAT << _SEAT_BITS
_AVOID = _DISTANCE << _DISTANCE_BITS
_BYE = _AVOID << _AVOID_BITS
_REPEAT = _BYE << _BYE_BITS
_MOST_SEAT, _MOST_DISTANCE, _MOST_REPEATS = 63, (1 << 14) - 1, 31
_MOST_COST = _REPEAT * (_MOST_REPEATS + 1)
_HUNDREDTH = 100


@dataclass(frozen=True, slots=True)
class SwissEntrant:
    """An entrant for pairing: points, colours and opponents of matches played, floats of every round."""

    number: Number
    points: int
    colours: str = ""
    opponents: tuple[Number, ...] = ()
    floats: tuple[str, ...] = ()
    had_bye: bool = False

    def rank(self) -> tuple[int, Number]:
        """Return the sort key for pairing: more points first, then the smaller number."""
        return (-self.points, self.number)


@dataclass(frozen=True, slots=True)
class _Place:
    """Place of an entrant in a bracket: the bounds of its score group, the colour preference, and past opponents."""

    entrant: SwissEntrant
    first: int
    end: int
    preference: ColourPreference
    met: frozenset[Number]


def pair_brackets(
    entrants: Sequence[SwissEntrant], avoid: frozenset[tuple[Number, Number]] = frozenset()
) -> list[tuple[Number, ...]]:
    """Pair everybody once. A single number is the bye of an odd field. `avoid` has the smaller number first."""
    order = sorted(entrants, key=SwissEntrant.rank)
    *upper, last = _cut_brackets(order)
    done: list[tuple[Sequence[SwissEntrant], list[tuple[Number, ...]]]] = []
    floaters: list[SwissEntrant] = []
    for bracket in upper:
        members = [*floaters, *bracket]
        pairs = _match_bracket(members, avoid)
        down = {number for pair in _bad_pairs(pairs, members, avoid) for number in pair}
        floaters = [entrant for entrant in members if entrant.number in down]
        members = [entrant for entrant in members if entrant.number not in down]
        done.append((members, [pair for pair in pairs if pair[0] not in down]))
    members = [*floaters, *last]
    done.append((members, _match_bracket(members, avoid)))
    # The last bracket has nowhere to float to. While it has a bad pair, merge it with the one above and pair again.
    while len(done) > 1 and _bad_pairs(done[-1][1], done[-1][0], avoid):
        members = [*done[-2][0], *done[-1][0]]
        done[-2:] = [(members, _match_bracket(members, avoid))]
    return [pair for _, pairs in done for pair in pairs]


def _cut_brackets(order: Sequence[SwissEntrant]) -> list[Sequence[SwissEntrant]]:
    """Cut the field into brackets of about the same size. All but the last have an even number of entrants."""
    count = -(-len(order) // MOST_IN_BRACKET) or 1
    cuts = [index * len(order) // count // 2 * 2 for index in range(count)]
    return [order[start:end] for start, end in zip(cuts, [*cuts[1:], len(order)], strict=True)]


def _bad_pairs(
    pairs: Iterable[tuple[Number, ...]], members: Sequence[SwissEntrant], avoid: frozenset[tuple[Number, Number]]
) -> list[tuple[Number, ...]]:
    """Return the pairs that are repeats, to be avoided, or a second bye."""
    by_number = {entrant.number: entrant for entrant in members}
    return [
        pair
        for pair in pairs
        if (len(pair) == 1 and by_number[pair[0]].had_bye)
        or (len(pair) > 1 and (pair[1] in by_number[pair[0]].opponents or (min(pair), max(pair)) in avoid))
    ]


def _match_bracket(
    members: Sequence[SwissEntrant], avoid: frozenset[tuple[Number, Number]]
) -> list[tuple[Number, ...]]:
    """Return the pairs of minimum cost.

    The matching takes cubic time, so each entrant gets few candidates at first. If these leave somebody unpaired or
    force a bad pair, there are four times as many, until everybody is a candidate of everybody.
    """
    places = _find_places(members)
    candidates = MOST_CANDIDATES
    while True:
        edges = _list_edges(places, candidates, avoid)
        pairs = _match_edges(len(places), edges)
        whole = candidates >= len(places) - 1
        if whole or (len(pairs) == (len(places) + 1) // 2 and not any(edges[pair] >= _AVOID for pair in pairs)):
            return [tuple(places[index].entrant.number for index in pair if index < len(places)) for pair in pairs]
        candidates *= 4


def _find_places(members: Sequence[SwissEntrant]) -> list[_Place]:
    order = sorted(members, key=SwissEntrant.rank)
    bounds: dict[int, tuple[int, int]] = {}
    for index, one in enumerate(order):
        bounds[one.points] = (bounds.get(one.points, (index, index))[0], index + 1)
    return [_Place(one, *bounds[one.points], find_preference(one.colours), frozenset(one.opponents)) for one in order]


def _match_edges(count: int, edges: Mapping[tuple[int, int], int]) -> list[tuple[int, int]]:
    """Return the matching of minimum cost among those with most pairs. In an odd field, node `count` is the bye."""
    graph: rustworkx.PyGraph[None, int] = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from([None] * (count + count % 2))
    graph.add_edges_from([(one, other, _MOST_COST - cost) for (one, other), cost in sorted(edges.items())])
    matching = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    return sorted((min(pair), max(pair)) for pair in matching)


def _list_edges(
    places: Sequence[_Place], candidates: int, avoid: frozenset[tuple[Number, Number]]
) -> dict[tuple[int, int], int]:
    """Return the cost of each candidate pair, as indices of places: everybody with those near the fold."""
    edges: dict[tuple[int, int], int] = {}
    count = len(places)
    for index, place in enumerate(places):
        for other in _near_fold(place, index, count, candidates):
            pair = (index, other) if index < other else (other, index)
            if pair not in edges:
                edges[pair] = _pair_cost(places, *pair, avoid)
    if count % 2:
        lowest = places[-1].entrant.points
        for index, place in enumerate(places):
            distance = _distance_cost(place.entrant.points - lowest)
            edges[index, count] = _BYE * place.entrant.had_bye + distance + (count - 1 - index)
    return edges


def _near_fold(place: _Place, index: int, count: int, candidates: int) -> list[int]:
    """Return the places to look at: around the fold partner, and around both ends of the score group."""
    if candidates >= count - 1:
        return [other for other in range(count) if other != index]
    half = (place.end - place.first) // 2
    partner = index + half if index < place.first + half else index - half
    reach, edge = candidates // 3, candidates // 15
    near = set(range(max(0, partner - reach), min(count, partner + reach + 1)))
    near.update(range(max(0, place.end - edge), min(count, place.end + edge)))
    near.update(range(max(0, place.first - edge), min(count, place.first + edge)))
    near.discard(index)
    return sorted(near)


def _distance_cost(points: int) -> int:
    """Return the squared distance in hundredths of a point, so that one far pair costs more than two near ones."""
    return _DISTANCE * min(points // _HUNDREDTH, _MOST_DISTANCE) ** 2


def _pair_cost(places: Sequence[_Place], index: int, other: int, avoid: frozenset[tuple[Number, Number]]) -> int:
    one, two = places[index], places[other]
    cost = _SEAT * min(denial_cost(one.preference, two.preference), _MOST_SEAT)
    if one.first == two.first:
        cost += (other - index - (one.end - one.first) // 2) ** 2
    else:
        # Across score groups the last of the upper group should meet the first of the lower one.
        cost += (one.end - 1 - index + other - two.first) ** 2
        cost += _distance_cost(one.entrant.points - two.entrant.points)
    number, opponent = one.entrant.number, two.entrant.number
    if avoid and (min(number, opponent), max(number, opponent)) in avoid:
        cost += _AVOID
    if opponent in one.met:
        cost += _REPEAT * min(one.entrant.opponents.count(opponent), _MOST_REPEATS)
    return cost
