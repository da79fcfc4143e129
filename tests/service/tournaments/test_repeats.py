"""Repeated pairings: the plan warns about them, and pages, API and command line count them."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from service.config import Config
from service.db.models.tournaments import RoundRow
from service.i18n.catalogue import render
from service.tournaments.lifecycle import plan_tournament
from service.tournaments.tournament_integrity import examine_tournament, rebuild_tournament
from tests.support.command_line import ENGLISH, FRENCH, echtra
from tests.support.players import Clock
from tests.support.tournaments import HostedTournament, document_text, open_tournament

pytestmark = pytest.mark.parametrize("database", ["sqlite"], indirect=True)
START = "start: {first: 2027-02-01T18:00, next: when-over, gap: 1d}"
SWISS = f"""
  - name: swiss
    format: swiss
    rounds: 5
    {START}
"""
PODS = f"""
  - name: pods
    format: pods
    seats: 4
    rounds: 3
    {START}
    points: {{places: [6, 4, 2, 0]}}
"""


def warn(hosted: HostedTournament, text: str) -> list[str]:
    """Return the warnings of a plan about repeats, in both languages."""
    planned = plan_tournament(hosted.maker.player, hosted.read(text), hosted.config)
    found = [each for each in planned.warnings if each.key.startswith("tournaments.repeats")]
    return [render(each, locale).replace("\xa0", " ") for each in found for locale in ("en", "fr")]


def count_by_round(hosted: HostedTournament) -> list[int]:
    """Return the cached repeats of each round."""
    mine = RoundRow.select().where(RoundRow.tournament == hosted.tournament).order_by(RoundRow.number)
    return [each.repeats for each in mine]


def test_a_plan_says_which_repeats_are_certain_and_from_how_many_entrants_on_there_are_none(
    service: Config, clock: Clock
) -> None:
    hosted = open_tournament(service, clock, document_text(SWISS), entrants=4)
    assert warn(hosted, document_text(SWISS, least=4)) == [
        "With fewer than 5 entrants, some players must meet again in swiss: with 4, from round 4 on, at least 4 pairs.",
        "À moins de 5 inscrits, des joueurs doivent se retrouver en swiss : à 4 dès la ronde 4, au moins 4 paires.",
    ]
    assert warn(hosted, document_text(SWISS, least=5)) == []
    few = document_text(SWISS, least=4).replace("least: 4", "least: 4, most: 4")
    (english, french) = warn(hosted, few)
    assert english == (
        "From round 4 of swiss on, some players must meet again, whatever the results: with 4 entrants, "
        "at least 4 pairs. Use fewer rounds or more entrants to avoid it."
    )
    assert "avec 4 inscrits, au moins 4 paires." in french
    assert "fewer than 13 entrants" in warn(hosted, document_text(PODS, name="pods-cup", least=8))[0]
    while hosted.row.state != "running":
        hosted.go_to_next()
    assert warn(hosted, document_text(SWISS))[0].startswith("From round 4 of swiss on")


def test_a_swiss_of_four_in_five_rounds_says_how_many_met_again(
    service: Config, clock: Clock, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    hosted = open_tournament(service, clock, document_text(SWISS), entrants=4)
    hosted.run_to_end()
    hosted.check()
    assert count_by_round(hosted) == [0, 0, 0, 2, 2]
    told = client.get(f"/v1/tournaments/{hosted.tournament}/rounds").get_json()["items"]
    assert [each["repeats"] for each in told] == [0, 0, 0, 2, 2]
    page = client.get(f"/tournaments/{hosted.tournament}?lang=en").get_data(as_text=True)
    assert page.count("2 pairs meet again") == 3
    assert "the fewest we could find. The Dutch system had no legal pairing left, so this round was paired" in page
    earlier = client.get(f"/tournaments/{hosted.tournament}?lang=fr&stage=swiss&round=3").get_data(as_text=True)
    assert earlier.count("2 paires se retrouvent") == 2
    assert "le moins qu’on ait pu trouver" not in earlier
    monkeypatch.setenv("ECHTRA_DATA", str(service.data))
    monkeypatch.setenv("ECHTRA_DATABASE_URL", service.database_url)
    assert "swiss, round 4: 2 pairs meet again." in echtra("tournament", "show", "winter-cup", env=ENGLISH).stdout
    assert "swiss, ronde 4 : 2 paires se retrouvent." in echtra("tournament", "show", "winter-cup", env=FRENCH).stdout


@pytest.mark.parametrize(("entrants", "repeats"), [(7, [0, 3, 3]), (8, [0, 4, 4])])
def test_pods_of_four_say_how_many_met_again_and_rebuilding_finds_the_same(
    service: Config, clock: Clock, entrants: int, repeats: list[int]
) -> None:
    hosted = open_tournament(service, clock, document_text(PODS, least=entrants), entrants=entrants)
    hosted.run_to_end()
    assert count_by_round(hosted)[:2] == repeats[:2]
    assert sum(count_by_round(hosted)) >= sum(repeats)
    RoundRow.update(repeats=99).where(RoundRow.tournament == hosted.tournament).execute()
    assert [found.kind for found in examine_tournament(hosted.tournament)] == ["tournament-cache"]
    assert rebuild_tournament(hosted.tournament)
    assert count_by_round(hosted)[:2] == repeats[:2]
    hosted.check()
