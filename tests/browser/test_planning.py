"""Planning by touch: own moves and likely moves of the other on an imagined table, kept, and turned into orders."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
from playwright.sync_api import Page

from tests.support.browser import NARROW, WIDE, WINDOWS, Visitor, widths_and_locales
from tests.support.playing import ask, choose_by_touch, make_match, open_match, wait_for_turn

Visit = Callable[..., Visitor]


def plan_own_line(page: Page, luck: Random) -> None:
    """Choose a line on the imagined board and add it to the plan."""
    before = page.locator("#planning .plan li").count()
    choose_by_touch(page, luck)
    page.tap("#turn .send")
    page.wait_for_function("(count) => document.querySelectorAll('#planning .plan li').length > count", arg=before)


def plan_turns(page: Page, luck: Random) -> None:
    """Plan on until the seat has moved again after the other."""
    page.tap("#planning [data-plan=begin]")
    page.wait_for_selector("#planning.active")
    plan_own_line(page, luck)
    while not page.locator("#turn .likely button").count():
        plan_own_line(page, luck)
    while page.locator("#turn .likely button").count():
        before = page.locator("#planning .plan li").count()
        page.locator("#turn .likely button").first.tap()
        page.wait_for_function("(count) => document.querySelectorAll('#planning .plan li').length > count", arg=before)
    plan_own_line(page, luck)


@pytest.mark.parametrize(("width", "locale"), widths_and_locales((WIDE, "fr-FR"), (NARROW, "en-GB")))
def test_a_plan_is_kept_and_becomes_orders(visit: Visit, width: int, locale: str) -> None:
    visitor = visit(width=width, locale=locale, has_touch=True)
    visitor.enter(f"plans-{width}-{locale[:2]}@example.org")
    match = make_match(visitor, "keltis")
    page = open_match(visitor, match)
    page.set_viewport_size({"width": width, "height": WINDOWS[width]})
    real = ask(visitor, "GET", f"/v1/matches/{match}/table")
    page.tap("#planning summary")
    plan_turns(page, Random(width))
    assert ask(visitor, "GET", f"/v1/matches/{match}/table") == real, "nothing was sent"
    assert page.locator("#task .trial").is_visible()
    assert page.locator("#task .todo").is_hidden(), "the task is that of the real table"
    assert visitor.find_violations() == []
    assert visitor.overflow() <= 0
    page.fill("#plan-title", "First")
    page.tap("#planning form button")
    page.wait_for_selector("#planning .kept li")
    (branch,) = ask(visitor, "GET", f"/v1/matches/{match}/branches")["items"]
    own = [step["line"] for step in branch["steps"] if step["seat"] == 0]
    assert {step["seat"] for step in branch["steps"]} == {0, 1}
    page.tap("#planning [data-plan=end]")
    page.wait_for_selector("#planning:not(.active)")
    page.locator("#planning .kept button").first.tap()
    page.wait_for_selector("#planning.active")
    assert page.locator("#planning .plan li").count() == len(branch["steps"])
    page.tap("#planning [data-plan=orders]")
    page.wait_for_selector("#planning:not(.active)")
    history = ask(visitor, "GET", f"/v1/matches/{match}/history?limit=200")["items"]
    made = [entry["line"] for entry in history if entry["seat"] == 0]
    assert made == own[: len(made)]
    assert len(made) >= 2, "what could be made at once is made"
    page.locator("#planning .kept button").last.tap()
    page.wait_for_function("() => !document.querySelector('#planning .kept li')")


def test_a_plan_keeps_what_still_holds_when_the_match_moves_on(visit: Visit) -> None:
    visitor, other = visit(has_touch=True), visit()
    visitor.enter("plans-on@example.org", "Etain")
    other.enter("plans-other@example.org", "Midir")
    match = make_match(visitor, "keltis", bots={}, visibility="open", options={"start": 0})
    ask(other, "POST", f"/v1/matches/{match}/join", {})
    page = open_match(visitor, match)
    wait_for_turn(page)
    page.tap("#planning summary")
    plan_turns(page, Random(1))
    planned = page.locator("#planning .plan li").all_inner_texts()
    tab = visitor.context.new_page()
    tab.goto(page.url)
    wait_for_turn(tab)
    choose_by_touch(tab, Random(1))
    tab.click("#turn .send")
    page.wait_for_selector("#planning .refused:has-text('moved on')")
    left = page.locator("#planning .plan li").all_inner_texts()
    assert left == planned[len(planned) - len(left) :]
    assert 0 < len(left) < len(planned)
    assert page.locator("#planning.active").count() == 1
