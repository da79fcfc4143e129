"""Mail fetched by IMAP: kept once with the time of the mailbox, marked as seen, and quiet when nobody answers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from service.config import Config
from service.db.connection import rows
from service.mail.incoming.imap_poller import parse_account, poll
from tests.support.imap_server import Server
from tests.support.mail_replies import config_with_mail, message
from tests.support.players import START

ARRIVED = "15-Jan-2027 07:00:00 +0000"
PASSWORD = "s3cret"
LATER = "15-Jan-2027 23:00:00 +0000"


pytestmark = pytest.mark.usefixtures("clock")


@pytest.fixture
def server() -> Iterator[Server]:
    """A mailbox."""
    made = Server()
    yield made
    made.close()


def polling(service: Config, server: Server, password: str = PASSWORD) -> Config:
    """The settings of a service that asks this mailbox."""
    return replace(config_with_mail(service), imap_url=f"imap://echtra:{password}@127.0.0.1:{server.port}/INBOX")


def test_new_mail_is_kept_once_with_the_time_of_the_mailbox(service: Config, server: Server) -> None:
    config = polling(service, server)
    ours = message("help", "aoife@example.org", "Echtra <echtra@echtra.example>")
    server.folder.messages = {
        1: (ARRIVED, ours),
        2: (ARRIVED, message("buy", "spam@example.org", "other@example.org")),
        3: (LATER, message("board", "aoife@example.org", "x@example.org", Delivered_To="echtra@echtra.example")),
    }
    for _ in range(2):
        poll(config)
    found = rows("select received, door, sender, recipient from inbox order by received")
    assert found == [
        (START - 3_600_000, "imap", "aoife@example.org", "echtra"),
        (START, "imap", "aoife@example.org", "echtra"),
    ]
    ((kept,),) = rows("select mime from inbox where received < ?", START)
    assert bytes(kept) == ours
    assert server.folder.seen == {1, 2, 3}
    server.folder.seen.clear()
    poll(config)
    assert rows("select count(*) from inbox") == [(2,)]


def test_a_giant_is_marked_and_not_fetched(service: Config, server: Server) -> None:
    server.folder.messages = {1: (ARRIVED, message("x" * 11_000_000, "a@example.org", "echtra@echtra.example"))}
    poll(polling(service, server))
    assert (rows("select count(*) from inbox"), server.folder.seen) == ([(0,)], {1})
    assert not [asked for asked in server.folder.asked if "BODY" in asked]


def test_a_large_message_to_our_own_address_is_marked_and_not_kept(service: Config, server: Server) -> None:
    server.folder.messages = {1: (ARRIVED, message("x" * 1_100_000, "a@example.org", "echtra@echtra.example"))}
    poll(polling(service, server))
    assert (rows("select count(*) from inbox"), server.folder.seen) == ([(0,)], {1})


def test_a_mailbox_that_does_not_let_us_in_is_left_alone(service: Config, server: Server) -> None:
    poll(polling(service, server, password="wrong"))
    poll(replace(config_with_mail(service), imap_url="imap://echtra:x@127.0.0.1:1/INBOX"))
    poll(config_with_mail(service))
    assert rows("select count(*) from inbox") == [(0,)]


def test_an_address_names_user_folder_and_port() -> None:
    known = parse_account("imaps://me%40example.org:p%2Fw@mail.example.org/Games%20in")
    assert (known.user, known.password, known.folder) == ("me@example.org", "p/w", "Games in")
    assert (known.host, known.port, known.plain) == ("mail.example.org", 993, False)
