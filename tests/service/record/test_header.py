"""The header: what it may say, row by row, and how options are written."""

from __future__ import annotations

import pytest

from service.record import header as headers
from service.record.errors import BadRecord, BadRecordPart
from service.record.header import Occupant, write_options
from service.record.verify import verify
from tests.support.record_builder import Story, header, public

ROWS = header().rows
KEY, OTHER = sorted((public("alice").id, public("cian").id))

GOOD = [
    (3, "revision: 12"),
    (5, 'options: {"a":"x y","b-2":-9007199254740991,"c_":true}'),
    (6, "moves: signed"),
    (8, f"beacon: drand:4711:{'0f' * 16}"),
    (11, f"seat 0: p4v8n2d6s0wa - {KEY},{OTHER}"),
    (12, "seat 1: bot:steady - -"),
    (12, f"seat 1: b3j5h7r9t1ye {'f' * 64} -"),
]
BAD = [
    (0, "echtra-match-v2"),
    (1, "match: short"),
    (1, "match: M5G0K2V7Q4XH"),
    (1, "match:  m5g0k2v7q4xh"),
    (2, "game: Keltis"),
    (2, "game: 1keltis"),
    (3, "revision: 0"),
    (3, "revision: 01"),
    (3, "revision: +1"),
    (4, "seats: 0"),
    (4, "seats: 3"),
    (4, "seats: 100"),
    (5, "options: { }"),
    (5, "options: []"),
    (5, "options: "),
    (5, 'options: {"b":1,"a":1}'),
    (5, 'options: {"a":1,"a":1}'),
    (5, 'options: {"a":1.5}'),
    (5, 'options: {"a":null}'),
    (5, 'options: {"a":{}}'),
    (5, 'options: {"A":1}'),
    (5, 'options: {"a":9007199254740993}'),
    (5, 'options: {"a":"\\n"}'),
    (5, 'options: {"a":"é"}'),
    (6, "moves: all"),
    (7, "seed: 00"),
    (8, "beacon: drand:01:" + "0f" * 16),
    (8, "beacon: drand:99999999999999999:" + "0f" * 16),
    (8, "beacon: drand:1:0f"),
    (9, "created: 1790000005001"),
    (9, "created: -1"),
    (10, "started: 9007199254740992"),
    (10, "seat 0: p4v8n2d6s0wa - -"),
    (11, "seat 1: p4v8n2d6s0wa - -"),
    (11, "seat 0: p4v8n2d6s0wa -"),
    (11, "seat 0: p4v8n2d6s0wa - - -"),
    (11, "seat 0: p4v8n2d6s0wa 0F -"),
    (11, f"seat 0: p4v8n2d6s0wa {'0' * 65} -"),
    (11, f"seat 0: p4v8n2d6s0wa - {OTHER},{KEY}"),
    (11, f"seat 0: p4v8n2d6s0wa - {KEY},{KEY}"),
    (11, "seat 0: p4v8n2d6s0wa - " + ",".join(f"{each}" + "A" * 42 for each in "ABCDEFGHI")),
    (11, "seat 0: bot:steady 00 -"),
    (11, f"seat 0: bot:steady - {KEY}"),
    (11, "seat 0: bot: - -"),
    (12, "seat 01: b3j5h7r9t1ye - -"),
]


def changed(number: int, row: str) -> list[str]:
    return [*ROWS[:number], row, *ROWS[number + 1 :]]


@pytest.mark.parametrize(("number", "row"), GOOD)
def test_a_header_is_written_as_it_was_read(number: int, row: str) -> None:
    assert list(headers.read(changed(number, row)).rows) == changed(number, row)


@pytest.mark.parametrize(("number", "row"), BAD)
def test_a_row_of_wrong_form_is_refused(number: int, row: str) -> None:
    with pytest.raises(BadRecordPart) as caught:
        headers.read(changed(number, row))
    assert caught.value.reason == "header"


@pytest.mark.parametrize("rows", [[], ROWS[:5], ROWS[:11], ROWS[:12], [*ROWS, "seat 2: b3j5h7r9t1ye - -"], ROWS[1:]])
def test_rows_missing_or_too_many_are_refused(rows: list[str]) -> None:
    with pytest.raises(BadRecordPart, match="header"):
        headers.read(rows)


def test_options_are_written_canonically_and_read_back() -> None:
    options: dict[str, str | int | bool] = {"seats-first": 2, "fast": False, "edition": "house-1"}
    written = write_options(options)
    assert written == '{"edition":"house-1","fast":false,"seats-first":2}'
    assert header(options=written).option_values() == options
    with pytest.raises(BadRecordPart, match="name of an option"):
        write_options({"No": 1})


def test_a_match_for_one_seat_and_a_bot_verifies() -> None:
    solo = header(
        Occupant("p4v8n2d6s0wa", "ab", "-"), Occupant(bot="balor"), moves="signed", beacon=f"drand:7:{'ab' * 16}"
    )
    found = verify(Story(solo).bot(1, "balor", "place a1a2").export(over=False))
    assert (found.bots, found.bot_names, found.without_nonce) == (1, ("balor",), ())
    assert "beacon" in found.unproved()


def test_the_hash_of_the_header_is_checked() -> None:
    data = Story(header()).export(over=False)
    with pytest.raises(BadRecord, match="line 1: hash"):
        verify(data.replace(b"revision: 1", b"revision: 2", 1))
