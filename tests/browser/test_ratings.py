"""Ratings on the page of a player, after matches that real people have just ended in their browsers."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.support.browser import NARROW, SMALLEST, WIDE, Visitor
from tests.support.playing import ask

Visit = Callable[..., Visitor]


@pytest.mark.parametrize(("locale", "width"), [("en-GB", WIDE), ("fr-FR", NARROW)])
def test_who_wins_sees_the_rating_rise_a_moment_later(visit: Visit, locale: str, width: int) -> None:
    one, two = visit(locale=locale), visit()
    one.enter(f"medb-{locale[:2]}@example.org", "Medb")
    two.enter(f"ailbe-{locale[:2]}@example.org", "Ailbe")
    me = ask(one, "GET", "/v1/me")["id"]
    match = ask(one, "POST", "/v1/matches", {"game": "keltis", "seats": 2, "seat": 0})["id"]
    ask(two, "POST", f"/v1/matches/{match}/join", {})
    two.open(f"/matches/{match}")
    two.page.click("#more-title")
    two.page.fill("#resign-word", "resign")
    two.page.click("#resign button")
    page = one.page
    for _ in range(100):
        one.open(f"/players/{me}")
        if page.locator(".ratings strong").count():
            break
        page.wait_for_timeout(200)
    words = page.inner_text(".ratings li")
    assert "1658" in words
    assert "± 484" in words
    assert {"en-GB": "provisional", "fr-FR": "provisoire"}[locale] in words
    assert (page.get_attribute(".curve", "aria-label") or "nothing") in words
    assert one.find_violations_by_day_and_night(width) == []
    assert one.find_overflow(SMALLEST, NARROW, WIDE) == []
