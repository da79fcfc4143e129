"""Posting to addresses that strangers give: never where it must not go, and never for long."""

from __future__ import annotations

import socket
import ssl
import time
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from service.webhooks import http_client
from service.webhooks.http_client import post
from service.webhooks.url_policy import UrlNotAllowed, is_public, parse_networks, parse_url
from tests.support.webhook_receivers import Receiver

LOCAL = parse_networks(("127.0.0.0/8",))


# Addresses that are never reached

# fmt: off
ADDRESSES = [  # address, whether it is public
    ("1.1.1.1", True), ("93.184.216.34", True), ("2606:4700:4700::1111", True), ("2a00:1450:4009::200e", True),
    ("0.0.0.1", False), ("10.0.0.1", False), ("100.64.0.1", False), ("100.100.100.200", False), ("127.0.0.1", False),
    ("127.255.255.254", False), ("169.254.169.254", False), ("172.16.0.1", False), ("172.31.255.255", False),
    ("192.0.0.8", False), ("192.0.0.192", False), ("192.0.2.1", False), ("192.88.99.1", False), ("192.168.1.1", False),
    ("198.18.0.1", False), ("198.51.100.1", False), ("203.0.113.1", False), ("224.0.0.1", False), ("240.0.0.1", False),
    ("255.255.255.255", False), ("168.63.129.16", False),
    ("::", False), ("::1", False), ("::127.0.0.1", False), ("::ffff:127.0.0.1", False), ("::ffff:8.8.8.8", False),
    ("64:ff9b::7f00:1", False), ("64:ff9b:1::1", False), ("100::1", False), ("2001::1", False), ("2001:db8::1", False),
    ("2001:10::1", False), ("2002:7f00:1::", False), ("3fff::1", False), ("fc00::1", False), ("fd00:ec2::254", False),
    ("fe80::1", False), ("fe80::1%eth0", False), ("fec0::1", False), ("ff02::1", False), ("5f00::1", False),
]
URLS = [  # what somebody may type, a word of the refusal
    ("ftp://example.org/", "https"), ("http://example.org/", "https"), ("file:///etc/passwd", "https"),
    ("https://", "host"), ("https:///x", "host"), ("example.org", "https"), ("//example.org", "https"),
    ("https://user@example.org/", "user"), ("https://user:word@example.org/", "user"), ("https://a@127.0.0.1/", "user"),
    ("https://example.org/#part", "user"), ("https://example.org:8443/", "443"), ("https://example.org:22/", "443"),
    ("https://example.org:99999/", "address"), ("https://example.org:x/", "address"), ("https://[::1", "address"),
    ("https://[::1]/", "public"), ("https://127.0.0.1/", "public"), ("https://169.254.169.254/latest", "public"),
    ("https://[::ffff:10.0.0.1]/", "public"), ("https://[fe80::1%25eth0]/", "host"), ("https://exa mple.org/", "plain"),
    ("https://example.org/\r\nHost: x", "plain"), ("https://example.org\\@127.0.0.1/", "plain"),
    ("https://exämple.org/", "plain"), ("https://" + "a" * 3000, "plain"), ("https://ex%61mple.org/", "host"),
]
NAMES = [  # names that mean this machine or its network, one way or another
    "https://localhost/", "https://127.1/", "https://2130706433/", "https://0x7f000001/", "https://0177.0.0.1/",
    "https://0/", "https://LOCALHOST/",
]
# fmt: on


@pytest.mark.parametrize(("address", "wanted"), ADDRESSES)
def test_which_addresses_are_public(address: str, wanted: bool) -> None:
    assert is_public(ip_address(address)) is wanted


@pytest.mark.parametrize(("url", "word"), URLS)
def test_which_addresses_are_refused_by_their_form(url: str, word: str) -> None:
    with pytest.raises(UrlNotAllowed, match=word):
        parse_url(url, ())
    assert post(url, b"{}", {}, ()).code is None


@pytest.mark.parametrize("url", NAMES)
def test_names_of_this_machine_are_refused_when_they_are_looked_up(url: str) -> None:
    answer = post(url, b"{}", {}, ())
    assert (answer.code, answer.text) == (None, "this address is not on the public internet")


@pytest.mark.parametrize(
    "found",
    [["10.0.0.1"], ["93.184.216.34", "127.0.0.1"], ["2606:4700:4700::1111", "::1"], ["::ffff:169.254.169.254"]],
)
def test_one_bad_address_among_good_ones_is_enough(found: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    connected: list[object] = []
    told = [(socket.AF_INET6 if ":" in each else socket.AF_INET, 1, 6, "", (each, 443)) for each in found]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_args, **_more: told)
    monkeypatch.setattr(http_client, "_connect", lambda *args: connected.append(args))
    assert "public" in post("https://rebinding.example/", b"{}", {}, ()).text
    assert connected == []


def test_a_name_is_looked_up_once_and_the_connection_goes_there(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[object] = []

    def look(*args: Any, **_more: Any) -> list[tuple[Any, ...]]:  # noqa: ANN401
        looked.append(args)
        where = "127.0.0.1" if len(looked) == 1 else "127.0.0.99"
        return [(socket.AF_INET, 1, 6, "", (where, receiver.port))]

    monkeypatch.setattr(socket, "getaddrinfo", look)
    answer = post(f"http://rebinding.example:{receiver.port}/", b"{}", {}, LOCAL)
    assert answer.code == 200
    assert len(looked) == 1
    assert receiver.got[0].headers["host"] == f"rebinding.example:{receiver.port}"


def test_the_operator_allows_a_network_and_no_other(receiver: Receiver) -> None:
    assert post(receiver.url, b"{}", {}, LOCAL).code == 200
    assert post(receiver.url, b"{}", {}, parse_networks(("10.0.0.0/8",))).code is None
    assert post(receiver.url, b"{}", {}, ()).code is None
    assert receiver.connections == 1
    assert post("http://93.184.216.34/", b"{}", {}, LOCAL).text == "only https:// on port 443 is allowed"


def test_proxies_of_the_environment_are_not_used(receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    assert post(receiver.url, b"{}", {}, LOCAL).code == 200


@pytest.mark.parametrize(
    ("mode", "code", "least", "most"),
    [
        ("silent", None, 0.9, 2.0),
        ("drip", None, 0.9, 2.0),
        ("continue", None, 0.9, 2.0),
        ("drip_body", 200, 0.9, 2.0),
        ("redirect", 302, 0.0, 0.9),
        ("flood", 200, 0.0, 0.9),
        ("headers", 200, 0.0, 0.9),
        ("close", None, 0.0, 0.9),
    ],
)
def test_bad_receivers_are_left_in_time(
    receiver: Receiver, mode: str, code: int | None, least: float, most: float
) -> None:
    receiver.mode = mode
    began = time.monotonic()
    answer = post(receiver.url, b"{}", {}, LOCAL, deadline=1.0)
    took = time.monotonic() - began
    assert answer.code == code
    assert least <= took <= most
    assert receiver.connections == 1
    assert not answer.is_success or code == 200
    assert len(answer.text) <= 200


def test_nobody_listens() -> None:
    gone = Receiver()
    gone.shutdown()
    gone.server_close()
    assert post(gone.url, b"{}", {}, LOCAL).text == "nobody answers at this address"
    assert post("https://no-such-name.invalid/", b"{}", {}, ()).text == "the host name was not found"


# Over TLS


def certificate(folder: Path, name: str) -> tuple[ssl.SSLContext, ssl.SSLContext]:
    """A server that has a certificate for this name, and a client that trusts it."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
    at = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(at - timedelta(days=1))
        .not_valid_after(at + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    pem = made.public_bytes(serialization.Encoding.PEM)
    secret = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    file = folder / "server.pem"
    file.write_bytes(secret + pem)
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(file)
    return server, ssl.create_default_context(cadata=pem.decode())


@pytest.mark.parametrize(
    ("name", "trusted", "code", "text"),
    [
        ("hooks.example", True, 200, "hello"),
        ("other.example", True, None, "the certificate is not valid for this name"),
        ("hooks.example", False, None, "the certificate is not valid for this name"),
    ],
)
def test_the_certificate_must_be_good_for_the_name_though_the_address_is_pinned(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, trusted: bool, code: int | None, text: str
) -> None:
    server, client = certificate(tmp_path, name)
    receiver = Receiver("200", server)
    where = [(socket.AF_INET, 1, 6, "", ("127.0.0.1", receiver.port))]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_args, **_more: where)
    if trusted:
        monkeypatch.setattr(http_client, "_tls_context", lambda: client)
    answer = post(f"https://hooks.example:{receiver.port}/", b"{}", {}, LOCAL, deadline=5)
    assert (answer.code, answer.text) == (code, text)
    assert receiver.names == ["hooks.example"]
    receiver.shutdown()
    receiver.server_close()


def test_a_handshake_that_never_ends_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    receiver = Receiver("silent")
    where = [(socket.AF_INET, 1, 6, "", ("127.0.0.1", receiver.port))]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_args, **_more: where)
    began = time.monotonic()
    answer = post(f"https://hooks.example:{receiver.port}/", b"{}", {}, LOCAL, deadline=1.0)
    assert answer.text == "no answer in time"
    assert time.monotonic() - began < 2
    receiver.shutdown()
    receiver.server_close()
