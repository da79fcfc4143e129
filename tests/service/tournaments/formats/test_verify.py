"""Verification: whole tournaments pass, and every line that does not follow is located, even with hashes recomputed."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from random import Random
from typing import Any

import pytest

from service.i18n.catalogue import render
from service.tournaments.formats import draw, ladder, verify
from service.tournaments.formats.crosstable import Pairing, rank_scores
from service.tournaments.formats.log_lines import RoundName
from service.tournaments.formats.tournament_log import BadTournament
from tests.service.tournaments.formats.simulated_tournament import (
    DEALS,
    SEED,
    Simulation,
    export_lines,
    player_id,
)

CUP: dict[str, Any] = {
    "tournament": "cup",
    "draw": {"beacon": "drand-quicknet"},
    "stages": [
        {
            "name": "pods",
            "format": "pods",
            "seats": 4,
            "rounds": 5,
            "points": {"places": ["6", "4", "2", "0"], "short": ["6", "3", "0"]},
        },
        {
            "name": "quarter",
            "format": "knockout",
            "seats": 4,
            "rounds": 1,
            "from": {"stage": "pods", "places": "1-16"},
        },
        {"name": "final", "format": "knockout", "seats": 4, "from": {"stage": "quarter", "advance": 1}},
    ],
}
SWISS: dict[str, Any] = {
    "tournament": "swiss",
    "stages": [{"name": "swiss", "format": "swiss", "rounds": 4, "bye": {"points": "1"}}],
}
SECTIONS: dict[str, Any] = {
    "tournament": "sections",
    "entry": {"withdrawn": "cancel-if-under-half"},
    "stages": [
        {"name": "all", "format": "round-robin", "cycles": 2, "sections": {"size": 4, "by": "rating"}},
        {
            "name": "top",
            "format": "double-elimination",
            "reset": True,
            "from": {"stage": "all", "places": "1-2", "each": "section"},
        },
    ],
}


@cache
def cup() -> Simulation:
    """Pods, knockout and final with 37 entrants, 6 withdrawals, 2 substitutes and 3 rulings."""
    played = Simulation(CUP, 37)
    played.open()
    for number in range(1, 6):
        if number == 2:
            played.replace(11, player_id(500))
        pairs = played.pair("pods", number)
        if number == 3:
            played.write("ruling pause pods:3 storm")
        played.play("pods", number, unfinished=2 if number == 4 else 0)
        if number == 4:
            played.write(f"ruling result {pairs[1].id} misread " + "ab" * 32)
            results = played.stages["pods"].round(number).results[pairs[1].id]
            played.write_result("pods", number, pairs[1].id, tuple(reversed(results)))
        for _ in range(2 if number < 4 else 0):
            left = [one for one in range(1, 38) if one not in played.gone]
            played.withdraw(played.random.choice(left))
    played.draw_lots("pods")
    for name in ("quarter", "final"):
        played.advance(name)
        played.pair(name, 1)
        played.play(name, 1)
    played.write(f"end {DEALS.hex()}")
    return played


def held_swiss() -> Simulation:
    """A Swiss of 11 without a beacon."""
    played = Simulation(SWISS, 11, beacon="none")
    played.open()
    for number in range(1, 5):
        if number == 3:
            each = played.stages["swiss"].round(3)
            each.absent.add(5)
            each.half_byes.add(5)
            played.write(f"bye {played.holders[5]} swiss:3 half")
        played.pair("swiss", number)
        played.play("swiss", number)
    played.draw_lots("swiss")
    return played


def held_sections() -> Simulation:
    """Sections of a double round robin, then their first two in double elimination."""
    played = Simulation(SECTIONS, 11, seed=3)
    played.open()
    for number in range(1, 7):
        played.pair("all", number)
    for number in range(1, 7):
        played.play("all", number)
        if number == 2:
            played.withdraw(4)
    played.advance("top")
    number = 1
    while played.pair("top", number):
        played.play("top", number)
        number += 1
    # A draw of a round that is no longer needed is not a fault, and is not written.
    played.lines.pop()
    return played


def test_a_cup_of_three_stages_is_recomputed_whole() -> None:
    report = verify.verify_tournament(cup().export())
    assert report.recomputed == ("pods:1", "pods:2", "pods:3", "pods:4", "pods:5", "quarter:1", "final:1")
    assert report.not_recomputed == {}
    assert [line.split(" ")[1] for _, line in report.rulings] == ["replace", "pause", "result"]
    assert report.not_proved == (
        "beacon-signature",
        "server-key",
        "times",
        "discarded-tournaments",
        "kept-out",
        "results",
    )
    standings = report.rankings["pods"][0].standings
    assert len(standings) == 37
    assert [line.rank for line in standings] == sorted(line.rank for line in standings)
    pairs = cup().stages["pods"].round(3).pairs
    assert report.seeds[pairs[4].id] == draw.deal_seed(DEALS, RoundName("pods", 3), 5).hex()
    assert report.holders[11] == player_id(500)


@pytest.mark.parametrize("simulate", [held_swiss, held_sections])
def test_other_formats_are_recomputed(simulate: Callable[[], Simulation]) -> None:
    played = simulate()
    report = verify.verify_tournament(played.export())
    assert not report.not_recomputed
    rounds = [
        f"{name}:{number}"
        for name, stage in played.stages.items()
        for number, each in stage.rounds.items()
        if each.pairs
    ]
    assert list(report.recomputed) == rounds
    assert report.seeds == {}
    assert ("no-beacon" in report.not_proved) == (played.beacon == "none")


def test_the_hash_seed_of_python_changes_no_byte() -> None:
    code = (
        "from hashlib import sha256; from tests.service.tournaments.formats.test_verify import *;"
        "print(*(sha256(each().export()).hexdigest() for each in (cup, held_swiss, held_sections)))"
    )
    wanted = [sha256(each().export()).hexdigest() for each in (cup, held_swiss, held_sections)]
    for seed in ("1", "2"):
        answer = subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        )
        assert answer.stdout.split() == wanted


def test_a_changed_byte_is_found() -> None:
    data = cup().export()
    lines = data.split(b"\n")
    random = Random(7)
    for _ in range(150):
        at = random.randrange(len(data))
        new = bytes([random.choice(b"0123456789abcdef {}\n\"'")])
        if data[at : at + 1] == new:
            continue
        with pytest.raises(BadTournament) as found:
            verify.verify_tournament(data[:at] + new + data[at + 1 :])
        # It is located at its own line, or at the head that vouches for documents and keys.
        assert found.value.line in {data.count(b"\n", 0, at) + 1, data.count(b"\n", 0, at) + 2, len(lines) - 1, 1}


def changed(old: str, new: str, wanted: str) -> bytes:
    """Return the cup with the first line that begins with `old` changed, and hashes and signature recomputed."""
    lines = list(cup().lines)
    at = next(at for at, (_, line) in enumerate(lines) if line.startswith(wanted))
    assert old in lines[at][1]
    lines[at] = (lines[at][0], lines[at][1].replace(old, new, 1))
    return export_lines(CUP, lines, "drand-quicknet")


def line_of(start: str) -> int:
    """Return the line number of the first such line in the export, after header, document and key."""
    return 4 + next(at for at, (_, line) in enumerate(cup().lines) if line.startswith(start))


def first_pair(round_name: str) -> list[str]:
    """The words of the first pair of a round."""
    return next(line for _, line in cup().lines if line.startswith("pair ") and f" {round_name} " in line).split(" ")


@pytest.mark.parametrize("round_name", ["pods:1", "pods:4", "quarter:1", "final:1"])
def test_exchanged_seats_are_found_though_all_hashes_are_new(round_name: str) -> None:
    words = first_pair(round_name)
    data = changed(f"{words[4]} {words[5]}", f"{words[5]} {words[4]}", " ".join(words))
    with pytest.raises(BadTournament, match=f"pair: {round_name} should pair {' '.join(words[4:])} here") as found:
        verify.verify_tournament(data)
    assert found.value.line == line_of(" ".join(words))


def test_another_player_at_a_table_is_found() -> None:
    words, other = first_pair("pods:2"), first_pair("pods:1")
    stranger = next(one for one in other[4:] if one not in words)
    with pytest.raises(BadTournament, match="pair") as found:
        verify.verify_tournament(changed(words[4], stranger, " ".join(words)))
    assert found.value.line == line_of(" ".join(words))


def test_other_numbers_are_found() -> None:
    lines = list(cup().lines)
    at = [place for place, (_, line) in enumerate(lines) if line.startswith("number ")]
    one, other = lines[at[3]][1].split(" "), lines[at[4]][1].split(" ")
    lines[at[3]] = (lines[at[3]][0], f"number {other[1]} 4 {other[3]}")
    lines[at[4]] = (lines[at[4]][0], f"number {one[1]} 5 {one[3]}")
    with pytest.raises(BadTournament, match="numbers are given by rating, then by the draw") as found:
        verify.verify_tournament(export_lines(CUP, lines, "drand-quicknet"))
    assert found.value.line == 4 + at[4]


def test_other_qualifiers_keys_and_beacon_rounds_are_found() -> None:
    advance = next(line for _, line in cup().lines if line.startswith("advance quarter")).split(" ")
    swapped = changed(f"{advance[2]} {advance[3]}", f"{advance[3]} {advance[2]}", "advance quarter")
    with pytest.raises(BadTournament, match="quarter should take") as found:
        verify.verify_tournament(swapped)
    assert found.value.line == line_of("advance quarter")
    with pytest.raises(BadTournament, match="does not hash to the one before"):
        verify.verify_tournament(changed(draw.open_key(SEED, 3), "12" * 32, "draw pods:2"))
    value = next(line for _, line in cup().lines if line.startswith("draw pods:2")).split(" ")[3]
    number = value.split(":")[1]
    with pytest.raises(BadTournament, match=r"but round \d+ was due"):
        verify.verify_tournament(changed(f":{number}:", f":{int(number) + 1}:", "draw pods:2"))
    with pytest.raises(BadTournament, match="pair"):
        # Another value of the right round: nothing but the lots can show it, and they do.
        verify.verify_tournament(changed(value[-8:], "00000000", "draw pods:2"))


def test_other_deals_results_and_ends_of_rounds_are_found() -> None:
    with pytest.raises(BadTournament, match="not the deals that the header commits to"):
        verify.verify_tournament(changed(DEALS.hex(), "34" * 32, "end"))
    lines = [one for one in cup().lines if not one[1].startswith(f"result {first_pair('pods:1')[1]}")]
    with pytest.raises(BadTournament, match="over: pods:1 is over, but m00000000001 has no result"):
        verify.verify_tournament(export_lines(CUP, lines, "drand-quicknet"))
    missing = [one for one in cup().lines if not one[1].startswith(" ".join(first_pair("pods:1")[:2]))]
    with pytest.raises(BadTournament, match="pair: pods:1 should pair"):
        verify.verify_tournament(export_lines(CUP, missing, "drand-quicknet"))


def test_a_second_result_needs_its_ruling() -> None:
    lines = list(cup().lines)
    ruling = next(index for index, (_, line) in enumerate(lines) if line.startswith("ruling result"))
    match = lines[ruling][1].split(" ")[2]
    words = f"match {match} already has a result, and no ruling allows another"
    unruled = export_lines(CUP, lines[:ruling] + lines[ruling + 1 :], "drand-quicknet")
    with pytest.raises(BadTournament, match=words):
        verify.verify_tournament(unruled)
    # One ruling allows one result: the same line once more is refused too.
    twice = [*lines[: ruling + 2], lines[ruling + 1], *lines[ruling + 2 :]]
    with pytest.raises(BadTournament, match=words):
        verify.verify_tournament(export_lines(CUP, twice, "drand-quicknet"))


def test_a_round_that_is_never_over_is_found_at_what_builds_upon_it() -> None:
    def without(played: Simulation, name: str) -> bytes:
        lines = [one for one in played.lines if one[1] != f"over {name}"]
        assert len(lines) == len(played.lines) - 1
        return export_lines(played.document, lines, played.beacon)

    with pytest.raises(BadTournament, match="order: round swiss:2 is not over"):
        verify.verify_tournament(without(held_swiss(), "swiss:2"))
    with pytest.raises(BadTournament, match="order: round final:1 is not over"):
        verify.verify_tournament(without(cup(), "final:1"))
    # With a beacon, the value of the next draw shows it first.
    with pytest.raises(BadTournament, match=r"but round \d+ was due"):
        verify.verify_tournament(without(cup(), "pods:2"))


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("dance", "is not a line of a tournament"),
        ("accept NOBODY", "is not a player's id"),
        ("pair", "the form is `pair ID"),
        ("pair m00000000001 pods:1 - aaaaaaaaaaaa", "has no number"),
        ("start pods:1", "cannot start here"),
        ("result m99999999999 1:1:played", "a pairing that does not exist"),
        ("over pods:9", "cannot be over here"),
        ("over swiss:1", "is not a round of this tournament"),
        ("advance pods", "nobody can advance to pods here"),
        ("advance none", "a stage that does not exist"),
        ("draw pods:0 " + "00" * 32 + " -", "no draw is due here"),
        ("document " + "00" * 32, "not in the file"),
        ("enter aaaaaaaaaaaa XY", "the form is `enter P"),
        ("end short", "64 hex digits"),
        ("close now", "0 words"),
        ("", "is not a line"),
    ],
)
def test_a_line_that_cannot_stand_is_refused_with_a_sentence(line: str, words: str) -> None:
    with pytest.raises(BadTournament, match=words) as found:
        verify.verify_tournament(export_lines(CUP, [(1_800_000_000_000, line)], "drand-quicknet"))
    assert found.value.line == 4
    assert render(found.value.place_and_message, "fr").startswith("ligne 4 : ")
    assert render(found.value.message, "fr") != found.value.detail == render(found.value.message, "en")


def test_a_repaired_round_is_recomputed_in_its_first_version() -> None:
    played = Simulation(SWISS, 6, beacon="none")
    played.open()
    pairs = played.pair("swiss", 1)
    played.write("ruling repair swiss:1 brothers-met")
    played.stages["swiss"].round(1).void_pairs()
    assert {pair.id for pair in pairs} == played.stages["swiss"].round(1).void
    for seats in ((1, 2), (3, 4), (5, 6)):
        played.write_pair("swiss", 1, Pairing(seats))
    played.play("swiss", 1)
    report = verify.verify_tournament(played.export())
    assert report.recomputed == ("swiss:1",)
    assert report.not_recomputed == {"swiss:1": "repaired"}
    played.write("ruling repair swiss:1 again")
    with pytest.raises(BadTournament, match="has begun, so it cannot be paired again"):
        verify.verify_tournament(played.export())


def test_a_ladder_is_followed_match_by_match() -> None:
    document = {"stages": [{"name": "ladder", "format": "ladder"}]}
    played = Simulation(document, 5, beacon="none", seed=2)
    played.open()
    stage = played.stages["ladder"]
    order = list(range(1, 6))
    for one, other, winner in ((5, 2, 5), (3, 1, 1), (4, 5, 4), (5, 2, 2)):
        seats = stage.seat_challenge((one, other))
        line = played.write_pair("ladder", 1, Pairing(seats))
        played.write_result("ladder", 1, line.id, rank_scores([int(number == winner) for number in seats]))
        loser = one if winner == other else other
        order = list(ladder.apply_result(order, Pairing((loser, winner), rank_scores([0, 1]))))
    assert len(stage.played()[0].pairings) == 4
    report = verify.verify_tournament(played.export())
    assert report.ladders == {"ladder": tuple(order)}
    assert report.not_recomputed == {"ladder:1": "ladder"}
    # Seats follow from the matches before, so the other way round is found.
    seats = stage.seat_challenge((1, 4))
    played.write_pair("ladder", 1, Pairing(seats[::-1]))
    with pytest.raises(BadTournament, match="should sit the other way round"):
        verify.verify_tournament(played.export())


def test_documents_that_mean_nothing_are_refused() -> None:
    for stages in (
        [],
        [{"name": "x", "format": "chess"}],
        [{"name": "x", "format": "pods", "seats": 9, "rounds": 2}],
        "no",
        [3],
    ):
        with pytest.raises(BadTournament, match="document"):
            verify.verify_tournament(export_lines({"stages": stages}, [], "none"))


def test_an_empty_or_cut_file_is_refused() -> None:
    data = cup().export()
    for cut in (b"", b"\n", data[:-1], data[: data.rindex(b"\n", 0, -1) + 1], data + b"x", data + data):
        with pytest.raises(BadTournament):
            verify.verify_tournament(cut)


def test_a_replay_voids_the_match_before_it() -> None:
    played = Simulation(SWISS, 4, beacon="none")
    played.open()
    first, second = played.pair("swiss", 1)
    played.write("start swiss:1")
    played.write(f"result {first.id} 1:5:played 2:3:played")
    played.write("ruling replay swiss:1 wrong-deal")
    again = played.write_pair("swiss", 1, Pairing(first.seats))
    for pair in (second, again):
        played.write_result("swiss", 1, pair.id, rank_scores([0, 1]))
    played.write("over swiss:1")
    report = verify.verify_tournament(played.export())
    points = {line.number: line.points for line in report.rankings["swiss"][0].standings}
    assert {points[number] for number in (first.seats[1], second.seats[1])} == {10000}
    played.write_pair("swiss", 1, Pairing((first.seats[0], second.seats[0])))
    with pytest.raises(BadTournament, match="someone is paired twice"):
        verify.verify_tournament(played.export())
