"""Rounds that run by themselves: from the document to the end, each format, with entrants who play and who leave."""

from __future__ import annotations

import pytest

from service.config import Config
from service.tournaments.formats.verify import verify_tournament
from service.tournaments.tournament_store import export_record
from tests.support.players import Clock
from tests.support.tournaments import document_text, open_venue, table_scores


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_a_round_robin_runs_to_its_end_by_itself(service: Config, clock: Clock) -> None:
    venue = open_venue(service, clock, document_text(), entrants=5)
    venue.run_to_end()
    report = verify_tournament(export_record(venue.tournament))
    assert report.recomputed == tuple(f"all:{number}" for number in range(1, 6))
    results = venue.results()
    assert len(results) == 10
    for match, result in results.items():
        assert [int(word.split(":")[1]) for word in result.split(" ")] == table_scores(match)
    assert [line.split(" ")[0] for line in venue.lines()][-1] == "end"
    assert venue.row.state == "over"
    assert {letter["player"] for letter in venue.letters("tournament-over")} == {p.player.id for p in venue.people}
    assert len(venue.letters("tournament-round")) == 4 * 5 + 5
