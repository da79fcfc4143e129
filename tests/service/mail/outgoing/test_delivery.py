"""Letters on their way: sent once, in order, whatever the mail server does."""

from __future__ import annotations

import json
import ssl
import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from service.config import Config
from service.db.connection import execute, rows
from service.jobs import alarms
from service.jobs.work_metrics import LETTER_SECONDS
from service.mail.outgoing import smtp_client, smtp_connections
from service.web.middleware import configure_logging
from tests.support.mailbox import (
    Sink,
    asked_for,
    deliver,
    ledger,
    match_of,
    person,
    relay_port,
    serving,
    step,
    text_of,
)
from tests.support.players import Clock

pytestmark = pytest.mark.usefixtures("clock")


def test_a_turn_goes_out_once_and_is_told(post: Config) -> None:
    sink, aoife, brendan = Sink(), person("Aoife"), person("Brendan")
    match = match_of(post, aoife, brendan)
    with serving(sink, relay_port(post)):
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


def observed_delays() -> tuple[float, float]:
    """How many emails were measured, and the sum of their delays."""
    (metric,) = LETTER_SECONDS.collect()
    values = {sample.name: sample.value for sample in metric.samples}
    return values["echtra_letter_seconds_count"], values["echtra_letter_seconds_sum"]


def test_the_delay_of_each_email_is_measured_and_logged(
    post: Config, clock: Clock, capsys: pytest.CaptureFixture[str]
) -> None:
    sink = Sink()
    match = match_of(post, person("Aoife"), person("Brendan"))
    count, seconds = observed_delays()
    clock.forward(seconds=42)
    configure_logging("info")
    with serving(sink, relay_port(post)):
        deliver(post)
    configure_logging(post.log_level)
    grown = [after - before for after, before in zip(observed_delays(), (count, seconds), strict=True)]
    assert grown == pytest.approx([1, 42])
    ((id_,),) = rows("select id from letter")
    logged = [json.loads(line) for line in capsys.readouterr().err.splitlines() if '"sent"' in line]
    about = {"event": "sent", "level": "info", "letter": id_, "kind": "turn", "match": match, "seconds": 42.0}
    assert [{name: each[name] for name in about} for each in logged] == [about]
    step(match, post)
    deliver(post)  # the mail server is away
    clock.forward(hours=1)
    with serving(sink, relay_port(post)):
        deliver(post)
    assert len(sink.messages) == 2
    grown = [after - before for after, before in zip(observed_delays(), (count, seconds), strict=True)]
    assert grown == pytest.approx([2, 42 + 3600]), "from the first try, not from the last"


def test_letters_that_follow_each_other_share_a_connection_while_it_holds(post: Config) -> None:
    sink, most = Sink(), smtp_connections.MOST_LETTERS
    with serving(sink, relay_port(post)):
        for _ in range(most + 1):
            smtp_client.send("a@mail.example", "b@mail.example", b"Subject: 1\r\n\r\n.\r\n", post)
        assert len(sink.sessions) == 2, "a connection is not used for ever"
    with serving(sink, relay_port(post)):
        smtp_client.send("a@mail.example", "b@mail.example", b"Subject: 2\r\n\r\n.\r\n", post)
        smtp_connections.close_idle(everything=True)
        smtp_client.send("a@mail.example", "b@mail.example", b"Subject: 3\r\n\r\n.\r\n", post)
    assert len(sink.sessions) == 4, "neither one whose server went away nor one that was closed is used again"
    assert len(sink.taken) == most + 3


@pytest.mark.parametrize(
    ("sent", "arrives"),
    [
        (b"Plain.\r\nLines.\r\n", b"Plain.\r\nLines.\r\n"),
        (b".\r\n..two\r\n", b".\r\n..two\r\n"),
        (b"No end", b"No end\r\n"),
    ],
)
def test_every_line_of_a_letter_arrives(post: Config, sent: bytes, arrives: bytes) -> None:
    sink = Sink()
    with serving(sink, relay_port(post)):
        smtp_client.send("a@mail.example", "b@mail.example", b"Subject: 1\r\n\r\n" + sent, post)
        smtp_connections.close_idle(everything=True)
    assert [bytes(each.original_content or b"").partition(b"\r\n\r\n")[2] for each in sink.taken] == [arrives]


def test_a_connection_that_refused_a_letter_is_not_kept(post: Config) -> None:
    sink = Sink(refuse="550 5.1.1 nobody")
    with serving(sink, relay_port(post)):
        with pytest.raises(smtp_client.DeliveryRefused):
            smtp_client.send("a@mail.example", "b@mail.example", b"Subject: 1\r\n\r\n.\r\n", post)
        sink.refuse = ""
        smtp_client.send("a@mail.example", "b@mail.example", b"Subject: 2\r\n\r\n.\r\n", post)
    assert len(sink.taken) == 1


def test_a_silent_connection_is_closed_after_a_while(post: Config, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(smtp_connections, "KEPT_SECONDS", 0.05)
    sink = Sink()
    with serving(sink, relay_port(post)):
        smtp_client.send("a@mail.example", "b@mail.example", b"Subject: 1\r\n\r\n.\r\n", post)
        until = time.monotonic() + 10
        while not sink.goodbyes and time.monotonic() < until:
            time.sleep(0.02)
    assert sink.goodbyes == 1


def test_a_job_that_is_done_again_sends_nothing_again(post: Config) -> None:
    sink = Sink()
    match_of(post, person(), person())
    with serving(sink, relay_port(post)):
        deliver(post)
        execute("update job set done_at = null, lease_until = 0")
        assert deliver(post) == 1
    assert len(sink.taken) == 1


def test_a_server_that_is_down_gets_everything_in_order_when_it_is_back(post: Config, clock: Clock) -> None:
    aoife, brendan = person("Aoife"), person("Brendan")
    match = match_of(post, aoife, brendan)
    deliver(post)
    asked_for(post, {"kind": "board", "player": aoife.id, "match": match, "seat": 0}, "first")
    clock.forward(seconds=1)
    asked_for(post, {"kind": "clock", "player": aoife.id, "match": match, "seat": 0}, "second")
    for _ in range(6 * 12):
        clock.forward(minutes=5)
        deliver(post)
    assert ledger() == ["deferred", "queued", "queued"]
    assert "refused" in ledger("why")[0].lower()
    sink = Sink()
    with serving(sink, relay_port(post)):
        for _ in range(10):
            clock.forward(minutes=1)
            deliver(post)
    assert ledger() == ["accepted"] * 3
    assert [message["Message-ID"] for message in sink.messages] == ledger("message_id")
    assert ledger("kind") == ["turn", "board", "clock"]


def test_a_connection_cut_after_the_last_byte_means_a_second_copy_with_the_same_id(post: Config, clock: Clock) -> None:
    sink = Sink(hang_up=1)
    match_of(post, person(), person())
    with serving(sink, relay_port(post)):
        deliver(post)
        assert ledger() == ["deferred"]
        clock.forward(minutes=10)
        deliver(post)
    assert ledger() == ["accepted"]
    first, second = (bytes(envelope.original_content or b"") for envelope in sink.taken)
    assert first == second


@pytest.mark.parametrize(("says", "state"), [("451 4.7.1 later please", "deferred"), ("550 5.1.1 nobody", "bounced")])
def test_what_a_server_says_of_an_address_is_the_state_of_the_letter(
    post: Config, clock: Clock, says: str, state: str
) -> None:
    aoife = person()
    match_of(post, aoife, person())
    with serving(Sink(refuse=says), relay_port(post)):
        deliver(post)
        assert ledger() == ["deferred"], "a refusal is believed when it is repeated"
        clock.forward(minutes=11)
        deliver(post)
    assert ledger() == [state]
    assert ledger("why") == [says]
    assert rows("select bounces from player where id = ?", aoife.id) == [(int(state == "bounced"),)]
    assert alarms.list_active(clock.at) == []


def test_two_refusals_suspend_an_address_and_its_clocks(post: Config, clock: Clock) -> None:
    aoife = person()
    matches_of_aoife = [match_of(post, aoife, person("Brendan", letters="none")) for _ in range(3)]
    orla = person("Orla")
    execute("update match set arbiter = ?", orla.id)
    sink = Sink(refuse="550 5.1.1 nobody")
    with serving(sink, relay_port(post)):
        deliver(post)
        clock.forward(minutes=11)
        deliver(post)
        assert ledger()[:3] == ["bounced"] * 3
        assert rows("select bounces from player where id = ?", aoife.id) == [(2,)]
        ((paused,),) = rows("select count(*) from seat where player = ? and paused_at is not null", aoife.id)
        assert paused == len(matches_of_aoife)
        sink.refuse = ""
        clock.forward(hours=1)
        asked_for(post, {"kind": "code", "player": aoife.id, "code": "123456", "request": "r", "minutes": 10}, "code:r")
    assert [envelope.rcpt_tos for envelope in sink.taken] == [[orla.address]] * 3 + [[aoife.address]]
    assert "server answered 550." in " ".join(text_of(sink.messages[0]).split())


@pytest.mark.parametrize(
    "says", ["550 5.7.1 relaying denied", "550-5.7.26 refused\r\n550 5.7.26 unsigned", "554 5.7.1 listed"]
)
def test_a_server_that_refuses_us_by_policy_suspends_nobody_and_raises_an_alarm(
    post: Config, clock: Clock, says: str
) -> None:
    for _ in range(3):
        match_of(post, person(), person(letters="none"))
    sink = Sink(refuse=says)
    with serving(sink, relay_port(post)):
        for _ in range(5):
            deliver(post)
            clock.forward(minutes=20)
        assert ledger() == ["deferred"] * 3
        assert rows("select max(bounces), count(bounced_at) from player") == [(0, 0)]
        assert rows("select count(*) from seat where paused_at is not null") == [(0,)]
        (alarm,) = alarms.list_active(clock.at)
        assert alarm.kind == "relay-policy"
        assert "5.7." in alarm.detail
        sink.refuse = ""
        deliver(post)
    assert ledger() == ["accepted"] * 3
    clock.forward(hours=2)
    assert alarms.list_active(clock.at) == []


def test_a_server_that_refuses_nearly_everybody_suspends_nobody_and_raises_an_alarm(post: Config, clock: Clock) -> None:
    """Old servers give no enhanced code: that everybody is unknown at once tells that the fault is ours."""
    for _ in range(6):
        match_of(post, person(), person(letters="none"))
    sink = Sink(refuse="550 user unknown")
    with serving(sink, relay_port(post)):
        for _ in range(8):
            deliver(post)
            clock.forward(minutes=15)
        assert ledger() == ["deferred"] * 6
        assert rows("select max(bounces), count(bounced_at) from player") == [(0, 0)]
        assert [alarm.kind for alarm in alarms.list_active(clock.at)] == ["relay-addresses"]
        sink.refuse = ""
        deliver(post)
    assert ledger() == ["accepted"] * 6


def test_a_letter_nobody_takes_for_five_days_is_given_up(post: Config, clock: Clock) -> None:
    match_of(post, person(), person())
    deliver(post)
    clock.forward(days=4)
    deliver(post)
    assert ledger() == ["deferred"]
    clock.forward(days=2)
    deliver(post)
    assert ledger() == ["bounced"]


def test_a_question_answered_while_the_server_was_down_is_not_asked_any_more(post: Config, clock: Clock) -> None:
    match = match_of(post, person("Aoife"), person("Brendan"))
    deliver(post)
    for _ in range(3):
        step(match, post)
    sink = Sink()
    with serving(sink, relay_port(post)):
        for _ in range(5):
            clock.forward(minutes=2)
            deliver(post)
    assert ledger()[0] == "answered"
    assert all(message["To"].addresses[0].display_name == "Brendan" for message in sink.messages)


def test_without_a_mail_server_letters_stay_here(service: Config) -> None:
    local = replace(service, smtp_url="")
    match_of(local, person(), person())
    deliver(local)
    assert ledger() == ["accepted"]


@pytest.mark.parametrize("starttls", [False, True])
def test_tls_is_used_and_the_certificate_is_checked(
    post: Config, tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch, *, starttls: bool
) -> None:
    file = certificate(tmp_path)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file)
    scheme = "smtp+starttls" if starttls else "smtps"
    config = replace(post, smtp_url=f"{scheme}://localhost:{relay_port(post)}")
    match_of(config, person(), person())
    sink = Sink()
    with serving(sink, relay_port(post), context, starttls=starttls):
        deliver(config)
        assert ledger() == ["deferred"]
        assert "certificate" in ledger("why")[0].lower()
        monkeypatch.setenv("SSL_CERT_FILE", str(file))
        smtp_client.clear_pauses()
        clock.forward(minutes=10)
        deliver(config)
        smtp_connections.close_idle(everything=True)
    assert ledger() == ["accepted"]
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
