"""Random matches of Tír na nÓg at every number of seats: cards, scores, lines and speed."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from engine.game import CHANCE, apply, legal, to_act
from engine.games.tir_na_nog import GAME
from engine.games.tir_na_nog.rules.cards import CARDS
from engine.games.tir_na_nog.rules.geas import BY_ROW
from engine.games.tir_na_nog.rules.saga import Saga
from engine.games.tir_na_nog.rules.state import TirNaNog
from engine.playout import roll_chance
from tests.engine.conserved.tir_na_nog import conserved
from tests.engine.tir_na_nog.second_scorer import SOLO, Cards, current, geas_points, region_points, regions

TABLES = [(2, "off"), (3, "off"), (4, "off"), (5, "off"), (2, "easy"), (2, "normal"), (2, "hard"), (2, "impossible")]
TRIOS = list(product(*BY_ROW))
MATCHES = 24


def written(saga: Saga) -> Cards:
    """A Saga as the second scorer reads it."""
    return {
        (row, slot): (
            placed.card,
            placed.colour or CARDS[placed.card].colour,
            CARDS[placed.card].value,
            placed.extra,
        )
        for row, own in enumerate(saga.rows)
        for slot, placed in enumerate(own)
        if placed
    }


def played(seats: int, balor: str, seed: int, geas: str = "random", edition: str = "house-3") -> TirNaNog:
    """Play a match in which every seat makes any listed line; check every state."""
    random = Random(f"{seats} {balor} {seed}")
    state: TirNaNog = GAME.rules.start(seats, {"balor": balor, "geas": geas, "edition": edition})
    while asked := sorted(to_act(state)):
        seat = random.choice(asked)
        options = tuple(legal(state, seat))
        assert seat == CHANCE or (options and len(set(options)) == len(options))
        action = roll_chance(state, random.randrange) if seat == CHANCE else random.choice(options)
        assert seat != CHANCE or action in legal(state, CHANCE)
        state = apply(state, seat, action)
        conserved(state)
    return state


@pytest.mark.parametrize(("seats", "balor"), TABLES)
def test_no_card_is_lost_and_a_second_scorer_agrees(seats: int, balor: str) -> None:
    for seed in range(MATCHES):
        trio = ",".join(TRIOS[(seed * 7 + seats) % len(TRIOS)])
        edition = "house-1" if balor != "off" else ("house-1", "house-2", "house-3")[seed % 3]
        end = played(seats, balor, seed, trio, edition)
        sagas = [written(saga) for saga in end.sagas]
        for saga, own in zip(end.sagas, sagas, strict=True):
            assert {at: saga.values[at[0]][at[1]] for at in own} == current(own)
        sizes = [regions(own) for own in sagas]
        if balor != "off":
            sizes[1] = {colour: sum(CARDS[card].colour == colour for card in end.pile) for colour in sizes[1]}
        for seat, score in enumerate(GAME.rules.scores(end)):
            his = balor != "off" and seat == 1
            expected = sum(SOLO[slug] if his else geas_points(slug, sagas[seat]) for slug in end.geas)
            expected += sum(region_points([each[colour] for each in sizes], edition)[seat] for colour in sizes[0])
            reds = sum(card[1] == "red" for card in sagas[seat].values())
            expected += reds * sum(card[0] == "tur-bhalair" for card in sagas[seat].values())
            assert score.total == expected == sum(count.points for count in score.counts)
            assert score.ties == (max(sizes[seat].values()),)


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_every_seat_has_three_turns_a_round(seats: int) -> None:
    for seed in range(6):
        end = played(seats, "off", seed)
        assert end.round == 5
        for saga in end.sagas:
            eaten = saga.cards.count("hungry-oillipheist")
            assert 15 - eaten - 3 <= len(saga.cards) <= 15


def test_every_trio_of_geas_can_be_played() -> None:
    for number, trio in enumerate(TRIOS):
        end = played(2, "off", number, ",".join(trio))
        assert end.over
        assert end.geas == trio
