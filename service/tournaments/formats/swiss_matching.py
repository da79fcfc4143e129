"""Swiss by brackets: a matching of least cost, for fields of any size.

Costs are integers in this order: meeting again, a second bye, pairs to be avoided, the distance in points, seats that
go against a preference, and the distance from the fold (the first of the upper half meets the first of the lower). A
large field is cut into brackets of at most 1,000 along its order; who could only be repeated floats down to the next.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import rustworkx

from service.tournaments.formats.colours import ColourPreference, denial_cost, find_preference
from service.tournaments.formats.crosstable import Number

MOST_IN_BRACKET = 1_000
MOST_CANDIDATES = 30

# Each weight is larger than the sum of all below it over 1,000 pairs; an edge stays below 2**120.
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
    """What pairing knows of an entrant: points, colours and opponents of matches played, floats of every round."""

    number: Number
    points: int
    colours: str = ""
    opponents: tuple[Number, ...] = ()
    floats: tuple[str, ...] = ()
    had_bye: bool = False

    def rank(self) -> tuple[int, Number]:
        """The order for pairing: more points first, then the smaller number."""
        return (-self.points, self.number)


@dataclass(frozen=True, slots=True)
class _Place:
    """An entrant's place in a bracket: who it is, the bounds of those level on points, and the colour preference."""

    entrant: SwissEntrant
    first: int
    end: int
    preference: ColourPreference
    met: frozenset[Number]


def pair_brackets(
    entrants: Sequence[SwissEntrant], avoid: frozenset[tuple[Number, Number]] = frozenset()
) -> list[tuple[Number, ...]]:
    """Everybody once, in pairs, a bye in an odd field as a single number; `avoid` has the smaller number first."""
    order = sorted(entrants, key=SwissEntrant.rank)
    brackets = _cut_brackets(order)
    done: list[tuple[Sequence[SwissEntrant], list[tuple[Number, ...]]]] = []
    floaters: list[SwissEntrant] = []
    for at, bracket in enumerate(brackets):
        members = [*floaters, *bracket]
        pairs = _match_bracket(members, avoid)
        floaters = []
        if at < len(brackets) - 1:
            down = {number for pair in _bad_pairs(pairs, members, avoid) for number in pair}
            floaters = [each for each in members if each.number in down]
            members = [each for each in members if each.number not in down]
            pairs = [pair for pair in pairs if pair[0] not in down]
        done.append((members, pairs))
    # The last bracket has nowhere to float to: while it holds a repeat, it is paired anew with the one above.
    while len(done) > 1 and _bad_pairs(done[-1][1], done[-1][0], avoid):
        members = [*done[-2][0], *done[-1][0]]
        done[-2:] = [(members, _match_bracket(members, avoid))]
    return [pair for _, pairs in done for pair in pairs]


def _cut_brackets(order: Sequence[SwissEntrant]) -> list[Sequence[SwissEntrant]]:
    """The field in brackets of about the same size, all but the last even."""
    count = -(-len(order) // MOST_IN_BRACKET) or 1
    cuts = [at * len(order) // count // 2 * 2 for at in range(count)]
    return [order[start:end] for start, end in zip(cuts, [*cuts[1:], len(order)], strict=True)]


def _bad_pairs(
    pairs: Iterable[tuple[Number, ...]], members: Sequence[SwissEntrant], avoid: frozenset[tuple[Number, Number]]
) -> list[tuple[Number, ...]]:
    """Those pairs that are repeats, to be avoided, or a second bye."""
    known = {each.number: each for each in members}
    return [
        pair
        for pair in pairs
        if (len(pair) == 1 and known[pair[0]].had_bye)
        or (len(pair) > 1 and (pair[1] in known[pair[0]].opponents or (min(pair), max(pair)) in avoid))
    ]


def _match_bracket(
    members: Sequence[SwissEntrant], avoid: frozenset[tuple[Number, Number]]
) -> list[tuple[Number, ...]]:
    """The pairs of least cost; candidates are few at first, and more where few leave somebody alone or repeated."""
    places = _find_places(members)
    candidates = MOST_CANDIDATES
    while True:
        edges = _list_edges(places, candidates, avoid)
        pairs = _match_edges(len(places), edges)
        whole = candidates >= len(places) - 1
        if whole or (len(pairs) == (len(places) + 1) // 2 and not any(edges[pair] >= _AVOID for pair in pairs)):
            return [tuple(places[at].entrant.number for at in pair if at < len(places)) for pair in pairs]
        candidates *= 4


def _find_places(members: Sequence[SwissEntrant]) -> list[_Place]:
    order = sorted(members, key=SwissEntrant.rank)
    bounds: dict[int, tuple[int, int]] = {}
    for at, each in enumerate(order):
        bounds[each.points] = (bounds.get(each.points, (at, at))[0], at + 1)
    return [
        _Place(each, *bounds[each.points], find_preference(each.colours), frozenset(each.opponents)) for each in order
    ]


def _match_edges(count: int, edges: Mapping[tuple[int, int], int]) -> list[tuple[int, int]]:
    """The matching of least cost among those with most pairs; in an odd field node `count` is the bye."""
    graph: rustworkx.PyGraph[None, int] = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from([None] * (count + count % 2))
    graph.add_edges_from([(one, other, _MOST_COST - cost) for (one, other), cost in sorted(edges.items())])
    found = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    return sorted((min(pair), max(pair)) for pair in found)


def _list_edges(
    places: Sequence[_Place], candidates: int, avoid: frozenset[tuple[Number, Number]]
) -> dict[tuple[int, int], int]:
    """Who may be paired with whom, as places, at what cost: everybody with those near the fold."""
    edges: dict[tuple[int, int], int] = {}
    count = len(places)
    for at in range(count):
        for other in _near_fold(places[at], at, count, candidates):
            pair = (at, other) if at < other else (other, at)
            if pair not in edges:
                edges[pair] = _pair_cost(places, *pair, avoid)
    if count % 2:
        lowest = places[-1].entrant.points
        for at, place in enumerate(places):
            cost = _BYE * place.entrant.had_bye + _distance_cost(place.entrant.points - lowest) + (count - 1 - at)
            edges[at, count] = cost
    return edges


def _near_fold(place: _Place, at: int, count: int, candidates: int) -> list[int]:
    """The places to look at: around the fold partner, and around the ends of those level on points."""
    if candidates >= count - 1:
        return [other for other in range(count) if other != at]
    half = (place.end - place.first) // 2
    partner = at + half if at < place.first + half else at - half
    reach, edge = candidates // 3, candidates // 15
    near = set(range(max(0, partner - reach), min(count, partner + reach + 1)))
    near.update(range(max(0, place.end - edge), min(count, place.end + edge)))
    near.update(range(max(0, place.first - edge), min(count, place.first + edge)))
    near.discard(at)
    return sorted(near)


def _distance_cost(points: int) -> int:
    """Squares of hundredths of a point, so that one far pair costs more than two near ones."""
    return _DISTANCE * min(points // _HUNDREDTH, _MOST_DISTANCE) ** 2


def _pair_cost(places: Sequence[_Place], at: int, other: int, avoid: frozenset[tuple[Number, Number]]) -> int:
    one, two = places[at], places[other]
    cost = _SEAT * min(denial_cost(one.preference, two.preference), _MOST_SEAT)
    if one.first == two.first:
        cost += (other - at - (one.end - one.first) // 2) ** 2
    else:
        cost += (one.end - 1 - at + other - two.first) ** 2
        cost += _distance_cost(one.entrant.points - two.entrant.points)
    number, opponent = one.entrant.number, two.entrant.number
    if avoid and (min(number, opponent), max(number, opponent)) in avoid:
        cost += _AVOID
    if opponent in one.met:
        cost += _REPEAT * min(one.entrant.opponents.count(opponent), _MOST_REPEATS)
    return cost
