"""The draw: what is committed, which key opens when, and the order that follows from key and beacon."""

from __future__ import annotations

import hmac
from hashlib import sha256

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.tournaments.formats import draw
from service.tournaments.formats.draw import BadDraw, draw_digest
from service.tournaments.formats.log_lines import DrawLine, RoundName, write

SEED = bytes(range(32))
DEALS = bytes(range(32, 64))
VALUE = "drand-quicknet:31337:" + "ab" * 32
IDS = tuple(f"p{number:011d}" for number in range(40))


def slow_order(digest: bytes, ids: list[str]) -> list[str]:
    """RECORD.md's picks written out once more: 64-bit values, those beyond the largest multiple thrown away."""
    left, order = sorted(ids), []
    for number in range(len(ids)):
        block, found = 0, None
        while found is None:
            stream = hmac.new(digest, f"pick\n{number}\n{block}\n".encode(), sha256).digest()
            for at in range(0, 32, 8):
                value = int.from_bytes(stream[at : at + 8], "big")
                if value < 2**64 // len(left) * len(left):
                    found = value % len(left)
                    break
            block += 1
        order.append(left.pop(found))
    return order


def test_the_chain_is_the_1024th_hash_and_each_key_hashes_to_the_one_before() -> None:
    value = SEED
    for _ in range(1024):
        value = sha256(value).digest()
    assert draw.commit_chain(SEED) == value.hex()
    before = draw.commit_chain(SEED)
    for number in range(1, 6):
        key = draw.open_key(SEED, number)
        draw.check_key(key, before)
        before = key
    assert draw.open_key(SEED, 1024) == SEED.hex()


def test_a_draw_is_one_line_and_one_digest() -> None:
    made = draw.make_draw(SEED, 3, RoundName("swiss", 2), VALUE)
    assert write(made) == f"draw swiss:2 {draw.open_key(SEED, 3)} {VALUE}"
    text = f"draw\nswiss:2\n{VALUE}\n".encode()
    assert draw_digest(made) == hmac.new(bytes.fromhex(made.key), text, sha256).digest()


def test_the_lot_order_is_the_records_picks_over_the_ids() -> None:
    made = draw.make_draw(SEED, 1, RoundName("pods", 0), VALUE)
    assert list(draw.lot_order(made, reversed(IDS))) == slow_order(draw_digest(made), list(IDS))
    # Written down once; a change here changes the draws of tournaments that have been played.
    assert [IDS.index(each) for each in draw.lot_order(made, IDS)][:6] == [1, 16, 28, 19, 3, 35]


@settings(deadline=None, derandomize=True)
@given(st.permutations(IDS[:9]))
def test_the_order_in_which_entrants_come_changes_nothing(ids: list[str]) -> None:
    made = DrawLine(RoundName("pods", 1), "11" * 32, "-")
    assert draw.lot_order(made, ids) == draw.lot_order(made, IDS[:9])


def test_another_key_round_or_value_gives_another_order() -> None:
    draws = {
        draw.lot_order(DrawLine(RoundName.read(round_name), key, value), IDS)
        for round_name in ("a:0", "a:1")
        for key in ("00" * 32, "01" * 32)
        for value in ("-", VALUE)
    }
    assert len(draws) == 8


def test_newcomers_stand_behind_the_draw_by_id() -> None:
    order = draw.lot_order(DrawLine(RoundName("a", 1), "11" * 32, "-"), IDS[5:8])
    assert draw.add_newcomers(order, [IDS[9], IDS[1], *IDS[5:8]]) == (*order, IDS[1], IDS[9])


def test_seeds_of_matches_follow_from_the_deals() -> None:
    text = b"deal\nswiss:4\n17\n"
    assert draw.deal_seed(DEALS, RoundName("swiss", 4), 17) == hmac.new(DEALS, text, sha256).digest()
    assert draw.commit_deals(DEALS) == sha256(DEALS).hexdigest()


@pytest.mark.parametrize(
    ("due", "wanted"),
    [
        (1_692_803_367_000 - 600_000, 1),  # ten minutes later is the very first round
        (1_692_803_367_000 - 599_999, 2),
        (1_692_803_367_000 - 597_000, 2),
        (1_692_803_367_000 - 596_999, 3),
        (0, 1),
        (1_800_000_000_000, 1 + (1_800_000_600 - 1_692_803_367 + 2) // 3),
    ],
)
def test_the_beacons_round_is_the_first_ten_minutes_after_the_line(due: int, wanted: int) -> None:
    assert draw.beacon_round(due) == wanted


@settings(deadline=None, derandomize=True)
@given(st.integers(1_692_803_367_000, 2_000_000_000_000))
def test_no_earlier_round_is_ten_minutes_away(due: int) -> None:
    time_of_round = 1_692_803_367_000 + (draw.beacon_round(due) - 1) * 3_000
    assert 0 <= time_of_round - (due + 600_000) < 3_000


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("-", "not a value"),
        ("drand-quicknet:1:xyz", "not a value"),
        ("nist:35732412:" + "ab" * 32, "comes from nist"),
        (f"drand-quicknet:{draw.beacon_round(1_800_000_000_000) + 1}:" + "ab" * 32, r"but round \d+ was due"),
    ],
)
def test_a_value_that_is_malformed_or_of_another_round_is_refused(value: str, words: str) -> None:
    with pytest.raises(BadDraw, match=words):
        draw.check_value(value, "drand-quicknet", 1_800_000_000_000)


def test_a_value_of_the_due_round_passes() -> None:
    due = 1_800_000_000_000
    draw.check_value(f"drand-quicknet:{draw.beacon_round(due)}:{'ab' * 32}", "drand-quicknet", due)
    draw.check_value("-", "none", due)
    with pytest.raises(BadDraw, match="no beacon"):
        draw.check_value(VALUE, "none", due)


def test_a_wrong_key_and_wrong_secrets_are_refused() -> None:
    with pytest.raises(BadDraw, match="does not hash"):
        draw.check_key(draw.open_key(SEED, 2), draw.commit_chain(SEED))
    with pytest.raises(BadDraw, match="64 hex digits"):
        draw.check_key("no key", draw.commit_chain(SEED))
    with pytest.raises(BadDraw, match="32 bytes"):
        draw.commit_chain(b"short")
    with pytest.raises(BadDraw, match="at most 1024"):
        draw.open_key(SEED, 1025)
    with pytest.raises(BadDraw, match="counted from 1"):
        draw.make_draw(SEED, 0, RoundName("a", 0))
