"""`echtra verify`: good records are reported, the first fault of a bad one is named, folders are summed up."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path

import pytest

from engine.games import GAMES
from service.config import Config
from service.db.connection import rows
from service.play import record_export, server_keys
from service.play.match_loader import load_match_state
from service.shapes import to_json
from tests.support.command_line import FRENCH, echtra, refused
from tests.support.factories import match_of, settle, somebody

RECORDS = Path(__file__).parents[2] / "docs" / "records"
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
        (made / f"{number}.jsonl").write_bytes(record_export.export_record(load_match_state(match), "all"))
    (tmp_path / "keys.json").write_text(json.dumps(to_json(server_keys.published_keys())))
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


def test_bots_are_asked_again_on_request(service: Config, tmp_path: Path) -> None:
    me, rng, short = somebody(), random.Random(1), replace(service, most_entries=24)
    match, path = match_of(service, me, bots={1: "strong", 2: "random"}), tmp_path / "match.jsonl"
    table = settle(match, short)
    while not table.state.over:
        path.write_bytes(record_export.export_record(load_match_state(match), "all"))
        me.move(match, rng.randrange(100))
        table = settle(match, short)
    running = echtra("verify", "--bots", path)
    assert "The bot strong-2 was not asked again: " in running.stdout
    assert running.exit_code == 0
    path.write_bytes(record_export.export_record(load_match_state(match), "all"))
    assert "Asked again" not in echtra("verify", path).stdout
    done = echtra("verify", "--bots", path)
    made = dict(rows("select made_by, count(*) from entry where match = ? and made_by like 'bot %' group by 1", match))
    for name in ("strong-2", "random"):
        count = made[f"bot {name}"]
        assert f"Asked again, the bot {name} chooses the same line: {count} of {count}." in done.stdout
    assert done.exit_code == 0


@pytest.mark.usefixtures("service")
def test_a_line_that_its_bot_would_not_choose_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "Not recomputed: 2 lines of the bot steady." in echtra("verify", "--bots", RECORDS / "keltis.jsonl").stdout
    keltis = GAMES["keltis"]
    monkeypatch.setitem(GAMES, "keltis", replace(keltis, bots=replace(keltis.bots, versions={})))
    done = echtra("verify", "--bots", RECORDS / "keltis.jsonl")
    assert "Asked again, the bot steady chooses the same line: 0 of 2." in done.stdout
    assert "Entry 15: the record has discard R5 by the bot steady; asked again, it chooses lay R1." in done.stdout
    assert done.exit_code == 2
    for name in ("keltis.jsonl", "keltis-seat-0.jsonl"):
        (tmp_path / name).write_bytes((RECORDS / name).read_bytes())
    both = echtra("verify", "--bots", "--jobs", "1", tmp_path, env=FRENCH)
    assert "Lignes de bots, interrogés de nouveau : 2 ; différentes : 2 ; non interrogés : 2." in both.stdout
    assert both.exit_code == 2


def test_keys_and_receipts_are_checked_too(folder: Path) -> None:
    beside = ("--keys", folder.parent / "keys.json", "--receipt", folder.parent / "receipt.json")
    done = echtra("verify", folder / "2.jsonl", *beside)
    assert done.exit_code == 0
    assert "no list of server keys was given" not in done.stdout
    assert "kept separately and checked: 1" in done.stdout
    other = echtra("verify", folder / "0.jsonl", *beside)
    assert other.exit_code == 0
    assert "One receipt belongs to another match and was ignored." in other.stderr
    assert "kept separately and checked: 1" not in other.stdout
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
        (("nothing.jsonl",), "nothing.jsonl cannot be read: No such file"),
        ((".",), "this folder has no records"),
        (("x.jsonl", "--keys", "none.json"), "none.json: there is no such file"),
        (("x.jsonl", "y.jsonl", "--receipt", "r.json"), "--receipt works with one record"),
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
