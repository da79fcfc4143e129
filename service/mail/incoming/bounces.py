"""Letters that come back: they count only at their own return path, and only as delivery reports."""

from __future__ import annotations

from service.accounts import bounces
from service.db.connection import rows, run
from service.jobs import outbox as jobs
from service.mail.incoming import sender_checks as sender
from service.mail.incoming.parse_message import Mail
from service.mail.reply_addresses import Asked
from service.timestamps import now

SUSPENDED_AFTER = 2
ORGANISERS = (
    "select s.match, s.seat, coalesce(m.arbiter, m.created_by) from seat s join match m on m.id = s.match "
    "where s.player = ? and m.status = 'running'"
)


def take(mail: Mail, asked: Asked) -> str:
    """Note what a report says of the letter this return path belongs to, inside a transaction; in a word."""
    found = sender.bounces(mail)
    worst = next((bounce for bounce in found if bounce.final), next(iter(found), None))
    if worst is None or asked.letter is None:
        return "no-report"
    why = f"{worst.status} {worst.action}"[:100]
    if not worst.final:
        if worst.action == "delayed":
            run("update letter set state = 'deferred', why = ? where id = ? and state = 'accepted'", why, asked.letter)
        return worst.action[:40]
    sql = "update letter set state = 'bounced', bounced_at = ?, why = ? where id = ? and bounced_at is null"
    if run(sql, now(), why, asked.letter) and asked.player:
        count(asked.player, worst.status)
    return "failed"


def count(player: str, status: str) -> None:
    """Count it against the address, inside a transaction; the second suspends it, clocks rest, organisers are told."""
    run("update player set bounces = bounces + 1 where id = ?", player)
    suspend = "update player set bounced_at = ? where id = ? and bounces >= ? and bounced_at is null"
    if not run(suspend, now(), player, SUSPENDED_AFTER):
        return
    bounces.bounced(player)
    for match, seat, organiser in rows(ORGANISERS, player):
        if organiser and organiser != player:
            payload = {"kind": "absent", "player": organiser, "match": match, "seat": seat, "status": status}
            jobs.add("letter", f"absent:{match}:{seat}:{now()}", payload)
