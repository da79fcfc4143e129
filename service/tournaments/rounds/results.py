"""Results: write the result of a finished match into its tournament's log, exactly once."""

from __future__ import annotations

import json
from dataclasses import replace

from service.config import Config
from service.db.models.tournaments import EntrantRow, PairingRow
from service.jobs.queue import Job
from service.matches.seat_results import read_seat_results
from service.play.job_payloads import TakeResult
from service.play.match_loader import load_match_state
from service.record.seat_endings import ADJUDICATED, AS_IT_STANDS, SeatEnding
from service.timestamps import now
from service.tournaments.formats.crosstable import BOT
from service.tournaments.formats.log_lines import Line, ResultLine, WithdrawLine, is_bot
from service.tournaments.formats.stage_rules import DUPLICATE, PODS, SAME_DEAL, SWISS
from service.tournaments.formats.tournament_state import IN, TournamentState
from service.tournaments.rounds.rounds import count_endings, wake_tournament
from service.tournaments.tournament_caches import is_of_round
from service.tournaments.tournament_store import load_state, lock_tournament, write_lines


def take_result(job: Job[TakeResult], _config: Config) -> None:
    """Job: write the result of a match that is over. Safe to repeat.

    Where everybody plays the same deal, results are written together, so this only asks for the next step.
    """
    pairing = PairingRow.get_or_none(PairingRow.id == job.payload.match)
    if pairing is None or pairing.result or pairing.void:
        return
    rules = load_state(pairing.tournament).stages[pairing.stage].rules
    format_ = rules.format
    if format_ in {SAME_DEAL, DUPLICATE}:
        wake_tournament(pairing.tournament, now())
        return
    with lock_tournament(pairing.tournament) as row:
        pairing = PairingRow.get_by_id(pairing.id)
        if pairing.result or pairing.void:
            return
        endings = read_pairing_results(load_state(row.id), pairing.id)
        lines: list[Line] = [ResultLine(pairing.id, count_endings(endings))]
        if format_ in {SWISS, PODS}:
            lines += _withdrawals(row.id, json.loads(pairing.seats), endings)
        write_lines(row, lines, now())
        if rules.series is not None or not _has_open_pairings(pairing):
            wake_tournament(row.id, now())


def read_pairing_results(state: TournamentState, match: str) -> tuple[SeatEnding, ...]:
    """Return how each seat of a finished match ended.

    A player who replaced an entrant by a ruling counts as the entrant and not as a substitute.
    """
    endings, match_state = read_seat_results(match), load_match_state(match)
    _, _, pair = state.where[match]
    own = [
        number != BOT and match_state.players[seat] == state.holders[number] for seat, number in enumerate(pair.seats)
    ]
    how = "adjudicated" if match_state.state.house.ended in (ADJUDICATED, AS_IT_STANDS) else "played"
    return tuple(
        replace(ending, how=how) if is_own and ending.how == "substitute" else ending
        for ending, is_own in zip(endings, own, strict=True)
    )


def _withdrawals(tournament: str, seats: list[str], endings: tuple[SeatEnding, ...]) -> list[WithdrawLine]:
    """Return withdrawals for those who lost a seat by time. They may enter again."""
    late = [player for player, ending in zip(seats, endings, strict=True) if ending.lost_by_time]
    people = [player for player in late if not is_bot(player)]
    still = (EntrantRow.tournament == tournament) & EntrantRow.player.in_(people) & (EntrantRow.status == IN)
    return [WithdrawLine(row.player) for row in EntrantRow.select().where(still).order_by(EntrantRow.number)]


def _has_open_pairings(pairing: PairingRow) -> bool:
    """Return True if another match of the round has no result. Byes have one seat and never wait."""
    mine = is_of_round(pairing.tournament, pairing.stage, pairing.round)
    still = mine & ~PairingRow.void & (PairingRow.result == "")
    return bool(PairingRow.select().where(still & PairingRow.seats.contains(",")).exists())
