"""Counting finished matches into ratings, reliability and results against bots, once each.

A periodic task finds uncounted matches by an index, so that no move waits for this. What a match contributes is
computed first. One short transaction then writes it and marks the match; a lock lets only one such transaction run at a
time, since each rating follows from the one before. `echtra rebuild ratings` counts all matches again.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import structlog

from service.config import Config
from service.db.connection import DatabaseDown, execute, rows, try_lock, wait_for_lock, write_transaction
from service.matches.bot_strengths import PersonResult, read_person_result, replace_person_results
from service.play import match_loader
from service.record.match_state import MatchState
from service.tournaments.formats.reliability_facts import ReliabilityFacts
from service.tournaments.ratings import ratings, reliability
from service.tournaments.ratings.ratings import RatedMatch, RatingChange

LOCK = 0x72617465
MOST_AT_ONCE = 100
BATCH_SECONDS = 0.2
"""Time after which a batch is written. The next call continues."""
SELECT_UNCOUNTED = "select id, ended_at from match where status = 'over' and not counted order by ended_at, id limit ?"
SELECT_OVER = "select id, ended_at from match where status = 'over'"
SELECT_IS_UNCOUNTED = "select 1 from match where id = ? and status = 'over' and rated and not counted"
MARK = "update match set counted = ? where id = ? and counted <> ?"
log = structlog.get_logger("ratings")


@dataclass(frozen=True)
class EndedMatch:
    """Contribution of a finished match to ratings and reliability."""

    id: str
    ended_at: int
    result: RatedMatch | None = None
    """None if the match is not rated."""
    conduct: tuple[ReliabilityFacts, ...] = ()
    against_bot: PersonResult | None = None
    """None unless one person played one bot."""
    readable: bool = True
    """False if its log could not be read. It then contributes nothing."""


@dataclass(frozen=True)
class RebuildReport:
    """Result of counting all matches again."""

    matches: int
    rated: int
    changed: int
    """How many rows were not as the logs say."""
    unreadable: tuple[str, ...]


def count_ended_matches(_config: Config) -> None:
    """Count finished matches for a short time. Periodic task."""
    count_next_matches()


def count_next_matches() -> int:
    """Count a batch of uncounted matches, earliest first. Return how many were counted."""
    ended: list[EndedMatch] = []
    until = time.monotonic() + BATCH_SECONDS
    for match, ended_at in rows(SELECT_UNCOUNTED, MOST_AT_ONCE):
        ended.append(read_ended_match(match, ended_at, match_loader.load_match_state))
        if not ended[-1].readable:
            log.error("unreadable", match=match)
        if time.monotonic() > until:
            break
    return _write_counts(ended) if ended else 0


def find_changes(match: str) -> dict[str, RatingChange]:
    """Return how a match changed ratings. Count it first if it has just ended; that may write."""
    if rows(SELECT_IS_UNCOUNTED, match):
        count_next_matches()
    return ratings.find_changes(match)


def _write_counts(ended: Sequence[EndedMatch]) -> int:
    with write_transaction():
        if not try_lock(LOCK):
            return 0  # another worker is at it
        fresh = [each for each in ended if execute(MARK, True, each.id, True)]
        for each in fresh:
            reliability.replace_conduct(each.id, each.ended_at, each.conduct)
        replace_person_results({each.id: each.against_bot for each in fresh})
        ratings.add_matches([each.result for each in fresh if each.result])
    return len(fresh)


def read_ended_match(match: str, ended_at: int, load: Callable[[str], MatchState]) -> EndedMatch:
    """Return what a finished match contributes; `load` returns its final state."""
    try:
        match_state, (_, conduct) = load(match), reliability.read_conduct(match)
        places = ratings.rated_places(match_state) if _is_open_to_rating(match) else ()
        against_bot = None if _has_program(match_state) else read_person_result(match_state)
    except DatabaseDown:
        raise
    except Exception:  # noqa: BLE001  # whatever a broken log makes of the rules; `echtra doctor` says more
        return EndedMatch(match, ended_at, readable=False)
    result = RatedMatch(match, match_state.facts.game.slug, ended_at, places) if places else None
    return EndedMatch(match, ended_at, result, conduct, against_bot)


def _is_open_to_rating(match: str) -> bool:
    """Return True if the match may be rated."""
    return rows("select 1 from match where id = ? and rated", match) != []


def _has_program(match_state: MatchState) -> bool:
    """Return True if a program has a seat of a match against a bot."""
    players = [place.player for place in match_state.facts.header.places if place.player]
    alone = len(players) == 1
    return alone and rows("select 1 from player where id = ? and owner is not null", players[0]) != []


def list_ended_matches() -> list[tuple[str, int]]:
    """Return all finished matches with their end times."""
    return [(match, ended_at) for match, ended_at in rows(SELECT_OVER)]


def replay_ended_match(match: str, ended_at: int) -> EndedMatch:
    """Return what a finished match contributes, from its log alone."""
    return read_ended_match(
        match, ended_at, lambda id_: match_loader.replay_from_start(id_, match_loader.head_of(id_)[1])
    )


def replace_counts(ended: Sequence[EndedMatch]) -> RebuildReport:
    """Replace all counts by those of these matches, which must be all finished matches.

    A match that is counted by the worker in between is unmarked, so that the worker counts it again.
    """
    rated = [each.result for each in ended if each.result]
    wanted = set(ratings.rate_matches(rated))
    conduct = {each.id: (each.ended_at, each.conduct) for each in ended}
    with write_transaction():
        wait_for_lock(LOCK)
        changed = ratings.replace_rows(wanted) + reliability.replace_all_conduct(conduct)
        changed += replace_person_results({each.id: each.against_bot for each in ended})
        for match, counted in rows("select id, counted from match where status = 'over'"):
            if bool(counted) != (match in conduct):
                execute(MARK, match in conduct, match, match in conduct)
    changed += sum(map(reliability.recount_running_match, reliability.list_running_late_matches()))
    return RebuildReport(len(ended), len(rated), changed, tuple(each.id for each in ended if not each.readable))
