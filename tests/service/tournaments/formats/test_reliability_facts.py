"""Reliability: the players who were on time and who stayed, from the lines of a log."""

from __future__ import annotations

import pytest

from service.tournaments.formats.reliability_facts import MatchLine, count_reliability_facts, lines_to_last_timeout

ROWS: dict[str, tuple[int, str, dict[str, tuple[int, int, bool | None]]]] = {
    # seats, lines as `SEAT LINE` (a bot's with a +, mail with an @), then answers, late and finished by player
    "runs are answers": (2, "0 a/0 b/* deal/0 c/1 a/0 a", {"p0": (2, 0, True), "p1": (1, 0, True)}),
    "mail counts as well": (2, "@0 a/@1 a", {"p0": (1, 0, True), "p1": (1, 0, True)}),
    "keys and resigning are no answers": (2, "0 keys x/1 a/0 resign", {"p0": (0, 0, True), "p1": (1, 0, True)}),
    "excused and answered": (2, "1 a/! timeout 0 9/0 a/1 a", {"p0": (1, 1, True), "p1": (2, 0, True)}),
    "excused twice is late once": (2, "! timeout 0 9/! timeout 0 19/0 a", {"p0": (1, 1, True)}),
    "in the middle of a turn": (2, "0 a/! timeout 0 9/0 b/1 a", {"p0": (2, 1, True), "p1": (1, 0, True)}),
    "never answered": (2, "1 a/! timeout 0 9/1 b", {"p0": (1, 1, True), "p1": (1, 0, True)}),
    "forfeit": (2, "1 a/! timeout 0 9/! end forfeit -1 0", {"p0": (1, 1, False), "p1": (1, 0, True)}),
    "stand-in": (3, "! timeout 0 9/! bot 0 steady/+0 a/1 a", {"p0": (1, 1, False), "p1": (1, 0, True)}),
    "came back": (3, "! timeout 0 9/! bot 0 steady/! seat 0 p0 -/0 a", {"p0": (2, 1, True)}),
    "substitute": (3, "! timeout 0 9/! bot 0 b/! seat 0 p9 -/0 a", {"p0": (1, 1, False), "p9": (1, 0, True)}),
    "replaced by an organiser": (3, "0 a/! seat 0 p9 -", {"p0": (1, 0, False), "p9": (0, 0, True)}),
    "resigned among three": (3, "0 a/0 resign/! bot 0 b", {"p0": (1, 0, False)}),
    "called off": (2, "0 a/1 a/! end cancelled", {"p0": (1, 0, None), "p1": (1, 0, None)}),
    "ended by the house": (2, "0 a/! end agreed", {"p0": (1, 0, True), "p1": (0, 0, True)}),
}
BY = {"+": "bot steady", "@": "mail 00"}


def read(text: str) -> list[MatchLine]:
    """Lines as the table writes them."""
    found = []
    for row in text.split("/"):
        by, rest = (BY[row[0]], row[1:]) if row[0] in BY else ("signed 00", row)
        seat, line = rest.split(" ", 1)
        found.append(MatchLine({"!": -2, "*": -1}.get(seat, -9) if seat in "!*" else int(seat), by, line))
    return found


@pytest.mark.parametrize(("seats", "text", "expected"), ROWS.values(), ids=ROWS)
def test_lines_say_who_answered_and_stayed(
    seats: int, text: str, expected: dict[str, tuple[int, int, bool | None]]
) -> None:
    places = [f"p{seat}" for seat in range(seats)]
    found = count_reliability_facts(places, read(text), over=True, has_deadlines=True)
    shown = {each.player: (each.answers, each.late, each.finished) for each in found}
    ended = None if "cancelled" in text else True
    assert shown == {**dict.fromkeys(places, (0, 0, ended)), **expected}
    without = count_reliability_facts(places, read(text), over=True, has_deadlines=False)
    assert [(each.answers, each.late) for each in without] == [(0, 0)] * len(found)
    assert [each.finished for each in without] == [each.finished for each in found]


def test_nobody_waits_where_one_person_plays() -> None:
    assert count_reliability_facts(["p0", "", ""], read("0 a/! timeout 0 9"), over=True, has_deadlines=True) == ()


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("0 a/1 a", 0),
        ("0 a/! timeout 1 9/0 a/0 b", 2),
        ("0 a/! timeout 1 9/! bot 1 steady/+1 a", 3),
        ("! timeout 1 9/0 a/! timeout 0 8/! resume", 3),
        ("! timeout 1 9", 1),
    ],
)
def test_a_running_match_counts_up_to_the_last_missed_deadline(text: str, count: int) -> None:
    lines = read(text)
    assert lines_to_last_timeout(lines) == (lines[:count] if count else ())
