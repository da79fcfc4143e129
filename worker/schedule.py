"""Handlers of jobs by topic, and periodic tasks with the queries for what is due."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from service.accounts.job_payloads import GrantWish, RemoveRevokedKey
from service.config import Config
from service.db.connection import write_transaction
from service.jobs import backup_watch, heartbeat, retention
from service.jobs.heartbeat import RestoreLostTime
from service.jobs.payloads import LetterJob
from service.jobs.queue import Job, JobHandler, handles
from service.mail import reply_addresses
from service.mail.incoming import imap_poller, inbox, lobby_commands
from service.mail.job_payloads import ReadInbox, ResendLetter
from service.mail.outgoing import deliver
from service.matches import guest_matches, key_claims, key_revocation, start
from service.matches.job_payloads import GrantClaim, HandOverMatches, RevokeRetiredKey, WithdrawErasedPlayer
from service.play import outages, reminders, timeouts
from service.play.bounce_pauses import LONGEST_PAUSE
from service.play.job_payloads import TakeMissedDeadline, TakeResult
from service.play.time_control import GRACE
from service.timestamps import now
from service.tournaments import job_payloads as tournament_jobs
from service.tournaments import lifecycle
from service.tournaments.entry import entrants, reserves
from service.tournaments.ratings import rate_finished_matches
from service.tournaments.rounds import challenges, results, round_jobs, rounds
from service.tournaments.rulings import ruling_jobs
from service.tournaments.views import answer_times
from service.webhooks import sender
from worker import beacon, demo_people


def start_and_expire_matches(_config: Config) -> None:
    """Start or cancel matches that are due to start, and expire open matches that never filled."""
    for match in start.matches_due_to_start(now()):
        start.start_at_time(match)
    start.expire_open_matches(now())


def process_inbox_message(job: Job[ReadInbox], config: Config) -> None:
    """Read a stored message, or make the moves that it holds. Safe to repeat."""
    inbox.process(job.payload.inbox, config, due=job.payload.due)


def remove_revoked_key(job: Job[RemoveRevokedKey], _config: Config) -> None:
    """Remove a revoked key from every seat of its player. Safe to repeat."""
    key_revocation.remove_key_from_seats(job.payload.player, job.payload.key)


def revoke_retired_key(job: Job[RevokeRetiredKey], _config: Config) -> None:
    """Revoke the key of a device that was signed out, once none of its orders wait. Safe to repeat."""
    key_revocation.revoke_retired_key(job.payload.player, job.payload.key)


def grant_key_claim(job: Job[GrantClaim], _config: Config) -> None:
    """Allow a key to play if its player has not objected. Safe to repeat."""
    key_claims.grant_claim(job.payload.player, job.payload.key)


def delete_old_rows(config: Config) -> None:
    """Delete old rows of ledgers, and expired reply addresses."""
    retention.delete_old_rows(config)
    with write_transaction():
        reply_addresses.delete_expired(now())


@dataclass(frozen=True)
class PeriodicTask:
    """Task that every worker runs at intervals. It must be safe if several run it at once."""

    every: float
    """Seconds between two runs."""
    do: Callable[[Config], None]
    due: str = ""
    """Scalar query for the time, in ms, at which something is due; NULL if nothing is. If given, the task only runs
    once that time has come. One statement reads all of these, so each must be answered by an index."""


JOB_HANDLERS: dict[str, JobHandler] = dict(
    [
        handles(LetterJob, deliver.deliver_letter),
        handles(ResendLetter, deliver.resend_letter),
        handles(ReadInbox, process_inbox_message),
        handles(RestoreLostTime, outages.restore_lost_time),
        handles(GrantWish, lobby_commands.create_wished_match),
        handles(RemoveRevokedKey, remove_revoked_key),
        handles(RevokeRetiredKey, revoke_retired_key),
        handles(GrantClaim, grant_key_claim),
        handles(HandOverMatches, guest_matches.hand_over_rest),
        handles(WithdrawErasedPlayer, entrants.withdraw_erased_player),
        handles(tournament_jobs.RunSteps, rounds.run_step_job),
        handles(tournament_jobs.FetchBeacon, beacon.fetch_beacon_value),
        handles(tournament_jobs.MakeMatches, round_jobs.make_matches),
        handles(tournament_jobs.StartMatches, round_jobs.start_matches),
        handles(tournament_jobs.EndMatch, round_jobs.end_match),
        handles(tournament_jobs.PauseMatches, round_jobs.pause_matches),
        handles(tournament_jobs.ResumeMatches, round_jobs.resume_matches),
        handles(TakeResult, results.take_result),
        handles(tournament_jobs.CloseRound, round_jobs.close_round),
        handles(tournament_jobs.ResignSeats, entrants.resign_seats),
        handles(tournament_jobs.TakeSilentChallenge, challenges.take_silent_challenge),
        handles(tournament_jobs.CancelMatches, lifecycle.cancel_matches),
        handles(tournament_jobs.EndRuledMatch, ruling_jobs.end_ruled_match),
        handles(tournament_jobs.VoidMatches, ruling_jobs.void_matches),
        handles(tournament_jobs.ReplacePlayer, ruling_jobs.replace_player),
        handles(tournament_jobs.AskReserves, reserves.run_offers_job),
        handles(TakeMissedDeadline, reserves.take_missed_deadline),
    ]
)
"""The handlers of jobs by topic."""

# Only a hook's oldest queued delivery for a match can be sent; those behind it wait, however long they are due.
NEXT_DELIVERY = (
    "(select d.due_at from delivery d join hook h on h.id = d.hook where d.status = 'queued' and h.deleted_at is null "
    "and h.disabled_at is null and not exists (select 1 from delivery o where o.hook = d.hook and o.match = d.match "
    "and o.status = 'queued' and o.event < d.event) order by d.due_at limit 1)"
)
NEXT_TIMEOUT = (
    f"select s.due_at + {GRACE} as due from seat s join match m on m.id = s.match where s.due_at is not null "  # noqa: S608  # our own words
    "and s.paused_at is null and s.asked is not null and m.status = 'running' order by s.due_at limit 1"
)
NEXT_END_OF_PAUSE = (
    f"select min(case when p.bounced_at is null then 0 else s.paused_at + {LONGEST_PAUSE} end) as due from seat s "  # noqa: S608  # our own words
    "left join player p on p.id = s.player where s.paused_at is not null"
)
NEXT_CLOCK = (
    f"(select min(due) from (select due from ({NEXT_TIMEOUT}) t union all select due from ({NEXT_END_OF_PAUSE}) e) c)"  # noqa: S608  # our own words
)
NEXT_START_OR_EXPIRY = (
    "(select min(coalesce(starts_at, expires_at)) from match where status = 'open' and pairing is null)"
)
FIRST_UNCOUNTED = "(select ended_at from match where status = 'over' and not counted order by ended_at limit 1)"
FIRST_UNTIMED = "(select ended_at from match where status = 'over' and not timed order by ended_at limit 1)"
NEXT_TOURNAMENT = "(select min(next_at) from tournament where next_at is not null)"

PERIODIC_TASKS: dict[str, PeriodicTask] = {
    "heartbeat": PeriodicTask(60, heartbeat.beat),
    "calendar": PeriodicTask(10, start_and_expire_matches, NEXT_START_OR_EXPIRY),
    "clocks": PeriodicTask(5, timeouts.check_clocks, NEXT_CLOCK),
    "tournaments": PeriodicTask(1, rounds.take_due_steps, NEXT_TOURNAMENT),
    "reminders": PeriodicTask(60, reminders.queue_all),
    "ratings": PeriodicTask(2, rate_finished_matches.count_ended_matches, FIRST_UNCOUNTED),
    "answers": PeriodicTask(10, answer_times.measure_ended_matches, FIRST_UNTIMED),
    "hooks": PeriodicTask(0.2, sender.send_due, NEXT_DELIVERY),
    "deliveries": PeriodicTask(3600, sender.expire_deliveries),
    "imap": PeriodicTask(imap_poller.POLL_SECONDS, imap_poller.poll),
    "letters": PeriodicTask(3600, deliver.forget_old_letters),
    "retention": PeriodicTask(3600, delete_old_rows),
    "backups": PeriodicTask(1800, backup_watch.check_backups),
    "guests": PeriodicTask(3600, guest_matches.erase_expired_guests),
    "demo": PeriodicTask(10, demo_people.play_for_demo_people),
}
"""The periodic tasks of the sweeper, by the name used in logs and metrics."""
