"""The state of a tournament: folded in pieces it is what the whole log gives, and who holds one sees no change."""

from __future__ import annotations

from copy import deepcopy
from random import Random

from service.tournaments.formats.tournament_log import LogLine, TournamentExport, read_tournament_export
from service.tournaments.formats.tournament_state import TournamentState
from tests.service.tournaments.formats.simulated_tournament import DEALS, Simulation, player_id

CUP = {
    "stages": [
        {
            "name": "sections",
            "format": "round-robin",
            "sections": {"size": 4, "by": "rating"},
            "ties": ["wins", "lots"],
        },
        {
            "name": "swiss",
            "format": "swiss",
            "rounds": 2,
            "from": {"stage": "sections", "places": "1-3", "each": "section"},
        },
    ]
}


def play_cup() -> TournamentExport:
    """A tournament of two stages, with somebody who leaves and somebody who is replaced."""
    played = Simulation(CUP, 8, beacon="none")
    played.open()
    for number in (1, 2, 3):
        played.pair("sections", number)
        played.play("sections", number)
        if number == 1:
            played.withdraw(8)
            played.replace(3, player_id(100))
    played.advance("swiss")
    for number in (1, 2):
        played.pair("swiss", number)
        played.play("swiss", number)
    played.write(f"end {DEALS.hex()}")
    return read_tournament_export(played.export())


def read(export: TournamentExport, lines: tuple[LogLine, ...]) -> TournamentState:
    """The state after these lines of an export."""
    return TournamentState.read(export.header, export.documents, lines)


def test_a_log_in_pieces_gives_the_state_of_the_whole_and_changes_no_earlier_one() -> None:
    export, random = play_cup(), Random(5)
    whole = read(export, export.entries)
    at, state = 0, read(export, ())
    while at < len(export.entries):
        until = at + random.randint(1, 5)
        before = deepcopy(state)
        after = state.fold(export.entries[at:until])
        assert state == before
        assert after == read(export, export.entries[:until])
        at, state = until, after
    assert state == whole
    assert (whole.phase, whole.seq, whole.hash) == ("over", len(export.entries), export.entries[-1].hash)


def test_the_state_says_what_is_next() -> None:
    export = play_cup()
    phases = []
    for count in range(len(export.entries) + 1):
        state = read(export, export.entries[:count])
        line = export.entries[count].line if count < len(export.entries) else ""
        phases.append(state.phase)
        if line.startswith("pair ") and not state.stages[line.split(" ")[2].split(":")[0]].rounds.get(
            int(line.split(" ")[2].split(":")[1])
        ):
            name, number = line.split(" ")[2].split(":")
            pairings = state.pair_round(name, int(number)) or ()
            people = " ".join(state.holders[one] for one in pairings[0].seats)
            assert line.endswith(f" {people}")
    assert list(dict.fromkeys(phases)) == ["entry", "drawn", "running", "over"]
    last = read(export, export.entries)
    assert last.entrants[last.holders[8]].status == "withdrawn"
    assert last.holders[3] == player_id(100)
    assert 8 in last.gone
    assert 3 not in last.gone
