"""`echtra verify`: good records are reported, the first fault of a bad one is named, folders are summed up."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from service.config import Config
from service.db.connection import rows
from service.play import record_export, server_keys
from service.play.table_store import table_of
from tests.support.command_line import FRENCH, echtra, refused
from tests.support.factories import match_of, settle, somebody

pytestmark = pytest.mark.parametrize("database", ["sqlite"], indirect=True)


@pytest.fixture
def folder(service: Config, tmp_path: Path) -> Path:
    """Records of three matches: two over, one running, beside the server's keys and a receipt."""
    made = tmp_path / "records"
    made.mkdir()
    for number, moves in enumerate((500, 500, 3)):
        me, rng = somebody(), random.Random(number)
        match = match_of(service, me, bots={1: "random"})
        table = settle(match, service)
        for _ in range(moves):
            if table.state.over:
                break
            me.move(match, rng.randrange(100))
            table = settle(match, service)
        (made / f"{number}.jsonl").write_bytes(record_export.export_record(table_of(match), "all"))
    (tmp_path / "keys.json").write_text(json.dumps(server_keys.published_keys()))
    ((stored,),) = rows(
        "select s.receipt from submission s join match m on m.id = s.match where m.status = 'running' limit 1"
    )
    (tmp_path / "receipt.json").write_text(json.dumps(json.loads(stored)["receipt"]))
    return made


def test_a_good_record_is_reported_with_what_it_does_not_prove(folder: Path) -> None:
    done = echtra("verify", folder / "0.jsonl")
    assert done.exit_code == 0
    assert " is good: " in done.stdout.splitlines()[0]
    assert "Checked with the rules of the game." in done.stdout
    assert "no list of server keys was given" in done.stdout
    french = echtra("verify", folder / "0.jsonl", env=FRENCH)
    assert french.stdout.startswith("Le registre de la partie ")


def test_keys_and_receipts_are_checked_too(folder: Path) -> None:
    beside = ("--keys", folder.parent / "keys.json", "--receipt", folder.parent / "receipt.json")
    done = echtra("verify", folder / "2.jsonl", *beside)
    assert done.exit_code == 0
    assert "no list of server keys was given" not in done.stdout
    assert "kept beside it and checked: 1" in done.stdout
    other = echtra("verify", folder / "0.jsonl", *beside)
    assert other.exit_code == 0
    assert "One receipt is of another match and was left aside." in other.stderr
    assert "kept beside it and checked: 1" not in other.stdout
    path = folder.parent / "receipt.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "hash": "0" * 64}))
    assert "of other entries" in refused("verify", folder / "2.jsonl", *beside)


def test_a_folder_is_summed_up(folder: Path) -> None:
    done = echtra("verify", folder, "--jobs", "2")
    assert done.exit_code == 0
    assert done.stdout.splitlines()[-1].startswith("Good: 3; bad: 0; ")
    assert done.stdout.count("keltis") == 3


def test_the_first_fault_is_named_and_the_exit_code_is_2(folder: Path) -> None:
    path = folder / "1.jsonl"
    good = path.read_bytes()
    entry = next(number for number, row in enumerate(good.splitlines(), 1) if b'"type":"entry"' in row) + 1
    rows_ = good.splitlines(keepends=True)
    rows_[entry - 1] = rows_[entry - 1].replace(b'"at":1', b'"at":2', 1)
    path.write_bytes(b"".join(rows_))
    said = refused("verify", path)
    assert said.startswith(f"{path}: bad, line {entry}: ")
    assert said.count("\n") == 1
    done = echtra("verify", folder)
    assert done.exit_code == 2
    assert "Good: 2; bad: 1" in done.stdout
    assert f"{path}: bad, line {entry}: " in done.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("nothing.jsonl",), "nothing.jsonl: it cannot be read: No such file"),
        ((".",), "no record is in this folder"),
        (("x.jsonl", "--keys", "none.json"), "none.json: there is no such file"),
        (("x.jsonl", "y.jsonl", "--receipt", "r.json"), "--receipt goes with one record"),
    ],
)
def test_wrong_calls_are_refused(
    service: Config, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], said: str
) -> None:
    assert service.data == tmp_path
    empty = tmp_path / "empty"
    empty.mkdir()
    monkeypatch.chdir(empty)
    assert said in refused("verify", *words)
