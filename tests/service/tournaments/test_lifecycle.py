"""Applying a document: repeatable, only for what has not begun, and only with the plan that was seen."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import pytest

from service.config import Config
from service.db import connection
from service.db.models.matches import MatchRow
from service.db.models.tournaments import TournamentRow
from service.problems import Problem
from service.timestamps import DAY, MINUTE
from service.tournaments import lifecycle
from service.tournaments.documents.document import TournamentDocument
from service.tournaments.documents.document_values import read_utc
from service.tournaments.formats.log_lines import CloseLine
from service.tournaments.rounds.rounds import step_tournament
from service.tournaments.rulings.ruling_words import parse_ruling
from service.tournaments.rulings.rulings import plan_ruling
from service.tournaments.tournament_integrity import examine_tournament
from service.tournaments.tournament_store import append_lines, find_tournament, load_state
from tests.support.factories import Seated, somebody
from tests.support.players import Clock
from tests.support.tournaments import HostedTournament, document_text, open_tournament

SQLITE = pytest.mark.parametrize("database", ["sqlite"], indirect=True)


def plan(hosted: HostedTournament, text: str) -> lifecycle.TournamentPlan:
    """Return the plan of a document."""
    return lifecycle.plan_tournament(hosted.maker.player, hosted.read(text), hosted.config)


@SQLITE
def test_a_plan_writes_nothing_and_says_what_comes(service: Config, clock: Clock) -> None:
    hosted = HostedTournament(service, clock, somebody("Maker"))
    found = plan(hosted, document_text())
    assert TournamentRow.select().count() == 0
    assert (found.name, found.tournament, found.differences) == ("winter-cup", None, ())
    assert found.warnings
    row = hosted.apply(document_text(), found.etag)
    again = plan(hosted, document_text().replace("least: 2", "least: 3"))
    assert again.tournament == row.id
    assert [(each.path, each.before, each.after, each.allowed) for each in again.differences] == [
        ("/entry/least", 2, 3, True)
    ]
    assert load_state(row.id).seq == 0


@SQLITE
def test_a_plan_of_a_round_robin_shows_the_rounds_that_are_certain(service: Config, clock: Clock) -> None:
    weekly = document_text(least=4).replace("next: when-over, gap: 1d", "every: 1w")
    hosted = HostedTournament(service, clock, somebody("Maker"))
    found = plan(hosted, weekly).rounds
    assert [(each.number, each.state) for each in found] == [(1, "planned"), (2, "planned"), (3, "planned")]
    assert [(later.starts_at or 0) - (each.starts_at or 0) for each, later in pairwise(found)] == [7 * DAY, 7 * DAY]
    played = open_tournament(service, clock, weekly, entrants=6)
    assert examine_tournament(played.tournament) == []
    played.run_to_end()
    assert len(plan(played, weekly).rounds) == 5


@SQLITE
def test_the_same_document_changes_nothing_and_another_needs_its_plan(service: Config, clock: Clock) -> None:
    hosted = open_tournament(service, clock, document_text(), entrants=2)
    before = hosted.lines()
    hosted.apply(document_text())
    assert hosted.lines() == before
    changed = document_text().replace("gap: 1d", "gap: 2d")
    for wrong in (None, "0" * 32, lifecycle.find_etag(None, hosted.read(changed))):
        with pytest.raises(Problem) as found:
            hosted.apply(changed, wrong)
        assert found.value.kind == "conflict"
    hosted.apply(changed, plan(hosted, changed).etag)
    assert hosted.lines() == [*before, f"document {hosted.read(changed).hash}"]
    assert TournamentRow.select().count() == 1
    hosted.run_to_end()
    hosted.check()


@SQLITE
def test_entry_that_opens_now_is_open_at_once_and_stays_as_it_was(service: Config, clock: Clock) -> None:
    hosted = HostedTournament(service, clock, somebody("Orla"))
    text = document_text(opens="now")
    etag = plan(hosted, text).etag
    other = plan(hosted, text.replace("gap: 1d", "gap: 2d")).etag
    assert len({etag, other, plan(hosted, document_text()).etag}) == 3
    clock.at += MINUTE
    # The plan was seen a minute ago. The document is still the same.
    assert hosted.apply(text, etag).state == "entry"
    opened = hosted.row.opens_at
    assert opened is not None
    assert 0 <= clock.at - opened < 1000
    clock.at += DAY
    assert plan(hosted, text).differences == ()
    hosted.apply(text)
    assert hosted.row.opens_at == opened
    hosted.enter(2)
    hosted.run_to_end()
    hosted.check()


@SQLITE
def test_a_plan_before_entry_has_rounds_and_latest_end_for_the_fewest_and_the_most(
    service: Config, clock: Clock
) -> None:
    hosted = HostedTournament(service, clock, somebody("Orla"))
    robin = """
  - name: robin
    format: round-robin
    start: {first: 2027-02-01T18:00, next: when-over, gap: 1d}
    end: {at_most: 1w, then: as-it-stands}
"""
    text = document_text(robin, least=4).replace("least: 4", "least: 4, most: 12")
    few, many = plan(hosted, text).outlooks
    assert [(each.entrants, each.rounds) for each in (few, many)] == [(4, 3), (12, 11)]
    assert few.forecast.unknown == many.forecast.unknown == "no-matches"
    # Each round may take a week, and there is a day between two.
    start = read_utc("2027-02-01T18:00")
    assert few.forecast.bound == start + 3 * 7 * DAY + 2 * DAY
    assert many.forecast.bound == start + 11 * 7 * DAY + 10 * DAY
    endless = text.replace("    end: {at_most: 1w, then: as-it-stands}\n", "")
    assert [each.forecast.bound for each in plan(hosted, endless).outlooks] == [None, None]
    hosted.apply(text)
    clock.at = hosted.row.opens_at or 0
    hosted.work()
    hosted.enter(1)
    assert plan(hosted, text).outlooks == ()


@SQLITE
def test_a_new_document_is_not_applied_with_the_plan_of_another(service: Config, clock: Clock) -> None:
    hosted = HostedTournament(service, clock, somebody("Orla"))
    with pytest.raises(Problem) as found:
        hosted.apply(document_text().replace("gap: 1d", "gap: 2d"), plan(hosted, document_text()).etag)
    assert found.value.kind == "conflict"
    assert TournamentRow.select().count() == 0


@SQLITE
def test_what_has_begun_cannot_change(service: Config, clock: Clock) -> None:
    hosted = open_tournament(service, clock, document_text(), entrants=3)
    while "start" not in hosted.verbs():
        hosted.go_to_next()
    changed = document_text().replace("format: round-robin", "format: round-robin\n    cycles: 2")
    with pytest.raises(Problem) as found:
        hosted.apply(changed, plan(hosted, changed).etag)
    assert found.value.kind == "conflict"
    assert "/stages/0/cycles" in [each["path"] for each in found.value.more["changes"]]
    titled = document_text().replace("title: Winter", "title: Winter cup")
    hosted.apply(titled, plan(hosted, titled).etag)
    assert "Winter cup" in hosted.row.title
    hosted.run_to_end()
    hosted.check()


def apply_at_once(service: Config, people: list[Seated], documents: list[TournamentDocument]) -> list[str]:
    """Apply documents at the same time in threads. Return the tournaments."""
    found: list[str] = []
    ready = threading.Barrier(len(people))

    def apply(person: Seated, document: TournamentDocument) -> None:
        try:
            ready.wait()
            found.append(lifecycle.apply_tournament(person.player, document, None, service).id)
        finally:
            connection.close_connection()

    threads = [threading.Thread(target=apply, args=each) for each in zip(people, documents, strict=True)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return found


def test_two_organisers_who_apply_at_once_make_one_tournament(service: Config, clock: Clock) -> None:
    one, other = somebody("Aoife"), somebody("Brendan")
    text = document_text().replace("game:", f"organisers: [{one.player.id}, {other.player.id}]\ngame:")
    venues = [HostedTournament(service, clock, person) for person in (one, other)]
    made = apply_at_once(service, [one, other, one, other], [hosted.read(text) for hosted in venues] * 2)
    assert len(made) == 4
    assert len(set(made)) == 1
    assert TournamentRow.select().count() == 1


def test_two_workers_who_take_the_same_step_write_it_once(service: Config, clock: Clock) -> None:
    hosted = open_tournament(service, clock, document_text(), entrants=4)
    clock.at = hosted.row.closes_at or 0
    state = load_state(hosted.tournament)
    assert append_lines(hosted.tournament, state.seq, [CloseLine()], clock.at)
    assert not append_lines(hosted.tournament, state.seq, [CloseLine()], clock.at)
    workers = [threading.Thread(target=run_steps, args=(hosted,)) for _ in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert hosted.verbs().count("close") == hosted.verbs().count("draw") == 1
    assert hosted.verbs().count("number") == 4
    hosted.run_to_end()
    hosted.check()
    assert len(hosted.letters("tournament-round")) == 3 * 4
    assert MatchRow.select().count() == 6


def run_steps(hosted: HostedTournament) -> None:
    """Do every step that is due now."""
    try:
        for _ in range(50):
            if not step_tournament(hosted.tournament, hosted.config):
                return
    finally:
        connection.close_connection()


@SQLITE
def test_one_that_is_not_listed_is_there_for_its_own_people_only(service: Config, clock: Clock) -> None:
    text = document_text().replace("game:", "listed: no\ngame:")
    hosted = open_tournament(service, clock, text, entrants=1)
    for viewer in (hosted.maker.player.id, hosted.people[0].player.id):
        assert find_tournament("winter-cup", viewer).id == hosted.tournament
    for stranger in (None, somebody().player.id):
        for name in ("winter-cup", hosted.tournament):
            with pytest.raises(Problem) as found:
                find_tournament(name, stranger)
            assert found.value.kind == "not-found"


@SQLITE
def test_a_cancelled_tournament_ends_when_its_last_match_is_over(service: Config, clock: Clock) -> None:
    hosted = open_tournament(service, clock, document_text(), entrants=4)
    while MatchRow.select().where(MatchRow.status == "running").count() == 0:
        hosted.go_to_next()
    with pytest.raises(Problem):
        hosted.rule("cancel other", ruler=hosted.people[0])
    hosted.rule("cancel other")
    hosted.work()
    assert hosted.verbs()[-1] == "ruling"
    assert len(hosted.letters("tournament-cancelled")) == 4
    hosted.decide_all()
    assert hosted.verbs()[-3:] == ["result", "result", "end"]
    assert hosted.row.state == "cancelled"
    hosted.check()


@SQLITE
def test_one_person_has_at_most_five_tournaments_open(service: Config, clock: Clock) -> None:
    hosted = HostedTournament(service, clock, somebody("Maker"))
    texts = [document_text().replace("winter-cup", f"winter-cup-{number}") for number in range(6)]
    rows = [hosted.apply(text) for text in texts[:5]]
    with pytest.raises(Problem) as refused:
        hosted.apply(texts[5])
    assert refused.value.kind == "limit-reached"
    assert "already have 5" in refused.value.detail_in("en")
    assert hosted.apply(texts[0]).id == rows[0].id, "what is there can still be applied"
    TournamentRow.update(state="cancelled").where(TournamentRow.id == rows[0].id).execute()
    assert hosted.apply(texts[5]).name == "winter-cup-5"


@SQLITE
def test_the_operator_may_let_only_some_people_create_tournaments(service: Config, clock: Clock) -> None:
    maker, other = somebody("Maker"), somebody("Other")
    granted = replace(service, organisers=(maker.player.id, "Boss@Example.org"))
    assert HostedTournament(granted, clock, maker).apply(document_text()).owner == maker.player.id
    with pytest.raises(Problem) as refused:
        HostedTournament(granted, clock, other).apply(document_text())
    assert refused.value.kind == "forbidden"
    assert "operator" in refused.value.detail_in("en")
    other.player.address = "boss@example.org"
    assert lifecycle.may_create(other.player, granted)


@SQLITE
def test_the_owner_appoints_and_removes_organisers_and_arbiters(service: Config, clock: Clock) -> None:
    hosted = open_tournament(service, clock, document_text(), entrants=3)
    owner, helper = hosted.maker.player.id, somebody("Mary Ann").player
    exclude = parse_ruling(f"exclude {hosted.people[0].player.id} rules")

    def is_refused(kind: str, call: Callable[[], object]) -> bool:
        with pytest.raises(Problem) as refused:
            call()
        return refused.value.kind == kind

    assert is_refused("forbidden", lambda: plan_ruling(helper.id, hosted.tournament, exclude, service))
    assert is_refused("forbidden", lambda: lifecycle.appoint(helper.id, hosted.tournament, helper.id, "arbiter"))
    assert is_refused("not-found", lambda: lifecycle.appoint(owner, hosted.tournament, "nobody000000", "arbiter"))
    row = lifecycle.appoint(owner, hosted.tournament, helper.id, "arbiter")
    assert hosted.lines()[-1] == f"document {row.document_hash}", "the log says who may decide"
    assert plan_ruling(helper.id, hosted.tournament, exclude, service).lines
    # An arbiter rules but does not change the document, and applying the same text again keeps them.
    assert lifecycle.find_own(helper.id, "winter-cup") is None
    assert hosted.apply(document_text(), plan(hosted, document_text()).etag).document_hash == row.document_hash
    promoted = lifecycle.appoint(owner, hosted.tournament, helper.id, "organiser")
    found = lifecycle.find_own(helper.id, "winter-cup")
    assert found is not None
    assert found.id == promoted.id
    lifecycle.appoint(owner, hosted.tournament, helper.id, None)
    assert is_refused("forbidden", lambda: plan_ruling(helper.id, hosted.tournament, exclude, service))
    hosted.run_to_end()
    hosted.check()
