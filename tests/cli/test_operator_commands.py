"""`echtra letters`, `players` and `jobs`: what operators do about letters, accounts and work, without SQL."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from click.testing import CliRunner, Result

from cli import main
from service.accounts import tokens
from service.accounts.job_payloads import GrantWish
from service.config import Config
from service.db.connection import execute, rows, write_transaction
from service.jobs import alarms, queue
from service.jobs.payloads import BlankLetter
from service.mail.outgoing import smtp_client
from service.timestamps import now
from tests.support.mailbox import Sink, deliver, free_port, ledger, match_of, person, serving
from tests.support.players import Clock
from worker.schedule import JOB_HANDLERS
from worker.tasks import run_job

Run = Callable[..., Result]


@pytest.fixture
def post(service: Config, clock: Clock) -> Iterator[Config]:
    """The service with the address of a mail server that a test starts or not."""
    del clock
    smtp_client.clear_pauses()
    yield replace(service, letter_hold=0, smtp_url=f"smtp://127.0.0.1:{free_port()}", mail_domain="mail.example")
    smtp_client.clear_pauses()


@pytest.fixture
def echtra(service: Config, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs a command on the database of the test."""
    monkeypatch.setenv("ECHTRA_DATABASE_URL", service.database_url)
    monkeypatch.setenv("ECHTRA_DATA", str(service.data))
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setenv("LANG", "C")
    return lambda *words: CliRunner().invoke(main, list(words))


def port(config: Config) -> int:
    """Return the port of its mail server."""
    return int(config.smtp_url.rpartition(":")[2])


def resend(config: Config) -> int:
    """Do the jobs of letters that were sent again."""
    found = rows("select id from job where topic = 'resend' and done_at is null and due_at <= ?", now())
    return sum(run_job(number, config, JOB_HANDLERS) for (number,) in found)


def test_letters_that_came_back_are_listed_and_sent_again(post: Config, echtra: Run, clock: Clock) -> None:
    aoife = person()
    match_of(post, aoife, person(letters="none"))
    sink = Sink(refuse="550 5.1.1 nobody")
    with serving(sink, port(post)):
        deliver(post)
        clock.forward(minutes=11)
        deliver(post)
        assert ledger() == ["bounced"]
        ((letter,),) = rows("select id from letter")
        shown = echtra("letters", "list", "--state", "bounced")
        assert letter in shown.stdout
        assert "550 5.1.1 nobody" in shown.stdout
        assert echtra("letters", "list", "--state", "accepted").stdout == "There are no such emails.\n"
        sink.refuse = ""
        assert echtra("letters", "retry", letter).stdout == "1 email will be sent again.\n"
        assert resend(post) == 1
    assert ledger() == ["accepted"]
    assert [envelope.rcpt_tos for envelope in sink.taken] == [[aoife.address]]
    again = echtra("letters", "retry", letter)
    assert (again.exit_code, letter in again.stderr) == (2, True)


def test_letters_that_wait_go_out_when_the_operator_resumes_them(post: Config, echtra: Run) -> None:
    for _ in range(2):
        match_of(post, person(), person(letters="none"))
    sink = Sink(refuse="554 5.7.1 we do not know you")
    with serving(sink, port(post)):
        deliver(post)
        said = echtra("letters").stdout
        assert "has rejected our mail by policy 2 times" in said
        assert "letters resume" in said
        sink.refuse = ""
        assert deliver(post) == 0, "they wait"
        assert echtra("letters", "resume").stdout.startswith("2 waiting emails are being sent now")
        assert deliver(post) == 2
    assert ledger() == ["accepted"] * 2
    assert alarms.list_active(now()) == []


def test_a_question_that_was_answered_is_not_sent_again(post: Config, echtra: Run) -> None:
    match_of(post, person(), person(letters="none"))
    deliver(post)
    execute("update letter set state = 'bounced', bounced_at = 1")
    execute("update job set done_at = 1")
    execute("update seat set asked = null")
    ((letter,),) = rows("select id from letter")
    assert echtra("letters", "retry", letter).exit_code == 0
    resend(post)
    assert ledger() == ["answered"]


def test_players_are_listed_suspended_and_resumed(post: Config, echtra: Run) -> None:
    aoife, brendan = person("Aoife"), person("Brendan")
    match_of(post, aoife, brendan)
    assert aoife.id in echtra("players").stdout
    assert brendan.id not in echtra("players", "list", "--find", "aoif").stdout
    assert echtra("players", "suspend", aoife.id).stdout.startswith("1 player gets no emails")
    assert rows("select count(*) from seat where player = ? and paused_at is not null", aoife.id) == [(1,)]
    assert brendan.id not in echtra("players", "list", "--suspended").stdout
    deliver(post)
    assert ledger() == ["bounced"], "no letter goes to a suspended player"
    assert echtra("players", "resume", aoife.id).stdout == "1 player gets emails again.\n"
    assert rows("select bounces, bounced_at from player where id = ?", aoife.id) == [(0, None)]


def test_a_token_for_somebody_who_lost_theirs_works(post: Config, echtra: Run) -> None:
    aoife = person()
    done = echtra("players", "token", aoife.id, "--scopes", "read,play")
    assert done.exit_code == 0
    _, id_, _ = done.stdout.strip().split("_", 2)
    assert rows("select player, scopes, name from token where id = ?", id_) == [(aoife.id, "play,read", "operator")]
    with write_transaction():
        for _ in range(tokens.MOST - 1):
            tokens.issue(aoife.id, "x", ("read",))
    many = echtra("players", "token", aoife.id)
    assert (many.exit_code, many.stdout) == (2, "")
    del post


def test_jobs_that_were_given_up_are_listed_done_again_and_dropped(post: Config, echtra: Run) -> None:
    with write_transaction():
        first, second = queue.add(BlankLetter(), "one"), queue.add(GrantWish(player="p", new=""), "two")
    execute("update job set dead_at = 5, attempts = 12, last_error = 'OSError: no'")
    assert "OSError: no" in echtra("jobs", "list", "--dead").stdout
    assert "two" not in echtra("jobs", "list", "--topic", "letter").stdout
    assert echtra("jobs", "retry", str(first)).stdout == "1 job will run again now.\n"
    assert rows("select dead_at, attempts from job where id = ?", first) == [(None, 0)]
    assert echtra("jobs", "drop", str(second)).stdout == "1 job was dropped.\n"
    assert rows("select done_at is null, dead_at, last_error from job where id = ?", second) == [
        (False, None, "dropped by the operator")
    ]
    execute("update job set dead_at = 5 where id = ?", first)
    assert echtra("jobs", "retry", "--dead").stdout == "1 job will run again now.\n"
    assert "letter" in echtra("jobs").stdout
    assert echtra("jobs", "--lang", "fr").stdout.splitlines()[1].startswith("numéro")
    del post


@pytest.mark.parametrize(
    ("words", "english", "french"),
    [
        (("letters", "dance"), "'dance' is not one of", "ne peut pas être « dance »"),
        (("letters", "retry"), "Name the emails to send again", "Nommez les e-mails à renvoyer"),
        (("letters", "retry", "x", "--state", "bounced"), "not both", "pas les deux"),
        (("letters", "retry", "nothing"), "no waiting or bounced email", "aucun e-mail en attente"),
        (("letters", "list", "x"), "takes no ids", "ne prend pas d'identifiants"),
        (("letters", "retry", "--state", "bounced", "--since", "soon"), "soon", "soon"),
        (("players", "token"), "needs the id of a player", "demande l'identifiant"),
        (("players", "suspend", "nobody"), "No players have these ids: nobody", "pas de joueur sous ces"),
        (("players", "token", "x", "--scopes", "king"), "scope 'king'", "portée 'king'"),
        (("jobs", "drop"), "Name the jobs to drop", "Nommez les tâches à écarter"),
        (("jobs", "retry", "7"), "No open jobs have these numbers: 7", "pas de tâche ouverte"),
        (("jobs", "list", "--topic", "tea"), "Unknown topic tea", "Il n'y a pas de sujet tea"),
        (("jobs", "retry", "x"), "'x' is not a valid integer", "un nombre entier, pas « x »"),
    ],
)
def test_wrong_calls_say_what_to_do(echtra: Run, words: tuple[str, ...], english: str, french: str) -> None:
    for lang, expected in (("en", english), ("fr", french)):
        done = echtra(*words, "--lang", lang)
        assert done.exit_code == 2
        assert expected in done.stderr
        assert "Traceback" not in done.stderr
