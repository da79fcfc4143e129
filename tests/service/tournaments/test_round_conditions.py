"""Conditions of a step: outages, unread mail, the beacon, pauses, and the hour in the zone."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from service.config import Config
from service.db.connection import execute, rows
from service.db.models.matches import MatchRow
from service.db.models.tournaments import RoundRow
from service.jobs import heartbeat
from service.play.match_loader import load_match_state
from service.timestamps import DAY, rfc3339
from service.tournaments.documents.document import load_document
from service.tournaments.formats.draw import beacon_round
from service.tournaments.formats.tournament_state import TournamentState
from service.tournaments.rounds import timetable
from service.tournaments.tournament_store import load_state
from tests.support.players import Clock
from tests.support.tournaments import HostedTournament, document_text, open_tournament

pytestmark = pytest.mark.parametrize("database", ["sqlite"], indirect=True)
INSERT_INBOX = (
    "insert into inbox (id, received, door, sender, recipient, mime, digest, verdict, state, result) "
    "values ('unread', ?, 'smtp', '', '', ?, '', 'none', 'new', '')"
)


def test_no_step_by_time_while_lost_time_is_not_given_back(service: Config, clock: Clock) -> None:
    hosted = open_tournament(service, clock, document_text(), entrants=2)
    heartbeat.beat(service)
    clock.at = hosted.row.closes_at or 0
    hosted.work()
    assert "close" not in hosted.verbs()
    heartbeat.beat(service)
    clock.forward(minutes=1)
    hosted.work()
    assert "close" not in hosted.verbs(), "the job that gives time back is not done"
    execute("update job set done_at = ? where topic = 'outage'", clock.at)
    clock.forward(minutes=2)
    hosted.work()
    assert "close" in hosted.verbs()


def test_entry_closes_when_letters_from_before_are_read(service: Config, clock: Clock) -> None:
    hosted = open_tournament(service, clock, document_text(), entrants=2)
    closes = hosted.row.closes_at or 0
    execute(INSERT_INBOX, closes - 1000, b"")
    clock.at = closes
    hosted.work()
    assert "close" not in hosted.verbs()
    execute("update inbox set read_at = ?", clock.at)
    clock.forward(minutes=1)
    hosted.work()
    assert "close" in hosted.verbs()


class Beacon(HTTPServer):
    """A local beacon that gives wrong answers first."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), BeaconRequest)
        self.wrong = [b"no", b"[]", b'{"round": 1, "randomness": "' + b"ab" * 32 + b'"}']
        self.asked: list[str] = []
        threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()

    @property
    def url(self) -> str:
        """The address without the number of a round."""
        return f"http://127.0.0.1:{self.server_address[1]}/rounds"


class BeaconRequest(BaseHTTPRequestHandler):
    """A request to the beacon."""

    server: Beacon

    def do_GET(self) -> None:
        """Respond with the value of the round in the address."""
        self.server.asked.append(self.path)
        number = int(self.path.rpartition("/")[2])
        answer = json.dumps({"round": number, "randomness": f"{number:064x}", "signature": "00"}).encode()
        body = self.server.wrong.pop(0) if self.server.wrong else answer
        self.send_response(200)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_words: object) -> None:
        """Log nothing."""


@pytest.fixture
def beacon() -> Iterator[Beacon]:
    """A beacon that answers."""
    made = Beacon()
    yield made
    made.shutdown()
    made.server_close()


def test_draws_take_the_round_of_the_beacon_that_nobody_chose(service: Config, clock: Clock, beacon: Beacon) -> None:
    config = replace(service, beacon_url=beacon.url, hook_networks=("127.0.0.0/8",))
    text = document_text().replace("beacon: none", "beacon: drand-quicknet")
    hosted = open_tournament(config, clock, text, entrants=3)
    closes = hosted.row.closes_at or 0
    clock.at = closes
    hosted.work()
    assert hosted.verbs()[-1] == "close"
    while "draw" not in hosted.verbs():
        hosted.go_to_next()
    number = beacon_round(closes)
    assert clock.at >= closes + 600_000
    assert beacon.asked == [f"/rounds/{number}"] * 4
    assert [line.split(" ")[3] for line in hosted.lines() if line.startswith("draw")] == [
        f"drand-quicknet:{number}:{number:064x}"
    ]
    hosted.run_to_end()
    report = hosted.check()
    assert "beacon-signature" in report.not_proved
    assert {row.beacon for row in MatchRow.select()} == {f"drand-quicknet:{number}:{number:064x}"}


def test_a_pause_of_the_document_stops_clocks_and_starts(service: Config, clock: Clock) -> None:
    pauses = "pauses: [{from: 2027-02-02T00:00, to: 2027-02-05T00:00}]\ngame:"
    hosted = open_tournament(service, clock, document_text().replace("game:", pauses), entrants=3)
    while MatchRow.select().where(MatchRow.status == "running").count() == 0:
        hosted.go_to_next()
    match = MatchRow.get(MatchRow.status == "running").id
    before = RoundRow.get(RoundRow.number == 1)
    assert (before.ends_at or 0) - (before.started_at or 0) == 31 * DAY
    hosted.go_to_next()
    assert rfc3339(clock.at) == "2027-02-02T00:00:00.000Z"
    assert load_match_state(match).state.house.paused
    hosted.go_to_next()
    assert rfc3339(clock.at) == "2027-02-05T00:00:00.000Z"
    assert not load_match_state(match).state.house.paused
    clock.forward(days=1)
    hosted.run_to_end()
    hosted.check()


def test_rounds_follow_at_the_hour_of_the_first_in_the_zone(service: Config, clock: Clock) -> None:
    text = document_text().replace("game:", "zone: Europe/Dublin\ngame:")
    hosted = open_tournament(service, clock, text, entrants=4)
    while hosted.verbs().count("start") < 2:
        hosted.go_to_next()
        hosted.decide_all()
    first, second = [row.started_at for row in RoundRow.select().order_by(RoundRow.number).limit(2)]
    assert second is not None
    assert first is not None
    assert rfc3339(first) == "2027-02-01T18:00:00.000Z"
    assert (second - first) % DAY == 0
    assert second - first >= DAY


def planned(hosted: HostedTournament) -> list[timetable.RoundPlan]:
    """Return the planned rounds."""
    state: TournamentState = load_state(hosted.tournament)
    return list(timetable.Timetable(state, load_document(json.loads(hosted.row.document))).rounds())


def test_fixed_starts_keep_their_local_hour_over_the_change_of_clocks(service: Config, clock: Clock) -> None:
    stages = """
  - name: swiss
    format: swiss
    rounds: 3
    start: {first: 2027-03-20T18:00, every: 1w}
"""
    text = document_text(stages).replace("game:", "zone: Europe/Dublin\ngame:")
    hosted = open_tournament(service, clock, text, entrants=4)
    assert [rfc3339(plan.starts_at) for plan in planned(hosted)] == [
        "2027-03-20T18:00:00.000Z",
        "2027-03-27T18:00:00.000Z",
        "2027-04-03T17:00:00.000Z",
    ]
    hosted.run_to_end()
    hosted.check()
    assert [rfc3339(row.started_at) for row in RoundRow.select().order_by(RoundRow.number)] == [
        rfc3339(plan.starts_at) for plan in planned(hosted)
    ]
    assert rows("select count(*) from job where topic = 'tournament-start'") == [(3,)]
