"""Challenges on ladders: making one, answering it, and what follows when nobody answers.

A challenge is a row of its own; the log gets its `pair` with the answer, or with the forfeit of who declined or was
silent for too long. Leave, pauses and lost time are not counted into that time.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from service import ids
from service.accounts import vacation
from service.accounts.player_lookup import find_people
from service.config import Config
from service.db.models.accounts import PlayerRow
from service.db.models.matches import MatchRow
from service.db.models.tournaments import ChallengeRow, TournamentRow
from service.i18n.catalogue import msg
from service.jobs import queue
from service.jobs.queue import Job, NewJob, RetryLater
from service.play.outages import list_lost_times
from service.play.time_control import RestDays, moment_after
from service.play.timeouts import has_unrestored_outage
from service.problems import Problem
from service.timestamps import DAY, MINUTE, now
from service.tournaments.documents.document import StagePlan, TournamentDocument, load_document
from service.tournaments.formats.crosstable import How, Number, SeatResult
from service.tournaments.formats.ladder import Challenge, ChallengeRefused, LadderRules, check_challenge
from service.tournaments.formats.log_lines import Line, PairLine, ResultLine, RoundName
from service.tournaments.formats.stage_replay import RoundReplay
from service.tournaments.formats.stage_rules import LADDER
from service.tournaments.formats.tournament_state import TournamentState
from service.tournaments.job_payloads import ChallengeLetter, TakeSilentChallenge
from service.tournaments.rounds.rounds import has_unread_letters, make_match_jobs, write_rounds
from service.tournaments.rounds.timetable import Timetable
from service.tournaments.tournament_store import load_state, lock_tournament, write_lines

OPEN, ACCEPTED, DECLINED, SILENT, LAPSED = "open", "accepted", "declined", "silent", "lapsed"
STATES = (OPEN, ACCEPTED, DECLINED, SILENT, LAPSED)
LOOK_AGAIN = MINUTE


@dataclass(frozen=True)
class RunningLadder:
    """A ladder that is being played: its tournament, state and document."""

    row: TournamentRow
    state: TournamentState
    document: TournamentDocument
    plan: StagePlan

    @property
    def round(self) -> RoundReplay:
        """Its one round."""
        return self.state.stages[self.plan.name].round(1)

    @property
    def order(self) -> tuple[Number, ...]:
        """Everybody on it, best first."""
        return self.state.ladder_order(self.plan.name)

    def find_number(self, player: str) -> Number | None:
        """The number of somebody who is in."""
        number = self.state.number_of.get(player)
        return number if number is not None and self.state.holders[number] == player and self._is_in(number) else None

    def find_pair(self, challenge: ChallengeRow) -> tuple[Number, Number] | None:
        """Who challenged whom, by number, while both are in; whoever takes over a place takes over its challenges."""
        one, other = (self.state.number_of.get(player) for player in (challenge.challenger, challenge.challenged))
        if one is None or other is None or not self._is_in(one) or not self._is_in(other):
            return None
        return one, other

    def _is_in(self, number: Number) -> bool:
        return self.state.is_in(number)


def find_ladder(row: TournamentRow) -> RunningLadder:
    """The ladder of a tournament that is being played now; refused where there is none."""
    state, document = load_state(row.id), load_document(json.loads(row.document))
    plans = [plan for plan in document.stages if plan.format == LADDER]
    if not plans:
        raise Problem("conflict", msg("challenges.none"))
    if state.paused:
        raise Problem("conflict", msg("challenges.paused"))
    for plan in plans:
        if _is_running(state, document, plan):
            return RunningLadder(row, state, document, plan)
    raise Problem("conflict", msg("challenges.not_running"))


def has_ladder(row: TournamentRow) -> bool:
    """Whether a stage of a tournament is a ladder."""
    return any(plan.format == LADDER for plan in load_document(json.loads(row.document)).stages)


def _is_running(state: TournamentState, document: TournamentDocument, plan: StagePlan) -> bool:
    each = state.stages[plan.name].rounds.get(1)
    if each is None or not each.started or each.over or state.cancelled_at is not None:
        return False
    ends_at = Timetable(state, document).end_of(plan, each)
    return ends_at is None or now() < ends_at


def make_challenge(player: str, tournament: str, challenged: str) -> ChallengeRow:
    """Challenge somebody above on the ladder; they get a letter and have the document's time to answer."""
    with lock_tournament(tournament) as row:
        ladder = find_ladder(row)
        one, other = ladder.find_number(player), ladder.find_number(challenged)
        if one is None:
            raise Problem("conflict", msg("tournaments.not_entered"))
        if other is None:
            raise Problem("conflict", msg("challenges.refused.not-on-the-ladder"))
        _check_rules(ladder, Challenge(one, other))
        _check_leave(ladder, player, challenged)
        at = now()
        made = ChallengeRow.create(
            id=ids.new_id(),
            tournament=row.id,
            stage=ladder.plan.name,
            challenger=player,
            challenged=challenged,
            state=OPEN,
            made_at=at,
            answer_by=at + ladder.plan.answer,
        )
        made.answer_by = find_deadline(made, ladder.document, ladder.plan)
        made.save(only=[ChallengeRow.answer_by])
        queue.add_all(
            [
                NewJob(TakeSilentChallenge(challenge=made.id), f"tournament-challenge:{made.id}", made.answer_by + 1),
                _letter(made, challenged, "made"),
            ]
        )
        return made


def _check_rules(ladder: RunningLadder, wanted: Challenge) -> None:
    plan = ladder.plan
    stands = list(_open_challenges(ladder))
    recent = list(_recent_pairs(ladder, wanted))
    try:
        check_challenge(
            ladder.order, wanted, LadderRules(plan.reach, plan.at_once), open_challenges=stands, recent=recent
        )
    except ChallengeRefused as refused:
        days = -(-plan.again_after // DAY)
        count = plan.reach if refused.reason == "beyond-reach" else plan.at_once
        reason = msg(f"challenges.refused.{refused.reason}", count=count, days=days)
        raise Problem("conflict", reason) from None


def _open_challenges(ladder: RunningLadder) -> Iterator[Challenge]:
    """The challenges that wait for an answer or whose match is being played."""
    results = ladder.round.results
    mine = (ChallengeRow.tournament == ladder.row.id) & (ChallengeRow.stage == ladder.plan.name)
    for row in ChallengeRow.select().where(mine & ChallengeRow.state.in_((OPEN, ACCEPTED))):
        if row.state == ACCEPTED:
            one, other = (ladder.state.number_of[player] for player in (row.challenger, row.challenged))
            if row.pairing not in results:
                yield Challenge(one, other)
        else:
            both = ladder.find_pair(row)
            if both is not None:
                yield Challenge(*both)


def _recent_pairs(ladder: RunningLadder, wanted: Challenge) -> Iterator[tuple[Number, Number]]:
    """The same two, if they met so recently that they may not meet again yet."""
    number_of, both = ladder.state.number_of, {wanted.challenger, wanted.challenged}
    mine = (ChallengeRow.tournament == ladder.row.id) & (ChallengeRow.stage == ladder.plan.name)
    for row in ChallengeRow.select().where(mine & ChallengeRow.pairing.is_null(is_null=False)):
        if {number_of[row.challenger], number_of[row.challenged]} == both and row.pairing in ladder.round.results:
            match = MatchRow.get_or_none(MatchRow.id == row.pairing)
            ended = match.ended_at if match is not None else None
            if now() < (ended or row.answered_at or 0) + ladder.plan.again_after:
                yield wanted.challenger, wanted.challenged


def _check_leave(ladder: RunningLadder, *players: str) -> None:
    """Refuse a challenge while one of the two is on leave."""
    for player in players if ladder.document.counts_leave else ():
        if _rest_of(player).covers(vacation.today(_zone_of(player), now())):
            key = "challenges.own_leave" if player == players[0] else "challenges.on_leave"
            raise Problem("conflict", msg(key))


def _zone_of(player: str) -> str:
    return str(PlayerRow.get_by_id(player).zone)


def _rest_of(player: str) -> RestDays:
    booked = vacation.bookings(player)
    return RestDays(_zone_of(player), leaves=tuple((first.isoformat(), last.isoformat()) for first, last in booked))


def find_deadline(challenge: ChallengeRow, document: TournamentDocument, plan: StagePlan) -> int:
    """Until when the challenged may be silent: leave, pauses and lost time are not counted."""
    since = challenge.made_at
    until = since + plan.answer
    if document.counts_leave:
        until = moment_after(since, plan.answer, _rest_of(challenge.challenged))
    state = load_state(challenge.tournament)
    lasting = () if state.paused_at is None else ((state.paused_at, now()),)
    for begin, end in sorted((*document.pauses, *state.pauses, *lasting, *list_lost_times())):
        if end > since and begin < until:
            until += end - max(begin, since)
    return until


def answer_challenge(player: str, tournament: str, challenge: str, *, accept: bool) -> ChallengeRow:
    """Take up a challenge, and its match begins; or decline it, and it is lost at once."""
    with lock_tournament(tournament) as row:
        ladder = find_ladder(row)
        found = ChallengeRow.get_or_none((ChallengeRow.id == challenge) & (ChallengeRow.tournament == row.id))
        mine = ladder.find_number(player)
        if found is None or mine is None or ladder.state.number_of.get(found.challenged) != mine:
            raise Problem("not-found", msg("challenges.no_such_challenge"))
        if found.state != OPEN:
            raise Problem("conflict", msg("challenges.answered"))
        both = ladder.find_pair(found)
        if both is None:
            raise Problem("conflict", msg("challenges.gone"))
        _settle(ladder, found, both, ACCEPTED if accept else DECLINED)
        return found


def find_open_challenges(player: str, tournament: str) -> list[ChallengeRow]:
    """The challenges that wait for an answer of this player, the oldest first."""
    mine = (ChallengeRow.tournament == tournament) & (ChallengeRow.challenged == player) & (ChallengeRow.state == OPEN)
    return list(ChallengeRow.select().where(mine).order_by(ChallengeRow.made_at, ChallengeRow.id))


def find_waiting_challenge(player: str, tournament: str, who: str = "") -> ChallengeRow:
    """The challenge that waits for this player's answer: the oldest, or that of who is named."""
    found = find_open_challenges(player, tournament)
    if who and found:
        rival = find_rival(tournament, who)
        found = [each for each in found if each.challenger == rival]
    if not found:
        raise Problem("not-found", msg("challenges.no_such_challenge"))
    return found[0]


def find_rival(tournament: str, name: str) -> str:
    """The player on the ladder whom a name or an id means, where only one fits."""
    state = load_state(tournament)
    named = [player for player, _ in find_people([name])[name] if player in state.inside and player in state.number_of]
    if len(named) != 1:
        raise Problem("not-found", msg("challenges.nobody", name=name))
    return named[0]


def _settle(ladder: RunningLadder, challenge: ChallengeRow, both: tuple[Number, Number], how: str) -> None:
    """Write the pair of a challenge, and either let its match be made or the challenged forfeit; in a transaction."""
    row, state, plan = ladder.row, ladder.state, ladder.plan
    place = len(ladder.round.pairs) + 1
    seats, at = state.seat_challenge(plan.name, both), now()
    pairing = ids.new_id()
    people = tuple(state.holders[number] for number in seats)
    lines: list[Line] = [PairLine(pairing, RoundName(plan.name, 1), 0, people)]
    if how != ACCEPTED:
        lines.append(ResultLine(pairing, tuple(_forfeit_result(number, both[1]) for number in seats)))
    write_lines(row, lines, at)
    write_rounds(row, load_state(row.id), ladder.document)
    challenge.state, challenge.answered_at, challenge.pairing = how, at, pairing
    challenge.save(only=[ChallengeRow.state, ChallengeRow.answered_at, ChallengeRow.pairing])
    jobs = make_match_jobs(row.id, plan.name, 1, place, place, at) if how == ACCEPTED else []
    jobs.append(_letter(challenge, state.holders[both[0]], how))
    if how == SILENT:
        jobs.append(_letter(challenge, state.holders[both[1]], "missed"))
    queue.add_all(jobs)


def _forfeit_result(number: Number, loser: Number) -> SeatResult:
    return SeatResult(2, 0, How.FORFEIT) if number == loser else SeatResult(1, 0, How.PLAYED)


def _letter(challenge: ChallengeRow, player: str, what: str) -> NewJob:
    letter = ChallengeLetter(tournament=challenge.tournament, challenge=challenge.id, player=player, what=what)
    return NewJob(letter, f"{letter.kind}:{challenge.id}:{what}")


def take_silent_challenge(job: Job[TakeSilentChallenge], _config: Config) -> None:
    """The job of a challenge whose time to answer is over: who was silent loses. Safe to repeat."""
    challenge = ChallengeRow.get_by_id(job.payload.challenge)
    if challenge.state != OPEN:
        return
    row = TournamentRow.get_by_id(challenge.tournament)
    document = load_document(json.loads(row.document))
    plan = next(plan for plan in document.stages if plan.name == challenge.stage)
    due = find_deadline(challenge, document, plan)
    if due != challenge.answer_by:
        ChallengeRow.update(answer_by=due).where(ChallengeRow.id == challenge.id).execute()
    if now() <= due or load_state(row.id).paused:
        raise RetryLater(max(due + 1, now() + LOOK_AGAIN), "time that does not count is being given back")
    if has_unrestored_outage(now()) or has_unread_letters(due):
        raise RetryLater(now() + LOOK_AGAIN, "earlier emails or lost time have not been dealt with yet")
    with lock_tournament(row.id) as held:
        current = ChallengeRow.get_by_id(challenge.id)
        if current.state != OPEN:
            return
        state = load_state(held.id)
        ladder = RunningLadder(held, state, document, plan)
        both = ladder.find_pair(current)
        if both is None or not _is_running(state, document, plan):
            _lapse(current)
        else:
            _settle(ladder, current, both, SILENT)


def _lapse(challenge: ChallengeRow) -> None:
    ChallengeRow.update(state=LAPSED, answered_at=now()).where(
        (ChallengeRow.id == challenge.id) & (ChallengeRow.state == OPEN)
    ).execute()
    queue.add_all([_letter(challenge, challenge.challenger, LAPSED)])


def lapse_open_challenges(tournament: str, stage: str) -> None:
    """Let the challenges of a ladder that is over lapse where nobody has answered them, inside a transaction."""
    mine = (ChallengeRow.tournament == tournament) & (ChallengeRow.stage == stage) & (ChallengeRow.state == OPEN)
    for challenge in list(ChallengeRow.select().where(mine)):
        _lapse(challenge)


def select_challenges(tournament: str, state: str | None = None) -> Any:  # noqa: ANN401  # a query of peewee
    """The challenges of a tournament, or those in one state."""
    mine = ChallengeRow.tournament == tournament
    return ChallengeRow.select().where(mine if state is None else mine & (ChallengeRow.state == state))
