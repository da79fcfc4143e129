"""What a worker does: the handler of each topic of jobs, and the periodic tasks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from service.accounts.job_payloads import GrantWish, RemoveRevokedKey
from service.config import Config
from service.db.connection import write_transaction
from service.jobs import heartbeat, retention
from service.jobs.heartbeat import RestoreLostTime
from service.jobs.payloads import LetterJob
from service.jobs.queue import Job, JobHandler, handles
from service.mail import reply_addresses
from service.mail.incoming import imap_poller, inbox, lobby_commands
from service.mail.job_payloads import ReadInbox, ResendLetter
from service.mail.outgoing import deliver
from service.matches import guest_matches, key_claims, key_revocation, start
from service.matches.job_payloads import GrantClaim, RevokeRetiredKey, WithdrawErasedPlayer
from service.play import outages, reminders, timeouts
from service.play.job_payloads import TakeMissedDeadline, TakeResult
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
    """Start or cancel the matches whose start is due, and cancel open matches that waited too long."""
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
    """Let a key play to which nobody has objected. Safe to repeat."""
    key_claims.grant_claim(job.payload.player, job.payload.key)


def delete_old_rows(config: Config) -> None:
    """Delete old rows of ledgers, and expired reply addresses."""
    retention.delete_old_rows(config)
    with write_transaction():
        reply_addresses.delete_expired(now())


@dataclass(frozen=True)
class PeriodicTask:
    """A task that each worker runs every `every` seconds. Several workers may run it at once."""

    every: float
    do: Callable[[Config], None]


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

PERIODIC_TASKS: dict[str, PeriodicTask] = {
    "heartbeat": PeriodicTask(60, heartbeat.beat),
    "calendar": PeriodicTask(10, start_and_expire_matches),
    "clocks": PeriodicTask(5, timeouts.check_clocks),
    "tournaments": PeriodicTask(1, rounds.take_due_steps),
    "reminders": PeriodicTask(60, reminders.queue_all),
    "ratings": PeriodicTask(2, rate_finished_matches.count_ended_matches),
    "answers": PeriodicTask(10, answer_times.measure_ended_matches),
    "hooks": PeriodicTask(0.2, sender.send_due),
    "deliveries": PeriodicTask(3600, sender.expire_deliveries),
    "imap": PeriodicTask(imap_poller.POLL_SECONDS, imap_poller.poll),
    "letters": PeriodicTask(3600, deliver.forget_old_letters),
    "retention": PeriodicTask(3600, delete_old_rows),
    "guests": PeriodicTask(3600, guest_matches.erase_expired_guests),
    "demo": PeriodicTask(10, demo_people.play_for_demo_people),
}
"""The tasks of the sweeper, by their names in logs."""
