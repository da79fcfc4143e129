"""Missed deadlines: recording them in the log, with the consequence set by the match's policy."""

from __future__ import annotations

from dataclasses import dataclass

from engine.game import HOUSE, AnyAction, final_scores, to_act
from engine.house import BotTakes, End, Resign, Timeout
from service.config import Config
from service.db.connection import execute, rows
from service.db.log_writer import HeadMoved
from service.events.log import Event, write_events
from service.jobs import queue
from service.jobs.heartbeat import OUTAGE
from service.play import seat_clock
from service.play.bounce_pauses import resume_clocks
from service.play.job_payloads import LateLetter, TakeMissedDeadline
from service.play.match_log import AdditionOr, LogAddition, MatchBusy, append_to_match, next_entries
from service.play.seat_clock import ClockState
from service.play.time_control import GRACE
from service.record.match_state import MatchState
from service.timestamps import DAY, now

TRIES = 5
AT_ONCE = 200
DUEL = 2
LATE = "late"
"""Mark of a question whose deadline was missed and excused."""
PASSED_DEADLINES = (
    "select s.match, s.seat from seat s cross join match m where m.id = s.match and s.due_at <= ? "
    "and s.paused_at is null and s.asked is not null and m.status = 'running' and m.resolved_seq = m.head_seq "
    "order by s.due_at limit ?"
)
SEAT = (
    "select s.asked, s.bank, s.since, s.due_at, s.turns, s.excuses, s.reminded, m.clock, m.policy, p.id, p.zone, "
    "p.quiet_weekends, m.leave_allowed from seat s join match m on m.id = s.match join player p on p.id = s.player "
    "where s.match = ? and s.seat = ? and s.due_at <= ? and s.paused_at is null and m.resolved_seq = m.head_seq"
)
# An unread email may be anybody's. One that could not be read for a day holds up only its own table.
UNREAD = (
    "select 1 from inbox where read_at is null and received <= ? "
    "and ((match is null and received > ?) or (match = ? and seat = ?)) limit 1"
)
SET_CLOCK = (
    "update seat set excuses = ?, bank = ?, since = ?, due_at = ?, reminded = ? "
    "where match = ? and seat = ? and asked = ? and due_at = ? and paused_at is null"
)


@dataclass(frozen=True)
class MissedDeadline:
    """A deadline that a seat has missed."""

    match: str
    seat: int
    asked: int
    clock_state: ClockState
    excuses: int
    again: bool
    """True if this question was excused before."""
    policy: str
    by: seat_clock.ClockRules

    @property
    def due(self) -> int:
        """When the answer was due."""
        return self.clock_state.due_at or 0

    @property
    def outcome(self) -> str:
        """The consequence: an excuse while there are any, then the policy of the match."""
        clock = self.by.clock
        return "excused" if self.excuses and not clock.hard and not (clock.grace and self.again) else self.policy


def check_clocks(_config: Config) -> None:
    """Resume clocks that have paused long enough, and time out late seats. Runs periodically.

    Lost time is returned first: it can be distinguished from a pause only while the pause lasts.
    """
    if not has_unrestored_outage(now()):
        resume_clocks(now())
        write_timeouts()


def has_unrestored_outage(at: int) -> bool:
    """Return True if lost time has not been returned yet, so that nobody counts as late."""
    if rows("select 1 from job where topic = 'outage' and done_at is null and dead_at is null limit 1"):
        return True
    last = rows("select max(at) from heartbeat")[0][0]
    return last is not None and at - int(last) > OUTAGE


def write_timeouts() -> int:
    """Record every deadline missed by at least the grace period. Return how many."""
    return sum(time_out_seat(match, seat) for match, seat in rows(PASSED_DEADLINES, now() - GRACE, AT_ONCE))


def time_out_seat(match: str, seat: int) -> bool:
    """Record that this seat missed its deadline, if that is still true inside the writing transaction."""

    def decide(match_state: MatchState) -> AdditionOr[bool]:
        missed = _missed_deadline(match, seat)
        if missed is None or not _is_still_asked(match_state, missed) or has_unread_mail(match, seat, missed.due):
            return False
        return _timeout_addition(match_state, missed)

    try:
        return append_to_match(match, decide, tries=TRIES)
    except MatchBusy:
        return False


def _missed_deadline(match: str, seat: int) -> MissedDeadline | None:
    found = rows(SEAT, match, seat, now() - GRACE)
    if not found:
        return None
    asked, bank, since, due_at, turns, excuses, marks, clock, policy, player, zone, quiet, leave = found[0]
    by = seat_clock.rules_for(clock, player, zone, quiet=quiet, leave=leave)
    return MissedDeadline(
        match, seat, asked, ClockState(bank, since, due_at, turns), excuses, LATE in marks.split(), policy, by
    )


def _is_still_asked(match_state: MatchState, missed: MissedDeadline) -> bool:
    question = match_state.questions[missed.seat]
    return missed.seat in to_act(match_state.state) and question is not None and question.asked == missed.asked


def has_unread_mail(match: str, seat: int, due: int) -> bool:
    """Return True if an email that arrived in time and may be this seat's answer is still unread."""
    return bool(rows(UNREAD, due, due - DAY, match, seat))


def _timeout_addition(match_state: MatchState, missed: MissedDeadline) -> LogAddition[bool]:
    entries, after = next_entries(match_state, _timeout_actions(match_state, missed))

    def also() -> None:
        _set_clock(missed, after.at)
        # Asked again inside the transaction, since an email may have arrived in the meantime.
        if has_unread_mail(missed.match, missed.seat, missed.due):
            raise HeadMoved(missed.match)
        _notify_players(match_state, missed)

    return LogAddition(match_state, entries, after, True, also)


def _timeout_actions(match_state: MatchState, missed: MissedDeadline) -> list[tuple[int, AnyAction]]:
    """Return the log lines: the missed deadline and its consequence."""
    seat, bots = missed.seat, match_state.facts.game.bots
    lines: list[tuple[int, AnyAction]] = [(HOUSE, Timeout(seat, missed.due))]
    if missed.outcome == "excused":
        return lines
    if missed.outcome != "forfeit":
        return [*lines, (HOUSE, BotTakes(seat, bots.current(bots.stand_in)))]
    if match_state.facts.seats <= DUEL:
        return [*lines, (HOUSE, End("forfeit", forfeit_scores(match_state, seat)))]
    # The stand-in resigns at once, since the seat can no longer win.
    return [*lines, (HOUSE, BotTakes(seat, bots.current(bots.stand_in))), (seat, Resign())]


def forfeit_scores(match_state: MatchState, *losers: int) -> tuple[int, ...]:
    """Return the current scores with every loser below all others, as a record shows a forfeit."""
    totals = [score.total for score in final_scores(match_state.facts.game, match_state.state)]
    others = [total for seat, total in enumerate(totals) if seat not in losers]
    for loser in losers if others else ():
        totals[loser] = min(totals[loser], min(others) - 1)
    return tuple(totals)


def _set_clock(missed: MissedDeadline, at: int) -> None:
    """Restart the clock of an excused seat. Otherwise resolving the match sets it."""
    excused = missed.outcome == "excused"
    clock_state = seat_clock.renew_after_excuse(missed.clock_state, missed.by, at) if excused else missed.clock_state
    changed = execute(
        SET_CLOCK,
        missed.excuses - excused,
        clock_state.bank,
        clock_state.since,
        clock_state.due_at,
        LATE,
        missed.match,
        missed.seat,
        missed.asked,
        missed.due,
    )
    if changed != 1:
        raise HeadMoved(missed.match)


def _notify_players(match_state: MatchState, missed: MissedDeadline) -> None:
    people = [(seat, player) for seat, player in enumerate(match_state.players) if player]
    write_events(Event(player, missed.match, missed.seat, match_state.seq + 1, "seat.timeout") for _, player in people)
    for seat, player in people:
        letter = LateLetter(
            match=missed.match,
            seat=missed.seat,
            late=match_state.players[missed.seat],
            player=player,
            asked=missed.asked,
            due=missed.due,
            outcome=missed.outcome,
            excuses=max(0, missed.excuses - 1),
        )
        queue.add(letter, f"late:{missed.match}:{missed.seat}:{missed.due}:{seat}")
    queue.add(TakeMissedDeadline(match=missed.match), f"conduct:{missed.match}:{missed.seat}:{missed.due}")
