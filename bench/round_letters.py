"""The command `python -m bench.round_letters`: letters of a round for 1,000 entrants beside the letters of turns."""

import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median

import click
from rich.console import Console
from rich.table import Table

from bench.tournament_pages import make_field
from service import ids
from service.config import read
from service.db import connection
from service.db.connection import rows, write_transaction
from service.db.models.accounts import PlayerRow
from service.db.models.matches import SeatRow
from service.db.models.tournaments import TournamentRow
from service.jobs import outbox
from service.jobs.outbox import NewJob
from service.matches.paired_matches import PairedMatch, make_paired_matches, start_paired_matches
from service.timestamps import now
from service.tournaments.rounds import list_round_letters
from tests.support.browser import serve_site

ENTRANTS, MATCHES, SINGLE, PAUSE = 1_000, 300, 30, 0.1
LONGEST = 240.0
ACCEPTED = "select accepted_at from letter where accepted_at is not null and kind = ? and created_at >= ? order by 1"
SELECT_PLAYERS = "select player from entrant where tournament = ? order by player"
UNDONE = "select count(*) from job where done_at is null and dead_at is null and topic = 'letter'"


def make_duels(people: Sequence[str]) -> list[str]:
    """Running matches of two, in which one is asked; letters about them are ordered later."""
    made = [(ids.new_id(), people[at], people[at + 1]) for at in range(0, 2 * (MATCHES + 2 * SINGLE), 2)]
    for start in range(0, len(made), 100):
        part = made[start : start + 100]
        make_paired_matches(
            [
                PairedMatch(match, "keltis", 2, match.encode().ljust(32, b"0"), one, {0: (one, "-"), 1: (two, "-")})
                for match, one, two in part
            ]
        )
        start_paired_matches([match for match, _, _ in part], now())
    wait_until(lambda: len(find_questions([match for match, _, _ in made])) == len(made))
    return [match for match, _, _ in made]


def find_questions(matches: Sequence[str]) -> dict[str, tuple[int, int]]:
    """The seat that is asked in each of these matches, and the number of its question."""
    found: dict[str, tuple[int, int]] = {}
    for start in range(0, len(matches), 500):
        asked = SeatRow.match.in_(matches[start : start + 500]) & SeatRow.asked.is_null(is_null=False)
        found |= {each.match: (each.seat, each.asked or 0) for each in SeatRow.select().where(asked)}
    return found


def wait_until(is_done: Callable[[], bool]) -> None:
    """Wait for a state, but not for ever."""
    until = time.monotonic() + LONGEST
    while not is_done():
        if time.monotonic() > until:
            raise click.ClickException("it takes too long")
        time.sleep(0.1)


def turn_job(match: str, question: tuple[int, int]) -> NewJob:
    """The letter about a turn."""
    seat, asked = question
    payload = {"kind": "turn", "match": match, "seat": seat, "asked": asked}
    return NewJob("letter", f"bench-turn:{match}", payload, now())


def time_letters(jobs: Sequence[NewJob], kind: str) -> float:
    """How many letters a second go out if so many are due at once."""
    begun = now()
    with write_transaction():
        outbox.add_all(jobs)
    wait_until(lambda: rows(UNDONE) == [(0,)])
    times = [at for (at,) in rows(ACCEPTED, kind, begun)]
    if len(times) < len(jobs) * 0.95:
        raise click.ClickException(f"{len(times)} of {len(jobs)} letters went out")
    return 1000.0 * len(times) / max(1, int(times[-1]) - begun)


def time_single_turns(matches: Sequence[str], questions: dict[str, tuple[int, int]]) -> list[float]:
    """How long single letters about turns wait, in ms, one ordered after the other."""
    ordered: dict[str, int] = {}
    for match in matches:
        job = turn_job(match, questions[match])
        ordered[match] = now()
        with write_transaction():
            outbox.add_all([job])
        time.sleep(PAUSE)
    sql = "select match, accepted_at from letter where kind = 'turn' and accepted_at is not null"
    wait_until(lambda: {match for match, _ in rows(sql)}.issuperset(ordered))
    times = dict(rows(sql))
    return [float(times[match] - at) for match, at in ordered.items()]


def measure(folder: Path) -> Table:
    """Letters of turns and of a round, apart and at once, in a service of its own."""
    with serve_site(folder, ECHTRA_OPEN_MATCHES="999999999", ECHTRA_SMTP_URL=""):
        config = read({"ECHTRA_DATA": str(folder)})
        connection.connect(config.database)
        tournament = make_field(config, ENTRANTS)
        people = [player for (player,) in rows(SELECT_PLAYERS, tournament)]
        extra = make_field(config, 2 * (MATCHES + 2 * SINGLE))
        duelists = [player for (player,) in rows(SELECT_PLAYERS, extra)]
        PlayerRow.update(letters="none").execute()
        matches = make_duels(duelists)
        wait_until(lambda: rows(UNDONE) == [(0,)])
        PlayerRow.update(letters="turn", address=PlayerRow.id.concat("@example.org"), confirmed_at=now()).execute()
        questions = find_questions(matches)
        turns = time_letters([turn_job(match, questions[match]) for match in matches[:MATCHES]], "turn")
        row = TournamentRow.get_by_id(tournament)
        round_rate = time_letters(list_round_letters(row.id, people, "swiss", 1), "tournament-round")
        quiet = time_single_turns(matches[MATCHES : MATCHES + SINGLE], questions)
        with write_transaction():
            outbox.add_all(list_round_letters(row.id, people, "swiss", 2))
        busy = time_single_turns(matches[MATCHES + SINGLE :], questions)
        left = rows(UNDONE)[0][0]
    table = Table(title=f"Letters of a round for {ENTRANTS:,} entrants (SQLite, one process, to the local mailbox)")
    for name in ("what", "turns", "round", "ratio"):
        table.add_column(name, justify="left" if name == "what" else "right")
    table.add_row("letters a second", f"{turns:.0f}", f"{round_rate:.0f}", f"{round_rate / turns:.2f}")
    for name, pick in (("median", median), ("longest", max)):
        still, loaded = pick(quiet), pick(busy)
        what = f"a turn's letter waits, {name} ms: alone, beside the round"
        table.add_row(what, f"{still:.0f}", f"{loaded:.0f}", f"{loaded / still:.2f}")
    table.caption = f"{left} letters of the round were still to go when the last turn's letter went out."
    return table


@click.command()
def main() -> None:
    """Measure letters of a round beside letters of turns."""
    with tempfile.TemporaryDirectory(prefix="echtra-bench-") as folder:
        table = measure(Path(folder))
    Console(width=120).print(table)


if __name__ == "__main__":
    main(prog_name="python -m bench.round_letters")
