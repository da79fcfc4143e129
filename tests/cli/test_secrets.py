"""Secrets at rest: files for their owner alone, and keys and seeds encrypted with a key outside the database."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cli import main
from service.bounded_cache import reset_process_state
from service.config import Config
from service.db import encrypted_columns, secret_encryption, server_secrets
from service.db.connection import rows
from service.jobs import heartbeat
from service.play import server_keys
from service.webhooks import subscriptions
from tests.support.factories import match_of, settle, somebody, verified
from tests.support.servers import ROOT
from tests.support.webhooks import hook_of

Run = Callable[..., Result]
ONE, TWO = "1" * 64, "2" * 64


@pytest.fixture(autouse=True)
def _no_keys() -> Iterator[None]:
    yield
    secret_encryption.use_keys(Config())


@pytest.fixture
def echtra(service: Config, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs a command on the database of the test, with these keys."""
    monkeypatch.setenv("ECHTRA_DATABASE_URL", service.database_url)
    monkeypatch.setenv("ECHTRA_DATA", str(service.data))
    monkeypatch.setenv("LANG", "C")
    heartbeat.beat(service)

    def run(*words: str, keys: str = "") -> Result:
        monkeypatch.setenv("ECHTRA_SECRET_KEY", keys)
        return CliRunner().invoke(main, list(words))

    return run


def stored() -> list[str]:
    """Return every secret as stored in the database."""
    found = []
    for table, _, column in encrypted_columns.COLUMNS:
        found += [value for (value,) in rows(f"select {column} from {table} where {column} <> ''")]  # noqa: S608
    return found


def test_secrets_are_encrypted_with_a_key_outside_the_database_and_work_as_before(local: Config, echtra: Run) -> None:
    me = somebody()
    match = match_of(local, me, bots={1: "steady"})
    settle(match, local)
    hook = hook_of(me, "http://127.0.0.1:9/", local)
    before = (server_secrets.get_secret("address"), server_keys.current_key().key.id, verified(match).hash)
    plain = stored()
    assert len(plain) >= 5
    assert not any(value.startswith(secret_encryption.PREFIX) for value in plain)
    done = echtra("secrets", "encrypt", keys=ONE)
    assert done.exit_code == 0, done.output
    assert all(value.startswith(secret_encryption.PREFIX) for value in stored())
    assert not set(plain) & set(stored())
    reset_process_state()
    assert (server_secrets.get_secret("address"), server_keys.current_key().key.id, verified(match).hash) == before
    assert subscriptions.find(me.player.id, hook.id).secret == hook.secret
    new = match_of(local, me, bots={1: "steady"})
    ((seed,),) = rows("select seed from match where id = ?", new)
    assert seed.startswith(secret_encryption.PREFIX)
    settle(new, local)
    assert "under another key: 0." in echtra("secrets", keys=ONE).stdout


def test_a_wrong_or_missing_key_is_refused_in_a_sentence(service: Config, echtra: Run) -> None:
    server_keys.current_key()
    assert echtra("secrets", "encrypt", keys=ONE).exit_code == 0
    for keys in ("", TWO):
        for words in (("keys",), ("doctor",), ("secrets", "encrypt"), ("keys", "--lang", "fr")):
            done = echtra(*words, keys=keys)
            assert done.exit_code == 2, done.output
            assert "ECHTRA_SECRET_KEY" in done.stderr
            assert done.stderr.count("\n") == 1
    assert "openssl rand" in echtra("keys", keys="short").stderr
    assert service.secret_key == ""


def test_keys_are_rotated_without_a_moment_of_darkness(service: Config, echtra: Run) -> None:
    server_keys.current_key()
    echtra("secrets", "encrypt", keys=ONE)
    first = stored()
    both = echtra("secrets", "encrypt", keys=f"{TWO} {ONE}")
    assert both.exit_code == 0, both.output
    assert not set(first) & set(stored())
    assert echtra("keys", keys=TWO).exit_code == 0
    assert echtra("keys", keys=ONE).exit_code == 2
    del service


def test_a_secret_cannot_be_moved_to_another_place(service: Config) -> None:
    secret_encryption.use_keys(replace(service, secret_key=ONE))
    text = secret_encryption.encrypt_secret("secret", "match.seed")
    assert secret_encryption.decrypt_secret(text, "match.seed") == "secret"
    with pytest.raises(secret_encryption.WrongSecretKey):
        secret_encryption.decrypt_secret(text, "tournament.seed")


def test_a_key_may_stand_in_a_file(
    service: Config, tmp_path: Path, echtra: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "key"
    monkeypatch.setenv("ECHTRA_SECRET_KEY_FILE", str(file))
    assert "cannot be read" in echtra("keys").stderr
    file.write_text(f"{ONE}\n")
    server_keys.current_key()
    assert echtra("migrate").exit_code == 0
    assert all(value.startswith(secret_encryption.PREFIX) for value in stored())
    del service


@pytest.mark.parametrize("database", ["postgres"], indirect=True)
def test_the_doctor_warns_where_a_server_keeps_secrets_unencrypted(service: Config, echtra: Run) -> None:
    server_keys.current_key()
    done = echtra("doctor")
    assert done.exit_code == 0
    assert "Set ECHTRA_SECRET_KEY" in done.stdout
    assert "secrets encrypt" in echtra("doctor", keys=ONE).stdout
    echtra("secrets", "encrypt", keys=ONE)
    assert "secrets" not in echtra("doctor", keys=ONE).stdout
    del service


def test_folder_and_files_are_for_their_owner_whatever_the_umask(tmp_path: Path) -> None:
    data = tmp_path / "data"
    env = {**os.environ, "ECHTRA_DATA": str(data), "LANG": "C"}
    for _ in range(2):
        before = os.umask(0)
        try:
            done = subprocess.run([sys.executable, "-m", "cli", "migrate"], cwd=ROOT, env=env, check=False)
        finally:
            os.umask(before)
        assert done.returncode == 0
        assert data.stat().st_mode & 0o777 == 0o700
        files = [path for path in data.rglob("*") if path.is_file()]
        assert files
        assert {path.stat().st_mode & 0o777 for path in files} == {0o600}
        data.chmod(0o755)  # as an earlier version left it
        for path in files:
            path.chmod(0o644)
