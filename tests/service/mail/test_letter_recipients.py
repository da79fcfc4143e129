"""Contents and recipients of emails: moves made, receipts, invitations, accounts."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from engine.game import legal
from service.config import Config
from service.db.connection import execute, rows, write_transaction
from service.jobs.payloads import BadPayload
from service.mail import letters
from service.matches import create, invitations, join
from service.play import accept, match_loader
from service.play.submissions import Submission
from service.record.verify import kept_receipts
from service.timestamps import now
from tests.support.factories import settle
from tests.support.letter_jobs import letter_context
from tests.support.mailbox import asked_for, deliver, html_of, ledger, match_of, person, sent, step, text_of
from tests.support.players import Clock

pytestmark = pytest.mark.usefixtures("clock", "service")


@pytest.fixture
def config(config: Config) -> Config:
    """Letters without a hold, to the local mailbox."""
    return replace(config, letter_hold=0, mail_domain="mail.example")


def start_by_joining(config: Config, clock: Clock, *, first: bool) -> tuple[str, str, str]:
    """A match of Keltis that Aoife makes and that begins an hour later as Brann joins; and their addresses.

    `first` says whether Aoife moves first; where that is drawn, matches are made until it is so.
    """
    aoife, brann = person("Aoife"), person("Brann", "fr")
    while True:
        made = create.create_match(aoife, create.NewMatch("keltis", 2, seat=0 if first else 1), config)
        clock.forward(hours=1)
        join.join_match(brann, made.id, None, "-", None, config)
        clock.forward(seconds=1)
        table = settle(made.id, config)
        if (table.questions[table.players.index(aoife.id)] is not None) == first:
            return str(made.id), str(aoife.address), str(brann.address)
        execute("delete from job")


def told() -> list[tuple[str, str]]:
    """Kind and address of every letter, the oldest first."""
    return list(zip(ledger("kind"), ledger("address"), strict=True))


def test_who_waited_hears_that_the_match_has_begun_although_others_move_first(config: Config, clock: Clock) -> None:
    match, aoife, brann = start_by_joining(config, clock, first=False)
    deliver(config)
    assert sorted(told()) == [("begun", aoife), ("turn", brann)]
    (letter,) = sent("begun")
    assert letter["Subject"] == "Keltis with Brann"
    assert "Your match has begun: Keltis with Brann." in text_of(letter)
    assert "We’ll email you when it’s your turn." in " ".join(text_of(letter).split())
    while match_loader.load_match_state(match).questions[1] is None:
        step(match, config)
        clock.forward(seconds=1)
    deliver(config)
    assert told()[-1] == ("turn", aoife)
    assert "has begun" not in text_of(sent("turn")[-1]), "the letter before said so"
    assert len(sent("begun")) == 1


def test_who_moves_first_hears_of_the_start_with_the_turn(config: Config, clock: Clock) -> None:
    _, aoife, _ = start_by_joining(config, clock, first=True)
    deliver(config)
    assert told() == [("turn", aoife)]
    assert "Keltis with Brann has begun, and it’s your turn." in " ".join(text_of(sent("turn")[0]).split())


def test_a_first_move_during_the_hold_leaves_one_letter_about_the_start(config: Config, clock: Clock) -> None:
    held = replace(config, letter_hold=30)
    match, aoife, _ = start_by_joining(held, clock, first=False)
    while match_loader.load_match_state(match).questions[1] is None:
        step(match, held)
    clock.forward(seconds=31)
    deliver(held)
    assert told() == [("turn", aoife)]
    assert "has begun, and it’s your turn" in " ".join(text_of(sent("turn")[0]).split())


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
    with pytest.raises(BadPayload, match="sonnet"):
        letters.compose(letter_context({"kind": "sonnet"}, config))
