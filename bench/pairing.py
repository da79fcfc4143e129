"""The command `python -m bench.pairing`: CPU time of pairing and standings of large fields, relative to `sorted()`."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from random import Random

import click

from bench.tables import figures_table, wide_console
from bench.timing import median_time
from service.tournaments.formats.crosstable import Pairing, StageRound, rank_scores
from service.tournaments.formats.pods import PodRules, pair_pods
from service.tournaments.formats.points import PlacePoints, Scoring
from service.tournaments.formats.stage_rules import DEFAULT_TIES, PODS, SWISS
from service.tournaments.formats.swiss import BRACKETS, DUTCH, SwissRules, pair_swiss
from service.tournaments.formats.tiebreaks import TieRules, rank_entrants

FLOATS = 1_000_000
POD_SCORING = Scoring(PlacePoints((60_000, 40_000, 20_000, 0)), 4, None)
GAME_SCORING = Scoring()
STANDING_ROUNDS = 9
POD_ROUNDS = 8


@dataclass(frozen=True)
class PairingRow:
    """A measured row: its name, its ratio to the yardstick, and the maximum."""

    name: str
    ratio: float
    most: float


measure_cpu = partial(median_time, clock=time.process_time)


def measure_yardstick(times: int) -> float:
    """Return the CPU seconds of sorting a million random floats."""
    random = Random(1)
    floats = [random.random() for _ in range(FLOATS)]
    return measure_cpu(lambda: sorted(floats), times)


def give_results(pairings: Sequence[Pairing], number: int, random: Random) -> StageRound:
    """Return a round with random results that do not depend on the seat."""
    tables = (
        each if each.is_bye else replace(each, results=rank_scores(random.sample(range(100), len(each.seats))))
        for each in pairings
    )
    return StageRound(number, tuple(tables))


def play_pods(entrants: int, rounds: int) -> tuple[list[StageRound], list[int]]:
    """Play rounds of pods of four. Return them and the lot order of the next."""
    random, played = Random(entrants), list[StageRound]()
    for number in range(1, rounds + 1):
        lots = random.sample(range(1, entrants + 1), entrants)
        next_round = pair_pods(POD_SCORING, played, range(1, entrants + 1), PodRules(4), lots)
        played.append(give_results(next_round.pairings, number, random))
    return played, random.sample(range(1, entrants + 1), entrants)


def play_swiss(entrants: int, rounds: int, system: str) -> list[StageRound]:
    """Play rounds of a Swiss."""
    random, played, rules = Random(entrants), list[StageRound](), SwissRules(STANDING_ROUNDS, system)
    for number in range(1, rounds + 1):
        next_round = pair_swiss(GAME_SCORING, played, range(1, entrants + 1), rules)
        played.append(give_results(next_round.pairings, number, random))
    return played


def fill_swiss(entrants: int, rounds: int) -> list[StageRound]:
    """Play rounds of random pairs, for standings that do not depend on who has met whom."""
    random, played = Random(entrants), list[StageRound]()
    for number in range(1, rounds + 1):
        order = random.sample(range(1, entrants + 1), entrants)
        pairs = [Pairing(pair) for pair in zip(order[::2], order[1::2], strict=True)]
        played.append(give_results(pairs, number, random))
    return played


def measure_pods(entrants: int, times: int) -> float:
    """Return the CPU seconds of pairing and seating the eighth round of pods of four."""
    played, lots = play_pods(entrants, POD_ROUNDS - 1)
    people = range(1, entrants + 1)
    return measure_cpu(lambda: pair_pods(POD_SCORING, played, people, PodRules(4), lots), times)


def measure_brackets(entrants: int, times: int) -> float:
    """Return the CPU seconds of pairing the fifth round of a Swiss by brackets."""
    played = play_swiss(entrants, 4, BRACKETS)
    rules = SwissRules(STANDING_ROUNDS, BRACKETS)
    return measure_cpu(lambda: pair_swiss(GAME_SCORING, played, range(1, entrants + 1), rules), times)


def measure_dutch(entrants: int) -> float:
    """Return the CPU seconds of one round of the Dutch system: the mean of nine."""
    return measure_cpu(lambda: play_swiss(entrants, STANDING_ROUNDS, DUTCH), 1) / STANDING_ROUNDS


def measure_standings(entrants: int, format_: str, times: int) -> float:
    """Return the CPU seconds of standings with all ties after nine rounds."""
    scoring = POD_SCORING if format_ == PODS else GAME_SCORING
    rounds = STANDING_ROUNDS
    played = play_pods(entrants, rounds)[0] if format_ == PODS else fill_swiss(entrants, rounds)
    people, ties = range(1, entrants + 1), TieRules(DEFAULT_TIES[format_])
    return measure_cpu(lambda: rank_entrants(scoring, played, people, ties, lots=people), times)


def measure_rows(times: int) -> list[PairingRow]:
    """Measure every row."""
    unit = measure_yardstick(max(times, 3))
    small, large = measure_pods(10_000, times), measure_pods(20_000, times)
    few, many = measure_brackets(2_000, times), measure_brackets(10_000, times)
    rows = [
        PairingRow("pods of 4, 10,000 entrants, 8th round with seats", small / unit, 2),
        PairingRow("pods, 20,000 beside 10,000", large / small, 2.5),
        PairingRow("brackets, 2,000 entrants", few / unit, 6),
        PairingRow("brackets, 10,000 beside 2,000", many / few, 6),
        PairingRow("dutch, 40 entrants, a round", measure_dutch(40) / unit, 3),
    ]
    for format_ in (PODS, SWISS):
        one, two = measure_standings(10_000, format_, times), measure_standings(20_000, format_, times)
        rows += [
            PairingRow(f"standings of {format_}, all ties, 10,000 entrants, 9 rounds", one / unit, 3),
            PairingRow(f"standings of {format_}, 20,000 beside 10,000", two / one, 2.3),
        ]
    return rows


@click.command()
@click.option("--times", type=click.IntRange(min=1), default=3, show_default=True, help="Runs of each; the median.")
def main(times: int) -> None:
    """Measure pairing and standings, in CPU as ratios to sorting a million random floats."""
    title = "Pairing and standings (sorted() of 1,000,000 floats = 1)"
    table = figures_table(title, [""], ("ratio", "at most", ""))
    for row in measure_rows(times):
        table.add_row(row.name, f"{row.ratio:.2f}", f"{row.most:g}", "" if row.ratio <= row.most else "too slow")
    wide_console().print(table)


if __name__ == "__main__":
    main()
