"""The command `python -m bench.growth`: what a turn by email stores, table by table, and what a million matches need.

Plays turns of every game on PostgreSQL as people do: signed moves, an email with its picture for each question. Sizes
are those of tables with their indexes after `vacuum full`, so PostgreSQL needs about a third more in daily use.
"""

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import click

from bench.databases import MeasuredService, environment, new_database
from engine.game import to_act
from engine.games import GAMES
from service.config import Config
from service.db import letter_bytes
from service.db.connection import db, drop_connections, execute, rows
from service.jobs.payloads import LetterJob
from service.jobs.queue import handles
from service.mail.outgoing.deliver import deliver_letter
from service.play.match_loader import load_match_state
from service.timestamps import DAY, now
from service.web.middleware import configure_logging
from tests.support.factories import match_of, settle, somebody
from tests.support.servers import Postgres
from worker.tasks import run_job

TURNS_A_DAY = 2_000_000
"""A million matches with two turns a day."""
SELECT_SIZES = "select relname, pg_total_relation_size(oid) from pg_class where relkind = 'r' and relname = any(?)"
SELECT_LETTERS = "select id from job where topic = 'letter' and done_at is null order by id"
LEAST = 10.0
"""Tables with fewer bytes a turn are left out."""
EMAIL_BYTES = "email: text and pictures"
KEPT = {
    EMAIL_BYTES: "keep_letter_bytes",
    "letter": "keep_letters",
    "job": "keep_jobs",
    "event": "keep_events",
    "delivery": "keep_deliveries",
    "inbox": "keep_inbox",
}
"""Tables whose rows are deleted, with the setting for how many days they are kept."""
REPLY_DAYS = 90


@dataclass(frozen=True)
class Growth:
    """Growth of one table: the bytes that a turn adds, and the days for which they are kept; 0 for ever."""

    table: str
    bytes_a_turn: float
    days: int

    @property
    def gigabytes_a_day(self) -> float:
        """Gigabytes that a million matches add on a day."""
        return self.bytes_a_turn * TURNS_A_DAY / 1e9


def measure_growth(world: MeasuredService, turns: int) -> list[Growth]:
    """Play this many turns of each game. Return what a turn adds to each table, the largest first."""
    world.open()
    tables = [table for table in db.get_tables() if table != "bench"]
    before = _table_sizes(tables)
    played = sum(_play_turns(slug, turns, world.config) for slug in GAMES)
    with_bytes = _table_sizes(tables)
    letter_bytes.drop_bytes_before(now() + DAY)
    after = _table_sizes(tables)
    grown = {table: after[table] - before[table] for table in tables}
    grown[EMAIL_BYTES] = sum(with_bytes[table] - after[table] for table in tables)
    found = [Growth(table, size / played, _kept_days(table, world.config)) for table, size in grown.items()]
    return sorted((each for each in found if each.bytes_a_turn >= LEAST), key=lambda each: -each.bytes_a_turn)


def _kept_days(table: str, config: Config) -> int:
    return REPLY_DAYS if table == "reply" else int(getattr(config, KEPT[table])) if table in KEPT else 0


def _table_sizes(tables: list[str]) -> dict[str, int]:
    for table in tables:
        db.execute_sql(f'vacuum full "{table}"')
    return {name: int(size) for name, size in rows(SELECT_SIZES, tables)}


def _play_turns(slug: str, turns: int, config: Config) -> int:
    """Play matches of two until enough questions were answered, and send an email about each. Return how many."""
    answered = 0
    while answered < turns:
        people = [somebody(name) for name in ("Aoife", "Brendan")]
        execute("update player set address = id || '@example.org', confirmed_at = 1, letters = 'turn'")
        match = match_of(config, *people, game=slug)
        settle(match, config)
        _send_letters(config)
        while answered < turns and (seat := _asked_seat(match)) is not None:
            people[seat].move(match, answered)
            settle(match, config)
            _send_letters(config)
            answered += 1
    return answered


def _asked_seat(match: str) -> int | None:
    state = load_match_state(match).state
    return None if state.over else min(to_act(state))


def _send_letters(config: Config) -> None:
    """Send all queued emails to the local mailbox at once, without their delay."""
    execute("update job set due_at = ? where topic = 'letter' and done_at is null", now())
    for (number,) in rows(SELECT_LETTERS):
        run_job(number, config, dict([handles(LetterJob, deliver_letter)]))


def growth_rows(growth: list[Growth]) -> Iterator[str]:
    """Yield the rows of the table in PERFORMANCE.md."""
    yield "| table | bytes a turn | GB a day | kept, days | GB at rest |"
    yield "|---|---:|---:|---:|---:|"
    for each in growth:
        held = f"{each.gigabytes_a_day * (each.days or 365):,.0f}" + ("" if each.days else " a year")
        daily, kept = f"{each.gigabytes_a_day:.1f}", each.days or "for ever"
        yield f"| {each.table} | {each.bytes_a_turn:,.0f} | {daily} | {kept} | {held} |"
    day = sum(each.gigabytes_a_day for each in growth)
    rest = sum(each.gigabytes_a_day * each.days for each in growth)
    year = sum(each.gigabytes_a_day * 365 for each in growth if not each.days)
    whole = sum(each.bytes_a_turn for each in growth)
    yield f"| together | {whole:,.0f} | {day:.0f} | | {rest:,.0f}, and {year:,.0f} a year |"


@click.command()
@click.option("--turns", type=click.IntRange(min=1), default=200, show_default=True, help="Turns of each game.")
def main(turns: int) -> None:
    """Measure the storage of a turn, and print the plan for a million matches."""
    configure_logging("error")
    postgres = Postgres()
    try:
        with tempfile.TemporaryDirectory(prefix="echtra-bench-") as folder:
            address = new_database(postgres, "growth")
            world = MeasuredService("PostgreSQL", environment(Path(folder), ECHTRA_DATABASE_URL=address))
            for row in growth_rows(measure_growth(world, turns)):
                click.echo(row)
    finally:
        drop_connections()
        postgres.end()


if __name__ == "__main__":
    main(prog_name="python -m bench.growth")
