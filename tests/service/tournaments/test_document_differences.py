"""The changes made by a changed document, and which of them have begun."""

from __future__ import annotations

import pytest

from service.tournaments.documents.document_differences import BegunParts, describe_differences
from tests.support.tournament_documents import PODS, SWISS, read_text

NOTHING = BegunParts()
ENTRY = BegunParts(entry=True)
CLOSED = BegunParts(entry=True, closed=True)
RUNNING = BegunParts(entry=True, closed=True, rounds={"main": 2, "tables": 2})


@pytest.mark.parametrize(
    ("text", "old", "new", "paths", "allowed"),
    [
        # Which of nothing begun, entry open, entry closed and two rounds begun allow the change.
        (SWISS, "en: Winter Táin", "en: Summer", ["/title/en"], "yyyy"),
        (SWISS, "[maeve, ronan]", "[maeve]", ["/organisers"], "yyyy"),
        (SWISS, "drand-quicknet", "none", ["/draw/beacon"], "nnnn"),
        (SWISS, "marker: fixed", "marker: rotate", ["/options/marker", "/stages/0/options/marker"], "ynnn yyyn"),
        (SWISS, "opens: 2026-12-05", "opens: 2026-12-06", ["/entry/opens"], "ynnn"),
        (SWISS, "closes: 2027-01-15", "closes: 2027-01-14", ["/entry/closes"], "yynn"),
        (SWISS, "most: 40", "most: 41", ["/entry/most"], "yynn"),
        (SWISS, "clock: tournament", "clock: block", ["/clock"], "yyyn"),
        (SWISS, "rounds: 6", "rounds: 5", ["/stages/0/rounds"], "yyyy"),
        (SWISS, "rounds: 6", "rounds: 2", ["/stages/0/rounds"], "yyyy"),
        (SWISS, "until_round: 2, bye: half}\n  reserves: 36h", "until_round: 1, bye: half}\n  reserves: 36h",
         ["/entry/late/until_round"], "yynn"),
        (SWISS, "gap: 1d", "gap: 2d", ["/stages/0/start/gap"], "yyyn"),
        (SWISS, "to: 2027-02-24", "to: 2027-02-25", ["/pauses/0/to"], "yyyy"),
        (PODS, "gap: 5d", "gap: 6d", ["/stages/1/start/gap"], "yyyy"),
        (PODS, "places: 1-16", "places: 1-12", ["/stages/1/from/places"], "yyyy"),
        (PODS, "- name: tables", "- name: tables\n    rules: x".split("\n", maxsplit=1)[0], [], ""),
    ],
)  # fmt: skip
def test_what_has_begun_cannot_change(text: str, old: str, new: str, paths: list[str], allowed: str) -> None:
    before, after = read_text(text), read_text(text.replace(old, new, 1))
    begun = (NOTHING, ENTRY, CLOSED, RUNNING)
    found = [describe_differences(before, after, parts) for parts in begun]
    assert [[each.path for each in some] for some in found] == [paths] * 4
    by_path = ["".join("ny"[some[at].allowed] for some in found) for at in range(len(paths))]
    assert " ".join(by_path) == (allowed if " " in allowed or not paths else " ".join([allowed] * len(paths)))


def test_rounds_cannot_fall_below_what_has_begun_nor_change_after_the_last() -> None:
    before = read_text(SWISS)
    fewer, more = (read_text(SWISS.replace("rounds: 6", f"rounds: {count}")) for count in (3, 8))
    four, six = (BegunParts(entry=True, closed=True, rounds={"main": count}) for count in (4, 6))
    assert [describe_differences(before, after, four)[0].allowed for after in (fewer, more)] == [False, True]
    assert describe_differences(before, more, six)[0].allowed is False


def test_a_stage_to_come_can_be_taken_out_and_a_pause_that_began_cannot() -> None:
    before = read_text(PODS)
    shorter = read_text(PODS[: PODS.index("  - name: last")])
    (gone,) = describe_differences(before, shorter, RUNNING)
    assert (gone.path, gone.after, gone.allowed) == ("/stages/2", None, True)
    swiss = read_text(SWISS)
    longer = read_text(SWISS.replace("to: 2027-02-24", "to: 2027-02-25"))
    assert describe_differences(swiss, longer, BegunParts(pauses=1))[0].allowed is False
