"""Letters over the web: stopping them by one click, the ledger of what was sent, and the mailbox of one machine."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from email.message import EmailMessage
from typing import Any

import pytest
from flask.testing import FlaskClient

from engine.games import GAMES
from service.accounts import cold_mail_quota
from service.config import Config
from service.db import connection
from service.db.connection import execute, rows
from service.db.models.accounts import PlayerRow
from service.mail import unsubscribe
from service.mail.outgoing import letter_ledger
from tests.support.mailbox import deliver, match_of, person, sent, step
from tests.support.players import Clock, Person, newcomer
from tests.support.web_apps import open_app

pytestmark = pytest.mark.usefixtures("clock")


@pytest.fixture
def web(config: Config) -> Iterator[FlaskClient]:
    """The web service with the pages of letters."""
    app = open_app(replace(config, letter_hold=0))
    client = app.test_client()
    assert client.get(f"/mailbox?key={app.config['MAILBOX_SECRET']}", headers=HERE).status_code == 303
    yield client
    connection.drop_connections()


def stop_link(message: EmailMessage) -> str:
    found = re.search(r"<(http[^>]+)>", str(message["List-Unsubscribe"]))
    assert found is not None
    return "/u/" + found[1].rpartition("/")[2]


def test_one_click_stops_the_letters_of_a_match_and_looking_stops_nothing(web: FlaskClient, config: Config) -> None:
    aoife = person("Aoife")
    match = match_of(replace(config, letter_hold=0), aoife, person("Brendan"))
    deliver(config)
    link = stop_link(sent()[0])
    assert web.get(link).status_code == 200
    assert rows("select letters from seat where match = ? and seat = 0", match) == [(None,)]
    answer = web.post(link, data={"List-Unsubscribe": "One-Click"})
    assert answer.status_code == 200
    assert rows("select letters from seat where match = ? and seat = 0", match) == [("none",)]
    assert rows("select letters from player where id = ?", aoife.id) == [("turn",)]
    web.post(link, data={"wish": "again"})
    assert rows("select letters from seat where match = ? and seat = 0", match) == [(None,)]
    web.post(link, data={"wish": "all"})
    assert rows("select letters from player where id = ?", aoife.id) == [("none",)]


@pytest.mark.parametrize("wrong", ["a" * 36, "a" * 20, "../etc", "A" * 36])
def test_a_link_that_is_not_ours_stops_nothing(web: FlaskClient, wrong: str) -> None:
    assert web.get(f"/u/{wrong}").status_code == 404
    assert web.post(f"/u/{wrong}").status_code == 404


@pytest.mark.usefixtures("house")
def test_a_stranger_who_says_no_is_never_written_to_again() -> None:
    execute(
        "insert into letter (id, address, kind, seq, message_id, subject, return_path, state, created_at, why) "
        "values ('aaaaaaaaaaaaaaaaaaaa', 'x@example.net', 'invitation', 0, '<a>', '', '', 'accepted', 0, '')"
    )
    what = unsubscribe.find(unsubscribe.token("a" * 20))
    assert what is not None
    assert what.scope == "address"
    unsubscribe.stop_letters(what)

    assert not cold_mail_quota.take("x@example.net", Clock().at + 10**12)


def test_the_ledger_is_the_players_own(web: FlaskClient, config: Config) -> None:
    me, other = newcomer(web, "Aoife"), newcomer(web, "Brendan")
    people = [_player(me), _player(other)]
    config = replace(config, letter_hold=0)
    match = match_of(config, *people)
    for _ in range(6):
        deliver(config)
        step(match, config)
    found: list[dict[str, Any]] = []
    page = "/v1/me/letters?limit=1"
    while page:
        answer = me.get(page)
        assert answer.status_code == 200
        found += answer.json["items"]
        link = re.search(r"<([^>]+)>", answer.headers.get("Link", ""))
        page = link[1] if link else ""
    mine = [id_ for (id_,) in rows("select id from letter where player = ? order by created_at desc, id desc", me.id)]
    assert [each["id"] for each in found] == mine
    assert found[0]["state"] == "accepted"
    assert {each["match"] for each in found} == {match}
    assert web.get("/v1/me/letters").status_code == 401


def _player(person_: Person) -> PlayerRow:
    from service.db.models.accounts import PlayerRow

    return PlayerRow.get_by_id(person_.id)


HERE = {"Host": "127.0.0.1:8000", "Origin": "http://127.0.0.1:8000"}
SHOWN_AS_IS = re.compile(r"<(pre|code|svg|textarea)\b.*?</\1>", re.DOTALL)
LOOSE = re.compile(r"\S+ [:;!?»]|« \S+")
HREF = re.compile(r'href="([^"]+)"')
STATE = re.compile(r'<span class="state">([^<]*)</span>')


def test_the_mailbox_shows_letters_and_takes_answers(web: FlaskClient, config: Config) -> None:
    config = replace(config, letter_hold=0)
    aoife = person("Aoife")
    match_of(config, aoife, person("Brendan"))
    deliver(config)
    ((letter,),) = rows("select id from letter")
    assert "Aoife" in web.get("/mailbox", headers=HERE).text
    assert letter in web.get(f"/mailbox/of/{aoife.address}", headers=HERE).text
    shown = web.get(f"/mailbox/letters/{letter}", headers=HERE)
    assert shown.status_code == 200
    assert "script" not in shown.headers["Content-Security-Policy"]
    framed = web.get(f"/mailbox/letters/{letter}/page", headers=HERE)
    assert '<head><base target="_top">' in framed.text, "no page of ours can be framed, so links leave the frame"
    assert "data:image/png;base64," in framed.text
    assert f"/mailbox/letters/{letter}?answer=1&amp;to=play-" in framed.text
    assert "mailto:" not in framed.text
    assert "sandbox" in framed.headers["Content-Security-Policy"]
    answer = web.post(f"/mailbox/letters/{letter}", data={"words": "3"}, headers=HERE)
    assert answer.status_code == 303
    ((state, sender, raw),) = rows("select state, sender, mime from inbox")
    assert (state, sender) == ("new", aoife.address)
    assert bytes(raw).startswith(b"From: ")
    waiting = web.get(answer.headers["Location"], headers=HERE)
    assert 'http-equiv="refresh"' in waiting.text


@pytest.mark.parametrize(("language", "state"), [("en", "sent"), ("fr", "envoyé")])
def test_the_mailbox_stays_in_the_language_that_was_chosen(
    web: FlaskClient, config: Config, language: str, state: str
) -> None:
    config, lang = replace(config, letter_hold=0), f"lang={language}"
    aoife = person("Aoife")
    match_of(config, aoife, person("Brendan"))
    deliver(config)
    ((letter,),) = rows("select id from letter")
    here = f"/mailbox/letters/{letter}"
    for place in (f"/mailbox/of/{aoife.address}?{lang}", f"{here}?{lang}"):
        assert f'<span class="state">{state}</span>' in web.get(place, headers=HERE).text
    shown = web.get(f"{here}?{lang}", headers=HERE).text
    assert {f"{here}?as={form}&amp;{lang}" for form in ("html", "text", "source")} <= set(HREF.findall(shown))
    assert f'action="{here}?{lang}"' in shown
    assert lang in web.post(f"{here}?{lang}", data={"words": "3"}, headers=HERE).headers["Location"]
    first = {"sender": aoife.address, "words": "help"}
    assert lang in web.post(f"/mailbox?{lang}", data=first, headers=HERE).headers["Location"]
    waited = web.get(f"/mailbox/of/{aoife.address}/next?since=0&{lang}", headers=HERE)
    assert waited.headers["Location"] == f"{here}?{lang}"


@pytest.mark.parametrize("state", letter_ledger.STATES)
def test_every_state_of_a_letter_has_words_in_the_mailbox(web: FlaskClient, config: Config, state: str) -> None:
    aoife = person("Aoife")
    match_of(replace(config, letter_hold=0), aoife, person("Brendan"))
    deliver(config)
    execute("update letter set state = ?", state)
    told = [web.get(f"/mailbox/of/{aoife.address}?lang={language}", headers=HERE).text for language in ("en", "fr")]
    english, french = (STATE.findall(page)[0] for page in told)
    assert english
    assert english != french


def test_a_first_letter_is_written_in_the_browser(web: FlaskClient) -> None:
    assert web.post("/mailbox", data={"sender": "nobody", "words": "register"}, headers=HERE).status_code == 422
    for language, words in (("en", "new tir-na-nog solo"), ("fr", "nouvelle tir-na-nog solo")):
        assert f">{words}</textarea>" in web.get(f"/mailbox?lang={language}", headers=HERE).text
    answer = web.post("/mailbox", data={"sender": "me@localhost", "words": "register Nuala"}, headers=HERE)
    assert answer.status_code == 303
    assert rows("select sender, recipient from inbox") == [("me@localhost", "echtra")]


@pytest.mark.parametrize(
    "place", ["/", *(f"/games/{slug}" for slug in GAMES), "/mailbox", "/mailbox/of/x/next", "/u/x", "/confirm/x"]
)
def test_no_line_of_a_french_page_begins_with_a_sign(web: FlaskClient, place: str) -> None:
    page = SHOWN_AS_IS.sub("", web.get(f"{place}?lang=fr", headers=HERE).text)
    assert "Courrier" in page
    assert LOOSE.findall(page) == []


def test_only_the_secret_of_this_start_opens_the_mailbox(web: FlaskClient) -> None:
    """Whatever headers a proxy sets or leaves out: without the secret nothing opens."""
    secret = web.application.config["MAILBOX_SECRET"]
    stranger = web.application.test_client()
    for headers in ({}, HERE, {**HERE, "X-Forwarded-For": "127.0.0.1"}, {"Host": "evil.example"}):
        for place in ("/mailbox", "/mailbox?key=wrong", "/mailbox/of/x", "/mailbox/letters/x/page"):
            answer = stranger.get(place, headers=headers)
            assert answer.status_code == 403
            assert secret not in answer.text
        assert stranger.post("/mailbox", data={"sender": "a@localhost", "words": "help"}).status_code == 403
    assert "terminal" in stranger.get("/mailbox", headers={"Accept": "text/html"}).text
    opened = stranger.get(f"/mailbox/of/x/next?key={secret}&lang=fr", headers=HERE)
    assert (opened.status_code, opened.headers["Location"]) == (303, "/mailbox/of/x/next?lang=fr")
    cookie = opened.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    assert "Path=/;" in cookie
    assert stranger.get("/mailbox", headers=HERE).status_code == 200
    assert open_app(web.application.config["ECHTRA"]).config["MAILBOX_SECRET"] != secret


def test_other_pages_write_nothing(web: FlaskClient) -> None:
    form = {"sender": "me@localhost", "words": "register"}
    foreign = {**HERE, "Origin": "http://evil.example"}
    assert web.post("/mailbox", data=form, headers=foreign).status_code == 403
    assert web.post("/mailbox", data=form, headers={**HERE, "Sec-Fetch-Site": "cross-site"}).status_code == 403
    assert web.post("/mailbox", data=form, headers={**HERE, "Origin": "null"}).status_code == 403
    for own in ({"Origin": "http://127.0.0.1:8000"}, {"Sec-Fetch-Site": "same-origin", "Origin": "null"}, {}):
        assert web.post("/mailbox", data=form, headers={**HERE, **own}).status_code == 303


@pytest.mark.parametrize("change", [{"smtp_url": "smtp://mail.example"}, {"public_url": "https://play.example"}])
def test_there_is_no_mailbox_where_letters_go_out(web: FlaskClient, change: dict[str, str]) -> None:
    app = web.application
    app.config["ECHTRA"] = replace(app.config["ECHTRA"], **change)
    assert web.get("/mailbox", headers=HERE).status_code == 404
