"""Two exports of one match: one story, shown consistently; and what several viewers see together."""

from __future__ import annotations

import pytest

from service.record.compare import compare_exports, merge_exports
from service.record.errors import BadRecord
from tests.support.record_builder import Story, Table, begun, finished, header, hidden, known, lines, played, public

ALICE = public("alice")


def seen(viewer: str) -> bytes:
    match = played()
    return match.export(viewer, over=False, shown=hidden(match, viewer))


def refused(one: bytes, other: bytes) -> tuple[int, str]:
    with pytest.raises(BadRecord) as caught:
        compare_exports(one, other)
    return caught.value.line, caught.value.reason


def test_exports_of_all_viewers_and_times_agree() -> None:
    exports = [finished().export(), seen("0"), seen("1"), seen("-"), played().export(over=False)]
    for one in exports:
        for other in exports:
            compare_exports(one, other, server_keys=known())


def test_another_header_is_another_story() -> None:
    one, other = (Story(header(started=started), [ALICE]) for started in (1_790_000_005_000, 1_790_000_005_001))
    assert refused(one.export(over=False), other.export(over=False)) == (1, "story")


def test_another_entry_is_another_story() -> None:
    other = played(Table({3: "N0"}))
    expected = (1 + 4 + 1, "story")
    assert refused(seen("-"), other.export("-", over=False, shown=hidden(other, "-"))) == expected


def test_a_match_that_was_over_does_not_go_on() -> None:
    short = Story(header(), [ALICE]).signed(0, "alice", "pass")
    long = Story(header(), [ALICE]).signed(0, "alice", "pass").chance("draw 0 R1")
    assert refused(short.export(), long.export(over=False)) == (3 + 2, "story")


@pytest.mark.parametrize("form", ["draw 1 ?", "draw 0 ? ?", "draw 0 R?"])
def test_what_was_shown_must_fit_what_it_is(form: str) -> None:
    match = Story(header(), [ALICE]).chance("draw 0 G4")
    sealed = match.export("1", over=False, shown={1: form})
    assert refused(sealed, match.export()) == (4, "shown")
    assert refused(match.export("0", over=False), sealed) == (4, "shown")


def test_keys_and_resigning_may_not_have_been_sealed() -> None:
    for line in ("resign", f"keys {ALICE.id}"):
        match = Story(header(), [ALICE]).signed(0, "alice", line)
        assert refused(match.export("1", over=False, shown={1: "?"}), match.export()) == (4, "shown")


def test_a_bad_export_is_refused_before_it_is_compared() -> None:
    assert refused(seen("0")[:-2], seen("1"))[1] == "cut"


def test_the_union_of_seats_is_the_open_export_up_to_its_head() -> None:
    found = merge_exports([seen("0"), seen("1"), seen("-")], server_keys=known())
    assert found.lines == b"".join(lines(played().export(over=False))[:-1])
    assert (found.entries, found.redacted) == (22, 0)
    assert merge_exports([seen("-")]).redacted == 6


def test_the_union_takes_the_longest_and_the_seed() -> None:
    early = begun(Table())
    early.keys = [ALICE]
    found = merge_exports([early.export("0", over=False, shown=hidden(early, "0")), finished().export(), seen("1")])
    assert found.lines == b"".join(lines(finished().export())[:-1])


def test_the_union_of_two_stories_is_refused() -> None:
    with pytest.raises(BadRecord, match="story"):
        merge_exports([seen("0"), played(Table({3: "N0"})).export(over=False)])
