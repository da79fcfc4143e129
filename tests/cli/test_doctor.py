"""`echtra doctor` and `echtra rebuild`: every difference is found, and caches are rebuilt from the log alone."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from click.testing import CliRunner, Result

from cli import main
from service.accounts.job_payloads import RemoveRevokedKey
from service.bounded_cache import reset_process_state
from service.config import Config
from service.db import append_only, migrations
from service.db.connection import db, execute, is_postgres, rows, write_transaction
from service.jobs import heartbeat, queue
from service.jobs.heartbeat import RestoreLostTime
from service.jobs.payloads import BlankLetter
from service.play import integrity, match_loader
from service.play.match_loader import load_match_state
from service.play.rebuild import rebuild_caches
from service.timestamps import now
from tests.support.factories import Seated, match_of, settle, somebody
from tests.support.players import Clock
from tests.support.webhook_receivers import Receiver
from tests.support.webhooks import happen, hook_of, sweep
from worker import diagnostics

MINUTE = 60_000
REVOKE = RemoveRevokedKey(player="p", key="k")
ENGLISH = re.compile(r"\b(but|the|its|it|is|and|of|by|another|than)\b")
LEDGERS = ("entry", "header", "submission", "event", "job", "letter", "inbox", "token", "player", "signing_key")


@pytest.fixture
def echtra(service: Config, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """Runs a command on the database of the test."""
    monkeypatch.setenv("ECHTRA_DATABASE_URL", service.database_url)
    monkeypatch.setenv("ECHTRA_DATA", str(service.data))
    heartbeat.beat(service)
    return lambda *words: CliRunner().invoke(main, list(words))


def played(service: Config) -> tuple[Seated, str]:
    """Return a match with some moves in it."""
    me = somebody()
    match = match_of(service, me, bots={1: "steady"})
    for number in range(5):
        settle(match, service)
        me.move(match, number)
    settle(match, service)
    return me, match


def test_a_good_database_fits(service: Config, echtra: Callable[..., Result]) -> None:
    _, match = played(service)
    done = echtra("doctor")
    *warned, last = done.stdout.splitlines()
    assert done.exit_code == 0
    assert last == f"Matches examined: 1; entries: {load_match_state(match).seq}. Everything is consistent."
    # A database server gets a warning about unencrypted secrets, and no other one.
    assert [("Set ECHTRA_SECRET_KEY" in line) for line in warned] == [True] * is_postgres()
    assert echtra("doctor", "--lang", "fr").stdout.endswith("Tout concorde.\n")


def test_a_public_address_without_a_proxy_is_reported(
    echtra: Callable[..., Result], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ECHTRA_HOST", "0.0.0.0")  # noqa: S104  # that is the case
    done = echtra("doctor")
    assert done.exit_code == 0
    assert "listens on 0.0.0.0 without a reverse proxy (ECHTRA_PROXIES=0)" in done.stdout
    assert "écoute sur 0.0.0.0 sans mandataire inverse" in echtra("doctor", "--lang", "fr").stdout
    monkeypatch.setenv("ECHTRA_PROXIES", "1")
    assert "reverse proxy" not in echtra("doctor").stdout


WRONGS = {
    "head": "update match set head_seq = head_seq - 1",
    "head hash": "update match set head_hash = 'nothing'",
    "status": "update match set status = 'over'",
    "resolved": "update match set resolved_seq = head_seq + 5",
    "snapshot": "update snapshot set state = replace(state, '[', '[1,')",
    "snapshot ahead": "update snapshot set seq = seq + 9",
    "seat": "update seat set asked = 1 where seat = 0",
    "seat bot": "update seat set bot = 'random' where seat = 1",
}


@pytest.mark.parametrize("wrong", WRONGS)
def test_every_wrong_cache_is_named_and_rebuilt(service: Config, echtra: Callable[..., Result], wrong: str) -> None:
    _, match = played(service)
    good = caches()
    execute(WRONGS[wrong])
    reset_process_state()
    done = echtra("doctor")
    assert done.exit_code == 1
    assert f"Match {match}: " in done.stdout
    assert done.stdout.endswith(" rebuild\n")
    assert "backup" not in done.stdout
    assert not ENGLISH.search(echtra("doctor", "--lang", "fr").stdout)
    ledgers = {name: rows(f"select * from {name}") for name in LEDGERS}  # noqa: S608
    made = echtra("rebuild")
    assert (made.exit_code, made.stdout) == (0, "Matches rebuilt: 1; changed: 1.\n")
    assert {name: rows(f"select * from {name}") for name in LEDGERS} == ledgers  # noqa: S608
    assert caches() == good
    assert echtra("doctor").exit_code == 0
    assert echtra("rebuild").stdout == "Matches rebuilt: 1; changed: 0.\n"


def caches() -> list[object]:
    return [
        rows("select head_seq, head_hash, head_at, status, ended_at, resolved_seq from match"),
        rows("select seat, player, bot, keys, asked, asked_at from seat order by seat"),
    ]


def test_caches_that_were_lost_come_back(service: Config) -> None:
    _, match = played(service)
    good = caches()
    execute("delete from snapshot")
    execute("update match set head_seq = 0, head_hash = '', head_at = 0, resolved_seq = 0")
    execute("update seat set asked = null, asked_at = null, player = null")
    reset_process_state()
    assert rebuild_caches(match, service.most_entries)
    assert caches() == good
    assert rows("select seq, hash from snapshot") == rows("select head_seq, head_hash from match")


@pytest.mark.parametrize(
    ("change", "where"),
    [
        ("update entry set line = 'lay B1' where seq = 3", "entry 3"),
        ("update entry set at = at - 1 where seq = 3", "entry 3"),
        ("update entry set hash = prev where seq = 3", "entry 3"),
        ("update entry set signature = null where seq = 3", "entry 3"),
        ("update header set body = replace(body, 'keltis', 'tain')", "BadSetting"),
        ("delete from entry where seq = 3", "entry 4: order: expected entry 3 here"),
        ("update entry set shown = line where seq = 1", "entry 1"),
        ("update entry set sealed = 'never' where seq = 1", "entry 1"),
        ("update entry set owner = 1 where seq = 1", "entry 1"),
        ("update entry set reveals = reveals + 1 where seq = 1", "entry 1"),
        ("update entry set prev = hash where seq = 3", "entry 3"),
    ],
)
def test_a_log_changed_behind_our_back_is_named(
    service: Config, echtra: Callable[..., Result], change: str, where: str
) -> None:
    _, match = played(service)
    unguarded()
    execute(change)
    with write_transaction():
        append_only.create_triggers()
    reset_process_state()
    done = echtra("doctor")
    assert done.exit_code == 1
    assert f"Match {match}: its log is not valid: {where}" in done.stdout
    assert "backup" in done.stdout
    assert " rebuild\n" not in done.stdout
    assert "sauvegarde" in echtra("doctor", "--lang", "fr").stdout


def unguarded() -> None:
    """Take the triggers away, as somebody with the keys of the database could."""
    if is_postgres():
        db.execute_sql("alter table entry disable trigger user")
        db.execute_sql("alter table header disable trigger user")
        return
    for (name,) in rows("select name from sqlite_master where type = 'trigger'"):
        db.execute_sql(f"drop trigger {name}")


def test_without_guards_nothing_starts(echtra: Callable[..., Result]) -> None:
    unguarded()
    done = echtra("doctor")
    assert done.exit_code == 2
    assert "echtra migrate" in done.stderr
    migrations.migrate()
    if is_postgres():
        db.execute_sql("alter table entry enable trigger user")
        db.execute_sql("alter table header enable trigger user")
    assert echtra("doctor").exit_code == 0


def test_what_is_stuck_is_explained(service: Config, echtra: Callable[..., Result]) -> None:
    me, match = played(service)
    me.move(match)
    long_ago = now() - 10 * MINUTE
    execute("update match set head_at = head_at")
    queue.add(BlankLetter(), "stuck", long_ago)
    queue.add(REVOKE, "dead", long_ago)
    execute("update job set dead_at = ?, last_error = 'the reason', attempts = 12 where key = 'dead'", now())
    execute("update heartbeat set at = ?", long_ago)
    done = echtra("doctor")
    assert done.exit_code == 1
    assert "Jobs of letter due since" in done.stdout
    assert "was given up" in done.stdout
    assert "the reason" in done.stdout
    assert f"Worker {heartbeat.worker_name()} has been silent since" in done.stdout
    assert " rebuild\n" not in done.stdout


@pytest.mark.usefixtures("service")
def test_jobs_that_died_with_their_worker_are_told_apart_from_those_that_failed(
    echtra: Callable[..., Result], monkeypatch: pytest.MonkeyPatch
) -> None:
    with write_transaction():
        lost, running, dead = (queue.add(REVOKE, key) for key in ("lost", "running", "dead"))
    execute("update job set lost = 3 where id = ?", lost)
    execute("update job set lost = 1, lease_until = ? where id = ?", now() + MINUTE, running)
    done = echtra("doctor")
    assert done.exit_code == 0, "it will be retried: only to be known"
    assert f"Job {lost} (revoke) was running 3 times when its worker died; it will be retried from" in done.stdout
    assert f"Job {running} " not in done.stdout
    execute("update job set lost = 36, dead_at = ? where id = ?", now(), dead)
    done = echtra("doctor", "--lang", "fr")
    assert done.exit_code == 1
    assert f"La tâche {dead} (revoke) a été abandonnée à" in done.stdout
    assert "elle était en cours 36 fois quand son worker est mort" in done.stdout
    monkeypatch.setenv("COLUMNS", "200")
    listed = echtra("jobs").stdout
    assert [f"was running {count} times when its worker died" in listed for count in (1, 3, 36)] == [False, True, True]
    assert "was running once" not in listed


def waits(match: str) -> None:
    """Let a match wait since long ago."""
    execute("update match set resolved_seq = resolved_seq - 1, head_at = head_at - ?", 10 * MINUTE)
    match_loader.forget_match_state(match)


def test_an_unresolved_match_is_named_after_a_while_and_why(
    service: Config, echtra: Callable[..., Result], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, match = played(service)
    waits(match)
    assert re.search(rf"Match {match} has been waiting since .*: nothing is blocking it", echtra("doctor").stdout)
    heartbeat.mark_stopped()
    assert re.search(rf"Match {match} has been waiting since .*: no worker is running", echtra("doctor").stdout)
    assert re.search(rf"La partie {match} attend depuis .* : aucun worker", echtra("doctor", "--lang", "fr").stdout)

    def broken(*_: object, **_named: object) -> None:
        raise ZeroDivisionError("the bot divides")

    monkeypatch.setattr(diagnostics, "resolution_of", broken)
    assert "it cannot be resolved: ZeroDivisionError: the bot divides" in echtra("doctor").stdout


def test_a_deadline_that_nobody_wrote_down_is_explained(service: Config, echtra: Callable[..., Result]) -> None:
    _, match = played(service)
    execute("update seat set due_at = ? where asked is not null", now() - 20 * MINUTE)
    assert re.search(
        rf"Match {match}: the deadline of seat 0 passed at .*: nothing is blocking it", echtra("doctor").stdout
    )
    with write_transaction():
        execute(
            "insert into inbox (id, received, door, sender, recipient, mime, digest, verdict, state, match, seat, "
            "result) values ('i', ?, 'smtp', '', '', ?, '', '', 'new', ?, 0, '')",
            now() - 30 * MINUTE,
            b"",
            match,
        )
    assert "an email that arrived in time has not been read yet" in echtra("doctor").stdout
    queue.add(RestoreLostTime(since=1, until=2), "outage:1")
    assert "lost time has not been given back yet" in echtra("doctor").stdout
    heartbeat.mark_stopped()
    assert re.search("the deadline of seat 0 passed at .*: no worker is running", echtra("doctor").stdout)
    waits(match)
    assert re.search("the deadline of seat 0 passed at .*: the match itself is waiting", echtra("doctor").stdout)


def test_a_hook_that_fails_is_told_with_its_last_answer(
    local: Config, echtra: Callable[..., Result], receiver: Receiver, clock: Clock
) -> None:
    me, match = played(local)
    hook = hook_of(me, receiver.url, local)
    happen(me, match, 2)
    for mode in ("404", "503"):
        receiver.mode = mode
        sweep(local)
        clock.forward(minutes=1)
    said = echtra("doctor").stdout
    assert re.search(
        rf"Events waiting for hook {hook.id} .*: 2; it has been failing since .*; next try at .*; 503\.", said
    )
    clock.forward(hours=1)
    assert re.search(rf"Events due for hook {hook.id} .* since .*: 2; last answer: 503\.", echtra("doctor").stdout)


def test_an_unknown_match_is_refused(echtra: Callable[..., Result]) -> None:
    for command in ("doctor", "rebuild"):
        done = echtra(command, "--match", "nosuch")
        assert (done.exit_code, done.stderr) == (2, "Match nosuch does not exist or has not started.\n")


def test_a_service_that_was_stopped_in_good_order_is_not_ill(service: Config, echtra: Callable[..., Result]) -> None:
    played(service)
    execute("delete from job")
    heartbeat.mark_stopped()
    done = echtra("doctor")
    assert done.exit_code == 0
    assert "No worker is running (the last one stopped at 20" in done.stdout
    assert integrity.started_matches()


@pytest.mark.usefixtures("service")
def test_a_service_that_never_had_a_worker_is_told_so(echtra: Callable[..., Result]) -> None:
    execute("delete from heartbeat")
    done = echtra("doctor")
    assert (done.exit_code, "No worker has run yet; start one with" in done.stdout) == (0, True)
    assert "Aucun worker n'a encore tourné ; lancez" in echtra("doctor", "--lang", "fr").stdout


def test_keys_are_listed_and_rotated(echtra: Callable[..., Result]) -> None:
    assert echtra("keys").exit_code == 0
    ((old,),) = rows("select id from server_key where until is null")
    assert echtra("keys", "rotate").exit_code == 0
    ((new,),) = rows("select id from server_key where until is null")
    assert new != old
    assert rows("select count(*) from server_key") == [(2,)]
