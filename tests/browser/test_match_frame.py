"""The first window of a match page: players with clocks, task, whole board and Send, without scrolling."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from engine.games import GAMES
from tests.support.browser import WIDE, WINDOWS, Visitor
from tests.support.playing import make_match, open_match

OUTSIDE = """() => {
  const board = document.querySelector("#board .frame"), sheet = document.querySelector("#turn");
  const low = getComputedStyle(sheet).position === "fixed" ? sheet.getBoundingClientRect().top : innerHeight;
  const parts = {
    board: board.querySelector("svg"), send: sheet.querySelector(".send"), task: document.querySelector("#task"),
    clock: document.querySelector("#seats-list .asked time"), players: document.querySelector("#seats-list"),
  };
  const wrong = Object.entries(parts).filter(([name, part]) => {
    const { left, top, right, bottom, width } = part.getBoundingClientRect();
    const end = name === "send" ? innerHeight : low;
    return !width || left < 0 || top < 0 || right > innerWidth + 1 || bottom > end + 1;
  }).map(([name]) => name);
  const page = document.documentElement;
  if (page.scrollWidth > innerWidth) wrong.push("page is too wide");
  if (innerWidth > 960 && page.scrollHeight > innerHeight) wrong.push("page scrolls");
  return wrong;
}"""

BANDS = """() => {
  const frame = document.querySelector("#board .frame"), { width, height } = frame.querySelector("svg").viewBox.baseVal;
  return frame.clientHeight - frame.clientWidth * height / width;
}"""
"""The part of a frame's height in a high window that its picture does not cover."""

BOARDS = [
    (slug, seats, width)
    for slug, game in GAMES.items()
    for seats in (game.rules.seats[0], game.rules.seats[-1])
    for width in WINDOWS
]


@pytest.mark.parametrize(("slug", "seats", "width"), BOARDS)
def test_the_first_window_shows_all_that_a_move_needs(
    visit: Callable[..., Visitor], slug: str, seats: int, width: int
) -> None:
    visitor = visit(width=width)
    visitor.page.set_viewport_size({"width": width, "height": WINDOWS[width]})
    visitor.enter(f"frame-{slug}-{seats}-{width}@example.org", "Niamh")
    bots = {str(seat): "steady" for seat in range(1, seats)}
    page = open_match(visitor, make_match(visitor, slug, seats=seats, bots=bots, clock="simple-1"))
    page.wait_for_selector("#board g.open, #turn .mark")
    assert page.evaluate(OUTSIDE) == []
    if width == WIDE:
        page.set_viewport_size({"width": width, "height": 1000})
        assert page.evaluate(BANDS) == pytest.approx(0, abs=2), "the table is no larger than the board"


def test_a_board_that_is_too_tall_scrolls_within_its_frame_on_a_desk(visit: Callable[..., Visitor]) -> None:
    """Players, task and Send stay in the window, whatever is scrolled."""
    visitor = visit()
    visitor.page.set_viewport_size({"width": WIDE, "height": 560})
    visitor.enter("low-window@example.org", "Niamh")
    page = open_match(visitor, make_match(visitor, "keltis", clock="simple-1"))
    page.wait_for_selector("#board g.open")
    page.locator("#board g.open .ring").last.click()
    assert not set(page.evaluate(OUTSIDE)) - {"board"}


FORCED = """() => {
  const style = (name, pseudo) => getComputedStyle(document.querySelector(name), pseudo);
  const ring = (name) => { const { stroke, strokeWidth } = style(name); return `${stroke} ${strokeWidth}`; };
  return {
    rings: [ring("#board g.open > .ring"), ring("#board g.chosen > .ring")],
    borders: ["#turn .send", "#turn .chip", ".players .sign"].map((name) => style(name).borderTopStyle),
    board: style("#board .frame").forcedColorAdjust,
  };
}"""


def test_forced_colours_keep_the_board_and_tell_apart_what_is_chosen(visit: Callable[..., Visitor]) -> None:
    visitor = visit(forced_colors="active")
    visitor.enter("forced@example.org", "Niamh")
    page = open_match(visitor, make_match(visitor, "keltis"))
    page.locator("#board g.open .ring").first.click()
    page.wait_for_selector("#board g.chosen > .ring")
    shown = page.evaluate(FORCED)
    assert shown["rings"][0] != shown["rings"][1]
    assert "none" not in shown["borders"]
    assert shown["board"] == "none", "a board keeps its colours, which have meanings"
    assert visitor.find_violations() == []
    visitor.open("/new/keltis")
    picked, other = (page.locator(f"[name=seat_1]{state} + span").first for state in (":checked", ":not(:checked)"))
    colours = [each.evaluate("span => getComputedStyle(span).backgroundColor") for each in (picked, other)]
    assert colours[0] != colours[1]
    assert visitor.find_violations() == []


def test_nothing_travels_for_who_asked_for_less_motion_and_the_outline_stays(visit: Callable[..., Visitor]) -> None:
    visitor = visit(reduced_motion="reduce")
    visitor.enter("still@example.org", "Niamh")
    match = make_match(visitor, "keltis")
    page = open_match(visitor, match)
    page.evaluate(
        """() => { window.travelled = 0; const own = Element.prototype.animate;
        Element.prototype.animate = function (...all) { window.travelled++; return own.apply(this, all); }; }"""
    )
    page.locator("#board g.open .ring").first.click()
    page.wait_for_selector("#turn .chip")
    while page.locator("#turn .send[aria-disabled=true]").count():
        page.locator("#board g.open .ring").first.click()
    page.click("#turn .send")
    page.wait_for_selector("#board .fresh")
    assert page.evaluate("window.travelled") == 0
