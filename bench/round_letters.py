"""The command `python -m bench.round_letters`: emails of a round for 1,000 entrants next to emails about turns."""

import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median

import click
from rich.table import Table

from bench.paper_tournaments import add_people, play_on_paper
from bench.tables import figures_table, wide_console
from bench.timing import wait_until
from service import ids
from service.config import read
from service.db import connection
from service.db.batches import batched
from service.db.connection import rows, write_transaction
from service.db.models.accounts import PlayerRow
from service.db.models.matches import SeatRow
from service.jobs import queue
from service.jobs.queue import NewJob
from service.matches.paired_matches import PairedMatch, make_paired_matches, start_paired_matches
from service.play.job_payloads import TurnLetter
from service.timestamps import now
from service.tournaments.rounds.rounds import list_round_letters
from tests.support.browser import serve_site

ENTRANTS, MATCHES, SINGLE, PAUSE = 1_000, 300, 40, 0.1
PARTS = 4
"""Number of parts of each measurement, alternating with its yardstick, so that other load disturbs both."""
ACCEPTED = "select accepted_at from letter where accepted_at is not null and kind = ? and created_at >= ? order by 1"
SELECT_PLAYERS = "select player from entrant where tournament = ? order by player"
UNDONE = "select count(*) from job where done_at is null and dead_at is null and topic = 'letter'"


def make_duels(people: Sequence[str]) -> list[str]:
    """Start matches of two. The emails about them are queued later."""
    duels = [(ids.new_id(), people[at], people[at + 1]) for at in range(0, 2 * (MATCHES + 2 * SINGLE), 2)]
    for part in batched(duels, 100):
        make_paired_matches(
            [
                PairedMatch(match, "keltis", 2, match.encode().ljust(32, b"0"), one, {0: (one, "-"), 1: (two, "-")})
                for match, one, two in part
            ]
        )
        start_paired_matches([match for match, _, _ in part], now())
    wait_until(lambda: len(find_questions([match for match, _, _ in duels])) == len(duels))
    return [match for match, _, _ in duels]


def find_questions(matches: Sequence[str]) -> dict[str, tuple[int, int]]:
    """Return the seat that is asked in each of these matches, and the number of its question."""
    questions: dict[str, tuple[int, int]] = {}
    for part in batched(matches):
        asked = SeatRow.match.in_(part) & SeatRow.asked.is_null(is_null=False)
        questions |= {row.match: (row.seat, row.asked or 0) for row in SeatRow.select().where(asked)}
    return questions


def has_sent_all() -> bool:
    """Return True if no email is queued."""
    return rows(UNDONE) == [(0,)]


def turn_job(match: str, question: tuple[int, int]) -> NewJob:
    """Return the job of the email about a turn."""
    seat, asked = question
    return NewJob(TurnLetter(match=match, seat=seat, asked=asked), f"bench-turn:{match}", now())


def time_letters(jobs: Sequence[NewJob], kind: str) -> float:
    """Return how many emails a second go out when all of them are due at once."""
    begun = now()
    with write_transaction():
        queue.add_all(jobs)
    wait_until(has_sent_all)
    times = [at for (at,) in rows(ACCEPTED, kind, begun)]
    if len(times) < len(jobs) * 0.95:
        raise click.ClickException(f"{len(times)} of {len(jobs)} letters went out")
    return 1000.0 * len(times) / max(1, int(times[-1]) - begun)


def time_single_turns(matches: Sequence[str], questions: dict[str, tuple[int, int]]) -> list[float]:
    """Return how many ms single emails about turns wait, queued one after the other."""
    ordered: dict[str, int] = {}
    for match in matches:
        job = turn_job(match, questions[match])
        ordered[match] = now()
        with write_transaction():
            queue.add_all([job])
        time.sleep(PAUSE)
    sql = "select match, accepted_at from letter where kind = 'turn' and accepted_at is not null"
    wait_until(lambda: {match for match, _ in rows(sql)}.issuperset(ordered))
    times = dict(rows(sql))
    return [float(times[match] - at) for match, at in ordered.items()]


def split_parts(things: Sequence[str]) -> list[Sequence[str]]:
    """Split a list into the parts that are measured one after the other."""
    size = len(things) // PARTS
    return [things[at * size : (at + 1) * size] for at in range(PARTS)]


def compare_rates(
    tournament: str, people: Sequence[str], matches: Sequence[str], questions: dict[str, tuple[int, int]]
) -> list[tuple[float, float]]:
    """Return emails a second about turns and about a round, part by part."""
    parts = []
    for duels, some in zip(split_parts(matches), split_parts(people), strict=True):
        turns = time_letters([turn_job(match, questions[match]) for match in duels], "turn")
        parts.append((turns, time_letters(list_round_letters(tournament, some, "swiss", 1), "tournament-round")))
    return parts


def compare_waits(
    tournament: str, people: Sequence[str], matches: Sequence[str], questions: dict[str, tuple[int, int]]
) -> list[tuple[list[float], list[float], int]]:
    """Return the waits of turn emails alone and during a round, and the emails of the round left over, part by part."""
    parts = []
    for number, duels in enumerate(split_parts(matches), 2):
        half = len(duels) // 2
        quiet = time_single_turns(duels[:half], questions)
        with write_transaction():
            queue.add_all(list_round_letters(tournament, people, "swiss", number))
        busy = time_single_turns(duels[half:], questions)
        parts.append((quiet, busy, int(rows(UNDONE)[0][0])))
        wait_until(has_sent_all)
    return parts


def measure(folder: Path) -> Table:
    """Measure emails of turns and of a round, apart and together."""
    with serve_site(folder, ECHTRA_OPEN_MATCHES="999999999", ECHTRA_SMTP_URL=""):
        config = read({"ECHTRA_DATA": str(folder)})
        connection.connect(config.database)
        tournament = str(play_on_paper(config, "round-letters", ENTRANTS, 3).id)
        people = [player for (player,) in rows(SELECT_PLAYERS, tournament)]
        duelists = add_people(2 * (MATCHES + 2 * SINGLE))
        PlayerRow.update(letters="none").execute()
        matches = make_duels(duelists)
        wait_until(has_sent_all)
        PlayerRow.update(letters="turn", address=PlayerRow.id.concat("@example.org"), confirmed_at=now()).execute()
        questions = find_questions(matches)
        rates = compare_rates(tournament, people, matches[:MATCHES], questions)
        waits = compare_waits(tournament, people, matches[MATCHES:], questions)
    return write_table(rates, waits)


def write_table(rates: Sequence[tuple[float, float]], waits: Sequence[tuple[list[float], list[float], int]]) -> Table:
    """Return a table of the medians of the parts and of their ratios."""
    title = f"Letters of a round for {ENTRANTS:,} entrants (SQLite, one process, to the local mailbox)"
    table = figures_table(title, ["what"], ("turns", "round", "ratio", "ratios of the parts"))
    add_row(table, "letters a second", rates)
    what = "ms a turn's letter waits, {}: alone, beside the round"
    add_row(table, what.format("median"), [(median(quiet), median(busy)) for quiet, busy, _ in waits])
    add_row(table, what.format("longest"), [(max(quiet), max(busy)) for quiet, busy, _ in waits])
    left = min(each for _, _, each in waits)
    table.caption = (
        f"At least {left} letters of the round were still to go when the last turn's letter of a part went out."
    )
    return table


def add_row(table: Table, what: str, pairs: Sequence[tuple[float, float]]) -> None:
    """Add a row of two figures and the ratio of the second to the first."""
    ratios = [second / first for first, second in pairs]
    figures = [f"{median(each):.0f}" for each in zip(*pairs, strict=True)]
    table.add_row(what, *figures, f"{median(ratios):.2f}", " ".join(f"{each:.2f}" for each in sorted(ratios)))


@click.command()
def main() -> None:
    """Measure emails of a round, and emails about turns during it."""
    with tempfile.TemporaryDirectory(prefix="echtra-bench-") as folder:
        table = measure(Path(folder))
    wide_console().print(table)


if __name__ == "__main__":
    main(prog_name="python -m bench.round_letters")
