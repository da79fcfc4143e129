"""Versions of bots: records name them, running matches change over, and a version is compared only with itself."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest

from engine.game import HOUSE, Bots
from engine.games import GAMES
from engine.words import bot_version
from service.bounded_cache import reset_process_state
from service.config import Config
from service.db.connection import rows
from service.matches.arbiter_decisions import arbiter_for_operator
from service.play import record_export
from service.play.match_loader import load_match_state
from service.problems import Problem
from service.record.match_state import MatchState
from tests.support.command_line import FRENCH, echtra, refused
from tests.support.factories import Seated, log_of, match_of, settle, somebody

on_sqlite = pytest.mark.parametrize("database", ["sqlite"], indirect=True)
BOTS = Bots(by_name={name: GAMES["keltis"].bots.by_name[name] for name in ("random", "steady")}, stand_in="steady")


def upgrade(monkeypatch: pytest.MonkeyPatch, version: int) -> None:
    """Replace the bot `steady` of Keltis by another version, as an upgrade of the program does."""
    keltis = GAMES["keltis"]
    monkeypatch.setitem(GAMES, "keltis", replace(keltis, bots=replace(keltis.bots, versions={"steady": version})))
    reset_process_state()


def play_on(match: str, player: Seated, config: Config, moves: int) -> MatchState:
    """Make some random moves of the player, each resolved."""
    rng, found = random.Random(7), settle(match, config)
    for _ in range(moves):
        if found.state.over:
            break
        player.move(match, rng.randrange(100))
        found = settle(match, config)
    return found


@pytest.mark.parametrize(
    ("name", "expected"),
    [("steady", ("steady", 1)), ("steady-2", ("steady", 2)), ("old-guard-12", ("old-guard", 12))]
    + [(name, (name, 1)) for name in ("steady-1", "steady-02", "steady-0", "-2", "2", "steady-", "")],
)
def test_a_name_in_records_is_a_bot_and_its_version(name: str, expected: tuple[str, int]) -> None:
    assert bot_version(name) == expected


def test_a_bot_is_found_by_its_latest_version_alone() -> None:
    later = replace(BOTS, versions={"steady": 3})
    steady = BOTS.by_name["steady"]
    assert [later.current(name) for name in ("steady", "steady-2", "steady-3", "random")] == [
        *["steady-3"] * 3,
        "random",
    ]
    assert [later.knows(name) for name in ("steady", "steady-2", "steady-3")] == [True] * 3
    assert not any(later.knows(name) for name in ("steady-4", "steady-1", "random-2", "ogre", ""))
    assert [later.find(name) for name in ("steady", "steady-2", "steady-3", "ogre", "")] == [
        None,
        None,
        steady,
        None,
        None,
    ]
    assert BOTS.find("steady") is steady
    assert {GAMES["keltis"].presentation.words.bot(name, "fr") for name in ("steady", "steady-9")} == {"Constant"}


@on_sqlite
def test_a_running_match_changes_over_and_only_its_new_lines_are_compared(
    service: Config, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    upgrade(monkeypatch, 4)
    me, short, path = somebody(), replace(service, most_entries=40), tmp_path / "match.jsonl"
    match = match_of(service, me, bots={1: "steady"})
    assert play_on(match, me, short, 3).bots == ("", "steady-4")
    upgrade(monkeypatch, 5)
    found = play_on(match, me, short, 100)
    assert found.state.over
    assert found.bots == ("", "steady-5")
    assert next(line for seat, line in log_of(match) if seat == HOUSE) == "bot 1 steady-5"
    path.write_bytes(record_export.export_record(load_match_state(match), "all"))
    made = dict(rows("select made_by, count(*) from entry where match = ? and made_by like 'bot %' group by 1", match))
    before, after = made["bot steady-4"], made["bot steady-5"]
    done = echtra("verify", "--bots", path)
    assert f"Not recomputed: {before} lines of the bot steady-4. A later version has replaced it." in done.stdout
    assert "that the bots and the house chose fairly" in done.stdout
    assert f"Asked again, the bot steady-5 chooses the same line: {after} of {after}." in done.stdout
    assert done.exit_code == 0
    assert f"Non recalculées : {before} lignes du bot steady-4." in echtra("verify", "--bots", path, env=FRENCH).stdout
    assert "not recomputed" not in echtra("verify", path).stdout.lower()
    upgrade(monkeypatch, 3)
    assert "keltis has no bot steady-4" in refused("verify", path)


@on_sqlite
def test_an_organiser_and_a_creator_who_say_steady_get_the_latest(
    service: Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    upgrade(monkeypatch, 3)
    me, match = somebody(), ""
    for said in ("steady", "steady-2", "steady-3"):
        match = match_of(service, me, bots={1: said})
        assert settle(match, service).bots == ("", "steady-3")
        assert rows("select bot from seat where match = ? and seat = 1", match) == [("steady-3",)]
    arbiter = arbiter_for_operator(match, service)
    with pytest.raises(Problem, match="already plays this seat"):
        arbiter.decide("bot 1 steady")
    with pytest.raises(Problem, match="steady-4"):
        arbiter.decide("bot 1 steady-4")
    arbiter.decide("bot 1 random")
    arbiter.decide("bot 1 steady")
    assert load_match_state(match).bots == ("", "steady-3")
