"""What letters tell, and who is told: moves made, receipts, invitations, accounts."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from engine.game import legal
from service.config import Config
from service.db.connection import rows, write_transaction
from service.mail import letters
from service.mail.letters.context import LetterContext
from service.matches import create, invitations, join
from service.play import accept, match_loader
from service.play.submissions import Submission
from service.record.verify import kept_receipts
from service.timestamps import now
from tests.support.factories import settle
from tests.support.mailbox import asked_for, deliver, html_of, ledger, match_of, person, sent, text_of
from tests.support.players import Clock

pytestmark = pytest.mark.usefixtures("clock", "service")


@pytest.fixture
def config(config: Config) -> Config:
    """Letters without a hold, to the local mailbox."""
    return replace(config, letter_hold=0, mail_domain="mail.example")


def test_a_move_by_letter_is_confirmed_with_what_came_of_it_and_a_receipt(config: Config, clock: Clock) -> None:
    aoife = person("Aoife")
    match = match_of(config, aoife, bots={1: "steady"})
    deliver(config)
    table = match_loader.load_match_state(match)
    question = table.questions[0]
    assert question is not None
    line = next(iter(legal(table.state, 0))).line
    mail = {"door": "smtp", "raw": "0" * 64, "received": now(), "verdict": "none"}
    accepted = accept.accept(
        match, aoife.id, Submission(question.asked, question.prev, (line,), channel="mail", mail=mail)
    )
    clock.forward(seconds=1)
    payload = {
        "kind": "understood",
        "player": aoife.id,
        "inbox": "one",
        "in_reply_to": "<reply@example.org>",
        "subject": "Re: Your turn: Keltis with Steady (bot)",
        "match": match,
        "seat": 0,
        "label": None,
        "made": list(accepted.made),
        "waiting": 0,
        "dropped": [],
        "why": "",
        "receipt": accepted.receipt,
        "unread": ["hello there"],
    }
    asked_for(config, payload, "answer:one:")
    assert ledger("kind") == ["turn"]
    settle(match, config)
    clock.forward(seconds=1)
    deliver(config)
    assert ledger("kind") == ["turn", "understood"]
    message = sent("understood")[0]
    text = text_of(message)
    signature = accepted.receipt["signature"]
    assert f"“{line}”" in text
    assert "hello there" in text
    assert signature[:64] in text
    assert signature[64:] in text
    assert message["Auto-Submitted"] == "auto-replied"
    assert message["In-Reply-To"] == "<reply@example.org>"
    assert str(message["References"]).split()[0] == f"<match.{match}@mail.example>"
    assert rows("select count(*) from job where topic = 'letter' and done_at is null") == [(0,)]


def test_the_receipt_in_a_letter_is_one_that_the_verifier_reads(config: Config) -> None:
    aoife, brendan = person("Aoife"), person("Brendan")
    match_of(config, aoife, brendan)
    given = json.loads(rows("select receipt from seat where seat = 1")[0][0])
    told = {"kind": "joined", "player": brendan.id, "match": rows("select id from match")[0][0], "seat": 1}
    asked_for(config, {**told, "receipt": given, "inbox": "i"}, "answer:i")
    deliver(config)
    text = text_of(sent("joined")[0])
    quoted = "\r\n".join(f"> {line}" for line in text.split("\n"))
    for saved in (text, quoted, f"{text}\n{text}"):
        receipts, joins = kept_receipts.read(saved.encode())
        assert receipts == []
        assert joins[0] == given


def test_who_waited_for_a_match_that_never_began_is_told(config: Config) -> None:
    aoife, brendan = person("Aoife"), person("Benoît", "fr", "Europe/Paris")
    wanted = create.NewMatch(game="keltis", seats=3, starts_at=now() + 1000)
    made = create.create_match(aoife, wanted, config)
    join.join_match(brendan, made.id, None, "-", None, config)
    asked_for(config, {"kind": "cancelled", "match": made.id}, f"cancelled:{made.id}")
    deliver(config)
    assert sorted(message["Subject"] for message in sent()) == [
        "Not enough players: Keltis",
        "Pas assez de joueurs : Keltis",
    ]


def test_a_stranger_is_invited_once_a_day_and_never_again_after_saying_so(config: Config) -> None:
    aoife = person("Aoife")
    for _ in range(2):
        made = create.create_match(aoife, create.NewMatch(game="keltis", seats=2), config)
        with write_transaction():
            invitations.invite(aoife.id, made.id, None, "stranger@example.net", None, config)
    deliver(config)
    assert ledger("address") == ["stranger@example.net"]
    text = text_of(sent()[0])
    assert "“join”" in text
    assert "Aoife" in text


def test_letters_of_accounts_reach_addresses_nobody_has_confirmed(config: Config) -> None:
    config = replace(config, public_url="https://play.example")
    payload = {
        "kind": "confirm",
        "player": None,
        "address": "new@example.net",
        "code": "abcdefghijkmnpqr-abcdefghijkmnpqrstuvwxyz23",
        "path": "/confirm/abcdefghijkmnpqr-abcdefghijkmnpqrstuvwxyz23",
        "name": "Nuala",
        "language": "fr",
        "zone": "UTC",
    }
    asked_for(config, payload, "confirm:one")
    (message,) = sent()
    assert "https://play.example/confirm/abcdefghijkmnpqr-" in text_of(message)
    assert "Bienvenue, Nuala." in html_of(message)
    assert json.loads(rows("select payload from reply where kind = 'confirm'")[0][0]) == {"code": payload["code"]}
    assert message["List-Unsubscribe"] is None


def test_a_letter_brings_digits_or_a_link_in_their_place(config: Config) -> None:
    config = replace(config, public_url="https://play.example")
    aoife = person("Aoife")
    base = {"kind": "code", "player": aoife.id, "request": "abcdefghijkmnpqr", "minutes": 10}
    asked_for(config, {**base, "code": "493028", "path": ""}, "code:one")
    secret = "abcdefghijkmnpqrstuvwxyz23"
    asked_for(config, {**base, "code": secret, "path": f"/code/abcdefghijkmnpqr-{secret}"}, "code:two")
    digits, link = sent()
    assert "493028" in text_of(digits)
    assert "/code/" not in text_of(digits)
    assert f"https://play.example/code/abcdefghijkmnpqr-{secret}" in text_of(link)
    assert "nobody can guess" in " ".join(text_of(link).split())


def test_a_letter_of_an_unknown_kind_is_an_error_that_names_it(config: Config) -> None:
    with pytest.raises(letters.UnknownLetterKind, match="sonnet"):
        letters.compose(LetterContext({"kind": "sonnet"}, config))
