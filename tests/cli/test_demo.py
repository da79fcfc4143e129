"""`echtra demo`: an empty database becomes a small world that lives on, and no other database is touched."""

from __future__ import annotations

import pytest
from peewee import OperationalError

from cli.simulation.demo_world import DemoWorld
from service.config import Config
from service.db.connection import execute, rows
from service.timestamps import now
from service.tournaments.formats.verify import verify_tournament
from service.tournaments.tournament_store import export_record
from service.web.app import create_app
from tests.support.command_line import echtra, refused
from tests.support.factories import somebody
from worker import demo_people


@pytest.fixture
def env(service: Config, monkeypatch: pytest.MonkeyPatch) -> Config:
    """The environment of somebody who looks at the empty database under test."""
    monkeypatch.setenv("ECHTRA_DATA", str(service.data))
    monkeypatch.setenv("ECHTRA_DATABASE_URL", service.database_url)
    return service


def test_a_demo_fills_an_empty_database_once_and_lives_on(env: Config) -> None:
    made = echtra("demo")
    assert made.exit_code == 0, made.output
    assert "12 players" in made.stdout
    states = dict(rows("select name, state from tournament"))
    assert states == {"demo-cup": "over", "demo-swiss": "running", "demo-pods": "entry"}
    assert not [name for (name,) in rows("select name from player") if "demo" in name]
    page = create_app(env).test_client().get("/matches").text
    assert page.count("demo world") == 1, "once on each page"
    assert {game for (game,) in rows("select game from match where status = 'open'")} > {"keltis", "tain"}
    assert rows("select count(*) from letter where kind = 'turn'")[0][0] >= 1
    assert rows("select count(*) from seat where due_at < ?", now()) == [(0,)], "nobody is late from the beginning"
    for (tournament,) in rows("select id from tournament"):
        verify_tournament(export_record(tournament))
    execute("update seat set asked_at = asked_at - 60000 where asked_at is not null")
    before = rows("select sum(head_seq) from match")
    demo_people.play_for_demo_people(env)
    assert rows("select sum(head_seq) from match") > before
    assert "Le monde de démonstration est déjà là" in refused("demo", "--lang", "fr")
    assert rows("select count(*) from player") == [(12,)]


TABLES = ("player", "match", "entry", "tournament", "tournament_entry", "job", "letter", "event")


@pytest.mark.usefixtures("env")
@pytest.mark.parametrize(
    ("failure", "says"),
    [(OperationalError("the disk is full"), "the disk is full"), (KeyboardInterrupt(), "")],
)
def test_a_demo_that_fails_on_the_way_leaves_nothing_behind(
    monkeypatch: pytest.MonkeyPatch, failure: BaseException, says: str
) -> None:
    def answer_until_somebody_has_moved(world: DemoWorld) -> int:
        if rows("select count(*) from entry where seat >= 0")[0][0]:
            raise failure
        return answer_questions(world)

    answer_questions = DemoWorld.answer_questions
    with monkeypatch.context() as patched:
        patched.setattr(DemoWorld, "answer_questions", answer_until_somebody_has_moved)
        done = echtra("demo")
    assert done.exit_code != 0
    assert says in done.output
    assert [rows(f"select count(*) from {table}")[0][0] for table in TABLES] == [0] * len(TABLES)  # noqa: S608  # ours


@pytest.mark.usefixtures("env")
def test_a_database_that_somebody_uses_is_left_alone() -> None:
    somebody("Aoife")
    assert "is not empty, so nothing was done" in refused("demo")
    assert rows("select count(*) from player") == [(1,)]


@pytest.mark.usefixtures("env")
def test_no_demo_where_others_could_reach_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ECHTRA_SMTP_URL", "smtp://mail.example")
    assert "only this machine can reach" in refused("demo")
    assert rows("select count(*) from player") == [(0,)]
