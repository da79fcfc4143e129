"""Golden records stay valid for ever: by our checks, by the rules, and written again with the same bytes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from engine.games import GAMES
from service.record import canonical_json, server_keys
from service.record import header as headers
from service.record.compare import compare_exports, merge_exports
from service.record.export import entry_row, write_export
from service.record.header import Header
from service.record.keys import PublicKey
from service.record.verify import verify
from service.record.verify.kept_receipts import read as read_kept
from service.record.verify.report import Report
from service.record.verify.rules_check import RulesChecker
from tests.golden.records import FOLDER, privates
from tests.golden.records.__main__ import file
from tests.golden.records.stories import STORIES
from tests.support.forged_records import golden, parsed

RECORDS = sorted(FOLDER.glob("*.jsonl"))
RUNNING = sorted({path.stem.split("-running-")[0] for path in RECORDS if "-running-" in path.stem})
SHORTEST = "keltis-3-seats-aborted"
every_record = pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
every_match = pytest.mark.parametrize("name", RUNNING)


def checked(path: Path, referee: RulesChecker) -> Report:
    """Return the report on a golden record, checked with all its files."""
    match = path.stem.split("-running-")[0]
    listed = server_keys.read((FOLDER / f"{match}.echtra.json").read_bytes())
    receipts, joins = read_kept((FOLDER / f"{match}.kept.json").read_bytes())
    return verify(path.read_bytes(), server_keys=listed, receipts=receipts, joins=joins, rules=referee)


def seats(name: str) -> list[bytes]:
    """Return the exports of a running match for its seats."""
    return [path.read_bytes() for path in sorted(FOLDER.glob(f"{name}-running-seat-*.jsonl"))]


@every_record
def test_a_golden_record_is_good_by_bytes_keys_receipts_and_rules(path: Path) -> None:
    referee = RulesChecker()
    report = checked(path, referee)
    assert report.established
    assert report.over == ("-running-" not in path.stem)
    assert bool(report.redacted) == (report.viewer != "all" and path.stem != "tir-na-nog-balor-running-seat-0")
    assert min(report.kept, report.joins) > 0
    assert report.later == ()
    assert not referee.lost
    assert len(referee.scores()) == (report.seats if report.over else 0)


def rewritten(rows: list[dict[str, Any]], header: Header) -> bytes:
    """Return these rows as an export written by today's code, with the server's key of that time."""
    head = rows[-1]
    return write_export(
        privates()[head["server"]],
        header=header,
        keys=[PublicKey(row["jwk"]["x"]) for row in rows if row["type"] == "key"],
        entries=[entry_row(row, row.get("shown")) for row in rows if row["type"] == "entry"],
        receipts=[row for row in rows if row["type"] == "receipt"],
        seed=next((bytes.fromhex(row["seed"]) for row in rows if row["type"] == "seed"), None),
        at=head["at"],
        viewer=head["viewer"],
    )


@every_record
def test_a_golden_record_is_of_the_first_format_and_is_written_again_byte_for_byte(path: Path) -> None:
    data, rows = path.read_bytes(), parsed(path.read_bytes())
    header = headers.read(rows[0]["lines"])
    assert header.rows[0] == "echtra-match-v1"
    assert list(header.rows) == rows[0]["lines"]
    assert b"".join(canonical_json.write(row) + b"\n" for row in rows) == data
    assert rewritten(rows, header) == data


@every_match
def test_what_the_seats_saw_together_is_what_the_arbiter_saw(name: str) -> None:
    found = merge_exports(seats(name))
    arbiter = golden(f"{name}-running-arbiter")
    assert found.redacted == 0
    assert found.lines == b"".join(arbiter.splitlines(keepends=True)[:-1])
    assert merge_exports([golden(f"{name}-running-spectator")]).redacted > 0


@every_match
def test_what_every_reader_saw_early_agrees_with_the_end(name: str) -> None:
    end = golden(name)
    compare_exports(golden(f"{name}-running-spectator"), end)
    # A union compares each of its exports with the longest.
    found = merge_exports([*seats(name), golden(f"{name}-running-arbiter"), end])
    assert found.lines == b"".join(end.splitlines(keepends=True)[:-1])


def test_the_golden_records_hold_every_game_and_everything_that_may_stand_in_a_record() -> None:
    rows = {path.stem: parsed(path.read_bytes()) for path in RECORDS}
    played = {headers.read(found[0]["lines"]).game for found in rows.values()}
    assert {"bardwood-grove", "keltis", "tain", "tir-na-nog"} <= played <= set(GAMES)
    entries = [row for found in rows.values() for row in found if row["type"] == "entry"]
    assert {row["by"].split(" ")[0] for row in entries} == {"chance", "house", "bot", "signed", "mail"}
    for wanted in ("orders", "text", "mail", "shown"):
        assert any(wanted in row for row in entries)
    verbs = {row["line"].split(" ")[0] for row in entries if "line" in row}
    assert verbs >= {"keys", "resign", "bot", "end", "guards", "put", "deal", "draw", "lay", "turn", "last"}
    shown = {row["shown"].split(" ")[0] for row in entries if "shown" in row}
    assert shown == {"deal", "draw", "discard", "put", "guards"}


def test_the_matches_can_be_played_again_and_nothing_that_is_there_is_overwritten(tmp_path: Path) -> None:
    written = file(SHORTEST, tmp_path)
    assert {path.name for path in written} == {path.name for path in FOLDER.glob(f"{SHORTEST}*")}
    before = {path: path.read_bytes() for path in written}
    assert verify(before[tmp_path / f"{SHORTEST}.jsonl"], rules=RulesChecker()).over
    assert file(SHORTEST, tmp_path) == []
    assert {path: path.read_bytes() for path in written} == before
    assert set(RUNNING) == set(STORIES)
