"""Jobs of rulings: change matches that exist already. Each is safe to repeat."""

from __future__ import annotations

from service.config import Config
from service.db.models.matches import MatchRow
from service.jobs.queue import Job
from service.matches.paired_matches import (
    cancel_unstarted_matches,
    end_paired_match,
    replace_seat_player,
    void_paired_matches,
)
from service.tournaments.job_payloads import EndRuledMatch, ReplacePlayer, VoidMatches
from service.tournaments.tournament_store import load_state


def end_ruled_match(job: Job[EndRuledMatch], _config: Config) -> None:
    """Job: end a match with the ruled scores. A match that has not started is cancelled."""
    about = job.payload
    cancel_unstarted_matches([about.match])
    if MatchRow.select().where((MatchRow.id == about.match) & (MatchRow.status == "running")).exists():
        end_paired_match(about.match, about.how, scores=about.scores)


def void_matches(job: Job[VoidMatches], _config: Config) -> None:
    """Job: void matches, so that they leave no result."""
    void_paired_matches(job.payload.matches)


def replace_player(job: Job[ReplacePlayer], config: Config) -> None:
    """Job: give the seats of a player to whoever replaces them."""
    about = job.payload
    known = load_state(about.tournament).entrants.get(about.other)
    for match in about.matches:
        replace_seat_player(match, about.one, about.other, known.nonce if known else "-", config)
