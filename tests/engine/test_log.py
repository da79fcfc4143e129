"""A match as text: what is read, what is refused, at which row and why."""

from __future__ import annotations

import pytest

from engine.games import GAMES
from engine.log import BadText, Log, Move, parse, replay
from tests.support.random_matches import played

HEAD = "game keltis · revision 1 · seats 2\n"
DEALT = "* deal 0 R0 R1 R2 R3 R3 R4 R4 R5\n* deal 1 Y0 Y1 Y2 Y3 Y3 Y4 Y4 Y5\n"
MATCH = str(played("keltis", 2, 0).log)

# fmt: off
BAD_TEXTS = [  # text, row, words of the reason
    ("", 1, "empty"),
    ("\n", 1, "begins with"),
    ("hello\n", 1, "begins with"),
    ("game keltis\n", 1, "begins with"),
    ("game keltis revision 1 seats 2\n", 1, "begins with"),
    ("game chess · revision 1 · seats 2\n", 1, "keltis"),
    ("game keltis · revision 0 · seats 2\n", 1, "whole number"),
    ("game keltis · revision 3 · seats 2\n", 1, "revision"),
    ("game keltis · revision 1 · seats two\n", 1, "whole number"),
    ("game keltis · revision 1 · seats 02\n", 1, "whole number"),
    ("game keltis · revision 1 · seats 1\n", 1, "2 to 4"),
    ("game keltis · revision 1 · seats 5\n", 1, "2 to 4"),
    ("game keltis · revision 1 · seats 2 · colour red\n", 1, "no option colour"),
    ("game keltis · revision 1 · seats 2 · start\n", 1, "begins with"),
    ("game keltis · revision 1 · seats 2 · start x\n", 1, "start"),
    ("game keltis · revision 1 · seats 2 · start 2\n", 1, "start"),
    ("game keltis · revision 1 · seats 2 · start 0\n", 1, "default"),
    ("game keltis · revision 1 · seats 2 · end-may-open on\n", 1, "default"),
    ("game keltis · revision 1 · seats 2 · end-may-open no\n", 1, "on, off"),
    ("game keltis · revision 1 · seats 2 · start 1 · start 1\n", 1, "twice"),
    ("game keltis · revision 1 · seats 2 · end-may-open off · start 1\n", 1, "order"),
    (HEAD.rstrip("\n"), 1, "cut"),
    (HEAD + DEALT + "0 discard R", 4, "cut"),
    (HEAD.replace("\n", "\r\n") + DEALT, 1, ""),
    (HEAD + DEALT + "\n", 4, "seat"),
    (HEAD + DEALT + "2 discard R3\n", 4, "0 to 1"),
    (HEAD + DEALT + "x discard R3\n", 4, "0 to 1"),
    (HEAD + DEALT + "0\n", 4, "line"),
    (HEAD + DEALT + "0 discard  R3\n", 4, "line"),
    (HEAD + DEALT + "0 last ?\n", 4, "line"),
    (HEAD + DEALT + "0 discard R3\r\n", 4, "line"),
    (HEAD + DEALT + "scores 1\n", 4, "scores"),
    (HEAD + DEALT + "scores 1 2 3\n", 4, "scores"),
    (HEAD + DEALT + "scores 1 +2\n", 4, "scores"),
    (HEAD + DEALT + "scores 1 −2\n", 4, "scores"),
    (HEAD + DEALT + "0 resign\nscores -4 -4\n! pause rain\n", 5, "seat"),
]
FAULTS = [  # rows after the deal, the row of the fault, words of the reason
    ("1 discard Y3\n", 4, "turn"),
    ("* draw 0 G1\n", 4, "turn"),
    ("0 discard G1\n", 4, "not in your hand"),
    ("0 discard r3\n", 4, "discard"),
    ("0 jump R3\n", 4, "jump"),
    ("0 discard R3\n0 draw R\n", 5, "closed in this turn"),
    ("0 discard R3\n0 draw deck\n0 draw deck\n", 6, "turn"),
    ("0 discard R3\n0 draw deck\n* draw 0 R3\n", 6, "not one of the moves"),
    ("0 discard R3\n0 draw deck\n* draw 1 G1\n", 6, "not one of the moves"),
    ("! resume\n", 4, "paused"),
    ("! pause rain\n0 discard R3\n", 5, "paused"),
    ("0 resign\n", 5, "scores"),
    ("0 resign\n1 resign\n", 5, "over"),
    ("0 resign\nscores -4 -3\n", 5, "-4 -4"),
    ("0 discard R3\nscores -4 -4\n", 5, "not over"),
]
# fmt: on


@pytest.mark.parametrize(("text", "row", "words"), BAD_TEXTS)
def test_texts_that_are_no_match(text: str, row: int, words: str) -> None:
    with pytest.raises(BadText) as error:
        parse(text, GAMES)
    assert error.value.row == row
    assert words in str(error.value.reason)
    assert str(error.value).startswith(f"line {row}: ")


@pytest.mark.parametrize(("rows", "row", "words"), FAULTS)
def test_moves_that_cannot_be_made(rows: str, row: int, words: str) -> None:
    result = replay(parse(HEAD + DEALT + rows, GAMES))
    assert result.fault is not None
    assert result.fault.row == row
    assert words in str(result.fault.reason)
    assert result.good == row - 2
    assert result.state == replay(parse(HEAD + DEALT + rows, GAMES), row - 2).state


@pytest.mark.parametrize(
    "head",
    [
        HEAD,
        "game keltis · revision 1 · seats 4\n",
        "game keltis · revision 1 · seats 3 · start 2\n",
        "game keltis · revision 1 · seats 2 · start 1 · end-may-open off · last-cards seat-order\n",
        "game keltis · revision 1 · seats 2 · short-second-draw none\n",
    ],
)
def test_headers_are_written_as_read(head: str) -> None:
    log = parse(head, GAMES)
    assert str(log) == head
    result = replay(log)
    assert result.fault is None
    assert not result.state.over


def test_a_whole_match_is_written_as_read() -> None:
    assert str(parse(MATCH, GAMES)) == MATCH
    assert MATCH.endswith("\n")
    assert MATCH.splitlines()[-1].startswith("scores ")


@pytest.mark.parametrize("part", [0.1, 0.35, 0.6, 0.85])
def test_a_match_cut_anywhere_is_refused_or_unfinished(part: float) -> None:
    cut = MATCH[: int(len(MATCH) * part)]
    whole_rows = cut[: cut.rindex("\n") + 1]
    if cut != whole_rows:
        with pytest.raises(BadText, match="cut"):
            parse(cut, GAMES)
    result = replay(parse(whole_rows, GAMES))
    assert result.fault is None
    assert not result.state.over


def test_wrong_scores_are_named_with_the_right_ones() -> None:
    *rows, scores = MATCH.splitlines()
    wrong = " ".join(["scores", *(str(int(word) + 1) for word in scores.split()[1:])])
    fault = replay(parse("\n".join([*rows, wrong, ""]), GAMES)).fault
    assert fault is not None
    assert fault.row == len(rows) + 1
    assert scores.removeprefix("scores ") in str(fault.reason)


def test_missing_scores_and_rows_after_the_end_are_named() -> None:
    *rows, scores = MATCH.splitlines()
    missing = replay(parse("\n".join([*rows, ""]), GAMES)).fault
    assert missing is not None
    assert missing.row == len(rows) + 1
    more = replay(parse("\n".join([*rows, "0 last none", scores, ""]), GAMES)).fault
    assert more is not None
    assert more.row == len(rows) + 1


def test_a_missing_row_is_noticed() -> None:
    rows = MATCH.splitlines(keepends=True)
    for at in range(1, len(rows) - 1, 9):
        fault = replay(parse("".join(rows[:at] + rows[at + 1 :]), GAMES)).fault
        assert fault is not None
        assert fault.row >= at + 1


def test_moves_are_shown_with_their_signs() -> None:
    assert [str(Move(seat, "draw deck")) for seat in (-1, -2, 0, 3)] == [
        "* draw deck",
        "! draw deck",
        "0 draw deck",
        "3 draw deck",
    ]
    assert str(Log(GAMES["keltis"], 2, {}, (Move(0, "resign"),), (21, -4))) == HEAD + "0 resign\nscores 21 -4\n"
