"""Every page for people, with some content: the accessibility tests and the screenshots visit them all."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tests.support.browser import Site, Visitor
from tests.support.playing import ask, make_match

GUEST_PAGES = {
    "home": "/",
    "enter": "/enter",
    "matches": "/matches",
    "game": "/games/tir-na-nog",
    "bots": "/bots",
    "lesson": "/games/keltis/lesson",
    "lesson-over": "/games/keltis/lesson/14",
    "styleguide": "/styleguide",
    "problems": "/problems/",
    "problem": "/problems/question-changed",
    "old-link": "/u/nothing",
    "old-device": "/devices/nothing",
    "not-there": "/nothing-here",
}
"""Pages for somebody who has not signed in."""


@dataclass(frozen=True)
class Tour:
    """The pages of a player with turns, invitations, open matches and a finished one, each by a short name."""

    match: str
    pages: dict[str, str]


def prepare_tour(visitor: Visitor, other: Visitor) -> Tour:
    """Make matches of all kinds between two people who are signed in."""
    me = ask(visitor, "GET", "/v1/me")["id"]
    match = make_match(visitor, "keltis", title="Against the house", clock="simple-1")
    mine = make_match(visitor, "keltis", seats=3, bots={}, visibility="link", title="Friends only")
    ask(visitor, "POST", f"/v1/matches/{mine}/invitations", {"address": "somebody@example.org"})
    long = "Sunday evening at the hearth of a very long name"
    theirs = make_match(other, "tain", seats=3, bots={}, seat=0, title=long)
    ask(other, "POST", f"/v1/matches/{theirs}/invitations", {"player": me})
    over = make_match(visitor, "keltis", title="Over already")
    resign(visitor, over)
    pages = {
        "my-turns": "/",
        "my-matches": "/matches?status=over",
        "open-match": f"/matches/{mine}",
        "invited": f"/matches/{theirs}",
        "resigned": f"/matches/{over}",
        "player": f"/players/{me}",
        "new": "/new/tir-na-nog",
        "settings": "/settings",
        "erase": "/settings/erase",
    }
    return Tour(match, pages)


def resign(visitor: Visitor, match: str) -> None:
    """Resign a match, as a person does."""
    visitor.open(f"/matches/{match}")
    visitor.page.click("#more-title")
    visitor.page.fill("#resign-word", "resign")
    visitor.page.click("#resign button")
    visitor.page.wait_for_selector("table.scores")


def walk_through_entering(visitor: Visitor, site: Site, address: str, name: str) -> Iterator[str]:
    """Sign in step by step, with one wrong code. Yield the name of each page once it is open."""
    page = visitor.page
    visitor.open("/enter")
    page.fill("input[name=address]", address)
    page.click("main button[type=submit]")
    page.fill("input[name=code]", "000000")
    page.click("main button[type=submit]")
    yield "enter-code"
    page.fill("input[name=code]", site.wait_for_code(address))
    page.click("main button[type=submit]")
    yield "enter-name"
    page.fill("input[name=name]", name)
    page.click("main button[type=submit]")
    page.wait_for_selector("header form[action='/leave']", state="attached")
    if page.locator("header .opener").is_visible():
        page.click("header .opener")
    page.click("header summary")
    yield "first-home"
