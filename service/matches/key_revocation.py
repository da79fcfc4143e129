"""Taking a revoked key from every seat that has it: by a line of the house, or by a new receipt before the start."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import partial

from engine.game import HOUSE
from engine.house import SeatKeys
from service.db.connection import rows, run, writing
from service.db.models import Match, SeatRow
from service.jobs import outbox_nudge as nudge
from service.matches.start import locked
from service.play import server_keys as signing
from service.play.accept import table_of
from service.play.match_log import Moved, append, entry
from service.problems import Problem
from service.record.canonical_json import Value
from service.record.signed_text_receipts import join_receipt
from service.timestamps import now

TRIES = 20
SEATED = (
    "select s.match, m.status from seat s join match m on m.id = s.match "
    "where s.player = ? and m.status in ('open', 'running')"
)


def revoke(player: str, key: str) -> list[str]:
    """Take the key from every seat of this player; the matches that changed. Doing it twice changes nothing."""
    changed = []
    for match, status in rows(SEATED, player):
        if _waiting(match, player, key) if status == "open" else _running(match, player, key):
            changed.append(match)
    return changed


def without(keys: str, key: str) -> str:
    """The keys of a seat without this one."""
    return ",".join(each for each in keys.split(",") if each != key) or "-"


def _running(match: str, player: str, key: str) -> bool:
    """Write `keys S KEYS` into a running match, unless the key is not there any more."""
    for _ in range(TRIES):
        table = table_of(match)
        seat = table.seat_of(player)
        if table.state.over or seat is None or key not in table.keys[seat].split(","):
            return False
        keys = without(table.keys[seat], key)
        row, after = entry(table, HOUSE, SeatKeys(seat, keys), "house", max(now(), table.at))
        try:
            append(table, [row], after, partial(_keep, keys, match, seat))
        except Moved:
            continue
        nudge.resolve(match)
        return True
    raise Problem("not-now", "Too much happens at one of your tables; revoke the key again in a moment.", retry_after=1)


def _keep(keys: str, match: str, seat: int) -> None:
    run("update seat set keys = ? where match = ? and seat = ?", keys, match, seat)


def _waiting(match_id: str, player: str, key: str) -> bool:
    """Change the keys of a seat before the start, with a new receipt for them."""
    with writing():
        match = locked(match_id)
        seat = SeatRow.get_or_none((SeatRow.match == match_id) & (SeatRow.player == player))
        if match.status != "open" or seat is None or key not in seat.keys.split(","):
            return False
        given = _receipt(match, seat, player, without(seat.keys, key))
        SeatRow.update(keys=given["keys"], receipt=json.dumps(given)).where(
            (SeatRow.match == match_id) & (SeatRow.seat == seat.seat)
        ).execute()
    return True


def _receipt(match: Match, seat: SeatRow, player: str, keys: str) -> Mapping[str, Value]:
    return join_receipt(
        signing.current().private,
        match=match.id,
        seat=seat.seat,
        player=player,
        seed=match.seed_hash,
        nonce=seat.nonce,
        keys=keys,
        at=now(),
    )
