"""`echtra tournament plan, apply, show, standings, export` against the database of this machine."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from service.config import Config
from service.tournaments.documents.document_values import read_moment
from service.tournaments.formats import trf
from service.tournaments.formats.verify import verify_tournament
from tests.support.command_line import ENGLISH, FRENCH, echtra, refused
from tests.support.factories import somebody
from tests.support.players import Clock
from tests.support.tournaments import IN_NEW_YORK, document_text, open_tournament

SWISS = """
  - name: swiss
    format: swiss
    rounds: 3
    start: {first: 2027-02-01T18:00, next: when-over, gap: 1d}
    end: {at_most: 4w, then: as-it-stands}
"""
pytestmark = pytest.mark.parametrize("database", ["sqlite"], indirect=True)


@pytest.fixture
def env(service: Config, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """The environment of an operator of the service under test."""
    for name, value in (("ECHTRA_DATA", str(service.data)), ("ECHTRA_DATABASE_URL", service.database_url)):
        monkeypatch.setenv(name, value)
    return {"ECHTRA_DATA": str(service.data), "ECHTRA_DATABASE_URL": service.database_url}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A document."""
    path = tmp_path / "winter.yaml"
    path.write_text(document_text(SWISS), "utf-8")
    return path


@pytest.mark.usefixtures("env", "clock")
def test_a_plan_is_shown_and_applied_once(file: Path) -> None:
    orla = somebody("Orla").player
    planned = echtra("tournament", "plan", file, "--as", "Orla")
    assert planned.exit_code == 0, planned.output
    assert planned.stdout.startswith("winter-cup: a new tournament.")
    assert "2027-02-01T18:00" in planned.stdout
    assert "When it will be over: unknown: not enough entrants" in planned.stdout
    made = echtra("tournament", "apply", file, "--as", orla.id)
    assert made.exit_code == 0, made.output
    assert echtra("tournament", "apply", file, "--as", orla.id).stdout == made.stdout
    file.write_text(document_text(SWISS).replace("gap: 1d", "gap: 2d"), "utf-8")
    assert "plan" in refused("tournament", "apply", file, "--as", "Orla")
    changed = echtra("tournament", "plan", file, "--as", "Orla").stdout
    assert '/stages/0/start/gap: "1d" becomes "2d"' in changed
    etag = changed.split("--if-match ")[1].split()[0]
    assert echtra("tournament", "apply", file, "--as", "Orla", "--if-match", etag).exit_code == 0
    assert "nothing would change" in " ".join(echtra("tournament", "plan", file, "--as", "Orla").stdout.split())
    assert "winter-cup" in echtra("tournament", "show").stdout


@pytest.mark.usefixtures("env", "clock")
def test_times_of_a_plan_are_in_the_zone_of_the_document_whatever_the_editor(file: Path) -> None:
    somebody("Orla")
    file.write_text(f"{document_text(SWISS)}zone: America/New_York\n", "utf-8-sig")
    planned = echtra("tournament", "plan", file, "--as", "Orla").stdout
    assert "2027-02-01T18:00-05:00" in planned
    assert "With the fewest and the most entrants" in planned
    assert "Z " not in planned


@pytest.mark.usefixtures("env", "clock")
def test_every_fault_of_a_document_is_printed_with_its_line(file: Path) -> None:
    somebody("Orla")
    file.write_text(document_text().replace("keltis", "chess").replace("least: 2", "least: 0"), "utf-8")
    for language in (ENGLISH, FRENCH):
        done = echtra("tournament", "plan", file, "--as", "Orla", env=language)
        assert done.exit_code == 2
        assert done.stdout == ""
        assert len(done.stderr.splitlines()) >= 3
        assert "/game" in done.stderr
    assert "nothing was done" in refused("tournament", "apply", file, "--as", "Orla")
    assert "No such player: Nobody" in refused("tournament", "plan", file, "--as", "Nobody")
    assert "there is no such file" in refused("tournament", "plan", file.with_name("none"), "--as", "Orla")
    assert "No such tournament: none" in refused("tournament", "show", "none")


def test_a_tournament_that_was_played_is_shown_and_exported(
    service: Config, clock: Clock, env: dict[str, str], tmp_path: Path
) -> None:
    assert env
    hosted = open_tournament(service, clock, document_text(), entrants=4)
    assert "No standings yet." in echtra("tournament", "standings", "winter-cup").stdout
    hosted.run_to_end()
    shown = " ".join(echtra("tournament", "show", "winter-cup").stdout.split())
    assert f"Winter (winter-cup, {hosted.tournament}): over; entrants 4;" in shown
    standings = echtra("tournament", "standings", "winter-cup", "--why")
    assert "1st: " in standings.stdout
    assert "1er : " in echtra("tournament", "standings", "winter-cup", "--why", env=FRENCH).stdout.replace(
        "\u00a0", " "
    )
    found = json.loads(echtra("tournament", "standings", hosted.tournament, "--json").stdout)
    assert found["sections"][0][0]["rank"] == 1
    out = tmp_path / "winter.jsonl"
    assert echtra("tournament", "export", "winter-cup", "--out", out).exit_code == 0
    assert verify_tournament(out.read_bytes()).recomputed == ("all:1", "all:2", "all:3")
    assert echtra("tournament", "verify", out).exit_code == 0
    event = trf.read_trf(echtra("tournament", "export", "winter-cup", "--as", "trf").stdout)
    assert trf.is_round_robin(event)
    assert json.loads(echtra("tournament", "export", "winter-cup", "--as", "json").stdout)["name"] == "winter-cup"
    assert echtra("tournament", "export", "winter-cup", "--as", "csv").stdout.startswith("\ufeffstage,section,rank")
    assert "cannot be written" in refused("tournament", "export", "winter-cup", "--out", tmp_path)
    assert "no stage none" in refused("tournament", "standings", "winter-cup", "--stage", "none")


@pytest.mark.usefixtures("env")
def test_more_time_from_the_command_line_is_in_the_zone_of_the_document(service: Config, clock: Clock) -> None:
    hosted = open_tournament(service, clock, document_text(SWISS).replace("game: keltis", IN_NEW_YORK), entrants=4)
    while not hosted.row.started_at:
        hosted.go_to_next()
    ruling = ("tournament", "rule", "winter-cup", "extend", "swiss:1")
    tried = echtra(*ruling, "2027-03-20T18:00", "time", "--dry-run")
    assert tried.stdout.startswith(f"ruling extend swiss:1 {read_moment('2027-03-20T22:00Z', 'UTC').at} time\n")
    assert "“soon” is not a time" in refused(*ruling, "soon", "time")


@pytest.mark.usefixtures("env")
def test_an_operator_rules_after_a_dry_run(service: Config, clock: Clock) -> None:
    hosted = open_tournament(service, clock, document_text(SWISS), entrants=4)
    tried = echtra("tournament", "rule", "winter-cup", "pause", "technical", "--dry-run")
    assert tried.exit_code == 0, tried.output
    assert tried.stdout.startswith("ruling pause technical\n")
    assert "\ntournament-ruling: Player 0\n" in tried.stdout
    assert hosted.verbs().count("ruling") == 0
    seq = tried.stdout.split("--seq ")[1].strip(" .\n")
    made = echtra("tournament", "rule", "winter-cup", "pause", "technical", "A", "storm.", "--seq", seq)
    assert made.exit_code == 0, made.output
    assert hosted.row.state == "paused"
    assert "changed. Paused. Look again" in refused("tournament", "rule", "winter-cup", "cancel", "other", "--seq", seq)
    assert "has been paused since" in refused(
        "tournament", "rule", "winter-cup", "pause", "other", "--as", hosted.maker.player.id
    )
    assert "organisers" in refused("tournament", "rule", "winter-cup", "resume", "other", "--as", "Player 1")
    assert "There is no such ruling" in refused("tournament", "rule", "winter-cup", "dance", "other")
    french = refused("tournament", "rule", "winter-cup", "pause", "--lang", "fr")
    assert "Une décision donne sa raison" in french
