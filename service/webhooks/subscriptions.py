"""Hooks: addresses that receive messages, and the secrets that prove that we sent them."""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from secrets import token_bytes
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from service import ids
from service.config import Config
from service.db.connection import rows, write_transaction
from service.db.models.webhooks import HookRow
from service.events import deliveries
from service.events.deliveries import StoredEvent
from service.events.event_shapes import PING
from service.i18n.catalogue import msg
from service.play import access
from service.problems import Problem, invalid_field_problem
from service.timestamps import DAY, now
from service.webhooks.hook_shapes import HookChange, HookMade, HookShown, NewHook
from service.webhooks.url_policy import UrlNotAllowed, parse_networks, parse_url

MOST_HOOKS = 10
OVERLAP = DAY
"""How long the old secrets still sign after new ones were made."""
SECRET_PREFIX, PRIVATE_PREFIX, PUBLIC_PREFIX = "whsec_", "whsk_", "whpk_"


def find(player: str, hook: str) -> HookRow:
    """Return a hook of this player."""
    found = HookRow.get_or_none((HookRow.id == hook) & (HookRow.player == player) & HookRow.deleted_at.is_null())
    if found is None:
        raise Problem("not-found", msg("webhooks.no_such_hook"))
    return found


def list_hooks(player: str, after: tuple[Any, ...] | None, limit: int) -> list[HookRow]:
    """Return the hooks of a player, oldest first."""
    mine = HookRow.select().where((HookRow.player == player) & HookRow.deleted_at.is_null())
    if after is not None:
        at, id_ = after
        mine = mine.where((HookRow.created_at > at) | ((HookRow.created_at == at) & (HookRow.id > id_)))
    return list(mine.order_by(HookRow.created_at, HookRow.id).limit(limit))


def create(player: str, wanted: NewHook, config: Config) -> HookRow:
    """Create a hook, inside a transaction."""
    check_url(wanted.url, config)
    if wanted.match is not None:
        access.find_match(wanted.match, player)
    if HookRow.select().where((HookRow.player == player) & HookRow.deleted_at.is_null()).count() >= MOST_HOOKS:
        raise Problem("limit-reached", msg("webhooks.too_many_hooks", count=MOST_HOOKS))
    return HookRow.create(
        id=ids.new_id(),
        player=player,
        match=wanted.match,
        url=wanted.url,
        events=json.dumps(list(wanted.events)),
        include=",".join(wanted.include),
        secret=_new_secret(),
        private=_new_private_key(),
        old_secret="",
        created_at=now(),
        why="",
    )


def check_url(url: str, config: Config) -> None:
    """Refuse an address that its text alone shows to be one that we would not connect to."""
    try:
        parse_url(url, parse_networks(config.hook_networks))
    except UrlNotAllowed as error:
        raise invalid_field_problem("url", error.reason) from None


def _new_secret() -> str:
    return SECRET_PREFIX + b64encode(token_bytes(32)).decode()


def _new_private_key() -> str:
    return PRIVATE_PREFIX + b64encode(token_bytes(32)).decode()


def public_key(private: str) -> str:
    """Return the public key that verifies this key's signatures."""
    return PUBLIC_PREFIX + b64encode(load_private_key(private).public_key().public_bytes_raw()).decode()


def load_private_key(private: str) -> Ed25519PrivateKey:
    """Load the signing key of a hook."""
    return Ed25519PrivateKey.from_private_bytes(b64decode(private.removeprefix(PRIVATE_PREFIX)))


def signing_secrets(hook: HookRow, at: int) -> list[str]:
    """Return everything that signs for this hook now, the newest first."""
    old = hook.old_secret.split() if hook.old_until is not None and at < hook.old_until else []
    return [hook.secret, hook.private, *old]


def rotate_secrets(player: str, hook_id: str) -> HookRow:
    """Make new secrets, inside a transaction. The old ones also sign for a day."""
    hook = find(player, hook_id)
    hook.old_secret = f"{hook.secret} {hook.private}"
    hook.old_until = now() + OVERLAP
    hook.secret, hook.private = _new_secret(), _new_private_key()
    hook.save(only=(HookRow.old_secret, HookRow.old_until, HookRow.secret, HookRow.private))
    return hook


def change(player: str, hook_id: str, changes: HookChange, config: Config) -> HookRow:
    """Change a hook. One that is switched on again is tried at once."""
    with write_transaction():
        hook = find(player, hook_id)
        if changes.url is not None:
            check_url(changes.url, config)
            hook.url = changes.url
        if changes.events is not None:
            hook.events = json.dumps(list(changes.events))
        if changes.include is not None:
            hook.include = ",".join(changes.include)
        if changes.enabled is not None:
            hook.disabled_at = None if changes.enabled else hook.disabled_at or now()
            hook.why = "" if changes.enabled else hook.why or str(msg("webhooks.by_owner"))
            hook.failing_since = None
        hook.save(
            only=(HookRow.url, HookRow.events, HookRow.include, HookRow.disabled_at, HookRow.why, HookRow.failing_since)
        )
        if hook.disabled_at is None:
            deliveries.retry_now(hook.id, now())
    return hook


def remove(player: str, hook_id: str) -> None:
    """Remove a hook. It receives nothing from now on."""
    with write_transaction():
        hook = find(player, hook_id)
        HookRow.update(deleted_at=now(), secret="", private="", old_secret="").where(HookRow.id == hook.id).execute()


def ping(player: str, hook_id: str) -> str:
    """Queue an empty test delivery, inside a transaction. Return its id."""
    hook = _require_enabled(find(player, hook_id))
    return deliveries.queue_delivery(hook.id, StoredEvent(0, player, "", None, 0, PING), now())


def replay(player: str, hook_id: str, since: int) -> int:
    """Queue all deliveries since then again. Return how many."""
    with write_transaction():
        hook = _require_enabled(find(player, hook_id))
        return deliveries.replay(hook.id, since, now())


def _require_enabled(hook: HookRow) -> HookRow:
    if hook.disabled_at is not None:
        raise Problem("conflict", msg("webhooks.switched_off", why=hook.why))
    return hook


def describe(hook: HookRow) -> HookShown:
    """Return a hook as its owner sees it."""
    return HookShown.of(
        hook,
        events=json.loads(hook.events),
        include=hook.include.split(",") if hook.include else [],
        public_key=public_key(hook.private),
        enabled=hook.disabled_at is None,
        waiting=rows("select count(*) from delivery where hook = ? and status = 'queued'", hook.id)[0][0],
    )


def describe_new(hook: HookRow) -> HookMade:
    """Return a hook that has a new secret, with the secret."""
    return HookMade(**vars(describe(hook)), secret=hook.secret)
