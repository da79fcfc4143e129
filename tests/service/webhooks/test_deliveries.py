"""How hooks are sent what happened: in order, again and again, until it arrives."""

from __future__ import annotations

import threading
import time
from email.utils import formatdate
from functools import partial
from itertools import pairwise
from typing import Any

import pytest

from service.config import Config
from service.db.connection import execute, rows, write_transaction
from service.db.models.webhooks import HookRow
from service.events import deliveries
from service.jobs import metrics, retention
from service.mail.letters import compose
from service.mail.letters.blocks import FactList
from service.problems import Problem
from service.timestamps import DAY, HOUR, MINUTE
from service.webhooks import sender, subscriptions
from service.webhooks.hook_shapes import HookChange
from service.webhooks.http_client import post
from tests.support.factories import match_of, settle, somebody
from tests.support.letter_jobs import letter_context
from tests.support.players import Clock, letters
from tests.support.webhook_receivers import Receiver
from tests.support.webhooks import drained, happen, hook_of, sweep, waiting


def test_a_receiver_down_for_two_days_gets_everything_in_order(local: Config, clock: Clock, receiver: Receiver) -> None:
    me = somebody()
    tables = [match_of(local, me, bots={1: "steady"}) for _ in range(3)]
    hook_of(me, receiver.url, local)
    receiver.mode = "500"
    until = clock.at + 2 * DAY
    while clock.at < until:
        for match in tables:
            happen(me, match, 1)
        sweep(local)
        clock.forward(hours=1)
    assert receiver.got == []
    assert HookRow.get().disabled_at is None
    queued = waiting()
    assert queued == 3 * 48
    receiver.mode = "200"
    for _ in range(25):
        drained(local, clock)
        clock.forward(hours=1)
    assert waiting() == 0
    assert len(receiver.ids()) == len(set(receiver.ids())) == queued
    for match in tables:
        assert receiver.ids(match) == sorted(receiver.ids(match))
    assert HookRow.get().failing_since is None


def test_the_first_success_brings_everything_else_at_once(local: Config, clock: Clock, receiver: Receiver) -> None:
    me = somebody()
    one, two = match_of(local, me, bots={1: "steady"}), match_of(local, me, bots={1: "steady"})
    hook_of(me, receiver.url, local)
    receiver.mode = "503"
    happen(me, one, 5)
    for _ in range(6):
        sweep(local)
        clock.forward(hours=5)
    receiver.mode = "200"
    happen(me, two, 1)
    assert drained(local, clock) == 6
    assert receiver.ids(one) == sorted(receiver.ids(one))


def test_tries_are_made_when_planned_with_the_same_id_and_nothing_overtakes(
    local: Config, clock: Clock, receiver: Receiver
) -> None:
    me = somebody()
    match = match_of(local, me, bots={1: "steady"})
    hook_of(me, receiver.url, local)
    receiver.mode = "500"
    happen(me, match, 2)
    begin, tried = clock.at, [clock.at]
    sweep(local)
    while len(tried) < 10:
        ((due_at,),) = rows("select min(due_at) from delivery where status = 'queued'")
        clock.at = due_at - 1
        assert sender.due_hooks(clock.at) == []
        clock.at = due_at
        sweep(local)
        tried.append(clock.at)
    gaps = [after - before for before, after in pairwise(tried)]
    planned = [5_000, 5 * MINUTE, 30 * MINUTE, *(hours * HOUR for hours in (2, 5, 10, 14, 20, 24))]
    for gap, plan in zip(gaps, planned, strict=True):
        assert 0.9 * plan <= gap <= 1.1 * plan
    assert clock.at - begin > 2.8 * DAY  # three days, give or take
    assert rows("select attempts from delivery order by event") == [(10,), (0,)]
    assert rows("select count(*) from attempt") == [(10,)]


def test_a_poisoned_match_does_not_hold_up_the_others(local: Config, clock: Clock, receiver: Receiver) -> None:
    me = somebody()
    bad, good = match_of(local, me, bots={1: "steady"}), match_of(local, me, bots={1: "steady"})
    hook_of(me, receiver.url, local)
    happen(me, bad, 1)
    receiver.mode = "500"
    sweep(local)
    receiver.mode = "200"
    happen(me, good, 3)
    execute("update hook set failing_since = null")  # it has had successes since
    execute("update delivery set due_at = ? where match = ?", clock.at + DAY, bad)
    happen(me, bad, 1)
    assert drained(local, clock) == 3
    assert receiver.ids(bad) == []


def _reason_in_letter(payload: dict[str, Any], config: Config) -> str:
    """Why a hook was switched off, as the letter to its owner says it."""
    letter = compose(letter_context(payload, config))
    assert letter is not None
    (facts,) = (block for block in letter.blocks if isinstance(block, FactList))
    return facts.rows[1][1]


def test_gone_switches_the_hook_off_and_its_owner_is_told(local: Config, clock: Clock, receiver: Receiver) -> None:
    me = somebody()
    match = match_of(local, me, bots={1: "steady"})
    hook = hook_of(me, receiver.url, local)
    receiver.mode = "410"
    happen(me, match, 2)
    sweep(local)
    told = letters("hook-disabled")
    assert [(each["hook"], each["player"], each["url"]) for each in told] == [(hook.id, me.player.id, hook.url)]
    assert "410" in told[0]["why"]
    execute("update player set language = 'fr', address = 'aoife@example.org'")
    assert _reason_in_letter(told[0], local) == "le destinataire dit qu’il n’existe plus (410)"
    execute("update hook set why = 'switched off by its owner'")
    assert _reason_in_letter(told[0], local) == "switched off by its owner"
    assert receiver.connections == 1
    clock.forward(days=1)
    happen(me, match, 1)
    assert sender.due_hooks(clock.at) == []
    with pytest.raises(Problem), write_transaction():
        subscriptions.ping(me.player.id, hook.id)
    receiver.mode = "200"
    clock.forward(days=20)
    subscriptions.change(me.player.id, hook.id, HookChange(enabled=True), local)
    assert drained(local, clock) == 3
    assert receiver.ids() == sorted(receiver.ids())


def test_five_days_without_a_success_switch_the_hook_off(local: Config, clock: Clock, receiver: Receiver) -> None:
    me = somebody()
    match = match_of(local, me, bots={1: "steady"})
    hook_of(me, receiver.url, local)
    receiver.mode = "close"
    happen(me, match, 1)
    hours = 0
    while HookRow.get().disabled_at is None:
        sweep(local)
        clock.forward(hours=1)
        hours += 1
        assert hours < 24 * 8
    assert hours >= 24 * 5
    (told,) = letters("hook-disabled")
    english = "nothing got through for 5 days; the last attempt gave: the connection was cut off"
    assert (told["why"], HookRow.get().why) == (english, english)
    execute("update player set address = 'aoife@example.org'")
    assert _reason_in_letter(told, local) == english
    execute("update player set language = 'fr'")
    french = "rien n’est arrivé depuis 5 jours\u00a0; le dernier essai a donné\u00a0: la connexion s’est rompue"
    assert _reason_in_letter(told, local) == french


def test_what_cannot_be_delivered_is_kept_for_thirty_days(local: Config, clock: Clock, receiver: Receiver) -> None:
    me = somebody()
    match = match_of(local, me, bots={1: "steady"})
    hook_of(me, receiver.url, local)
    happen(me, match, 1)
    clock.forward(days=1)
    happen(me, match, 1)
    clock.forward(days=29)
    sender.expire_deliveries(local)
    assert waiting() == 2
    clock.at += 1
    sender.expire_deliveries(local)
    assert waiting() == 1
    assert drained(local, clock) == 1
    clock.forward(days=91)
    sender.expire_deliveries(local)
    retention.delete_old_rows(local)
    assert rows("select count(*) from delivery") == rows("select count(*) from attempt") == [(0,)]


def test_send_again_since(local: Config, clock: Clock, receiver: Receiver) -> None:
    me = somebody()
    match = match_of(local, me, bots={1: "steady"})
    hook = hook_of(me, receiver.url, local)
    for _ in range(4):
        happen(me, match, 1)
        clock.forward(hours=1)
    assert drained(local, clock) == 4
    first = [got.headers["webhook-id"] for got in receiver.got]
    assert subscriptions.replay(me.player.id, hook.id, clock.at - 2 * HOUR) == 2
    assert drained(local, clock) == 2
    assert [got.headers["webhook-id"] for got in receiver.got[4:]] == first[2:]


@pytest.mark.parametrize(
    ("patience", "seconds"),
    [
        ("120", 120),
        ("172800", 86_400),  # at most a day
        ("9" * 40, 86_400),
        ("{date}", 3_600),
        ("Sun, 06 Nov 1994 08:49:37 GMT", None),  # long ago: by the plan
        ("soon", None),
        ("-5", None),
        ("", None),
    ],
)
def test_a_receiver_may_ask_for_patience(
    local: Config, clock: Clock, receiver: Receiver, patience: str, seconds: int | None
) -> None:
    me = somebody()
    hook = hook_of(me, receiver.url, local)
    receiver.mode = "busy"
    receiver.patience = patience.format(date=formatdate(clock.at / 1000 + 3_600, usegmt=True))
    with write_transaction():
        subscriptions.ping(me.player.id, hook.id)
    sweep(local)
    ((due,),) = rows("select due_at from delivery")
    wait = due - clock.at
    assert wait == seconds * 1000 if seconds else 4_500 <= wait <= 5_500


def test_the_log_shows_each_try_and_little_of_the_answers(local: Config, clock: Clock, receiver: Receiver) -> None:
    me = somebody()
    hook = hook_of(me, receiver.url, local)
    with write_transaction():
        subscriptions.ping(me.player.id, hook.id)
    for mode in ("500", "noise", "close", "200"):
        receiver.mode = mode
        sweep(local)
        clock.forward(days=1)
    (told,) = deliveries.list_deliveries(hook.id, None, 10)
    assert [(each.code, each.answer) for each in told.tries] == [
        (500, ""),
        (404, "abc" * 50),
        (None, "the connection was cut off"),
        (200, "hello"),
    ]
    assert (told.status, told.attempts, told.type) == ("delivered", 4, "ping")


def test_two_workers_never_send_to_one_hook_at_once(local: Config, clock: Clock, receiver: Receiver) -> None:
    me = somebody()
    match = match_of(local, me, bots={1: "steady"})
    hook = hook_of(me, receiver.url, local)
    happen(me, match, 20)
    threads = [threading.Thread(target=sender._serve_in_thread, args=(hook.id, local)) for _ in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    drained(local, clock)
    assert receiver.ids() == sorted(receiver.ids())
    assert len(receiver.ids()) == 20


def test_slow_receivers_do_not_hold_up_quick_ones(
    local: Config, clock: Clock, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sender, "post", partial(post, deadline=3.0))
    slow = Receiver("silent")
    try:
        owners = [somebody(f"Slow{number}") for number in range(12)]
        for owner in owners:
            hook_of(owner, slow.url, local)
            happen(owner, match_of(local, owner, bots={1: "steady"}), 1)
        execute("update hook set failing_since = ?", clock.at)
        me = somebody()
        hook_of(me, receiver.url, local)
        happen(me, match_of(local, me, bots={1: "steady"}), 5)
        began = time.monotonic()
        while len(receiver.got) < 5 and time.monotonic() - began < 10:
            sender.send_due(local)
            time.sleep(0.05)
        took = time.monotonic() - began
        assert len(receiver.got) == 5
        assert took < 2.0
        assert slow.connections <= sender.SLOW_SLOTS
    finally:
        until = time.monotonic() + 15
        while sender.SLOTS._busy and time.monotonic() < until:
            time.sleep(0.05)
        slow.shutdown()
        slow.server_close()
    assert sender.SLOTS._busy == {}


def test_the_figures(local: Config, clock: Clock, receiver: Receiver) -> None:
    me = somebody()
    match = match_of(local, me, bots={1: "steady"})
    hook_of(me, receiver.url, local)
    happen(me, match, 3)
    receiver.mode = "500"
    clock.forward(seconds=30)
    sweep(local)
    figures = {name: figure() for name, (_, figure) in metrics.MEASURES.items()}
    assert figures["echtra_deliveries_waiting"] == 3
    assert figures["echtra_oldest_delivery_seconds"] == 30
    assert figures["echtra_deliveries_tried_last_hour"] == figures["echtra_deliveries_failed_last_hour"] == 1
    assert figures["echtra_oldest_unresolved_seconds"] == 30
    settle(match, local)
    assert metrics.oldest_unresolved() == 0
