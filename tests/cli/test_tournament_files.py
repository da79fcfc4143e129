"""`echtra tournament verify` and `trf`: files of tournaments recomputed, and bad ones refused in a sentence."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from service.tournaments.formats.crosstable import rank_scores
from service.tournaments.formats.points import Scoring, read_points
from service.tournaments.formats.trf import TrfEvent, TrfPlayer, write_trf
from tests.service.tournaments.formats import fide_events
from tests.service.tournaments.formats.fide_events import read_event, read_values
from tests.service.tournaments.formats.simulated_tournament import Simulation, export_lines
from tests.service.tournaments.formats.test_elimination_places import make_document
from tests.service.tournaments.formats.test_verify import CUP, cup, held_sections, held_swiss
from tests.support.command_line import FRENCH, echtra, refused


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """The export of a cup of three stages."""
    path = tmp_path / "cup.jsonl"
    path.write_bytes(cup().export())
    return path


def trf_file(folder: Path, name: str, *, planned: int = 0) -> Path:
    """Return one of the facts as a TRF file."""
    held = read_event(getattr(fide_events, name))
    first = next(pair for pair in held.rounds[0].pairings if 1 in pair.seats)
    players = tuple(TrfPlayer(number, f"Player {number}", rating) for number, rating in held.ratings.items())
    white = first.seats[0] == 1
    event = TrfEvent(name, players, held.rounds, planned or len(held.rounds), odd_begin_white=white)
    path = folder / f"{name}.trf"
    path.write_text(write_trf(event, Scoring()), "utf-8")
    return path


def test_a_good_record_is_reported_with_rulings_and_what_it_does_not_prove(record: Path) -> None:
    done = echtra("tournament", "verify", record)
    assert done.exit_code == 0
    text = " ".join(done.stdout.split())
    assert text.startswith("The record of tournament t0urnament0ne is good: entries ")
    assert "7 rounds recomputed, with the same pairs and seats: pods:1, pods:2," in text
    assert "3 rulings:" in text
    assert "ruling pause pods:3 storm" in text
    assert "Not proved by this record:" in text
    assert "that the beacon gave these values" in text
    assert "gives the seeds of " in text
    french = echtra("tournament", "verify", record, env=FRENCH).stdout
    assert french.startswith("Le registre du tournoi t0urnament0ne est bon : entrées ")


def test_a_record_as_json_has_standings_places_and_seeds(record: Path) -> None:
    found = json.loads(echtra("tournament", "verify", "--json", record).stdout)
    assert found["good"]
    assert len(found["standings"]["pods"][0]) == 37
    best = found["standings"]["pods"][0][0]
    assert set(best["ties"]) == {"firsts", "seconds", "opposition", "share", "direct", "lots"}
    assert (best["rank"], best["player"]) == (1, cup().holders[best["number"]])
    assert [each["place"] for each in found["places"]["final"]] == [1, 2, 3, 4]
    assert len(found["seeds"]) == len(set(found["seeds"].values())) > 40
    assert "kept-out" in found["not_proved"]


@pytest.mark.parametrize(
    ("ruleset", "says", "champion"),
    [("2026-11", "Verified under the rules of 2026-11.", 2), (None, "Verified under the rules before 2026-11", 1)],
)
def test_a_log_is_verified_by_the_rules_that_its_document_names(
    tmp_path: Path, ruleset: str | None, says: str, champion: int
) -> None:
    # No. 1 wins the first two rounds, and loses the final and the reset to No. 2.
    document = make_document("double-elimination", 2, reset=True, ruleset=ruleset)
    event = Simulation(document, 4, beacon="none")
    event.open()
    for number in range(1, 6):
        event.pair("ko", number)
        event.write(f"start ko:{number}")
        for pair in event.stages["ko"].round(number).valid:
            if len(pair.seats) > 1:
                best = 2 if number > 3 else min(pair.seats)
                event.write_result("ko", number, pair.id, rank_scores([int(one == best) for one in pair.seats]))
        event.write(f"over ko:{number}")
    event.draw_lots("ko")
    event.advance("next")
    path = tmp_path / "double.jsonl"
    path.write_bytes(event.export())
    assert says in echtra("tournament", "verify", path).stdout
    found = json.loads(echtra("tournament", "verify", "--json", path).stdout)
    assert found["ruleset"] == ruleset
    assert [each["number"] for each in found["places"]["ko"] if each["place"] == 1] == [champion]


def test_an_unknown_ruleset_is_refused_with_the_one_that_is_known(tmp_path: Path) -> None:
    path = tmp_path / "later.jsonl"
    path.write_bytes(export_lines({**CUP, "ruleset": "2031-01"}, list(cup().lines), cup().beacon))
    assert "the ruleset “2031-01” is unknown; use 2026-11" in " ".join(refused("tournament", "verify", path).split())


def test_sections_and_brackets_are_told_each_apart(tmp_path: Path) -> None:
    path = tmp_path / "sections.jsonl"
    path.write_bytes(held_sections().export())
    text = echtra("tournament", "verify", path).stdout
    assert "Standings, all, section 3" in text
    assert "Standings, top" in text
    swiss = tmp_path / "swiss.jsonl"
    swiss.write_bytes(held_swiss().export())
    assert "this tournament has no beacon" in " ".join(echtra("tournament", "verify", swiss).stdout.split())


def test_the_first_line_that_does_not_follow_is_named_with_what_stands_there(tmp_path: Path) -> None:
    lines = list(cup().lines)
    at = next(at for at, (_, line) in enumerate(lines) if line.startswith("pair ") and " pods:2 " in line)
    words = lines[at][1].split(" ")
    changed = " ".join([*words[:4], words[5], words[4], *words[6:]])
    lines[at] = (lines[at][0], changed)
    path = tmp_path / "bad.jsonl"
    path.write_bytes(export_lines(CUP, lines, cup().beacon))
    message = refused("tournament", "verify", path)
    assert f"bad, line {at + 4}: the pairing does not follow from the lines before it (pods:2 should pair " in message
    assert f"The line reads: {changed}" in message
    assert message.count("\n") == 1
    french = refused("tournament", "verify", path, env=FRENCH)
    assert "l'appariement ne découle pas de ce qui précède (ici pods:2 devrait apparier " in french
    assert not re.search("should|pair of|here", french)
    told = echtra("tournament", "verify", "--json", path)
    assert told.exit_code == 2
    found = json.loads(told.stdout)
    assert (found["good"], found["line"], found["reason"], found["entry"]) == (False, at + 4, "pair", changed)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "line 1: the file is cut off"),
        (b"hello\n", "line 1: the bytes are not those of an export"),
        (b"\xff\xfe\n", "line 1: the bytes are not those of an export"),
        (b"{}\n", "line 1: the fields are not those of an export"),
        (b"[" * 100_000 + b"\n", "line 1: the bytes are not those of an export"),
    ],
)
def test_what_is_no_export_is_refused_in_a_sentence(tmp_path: Path, data: bytes, words: str) -> None:
    path = tmp_path / "file.jsonl"
    path.write_bytes(data)
    assert words in refused("tournament", "verify", path)


def test_a_changed_byte_is_found_with_its_line(record: Path) -> None:
    data = record.read_bytes()
    at = data.index(b'"line":"accept')
    record.write_bytes(data[: at + 16] + b"X" + data[at + 17 :])
    line = data[:at].count(b"\n") + 1
    assert f"line {line}: " in refused("tournament", "verify", record)


def test_files_that_are_not_there_are_refused(tmp_path: Path) -> None:
    assert "there is no such file" in refused("tournament", "verify", tmp_path / "none")
    assert "cannot be read" in refused("tournament", "trf", tmp_path)
    assert "Unknown command dance; choose from: plan, apply," in refused("tournament", "dance")


@pytest.mark.parametrize(("name", "values"), [("DUTCH_12", "DUTCH_12_TIES"), ("DUTCH_40", "DUTCH_40_TIES")])
def test_a_swiss_in_trf_is_paired_and_ranked_as_fide_does(tmp_path: Path, name: str, values: str) -> None:
    done = echtra("tournament", "trf", "--json", trf_file(tmp_path, name))
    assert done.exit_code == 0
    found = json.loads(done.stdout)
    assert (found["format"], found["differences"], found["next"]) == ("swiss", [], [])
    wanted = read_values(getattr(fide_events, values))
    for line in found["standings"]:
        cells = wanted[line["number"]]
        assert (line["rank"], read_points(line["points"])) == (int(cells["rank"]), read_points(cells["points"]))
        for code, value in line["ties"].items():
            assert read_points(value) == read_points(cells[code]), (line["number"], code)


def test_rounds_paired_otherwise_are_printed_and_give_exit_code_1(tmp_path: Path) -> None:
    path = trf_file(tmp_path, "HELD_ROUND_ROBIN")
    done = echtra("tournament", "trf", path)
    assert done.exit_code == 1
    assert "round robin, players 6, rounds 5." in done.stdout
    assert "5 rounds are paired differently:" in done.stdout
    assert "· round 1: the file has 1–5, 2–6, the rules give 1–6, 2–5" in done.stdout
    french = echtra("tournament", "trf", path, env=FRENCH).stdout
    assert "toutes rondes, joueurs 6, rondes 5." in french
    assert "9,25" in french


def test_ties_are_chosen_by_code_or_name_and_no_column_is_lost_at_80(tmp_path: Path) -> None:
    path = trf_file(tmp_path, "DUTCH_40")
    every = "BH/C1,BH,SB,SB/C1,direct,WIN,WON,PS,koya,GE"
    rows = echtra("tournament", "trf", path, "--ties", every).stdout.splitlines()
    first, second = (row.split() for row in rows if row.startswith("Rank"))
    assert first[4:] + second[4:] == ["BH/C1", "BH", "SB", "SB/C1", "DE", "WIN", "WON", "PS", "KS", "GE"]
    assert max(map(len, rows)) <= 80
    plain = echtra("tournament", "trf", path).stdout.splitlines()
    assert [row.split()[-1] for row in plain if row.startswith("Rank")] == ["GE"]
    assert "Unknown tie-break goals; choose from: BH/C1, BH," in refused("tournament", "trf", path, "--ties", "goals")


def test_the_round_to_come_is_paired(tmp_path: Path) -> None:
    rows = [
        "012 Criterion C5",
        *(
            f"001 {number:4d}      {'Player':33} {2700 - number:4d}{'':28}{'0.0':>4} {number:4d}  {cells}"
            for number, cells in enumerate(
                (
                    "   4 w 1     2 b 1",
                    "   5 b 1     1 w 0",
                    "   6 w 1     4 b 1",
                    "   1 b 0     3 w 0  0000 - Z",
                    "   2 w 0     6 b 1",
                    "   3 b 0     5 w 0",
                ),
                1,
            )
        ),
        "XXR 3",
    ]
    path = tmp_path / "c5.trf"
    path.write_bytes(b"\xef\xbb\xbf" + "\r\n".join(rows).encode("utf-8"))
    done = echtra("tournament", "trf", path)
    assert "All 2 rounds are paired the same way as here." in done.stdout
    assert "Round 3 would be: 1–5, 3–2, 6." in done.stdout


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "This file has no player line (001): is it TRF?"),
        (b"001    1\n001    1\n", "line 2: player 1 is already in line 1"),
        (b"\0\1", "this is a binary file, not text"),
        (b"XXR " + b"9" * 5000 + b"\n", "line 1: the number of rounds must be 1 or more"),
        (b"001    1" + b" " * 83 + b"0000 - Z  " * 200, "line 1: there are more than 99 rounds"),
    ],
)
def test_what_is_not_trf_is_refused_in_a_sentence(tmp_path: Path, data: bytes, words: str) -> None:
    path = tmp_path / "file.trf"
    path.write_bytes(data)
    assert words in refused("tournament", "trf", path)
