"""Documents that repeat: each day its own tournament, at the hour of the wall clock, the same when applied again."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from service.config import Config
from service.db.models.tournaments import TournamentHeaderRow, TournamentRow
from service.i18n.catalogue import render
from service.problems import Problem
from service.timestamps import DAY
from service.tournaments.documents.document import load_document
from service.tournaments.formats.tournament_log import read_header
from service.tournaments.lifecycle import TournamentPlan, apply_tournament, plan_tournament
from tests.support.factories import somebody
from tests.support.players import Clock
from tests.support.tournaments import HostedTournament

DEAL = """
tournament: last-sunday
title: {en: Last Sunday, fr: Dernier dimanche}
game: keltis
repeat: {rule: "FREQ=MONTHLY;BYDAY=-1SU", until: 2027-11-30, opens_before: 3d}
zone: Europe/Dublin
entry: {opens: with-repeat, closes: with-end, least: 1}
draw: {beacon: none}
rated: no
stages:
  - name: deal
    format: same-deal
    bots: {1: steady}
    start: {first: "01:30"}
    end: {at_most: 10d, then: as-it-stands}
    points: score
"""
pytestmark = pytest.mark.parametrize("database", ["sqlite"], indirect=True)


@pytest.fixture
def hosted(service: Config, clock: Clock) -> HostedTournament:
    """Return a player who may apply documents, with the service, in January 2027."""
    return HostedTournament(service, clock, somebody("Aoife"))


def plan(hosted: HostedTournament, text: str) -> TournamentPlan:
    """Return the plan of a document."""
    return plan_tournament(hosted.maker.player, hosted.read(text), hosted.config)


def names() -> list[str]:
    """Every tournament there is."""
    return sorted(row.name for row in TournamentRow.select())


def test_each_day_is_a_tournament_at_the_hour_of_the_wall_clock_and_the_plan_says_which_moment(
    hosted: HostedTournament,
) -> None:
    planned = plan(hosted, DEAL)
    starts = {each.name: datetime.fromtimestamp(each.starts_at / 1000, UTC) for each in planned.occurrences}
    assert list(starts)[:3] == ["last-sunday-2027-01-31", "last-sunday-2027-02-28", "last-sunday-2027-03-28"]
    assert len(starts) == 11
    local = [at.astimezone(ZoneInfo("Europe/Dublin")) for at in starts.values()]
    skipped = local.pop(2)
    assert {(at.hour, at.minute) for at in local} == {(1, 30)}
    assert (skipped.hour, skipped.minute) == (2, 30)
    warnings = [render(each, "en") for each in planned.warnings]
    assert any("the clocks skip 2027-03-28T01:30; 2027-03-28T01:30:00Z is used instead" in each for each in warnings)
    assert any("the time 2027-10-31T01:30 occurs twice; the first is used" in each for each in warnings)
    assert [(each.stage, each.number) for each in planned.rounds] == [("deal", 1)]
    assert names() == []


def test_applying_again_makes_nothing_new_and_each_has_its_own_seeds(hosted: HostedTournament, clock: Clock) -> None:
    text = DEAL.replace("FREQ=MONTHLY;BYDAY=-1SU", "FREQ=WEEKLY;INTERVAL=2;COUNT=4")
    first = hosted.apply(text)
    made = names()
    assert (len(made), first.name) == (4, made[0])
    assert first.opens_at == plan(hosted, text).occurrences[0].starts_at - 3 * DAY
    headers = [read_header(row.body.removesuffix("\n").split("\n")) for row in TournamentHeaderRow.select()]
    assert len({each.chain for each in headers}) == len({each.deals for each in headers}) == 4
    assert hosted.apply(text).id == first.id
    clock.at += 20 * DAY
    assert hosted.apply(text).name == made[2]
    assert names() == made

    with pytest.raises(Problem, match="plan"):
        hosted.apply(text.replace("Last Sunday", "Every other week"))
    changed = text.replace("Last Sunday", "Every other week")
    planned = plan(hosted, changed)
    assert {each.path.split("/")[1] for each in planned.differences} == set(made[2:])
    hosted.apply(changed, planned.etag)
    titles = {row.name: row.title for row in TournamentRow.select()}
    assert ["Every other week" in titles[name] for name in made] == [False, False, True, True]

    clock.at += 60 * DAY
    with pytest.raises(Problem, match="no more tournaments"):
        hosted.apply(changed)


def test_repetitions_from_before_get_the_new_rules_once_the_plan_has_said_so(hosted: HostedTournament) -> None:
    document = hosted.read(DEAL)
    old = load_document({key: value for key, value in document.canonical.items() if key != "ruleset"})
    apply_tournament(hosted.maker.player, old, None, hosted.config)
    assert set(find_rulesets().values()) == {None}
    planned = plan(hosted, DEAL)
    assert {(each.path.split("/")[2], each.allowed) for each in planned.differences} == {("ruleset", True)}
    apply_tournament(hosted.maker.player, document, planned.etag, hosted.config)
    assert set(find_rulesets().values()) == {"2026-11"}


def find_rulesets() -> dict[str, str | None]:
    """The rules by which each tournament is counted."""
    return {row.name: json.loads(row.document).get("ruleset") for row in TournamentRow.select()}
