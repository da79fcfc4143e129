"""Sending to hooks: the oldest first for each hook and match, again and again until it arrives."""

from __future__ import annotations

from random import uniform
from threading import Lock, Thread

import structlog

from service import ids as chosen
from service.config import Config
from service.db.connection import Down, forget, leave, release, rows, run, writing
from service.db.models import Hook
from service.events import deliveries
from service.jobs import outbox as jobs
from service.play.time_control import DAY, HOUR, MINUTE
from service.timestamps import now
from service.webhooks.http_client import Answer, post
from service.webhooks.message import Parcel, body_of, headers
from service.webhooks.url_policy import networks

RETRIES = (5_000, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR)
JITTER = 0.1
LEASE = MINUTE
REST = 4_000
"""How long a hook is left alone after nobody answered, however many matches wait."""
PATIENCE = 5 * DAY
"""After so long without one success a hook is switched off."""
IN_A_ROW = 25
GONE = 410
SLOW = 3_000
FAST_LANE, SLOW_LANE = 8, 8
HEAD = (
    "d.status = 'queued' and d.due_at <= ? and not exists (select 1 from delivery o where o.hook = d.hook "
    "and o.match = d.match and o.status = 'queued' and o.event < d.event)"
)
WAITING = (
    "select distinct h.id, h.failing_since is not null or h.last_ms > ? from delivery d "  # noqa: S608  # our own
    f"cross join hook h where h.id = d.hook and {HEAD} and h.deleted_at is null and h.disabled_at is null "
    "and (h.lease_until < ? or h.lease_until > ?) limit 100"
)
CLAIM = (
    "update hook set lease_until = ?, lease_token = ? where id = ? and deleted_at is null and disabled_at is null "
    "and (lease_until < ? or lease_until > ? or lease_token = ?)"
)
NEXT = (
    "select d.id, d.type, d.event, d.match, d.seat, d.seq, d.at, d.attempts from delivery d "  # noqa: S608  # our own
    f"where d.hook = ? and {HEAD} order by d.event, d.at, d.id limit 1"
)
TRIED = (
    "update delivery set attempts = attempts + 1, code = ?, answer = ?, sent_at = ?, status = ?, due_at = ? "
    "where id = ?"
)
log = structlog.get_logger("hooks")


class Lanes:
    """Which hooks are being served by this process: those that are slow or fail never crowd out the others."""

    def __init__(self) -> None:
        self._busy: dict[str, bool] = {}
        self._lock = Lock()

    def enter(self, hook: str, slow: bool) -> bool:
        """Whether there is room to serve this hook now."""
        with self._lock:
            most = SLOW_LANE if slow else FAST_LANE
            if hook in self._busy or sum(each == slow for each in self._busy.values()) >= most:
                return False
            self._busy[hook] = slow
            return True

    def leave(self, hook: str) -> None:
        """The hook is served."""
        with self._lock:
            self._busy.pop(hook, None)


LANES = Lanes()


def send(config: Config) -> None:
    """The chore of the hooks: serve those for which something is due, each in a thread of its own."""
    for hook, slow in waiting(now()):
        if LANES.enter(hook, slow):
            Thread(target=_serve, args=(hook, config), name=f"hook-{hook}", daemon=True).start()


def tidy(_config: Config) -> None:
    """The chore that gives up what could not be delivered for thirty days."""
    with writing():
        deliveries.tidy(now())


def waiting(at: int) -> list[tuple[str, bool]]:
    """The hooks for which something is due and that nobody serves, and whether each is slow or failing."""
    if not rows("select 1 from delivery where status = 'queued' and due_at <= ? limit 1", at):
        return []
    return [(hook, bool(slow)) for hook, slow in rows(WAITING, SLOW, at, at, at + LEASE)]


def _serve(hook: str, config: Config) -> None:
    try:
        serve(hook, config)
    except Down as error:
        log.warning("database", error=str(error).strip(), hook=hook)
        forget()
    except Exception:
        log.exception("hook", hook=hook)
    finally:
        leave()
        LANES.leave(hook)


def serve(hook_id: str, config: Config) -> int:
    """Send what is due to this hook, one after the other, unless somebody else does; how many were taken."""
    token, taken = chosen.name(), 0
    rest = 0
    for _ in range(IN_A_ROW):
        if not _claim(hook_id, token):
            return taken
        at = now()
        found = rows(NEXT, hook_id, at)
        if not found:
            break
        answer = _try(Hook.get_by_id(hook_id), Parcel(*found[0]), token, config)
        taken += answer.good
        if answer.code is None:
            rest = now() + REST
            break
    with writing():
        run("update hook set lease_until = ? where id = ? and lease_token = ?", rest, hook_id, token)
    return taken


def _claim(hook: str, token: str) -> bool:
    at = now()
    with writing():
        return run(CLAIM, at + LEASE, token, hook, at, at + LEASE, token) == 1


def _try(hook: Hook, parcel: Parcel, token: str, config: Config) -> Answer:
    """One try of one delivery, and what becomes of it."""
    body = body_of(hook, parcel, config)
    if body is None:
        answer = Answer(200, "", 0)
        with writing():
            run("update delivery set status = 'expired', answer = ? where id = ?", "not yours to see", parcel.id)
        return answer
    release()  # who only waits needs no connection
    answer = post(hook.url, body, headers(hook, parcel.id, body), networks(config.hook_networks))
    with writing():
        # Fenced: whoever holds the hook by now decides what becomes of the delivery.
        if run("update hook set last_ms = ? where id = ? and lease_token = ?", answer.ms, hook.id, token) == 1:
            _note(hook, parcel, answer)
    return answer


def _note(hook: Hook, parcel: Parcel, answer: Answer) -> None:
    """Keep what came of a try, inside a transaction."""
    at = now()
    run(
        "insert into attempt (delivery, at, code, answer, ms) values (?, ?, ?, ?, ?)",
        parcel.id,
        at,
        answer.code,
        answer.text,
        answer.ms,
    )
    if answer.good:
        run(TRIED, answer.code, answer.text, at, "delivered", at, parcel.id)
        if hook.failing_since is not None:
            run("update hook set failing_since = null where id = ?", hook.id)
            deliveries.hasten(hook.id, at)
        return
    due_at = at + _wait(parcel.attempts, answer)
    run(TRIED, answer.code, answer.text, at, "queued", due_at, parcel.id)
    behind = "update delivery set due_at = ? where hook = ? and match = ? and status = 'queued' and due_at < ?"
    run(behind, due_at, hook.id, parcel.match, due_at)
    _failed(hook, answer, at)


def _wait(attempts: int, answer: Answer) -> int:
    """How long until the next try: by the plan, give or take a little, or as long as the receiver asks for."""
    planned = RETRIES[min(attempts, len(RETRIES) - 1)]
    asked = min((answer.retry_after or 0) * 1000, DAY)
    return max(int(planned * uniform(1 - JITTER, 1 + JITTER)), asked)  # noqa: S311  # spreads retries


def _failed(hook: Hook, answer: Answer, at: int) -> None:
    since = hook.failing_since or at
    run("update hook set failing_since = ? where id = ?", since, hook.id)
    if answer.code == GONE:
        _disable(hook, "the receiver says it is gone (410)", at)
    elif at - since >= PATIENCE:
        said = f"status {answer.code}" if answer.code else answer.text
        _disable(hook, f"nothing arrived for {PATIENCE // DAY} days; the last try gave: {said}", at)


def _disable(hook: Hook, why: str, at: int) -> None:
    run("update hook set disabled_at = ?, why = ? where id = ? and disabled_at is null", at, why, hook.id)
    payload = {"kind": "hook-disabled", "player": hook.player, "hook": hook.id, "url": hook.url, "why": why}
    jobs.add("letter", f"hook-disabled:{hook.id}:{at}", payload)
