"""Random Swiss events that bbpPairings, an endorsed engine, paired round by round, paired again by ours.

`swiss-events.jsonl.gz` has 300 events of 4 to 64 players, one JSON object a line: `n` players, planned `rounds`, the
`first` colour, forbidden pairs (`avoid`), and per round who is `absent` with which bye, the `pairs` (white first; black
0 is a bye; null means that no pairing is legal) and their `results`. The first event is the only one in
which a bracket must leave a high score over to make more pairs. `SWISS_EVENTS` is the number of events to try.
"""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path
from typing import Any

import pytest

from service.tournaments.formats import trf
from service.tournaments.formats.crosstable import How, Pairing, StageRound, rank_scores
from service.tournaments.formats.points import Scoring
from service.tournaments.formats.swiss import SwissRules, pair_swiss
from service.tournaments.formats.trf import TrfEvent, TrfPlayer

CHESS = Scoring()
EVENTS = gzip.decompress(Path(__file__).with_name("swiss-events.jsonl.gz").read_bytes()).splitlines()
TRIED = EVENTS[: int(os.environ.get("SWISS_EVENTS", "30"))]
RESULTS = {
    "10": rank_scores([1, 0]),
    "01": rank_scores([0, 1]),
    "==": rank_scores([0, 0]),
    "+-": rank_scores([1, 0], [How.PLAYED, How.FORFEIT]),
    "-+": rank_scores([0, 1], [How.FORFEIT, How.PLAYED]),
    "--": rank_scores([0, 0], [How.FORFEIT, How.FORFEIT]),
    "U": (),
}


def read_round(number: int, row: dict[str, Any]) -> StageRound:
    """Return a round of an event as our formats hold it."""
    pairings = (
        Pairing(tuple(one for one in pair if one), RESULTS["".join(cells)])
        for pair, cells in zip(row["pairs"], row["results"], strict=True)
    )
    half, full = (frozenset(int(one) for one, bye in row["absent"].items() if bye == letter) for letter in "HF")
    return StageRound(number, tuple(pairings), half, full)


def sort_seats(pairings: tuple[Pairing, ...]) -> list[tuple[int, ...]]:
    """Return the seats of a round in an order that can be compared."""
    return sorted(pairing.seats for pairing in pairings)


@pytest.mark.parametrize("line", TRIED, ids=lambda line: f"event-{json.loads(line)['seed']}")
def test_pairs_byes_and_colours_are_those_of_the_endorsed_engine(line: bytes) -> None:
    held = json.loads(line)
    rules = SwissRules(
        held["rounds"],
        odd_begin_white=held["first"] == "white",
        avoid=frozenset((one, other) for one, other in held["avoid"]),
    )
    played: list[StageRound] = []
    for number, row in enumerate(held["played"], 1):
        present = {one for one in range(1, held["n"] + 1) if str(one) not in row["absent"]}
        paired = pair_swiss(CHESS, played, present, rules)
        if row["pairs"] is None:
            assert paired.system == "brackets", number
            break
        wanted = read_round(number, row)
        assert paired.system == "dutch", number
        assert sort_seats(paired.pairings) == sort_seats(wanted.pairings), number
        played.append(wanted)
    assert len(played) >= len(held["played"]) - 1


@pytest.mark.parametrize("line", TRIED[::3], ids=lambda line: f"event-{json.loads(line)['seed']}")
def test_an_event_with_any_bye_passes_through_trf_without_a_difference(line: bytes) -> None:
    held = json.loads(line)
    rounds = tuple(read_round(number, row) for number, row in enumerate(held["played"], 1) if row["pairs"] is not None)
    players = tuple(TrfPlayer(number, f"Player {number}", 2500 - 5 * number) for number in range(1, held["n"] + 1))
    avoid = frozenset((one, other) for one, other in held["avoid"])
    white = held["first"] == "white"
    event = trf.read_trf(trf.write_trf(TrfEvent("", players, rounds, held["rounds"], white, avoid), CHESS))
    assert [(set(each.pairings), each.half_byes, each.full_byes) for each in event.rounds] == [
        (set(each.pairings), each.half_byes, each.full_byes) for each in rounds
    ]
    assert trf.find_differences(event, CHESS) == ()
