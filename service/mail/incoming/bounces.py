"""Letters that come back: they count only at their own return path, and only as delivery reports."""

from __future__ import annotations

import re
from dataclasses import dataclass

from service.accounts import bounces
from service.db.connection import execute, rows
from service.jobs import outbox
from service.mail.incoming.parse_message import ParsedMessage
from service.mail.reply_addresses import ReplyAddress
from service.timestamps import now

STATUS_CODE = re.compile(r"[245]\.\d{1,3}\.\d{1,3}")


SUSPENDED_AFTER = 2
SELECT_ORGANISERS = (
    "select s.match, s.seat, coalesce(m.arbiter, m.created_by) from seat s join match m on m.id = s.match "
    "where s.player = ? and m.status = 'running'"
)


def handle_report(mail: ParsedMessage, asked: ReplyAddress) -> str:
    """Note what a report says of the letter this return path belongs to, inside a transaction; in a word."""
    found = parse_reports(mail)
    worst = next((bounce for bounce in found if bounce.final), next(iter(found), None))
    if worst is None or asked.letter is None:
        return "no-report"
    why = f"{worst.status} {worst.action}"[:100]
    if not worst.final:
        if worst.action == "delayed":
            execute(
                "update letter set state = 'deferred', why = ? where id = ? and state = 'accepted'", why, asked.letter
            )
        return worst.action[:40]
    sql = "update letter set state = 'bounced', bounced_at = ?, why = ? where id = ? and bounced_at is null"
    if execute(sql, now(), why, asked.letter) and asked.player:
        record_bounce(asked.player, worst.status)
    return "failed"


def record_bounce(player: str, status: str) -> None:
    """Count it against the address, inside a transaction; the second suspends it, clocks rest, organisers are told."""
    execute("update player set bounces = bounces + 1 where id = ?", player)
    suspend = "update player set bounced_at = ? where id = ? and bounces >= ? and bounced_at is null"
    if not execute(suspend, now(), player, SUSPENDED_AFTER):
        return
    bounces.pause_clocks(player)
    for match, seat, organiser in rows(SELECT_ORGANISERS, player):
        if organiser and organiser != player:
            payload = {"kind": "absent", "player": organiser, "match": match, "seat": seat, "status": status}
            outbox.add("letter", f"absent:{match}:{seat}:{now()}", payload)


@dataclass(frozen=True)
class Bounce:
    """What a mail server reports of one address."""

    recipient: str
    status: str
    action: str

    @property
    def final(self) -> bool:
        """Whether the letter will not arrive."""
        return self.action == "failed" and self.status.startswith("5")


def parse_reports(mail: ParsedMessage) -> tuple[Bounce, ...]:
    """What a delivery report says, address by address; empty for anything else."""
    return tuple(bounce for report in mail.reports for bounce in _parse_report(report))


def _parse_report(report: str) -> list[Bounce]:
    found = []
    for group in re.split(r"\n\s*\n", report)[:100]:
        fields = {
            name.strip().lower(): value.strip() for name, _, value in (row.partition(":") for row in group.split("\n"))
        }
        status = STATUS_CODE.search(fields.get("status", ""))
        if status and "action" in fields:
            address = (fields.get("original-recipient") or fields.get("final-recipient", "")).partition(";")[2].strip()
            found.append(Bounce(address.strip("<>").lower(), status[0], fields["action"].split("(")[0].strip().lower()))
    return found
