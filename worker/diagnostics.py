"""The rounds of a doctor: what waits too long, and why."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from service.config import Config
from service.db.connection import Down, rows
from service.jobs import heartbeat
from service.play import timeouts as clocks
from service.play.accept import table_of
from service.play.resolve import resolution_of
from service.play.time_control import GRACE
from service.timestamps import now, rfc3339
from worker.schedule import TOPICS

MINUTE = 60_000
LONG = MINUTE
SHOWN = 20
"""How many of a kind are named one by one."""

OPEN = (
    "select topic, count(*), min(due_at), max(case when last_error <> '' then id end) from job "
    "where done_at is null and dead_at is null"
)
BY_TOPIC = "group by topic order by topic"
WAITING = (
    "select d.hook, h.url, count(*), min(d.at), h.failing_since, min(d.due_at) from delivery d "
    "join hook h on h.id = d.hook where d.status = 'queued' and h.deleted_at is null and h.disabled_at is null "
    "group by d.hook, h.url, h.failing_since order by min(d.at)"
)


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


def _workers(at: int, _config: Config) -> Iterator[Ailment]:
    living = alive(at)
    for worker, last in heartbeat.silent(at):
        yield Ailment("silent", {"worker": worker, "since": rfc3339(last)}, serious=not living)
    if not living and not heartbeat.silent(at):
        ((last,),) = rows("select max(at) from heartbeat")
        since = rfc3339(last)
        yield Ailment("stopped", {"since": since}, serious=False) if since else Ailment("none", {}, serious=False)


def _unresolved(at: int, config: Config) -> Iterator[Ailment]:
    sql = (
        "select id, head_seq, resolved_seq, head_at from match where resolved_seq < head_seq and head_at < ? "
        "order by head_at"
    )
    found = rows(sql, at - LONG)
    for match, head, resolved, since in found[:SHOWN]:
        values = {"match": match, "head": head, "resolved": resolved, "since": rfc3339(since)}
        yield Ailment("unresolved", {**values, **_unresolvable(match, at, config)})
    if len(found) > SHOWN:
        yield Ailment("more-unresolved", {"count": len(found) - SHOWN})


def _unresolvable(match: str, at: int, config: Config) -> dict[str, object]:
    """Why a match waits: resolving it is tried, but nothing is written."""
    try:
        resolution_of(table_of(match), at, config.most_entries)
    except Down:
        raise
    except Exception as error:  # noqa: BLE001  # whatever it is, it is the reason
        return {"why": "fails", "error": f"{type(error).__name__}: {error}".rstrip(".")}
    return {"why": "free" if alive(at) else "nobody"}


def _jobs(at: int, _config: Config) -> Iterator[Ailment]:
    for topic, count, since, number in rows(f"{OPEN} and due_at < ? {BY_TOPIC}", at - LONG):
        error = _error(number)
        values = {"topic": topic, "count": count, "since": rfc3339(since), "error": error}
        yield Ailment("due" if error else "untried", values)
    for topic, count, since, number in rows(f"{OPEN} and due_at >= ? and last_error <> '' {BY_TOPIC}", at - LONG):
        values = {"topic": topic, "count": count, "since": rfc3339(since), "error": _error(number)}
        yield Ailment("retried", values, serious=topic not in TOPICS)
    dead = rows(
        "select id, topic, attempts, dead_at, last_error from job where dead_at is not null order by dead_at desc"
    )
    for number, topic, attempts, since, error in dead[:SHOWN]:
        values = {"job": number, "topic": topic, "attempts": attempts, "since": rfc3339(since), "error": error}
        yield Ailment("dead", values)
    if len(dead) > SHOWN:
        yield Ailment("more-dead", {"count": len(dead) - SHOWN})


def _error(number: int | None) -> str:
    found = rows("select last_error from job where id = ?", number) if number is not None else []
    return str(found[0][0]).rstrip(".") if found else ""


def _undelivered(at: int, _config: Config) -> Iterator[Ailment]:
    for hook, url, count, since, failing, soonest in rows(WAITING):
        values = {"hook": hook, "url": url, "count": count, "since": rfc3339(since), "answer": _answer(hook)}
        if soonest < at - LONG:
            yield Ailment("undelivered", values)
        elif failing is not None:
            more = {"since": rfc3339(failing), "next": rfc3339(soonest)}
            yield Ailment("failing", {**values, **more}, serious=False)
    for hook, url, since, why in rows(
        "select id, url, disabled_at, why from hook where disabled_at is not null and deleted_at is null"
    ):
        values = {"hook": hook, "url": url, "since": rfc3339(since), "answer": why}
        yield Ailment("disabled", values, serious=False)


def _answer(hook: str) -> str:
    """What the receiver said last, or what came instead of an answer."""
    sql = (
        "select a.code, a.answer from attempt a join delivery d on d.id = a.delivery where d.hook = ? "
        "order by a.id desc limit 1"
    )
    for code, text in rows(sql, hook):
        return f"{code or ''} {text}".strip().rstrip(".") or "-"
    return "-"


def _mail(at: int, _config: Config) -> Iterator[Ailment]:
    ((count, since),) = rows(
        "select count(*), min(received) from inbox where read_at is null and received < ?", at - LONG
    )
    if count:
        yield Ailment("unread", {"count": count, "since": rfc3339(since)})


def _overdue(at: int, _config: Config) -> Iterator[Ailment]:
    sql = (
        "select s.match, s.seat, s.due_at, m.resolved_seq = m.head_seq from seat s join match m on m.id = s.match "
        "where s.due_at < ? and s.paused_at is null and s.asked is not null and m.status = 'running' order by s.due_at"
    )
    for match, seat, since, resolved in rows(sql, at - GRACE - 10 * LONG)[:SHOWN]:
        why = _unwritten(match, seat, since, at) if resolved else "waits"
        yield Ailment("overdue", {"match": match, "seat": seat, "since": rfc3339(since), "why": why})


def _unwritten(match: str, seat: int, due: int, at: int) -> str:
    """Why nobody wrote down that this deadline was missed."""
    if not alive(at):
        return "nobody"
    if clocks.uncertain(at):
        return "lost"
    return "unread" if clocks.unread(match, seat, due) else "free"


ROUNDS: tuple[Callable[[int, Config], Iterator[Ailment]], ...] = (
    _workers,
    _unresolved,
    _jobs,
    _undelivered,
    _mail,
    _overdue,
)


def ailments(config: Config) -> list[Ailment]:
    """Everything that is stuck now."""
    at = now()
    return [each for look in ROUNDS for each in look(at, config)]
