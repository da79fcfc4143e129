"""Every kind of ruling made twice at once, crossed with another, and while a match of the round ends."""

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
from service.play.match_loader import table_of
from service.problems import Problem
from service.tournaments.rulings.ruling_words import WHATS, parse_ruling
from service.tournaments.rulings.rulings import RulingMade, plan_ruling
from tests.support.factories import settle, somebody
from tests.support.players import Clock
from tests.support.tournaments import Venue, document_text, open_venue

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
    """A tournament at a moment at which a ruling can be made, another that can be made then, and a match that runs."""

    venue: Venue
    ruling: str
    other: str
    match: str = ""


def begin(service: Config, clock: Clock) -> tuple[Venue, str]:
    """A Swiss of four whose first round runs, and the match of the first entrant."""
    venue = open_venue(service, clock, document_text(SWISS), entrants=4)
    while not list_running():
        venue.go_to_next()
    for match in list_running():
        settle(match, service)
    first = venue.people[0].player.id
    return venue, str(PairingRow.get(PairingRow.seats.contains(first)).id)


def list_running() -> list[str]:
    """The matches that run."""
    return [row.id for row in MatchRow.select(MatchRow.id).where(MatchRow.status == "running").order_by(MatchRow.id)]


def prepare(what: str, service: Config, clock: Clock) -> Race:
    """Let a tournament come to the moment of a ruling."""
    if what == "beacon":
        text = document_text(SWISS).replace("beacon: none", "beacon: drand-quicknet")
        venue = open_venue(service, clock, text, entrants=4)
        clock.at = (venue.row.closes_at or 0) + 1
        venue.work()
        clock.forward(minutes=11)
        return Race(venue, f"beacon {BEACON} technical", "pause technical")
    if what == "repair":
        venue = open_venue(service, clock, document_text(SWISS), entrants=4)
        while "pair" not in venue.verbs():
            venue.go_to_next()
        return Race(venue, "repair swiss:1 mistake", "pause technical")
    venue, match = begin(service, clock)
    one, willing = venue.people[0].player.id, somebody("Willing").player.id
    ConsentRow.create(player=willing, organiser=venue.maker.player.id, at=clock.at)
    later = "extend swiss:1 2027-03-10T18:00 illness"
    if what == "resume":
        venue.rule("pause technical")
    if what == "accept":
        venue.rule(f"exclude {one} mistake")
    venue.work()
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
    return Race(venue, *rulings[what], match if what != "accept" else next(iter(list_running())))


def run_at_once(*calls: Callable[[], object]) -> list[object]:
    """What each of these came to when all began at the same moment: its value, or the problem it ended with."""
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
    """The last line of a match arrives: the second seat gives up, and its result is written into the log."""
    if not race.match:
        return
    player = table_of(race.match).players[1]
    next(each for each in race.venue.people if each.player.id == player).send(race.match, "resign")
    settle(race.match, race.venue.config)
    race.venue.work()


def count_rulings(venue: Venue, what: str) -> int:
    """How many rulings of a kind the log has."""
    return sum(line.startswith(f"ruling {what}") for line in venue.lines())


def check_letters(venue: Venue, made: RulingMade, planned: set[str]) -> None:
    """Each of those who were to be told has one letter about a ruling."""
    told = Counter(str(each["player"]) for each in venue.letters("tournament-ruling") if each["seq"] == made.seq)
    assert set(told.values()) <= {1}
    assert set(told) <= planned
    assert told or not planned


def check_clocks(venue: Venue) -> None:
    """Matches rest exactly while a ruling pauses their tournament."""
    venue.work()
    for match in list_running():
        settle(match, venue.config)
        assert table_of(match).state.house.paused == (venue.row.state == "paused"), match


@pytest.mark.parametrize("what", WHATS)
def test_each_ruling_twice_crossed_and_while_its_match_ends_is_one_line(
    service: Config, clock: Clock, what: str
) -> None:
    race = prepare(what, service, clock)
    venue, before = race.venue, count_rulings(race.venue, what)
    seen = int(TournamentRow.get_by_id(venue.tournament).head_seq)
    plan = plan_ruling(venue.maker.player.id, venue.tournament, parse_ruling(race.ruling), service)
    planned = {player for kind, player in plan.letters if kind == "tournament-ruling"}
    first, second, crossed, _ = run_at_once(
        lambda: venue.rule(race.ruling, seen),
        lambda: venue.rule(race.ruling, seen),
        lambda: venue.rule(race.other, seen),
        lambda: end_match(race),
    )
    made = [each for each in (first, second, crossed) if isinstance(each, RulingMade)]
    lost = [each for each in (first, second, crossed) if isinstance(each, Problem)]
    # Where all three are about the match, its own result may have been before them.
    assert len(made) == 1 or (not made and what in {"result", "replay"})
    assert len(made) + len(lost) == 3
    assert all(each.status == 409 and each.more["seq"] > seen for each in lost), "they see what holds now"
    check_clocks(venue)
    if not made or crossed is made[0]:
        # Something else was first: this one follows once what stands in its way is gone.
        if venue.row.state == "paused" and what != "resume":
            venue.rule("resume technical")
            venue.work()
        if what in {"result", "replay", "exclude"}:
            race = Race(venue, race.ruling.replace(race.match, find_table(venue, race.match)), race.other, race.match)
        made = [venue.rule(race.ruling)]
        check_clocks(venue)
    check_letters(venue, made[0], planned)
    assert count_rulings(venue, what) == before + 1

    head = venue.row.head_seq
    with pytest.raises(Problem) as refused:
        venue.rule(race.ruling, seen)
    assert refused.value.status in REFUSED
    if what != "repair":
        with pytest.raises(Problem) as refused:
            venue.rule(race.ruling)
        assert refused.value.status in REFUSED
    assert venue.row.head_seq == head
    if venue.row.state == "paused":
        venue.rule("resume technical")
    if what == "beacon":
        venue.rule("cancel too-few")
    venue.run_to_end()
    assert not list_running()
    venue.check()


def find_table(venue: Venue, match: str) -> str:
    """The match that counts for those who sit at a table: another after a replay."""
    seats = PairingRow.get_by_id(match).seats
    valid = (PairingRow.tournament == venue.tournament) & (PairingRow.seats == seats) & ~PairingRow.void
    return str(PairingRow.get(valid).id)
