"""Picks: given vectors, the same numbers computed by hand, and the hands they deal."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections import Counter
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from engine.chance import Numbered, bot_stream, deal_key, match_key, numbered_pick, seeded_pick, stretched_pick
from engine.game import CHANCE, apply
from engine.games import GAMES
from engine.playout import roll_chance

VECTORS: dict[str, Any] = json.loads((Path(__file__).parents[1] / "vectors" / "picks.json").read_text("ascii"))
SEED, KEY = bytes.fromhex(VECTORS["seed"]), bytes.fromhex(VECTORS["K"])


def by_hand(key: bytes, label: str, n: int) -> tuple[int, int]:
    """The first fair pick of a stream, and how many values were rejected before it."""
    rejected = 0
    for block in count():
        digest = hmac.new(key, f"{label}{block}\n".encode(), hashlib.sha256).digest()
        for number in range(4):
            value = int(digest[8 * number : 8 * number + 8].hex(), 16)
            if value < 2**64 // n * n:
                return value % n, rejected
            rejected += 1
    raise AssertionError


def test_the_key_of_a_match() -> None:
    assert match_key(SEED, tuple(VECTORS["nonces"]), VECTORS["beacon"]) == KEY
    assert hmac.new(SEED, b"key\n00ff\n-\n-\n", hashlib.sha256).digest() == KEY
    assert match_key(SEED, ("ff", "-")) != match_key(SEED, ("00ff", "-"))


@pytest.mark.parametrize("vector", VECTORS["picks"] + VECTORS["picks_with_rejection"])
def test_numbered_picks(vector: dict[str, Any]) -> None:
    number, n = vector["j"], int(vector["n"])
    expected, rejected = by_hand(KEY, f"pick\n{number}\n", n)
    assert numbered_pick(KEY, number, n) == int(vector["pick"]) == expected
    assert vector.get("rejected", rejected) == rejected


def test_rejections_run_over_several_blocks() -> None:
    assert max(vector["rejected"] for vector in VECTORS["picks_with_rejection"]) >= 2
    n, longest = 2**63 + 1, 0
    for number in range(200):
        expected, rejected = by_hand(KEY, f"pick\n{number}\n", n)
        assert numbered_pick(KEY, number, n) == expected
        longest = max(longest, rejected)
    assert longest >= 4


def test_picks_one_after_the_other_are_the_numbered_ones() -> None:
    pick = Numbered(KEY, 5)
    assert [pick(n) for n in (1, 7, 101)] == [numbered_pick(KEY, number, n) for number, n in ((5, 1), (6, 7), (7, 101))]
    assert pick.number == 8


def test_the_cards_of_a_match() -> None:
    game, pick = GAMES["keltis"], Numbered(KEY)
    state = game.rules.start(2, {"start": 0})
    dealt: list[str] = []
    for _ in range(2):
        action = roll_chance(state, pick)
        dealt += action.line.split()[2:]
        state = apply(state, CHANCE, action)
    assert dealt == [vector["card"] for vector in VECTORS["picks_of_the_match"][:16]]
    assert state.picks == pick.number == 16
    unseen = list(state.unseen)
    for vector in VECTORS["picks_of_the_match"]:
        assert numbered_pick(KEY, vector["j"], vector["n"]) == vector["pick"]
    for vector in VECTORS["picks_of_the_match"][16:]:
        assert len(unseen) == vector["n"]
        assert unseen.pop(vector["pick"]) == vector["card"]


def test_a_bot_takes_the_next_values_of_its_stream() -> None:
    given = VECTORS["bot_picks"]
    pick = bot_stream(KEY, given["seat"], given["entries"])
    assert [pick(n) for n in given["n"]] == given["picks"]
    values = [
        int.from_bytes(hmac.new(KEY, f"bot\n1\n2\n{block}\n".encode(), hashlib.sha256).digest()[at : at + 8], "big")
        for block in range(2)
        for at in (0, 8, 16, 24)
    ]
    assert given["picks"] == [value % n for value, n in zip(values, given["n"], strict=False)]
    other = bot_stream(KEY, given["seat"], given["entries"] + 1)
    assert [other(10**6) for _ in range(3)] != [bot_stream(KEY, 1, 2)(10**6) for _ in range(3)]


def test_a_seeded_source_repeats_itself_and_is_fair() -> None:
    first, again = seeded_pick(7), seeded_pick(7)
    assert [first(n) for n in range(1, 100)] == [again(n) for n in range(1, 100)]
    pick = seeded_pick(1)
    found = Counter(pick(6) for _ in range(6000))
    assert found.keys() == set(range(6))
    assert all(850 < many < 1150 for many in found.values())


def test_numbered_picks_are_fair() -> None:
    found = Counter(numbered_pick(KEY, number, 6) for number in range(3000))
    assert all(400 < found[side] < 600 for side in range(6))


def test_the_key_of_a_named_deal() -> None:
    assert deal_key("Sunday évening") == hashlib.sha256("Sunday évening".encode()).digest()


def test_one_choice_stretched_into_many_is_easy_to_compute_and_fair() -> None:
    pick, value = stretched_pick(42), 42
    for n in (6, 60, 2**32, 1):
        value = (value * 6364136223846793005 + 1442695040888963407) % 2**64
        assert pick(n) == (value // 2**32) * n // 2**32
    drawn = Counter(stretched_pick(seed)(6) for seed in range(0, 2**64, 2**64 // 6000))
    drawn += Counter(map(stretched_pick(7), [6] * 6000))
    assert set(drawn) == set(range(6))
    assert all(1800 < number < 2200 for number in drawn.values())
