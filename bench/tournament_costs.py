"""Costs of large tournaments: reading the standings of thousands, computing them, and entering."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from statistics import median

from flask.testing import FlaskClient
from rich.table import Table

from bench.databases import MeasuredService
from bench.paper_tournaments import add_people, apply_document, enter_people, play_on_paper
from bench.signing_clients import new_account
from bench.tables import figures_table
from bench.timing import time_call
from bench.whole_turns import new_match
from service.bounded_cache import reset_process_state
from service.db.models.tournaments import TournamentRow
from service.tournaments import tournament_store
from service.tournaments.entry.entrants import enter_tournament
from service.tournaments.rounds import standings
from service.web.app import create_app

MANY = 10_000
ROUNDS = 5
ENTERED = (100, 400, 1_600)
ENTRIES = 40
"""Number of players who enter one after the other while that is measured."""
REQUESTS = 60
LISTED = 60
OPENS = 2_000
"""Milliseconds until entry opens, where entering is measured."""
Milliseconds = float


@dataclass(frozen=True)
class TournamentCosts:
    """CPU time in ms on one database."""

    world: str
    page: Milliseconds
    standings: Milliseconds
    half: Milliseconds
    whole: Milliseconds
    entering: dict[int, Milliseconds]


def measure_tournaments(world: MeasuredService) -> TournamentCosts:
    """Play tournaments of thousands on paper, then request the standings and, to compare, a page of matches."""
    world.open()
    for _ in range(LISTED):
        new_match(world, "people")
    client = create_app(world.config).test_client()
    half, whole = (play_on_paper(world.config, f"paper-{many}", many, ROUNDS) for many in (MANY // 2, MANY))
    paths = ("/v1/matches?status=running", f"/v1/tournaments/{whole.id}/standings")
    asked = [[_time_cpu(partial(_ask, client, path)) for path in paths] for _ in range(REQUESTS)]
    page, shown = (median(times) for times in zip(*asked, strict=True))
    renewals = [_time_renewal(row.id) for row in (half, whole)]
    return TournamentCosts(world.name, page, shown, renewals[0], renewals[1], _time_entering(world))


def _time_cpu(work: Callable[[], object]) -> Milliseconds:
    return 1000 * time_call(work, time.thread_time)


def _time_renewal(tournament: str) -> Milliseconds:
    """Return the cost of computing the standings from the log, as `echtra rebuild` does."""

    def renew() -> None:
        reset_process_state()
        row = TournamentRow.get_by_id(tournament)
        standings.renew_standings(row, tournament_store.read_state(tournament, row.head_seq), "swiss")

    return min(_time_cpu(renew) for _ in range(3))


def _ask(client: FlaskClient, path: str) -> None:
    answer = client.get(path)
    if answer.status_code != 200:  # noqa: PLR2004  # OK
        raise RuntimeError(answer.text)


def _time_entering(world: MeasuredService) -> dict[int, Milliseconds]:
    """Return the cost of entering, by the number of earlier entrants."""
    row, costs = apply_document(world.config, "entering", OPENS), {}
    time.sleep(OPENS / 1000)
    inside = 0
    for many in ENTERED:
        enter_people(row.id, add_people(many - inside))
        guests = [new_account(f"Guest {number}").player for number in range(ENTRIES)]
        times = [_time_cpu(partial(enter_tournament, guest, row, "-", world.config)) for guest in guests]
        costs[many], inside = median(times), many + ENTRIES
    return costs


def costs_table(all_costs: list[TournamentCosts]) -> Table:
    """Return a table of costs and ratios, a row for each database."""
    title = f"Tournaments: ms of CPU time of Python; standings of {MANY:,} after {ROUNDS - 1} rounds"
    columns = ("match page", "standings", "÷ page", f"made anew {MANY // 2:,}", f"{MANY:,}", "ratio")
    table = figures_table(title, ["database"], (*columns, *(f"enter at {many:,}" for many in ENTERED)))
    for each in all_costs:
        asked = f"{each.page:.1f}", f"{each.standings:.1f}", f"{each.standings / each.page:.2f}"
        made = f"{each.half:,.0f}", f"{each.whole:,.0f}", f"{each.whole / each.half:.2f}"
        table.add_row(each.world, *asked, *made, *(f"{each.entering[many]:.2f}" for many in ENTERED))
    return table
