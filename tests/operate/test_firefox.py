"""A guest's first moves in a real Firefox, by touch: another browser than the Chromium of all other tests."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from tests.support.browser import serve_site
from tests.support.firefox import Firefox, open_firefox
from tests.support.playing import CAN_CHOOSE, MOST_TOUCHES, OPEN_MARKS, READY, TOUCHED
from tests.support.servers import ROOT

pytestmark = pytest.mark.operate
MOVES = 6
PICTURES = ROOT / "screenshots"
CAN_SEND = "() => Boolean(document.querySelector('#turn .send[aria-disabled=false]'))"
OVERFLOW = "() => document.documentElement.scrollWidth - innerWidth"
REFUSED = "() => document.querySelector('#turn .refused:not([hidden])')?.textContent ?? ''"


def choose_and_send(firefox: Firefox, luck: Random) -> None:
    """Touch one open mark after the other until a line is offered, and send it."""
    for _ in range(MOST_TOUCHES):
        firefox.wait_for(f"() => Boolean(({CAN_CHOOSE})())")
        if firefox.evaluate(CAN_SEND):
            break
        mark = luck.choice(firefox.evaluate(OPEN_MARKS))
        before = firefox.evaluate("() => document.querySelector('#turn').dataset.touches")
        firefox.touch(f'#board g.open[data-mark="{mark}"] > .ring, #turn .mark[data-mark="{mark}"]')
        firefox.wait_for(TOUCHED, before)
    before = firefox.evaluate("() => document.querySelector('#turn').dataset.asked")
    firefox.touch("#turn .send[aria-disabled=false]")
    firefox.wait_for(READY, before)
    assert not firefox.evaluate(REFUSED)


@pytest.mark.parametrize(
    ("width", "height", "language", "game"),
    [(1280, 720, "en-GB", "tir-na-nog"), (400, 800, "fr-FR", "keltis")],
)
def test_a_guest_plays_by_touch_in_firefox(tmp_path: Path, width: int, height: int, language: str, game: str) -> None:
    (tmp_path / "site").mkdir()
    with serve_site(tmp_path / "site") as site, open_firefox(tmp_path, language) as firefox:
        firefox.open(site.url)
        firefox.resize(width, height)
        assert firefox.evaluate("() => document.documentElement.lang") == language[:2]
        assert firefox.evaluate(OVERFLOW) <= 0
        firefox.touch(f"form[action='/new/{game}/bot'] button")
        firefox.wait_for(
            "() => location.pathname.startsWith('/matches/') && Boolean(document.querySelector('#turn.ready'))"
        )
        luck = Random(game)
        for _ in range(MOVES):
            firefox.wait_for(READY, "")
            choose_and_send(firefox, luck)
        told = firefox.evaluate("() => document.querySelectorAll('#story-items li').length")
        assert told >= MOVES
        assert firefox.evaluate(OVERFLOW) <= 0
        firefox.take_picture(PICTURES / f"firefox-{game}-{width}.png")
        assert firefox.read_errors(site.url) == []
