"""Duplicate end to end: one deal at every table, results together, finished tables closed until the round is over."""

from __future__ import annotations

import pytest

from service.config import Config
from service.db.models.matches import MatchRow
from service.matches.paired_matches import end_paired_match
from service.play.access import find_match, may_read
from service.play.match_loader import load_match_state
from service.problems import Problem
from service.record.header import Header
from tests.support.factories import settle
from tests.support.players import Clock
from tests.support.tournaments import document_text, open_tournament

DUPLICATE = """
  - name: deals
    format: duplicate
    seats: 2
    rounds: 2
    start: {first: 2027-02-01T18:00, next: when-over, gap: 1d}
    end: {at_most: 4w, then: as-it-stands}
"""


def test_every_table_has_the_deal_and_results_come_together(service: Config, clock: Clock) -> None:
    hosted = open_tournament(service, clock, document_text(DUPLICATE), 5)
    while hosted.row.state != "running":
        hosted.go_to_next()
    matches = [row.id for row in MatchRow.select().where(MatchRow.status == "running").order_by(MatchRow.id)]
    assert len(matches) == 3
    for match in matches:
        settle(match, service)
    headers: list[Header] = [load_match_state(match).facts.header for match in matches]
    assert len({row.seed for row in MatchRow.select()}) == 1
    assert not any(row.rated for row in MatchRow.select())
    assert [bot for header in headers for bot in [place.bot for place in header.places] if bot] == ["steady-2"]
    # The opening deal is the same whoever sits there.
    deals = {tuple(getattr(load_match_state(match).state, "hands")) for match in matches}  # noqa: B009  # of the game alone
    assert len(deals) == 1
    first = matches[0]
    mine = next(player for player in load_match_state(first).players if player)
    assert may_read(MatchRow.get_by_id(first), mine)
    end_paired_match(first, "adjudicated", [1, 2])
    hosted.work()
    # Nobody of the finished table sees the cards of the others while somebody still plays them.
    assert not hosted.results()
    with pytest.raises(Problem):
        find_match(first, mine)
    hosted.run_to_end()
    assert may_read(MatchRow.get_by_id(first), None)
    report = hosted.check()
    assert report.recomputed == ("deals:1", "deals:2")
    assert set(report.not_recomputed) == set()
    standings = report.rankings["deals"][0].standings
    assert len(standings) == 5
    assert all(0 <= points <= 10_000 for line in standings for points in line.by_round)
