"""The organisers' desk: what needs them now, entries, rulings with a dry run, messages, and two organisers at once."""

from __future__ import annotations

import html

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from service.config import Config
from service.db.connection import rows
from service.db.models.matches import MatchRow, SeatRow
from service.timestamps import DAY
from service.tournaments.entry.entrants import enter_tournament
from service.tournaments.rulings.ruling_words import WHATS
from service.tournaments.tournament_caches import document_of
from tests.service.web.test_pages import sound
from tests.support.factories import somebody
from tests.support.html_page import BROWSER, Page
from tests.support.players import Clock
from tests.support.tournaments import HostedTournament, document_text, open_tournament
from tests.support.web_apps import sign_in

pytestmark = pytest.mark.parametrize("database", ["sqlite"], indirect=True)
OWN = {**BROWSER, "Sec-Fetch-Site": "same-origin"}
SWISS = """
  - name: swiss
    format: swiss
    rounds: 3
    start: {first: 2027-02-01T18:00, next: when-over, gap: 1d}
    end: {at_most: 4w, then: adjudicate}
"""


@pytest.fixture
def hosted(service: Config, clock: Clock) -> HostedTournament:
    """A Swiss that four have entered, where the maker approves."""
    made = open_tournament(service, clock, document_text(SWISS).replace("least:", "by: approval, least:"))
    for number in range(4):
        person = somebody(f"Player {number}")
        enter_tournament(person.player, made.row, "-", service)
        made.people.append(person)
    return made


@pytest.fixture
def organiser(hosted: HostedTournament, app: Flask) -> FlaskClient:
    """The browser of the maker."""
    return sign_in(app, hosted.maker.player.id)


def look(client: FlaskClient, hosted: HostedTournament, more: str = "") -> Page:
    """A page of the desk, after a look at what every page must keep to."""
    answer = client.get(f"/tournaments/{hosted.tournament}/desk{more}", headers=OWN)
    assert answer.status_code == 200, answer.text
    return sound(answer)


def send(client: FlaskClient, hosted: HostedTournament, form: str = "ruling", **values: str) -> TestResponse:
    """Send a form of the desk."""
    return client.post(f"/tournaments/{hosted.tournament}/desk/{form}", data=values, headers=OWN)


def accept_all(client: FlaskClient, hosted: HostedTournament) -> None:
    """Accept all people of the tournament."""
    for person in hosted.people:
        seq = str(hosted.row.head_seq)
        made = send(client, hosted, what="accept", player=person.player.id, why="rules", seq=seq, go="publish")
        assert made.status_code == 303, made.text


def start(client: FlaskClient, hosted: HostedTournament) -> str:
    """Accept everybody and let the first round begin. Return one of its matches."""
    accept_all(client, hosted)
    start_round(hosted)
    return str(MatchRow.get(MatchRow.status == "running").id)


def start_round(hosted: HostedTournament) -> None:
    """Let the first round begin."""
    hosted.work()
    while not hosted.row.started_at:
        hosted.go_to_next()


def find_seq(page: str) -> str:
    """The last line of the log that a dry run has seen."""
    return page.split('name="seq" value="')[1].split('"', maxsplit=1)[0]


def test_who_waits_is_accepted_or_declined_with_one_press(hosted: HostedTournament, organiser: FlaskClient) -> None:
    page = look(organiser, hosted)
    assert page.text.count("Asks to enter.") == 4
    accept_all(organiser, hosted)
    assert "Nothing. The tournament runs by itself." in look(organiser, hosted).text
    statuses = {status for (status,) in rows("select status from entrant")}
    assert statuses == {"in"}


def test_a_ruling_is_tried_first_and_then_published(hosted: HostedTournament, organiser: FlaskClient) -> None:
    match = start(organiser, hosted)
    assert "Last move:" in look(organiser, hosted).text
    form = look(organiser, hosted, f"/ruling?what=result&match={match}")
    assert "Or scores" in form.text
    wanted = {"what": "result", "match": match, "why": "time", "text": "Enough.", "place_0": "1", "place_1": "2"}
    before = hosted.row.head_seq
    tried = send(organiser, hosted, go="try", **wanted)
    assert "2 people get an email" in sound(tried).text
    assert hosted.row.head_seq == before
    assert send(organiser, hosted, go="publish", **wanted).status_code == 409, "nobody has seen what it does"
    made = send(organiser, hosted, go="publish", seq=find_seq(tried.text), **wanted)
    assert made.status_code == 303, made.text
    assert any(line.startswith(f"ruling result {match} time") for line in hosted.lines())


def test_a_dry_run_says_what_happens_to_clocks_rounds_and_people(
    hosted: HostedTournament, organiser: FlaskClient
) -> None:
    match = start(organiser, hosted)
    end = "2027-03-08T18:00"
    extended = sound(send(organiser, hosted, what="extend", round="swiss:1", until=end, why="illness", go="try")).text
    assert "2 running matches have more time." in extended
    words = " ".join(extended.replace("\u00a0", " ").split())
    assert "Latest end of round 1 of swiss: 8 March, 18:00 instead of 1 March, 18:00 ." in words
    assert "The standings do not change." in extended
    for what, told in (
        ({"what": "pause"}, "The clocks of 2 running matches stop."),
        ({"what": "exclude", "player": hosted.people[0].player.id}, "The player gives up one running match."),
        (
            {"what": "result", "match": match, "place_0": "1", "place_1": "2"},
            "The running match ends with this result.",
        ),
        ({"what": "replay", "match": match}, "The running match is void, and a new one begins."),
        ({"what": "cancel"}, "2 running matches go on by themselves."),
    ):
        assert told in sound(send(organiser, hosted, why="other", go="try", **what)).text, what
    french = organiser.post(
        f"/tournaments/{hosted.tournament}/desk/ruling?lang=fr", data={"what": "pause", "why": "other"}, headers=OWN
    )
    assert "Les pendules de 2 parties en cours s’arrêtent." in french.text


def test_an_organiser_changes_the_event_and_overwrites_nobody(
    hosted: HostedTournament, organiser: FlaskClient, app: Flask
) -> None:
    helper = somebody("Mary Ann")
    assert send(organiser, hosted, "helpers", player="Mary Ann", role="organiser").status_code == 303
    browsers = (organiser, sign_in(app, helper.player.id))
    plans = []
    for browser, rounds in zip(browsers, ("4", "5"), strict=True):
        assert send(browser, hosted, "document").headers["Location"] == "/organise/new/document"
        text = html.unescape(browser.get("/organise/new/document", headers=OWN).text)
        assert "This is the document of your tournament as it is." in text
        document = text.split('autocapitalize="none">\n')[1].split("</textarea")[0]
        assert document.startswith("tournament: winter-cup\n"), "as an organiser would write it"
        changed = document.replace("rounds: 3", f"rounds: {rounds}")
        plans.append(browser.post("/organise/new/document", data={"document": changed}, headers=OWN).text)
        assert f"3 → <strong>{rounds}</strong>" in plans[-1]
    first, second = (
        browser.post("/organise/new/publish", data={"etag": plan.split('name="etag" value="')[1][:32]}, headers=OWN)
        for browser, plan in zip(browsers, plans, strict=True)
    )
    assert first.headers["Location"] == f"/tournaments/{hosted.tournament}"
    assert second.status_code == 409
    assert "4 → 5" in " ".join(sound(second).text.split()), "the second sees what the first has changed"
    assert document_of(hosted.row).stages[0].rules.rounds == 4
    assert send(browsers[1], hosted, "helpers", player="Mary Ann", role="arbiter").status_code == 403
    assert send(organiser, hosted, "helpers", player="Mary Ann", role="arbiter").status_code == 303
    assert send(browsers[1], hosted, "document").status_code == 403


def test_seeds_are_set_by_hand_before_the_draw(hosted: HostedTournament, organiser: FlaskClient) -> None:
    accept_all(organiser, hosted)
    people = [each.player.id for each in hosted.people]
    assert (
        f'name="seed_{people[3]}"'
        in organiser.get(f"/tournaments/{hosted.tournament}/desk/ruling?what=seed", headers=OWN).text
    )
    order = {f"seed_{people[3]}": "1", f"seed_{people[1]}": "2", f"seed_{people[0]}": " "}
    for wrong in ({f"seed_{people[0]}": "2"}, {f"seed_{people[0]}": "x"}):
        assert send(organiser, hosted, what="seed", why="rules", go="try", **{**order, **wrong}).status_code == 422
    tried = send(organiser, hosted, what="seed", why="rules", go="try", **order)
    made = send(organiser, hosted, what="seed", why="rules", go="publish", seq=find_seq(tried.text), **order)
    assert made.status_code == 303, made.text
    assert f"ruling seed {people[3]} {people[1]} rules" in hosted.lines()
    start_round(hosted)
    numbered = [player for (player,) in rows("select player from entrant order by number")]
    assert numbered[:2] == [people[3], people[1]]
    assert send(organiser, hosted, what="seed", why="rules", go="try", **order).status_code == 409, "it is drawn"
    hosted.run_to_end()
    hosted.check()


def test_of_two_organisers_the_second_is_asked_again(hosted: HostedTournament, organiser: FlaskClient) -> None:
    match = start(organiser, hosted)
    wanted = {"what": "result", "match": match, "why": "time", "place_0": "1", "place_1": "2"}
    seq = find_seq(send(organiser, hosted, go="try", **wanted).text)
    hosted.rule("pause technical")
    hosted.rule(f"exclude {hosted.people[0].player.id} rules")
    refused = send(organiser, hosted, go="publish", seq=seq, **wanted)
    assert refused.status_code == 409
    alert = refused.text.split('role="alert">')[1].split("<", maxsplit=1)[0]
    assert "Paused. Excluded: Player 0" in alert
    assert hosted.people[0].player.id not in alert
    again = find_seq(send(organiser, hosted, go="try", **wanted).text)
    assert send(organiser, hosted, go="publish", seq=again, **wanted).status_code == 303


def test_the_owner_appoints_and_removes_helpers_by_name(
    hosted: HostedTournament, organiser: FlaskClient, app: Flask
) -> None:
    helper = somebody("Mary Ann")
    browser, path = sign_in(app, helper.player.id), f"/tournaments/{hosted.tournament}"
    assert browser.get(f"{path}/desk", headers=OWN).status_code == 403
    assert send(organiser, hosted, "helpers", player="Nobody At All", role="arbiter").status_code == 422
    assert send(organiser, hosted, "helpers", player=" mary  ann ", role="arbiter").status_code == 303
    page = look(organiser, hosted, "?done=appointed")
    assert "Mary Ann arbiter" in " ".join(page.text.split())
    # An arbiter rules, and does nothing else.
    desk = look(browser, hosted)
    assert "Asks to enter." in desk.text
    assert not any(each.endswith(("/invite", "/link", "/helpers", "/message")) for each in desk.references)
    assert "Organisers’ desk" in browser.get(path, headers=OWN).text
    for form, values in (
        ("invite", {"guest": "Player 0"}),
        ("link", {"go": "renew"}),
        ("helpers", {"player": "Player 0", "role": "organiser"}),
        ("message", {"text": "Hello"}),
    ):
        assert send(browser, hosted, form, **values).status_code == 403, form
    ruling = {"what": "accept", "player": hosted.people[0].player.id, "why": "rules", "go": "publish"}
    assert send(browser, hosted, seq=str(hosted.row.head_seq), **ruling).status_code == 303
    # An organiser does the rest, but appoints nobody.
    assert send(organiser, hosted, "helpers", player="Mary Ann", role="organiser").status_code == 303
    assert send(browser, hosted, "invite", guest="Player 0").status_code == 303
    assert send(browser, hosted, "helpers", player="Player 0", role="arbiter").status_code == 403
    assert send(organiser, hosted, "helpers", player=helper.player.id, role="").status_code == 303
    assert browser.get(f"{path}/desk", headers=OWN).status_code == 403
    hosted.run_to_end()
    hosted.check()


def test_open_decisions_are_shown_to_neutral_rulers_alone(
    hosted: HostedTournament, organiser: FlaskClient, app: Flask
) -> None:
    start(organiser, hosted)
    playing, neutral = hosted.people[0], somebody("Neutral")
    for player, role in ((playing, "organiser"), (neutral, "arbiter")):
        assert send(organiser, hosted, "helpers", player=player.player.id, role=role).status_code == 303
    SeatRow.update(due_at=hosted.clock.at + 900 * DAY).where(SeatRow.due_at.is_null(is_null=False)).execute()
    hosted.clock.at += 28 * DAY
    hosted.work()
    wanted = "Without a ruling the current scores count"
    assert wanted in look(organiser, hosted).text
    assert wanted in look(sign_in(app, neutral.player.id), hosted).text
    assert wanted not in look(sign_in(app, playing.player.id), hosted).text
    decisions = f"/v1/tournaments/{hosted.tournament}/decisions"
    assert [sign_in(app, each.player.id).get(decisions, headers=OWN).status_code for each in (neutral, playing)] == [
        200,
        403,
    ]


def test_a_link_invites_until_it_is_withdrawn(service: Config, clock: Clock, app: Flask, client: FlaskClient) -> None:
    text = document_text(SWISS).replace("least:", "by: invitation, least:").replace("game:", "listed: false\ngame:")
    hosted = open_tournament(service, clock, text)
    maker, path = sign_in(app, hosted.maker.player.id), f"/tournaments/{hosted.tournament}"
    assert send(maker, hosted, "link", go="renew").status_code == 303
    first = f"{path}/invitation/{hosted.row.link}"
    desk = maker.get(f"{path}/desk", headers=OWN)
    assert f'{first}"' in desk.text
    guest = sign_in(app, somebody("Cormac").player.id)
    assert guest.get(path, headers=OWN).status_code == 404
    assert "Aoife invites you" in sound(guest.get(first, headers=OWN)).text
    assert "vous invite" in sound(guest.get(f"{first}?lang=fr", headers=OWN)).text
    assert guest.get(path, headers=OWN).status_code == 404, "to look is not to accept"
    assert client.post(first, headers=OWN).headers["Location"].startswith("/enter?to=")
    for _ in range(2):
        assert guest.post(first, headers=OWN).status_code == 303
    assert rows("select count(*) from tournament_invitation") == [(1,)]
    assert f"{path}/enter" in sound(guest.get(path, headers=OWN)).references
    assert send(maker, hosted, "link", go="renew").status_code == 303
    second = f"{path}/invitation/{hosted.row.link}"
    late = sign_in(app, somebody("Deirdre").player.id)
    assert late.get(first, headers=OWN).status_code == late.post(first, headers=OWN).status_code == 404
    assert send(maker, hosted, "link", go="withdraw").status_code == 303
    refused = late.post(second, headers=OWN)
    assert refused.status_code == 404
    assert "Ask the organiser for a new one" in refused.text
    assert guest.get(path, headers=OWN).status_code == 200, "who has opened it stays invited"


@pytest.mark.parametrize("what", WHATS)
def test_every_kind_of_ruling_has_a_form_in_both_languages(
    hosted: HostedTournament, organiser: FlaskClient, what: str
) -> None:
    page = look(organiser, hosted, f"/ruling?what={what}")
    assert "See what it would do" in page.text
    french = organiser.get(f"/tournaments/{hosted.tournament}/desk/ruling?what={what}&lang=fr", headers=OWN)
    assert "Voir ce que cela ferait" in sound(french).text


@pytest.mark.parametrize(
    ("values", "status"),
    [
        ({"what": "extend", "round": "swiss:1", "until": "2027-03-08T18:00", "why": "illness"}, 409),
        ({"what": "exclude", "player": "Nobody At All", "why": "rules"}, 422),
        ({"what": "result", "match": "m7q2x9v4k8t3w6zp", "why": "time"}, 404),
        ({"what": "pause", "why": "boredom"}, 422),
        ({"what": "cancel", "why": "other", "text": "x" * 2000}, 422),
        ({"what": "pause", "why": "other", "go": "publish", "seq": "9" * 12}, 409),
    ],
)
def test_what_is_wrong_with_a_ruling_is_said_on_its_form(
    hosted: HostedTournament, organiser: FlaskClient, values: dict[str, str], status: int
) -> None:
    refused = send(organiser, hosted, **values)
    assert refused.status_code == status, refused.text
    assert 'role="alert"' in refused.text
    sound(refused)


def test_guests_are_invited_and_all_get_a_message(hosted: HostedTournament, organiser: FlaskClient) -> None:
    assert send(organiser, hosted, "invite", guest="maelle@example.org").status_code == 303
    assert send(organiser, hosted, "invite", guest="Player 0").status_code == 303
    assert rows("select count(*) from tournament_invitation") == [(2,)]
    assert send(organiser, hosted, "invite", guest="@").status_code == 422
    assert send(organiser, hosted, "invite", guest="Nobody").status_code == 404
    assert send(organiser, hosted, "message", text="Round 1 begins soon.").status_code == 303
    assert send(organiser, hosted, "message", text=" ").status_code == 422
    assert "Your message is on its way." in look(organiser, hosted, "?done=sent").text


def test_the_desk_is_for_organisers_alone(hosted: HostedTournament, app: Flask, client: FlaskClient) -> None:
    path = f"/tournaments/{hosted.tournament}/desk"
    player = sign_in(app, hosted.people[0].player.id)
    for more in ("", "/ruling"):
        assert player.get(path + more, headers=OWN).status_code == 403
        assert client.get(path + more, headers=BROWSER).headers["Location"] == f"/enter?to={path}"
    for form in ("ruling", "message", "invite"):
        assert send(player, hosted, form, what="cancel", why="other", go="publish", seq="1").status_code == 403
        assert send(client, hosted, form).status_code == 303
    assert hosted.row.state == "entry"
    assert "Organisers’ desk" not in player.get(f"/tournaments/{hosted.tournament}", headers=OWN).text
    assert (
        "Organisers’ desk"
        in sign_in(app, hosted.maker.player.id).get(f"/tournaments/{hosted.tournament}", headers=OWN).text
    )


def test_a_player_sees_their_match_and_asks_for_a_bye(
    hosted: HostedTournament, organiser: FlaskClient, app: Flask
) -> None:
    match = start(organiser, hosted)
    (player,) = rows("select player from seat where match = ? and seat = 0", match)[0]
    browser, path = sign_in(app, player), f"/tournaments/{hosted.tournament}"
    page = sound(browser.get(path, headers=OWN))
    assert "Your match: Player" in page.text
    assert f"/matches/{match}" in page.references
    assert browser.post(f"{path}/bye", data={"round": "swiss:2"}, headers=OWN).status_code == 303
    assert any(line.startswith(f"bye {player} swiss:2") for line in hosted.lines())
    rested = " ".join(sound(browser.get(path, headers=OWN)).text.split())
    assert "round 2 of swiss: bye" in rested
    assert "Ask for a bye" not in rested, "one is the most here"
    assert "Byes asked for: Player" in " ".join(look(organiser, hosted).text.split())
    assert browser.post(f"{path}/bye", data={"round": "swiss:3"}, headers=OWN).status_code == 409
    assert browser.post(f"{path}/bye", data={"round": "nothing"}, headers=OWN).status_code == 404
    hosted.run_to_end()
    assert "My rounds" in sound(browser.get(path, headers=OWN)).text


def test_an_invitation_is_accepted_on_the_page(service: Config, clock: Clock, app: Flask) -> None:
    hosted = open_tournament(service, clock, document_text(SWISS).replace("least:", "by: invitation, least:"))
    guest, path = somebody("Cormac"), f"/tournaments/{hosted.tournament}"
    browser = sign_in(app, guest.player.id)
    assert browser.get(path, headers=OWN).status_code == 404
    assert send(sign_in(app, hosted.maker.player.id), hosted, "invite", guest="Cormac").status_code == 303
    assert f"{path}/enter" in sound(browser.get(path, headers=OWN)).references
    assert browser.post(f"{path}/enter", headers=OWN).status_code == 303
    assert rows("select status from entrant") == [("in",)]


def test_a_challenge_is_made_and_answered_on_the_page(service: Config, clock: Clock, app: Flask) -> None:
    ladder = """
  - name: ladder
    format: ladder
    start: {first: 2027-02-01T18:00}
    end: {at: 2027-06-01T18:00}
"""
    hosted = open_tournament(service, clock, document_text(ladder), entrants=3)
    while not hosted.row.started_at:
        hosted.go_to_next()
    path = f"/tournaments/{hosted.tournament}"
    numbered = [player for (player,) in rows("select player from entrant order by number")]
    above, below = (sign_in(app, player) for player in (numbered[0], numbered[1]))
    assert f'<option value="{numbered[0]}">' in below.get(path, headers=OWN).text
    assert below.post(f"{path}/challenge", data={"player": numbered[2]}, headers=OWN).status_code == 409
    assert below.post(f"{path}/challenge", data={"player": numbered[0]}, headers=OWN).status_code == 303
    assert "challenges you." in sound(above.get(path, headers=OWN)).text
    ((made,),) = rows("select id from challenge")
    answer = {"challenge": made, "answer": "accept"}
    assert below.post(f"{path}/challenge/answer", data=answer, headers=OWN).status_code == 404
    assert above.post(f"{path}/challenge/answer", data=answer, headers=OWN).status_code == 303
    assert rows("select state from challenge") == [("accepted",)]
