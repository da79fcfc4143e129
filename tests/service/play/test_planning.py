"""Planning: lines of several seats on re-deals, branches that only their player sees, and orders made of them."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from engine.game import CHANCE, legal, to_act
from engine.games import GAMES
from engine.planning import DEALS, FEWEST_SURE, Plan, Planner
from service.config import Config
from service.db.connection import rows
from service.jobs import retention
from service.matches.erasure import erase_player
from tests.support.http_tables import Body, People, SeatClient, head, make, resolved, unchanged
from tests.support.players import Clock
from tests.support.random_matches import TABLES, has_secrets, played

Pair = tuple[SeatClient, SeatClient]


@pytest.fixture
def pair(person: People) -> Pair:
    """Two people at a match of Keltis that has been dealt; seat 0 begins."""
    one, two = make(person("Aoife"), person("Brendan"))
    return one, two


def walk(planner: Planner, plan: Plan, random: Random) -> Plan:
    """Plan up to eight lines ahead with what is offered: sure lines of the seat, and likely lines of others."""
    for _ in range(8):
        acting = to_act(plan.states[0])
        sure = [
            (planner.seat, each.line) for each in legal(plan.states[0], planner.seat) if planner.is_sure(plan, each)
        ]
        likely = [(each.step.seat, each.step.action.line) for each in planner.likely_lines(plan)]
        assert {seat for seat, _ in likely} == acting - {planner.seat}
        assert len(plan.states) >= FEWEST_SURE or not sure, "few re-deals agree by chance"
        if not sure + likely:
            break
        longer = planner.make(plan, *random.choice(sure + likely))
        assert longer is not None, "what is offered can be planned"
        plan = longer
        assert 1 <= len(plan.states) <= DEALS
        assert CHANCE not in to_act(plan.states[0])
    return plan


@pytest.mark.parametrize(("slug", "seats"), TABLES)
def test_tables_that_a_seat_cannot_tell_apart_have_the_same_plans(slug: str, seats: int) -> None:
    game, random, differed = GAMES[slug], Random(slug), 0
    for number, moment in enumerate(played(slug, seats, 1).some(8, 1)):
        seat = number % seats
        planner = Planner(game, seat, f"{number}", {})
        other = game.rules.redeal(moment.state, seat, random.randrange)
        differed += other != moment.state
        one, two = (walk(planner, planner.start(state), Random(number)) for state in (moment.state, other))
        assert (one.states, one.steps) == (two.states, two.steps)
    assert bool(differed) == has_secrets(game)


@pytest.mark.parametrize("slug", ["keltis", "tir-na-nog"])
def test_re_deals_that_are_lost_on_the_way_are_replaced(slug: str) -> None:
    """Unlikely lines of others leave few re-deals; without new ones, what the last of them lists would look sure."""
    game, full = GAMES[slug], 0
    for number, moment in enumerate(played(slug, 2, 1).some(8, 1)):
        planner = Planner(game, number % 2, f"{number}", {})
        plan = walk(planner, planner.start(moment.state), Random(number))
        few = replace(plan, states=plan.states[: FEWEST_SURE - 1])
        assert not any(planner.is_sure(few, each) for each in legal(plan.states[0], planner.seat))
        full += len(plan.states) == DEALS
    assert full >= 6


def tried(one: SeatClient, *steps: tuple[int, str]) -> Any:  # noqa: ANN401  # any JSON
    answer = one.post("plan", {"steps": planned(*steps)})
    assert answer.status_code == 200, answer.text
    return answer.json


def planned(*steps: tuple[int, str]) -> list[Body]:
    return [{"seat": seat, "line": line} for seat, line in steps]


def test_a_plan_goes_on_through_the_turns_of_others(pair: Pair) -> None:
    one, _ = pair
    start = unchanged(one, lambda: one.post("plan", {"steps": []})).json
    assert (start["next"], start["steps"], start["likely"]) == ("you", [], [])
    assert start["table"]["view"] == one.read("table")["view"]
    assert [each["line"] for each in start["options"]["items"]] == one.lines
    lay = one.lines[0]
    steps = [(0, lay), (0, "draw deck")]
    after = tried(one, *steps)
    assert after["next"] == "others"
    while after["next"] == "others":
        assert sum(each["deals"] for each in after["likely"]) <= DEALS
        steps.append((after["likely"][0]["seat"], after["likely"][0]["line"]))
        after = tried(one, *steps)
        assert [(each["seat"], each["line"]) for each in after["steps"]] == steps
    assert after["next"] == "you"
    assert after["steps"][0]["sentence"] == one.read("options")["items"][0]["sentence"]


def test_of_a_plan_from_an_earlier_position_the_rest_is_kept(pair: Pair) -> None:
    one, _ = pair
    lay, since = one.lines[0], head(one.match)[0]
    steps = planned((0, lay), (0, "draw deck"))
    one.move(lay)
    for body, left in (({"since": since}, ["draw deck"]), ({}, [])):
        found = one.post("plan", {"steps": steps, **body}).json
        assert [each["line"] for each in found["steps"]] == left


def test_an_impossible_line_ends_a_plan(pair: Pair) -> None:
    one, _ = pair
    for wrong in ((1, "draw deck"), (0, "Dance"), (0, "lay R77"), (0, "resign"), (7, "draw deck")):
        found = tried(one, (0, one.lines[0]), wrong, (0, "draw deck"))
        assert [each["line"] for each in found["steps"]] == one.lines[:1], wrong


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"steps": "lay R5"},
        {"steps": [{"seat": 0}]},
        {"steps": [{"seat": -1, "line": "deal"}]},
        {"steps": planned(*[(0, "draw deck")] * 41)},
        {"steps": [], "deal": 3},
    ],
)
def test_a_body_that_is_no_plan_is_refused(pair: Pair, body: Body) -> None:
    answer = pair[0].post("plan", body)
    assert (answer.status_code, answer.json["type"]) == (422, "/problems/invalid")
    assert answer.json["errors"]


def test_only_players_plan_and_only_while_the_match_runs(pair: Pair, person: People) -> None:
    one, two = pair
    stranger = SeatClient(person("Ciara"), one.match, 0)
    for path, body in (("plan", {"steps": []}), ("branches", {"title": "x", "steps": planned((0, one.lines[0]))})):
        assert stranger.post(path, body).json["type"] == "/problems/not-your-seat"
    one.move("resign")
    resolved(one.match)
    answer = two.post("plan", {"steps": []})
    assert (answer.status_code, answer.json["type"]) == (409, "/problems/match-over")


def keep(one: SeatClient, title: str, *steps: tuple[int, str]) -> Any:  # noqa: ANN401  # any JSON
    answer = one.post("branches", {"title": title, "steps": planned(*steps)})
    assert answer.status_code == 201, answer.text
    return answer.json


def test_a_branch_is_kept_for_its_seat_alone_and_forgets_what_was_played(pair: Pair) -> None:
    one, two = pair
    discard = next(line for line in one.lines if line.startswith("discard"))
    likely = tried(one, (0, discard), (0, "draw deck"))["likely"][0]["line"]
    steps = ((0, discard), (0, "draw deck"), (1, likely))
    made = keep(one, " Discard ", *steps)
    assert (made["title"], made["played"], made["steps"]) == ("Discard", 0, planned(*steps))
    assert one.read("branches")["items"] == [made]
    assert two.read("branches")["items"] == []
    assert two.person.ask("DELETE", two.path(f"branches/{made['id']}")).status_code == 404
    one.move(discard, "draw deck")
    resolved(one.match)
    (left,) = one.read("branches")["items"]
    assert (left["played"], left["steps"]) == (2, planned(*steps[2:]))
    assert one.person.ask("DELETE", one.path(f"branches/{made['id']}")).status_code == 204
    assert one.read("branches")["items"] == []


def test_ten_branches_are_kept_and_no_impossible_one(pair: Pair) -> None:
    one, _ = pair
    for number in range(10):
        keep(one, f"Plan {number}", (0, one.lines[0]))
    body = {"title": "Plan 10", "steps": planned((0, one.lines[0]))}
    refused = one.post("branches", body)
    assert (refused.status_code, refused.json["type"]) == (422, "/problems/limit-reached")
    assert "Delete one first" in refused.json["detail"]
    impossible = one.post("branches", {"title": "x", "steps": planned((0, one.lines[0]), (0, "lay R77"))})
    assert (impossible.status_code, impossible.json["type"]) == (422, "/problems/invalid")
    assert "lay R77" in impossible.json["detail"]
    for bad in ({**body, "title": " "}, {**body, "title": "x" * 81}, {**body, "steps": []}):
        assert one.post("branches", bad).json["type"] == "/problems/invalid"


def test_the_lines_of_a_branch_become_orders(pair: Pair) -> None:
    one, two = pair
    discard = next(line for line in one.lines if line.startswith("discard"))
    mine = two.read("table")["view"]["hand"][0]
    kept = keep(two, "Answer", (0, discard), (0, "draw deck"), (1, f"discard {mine}"), (1, "draw deck"))
    lines = [each["line"] for each in kept["steps"] if each["seat"] == 1]
    seq, hash_ = head(one.match)
    sent = two.send(two.signed(*lines, orders=True, asked=seq, prev=hash_))
    assert (sent.status_code, sent.json["waiting"]) == (202, 2)
    one.move(discard, "draw deck")
    resolved(one.match)
    made = [entry["line"] for entry in one.read("history")["items"] if entry["seat"] == 1]
    assert made == lines
    assert two.read("branches")["items"][0]["steps"] == []


def test_branches_go_with_the_account_or_30_days_after_the_match(pair: Pair, clock: Clock) -> None:
    one, two = pair
    keep(one, "Plan", (0, one.lines[0]))
    keep(two, "Plan", *likely_line(two))
    erase_player(two.person.id)
    assert rows("select count(*) from branch") == [(1,)]
    resolved(one.match)
    one.move("resign")
    resolved(one.match)
    for days, left in ((29, 1), (2, 0)):
        clock.forward(days=days)
        retention.delete_old_rows(Config())
        assert rows("select count(*) from branch") == [(left,)]


def likely_line(one: SeatClient) -> list[tuple[int, str]]:
    """Return the line that a bot would make next."""
    return [(each["seat"], each["line"]) for each in tried(one)["likely"][:1]]
