"""Counting ended matches into ratings and reliability: each once, soon after its end, and all anew when asked.

A worker looks for matches that are over and not counted, by an index, so that nothing is done for this while a match
is played or somebody waits for an answer. What a match says is computed first; one short transaction then writes it
and marks the match, and only one such transaction runs at a time.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import structlog

from service.config import Config
from service.db.connection import DatabaseDown, execute, rows, try_lock, wait_for_lock, write_transaction
from service.play import match_loader
from service.record.match_state import MatchState
from service.tournaments.formats.reliability_facts import ReliabilityFacts
from service.tournaments.ratings import ratings, reliability
from service.tournaments.ratings.ratings import RatedMatch

LOCK = 0x72617465
MOST_AT_ONCE = 100
BATCH_SECONDS = 0.2
"""After so long what was read is written; the rest comes with the next call."""
SELECT_UNCOUNTED = "select id, ended_at from match where status = 'over' and not counted order by ended_at, id limit ?"
SELECT_OVER = "select id, ended_at from match where status = 'over'"
MARK = "update match set counted = ? where id = ? and counted <> ?"
log = structlog.get_logger("ratings")


@dataclass(frozen=True)
class EndedMatch:
    """What a match that is over says of its players."""

    id: str
    ended_at: int
    result: RatedMatch | None = None
    """Nothing if it is not rated."""
    conduct: tuple[ReliabilityFacts, ...] = ()
    readable: bool = True
    """Whether its log could be read; if not, nothing counts."""


@dataclass(frozen=True)
class RebuildReport:
    """What counting all matches anew came to."""

    matches: int
    rated: int
    changed: int
    """How many rows were not as the logs have them."""
    unreadable: tuple[str, ...]


def count_ended_matches(_config: Config) -> None:
    """Count matches that have ended, for a short while; a periodic task."""
    count_next_matches()


def count_next_matches() -> int:
    """Count a few of the matches that have ended and are not counted, the earliest first; how many."""
    found: list[EndedMatch] = []
    until = time.monotonic() + BATCH_SECONDS
    for match, ended_at in rows(SELECT_UNCOUNTED, MOST_AT_ONCE):
        found.append(read_ended_match(match, ended_at, match_loader.load_match_state))
        if not found[-1].readable:
            log.error("unreadable", match=match)
        if time.monotonic() > until:
            break
    return _write_counts(found) if found else 0


def _write_counts(found: Sequence[EndedMatch]) -> int:
    with write_transaction():
        if not try_lock(LOCK):
            return 0  # another worker is at it
        fresh = [each for each in found if execute(MARK, True, each.id, True)]
        for each in fresh:
            reliability.replace_conduct(each.id, each.ended_at, each.conduct)
        ratings.add_matches([each.result for each in fresh if each.result])
    return len(fresh)


def read_ended_match(match: str, ended_at: int, load: Callable[[str], MatchState]) -> EndedMatch:
    """What a match that is over says; `load` gives the table at its end."""
    try:
        match_state, (_, conduct) = load(match), reliability.read_conduct(match)
        places = ratings.rated_places(match_state) if _is_open_to_rating(match) else ()
    except DatabaseDown:
        raise
    except Exception:  # noqa: BLE001  # whatever a broken log makes of the rules; `echtra doctor` says more
        return EndedMatch(match, ended_at, readable=False)
    result = RatedMatch(match, match_state.facts.game.slug, ended_at, places) if places else None
    return EndedMatch(match, ended_at, result, conduct)


def _is_open_to_rating(match: str) -> bool:
    """Return True if the match may be rated."""
    return rows("select 1 from match where id = ? and rated", match) != []


def list_ended_matches() -> list[tuple[str, int]]:
    """Every match that is over, with the time of its end."""
    return [(match, ended_at) for match, ended_at in rows(SELECT_OVER)]


def replay_ended_match(match: str, ended_at: int) -> EndedMatch:
    """What a match that is over says, from its log alone."""
    return read_ended_match(
        match, ended_at, lambda id_: match_loader.replay_from_start(id_, match_loader.head_of(id_)[1])
    )


def replace_counts(found: Sequence[EndedMatch]) -> RebuildReport:
    """Write what these matches say, which are all that were over, in place of what is there.

    A match that ended and was counted meanwhile is counted once more by the worker.
    """
    rated = [each.result for each in found if each.result]
    wanted = set(ratings.rate_matches(rated))
    conduct = {each.id: (each.ended_at, each.conduct) for each in found}
    with write_transaction():
        wait_for_lock(LOCK)
        changed = ratings.replace_rows(wanted) + reliability.replace_all_conduct(conduct)
        for match, counted in rows("select id, counted from match where status = 'over'"):
            if bool(counted) != (match in conduct):
                execute(MARK, match in conduct, match, match in conduct)
    changed += sum(map(reliability.recount_running_match, reliability.list_running_late_matches()))
    return RebuildReport(len(found), len(rated), changed, tuple(each.id for each in found if not each.readable))
