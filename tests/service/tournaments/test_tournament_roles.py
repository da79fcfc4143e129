"""Every route of tournaments for every role: who gets through, and who is refused. A new route needs a row here."""

from __future__ import annotations

import re

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.routing import Rule

from service.config import Config
from service.tournaments.lifecycle import appoint
from tests.support.factories import somebody
from tests.support.html_page import BROWSER
from tests.support.players import Clock
from tests.support.tournaments import HostedTournament, document_text, open_tournament
from tests.support.web_apps import sign_in

pytestmark = pytest.mark.parametrize("database", ["sqlite"], indirect=True)
OWN = {**BROWSER, "Sec-Fetch-Site": "same-origin"}
DOORS = ("/v1/tournaments", "/tournaments", "/organise")
STAGES = """
  - name: cup
    format: knockout
    start: {first: 2027-02-01T18:00, next: when-over, gap: 1d}
    end: {at_most: 2w, then: adjudicate}
"""
EVERYBODY = ("nobody", "stranger", "entrant", "arbiter", "organiser", "owner")
SIGNED_IN, STAFF, ORGANISERS, OWNER, NO_ROLE = EVERYBODY[1:], EVERYBODY[3:], EVERYBODY[4:], EVERYBODY[5:], ()
"""Who gets through. `NO_ROLE`: the row names a link that there is not, so all get the same 404."""
API, PAGE = "/v1/tournaments/<tournament>", "/tournaments/<tournament>"
READS = {
    f"{API}/invitations": ORGANISERS,
    f"{API}/unreachable": ORGANISERS,
    f"{API}/decisions": STAFF,
    f"{API}/fair-play": STAFF,
    f"{PAGE}/desk": STAFF,
    f"{PAGE}/desk/ruling": STAFF,
    f"{PAGE}/invitation/<link>": NO_ROLE,
    "/organise/new": SIGNED_IN,
    "/organise/new/document": SIGNED_IN,
    "/organise/new/copy": SIGNED_IN,
}
"""Reads that are not open to everybody."""
WRITES: dict[tuple[str, str], tuple[tuple[str, ...], dict[str, object]]] = {
    ("POST", "/v1/tournaments/plan"): (SIGNED_IN, {}),
    ("PUT", API): (SIGNED_IN, {}),
    ("POST", f"{API}/entrants"): (SIGNED_IN, {"nonce": "-"}),
    ("DELETE", f"{API}/entrants/me"): (SIGNED_IN, {}),
    ("POST", f"{API}/byes"): (SIGNED_IN, {"round": "cup:2"}),
    ("POST", f"{API}/challenges"): (SIGNED_IN, {"player": "HELPER"}),
    ("POST", f"{API}/challenges/<challenge_id>"): (SIGNED_IN, {"accept": True}),
    ("POST", f"{API}/invitations"): (ORGANISERS, {"player": "HELPER"}),
    ("PUT", f"{API}/link"): (ORGANISERS, {}),
    ("DELETE", f"{API}/link"): (ORGANISERS, {}),
    ("POST", f"{API}/link"): (NO_ROLE, {"link": "x" * 24}),
    ("POST", f"{API}/rulings"): (STAFF, {"what": "pause", "why": "technical", "dry_run": True}),
    ("POST", f"{API}/messages"): (ORGANISERS, {"text": " "}),
    ("PUT", f"{API}/staff/<player>"): (OWNER, {"role": "arbiter"}),
    ("DELETE", f"{API}/staff/<player>"): (OWNER, {}),
    ("POST", f"{PAGE}/enter"): (SIGNED_IN, {}),
    ("POST", f"{PAGE}/withdraw"): (SIGNED_IN, {}),
    ("POST", f"{PAGE}/bye"): (SIGNED_IN, {"round": "cup:1"}),
    ("POST", f"{PAGE}/challenge"): (SIGNED_IN, {"player": "HELPER"}),
    ("POST", f"{PAGE}/challenge/answer"): (SIGNED_IN, {"challenge": "none"}),
    ("POST", f"{PAGE}/invitation/<link>"): (NO_ROLE, {}),
    ("POST", f"{PAGE}/desk/document"): (ORGANISERS, {}),
    ("POST", f"{PAGE}/desk/link"): (ORGANISERS, {"go": "withdraw"}),
    ("POST", f"{PAGE}/desk/helpers"): (OWNER, {"player": "Helper", "role": ""}),
    ("POST", f"{PAGE}/desk/message"): (ORGANISERS, {"text": "Hello"}),
    ("POST", f"{PAGE}/desk/invite"): (ORGANISERS, {"guest": "Helper"}),
    ("POST", f"{PAGE}/desk/ruling"): (STAFF, {"what": "pause", "why": "technical", "go": "try"}),
    ("POST", "/organise/new"): (SIGNED_IN, {"step": "game"}),
    ("POST", "/organise/new/publish"): (SIGNED_IN, {}),
    ("POST", "/organise/new/discard"): (SIGNED_IN, {}),
    ("POST", "/organise/new/document"): (SIGNED_IN, {"document": "x"}),
    ("POST", "/organise/new/copy"): (ORGANISERS, {"tournament": "TOURNAMENT"}),
}
"""Requests that change something or would, as far as they get, with who gets through."""


def name_rule(rule: Rule) -> str:
    """A rule without the types of its parts."""
    return re.sub(r"<[^<>:]+:(\w+)>", r"<\1>", rule.rule)


def list_requests(app: Flask) -> list[tuple[str, str]]:
    """Every method and rule of tournaments."""
    rules = [rule for rule in app.url_map.iter_rules() if rule.rule.startswith(DOORS)]
    return sorted(
        (method, name_rule(rule)) for rule in rules for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    )


def run_cup(service: Config, clock: Clock, more: str = "") -> tuple[HostedTournament, str]:
    """A knockout of four whose first round runs. Return the id of somebody who may be appointed, too."""
    hosted = open_tournament(service, clock, document_text(STAGES) + more, entrants=4)
    while not hosted.row.started_at:
        hosted.go_to_next()
    return hosted, str(somebody("Helper").player.id)


def is_refused(client: FlaskClient, method: str, rule: str, values: dict[str, str]) -> bool:
    """Send a request. Return True if it is refused because of who sends it."""
    path = re.sub(r"<(\w+)>", lambda hole: values.get(hole[1], "m7q2x9v4k8t3w6zp"), rule)
    _, body = WRITES.get((method, rule), ((), {}))
    body = {name: values.get(str(value), value) for name, value in body.items()}
    if method == "GET":
        answer = client.get(path, headers=OWN)
    elif rule.startswith("/v1"):
        answer = client.open(path, method=method, headers=OWN, json=body)
    else:
        answer = client.post(path, headers=OWN, data=body)
    assert answer.status_code < 500, (method, rule, answer.text)
    return answer.status_code in {401, 403, 404} or answer.headers.get("Location", "").startswith("/enter")


def test_every_route_lets_through_those_roles_that_it_is_for(
    service: Config, clock: Clock, app: Flask, client: FlaskClient
) -> None:
    hosted, helper = run_cup(service, clock)
    people = {"owner": hosted.maker, "entrant": hosted.people[0], "stranger": somebody("Stranger")}
    for role in ("arbiter", "organiser"):
        people[role] = somebody(role.title())
        appoint(hosted.maker.player.id, hosted.tournament, people[role].player.id, role)
    browsers = {role: sign_in(app, person.player.id) for role, person in people.items()} | {"nobody": client}
    values = {"tournament": hosted.tournament, "stage": "cup", "number": "1", "player": helper}
    values |= {"HELPER": helper, "TOURNAMENT": hosted.tournament}
    requests = list_requests(app)
    written = {request for request in requests if request[0] != "GET"}
    assert written == WRITES.keys()
    assert {rule for method, rule in requests if method == "GET"} >= READS.keys()
    found, wanted = {}, {}
    for method, rule in requests:
        allowed = READS.get(rule, EVERYBODY) if method == "GET" else WRITES[method, rule][0]
        wanted[method, rule] = allowed
        found[method, rule] = tuple(role for role in EVERYBODY if not is_refused(browsers[role], method, rule, values))
    assert found == wanted


def test_strangers_find_nothing_of_a_tournament_that_is_not_listed(
    service: Config, clock: Clock, app: Flask, client: FlaskClient
) -> None:
    hosted, helper = run_cup(service, clock, "listed: no\n")
    values = {"tournament": hosted.tournament, "stage": "cup", "number": "1", "player": helper, "HELPER": helper}
    stranger = sign_in(app, somebody("Stranger").player.id)
    own = [
        (method, rule)
        for method, rule in list_requests(app)
        if "<tournament>" in rule and (method, rule) != ("PUT", API)
    ]
    assert len(own) > 40
    for method, rule in own:
        assert is_refused(client, method, rule, values), (method, rule)
        assert is_refused(stranger, method, rule, values), (method, rule)
