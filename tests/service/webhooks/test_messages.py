"""Messages to hooks: signed so that others can check them, and limited to what their owners may see."""

from __future__ import annotations

import base64
import time
from typing import Any

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from standardwebhooks import Webhook
from standardwebhooks.webhooks import WebhookVerificationError

from service.config import Config
from service.db.connection import execute, rows, write_transaction
from service.matches import create, organisers
from service.play.match_loader import load_match_state
from service.problems import Problem
from service.webhooks import subscriptions
from tests.support.factories import match_of, settle, somebody
from tests.support.players import Clock
from tests.support.webhook_receivers import Got, Receiver
from tests.support.webhooks import drained, happen, hook_of, sweep


def checked(secret: str, got: Got) -> dict[str, Any]:
    """The message, if the public library finds its signature good."""
    made: dict[str, Any] = Webhook(secret).verify(got.body, got.headers)
    return made


def ed25519(key: str, got: Got) -> bool:
    """Whether one of the signatures `v1a` is of this key."""
    known = Ed25519PublicKey.from_public_bytes(base64.b64decode(key.removeprefix("whpk_")))
    text = f"{got.headers['webhook-id']}.{got.headers['webhook-timestamp']}.".encode() + got.body
    for each in got.headers["webhook-signature"].split(" "):
        version, _, signature = each.partition(",")
        if version == "v1a":
            try:
                known.verify(base64.b64decode(signature), text)
            except InvalidSignature:
                continue
            return True
    return False


def test_both_signatures_are_good_and_the_message_is_thin(local: Config, clock: Clock, receiver: Receiver) -> None:
    clock.at = time.time_ns() // 1_000_000
    me = somebody()
    match = match_of(local, me, bots={1: "steady"})
    hook = hook_of(me, receiver.url, local)
    settle(match, local)
    assert drained(local, clock) == 2
    for got in receiver.got:
        assert checked(hook.secret, got) == got.message
        assert ed25519(subscriptions.public_key(hook.private), got)
        assert got.path == "/hook?a=b"
        assert got.headers["host"] == f"127.0.0.1:{receiver.port}"
    assert [got.message["type"] for got in receiver.got] == ["match.started", "turn.ready"]
    data = receiver.got[1].message["data"]
    asked = load_match_state(match).questions[0]
    assert asked is not None
    assert data == {
        "hook": hook.id,
        "event": data["event"],
        "match": match,
        "seat": 0,
        "seq": asked.asked,
        "url": f"{local.url}/v1/matches/{match}",
    }
    with pytest.raises(WebhookVerificationError):
        checked(subscriptions._new_secret(), receiver.got[0])
    assert not ed25519(subscriptions.public_key(subscriptions._new_private_key()), receiver.got[0])


def test_while_secrets_change_both_are_good(local: Config, clock: Clock, receiver: Receiver) -> None:
    clock.at = time.time_ns() // 1_000_000
    me = somebody()
    old = hook_of(me, receiver.url, local)
    with write_transaction():
        new = subscriptions.rotate_secrets(me.player.id, old.id)
        subscriptions.ping(me.player.id, old.id)
    assert sweep(local) == 1
    for secret, private in ((old.secret, old.private), (new.secret, new.private)):
        checked(secret, receiver.got[0])
        assert ed25519(subscriptions.public_key(private), receiver.got[0])
    execute("update hook set old_until = ?", clock.at)
    with write_transaction():
        subscriptions.ping(me.player.id, old.id)
    assert sweep(local) == 1
    checked(new.secret, receiver.got[1])
    with pytest.raises(WebhookVerificationError):
        checked(old.secret, receiver.got[1])
    assert not ed25519(subscriptions.public_key(old.private), receiver.got[1])


def test_a_program_gets_its_view_and_its_options_and_only_its_own(
    local: Config, clock: Clock, receiver: Receiver
) -> None:
    me, other = somebody("Bot"), somebody("Other")
    match = match_of(local, me, other)
    hook_of(me, receiver.url, local, include=["view"], events=["turn.ready", "match.moved"])
    table = settle(match, local)
    drained(local, clock)
    data = receiver.got[-1].message["data"]
    assert data["table"]["seat"] == table.seat_of(me.player.id)
    assert data["table"]["hash"] == table.hash
    first = next(seat for seat, question in enumerate(table.questions) if question)
    if first == 0:
        assert data["options"]["items"][0]["line"]
        assert data["table"]["question"]["asked"] == data["seq"]
    else:
        assert data["options"]["items"] == []
    # made when sending: what happens before it arrives is in it
    (me if first == 0 else other).move(match)
    later = settle(match, local)
    drained(local, clock)
    assert receiver.got[-1].message["data"]["table"]["hash"] == later.hash


def test_who_watches_a_match_hears_of_it_but_sees_no_seat(local: Config, clock: Clock, receiver: Receiver) -> None:
    me, watcher = somebody("Player"), somebody("Watcher")
    match = match_of(local, me, bots={1: "steady"})
    hook = hook_of(watcher, receiver.url, local, match=match, include=["view"])
    settle(match, local)
    me.move(match)
    settle(match, local)
    drained(local, clock)
    told = [got.message for got in receiver.got]
    assert [each["type"] for each in told] == ["match.started", "match.moved", "match.moved"]
    assert all(each["data"]["seat"] is None and "table" not in each["data"] for each in told)
    with write_transaction():
        happen_privately = create.create_match(
            me.player, create.NewMatch(game="keltis", seats=2, visibility="invitation"), local
        )
    with pytest.raises(Problem):
        hook_of(watcher, receiver.url, local, match=happen_privately.id)
    # viewers who lose access get no more events
    execute("update match set visibility = 'invitation' where id = ?", match)
    me.move(match)
    settle(match, local)
    drained(local, clock)
    assert len(receiver.got) == 3
    assert rows("select status from delivery where hook = ? order by event desc limit 1", hook.id) == [("expired",)]


def test_an_organiser_hears_of_every_match_they_organise(local: Config, clock: Clock, receiver: Receiver) -> None:
    organiser, one, two = somebody("Organiser"), somebody("One"), somebody("Two")
    hook_of(organiser, receiver.url, local)
    wanted = create.NewMatch(game="keltis", seats=2, sit=False, visibility="invitation")
    made = create.create_match(organiser.player, wanted, local)
    for each in (one, two):
        with write_transaction():
            organisers.give_consent(each.player.id, organiser.player.id)
    for seat, each in enumerate((one, two)):
        organisers.seat_player(organiser.player.id, made.id, seat, each.player.id, local)
    settle(made.id, local)
    settle(match_of(local, one, two), local)
    drained(local, clock)
    told = [got.message for got in receiver.got]
    assert [(each["type"], each["data"]["match"], each["data"]["seat"]) for each in told] == [
        ("match.started", made.id, None),
        ("match.moved", made.id, None),
    ]


def test_a_hook_hears_only_what_it_asked_for(local: Config, clock: Clock, receiver: Receiver) -> None:
    me, other = somebody(), somebody("Other")
    one, two = match_of(local, me, bots={1: "steady"}), match_of(local, me, bots={1: "steady"})
    hook_of(me, receiver.url, local, events=["note.written"], match=one)
    happen(me, one, 1, "note.written")
    happen(me, one, 1, "match.moved")
    happen(me, two, 1, "note.written")
    happen(other, one, 1, "note.written")
    assert drained(local, clock) == 1
    assert receiver.got[0].message["data"]["match"] == one
