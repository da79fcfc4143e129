"""The settings in a browser: each is saved and shown, devices are signed out, and erasing needs a new code."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urlsplit

import pytest

from tests.support.browser import Site, Visitor
from tests.support.playing import ask

Visit = Callable[..., Visitor]


def test_settings_are_saved_without_scripts(visit: Visit) -> None:
    visitor = visit(java_script_enabled=False)
    visitor.enter("etain@example.org", "Étaín")
    page = visitor.page
    visitor.open("/settings")
    page.fill("[name=name]", "Étaín of the sídhe")
    page.select_option("[name=zone]", "Europe/Paris")
    visitor.submit("#profile button")
    assert "Saved" in page.inner_text("#profile")
    assert page.inner_text("header summary") == "Étaín of the sídhe"
    page.fill("[name=name]", "Etаin")
    visitor.submit("#profile button")
    assert "one alphabet" in page.inner_text("#profile [role=alert]")
    visitor.open("/settings")
    page.check("[name=letters][value=digest]")
    page.select_option("[name=digest_hour]", "19")
    page.check("[name=quiet_weekends]")
    visitor.submit("#letters button")
    assert page.is_checked("[name=letters][value=digest]")
    assert page.is_checked("[name=quiet_weekends]")
    assert page.input_value("[name=digest_hour]") == "19"
    page.check("[name=look][value=dark]")
    visitor.submit("#look button")
    assert page.get_attribute("html", "data-look") == "dark"
    visitor.open("/")
    assert page.get_attribute("html", "data-look") == "dark"
    visitor.open("/settings")
    page.select_option("#language", "fr")
    visitor.submit("#profile button")
    assert page.get_attribute("html", "lang") == "fr"


def test_leave_organisers_programs_and_hooks_are_added_and_taken_away(visit: Visit) -> None:
    other, visitor = visit(), visit()
    other.enter("organiser@example.org", "Fedelm")
    visitor.enter("midir@example.org", "Midir")
    page = visitor.page
    visitor.open("/settings")
    day = page.get_attribute("[name=first]", "min")
    assert day is not None
    page.fill("[name=first]", day)
    page.fill("[name=last]", day)
    visitor.submit("#leave .sheet button")
    assert "29 days left" in page.inner_text("#leave")
    visitor.submit("#leave .rows button")
    assert "30 days left" in page.inner_text("#leave")
    page.fill("[name=organiser]", "fedelm")
    visitor.submit("#organisers .sheet button")
    assert "Fedelm" in page.inner_text("#organisers")
    visitor.submit("#organisers .rows button")
    assert "Fedelm" not in page.inner_text("#organisers")
    page.fill("[name=organiser]", "Nobody at all")
    visitor.submit("#organisers .sheet button")
    assert "no such player" in page.inner_text("#organisers [role=alert]").lower()
    page.fill("#program", "Midir's machine")
    visitor.submit("#programs .sheet button")
    assert page.inner_text("#programs pre").startswith("echtra_")
    visitor.submit("#programs .rows button")
    assert "machine" not in page.inner_text("#programs")
    page.fill("#url", "https://10.0.0.1/hook")
    visitor.submit("#hooks .sheet button")
    assert page.inner_text("#hooks [role=alert]")
    page.fill("#url", "https://example.org/hook")
    visitor.submit("#hooks .sheet button")
    assert page.inner_text("#hooks pre").startswith("whsec_")
    visitor.submit("#hooks .rows button")
    assert "example.org" not in page.inner_text("#hooks")


@pytest.mark.parametrize(
    ("locale", "button"), [("en-GB", "Make a new address"), ("fr-FR", "Créer une nouvelle adresse")]
)
def test_the_address_of_the_calendar_is_shown_and_renewed_without_scripts(
    visit: Visit, locale: str, button: str
) -> None:
    visitor = visit(java_script_enabled=False, locale=locale)
    visitor.enter(f"calendar-{locale[:2]}@example.org", f"Scáthach {locale[:2]}")
    page, request = visitor.page, visitor.context.request
    visitor.open("/settings")
    day = page.get_attribute("[name=first]", "min")
    assert day is not None
    page.fill("[name=first]", day)
    page.fill("[name=last]", day)
    visitor.submit("#leave .sheet button")
    path = urlsplit(page.input_value("#calendar-url")).path
    feed = request.get(visitor.site.url + path)
    assert (feed.status, feed.headers["content-type"]) == (200, "text/calendar; charset=utf-8")
    assert day.replace("-", "") in feed.text()
    subscribe = page.get_attribute("#calendar a", "href")
    assert subscribe is not None
    assert urlsplit(subscribe)[0:3:2] == ("webcal", path)
    visitor.submit(f"#calendar button:has-text('{button}')")
    assert page.locator("#calendar [role=status]").count() == 1
    renewed = urlsplit(page.input_value("#calendar-url")).path
    assert renewed != path
    assert request.get(visitor.site.url + path).status == 404
    assert request.get(visitor.site.url + renewed).status == 200


def test_a_device_is_signed_out_from_another(visit: Visit) -> None:
    one, two = visit(), visit(user_agent="Mozilla/5.0 (iPhone; CPU iPhone OS 18_0) Version/18.0 Mobile Safari/604.1")
    one.enter("ferdia@example.org", "Ferdia")
    two.enter("ferdia@example.org")
    one.open("/settings")
    devices = one.page.inner_text("#devices")
    assert "Chrome on Linux" in devices
    assert "Safari on iPhone" in devices
    with two.page.expect_response(lambda answer: answer.url.endswith("/v1/me/turns?limit=200")):
        two.open("/settings")
    one.submit("#devices li:has-text('iPhone') button")
    assert "iPhone" not in one.page.inner_text("#devices")
    # Its stream ends with its session: long before the page would ask by itself, it shows nothing of its player.
    two.page.wait_for_url(lambda url: "/enter?to=" in url, timeout=8000)
    one.submit("#devices li:has-text('this browser') button")
    one.page.wait_for_selector("header >> text=Sign in")
    for visitor in (one, two):
        visitor.forget_refusals()


def test_an_account_is_erased_with_a_new_code_only(visit: Visit, site: Site) -> None:
    visitor = visit()
    visitor.enter("emain@example.org", "Emain")
    me = ask(visitor, "GET", "/v1/me")["id"]
    visitor.open("/settings")
    refused = visitor.page.evaluate("fetch('/v1/me', { method: 'DELETE' }).then((answer) => answer.status)")
    assert refused == 403
    visitor.faults.clear()
    visitor.submit("text=Erase my account")
    visitor.submit("text=Send me a code")
    visitor.page.fill("[name=code]", "000000")
    visitor.submit("text=Erase for good")
    assert "not the code" in visitor.page.inner_text("[role=alert]")
    visitor.page.fill("[name=code]", site.wait_for_code("emain@example.org", 2))
    visitor.submit("text=Erase for good")
    assert "erased" in visitor.page.inner_text("h1")
    assert visitor.page.locator("header >> text=Sign in").count() == 1
    visitor.open("/settings")
    assert "/enter" in visitor.page.url
    answer = visitor.open(f"/players/{me}")
    assert answer is not None
    assert answer.status == 404


def test_a_sound_for_turns_is_off_until_it_is_switched_on_in_this_browser(visit: Visit) -> None:
    visitor = visit()
    visitor.enter("sound@example.org", "Niamh")
    visitor.open("/settings")
    page = visitor.page
    page.evaluate(
        """() => { window.sounds = 0; const own = AudioContext.prototype.createOscillator;
        AudioContext.prototype.createOscillator = function () { window.sounds++; return own.call(this); }; }"""
    )
    assert not page.is_checked("#sound")
    page.check("#sound")
    assert page.evaluate("window.sounds") == 2, "it is heard at once"
    page.reload()
    assert page.is_checked("#sound")
    page.uncheck("#sound")
    assert page.evaluate("localStorage.getItem('echtra:sound')") is None
