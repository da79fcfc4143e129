"""A second Balor, written independently, recomputes every line of our Balor in random solo matches."""

from __future__ import annotations

import pytest

from engine.chance import seeded_pick
from engine.game import CHANCE, apply, legal, to_act
from engine.games.tir_na_nog import GAME
from engine.games.tir_na_nog.rules.cards import CARDS
from engine.games.tir_na_nog.rules.state import TirNaNog
from engine.log import Log, Move, parse, replay
from engine.playout import roll_chance
from tests.engine.tir_na_nog.second_balor import SecondBalor


@pytest.mark.parametrize("balor", ["easy", "normal", "hard", "impossible"])
def test_a_second_balor_finds_the_same_lines(balor: str) -> None:
    printed = {slug: each.value for slug, each in CARDS.items()}
    ailm = {slug for slug, each in CARDS.items() if each.ailm}
    seen = {"place": 0, "take": 0, "wander": 0, "flip": 0}
    for seed in range(60):
        log = played(balor, seed)
        second, turns = SecondBalor(printed, ailm), 0
        rows = [str(move) for move in log.moves]
        for row in rows:
            sign, verb, *_ = row.split()
            if sign == "1":
                assert row == f"1 {second.place() if verb == 'place' else second.take()}"
                seen[verb] += 1
            turns += verb == "turn"
            seen["wander"] += verb == "wander"
            second.told(row)
        assert turns == 30
        assert len(second.pile) == 15
        spared = [
            row.split()[2] for row in rows[len(rows) - {"easy": 3, "normal": 2, "hard": 1, "impossible": 0}[balor] :]
        ]
        colours = {slug: each.colour for slug, each in CARDS.items()}
        end = replay(log).state
        assert isinstance(end, TirNaNog)
        assert max(second.regions(colours, spared).values()) == GAME.rules.scores(end)[1].ties[0]
    assert seen["place"] == seen["take"] == 60 * 15


def played(balor: str, seed: int) -> Log:
    """A random solo match, written and read back."""
    settings = {"balor": balor}
    state: TirNaNog = GAME.rules.start(2, settings)
    pick, moves = seeded_pick(seed), []
    while asked := to_act(state):
        (seat,) = asked
        options = tuple(legal(state, seat))
        assert seat != 1 or len(options) == 1
        action = roll_chance(state, pick) if seat == CHANCE else options[pick(len(options))]
        moves.append(Move(seat, action.line))
        state = apply(state, seat, action)
    totals = tuple(score.total for score in GAME.rules.scores(state))
    log = parse(str(Log(GAME, 2, settings, tuple(moves), totals, GAME.rules.revision)), {"tir-na-nog": GAME})
    assert replay(log).fault is None
    return log
