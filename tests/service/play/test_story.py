"""The log told in sentences, and earlier tables: what a reader gets, and what it costs to get it."""

from __future__ import annotations

from typing import Any

import pytest

from service.db.connection import rows
from service.play import match_loader
from service.play.match_loader import STRIDE, Positions, load_match_state
from tests.support.http_tables import Answer, Body, People, SeatClient, make, play_out, resolved, until_last_cards


@pytest.fixture(autouse=True)
def seed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same cards every time."""
    monkeypatch.setattr("service.ids.new_seed", lambda: bytes(31) + b"\x01")


def told(seat_client: SeatClient, query: str = "", **headers: str) -> list[Body]:
    answer = seat_client.get(f"history?told=true&limit=200{query}", **headers)
    assert answer.status_code == 200, answer.text
    found: list[Body] = answer.json["items"]
    return found


def test_every_entry_is_told_in_the_readers_language(person: People) -> None:
    one, two = make(person("Aoife"), person("Brendan", language="fr"))
    discard = next(line for line in one.lines if line.startswith("discard"))
    one.move(discard, "draw deck")
    plain = one.read("history")["items"]
    assert all("told" not in entry for entry in plain)
    assert [{**entry, "told": None} for entry in told(one)] == [{**entry, "told": None} for entry in plain]
    english, french = told(one), told(two)
    assert all(entry["told"] for entry in english)
    assert english[2]["told"][0].startswith("Aoife discards")
    assert french[2]["told"][0].startswith("Aoife défausse")
    assert told(two, Accept_Language="en")[2]["told"] == english[2]["told"]
    assert one.get("history?told=true").headers["Content-Language"] == "en"


def test_sentences_hold_what_the_reader_may_see(person: People, client: Any) -> None:  # noqa: ANN401
    one, two = make(person("Aoife"), person("Brendan"))
    hand = two.read("table")["view"]["hand"]
    mine, others = told(two)[1]["told"], told(one)[1]["told"]
    assert all(card in mine[0] for card in hand)
    assert others == ["Brendan is dealt eight cards."]
    assert told(one, "&spectator=true")[0]["told"] == ["Aoife is dealt eight cards."]
    watched: Answer = client.get(one.path("history?told=true"))
    assert [entry["told"] for entry in watched.json["items"]] == [["Aoife is dealt eight cards."], others]


def test_a_sealed_line_is_told_when_it_is_open(person: People) -> None:
    one, two = make(person("Aoife"), person("Brendan"))
    until_last_cards(one, two)
    line = next(line for line in two.lines if line != "last none")
    seq = two.move(line)["receipt"]["seq"]
    assert told(one, f"&after={seq - 1}")[0]["told"] == ["Brendan has chosen last cards."]
    mine = told(two, f"&after={seq - 1}")[0]["told"]
    assert mine[0].startswith("Brendan lays last cards")
    one.move("last none")
    assert told(one, f"&after={seq - 1}")[0]["told"] == mine


def test_pages_of_sentences_are_cut_out_of_the_whole(person: People) -> None:
    one, two = make(person("Aoife"), person("Brendan"))
    for each in (one, two, one, two):
        each.move(each.lines[-1], "draw deck")
    whole = told(one)
    assert told(one, "&after=5") == whole[5:]
    assert told(one, "&newest=true") == whole[::-1]
    page = one.get("history?told=true&limit=3&newest=true").json["items"]
    assert page == whole[:-4:-1]
    assert told(one, f"&after={len(whole)}") == []


def test_lines_of_the_core_are_told_too(person: People) -> None:
    one, _ = make(person("Aoife"), person("Brendan"))
    one.move("resign")
    assert told(one)[-1]["told"] == ["Aoife resigns."]
    assert told(one, Accept_Language="fr")[-1]["told"] == ["Aoife abandonne."]


def long_match(person: People) -> SeatClient:
    """A match that two bots and a person have played to its end."""
    (one,) = make(person("Aoife"), seats=4, bots={"1": "random", "2": "random", "3": "random"})
    play_out([one])
    resolved(one.match)
    return one


def test_earlier_tables_are_what_the_log_says(person: People) -> None:
    one = long_match(person)
    head = load_match_state(one.match)
    assert head.seq > 2 * STRIDE
    shelf = Positions(8)
    for seq in (head.seq - 1, 0, STRIDE, STRIDE + 1, 3, head.seq, STRIDE - 1, head.seq - 2):
        found = match_loader.position_at(head, seq, shelf)
        again = match_loader.replay_from_start(one.match, seq)
        assert (found.seq, found.hash, found.state, found.questions) == (
            again.seq,
            again.hash,
            again.state,
            again.questions,
        )
        assert len(shelf) <= 8


def test_leafing_through_a_log_replays_little(person: People, monkeypatch: pytest.MonkeyPatch) -> None:
    one = long_match(person)
    head = load_match_state(one.match)
    read: list[int] = []
    monkeypatch.setattr(match_loader, "rows", lambda sql, *values: _counted(read, rows(sql, *values)))
    shelf = Positions(512)
    match_loader.position_at(head, head.seq - 1, shelf)
    assert sum(read) == head.seq - 1
    for seq in (head.seq - 2, 1, STRIDE + 7, head.seq - 5):
        read.clear()
        match_loader.position_at(head, seq, shelf)
        assert sum(read) <= STRIDE
    for seq in range(10, 40):
        match_loader.position_at(head, seq, shelf)
        read.clear()
        match_loader.position_at(head, seq + 1, shelf)
        assert sum(read) == 1


def _counted(read: list[int], found: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    read.append(len(found))
    return found


def test_what_is_remembered_is_bounded_over_all_matches(person: People) -> None:
    shelf = Positions(4)
    heads = [load_match_state(make(person(name))[0].match) for name in ("Aoife", "Brendan", "Ciara")]
    for head in heads:
        for seq in range(head.seq):
            match_loader.position_at(head, seq, shelf)
    assert len(shelf) == 4
    assert shelf.get((heads[0].facts.header_hash, 0)) is None
    last = shelf.get((heads[2].facts.header_hash, 0))
    assert last is not None
    assert last.seq == 0
