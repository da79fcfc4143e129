"""Events of tournaments for streams and hooks, and facts about fair play for organisers who do not play."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from service.config import Config
from service.db.connection import execute, rows, write_transaction
from service.db.models.accounts import PlayerRow
from service.matches.paired_matches import end_paired_match
from service.tournaments.entrants import enter_tournament
from tests.support.players import Clock, Person, newcomer
from tests.support.tournaments import Venue, document_text, open_venue
from tests.support.webhook_receivers import Receiver
from tests.support.webhooks import drained, hook_of

SWISS = """
  - name: swiss
    format: swiss
    rounds: 2
    start: {first: 2027-02-01T18:00, next: when-over, gap: 1d}
    end: {at_most: 4w, then: as-it-stands}
"""


def start(config: Config, clock: Clock, client: FlaskClient) -> tuple[Venue, Person]:
    """A Swiss of four whose first round has begun; somebody with a token plays in it."""
    venue = open_venue(config, clock, document_text(SWISS), entrants=3)
    orla = newcomer(client, "Orla")
    enter_tournament(PlayerRow.get_by_id(orla.id), venue.row, "-", config)
    while "start swiss:1" not in venue.lines():
        venue.go_to_next()
    return venue, orla


def heard(player: str) -> list[str]:
    """The kinds of events of tournaments that somebody got."""
    sql = "select type from event where player = ? and tournament is not null order by id"
    return [kind for (kind,) in rows(sql, player)]


def test_players_and_organisers_hear_of_pairings_rounds_and_the_end_in_streams_and_hooks(
    local: Config, clock: Clock, client: FlaskClient, receiver: Receiver
) -> None:
    venue, orla = start(local, clock, client)
    assert heard(orla.id) == ["tournament.paired"]
    assert heard(venue.maker.player.id) == ["tournament.opened"]
    told = orla.get("/v1/events?after=0").json["items"]
    paired = next(each for each in told if each["type"] == "tournament.paired")
    assert (paired["tournament"], paired["match"], paired["seat"]) == (venue.tournament, None, None)
    assert venue.lines()[paired["seq"] - 1].startswith("pair ")
    player = venue.people[0]
    hook_of(player, receiver.url, local, events=["tournament.paired", "tournament.over"])
    venue.run_to_end()
    kinds = ["tournament.paired", "tournament.round-over"] * 2 + ["tournament.over"]
    assert heard(orla.id) == heard(player.player.id) == kinds
    assert heard(venue.maker.player.id)[-1] == "tournament.over"
    drained(local, clock)
    messages = [got.message for got in receiver.got]
    assert [message["type"] for message in messages] == ["tournament.paired", "tournament.over"]
    data = messages[1]["data"]
    assert (data["tournament"], data["url"]) == (venue.tournament, f"{local.url}/v1/tournaments/{venue.tournament}")
    assert set(data) == {"hook", "event", "tournament", "seq", "url"}


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_a_cancellation_is_told_to_all_and_strangers_hear_nothing(
    service: Config, clock: Clock, client: FlaskClient
) -> None:
    venue, orla = start(service, clock, client)
    stranger = newcomer(client, "Stranger")
    venue.rule("cancel other")
    assert heard(orla.id)[-1] == heard(venue.maker.player.id)[-1] == "tournament.ruled"
    assert heard(stranger.id) == []


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_organisers_who_do_not_play_get_facts_and_it_is_kept_who_looked(
    service: Config, clock: Clock, client: FlaskClient
) -> None:
    venue, orla = start(service, clock, client)
    one, two, three = (person.player.id for person in venue.people)
    organiser = newcomer(client, "Ronan")
    path = f"/v1/tournaments/{venue.tournament}/fair-play"
    assert orla.get(path).status_code == 403
    assert organiser.get(path).status_code == 403
    with write_transaction():
        execute("update tournament set owner = ? where id = ?", organiser.id, venue.tournament)
        for player, address in ((one, "a@home.example"), (two, "b@Home.example"), (three, "c@mail.example")):
            execute("update player set address = ? where id = ?", address, player)
    (match, seats), *_ = rows("select id, seats from pairing order by place")
    end_paired_match(match, "adjudicated", [1, 2])
    venue.work()
    times = " ".join(["60000"] * 12)
    with write_transaction():
        for (player,) in rows("select player from seat where match = ?", match):
            insert = "insert into answer_times values (?, ?, 'keltis', 2, 2, ?, 12, ?)"
            execute(insert, match, player, clock.at, times)
    report = organiser.get(path).json
    kinds = {each["kind"]: each for each in report["facts"]}
    assert {each["player"] for each in kinds["shared-domain"]["players"]} == {one, two}
    assert "home" not in kinds["shared-domain"]["text"].lower()
    assert kinds["within-minutes"]["match"] == match
    assert all(each["player"] in seats for each in kinds["within-minutes"]["players"])
    assert [each["name"] for each in report["looks"]] == ["Ronan"]
    assert len(organiser.get(path).json["looks"]) == 2
