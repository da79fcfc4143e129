"""Guests: playing against bots without an account, what is closed to them, signing in, and staying away."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.config import Config
from service.db.connection import rows
from service.direct_requests import network_of
from service.matches.arbiter_decisions import arbiter_for_operator
from service.matches.guest_matches import MOST_AT_ONCE, erase_expired_guests
from service.play import record_export
from service.play.match_loader import load_match_state
from service.record.verify import verify
from service.record.verify.rules_check import RulesChecker
from service.web.guest_access import CLOSED_READS, OPEN_WRITES, is_closed
from tests.service.web.test_session import OWN, enter, fetch_json, sent_code
from tests.support.html_page import BROWSER
from tests.support.http_tables import resolved
from tests.support.players import Clock, Person
from tests.support.web_apps import open_app
from worker.schedule import JOB_HANDLERS
from worker.tasks import run_job

People = Callable[..., Person]
VALUES = {
    "match": "m7q2x9v4k8t3w6zp",
    "player": "k3v9m2x7q4p8w6ya",
    "slug": "keltis",
    "game": "keltis",
    "tournament": "spring-circle",
    "key": "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k",
    "number": 1,
    "stage": "main",
    "path": "page.css",
    "kind": "forbidden",
    "name": "matches",
}


def play_as_guest(app: Flask, opponent: str = "steady", game: str = "keltis") -> tuple[FlaskClient, str]:
    """Press *Play now* in a browser that has never been here; return it with the match."""
    client = FlaskClient(app, app.response_class, use_cookies=True)
    answer = client.post(f"/new/{game}/bot", data={"opponent": opponent}, headers={**BROWSER, **OWN})
    assert answer.status_code == 303, answer.text
    assert answer.headers["Location"].startswith("/new/guest/")
    match = answer.headers["Location"].rpartition("/")[2]
    assert client.get(answer.headers["Location"], headers={**BROWSER, **OWN}).headers["Location"] == f"/matches/{match}"
    return client, match


def test_play_now_needs_no_account(app: Flask) -> None:
    client, match = play_as_guest(app, "balor-easy", "tir-na-nog")
    resolved(match)
    assert fetch_json(client, "/v1/me")["name"] == "Guest"
    assert fetch_json(client, f"/v1/matches/{match}/options")["question"] is not None
    assert client.get(f"/matches/{match}", headers={**BROWSER, **OWN}).status_code == 200
    assert "mailto:" not in client.get(f"/matches/{match}?answer=email", headers={**BROWSER, **OWN}).text
    home = client.get("/", headers={**BROWSER, **OWN})
    assert "/settings" not in home.text
    assert "/enter" in home.text


def test_every_route_is_open_to_guests_by_name_or_says_to_sign_in(app: Flask) -> None:
    client, _ = play_as_guest(app)
    named, checked = set(), 0
    for rule in app.url_map.iter_rules():
        path = re.sub(r"<(?:[^<>]*:)?(\w+)>", lambda hole: str(VALUES.get(hole[1], "m7q2x9v4k8t3w6zp")), rule.rule)
        for method in sorted((rule.methods or set()) - {"HEAD", "OPTIONS"}):
            if rule.endpoint == "enter.leave":
                continue  # it would end this session
            closed = is_closed(rule.endpoint, method)
            answer = client.open(path, method=method, headers=OWN, json={} if method != "GET" else None)
            refused = answer.status_code == 403 and "sign-in-first" in answer.text
            assert refused == closed, (method, rule.rule, answer.status_code)
            named.add(rule.endpoint)
            checked += closed
    assert checked > 50
    tables = (CLOSED_READS, OPEN_WRITES)
    listed = {f"{name}.{view}" for table in tables for name, views in table.items() for view in views}
    assert listed <= named | {"enter.leave"}, "a name that no route has"


@pytest.mark.parametrize(
    "body",
    [
        {"game": "keltis", "seats": 2, "visibility": "open", "bots": {"1": "steady"}},
        {"game": "keltis", "seats": 2, "visibility": "invitation", "bots": {}},
        {"game": "keltis", "seats": 3, "visibility": "link", "bots": {"1": "steady"}},
    ],
)
def test_a_guest_makes_no_match_that_others_could_see_or_join(app: Flask, body: dict[str, object]) -> None:
    client, _ = play_as_guest(app)
    answer = client.post("/v1/matches", json=body, headers=OWN)
    assert (answer.status_code, json.loads(answer.data)["type"]) == (403, "/problems/sign-in-first")


def test_nobody_finds_a_guest(app: Flask, person: People) -> None:
    client, _ = play_as_guest(app)
    guest, aoife = fetch_json(client, "/v1/me")["id"], person("Aoife")
    assert aoife.get(f"/v1/players/{guest}").status_code == 404
    made = aoife.post("/v1/matches", {"game": "keltis", "seats": 2, "visibility": "invitation"}).json["id"]
    assert aoife.post(f"/v1/matches/{made}/invitations", {"player": guest}).status_code == 404


def test_a_new_address_keeps_the_guest_with_its_matches(app: Flask) -> None:
    client, match = play_as_guest(app)
    guest = fetch_json(client, "/v1/me")["id"]
    client.get("/enter", headers=OWN)
    client.post("/enter", data={"address": "new@example.org"}, headers=OWN)
    client.post("/enter/code", data={"code": sent_code()}, headers=OWN)
    client.post("/enter/name", data={"name": "Gráinne", "zone": "Europe/Dublin"}, headers=OWN)
    me = fetch_json(client, "/v1/me")
    assert (me["id"], me["name"], me["address"]) == (guest, "Gráinne", "new@example.org")
    assert client.get("/settings", headers={**BROWSER, **OWN}).status_code == 200
    assert fetch_json(client, f"/v1/matches/{match}")["you"]["seat"] == 0


def test_an_existing_account_takes_over_running_matches_by_a_line_of_the_house(app: Flask) -> None:
    account = fetch_json(enter(app, "known@example.org", "Nuala"), "/v1/me")["id"]
    client, match = play_as_guest(app)
    resolved(match)
    guest = fetch_json(client, "/v1/me")["id"]
    client.get("/enter", headers=OWN)
    client.post("/enter", data={"address": "known@example.org"}, headers=OWN)
    client.post("/enter/code", data={"code": sent_code()}, headers=OWN)
    assert fetch_json(client, "/v1/me")["id"] == account
    resolved(match)
    assert load_match_state(match).players[0] == account
    assert rows("select count(*) from entry where match = ? and line like ?", match, f"seat 0 {account} %") == [(1,)]
    assert rows("select owner from player where id = ?", guest) == [(account,)]
    assert fetch_json(client, "/v1/me/programs")["items"] == []


def sign_in(client: FlaskClient, address: str, name: str = "", to: str = "/") -> str:
    """Sign in with a code by the forms of the pages; return where that leads."""
    assert client.get(f"/enter?to={to}", headers=OWN).status_code == 200
    client.post("/enter", data={"address": address, "to": to}, headers=OWN)
    answer = client.post("/enter/code", data={"code": sent_code()}, headers=OWN)
    if name:
        answer = client.post("/enter/name", data={"name": name, "zone": "Europe/Dublin"}, headers=OWN)
    return answer.headers["Location"]


def test_many_matches_are_handed_over_by_a_job_and_the_opened_one_at_once(app: Flask) -> None:
    account = fetch_json(enter(app, "known@example.org", "Nuala"), "/v1/me")["id"]
    client, first = play_as_guest(app)
    form = {"data": {"opponent": "steady"}, "headers": {**BROWSER, **OWN}}
    others = [client.post("/new/keltis/bot", **form).headers["Location"].rpartition("/")[2] for _ in range(5)]
    matches = [first, *others]
    for match in matches:
        resolved(match)
    assert sign_in(client, "known@example.org", to=f"/matches/{max(matches)}") == f"/matches/{max(matches)}"
    own = [match for match in matches if load_match_state(match).players[0] == account]
    assert (len(own), max(matches) in own) == (MOST_AT_ONCE, True)
    ((job,),) = rows("select id from job where topic = 'hand-over'")
    assert run_job(job, Config(), JOB_HANDLERS)
    assert [load_match_state(match).players[0] for match in matches] == [account] * 6
    assert rows("select count(*) from entry where line like ?", f"seat 0 {account} %") == [(6,)]


def test_finished_matches_are_listed_as_played_as_a_guest_and_can_be_read(app: Flask) -> None:
    enter(app, "known@example.org", "Nuala")
    client, match = play_as_guest(app)
    resolved(match)
    page = client.get("/enter", headers={**BROWSER, **OWN}).text
    assert "Your matches stay" in page
    with app.app_context():
        append_end(match)
    sign_in(client, "known@example.org")
    home = client.get("/", headers={**BROWSER, **OWN}).text
    assert "Played as a guest" in home
    assert f"/matches/{match}" in home.partition("Played as a guest")[2]
    assert client.get(f"/matches/{match}", headers={**BROWSER, **OWN}).status_code == 200
    stranger = enter(app, "stranger@example.org", "Oisín")
    assert stranger.get(f"/matches/{match}", headers={**BROWSER, **OWN}).status_code == 404
    assert "Played as a guest" not in stranger.get("/", headers={**BROWSER, **OWN}).text


def append_end(match: str) -> None:
    """End a match as the operator can."""
    arbiter_for_operator(match, Config()).decide("end agreed-by-phone")
    resolved(match)


@pytest.mark.parametrize("guest", [False, True])
def test_sign_in_and_join_joins(app: Flask, person: People, guest: bool) -> None:
    made = person("Aoife").post("/v1/matches", {"game": "keltis", "seats": 2, "seat": 0}).json["id"]
    client = play_as_guest(app)[0] if guest else FlaskClient(app, app.response_class, use_cookies=True)
    page = f"/matches/{made}"
    assert "Sign in and take a seat" in client.get(page, headers={**BROWSER, **OWN}).text
    answer = client.post(f"{page}/join", headers=OWN)
    assert (answer.status_code, answer.headers["Location"]) == (303, f"/enter?to=%2Fmatches%2F{made}")
    assert sign_in(client, "joins@example.org", "Fionn", page) == page
    assert fetch_json(client, f"/v1/matches/{made}")["you"]["seat"] == 1


def test_a_link_to_sign_in_joins_nothing(app: Flask, person: People) -> None:
    """Only the button joins: another site could have made the link."""
    made = person("Aoife").post("/v1/matches", {"game": "keltis", "seats": 2, "seat": 0}).json["id"]
    client = FlaskClient(app, app.response_class, use_cookies=True)
    page = f"/matches/{made}"
    foreign = client.post(f"{page}/join", headers={"Sec-Fetch-Site": "cross-site", "Origin": "https://example.net"})
    assert foreign.status_code == 403
    assert sign_in(client, "lured@example.org", "Fionn", page) == page
    assert fetch_json(client, f"/v1/matches/{made}")["you"] is None


def test_a_match_that_filled_up_meanwhile_is_only_shown(app: Flask, person: People) -> None:
    made = person("Aoife").post("/v1/matches", {"game": "keltis", "seats": 2, "seat": 0}).json["id"]
    client = FlaskClient(app, app.response_class, use_cookies=True)
    client.post(f"/matches/{made}/join", headers=OWN)
    assert person("Brendan").post(f"/v1/matches/{made}/join", {}).status_code == 200
    assert sign_in(client, "late@example.org", "Fionn", f"/matches/{made}") == f"/matches/{made}"
    assert fetch_json(client, f"/v1/matches/{made}")["you"] is None


def test_a_guest_who_stays_away_is_erased_and_the_match_ends(app: Flask, clock: Clock) -> None:
    client, match = play_as_guest(app)
    resolved(match)
    guest = fetch_json(client, "/v1/me")["id"]
    clock.forward(days=29)
    erase_expired_guests(Config())
    assert fetch_json(client, "/v1/me")["id"] == guest, "a visit keeps a guest"
    clock.forward(days=31)
    erase_expired_guests(Config())
    resolved(match)
    state = load_match_state(match)
    assert state.state.house.ended == "expired"
    assert client.get("/v1/me", headers=OWN).status_code == 401
    assert rows("select name from player where id = ?", guest) == [("",)]
    erase_expired_guests(Config())
    assert verify(record_export.export_record(state, "all"), rules=RulesChecker()).seq == state.seq


def test_guests_of_one_network_start_ten_matches_a_day(app: Flask) -> None:
    for _ in range(10):
        play_as_guest(app)
    client = FlaskClient(app, app.response_class, use_cookies=True)
    answer = client.post("/new/keltis/bot", data={"opponent": "steady"}, headers={**BROWSER, **OWN})
    assert answer.status_code == 429
    assert "Sign in to play more" in answer.text


def test_guests_can_be_turned_off_and_are_at_most_as_many_as_set(config: Config) -> None:
    for most, status, words in ((0, 303, ""), (1, 422, "too many guests")):
        app = open_app(replace(config, guests=most))
        if most:
            play_as_guest(app)
        client = FlaskClient(app, app.response_class, use_cookies=True)
        answer = client.post("/new/keltis/bot", data={"opponent": "steady"}, headers={**BROWSER, **OWN})
        assert answer.status_code == status
        assert words in answer.text
        assert most or answer.headers["Location"].startswith("/enter")


@pytest.mark.parametrize("closed", [{"limit_registrations": 0}, {"public_url": "http://games.example.org"}])
def test_where_registration_is_closed_nobody_plays_as_a_guest(config: Config, closed: dict[str, Any]) -> None:
    """A limit of 0 closes it, and so does plain http, over which a session would be sent in the clear."""
    app = open_app(replace(config, **closed))
    headers = {**BROWSER, "Origin": app.config["ECHTRA"].url}
    client = FlaskClient(app, app.response_class, use_cookies=True)
    answer = client.post("/new/keltis/bot", data={"opponent": "steady"}, headers=headers)
    assert (answer.status_code, answer.headers["Location"]) == (303, "/enter?to=/games/keltis")
    assert rows("select count(*) from player") == [(0,)]


def test_a_browser_without_cookies_is_told_so(app: Flask) -> None:
    client = FlaskClient(app, app.response_class, use_cookies=False)
    answer = client.post("/new/keltis/bot", data={"opponent": "steady"}, headers={**BROWSER, **OWN})
    shown = client.get(answer.headers["Location"], headers={**BROWSER, **OWN})
    assert shown.status_code == 403
    assert "blocks the cookie" in shown.text


def test_another_site_starts_no_guest_match(app: Flask) -> None:
    client = FlaskClient(app, app.response_class, use_cookies=True)
    answer = client.post("/new/keltis/bot", data={"opponent": "steady"}, headers={"Sec-Fetch-Site": "cross-site"})
    assert answer.status_code == 403
    assert rows("select count(*) from player") == [(0,)]


def test_ipv6_networks_count_as_one_address() -> None:
    assert network_of("2001:db8::1") == network_of("2001:db8::ffff") != network_of("2001:db8:0:1::1")
    assert network_of("192.0.2.1") == "192.0.2.1"
    assert network_of(None) == ""


def test_one_cookie_keeps_the_last_opponent_of_each_game(app: Flask) -> None:
    client, _ = play_as_guest(app, "strong", "keltis")
    client.post("/new/tir-na-nog/bot", data={"opponent": "balor-hard"}, headers={**BROWSER, **OWN})
    kept = client.get_cookie("echtra-opponents")
    assert kept is not None
    assert kept.decoded_value == "keltis:strong|tir-na-nog:balor-hard"
    home = client.get("/", headers={**BROWSER, **OWN}).text
    for opponent in ("strong", "balor-hard"):
        assert re.search(rf'value="{opponent}"[^>]* checked', home), opponent


@pytest.mark.parametrize("value", ["", "keltis", "keltis:nobody", "chess:strong|keltis", ":|:", "x" * 4000])
def test_a_cookie_that_names_no_opponent_is_ignored(app: Flask, value: str) -> None:
    client = FlaskClient(app, app.response_class, use_cookies=True)
    client.set_cookie("echtra-opponents", value)
    assert client.get("/", headers={**BROWSER, **OWN}).status_code == 200
