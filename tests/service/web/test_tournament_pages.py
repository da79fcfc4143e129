"""Pages of tournaments: the list, each with rounds, standings and reasons, entering by a button, in both languages."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.config import Config
from service.db.models.matches import MatchRow, SeatRow
from service.db.models.tournaments import RulingTextRow
from service.timestamps import DAY
from service.tournaments.formats.forecast_model import Quantiles
from service.tournaments.formats.log_lines import read
from service.tournaments.tournament_store import append_lines
from service.tournaments.views.forecast import RoundTimes
from service.tournaments.views.rule_sheet import write_rule_sheet
from service.web.pages import tournaments
from service.web.pages.bracket_drawing import shorten_name
from service.web.pages.forecast_drawing import SMALL, ForecastRow, draw_forecast
from tests.service.web.test_pages import HOSTILE, sound
from tests.support import mailbox
from tests.support.html_page import BROWSER, Page
from tests.support.players import Clock, Person
from tests.support.tournaments import HostedTournament, document_text, open_tournament
from tests.support.web_apps import sign_in

People = Callable[..., Person]
FRENCH = {**BROWSER, "Accept-Language": "fr"}
pytestmark = pytest.mark.parametrize("database", ["sqlite"], indirect=True)
PODS = """
  - name: pods
    format: pods
    seats: 3
    rounds: 2
    points: {places: [4, 2, 0]}
    start: {first: 2027-02-01T18:00, next: when-over, gap: 1d}
    end: {at_most: 4w, then: as-it-stands}
  - name: final
    format: knockout
    seats: 3
    from: {stage: pods, places: 1-3}
    start: {next: when-over, gap: 1d}
    end: {at_most: 4w, then: as-it-stands}
"""
ROBIN = """
  - name: all
    format: round-robin
    start: {first: 2027-02-01T18:00, next: when-over, gap: 1d}
    end: {at_most: 4w, then: as-it-stands}
"""


@pytest.fixture
def hosted(service: Config, clock: Clock) -> HostedTournament:
    """A round robin that four have entered, one of them with a hostile name."""
    made = open_tournament(service, clock, document_text(ROBIN), entrants=4)
    made.people[0].player.name = HOSTILE[:60]
    made.people[0].player.save()
    return made


def look(client: FlaskClient, path: str, headers: dict[str, str] = BROWSER) -> Page:
    """A page, after a look at what every page must keep to."""
    answer = client.get(path, headers=headers)
    assert answer.status_code == 200, answer.text
    return sound(answer)


def test_the_list_leads_to_each_tournament_and_home_names_those_that_are_open(
    hosted: HostedTournament, client: FlaskClient
) -> None:
    for path in ("/tournaments", "/"):
        page = look(client, path)
        assert f"/tournaments/{hosted.tournament}" in page.references
        assert "4 entrants" in page.text
    assert "No tournament is running now." in look(client, "/tournaments?status=running").text
    assert "Aucun tournoi n’est encore terminé." in look(client, "/tournaments?status=over", FRENCH).text
    assert client.get("/tournaments?cursor=x", headers=BROWSER).status_code == 422
    assert client.get("/tournaments/nothing-here", headers=BROWSER).status_code == 404


def test_before_the_start_the_page_says_how_to_enter(hosted: HostedTournament, client: FlaskClient) -> None:
    page = look(client, f"/tournaments/{hosted.tournament}")
    assert "Sign in to enter" in page.text
    assert "Open for entry" in page.text
    assert "Rules" in page.text
    rules = [part.text for part in write_rule_sheet(hosted.read(document_text(ROBIN)), "en")]
    assert all(rule.split(".")[0] in page.text for rule in rules)
    assert HOSTILE[:60] in page.text
    assert "Se connecter pour s’inscrire" in look(client, f"/tournaments/{hosted.tournament}", FRENCH).text
    assert look(client, "/tournaments/winter-cup").text == page.text


def test_a_button_enters_and_another_leaves(hosted: HostedTournament, app: Flask, client: FlaskClient) -> None:
    path, own = f"/tournaments/{hosted.tournament}", {**BROWSER, "Sec-Fetch-Site": "same-origin"}
    browser = sign_in(app, mailbox.person("Aoife").id)
    assert client.post(f"{path}/enter", headers=own).headers["Location"] == "/enter"
    assert browser.post(f"{path}/enter", headers={**BROWSER, "Sec-Fetch-Site": "cross-site"}).status_code == 403
    assert browser.post(f"{path}/enter", headers=own).headers["Location"] == path
    entered = look(browser, path, own)
    assert "You: entered" in entered.text
    assert f"{path}/withdraw" in entered.references
    assert browser.post(f"{path}/withdraw", headers=own).status_code == 303
    refused = browser.post(f"{path}/withdraw", headers=own)
    assert refused.status_code == 409
    assert 'role="alert"' in refused.text


def test_rounds_standings_and_reasons_are_on_the_page(hosted: HostedTournament, client: FlaskClient) -> None:
    path = f"/tournaments/{hosted.tournament}"
    while not hosted.row.started_at:
        hosted.go_to_next()
    running = look(client, path)
    assert "Round 1" in running.text
    assert "0 of 2 tables have a result" in running.text
    hosted.run_to_end()
    over = look(client, path)
    assert "Tables of round 3" in over.text
    assert "Tables of round 1" in look(client, f"{path}?stage=all&round=1").text
    assert "Why this order?" in over.text
    assert "1st: " in over.text
    assert "(round 1) + " in over.text
    french = look(client, path, FRENCH).text.replace("\u00a0", " ")
    assert "Pourquoi ce classement ?" in french
    assert "1er : " in french
    assert hosted.row.head_hash[:12] in over.text
    assert look(client, f"{path}?round=99&from=99999&since=x&after=1&stage=none").text


def test_long_lists_go_on_page_by_page(
    hosted: HostedTournament, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tournaments, "MOST_LINES", 2)
    monkeypatch.setattr(tournaments, "MOST_EXPLAINED", 1)
    hosted.run_to_end()
    path = f"/tournaments/{hosted.tournament}"
    first = look(client, path)
    more = [each for each in first.references if "from=2" in each and "why" not in each]
    assert more
    assert "1st: " not in first.text
    (why,) = [each for each in first.references if "why=1" in each]
    assert "1st: " in look(client, f"{path}{why.partition('#')[0]}").text
    second = look(client, f"{path}{more[0].partition('#')[0]}")
    assert "Previous" in second.text
    assert [each for each in first.references if "since=" in each]


def test_stages_are_told_apart(service: Config, clock: Clock, client: FlaskClient) -> None:
    hosted = open_tournament(service, clock, document_text(PODS), entrants=6)
    hosted.run_to_end()
    path = f"/tournaments/{hosted.tournament}"
    last = look(client, path)
    assert "?stage=pods#standings" in last.references
    assert "?stage=final#standings" in last.references
    pods = look(client, f"{path}?stage=pods")
    assert "Opposition" in pods.text
    assert "Adversité" in look(client, f"{path}?stage=pods", FRENCH).text


def test_strangers_find_no_page_of_a_tournament_that_is_not_listed(
    service: Config, clock: Clock, client: FlaskClient, person: People
) -> None:
    hosted = open_tournament(service, clock, document_text(ROBIN) + "listed: no\n")
    stranger = person("Stranger")
    for name in (hosted.tournament, "winter-cup"):
        assert client.get(f"/tournaments/{name}", headers=BROWSER).status_code == 404
        assert client.get(f"/tournaments/{name}", headers={**stranger.bearer, **BROWSER}).status_code == 404
    assert "winter" not in look(client, "/tournaments").text.lower()


KNOCKOUT = """
  - name: cup
    format: knockout
    start: {first: 2027-02-01T18:00, next: when-over, gap: 1d}
    end: {at_most: 4w, then: as-it-stands}
"""


def test_the_crosstable_tells_who_met_whom_with_a_link_to_each_match(
    hosted: HostedTournament, client: FlaskClient
) -> None:
    path = f"/tournaments/{hosted.tournament}"
    assert "No standings yet" in look(client, f"{path}/crosstable").text
    hosted.run_to_end()
    assert {f"{path}/crosstable", f"/v1{path}/calendar.ics"} <= set(look(client, path).references)
    page = look(client, f"{path}/crosstable")
    matches = {each for each in page.references if each.startswith("/matches/")}
    assert len(matches) == 6
    cells = [
        each["aria-label"] for tag, each in page.elements if tag == "a" and "Round 1, " in each.get("aria-label", "")
    ]
    assert len(cells) == 4
    assert any("Player 1 against " in each for each in cells)
    assert "Une colonne par ronde" in look(client, f"{path}/crosstable", FRENCH).text


def test_a_knockout_is_drawn_and_told_in_words(service: Config, clock: Clock, client: FlaskClient) -> None:
    hosted = open_tournament(service, clock, document_text(KNOCKOUT), entrants=5)
    path = f"/tournaments/{hosted.tournament}/bracket"
    assert "The bracket appears when" in look(client, path).text
    while not hosted.row.started_at:
        hosted.go_to_next()
    begun = look(client, path)
    (picture,) = [each for tag, each in begun.elements if tag == "svg" and "role" in each]
    assert picture["role"] == "img"
    assert "in words below" in picture["aria-label"]
    assert sum(tag == "rect" for tag, _ in begun.elements) == 7
    assert sum(each.get("class") == "empty" for tag, each in begun.elements if tag == "rect") == 3
    assert "2 tables to come" in begun.text
    assert "bye" in begun.text
    hosted.run_to_end()
    over = look(client, path)
    assert sum(each.get("class") == "empty" for tag, each in over.elements if tag == "rect") == 0
    assert len({each for each in over.references if each.startswith("/matches/")}) == 4
    assert over.text.count("through: ") == 3
    assert over.text.count("winner: ") == 1
    assert "En toutes lettres" in look(client, path, FRENCH).text
    assert f"/tournaments/{hosted.tournament}/bracket" in look(client, f"/tournaments/{hosted.tournament}").references


def test_a_tied_table_says_why_somebody_advances_and_the_winner_comes_with_the_final(
    service: Config, clock: Clock, client: FlaskClient
) -> None:
    hosted = open_tournament(service, clock, document_text(KNOCKOUT), entrants=4)
    while not hosted.row.started_at:
        hosted.go_to_next()
    path, match = f"/tournaments/{hosted.tournament}", str(MatchRow.get(MatchRow.status == "running").id)
    hosted.rule(f"result {match} 1,1 agreed")
    assert "(tied, so the better seed)" in look(client, f"{path}/bracket").text
    assert "à égalité, donc la meilleure tête de série" in look(client, f"{path}/bracket", FRENCH).text
    assert "swipe or scroll sideways" in look(client, f"{path}/bracket").text
    hosted.run_to_end()
    over = look(client, path)
    final = MatchRow.select().order_by(MatchRow.started_at.desc()).get().id
    assert f"/v1/matches/{final}/table.svg?spectator=true" in over.references
    assert "The final" in over.text


@pytest.mark.parametrize(("spectators", "strangers", "players"), [("now", 2, 2), ("after-match", 0, 1)])
def test_running_tables_have_small_boards_for_those_who_may_watch(
    service: Config, clock: Clock, app: Flask, client: FlaskClient, spectators: str, strangers: int, players: int
) -> None:
    text = document_text(ROBIN).replace("draw:", f"spectators: {spectators}\ndraw:")
    hosted = open_tournament(service, clock, text, entrants=4)
    while not hosted.row.started_at:
        hosted.go_to_next()
    path, own = f"/tournaments/{hosted.tournament}", {**BROWSER, "Sec-Fetch-Site": "same-origin"}
    player = sign_in(app, hosted.people[0].player.id)
    for browser, headers, wanted in ((client, BROWSER, strangers), (player, own, players)):
        boards = [each for each in look(browser, path, headers).references if "/table.svg" in each]
        assert len(boards) == wanted
        assert all(browser.get(each, headers=headers).status_code == 200 for each in boards)


def test_with_two_lives_winners_and_losers_are_told_apart(service: Config, clock: Clock, client: FlaskClient) -> None:
    double = KNOCKOUT.replace("knockout", "double-elimination")
    hosted = open_tournament(service, clock, document_text(double), entrants=4)
    hosted.run_to_end()
    page = look(client, f"/tournaments/{hosted.tournament}/bracket")
    assert "losers’ bracket" in page.text
    assert "winners’ bracket" in page.text
    assert any(each.get("class") == "low" for tag, each in page.elements if tag == "rect")


def test_a_tournament_without_knockout_has_no_bracket(hosted: HostedTournament, client: FlaskClient) -> None:
    assert client.get(f"/tournaments/{hosted.tournament}/bracket", headers=BROWSER).status_code == 404
    assert client.get("/tournaments/nothing-here/rulings", headers=BROWSER).status_code == 404


def test_rulings_are_told_in_words_and_the_organisers_own_only_to_those_concerned(
    hosted: HostedTournament, app: Flask, client: FlaskClient
) -> None:
    path = f"/tournaments/{hosted.tournament}/rulings"
    assert "No rulings so far" in look(client, path).text
    while not hosted.row.started_at:
        hosted.go_to_next()
    match = next(line.split(" ")[1] for line in hosted.lines() if line.startswith("pair "))
    player = hosted.people[1].player.id
    lines = [
        f"ruling extend all:1 1803000000000 illness {'ab' * 32}",
        f"ruling result {match} agreed",
        f"ruling exclude {player} fair-play",
        f"ruling replace {player} {hosted.people[2].player.id} absence",
    ]
    head = hosted.row.head_seq
    append_lines(hosted.tournament, None, [read(line) for line in lines], clock_of(hosted))
    RulingTextRow.create(tournament=hosted.tournament, seq=head + 1, salt="00", text=f"Feels ill.\n{HOSTILE[:40]}")
    page = look(client, path)
    assert "More time: round 1 of all , until 19 February, 01:20" in page.text.replace("\u00a0", " ")
    assert "Replaced: Player 1 by Player 2" in page.text
    assert "Reason: illness" in page.text
    assert "Feels ill." not in page.text
    own = {**BROWSER, "Sec-Fetch-Site": "same-origin"}
    assert "Feels ill." not in look(sign_in(app, mailbox.person("Stranger").id), path, own).text
    for somebody in (hosted.maker.player.id, hosted.people[2].player.id):
        assert "Feels ill." in look(sign_in(app, somebody), path, own).text
    assert "Match of " in page.text
    assert f"/matches/{match}" in page.references
    assert "Excluded: Player 1" in page.text.replace("  ", " ")
    french = look(client, path, FRENCH).text
    assert "Motif : loyauté du jeu" in french.replace("\u00a0", " ")
    assert "Plus de temps : ronde 1 de all , jusqu’au 19 février" in french.replace("\u00a0", " ")


def clock_of(hosted: HostedTournament) -> int:
    """The time of a tournament under test."""
    return hosted.clock.at


def test_the_forecast_is_drawn_with_a_table_of_the_same_or_says_why_there_is_none(
    service: Config, clock: Clock, client: FlaskClient
) -> None:
    hosted = open_tournament(service, clock, document_text(ROBIN), entrants=4)
    path = f"/tournaments/{hosted.tournament}/forecast"
    assert not [each for tag, each in look(client, path).elements if tag == "svg" and "role" in each]
    assert "Prévision" in look(client, path, FRENCH).text
    at, day = clock.at, 86_400_000
    times = RoundTimes("all", 1, Quantiles(at, at, at), Quantiles(at + day, at + 2 * day, at + 5 * day), at + 4 * day)
    rows = [ForecastRow("Round 1", times.starts, times.ends, times.bound), ForecastRow("All", None, times.ends, None)]
    drawn = draw_forecast(at, rows, "fr")
    assert drawn.count('class="bar"') == drawn.count('class="span"') == 2
    assert drawn.count('class="now"') == 0, "all of it is still to come"
    assert draw_forecast(at + day, rows, "en", SMALL).count('class="now"') == 2, "a line and its word"
    assert drawn.count('class="bound"') == 1
    assert "janv." in drawn
    assert 'role="img"' in drawn


@pytest.mark.usefixtures("database")
def test_long_names_are_shortened_in_pictures() -> None:
    assert shorten_name("Aoife") == "Aoife"
    assert shorten_name("Somebody with a long name") == "Somebody with a lo…"
    assert len(shorten_name("猫" * 30)) == 9


def test_organisers_see_whom_letters_do_not_reach_and_what_waits_for_them(
    service: Config, clock: Clock, app: Flask, client: FlaskClient
) -> None:
    hosted = open_tournament(service, clock, document_text(ROBIN.replace("as-it-stands", "adjudicate")), entrants=3)
    lost = hosted.people[0].player
    lost.address, lost.bounced_at = "lost@hidden.example", clock.at
    lost.save()
    path, own = f"/tournaments/{hosted.tournament}", {**BROWSER, "Sec-Fetch-Site": "same-origin"}
    maker = sign_in(app, hosted.maker.player.id)
    desk = f"{path}/desk"
    page = look(maker, desk, own).text
    assert "Emails to this player bounce." in page
    assert "hidden.example" not in page
    others = [client, sign_in(app, hosted.people[1].player.id)]
    assert not any(each.get(desk, headers=own).status_code == 200 for each in others)
    while not hosted.row.started_at:
        hosted.go_to_next()
    SeatRow.update(due_at=clock.at + 900 * DAY).where(SeatRow.due_at.is_null(is_null=False)).execute()
    assert "Without a ruling" not in look(maker, desk, own).text
    clock.forward(days=29)
    hosted.work()
    (match,) = (row.id for row in MatchRow.select().where(MatchRow.status == "running"))
    waiting = look(maker, desk, own)
    assert "Without a ruling" in waiting.text
    assert any("what=result" in each and match in each for each in waiting.references)
    assert "Sans décision" in look(maker, f"{desk}?lang=fr", own).text
