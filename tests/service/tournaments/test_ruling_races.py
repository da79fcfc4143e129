"""Every kind of ruling made twice at once, together with another, and while a match of the round ends."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from service.config import Config
from service.db import connection
from service.db.models.accounts import ConsentRow
from service.db.models.matches import MatchRow
from service.db.models.tournaments import PairingRow, TournamentRow
from service.play.match_loader import load_match_state
from service.problems import Problem
from service.tournaments.rulings.ruling_words import WHATS, parse_ruling
from service.tournaments.rulings.rulings import RulingMade, plan_ruling
from tests.support.factories import settle, somebody
from tests.support.players import Clock
from tests.support.tournaments import HostedTournament, document_text, open_tournament

SWISS = """
  - name: swiss
    format: swiss
    rounds: 2
    start: {first: 2027-02-01T18:00, next: when-over, gap: 1d}
    end: {at_most: 2w, then: as-it-stands}
"""
REFUSED = {409, 422}
BEACON = "ab" * 32


@dataclass(frozen=True)
class Race:
    """A tournament at a moment for a ruling, another possible ruling, and a running match."""

    hosted: HostedTournament
    ruling: str
    other: str
    match: str = ""


def begin(service: Config, clock: Clock) -> tuple[HostedTournament, str]:
    """Return a Swiss of four whose first round runs, and the match of the first entrant."""
    hosted = open_tournament(service, clock, document_text(SWISS), entrants=4)
    while not list_running():
        hosted.go_to_next()
    for match in list_running():
        settle(match, service)
    first = hosted.people[0].player.id
    return hosted, str(PairingRow.get(PairingRow.seats.contains(first)).id)


def list_running() -> list[str]:
    """Return the running matches."""
    return [row.id for row in MatchRow.select(MatchRow.id).where(MatchRow.status == "running").order_by(MatchRow.id)]


def prepare(what: str, service: Config, clock: Clock) -> Race:
    """Bring a tournament to the moment of a ruling."""
    if what == "beacon":
        text = document_text(SWISS).replace("beacon: none", "beacon: drand-quicknet")
        hosted = open_tournament(service, clock, text, entrants=4)
        clock.at = (hosted.row.closes_at or 0) + 1
        hosted.work()
        clock.forward(minutes=11)
        return Race(hosted, f"beacon {BEACON} technical", "pause technical")
    if what == "seed":
        hosted = open_tournament(service, clock, document_text(SWISS), entrants=4)
        return Race(hosted, f"seed {hosted.people[2].player.id} rules", "pause technical")
    if what == "repair":
        hosted = open_tournament(service, clock, document_text(SWISS), entrants=4)
        while "pair" not in hosted.verbs():
            hosted.go_to_next()
        return Race(hosted, "repair swiss:1 mistake", "pause technical")
    hosted, match = begin(service, clock)
    one, willing = hosted.people[0].player.id, somebody("Willing").player.id
    ConsentRow.create(player=willing, organiser=hosted.maker.player.id, at=clock.at)
    later = "extend swiss:1 2027-03-10T18:00 illness"
    if what == "resume":
        hosted.rule("pause technical")
    if what == "accept":
        hosted.rule(f"exclude {one} mistake")
    hosted.work()
    rulings = {
        "pause": ("pause technical", later),
        "resume": ("resume technical", later),
        "extend": (later, "pause technical"),
        "replace": (f"replace {one} {willing} illness", "pause technical"),
        "exclude": (f"exclude {one} fair-play", f"replay {match} technical"),
        "accept": (f"accept {one} mistake", "pause technical"),
        "result": (f"result {match} 2,1 rules", f"replay {match} technical"),
        "replay": (f"replay {match} technical", f"result {match} 1,2 rules"),
        "cancel": ("cancel other", "pause technical"),
    }
    return Race(hosted, *rulings[what], match if what != "accept" else next(iter(list_running())))


def run_at_once(*calls: Callable[[], object]) -> list[object]:
    """Run calls at the same time. Return the value or the problem of each."""
    found: list[object] = [None] * len(calls)
    ready = threading.Barrier(len(calls))

    def run(at: int) -> None:
        try:
            ready.wait()
            found[at] = calls[at]()
        except Problem as problem:
            found[at] = problem
        finally:
            connection.close_connection()

    threads = [threading.Thread(target=run, args=(at,)) for at in range(len(calls))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return found


def end_match(race: Race) -> None:
    """Let the second seat resign, so that the match ends and its result is written."""
    if not race.match:
        return
    player = load_match_state(race.match).players[1]
    next(each for each in race.hosted.people if each.player.id == player).send(race.match, "resign")
    settle(race.match, race.hosted.config)
    race.hosted.work()


def count_rulings(hosted: HostedTournament, what: str) -> int:
    """Return how many rulings of a kind the log has."""
    return sum(line.startswith(f"ruling {what}") for line in hosted.lines())


def check_letters(hosted: HostedTournament, made: RulingMade, planned: set[str]) -> None:
    """Check that each person concerned has exactly one email about a ruling."""
    told = Counter(str(each["player"]) for each in hosted.letters("tournament-ruling") if each["seq"] == made.seq)
    assert set(told.values()) <= {1}
    assert set(told) <= planned
    assert told or not planned


def check_clocks(hosted: HostedTournament) -> None:
    """Check that matches are paused exactly while a ruling pauses their tournament."""
    hosted.work()
    for match in list_running():
        settle(match, hosted.config)
        assert load_match_state(match).state.house.paused == (hosted.row.state == "paused"), match


@pytest.mark.parametrize("what", WHATS)
def test_each_ruling_twice_crossed_and_while_its_match_ends_is_one_line(
    service: Config, clock: Clock, what: str
) -> None:
    race = prepare(what, service, clock)
    hosted, before = race.hosted, count_rulings(race.hosted, what)
    seen = int(TournamentRow.get_by_id(hosted.tournament).head_seq)
    plan = plan_ruling(hosted.maker.player.id, hosted.tournament, parse_ruling(race.ruling), service)
    planned = {player for kind, player in plan.letters if kind == "tournament-ruling"}
    first, second, crossed, _ = run_at_once(
        lambda: hosted.rule(race.ruling, seen),
        lambda: hosted.rule(race.ruling, seen),
        lambda: hosted.rule(race.other, seen),
        lambda: end_match(race),
    )
    made = [each for each in (first, second, crossed) if isinstance(each, RulingMade)]
    lost = [each for each in (first, second, crossed) if isinstance(each, Problem)]
    # Where all three are about the match, its own result may have been before them.
    assert len(made) == 1 or (not made and what in {"result", "replay"})
    assert len(made) + len(lost) == 3
    assert all(each.status == 409 and each.more["seq"] > seen for each in lost), "they see what holds now"
    check_clocks(hosted)
    if not made or crossed is made[0]:
        # Something else was first: this one succeeds once the obstacle is gone.
        if hosted.row.state == "paused" and what != "resume":
            hosted.rule("resume technical")
            hosted.work()
        if what in {"result", "replay", "exclude"}:
            race = Race(hosted, race.ruling.replace(race.match, find_table(hosted, race.match)), race.other, race.match)
        made = [hosted.rule(race.ruling)]
        check_clocks(hosted)
    check_letters(hosted, made[0], planned)
    assert count_rulings(hosted, what) == before + 1

    head = hosted.row.head_seq
    with pytest.raises(Problem) as refused:
        hosted.rule(race.ruling, seen)
    assert refused.value.status in REFUSED
    if what != "repair":
        with pytest.raises(Problem) as refused:
            hosted.rule(race.ruling)
        assert refused.value.status in REFUSED
    assert hosted.row.head_seq == head
    if hosted.row.state == "paused":
        hosted.rule("resume technical")
    if what == "beacon":
        hosted.rule("cancel too-few")
    hosted.run_to_end()
    assert not list_running()
    hosted.check()


def find_table(hosted: HostedTournament, match: str) -> str:
    """Return the match that counts for a table, which is another after a replay."""
    seats = PairingRow.get_by_id(match).seats
    valid = (PairingRow.tournament == hosted.tournament) & (PairingRow.seats == seats) & ~PairingRow.void
    return str(PairingRow.get(valid).id)
