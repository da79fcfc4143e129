"""Ratings on the page of a player, after matches that real people have just ended in their browsers."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.support.browser import WIDE, Visitor
from tests.support.playing import ask

Visit = Callable[..., Visitor]
RATED = "() => document.querySelector('.ratings strong')"


@pytest.mark.parametrize("locale", ["en-GB", "fr-FR"])
def test_who_wins_sees_the_rating_rise_a_moment_later(visit: Visit, locale: str) -> None:
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
    for _ in range(20):
        one.open(f"/players/{me}")
        if page.evaluate(RATED):
            break
        page.wait_for_timeout(500)
    words = page.inner_text(".ratings li")
    assert "1658" in words
    assert "± 484" in words
    assert {"en-GB": "provisional", "fr-FR": "provisoire"}[locale] in words
    assert (page.get_attribute(".curve", "aria-label") or "nothing") in words
    for width in (WIDE, 320):
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme="light" if width == WIDE else "dark")
        assert one.find_violations() == []
        assert one.overflow() <= 0
