"""Hooks for tests: created, given events, served and emptied."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from service.config import Config
from service.db.connection import rows, write_transaction
from service.db.models.webhooks import HookRow
from service.events import log
from service.timestamps import now
from service.webhooks import sender, subscriptions
from service.webhooks.hook_shapes import NewHook
from tests.support.factories import Seated
from tests.support.players import Clock
from tests.support.webhook_receivers import Receiver


@pytest.fixture
def local(service: Config, clock: Clock) -> Config:  # noqa: ARG001  # time stands still
    """Return the service, allowed to reach this machine."""
    return replace(service, hook_networks=("127.0.0.0/8",))


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    """Yield a receiver that accepts everything until its mode changes."""
    made = Receiver()
    yield made
    made.shutdown()
    made.server_close()


def hook_of(who: Seated, url: str, config: Config, **more: Any) -> HookRow:  # noqa: ANN401  # fields of a hook
    """Return a new hook of this player."""
    with write_transaction():
        return subscriptions.create(who.player.id, NewHook(url=url, **more), config)


def happen(who: Seated, match: str, count: int, kind: str = "match.moved") -> None:
    """Write events at a table."""
    for seq in range(count):
        with write_transaction():
            log.write_events([log.Event(who.player.id, match, 0, seq, kind)])


def sweep(config: Config) -> int:
    """Serve every hook once, as the worker does in its threads."""
    found = sender.due_hooks(now())
    return sum([sender.send_to_hook(hook, config) for hook, _ in found])


def drained(config: Config, clock: Clock) -> int:
    """Serve until no delivery is due at this moment."""
    total = 0
    while sender.due_hooks(clock.at):
        total += sweep(config)
    return total


def waiting() -> int:
    """Return how many deliveries wait."""
    return int(rows("select count(*) from delivery where status = 'queued'")[0][0])
