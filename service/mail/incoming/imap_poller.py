"""Mail fetched from an IMAP mailbox: unseen messages are stored with their time of arrival and marked as seen."""

from __future__ import annotations

import imaplib
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

import structlog
from imap_tools import BaseMailBox, MailBox, MailboxLoginError, MailBoxUnencrypted, MailMessageFlags
from imap_tools.errors import ImapToolsError

from service.config import Config
from service.mail.incoming import inbox, large_messages

BATCH_SIZE = 50
TIMEOUT = 20
POLL_SECONDS = 30
"""Seconds between two polls of a mailbox."""
SIZE = re.compile(rb"RFC822\.SIZE (\d+)")
log = structlog.get_logger("imap")


@dataclass(frozen=True)
class ImapAccount:
    """A mailbox and its credentials."""

    host: str
    port: int
    user: str
    password: str
    folder: str
    plain: bool


def parse_account(url: str) -> ImapAccount:
    """Return the mailbox of a URL like `imaps://user:password@mail.example.org/INBOX`."""
    parts = urlsplit(url)
    plain = parts.scheme == "imap"
    return ImapAccount(
        parts.hostname or "",
        parts.port or (143 if plain else 993),
        unquote(parts.username or ""),
        unquote(parts.password or ""),
        unquote(parts.path.strip("/")) or "INBOX",
        plain,
    )


@contextmanager
def open_mailbox(account: ImapAccount) -> Iterator[BaseMailBox]:
    """Connect to the server of a mailbox, without logging in, and disconnect at the end of the block."""
    box = (MailBoxUnencrypted if account.plain else MailBox)(account.host, account.port, timeout=TIMEOUT)
    try:
        yield box
    finally:
        # The library leaves the connection open if the login fails.
        with suppress(OSError, imaplib.IMAP4.error):
            box.client.logout()


def poll(config: Config) -> None:
    """Fetch new messages. A mailbox that cannot be reached is tried again at the next poll."""
    if not config.imap_url:
        return
    known = parse_account(config.imap_url)
    try:
        with open_mailbox(known) as box:
            _fetch_unseen(box, known, config)
    except (OSError, ImapToolsError, imaplib.IMAP4.error) as error:
        wrong = "login" if isinstance(error, MailboxLoginError) else "mailbox"
        log.warning(wrong, host=known.host, error=str(error)[:300])


def _fetch_unseen(box: BaseMailBox, known: ImapAccount, config: Config) -> None:
    box.login(known.user, known.password, known.folder)
    for uid in box.uids("UNSEEN")[:BATCH_SIZE]:
        _fetch_message(box, uid, config)


def _fetch_message(box: BaseMailBox, uid: str, config: Config) -> None:
    """Store one message and mark it as seen. One that is too large is only marked."""
    answer = box.client.uid("FETCH", uid, "(RFC822.SIZE)")[1]
    found = SIZE.search(b" ".join(part for part in answer if isinstance(part, bytes)))
    if found is None:
        return
    if int(found[1]) <= large_messages.MOST_REPLY_BYTES:
        _store_message(box, uid, config)
    else:
        log.warning("too large", uid=uid, size=int(found[1]))
    box.flag([uid], MailMessageFlags.SEEN, True)


def _store_message(box: BaseMailBox, uid: str, config: Config) -> None:
    # The library returns parsed messages, but the record needs the exact bytes, and the mailbox's own time.
    answer = box.client.uid("FETCH", uid, "(INTERNALDATE BODY.PEEK[])")[1]
    for part in answer:
        if isinstance(part, tuple):
            came = imaplib.Internaldate2tuple(part[0]) or imaplib.Internaldate2tuple(answer[-1])
            received = int(time.mktime(came)) * 1000 if came else None
            kept = inbox.store(part[1], "imap", config, received=received)
            log.info("kept", inbox=kept, uid=uid)
