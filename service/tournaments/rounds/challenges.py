"""Challenges on ladders: making one, answering it, and losing it by silence.

Each challenge has a row in its own table. The log gets its `pair` line with the answer, or with the forfeit of a player
who declined or did not answer in time. Leave, pauses and outages do not count towards that time.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from peewee import Expression, ModelSelect

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
from service.tournaments.documents.document import StagePlan
from service.tournaments.formats.crosstable import How, Number, SeatResult
from service.tournaments.formats.ladder import Challenge, ChallengeRefused, check_challenge
from service.tournaments.formats.log_lines import Line, PairLine, ResultLine, RoundName
from service.tournaments.formats.stage_replay import RoundReplay
from service.tournaments.formats.stage_rules import LADDER
from service.tournaments.job_payloads import ChallengeLetter, TakeSilentChallenge
from service.tournaments.rounds.rounds import StepContext, has_unread_letters, make_match_jobs, write_rounds
from service.tournaments.rounds.timetable import add_pauses
from service.tournaments.tournament_caches import document_of
from service.tournaments.tournament_store import load_state, lock_tournament, write_lines

OPEN, ACCEPTED, DECLINED, SILENT, LAPSED = "open", "accepted", "declined", "silent", "lapsed"
STATES = (OPEN, ACCEPTED, DECLINED, SILENT, LAPSED)
LOOK_AGAIN = MINUTE


@dataclass(frozen=True)
class Ladder(StepContext):
    """A tournament with one of its ladders."""

    plan: StagePlan

    @property
    def round(self) -> RoundReplay:
        """Its one round."""
        return self.state.stages[self.plan.name].rounds.get(1) or RoundReplay()

    @property
    def order(self) -> tuple[Number, ...]:
        """The numbers of everybody on the ladder, best first."""
        return self.state.ladder_order(self.plan.name)

    def find_number(self, player: str) -> Number | None:
        """Return the number of a player who is in, or None."""
        return self.own_number(player) if player in self.state.inside else None

    def find_pair(self, challenge: ChallengeRow) -> tuple[Number, Number] | None:
        """Return the numbers of both players while both are in, or None.

        A player who replaces another by a ruling takes over their challenges too.
        """
        one, other = (self.state.number_of.get(player) for player in (challenge.challenger, challenge.challenged))
        if one is None or other is None or not self.state.is_in(one) or not self.state.is_in(other):
            return None
        return one, other

    @property
    def own_challenges(self) -> Expression:
        """The condition for the challenges of this ladder."""
        return (ChallengeRow.tournament == self.row.id) & (ChallengeRow.stage == self.plan.name)

    @property
    def is_running(self) -> bool:
        """True while challenges can be made and answered."""
        if not self.round.started or self.round.over or self.state.cancelled_at is not None:
            return False
        ends_at = self.timetable.end_of(self.plan, self.round)
        return ends_at is None or self.at < ends_at


def list_ladders(row: TournamentRow) -> list[Ladder]:
    """Return the ladders of a tournament."""
    loaded = StepContext.of(row)
    plans = [plan for plan in loaded.document.stages if plan.format == LADDER]
    return [Ladder(row, loaded.state, loaded.document, loaded.at, plan) for plan in plans]


def find_ladder(row: TournamentRow) -> Ladder:
    """Return the ladder of a tournament that is being played now. Raise `Problem` if there is none."""
    ladders = list_ladders(row)
    if not ladders:
        raise Problem("conflict", msg("challenges.none"))
    if ladders[0].state.paused:
        raise Problem("conflict", msg("challenges.paused"))
    running = next((ladder for ladder in ladders if ladder.is_running), None)
    if running is None:
        raise Problem("conflict", msg("challenges.not_running"))
    return running


def has_ladder(row: TournamentRow) -> bool:
    """Return True if a stage of the tournament is a ladder."""
    return any(plan.format == LADDER for plan in document_of(row).stages)


def make_challenge(player: str, tournament: str, challenged: str) -> ChallengeRow:
    """Challenge a player above on the ladder, and queue the email to them and the end of their time to answer."""
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
        made.answer_by = find_deadline(made, ladder)
        made.save(only=[ChallengeRow.answer_by])
        queue.add_all(
            [
                NewJob(TakeSilentChallenge(challenge=made.id), f"tournament-challenge:{made.id}", made.answer_by + 1),
                _letter(made, challenged, "made"),
            ]
        )
        return made


def _check_rules(ladder: Ladder, wanted: Challenge) -> None:
    plan = ladder.plan
    try:
        check_challenge(
            ladder.order,
            wanted,
            reach=plan.reach,
            at_once=plan.at_once,
            open_challenges=_open_challenges(ladder),
            recent=_recent_pairs(ladder, wanted),
        )
    except ChallengeRefused as refused:
        days = -(-plan.again_after // DAY)
        count = plan.reach if refused.reason == "beyond-reach" else plan.at_once
        reason = msg(f"challenges.refused.{refused.reason}", count=count, days=days)
        raise Problem("conflict", reason) from None


def _open_challenges(ladder: Ladder) -> Iterator[Challenge]:
    """Yield the challenges that wait for an answer or whose match is not over."""
    results = ladder.round.results
    for row in ChallengeRow.select().where(ladder.own_challenges & ChallengeRow.state.in_((OPEN, ACCEPTED))):
        if row.state == ACCEPTED:
            one, other = (ladder.state.number_of[player] for player in (row.challenger, row.challenged))
            if row.pairing not in results:
                yield Challenge(one, other)
        else:
            both = ladder.find_pair(row)
            if both is not None:
                yield Challenge(*both)


def _recent_pairs(ladder: Ladder, wanted: Challenge) -> Iterator[tuple[Number, Number]]:
    """Yield the pair if the same two met too recently to meet again."""
    number_of, both = ladder.state.number_of, {wanted.challenger, wanted.challenged}
    for row in ChallengeRow.select().where(ladder.own_challenges & ChallengeRow.pairing.is_null(is_null=False)):
        if {number_of[row.challenger], number_of[row.challenged]} == both and row.pairing in ladder.round.results:
            match = MatchRow.get_or_none(MatchRow.id == row.pairing)
            ended = match.ended_at if match is not None else None
            if now() < (ended or row.answered_at or 0) + ladder.plan.again_after:
                yield wanted.challenger, wanted.challenged


def _check_leave(ladder: Ladder, *players: str) -> None:
    """Raise `Problem` while one of the two is on leave."""
    for player in players if ladder.document.counts_leave else ():
        rest = _rest_of(player)
        if rest.covers(vacation.today(rest.zone, now())):
            key = "challenges.own_leave" if player == players[0] else "challenges.on_leave"
            raise Problem("conflict", msg(key))


def _rest_of(player: str) -> RestDays:
    leaves = tuple((first.isoformat(), last.isoformat()) for first, last in vacation.bookings(player))
    return RestDays(str(PlayerRow.get_by_id(player).zone), leaves=leaves)


def find_deadline(challenge: ChallengeRow, ladder: Ladder) -> int:
    """Return when the challenged loses by silence. Leave, pauses and outages do not count."""
    since, answer, state = challenge.made_at, ladder.plan.answer, ladder.state
    until = since + answer
    if ladder.document.counts_leave:
        until = moment_after(since, answer, _rest_of(challenge.challenged))
    # A pause that still lasts is counted up to now, so the deadline keeps moving until it is over.
    lasting = () if state.paused_at is None else ((state.paused_at, now()),)
    return add_pauses(since, until, (*ladder.document.pauses, *state.pauses, *lasting, *list_lost_times()))


def answer_challenge(player: str, tournament: str, challenge: str, *, accept: bool) -> ChallengeRow:
    """Accept a challenge, so that its match is made, or decline it, which loses it at once."""
    with lock_tournament(tournament) as row:
        ladder = find_ladder(row)
        waiting = ChallengeRow.get_or_none((ChallengeRow.id == challenge) & (ChallengeRow.tournament == row.id))
        mine = ladder.find_number(player)
        if waiting is None or mine is None or ladder.state.number_of.get(waiting.challenged) != mine:
            raise Problem("not-found", msg("challenges.no_such_challenge"))
        if waiting.state != OPEN:
            raise Problem("conflict", msg("challenges.answered"))
        both = ladder.find_pair(waiting)
        if both is None:
            raise Problem("conflict", msg("challenges.gone"))
        _settle(ladder, waiting, both, ACCEPTED if accept else DECLINED)
        return waiting


def follow_replay(match: str, replay: str) -> None:
    """Give the challenge of a match that is void the match that replays it. Call inside a transaction."""
    ChallengeRow.update(pairing=replay).where(ChallengeRow.pairing == match).execute()


def find_open_challenges(player: str, tournament: str) -> list[ChallengeRow]:
    """Return the challenges that wait for this player's answer, oldest first."""
    mine = (ChallengeRow.tournament == tournament) & (ChallengeRow.challenged == player) & (ChallengeRow.state == OPEN)
    return list(ChallengeRow.select().where(mine).order_by(ChallengeRow.made_at, ChallengeRow.id))


def find_waiting_challenge(player: str, tournament: str, who: str = "") -> ChallengeRow:
    """Return the challenge that waits for this player's answer: the oldest, or the one by the named player."""
    waiting = find_open_challenges(player, tournament)
    if who and waiting:
        rival = find_rival(tournament, who)
        waiting = [each for each in waiting if each.challenger == rival]
    if not waiting:
        raise Problem("not-found", msg("challenges.no_such_challenge"))
    return waiting[0]


def find_rival(tournament: str, name: str) -> str:
    """Return the player on the ladder with this name or id. Raise `Problem` unless exactly one fits."""
    state = load_state(tournament)
    named = [player for player, _ in find_people([name])[name] if player in state.inside and player in state.number_of]
    if len(named) != 1:
        raise Problem("not-found", msg("challenges.nobody", name=name))
    return named[0]


def _settle(ladder: Ladder, challenge: ChallengeRow, both: tuple[Number, Number], how: str) -> None:
    """Write the pair of a challenge, then queue its match or write the forfeit. Call inside a transaction."""
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
    """Job: let the challenged player lose if they have not answered in time. Safe to repeat."""
    challenge = ChallengeRow.get_by_id(job.payload.challenge)
    if challenge.state != OPEN:
        return
    ladder = _ladder_of(challenge, TournamentRow.get_by_id(challenge.tournament))
    due = find_deadline(challenge, ladder)
    if due != challenge.answer_by:
        ChallengeRow.update(answer_by=due).where(ChallengeRow.id == challenge.id).execute()
    if now() <= due or ladder.state.paused:
        raise RetryLater(max(due + 1, now() + LOOK_AGAIN), "time that does not count is being given back")
    if has_unrestored_outage(now()) or has_unread_letters(due):
        raise RetryLater(now() + LOOK_AGAIN, "earlier emails or lost time have not been dealt with yet")
    with lock_tournament(challenge.tournament) as row:
        # Read again under the lock: it may have been answered in between.
        current, ladder = ChallengeRow.get_by_id(challenge.id), _ladder_of(challenge, row)
        if current.state != OPEN:
            return
        both = ladder.find_pair(current)
        if both is None or not ladder.is_running:
            _lapse(current)
        else:
            _settle(ladder, current, both, SILENT)


def _ladder_of(challenge: ChallengeRow, row: TournamentRow) -> Ladder:
    return next(ladder for ladder in list_ladders(row) if ladder.plan.name == challenge.stage)


def _lapse(challenge: ChallengeRow) -> None:
    ChallengeRow.update(state=LAPSED, answered_at=now()).where(
        (ChallengeRow.id == challenge.id) & (ChallengeRow.state == OPEN)
    ).execute()
    queue.add_all([_letter(challenge, challenge.challenger, LAPSED)])


def lapse_open_challenges(tournament: str, stage: str) -> None:
    """Let the unanswered challenges of a ladder that is over lapse, inside a transaction."""
    mine = (ChallengeRow.tournament == tournament) & (ChallengeRow.stage == stage) & (ChallengeRow.state == OPEN)
    for challenge in list(ChallengeRow.select().where(mine)):
        _lapse(challenge)


def select_challenges(tournament: str, state: str | None = None) -> ModelSelect[ChallengeRow]:
    """Return a query for the challenges of a tournament, optionally in one state."""
    mine = ChallengeRow.tournament == tournament
    return ChallengeRow.select().where(mine if state is None else mine & (ChallengeRow.state == state))
