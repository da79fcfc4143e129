"""Lines of a tournament's log: what is read is written back byte for byte, and the page about them names every kind."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.record.patterns import HASH, ID, NAME, NONCE
from service.tournaments.formats.crosstable import How, SeatResult
from service.tournaments.formats.log_lines import (
    KINDS,
    SLOTS,
    BadLine,
    Line,
    OtherRuling,
    RoundName,
    Ruling,
    describe,
    read,
    write,
)
from service.tournaments.formats.verify import verify_tournament

ROOT = Path(__file__).parents[4]
GOLDEN = sorted((ROOT / "tests/golden/tournaments").rglob("*.jsonl"))
"""Those in `before/` were written and verified by the last version without rulesets (the parent of 8d361b0e)."""
NUMBERS = st.integers(0, 2**53 - 1)
WORDS = st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=1, max_size=20)
IDS, HASHES, NAMES = (st.from_regex(form, fullmatch=True) for form in (ID, HASH, NAME))
VALUES: dict[str, st.SearchStrategy[Any]] = {
    "P": IDS,
    "ID": IDS,
    "STAGE": NAMES,
    "ROUND": st.builds(RoundName, NAMES, NUMBERS),
    "N": NUMBERS,
    "RATING": st.none() | NUMBERS,
    "SECTION": NUMBERS,
    "KIND": st.sampled_from(["half", "zero"]),
    "NONCE": st.from_regex(NONCE, fullmatch=True),
    "KEY": HASHES,
    "DEALS": HASHES,
    "HASH": HASHES,
    "VALUE": st.just("-") | st.builds(lambda number, value: f"drand-quicknet:{number}:{value}", NUMBERS, HASHES),
    "PLACE:SCORE:HOW": st.builds(
        SeatResult, st.integers(1, 99), st.integers(-999_999_999, 999_999_999), st.sampled_from(How)
    ),
    "MS": NUMBERS,
    "WHY": WORDS.filter(lambda word: HASH.fullmatch(word) is None),
    "WHAT": NAMES.filter(lambda name: f"ruling {name}" not in KINDS),
    "SUBJECT": WORDS,
}


def lines_of(kind: type[Line]) -> st.SearchStrategy[Line]:
    """Random lines of a kind."""
    values: dict[str, st.SearchStrategy[Any]] = {}
    for slot in SLOTS[kind]:
        value = VALUES[slot.form.label]
        if slot.name == "seats":
            value |= NAMES.map(lambda name: f"bot:{name}")
        if slot.many:
            value = st.lists(value, min_size=0 if slot.optional else 1, max_size=5).map(tuple)
        values[slot.name] = st.none() | value if slot.optional and not slot.many else value
    return st.builds(kind, **values)


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
@settings(max_examples=40, deadline=None, derandomize=True)
@given(data=st.data())
def test_a_line_is_read_back_as_it_was_written(kind: type[Line], data: st.DataObject) -> None:
    line = data.draw(lines_of(kind))
    text = write(line)
    assert text.isascii()
    assert read(text) == line
    assert write(read(text)) == text


@settings(max_examples=300, deadline=None, derandomize=True)
@given(st.sampled_from(list(KINDS.values())).flatmap(lines_of), st.data())
def test_a_changed_line_is_refused_or_read_as_it_is_written(line: Line, data: st.DataObject) -> None:
    words = write(line).split(" ")
    at = data.draw(st.integers(0, len(words) - 1))
    change = data.draw(st.sampled_from([[], ["0"], ["-"], ["00"], ["x:y"], [""], [words[at], words[at]], ["Ü"]]))
    text = " ".join([*words[:at], *change, *words[at + 1 :]])
    with suppress(BadLine):
        assert write(read(text)) == text


def golden_lines() -> Iterator[str]:
    """Every line of every tournament's log among the golden files."""
    for path in GOLDEN:
        for row in map(json.loads, path.read_text("utf-8").splitlines()):
            if row["type"] == "entry":
                yield row["line"]


def test_every_line_of_the_golden_logs_is_written_back_byte_for_byte() -> None:
    lines = list(golden_lines())
    assert [write(read(line)) for line in lines] == lines
    kinds = {type(read(line)) for line in lines}
    assert set(KINDS.values()) - kinds == {OtherRuling}, "the golden logs have lines of every kind"


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_golden_logs_verify_as_they_did_when_they_were_written(path: Path) -> None:
    report = verify_tournament(path.read_bytes())
    known = json.loads(path.with_suffix(".json").read_text("utf-8"))
    assert {
        "entries": report.entries,
        "holders": {str(number): player for number, player in report.holders.items()},
        "recomputed": list(report.recomputed),
        "not_recomputed": dict(report.not_recomputed),
        "rulings": [list(ruling) for ruling in report.rulings],
        "standings": {
            stage: [[line.rank, line.number, line.points] for ranking in rankings for line in ranking.standings]
            for stage, rankings in report.rankings.items()
        },
        "places": {stage: [list(place) for place in places] for stage, places in report.places.items()},
        "ladders": {stage: list(order) for stage, order in report.ladders.items()},
        "seeds": dict(report.seeds),
    } == known


def test_twenty_of_these_logs_are_from_before_rulesets() -> None:
    documents = [json.loads(path.read_text("utf-8").splitlines()[1])["document"] for path in GOLDEN]
    assert sum('"ruleset"' not in document for document in documents) == 20


def test_the_page_about_the_log_has_every_kind_of_line_and_word_in_its_form() -> None:
    page = (ROOT / "docs/TOURNAMENT_LOG.md").read_text("utf-8")
    lines = page.partition("## The lines")[2]
    assert re.findall(r"^\| `([^`]+)` \|", lines, re.MULTILINE) == [describe(kind) for kind in KINDS.values()]
    words = page.partition("## The words of a line")[2].partition("## The lines")[0]
    rows = re.findall(r"^\| (`.+?) \|", words, re.MULTILINE)
    listed = {word for row in rows for word in re.findall(r"`([^`]+)`", row)}
    assert listed == {slot.form.label for slots in SLOTS.values() for slot in slots}


@pytest.mark.parametrize(
    ("text", "reason", "words"),
    [
        ("number aaaaaaaaaaaa 01 -", "number", "01 is not a number"),
        ("number aaaaaaaaaaaa 1", "line", "expected 3 words"),
        ("bye aaaaaaaaaaaa one:1 whole", "line", "a bye is half or zero"),
        ("start one", "line", "one is not a round of this tournament"),
        ("start :1", "line", ":1 is not a round of this tournament"),
        ("pair aaaaaaaaaaaa one:1 0 aaaaaaaaaaaa", "line", "a section is a number or `-`"),
        ("pair aaaaaaaaaaaa one:1 -", "line", "the form is `pair ID ROUND SECTION P …`"),
        ("pair AAAAAAAAAAAA one:1 - aaaaaaaaaaaa", "line", "AAAAAAAAAAAA is not a match's id"),
        ("pair aaaaaaaaaaaa one:1 - bot:", "line", "bot: is not a bot"),
        ("result aaaaaaaaaaaa 0:1:played", "result", "`0:1:played` is not PLACE:SCORE:HOW"),
        ("draw one:0 aa -", "draw", "a key has 64 hex digits"),
        (f"draw one:0 {'ab' * 32} beacon", "draw", "`beacon` is not a beacon value"),
        ("document aa", "document", "this document is not in the file"),
        ("ruling", "line", "the form is `ruling WHAT [SUBJECT …] WHY [HASH]`"),
        ("ruling pause", "line", "the form is `ruling WHAT [SUBJECT …] WHY [HASH]`"),
        ("ruling extend one:1 soon time", "number", "soon is not a number"),
        ("ruling seed Bob rules", "line", "Bob is not a player's id"),
        ("ruling replace aaaaaaaaaaaa Bob illness", "line", "Bob is not a player's id"),
    ],
)
def test_a_word_of_another_form_is_named(text: str, reason: str, words: str) -> None:
    with pytest.raises(BadLine) as found:
        read(text)
    assert found.value.reason == reason
    assert words in str(found.value)


def test_a_ruling_of_another_kind_or_form_stands_without_effect() -> None:
    text_hash = "ab" * 32
    ruling = read(f"ruling pause one:1 storm {text_hash}")
    assert ruling == OtherRuling("pause", ("one:1",), why="storm", text_hash=text_hash)
    assert isinstance(ruling, Ruling)
    assert (ruling.what, ruling.subjects) == ("pause", ("one:1",))
    known = read(f"ruling extend one:1 1800000000000 illness {text_hash}")
    assert isinstance(known, Ruling)
    assert (known.what, known.subjects, known.why) == ("extend", ("one:1", "1800000000000"), "illness")
    assert {each.name for each in fields(Ruling)} == {"why", "text_hash"}
