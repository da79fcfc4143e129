"""Bounces: a delivery report counts only if it arrives at the return path of the email it is about."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from service.db.models.mail import LetterRow
from service.mail.incoming.answers import MailOutcome
from service.mail.incoming.incoming_letter import IncomingLetter
from service.mail.incoming.parse_message import ParsedMessage
from service.mail.outgoing import refusals
from service.mail.reply_addresses import ReplyAddress
from service.timestamps import now

QMAIL = re.compile(r"this is the (?:qmail|mail delivery)[^\n]{0,100} program", re.IGNORECASE)
QMAIL_FAILURE = re.compile(r"^<([^<>\s@]{1,64}@[^<>\s@]{1,200})>:[ \t]*((?:\n[^\n<][^\n]{0,500}){1,10})", re.MULTILINE)
"""An address that qmail could not reach, and the rows that say why."""
PLAIN_STATUS = re.compile(r"(?<![\d.])[245]\.\d{1,3}\.\d{1,3}(?![\d.])")
"""A status in a sentence that is not part of an IP address."""
LONGEST_PLAIN = 20_000
"""Maximum length to read of a bounce without a machine-readable report."""
MOST_FAILED = 100
STATUS_CODE = re.compile(r"[245]\.\d{1,3}\.\d{1,3}")


@dataclass(frozen=True)
class Bounce:
    """Report of a mail server about one address."""

    recipient: str
    status: str
    action: str

    @property
    def is_final(self) -> bool:
        """True if the email will not arrive."""
        return self.action == "failed" and self.status.startswith("5")


def handle(letter: IncomingLetter) -> MailOutcome:
    """Record a report about the email whose return path it arrived at, inside a transaction."""
    address = letter.reply_address
    return MailOutcome("bounce", _record_report(letter.mail, address) if address else "no-report")


def _record_report(mail: ParsedMessage, address: ReplyAddress) -> str:
    """Record the worst status of a report. Return it in one word."""
    reported = parse_reports(mail)
    worst = next((bounce for bounce in reported if bounce.is_final), next(iter(reported), None))
    if worst is None or address.letter is None:
        return "no-report"
    why = f"{worst.status} {worst.action}"[:100]
    if not worst.is_final:
        if worst.action == "delayed":
            accepted = (LetterRow.id == address.letter) & (LetterRow.state == "accepted")
            LetterRow.update(state="deferred", why=why).where(accepted).execute()
        return worst.action[:40]
    new = (LetterRow.id == address.letter) & LetterRow.bounced_at.is_null()
    if LetterRow.update(state="bounced", bounced_at=now(), why=why).where(new).execute() and address.player:
        _count_unless_ours(address.player, worst.status, why)
    return "failed"


def _count_unless_ours(player: str, status: str, why: str) -> None:
    """Count a bounced email, unless servers refuse us and not this player's address."""
    if refusals.is_policy(status):
        refusals.report_policy(why)
    elif refusals.are_many_bouncing(now()):
        refusals.report_many(why)
    else:
        refusals.record_bounce(player, status)


def parse_reports(mail: ParsedMessage) -> tuple[Bounce, ...]:
    """Return the reports of a delivery report by address, empty for any other message."""
    found = tuple(bounce for report in mail.reports for bounce in _parse_report(report))
    text = mail.text[:LONGEST_PLAIN]
    return found or tuple(_parse_qmail(text)) or tuple(_parse_exim(mail, text))


def _parse_exim(mail: ParsedMessage, text: str) -> Iterator[Bounce]:
    """Yield the reports of a plain bounce of Exim, which names the addresses in a header once it gives up."""
    status = PLAIN_STATUS.search(text.partition("------ This is a copy")[0])
    for address in mail.get("x-failed-recipients").split(",")[:MOST_FAILED]:
        if "@" in address:
            yield Bounce(address.strip(" <>").lower(), status[0] if status else "5.0.0", "failed")


def _parse_qmail(text: str) -> Iterator[Bounce]:
    """Yield the reports of a plain bounce of qmail: an address in brackets, and the reason below it.

    It has no machine-readable report. Without a code it is final, because qmail sends it only when it gives up.
    """
    if not QMAIL.search(text):
        return
    for address, why in QMAIL_FAILURE.findall(text.partition("--- Below this line")[0]):
        status = PLAIN_STATUS.search(why)
        yield Bounce(address.lower(), status[0] if status else "5.0.0", "failed")


def _parse_report(report: str) -> list[Bounce]:
    bounced = []
    for group in re.split(r"\n\s*\n", report)[:100]:
        fields = {
            name.strip().lower(): value.strip() for name, _, value in (row.partition(":") for row in group.split("\n"))
        }
        status = STATUS_CODE.search(fields.get("status", ""))
        if status and "action" in fields:
            address = (fields.get("original-recipient") or fields.get("final-recipient", "")).partition(";")[2].strip()
            action = fields["action"].split("(")[0].strip().lower()
            bounced.append(Bounce(address.strip("<>").lower(), status[0], action))
    return bounced
