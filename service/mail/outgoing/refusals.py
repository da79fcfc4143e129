"""Refusals: whose fault it is that a mail server takes no letter, the address's or ours.

A server that refuses us by its policy, or nearly everybody we write to, says nothing about an address: letters wait
and the operator is told. Any other refusal of an address is believed when it was repeated after a while.
"""

from __future__ import annotations

import re

from service.accounts import bounces
from service.db.connection import rows
from service.jobs import alarms, queue
from service.mail.job_payloads import UnreachableLetter
from service.play import bounce_pauses
from service.timestamps import MINUTE, now

WINDOW = 30 * MINUTE
"""In which time many failures count as one cause, in ms; longer than any wait below, so that repetitions count too."""
MANY_ADDRESSES = 5
REPEAT_AFTER = 10 * MINUTE
POLICY_WAIT = 15 * MINUTE
BELIEVED_AFTER = 2
"""How many refusals of one letter count as a bounce."""
STATUS_CODE = re.compile(r"(?<![\d.])[245]\.\d{1,3}\.\d{1,3}(?![\d.])")
# Every player has confirmed an address by letter, so that it was good once.
COUNT_REFUSED = "select count(distinct address) from letter where refused_at > ? and player is not null"
COUNT_ACCEPTED = "select count(distinct address) from letter where accepted_at > ?"
COUNT_BOUNCED = "select count(distinct address) from letter where bounced_at > ? and player is not null"
SELECT_ORGANISERS = (
    "select s.match, s.seat, coalesce(m.arbiter, m.created_by) from seat s join match m on m.id = s.match "
    "where s.player = ? and m.status = 'running'"
)


def status_code(words: str) -> str:
    """The enhanced status code (RFC 3463) in what a mail server says; nothing if there is none."""
    found = STATUS_CODE.search(words)
    return found[0] if found else ""


def is_policy(words: str) -> bool:
    """Whether a mail server refuses by its policy (5.7.x: reputation, authentication, rights), not for the address."""
    return status_code(words).startswith("5.7.")


def are_many_failing(at: int) -> bool:
    """Whether so many addresses were refused within minutes, and more than were accepted, that the cause is one."""
    ((refused,),), ((accepted,),) = rows(COUNT_REFUSED, at - WINDOW), rows(COUNT_ACCEPTED, at - WINDOW)
    return bool(refused >= MANY_ADDRESSES and refused > accepted)


def are_many_bouncing(at: int) -> bool:
    """The same for letters that were accepted and came back: as many as that within minutes have one cause."""
    ((bounced,),) = rows(COUNT_BOUNCED, at - WINDOW)
    ((accepted,),) = rows(COUNT_ACCEPTED, at - WINDOW)
    return bool(bounced >= MANY_ADDRESSES and 2 * bounced > accepted)


def report_policy(words: str) -> None:
    """Tell the operator that the mail server, or those behind it, refuse us by policy."""
    alarms.raise_alarm("relay-policy", words)


def report_many(words: str) -> None:
    """Tell the operator that nearly every address is refused."""
    alarms.raise_alarm("relay-addresses", words)


def record_bounce(player: str, status: str) -> None:
    """Count a letter that came back, inside a transaction; once too many, clocks rest and organisers are told."""
    if not bounces.count_bounce(player):
        return
    bounce_pauses.pause_clocks(player)
    for match, seat, organiser in rows(SELECT_ORGANISERS, player):
        if organiser and organiser != player:
            letter = UnreachableLetter(player=organiser, match=match, seat=seat, status=status)
            queue.add(letter, f"absent:{match}:{seat}:{now()}")
