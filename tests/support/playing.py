"""Playing in the browser as a person does: by touch, by the list, by keys."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from random import Random
from typing import Any

from playwright.sync_api import Locator, Page

from tests.support.browser import OWN_PAGE, Visitor
from tests.support.factories import with_seat_0_first

MOST_TOUCHES = 12
READY = """(before) => {
  const panel = document.querySelector("#turn");
  if (!panel) return true;
  if (panel.querySelector(".refused").hidden === false) return true;
  return Boolean(panel.dataset.asked) && panel.dataset.asked !== before;
}"""
SETTLED = """(before) => {
  const panel = document.querySelector("#turn");
  if (!panel || panel.querySelector(".send").hidden) return true;
  return Boolean(panel.dataset.asked) && panel.dataset.asked !== before;
}"""
"""True once the submission has led to another question, to other players' turn, or to the end."""
OPEN_MARKS = """() => [...document.querySelectorAll("#board g.open")].map((group) => group.dataset.mark)
  .concat([...document.querySelectorAll("#turn .mark")].map((button) => button.dataset.mark))"""

CAN_CHOOSE = """() => document.querySelector("#board g.open, #turn .mark, #turn .send[aria-disabled=false]")"""
TOUCHED = """(before) => document.querySelector("#turn").dataset.touches !== before"""
ARROWS = ("ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown")
MOST_STEPS = 200
MARKS_MS = 5_000
"""Timeout for the marks of an open question, far longer than a board needs."""

STORAGES = {
    "full": """
      const refuse = () => { throw new DOMException("full", "QuotaExceededError"); };
      IDBObjectStore.prototype.put = Storage.prototype.setItem = refuse;""",
    "private": """
      const refuse = () => { throw new DOMException("refused", "SecurityError"); };
      IDBFactory.prototype.open = refuse;
      for (const name of ["localStorage", "sessionStorage"]) Object.defineProperty(window, name, { get: refuse });""",
}
"""Scripts that let a browser behave as one whose disk is full, or as a private window that refuses all storage."""


def ask(visitor: Visitor, method: str, path: str, body: Any = None) -> Any:  # noqa: ANN401  # JSON
    """Return the answer of our API to this visitor, requested with their session as our pages do."""
    data = None if body is None else json.dumps(body)
    headers = OWN_PAGE if data is None else {**OWN_PAGE, "Content-Type": "application/json"}
    answer = visitor.context.request.fetch(visitor.site.url + path, method=method, headers=headers, data=data)
    text = answer.text()
    assert answer.ok, f"{answer.status} {text}"
    return json.loads(text) if text.startswith(("{", "[")) else text


def make_match(visitor: Visitor, game: str, **more: Any) -> str:  # noqa: ANN401  # as the API takes it
    """Return a match of this visitor against a bot, or one with these settings, once the visitor is asked."""
    body = with_seat_0_first({"game": game, "seats": 2, "seat": 0, "bots": {"1": "steady"}, **more})
    match: str = ask(visitor, "POST", "/v1/matches", body)["id"]
    if body["bots"]:
        wait_for_question(visitor, match=match)
    return match


def wait_for_question(*visitors: Visitor, match: str) -> Visitor:
    """Wait until one of these visitors is asked, and return that visitor."""
    until = time.monotonic() + 20
    while time.monotonic() < until:
        for visitor in visitors:
            if ask(visitor, "GET", f"/v1/matches/{match}/options")["question"]:
                return visitor
        time.sleep(0.05)
    raise AssertionError("nobody is asked")


def open_match(visitor: Visitor, match: str) -> Page:
    """Open the page of a match and wait until it can be played."""
    visitor.open(f"/matches/{match}")
    visitor.page.wait_for_selector("#turn.ready")
    return visitor.page


def choose_single_steps(visitor: Visitor) -> None:
    """Turn off joining forced steps to a move, for tests that count moves."""
    visitor.context.add_init_script("localStorage.setItem('echtra:single-steps', '1')")


def asked(page: Page) -> str:
    """Return the question that the page asks now."""
    return page.get_attribute("#turn", "data-asked") or ""


def wait_for_turn(page: Page, before: str = "") -> None:
    """Wait until the page asks another question, shows a refusal, or the match is over."""
    page.wait_for_function(READY, arg=before, timeout=20_000)


def can_send(page: Page) -> bool:
    """Return True if a complete line is chosen."""
    return page.locator("#turn .send[aria-disabled=false]:visible").count() > 0


def touch(page: Page, mark: str) -> None:
    """Touch a mark on the board, or its button."""
    shape = page.locator(f'#board g.open[data-mark="{mark}"] > .ring')
    target = shape if shape.count() else page.locator(f'#turn .mark[data-mark="{mark}"]')
    before = page.get_attribute("#turn", "data-touches")
    press(page, target.first)
    page.wait_for_function(TOUCHED, arg=before)


def press(page: Page, target: Locator) -> None:
    """Touch something with a finger where the screen takes touches, elsewhere click it."""
    if page.evaluate("navigator.maxTouchPoints"):
        target.tap()
    else:
        target.click()


def choose_by_touch(page: Page, luck: Random) -> None:
    """Touch one open mark after another until a line is offered."""
    for _ in range(MOST_TOUCHES):
        page.wait_for_function(CAN_CHOOSE, timeout=MARKS_MS)
        if can_send(page):
            return
        touch(page, luck.choice(page.evaluate(OPEN_MARKS)))
    assert can_send(page), page.inner_text("#turn")


def choose_and_look_ahead(page: Page, luck: Random) -> bool:
    """Choose a line by touch. Return True if the seat then continues, as the service says and the page offers."""
    with page.expect_response("**/preview") as looked:
        choose_by_touch(page, luck)
    shown = looked.value.json()
    goes_on: bool = shown["then"] == "you" and len(shown["made"]) == 1 + shown["forced"]
    if goes_on:
        page.wait_for_selector("#turn .then:visible")
    return goes_on


def open_list(page: Page) -> None:
    """Open the list of moves, which is folded at first."""
    if page.locator("#turn .list:not([open])").count():
        page.click("#turn .list summary")


def choose_from_list(page: Page, luck: Random) -> None:
    """Press a button of the list."""
    open_list(page)
    rows = page.locator("#turn .option")
    rows.nth(luck.randrange(rows.count())).click()
    page.wait_for_selector("#turn .send[aria-disabled=false]")


def choose_by_keys(page: Page, luck: Random) -> None:
    """Go over the board with the arrow keys and press Enter, from one tab stop."""
    for _ in range(MOST_TOUCHES):
        page.wait_for_function(CAN_CHOOSE, timeout=MARKS_MS)
        if can_send(page):
            return
        if page.locator("#board g.open > .ring").count():
            go_to_open_mark(page, luck)
        else:
            page.locator("#turn .mark").first.focus()
        before = page.get_attribute("#turn", "data-touches")
        page.keyboard.press("Enter")
        page.wait_for_function(TOUCHED, arg=before)
    assert can_send(page), page.inner_text("#turn")


def go_to_open_mark(page: Page, luck: Random) -> None:
    """Move by arrow keys from the board's tab stop, until the focused mark can be touched, not only taken back."""
    page.locator('#board .ring[tabindex="0"]').focus()
    for _ in range(luck.randrange(4)):
        page.keyboard.press(luck.choice(ARROWS))
    for _ in range(MOST_STEPS):
        if page.locator("#board g.open > .ring:focus").count():
            return
        page.keyboard.press(luck.choice(ARROWS))
    raise AssertionError("no arrow leads to what can be touched")


def press_send(page: Page, *, by_key: bool = False) -> None:
    """Send the chosen line, and wait for the result."""
    before = asked(page)
    if by_key:
        page.focus("#turn .send")
        page.keyboard.press("Enter")
    else:
        press(page, page.locator("#turn .send"))
    wait_for_turn(page, before)


def play_whole_turn(page: Page, luck: Random) -> None:
    """Choose and send until other players are asked, or the match is over."""
    while page.locator("#turn").count() and (before := asked(page)):
        choose_by_touch(page, luck)
        press(page, page.locator("#turn .send"))
        page.wait_for_function(SETTLED, arg=before)


def play_to_end(
    page: Page, choose: Callable[[Page, Random], None], luck: Random, most: int = 400, *, by_key: bool = False
) -> int:
    """Choose and send until the match is over. Return how many lines were sent."""
    for sent in range(most):
        wait_for_turn(page)
        if not page.locator("#turn").count():
            return sent
        choose(page, luck)
        press_send(page, by_key=by_key)
    raise AssertionError(f"the match is not over after {most} moves")
