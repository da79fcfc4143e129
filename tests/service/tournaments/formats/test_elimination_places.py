"""Places of random knockouts and double eliminations, against a count made from the lines of the log alone."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from random import Random
from typing import Any

import pytest

from service.tournaments.formats.crosstable import How, rank_scores
from service.tournaments.formats.tournament_log import read_tournament_export
from service.tournaments.formats.tournament_state import TournamentState
from service.tournaments.formats.verify import verify_tournament
from service.tournaments.rounds.standings import rank_stage
from service.tournaments.views.derivations import format_place
from service.tournaments.views.place_reasons import explain_places
from tests.service.tournaments.formats.simulated_tournament import Simulation

EVENTS = 1_000
GROUPS = 10
NO_PLACE = 50
LEFT = {"forfeit", "stand-in", "substitute"}


def make_document(kind: str, seats: int, *, reset: bool, ruleset: str | None = "2026-11") -> dict[str, Any]:
    """A stage of this kind, and a final of the best four."""
    first = {"name": "ko", "format": kind, "seats": seats, "reset": reset}
    last = {"name": "next", "format": "knockout", "seats": 2, "from": {"stage": "ko", "places": "1-4"}}
    return {"stages": [first, last], **({"ruleset": ruleset} if ruleset else {})}


def play_at_random(document: dict[str, Any], entrants: int, seed: int) -> Simulation:
    """Play the first stage with results drawn at random: ties, seats left to stand-ins, forfeits, withdrawals."""
    event, random = Simulation(document, entrants, beacon="none", seed=seed), Random(seed)
    leaving = random.choice([0.0, 0.0, 0.3, 0.8])
    event.open()
    number = 1
    while pairs := event.pair("ko", number):
        event.write(f"start ko:{number}")
        left_how = How.FORFEIT if len(pairs[0].seats) == 2 else How.STAND_IN
        for pair in pairs:
            if len(pair.seats) > 1:
                hows = [left_how if random.random() < 0.06 else How.PLAYED for _ in pair.seats]
                scores = [random.randrange(8) for _ in pair.seats]
                event.write_result("ko", number, pair.id, rank_scores(scores, hows))
        event.write(f"over ko:{number}")
        number += 1
        present = [one for one in event.stages["ko"].entrants if one not in event.gone]
        while len(present) > 1 and random.random() < leaving:
            event.withdraw(present.pop(random.randrange(len(present))))
    event.advance("next")
    return event


@dataclass
class Tables:
    """A log as tables: the entrants by seed, those who left in order, and the tables of each round."""

    seeds: list[str] = field(default_factory=list)
    left: list[str] = field(default_factory=list)
    rounds: dict[int, dict[str, list[str]]] = field(default_factory=lambda: defaultdict(dict))
    results: dict[str, list[list[str]]] = field(default_factory=dict)

    @classmethod
    def read(cls, lines: list[str]) -> Tables:
        """Read the lines of numbers, withdrawals, pairs and results."""
        tables = cls()
        for verb, *words in (line.split(" ") for line in lines):
            if verb == "number":
                tables.seeds.append(words[0])
            elif verb == "withdraw":
                tables.left.append(words[0])
            elif verb == "pair":
                tables.rounds[int(words[1].partition(":")[2])][words[0]] = words[3:]
            elif verb == "result":
                tables.results[words[0]] = [word.split(":") for word in words[1:]]
        return tables

    def find_losers(self, match: str, people: list[str]) -> dict[str, int]:
        """Return everybody but the winner of a table, with their place there; players who left have none."""
        rows = zip(people, self.results.get(match, [["1", "0", "bye"]]), strict=True)
        places = {one: int(place) for one, (place, _, how) in rows if how not in LEFT}
        winner = min(places, key=lambda one: (places[one], self.seeds.index(one)), default=None)
        return {one: places.get(one, NO_PLACE) for one in people if one != winner}


def count_exits(stage: dict[str, Any], tables: Tables) -> dict[str, tuple[int, int]]:
    """Return the round in which everybody was put out, and their rank at the last table."""
    losses, exits = dict.fromkeys(tables.seeds, 0), dict[str, tuple[int, int]]()
    double = stage["format"] == "double-elimination"
    for number, matches in sorted(tables.rounds.items()):
        is_last = len(matches) == 1
        seated = {one for people in matches.values() for one in people}
        exits.update(dict.fromkeys({*tables.seeds} - {*exits} - seated, (number, -2 * NO_PLACE * is_last)))
        once = is_last and not stage["reset"] and sorted(losses[one] for one in seated) == [0, 1]
        for match, people in matches.items():
            for one, place in tables.find_losers(match, people).items():
                losses[one] += 1
                if not double or once or losses[one] == 2:
                    exits[one] = (number, 0 if double or not is_last else -place)
    return exits


def count_places(document: dict[str, Any], lines: list[str]) -> dict[str, int]:
    """Give everybody a place by losses and rounds of elimination, counted from the lines of a log."""
    tables = Tables.read(lines)
    exits = count_exits(document["stages"][0], tables)
    still_in = [one for one in tables.seeds if one not in exits]
    # A player who leaves before the final is played leaves it to the other one.
    champion = min(still_in, key=lambda one: -tables.left.index(one) if one in tables.left else -EVENTS, default=None)
    exits.update({one: (EVENTS, one == champion) for one in still_in})
    return {one: 1 + sum(other > own for other in exits.values()) for one, own in exits.items()}


def draw_event(seed: int) -> tuple[dict[str, Any], Simulation]:
    """Draw the format and the field of an event, and play it."""
    random = Random(seed)
    kind = random.choice(["knockout", "double-elimination", "double-elimination"])
    seats = random.choice([2, 2, 3, 4, 5]) if kind == "knockout" else 2
    document = make_document(kind, seats, reset=random.random() < 0.5)
    entrants = random.choice([random.randint(3, 12), random.randint(3, 64)])
    return document, play_at_random(document, entrants, seed)


@pytest.mark.parametrize("group", range(GROUPS))
def test_places_follow_the_losses_and_the_round_of_elimination(group: int) -> None:
    for seed in range(group, EVENTS, GROUPS):
        document, event = draw_event(seed)
        lines, record = [line for _, line in event.lines], event.export()
        wanted, report = count_places(document, lines), verify_tournament(record)
        holders = report.holders
        assert {holders[number]: place for place, number in report.places["ko"]} == wanted, seed
        present = [player for number, player in holders.items() if number not in event.gone]
        qualified = next(line.split(" ")[2:] for line in lines if line.startswith("advance next"))
        assert set(qualified) <= set(present), seed
        assert [wanted[player] for player in qualified] == sorted(wanted[player] for player in present)[:4], seed


def test_standings_and_reasons_give_the_places_of_the_verifier() -> None:
    for seed in range(0, EVENTS, 20):
        document, event = draw_event(seed)
        wanted = count_places(document, [line for _, line in event.lines])
        export = read_tournament_export(event.export())
        state = TournamentState.read(export.header, export.documents, export.entries)
        (standings,) = rank_stage(state, "ko")
        assert {state.holders[line.number]: line.rank for line in standings} == wanted, seed
        reasons = explain_places(state, "ko", list(state.holders), state.holders, "en")
        for number, player in state.holders.items():
            assert reasons[number].summary.startswith(f"{format_place(wanted[player], 'en')}:"), seed
