"""What a worker does: for each topic of a job who does it, and what is done by the clock whether asked or not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from service.config import Config
from service.jobs import heartbeat
from service.mail.incoming import account_commands as front
from service.mail.incoming import imap_poller as imap
from service.mail.outgoing import deliver as letters
from service.matches import key_revocation as revoking
from service.play import outages, reminders
from service.play import timeouts as clocks
from service.webhooks import sender as hooks
from worker import schedule_calendar as calendar
from worker import schedule_inbox as inbox
from worker.tasks import Doing


@dataclass(frozen=True)
class Chore:
    """Something done every so many seconds by each worker, so it must bear being done by several at once."""

    every: float
    do: Callable[[Config], None]


TOPICS: dict[str, Doing] = {
    "letter": letters.do,
    "inbox": inbox.do,
    "outage": outages.restore,
    "wish": front.wished,
    "revoke": lambda payload, _config: _forgotten(revoking.revoke(payload["player"], payload["key"])),
}
"""Who does the jobs of `service.jobs.outbox.add`, by topic. A job is tried again if this raises; `Later` says when."""

CHORES: dict[str, Chore] = {
    "heartbeat": Chore(60, heartbeat.beat),
    "calendar": Chore(10, calendar.turn),
    "clocks": Chore(5, clocks.keep),
    "reminders": Chore(60, reminders.keep),
    "hooks": Chore(0.2, hooks.send),
    "deliveries": Chore(3600, hooks.tidy),
    "imap": Chore(imap.EVERY, imap.poll),
    "letters": Chore(3600, letters.tidy),
    "inbox": Chore(86_400, inbox.tidy),
}
"""What the relay does by itself."""


def _forgotten(_answer: object) -> None:
    """A job answers nothing."""
