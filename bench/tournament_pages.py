"""The command `python -m bench.tournament_pages`: pages of tournaments with many entrants, and a list of matches."""

from dataclasses import dataclass
from statistics import median
from time import process_time

import click
from flask import Flask
from rich.table import Table

from bench.databases import MeasuredService, temporary_service
from bench.paper_tournaments import play_on_paper
from bench.tables import figures_table, wide_console
from service.accounts import players
from service.config import Config
from service.db import connection
from service.db.connection import write_transaction
from service.db.models.tournaments import TournamentRow
from service.matches.create import NewMatch, create_match
from service.timestamps import now
from service.tournaments.tournament_store import append_lines, find_log
from service.web.app import create_app

FIELDS = (1_000, 10_000)
ROUNDS, MATCHES, VISITS = 3, 200, 15
MOST_TIMES = 3
BROWSER = {"Accept": "text/html"}


@dataclass(frozen=True)
class PageCost:
    """CPU milliseconds of a page, and its size in bytes before compression."""

    name: str
    cost: float
    size: int


def make_matches(config: Config) -> None:
    """Open the list of matches, which is the yardstick."""
    with write_transaction():
        maker = players.create(name="Maker", language="en", zone="UTC", at=now())
    for number in range(MATCHES):
        create_match(maker, NewMatch("keltis", 2 + number % 3, title=f"Match {number}"), config)


def time_page(app: Flask, name: str, path: str, tournament: str = "") -> PageCost:
    """Return the median cost of several visits, each after a new line of the log. The first is left out."""
    client, spent, size = app.test_client(), [], 0
    for _ in range(VISITS + 1):
        if tournament:
            again = find_log(tournament, TournamentRow.get_by_id(tournament).head_seq - 1)[0].value
            append_lines(tournament, None, [again], now())
        began = process_time()
        answer = client.get(path, headers=BROWSER)
        spent.append(1000 * (process_time() - began))
        size = len(answer.data)
        if answer.status_code != 200:  # noqa: PLR2004  # the page itself
            raise click.ClickException(f"{path}: {answer.status}")
    return PageCost(name, median(spent[1:]), size)


def cost_table(costs: list[PageCost]) -> Table:
    """Return a table of the pages and the list of matches."""
    title = "Pages of tournaments, CPU time in the web process (SQLite)"
    table = figures_table(title, ["page"], ("ms", "÷ list of matches", "kB"))
    for page in costs:
        table.add_row(page.name, f"{page.cost:.1f}", f"{page.cost / costs[0].cost:.1f}", f"{page.size / 1000:.0f}")
    table.add_row("at most", "", f"{MOST_TIMES}", "", style="bold")
    return table


def measure_pages(service: MeasuredService) -> list[PageCost]:
    """Measure the list of matches, and the pages of each field."""
    connection.execute("pragma synchronous = off")
    app = create_app(service.config)
    make_matches(service.config)
    costs = [time_page(app, "list of matches", "/matches")]
    for count in FIELDS:
        tournament = str(play_on_paper(service.config, f"field-{count}", count, ROUNDS).id)
        for part in ("", "/crosstable", "/rulings"):
            name = f"{part.removeprefix('/') or 'tournament'}, {count:,} entrants"
            costs.append(time_page(app, name, f"/tournaments/{tournament}{part}", tournament))
    return costs


@click.command()
def main() -> None:
    """Measure pages of tournaments with many entrants."""
    console = wide_console()
    with temporary_service() as service:
        costs = measure_pages(service)
    console.print(cost_table(costs))
    slow = [page.name for page in costs if page.cost > MOST_TIMES * costs[0].cost]
    if slow:
        console.print(f"Slower than they may be: {', '.join(slow)}.", style="red")


if __name__ == "__main__":
    main(prog_name="python -m bench.tournament_pages")
