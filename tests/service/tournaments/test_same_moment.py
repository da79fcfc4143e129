"""Events at the same moment: the last move, the end of the round, a withdrawal, and two changed documents."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from itertools import permutations

import pytest

from engine.game import apply, legal
from service.config import Config
from service.db import connection
from service.db.connection import rows
from service.db.models.matches import MatchRow
from service.db.models.tournaments import RoundRow, TournamentRow
from service.matches.seat_results import read_seat_results
from service.problems import Problem
from service.tournaments import lifecycle
from service.tournaments.entry.entrants import withdraw_entrant
from service.tournaments.rounds.rounds import step_tournament
from tests.support.factories import Seated, log_of, settle, somebody
from tests.support.players import Clock
from tests.support.tournaments import HostedTournament, document_text, open_tournament

SQLITE = pytest.mark.parametrize("database", ["sqlite"], indirect=True)
EVENTS = ("last-move", "end-of-round", "withdrawal")
HOW_IT_ENDS = {"last-move": "played", "end-of-round": "adjudicated", "withdrawal": "played"}
"""How the seats end if one event comes first. A player who resigns has played."""


def play_but_one(hosted: HostedTournament, match: str) -> tuple[Seated, str]:
    """Play a match until one more line ends it. Return the player and the line."""
    seated = {each.player.id: each for each in hosted.people}
    while True:
        table = settle(match, hosted.config)
        seat = next(seat for seat, question in enumerate(table.questions) if question is not None)
        action = hosted.random.choice(list(legal(table.state, seat)))
        who = seated[table.players[seat] or ""]
        if apply(table.state, seat, action).over:
            return who, action.line
        who.send(match, action.line)


@pytest.fixture
def hosted(service: Config, clock: Clock) -> HostedTournament:
    """Return a tournament of two with one match."""
    made = open_tournament(service, clock, document_text(), entrants=2)
    while MatchRow.select().where(MatchRow.status == "running").count() == 0:
        made.go_to_next()
    return made


def prepare(hosted: HostedTournament) -> tuple[str, str, dict[str, Callable[[], object]]]:
    """Bring the match to its last line at the end of its round. Return that line and the possible events."""
    match = str(MatchRow.get().id)
    who, line = play_but_one(hosted, match)
    hosted.clock.at = RoundRow.get().ends_at or 0
    leaves = hosted.people[0].player.id
    return (
        match,
        line,
        {
            "last-move": lambda: who.send(match, line),
            "end-of-round": lambda: step_tournament(hosted.tournament, hosted.config),
            "withdrawal": lambda: withdraw_entrant(leaves, hosted.tournament, at_once=True),
        },
    )


def count_lines(match: str, line: str) -> int:
    """Return how often seats have made this line."""
    return [said for seat, said in log_of(match) if seat >= 0].count(line)


def check_once(hosted: HostedTournament, match: str) -> None:
    """Check for one result, one end of the round, at most one withdrawal, and a valid log."""
    hosted.work()
    verbs = hosted.verbs()
    assert verbs.count("result") == verbs.count("over") == 1
    assert verbs.count("withdraw") <= 1
    assert verbs[-1] == "end"
    assert hosted.results()[match] == " ".join(map(str, read_seat_results(match)))
    assert len(hosted.letters("tournament-over")) == len({each["player"] for each in hosted.letters("tournament-over")})
    hosted.check()


@SQLITE
@pytest.mark.parametrize("through", [True, False], ids=["each-through", "all-wait"])
@pytest.mark.parametrize("order", list(permutations(EVENTS)), ids="-".join)
def test_whatever_comes_first_counts_and_the_rest_changes_nothing(
    hosted: HostedTournament, order: Sequence[str], *, through: bool
) -> None:
    match, line, events = prepare(hosted)
    before = count_lines(match, line)
    events[order[0]]()
    for event in order[1:]:
        if not through:
            events[event]()
            continue
        hosted.work()
        assert hosted.verbs()[-1] == "end", "the only match was the last one"
        with suppress(Problem) if event == "end-of-round" else pytest.raises(Problem):
            events[event]()
    check_once(hosted, match)
    assert hosted.verbs().count("withdraw") == (not through or order[0] == "withdrawal")
    if through:
        assert count_lines(match, line) == before + (order[0] == "last-move")
        hows = {word.split(":")[2] for word in hosted.results()[match].split(" ")}
        assert hows == {HOW_IT_ENDS[order[0]]}, hosted.results()


def run_at_once(tasks: Sequence[Callable[[], object]]) -> None:
    """Run calls in threads that begin together. Refusals are allowed; anything else fails."""
    ready, faults = threading.Barrier(len(tasks)), list[BaseException]()

    def run(task: Callable[[], object]) -> None:
        try:
            ready.wait()
            task()
        except Problem:
            pass
        except BaseException as error:  # noqa: BLE001  # told below
            faults.append(error)
        finally:
            connection.close_connection()

    threads = [threading.Thread(target=run, args=(task,)) for task in tasks]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert faults == []


def test_all_of_it_at_once_gives_one_result(hosted: HostedTournament) -> None:
    match, _, events = prepare(hosted)
    run_at_once([*events.values(), hosted.work, hosted.work])
    run_at_once([hosted.work, hosted.work])
    check_once(hosted, match)


def test_two_organisers_who_apply_again_what_has_begun_make_nothing_twice(service: Config, clock: Clock) -> None:
    one, other = somebody("Aoife"), somebody("Brendan")
    text = document_text().replace("game:", f"organisers: [{one.player.id}, {other.player.id}]\ngame:")
    hosted = HostedTournament(service, clock, one)
    clock.at = max(clock.at, hosted.apply(text).opens_at or 0)
    hosted.work()
    hosted.enter(4)
    while hosted.verbs().count("start") == 0:
        hosted.go_to_next()
    before, jobs = hosted.lines(), rows("select count(*) from job")
    applied = [
        partial(
            lifecycle.apply_tournament,
            person.player,
            HostedTournament(service, clock, person).read(text),
            None,
            service,
        )
        for person in (one, other, one, other)
    ]
    run_at_once([*applied, hosted.work])
    assert (hosted.lines(), rows("select count(*) from job")) == (before, jobs)
    assert TournamentRow.select().count() == 1
    hosted.run_to_end()
    hosted.check()
    assert MatchRow.select().count() == 6
    letters = [(each["round"], each["player"]) for each in hosted.letters("tournament-round")]
    assert len(letters) == len(set(letters)) == 3 * 4
