"""Swiss pairings and colours of the next round, by the FIDE Dutch system or by brackets.

`pair_swiss` takes the rounds so far and the entrants of the next one. `dutch` is FIDE C.04.3 in force since 2026-02-01,
for at most 64 entrants. If it allows no legal pairing, `brackets` pairs that round with the fewest possible repeats,
and the answer names the system used.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

import rustworkx
from caissify_pairings.engines.dutch import DutchEngine, DutchPlayer

from service.tournaments.formats.colours import BLACK, WHITE, allocate_white, clash_absolutely, first_colour
from service.tournaments.formats.crosstable import Number, Pairing, StageRound, list_numbers, list_pairings
from service.tournaments.formats.faults import FormatFault
from service.tournaments.formats.points import Scoring, WinPoints, count_points
from service.tournaments.formats.swiss_matching import SwissEntrant, pair_brackets

DUTCH, BRACKETS = "dutch", "brackets"
MOST_DUTCH = 64
UP, DOWN, LEVEL = "up", "down", "none"


class TooManyForDutch(FormatFault):
    """More entrants than the Dutch system takes."""

    reason = "pair"


@dataclass(frozen=True, slots=True)
class SwissRound:
    """A paired round: pairings with white first, byes last; the system used, and the number of repeated pairings."""

    pairings: tuple[Pairing, ...]
    system: str
    repeats: int = 0


@dataclass(frozen=True, slots=True)
class SwissRules:
    """Rules of a Swiss stage. `odd_begin_white` comes from the lot order of round 1.

    `endorsed` is False for tournaments from before `Ruleset.pairs_as_endorsed`.
    """

    rounds: int
    system: str = DUTCH
    odd_begin_white: bool = True
    avoid: frozenset[tuple[Number, Number]] = frozenset()
    endorsed: bool = True


def begin_white(lots: Sequence[Number]) -> bool:
    """Return True if odd numbers begin with white: the first in the lot order of round 1 has an odd number."""
    return not lots or lots[0] % 2 == 1


def pair_swiss(
    scoring: Scoring,
    played: Sequence[StageRound],
    present: Iterable[Number],
    rules: SwissRules,
) -> SwissRound:
    """Return the pairings of the next round. Everybody who is present is paired once or has a bye."""
    entrants = build_entrants(scoring, played, present)
    numbers = effective_numbers(played, (entrant.number for entrant in entrants)) if rules.endorsed else {}
    avoid = frozenset((min(pair), max(pair)) for pair in rules.avoid)
    if rules.system == DUTCH:
        if len(entrants) > MOST_DUTCH:
            raise TooManyForDutch("many_for_dutch", most=MOST_DUTCH, count=len(entrants), other=BRACKETS)
        pairs = _pair_dutch(entrants, _points_of_win(scoring), len(played) + 1, rules, avoid)
        if pairs is not None:
            return _seat_round(entrants, pairs, DUTCH, numbers, odd_begin_white=rules.odd_begin_white)
    pairs = pair_brackets(entrants, avoid)
    return _seat_round(entrants, pairs, BRACKETS, numbers, odd_begin_white=rules.odd_begin_white)


def effective_numbers(played: Iterable[StageRound], present: Iterable[Number]) -> dict[Number, int]:
    """Number from 1 those who are present or have been paired before, in the order of their own numbers.

    Endorsed engines alternate the first colours by this number: a player who has not come yet must not give two
    neighbours the same colour.
    """
    counted = {number for pairing in list_pairings(played) for number in pairing.seats} | set(present)
    return {number: place for place, number in enumerate(sorted(counted), 1)}


def _points_of_win(scoring: Scoring) -> int:
    return scoring.rule.win if isinstance(scoring.rule, WinPoints) else WinPoints().win


def build_entrants(
    scoring: Scoring, played: Sequence[StageRound], present: Iterable[Number]
) -> tuple[SwissEntrant, ...]:
    """Return the data that pairing needs of everybody present: points, opponents, colours, floats; best first."""
    wanted = set(present)
    points = count_points(scoring, played, list_numbers(played) | wanted).by_round
    win, before = _points_of_win(scoring), dict.fromkeys(points, 0)
    colours: dict[Number, list[str]] = {number: [] for number in points}
    opponents: dict[Number, list[Number]] = {number: [] for number in points}
    floats: dict[Number, list[str]] = {number: [] for number in points}
    free = dict.fromkeys(points, False)
    for index, each in enumerate(played):
        met = {number: pair for pair in each.pairings if pair.is_played for number in pair.seats}
        byes = {pair.seats[0] for pair in each.pairings if pair.is_bye}
        for number, row in points.items():
            pair = met.get(number)
            if pair is None:
                # A bye given by the pairing, or any points without playing, are a downfloat (1.4.3). A player with such
                # a bye, or with the points of a win without playing, gets no further bye (C2).
                bye = number in byes
                floats[number].append(DOWN if bye or row[index] > 0 else LEVEL)
                free[number] = free[number] or bye or row[index] >= win
                continue
            white = pair.seats[0] == number
            other = pair.seats[1] if white else pair.seats[0]
            colours[number].append(WHITE if white else BLACK)
            opponents[number].append(other)
            ahead = before[number] - before[other]
            floats[number].append(DOWN if ahead > 0 else UP if ahead < 0 else LEVEL)
        # Floats compare the scores before the round, so scores follow only after everybody.
        for number, row in points.items():
            before[number] += row[index]
    entrants = (
        SwissEntrant(
            number,
            before[number],
            "".join(colours[number]),
            tuple(opponents[number]),
            tuple(floats[number]),
            had_bye=free[number],
        )
        for number in wanted
    )
    return tuple(sorted(entrants, key=SwissEntrant.rank))


def _seat_round(
    entrants: Sequence[SwissEntrant],
    pairs: Iterable[tuple[Number, ...]],
    system: str,
    numbers: Mapping[Number, int],
    *,
    odd_begin_white: bool,
) -> SwissRound:
    """Return the pairs with their seats. Entrants without one of the effective `numbers` go by their own."""
    by_number = {entrant.number: entrant for entrant in entrants}
    byes, games, repeats = [], [], 0
    for pair in pairs:
        if len(pair) == 1:
            byes.append(Pairing(pair))
            continue
        higher, lower = sorted((by_number[number] for number in pair), key=SwissEntrant.rank)
        first = first_colour(numbers.get(higher.number, higher.number), odd_begin_white=odd_begin_white)
        seats = allocate_white((higher.number, higher.colours), (lower.number, lower.colours), first)
        repeats += lower.number in higher.opponents
        games.append(((-higher.points, -higher.points - lower.points, higher.number), Pairing(seats)))
    ordered = [pairing for _, pairing in sorted(games, key=lambda game: game[0])]
    return SwissRound((*ordered, *sorted(byes, key=lambda bye: bye.seats)), system, repeats)


def _pair_dutch(
    entrants: Sequence[SwissEntrant],
    win: int,
    number: int,
    rules: SwissRules,
    avoid: frozenset[tuple[Number, Number]],
) -> list[tuple[Number, ...]] | None:
    """Return the pairs of the Dutch system, a bye as a single number, or None if no pairing is legal."""
    allowed = _allowed_pairs(entrants, avoid, most=(number - 1) * win if number >= rules.rounds else None)
    # A matching shows quickly if any legal pairing exists, before the engine searches for the best one.
    if not _can_be_paired(entrants, allowed):
        return None
    kind = _EndorsedEngine if rules.endorsed else _AllowedPairsEngine
    engine = kind(
        players=[_describe_player(entrant, win) for entrant in entrants],
        previous_pairings={(entrant.number, other) for entrant in entrants for other in entrant.opponents},
        round_number=number,
        total_rounds=rules.rounds,
    )
    engine.allowed = allowed
    # In round 1 the engine folds the field without a search. `accelerated` makes it search, so that it obeys `avoid`.
    engine.accelerated = number == 1 and bool(avoid)
    pairs: list[tuple[Number, ...]] = [
        (pair["white_id"],) if pair["black_id"] is None else (pair["white_id"], pair["black_id"])
        for pair in engine.generate_pairings()
    ]
    return pairs if _is_legal(pairs, entrants, allowed) else None


def _allowed_pairs(
    entrants: Sequence[SwissEntrant], avoid: frozenset[tuple[Number, Number]], *, most: int | None
) -> frozenset[tuple[Number, Number]]:
    """Return the pairs who may meet: not a repeat, not to be avoided, and no clash of absolute colour preferences.

    `most` is the maximum score in the last round and None before. Topscorers, with more than half of it, may then get
    the same colour a third time (article 1.8).
    """
    allowed = set()
    for one, other in combinations(entrants, 2):
        pair = (min(one.number, other.number), max(one.number, other.number))
        if other.number in one.opponents or pair in avoid:
            continue
        top = most is not None and max(one.points, other.points) * 2 > most
        if top or not clash_absolutely(one.colours, other.colours):
            allowed.add(pair)
    return frozenset(allowed)


def _can_be_paired(entrants: Sequence[SwissEntrant], allowed: frozenset[tuple[Number, Number]]) -> bool:
    """Return True if everybody can be paired. In an odd field one who has not had a bye is left over."""
    graph: rustworkx.PyGraph[Number, None] = rustworkx.PyGraph(multigraph=False)
    place = {entrant.number: graph.add_node(entrant.number) for entrant in entrants}
    graph.add_edges_from([(place[one], place[other], None) for one, other in sorted(allowed)])
    if len(entrants) % 2:
        bye = graph.add_node(0)
        graph.add_edges_from([(place[entrant.number], bye, None) for entrant in entrants if not entrant.had_bye])
    return 2 * len(rustworkx.max_weight_matching(graph, max_cardinality=True)) == len(graph)


def _describe_player(entrant: SwissEntrant, win: int) -> dict[str, object]:
    """Return an entrant in the form of caissify-pairings. Scores are exact fractions of a win."""
    return {
        "id": entrant.number,
        "name": "",
        "score": Fraction(entrant.points, win),
        "rating": 0,
        "starting_number": entrant.number,
        "pairing_number": entrant.number,
        "color_hist": ["white" if colour == WHITE else "black" for colour in entrant.colours],
        "float_history": list(entrant.floats),
        "bye_count": int(entrant.had_bye),
        "forfeit_win_count": 0,
    }


def _is_legal(
    pairs: Sequence[tuple[Number, ...]],
    entrants: Sequence[SwissEntrant],
    allowed: frozenset[tuple[Number, Number]],
) -> bool:
    """Return True if the engine paired everybody once, gave at most one bye that is due, and made no illegal pair."""
    had_bye = {entrant.number: entrant.had_bye for entrant in entrants}
    byes = [pair[0] for pair in pairs if len(pair) == 1]
    games = [(min(pair), max(pair)) for pair in pairs if len(pair) > 1]
    return (
        sorted(number for pair in pairs for number in pair) == sorted(had_bye)
        and len(byes) <= 1
        and not any(had_bye[number] for number in byes)
        and allowed.issuperset(games)
    )


class _AllowedPairsEngine(DutchEngine):
    """The Dutch engine of the library, restricted to our own list of allowed pairs."""

    allowed: frozenset[tuple[Number, Number]] = frozenset()

    def _can_pair(self, p1: DutchPlayer, p2: DutchPlayer) -> bool:
        return (min(p1.id, p2.id), max(p1.id, p2.id)) in self.allowed


class _EndorsedEngine(_AllowedPairsEngine):
    """The same engine with the criteria of a bracket in the order of the rules."""

    def _compute_bracket_edge_weight(
        self,
        p1: DutchPlayer,
        p2: DutchPlayer,
        bracket_score: Fraction,
        n: int,
        *,
        score_groups_shift: int,
        **rest: object,
    ) -> int:
        """Return the weight of a pair, in which the number of pairs outweighs the scores that are paired.

        The library has the scores of this bracket above its pairs, and those of the next bracket as well. Where two
        low pairs exclude one high pair it then leaves three players over instead of one (C6 before C7).
        """
        rest["score_groups_shift"] = score = score_groups_shift
        weight: int = super()._compute_bracket_edge_weight(p1, p2, bracket_score, n, **rest)
        count = max(8, n.bit_length() + 3)
        history = min(self.round_number - 1, 2)
        # From the lowest bit: the order within the bracket, floats of up to two rounds, colours, the bye.
        low = 3 * count + 1 + history * 2 * (count + score) + 6 * count
        for place in (low, low + count + score):
            pairs = weight >> place & (1 << count) - 1
            scores = weight >> place + count & (1 << score) - 1
            weight += ((scores | pairs << score) - (pairs | scores << count)) << place
        return weight
