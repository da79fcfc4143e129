"""Swiss: who plays whom in the next round, by the FIDE Dutch system or by brackets, and who is white.

`pair_swiss` takes the rounds so far and who is there for the next one. `dutch` is FIDE C.04.3 in force since
2026-02-01, for at most 64 entrants; where it leaves no legal pairing, `brackets` pairs that round, with the fewest
repeats there can be, and the answer says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import rustworkx
from caissify_pairings.engines.dutch import DutchEngine, DutchPlayer

from service.tournaments.formats.colours import BLACK, WHITE, allocate_white, clash_absolutely
from service.tournaments.formats.crosstable import Number, Pairing, StageRound
from service.tournaments.formats.faults import FormatFault
from service.tournaments.formats.points import Scoring, WinPoints, count_points
from service.tournaments.formats.swiss_matching import SwissEntrant, pair_brackets

DUTCH, BRACKETS = "dutch", "brackets"
MOST_DUTCH = 64
UP, DOWN, LEVEL = "up", "down", "none"


class TooManyForDutch(FormatFault):
    """More entrants than the Dutch system is offered for."""


@dataclass(frozen=True, slots=True)
class SwissRound:
    """A paired round: the pairings, white first, byes last; the system that made it, and how many have met before."""

    pairings: tuple[Pairing, ...]
    system: str
    repeats: int = 0


@dataclass(frozen=True, slots=True)
class SwissRules:
    """What a Swiss stage fixes beforehand; `odd_begin_white` comes from round 1's lot order."""

    rounds: int
    system: str = DUTCH
    odd_begin_white: bool = True
    avoid: frozenset[tuple[Number, Number]] = frozenset()


def begin_white(lots: Sequence[Number]) -> bool:
    """Whether number 1 begins white: if the first of round 1's lot order has an odd number."""
    return not lots or lots[0] % 2 == 1


def pair_swiss(
    scoring: Scoring,
    played: Sequence[StageRound],
    present: Iterable[Number],
    rules: SwissRules,
) -> SwissRound:
    """The pairings of the next round for everybody who is present, each exactly once."""
    entrants = build_entrants(scoring, played, present)
    avoid = frozenset((min(pair), max(pair)) for pair in rules.avoid)
    if rules.system == DUTCH:
        if len(entrants) > MOST_DUTCH:
            raise TooManyForDutch("many_for_dutch", most=MOST_DUTCH, count=len(entrants), other=BRACKETS)
        pairs = _pair_dutch(scoring, entrants, len(played) + 1, rules.rounds, avoid)
        if pairs is not None:
            return _seat_round(entrants, pairs, DUTCH, rules)
    return _seat_round(entrants, pair_brackets(entrants, avoid), BRACKETS, rules)


def build_entrants(
    scoring: Scoring, played: Sequence[StageRound], present: Iterable[Number]
) -> tuple[SwissEntrant, ...]:
    """What pairing needs of everybody present: points, opponents, colours, floats; best first."""
    wanted = set(present)
    known = wanted.union(
        *(pairing.seats for each in played for pairing in each.pairings), *(each.half_byes for each in played)
    )
    points = count_points(scoring, played, known).by_round
    win = scoring.rule.win if isinstance(scoring.rule, WinPoints) else WinPoints().win
    before = dict.fromkeys(known, 0)
    colours: dict[Number, list[str]] = {number: [] for number in known}
    opponents: dict[Number, list[Number]] = {number: [] for number in known}
    floats: dict[Number, list[str]] = {number: [] for number in known}
    free = dict.fromkeys(known, False)
    for at, each in enumerate(played):
        met = {number: pair for pair in each.pairings if pair.is_played for number in pair.seats}
        byes = {pair.seats[0] for pair in each.pairings if pair.is_bye}
        for number in known:
            pair = met.get(number)
            if pair is None:
                # A bye by pairing, and any points without playing, are a downfloat (1.4.3); who had such a bye, or a
                # win's worth of points without playing, gets no bye any more (C2).
                bye = number in byes
                floats[number].append(DOWN if bye or points[number][at] > 0 else LEVEL)
                free[number] = free[number] or bye or points[number][at] >= win
                continue
            white = pair.seats[0] == number
            other = pair.seats[1] if white else pair.seats[0]
            colours[number].append(WHITE if white else BLACK)
            opponents[number].append(other)
            ahead = before[number] - before[other]
            floats[number].append(DOWN if ahead > 0 else UP if ahead < 0 else LEVEL)
        for number in known:
            before[number] += points[number][at]
    found = [
        SwissEntrant(
            number,
            before[number],
            "".join(colours[number]),
            tuple(opponents[number]),
            tuple(floats[number]),
            had_bye=free[number],
        )
        for number in wanted
    ]
    return tuple(sorted(found, key=SwissEntrant.rank))


def _seat_round(
    entrants: Sequence[SwissEntrant], pairs: Iterable[tuple[Number, ...]], system: str, rules: SwissRules
) -> SwissRound:
    by_number = {each.number: each for each in entrants}
    byes, games, repeats = [], [], 0
    for pair in pairs:
        if len(pair) == 1:
            byes.append(Pairing(pair))
            continue
        higher, lower = sorted((by_number[number] for number in pair), key=SwissEntrant.rank)
        seats = allocate_white(
            (higher.number, higher.colours), (lower.number, lower.colours), odd_begin_white=rules.odd_begin_white
        )
        repeats += lower.number in higher.opponents
        games.append(((-higher.points, -higher.points - lower.points, higher.number), Pairing(seats)))
    ordered = [pairing for _, pairing in sorted(games, key=lambda each: each[0])]
    return SwissRound((*ordered, *sorted(byes, key=lambda bye: bye.seats)), system, repeats)


def _pair_dutch(
    scoring: Scoring,
    entrants: Sequence[SwissEntrant],
    number: int,
    rounds: int,
    avoid: frozenset[tuple[Number, Number]],
) -> list[tuple[Number, ...]] | None:
    """The pairs of the Dutch system, a bye as a single number; None if there is no legal pairing."""
    win = scoring.rule.win if isinstance(scoring.rule, WinPoints) else WinPoints().win
    allowed = _allowed_pairs(entrants, avoid, most=(number - 1) * win if number >= rounds else None)
    if not _can_be_paired(entrants, allowed):
        return None
    engine = _AllowedPairsEngine(
        players=[_describe_player(each, win) for each in entrants],
        previous_pairings={(each.number, other) for each in entrants for other in each.opponents},
        round_number=number,
        total_rounds=rounds,
    )
    engine.allowed = allowed
    # In round 1 the engine pairs halves without looking; only where some must not meet it has to search.
    engine.accelerated = number == 1 and bool(avoid)
    pairs: list[tuple[Number, ...]] = [
        (found["white_id"],) if found["black_id"] is None else (found["white_id"], found["black_id"])
        for found in engine.generate_pairings()
    ]
    return pairs if _is_legal(pairs, entrants, allowed) else None


def _allowed_pairs(
    entrants: Sequence[SwissEntrant], avoid: frozenset[tuple[Number, Number]], *, most: int | None
) -> frozenset[tuple[Number, Number]]:
    """Who may meet: not again, not where it is to be avoided, and not with the same absolute colour preference.

    In the last round, where `most` is the most points there can be, topscorers may bear a third colour (article 1.8).
    """
    found = set()
    for at, one in enumerate(entrants):
        for other in entrants[at + 1 :]:
            pair = (min(one.number, other.number), max(one.number, other.number))
            if other.number in one.opponents or pair in avoid:
                continue
            top = most is not None and max(one.points, other.points) * 2 > most
            if top or not clash_absolutely(one.colours, other.colours):
                found.add(pair)
    return frozenset(found)


def _can_be_paired(entrants: Sequence[SwissEntrant], allowed: frozenset[tuple[Number, Number]]) -> bool:
    """Whether everybody can be paired, but for one bye in an odd field, to somebody who may have it."""
    graph: rustworkx.PyGraph[Number, None] = rustworkx.PyGraph(multigraph=False)
    place = {each.number: graph.add_node(each.number) for each in entrants}
    graph.add_edges_from([(place[one], place[other], None) for one, other in sorted(allowed)])
    if len(entrants) % 2:
        bye = graph.add_node(0)
        graph.add_edges_from([(place[each.number], bye, None) for each in entrants if not each.had_bye])
    return 2 * len(rustworkx.max_weight_matching(graph, max_cardinality=True)) == len(graph)


def _describe_player(each: SwissEntrant, win: int) -> dict[str, object]:
    """An entrant as caissify-pairings takes it; scores are exact fractions of a win."""
    return {
        "id": each.number,
        "name": "",
        "score": Fraction(each.points, win),
        "rating": 0,
        "starting_number": each.number,
        "pairing_number": each.number,
        "color_hist": ["white" if colour == WHITE else "black" for colour in each.colours],
        "float_history": list(each.floats),
        "bye_count": int(each.had_bye),
        "forfeit_win_count": 0,
    }


def _is_legal(
    pairs: Sequence[tuple[Number, ...]],
    entrants: Sequence[SwissEntrant],
    allowed: frozenset[tuple[Number, Number]],
) -> bool:
    had_bye: Mapping[Number, bool] = {each.number: each.had_bye for each in entrants}
    byes = [pair[0] for pair in pairs if len(pair) == 1]
    games = [(min(pair), max(pair)) for pair in pairs if len(pair) > 1]
    return (
        sorted(number for pair in pairs for number in pair) == sorted(had_bye)
        and len(byes) <= 1
        and not any(had_bye[number] for number in byes)
        and allowed.issuperset(games)
    )


class _AllowedPairsEngine(DutchEngine):
    """The library's Dutch engine with our own answer to who may meet."""

    allowed: frozenset[tuple[Number, Number]] = frozenset()

    def _can_pair(self, p1: DutchPlayer, p2: DutchPlayer) -> bool:
        return (min(p1.id, p2.id), max(p1.id, p2.id)) in self.allowed
