"""The sign-in email on a machine without a mail server: only for the browser that asked."""

from __future__ import annotations

import base64
import json
from dataclasses import replace

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.config import Config
from tests.service.web.test_session import sent_code
from tests.support.html_page import Page
from tests.support.mailbox import deliver
from tests.support.players import Clock
from tests.support.web_apps import open_app

BASE = "http://127.0.0.1:8000"
OWN = {"Sec-Fetch-Site": "same-origin"}
PROXY_HEADERS = [
    {"Forwarded": "for=192.0.2.7"},
    {"X-Forwarded-For": "127.0.0.1"},
    {"X-Forwarded-Proto": "https"},
    {"X-Forwarded-Host": "127.0.0.1:8000"},
    {"X-Real-IP": "127.0.0.1"},
    {"Via": "1.1 proxy"},
    {"Host": "games.example.org"},
    {"Host": "127.0.0.1:8080"},
    {"Origin": "https://games.example.org"},
    {"Origin": "http://127.0.0.1:8080"},
    {"Referer": "http://localhost:8080/enter"},
]
"""Headers of a request that came through a proxy, or from a foreign site whose name leads to this machine."""


def open_browser(app: Flask) -> FlaskClient:
    """A browser without cookies."""
    return FlaskClient(app, app.response_class, use_cookies=True)


def ask(client: FlaskClient, address: str = "nuala@example.org", **headers: str) -> None:
    """Ask for a code."""
    client.get("/enter", base_url=BASE, headers=OWN | headers)
    answer = client.post("/enter", base_url=BASE, data={"address": address}, headers=OWN | headers)
    assert answer.status_code == 303


def look(client: FlaskClient, path: str = "/enter/code", base: str = BASE, **headers: str) -> str:
    """Return the page that this browser is shown."""
    return client.get(path, base_url=base, headers=headers).text


def test_the_browser_that_asked_sees_the_email_as_soon_as_it_is_written(app: Flask, config: Config) -> None:
    browser = open_browser(app)
    ask(browser)
    page = look(browser)
    assert 'http-equiv="refresh"' in page
    assert "The email is being written" in page
    deliver(config)
    page = look(browser)
    assert sent_code() in page
    assert 'http-equiv="refresh"' not in page
    for base in ("http://localhost:8000", "http://[::1]:8000"):
        asked = open_browser(app)
        asked.get("/enter", base_url=base, headers=OWN)
        asked.post("/enter", base_url=base, data={"address": "nuala@example.org"}, headers=OWN)
        assert sent_code() in look(asked, base=base)
    answer = browser.post("/enter/code", base_url=BASE, data={"code": sent_code()}, headers=OWN)
    assert answer.headers["Location"] == "/enter/name"


def test_in_french_the_page_says_that_the_email_stays_here(app: Flask, config: Config) -> None:
    browser, french = open_browser(app), {"Accept-Language": "fr"}
    ask(browser, **french)
    deliver(config)
    page = look(browser, **french)
    assert sent_code() in page
    assert "l’e-mail à nuala@example.org reste sur cette machine" in page


@pytest.mark.parametrize("headers", PROXY_HEADERS, ids=str)
def test_nothing_is_shown_through_a_proxy(app: Flask, config: Config, headers: dict[str, str]) -> None:
    direct, proxied = open_browser(app), open_browser(app)
    ask(direct)
    deliver(config)
    code = sent_code()
    assert code not in look(direct, **headers)
    assert "/mailbox" not in look(direct, **headers)
    # Asked through the proxy, the email stays hidden from a later request without its headers too.
    ask(proxied, "bran@example.org", **headers)
    deliver(config)
    assert sent_code() not in look(proxied)
    assert code in look(direct)


def test_nothing_is_shown_to_another_client_address_or_over_http_1_0(app: Flask, config: Config) -> None:
    browser = open_browser(app)
    ask(browser)
    deliver(config)
    for name, value in (("REMOTE_ADDR", "192.0.2.7"), ("SERVER_PROTOCOL", "HTTP/1.0"), ("SERVER_PROTOCOL", "HTTP/1")):
        answer = browser.get("/enter/code", base_url=BASE, environ_overrides={name: value})
        assert sent_code() not in answer.text


def test_a_browser_that_knows_only_the_request_sees_nothing(app: Flask, config: Config) -> None:
    browser, other = open_browser(app), open_browser(app)
    ask(browser)
    deliver(config)
    kept = browser.get_cookie("echtra-entry", domain="127.0.0.1")
    assert kept is not None
    state = json.loads(base64.urlsafe_b64decode(kept.value))
    ask(other, "bran@example.org")
    other_kept = other.get_cookie("echtra-entry", domain="127.0.0.1")
    assert other_kept is not None
    proof = json.loads(base64.urlsafe_b64decode(other_kept.value))["proof"]
    for wrong in ("", proof):
        forged = base64.urlsafe_b64encode(json.dumps({**state, "proof": wrong}).encode()).decode()
        other.set_cookie("echtra-entry", forged, domain="127.0.0.1")
        page = look(other)
        assert "nuala@example.org" in page
        assert sent_code() not in page


def test_an_email_that_never_comes_is_not_waited_for_forever(app: Flask, clock: Clock) -> None:
    browser = open_browser(app)
    ask(browser)
    clock.forward(seconds=21)
    page = look(browser)
    assert 'http-equiv="refresh"' not in page
    assert 'action="/enter/again"' in page


@pytest.mark.parametrize(
    "settings",
    [
        {"smtp_url": "smtp://127.0.0.1:2525"},
        {"public_url": "https://games.example.org"},
        {"host": "0.0.0.0"},  # noqa: S104  # that is the case
    ],
    ids=str,
)
def test_a_service_for_others_shows_neither_the_email_nor_the_mailbox(config: Config, settings: dict[str, str]) -> None:
    app = open_app(replace(config, **settings))  # type: ignore[arg-type]
    browser = open_browser(app)
    base = settings.get("public_url", BASE)
    for path in ("/", "/enter"):
        assert "/mailbox" not in look(browser, path, base)
    browser.post("/enter", base_url=base, data={"address": "nuala@example.org"}, headers=OWN)
    deliver(replace(config, smtp_url=""))
    page = look(browser, base=base)
    assert "stays on this machine" not in page
    assert "/mailbox" not in page


def test_the_menu_names_the_mailbox_only_where_it_opens(app: Flask) -> None:
    browser = open_browser(app)
    page = Page(browser.get("/", base_url=BASE))
    assert "/mailbox" not in page.references
    assert "The terminal showed its address" in page.text
    assert browser.get(f"/mailbox?key={app.config['MAILBOX_SECRET']}", base_url=BASE).status_code == 303
    assert "/mailbox" in Page(browser.get("/", base_url=BASE)).references
    assert "/mailbox" not in look(browser, "/", **{"X-Forwarded-For": "192.0.2.7"})
