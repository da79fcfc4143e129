"""`echtra check`: read the settings and test everything they name, before anything is started."""

from __future__ import annotations

import imaplib
import os
import smtplib
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from cli.command import Refusal, bilingual_command, localise, print_line, program_name

if TYPE_CHECKING:
    from service.config import Config

OK, WARNING, WRONG = "ok", "warning", "wrong"
Finding = tuple[str, str]
"""The severity of a finding, and a sentence about it."""


@bilingual_command("check", "usage.check.about")
def command() -> int:
    """Check the settings and everything they name."""
    from cli import preflight

    config = preflight.load_config()
    findings = [finding for look in CHECKS for finding in look(config)]
    for level, sentence in findings:
        print_line(f"{localise(f'operator.check.level.{level}')} {sentence}")
    wrong = sum(level == WRONG for level, _ in findings)
    print_line(localise("operator.check.bad" if wrong else "operator.check.good", count=wrong))
    return 1 if wrong else 0


def _say(level: str, key: str, **values: object) -> Finding:
    return level, localise(f"operator.check.{key}", called=program_name(), **values)


def _check_folder(config: Config) -> Iterator[Finding]:
    folder = config.data
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    writable = os.access(folder, os.W_OK | os.X_OK)
    yield _say(OK if writable else WRONG, "folder" if writable else "no_folder", folder=config.data)


def _check_database(config: Config) -> Iterator[Finding]:
    from cli import preflight
    from service.db import connection, migrations

    kind = "SQLite" if config.database.startswith("sqlite") else "PostgreSQL"
    if kind == "SQLite" and not Path(config.database.removeprefix("sqlite:///")).exists():
        yield _say(OK, "new_database")
        return
    try:
        preflight.check_schema(config)
        if migrations.pending_names():
            yield _say(WARNING, "migrate")
            return
        preflight.check_database(config)
    except Refusal as refusal:
        yield WRONG, refusal.message
        return
    finally:
        connection.drop_connections()
    yield _say(OK, "database", kind=kind)


def _check_secret_key(config: Config) -> Iterator[Finding]:
    from service.db.secret_encryption import SecretKeys

    if not SecretKeys.known:
        yield _say(OK if config.database.startswith("sqlite") else WARNING, "no_secret_key")
    elif config.secret_key_file and Path(config.secret_key_file).stat().st_mode & stat.S_IRWXO:
        yield _say(WARNING, "open_secret_key", path=config.secret_key_file)


def _check_broker(config: Config) -> Iterator[Finding]:
    from cli import preflight

    if config.embedded:
        return
    policy = preflight.broker_eviction_policy(config)
    if policy is None:
        yield _say(WRONG, "no_broker")
    elif policy != "noeviction":
        yield WRONG, localise("commands.preflight.evicts", policy=policy)
    else:
        yield _say(OK, "broker")


def _check_web(config: Config) -> Iterator[Finding]:
    if config.exposed:
        yield WARNING, localise("doctor.stuck.no-proxy", host=config.host)
    if config.proxies and not config.public_url:
        yield _say(WARNING, "no_public_url")
    elif not config.local and urlsplit(config.url).scheme == "http":
        yield _say(WARNING, "no_tls", url=config.url)


def _check_outgoing_mail(config: Config) -> Iterator[Finding]:
    from service.config import hide_password
    from service.mail.outgoing import smtp_connections

    if not config.smtp_url:
        yield _say(OK, "mailbox") if config.local else _say(WRONG, "no_mail")
        return
    host = urlsplit(config.smtp_url).hostname
    try:
        with smtp_connections.use_connection(config.smtp_url) as server:
            server.noop()
    except (OSError, smtplib.SMTPException) as error:
        why = hide_password(str(error), config.smtp_url)
        yield _say(WRONG, "no_relay", host=host, why=why.rstrip("."))
    else:
        yield _say(OK, "relay", host=host)
    finally:
        smtp_connections.close_idle(everything=True)
    for name in ("mail_from", "mail_domain"):
        if str(getattr(config, name)).rpartition("@")[2] == "localhost":
            yield _say(WRONG, "localhost", name=f"ECHTRA_{name.upper()}", value=getattr(config, name))
    if not config.authserv_id:
        yield WARNING, localise("doctor.letters.no_relay")


def _check_dkim(config: Config) -> Iterator[Finding]:
    from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    if not config.dkim_key:
        return
    try:
        key = load_pem_private_key(Path(config.dkim_key).read_bytes(), password=None)
    except (OSError, ValueError, TypeError):
        key = None
    good = isinstance(key, RSAPrivateKey)
    yield _say(OK if good else WRONG, "dkim" if good else "no_dkim", path=config.dkim_key, name=config.dkim_selector)


def _check_incoming_mail(config: Config) -> Iterator[Finding]:
    from imap_tools.errors import ImapToolsError

    from service.config import hide_password
    from service.mail.incoming import imap_poller

    if not config.imap_url:
        return
    account = imap_poller.parse_account(config.imap_url)
    try:
        with imap_poller.open_mailbox(account) as box:
            box.login(account.user, account.password, account.folder)
    except (OSError, ImapToolsError, imaplib.IMAP4.error) as error:
        why = hide_password(str(error), config.imap_url)
        yield _say(WRONG, "no_imap", host=account.host, why=why.rstrip("."))
    else:
        yield _say(OK, "imap", host=account.host)


CHECKS: tuple[Callable[[Config], Iterator[Finding]], ...] = (
    _check_folder,
    _check_database,
    _check_secret_key,
    _check_broker,
    _check_web,
    _check_outgoing_mail,
    _check_dkim,
    _check_incoming_mail,
)
