"""The checks of `echtra doctor`: work that waits too long, and why."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from service.config import Config
from service.db import database_clock, encrypted_columns, secret_encryption
from service.db.connection import DatabaseDown, rows
from service.jobs import alarms, heartbeat
from service.jobs.queue import LOST_RUNS
from service.play import timeouts
from service.play.match_loader import load_match_state
from service.play.resolve import postpone_thought, resolution_of, waiting_orders
from service.play.time_control import GRACE
from service.timestamps import MINUTE, now, rfc3339
from worker.schedule import JOB_HANDLERS

STUCK_AFTER = MINUTE
MOST_SHOWN = 20
"""Maximum number of each kind to list one by one."""

OPEN_JOBS = (
    "select topic, count(*), min(due_at), max(case when last_error <> '' then id end) from job "
    "where done_at is null and dead_at is null"
)
BY_TOPIC = "group by topic order by topic"
WAITING_DELIVERIES = (
    "select d.hook, h.url, count(*), min(d.at), h.failing_since, min(d.due_at) from delivery d "
    "join hook h on h.id = d.hook where d.status = 'queued' and h.deleted_at is null and h.disabled_at is null "
    "group by d.hook, h.url, h.failing_since order by min(d.at)"
)


@dataclass(frozen=True)
class Diagnosis:
    """A finding: its kind, the values for its sentence, and whether it is serious or only a notice."""

    kind: str
    values: dict[str, object]
    serious: bool = True


def _check_workers(at: int, _config: Config) -> Iterator[Diagnosis]:
    living = heartbeat.has_live_workers(at)
    for worker, last in heartbeat.silent_workers(at):
        yield Diagnosis("silent", {"worker": worker, "since": rfc3339(last)}, serious=not living)
    if not living and not heartbeat.silent_workers(at):
        since = rfc3339(heartbeat.last_beat())
        yield Diagnosis("stopped", {"since": since}, serious=False) if since else Diagnosis("none", {}, serious=False)


def _check_unresolved_matches(at: int, config: Config) -> Iterator[Diagnosis]:
    sql = (
        "select id, head_seq, resolved_seq, head_at from match where resolved_seq < head_seq and head_at < ? "
        "order by head_at"
    )
    found = rows(sql, at - STUCK_AFTER)
    for match, head, resolved, since in found[:MOST_SHOWN]:
        values = {"match": match, "head": head, "resolved": resolved, "since": rfc3339(since)}
        yield Diagnosis("unresolved", {**values, **_why_unresolved(match, at, config)})
    if len(found) > MOST_SHOWN:
        yield Diagnosis("more-unresolved", {"count": len(found) - MOST_SHOWN})


def _why_unresolved(match: str, at: int, config: Config) -> dict[str, object]:
    """Return why a match waits, found by a trial resolution that writes nothing."""
    try:
        match_state = load_match_state(match)
        waiting = waiting_orders([match_state]).get(match)
        resolution_of(match_state, at, config.most_entries, think=postpone_thought, waiting=waiting)
    except DatabaseDown:
        raise
    except Exception as error:  # noqa: BLE001  # whatever it is, it is the reason
        return {"why": "fails", "error": f"{type(error).__name__}: {error}".rstrip(".")}
    return {"why": "free" if heartbeat.has_live_workers(at) else "nobody"}


def _check_jobs(at: int, _config: Config) -> Iterator[Diagnosis]:
    for topic, count, since, number in rows(f"{OPEN_JOBS} and due_at < ? {BY_TOPIC}", at - STUCK_AFTER):
        error = _last_error(number)
        values = {"topic": topic, "count": count, "since": rfc3339(since), "error": error}
        yield Diagnosis("due" if error else "untried", values)
    for topic, count, since, number in rows(
        f"{OPEN_JOBS} and due_at >= ? and last_error <> '' {BY_TOPIC}", at - STUCK_AFTER
    ):
        values = {"topic": topic, "count": count, "since": rfc3339(since), "error": _last_error(number)}
        yield Diagnosis("retried", values, serious=topic not in JOB_HANDLERS)
    yield from _check_lost_jobs(at)
    dead = rows(
        "select id, topic, attempts, lost, dead_at, last_error from job where dead_at is not null order by dead_at desc"
    )
    for number, topic, attempts, lost, since, error in dead[:MOST_SHOWN]:
        values = {"job": number, "topic": topic, "attempts": attempts, "since": rfc3339(since), "error": error}
        yield Diagnosis("dead-lost", {**values, "count": lost}) if lost else Diagnosis("dead", values)
    if len(dead) > MOST_SHOWN:
        yield Diagnosis("more-dead", {"count": len(dead) - MOST_SHOWN})


def _check_lost_jobs(at: int) -> Iterator[Diagnosis]:
    """Report jobs that wait for their next try because their worker died."""
    sql = (
        f"select id, topic, lost, due_at from (select id, topic, due_at, {LOST_RUNS} as lost from job "  # noqa: S608  # our own words
        "where done_at is null and dead_at is null and lost > 0) as found where lost > 0 order by lost desc, id limit ?"
    )
    for number, topic, lost, due in rows(sql, at, MOST_SHOWN):
        values = {"job": number, "topic": topic, "count": lost, "since": rfc3339(max(due, at))}
        yield Diagnosis("lost", values, serious=False)


def _last_error(number: int | None) -> str:
    found = rows("select last_error from job where id = ?", number) if number is not None else []
    return str(found[0][0]).rstrip(".") if found else ""


def _check_deliveries(at: int, _config: Config) -> Iterator[Diagnosis]:
    for hook, url, count, since, failing, soonest in rows(WAITING_DELIVERIES):
        values = {"hook": hook, "url": url, "count": count, "since": rfc3339(since), "answer": _last_answer(hook)}
        if soonest < at - STUCK_AFTER:
            yield Diagnosis("undelivered", values)
        elif failing is not None:
            more = {"since": rfc3339(failing), "next": rfc3339(soonest)}
            yield Diagnosis("failing", {**values, **more}, serious=False)
    for hook, url, since, why in rows(
        "select id, url, disabled_at, why from hook where disabled_at is not null and deleted_at is null"
    ):
        values = {"hook": hook, "url": url, "since": rfc3339(since), "answer": why}
        yield Diagnosis("disabled", values, serious=False)


def _last_answer(hook: str) -> str:
    """Return the last answer of the receiver, or the error in its place."""
    sql = (
        "select a.code, a.answer from attempt a join delivery d on d.id = a.delivery where d.hook = ? "
        "order by a.id desc limit 1"
    )
    for code, text in rows(sql, hook):
        return f"{code or ''} {text}".strip().rstrip(".") or "-"
    return "-"


def _check_clock(_at: int, _config: Config) -> Iterator[Diagnosis]:
    offset = database_clock.clock_offset()
    if abs(offset) > database_clock.MOST_OFFSET:
        yield Diagnosis("clock", {"seconds": f"{offset:+.1f}"}, serious=False)


def _check_secrets(_at: int, config: Config) -> Iterator[Diagnosis]:
    """Report unencrypted secrets on a database server."""
    if not config.database.startswith("sqlite"):
        count = encrypted_columns.count_unencrypted()
        if count:
            kind = "unsealed" if secret_encryption.SecretKeys.known else "no-secret-key"
            yield Diagnosis(kind, {"count": count}, serious=False)


def _check_proxy(_at: int, config: Config) -> Iterator[Diagnosis]:
    if config.exposed:
        yield Diagnosis("no-proxy", {"host": config.host}, serious=False)


def _check_alarms(at: int, _config: Config) -> Iterator[Diagnosis]:
    for alarm in alarms.list_active(at):
        values = {"detail": alarm.detail, "count": alarm.count, "since": rfc3339(alarm.since)}
        yield Diagnosis(alarm.kind, values)


def _check_inbox(at: int, _config: Config) -> Iterator[Diagnosis]:
    ((count, since),) = rows(
        "select count(*), min(received) from inbox where read_at is null and state = 'new' and received < ?",
        at - STUCK_AFTER,
    )
    if count:
        yield Diagnosis("unread", {"count": count, "since": rfc3339(since)})


def _check_deadlines(at: int, _config: Config) -> Iterator[Diagnosis]:
    sql = (
        "select s.match, s.seat, s.due_at, m.resolved_seq = m.head_seq from seat s join match m on m.id = s.match "
        "where s.due_at < ? and s.paused_at is null and s.asked is not null and m.status = 'running' order by s.due_at"
    )
    for match, seat, since, resolved in rows(sql, at - GRACE - 10 * STUCK_AFTER)[:MOST_SHOWN]:
        why = _why_unwritten(match, seat, since, at) if resolved else "waits"
        yield Diagnosis("overdue", {"match": match, "seat": seat, "since": rfc3339(since), "why": why})


def _why_unwritten(match: str, seat: int, due: int, at: int) -> str:
    """Return why this missed deadline is not recorded."""
    if not heartbeat.has_live_workers(at):
        return "nobody"
    if timeouts.has_unrestored_outage(at):
        return "lost"
    return "unread" if timeouts.has_unread_mail(match, seat, due) else "free"


CHECKS: tuple[Callable[[int, Config], Iterator[Diagnosis]], ...] = (
    _check_workers,
    _check_unresolved_matches,
    _check_jobs,
    _check_deliveries,
    _check_inbox,
    _check_alarms,
    _check_secrets,
    _check_proxy,
    _check_clock,
    _check_deadlines,
)


def run_checks(config: Config) -> list[Diagnosis]:
    """Return everything that is stuck now."""
    at = now()
    return [each for look in CHECKS for each in look(at, config)]
