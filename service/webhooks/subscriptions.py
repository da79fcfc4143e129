"""Hooks: addresses that want to be told, with the secrets that prove it is us who tells."""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Sequence
from secrets import token_bytes
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from service import ids as chosen
from service.config import Config
from service.db.connection import rows, writing
from service.db.models import Hook
from service.events import deliveries
from service.events.deliveries import Written
from service.events.log import TYPES
from service.play import access
from service.play.time_control import DAY
from service.problems import Problem
from service.timestamps import now
from service.webhooks.url_policy import BadAddress, networks, parsed

MOST = 10
OVERLAP = DAY
"""How long the old secrets sign too after new ones were made."""
PING = "ping"
SECRET, PRIVATE, PUBLIC = "whsec_", "whsk_", "whpk_"


def of(player: str, hook: str) -> Hook:
    """A hook of this player."""
    found = Hook.get_or_none((Hook.id == hook) & (Hook.player == player) & Hook.deleted_at.is_null())
    if found is None:
        raise Problem("not-found", "You have no such hook.")
    return found


def listed(player: str, after: tuple[Any, ...] | None, limit: int) -> list[Hook]:
    """The hooks of a player, oldest first."""
    mine = Hook.select().where((Hook.player == player) & Hook.deleted_at.is_null())
    if after is not None:
        at, id_ = after
        mine = mine.where((Hook.created_at > at) | ((Hook.created_at == at) & (Hook.id > id_)))
    return list(mine.order_by(Hook.created_at, Hook.id).limit(limit))


def create(
    player: str,
    url: str,
    events: Sequence[str],
    match: str | None,
    league: str | None,
    include: Sequence[str],
    config: Config,
) -> Hook:
    """A new hook, inside a transaction."""
    check_url(url, config)
    _check_scope(player, match, league)
    ((count,),) = rows("select count(*) from hook where player = ? and deleted_at is null", player)
    if count >= MOST:
        raise Problem("limit-reached", f"You have {MOST} hooks, which is the most; remove one first.")
    return Hook.create(
        id=chosen.name(),
        player=player,
        match=match,
        league=league,
        url=url,
        events=json.dumps(list(events)),
        include=",".join(include),
        secret=_secret(),
        private=_private(),
        old_secret="",
        created_at=now(),
        why="",
    )


def _check_scope(player: str, match: str | None, league: str | None) -> None:
    """Refuse a hook on what is not for this player to hear of."""
    if match is not None and league is not None:
        told = "a hook is on one match, on one league, or on everything of yours"
        raise Problem("invalid", f"{told[0].upper()}{told[1:]}.", errors=[{"field": "league", "reason": told}])
    if match is not None:
        access.find(match, player)
    if league is not None:
        found = rows("select created_by from league where id = ?", league)
        if not found:
            raise Problem("not-found", "There is no such league.")
        if found[0][0] != player:
            raise Problem("forbidden", "Only who opened a league hears of all its matches.")


def check_url(url: str, config: Config) -> None:
    """Refuse an address that we would not connect to, as far as its form tells."""
    try:
        parsed(url, networks(config.hook_networks))
    except BadAddress as error:
        told = str(error)
        raise Problem("invalid", f"{told[0].upper()}{told[1:]}.", errors=[{"field": "url", "reason": told}]) from None


def _secret() -> str:
    return SECRET + b64encode(token_bytes(32)).decode()


def _private() -> str:
    return PRIVATE + b64encode(token_bytes(32)).decode()


def public(private: str) -> str:
    """The key with which anybody checks what this one signed."""
    return PUBLIC + b64encode(loaded(private).public_key().public_bytes_raw()).decode()


def loaded(private: str) -> Ed25519PrivateKey:
    """The key of a hook that signs."""
    return Ed25519PrivateKey.from_private_bytes(b64decode(private.removeprefix(PRIVATE)))


def secrets(hook: Hook, at: int) -> list[str]:
    """Everything that signs for this hook now, the newest first."""
    old = hook.old_secret.split() if hook.old_until is not None and at < hook.old_until else []
    return [hook.secret, hook.private, *old]


def rotate(player: str, hook_id: str) -> Hook:
    """New secrets, inside a transaction; the old ones sign too for a day."""
    hook = of(player, hook_id)
    hook.old_secret = f"{hook.secret} {hook.private}"
    hook.old_until = now() + OVERLAP
    hook.secret, hook.private = _secret(), _private()
    hook.save(only=(Hook.old_secret, Hook.old_until, Hook.secret, Hook.private))
    return hook


def change(player: str, hook_id: str, changes: dict[str, Any], config: Config) -> Hook:
    """The hook with these changes; switched on again, it is tried at once."""
    with writing():
        hook = of(player, hook_id)
        if "url" in changes:
            check_url(changes["url"], config)
            hook.url = changes["url"]
        if "events" in changes:
            hook.events = json.dumps(list(changes["events"]))
        if "include" in changes:
            hook.include = ",".join(changes["include"])
        if "enabled" in changes:
            hook.disabled_at = None if changes["enabled"] else hook.disabled_at or now()
            hook.why = "" if changes["enabled"] else hook.why or "switched off by its owner"
            hook.failing_since = None
        hook.save(only=(Hook.url, Hook.events, Hook.include, Hook.disabled_at, Hook.why, Hook.failing_since))
        if hook.disabled_at is None:
            deliveries.hasten(hook.id, now())
    return hook


def remove(player: str, hook_id: str) -> None:
    """The hook gets nothing any more."""
    with writing():
        hook = of(player, hook_id)
        Hook.update(deleted_at=now(), secret="", private="", old_secret="").where(Hook.id == hook.id).execute()


def ping(player: str, hook_id: str) -> str:
    """Queue a delivery that says nothing, inside a transaction; its id."""
    hook = _enabled(of(player, hook_id))
    return deliveries.queue(hook.id, Written(0, player, "", None, 0, PING), now())


def replay(player: str, hook_id: str, since: int) -> int:
    """Send everything again that happened since then; how many deliveries."""
    with writing():
        hook = _enabled(of(player, hook_id))
        return deliveries.replay(hook.id, since, now())


def _enabled(hook: Hook) -> Hook:
    if hook.disabled_at is not None:
        raise Problem("conflict", f"The hook is switched off: {hook.why}. Switch it on first, with `enabled`.")
    return hook


def shown(hook: Hook, *, secret: bool = False) -> dict[str, Any]:
    """A hook as its owner sees it; the secret only when it is new."""
    told = {
        "id": hook.id,
        "url": hook.url,
        "match": hook.match,
        "league": hook.league,
        "events": json.loads(hook.events),
        "include": hook.include.split(",") if hook.include else [],
        "public_key": public(hook.private),
        "created_at": hook.created_at,
        "enabled": hook.disabled_at is None,
        "disabled_at": hook.disabled_at,
        "why": hook.why,
        "failing_since": hook.failing_since,
        "waiting": rows("select count(*) from delivery where hook = ? and status = 'queued'", hook.id)[0][0],
    }
    return {**told, "secret": hook.secret} if secret else told


def types() -> list[str]:
    """Every type of event a hook may ask for."""
    return list(TYPES)
