"""Matches in a real browser to their end: by touch, by keys alone, by the list alone; scores, and records that hold."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
from playwright.sync_api import Page

from service.record.verify import verify
from service.record.verify.rules_check import RulesChecker
from tests.support.browser import NARROW, WIDE, Visitor
from tests.support.page_tour import resign
from tests.support.playing import (
    ask,
    choose_by_keys,
    choose_by_touch,
    choose_from_list,
    make_match,
    open_match,
    play_to_end,
    press_send,
)

Visit = Callable[..., Visitor]
SOME_MOVES = 12
"""Enough for several whole turns."""


def check_end(visitor: Visitor, match: str, *, given_up: bool = False) -> None:
    """Check that the page shows the scores of the API, and that the record is proved from first line to last."""
    page = visitor.page
    page.wait_for_selector("table.scores")
    result = ask(visitor, "GET", f"/v1/matches/{match}/table")["result"]
    totals = [each.strip().replace("−", "-") for each in page.locator("table.scores .total td").all_inner_texts()]
    assert totals == [str(score["total"]) for score in result["scores"]]
    assert "won" in page.inner_text(".says") or "first place" in page.inner_text(".says")
    record = page.request.get(f"{visitor.site.url}/v1/matches/{match}/record").body()
    report = verify(record, rules=RulesChecker())
    assert report.over
    page.click("#more-title")
    page.click("details.programs > summary")
    page.click("#check button")
    page.wait_for_function("() => document.querySelector('#check .found').textContent.startsWith('Good')")
    if not given_up:  # a resignation has no margin
        check_headline(page, [score["total"] for score in result["scores"]], result["winners"])


def check_headline(page: Page, totals: list[int], winners: list[int]) -> None:
    """The card names the margin, and goes on naming it when the page has followed what came after the last move."""
    own, best = totals[0], max(totals)
    if totals.count(best) == 1 and winners == [totals.index(best)]:  # who resigns may have more points
        margin = own - max(totals[1:]) if own == best else best - own
        assert page.inner_text("#scores").endswith(f"won by {margin}")


@pytest.mark.parametrize(
    ("game", "width", "seats"),
    [("keltis", WIDE, 4), ("tain", NARROW, 2), ("tir-na-nog", WIDE, 2), ("bardwood-grove", NARROW, 2)],
)
def test_a_match_against_bots_is_played_by_touch_to_its_end(visit: Visit, game: str, width: int, seats: int) -> None:
    visitor = visit(width=width, has_touch=width == NARROW)
    visitor.enter(f"touch-{game}@example.org")
    match = make_match(visitor, game, seats=seats, bots={str(seat): "steady" for seat in range(1, seats)})
    page = open_match(visitor, match)
    assert play_to_end(page, choose_by_touch, Random(game)) > 10
    check_end(visitor, match)
    assert visitor.overflow() <= 0


def test_a_match_is_played_and_given_up_by_keys_alone(visit: Visit) -> None:
    visitor = visit()
    visitor.enter("keys@example.org")
    match = make_match(visitor, "keltis")
    page = open_match(visitor, match)
    luck = Random("keys")
    for _ in range(SOME_MOVES):
        choose_by_keys(page, luck)
        press_send(page, by_key=True)
        assert page.locator("#turn .refused").is_hidden()
    page.focus("summary:has(#more-title)")
    page.keyboard.press("Enter")
    page.focus("#resign-word")
    page.keyboard.type("resign")
    page.keyboard.press("Enter")
    check_end(visitor, match, given_up=True)


def test_a_match_is_played_and_given_up_by_the_list_alone_on_a_phone(visit: Visit) -> None:
    visitor = visit(width=NARROW)
    visitor.enter("list@example.org")
    match = make_match(visitor, "keltis")
    page = open_match(visitor, match)
    luck = Random("list")
    for _ in range(SOME_MOVES):
        choose_from_list(page, luck)
        press_send(page)
        assert page.locator("#turn .refused").is_hidden()
    resign(visitor, match)
    check_end(visitor, match, given_up=True)
