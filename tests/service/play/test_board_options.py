"""Options with what is touched to choose them, and what touches leave of a long list."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from engine.games import GAMES
from engine.games.tain.rules import Postings
from service.play.board_options import narrow_options
from service.play.views import Viewer
from tests.support.http_tables import make, resolved
from tests.support.players import Person

People = Callable[..., Person]


def test_marks_come_only_to_those_who_ask(person: People) -> None:
    one, two = make(person("Aoife"), person("Brendan"))
    plain, marked = one.read("options"), one.read("options?marks=true")
    assert "names" not in plain
    assert all("marks" not in item for item in plain["items"])
    assert [{**item, "marks": 0} for item in plain["items"]] == [{**item, "marks": 0} for item in marked["items"]]
    game = GAMES["keltis"]
    for item in marked["items"]:
        assert item["marks"]
        assert all(len(mark) <= 80 and mark.isascii() for word in item["marks"] for mark in word.split(" "))
    assert all(name for name in marked["names"].values())
    marks = {mark for item in marked["items"] for word in item["marks"] for mark in word.split(" ")}
    buttons = {mark for mark in marks if mark.startswith(("say:", "word:"))}
    assert buttons <= set(marked["names"]) <= marks
    assert game.presentation.mark_name or marked["names"]
    assert two.read("options?marks=true") == {"question": None, "items": [], "more": 0, "names": {}}


def test_names_of_buttons_are_in_the_readers_language(person: People) -> None:
    made = person("Aoife").post("/v1/matches", {"game": "tain", "seats": 2, "seat": 0, "bots": {"1": "steady"}})
    resolved(made.json["id"])
    path = f"/v1/matches/{made.json['id']}/options?marks=true"
    names = [person("Aoife").client.get(path, headers={"Accept-Language": each}).json["names"] for each in ("en", "fr")]
    assert names[0].keys() == names[1].keys()


def test_touches_narrow_the_whole_list(person: People, monkeypatch: pytest.MonkeyPatch) -> None:
    (one,) = make(person("Aoife"))
    listed = one.read("options?marks=true")["items"]
    chosen = listed[-1]
    clicks = [mark for word in chosen["marks"] for mark in word.split(" ")]
    found: dict[str, Any] = {}
    for count in range(1, len(clicks) + 1):
        found = one.read("options?" + "&".join(f"mark={mark}" for mark in clicks[:count]))
        assert chosen in found["items"]
        assert all(item in listed for item in found["items"]), "numbers stay those of the whole list"
        if count < len(clicks):
            assert clicks[count] in found["open"]
    assert found["offered"] == [chosen["number"]]
    assert set(found) == {"question", "items", "more", "names", "open", "offered"}
    monkeypatch.setattr("service.play.board_options.narrow_options.__defaults__", (1,))
    whole = one.read(f"options?mark={clicks[0]}")
    same = [item for item in listed if clicks[0] in item["marks"][0].split(" ")]
    assert len(whole["items"]) == 1
    assert whole["more"] >= len(same) - 1


def test_unknown_marks_leave_nothing_and_malformed_ones_are_refused(person: People) -> None:
    (one,) = make(person("Aoife"))
    for mark in ("dragon", "hand:Q99", "say:%2B2"):
        found = one.read(f"options?mark={mark}")
        assert (found["items"], found["more"], found["open"], found["offered"]) == ([], 0, [], [])
    for query in ("mark=", "mark=Hand:R5", "mark=hand:", "mark=hand:a%20b", "mark=hand:%C3%A9", "mark=" + "a" * 81):
        refused = one.get(f"options?{query}")
        assert (refused.status_code, refused.json["type"]) == (422, "/problems/invalid"), query
    assert one.get("options?" + "&".join(["mark=deck"] * 65)).status_code == 422
    assert one.get("options?marks=1").status_code == 422


def test_guards_of_a_whole_screen_are_narrowed_at_once() -> None:
    guards: Any = Postings("CWWBBBBBBDXXXXXXXX", "12345")
    assert len(guards) == 4608
    game = GAMES["tain"]
    viewer = Viewer.__new__(Viewer)
    state = game.rules.start(2)
    viewer.__dict__.update(
        match_state=_Facts(game), seat=0, locale="en", _options=guards, _view=game.rules.view(state, 0)
    )
    chosen = next(each for each in guards if each.line == "guards D4 X5")
    clicks = tuple(mark for word in game.presentation.marks(viewer.view(), chosen) for mark in word)
    found = narrow_options(viewer, clicks)
    assert chosen.line in {item["line"] for item in found["items"]}
    assert [item["line"] for item in found["items"] if item["number"] in found["offered"]] == [chosen.line]
    first = narrow_options(viewer, clicks[:1])
    assert len(first["items"]) == 200
    assert first["more"] > 0
    assert clicks[1] in first["open"]


class _Facts:
    """As much of a table as a reader of options needs."""

    def __init__(self, game: Any) -> None:  # noqa: ANN401  # any game
        self.facts = self
        self.game = game
