"""Letters on their way: written once, in order, whatever the mail server does."""

from __future__ import annotations

import json
import ssl
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from engine.game import legal
from service import inviting, jobs, matches, play
from service.config import Config
from service.database import rows, run, writing
from service.mail import addresses, carrier, compose, story
from service.moment import now
from service.record import beside
from service.submissions import Submission
from tests.service.people import Clock
from tests.worker.postbox import (
    Sink,
    deliver,
    free_port,
    html_of,
    match_of,
    person,
    sent,
    serving,
    step,
    text_of,
)
from tests.worker.seated import settle

pytestmark = pytest.mark.usefixtures("clock")


@pytest.fixture
def config(config: Config) -> Config:
    """Letters without a hold, to a mail server that each test starts or not."""
    return replace(config, letter_hold=0, smtp_url=f"smtp://127.0.0.1:{free_port()}", mail_domain="mail.example")


@pytest.fixture
def post(service: Config) -> Iterator[Config]:
    """The service with its mail server's address."""
    carrier.again()
    story.forget()
    yield service
    carrier.again()


def port(config: Config) -> int:
    return int(config.smtp_url.rpartition(":")[2])


def states(column: str = "state") -> list[str]:
    return [found for (found,) in rows(f"select {column} from letter order by created_at, id")]  # noqa: S608  # our own


def test_a_turn_goes_out_once_and_is_told(post: Config) -> None:
    sink, aoife, brendan = Sink(), person("Aoife"), person("Brendan")
    match = match_of(post, aoife, brendan)
    with serving(sink, port(post)):
        assert deliver(post) == 1
        assert deliver(post) == 0
    (message,) = sink.messages
    ((id_, back, state, seq),) = rows("select id, return_path, state, seq from letter")
    assert state == "accepted"
    assert message["Message-ID"] == f"<{id_}@mail.example>"
    assert sink.taken[0].mail_from == back
    assert sink.taken[0].rcpt_tos == [aoife.address]
    assert back != message["Reply-To"].addresses[0].addr_spec
    assert rows("select told_seq from seat where match = ? and seat = 0", match) == [(seq,)]


def test_a_job_that_is_done_again_sends_nothing_again(post: Config) -> None:
    sink = Sink()
    match_of(post, person(), person())
    with serving(sink, port(post)):
        deliver(post)
        run("update job set done_at = null, lease_until = 0")
        assert deliver(post) == 1
    assert len(sink.taken) == 1


def test_a_server_that_is_down_gets_everything_in_order_when_it_is_back(post: Config, clock: Clock) -> None:
    aoife, brendan = person("Aoife"), person("Brendan")
    match = match_of(post, aoife, brendan)
    deliver(post)
    jobs_of(post, {"kind": "board", "player": aoife.id, "match": match, "seat": 0}, "first")
    clock.forward(seconds=1)
    jobs_of(post, {"kind": "clock", "player": aoife.id, "match": match, "seat": 0}, "second")
    for _ in range(6 * 12):
        clock.forward(minutes=5)
        deliver(post)
    assert states() == ["deferred", "queued", "queued"]
    assert "refused" in states("why")[0].lower()
    sink = Sink()
    with serving(sink, port(post)):
        for _ in range(10):
            clock.forward(minutes=1)
            deliver(post)
    assert states() == ["accepted"] * 3
    assert [message["Message-ID"] for message in sink.messages] == states("message_id")
    assert states("kind") == ["turn", "board", "clock"]


def jobs_of(config: Config, payload: Mapping[str, object], key: str) -> None:
    """A job for a letter, tried at once."""
    with writing():
        jobs.add("letter", key, payload)
    deliver(config)


def test_a_connection_cut_after_the_last_byte_means_a_second_copy_with_the_same_id(post: Config, clock: Clock) -> None:
    sink = Sink(hang_up=1)
    match_of(post, person(), person())
    with serving(sink, port(post)):
        deliver(post)
        assert states() == ["deferred"]
        clock.forward(minutes=10)
        deliver(post)
    assert states() == ["accepted"]
    first, second = (bytes(envelope.original_content or b"") for envelope in sink.taken)
    assert first == second


@pytest.mark.parametrize(("says", "state"), [("451 4.7.1 later please", "deferred"), ("550 5.1.1 nobody", "bounced")])
def test_what_a_server_says_of_an_address_is_the_state_of_the_letter(post: Config, says: str, state: str) -> None:
    aoife = person()
    match_of(post, aoife, person())
    with serving(Sink(refuse=says), port(post)):
        deliver(post)
    assert states() == [state]
    assert states("why") == [says]
    assert rows("select bounces from player where id = ?", aoife.id) == [(int(state == "bounced"),)]


def test_two_refusals_suspend_an_address_and_its_clocks(post: Config, clock: Clock) -> None:
    aoife = person()
    matches_of_aoife = [match_of(post, aoife, person("Brendan", letters="none")) for _ in range(3)]
    sink = Sink(refuse="550 5.1.1 nobody")
    with serving(sink, port(post)):
        deliver(post)
        assert states() == ["bounced"] * 3
        assert rows("select bounces from player where id = ?", aoife.id) == [(2,)]
        ((paused,),) = rows("select count(*) from seat where player = ? and paused_at is not null", aoife.id)
        assert paused == len(matches_of_aoife)
        sink.refuse = ""
        clock.forward(hours=1)
        jobs_of(post, {"kind": "code", "player": aoife.id, "code": "123456", "request": "r", "minutes": 10}, "code:r")
    assert [envelope.rcpt_tos for envelope in sink.taken] == [[aoife.address]]


def test_a_letter_nobody_takes_for_five_days_is_given_up(post: Config, clock: Clock) -> None:
    match_of(post, person(), person())
    deliver(post)
    clock.forward(days=4)
    deliver(post)
    assert states() == ["deferred"]
    clock.forward(days=2)
    deliver(post)
    assert states() == ["bounced"]


def test_a_question_answered_during_the_hold_needs_no_letter(service: Config, clock: Clock) -> None:
    config = replace(service, letter_hold=30, smtp_url="")
    match = match_of(config, person("Aoife"), person("Brendan"))
    step(match, config)
    clock.forward(seconds=31)
    deliver(config)
    assert [(kind, seat) for kind, seat in rows("select kind, seat from letter")] == [("turn", 0)]
    assert rows("select count(*) from job where done_at is not null and topic = 'letter'") == [(2,)]


def test_a_question_answered_while_the_server_was_down_is_not_asked_any_more(post: Config, clock: Clock) -> None:
    match = match_of(post, person("Aoife"), person("Brendan"))
    deliver(post)
    for _ in range(3):
        step(match, post)
    sink = Sink()
    with serving(sink, port(post)):
        for _ in range(5):
            clock.forward(minutes=2)
            deliver(post)
    assert states()[0] == "answered"
    assert all(message["To"].addresses[0].display_name == "Brendan" for message in sink.messages)


def test_without_a_mail_server_letters_stay_here(service: Config) -> None:
    local = replace(service, smtp_url="")
    match_of(local, person(), person())
    deliver(local)
    assert states() == ["accepted"]


def test_a_digest_is_one_letter_at_the_chosen_hour(service: Config, clock: Clock) -> None:
    config = replace(service, smtp_url="")
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


def test_a_digest_answered_without_its_letters_comes_again_with_the_reason(service: Config, clock: Clock) -> None:
    config = replace(service, smtp_url="")
    aoife = person("Aoife", letters="digest")
    for _ in range(2):
        match_of(config, aoife, bots={1: "steady"})
    about = {"reason": "label", "text": "3", "meant": ["A", "B"], "why": "", "match": None, "seat": None}
    answer = {"in_reply_to": "<x@example.org>", "subject": "2 matches wait for you", "label": None, "inbox": "i"}
    jobs_of(config, {"kind": "refused", "player": aoife.id, **answer, **about}, "answer:i")
    clock.forward(seconds=1)
    deliver(config)
    (letter,) = sent("refused")
    text = text_of(letter)
    assert "What we read: “3”." in text
    assert text.count("A: 1  ") == text.count("B: 1  ") == 1
    assert letter["Subject"] == "Re: 2 matches wait for you"
    local = letter["Reply-To"].addresses[0].addr_spec.partition("@")[0]
    assert rows("select kind from reply where hash = ?", addresses.hashed(local)) == [("digest",)]


def test_an_empty_digest_is_not_sent(service: Config, clock: Clock) -> None:
    config = replace(service, smtp_url="")
    aoife = person("Aoife", letters="digest", digest_hour=14)
    match = match_of(config, aoife, person("Brendan", letters="none"))
    deliver(config)
    step(match, config)
    step(match, config)
    deliver(config)
    clock.forward(days=1)
    deliver(config)
    assert sent() == []


@pytest.mark.parametrize(
    ("player", "seat", "kinds"),
    [
        ("turn", None, ["turn", "reminder"]),
        ("reminders", None, ["reminder"]),
        ("none", None, []),
        ("none", "turn", ["turn", "reminder"]),
        ("turn", "none", []),
        ("turn", "reminders", ["reminder"]),
    ],
)
def test_players_and_seats_say_which_letters_they_want(
    service: Config, clock: Clock, player: str, seat: str | None, kinds: list[str]
) -> None:
    config = replace(service, smtp_url="")
    match = match_of(config, person(letters=player), person(letters="none"))
    run("update seat set letters = ? where match = ? and seat = 0", seat, match)
    deliver(config)
    asked = play.table_of(match).questions[0]
    assert asked is not None
    clock.forward(minutes=1)
    jobs_of(config, {"kind": "reminder", "match": match, "seat": 0, "asked": asked.asked, "due": None}, "reminder:1")
    assert states("kind") == kinds


def test_the_same_words_due_another_day_are_another_letter(service: Config, clock: Clock) -> None:
    config = replace(service, smtp_url="")
    match = match_of(config, person(), person())
    asked = play.table_of(match).questions[0]
    assert asked is not None
    payload = {"kind": "reminder", "match": match, "seat": 0, "asked": asked.asked, "due": None}
    for day in (14, 28):
        clock.forward(days=14)
        jobs_of(config, payload, f"day{day}:{match}")
    assert states("kind").count("reminder") == 2


def test_a_move_by_letter_is_confirmed_with_what_came_of_it_and_a_receipt(service: Config, clock: Clock) -> None:
    config = replace(service, smtp_url="")
    aoife = person("Aoife")
    match = match_of(config, aoife, bots={1: "steady"})
    deliver(config)
    table = play.table_of(match)
    question = table.questions[0]
    assert question is not None
    line = next(iter(legal(table.state, 0))).line
    mail = {"door": "smtp", "raw": "0" * 64, "received": now(), "verdict": "none"}
    accepted = play.accept(
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
    jobs_of(config, payload, "answer:one:")
    assert states("kind") == ["turn"]
    settle(match, config)
    clock.forward(seconds=1)
    deliver(config)
    assert states("kind") == ["turn", "understood"]
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


def test_the_receipt_in_a_letter_is_one_that_the_verifier_reads(service: Config) -> None:
    config = replace(service, smtp_url="")
    aoife, brendan = person("Aoife"), person("Brendan")
    match_of(config, aoife, brendan)
    given = json.loads(rows("select receipt from seat where seat = 1")[0][0])
    told = {"kind": "joined", "player": brendan.id, "match": rows("select id from match")[0][0], "seat": 1}
    jobs_of(config, {**told, "receipt": given, "inbox": "i"}, "answer:i")
    deliver(config)
    text = text_of(sent("joined")[0])
    quoted = "\r\n".join(f"> {line}" for line in text.split("\n"))
    for saved in (text, quoted, f"{text}\n{text}"):
        receipts, joins = beside.read(saved.encode())
        assert receipts == []
        assert joins[0] == given


def test_who_waited_for_a_match_that_never_began_is_told(service: Config) -> None:
    config = replace(service, smtp_url="")
    aoife, brendan = person("Aoife"), person("Benoît", "fr", "Europe/Paris")
    wanted = matches.NewMatch(game="keltis", seats=3, starts_at=now() + 1000)
    made = matches.create(aoife, wanted, config)
    matches.join(brendan, made.id, None, "-", None, config)
    jobs_of(config, {"kind": "cancelled", "match": made.id}, f"cancelled:{made.id}")
    deliver(config)
    assert sorted(message["Subject"] for message in sent()) == [
        "Not enough players: Keltis",
        "Pas assez de joueurs : Keltis",
    ]


def test_a_stranger_is_invited_once_a_day_and_never_again_after_saying_so(service: Config) -> None:
    config = replace(service, smtp_url="")
    aoife = person("Aoife")
    for _ in range(2):
        made = matches.create(aoife, matches.NewMatch(game="keltis", seats=2), config)
        with writing():
            inviting.invite(aoife.id, made.id, None, "stranger@example.net", None, config)
    deliver(config)
    assert states("address") == ["stranger@example.net"]
    text = text_of(sent()[0])
    assert "“join”" in text
    assert "Aoife" in text


def test_letters_of_accounts_reach_addresses_nobody_has_confirmed(service: Config) -> None:
    config = replace(service, smtp_url="", public_url="https://play.example")
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
    jobs_of(config, payload, "confirm:one")
    (message,) = sent()
    assert "https://play.example/confirm/abcdefghijkmnpqr-" in text_of(message)
    assert "Bienvenue, Nuala." in html_of(message)
    assert json.loads(rows("select payload from reply where kind = 'confirm'")[0][0]) == {"code": payload["code"]}
    assert message["List-Unsubscribe"] is None


def test_a_letter_of_an_unknown_kind_is_an_error_that_names_it(service: Config) -> None:
    with pytest.raises(compose.UnknownKind, match="sonnet"):
        compose.compose({"kind": "sonnet"}, service)


@pytest.mark.parametrize("starttls", [False, True])
def test_tls_is_used_and_the_certificate_is_checked(
    post: Config, tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch, *, starttls: bool
) -> None:
    file = certificate(tmp_path)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file)
    scheme = "smtp+starttls" if starttls else "smtps"
    config = replace(post, smtp_url=f"{scheme}://localhost:{port(post)}")
    match_of(config, person(), person())
    sink = Sink()
    with serving(sink, port(post), context, starttls=starttls):
        deliver(config)
        assert states() == ["deferred"]
        assert "certificate" in states("why")[0].lower()
        monkeypatch.setenv("SSL_CERT_FILE", str(file))
        carrier.again()
        clock.forward(minutes=10)
        deliver(config)
    assert states() == ["accepted"]
    assert len(sink.taken) == 1


def certificate(folder: Path) -> Path:
    """A certificate for this machine with its key, signed by itself."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    today = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(today - timedelta(days=1))
        .not_valid_after(today + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    file = folder / "server.pem"
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    file.write_bytes(private + made.public_bytes(Encoding.PEM))
    return file
