"""The command `python -m bench.browser_pages`: how soon Chromium shows a match, lets it be played, and updates it."""

import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import median

import click
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright
from rich.table import Table

from bench.tables import figures_table, wide_console
from engine.games import GAMES
from tests.support.browser import NARROW, Site, Visitor, launch_browser, open_visitor, serve_site
from tests.support.playing import choose_by_touch, make_match, open_match, press_send

WIDTH = 120
ROUNDS = 5
SENDS = 15
SLOW_NETWORK = {"offline": False, "latency": 150, "downloadThroughput": 1.6e6 / 8, "uploadThroughput": 750e3 / 8}
"""1.6 Mbit/s down and 150 ms of latency: the preset "slow 4G" of browser tools."""
SLOW_CPU = 4
FIRST_PAINT, PLAYABLE, SHIFT, NEXT_BOARD = 1.0, 2.0, 0.05, 300.0
"""Limits: seconds, seconds, the share of the window that moved, milliseconds."""
WATCH = """
  window.measured = { shift: 0 };
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) measured.shift += entry.value;
  }).observe({ type: "layout-shift", buffered: true });
  new MutationObserver(() => {
    if (!measured.playable && document.querySelector("#turn.ready")
      && document.querySelector("#board g.open, #turn .mark")) measured.playable = performance.now();
  }).observe(document, { subtree: true, childList: true, attributes: true });
"""
READ = """() => ({
  ...measured,
  paint: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0,
})"""
SEND = """() => new Promise((resolve) => {
  const before = document.querySelector("#board svg"), began = performance.now();
  new MutationObserver((_, watch) => {
    const now = document.querySelector("#board svg");
    if (!now || now === before) return;
    watch.disconnect();
    requestAnimationFrame(() => resolve(performance.now() - began));
  }).observe(document.querySelector("#board"), { subtree: true, childList: true });
  document.querySelector("#turn .send").click();
})"""


@dataclass(frozen=True)
class PageTimes:
    """Medians of several visits to the page of a match, and of several moves on it."""

    game: str
    paint: float
    playable: float
    shift: float
    next_board: float
    slowest: float

    @property
    def keeps_limits(self) -> bool:
        """True if all figures are within the limits."""
        return (
            self.paint <= FIRST_PAINT
            and self.playable <= PLAYABLE
            and self.shift < SHIFT
            and self.next_board < NEXT_BOARD
        )


def visit_slowly(context: BrowserContext, url: str) -> tuple[float, float, float]:
    """Open a page for the first time on a slow network and CPU; return first paint, playable, layout shift."""
    page = context.new_page()
    page.add_init_script(WATCH)
    tools = context.new_cdp_session(page)
    tools.send("Network.enable")
    tools.send("Network.clearBrowserCache")
    tools.send("Network.emulateNetworkConditions", SLOW_NETWORK)
    tools.send("Emulation.setCPUThrottlingRate", {"rate": SLOW_CPU})
    page.goto(url)
    page.wait_for_function("() => measured.playable", timeout=30_000)
    page.wait_for_load_state("networkidle")
    times = page.evaluate(READ)
    page.close()
    return times["paint"] / 1000, times["playable"] / 1000, times["shift"]


def time_moves(page: Page, luck: Random) -> list[float]:
    """Return the milliseconds from Send to the new board, with the answer of a bot, at full speed."""
    taken: list[float] = []
    while len(taken) < SENDS and page.locator("#turn").count():
        choose_by_touch(page, luck)
        before = page.get_attribute("#turn", "data-asked")
        taken.append(page.evaluate(SEND))
        page.wait_for_function(
            "(before) => !document.querySelector('#turn') || "
            "!['', before].includes(document.querySelector('#turn').dataset.asked)",
            arg=before,
        )
    return taken


def measure_game(visitor: Visitor, game: str, rounds: int) -> PageTimes:
    """Measure the page of one game."""
    match = make_match(visitor, game)
    page, luck = open_match(visitor, match), Random(game)
    for _ in range(3):
        choose_by_touch(page, luck)
        press_send(page)
    visits = [visit_slowly(visitor.context, page.url) for _ in range(rounds)]
    paint, playable, shift = (median(each) for each in zip(*visits, strict=True))
    open_match(visitor, match)
    moves = time_moves(page, luck)
    return PageTimes(game, paint, playable, shift, median(moves), max(moves))


def measure_pages(browser: Browser, site: Site, rounds: int, tell: Callable[[str], None]) -> list[PageTimes]:
    """Measure the pages of every game, at the width of a phone."""
    visitor = open_visitor(browser, site, width=NARROW)
    visitor.enter("bench@example.org", "Étaín")
    pages = []
    for game in GAMES:
        tell(game)
        pages.append(measure_game(visitor, game, rounds))
    return pages


def pages_table(pages: list[PageTimes]) -> Table:
    """Return a table of the figures and their limits."""
    title = "The page of a match in Chromium (slow 4G and a quarter of the CPU; Send on loopback)"
    figures = ("first paint s", "playable s", "layout shift", "Send → board ms", "slowest ms")
    table = figures_table(title, ["game"], figures)
    for each in pages:
        shown = (each.paint, each.playable, each.shift, each.next_board, each.slowest)
        table.add_row(each.game, *(f"{value:{form}}" for value, form in zip(shown, FORMS, strict=True)))
    limits = (f"{FIRST_PAINT:.1f}", f"{PLAYABLE:.1f}", f"{SHIFT:.2f}", f"{NEXT_BOARD:.0f}", "")
    table.add_row("at most", *limits, style="bold")
    return table


FORMS = (".2f", ".2f", ".3f", ".0f", ".0f")


@click.command()
@click.option("--rounds", type=click.IntRange(min=1), default=ROUNDS, show_default=True, help="Visits for each game.")
def main(rounds: int) -> None:
    """Measure pages in a real browser, as medians of several visits."""
    console = wide_console(WIDTH)
    with (
        tempfile.TemporaryDirectory(prefix="echtra-bench-") as folder,
        serve_site(Path(folder)) as site,
        sync_playwright() as playwright,
        launch_browser(playwright) as browser,
    ):
        pages = measure_pages(browser, site, rounds, lambda game: console.print(f"{game} …", style="dim"))
    console.print(pages_table(pages))
    slow = [each.game for each in pages if not each.keeps_limits]
    if slow:
        console.print(f"Slower than they may be: {', '.join(slow)}.", style="red")


if __name__ == "__main__":
    main(prog_name="python -m bench.browser_pages")
