"""Ladder: permitted challenges, and the order after a match."""

from __future__ import annotations

from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.tournaments.formats import ladder
from service.tournaments.formats.crosstable import How, Pairing, rank_scores
from service.tournaments.formats.ladder import Challenge, ChallengeRefused

ORDER = (5, 3, 8, 1, 9, 2)
check_challenge = partial(ladder.check_challenge, ORDER, reach=3, at_once=2)


def win(winner: int, loser: int) -> Pairing:
    """Return a match with this winner."""
    return Pairing((loser, winner), rank_scores([0, 1]))


def test_the_first_order_is_by_rating_then_by_the_draw() -> None:
    assert ladder.first_order([(1, (0, 1500)), (2, (0, 1700)), (3, (0, 1500)), (4, (0, 1500))], [4, 1, 2]) == (
        2,
        4,
        1,
        3,
    )
    assert ladder.first_order([(1, (-1, 1500)), (2, (-1, 1700)), (3, (0, 1200))], [2, 1, 3]) == (3, 2, 1)
    assert ladder.put_last((2, 1), 7) == (2, 1, 7)
    assert ladder.put_last(ORDER, 8) == (5, 3, 1, 9, 2, 8)


@pytest.mark.parametrize(
    ("challenge", "running", "recent", "reason"),
    [
        (Challenge(7, 5), [], [], "not-on-the-ladder"),
        (Challenge(5, 5), [], [], "own-place"),
        (Challenge(5, 3), [], [], "not-above"),
        (Challenge(9, 5), [], [], "beyond-reach"),
        (Challenge(1, 8), [Challenge(1, 8)], [], "open-already"),
        (Challenge(1, 8), [Challenge(1, 5), Challenge(1, 3)], [], "too-many-made"),
        (Challenge(1, 8), [Challenge(9, 8), Challenge(2, 8)], [], "too-many-received"),
        (Challenge(1, 8), [], [(8, 1)], "too-soon"),
    ],
)
def test_a_challenge_against_the_rules_is_refused(
    challenge: Challenge, running: list[Challenge], recent: list[tuple[int, int]], reason: str
) -> None:
    with pytest.raises(ChallengeRefused) as refused:
        check_challenge(challenge, open_challenges=running, recent=recent)
    assert refused.value.reason == reason


def test_challenges_made_and_received_are_counted_apart() -> None:
    # 8 has made two open challenges, and can still be challenged: these protect nobody.
    own = [Challenge(8, 3), Challenge(8, 5)]
    check_challenge(Challenge(1, 8), open_challenges=own)
    # 1 has received two, and may still challenge.
    received = [Challenge(9, 1), Challenge(2, 1)]
    check_challenge(Challenge(1, 8), open_challenges=received)


@pytest.mark.parametrize(
    ("winner", "loser", "wanted"),
    [
        (9, 3, (5, 9, 3, 8, 1, 2)),
        (3, 9, ORDER),
        (2, 9, (5, 3, 8, 1, 2, 9)),
        # They have passed each other meanwhile: the winner keeps the better place, or gets it.
        (5, 8, ORDER),
        (8, 5, (8, 5, 3, 1, 9, 2)),
        (7, 5, ORDER),
    ],
)
def test_the_winner_takes_the_better_place(winner: int, loser: int, wanted: tuple[int, ...]) -> None:
    assert ladder.apply_result(ORDER, win(winner, loser)) == wanted


@pytest.mark.parametrize(
    ("scores", "hows", "winner"),
    [
        ((3, 1), (How.PLAYED, How.PLAYED), 9),
        ((1, 3), (How.PLAYED, How.PLAYED), 5),
        ((2, 2), (How.PLAYED, How.PLAYED), None),
        ((0, 0), (How.FORFEIT, How.PLAYED), 5),
        ((5, 0), (How.STAND_IN, How.PLAYED), 5),
        ((0, 0), (How.FORFEIT, How.FORFEIT), None),
    ],
)
def test_a_result_moves_the_winner(scores: tuple[int, int], hows: tuple[How, How], winner: int | None) -> None:
    pairing = Pairing((9, 5), rank_scores(scores, hows))
    both = ladder.find_winner(pairing)
    assert (None if both is None else both[0]) == winner
    assert ladder.apply_result(ORDER, pairing) == ((9, 5, 3, 8, 1, 2) if winner == 9 else ORDER)
    assert ladder.find_winner(Pairing((9, 5))) is None


@settings(deadline=None, derandomize=True)
@given(st.permutations(ORDER), st.sampled_from(ORDER), st.sampled_from(ORDER))
def test_nobody_is_lost_and_only_those_between_move(order: list[int], winner: int, loser: int) -> None:
    after = ladder.apply_result(order, win(winner, loser))
    assert sorted(after) == sorted(order)
    low, high = sorted((order.index(winner), order.index(loser)))
    assert after[:low] == tuple(order[:low])
    assert after[high + 1 :] == tuple(order[high + 1 :])
    assert after.index(winner) == low
