"""Leagues as the tournaments that they are: entered through either door, checked like all others, told of once."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from service.config import Config
from service.db.connection import rows
from service.db.models.accounts import PlayerRow
from service.db.models.matches import MatchRow
from service.db.models.tournaments import TournamentRow
from service.problems import Problem
from service.timestamps import DAY, now, rfc3339
from service.tournaments import leagues, rounds
from service.tournaments.entrants import enter_tournament
from service.tournaments.formats.verify import verify_tournament
from service.tournaments.tournament_integrity import examine_tournament, rebuild_tournament
from service.tournaments.tournament_store import export_record, find_log
from tests.support.http_tables import Sitting, resolved
from tests.support.players import Client, Clock, Person
from worker.schedule import JOB_HANDLERS
from worker.tasks import run_job

People = Callable[..., Person]
DOCUMENT = json.loads(Path("openapi/openapi.json").read_text("utf-8"))


def open_league(organiser: Person) -> str:
    """A league of a week for one against a bot."""
    wanted = {"title": "Samhain", "game": "keltis", "seats": 2, "bots": {"1": "steady"}}
    answer = organiser.post("/v1/leagues", {**wanted, "closes_at": rfc3339(now() + 7 * DAY)})
    assert answer.status_code == 201, answer.text
    assert answer.headers["Link"] == '</v1/tournaments>; rel="successor-version"'
    return str(answer.json["id"])


def do_jobs(config: Config) -> None:
    """Do what the tournament asked the worker for."""
    for (number,) in rows("select id from job where topic like ? and done_at is null", "tournament-%"):
        run_job(number, config, JOB_HANDLERS)


def hand_of(player: Person, match: str) -> Any:  # noqa: ANN401  # JSON
    """The cards that somebody is dealt."""
    resolved(match)
    return player.get(f"/v1/matches/{match}/table").json["view"]["hand"]


def test_a_league_is_entered_through_either_door_and_played_from_one_deal(
    person: People, client: Client, config: Config, clock: Clock
) -> None:
    orla, aoife, bran = person("Orla"), person("Aoife"), person("Bran")
    league = open_league(orla)
    answer = aoife.post(f"/v1/tournaments/{league}/entrants", {"nonce": "00ff"})
    assert answer.status_code in (200, 201), answer.text
    do_jobs(config)
    first = aoife.get(f"/v1/leagues/{league}").json["your_match"]
    assert aoife.post(f"/v1/leagues/{league}/enter").status_code == 409
    second = bran.post(f"/v1/leagues/{league}/enter").json
    assert (second["status"], second["league"]) == ("running", league)
    assert hand_of(aoife, first) == hand_of(bran, second["id"])
    assert client.get(f"/v1/matches/{first}").status_code == 404
    assert examine_tournament(league) == []
    rounds.take_due_steps(config)
    for player, match in ((aoife, first), (bran, second["id"])):
        table = player.get(f"/v1/matches/{match}/table").json
        Sitting(player, match, 0).move("resign", asked=table["seq"], prev=table["hash"])
        resolved(match)
    do_jobs(config)
    rounds.take_due_steps(config)
    do_jobs(config)
    assert not [line for line in find_log(league, 0) if line.line.startswith(("result", "over", "end"))]
    clock.forward(days=8)
    out = client.get(f"/v1/leagues/{league}").json
    report = verify_tournament(export_record(league))
    assert report.seeds == {first: out["seed"], second["id"]: out["seed"]}
    assert client.get(f"/v1/matches/{first}").json["seed"] == out["seed"]
    assert client.get(f"/v1/tournaments/{league}").json["state"] == "over"
    assert (examine_tournament(league), rebuild_tournament(league)) == ([], False)
    told = rows("select key from job where key like ? or key like ?", "league-over:%", "tournament-over:%")
    assert told == [(f"league-over:{league}",)]


def test_the_first_who_enters_begins_the_league(person: People, config: Config) -> None:
    orla, aoife = person("Orla"), person("Aoife")
    league = open_league(orla)
    player = PlayerRow.get_by_id(aoife.id)
    match = leagues.enter(player, league, config)
    assert MatchRow.select().where(MatchRow.pairing == match.id).count() == 1
    assert [line.line.split(" ")[0] for line in find_log(league, 0)] == [
        *("close", "enter", "accept", "number", "pair", "start")
    ]
    assert TournamentRow.get_by_id(league).state == "running"


def test_a_league_whose_deal_one_has_played_leaves_room_for_another_match(person: People, config: Config) -> None:
    orla, aoife = person("Orla"), person("Aoife")
    narrow, player = replace(config, open_matches=1), PlayerRow.get_by_id(aoife.id)
    first, second = open_league(orla), open_league(orla)
    enter_tournament(player, TournamentRow.get_by_id(first), "-", narrow)
    do_jobs(narrow)
    with pytest.raises(Problem) as refused:
        enter_tournament(player, TournamentRow.get_by_id(second), "-", narrow)
    assert refused.value.kind == "limit-reached"
    match = aoife.get(f"/v1/leagues/{first}").json["your_match"]
    resolved(match)
    table = aoife.get(f"/v1/matches/{match}/table").json
    Sitting(aoife, match, 0).move("resign", asked=table["seq"], prev=table["hash"])
    resolved(match)
    assert enter_tournament(player, TournamentRow.get_by_id(second), "-", narrow).status == "in"


def test_every_operation_of_leagues_is_marked_as_deprecated() -> None:
    operations = [each for path, item in DOCUMENT["paths"].items() if "/leagues" in path for each in item.values()]
    found = [each for each in operations if isinstance(each, dict) and "responses" in each]
    assert len(found) == 5
    for each in found:
        assert each["deprecated"] is True
        good = next(told for status, told in each["responses"].items() if status < "300")
        assert {"Deprecation", "Link"} <= set(good["headers"])
