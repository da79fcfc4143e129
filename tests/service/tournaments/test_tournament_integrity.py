"""The log is the only truth: `doctor` finds every wrong cache, and `rebuild` repairs it."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from click.testing import CliRunner, Result

from cli import main
from service.config import Config
from service.db import encrypted_columns, secret_encryption
from service.db.connection import execute, rows
from service.jobs import heartbeat
from service.tournaments import tournament_store
from service.tournaments.formats.log_lines import read
from service.tournaments.rounds.standings import read_standings
from service.tournaments.tournament_integrity import examine_tournament, rebuild_tournament
from tests.support.players import Clock
from tests.support.tournaments import HostedTournament, document_text, open_tournament

CACHES = ("entrant", "stage", "round", "pairing", "pairing_seat", "tournament")
OTHERS = ("tournament_entry", "tournament_header", "tournament_document", "match", "seat", "entry", "job", "player")
CHANGES = (
    "update entrant set status = 'withdrawn' where number = 1",
    "delete from entrant where number = 2",
    "update pairing set result = '' where result <> ''",
    "update pairing set section = 3",
    "delete from pairing_seat where seat = 1",
    "update round set state = 'planned'",
    "update round set ends_at = 7 where number = 1",
    "update stage set state = 'over', name = 'x'",
    "update stage set standings = '[]'",
    "update tournament set state = 'drawn'",
    "update tournament set head_seq = head_seq - 1",
)


@pytest.fixture
def hosted(service: Config, clock: Clock) -> HostedTournament:
    """A tournament in its second round."""
    made = open_tournament(service, clock, document_text(), entrants=5)
    while made.verbs().count("start") < 2:
        made.decide_all()
        made.go_to_next()
    read_standings(made.tournament, "all")
    return made


def contents(*tables: str) -> list[list[tuple[object, ...]]]:
    """Return every row of some tables, without the time of the next step."""
    left_out = {"tournament": "next_at", "stage": "standings"}
    found = []
    for table in tables:
        lines = rows(f"select * from {table}")  # noqa: S608  # our own names
        found.append(sorted(lines, key=repr) if table not in left_out else [line[:11] for line in lines])
    return found


def test_doctor_finds_each_cache_that_is_not_as_the_log_says_and_rebuild_mends_it(hosted: HostedTournament) -> None:
    assert examine_tournament(hosted.tournament) == []
    good, others = contents("entrant", "round", "pairing", "pairing_seat"), contents(*OTHERS)
    for change in CHANGES:
        read_standings(hosted.tournament, "all")
        assert execute(change) > 0, change
        assert examine_tournament(hosted.tournament), change
        assert rebuild_tournament(hosted.tournament), change
        assert examine_tournament(hosted.tournament) == [], change
        assert contents("entrant", "round", "pairing", "pairing_seat") == good
        assert contents(*OTHERS) == others
    assert not rebuild_tournament(hosted.tournament)
    hosted.run_to_end()
    hosted.check()


@pytest.fixture
def echtra(service: Config, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """Run a command on the database of the test."""
    monkeypatch.setenv("ECHTRA_DATABASE_URL", service.database_url)
    monkeypatch.setenv("ECHTRA_DATA", str(service.data))
    return lambda *words: CliRunner().invoke(main, list(words))


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_the_commands_examine_and_rebuild_tournaments(
    hosted: HostedTournament, service: Config, echtra: Callable[..., Result]
) -> None:
    heartbeat.beat(service)
    execute("delete from job where topic = 'letter'")
    assert "Everything is consistent" in echtra("doctor").stdout
    execute("update pairing set section = 3")
    found = echtra("doctor")
    assert found.exit_code == 1
    assert f"Tournament {hosted.tournament}: the table pairing does not agree with the log" in found.stdout
    assert "Tournoi" in echtra("doctor", "--lang", "fr").stdout
    assert "Tournaments rebuilt: 1; changed: 1." in echtra("rebuild").stdout
    assert "Everything is consistent" in echtra("doctor").stdout
    tournament_store.append_lines(hosted.tournament, None, [read("over all:9")], hosted.clock.at)
    assert "its log is not valid: line " in echtra("doctor").stdout
    french = echtra("doctor", "--lang", "fr").stdout
    assert re.search(r"son journal n'est pas bon : ligne \d+ : all:9 ne peut pas être finie ici", french)


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_the_secrets_of_a_tournament_are_encrypted_with_the_others(hosted: HostedTournament) -> None:
    row = hosted.row
    secret_encryption.SecretKeys.known = {"key": secret_encryption.derive_key(b"x" * 32, b"test")}
    try:
        encrypted_columns.encrypt_everything()
        ((seed, deals),) = rows("select seed, deals from tournament")
        assert row.seed not in seed
        assert row.deals not in deals
        assert (hosted.row.seed, hosted.row.deals) == (row.seed, row.deals)
    finally:
        secret_encryption.SecretKeys.known = {}
