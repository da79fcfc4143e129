"""Lines of keys that only the house gave to a seat are attested, until a key that is proved signs for them."""

from __future__ import annotations

import re
from pathlib import Path

from service.record.header import Occupant
from service.record.verify import verify
from tests.golden.records import FOLDER
from tests.service.record.test_verify_js import told
from tests.support.record_builder import Story, header, public, with_device

NAMES = ("alice", "bran", "laptop", "phone", "tablet")


def keys(*names: str) -> str:
    return ",".join(sorted(public(name).id for name in names))


def story(*names: str) -> Story:
    """A match in which seat 0 is Alice's."""
    return Story(header(), [public(name) for name in sorted(names, key=lambda name: public(name).id)])


def by_phone_and_its_friends() -> Story:
    """Return a story in which a key that is only attested signs for another one, which proves nothing."""
    made = story("alice", "phone", "tablet").house(f"keys 0 {keys('alice', 'phone')}").signed(0, "phone", "discard R1")
    made.signed(0, "phone", f"keys {keys('alice', 'phone', 'tablet')}").signed(0, "tablet", "discard R2")
    return made.signed(0, "alice", "discard R3")


def by_a_key_that_went_and_came_back() -> Story:
    """A key of the start stays proved, whoever took it from the seat and gave it back."""
    made = story("alice", "phone").house(f"keys 0 {keys('phone')}").signed(0, "phone", "discard R1")
    return made.house(f"keys 0 {keys('alice')}").signed(0, "alice", "discard R2")


def by_a_player_who_sits_down() -> Story:
    """Return a story in which a new player's keys are proved, and the former player's no longer are."""
    made = story("alice", "bran", "phone").house(f"seat 0 c0l2e4i6f8ux {keys('bran')}").signed(0, "bran", "discard R1")
    made.house(f"keys 0 {keys('alice', 'phone')}").signed(0, "alice", "discard R2")
    return made.house("bot 0 steady", f"seat 0 p4v8n2d6s0wa {keys('alice')}").signed(0, "alice", "discard R3")


def by_a_seat_without_keys() -> Story:
    """A player who joined by letter has no key that could sign for the first device."""
    made = Story(header(Occupant("p4v8n2d6s0wa"), Occupant("b3j5h7r9t1ye")), [public("laptop")])
    return made.house(f"keys 0 {keys('laptop')}").signed(0, "laptop", "discard R1", "draw deck")


STORIES = {
    "device": (with_device().export(), 6, 2),
    "friends": (by_phone_and_its_friends().export(over=False), 1, 3),
    "back": (by_a_key_that_went_and_came_back().export(over=False), 1, 1),
    "sits": (by_a_player_who_sits_down().export(over=False), 2, 1),
    "none": (by_a_seat_without_keys().export(over=False), 0, 2),
}
"""Records, with how many lines are signed and how many only attested."""


def test_both_verifiers_count_what_is_attested(tmp_path: Path) -> None:
    said = told(tmp_path, {name: data for name, (data, _, _) in STORIES.items()})
    for name, (data, signed, attested) in STORIES.items():
        report = verify(data)
        assert (report.signed, report.attested) == (signed, attested), name
        assert said[name].startswith("good: "), name
        count = re.search(r"(\d+) by keys that only the house gave", said[name])
        assert f" {signed} signed, " in said[name]
        assert count is not None
        assert int(count[1]) == attested
        for locale, words in (("en", "attested, not proved"), ("fr", "attestées, non prouvées")):
            assert words in report.text(locale)
        assert "devices" in report.unproved()


def test_records_of_before_are_counted_as_before() -> None:
    found = [verify(path.read_bytes()) for path in sorted(FOLDER.glob("*.jsonl"))]
    assert len(found) > 20
    assert all(report.attested == 0 and "devices" not in report.unproved() for report in found)
    assert any(house.line.startswith("keys ") for report in found for house in report.house)
