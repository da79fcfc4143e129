"""The ledger of letters as `echtra doctor` shows it."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from cli import main
from service.config import Config
from service.db.connection import execute, rows, write_transaction
from service.jobs import heartbeat
from service.timestamps import now
from tests.support.factories import match_of, somebody

MINUTE = 60_000
LETTER = (
    "insert into letter (id, address, kind, match, seat, seq, message_id, subject, return_path, state, created_at, "
    "why) values (?, 'aoife@example.org', 'turn', ?, 0, 1, ?, 'Your turn', '', ?, ?, ?)"
)


def test_every_letter_is_seen_with_its_state(service: Config, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ECHTRA_DATABASE_URL", service.database_url)
    monkeypatch.setenv("ECHTRA_DATA", str(service.data))
    heartbeat.beat(service)
    match = match_of(service, somebody(), bots={1: "steady"})
    for state in ("queued", "accepted", "deferred", "deferred", "bounced", "answered"):
        ((number,),) = rows("select count(*) from letter")
        why = "450 try later" if state == "deferred" else ""
        with write_transaction():
            execute(LETTER, f"l{number}", match, f"<{number}@x>", state, now() - number * MINUTE, why)
    execute("update player set bounced_at = ?", now())
    english, whole, french = (
        CliRunner().invoke(main, ["doctor", *more]).stdout for more in ((), ("--letters",), ("--lang", "fr"))
    )
    assert "Emails waiting for a mail server: 2, the oldest since " in english
    assert "It says: 450 try later." in english
    assert "Players whose emails bounce: 1," in english
    assert "Emails: queued 1, accepted 1, deferred 2, bounced 1, answered 1." in english
    assert f" l4 bounced turn {match}/0\n" in whole
    assert f" l2 deferred turn {match}/0 450 try later\n" in whole
    assert "aoife@example.org" not in whole
    assert "E-mails : en attente 1, accepté 1, différé 2," in french


def test_the_doctor_says_what_it_means_that_no_relay_is_named(service: Config, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ECHTRA_DATABASE_URL", service.database_url)
    monkeypatch.setenv("ECHTRA_DATA", str(service.data))
    monkeypatch.setenv("ECHTRA_SMTP_URL", "smtp://127.0.0.1:2525")
    assert "names no relay" in CliRunner().invoke(main, ["doctor"]).stdout
    assert "aucun relais" in CliRunner().invoke(main, ["doctor", "--lang", "fr"]).stdout
    monkeypatch.setenv("ECHTRA_AUTHSERV_ID", "mx.example.org")
    assert "names no relay" not in CliRunner().invoke(main, ["doctor"]).stdout
