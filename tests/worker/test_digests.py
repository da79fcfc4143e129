"""Digests: one letter at the chosen hour for every match that waits."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from service.config import Config
from service.database import rows
from service.mail import addresses
from tests.service.people import Clock
from tests.worker.postbox import asked_for, deliver, match_of, person, sent, step, text_of

pytestmark = pytest.mark.usefixtures("clock", "service")


@pytest.fixture
def config(config: Config) -> Config:
    """Letters without a hold, to the local mailbox."""
    return replace(config, letter_hold=0, mail_domain="mail.example")


def test_a_digest_is_one_letter_at_the_chosen_hour(config: Config, clock: Clock) -> None:
    aoife = person("Aoife", zone="Europe/Dublin", letters="digest", digest_hour=14)
    brendan = person("Brendan", letters="none")
    found = [match_of(config, aoife, brendan) for _ in range(3)]
    step(found[2], config)
    step(found[2], config)
    deliver(config)
    assert sent() == []
    clock.forward(hours=7)
    deliver(config)
    (digest,) = sent()
    text = text_of(digest)
    assert digest["Subject"] == "2 matches wait for you"
    assert text.count("A: 1  ") == text.count("B: 1  ") == 1
    assert "C: 1" not in text
    assert [line for line in text.split("\n") if len(line) > 78] == []
    own = [line.strip("<>") for line in text.split("\n") if line.startswith("<play-")]
    replies = {hash_: (kind, match) for hash_, kind, match in rows("select hash, kind, match from reply")}
    assert len(set(own)) == 2
    assert sorted(kind for kind, _ in replies.values()) == ["bounce", "digest", "turn", "turn"]
    payload = json.loads(rows("select payload from reply where kind = 'digest'")[0][0])
    assert {each["match"] for each in payload["tables"].values()} == set(found[:2])
    assert digest["Reply-To"].addresses[0].addr_spec not in own
    told = rows("select count(*) from seat where player = ? and told_seq > 0", aoife.id)
    assert told == [(2,)]


def test_a_digest_answered_without_its_letters_comes_again_with_the_reason(config: Config, clock: Clock) -> None:
    aoife = person("Aoife", letters="digest")
    for _ in range(2):
        match_of(config, aoife, bots={1: "steady"})
    about = {"reason": "label", "text": "3", "meant": ["A", "B"], "why": "", "match": None, "seat": None}
    answer = {"in_reply_to": "<x@example.org>", "subject": "2 matches wait for you", "label": None, "inbox": "i"}
    asked_for(config, {"kind": "refused", "player": aoife.id, **answer, **about}, "answer:i")
    clock.forward(seconds=1)
    deliver(config)
    (letter,) = sent("refused")
    text = text_of(letter)
    assert "What we read: “3”." in text
    assert text.count("A: 1  ") == text.count("B: 1  ") == 1
    assert letter["Subject"] == "Re: 2 matches wait for you"
    local = letter["Reply-To"].addresses[0].addr_spec.partition("@")[0]
    assert rows("select kind from reply where hash = ?", addresses.hashed(local)) == [("digest",)]


def test_an_empty_digest_is_not_sent(config: Config, clock: Clock) -> None:
    aoife = person("Aoife", letters="digest", digest_hour=14)
    match = match_of(config, aoife, person("Brendan", letters="none"))
    deliver(config)
    step(match, config)
    step(match, config)
    deliver(config)
    clock.forward(days=1)
    deliver(config)
    assert sent() == []
