"""Two worlds that differ only in secrets: same ids, same clock, same public lines. Others must not tell them apart."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from engine.games import GAMES
from tests.support.fixtures import KINDS
from tests.support.http_tables import until_last_cards
from tests.support.players import Clock
from tests.support.two_worlds import Line, Seen, World, end_card, fresh_configs, looked, same


@pytest.fixture(params=KINDS)
def worlds(request: pytest.FixtureRequest, tmp_path: Path, clock: Clock) -> list[World]:
    """Two worlds of Keltis with different seeds."""
    return [
        World(config, clock, seed) for seed, config in enumerate(fresh_configs(request, tmp_path, request.param), 1)
    ]


def played(world: World, lines: list[Line] | None, turns: int) -> tuple[list[Seen], list[Line], Any]:
    """Play turns of discarding and drawing, or the given lines, until seat 0 resigns.

    Return what others saw after each turn and of the end, the lines, and the last hand of seat 1.
    """
    with world.begun() as (one, two):
        looks: list[Seen] = []
        made = []
        for turn in range(turns):
            each = (one, two)[turn % 2]
            hand = each.read("table")["view"]["hand"]
            line = lines[turn][1] if lines else f"discard {hand[turn % len(hand)]}"
            world.move(each, line, "draw deck")
            made.append((each.seat, line))
            looks += looked(one)
        hand = two.read("table")["view"]["hand"]
        world.move(one, "resign")
        return [*looks, end_card(one)], made, hand


def other_secrets(dealt: list[str], made: list[Line]) -> list[str]:
    """The same chance lines with other cards for seat 1, except those it will show."""
    given = [card for line in dealt for card in line.split(" ")[2:]]
    spare = list((Counter(GAMES["keltis"].rules.start(2).unseen) - Counter(given)).elements())
    shown = Counter(line.split(" ")[1] for seat, line in made if seat == 1)
    script = []
    for line in dealt:
        verb, seat, *cards = line.split(" ")
        if seat == "1":
            for at, card in enumerate(cards):
                if shown[card]:
                    shown[card] -= 1
                else:
                    cards[at] = spare.pop(len(spare) // 2)
        script.append(" ".join([verb, seat, *cards]))
    return script


def test_other_hands_and_another_deck_look_the_same(worlds: list[World]) -> None:
    first, second = worlds
    looks, made, hand = played(first, None, turns=6)
    second.script = other_secrets(first.dealt, made)
    again, repeated, other = played(second, made, turns=6)
    assert repeated == made
    assert second.dealt == second.script
    assert len(set(hand) & set(other)) < len(set(hand)) - 3
    same(looks, again)


def test_a_sealed_answer_looks_like_any_other(worlds: list[World]) -> None:
    looks: list[list[Seen]] = []
    lasts: list[str] = []
    for world, choice in zip(worlds, (0, -1), strict=True):
        world.seed = 1
        with world.begun() as (one, two):
            until_last_cards(one, two)
            lasts.append(two.lines[choice])
            world.move(two, lasts[-1])
            looks.append(looked(one))
    assert lasts[0] != lasts[1]
    same(*looks)


def test_orders_that_wait_are_seen_by_their_sender_alone(worlds: list[World]) -> None:
    looks: list[list[Seen]] = []
    for world, waits in zip(worlds, (False, True), strict=True):
        world.seed = 1
        with world.begun() as (one, two):
            if waits:
                table = two.read("table")
                body = two.signed("draw deck", orders=True, asked=table["seq"], prev=table["hash"])
                assert two.send(body).json["waiting"] == 1
            looks.append(looked(one))
    same(*looks)


def test_worlds_that_differ_in_public_are_told_apart(worlds: list[World]) -> None:
    looks: list[list[Seen]] = []
    for world, choice in zip(worlds, (0, 1), strict=True):
        world.seed = 1
        with world.begun() as (one, two):
            world.move(one, [line for line in one.lines if line.startswith("discard")][choice], "draw deck")
            looks.append(looked(two))
    different = {name for one, two in zip(*looks, strict=True) for name in one if one[name] != two[name]}
    assert {"/table", "/table.txt", "/table.svg", "/table.png", "/history?limit=200", "/record"} <= different
