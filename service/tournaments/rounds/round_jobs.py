"""Jobs of a round: its matches are made and released by jobs of a hundred, and ended when their time is over."""

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
from service.tournaments.documents.document import StagePlan, TournamentDocument, load_document
from service.tournaments.formats.draw import NO_BEACON, deal_seed
from service.tournaments.formats.log_lines import BOT_PREFIX, RoundName, is_bot
from service.tournaments.formats.stage_rules import DUPLICATE, LADDER, SAME_DEAL
from service.tournaments.formats.tournament_state import TournamentState
from service.tournaments.rounds import standings, timetable
from service.tournaments.rounds.challenges import lapse_open_challenges
from service.tournaments.rounds.rounds import wake_tournament
from service.tournaments.tournament_store import list_neutral_organisers, load_state

END_AGAIN = MINUTE
MOST_OPENED = 100
SECRECY = {SAME_DEAL: "sealed", DUPLICATE: "closed"}
"""Who sees the matches of formats in which others play the same deal, whatever the document says."""


def make_matches(job: Job[job_payloads.MakeMatches], _config: Config) -> None:
    """Make the matches of some pairings of a round; where it has begun, they start at once. Safe to repeat."""
    about = job.payload
    row = TournamentRow.get_by_id(about.tournament)
    state = load_state(row.id)
    document = load_document(state.documents[state.document])
    plan = next(plan for plan in document.stages if plan.rules.name == about.stage)
    solo = plan.rules.format == SAME_DEAL
    found = _pairings(row.id, plan.rules.name, about.round, about.first, about.last)
    wanted = [each for each in found if not each.result and (solo or len(json.loads(each.seats)) > 1)]
    if state.cancelled_at is not None:
        return
    started = state.stages[plan.rules.name].round(about.round).started_at

    def make_part(part: Sequence[PairingRow]) -> None:
        ids = [each.id for each in part]
        make_paired_matches([build_paired_match(row, state, document, plan, each) for each in part])
        if started is not None:
            start_paired_matches(ids, started)
            _pause_if_ruled(row.id, ids)
        void = PairingRow.select(PairingRow.id).where(
            PairingRow.id.in_(ids) & (PairingRow.void == True)  # noqa: E712  # as peewee has it
        )
        # A ruling may have come while they were made.
        cancel_unstarted_matches([each.id for each in void])

    do_in_parts(wanted, make_part)
    wake_tournament(row.id, now())


def _pause_if_ruled(tournament: str, matches: Sequence[str]) -> None:
    """Stop the clocks of matches that began while a ruling pauses their tournament."""
    if load_state(tournament).paused:
        pause_paired_matches(matches, now())


def _pairings(tournament: str, stage: str, number: int, first: int, last: int) -> list[PairingRow]:
    mine = (PairingRow.tournament == tournament) & (PairingRow.stage == stage) & (PairingRow.round == number)
    places = PairingRow.place.between(first, last) & (PairingRow.void == False)  # noqa: E712  # as peewee has it
    return list(PairingRow.select().where(mine & places).order_by(PairingRow.place))


def build_paired_match(
    row: TournamentRow, state: TournamentState, document: TournamentDocument, plan: StagePlan, pairing: PairingRow
) -> PairedMatch:
    """Return the match to make for a pairing."""
    same = plan.rules.format in {SAME_DEAL, DUPLICATE}
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
        spectators=SECRECY.get(plan.rules.format, document.spectators),
        title=document.title["en"],
        beacon=beacon,
        leave=document.leave,
        rated=document.rated and not same,
    )


def start_matches(job: Job[job_payloads.StartMatches], _config: Config) -> None:
    """Release some matches of a round that has begun; safe to repeat."""
    about = job.payload
    state = load_state(about.tournament)
    started = state.stages[about.stage].round(about.round).started_at
    do_in_parts(about.matches, lambda part: start_paired_matches(part, now() if started is None else started))
    _pause_if_ruled(about.tournament, about.matches)


def end_match(job: Job[job_payloads.EndMatch], _config: Config) -> None:
    """End a match whose round is over by time: the house decides, or an organiser is waited for. Safe to repeat."""
    about = job.payload
    match = MatchRow.get_or_none(MatchRow.id == about.match)
    if match is None or match.status != "running":
        if match is not None and match.status == "open":
            raise RetryLater(now() + END_AGAIN, "the match has not started yet")
        return
    state = load_state(about.tournament)
    if state.paused:
        raise RetryLater(now() + END_AGAIN, "a ruling pauses the tournament")
    if _is_put_off(state, match.id, about.at):
        return
    # Time that was lost is given back here as it was given to the clocks.
    due = about.at + match.outage_ms
    if now() < due:
        raise RetryLater(due, "lost time is being given back")
    if about.how == timetable.ADJUDICATE:
        pause_paired_matches([match.id], now(), ADJUDICATION)
        _ask_organisers(about.tournament, match.id, about.at + timetable.ADJUDICATION)
    elif not end_paired_match(match.id, about.how, at=due):
        raise RetryLater(now() + END_AGAIN, "earlier moves or emails have not been read yet")


def _ask_organisers(tournament: str, match: str, until: int) -> None:
    """Send every organiser who does not play there a match that they must decide."""
    row = TournamentRow.get_by_id(tournament)
    with write_transaction():
        for player in list_neutral_organisers(row):
            letter = job_payloads.AdjudicationLetter(tournament=tournament, player=player, match=match, until=until)
            queue.add(letter, f"{letter.kind}:{match}:{until}:{player}")


def _is_put_off(state: TournamentState, match: str, at: int) -> bool:
    """Whether a ruling has moved the end of a match's round since, so that another job ends it."""
    name, number, _ = state.where[match]
    document = load_document(state.documents[state.document])
    plan = next(plan for plan in document.stages if plan.name == name)
    ends_at = timetable.Timetable(state, document).end_of(plan, state.stages[name].round(number))
    return state.cancelled_at is not None or ends_at is None or ends_at > at


def pause_matches(job: Job[job_payloads.PauseMatches], _config: Config) -> None:
    """Stop the clocks of some matches for a pause of their tournament; safe to repeat."""
    about = job.payload
    if about.tournament is None or load_state(about.tournament).paused:
        do_in_parts(about.matches, lambda part: pause_paired_matches(part, now()))


def resume_matches(job: Job[job_payloads.ResumeMatches], _config: Config) -> None:
    """Let some matches go on after a pause of their tournament; what others paused stays paused. Safe to repeat."""
    about = job.payload
    if about.tournament is None or not load_state(about.tournament).paused:
        do_in_parts(about.matches, lambda part: resume_paired_matches(part, now(), about.why))


def close_round(job: Job[job_payloads.CloseRound], _config: Config) -> None:
    """Renew the standings after a round; when its stage is over, open its matches to everybody. Safe to repeat."""
    about = job.payload
    row = TournamentRow.get_by_id(about.tournament)
    state = load_state(row.id)
    document = load_document(state.documents[state.document])
    standings.renew_standings(row, state, about.stage)
    if state.stages[about.stage].rules.format == LADDER:
        with write_transaction():
            lapse_open_challenges(row.id, about.stage)
    stage = state.stages[about.stage]
    if stage.rules.format == DUPLICATE:
        matches = [pair.id for pair in stage.round(about.round).pairs]
    elif timetable.find_stage_state(state, document, about.stage) == "over":
        matches = [pair.id for each in stage.rounds.values() for pair in each.pairs]
    else:
        return
    for part in batched(matches, MOST_OPENED):
        with write_transaction():
            open_to_spectators(part)
