"""`echtra prove-backup`: a good backup is restored and compared, and every damaged one is noticed."""

from __future__ import annotations

import os
import random
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from flask.testing import FlaskClient

from cli import main
from cli.commands.prove_backup import BackupFault, prove_backup
from service.config import Config
from service.db import connection, migrations
from service.db.connection import execute, rows
from service.jobs import alarms, backup_watch
from service.play import server_keys
from service.timestamps import now
from service.web.app import create_app
from tests.support.factories import match_of, settle, somebody
from tests.support.fixtures import Postgres
from tests.support.players import Clock

Run = Callable[..., Result]
DAMAGES = 200


@pytest.fixture
def echtra(service: Config, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command on the database of the test, with the client programs of its PostgreSQL."""
    if not service.database.startswith("sqlite"):
        model: Postgres = request.getfixturevalue("postgres_model")
        monkeypatch.setenv("PATH", os.pathsep.join((str(model.server.bin_path), os.environ["PATH"])))
    monkeypatch.setenv("ECHTRA_DATABASE_URL", service.database_url)
    monkeypatch.setenv("ECHTRA_DATA", str(service.data))
    monkeypatch.setenv("LANG", "C")
    return lambda *words: CliRunner().invoke(main, [str(word) for word in words])


@pytest.fixture
def backup(clock: Clock, service: Config, echtra: Run, tmp_path: Path) -> Path:
    """A backup of a match that was played for a while."""
    del clock
    server_keys.current_key()
    me = somebody()
    match = match_of(service, me, bots={1: "steady"})
    for _ in range(3):
        settle(match, service)
        me.move(match)
    settle(match, service)
    file = tmp_path / "backups" / "echtra-1.backup"
    file.parent.mkdir()
    made = echtra("backup", file)
    assert made.exit_code == 0, made.output
    return file


def databases() -> set[str]:
    """The databases of the server; none on SQLite."""
    return {name for (name,) in rows("select datname from pg_database")} if connection.is_postgres() else set()


def test_a_good_backup_is_restored_compared_and_recorded(echtra: Run, backup: Path) -> None:
    before = databases()
    assert rows("select checked_at from backup") == [(None,)]
    proved = echtra("prove-backup", backup.parent)
    assert proved.exit_code == 0, proved.output
    assert proved.stdout.startswith(f"{backup} is good: restored, 1 matches and 0 tournaments recomputed")
    assert rows("select fault, checked_at is not null from backup") in ([("", 1)], [("", True)])
    assert databases() == before, "the scratch database is gone"
    assert alarms.list_active(now()) == []
    assert [path.name for path in backup.parent.iterdir()] == [backup.name]


def damage(data: bytes, rng: random.Random) -> bytes:
    """The bytes with one fault of a disk, a network or a person."""
    at, length = rng.randrange(len(data)), rng.randrange(1, 4096)
    kind = rng.choice(["flip", "cut", "zeros", "gone", "more", "swap"])
    match kind:
        case "flip":
            return data[:at] + bytes([data[at] ^ (1 << rng.randrange(8))]) + data[at + 1 :]
        case "cut":
            return data[:at]
        case "zeros":
            return data[:at] + b"\0" * length + data[at + length :]
        case "gone":
            return data[:at] + data[at + length :]
        case "more":
            return data[:at] + rng.randbytes(length) + data[at:]
    return data[at:] + data[:at]


def test_two_hundred_damaged_backups_are_all_noticed(service: Config, backup: Path) -> None:
    whole, rng, record = backup.read_bytes(), random.Random(1), backup_watch.find_backup(backup)
    assert record is not None
    noticed = 0
    with main.make_context("echtra", ["prove-backup", str(backup)]):
        while noticed < DAMAGES:
            damaged = damage(whole, rng)
            if damaged == whole:
                continue
            backup.write_bytes(damaged)
            with pytest.raises(BackupFault):
                prove_backup(backup, record, service)
            noticed += 1
    print(f"{noticed} of {DAMAGES} noticed")


def test_damage_is_noticed_without_the_record_too(echtra: Run, backup: Path) -> None:
    with tarfile.open(backup) as archive:
        member = archive.getmember("database")
    whole, rng = backup.read_bytes(), random.Random(2)
    execute("delete from backup")
    for _ in range(5):
        at = member.offset_data + rng.randrange(member.size)
        backup.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        assert echtra("prove-backup", backup).exit_code == 1
    backup.write_bytes(whole.replace(b'"kind"', b'"kine"'))
    assert echtra("prove-backup", backup).exit_code == 1
    assert rows("select count(*) from match") == [(1,)], "the live database is as it was"


def test_a_bad_backup_is_an_alarm_that_readyz_lists_and_goes_on(
    service: Config, echtra: Run, backup: Path, clock: Clock
) -> None:
    backup.write_bytes(backup.read_bytes()[:-1] + b"x")
    bad = echtra("prove-backup", backup)
    assert bad.exit_code == 1
    assert "its SHA-256 differs" in bad.stderr
    client: FlaskClient = create_app(service).test_client()
    for _ in range(2):
        answer = client.get("/readyz")
        assert (answer.status_code, answer.json["alarms"] if answer.json else []) == (200, ["backup-bad"])
        clock.forward(hours=2)
        backup_watch.check_backups(service)
    assert "is not good" in echtra("doctor").stdout


def test_a_backup_of_another_service_is_noticed(
    echtra: Run, backup: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if connection.is_postgres():
        execute("alter table entry disable trigger user")
        execute("delete from entry")
        execute("alter table entry enable trigger user")
    else:
        connection.connect(f"sqlite:///{tmp_path}/other.db")
        migrations.migrate()
        monkeypatch.setenv("ECHTRA_DATABASE_URL", f"sqlite:///{tmp_path}/other.db")
    execute("delete from backup")
    other = echtra("prove-backup", backup)
    assert other.exit_code == 1
    assert "the running service does not have its logs (1)" in other.stderr


def test_figures_and_alarms_follow_age_and_size(service: Config, clock: Clock, tmp_path: Path) -> None:
    backup_watch.check_backups(service)
    assert (backup_watch.backup_age(), backup_watch.backup_bytes()) == (0, 0)
    assert alarms.list_active(now()) == []
    backup_watch.record_backup(tmp_path / "one.backup", 1000, "d1")
    clock.forward(hours=37)
    assert backup_watch.backup_age() == 37 * 3600
    backup_watch.check_backups(service)
    assert [alarm.kind for alarm in alarms.list_active(now())] == ["backup-old"]
    backup_watch.record_backup(tmp_path / "two.backup", 400, "d2")
    clock.forward(hours=2)
    backup_watch.check_backups(service)
    assert [alarm.kind for alarm in alarms.list_active(now())] == ["backup-small"]
    assert backup_watch.backup_bytes() == 400
    record = backup_watch.find_backup(tmp_path / "two.backup")
    assert record is not None
    backup_watch.record_proof(record, "")
    clock.forward(hours=1)
    assert backup_watch.proof_age() == 3600
