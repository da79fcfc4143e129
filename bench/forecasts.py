"""The plan of a tournament with its forecast, compared with sorting a million random numbers."""

import random
import time
from dataclasses import dataclass

from rich.table import Table

from bench.databases import MeasuredService
from bench.tables import figures_table
from bench.timing import median_time
from service.bounded_cache import reset_process_state
from service.db.connection import execute, write_transaction
from service.db.models.accounts import PlayerRow
from service.timestamps import DAY, HOUR, now, rfc3339
from service.tournaments import lifecycle
from service.tournaments.documents.document import TournamentDocument, read_document
from service.tournaments.entry.entrants import enter_tournament
from tests.support.factories import match_of, settle, somebody

ENTRANTS, TRIES, NUMBERS, ANSWERS = 64, 5, 1_000_000, 200
DOCUMENT = """
tournament: bench-pods
game: tir-na-nog
clock: standard
leave: yes
entry: {{opens: {opens}, closes: {closes}, least: 12}}
draw: {{beacon: none}}
stages:
  - name: pods
    format: pods
    seats: 4
    rounds: 5
    start: {{first: {first}, next: when-over, gap: 1d}}
    end: {{at_most: 8w, then: as-it-stands}}
"""
OPENS_AFTER = 5_000
"""Milliseconds until entry opens: a document may not begin in the past."""
INSERT = "insert into answer_times values (?, ?, 'tir-na-nog', 4, 4, ?, 30, ?)"


@dataclass(frozen=True)
class PlanSpeed:
    """Seconds of a plan with its forecast, of the same plan from the cache, and of the yardstick."""

    plan: float
    again: float
    yardstick: float


def measure_plan(world: MeasuredService) -> PlanSpeed:
    """Plan five rounds of pods for 64 entrants, each with 200 earlier answers."""
    world.open()
    random_ = random.Random(1)  # numbers to sort, and answer times
    config, maker = world.config, somebody("Maker")
    at = now()
    text = DOCUMENT.format(
        opens=rfc3339(at + OPENS_AFTER), closes=rfc3339(at + 7 * DAY), first=rfc3339(at + 8 * DAY)
    ).encode()

    def read() -> TournamentDocument:
        return read_document(text, lifecycle.document_context(maker.player, config))

    row = lifecycle.apply_tournament(maker.player, read(), None, config)
    people: list[PlayerRow] = [somebody(f"Player {number}").player for number in range(ENTRANTS)]
    match = match_of(config, *(somebody(f"Earlier {seat}") for seat in range(4)), game="tir-na-nog")
    settle(match, config)
    with write_transaction():
        for number, player in enumerate(people):
            usual = 3 * random_.lognormvariate(0, 0.5)
            times = [int(random_.lognormvariate(0, 1) * usual * HOUR) for _ in range(ANSWERS)]
            execute(INSERT, match, player.id, at, " ".join(map(str, times)))
            if number % 4 == 0:
                execute("update player set quiet_weekends = ? where id = ?", True, player.id)
    time.sleep(max(0, at + OPENS_AFTER - now()) / 1000)
    for player in people:
        enter_tournament(player, row, "-", config)

    def plan() -> None:
        forecast = lifecycle.plan_tournament(maker.player, read(), config).forecast
        if forecast.unknown:
            raise RuntimeError(forecast.unknown)

    def plan_anew() -> None:
        reset_process_state()
        plan()

    numbers = [random_.random() for _ in range(NUMBERS)]
    return PlanSpeed(*(median_time(work, TRIES) for work in (plan_anew, plan, lambda: sorted(numbers))))


def plan_table(speed: PlanSpeed) -> Table:
    """Return a table of the plan and the yardstick."""
    headings = ("plan, ms", "again, ms", f"sorted() of {NUMBERS:,}, ms", "plan × sorted()")
    shown = figures_table(f"A plan with its forecast: {ENTRANTS} entrants, 5 rounds of pods, 400 futures", [], headings)
    figures = (speed.plan * 1000, speed.again * 1000, speed.yardstick * 1000)
    shown.add_row(*(f"{each:,.0f}" for each in figures), f"{speed.plan / speed.yardstick:.2f}")
    return shown
