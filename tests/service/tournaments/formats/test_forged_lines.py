"""Forged logs: a line dropped, doubled, swapped or changed, and everything hashed and signed again, as a server could.

Every such change is located, or its kind is named in `docs/TOURNAMENT_LOG.md` as not provable by an export alone. With
one earlier head every change before it is located.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest

from service.tournaments.formats import verify
from service.tournaments.formats.tournament_log import BadTournament, read_tournament_export
from service.tournaments.formats.verify_evidence import KeptHead, TournamentEvidence
from tests.service.tournaments.formats.simulated_tournament import DEALS, Simulation, export_lines

EXPORTS = int(os.environ.get("FORGED_EXPORTS", "12"))
Lines = list[tuple[int, str]]
PAGE = Path(__file__).resolve().parents[4] / "docs/TOURNAMENT_LOG.md"
DOCUMENTS = (
    {"tournament": "swiss", "stages": [{"name": "one", "format": "swiss", "rounds": 3, "bye": {"points": "1"}}]},
    {"tournament": "all", "stages": [{"name": "one", "format": "round-robin"}]},
    {"tournament": "cup", "stages": [{"name": "one", "format": "knockout"}]},
    {
        "tournament": "pods",
        "stages": [{"name": "one", "format": "pods", "seats": 3, "rounds": 3, "points": {"places": ["3", "1", "0"]}}],
    },
)


def play(seed: int) -> Simulation:
    """A whole small tournament, of another format and size for each seed, with a withdrawal and a corrected result."""
    random = Random(seed)
    played = Simulation(DOCUMENTS[seed % len(DOCUMENTS)], random.randrange(6, 10), beacon="none", seed=seed)
    played.open()
    format_, number = str(played.document["tournament"]), 0
    rounds = {"swiss": 3, "pods": 3, "cup": 4, "all": played.entrants - 1 + played.entrants % 2}[format_]
    while number < rounds:
        number += 1
        pairs = [pair for pair in played.pair("one", number) if len(pair.seats) > 1]
        if not pairs:
            break
        played.play("one", number)
        if number == 1:
            results = played.stages["one"].round(1).results[pairs[0].id]
            played.write(f"ruling result {pairs[0].id} mistake")
            played.write_result("one", 1, pairs[0].id, tuple(reversed(results)) if format_ != "cup" else results)
        if number == 2 and format_ != "cup":
            played.withdraw(random.choice([one for one in range(1, played.entrants + 1) if one not in played.gone]))
    if played.lines[-1][1].startswith("draw "):
        played.lines.pop()
    played.write(f"end {DEALS.hex()}")
    return played


def drop(lines: Lines, index: int, _random: Random) -> Lines:
    """Leave a line out."""
    return lines[:index] + lines[index + 1 :]


def double(lines: Lines, index: int, _random: Random) -> Lines:
    """Write a line twice."""
    return lines[: index + 1] + lines[index:]


def swap(lines: Lines, index: int, _random: Random) -> Lines:
    """Exchange the texts of a line and the next one."""
    if index + 1 == len(lines):
        return lines
    one, other = lines[index], lines[index + 1]
    return [*lines[:index], (one[0], other[1]), (other[0], one[1]), *lines[index + 2 :]]


def forge(lines: Lines, index: int, random: Random) -> Lines:
    """Put another word of the same kind of line in place of one of its words."""
    at, text = lines[index]
    words = text.split(" ")
    same = [line.split(" ") for _, line in lines if line.split(" ")[0] == words[0] and line != text]
    places = [place for place in range(1, len(words)) if any(len(other) > place for other in same)]
    if not places:
        return lines
    place = random.choice(places)
    words[place] = random.choice([other[place] for other in same if len(other) > place])
    return [*lines[:index], (at, " ".join(words)), *lines[index + 1 :]]


CHANGES: dict[str, Callable[[Lines, int, Random], Lines]] = {
    "dropped": drop,
    "doubled": double,
    "swapped": swap,
    "forged": forge,
}


def unprovable() -> set[tuple[str, str]]:
    """The changes that the page names as not provable: how, and the kind of line."""
    part = PAGE.read_text("utf-8").partition("## What an export alone does not prove")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (\w+) \| (`[^|]+`) \|", part, re.MULTILINE)
    return {(how, verb) for how, verbs in rows for verb in re.findall(r"`(\w+)`", verbs)}


def list_changes(seed: int) -> Iterator[tuple[str, str, int, Simulation, Lines]]:
    """Every change of a line of each kind of one tournament, the line drawn at random."""
    played, random = play(seed), Random(seed)
    verbs = [line.split(" ")[0] for _, line in played.lines]
    for how, change in CHANGES.items():
        for verb in sorted(set(verbs)):
            index = random.choice([place for place, each in enumerate(verbs) if each == verb])
            lines = change(played.lines, index, random)
            if lines != played.lines:
                yield how, verb, index, played, lines


def find_fault(data: bytes) -> int | None:
    """The line at which an export is refused, or None if it is accepted."""
    try:
        verify.verify_tournament(data)
    except BadTournament as fault:
        return fault.line
    return None


def test_every_forged_line_is_located_or_named_as_not_provable() -> None:
    accepted: set[tuple[str, str]] = set()
    for seed in range(EXPORTS):
        truth = read_tournament_export(play(seed).export()).entries[-1]
        kept = TournamentEvidence(heads=[KeptHead(truth.seq, truth.hash[:12])])
        for how, verb, index, played, lines in list_changes(seed):
            data = export_lines(played.document, lines, played.beacon)
            with pytest.raises(BadTournament):
                verify.verify_tournament(data, kept)
            line = find_fault(data)
            if line is None:
                accepted.add((how, verb))
            else:
                assert line >= 4 + index, (seed, how, verb)
    assert accepted <= unprovable(), sorted(accepted - unprovable())


def test_a_round_is_not_drawn_before_everybody_has_a_number() -> None:
    played = play(6)
    last = max(place for place, (_, line) in enumerate(played.lines) if line.startswith("number "))
    assert played.lines[last + 1][1].startswith("draw one:1")
    data = export_lines(played.document, swap(played.lines, last, Random(0)), played.beacon)
    with pytest.raises(BadTournament, match="has no number yet") as refused:
        verify.verify_tournament(data)
    assert refused.value.line == 4 + last


def test_the_page_names_nothing_as_unprovable_that_is_always_found() -> None:
    verbs = {
        "enter",
        "accept",
        "withdraw",
        "close",
        "draw",
        "number",
        "pair",
        "start",
        "result",
        "over",
        "end",
        "ruling",
    }
    assert {verb for _, verb in unprovable()} <= verbs
    assert not unprovable() & {("dropped", "enter"), ("dropped", "pair"), ("doubled", "result"), ("dropped", "start")}
