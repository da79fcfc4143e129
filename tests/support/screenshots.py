"""Pictures of the page of a match, to be looked at: each game at its start, chosen, and at its end, wide and narrow.

    .venv/bin/python -m tests.support.screenshots FOLDER [GAME…]

Wide pages are light and English, narrow ones dark and French.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from random import Random
from typing import Any

from playwright.sync_api import sync_playwright

from engine.games import GAMES
from tests.support.browser import NARROW, WIDE, Visitor, launch_browser, open_visitor, serve_site
from tests.support.playing import OPEN_MARKS, choose_by_touch, make_match, open_match, play_to_end, press_send, touch

LOOKS: dict[int, dict[str, Any]] = {
    WIDE: {"color_scheme": "light", "locale": "en-GB"},
    NARROW: {"color_scheme": "dark", "locale": "fr-FR"},
}
FIRST_MOVES = 14


def take_pictures(visitor: Visitor, game: str, folder: Path, width: int) -> None:
    """Play a match to its end, with pictures on the way."""

    def take(moment: str) -> None:
        visitor.page.wait_for_timeout(300)
        visitor.page.screenshot(path=folder / f"{game}-{width}-{moment}.png", full_page=width == WIDE)

    match = make_match(visitor, game)
    page, luck = open_match(visitor, match), Random(game)
    take("start")
    for _ in range(FIRST_MOVES):
        choose_by_touch(page, luck)
        press_send(page)
    take("middle")
    touch(page, page.evaluate(OPEN_MARKS)[0])
    take("chosen")
    play_to_end(page, choose_by_touch, luck)
    page.wait_for_selector("table.scores")
    take("end")


def main(folder: Path, games: list[str]) -> None:
    """Take the pictures of these games."""
    folder.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as data,
        serve_site(Path(data)) as site,
        sync_playwright() as playwright,
        launch_browser(playwright) as browser,
    ):
        for game in games:
            for width, looks in LOOKS.items():
                visitor = open_visitor(browser, site, width=width, **looks)
                visitor.enter(f"{game}-{width}@example.org")
                take_pictures(visitor, game, folder, width)
                visitor.context.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:] or list(GAMES))
