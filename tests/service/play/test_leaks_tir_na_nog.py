"""Tír na nÓg in two worlds: hands, the deck, sealed discards and the draw of Aengus's Brú tell others nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from engine.chance import seeded_pick
from engine.game import CHANCE, Pick, apply, legal, to_act
from engine.games.tir_na_nog import GAME
from engine.games.tir_na_nog.rules.state import TirNaNog
from engine.house import objection
from engine.playout import roll_chance
from engine.reading import read
from tests.support.fixtures import KINDS
from tests.support.players import Clock
from tests.support.two_worlds import Line, World, fresh_configs, same

BRU = "aengus-bru"
SEEDS = range(200)
Tale = tuple[Line, ...]
Until = Callable[[TirNaNog], bool]


@pytest.fixture(params=KINDS)
def worlds(request: pytest.FixtureRequest, tmp_path: Path, clock: Clock) -> list[World]:
    """Two worlds with different seeds."""
    configs = fresh_configs(request, tmp_path, request.param)
    return [World(config, clock, seed, game="tir-na-nog") for seed, config in enumerate(configs, 1)]


def cleaning(state: TirNaNog) -> bool:
    """Whether both seats are asked for a discard."""
    return state.phase == "cleanup" and to_act(state) == {0, 1}


def keeping(state: TirNaNog) -> bool:
    """Whether seat 1 has drawn a card and is asked what becomes of it."""
    return bool(state.drawn) and to_act(state) == {1}


def after(tale: Tale) -> TirNaNog:
    """The table after these lines, every one of them possible."""
    state = GAME.rules.start(2)
    for seat, line in tale:
        action = read(GAME, line, seat)
        assert not objection(state, seat, action), (seat, line)
        state = apply(state, seat, action)
    return state


def random_tale(seed: int, until: Until, most: int = 60) -> Tale | None:
    """Lines up to such a table; seat 1 is dealt Aengus's Brú and plays it as soon as it can."""
    pick, state = seeded_pick(seed), GAME.rules.start(2)
    tale: list[Line] = []
    while not until(state):
        seat = min(to_act(state), default=None)
        if seat is None or len(tale) == most:
            return None
        line = _dealt(state, pick) if seat == CHANCE else _chosen(state, seat, pick)
        state = apply(state, seat, read(GAME, line, seat))
        tale.append((seat, line))
    return tuple(tale)


def _dealt(state: TirNaNog, pick: Pick) -> str:
    line = roll_chance(state, pick).line
    verb, *rest = line.split(" ")
    if (verb, rest[0]) != ("deal", "1") or BRU in rest:
        return line
    return " ".join([verb, rest[0], BRU, *rest[2:]])


def _chosen(state: TirNaNog, seat: int, pick: Pick) -> str:
    lines = [action.line for action in legal(state, seat)]
    wanted = [line for line in lines if line.startswith(f"play {BRU} ")]
    return (wanted or lines)[pick(len(wanted or lines))]


def other_secrets(tale: Tale) -> Tale:
    """The same lines with other cards for seat 1, except those that it shows."""
    spare = sorted(after(tale).deck, key=lambda card: (len(card), card))
    shown = Counter(word for seat, line in tale if seat == 1 for word in line.split(" ")[1:])
    other: list[Line] = []
    for seat, line in tale:
        verb, *rest = line.split(" ")
        if seat == CHANCE and verb in ("deal", "draw") and rest[0] == "1":
            for at, card in enumerate(rest[1:], 1):
                if shown[card]:
                    shown[card] -= 1
                else:
                    rest[at] = spare.pop(0 if len(card) > 12 else -1)
        other.append((seat, " ".join([verb, *rest])))
    return tuple(other)


@cache
def twins(until: Until) -> tuple[Tale, Tale]:
    """The first random tale to such a table that has a twin."""
    for seed in SEEDS:
        tale = random_tale(seed, until)
        if tale is None:
            continue
        try:
            twin = other_secrets(tale)
            after(twin)
        except (AssertionError, ValueError, IndexError):
            continue
        if len(set(after(tale).hands[1]) & set(after(twin).hands[1])) < len(after(tale).hands[1]):
            return tale, twin
    raise AssertionError("no seed has twins")


def test_hands_and_a_sealed_discard_look_the_same(worlds: list[World]) -> None:
    tales = [[*tale, (1, f"discard {_unshared(tale)}")] for tale in twins(cleaning)]
    assert tales[0][-1] != tales[1][-1]
    hands = [after(tuple(tale)).hands[1] for tale in tales]
    assert hands[0] != hands[1]
    points = {4, len(tales[0]) // 2, len(tales[0]) - 2, len(tales[0]) - 1}
    same(*(world.told(tale, points) for world, tale in zip(worlds, tales, strict=True)))


def _unshared(tale: Tale) -> str:
    """A card in the hand of seat 1 that it does not hold in the other world."""
    one, two = (Counter(after(each).hands[1]) for each in twins(cleaning))
    mine = one - two if tale == twins(cleaning)[0] else two - one
    return next(iter(mine))


def test_the_draw_of_the_bru_looks_the_same(worlds: list[World]) -> None:
    found = twins(keeping)
    assert after(found[0]).drawn != after(found[1]).drawn
    keep = next(action.line for action in legal(after(found[0]), 1) if action.verb == "keep")
    tales = [[*tale, (1, keep)] for tale in found]
    points = {len(tales[0]) - 3, len(tales[0]) - 2, len(tales[0]) - 1}
    same(*(world.told(tale, points) for world, tale in zip(worlds, tales, strict=True)))
