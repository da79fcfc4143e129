"""Messages to hooks: short, by Standard Webhooks, signed with HMAC and with Ed25519."""

from __future__ import annotations

import hmac
import json
from base64 import b64decode, b64encode
from dataclasses import dataclass
from typing import Any

from engine.words import Locale
from service.config import Config
from service.db.models.accounts import PlayerRow
from service.db.models.matches import MatchRow
from service.db.models.tournaments import TournamentRow
from service.db.models.webhooks import HookRow
from service.play import access, match_loader, views
from service.play.views import Viewer
from service.timestamps import now, rfc3339
from service.tournaments.tournament_store import may_see
from service.webhooks import subscriptions


@dataclass(frozen=True)
class DueDelivery:
    """A delivery that is due."""

    id: str
    type: str
    event: int
    match: str
    seat: int | None
    seq: int
    at: int
    attempts: int
    tournament: str | None = None


def signed_headers(hook: HookRow, id_: str, body: bytes) -> dict[str, str]:
    """Return the headers of a message, signed with every current secret of this hook."""
    at = now()
    stamp = str(at // 1000)
    text = f"{id_}.{stamp}.".encode() + body
    return {
        "Content-Type": "application/json",
        "User-Agent": "Echtra-Hooks/1",
        "webhook-id": id_,
        "webhook-timestamp": stamp,
        "webhook-signature": " ".join(_sign(secret, text) for secret in subscriptions.signing_secrets(hook, at)),
    }


def _sign(secret: str, text: bytes) -> str:
    if secret.startswith(subscriptions.SECRET_PREFIX):
        key = b64decode(secret.removeprefix(subscriptions.SECRET_PREFIX))
        return f"v1,{b64encode(hmac.digest(key, text, 'sha256')).decode()}"
    return f"v1a,{b64encode(subscriptions.load_private_key(secret).sign(text)).decode()}"


def build_body(hook: HookRow, delivery: DueDelivery, config: Config) -> bytes | None:
    """Return the message to send now, or None if the hook's owner may no longer see its match or tournament."""
    data: dict[str, Any] = {"hook": hook.id}
    if delivery.tournament:
        row = TournamentRow.get_by_id(delivery.tournament)
        if not may_see(row, hook.player):
            return None
        url = f"{config.url}/v1/tournaments/{row.id}"
        data |= {"event": delivery.event, "tournament": row.id, "seq": delivery.seq, "url": url}
    if delivery.match:
        match = MatchRow.get_by_id(delivery.match)
        if delivery.seat is None and not access.may_read(match, hook.player):
            return None
        url = f"{config.url}/v1/matches/{delivery.match}"
        data |= {
            "event": delivery.event,
            "match": delivery.match,
            "seat": delivery.seat,
            "seq": delivery.seq,
            "url": url,
        }
        if "view" in hook.include.split(",") and match.status in ("running", "over"):
            data |= _view_data(hook, delivery.match)
    message = {"type": delivery.type, "timestamp": rfc3339(delivery.at), "data": data}
    return json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode()


def _view_data(hook: HookRow, match: str) -> dict[str, Any]:
    """Return the table and the legal lines as the owner's seat sees them now."""
    match_state = match_loader.load_match_state(match)
    seat = match_state.seat_of(hook.player)
    if seat is None:
        return {}
    viewer = Viewer(match_state, seat, _locale(hook.player))
    return {"table": views.table_as_json(viewer), "options": views.options(viewer)}


def _locale(player: str) -> Locale:
    return "fr" if PlayerRow.get_by_id(player).language == "fr" else "en"
