"""The command `python -m bench.tournament_pages`: pages of tournaments with many entrants, beside a list of matches."""

import json
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import median
from time import process_time
from typing import Any

import click
from flask import Flask
from rich.console import Console
from rich.table import Table

from bench.databases import environment
from bench.tables import figures_table
from service import ids
from service.accounts import players
from service.config import Config, read
from service.db import connection, migrations
from service.db.batches import insert_all
from service.db.connection import write_transaction
from service.db.models.accounts import PlayerRow
from service.db.models.tournaments import TournamentRow
from service.matches.create import NewMatch, create_match
from service.play import server_keys
from service.timestamps import DAY, now
from service.tournaments import lifecycle
from service.tournaments.documents.document import load_document, read_document
from service.tournaments.documents.document_values import write_moment
from service.tournaments.formats.draw import make_draw, name_round
from service.tournaments.rounds.rounds import write_rounds
from service.tournaments.rounds.standings import renew_standings
from service.tournaments.tournament_store import append_lines, find_log, load_state
from service.web.app import create_app

FIELDS = (1_000, 10_000)
ROUNDS, MATCHES, VISITS = 3, 200, 15
MOST_TIMES = 5
BROWSER = {"Accept": "text/html"}
DOCUMENT = """
tournament: field-{count}
game: keltis
entry: {{opens: "{opens}", closes: "{closes}", most: 20000}}
draw: {{beacon: none}}
stages:
  - name: swiss
    format: swiss
    system: brackets
    rounds: 9
    start: {{first: "{first}", next: when-over, gap: 1d}}
    end: {{at_most: 5w, then: as-it-stands}}
"""


@dataclass(frozen=True)
class PageCost:
    """What a page costs, in milliseconds of CPU time, and how many bytes it has before it is compressed."""

    name: str
    cost: float
    size: int


def add_people(count: int) -> list[str]:
    """So many players, by statements of many rows."""
    with write_transaction():
        first = players.create(name=f"Field {count}", language="en", zone="UTC", at=now())
    found: Any = PlayerRow.select().where(PlayerRow.id == first.id).dicts()
    columns: dict[str, Any] = found.get()
    made = [{**columns, "id": ids.new_id(), "name": f"Entrant {number}"} for number in range(1, count)]
    people = [{**each, "skeleton": f"{count} {at}"} for at, each in enumerate(made)]
    insert_all(PlayerRow, people)
    return [first.id, *(each["id"] for each in people)]


def make_field(config: Config, count: int) -> str:
    """A running tournament with so many entrants, its log written line by line as the service would."""
    people, at = add_people(count), now()
    times = {name: write_moment(at + days * DAY) for name, days in (("opens", 1), ("closes", 2), ("first", 3))}
    maker = PlayerRow.get_by_id(people[0])
    text = DOCUMENT.format(count=count, **times).encode()
    row = lifecycle.apply_tournament(
        maker, read_document(text, lifecycle.document_context(maker, config)), None, config
    )
    append_lines(row.id, None, [line for one in people for line in (f"enter {one}", f"accept {one}")], at)
    seed = bytes.fromhex(TournamentRow.get_by_id(row.id).seed)
    numbers = [f"number {one} {at} -" for at, one in enumerate(people, 1)]
    append_lines(row.id, None, ["close", make_draw(seed, 1, name_round("swiss", 0)).line, *numbers], at)
    luck = Random(count)
    for number in range(1, ROUNDS + 1):
        draw = make_draw(seed, number + 1, name_round("swiss", number)).line
        append_lines(row.id, None, [draw, *_write_round(people, number, luck)], at)
    found, state = TournamentRow.get_by_id(row.id), load_state(row.id)
    with write_transaction():
        write_rounds(found, state, load_document(json.loads(found.document)))
        renew_standings(found, state, "swiss")
        # A worker beside this shall not play it on.
        TournamentRow.update(next_at=None, state="running", started_at=at).where(TournamentRow.id == row.id).execute()
    return str(row.id)


def _write_round(people: list[str], number: int, luck: Random) -> Iterable[str]:
    """The lines of a round: of the last one half of the results are there."""
    order = people[:]
    luck.shuffle(order)
    pairs = [(ids.new_id(), *order[at : at + 2]) for at in range(0, len(order) - 1, 2)]
    yield from (f"pair {match} swiss:{number} - {one} {two}" for match, one, two in pairs)
    yield f"start swiss:{number}"
    over = pairs if number < ROUNDS else pairs[: len(pairs) // 2]
    for match, _, _ in over:
        first = luck.randrange(1, 3)
        yield f"result {match} {first}:{luck.randrange(40)}:played {3 - first}:{luck.randrange(40)}:played"
    if number < ROUNDS:
        yield f"over swiss:{number}"


def make_matches(config: Config) -> None:
    """Open matches for the list beside which tournaments are measured."""
    with write_transaction():
        maker = players.create(name="Maker", language="en", zone="UTC", at=now())
    for number in range(MATCHES):
        create_match(maker, NewMatch("keltis", 2 + number % 3, title=f"Match {number}"), config)


def time_page(app: Flask, name: str, path: str, tournament: str = "") -> PageCost:
    """The middle of several visits, each after a new line of the log as while a round runs; the first is left out."""
    client, spent, size = app.test_client(), [], 0
    for _ in range(VISITS + 1):
        if tournament:
            again = find_log(tournament, TournamentRow.get_by_id(tournament).head_seq - 1)[0].line
            append_lines(tournament, None, [again], now())
        began = process_time()
        answer = client.get(path, headers=BROWSER)
        spent.append(1000 * (process_time() - began))
        size = len(answer.data)
        if answer.status_code != 200:  # noqa: PLR2004  # the page itself
            raise click.ClickException(f"{path}: {answer.status}")
    return PageCost(name, median(spent[1:]), size)


def cost_table(found: list[PageCost]) -> Table:
    """The pages beside the list of matches."""
    title = "Pages of tournaments, CPU time in the web process (SQLite)"
    table = figures_table(title, ["page"], ("ms", "÷ list of matches", "kB"))
    for each in found:
        table.add_row(each.name, f"{each.cost:.1f}", f"{each.cost / found[0].cost:.1f}", f"{each.size / 1000:.0f}")
    table.add_row("at most", "", f"{MOST_TIMES}", "", style="bold")
    return table


def measure_pages(folder: Path) -> list[PageCost]:
    """The list of matches, and the pages of each field."""
    config = read(environment(folder))
    connection.connect(config.database)
    migrations.migrate()
    connection.execute("pragma synchronous = off")
    server_keys.current_key()
    app = create_app(config)
    make_matches(config)
    found = [time_page(app, "list of matches", "/matches")]
    for count in FIELDS:
        tournament = make_field(config, count)
        for part in ("", "/crosstable", "/rulings"):
            name = f"{part.removeprefix('/') or 'tournament'}, {count:,} entrants"
            found.append(time_page(app, name, f"/tournaments/{tournament}{part}", tournament))
    return found


@click.command()
def main() -> None:
    """Measure pages of tournaments with many entrants."""
    console = Console()
    with tempfile.TemporaryDirectory(prefix="echtra-bench-") as folder:
        found = measure_pages(Path(folder))
    console.print(cost_table(found))
    slow = [each.name for each in found if each.cost > MOST_TIMES * found[0].cost]
    if slow:
        console.print(f"Slower than they may be: {', '.join(slow)}.", style="red")


if __name__ == "__main__":
    main(prog_name="python -m bench.tournament_pages")
