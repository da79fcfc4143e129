"""`echtra check`: the settings and whatever they name, tried before anything is started."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from cli import main
from cli.commands.serve import greeting_lines
from service.config import Config, read
from service.db import connection
from tests.support.mailbox import Sink, free_port, serving

Run = Callable[..., Result]
PUBLIC = {
    "ECHTRA_PUBLIC_URL": "https://games.example.org",
    "ECHTRA_PROXIES": "1",
    "ECHTRA_AUTHSERV_ID": "mx.example.org",
}
MAIL = {"ECHTRA_MAIL_FROM": "echtra@example.org", "ECHTRA_MAIL_DOMAIN": "reply.example.org"}


@pytest.fixture
def check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run the command with these settings."""
    monkeypatch.setenv("ECHTRA_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("LANG", "C")

    def run(*words: str, **settings: str) -> Result:
        for name, value in settings.items():
            monkeypatch.setenv(name, value)
        return CliRunner().invoke(main, ["check", *words])

    return run


def test_the_defaults_are_right_and_change_nothing(check: Run, tmp_path: Path) -> None:
    result = check()
    assert (result.exit_code, result.stdout.splitlines()[-1]) == (0, "The settings are correct.")
    assert not (tmp_path / "data").exists()


def test_a_database_that_is_there_is_tried(check: Run, service: Config) -> None:
    result = check(ECHTRA_DATABASE_URL=service.database_url)
    kind = "PostgreSQL" if connection.is_postgres() else "SQLite"
    assert f"ok: {kind} answers and is up to date." in result.stdout
    assert result.exit_code == 0


def test_a_public_service_is_tried_down_to_its_mail_server_and_keys(check: Run, tmp_path: Path) -> None:
    key, secret = tmp_path / "dkim.pem", tmp_path / "secret"
    private = rsa.generate_private_key(65537, 2048)
    key.write_bytes(private.private_bytes(Encoding.PEM, PrivateFormat.TraditionalOpenSSL, NoEncryption()))
    secret.write_text("k" * 40)
    secret.chmod(0o640)
    port = free_port()
    more = {
        "ECHTRA_SMTP_URL": f"smtp://127.0.0.1:{port}",
        "ECHTRA_DKIM_KEY": str(key),
        "ECHTRA_SECRET_KEY_FILE": str(secret),
    }
    with serving(Sink(), port):
        result = check(**PUBLIC, **MAIL, **more)
    assert result.exit_code == 0, result.stdout
    assert "ok: The mail server 127.0.0.1 answers." in result.stdout
    assert "publish it under the selector echtra" in result.stdout
    assert "warning" not in result.stdout
    secret.chmod(0o644)
    assert f"warning: Every user of this machine can read {secret}" in check().stdout


@pytest.mark.parametrize(
    ("settings", "english", "french"),
    [
        (
            {"ECHTRA_SMTP_URL": "smtp://127.0.0.1:9"},
            "The mail server 127.0.0.1 cannot be used: ",
            "ne peut pas servir : ",
        ),
        (
            {"ECHTRA_SMTP_URL": "smtp://u:pass%20word@127.0.0.1:9", **MAIL, "ECHTRA_MAIL_FROM": "echtra@localhost"},
            "ECHTRA_MAIL_FROM is echtra@localhost",
            "ECHTRA_MAIL_FROM vaut echtra@localhost",
        ),
        (PUBLIC, "No email is sent, so nobody can sign in.", "Aucun e-mail ne part"),
        ({"ECHTRA_DKIM_KEY": __file__}, "is not an RSA private key in PEM form.", "n'est pas une clé privée RSA"),
        (
            {"ECHTRA_IMAP_URL": "imap://u:p@127.0.0.1:9/INBOX"},
            "The mailbox at 127.0.0.1 cannot be polled",
            "La boîte de 127.0.0.1",
        ),
        (
            {
                "ECHTRA_DATABASE_URL": "postgresql://u:secret@127.0.0.1:9/echtra",
                "ECHTRA_BROKER_URL": "redis://127.0.0.1:9/0",
            },
            "Redis does not answer at ECHTRA_BROKER_URL.",
            "Redis ne répond pas",
        ),
    ],
)
def test_each_thing_that_is_wrong_is_named_with_what_to_do(
    check: Run, settings: dict[str, str], english: str, french: str
) -> None:
    result = check(**settings)
    assert result.exit_code == 1
    assert [line for line in result.stdout.splitlines() if line.startswith("WRONG:") and english in line]
    assert not [word for word in ("secret@", "pass%20word", "pass word") if word in result.stdout]
    assert french in check("--lang", "fr").stdout


def test_a_setting_that_cannot_be_read_is_refused(check: Run) -> None:
    result = check(ECHTRA_PORT="many")
    assert result.exit_code == 2
    assert "ECHTRA_PORT" in result.stderr


@pytest.mark.parametrize(
    ("settings", "mailbox"),
    [
        ({}, "http://127.0.0.1:8000/mailbox?key=abc"),
        ({"ECHTRA_PUBLIC_URL": "http://localhost:8080"}, "http://127.0.0.1:8000/mailbox?key=abc"),
        ({"ECHTRA_PUBLIC_URL": "https://games.example.org"}, ""),
        ({"ECHTRA_SMTP_URL": "smtp://127.0.0.1:25"}, ""),
    ],
)
@pytest.mark.usefixtures("service")
def test_the_banner_shows_the_mailbox_where_it_answers(settings: dict[str, str], mailbox: str) -> None:
    with main.make_context("echtra", ["serve"]):
        shown = "\n".join(greeting_lines(read(settings), None, "abc"))
    assert mailbox in shown
    assert bool(mailbox) == ("/mailbox" in shown)
    assert ("nobody can sign in" in shown.lower()) == (settings.get("ECHTRA_PUBLIC_URL", "").startswith("https"))
