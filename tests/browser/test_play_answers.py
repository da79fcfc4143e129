"""Answers that come late, in another order, or never: the page ends with the newest table and its marks."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random

import pytest
from playwright.sync_api import APIResponse, Page, Route
from playwright.sync_api import TimeoutError as PlaywrightTimeoutError

from tests.support.browser import NARROW, Visitor
from tests.support.page_tour import resign
from tests.support.playing import (
    OPEN_MARKS,
    STORAGES,
    ask,
    asked,
    choose_and_look_ahead,
    choose_by_touch,
    choose_from_list,
    make_match,
    open_match,
    press_send,
    wait_for_turn,
)

Visit = Callable[..., Visitor]
QUESTION_SHOWN = f"""() => (document.querySelector("#turn .list").open = true) && [
  document.querySelector("#turn").dataset.asked,
  [...new Set(({OPEN_MARKS})())].sort(),
  [...document.querySelectorAll("#turn .option")].map((each) => each.dataset.line).sort(),
]"""
SETTLE_MS = 200
"""Time for a page to react to an answer. It usually takes far less."""


@dataclass
class HeldAnswers:
    """Answers of the service that do not reach the page until they are let go."""

    page: Page
    path: str
    kept: list[tuple[Route, APIResponse]] = field(default_factory=list)
    holds: bool = True

    def hold(self) -> None:
        """Keep back every answer from now on; what was asked for has happened on the service."""
        self.page.route(self.path, self._handle)

    def _handle(self, route: Route) -> None:
        if self.holds:
            self.kept.append((route, route.fetch()))
        else:
            route.continue_()

    def wait(self) -> None:
        """Wait until an answer is kept back."""
        for _ in range(200):
            if self.kept:
                return
            self.page.wait_for_timeout(50)
        raise AssertionError(f"nobody asked for {self.path}")

    def release(self) -> None:
        """Let them go, and hold no more."""
        self.holds = False
        for route, answer in self.kept:
            route.fulfill(response=answer)

    def lose(self) -> None:
        """Lose them on the way, and hold no more."""
        self.holds = False
        for route, _ in self.kept:
            route.abort()


def in_browser(value: object) -> str:
    """JSON as a browser writes it."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def check_question(visitor: Visitor, match: str) -> None:
    """The page asks what the service asks, with just these marks and lines, and tells no refusal."""
    listed = ask(visitor, "GET", f"/v1/matches/{match}/options?marks=true")
    page = visitor.page
    open_marks = {mark for item in listed["items"] for word in item["marks"] for mark in word.split()}
    wanted = [str(listed["question"]["asked"]), sorted(open_marks), sorted(item["line"] for item in listed["items"])]
    with suppress(PlaywrightTimeoutError):
        page.wait_for_function(
            f"(wanted) => JSON.stringify(({QUESTION_SHOWN})()) === JSON.stringify(wanted)", arg=wanted
        )
    assert page.evaluate(QUESTION_SHOWN) == wanted
    assert page.locator("#turn .refused").is_hidden()


def count_moves(visitor: Visitor, match: str) -> int:
    """How many lines the visitor's seat made."""
    items = ask(visitor, "GET", f"/v1/matches/{match}/history?limit=200")["items"]
    return sum(entry["seat"] == 0 for entry in items)


def begin_turn_of_lines(page: Page) -> None:
    """Play until a line is chosen after which the seat goes on."""
    luck = Random(2)
    for _ in range(10):
        if choose_and_look_ahead(page, luck):
            return
        press_send(page)
    raise AssertionError("no turn goes on")


@pytest.mark.parametrize("game", ["tir-na-nog", "keltis"])
def test_the_stream_overtakes_the_answer_to_a_move(visit: Visit, game: str) -> None:
    """It tells of the table after one's own move: nobody else has moved, and what was chosen was sent."""
    visitor = visit()
    visitor.enter(f"overtaken-{game}@example.org")
    match = make_match(visitor, game)
    page = open_match(visitor, match)
    for _ in range(3):
        choose_by_touch(page, Random(game))
        before = asked(page)
        moves = HeldAnswers(page, "**/moves?*")
        moves.hold()
        page.click("#turn .send")
        moves.wait()
        page.wait_for_timeout(SETTLE_MS)
        assert page.locator("#turn .refused").is_hidden()
        assert page.inner_text("#turn .send") == "Sending …"
        moves.release()
        wait_for_turn(page, before)
        check_question(visitor, match)


def test_the_answer_to_a_move_overtakes_the_stream(visit: Visit) -> None:
    """Check that its marks are drawn before any other table arrives; later tables change nothing."""
    visitor = visit()
    visitor.enter("overtakes@example.org")
    match = make_match(visitor, "tir-na-nog")
    page = open_match(visitor, match)
    choose_by_touch(page, Random(1))
    before = asked(page)
    tables = HeldAnswers(page, "**/now?*")
    tables.hold()
    page.click("#turn .send")
    tables.wait()
    page.wait_for_timeout(SETTLE_MS)
    tables.release()
    wait_for_turn(page, before)
    page.wait_for_timeout(SETTLE_MS)
    check_question(visitor, match)


def test_a_move_stands_on_the_page_though_the_table_after_it_does_not_come(visit: Visit) -> None:
    visitor = visit()
    visitor.enter("halfway@example.org")
    match = make_match(visitor, "keltis")
    page = open_match(visitor, match)
    choose_by_touch(page, Random(1))
    before = asked(page)
    page.route("**/now?*", lambda route: route.abort())
    page.click("#turn .send")
    wait_for_turn(page, before)
    check_question(visitor, match)


def test_a_move_whose_answer_is_lost_is_made_once(visit: Visit) -> None:
    visitor = visit()
    visitor.enter("lost-answer@example.org")
    match = make_match(visitor, "keltis")
    page = open_match(visitor, match)
    choose_by_touch(page, Random(1))
    before, count = asked(page), count_moves(visitor, match)
    moves = HeldAnswers(page, "**/moves?*")
    moves.hold()
    page.click("#turn .send")
    moves.wait()
    made = count_moves(visitor, match)
    assert made > count
    moves.lose()
    wait_for_turn(page, before)
    page.wait_for_selector("#board g.open")
    assert count_moves(visitor, match) == made
    check_question(visitor, match)


def test_a_move_without_any_answer_is_not_told_as_unmade_once_the_match_goes_on(visit: Visit) -> None:
    visitor = visit()
    visitor.enter("no-answer@example.org")
    match = make_match(visitor, "keltis")
    page = open_match(visitor, match)
    choose_by_touch(page, Random(1))
    before = asked(page)
    page.route("**/moves?*", lambda route: (route.fetch(), route.abort()))
    page.click("#turn .send")
    wait_for_turn(page, before)
    page.wait_for_function("(before) => document.querySelector('#turn').dataset.asked !== before", arg=before)
    page.wait_for_selector("#turn .refused", state="hidden")
    check_question(visitor, match)


def test_a_preview_that_comes_after_another_question_is_not_shown(visit: Visit) -> None:
    visitor = visit()
    visitor.enter("late-preview@example.org")
    match = make_match(visitor, "keltis")
    page = open_match(visitor, match)
    begin_turn_of_lines(page)
    second = visitor.context.new_page()
    visitor.watch(second)
    second.goto(page.url)
    second.wait_for_selector("#turn.ready")
    preview = HeldAnswers(page, "**/preview")
    preview.hold()
    page.click("#turn .then")
    preview.wait()
    for number in range(6):
        choose_from_list(second, Random(5))
        press_send(second)
        if number and second.locator("#turn .option").count() > 1:
            break
    page.wait_for_function("(asked) => document.querySelector('#turn').dataset.asked === asked", arg=asked(second))
    preview.release()
    page.wait_for_timeout(SETTLE_MS)
    assert not page.locator("#turn.imagined, #board .imagined").count()
    page.evaluate("() => document.querySelector('#turn .refused').hidden = true")
    check_question(visitor, match)


def test_a_preview_is_drawn_anew_when_the_phone_is_turned(visit: Visit) -> None:
    visitor = visit()
    visitor.enter("turned@example.org")
    page = open_match(visitor, make_match(visitor, "keltis"))
    begin_turn_of_lines(page)
    page.click("#turn .then")
    page.wait_for_selector("#turn.imagined .chip.line")
    wide = page.get_attribute("#board svg", "viewBox")
    page.set_viewport_size({"width": NARROW, "height": 800})
    page.wait_for_function("(wide) => document.querySelector('#board svg').getAttribute('viewBox') !== wide", arg=wide)
    page.wait_for_selector("#board .imagined g.open")
    assert page.locator("#turn .chip.line").count() == 1
    page.click("#turn .chip.line")
    page.wait_for_selector("#turn:not(.imagined)")
    assert page.get_attribute("#board svg", "viewBox") != wide


DAMAGED_KEYS = {
    "no key pair": "{ id: 'x' }",
    "a pair that cannot sign": "{ id: key.id, pair: { privateKey: key.pair.publicKey } }",
}
DAMAGE_KEY = """(player) => new Promise((resolve, reject) => {
  const opening = indexedDB.open("echtra", 1);
  opening.onsuccess = () => {
    const store = opening.result.transaction("keys", "readwrite").objectStore("keys");
    const read = store.get(player);
    read.onsuccess = () => {
      const key = read.result;
      const writing = store.put(DAMAGED, player);
      writing.onsuccess = () => { opening.result.close(); resolve(true); };
      writing.onerror = () => reject(writing.error);
    };
  };
})"""


@pytest.mark.parametrize("damage", DAMAGED_KEYS)
def test_a_damaged_key_in_the_browser_is_replaced(visit: Visit, damage: str) -> None:
    visitor = visit()
    visitor.enter(f"damaged-{len(damage)}@example.org")
    match = make_match(visitor, "keltis")
    page = open_match(visitor, match)
    luck = Random(3)
    choose_by_touch(page, luck)
    press_send(page)
    wait_for_turn(page)
    me = ask(visitor, "GET", "/v1/me")["id"]
    page.evaluate(DAMAGE_KEY.replace("DAMAGED", DAMAGED_KEYS[damage]), me)
    before = count_moves(visitor, match)
    choose_by_touch(page, luck)
    press_send(page)
    check_question(visitor, match)
    assert count_moves(visitor, match) > before


@pytest.mark.parametrize("storage", STORAGES)
def test_a_browser_that_stores_nothing_plays_to_the_end(visit: Visit, storage: str) -> None:
    visitor = visit()
    visitor.enter(f"{storage}-storage@example.org")
    visitor.page.add_init_script(STORAGES[storage])
    match = make_match(visitor, "keltis")
    page = open_match(visitor, match)
    luck = Random(4)
    for _ in range(2):
        before = count_moves(visitor, match)
        choose_by_touch(page, luck)
        press_send(page)
        wait_for_turn(page)
        assert count_moves(visitor, match) > before
    assert len(ask(visitor, "GET", "/v1/me/keys")["items"]) == 1, "the same key signs both moves"
    resign(visitor, match)
    assert page.locator("section.result").count() == 1


def test_the_table_is_fetched_once_after_a_move(visit: Visit) -> None:
    visitor = visit()
    visitor.enter("once@example.org")
    match = make_match(visitor, "keltis")
    with visitor.page.expect_response(lambda answer: "/now?" in answer.url):  # asked for when the event stream opens
        page = open_match(visitor, match)
    tables: list[str] = []
    page.on("request", lambda request: tables.append(request.url) if "/now?" in request.url else None)
    choose_by_touch(page, Random(5))
    press_send(page)
    wait_for_turn(page)
    page.wait_for_timeout(SETTLE_MS)
    assert len(tables) == 1


@pytest.mark.parametrize(("width", "height"), [(640, 450), (320, 640), (768, 1024)])
def test_a_page_that_becomes_narrow_folds_the_list_of_moves(visit: Visit, width: int, height: int) -> None:
    visitor = visit()
    visitor.enter(f"folds-{width}@example.org")
    page = open_match(visitor, make_match(visitor, "keltis"))
    page.keyboard.press("l")
    page.wait_for_selector("#turn .list[open]")
    page.set_viewport_size({"width": width, "height": height})
    page.wait_for_selector("#turn .list:not([open])")
