"""Sending to hooks: the oldest delivery first for each hook and match, retried until it arrives."""

from __future__ import annotations

from random import uniform
from threading import Lock, Thread

import structlog

from service import ids
from service.config import Config
from service.db.connection import (
    DatabaseDown,
    close_connection,
    drop_connections,
    execute,
    release_connection,
    rows,
    write_transaction,
)
from service.db.models.webhooks import HookRow
from service.events import deliveries
from service.i18n.catalogue import Message, dump_message, msg
from service.jobs import queue
from service.jobs.payloads import PlayerLetter
from service.record.canonical_json import JsonObject
from service.timestamps import DAY, HOUR, MINUTE, now
from service.webhooks.http_client import WebhookResponse, post
from service.webhooks.message import DueDelivery, build_body, signed_headers
from service.webhooks.url_policy import parse_networks


class HookDisabledLetter(PlayerLetter, kind="hook-disabled"):
    """Tell a player that their hook failed for too long and was switched off."""

    hook: str
    url: str
    why: str = ""
    message: JsonObject | None = None


RETRIES = (5_000, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR)
JITTER = 0.1
LEASE = MINUTE
PAUSE_AFTER_FAILURE = 4_000
"""How long a hook is left alone after a delivery got no answer, even if many matches wait."""
DISABLE_AFTER = 5 * DAY
"""A hook without a success for this long is switched off."""
BATCH_SIZE = 25
GONE = 410
SLOW_MS = 3_000
FAST_SLOTS, SLOW_SLOTS = 8, 8
OLDEST_OF_MATCH = (
    "d.status = 'queued' and d.due_at <= ? and not exists (select 1 from delivery o where o.hook = d.hook "
    "and o.match = d.match and o.status = 'queued' and o.event < d.event)"
)
SELECT_DUE_HOOKS = (
    "select distinct h.id, h.failing_since is not null or h.last_ms > ? from delivery d "  # noqa: S608  # our own
    f"cross join hook h where h.id = d.hook and {OLDEST_OF_MATCH} and h.deleted_at is null and h.disabled_at is null "
    "and (h.lease_until < ? or h.lease_until > ?) limit 100"
)
CLAIM = (
    "update hook set lease_until = ?, lease_token = ? where id = ? and deleted_at is null and disabled_at is null "
    "and (lease_until < ? or lease_until > ? or lease_token = ?)"
)
SELECT_NEXT = (
    "select d.id, d.type, d.event, d.match, d.seat, d.seq, d.at, d.attempts, d.tournament from delivery d "  # noqa: S608  # our own
    f"where d.hook = ? and {OLDEST_OF_MATCH} order by d.event, d.at, d.id limit 1"
)
UPDATE_TRIED = (
    "update delivery set attempts = attempts + 1, code = ?, answer = ?, sent_at = ?, status = ?, due_at = ? "
    "where id = ?"
)
log = structlog.get_logger("hooks")


class HookSlots:
    """The hooks that this process is serving. Slow or failing ones never crowd out the rest."""

    def __init__(self) -> None:
        self._busy: dict[str, bool] = {}
        self._lock = Lock()

    def acquire(self, hook: str, slow: bool) -> bool:
        """Take a slot for this hook. Return False if none is free."""
        with self._lock:
            most = SLOW_SLOTS if slow else FAST_SLOTS
            if hook in self._busy or sum(each == slow for each in self._busy.values()) >= most:
                return False
            self._busy[hook] = slow
            return True

    def release(self, hook: str) -> None:
        """Release the slot of this hook."""
        with self._lock:
            self._busy.pop(hook, None)


SLOTS = HookSlots()


def send_due(config: Config) -> None:
    """Serve the hooks with due deliveries, each in a separate thread."""
    for hook, slow in due_hooks(now()):
        if SLOTS.acquire(hook, slow):
            Thread(target=_serve_in_thread, args=(hook, config), name=f"hook-{hook}", daemon=True).start()


def expire_deliveries(_config: Config) -> None:
    """Give up deliveries that have failed for thirty days."""
    with write_transaction():
        deliveries.expire_old(now())


def due_hooks(at: int) -> list[tuple[str, bool]]:
    """Return the hooks with due deliveries that no process is serving, and whether each is slow or failing."""
    if not rows("select 1 from delivery where status = 'queued' and due_at <= ? limit 1", at):
        return []
    return [(hook, bool(slow)) for hook, slow in rows(SELECT_DUE_HOOKS, SLOW_MS, at, at, at + LEASE)]


def _serve_in_thread(hook: str, config: Config) -> None:
    try:
        send_to_hook(hook, config)
    except DatabaseDown as error:
        log.warning("database", error=str(error).strip(), hook=hook)
        drop_connections()
    except Exception:
        log.exception("hook", hook=hook)
    finally:
        close_connection()
        SLOTS.release(hook)


def send_to_hook(hook_id: str, config: Config) -> int:
    """Send the due deliveries of this hook one after another, unless another process does. Return their number."""
    token, taken = ids.new_id(), 0
    rest = 0
    for _ in range(BATCH_SIZE):
        if not _claim_lease(hook_id, token):
            return taken
        at = now()
        found = rows(SELECT_NEXT, hook_id, at)
        if not found:
            break
        answer = _send_delivery(HookRow.get_by_id(hook_id), DueDelivery(*found[0]), token, config)
        taken += answer.is_success
        if answer.code is None:
            rest = now() + PAUSE_AFTER_FAILURE
            break
    with write_transaction():
        execute("update hook set lease_until = ? where id = ? and lease_token = ?", rest, hook_id, token)
    return taken


def _claim_lease(hook: str, token: str) -> bool:
    at = now()
    with write_transaction():
        return execute(CLAIM, at + LEASE, token, hook, at, at + LEASE, token) == 1


def _send_delivery(hook: HookRow, delivery: DueDelivery, token: str, config: Config) -> WebhookResponse:
    """Try one delivery once and record the outcome."""
    body = build_body(hook, delivery, config)
    if body is None:
        answer = WebhookResponse(200, "", 0)
        with write_transaction():
            execute("update delivery set status = 'expired', answer = ? where id = ?", "not yours to see", delivery.id)
        return answer
    release_connection()  # no connection is needed while waiting
    answer = post(hook.url, body, signed_headers(hook, delivery.id, body), parse_networks(config.hook_networks))
    with write_transaction():
        # Fenced: whichever process holds the hook now decides the fate of the delivery.
        if execute("update hook set last_ms = ? where id = ? and lease_token = ?", answer.ms, hook.id, token) == 1:
            _record_attempt(hook, delivery, answer)
    return answer


def _record_attempt(hook: HookRow, delivery: DueDelivery, answer: WebhookResponse) -> None:
    """Store the outcome of a try, inside a transaction."""
    at = now()
    execute(
        "insert into attempt (delivery, at, code, answer, ms) values (?, ?, ?, ?, ?)",
        delivery.id,
        at,
        answer.code,
        answer.text,
        answer.ms,
    )
    if answer.is_success:
        execute(UPDATE_TRIED, answer.code, answer.text, at, "delivered", at, delivery.id)
        if hook.failing_since is not None:
            execute("update hook set failing_since = null where id = ?", hook.id)
            deliveries.retry_now(hook.id, at)
        return
    due_at = at + _retry_delay(delivery.attempts, answer)
    execute(UPDATE_TRIED, answer.code, answer.text, at, "queued", due_at, delivery.id)
    behind = "update delivery set due_at = ? where hook = ? and match = ? and status = 'queued' and due_at < ?"
    execute(behind, due_at, hook.id, delivery.match, due_at)
    _record_failure(hook, answer, at)


def _retry_delay(attempts: int, answer: WebhookResponse) -> int:
    """Return the delay before the next try: by the plan with some jitter, or as long as the receiver asks for."""
    planned = RETRIES[min(attempts, len(RETRIES) - 1)]
    asked = min((answer.retry_after or 0) * 1000, DAY)
    return max(int(planned * uniform(1 - JITTER, 1 + JITTER)), asked)  # noqa: S311  # spreads retries


def _record_failure(hook: HookRow, answer: WebhookResponse, at: int) -> None:
    since = hook.failing_since or at
    execute("update hook set failing_since = ? where id = ?", since, hook.id)
    if answer.code == GONE:
        _disable_hook(hook, msg("webhooks.receiver_gone"), at)
    elif at - since >= DISABLE_AFTER:
        outcome = msg("webhooks.status", code=answer.code) if answer.code else answer.reason or answer.text
        _disable_hook(hook, msg("webhooks.nothing_arrived", days=DISABLE_AFTER // DAY, answer=outcome), at)


def _disable_hook(hook: HookRow, why: Message, at: int) -> None:
    execute("update hook set disabled_at = ?, why = ? where id = ? and disabled_at is null", at, str(why), hook.id)
    letter = HookDisabledLetter(player=hook.player, hook=hook.id, url=hook.url, why=str(why), message=dump_message(why))
    queue.add(letter, f"hook-disabled:{hook.id}:{at}")
