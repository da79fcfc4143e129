"""Tournaments for tests that need no HTTP: documents, entrants, the worker's jobs, and matches played at random."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

from engine.game import legal
from service.config import Config
from service.db.connection import rows
from service.db.models.matches import MatchRow
from service.db.models.tournaments import TournamentRow
from service.matches.paired_matches import end_paired_match
from service.play.match_loader import load_match_state
from service.tournaments import lifecycle
from service.tournaments.documents.document import TournamentDocument, read_document
from service.tournaments.entry.entrants import enter_tournament
from service.tournaments.formats.verify import TournamentReport, verify_tournament
from service.tournaments.rounds import rounds
from service.tournaments.rulings.ruling_words import parse_ruling
from service.tournaments.rulings.rulings import RulingMade, make_ruling
from service.tournaments.tournament_integrity import examine_tournament
from service.tournaments.tournament_store import export_record
from tests.support.factories import Seated, settle, somebody
from tests.support.players import Clock
from worker.schedule import JOB_HANDLERS
from worker.tasks import run_job

DOCUMENT = """
tournament: {name}
title: Winter
game: keltis
entry: {{opens: {opens}, closes: {closes}, least: {least}}}
draw: {{beacon: none}}
stages:
{stages}
"""
IN_NEW_YORK = "game: keltis\nzone: America/New_York"
"""Replacement of `game: keltis` in a document whose times are five hours behind."""
ROBIN = """
  - name: all
    format: round-robin
    start: {first: 2027-02-01T18:00, next: when-over, gap: 1d}
    end: {at_most: 4w, then: as-it-stands}
"""


@dataclass
class HostedTournament:
    """A tournament under test with its people. The test moves the time."""

    config: Config
    clock: Clock
    maker: Seated
    people: list[Seated] = field(default_factory=list)
    tournament: str = ""
    random: Random = field(default_factory=lambda: Random(7))

    @property
    def row(self) -> TournamentRow:
        """The current row."""
        found: TournamentRow = TournamentRow.get_by_id(self.tournament)
        return found

    def read(self, text: str) -> TournamentDocument:
        """Return the document of this text, as its owner applies it."""
        return read_document(text.encode(), lifecycle.document_context(self.maker.player, self.config))

    def apply(self, text: str, if_match: str | None = None) -> TournamentRow:
        """Apply a document."""
        row = lifecycle.apply_tournament(self.maker.player, self.read(text), if_match, self.config)
        self.tournament = row.id
        return row

    def enter(self, count: int) -> None:
        """Create this many people and let them enter."""
        for number in range(len(self.people), len(self.people) + count):
            person = somebody(f"Player {number}")
            enter_tournament(person.player, self.row, f"{number:06x}", self.config)
            self.people.append(person)

    def rule(self, text: str, seen: int | None = None, ruler: Seated | None = None) -> RulingMade:
        """Make a ruling in words, by the owner or another person, who has seen all lines or this many."""
        request = parse_ruling(text)
        head = self.row.head_seq if seen is None else seen
        return make_ruling((ruler or self.maker).player.id, self.tournament, request, head, self.config)

    def work(self) -> None:
        """Do all work that is due now, as a worker does: steps, jobs, and matches that bots play on."""
        while True:
            rounds.take_due_steps(self.config)
            due = rows(
                "select id, topic from job where done_at is null and dead_at is null and due_at <= ? order by id",
                self.clock.at,
            )
            done = [run_job(number, self.config, JOB_HANDLERS) for number, topic in due if topic in TOPICS]
            for row in MatchRow.select(MatchRow.id).where(MatchRow.resolved_seq < MatchRow.head_seq):
                settle(row.id, self.config)
                done.append(True)
            if not any(done):
                return

    def go_to_next(self) -> None:
        """Move the time to the next step or job, and do it."""
        times = [self.row.next_at, *(at for at, topic in rows(NEXT_JOB) if topic in TOPICS)]
        later = [at for at in times if at is not None and at > self.clock.at]
        assert later, f"nothing will happen: {self.row.state}, {self.lines()[-3:]}"
        self.clock.at = min(later)
        self.work()

    def play_all(self) -> None:
        """Play every running match to its end, by random lines."""
        for row in list(MatchRow.select(MatchRow.id).where(MatchRow.status == "running")):
            self.play(row.id)
        self.work()

    def decide_all(self) -> None:
        """End every running match with random places, which is much faster than playing it."""
        for row in list(MatchRow.select().where(MatchRow.status == "running").order_by(MatchRow.id)):
            settle(row.id, self.config)
            scores = [self.random.randrange(5) for _ in range(row.seats)]
            places = [1 + sum(other > score for other in scores) for score in scores]
            end_paired_match(row.id, "adjudicated", places)
        self.work()

    def play(self, match: str) -> None:
        """Play one match to its end."""
        seated = {each.player.id: each for each in self.people}
        table = settle(match, self.config)
        while not table.state.over:
            seat = next(seat for seat, question in enumerate(table.questions) if question is not None)
            player = table.players[seat]
            assert player is not None
            listed = [action.line for action in legal(table.state, seat)]
            seated[player].send(match, self.random.choice(listed))
            table = settle(match, self.config)

    def run_to_end(self, *, play: bool = False) -> None:
        """Run the tournament until it is over. Matches are decided by the house, or played."""
        for _ in range(500):
            self.work()
            if self.row.ended_at is not None:
                return
            if MatchRow.select().where(MatchRow.status == "running").exists():
                self.play_all() if play else self.decide_all()
            else:
                self.go_to_next()
        raise AssertionError(self.lines()[-5:])

    def check(self) -> TournamentReport:
        """Verify the exported log and every cache against it. Return the report."""
        assert examine_tournament(self.tournament) == []
        return verify_tournament(export_record(self.tournament))

    def lines(self) -> list[str]:
        """Return the lines of the log."""
        sql = "select line from tournament_entry where tournament = ? order by seq"
        return [line for (line,) in rows(sql, self.tournament)]

    def verbs(self) -> list[str]:
        """Return the first words of the lines."""
        return [line.split(" ")[0] for line in self.lines()]

    def results(self) -> dict[str, str]:
        """Return the results by match, as the log has them."""
        words = [line.split(" ", 2) for line in self.lines() if line.startswith("result ")]
        return {match: result for _, match, result in words}

    def letters(self, kind: str) -> list[dict[str, object]]:
        """Return the emails of a kind that are written or queued."""
        found = [
            json.loads(payload) for (payload,) in rows("select payload from job where topic = 'letter' order by id")
        ]
        return [payload for payload in found if payload.get("kind") == kind]


TOPICS = frozenset(topic for topic in JOB_HANDLERS if topic.startswith("tournament-") or topic in {"erased", "conduct"})
NEXT_JOB = "select due_at, topic from job where done_at is null and dead_at is null"


def document_text(
    stages: str = ROBIN,
    name: str = "winter-cup",
    opens: str = "2027-01-16T18:00",
    closes: str = "2027-01-20T18:00",
    least: int = 2,
) -> str:
    """Return a document as an organiser writes it."""
    return DOCUMENT.format(name=name, opens=opens, closes=closes, least=least, stages=stages.strip("\n"))


def open_tournament(config: Config, clock: Clock, text: str, entrants: int = 0) -> HostedTournament:
    """Return a tournament that this many people have entered."""
    hosted = HostedTournament(config, clock, somebody("Aoife"))
    row = hosted.apply(text)
    clock.at = max(clock.at, row.opens_at or 0)
    hosted.work()
    hosted.enter(entrants)
    return hosted


def table_scores(match: str) -> Sequence[int]:
    """Return the result of a finished match, from its own record."""
    table = load_match_state(match)
    assert table.state.over
    return [score.total for score in table.facts.game.rules.scores(table.state)]
