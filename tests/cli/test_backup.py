"""`echtra backup` and `restore`: a copy of one moment while moves are accepted, and the same service from it."""

from __future__ import annotations

import os
import tarfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cli import main
from service.config import Config
from service.db import connection
from service.db.connection import close_connection, rows
from service.jobs import heartbeat
from service.play import server_keys
from tests.support.factories import match_of, settle, somebody
from tests.support.fixtures import Postgres
from tests.support.servers import Process

Run = Callable[..., Result]
SAME = ("server_key", "secret", "player", "signing_key")


@pytest.fixture
def echtra(service: Config, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs a command on the database of the test, with the client programs of its PostgreSQL."""
    if not service.database.startswith("sqlite"):
        model: Postgres = request.getfixturevalue("postgres_model")
        monkeypatch.setenv("PATH", os.pathsep.join((str(model.server.bin_path), os.environ["PATH"])))
    monkeypatch.setenv("ECHTRA_DATABASE_URL", service.database_url)
    monkeypatch.setenv("ECHTRA_DATA", str(service.data))
    monkeypatch.setenv("LANG", "C")
    return lambda *words: CliRunner().invoke(main, [str(word) for word in words])


@pytest.fixture
def empty(service: Config, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The address of another database of the same kind, without tables."""
    if service.database.startswith("sqlite"):
        yield f"sqlite:///{tmp_path}/other/echtra.db"
        return
    model: Postgres = request.getfixturevalue("postgres_model")
    model.connection.execute("create database other")
    yield model.server.get_uri("other")
    connection.drop_connections()
    model.connection.execute("drop database other with (force)")


def logs() -> dict[str, list[str]]:
    """Return the hashes of every log, in order."""
    found: dict[str, list[str]] = {}
    for match, hash_ in rows("select match, hash from entry order by match, seq"):
        found.setdefault(match, []).append(hash_)
    return found


def test_a_backup_made_during_play_is_one_moment_of_it(  # noqa: PLR0915  # one long story
    service: Config, echtra: Run, empty: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server_keys.current_key()
    heartbeat.beat(service)
    people = [somebody(f"P{number}") for number in range(3)]
    matches = [match_of(service, each, bots={1: "steady"}) for each in people]
    over = threading.Event()
    failures: list[BaseException] = []

    def play() -> None:
        number = 0
        try:
            while not over.is_set():
                for at, each in enumerate(people):
                    if settle(matches[at], service).state.over:
                        matches[at] = match_of(service, each, bots={1: "steady"})
                        settle(matches[at], service)
                    each.move(matches[at], number)
                    number += 1
        except BaseException as error:  # noqa: BLE001  # told by the test
            failures.append(error)
        finally:
            close_connection()

    player = threading.Thread(target=play)
    player.start()
    files = [tmp_path / f"{number}.backup" for number in range(3)]
    try:
        for file in files:
            process = Process("backup", str(file), env={**os.environ}, log=tmp_path / "backup.log")
            process.start()
            assert process.wait(60) == 0, process.text()
    finally:
        over.set()
        player.join()
    assert failures == []
    connection.connect(service.database)
    source, kept = logs(), {table: rows(f"select * from {table} order by 1, 2") for table in SAME}  # noqa: S608
    assert files[-1].stat().st_mode & 0o777 == 0o600
    connection.drop_connections()

    monkeypatch.setenv("ECHTRA_DATABASE_URL", empty)
    monkeypatch.setenv("ECHTRA_DATA", str(tmp_path / "other"))
    done = echtra("restore", files[-1])
    assert done.exit_code == 0, done.output
    again = echtra("restore", files[-1])
    assert (again.exit_code, again.stdout) == (2, "")
    connection.connect(empty)
    restored = logs()
    assert {table: rows(f"select * from {table} order by 1, 2") for table in SAME} == kept  # noqa: S608
    assert restored.keys() <= source.keys()
    assert all(source[match][: len(hashes)] == hashes for match, hashes in restored.items())
    print(f"{sum(map(len, restored.values()))} of {sum(map(len, source.values()))} entries were in the copy")
    assert echtra("migrate").exit_code == 0
    healthy = echtra("doctor")
    assert healthy.exit_code == 0, healthy.output
    assert "Everything is consistent." in healthy.stdout


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_files_that_are_no_backups_change_nothing(service: Config, echtra: Run, tmp_path: Path) -> None:
    before = rows("select * from player")
    file = tmp_path / "good.backup"
    assert echtra("backup", file).exit_code == 0
    assert "--replace" in echtra("backup", file).stderr
    assert echtra("backup", file, "--replace").exit_code == 0
    assert "No such folder" in echtra("backup", tmp_path / "nowhere" / "x").stderr
    connection.drop_connections()
    damaged = tmp_path / "damaged.backup"
    data = bytearray(file.read_bytes())
    with tarfile.open(file) as archive:
        at = archive.getmember("database").offset_data
    data[at + 5_000] ^= 1
    damaged.write_bytes(data)
    text = tmp_path / "text"
    text.write_text("hello")
    for bad, said in ((damaged, "damaged"), (text, "not a backup"), (tmp_path / "nothing", "No such file")):
        done = echtra("restore", bad, "--replace")
        assert (done.exit_code, done.stdout) == (2, "")
        assert said in done.stderr
    assert "There is already a database here" in echtra("restore", file).stderr
    connection.connect(service.database)
    assert rows("select * from player") == before


@pytest.mark.parametrize("database", ["postgres"], indirect=True)
def test_without_the_client_programs_one_sentence_says_so(
    echtra: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    done = echtra("backup", tmp_path / "x.backup")
    assert done.exit_code == 2
    assert "pg_dump is not on PATH" in done.stderr
    assert not (tmp_path / "x.backup").exists()
