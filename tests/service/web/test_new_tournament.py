"""The wizard for a new tournament: its steps, the plan beside them, faults at their fields, and the document."""

from __future__ import annotations

import html

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.config import Config
from service.db.connection import rows
from service.db.models.tournaments import TournamentRow
from service.tournaments.documents.simple_document import FORMATS
from tests.service.web.test_pages import sound
from tests.support import mailbox
from tests.support.html_page import BROWSER, Page
from tests.support.players import Clock
from tests.support.web_apps import sign_in

pytestmark = [pytest.mark.parametrize("database", ["sqlite"], indirect=True), pytest.mark.usefixtures("service")]
OWN = {**BROWSER, "Sec-Fetch-Site": "same-origin"}
FRENCH = {**OWN, "Accept-Language": "fr"}
PATH = "/organise/new"


@pytest.fixture
def organiser(app: Flask, clock: Clock) -> FlaskClient:  # noqa: ARG001  # time is the test's
    """The browser of somebody who organises."""
    return sign_in(app, mailbox.person("Niamh").id)


def look(client: FlaskClient, path: str = PATH) -> Page:
    """A page, after a look at what every page must keep to."""
    answer = client.get(path, headers=OWN)
    assert answer.status_code == 200, answer.text
    return sound(answer)


def send(client: FlaskClient, step: str, go: str = "next", **answers: str) -> str:
    """Send the answers of a step, and return where it leads."""
    answer = client.post(PATH, data={"step": step, "go": go, **answers}, headers=OWN)
    assert answer.status_code == 303, answer.text
    return answer.headers["Location"]


def find_etag(page: str) -> str:
    """The etag of the plan that a page shows."""
    return page.split('name="etag" value="')[1].split('"', maxsplit=1)[0]


@pytest.mark.parametrize("format_", FORMATS)
def test_each_format_is_made_in_four_steps_with_the_plan_beside_them(organiser: FlaskClient, format_: str) -> None:
    assert send(organiser, "game", game="tain") == f"{PATH}?step=format"
    assert send(organiser, "format", format=format_, lasts="10") == f"{PATH}?step=people"
    assert send(organiser, "people", least="6", most="12", by="approval", clock="simple-2") == f"{PATH}?step=start"
    assert send(organiser, "start", "stay", title="Winter “cup”: é #1") == f"{PATH}?step=start"
    page = organiser.get(f"{PATH}?step=start", headers=OWN).text
    assert "with 12 people" in page
    assert "tournament: winter-cup-e-1" in page
    made = organiser.post(f"{PATH}/publish", data={"etag": find_etag(page)}, headers=OWN)
    row = TournamentRow.get()
    assert made.headers["Location"] == f"/tournaments/{row.id}"
    assert (row.name, row.game, row.state) == ("winter-cup-e-1", "tain", "entry")
    assert "Winter “cup”: é #1" in organiser.get(f"/tournaments/{row.id}", headers=OWN).text
    assert rows("select 1 from tournament_draft") == []


def test_a_draft_is_kept_until_it_is_discarded(organiser: FlaskClient) -> None:
    send(organiser, "people", "back", least="5", most="9")
    assert 'value="9"' in organiser.get(f"{PATH}?step=people", headers=OWN).text
    assert organiser.post(f"{PATH}/discard", headers=OWN).status_code == 303
    assert 'value="9"' not in organiser.get(f"{PATH}?step=people", headers=OWN).text


@pytest.mark.parametrize(
    ("step", "answers", "field", "told"),
    [
        ("format", {"rounds": "99"}, "rounds", "Use a number from 1 to 30."),
        ("format", {"rounds": "five: {}"}, "rounds", "number"),
        ("people", {"least": "30", "most": "8"}, "least", "8"),
        ("start", {"closes": "2020-01-01T18:00"}, "closes", "Entry closes before it opens."),
        ("start", {"first": "soon"}, "first", "time"),
        ("game", {"game": "chess"}, "game", "keltis"),
    ],
)
def test_a_fault_stands_at_its_field_with_the_remedy(
    organiser: FlaskClient, step: str, answers: dict[str, str], field: str, told: str
) -> None:
    answer = organiser.post(PATH, data={"step": step, "go": "next", **answers}, headers=OWN)
    assert answer.status_code == 422
    sound(answer)
    fault = answer.text.split(f'id="{field}-fault">' if step != "game" else 'class="fault"')[1].split("</p>")[0]
    assert told in fault


def test_the_document_is_edited_with_faults_at_their_lines(organiser: FlaskClient) -> None:
    text = organiser.get(f"{PATH}/document", headers=OWN).text.split('autocapitalize="none">\n')[1].split("</text")[0]
    bad = organiser.post(f"{PATH}/document", data={"document": text + "colour: red\n"}, headers=OWN)
    assert bad.status_code == 422
    assert f"Line {len(text.splitlines()) + 1}:" in sound(bad).text
    assert "There is no key `colour` here." in bad.text
    assert organiser.get(PATH, headers=OWN).headers["Location"] == f"{PATH}/document"
    good = organiser.post(f"{PATH}/document", data={"document": text + "rated: no\n"}, headers=OWN)
    assert good.status_code == 200
    assert organiser.post(f"{PATH}/publish", data={"etag": "0"}, headers=OWN).status_code == 409
    made = organiser.post(f"{PATH}/publish", data={"etag": find_etag(good.text)}, headers=OWN)
    assert made.status_code == 303
    assert '"rated":false' in TournamentRow.get().document
    assert organiser.post(f"{PATH}/document", data={"document": "x" * 70_000}, headers=OWN).status_code == 413


def test_an_earlier_event_is_copied_with_new_times(organiser: FlaskClient, app: Flask, clock: Clock) -> None:
    send(organiser, "format", format="pods", rounds="3", seats="3")
    send(organiser, "start", title="Samhain pods")
    page = organiser.get(f"{PATH}?step=start", headers=OWN).text
    organiser.post(f"{PATH}/publish", data={"etag": find_etag(page)}, headers=OWN)
    clock.forward(days=30)
    row = TournamentRow.get()
    assert "Samhain pods" in look(organiser, f"{PATH}/copy").text
    copied = organiser.post(f"{PATH}/copy", data={"tournament": row.id}, headers=OWN)
    assert copied.headers["Location"] == f"{PATH}?step=start"
    text = organiser.get(f"{PATH}?step=start", headers=OWN).text
    assert "tournament: samhain-pods-2" in text
    assert "format: pods" in text
    assert find_etag(text)
    stranger = sign_in(app, mailbox.person("Bran").id)
    assert stranger.post(f"{PATH}/copy", data={"tournament": row.id}, headers=OWN).status_code == 403
    assert stranger.post(f"{PATH}/copy", data={"tournament": "nothing"}, headers=OWN).status_code == 404


def test_a_copy_loses_nothing_that_the_steps_do_not_ask_for(organiser: FlaskClient, clock: Clock) -> None:
    send(organiser, "start", title="Cup of prizes")
    text = html.unescape(organiser.get(f"{PATH}/document", headers=OWN).text)
    document = text.split('autocapitalize="none">\n')[1].split("</textarea")[0]
    document += 'spectators: now\nprizes: [{places: "1", title: {en: A carved box}}]\n'
    page = organiser.post(f"{PATH}/document", data={"document": document}, headers=OWN)
    assert organiser.post(f"{PATH}/publish", data={"etag": find_etag(page.text)}, headers=OWN).status_code == 303
    clock.forward(days=30)
    row = TournamentRow.get()
    copied = organiser.post(f"{PATH}/copy", data={"tournament": row.id}, headers=OWN)
    assert copied.headers["Location"] == f"{PATH}/document"
    again = html.unescape(sound(organiser.get(f"{PATH}/document", headers=OWN)).text)
    page = organiser.get(f"{PATH}/document", headers=OWN)
    assert "spectators" in again
    made = organiser.post(f"{PATH}/publish", data={"etag": find_etag(page.text)}, headers=OWN)
    assert made.status_code == 303, "the times are new ones"
    second = TournamentRow.get(TournamentRow.name == "cup-of-prizes-2")
    assert '"A carved box"' in second.document
    assert (second.closes_at or 0) > clock.at


def test_the_wizard_is_for_people_who_are_signed_in_and_speaks_french(
    client: FlaskClient, organiser: FlaskClient
) -> None:
    assert client.get(PATH, headers=BROWSER).headers["Location"] == f"/enter?to={PATH}"
    assert client.post(f"{PATH}/publish", headers=OWN).headers["Location"] == f"/enter?to={PATH}"
    for step in ("game", "format", "people", "start", "none"):
        look(organiser, f"{PATH}?step={step}")
        assert "Nouveau tournoi" in organiser.get(f"{PATH}?step={step}&lang=fr", headers=FRENCH).text


def test_two_who_publish_the_same_name_get_two_tournaments(organiser: FlaskClient, service: Config) -> None:  # noqa: ARG001
    for _ in range(2):
        send(organiser, "start", title="Cup")
        page = organiser.get(f"{PATH}?step=start", headers=OWN).text
        assert organiser.post(f"{PATH}/publish", data={"etag": find_etag(page)}, headers=OWN).status_code == 303
    assert sorted(row.name for row in TournamentRow.select()) == ["cup", "cup-2"]
