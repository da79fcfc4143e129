"""Random matches of Keltis, judged by a referee that shares no code with the engine."""

from __future__ import annotations

from random import Random

import pytest

from engine.game import CHANCE, apply, legal, to_act
from engine.games import GAMES
from engine.log import BadText, parse, replay
from engine.playout import roll_chance
from tests.engine.keltis.second_referee import Referee
from tests.support.random_matches import played

KELTIS = GAMES["keltis"]


@pytest.mark.parametrize("seats", KELTIS.rules.seats)
@pytest.mark.parametrize("seed", range(20))
def test_scores_and_options_agree(seats: int, seed: int) -> None:
    match = played("keltis", seats, seed)
    header, *rows, scores = str(match.log).splitlines()
    referee = Referee(header)
    for row, moment in zip(rows, match.moments, strict=True):
        listed = {
            "*" if seat == CHANCE else str(seat): {option.line for option in legal(moment.state, seat)}
            for seat in to_act(moment.state)
        }
        assert listed == referee.options()
        referee.hear(row)
    assert referee.phase == "over"
    assert scores == " ".join(["scores", *map(str, referee.scores())])


@pytest.mark.parametrize(
    "options",
    [
        {"start": 1},
        {"end-may-open": False},
        {"short-second-draw": "none"},
        {"start": 1, "end-may-open": False, "short-second-draw": "none"},
    ],
)
def test_options_of_the_match_agree_too(options: dict[str, int | bool | str]) -> None:
    words = "".join(f" · {name} {'off' if value is False else value}" for name, value in options.items())
    for seed in range(4):
        random = Random(seed)
        referee = Referee(f"game keltis · revision 2 · seats 2{words}")
        state = KELTIS.rules.start(2, options)
        while asked := sorted(to_act(state)):
            assert set(referee.options()) == {"*" if seat == CHANCE else str(seat) for seat in asked}
            seat = random.choice(asked)
            if seat == CHANCE:
                action = roll_chance(state, random.randrange)
            else:
                assert {option.line for option in legal(state, seat)} == referee.options()[str(seat)]
                action = random.choice(tuple(legal(state, seat)))
                stones = [option for option in legal(state, seat) if option.line.startswith("stone")]
                action = random.choice(stones) if stones and random.random() < 0.8 else action
            referee.hear(f"{'*' if seat == CHANCE else seat} {action.line}")
            state = apply(state, seat, action)
        assert [score.total for score in KELTIS.rules.scores(state)] == referee.scores()


@pytest.mark.parametrize("seats", KELTIS.rules.seats)
@pytest.mark.parametrize("seed", range(5))
def test_a_changed_word_is_refused_there_or_later_or_is_legal(seats: int, seed: int) -> None:
    random = Random(f"change {seats} {seed}")
    text = str(played("keltis", seats, seed).log)
    rows = text.splitlines()
    vocabulary = sorted({word for row in rows[1:] for word in row.split()})
    refused = 0
    for _ in range(15):
        at = random.randrange(1, len(rows))
        words = rows[at].split()
        place = random.randrange(len(words))
        words[place] = random.choice([word for word in vocabulary if word != words[place]])
        changed = [*rows[:at], " ".join(words), *rows[at + 1 :]]
        row = _first_fault("".join(f"{each}\n" for each in changed))
        truth = _heard(changed)
        assert row == truth, changed[at]
        assert row is None or row >= at + 1
        refused += row == at + 1
    assert refused > 5


def _first_fault(text: str) -> int | None:
    try:
        fault = replay(parse(text, GAMES)).fault
    except BadText as error:
        return error.row
    return fault.row if fault else None


def _heard(rows: list[str]) -> int | None:
    """The first row that the other referee refuses."""
    referee = Referee(rows[0])
    for number, row in enumerate(rows[1:], 2):
        try:
            if row.startswith("scores "):
                assert referee.phase == "over"
                assert number == len(rows)
                assert row.split()[1:] == list(map(str, referee.scores()))
            else:
                referee.hear(row)
        except (AssertionError, ValueError, IndexError, KeyError):
            return number
    return None
