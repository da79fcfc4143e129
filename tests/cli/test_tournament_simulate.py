"""`echtra tournament simulate`: a whole tournament in one process, verified, the same bytes each time."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from service.tournaments.formats.stage_rules import FORMATS
from tests.support.command_line import ENGLISH, FRENCH, echtra, refused
from tests.support.tournament_documents import SAME_DEAL

ROOT = Path(__file__).parents[2]
SMALL = """\
tournament: small-circle
title: {en: Small circle, fr: Petit cercle}
game: keltis
organisers: [aoife]
entry: {opens: 2026-12-01T18:00, closes: 2027-01-08T18:00, least: 3, withdrawn: cancel-if-under-half}
draw: {beacon: drand-quicknet}
stages:
  - name: circle
    format: round-robin
    start: {first: 2027-02-01T18:00, all: yes}
    end: {at_most: 8w, then: as-it-stands}
"""
STAGES = {
    "round-robin": "{name: one, format: round-robin, START}",
    "swiss": "{name: one, format: swiss, rounds: 2, START}",
    "brackets": "{name: one, format: swiss, system: brackets, rounds: 2, START}",
    "pods": "{name: one, format: pods, seats: 3, rounds: 2, START, points: {places: [4, 2, 0]}}",
    "knockout": "{name: one, format: knockout, START}",
    "double-elimination": "{name: one, format: double-elimination, reset: no, START}",
    "ladder": "{name: one, format: ladder, reach: 2, at_once: 1, start: {first: 2027-02-01T18:00}, "
    "end: {at: 2027-02-15T18:00}}",
    "same-deal": "{name: one, format: same-deal, bots: {1: steady}, start: {first: 2027-02-01T18:00}, "
    "end: {at_most: 10d, then: as-it-stands}, points: score}",
    "duplicate": "{name: one, format: duplicate, seats: 2, rounds: 1, START}",
}
TWICE = {"duplicate", "ladder"}
"""Formats that are simulated twice for the same bytes; the others use the same code as the round robin above."""


def simulate(folder: Path, name: str, *more: str, hash_seed: str) -> tuple[str, bytes]:
    """Run in a separate process; return its output and the export it writes."""
    (folder / "small.yaml").write_text(SMALL, "utf-8")
    words = [sys.executable, "-m", "cli", "tournament", "simulate", str(folder / "small.yaml"), *more]
    words += ["--out", str(folder / name)]
    environ = {**ENGLISH, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin"}
    done = subprocess.run(words, cwd=folder, env=environ, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout, (folder / name).read_bytes()


def test_a_tournament_runs_to_its_end_and_a_second_run_gives_the_same_bytes(tmp_path: Path) -> None:
    shown, record = simulate(tmp_path, "one", "--entrants", "4", "--drop", "2", hash_seed="1")
    again, second = simulate(tmp_path, "two", "--entrants", "4", "--drop", "2", hash_seed="2")
    assert record == second
    assert shown.replace("/one", "") == again.replace("/two", "")
    assert shown.startswith("Small circle: 4 entered, 6 matches and ")
    assert "every result agrees with the record of its match" in " ".join(shown.split())
    assert b'"line":"draw circle:0 ' in record
    assert record.count(b'"line":"withdraw ') == 2
    verified = echtra("tournament", "verify", tmp_path / "one")
    assert verified.exit_code == 0
    assert "is good" in verified.stdout


def test_every_format_of_a_document_is_among_those_simulated() -> None:
    assert set(STAGES) - {"brackets"} == set(FORMATS)


@pytest.mark.parametrize("kind", STAGES)
def test_every_format_is_played_to_its_end_and_its_log_verifies(tmp_path: Path, kind: str) -> None:
    file, record = tmp_path / "cup.yaml", tmp_path / "record"
    stage = STAGES[kind].replace("START", "start: {first: 2027-02-01T18:00, next: when-over, gap: 1d}")
    text = SMALL.partition("stages:")[0].replace(", withdrawn: cancel-if-under-half", "")
    file.write_text(f"{text}stages:\n  - {stage}\n", "utf-8")
    played = echtra("tournament", "simulate", file, "--entrants", "3", "--out", record)
    assert played.exit_code == 0, played.output
    assert "every result agrees with the record of its match" in " ".join(played.stdout.split())
    assert b'"line":"end ' in record.read_bytes()
    assert "is good" in echtra("tournament", "verify", record).stdout
    if kind in TWICE:
        again = echtra("tournament", "simulate", file, "--entrants", "3", "--out", tmp_path / "again")
        assert again.stdout.replace("/again", "") == played.stdout.replace("/record", "")
        assert (tmp_path / "again").read_bytes() == record.read_bytes()


def test_too_few_entrants_are_said(tmp_path: Path) -> None:
    shown, record = simulate(tmp_path, "few", "--entrants", "2", "--seed", "5", hash_seed="1")
    assert "Small circle: 2 entered, 3 were needed, and it was cancelled at 2027-01-08T" in " ".join(shown.split())
    assert b'"line":"ruling cancel too-few"' in record


def test_of_a_document_that_repeats_the_next_tournament_is_played(tmp_path: Path) -> None:
    file = tmp_path / "repeats.yaml"
    file.write_text(SAME_DEAL, "utf-8")
    played = echtra("tournament", "simulate", file, "--entrants", "2")
    assert played.exit_code == 0
    assert "Balor's month (2027-02-01): 2 entered, 2 matches" in " ".join(played.stdout.split())


def test_a_bad_document_is_refused_with_every_fault(tmp_path: Path) -> None:
    bad = tmp_path / "bad.yaml"
    bad.write_text(SMALL.replace("keltis", "chess").replace("8w", "8 weeks"), "utf-8")
    said = refused("tournament", "simulate", bad, env=FRENCH)
    assert f"{bad}: Ligne 3, colonne 7, /game" in said
    assert f"{bad}: Ligne 11, colonne 20, /stages/0/end/at_most" in said
    assert "2 fautes" in said
    assert "missing" in str(refused("tournament", "simulate", tmp_path / "missing.yaml"))
