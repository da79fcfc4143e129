"""Jobs of a round: make its matches, release them, and end them when their time is over."""

from __future__ import annotations

import json
from collections.abc import Sequence

from service.config import Config
from service.db.batches import batched
from service.db.connection import write_transaction
from service.db.models.matches import MatchRow
from service.db.models.tournaments import PairingRow, TournamentRow
from service.jobs import queue
from service.jobs.bulk_throttle import do_in_parts
from service.jobs.queue import Job, RetryLater
from service.matches.paired_matches import (
    ADJUDICATION,
    PairedMatch,
    cancel_unstarted_matches,
    end_paired_match,
    make_paired_matches,
    open_to_spectators,
    pause_paired_matches,
    resume_paired_matches,
    start_paired_matches,
)
from service.timestamps import MINUTE, now
from service.tournaments import job_payloads
from service.tournaments.formats.draw import NO_BEACON, deal_seed
from service.tournaments.formats.log_lines import BOT_PREFIX, RoundName, is_bot
from service.tournaments.formats.stage_rules import DUPLICATE, LADDER, SAME_DEAL
from service.tournaments.rounds import standings, timetable
from service.tournaments.rounds.challenges import lapse_open_challenges
from service.tournaments.rounds.rounds import StepContext, wake_tournament
from service.tournaments.tournament_caches import is_of_round
from service.tournaments.tournament_store import LoadedTournament, list_neutral_rulers, load_state

END_AGAIN = MINUTE
MOST_OPENED = 100
SECRECY = {SAME_DEAL: "sealed", DUPLICATE: "closed"}
"""Spectator rules of formats in which others play the same deal. They override the document."""


def make_matches(job: Job[job_payloads.MakeMatches], _config: Config) -> None:
    """Job: make the matches of some pairings, and start them if the round has begun. Safe to repeat."""
    about = job.payload
    tournament = LoadedTournament.load(about.tournament)
    row, state, plan = tournament.row, tournament.state, tournament.plan_of(about.stage)
    if state.cancelled_at is not None:
        return
    places = PairingRow.place.between(about.first, about.last) & ~PairingRow.void
    mine = is_of_round(row.id, plan.name, about.round) & places
    solo = plan.format == SAME_DEAL
    wanted = [
        pairing
        for pairing in PairingRow.select().where(mine).order_by(PairingRow.place)
        if not pairing.result and (solo or len(json.loads(pairing.seats)) > 1)
    ]
    started = state.stages[plan.name].round(about.round).started_at

    def make_part(part: Sequence[PairingRow]) -> None:
        ids = [pairing.id for pairing in part]
        make_paired_matches([build_paired_match(tournament, pairing) for pairing in part])
        if started is not None:
            start_paired_matches(ids, started)
            _pause_if_ruled(row.id, ids)
        # A ruling may have voided some while they were made.
        void = PairingRow.select(PairingRow.id).where(PairingRow.id.in_(ids) & PairingRow.void)
        cancel_unstarted_matches([pairing.id for pairing in void])

    do_in_parts(wanted, make_part)
    wake_tournament(row.id, now())


def _pause_if_ruled(tournament: str, matches: Sequence[str]) -> None:
    """Pause matches that began while a ruling pauses their tournament."""
    if load_state(tournament).paused:
        pause_paired_matches(matches, now())


def build_paired_match(tournament: LoadedTournament, pairing: PairingRow) -> PairedMatch:
    """Return the match to make for a pairing."""
    row, state, document, plan = (
        tournament.row,
        tournament.state,
        tournament.document,
        tournament.plan_of(pairing.stage),
    )
    same = plan.format in {SAME_DEAL, DUPLICATE}
    seats = json.loads(pairing.seats)
    name = RoundName(pairing.stage, pairing.round)
    people = {seat: player for seat, player in enumerate(seats) if not is_bot(player)}
    deals = bytes.fromhex(row.deals)
    beacon = state.beacon_values.get(name) or state.beacon_values.get(RoundName(pairing.stage, 0), NO_BEACON)
    return PairedMatch(
        id=pairing.id,
        game=row.game,
        seats=len(seats),
        seed=deal_seed(deals, name, 0 if same else pairing.place),
        created_by=row.owner,
        players={seat: (player, "-" if same else state.entrants[player].nonce) for seat, player in people.items()},
        bots={seat: bot.removeprefix(BOT_PREFIX) for seat, bot in enumerate(seats) if seat not in people},
        options=plan.options,
        moves=document.moves,
        clock=document.clock,
        policy=document.late_policy(plan),
        spectators=SECRECY.get(plan.format, document.spectators),
        title=document.title["en"],
        beacon=beacon,
        leave=document.leave,
        rated=document.rated and not same,
    )


def start_matches(job: Job[job_payloads.StartMatches], _config: Config) -> None:
    """Job: release some matches of a round that has begun. Safe to repeat."""
    about = job.payload
    state = load_state(about.tournament)
    started = state.stages[about.stage].round(about.round).started_at
    do_in_parts(about.matches, lambda part: start_paired_matches(part, now() if started is None else started))
    _pause_if_ruled(about.tournament, about.matches)


def end_match(job: Job[job_payloads.EndMatch], _config: Config) -> None:
    """Job: end a match whose round is over by time, or pause it for an organiser's decision. Safe to repeat."""
    about = job.payload
    match = MatchRow.get_or_none(MatchRow.id == about.match)
    if match is None or match.status != "running":
        if match is not None and match.status == "open":
            raise RetryLater(now() + END_AGAIN, "the match has not started yet")
        return
    if load_state(about.tournament).paused:
        raise RetryLater(now() + END_AGAIN, "a ruling pauses the tournament")
    if _is_put_off(about.tournament, match.id, about.at):
        return
    # An outage moves the end of the round as it moved the clocks of the match.
    due = about.at + match.outage_ms
    if now() < due:
        raise RetryLater(due, "lost time is being given back")
    if about.how == timetable.ADJUDICATE:
        pause_paired_matches([match.id], now(), ADJUDICATION)
        _ask_organisers(about.tournament, match.id, about.at + timetable.ADJUDICATION)
    elif not end_paired_match(match.id, about.how, at=due):
        raise RetryLater(now() + END_AGAIN, "earlier moves or emails have not been read yet")


def _ask_organisers(tournament: str, match: str, until: int) -> None:
    """Queue an email about a match to decide to every organiser who does not play."""
    row = TournamentRow.get_by_id(tournament)
    with write_transaction():
        for player in list_neutral_rulers(row):
            letter = job_payloads.AdjudicationLetter(tournament=tournament, player=player, match=match, until=until)
            queue.add(letter, f"{letter.kind}:{match}:{until}:{player}")


def _is_put_off(tournament: str, match: str, at: int) -> bool:
    """Return True if a ruling has moved the end of the match's round since, so that another job ends it."""
    loaded = StepContext.load(tournament)
    name, number, _ = loaded.state.where[match]
    ends_at = loaded.timetable.end_of(loaded.plan_of(name), loaded.state.stages[name].round(number))
    return loaded.state.cancelled_at is not None or ends_at is None or ends_at > at


def pause_matches(job: Job[job_payloads.PauseMatches], _config: Config) -> None:
    """Job: stop the clocks of some matches while their tournament is paused. Safe to repeat."""
    about = job.payload
    if about.tournament is None or load_state(about.tournament).paused:
        do_in_parts(about.matches, lambda part: pause_paired_matches(part, now()))


def resume_matches(job: Job[job_payloads.ResumeMatches], _config: Config) -> None:
    """Job: resume matches after a pause of their tournament, unless others paused them. Safe to repeat."""
    about = job.payload
    if about.tournament is None or not load_state(about.tournament).paused:
        do_in_parts(about.matches, lambda part: resume_paired_matches(part, now(), about.why))


def close_round(job: Job[job_payloads.CloseRound], _config: Config) -> None:
    """Job: renew the standings after a round, and open the matches of a finished stage. Safe to repeat."""
    about = job.payload
    loaded = StepContext.load(about.tournament)
    standings.renew_standings(loaded.row, loaded.state, about.stage)
    stage = loaded.state.stages[about.stage]
    if stage.rules.format == LADDER:
        with write_transaction():
            lapse_open_challenges(loaded.row.id, about.stage)
    if stage.rules.format == DUPLICATE:
        matches = [pair.id for pair in stage.round(about.round).pairs]
    elif loaded.timetable.is_stage_over(about.stage):
        matches = [pair.id for each in stage.rounds.values() for pair in each.pairs]
    else:
        return
    for part in batched(matches, MOST_OPENED):
        with write_transaction():
            open_to_spectators(part)
