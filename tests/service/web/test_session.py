"""Sessions in cookies: when one counts, how long it lasts, and what its answers may be read by."""

from __future__ import annotations

import base64
import json
from dataclasses import replace
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.accounts import tokens
from service.config import Config
from service.db.connection import rows
from service.web.browser_names import describe_browser
from service.web.session import cookie_name, origin_of
from tests.support.html_page import BROWSER
from tests.support.players import Clock
from tests.support.web_apps import open_app

OWN = {"Sec-Fetch-Site": "same-origin"}
LINK = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}


def sent_code() -> str:
    """The code of the newest letter for entering."""
    found = rows("select payload from job where substr(key, 1, 6) = 'enter:' and payload <> '{}' order by id desc")
    return str(json.loads(found[0][0])["code"])


def fetch_json(client: FlaskClient, path: str) -> dict[str, Any]:
    """Return the answer of the API to a script of one of our pages."""
    found: dict[str, Any] = json.loads(client.get(path, headers=OWN).data)
    return found


def enter(
    app: Flask, address: str = "nuala@example.org", name: str = "Nuala", base: str = "http://localhost"
) -> FlaskClient:
    """A browser whose player is signed in."""
    client = FlaskClient(app, app.response_class, use_cookies=True)
    client.get("/enter", base_url=base, headers=OWN)
    assert client.post("/enter", base_url=base, data={"address": address}, headers=OWN).status_code == 303
    answer = client.post("/enter/code", base_url=base, data={"code": sent_code()}, headers=OWN)
    if answer.headers["Location"] == "/enter/name":
        client.post("/enter/name", base_url=base, data={"name": name, "zone": "Europe/Dublin"}, headers=OWN)
    return client


@pytest.mark.parametrize(
    ("headers", "page", "api"),
    [
        (OWN, True, True),
        ({"Sec-Fetch-Site": "none", "Sec-Fetch-Mode": "navigate"}, True, True),
        (LINK, True, False),
        ({"Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "navigate"}, True, False),
        ({"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"}, False, False),
        ({"Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "cors"}, False, False),
        ({}, True, True),
        ({"Origin": "http://127.0.0.1:8000"}, True, True),
        ({"Origin": "http://localhost:8000"}, False, False),
        ({"Origin": "null"}, False, False),
    ],
)
def test_a_cookie_counts_for_our_own_pages_and_for_links_that_open_one(
    app: Flask, headers: dict[str, str], page: bool, api: bool
) -> None:
    client = enter(app)
    shown = client.get("/", headers={**BROWSER, **headers})
    assert ("Nuala" in shown.text) == page
    assert (client.get("/v1/me", headers=headers).status_code == 200) == api


def test_answers_to_a_cookie_are_for_nobody_else(app: Flask) -> None:
    client = enter(app)
    mine, others = client.get("/v1/me", headers=OWN), client.get("/v1/games", headers={"Sec-Fetch-Site": "cross-site"})
    assert "Access-Control-Allow-Origin" not in mine.headers
    assert mine.headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert mine.headers["Cache-Control"] == "private, no-cache"
    assert {"Cookie", "Authorization"} <= {each.strip() for each in mine.headers["Vary"].split(",")}
    assert client.get("/", headers=OWN).headers["Cache-Control"] == "no-store"
    assert others.headers["Access-Control-Allow-Origin"] == "*"


def test_a_changed_or_ended_cookie_is_nobody_and_no_error(app: Flask) -> None:
    client = enter(app)
    cookie = client.get_cookie("echtra")
    assert cookie is not None
    client.set_cookie("echtra", cookie.value[:-2] + "xx")
    assert "Nuala" not in client.get("/", headers=OWN).text
    assert client.get("/v1/games", headers=OWN).status_code == 200
    assert fetch_json(client, "/v1/me")["type"] == "/problems/no-token"
    client.set_cookie("echtra", cookie.value)
    assert client.get("/v1/me", headers={**OWN, "Authorization": "Bearer nonsense"}).status_code == 401


def test_a_token_of_a_program_is_no_session(app: Flask) -> None:
    client = enter(app)
    player = fetch_json(client, "/v1/me")["id"]
    client.set_cookie("echtra", tokens.issue(player, "laptop", ["read"]).text)
    assert client.get("/v1/me", headers=OWN).status_code == 401


def test_a_session_lasts_as_long_as_it_is_used(app: Flask, clock: Clock) -> None:
    client = enter(app)
    assert "Set-Cookie" not in client.get("/", headers=OWN).headers
    for _ in range(3):
        clock.forward(days=100)
        renewed = client.get("/", headers=OWN)
        assert "Nuala" in renewed.text
        assert f"Max-Age={180 * 24 * 3600}" in renewed.headers["Set-Cookie"]
    clock.forward(days=181)
    assert client.get("/v1/me", headers=OWN).status_code == 401


def test_the_session_unused_longest_ends_where_there_are_too_many(app: Flask, clock: Clock) -> None:
    first = enter(app)
    player = fetch_json(first, "/v1/me")["id"]
    for number in range(tokens.MOST - 1):
        clock.forward(minutes=1)
        tokens.issue(player, f"laptop {number}", ["read"])
    clock.forward(hours=2)
    second = enter(app)
    assert first.get("/v1/me", headers=OWN).status_code == 401
    assert second.get("/v1/me", headers=OWN).status_code == 200


def test_over_https_the_cookie_has_its_guarded_name_and_over_other_http_nobody_enters(config: Config) -> None:
    app = open_app(replace(config, public_url="https://play.example"))
    client = enter(app, base="https://play.example")
    cookie = client.get_cookie("__Host-echtra", domain="play.example")
    assert cookie is not None
    assert (cookie.secure, cookie.http_only, cookie.path, cookie.origin_only) == (True, True, "/", True)
    plain = open_app(replace(config, public_url="http://play.example")).test_client()
    for path in ("/enter", "/enter/code"):
        answer = plain.get(path, headers=BROWSER)
        assert answer.status_code == 403
        assert "https" in answer.text


def test_entering_again_ends_the_session_before_and_leaving_is_for_everybody(app: Flask, clock: Clock) -> None:
    client = enter(app)
    before = client.get_cookie("echtra")
    assert before is not None
    assert client.get("/enter", headers=OWN).status_code == 303
    assert client.post("/enter", data={"address": "bran@example.org"}, headers=OWN).status_code == 303
    client.post("/enter/code", data={"code": sent_code()}, headers=OWN)
    client.post("/enter/name", data={"name": "Bran", "zone": "UTC"}, headers=OWN)
    assert fetch_json(client, "/v1/me")["name"] == "Bran"
    second = client.get_cookie("echtra")
    assert second is not None
    client.set_cookie("echtra", before.value)
    assert client.get("/v1/me", headers=OWN).status_code == 401
    client.set_cookie("echtra", second.value)
    clock.forward(days=30)
    gone = client.post("/leave", headers=OWN).headers.getlist("Set-Cookie")
    assert [each.split(";")[0] for each in gone] == ["echtra="]
    left = app.test_client().post("/leave", headers=OWN)
    assert (left.status_code, left.headers["Clear-Site-Data"]) == (303, '"cache", "storage"')


def test_codes_are_limited_by_where_they_are_asked_from(config: Config) -> None:
    client = open_app(replace(config, limit_registrations=2)).test_client()
    client.get("/enter", headers=OWN)
    answers = [client.post("/enter", data={"address": f"a{number}@example.org"}, headers=OWN) for number in range(3)]
    assert [answer.status_code for answer in answers] == [303, 303, 429]


def test_a_browser_that_blocks_cookies_is_told_so_and_gets_no_email(app: Flask) -> None:
    client = app.test_client(use_cookies=False)
    client.get("/enter", headers=OWN)
    for locale, words in (("en", "didn’t keep our cookie"), ("fr", "n’a pas gardé notre cookie")):
        headers = {**OWN, "Accept-Language": locale}
        answer = client.post("/enter", data={"address": "nuala@example.org"}, headers=headers)
        assert answer.status_code == 400
        assert words in answer.text
        assert "nuala@example.org" in answer.text, "what was typed stays"
    assert rows("select count(*) from job where topic = 'letter'") == [(0,)]


def test_a_form_under_another_name_of_this_machine_names_the_right_address(app: Flask, config: Config) -> None:
    client = app.test_client()
    other = "http://echtra.lan:8000"
    answer = client.post(
        "/enter", base_url=other, data={"address": "a@example.org"}, headers={"Origin": other, **BROWSER}
    )
    assert answer.status_code == 403
    assert config.url in answer.text
    foreign = {"Origin": "http://evil.example", **BROWSER}
    answer = client.post("/enter", base_url=other, data={"address": "a@example.org"}, headers=foreign)
    assert answer.status_code == 403
    assert "did not come from one of our pages" in answer.text


def test_whatever_lies_in_the_cookie_of_entering_is_checked(app: Flask) -> None:
    client = app.test_client(use_cookies=False)
    good = {"address": "nuala@example.org", "request": "m7q2x9v4k8t3w6zp", "to": "/", "ticket": "m7q2-x9v4"}
    wrong: list[Any] = [{}, [], None, {**good, "address": "x"}, {**good, "more": "x"}]
    odd: tuple[Any, ...] = ("\ud800", "\0", "é", 7.5, [])
    wrong += [{**good, name: value} for name in ("request", "ticket", "proof") for value in odd]
    texts = [b"[" * 2_000, b'{"a":' * 2_000, b"1" * 9_000, *(json.dumps(each).encode() for each in wrong)]
    for kept in ("x", *(base64.urlsafe_b64encode(text).decode() for text in texts)):
        headers = {**OWN, "Cookie": f"echtra-entry={kept}"}
        for path in ("/enter/code", "/enter/name"):
            for answer in (
                client.get(path, headers=headers),
                client.post(path, data={"name": "x", "code": "1"}, headers=headers),
            ):
                assert answer.status_code == 400, kept
                assert "We couldn’t read your sign-in cookie" in answer.text
                assert 'action="/enter"' in answer.text
                assert "echtra-entry=;" in answer.headers["Set-Cookie"]
        assert client.get("/enter", headers=headers).status_code == 200
    assert client.get("/enter/code").headers["Location"] == "/enter"


@pytest.mark.parametrize(
    ("said", "named"),
    [
        ("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox on Linux"),
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile Safari/604.1", "Safari on iPhone"),
        ("Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0", "Edge on Windows"),
        ("Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36", "Chrome on Android"),
        ("", "a browser"),
    ],
)
def test_a_device_is_named_after_its_browser(said: str, named: str) -> None:
    assert describe_browser(said, "en") == named


def test_an_origin_is_written_as_browsers_write_it() -> None:
    assert origin_of("https://play.example:443/x") == "https://play.example"
    assert origin_of("http://[::1]:8000") == "http://[::1]:8000"
    assert cookie_name(Config(public_url="http://[::1]:8000")) == "echtra"
