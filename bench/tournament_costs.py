"""What large tournaments cost: standings of thousands from the cache, making them anew, and entering."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import median

from flask.testing import FlaskClient
from rich.table import Table

from bench.databases import MeasuredService
from bench.move_rates import new_duel
from bench.tables import figures_table
from bench.tournament_pages import add_people
from service import ids
from service.bounded_cache import reset_process_state
from service.db.models.tournaments import TournamentRow
from service.timestamps import DAY, now
from service.tournaments import lifecycle, tournament_store
from service.tournaments.documents.document import read_document
from service.tournaments.documents.document_values import write_moment
from service.tournaments.entry.entrants import enter_tournament
from service.tournaments.formats.draw import make_draw
from service.tournaments.rounds import standings
from service.web.app import create_app
from tests.support.factories import somebody

MANY = 10_000
ROUNDS = 5
ENTERED = (100, 400, 1_600)
ENTRIES = 40
"""How many enter one after the other where entering is measured."""
REQUESTS = 60
LISTED = 60
OPENS = 2_000
"""In how many ms entry opens: a document may not begin in the past."""
DOCUMENT = """
tournament: {name}
game: keltis
entry: {{opens: {opens}, closes: {closes}, most: 20000}}
draw: {{beacon: none}}
stages:
  - name: swiss
    format: swiss
    system: brackets
    rounds: {rounds}
    start: {{first: {first}, every: 2w}}
"""
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
    """Let thousands enter and play on paper, then ask for the standings beside a page of the list of matches."""
    world.open()
    for _ in range(LISTED):
        new_duel(world)
    client = create_app(world.config).test_client()
    half, whole = (_play_on_paper(world, f"paper-{many}", many) for many in (MANY // 2, MANY))
    tables = {many.id: _time_renewal(many.id) for many in (half, whole)}
    paths = ("/v1/matches?status=running", f"/v1/tournaments/{whole.id}/standings")
    asked = [[_time(partial(_ask, client, path)) for path in paths] for _ in range(REQUESTS)]
    page, shown = (median(times) for times in zip(*asked, strict=True))
    return TournamentCosts(world.name, page, shown, tables[half.id], tables[whole.id], _time_entering(world))


def _play_on_paper(world: MeasuredService, name: str, many: int) -> TournamentRow:
    """A tournament with so many entrants whose results are written without matches, all but its last round."""
    row = _apply(world, name)
    people = sorted(add_people(many))
    tournament_store.append_lines(
        row.id, None, [f"{verb} {one}" for one in people for verb in ("enter", "accept")], now()
    )
    draw = make_draw(bytes.fromhex(TournamentRow.get_by_id(row.id).seed), 1, "swiss:0", "-")
    numbers = [f"number {one} {number} -" for number, one in enumerate(people, 1)]
    tournament_store.append_lines(row.id, None, ["close", draw.line, *numbers], now())
    for number in range(1, ROUNDS):
        tournament_store.append_lines(row.id, None, list(_round_lines(people, number)), now())
    return row


def _apply(world: MeasuredService, name: str) -> TournamentRow:
    maker, day = somebody(name), [write_moment(now() + after) for after in (OPENS, 10 * DAY, 12 * DAY)]
    text = DOCUMENT.format(name=name, opens=day[0], closes=day[1], first=day[2], rounds=ROUNDS)
    document = read_document(text.encode(), lifecycle.document_context(maker.player, world.config))
    return lifecycle.apply_tournament(maker.player, document, None, world.config)


def _round_lines(people: Sequence[str], number: int) -> list[str]:
    """The lines of a round in which everybody meets somebody else than before, with results of every kind."""
    name, half = f"swiss:{number}", len(people) // 2
    lines = []
    for place in range(half):
        one, other, id_ = people[place], people[half + (place + number) % half], ids.new_id()
        result = ("1:3:played 2:1:played", "2:0:played 1:2:played", "1:1:played 1:1:played")[(place + number) % 3]
        lines += [f"pair {id_} {name} - {one} {other}", f"result {id_} {result}"]
    pairs = [line for line in lines if line.startswith("pair ")]
    results = [line for line in lines if line.startswith("result ")]
    return [*pairs, f"start {name}", *results, f"over {name}"]


def _time(do: Callable[[], object]) -> Milliseconds:
    began = time.thread_time()
    do()
    return 1000 * (time.thread_time() - began)


def _time_renewal(tournament: str) -> Milliseconds:
    """The standings made anew from the log, as after `echtra rebuild`."""

    def renew() -> None:
        reset_process_state()
        row = TournamentRow.get_by_id(tournament)
        standings.renew_standings(row, tournament_store.read_state(tournament, row.head_seq), "swiss")

    return min(_time(renew) for _ in range(3))


def _ask(client: FlaskClient, path: str) -> None:
    answer = client.get(path)
    if answer.status_code != 200:  # noqa: PLR2004  # OK
        raise RuntimeError(answer.text)


def _time_entering(world: MeasuredService) -> dict[int, Milliseconds]:
    """What entering costs where so many have entered."""
    row, found = _apply(world, "entering"), {}
    time.sleep(OPENS / 1000)
    inside = 0
    for many in ENTERED:
        more = add_people(many - inside)
        tournament_store.append_lines(
            row.id, None, [f"{verb} {one}" for one in more for verb in ("enter", "accept")], now()
        )
        guests = [somebody(f"G{number}").player for number in range(ENTRIES)]
        times = [_time(partial(enter_tournament, guest, row, "-", world.config)) for guest in guests]
        found[many], inside = median(times), many + ENTRIES
    return found


def costs_table(found: list[TournamentCosts]) -> Table:
    """Costs and ratios, a line a database."""
    title = f"Tournaments: ms of CPU time of Python; standings of {MANY:,} after {ROUNDS - 1} rounds"
    columns = ("match page", "standings", "÷ page", f"made anew {MANY // 2:,}", f"{MANY:,}", "ratio")
    table = figures_table(title, ["database"], (*columns, *(f"enter at {many:,}" for many in ENTERED)))
    for each in found:
        asked = f"{each.page:.1f}", f"{each.standings:.1f}", f"{each.standings / each.page:.2f}"
        made = f"{each.half:,.0f}", f"{each.whole:,.0f}", f"{each.whole / each.half:.2f}"
        table.add_row(each.world, *asked, *made, *(f"{each.entering[many]:.2f}" for many in ENTERED))
    return table
