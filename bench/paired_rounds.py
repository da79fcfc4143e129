"""Turns of other matches while jobs make and start the matches of a large round, 100 in each job."""

import contextlib
import time
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from statistics import median

from rich.table import Table

from bench.databases import MeasuredService, is_everything_resolved, run_server
from bench.signing_clients import CLIENTS, new_account
from bench.tables import figures_table
from bench.timing import wait_until
from bench.whole_turns import describe_match, is_idle, new_match, run_turn_client
from service import ids
from service.config import Config
from service.db.batches import batched
from service.db.connection import rows, write_transaction
from service.jobs import queue
from service.jobs.bulk_throttle import do_in_parts
from service.jobs.payloads import JobPayload
from service.jobs.queue import Job, JobHandler, NewJob, handles
from service.matches.paired_matches import MOST_TOGETHER, PairedMatch, make_paired_matches, start_paired_matches
from service.timestamps import now

ENTRANTS, SECTION, CYCLES = 400, 8, 2
QUIET_SLICES, SLICE = 3, 3.0
POOL = 400
"""Matches to play in the meantime. Each slice takes new ones, since a match is over after about a hundred turns."""
LONGEST = 150.0
"""Seconds after which a round is given up."""
PHASES = {"bench-make": "make", "bench-start": "start and deal"}


class MakePart(JobPayload, topic="bench-make"):
    """Make a part of the round."""

    pairs: tuple[tuple[str, str, str], ...]


class StartPart(JobPayload, topic="bench-start"):
    """Start a part of the round."""

    pairs: tuple[tuple[str, str, str], ...]


def make_part(job: Job[MakePart], _config: Config) -> None:
    """Make a part of the round."""
    do_in_parts(job.payload.pairs, lambda part: make_paired_matches([_wanted(*pair) for pair in part]))


def start_part(job: Job[StartPart], _config: Config) -> None:
    """Start a part of the round."""
    do_in_parts(job.payload.pairs, lambda part: start_paired_matches([match for match, _, _ in part], now()))


HANDLERS: dict[str, JobHandler] = dict([handles(MakePart, make_part), handles(StartPart, start_part)])
"""Jobs of a measured worker, in addition to those of the service."""


def _wanted(match: str, one: str, two: str) -> PairedMatch:
    players = {0: (one, "00ff"), 1: (two, "-")}
    return PairedMatch(match, "keltis", 2, match.encode().ljust(32, b"0"), one, players, spectators="now")


@dataclass(frozen=True)
class RoundRates:
    """Turns a second on one database: undisturbed, and in each phase of a round."""

    world: str
    matches: int
    quiet: dict[str, float]
    busy: dict[str, float]
    seconds: dict[str, float]


def measure_round(world: MeasuredService, kinds: Mapping[str, str]) -> RoundRates:
    """Measure the turns of eight matches at once, undisturbed and during each phase of the round."""
    world.open()
    pairs = _pair_everybody()
    quiet, busy, seconds = dict[str, float](), dict[str, float](), dict[str, float]()
    with contextlib.ExitStack() as running:
        for kind in kinds.values():
            running.enter_context(run_server(world, kind))
        matches = [new_match(world, "people") for _ in range(POOL)]
        wait_until(is_idle)
        pool = [describe_match(*match) for match in matches]
        _play(world, pool)
        for topic in PHASES:
            quiet[topic] = median(_play(world, pool) for _ in range(QUIET_SLICES))
            parts = batched(pairs, MOST_TOGETHER)
            with write_transaction():
                payload = MakePart if topic == MakePart.topic else StartPart
                queue.add_all(
                    [NewJob(payload(pairs=tuple(part)), f"{topic}:{number}") for number, part in enumerate(parts)]
                )
            busy[topic], seconds[topic] = _play_until_through(world, pool)
    return RoundRates(world.name, len(pairs), quiet, busy, seconds)


def _pair_everybody() -> list[tuple[str, str, str]]:
    """Return the matches of a round robin in sections: id and players."""
    people = [new_account(f"E{number}").player.id for number in range(ENTRANTS)]
    sections = [people[at : at + SECTION] for at in range(0, ENTRANTS, SECTION)]
    pairs = [pair for section in sections for pair in combinations(section, 2)]
    return [(ids.new_id(), *pair) for _ in range(CYCLES) for pair in pairs]


def _play(world: MeasuredService, pool: list[dict[str, object]]) -> float:
    """Return the turns a second of one slice."""
    matches = [pool.pop() for _ in range(CLIENTS)]
    turns, seconds = run_turn_client(world, matches, SLICE)
    return len(turns) / seconds


def _play_until_through(world: MeasuredService, pool: list[dict[str, object]]) -> tuple[float, float]:
    """Return the turns a second until the round's matches are dealt, and the seconds until then."""
    began, rates = time.monotonic(), list[float]()
    while not rates or _is_waiting():
        rates.append(_play(world, pool))
        if time.monotonic() - began > LONGEST:
            raise RuntimeError("The round takes too long.")
    return sum(rates) / len(rates), time.monotonic() - began


def _is_waiting() -> bool:
    jobs = "select 1 from job where topic in ('bench-make', 'bench-start') and done_at is null limit 1"
    return bool(rows(jobs)) or not is_everything_resolved()


def round_table(all_rates: list[RoundRates]) -> Table:
    """Return a table of rates and ratios, a row for each phase."""
    title = f"Turns of {CLIENTS} matches while a round is made and started in jobs of {MOST_TOGETHER}"
    columns = ("matches", "seconds", "turns/s", "undisturbed", "ratio")
    table = figures_table(title, ("database", "phase"), columns)
    for each in all_rates:
        for topic, phase in PHASES.items():
            quiet, busy = each.quiet[topic], each.busy[topic]
            figures = f"{each.matches:,}", f"{each.seconds[topic]:.1f}", f"{busy:,.0f}", f"{quiet:,.0f}"
            table.add_row(each.world, phase, *figures, f"{busy / quiet:.2f}")
    return table
