"""Pages that update by themselves: turns, invitations and matches appear on open pages."""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random
from urllib.parse import urljoin

from playwright.sync_api import Page

from tests.support.browser import Visitor
from tests.support.playing import ask, asked, choose_by_touch, make_match, open_match, wait_for_question

Visit = Callable[..., Visitor]
SOON_MS = 8000
"""Well before a page would ask by itself, so that only the stream can have told it."""


def wait_for_turns(page: Page, count: int) -> None:
    """Wait until the head of the page shows this number of turns."""
    page.wait_for_selector(f'header .turns[data-turns="{count}"]', timeout=SOON_MS)


def open_stream(visitor: Visitor, path: str) -> Page:
    """Open a page, and wait until it hears of what happens."""
    with visitor.page.expect_response(lambda answer: answer.url.endswith("/v1/me/turns?limit=200")):
        visitor.open(path)
    return visitor.page


def test_turns_and_invitations_that_come_while_a_page_is_open_show_without_a_reload(visit: Visit) -> None:
    aoife, bran = visit(), visit()
    aoife.enter("follows-one@example.org", "Aoife")
    bran.enter("follows-two@example.org", "Bran")
    home = open_stream(aoife, "/")
    asked_for: list[str] = []
    games = aoife.context.new_page()
    aoife.watch(games)
    games.on("request", lambda request: asked_for.append(request.url))
    games.goto(f"{aoife.site.url}/games/keltis")
    home.evaluate("window.kept = true")
    assert not home.title().startswith("(")
    match = make_match(bran, "keltis", bots={}, seats=2, visibility="open", title="By the river")
    ask(bran, "POST", f"/v1/matches/{match}/invitations", {"player": ask(aoife, "GET", "/v1/me")["id"]})
    home.wait_for_selector("text=Bran invites you", timeout=SOON_MS)
    solo = make_match(aoife, "keltis", title="Against the house")
    for page in (home, games):
        wait_for_turns(page, 1)
        assert page.title().startswith("(1) ")
        assert page.inner_text("header .turns") == "My turns (1)"
        assert page.get_attribute("header .turns", "href") == f"/matches/{solo}"
        icon = page.get_attribute("link[rel=icon]", "href") or ""
        assert icon.endswith("icon-turn.svg")
        assert page.request.get(aoife.site.url + icon if icon.startswith("/") else icon).ok
    home.wait_for_selector(".turncard >> text=Against the house")
    assert home.inner_text("#spoken") == "My turns (1)"
    assert aoife.find_violations() == []
    home.focus(".turncard h2 a")
    make_match(aoife, "tain", title="A second one", clock="simple-1")
    wait_for_turns(home, 2)
    home.wait_for_selector(".turncard.first >> text=A second one")
    assert home.evaluate("document.activeElement.textContent") == "Against the house"
    table = aoife.context.new_page()
    aoife.watch(table)
    for each in ask(aoife, "GET", "/v1/me/turns")["items"]:
        table.goto(f"{aoife.site.url}/matches/{each['match']}")
        table.click("#more-title")
        table.fill("#resign-word", "resign")
        table.click("#resign button")
        table.wait_for_selector("table.scores")
    for page in (home, games, table):
        wait_for_turns(page, 0)
        assert not page.title().startswith("(")
        assert (page.get_attribute("link[rel=icon]", "href") or "").endswith("icon.svg")
    home.wait_for_selector("text=Nobody is waiting for you")
    assert home.evaluate("window.kept")
    assert not [url for url in asked_for if url.endswith("/v1/events")], "one stream is enough for all tabs"


def test_the_page_of_a_match_that_waits_goes_on_to_its_table_when_it_starts(visit: Visit) -> None:
    host, guest = visit(), visit()
    host.enter("waits-one@example.org", "Aoife")
    guest.enter("waits-two@example.org", "Bran")
    match = make_match(host, "keltis", bots={}, visibility="open")
    page = open_stream(host, f"/matches/{match}")
    assert "You have a seat" in page.inner_text("main")
    ask(guest, "POST", f"/v1/matches/{match}/join", {})
    page.wait_for_selector("#turn.ready", timeout=SOON_MS)
    assert page.url.endswith(f"/matches/{match}")


def test_who_signs_out_in_one_tab_is_signed_out_in_the_others(visit: Visit) -> None:
    visitor = visit()
    visitor.enter("leaves@example.org", "Aoife")
    first = open_stream(visitor, "/")
    second = visitor.context.new_page()
    second.goto(f"{visitor.site.url}/settings")
    second.click("header summary")
    second.click("header form[action='/leave'] button")
    first.wait_for_selector("header >> text=Sign in", timeout=SOON_MS)
    visitor.faults.clear()


def test_the_site_can_be_put_on_a_home_screen(visit: Visit) -> None:
    visitor = visit()
    visitor.open("/")
    # What Chromium itself makes of the manifest, under the policy of the page.
    found = visitor.context.new_cdp_session(visitor.page).send("Page.getAppManifest")
    assert found["errors"] == []
    assert "/static/" in found["url"]
    told = json.loads(found["data"])
    assert (told["name"], told["start_url"], told["scope"]) == ("Echtra", "/", "/")
    loads = """(src) => new Promise((done) => {
      const image = new Image();
      image.onload = () => done(image.naturalWidth > 0);
      image.onerror = () => done(false);
      image.src = src;
    })"""
    assert {each["purpose"] for each in told["icons"]} == {"any", "maskable"}
    for each in told["icons"]:
        assert visitor.page.evaluate(loads, urljoin(found["url"], each["src"])), each
    answer = visitor.page.request.get(found["url"])
    assert answer.headers["content-type"] == "application/manifest+json"


RECORD_NOTIFICATIONS = """
  window.told = [];
  window.Notification = class extends Notification {
    constructor(text, wishes) { super(text, wishes); window.told.push([text, wishes.body]); }
    static get permission() { return localStorage.getItem("answer") ?? "default"; }
    static async requestPermission() {
      const answer = await super.requestPermission();
      localStorage.setItem("answer", answer);
      return answer;
    }
  };
"""
"""Chromium's own notifications and its own answer, which is that of the context; but without a window it always says
`denied` where a page looks up what it was answered."""
LOOK_AWAY = """
  Object.defineProperty(document, "hidden", { get: () => true });
  document.dispatchEvent(new Event("visibilitychange"));
"""


def test_notifications_are_asked_for_by_a_button_and_come_only_while_nobody_looks(visit: Visit) -> None:
    visitor = visit()
    visitor.context.add_init_script(RECORD_NOTIFICATIONS)
    visitor.enter("notices@example.org", "Aoife")
    page = visitor.page
    visitor.open("/settings")
    assert "can notify you" in page.inner_text("#notify-told")
    page.click("#notify")
    page.wait_for_function("() => localStorage.getItem('answer') === 'default'")
    assert "can notify you" in page.inner_text("#notify-told"), "whoever closes the browser's question is not told"
    visitor.context.grant_permissions(["notifications"], origin=visitor.site.url)
    page.click("#notify")
    page.wait_for_selector("#notify-told:has-text('notifies you of new turns')")
    assert visitor.find_violations() == []
    open_stream(visitor, "/")
    make_match(visitor, "keltis", title="Looked at")
    wait_for_turns(page, 1)
    page.wait_for_selector(".turncard >> text=Looked at")
    assert page.evaluate("told") == []
    page.evaluate(LOOK_AWAY)
    make_match(visitor, "keltis", title="Behind my back")
    page.wait_for_function("() => told.length > 0", timeout=SOON_MS)
    assert page.evaluate("told") == [["It’s your turn", "Behind my back"]]
    visitor.open("/settings")
    page.click("#notify")
    page.wait_for_selector("#notify-told:has-text('can notify you')")
    page.reload()
    assert page.inner_text("#notify") == "Show notifications"


GOES_ON = """([path, before]) => {
  const panel = document.querySelector("#turn.ready");
  if (!panel) return false;
  const isAsked = panel.dataset.asked && panel.dataset.asked !== before;
  return location.pathname !== path || isAsked || !document.querySelector("#next-turn").hidden;
}"""


def start_asked(host: Visitor, guest: Visitor) -> str:
    """A match of two people in which the host is asked first."""
    for _ in range(20):
        match = make_match(host, "keltis", bots={}, visibility="open", clock="simple-1")
        ask(guest, "POST", f"/v1/matches/{match}/join", {})
        if wait_for_question(host, guest, match=match) is host:
            return match
    raise AssertionError("the host is never asked first")


def play_turn(page: Page, match: str) -> None:
    """Play until this match asks nothing more, or the page has gone on to another."""
    while page.url.endswith(match) and asked(page):
        before = [f"/matches/{match}", asked(page)]
        choose_by_touch(page, Random(3))
        page.click("#turn .send")
        page.wait_for_function(GOES_ON, arg=before)


def test_after_send_the_next_match_comes_by_itself_only_where_that_is_wished(visit: Visit) -> None:
    aoife, bran = visit(), visit()
    aoife.enter("goes-on-one@example.org", "Aoife")
    bran.enter("goes-on-two@example.org", "Bran")
    waits = make_match(aoife, "keltis")
    first, second = start_asked(aoife, bran), start_asked(aoife, bran)
    aoife.open("/settings")
    assert not aoife.page.is_checked("#advance")
    page = open_match(aoife, first)
    play_turn(page, first)
    page.wait_for_selector("#next-turn:visible")
    assert page.url.endswith(first)
    aoife.open("/settings")
    page.check("#advance")
    page.reload()
    assert page.is_checked("#advance")
    open_match(aoife, second)
    play_turn(page, second)
    page.wait_for_url(f"**/matches/{waits}")
