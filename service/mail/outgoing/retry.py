"""Letters that an operator sends again: those that wait are due at once, those that came back get a new job."""

from __future__ import annotations

from service.db.connection import execute, rows, write_transaction
from service.jobs import alarms, queue
from service.mail import letters
from service.timestamps import now

SELECT_OPEN_JOBS = "select id, key from job where topic in ('letter', 'resend') and done_at is null and dead_at is null"
REQUEUE = (
    "update letter set state = 'queued', accepted_at = null, bounced_at = null, refused_at = null, refusals = 0, "
    "why = '' where id = ? and mime is not null and (state = 'bounced' or (state = 'deferred' and accepted_at is null))"
)


def retry_letter(letter: str) -> bool:
    """Let a letter that waits or came back go out now; whether there is such a letter, and its bytes are kept."""
    return _retry_letter(letter, _open_jobs())


def _open_jobs() -> dict[str, int]:
    """The number of the job that waits to send a letter, by letter."""
    return {letters.letter_id(key): number for number, key in rows(SELECT_OPEN_JOBS)}


def _retry_letter(letter: str, open_jobs: dict[str, int]) -> bool:
    with write_transaction():
        if not execute(REQUEUE, letter):
            return False
        if letter in open_jobs:
            queue.retry_job(open_jobs[letter])
        else:
            queue.add("resend", f"resend:{letter}:{now()}", {"letter": letter})
    return True


def retry_in_state(state: str, since: int) -> int:
    """Let every letter in this state, `bounced` or `deferred`, written since then go out now; how many."""
    sql = "select id from letter where state = ? and created_at >= ? and mime is not null order by created_at"
    open_jobs = _open_jobs()
    return sum(_retry_letter(letter, open_jobs) for (letter,) in rows(sql, state, since))


def resume_sending() -> int:
    """Let every letter that waits for a mail server go out now, and end the alarms about it; how many jobs."""
    with write_transaction():
        alarms.clear_alarms()
        waiting = "last_error <> '' and topic in ('letter', 'resend') and done_at is null and dead_at is null"
        return execute(f"update job set due_at = ?, woken_until = 0 where {waiting}", now())  # noqa: S608  # our own words
