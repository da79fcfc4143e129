"""The rounds of a doctor: what waits too long, and why."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from service.clock import GRACE
from service.database import rows
from service.moment import now, rfc3339
from worker import heartbeat
from worker.chores import TOPICS

MINUTE = 60_000
LONG = MINUTE
SHOWN = 20
"""How many of a kind are named one by one."""


@dataclass(frozen=True)
class Ailment:
    """Something that is stuck: what kind, what is the matter, and whether it is serious or only to be known."""

    kind: str
    values: dict[str, object]
    serious: bool = True


def alive(at: int) -> bool:
    """Whether some worker was heard lately."""
    sql = "select max(at) from heartbeat where worker <> ?"
    ((last,),) = rows(sql, heartbeat.STOPPED)
    return last is not None and at - last <= heartbeat.LATE


def _workers(at: int) -> Iterator[Ailment]:
    living = alive(at)
    for worker, last in heartbeat.silent(at):
        yield Ailment("silent", {"worker": worker, "since": rfc3339(last)}, serious=not living)
    if not living and not heartbeat.silent(at):
        ((last,),) = rows("select max(at) from heartbeat")
        yield Ailment("stopped", {"since": rfc3339(last) or "-"}, serious=False)


def _unresolved(at: int) -> Iterator[Ailment]:
    sql = (
        "select id, head_seq, resolved_seq, head_at from match where resolved_seq < head_seq and head_at < ? "
        "order by head_at"
    )
    found = rows(sql, at - LONG)
    for match, head, resolved, since in found[:SHOWN]:
        values = {"match": match, "head": head, "resolved": resolved, "since": rfc3339(since)}
        yield Ailment("unresolved", values)
    if len(found) > SHOWN:
        yield Ailment("more-unresolved", {"count": len(found) - SHOWN})


def _jobs(at: int) -> Iterator[Ailment]:
    sql = (
        "select topic, count(*), min(due_at), max(last_error) from job where done_at is null and dead_at is null "
        "and due_at < ? group by topic order by topic"
    )
    for topic, count, since, error in rows(sql, at - LONG):
        yield Ailment("due", {"topic": topic, "count": count, "since": rfc3339(since), "why": error or "-"})
    sql = (
        "select topic, count(*), min(due_at), max(last_error) from job where done_at is null and dead_at is null "
        "and due_at >= ? and last_error <> '' group by topic order by topic"
    )
    for topic, count, since, error in rows(sql, at - LONG):
        known = topic in TOPICS
        values = {"topic": topic, "count": count, "since": rfc3339(since), "why": error}
        yield Ailment("retried", values, serious=not known)
    dead = rows(
        "select id, topic, attempts, dead_at, last_error from job where dead_at is not null order by dead_at desc"
    )
    for number, topic, attempts, since, error in dead[:SHOWN]:
        values = {"job": number, "topic": topic, "attempts": attempts, "since": rfc3339(since), "why": error}
        yield Ailment("dead", values)
    if len(dead) > SHOWN:
        yield Ailment("more-dead", {"count": len(dead) - SHOWN})


def _undelivered(at: int) -> Iterator[Ailment]:
    sql = (
        "select d.hook, h.url, count(*), min(d.at), max(d.answer) from delivery d join hook h on h.id = d.hook "
        "where d.status = 'queued' and d.due_at < ? and h.deleted_at is null and h.disabled_at is null "
        "group by d.hook, h.url order by min(d.at)"
    )
    for hook, url, count, since, answer in rows(sql, at - LONG):
        yield Ailment("undelivered", {"hook": hook, "url": url, "count": count, "since": rfc3339(since), "why": answer})
    for hook, url, since, why in rows(
        "select id, url, disabled_at, why from hook where disabled_at is not null and deleted_at is null"
    ):
        values = {"hook": hook, "url": url, "since": rfc3339(since), "why": why}
        yield Ailment("disabled", values, serious=False)


def _mail(at: int) -> Iterator[Ailment]:
    ((count, since),) = rows(
        "select count(*), min(received) from inbox where read_at is null and received < ?", at - LONG
    )
    if count:
        yield Ailment("unread", {"count": count, "since": rfc3339(since)})


def _overdue(at: int) -> Iterator[Ailment]:
    sql = (
        "select s.match, s.seat, s.due_at from seat s join match m on m.id = s.match where s.due_at < ? "
        "and s.paused_at is null and s.asked is not null and m.status = 'running' order by s.due_at"
    )
    found = rows(sql, at - GRACE - 10 * LONG)
    for match, seat, since in found[:SHOWN]:
        yield Ailment("overdue", {"match": match, "seat": seat, "since": rfc3339(since)})


ROUNDS: tuple[Callable[[int], Iterator[Ailment]], ...] = (
    _workers,
    _unresolved,
    _jobs,
    _undelivered,
    _mail,
    _overdue,
)


def ailments() -> list[Ailment]:
    """Everything that is stuck now."""
    at = now()
    return [each for look in ROUNDS for each in look(at)]
