"""The calls of the verifier to the rules: their order, and the line that it blames."""

from __future__ import annotations

import pytest

from service.record.entry import Entry
from service.record.errors import BadRecord, BadRecordPart
from service.record.header import Header
from service.record.verify import GameRules, verify
from tests.support.record_builder import SEED, finished, hidden, played


class Listener:
    """Rules that write down what they are asked, and refuse one entry."""

    def __init__(self, wrong: int | None = None, unfinished: str = "") -> None:
        self.wrong = wrong
        self.unfinished = unfinished
        self.heard: list[object] = []

    def start(self, header: Header, viewer: str, seed: bytes | None) -> None:
        self.heard.append((header.game, header.seats, viewer, seed))

    def check_entry(self, entry: Entry) -> None:
        self.heard.append(entry)
        if entry.seq == self.wrong:
            raise BadRecordPart("rules", "this line is not listed")

    def finish(self) -> None:
        self.heard.append("over")
        if self.unfinished:
            raise BadRecordPart("rules", self.unfinished)


def test_the_rules_hear_the_header_every_entry_and_the_end() -> None:
    rules = Listener()
    asked: GameRules = rules
    assert verify(finished().export(), rules=asked).rules
    begin, *entries, over = rules.heard
    assert begin == ("keltis", 2, "all", SEED)
    assert over == "over"
    assert [entry.line for entry in entries if isinstance(entry, Entry)] == [row["line"] for row in finished().entries]


def test_the_rules_hear_alternatives_orders_and_redacted_forms() -> None:
    rules = Listener()
    match = played()
    verify(match.export("0", over=False, shown=hidden(match, "0")), rules=rules)
    entries = [entry for entry in rules.heard if isinstance(entry, Entry)]
    assert rules.heard[0] == ("keltis", 2, "0", None)
    sealed = entries[1]
    assert (sealed.redacted, sealed.shown, sealed.line) == (True, "deal 1 ? ? ? ? ? ? ? ?", "")
    either = entries[8]
    assert len(either.alternatives) == 2
    assert either.line == either.alternatives[1]
    assert entries[9].alternatives == (entries[9].line,)
    assert [(entry.asked, entry.n, entry.orders) for entry in entries[20:]] == [(17, 1, True), (17, 2, False)]


def test_the_first_wrong_move_is_blamed_with_its_line() -> None:
    with pytest.raises(BadRecord) as caught:
        verify(finished().export(), rules=Listener(wrong=7))
    assert str(caught.value) == "line 12: rules: this line is not listed"


def test_a_match_that_is_not_over_is_blamed_on_the_last_line() -> None:
    with pytest.raises(BadRecord, match=r"line 37: rules: the match goes on"):
        verify(finished().export(), rules=Listener(unfinished="the match goes on"))


def test_the_rules_are_not_asked_about_a_record_with_wrong_bytes() -> None:
    rules = Listener()
    with pytest.raises(BadRecord, match="commit"):
        verify(finished().export().replace(b"deal 0 ", b"deal 1 ", 1), rules=rules)
    assert rules.heard == []
