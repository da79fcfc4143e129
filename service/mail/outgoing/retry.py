"""Emails that an operator sends again: those that wait are due at once, those that bounced get a new job.

An email about an old question, or whose bytes were dropped, is replaced by one about the current question.
"""

from __future__ import annotations

from service.db.connection import execute, rows, write_transaction
from service.jobs import alarms, queue
from service.mail.job_payloads import ResendLetter
from service.mail.outgoing import letter_ledger
from service.play.job_payloads import TurnLetter
from service.timestamps import now

SELECT_OPEN_JOBS = "select id, key from job where topic in ('letter', 'resend') and done_at is null and dead_at is null"
REQUEUE = (
    "update letter set state = 'queued', accepted_at = null, bounced_at = null, refused_at = null, refusals = 0, "
    "why = '' where id = ? and mime is not null and (state = 'bounced' or (state = 'deferred' and accepted_at is null))"
)
KIND_HOLES = ", ".join("?" * len(letter_ledger.QUESTION_KINDS))
SELECT_NEW_QUESTION = (
    "select s.match, s.seat, s.asked from letter l join seat s on s.match = l.match and s.seat = l.seat "  # noqa: S608  # holes
    "and s.player = l.player where l.id = ? and l.state = 'bounced' and (l.mime is null or l.seq < s.asked) "
    f"and s.asked is not null and l.kind in ({KIND_HOLES})"
)


def retry_letter(letter: str) -> bool:
    """Send an email now that waits or bounced. Return False if there is none, or neither its bytes nor a question."""
    return _retry_letter(letter, _open_jobs())


def _open_jobs() -> dict[str, int]:
    """Return the ids of the pending jobs that send emails, by the id of the email."""
    return {letter_ledger.letter_id(key): number for number, key in rows(SELECT_OPEN_JOBS)}


def _retry_letter(letter: str, open_jobs: dict[str, int]) -> bool:
    with write_transaction():
        for match, seat, asked in rows(SELECT_NEW_QUESTION, letter, *sorted(letter_ledger.QUESTION_KINDS)):
            queue.add(TurnLetter(match=match, seat=seat, asked=asked), f"turn-again:{letter}:{now()}")
            return True
        if not execute(REQUEUE, letter):
            return False
        if letter in open_jobs:
            queue.retry_job(open_jobs[letter])
        else:
            queue.add(ResendLetter(letter=letter), f"resend:{letter}:{now()}")
    return True


def retry_in_state(state: str, since: int) -> int:
    """Send every email now that is `bounced` or `deferred` and was written since then. Return how many."""
    sql = "select id from letter where state = ? and created_at >= ? order by created_at"
    open_jobs = _open_jobs()
    return sum(_retry_letter(letter, open_jobs) for (letter,) in rows(sql, state, since))


def resume_sending() -> int:
    """Send every email now that waits for the mail server, and clear the alarms. Return how many jobs."""
    with write_transaction():
        alarms.clear_alarms()
        waiting = "last_error <> '' and topic in ('letter', 'resend') and done_at is null and dead_at is null"
        return execute(f"update job set due_at = ?, woken_until = 0 where {waiting}", now())  # noqa: S608  # our own words
