"""Resolving: chance, bots, stand-ins and orders, each once however often and by how many it is done."""

from __future__ import annotations

import random
import threading
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import pytest

from engine.game import HOUSE
from service.bounded_cache import reset_process_state
from service.config import Config
from service.db import connection
from service.db.connection import execute, rows
from service.play import resolve, submissions
from service.play.match_loader import load_match_state, load_match_state_at, replay_from_start
from service.play.match_log import LogAddition, append
from service.play.notify import make_effects
from service.play.resolve import SNAPSHOT_EVERY, resolve_match
from service.record.match_state import MatchState
from tests.support.factories import Seated, log_of, match_of, settle, somebody, verified


def unresolved() -> int:
    return int(rows("select count(*) from match where resolved_seq < head_seq")[0][0])


def everything() -> list[list[tuple[object, ...]]]:
    return [rows(f"select * from {name}") for name in ("match", "seat", "entry", "event", "job", "snapshot")]  # noqa: S608


def plays(match: str, player: Seated, config: Config, moves: int, rng: random.Random) -> MatchState:
    """The player makes random moves, each resolved, until it is over."""
    for _ in range(moves):
        found = settle(match, config)
        if found.state.over:
            return found
        player.move(match, rng.randrange(1000))
    return settle(match, config)


def test_a_match_against_a_bot_goes_on_to_its_end_and_its_record_is_good(service: Config) -> None:
    me = somebody()
    match = match_of(service, me, bots={1: "steady"})
    assert load_match_state(match).seq == 0
    found = plays(match, me, service, 400, random.Random(1))
    assert found.state.over
    assert unresolved() == 0
    report = verified(match)
    assert report.over
    assert min(report.signed, report.bots, report.chance) > 0
    assert rows("select status from match") == [("over",)]
    kinds = Counter(kind for (kind,) in rows("select type from event"))
    assert kinds["match.started"] == kinds["match.over"] == 1
    asked = rows("select seat, asked, due_at from seat order by seat")
    assert asked == [(0, None, None), (1, None, None)]


def test_nothing_happens_before_the_worker_and_nothing_twice_after_it(service: Config) -> None:
    me = somebody()
    match = match_of(service, me, bots={1: "random"})
    first = settle(match, service)
    before = everything()
    for _ in range(3):
        assert resolve_match(match, make_effects(service), service.most_entries) is None
    assert everything() == before
    assert first.questions[0] is not None
    assert rows("select asked from seat where seat = 0") == [(first.questions[0].asked,)]


def test_many_threads_that_resolve_the_same_matches_make_each_entry_once(service: Config) -> None:
    me = somebody()
    ids = [match_of(service, me, bots={1: "random", 2: "steady"}) for _ in range(6)]
    for match in ids:
        settle(match, service)
        me.move(match)
    wakeups = ids * 8
    random.Random(3).shuffle(wakeups)
    faults: list[BaseException] = []
    gate = threading.Barrier(8)

    def work(mine: list[str]) -> None:
        gate.wait()
        try:
            for match in mine:
                resolve_match(match, make_effects(service), service.most_entries)
        except BaseException as error:  # noqa: BLE001  # whatever it is, the test must see it
            faults.append(error)
        finally:
            connection.drop_connections()

    threads = [threading.Thread(target=work, args=(wakeups[number::8],)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not faults
    assert unresolved() == 0
    for match in ids:
        signed = rows(
            "select count(*), count(distinct signature) from entry where match = ? and signature is not null", match
        )
        assert signed == [(1, 1)]
        ready = rows("select seq, count(*) from event where match = ? and type = 'turn.ready' group by seq", match)
        assert [count for _, count in ready] == [1, 1]
        assert verified(match).entries == load_match_state(match).seq


def test_the_log_does_not_depend_on_who_resolves_when(service: Config) -> None:
    """Chance and bots are functions of the log, so matches with one seed and the same moves are the same."""
    me = somebody()
    lines = []
    for order in (1, 2):
        match = match_of(service, me, bots={1: "steady"})
        execute("update match set seed = ? where id = ?", "ab" * 32, match)
        reset_process_state()
        for number in range(10):
            if order == 2:  # caches thrown away, snapshots lost, resolved twice
                reset_process_state()
                execute("delete from snapshot")
            settle(match, service)
            settle(match, service)
            me.move(match, number)
        lines.append(log_of(settle(match, service).facts.id))
    assert lines[0] == lines[1]


def test_orders_are_made_as_soon_as_they_can_be_and_once(service: Config) -> None:
    one, two = somebody("Aoife"), somebody("Bran")
    match = match_of(service, one, two)
    found = settle(match, service)
    acting, waiting = (one, two) if found.questions[0] else (two, one)
    seat = found.seat_of(waiting.player.id)
    assert seat is not None
    # Whatever the card, some way to play it is among these alternatives.
    hand = _lines_of(found, seat)
    sent = waiting.send(match, " | ".join(hand)[:400].rsplit(" | ", 1)[0], orders=True)
    assert (sent.made, sent.waiting) == ((), 1)
    while waiting_seat_is_not_asked(match, seat):
        acting.move(match)
        settle(match, service)
        if rows("select status from submission where id = ?", sent.id) != [("waiting",)]:
            break
    assert rows("select status, made from submission where id = ?", sent.id) == [("made", 1)]
    mine = [line for who, line in log_of(match) if who == seat]
    assert len(mine) == 1
    assert verified(match).signed >= 2


def _lines_of(found: MatchState, seat: int) -> list[str]:
    """Lines of which the seat could make some if it were asked now."""
    view = found.facts.game.rules.view(found.state, seat)
    cards = dict.fromkeys(str(card) for card in getattr(view, "hand", ()))
    return [f"lay {card}" for card in cards] + [f"discard {card}" for card in cards]


def _not_held(found: MatchState, player: Seated) -> str:
    """A line for a card that is not in the hand, and cannot get there before the seat has acted."""
    held = _lines_of(found, found.players.index(player.player.id))
    return next(line for line in (f"lay B{value}" for value in range(11)) if line not in held)


def waiting_seat_is_not_asked(match: str, seat: int) -> bool:
    return load_match_state(match).questions[seat] is None


def test_orders_that_cannot_be_made_are_dropped_and_told_once(service: Config) -> None:
    one, two = somebody("Aoife"), somebody("Bran")
    match = match_of(service, one, two)
    found = settle(match, service)
    acting, waiting = (one, two) if found.questions[0] else (two, one)
    sent = waiting.send(match, _not_held(found, waiting), "lay B1", orders=True)
    for _ in range(6):
        if rows("select status from submission where id = ?", sent.id) != [("waiting",)]:
            break
        acting.move(match)
        settle(match, service)
    assert rows("select status, made from submission where id = ?", sent.id) == [("dropped", 0)]
    assert rows("select count(*) from event where type = 'orders.dropped'") == [(1,)]
    assert rows("select count(*) from job where key = ?", f"dropped:{sent.id}") == [(1,)]
    settle(match, service)
    assert rows("select count(*) from event where type = 'orders.dropped'") == [(1,)]


@pytest.mark.parametrize("race", ["withdrawn", "replaced", "new"])
def test_orders_that_change_while_the_worker_thinks_have_the_last_word(
    service: Config, race: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = somebody("Aoife"), somebody("Bran")
    match = match_of(service, one, two)
    found = settle(match, service)
    acting, waiting = (one, two) if found.questions[0] else (two, one)
    seat = found.seat_of(waiting.player.id)
    assert seat is not None
    if race != "new":
        waiting.send(match, _any_card(found, seat), orders=True)
    _move_on(match, acting, seat)
    thinking = resolve._append_resolutions
    changed: list[str] = []

    def raced(resolutions: Sequence[resolve.Resolution], what: resolve.Effects) -> list[bool]:
        if not changed and (race == "new" or resolutions[0].orders):
            changed.append(race)
            if race == "withdrawn":
                submissions.withdraw(match, seat)
            else:
                waiting.send(match, _not_held(found, waiting), orders=True)
        return thinking(resolutions, what)

    monkeypatch.setattr(resolve, "_append_resolutions", raced)
    for _ in range(6):
        settle(match, service)
        if load_match_state(match).questions[seat] is not None:
            break
        _move_on(match, acting, seat)
    assert changed == [race]
    assert [line for who, line in log_of(match) if who == seat] == []
    assert rows("select count(*) from submission where match = ? and status = 'waiting'", match) == [(0,)]


def _any_card(found: MatchState, seat: int) -> str:
    return " | ".join(_lines_of(found, seat))[:400].rsplit(" | ", 1)[0]


def _move_on(match: str, acting: Seated, seat: int) -> None:
    if load_match_state(match).questions[seat] is None:
        acting.move(match)


def test_a_stand_in_takes_the_seat_of_one_who_resigns(service: Config) -> None:
    people = [somebody(name) for name in ("Aoife", "Bran", "Ciara")]
    match = match_of(service, *people)
    found = settle(match, service)
    seat = next(each for each in range(3) if found.questions[each] is None)
    people[seat].send(match, "resign")
    after = settle(match, service)
    stand_in = after.facts.game.bots.current("steady")
    assert (HOUSE, f"bot {seat} {stand_in}") in log_of(match)
    assert after.bots[seat] == stand_in
    assert rows("select player, bot from seat where match = ? and seat = ?", match, seat) == [(None, stand_in)]
    rng = random.Random(5)
    for _ in range(600):
        if after.state.over:
            break
        asked = next(each for each in range(3) if after.questions[each] is not None)
        people[asked].move(match, rng.randrange(1000))
        after = settle(match, service)
    assert after.state.over
    assert sum(line.startswith("bot ") for who, line in log_of(match) if who == HOUSE) == 1
    assert verified(match).over


def test_with_two_seats_resigning_ends_the_match_and_everybody_is_told_once(service: Config) -> None:
    one, two = somebody("Aoife"), somebody("Bran")
    match = match_of(service, one, two)
    settle(match, service)
    one.send(match, "resign")
    assert settle(match, service).state.over
    assert rows("select count(*) from event where type = 'match.over'") == [(2,)]
    assert rows("select count(*) from job where key like ?", "over:%") == [(2,)]


def test_a_move_before_the_first_resolution_does_not_swallow_the_start(service: Config) -> None:
    me = somebody()
    match = match_of(service, me, bots={1: "steady"})
    settle(match, service)
    me.move(match)
    execute("delete from event")
    execute("update match set resolved_seq = -1")  # as if that move had come before the worker
    settle(match, service)
    assert rows("select count(*) from event where type = 'match.started'") == [(1,)]


def test_the_house_ends_a_match_that_grows_too_long(service: Config) -> None:
    me = somebody()
    match = match_of(service, me, bots={1: "random"})
    short = replace(service, most_entries=12)
    found = plays(match, me, short, 50, random.Random(2))
    assert found.state.over
    assert log_of(match)[-1] == (HOUSE, "end too-long")
    assert found.seq <= 12 + 3
    assert verified(match).over


def test_a_long_resolution_goes_in_parts_that_can_be_cut_anywhere(
    service: Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    me = somebody()
    monkeypatch.setattr(resolve, "MOST_AT_ONCE", 5)
    match = match_of(service, me, bots={1: "random", 2: "random", 3: "steady"})
    settle(match, service)
    monkeypatch.setattr(resolve, "TRIES", 1)
    me.send(match, "resign")
    for _ in range(200):
        reset_process_state()
        if settle(match, service).state.over and not unresolved():
            break
    assert load_match_state(match).state.over
    assert rows("select count(*) from event where type = 'match.over'") == [(0,)]
    assert rows("select count(*) from event where type = 'match.started'") == [(1,)]
    assert verified(match).over


def test_a_snapshot_may_lag_or_be_lost_or_have_another_shape(service: Config) -> None:
    me = somebody()
    match = match_of(service, me, bots={1: "steady"})
    for number in range(20):
        found = settle(match, service)
        for (kept,) in rows("select seq from snapshot where match = ?", match):
            assert found.seq - SNAPSHOT_EVERY < kept <= found.seq
        me.move(match, number)
        reset_process_state()
        lagging = load_match_state(match)
        assert lagging.seq == found.seq + 1
        assert lagging == replay_from_start(match, lagging.seq)
        if number % 4 == 3:
            execute("delete from snapshot" if number % 8 == 3 else "update snapshot set shape = 'other'")
            reset_process_state()
            assert load_match_state(match) == lagging


def test_replay_equals_the_snapshot_at_every_resolution(service: Config) -> None:
    me = somebody()
    match = match_of(service, me, bots={1: "random", 2: "steady"})
    for number in range(15):
        found = settle(match, service)
        if found.state.over:
            break
        reset_process_state()
        ((seq, hash_),) = rows("select seq, hash from snapshot where match = ?", match)
        assert load_match_state_at(match, seq, hash_) == replay_from_start(match, seq)
        me.move(match, number)


def test_an_append_at_an_old_head_is_refused_whole(service: Config) -> None:
    me = somebody()
    match = match_of(service, me, bots={1: "steady"})
    old = settle(match, service)
    resolution = resolve.resolution_of(old, old.at, 20_000)
    me.move(match)
    assert append([LogAddition(old, resolution.entries, resolution.match_state, None, resolved=True)]) == [False]
    assert unresolved() == 1
