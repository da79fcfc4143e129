"""What a hook is sent: a thin message by Standard Webhooks, signed with HMAC and with Ed25519."""

from __future__ import annotations

import hmac
import json
from base64 import b64decode, b64encode
from dataclasses import dataclass
from typing import Any

from engine.words import Locale
from service.config import Config
from service.db.connection import rows
from service.db.models import Hook, Match
from service.play import accept as play
from service.play import access, views
from service.play.views import Looking
from service.timestamps import now, rfc3339
from service.webhooks import subscriptions as hooks


@dataclass(frozen=True)
class Parcel:
    """A delivery that is due."""

    id: str
    type: str
    event: int
    match: str
    seat: int | None
    seq: int
    at: int
    attempts: int


def headers(hook: Hook, id_: str, body: bytes) -> dict[str, str]:
    """The headers of a message, signed with everything that signs for this hook now."""
    at = now()
    stamp = str(at // 1000)
    text = f"{id_}.{stamp}.".encode() + body
    return {
        "Content-Type": "application/json",
        "User-Agent": "Echtra-Hooks/1",
        "webhook-id": id_,
        "webhook-timestamp": stamp,
        "webhook-signature": " ".join(_signed(secret, text) for secret in hooks.secrets(hook, at)),
    }


def _signed(secret: str, text: bytes) -> str:
    if secret.startswith(hooks.SECRET):
        key = b64decode(secret.removeprefix(hooks.SECRET))
        return f"v1,{b64encode(hmac.digest(key, text, 'sha256')).decode()}"
    return f"v1a,{b64encode(hooks.loaded(secret).sign(text)).decode()}"


def body_of(hook: Hook, parcel: Parcel, config: Config) -> bytes | None:
    """The message as it is sent now; nothing if its match is no longer for the owner of the hook to see."""
    data: dict[str, Any] = {"hook": hook.id}
    if parcel.match:
        match = Match.get_by_id(parcel.match)
        if parcel.seat is None and not _told(hook, match):
            return None
        url = f"{config.url}/v1/matches/{parcel.match}"
        data |= {"event": parcel.event, "match": parcel.match, "seat": parcel.seat, "seq": parcel.seq, "url": url}
        if hook.league is not None:
            data["league"] = hook.league
        if "view" in hook.include.split(",") and match.status in ("running", "over"):
            data |= _view(hook, parcel.match)
    message = {"type": parcel.type, "timestamp": rfc3339(parcel.at), "data": data}
    return json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode()


def _told(hook: Hook, match: Match) -> bool:
    """Whether the owner of a hook may hear of a match; of a league that it goes on, though not how."""
    return access.readable(match, hook.player) or (hook.league is not None and hook.league == match.league)


def _view(hook: Hook, match: str) -> dict[str, Any]:
    """The table and the open lines as the owner's seat sees them at this moment."""
    table = play.table_of(match)
    seat = table.seat_of(hook.player)
    if seat is None:
        return {}
    looking = Looking(table, seat, _locale(hook.player))
    return {"table": views.shown(looking), "options": views.options(looking)}


def _locale(player: str) -> Locale:
    return "fr" if rows("select language from player where id = ?", player)[0][0] == "fr" else "en"
