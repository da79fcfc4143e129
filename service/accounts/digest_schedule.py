"""Schedule of a player's digest: one job per hour that it is due, moved when the player chooses another hour."""

from __future__ import annotations

from service.accounts.job_payloads import DigestLetter
from service.db.connection import execute, rows
from service.i18n import dates
from service.jobs import queue
from service.timestamps import now

PENDING = (
    "select id from job where topic = 'letter' and key like ? and done_at is null and dead_at is null and due_at > ? "
    "order by due_at limit 1"
)
MOVE = (
    "update job set key = ?, payload = ?, due_at = ? where id = ? "
    "and not exists (select 1 from job other where other.key = ?)"
)


def schedule_next(player: str, hour: int, zone: str) -> None:
    """Queue the player's digest for the next such hour, unless it is queued already."""
    slot = dates.next_hour(now(), hour, zone)
    queue.add(DigestLetter(player=player, slot=slot), _key(player, slot), slot, rank=queue.BULK)


def reschedule(player: str, hour: int, zone: str) -> None:
    """Move a player's queued digest to the next such hour."""
    slot = dates.next_hour(now(), hour, zone)
    text = DigestLetter(player=player, slot=slot).to_json()
    for (number,) in rows(PENDING, f"digest:{player}:%", now()):
        execute(MOVE, _key(player, slot), text, slot, number, _key(player, slot))


def _key(player: str, slot: int) -> str:
    return f"digest:{player}:{slot}"
