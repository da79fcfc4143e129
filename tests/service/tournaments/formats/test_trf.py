"""TRF: written and read again, rows of other programs, refusals, and rounds paired again."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.tournaments.formats import trf
from service.tournaments.formats.crosstable import How, Pairing, StageRound, rank_scores
from service.tournaments.formats.points import Scoring
from service.tournaments.formats.trf import BadTrf, TrfEvent, TrfPlayer
from tests.service.tournaments.formats import fide_events
from tests.service.tournaments.formats.fide_events import read_event

CHESS = Scoring()
EXAMPLE = """\
012 AutoTest Tournament 100
001    1      Test0001 Player0001               2579                             3.5    1     4 w 1     5 b 1     7 w =
001    2      Test0002 Player0002               2578                             3.0    3     5 b 0     4 w 1     6 b =
001    3      Test0003 Player0003               2289                             3.5    2     6 w 1     7 b 0     5 w 1
001    4      Test0004 Player0004               2260                             2.0    6     1 b 0     2 b 0  0000 - U
001    5      Test0005 Player0005               2227                             3.0    4     2 w 1     1 w 0     3 b 0
001    6      Test0006 Player0006               2212                             2.0    7     3 b 0  0000 - U     2 w =
001    7      Test0007 Player0007               2139                             3.0    5  0000 - U     3 w 1     1 b =
"""


def event_of(name: str, planned: int = 0) -> TrfEvent:
    """One of the facts as an event."""
    held = read_event(getattr(fide_events, name))
    players = tuple(TrfPlayer(number, f"Player {number}", rating) for number, rating in held.ratings.items())
    return TrfEvent(name, players, held.rounds, planned or len(held.rounds), odd_begin_white=True)


def same(one: TrfEvent, other: TrfEvent) -> bool:
    """Whether two events are the same but for the order of pairings in a round."""
    return all(
        set(each.pairings) == set(again.pairings) and each.half_byes == again.half_byes
        for each, again in zip(one.rounds, other.rounds, strict=True)
    ) and replace(one, rounds=()) == replace(other, rounds=())


@pytest.mark.parametrize("name", ["DUTCH_7", "DUTCH_12", "DUTCH_21", "DUTCH_40", "HELD_SWISS", "HELD_ROUND_ROBIN"])
def test_an_event_is_the_same_after_writing_and_reading(name: str) -> None:
    event = replace(event_of(name), avoid=frozenset({(1, 2), (3, 5)}))
    text = trf.write_trf(event, CHESS, {number: number for number in event.numbers})
    assert same(trf.read_trf(text), event)
    assert trf.write_trf(trf.read_trf(text), CHESS, {number: number for number in event.numbers}) == text


def test_a_row_written_is_the_row_of_others() -> None:
    event = trf.read_trf(EXAMPLE)
    ranks = {1: 1, 2: 3, 3: 2, 4: 6, 5: 4, 6: 7, 7: 5}
    rows = [row for row in trf.write_trf(event, CHESS, ranks).splitlines() if row.startswith("001")]
    # The example gives the points of five rounds, and shows three.
    for row, wanted in zip(rows, EXAMPLE.splitlines()[1:], strict=True):
        assert row[:80] + row[84:] == wanted[:80] + wanted[84:]
    assert [row[80:84] for row in rows] == [" 2.5", " 1.5", " 2.0", " 1.0", " 1.0", " 1.5", " 2.5"]
    assert event.odd_begin_white


@settings(max_examples=40, deadline=None, derandomize=True)
@given(st.integers(2, 12), st.integers(0, 6), st.integers(0, 2**32))
def test_any_event_of_two_seats_survives(entrants: int, rounds: int, seed: int) -> None:
    random = Random(seed)
    forfeits = ([How.PLAYED, How.FORFEIT], [How.FORFEIT, How.PLAYED], [How.FORFEIT, How.FORFEIT])
    ends = [rank_scores([1, 0]), rank_scores([0, 1]), rank_scores([0, 0]), ()]
    ends += [rank_scores([int(how is How.PLAYED) for how in hows], hows) for hows in forfeits]
    played = []
    for number in range(1, rounds + 1):
        order = random.sample(range(1, entrants + 1), entrants)
        pairs = [Pairing((order[at], order[at + 1]), random.choice(ends)) for at in range(0, entrants - 2, 2)]
        bye, half = [Pairing((order[-1],))], frozenset(order[-2:-1]) if entrants % 2 == 0 else frozenset[int]()
        played.append(StageRound(number, (*pairs, *bye), half))
    players = tuple(TrfPlayer(number, "Añna Ní", random.randrange(3000)) for number in range(1, entrants + 1))
    event = TrfEvent("An event", players, tuple(played), rounds + 1, odd_begin_white=random.random() < 0.5)
    assert same(trf.read_trf(trf.write_trf(event, CHESS)), event)


@pytest.mark.parametrize("name", ["DUTCH_7", "DUTCH_21", "DUTCH_40"])
def test_rounds_paired_anew_differ_nowhere(name: str) -> None:
    held = read_event(getattr(fide_events, name))
    first = next(pair for pair in held.rounds[0].pairings if 1 in pair.seats)
    event = replace(event_of(name), odd_begin_white=first.seats[0] == 1)
    assert trf.find_differences(event, CHESS) == ()


def test_a_round_that_was_paired_otherwise_is_named() -> None:
    event = event_of("DUTCH_12")
    third = event.rounds[2]
    exchanged = tuple(replace(pair, seats=pair.seats[::-1]) if 1 in pair.seats else pair for pair in third.pairings)
    changed = replace(event, rounds=(*event.rounds[:2], replace(third, pairings=exchanged)))
    (found,) = trf.find_differences(changed, CHESS)
    assert (found.number, found.event, found.computed) == (3, ((9, 1),), ((1, 9),))


def test_byes_of_the_next_round_are_lines_of_their_own() -> None:
    event = replace(event_of("DUTCH_12", 6), absent={2: "H", 11: "Z", 5: "H"})
    text = trf.write_trf(event, CHESS)
    assert [row for row in text.splitlines() if row.startswith("240")] == ["240 H   6    2    5", "240 Z   6   11"]
    again = trf.read_trf(text)
    assert again.absent == event.absent
    assert {one for pair in trf.pair_next_round(again, CHESS) for one in pair.seats} == set(event.numbers) - {2, 5, 11}
    # Byes of other rounds, and of players who are not in the file, mean nothing for the next one.
    assert trf.read_trf(f"240 F   7    1\n240 Z   6   99\n{text}").absent == event.absent


def test_a_full_point_bye_that_was_asked_for_is_no_bye_of_the_pairing() -> None:
    held = replace(event_of("DUTCH_C9", 2), rounds=(replace(event_of("DUTCH_C9").rounds[0], full_byes=frozenset({5})),))
    event = trf.read_trf(trf.write_trf(held, CHESS))
    assert event.rounds[0].full_byes == {5}
    assert trf.find_differences(event, CHESS) == ()
    # The whole point counts as that of a win: no bye of the pairing may follow.
    assert (5,) not in [pair.seats for pair in trf.pair_next_round(event, CHESS)]


def test_the_first_colour_is_found_among_those_who_came() -> None:
    rounds = (StageRound(1, (Pairing((2, 4), rank_scores([1, 0])), Pairing((5, 3), rank_scores([1, 0])))),)
    players = tuple(TrfPlayer(number) for number in range(1, 6))
    event = trf.read_trf(trf.write_trf(TrfEvent("", players, rounds, 3), CHESS))
    assert event.odd_begin_white
    assert trf.find_differences(event, CHESS) == ()


def test_lines_of_older_and_newer_files_mean_the_same() -> None:
    old = trf.read_trf(f"XXR 9\nXXC black1\nXXP 3 1\n{EXAMPLE}")
    new = trf.read_trf(f"142 9\r152 B\r{EXAMPLE}".replace("\n", "\r"))
    assert (old.planned, old.odd_begin_white, old.avoid) == (9, False, frozenset({(1, 3)}))
    assert (new.planned, new.odd_begin_white, new.rounds) == (9, False, old.rounds)
    assert trf.read_trf(EXAMPLE).planned == 3


def test_a_round_robin_is_held_against_the_berger_tables() -> None:
    held = event_of("HELD_ROUND_ROBIN")
    assert trf.is_round_robin(held)
    assert not trf.is_round_robin(event_of("HELD_SWISS"))
    assert [each.number for each in trf.find_differences(held, CHESS)] == [1, 2, 3, 4, 5]
    berger = [[(1, 4), (2, 3)], [(4, 3), (1, 2)], [(2, 4), (3, 1)]]
    rounds = tuple(StageRound(at, tuple(Pairing(pair) for pair in pairs)) for at, pairs in enumerate(berger, 1))
    players = tuple(TrfPlayer(number) for number in range(1, 5))
    assert trf.find_differences(TrfEvent("", players, rounds, 3), CHESS) == ()


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (EXAMPLE, "hello\n", "no player line"),
        ("001    2", "001    1", "line 3: player 1 is already in line 2"),
        ("001    2", "001   x2", "line 3: the player's number must be 1 or more"),
        ("     4 w 1     5 b 1", "     4 x 1     5 b 1", "line 2: round 1 must look like"),
        ("     4 w 1     5 b 1", "     4 - 1     5 b 1", "line 2: in round 1, the colour must be w or b"),
        ("     4 w 1     5 b 1", "     3 w 1     5 b 1", "line 2: in round 1, player 1 meets 3 as w"),
        (
            "     4 w 1     5 b 1",
            "     4 w =     5 b 1",
            "line 2: in round 1, the results “=” and “0” contradict each other",
        ),
        ("012 AutoTest", "XXR many\n012 AutoTest", "line 1: the number of rounds must be 1 or more"),
        ("012 AutoTest", "XXP 1 b\n012 AutoTest", "line 1: a player in a forbidden pair must be a number"),
        ("012 AutoTest", "240 H 2 b\n012 AutoTest", "line 1: the round and the players of a bye must be numbers"),
        ("012 AutoTest", "240 H\n012 AutoTest", "line 1: the round and the players of a bye must be numbers"),
        ("012 AutoTest", "240 X 2 1\n012 AutoTest", "line 1: a bye must be F, H or Z, not “X”"),
        ("012 AutoTest", "240\n012 AutoTest", "line 1: a bye must be F, H or Z, not “”"),
    ],
)
def test_what_is_not_trf_is_refused_with_its_line(old: str, new: str, words: str) -> None:
    assert old in EXAMPLE
    with pytest.raises(BadTrf, match=words):
        trf.read_trf(EXAMPLE.replace(old, new, 1))


@settings(max_examples=150, deadline=None, derandomize=True)
@given(st.integers(0, len(EXAMPLE) - 1), st.characters(max_codepoint=0x2FF))
def test_a_changed_letter_is_read_or_refused_and_never_breaks(at: int, letter: str) -> None:
    text = EXAMPLE[:at] + letter + EXAMPLE[at + 1 :]
    with suppress(BadTrf):
        assert trf.read_trf(text).players
