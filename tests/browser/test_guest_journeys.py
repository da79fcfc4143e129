"""From the address of the site to a finished match without an account, and on to an account that keeps it."""

from __future__ import annotations

import http.server
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from http.client import HTTPConnection
from random import Random
from urllib.parse import urlsplit, urlunsplit

import pytest
from playwright.sync_api import Page

from engine.games import GAMES
from tests.support.browser import LONG, NARROW, WIDE, WINDOWS, Site, Visitor, widths_and_locales
from tests.support.playing import (
    STORAGES,
    ask,
    choose_by_touch,
    open_match,
    play_to_end,
    press_send,
    wait_for_question,
    wait_for_turn,
)

Visit = Callable[..., Visitor]
JOURNEYS = [(game, "") for game in (GAMES if LONG else ["tir-na-nog"])] + [
    ("keltis", each) for each in STORAGES if LONG
]
"""Games, and what keeps the browser from storing anything."""
WORDS = {
    "en-GB": ("Play now", "Keep it", "Your matches stay", "Sign in"),
    "fr-FR": ("Jouer", "La garder", "Vos parties restent", "Se connecter"),
}


def start_as_guest(visit: Visit, width: int, locale: str, game: str, storage: str = "") -> tuple[Visitor, str]:
    """Go to the address of the site and touch *Play now* on the card of a game; return the match.

    In Tír na nÓg the opponent is Balor; `storage` names what keeps the browser from storing anything.
    """
    visitor = visit(width=width, locale=locale, has_touch=True)
    page = visitor.page
    page.set_viewport_size({"width": width, "height": WINDOWS[width]})
    if storage:
        page.add_init_script(STORAGES[storage])
    visitor.open("/")
    form = page.locator(f"form[action='/new/{game}/bot']").first
    if game == "tir-na-nog":
        form.locator("label:has([value=balor-easy])").tap()
    form.locator("button").first.tap()
    page.wait_for_selector("#turn.ready")
    match = page.url.rpartition("/")[2].partition("?")[0]
    wait_for_question(visitor, match=match)
    return visitor, match


def keep_match(visitor: Visitor, site: Site, address: str, name: str = "") -> None:
    """Follow the gold line *Keep it* and sign in; a new address gives itself a name."""
    page = visitor.page
    _, keep, stays, _ = WORDS[visitor.locale]
    page.tap(f".banner.keep a:has-text('{keep}')")
    assert stays in page.inner_text("main")
    before = len(site.codes_to(address))
    page.fill("input[name=address]", address)
    page.tap("main button[type=submit] >> nth=0")
    page.fill("input[name=code]", site.wait_for_code(address, before + 1))
    page.tap("main form.sheet button[type=submit]")
    if name:
        page.fill("input[name=name]", name)
        page.tap("main button[type=submit]")
    page.wait_for_selector("header form[action='/leave']", state="attached")


def check_page(visitor: Visitor, width: int) -> None:
    """Nothing stands against access, and nothing is wider than the window."""
    assert visitor.find_violations() == []
    assert visitor.overflow() <= 0
    visitor.page.set_viewport_size({"width": width, "height": WINDOWS[width]})


def check_story(page: Page) -> None:
    """The story is told from the last turn to the first, further back with each touch."""
    while page.locator("#earlier").is_visible():
        before = page.locator("#story-items a").count()
        page.tap("#earlier")
        page.wait_for_function("(n) => document.querySelectorAll('#story-items a').length > n", arg=before)
    numbers = [int(title.split()[1]) for title in page.locator("#story-items h3").all_inner_texts()]
    assert numbers == sorted(set(numbers), reverse=True)
    assert numbers[-1] == 1


@pytest.mark.parametrize(("width", "locale"), widths_and_locales((NARROW, "fr-FR")))
@pytest.mark.parametrize(("game", "storage"), JOURNEYS)
def test_a_guest_plays_a_whole_match_and_keeps_it_with_a_new_address(
    visit: Visit, site: Site, width: int, locale: str, game: str, storage: str
) -> None:
    visitor, match = start_as_guest(visit, width, locale, game, storage)
    page = visitor.page
    guest = ask(visitor, "GET", "/v1/me")["id"]
    check_page(visitor, width)
    assert play_to_end(page, choose_by_touch, Random(width)) > 5
    page.wait_for_selector("section.result table.scores")
    check_story(page)
    check_page(visitor, width)
    name = f"Gráinne {width} {locale} {game} {storage}".strip()
    keep_match(visitor, site, f"kept-{width}-{locale[:2]}-{game}-{storage}@example.org", name)
    assert page.url.endswith(f"/matches/{match}")
    page.wait_for_selector("section.result table.scores")
    assert page.locator(".banner.keep").count() == 0
    me = ask(visitor, "GET", "/v1/me")
    assert (me["id"], me["name"]) == (guest, name)
    assert ask(visitor, "GET", f"/v1/matches/{match}")["you"]["seat"] == 0
    visitor.open("/")
    assert page.locator(f"a[href^='/matches/{match}']").count() > 0


@pytest.mark.parametrize(("width", "locale"), widths_and_locales((WIDE, "en-GB"), (NARROW, "fr-FR")))
def test_a_running_match_goes_to_an_existing_account(visit: Visit, site: Site, width: int, locale: str) -> None:
    known = visit()
    address = f"known-{width}-{locale[:2]}@example.org"
    known.enter(address, f"Nuala {width} {locale}")
    account = ask(known, "GET", "/v1/me")["id"]
    visitor, match = start_as_guest(visit, width, locale, "keltis")
    page = visitor.page
    play_one_move(page)
    keep_match(visitor, site, address)
    assert ask(visitor, "GET", "/v1/me")["id"] == account
    assert page.url.endswith(f"/matches/{match}")
    open_match(visitor, match)
    wait_for_turn(page)
    play_one_move(page)
    assert page.locator("#turn .refused").is_hidden()
    lines = [entry["line"] for entry in ask(visitor, "GET", f"/v1/matches/{match}/history?limit=200")["items"]]
    assert any(line.startswith(f"seat 0 {account} ") for line in lines)
    assert open_match(known, match).locator("#turn").count() == 1, "the account plays on at its other device"


@pytest.mark.parametrize(("width", "locale"), widths_and_locales((WIDE, "en-GB"), (NARROW, "fr-FR")))
def test_a_browser_that_blocks_cookies_is_told_so_and_gets_no_email(
    visit: Visit, site: Site, cookie_filter: str, width: int, locale: str
) -> None:
    visitor = visit(width=width, locale=locale, has_touch=True, proxy={"server": cookie_filter})
    page = visitor.page
    visitor.open("/")
    page.locator("form[action='/new/keltis/bot'] button").first.tap()
    page.wait_for_url("**/new/guest/*")
    assert {"en-GB": "blocks the cookie", "fr-FR": "bloque le cookie"}[locale] in page.inner_text("main")
    check_page(visitor, width)
    visitor.open("/enter")
    address = f"blocked-{width}-{locale[:2]}@example.org"
    page.fill("input[name=address]", address)
    page.tap("main button[type=submit]")
    assert "cookie" in page.inner_text("[role=alert]")
    assert page.input_value("input[name=address]") == address
    assert site.letters_to(address) == []


class CookieFilter(http.server.BaseHTTPRequestHandler):
    """Proxy that keeps every cookie from the browser, as one that blocks them does."""

    def forward(self) -> None:
        """Pass a request on, and its answer back without cookies."""
        url, body = urlsplit(self.path), self.rfile.read(int(self.headers.get("Content-Length", 0)))
        with closing(HTTPConnection(url.netloc, timeout=15)) as connection:
            path = urlunsplit(("", "", url.path, url.query, ""))
            headers = {name: value for name, value in self.headers.items() if not name.startswith("Proxy-")}
            connection.request(self.command, path, body, headers)
            answer = connection.getresponse()
            content = answer.read()
        self.send_response(answer.status)
        for name, value in answer.getheaders():
            if name.lower() not in ("set-cookie", "transfer-encoding", "content-length", "connection"):
                self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    do_GET = do_POST = forward  # noqa: N815  # names that the server looks for

    def log_message(self, *_: object) -> None:
        """Be silent."""


@pytest.fixture
def cookie_filter() -> Iterator[str]:
    """Run the proxy that keeps cookies from the browser."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), CookieFilter) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def play_one_move(page: Page) -> None:
    """Choose something by touch and send it."""
    choose_by_touch(page, Random(7))
    press_send(page)
