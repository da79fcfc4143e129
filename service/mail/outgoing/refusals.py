"""Refusals: decide whether a refused email is the fault of the address or of ourselves.

A server that refuses us by policy, or refuses nearly every address, says nothing about one address: emails wait, and
the operator is alerted. Any other refusal of an address counts if it is repeated after a while.
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
"""Failures within this time, in ms, may have one cause. Longer than any wait below, so that retries count too."""
MANY_ADDRESSES = 5
REPEAT_AFTER = 10 * MINUTE
POLICY_WAIT = 15 * MINUTE
BELIEVED_AFTER = 2
"""Number of refusals of one email that count as a bounce."""
STATUS_CODE = re.compile(r"(?<![\d.])[245]\.\d{1,3}\.\d{1,3}(?![\d.])")
# Only players are counted: their addresses were confirmed by email, so they worked once.
COUNT_REFUSED = "select count(distinct address) from letter where refused_at > ? and player is not null"
COUNT_ACCEPTED = "select count(distinct address) from letter where accepted_at > ?"
COUNT_BOUNCED = "select count(distinct address) from letter where bounced_at > ? and player is not null"
SELECT_ORGANISERS = (
    "select s.match, s.seat, coalesce(m.arbiter, m.created_by) from seat s join match m on m.id = s.match "
    "where s.player = ? and m.status = 'running'"
)


def status_code(words: str) -> str:
    """Return the enhanced status code (RFC 3463) in the answer of a mail server; empty if there is none."""
    code = STATUS_CODE.search(words)
    return code[0] if code else ""


def is_policy(words: str) -> bool:
    """Return True if a mail server refuses by policy (5.7.x: reputation, authentication, rights)."""
    return status_code(words).startswith("5.7.")


def are_many_failing(at: int) -> bool:
    """Return True if many addresses were refused lately, and more than accepted: the cause is probably ours."""
    ((refused,),), ((accepted,),) = rows(COUNT_REFUSED, at - WINDOW), rows(COUNT_ACCEPTED, at - WINDOW)
    return bool(refused >= MANY_ADDRESSES and refused > accepted)


def are_many_bouncing(at: int) -> bool:
    """Return True if many accepted emails bounced lately: the cause is probably ours."""
    ((bounced,),) = rows(COUNT_BOUNCED, at - WINDOW)
    ((accepted,),) = rows(COUNT_ACCEPTED, at - WINDOW)
    return bool(bounced >= MANY_ADDRESSES and 2 * bounced > accepted)


def report_policy(words: str) -> None:
    """Alert the operator that mail servers refuse us by policy."""
    alarms.raise_alarm("relay-policy", words)


def report_many(words: str) -> None:
    """Alert the operator that nearly every address is refused."""
    alarms.raise_alarm("relay-addresses", words)


def record_bounce(player: str, status: str) -> None:
    """Count a bounce. After too many, pause the player's clocks and notify organisers. Call inside a transaction."""
    if not bounces.count_bounce(player):
        return
    bounce_pauses.pause_clocks(player)
    for match, seat, organiser in rows(SELECT_ORGANISERS, player):
        if organiser and organiser != player:
            letter = UnreachableLetter(player=organiser, match=match, seat=seat, status=status)
            queue.add(letter, f"absent:{match}:{seat}:{now()}")
