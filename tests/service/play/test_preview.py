"""Previews of lines before they are sent: the table is the one that follows, and reveals nothing hidden."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from engine.game import CHANCE, apply, legal, to_act
from engine.games import GAMES
from service import drawing
from service.play.preview import menu_rows, preview_lines
from service.record.match_state import MatchState, Question
from tests.support.http_tables import SeatClient, make, resolved, unchanged
from tests.support.letter_corpus import viewer_at
from tests.support.players import Person
from tests.support.random_matches import TABLES, Moment, has_secrets, played

People = Callable[..., Person]
FORMS = [(locale, narrow) for locale in ("en", "fr") for narrow in (False, True)]


def table_at(slug: str, state: Any, seat: int, number: int) -> MatchState:  # noqa: ANN401  # of any game
    """Return a match in this state, with a question to the seat at entry `number`."""
    questions = tuple(Question(number, "0" * 64, 0) if each == seat else None for each in range(state.seats))
    facts: Any = SimpleNamespace(id="k7m2q9x4c1zt", game=GAMES[slug])
    nothing = (0,) * state.seats
    return MatchState(facts, number, "0" * 64, 0, state, questions, nothing, nothing, (), (), ())


def questions(slug: str, seats: int) -> Iterator[Moment]:
    for seed in range(3):
        for moment in played(slug, seats, seed).some(40, seed):
            if moment.seat != CHANCE:
                yield moment


@pytest.mark.parametrize(("slug", "seats"), TABLES)
def test_a_previewed_table_is_the_one_that_follows(slug: str, seats: int) -> None:
    game, seen, random = GAMES[slug], Counter[bool](), Random(slug)
    for number, moment in enumerate(questions(slug, seats)):
        seat, state = moment.seat, moment.state
        lines: list[str] = []
        while seat in to_act(state) and len(lines) < 4:
            action = random.choice(list(legal(state, seat)))
            lines.append(action.line)
            found = preview_lines(table_at(slug, moment.state, seat, number), seat, lines)
            seen[found.then != "hidden"] += 1
            if found.then == "hidden":
                assert list(found.made) == lines[:-1]
                break
            state = apply(state, seat, action)
            assert list(found.made) == lines
            expected = "chance" if CHANCE in to_act(state) else "you" if seat in to_act(state) else "others"
            assert found.then == expected
            view, real = game.rules.view(found.match_state.state, seat), game.rules.view(state, seat)
            assert view == real
            assert list(legal(found.match_state.state, seat)) == list(legal(state, seat))
            for locale, narrow in FORMS[number % 4 : number % 4 + 1]:
                pictures = [game.presentation.picture(each, locale, narrow=narrow) for each in (view, real)]  # type: ignore[arg-type]
                assert drawing.svg(pictures[0], "", "") == drawing.svg(pictures[1], "", "")
    assert seen[True] > 3 * seen[False]


@pytest.mark.parametrize(("slug", "seats"), TABLES)
def test_tables_that_a_seat_cannot_tell_apart_have_the_same_preview(slug: str, seats: int) -> None:
    game, random, differed = GAMES[slug], Random(slug), 0
    for number, moment in enumerate(questions(slug, seats)):
        seat = moment.seat
        other = game.rules.redeal(moment.state, seat, random.randrange)
        differed += other != moment.state
        line = random.choice(list(legal(moment.state, seat))).line
        one, two = (preview_lines(table_at(slug, state, seat, number), seat, [line]) for state in (moment.state, other))
        assert one == two
    assert bool(differed) == has_secrets(game)


@pytest.mark.parametrize(("slug", "seats"), TABLES)
def test_only_lines_that_everybody_knows_to_be_forced_are_chained(slug: str, seats: int) -> None:
    game, random, chained = GAMES[slug], Random(slug), 0
    for number, moment in enumerate(questions(slug, seats)):
        seat, line = moment.seat, moment.action.line
        match_state = table_at(slug, moment.state, seat, number)
        plain, found = (preview_lines(match_state, seat, [line], chain=chain) for chain in (False, True))
        assert found.made[: len(plain.made)] == plain.made
        assert found.forced == len(found.made) - len(plain.made)
        state = apply(moment.state, seat, moment.action)
        for forced in found.made[len(plain.made) :]:
            for _ in range(4):  # whatever is in the hands, this seat's included
                assert [each.line for each in legal(game.rules.redeal(state, None, random.randrange), seat)] == [forced]
            state = apply(state, seat, next(iter(legal(state, seat))))
        chained += found.forced
        other = game.rules.redeal(moment.state, seat, random.randrange)
        assert preview_lines(table_at(slug, other, seat, number), seat, [line], chain=True) == found
    assert chained or slug != "keltis"


@pytest.mark.parametrize(("slug", "seats"), TABLES)
def test_a_row_of_the_menu_has_the_lines_that_a_preview_chains(slug: str, seats: int) -> None:
    for moment in list(questions(slug, seats))[::4]:
        viewer = viewer_at(GAMES[slug], moment.state, moment.seat)
        options = list(viewer.options())[:12]
        for option, row in zip(options, menu_rows(viewer, options), strict=True):
            found = preview_lines(viewer.match_state, moment.seat, [option.line], chain=True)
            assert row.lines == (found.made if found.forced else (option.line,))
            assert row.sentence.count(", then ") >= found.forced


def test_lines_are_shown_one_after_the_other_and_nothing_is_written(person: People) -> None:
    one, _ = make(person("Aoife"), person("Brendan"))
    before = one.read("table")
    options = one.read("options?marks=true")
    discard = next(each["line"] for each in options["items"] if each["line"].startswith("discard"))

    def look(*lines: str, **more: Any) -> Any:  # noqa: ANN401  # any JSON
        answer = unchanged(one, lambda: one.post("preview", {"lines": list(lines), **more}))
        assert answer.status_code == 200, answer.text
        return answer.json

    now = look()
    assert (now["made"], now["then"], now["table"], now["options"]) == ([], "you", before, options)
    assert now["asked"] == before["question"]["asked"]
    assert now["svg"] == one.get("table.svg").text
    first = look(discard)
    assert (first["made"], first["then"]) == ([discard], "you")
    assert first["table"]["question"] == before["question"]
    assert discard.split()[1] not in first["table"]["view"]["hand"]
    assert {each["line"].split()[0] for each in first["options"]["items"]} == {"draw"}
    assert all(each["marks"] for each in first["options"]["items"])
    second = look(discard, "draw deck", "lay R5", narrow=True)
    assert (second["made"], second["then"]) == ([discard, "draw deck"], "chance")
    assert (second["table"]["question"], second["options"]["items"]) == (None, [])
    assert second == look(discard, "draw deck", narrow=True), "the same question gets the same answer"
    one.send(one.signed(discard))
    real = one.read("table")
    assert {**first["table"], "seq": 0, "hash": "", "at": "", "question": 0} == {
        **real,
        "seq": 0,
        "hash": "",
        "at": "",
        "question": 0,
    }
    assert first["svg"] == one.get("table.svg").text
    assert one.get("table.svg?narrow=true").text == one.post("preview", {"lines": [], "narrow": True}).json["svg"]


def test_a_chained_preview_tells_what_it_added(person: People) -> None:
    one, _ = make(person("Aoife"), person("Brendan"))
    lay = next(line for line in one.lines if line.startswith("lay"))
    plain, chained = (one.post("preview", {"lines": [lay], "chain": chain}).json for chain in (False, True))
    assert (plain["made"], plain["forced"], plain["then"]) == ([lay], 0, "you")
    assert (chained["made"], chained["forced"], chained["then"]) == ([lay, "draw deck"], 1, "chance")
    assert chained["sentences"] == [*plain["sentences"], "Draw from the deck"]
    assert chained == {**one.post("preview", {"lines": [lay, "draw deck"]}).json, "forced": 1}
    assert one.post("preview", {"lines": [lay], "chain": "yes"}).status_code == 422


def test_bad_lines_are_refused_in_the_words_of_moves(person: People) -> None:
    one, two = make(person("Aoife"), person("Brendan"))
    asked = {name: one.question[name] for name in ("asked", "prev")}
    listed = one.lines
    for line in ("lay R99", "dance", "draw deck", "lay é5", "lay R99 | dance"):
        told = one.send(one.signed(line, **asked)).json if line.isascii() else None
        answer = one.post("preview", {"lines": [line]})
        assert answer.status_code == 422
        assert told is None or answer.json == told
    answer = one.post("preview", {"lines": [listed[-1], listed[-1]]})
    assert (answer.status_code, answer.json["type"]) == (422, "/problems/not-listed")
    assert {each["line"].split()[0] for each in answer.json["options"]["items"]} == {"draw"}
    refused = two.post("preview", {"lines": []})
    assert (refused.status_code, refused.json["type"]) == (409, "/problems/question-changed")
    assert refused.json["detail"] == two.send(two.signed("lay R5", **asked)).json["detail"]
    for body in ({}, {"lines": "lay R5"}, {"lines": ["x" * 401]}, {"lines": ["a"] * 65}, {"lines": [], "more": 1}):
        assert one.post("preview", body).status_code == 422


def test_only_the_seat_itself_may_look_ahead(person: People) -> None:
    one, _ = make(person("Aoife"), person("Brendan"), visibility="invitation")
    stranger = SeatClient(person("Ciara"), one.match, 0)
    path = one.path("preview")
    assert one.person.client.post(path, json={"lines": []}).status_code == 401
    assert stranger.post("preview", {"lines": []}).status_code == 404
    (watched,) = make(person("Brendan"))
    refused = stranger.person.post(watched.path("preview"), {"lines": []})
    assert (refused.status_code, refused.json["type"]) == (403, "/problems/not-your-seat")
    one.send(one.signed("resign"))
    over = one.post("preview", {"lines": []})
    assert (over.status_code, over.json["type"]) == (409, "/problems/match-over")


def test_the_answer_to_moves_brings_picture_and_marks_if_asked(person: People) -> None:
    (one,) = make(person("Aoife"))
    body = one.signed(one.lines[-1])
    assert one.send(body).status_code == 202
    resolved(one.match)
    plain = one.send(body, Prefer="wait=1").json
    for picture, query in (("wide", "false"), ("narrow", "true")):
        answer = one.post(f"moves?picture={picture}", body, Prefer="wait=1")
        assert answer.status_code == 200
        assert answer.json["svg"] == one.get(f"table.svg?narrow={query}").text
        assert answer.json["options"] == one.read("options?marks=true")
        assert {**plain, "options": 0, "svg": 0} == {**answer.json, "options": 0, "svg": 0}
    assert "svg" not in plain
    refused = one.post("moves?picture=huge", body)
    assert (refused.status_code, refused.json["errors"][0]["field"]) == (422, "picture")
