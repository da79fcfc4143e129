"""The settings of the service: `ECHTRA_*` environment variables only, checked at start-up."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from service.i18n.catalogue import Message, msg

PREFIX = "ECHTRA_"


class BadConfig(ValueError):
    """An invalid setting. The message says which one, why, and what is valid."""

    def __init__(self, message: Message) -> None:
        super().__init__(message)
        self.message = message


LARGEST_PORT = 65535
SPARE_CONNECTIONS = 4
"""Connections for everything that is neither a request nor a task: the sweeper, the mail door, webhooks."""


@dataclass(frozen=True)
class Config:
    """Every setting with its default. `docs/SETTINGS.md` is generated from the sentences below."""

    # Storage and processes
    data: Path = Path("var")
    """Folder for the database file, the demo account and its key."""
    database_url: str = ""
    """`sqlite:///path` or `postgresql://…`; empty for a SQLite file in `ECHTRA_DATA`."""
    broker_url: str = ""
    """`redis://…` for separate workers; needs PostgreSQL, and Redis with `noeviction`. Empty runs the worker in the
    same process."""
    threads: int = 8
    """Requests that a web process handles at the same time."""
    processes: int = 2
    """Processes of `echtra web`."""
    tasks: int = 4
    """Tasks that a worker runs at the same time."""
    disk_free: int = 50
    """Megabytes that must be free on the disk of the database for `/readyz` to answer 200."""

    # Web
    host: str = "127.0.0.1"
    """Address on which the web process listens."""
    port: int = 8000
    """Port on which the web process listens."""
    public_url: str = ""
    """Address that emails and links name; empty for `http://HOST:PORT`."""
    proxies: int = 0
    """Number of your reverse proxies in front of the service. Each must add to `X-Forwarded-For` and set
    `X-Forwarded-Proto`. With 0, these headers are ignored."""
    streams: int = 1000
    """Event streams per process; further ones get 503. A player has at most eight."""
    waits: int = 16
    """Requests per process that may wait for new events, each in its own thread; further ones get 503."""
    express: int = 1
    """1 answers plain moves and reads of the options without Flask, many at once; 0 leaves all requests to Flask. Both
    give the same answers."""
    body_seconds: int = 20
    """Seconds that a client may take to send a request body; 408 after that."""

    # Outgoing email
    mail_from: str = "echtra@localhost"
    """Sender of emails."""
    mail_domain: str = "localhost"
    """Domain of reply addresses."""
    smtp_url: str = ""
    """`smtp://`, `smtps://` or `smtp+starttls://user:password@host:port`; empty keeps emails in the mailbox page."""
    dkim_key: str = ""
    """File with the key that signs emails; empty for no signature."""
    dkim_selector: str = "echtra"
    """DKIM selector under which the public key is published."""
    letter_hold: int = 30
    """Seconds that the email about a turn is held back, so that a quick chain of turns makes one email."""

    # Incoming email
    smtp_door: str = "127.0.0.1:8025"
    """Address that accepts replies by SMTP or LMTP."""
    imap_url: str = ""
    """Mailbox to poll for replies, `imaps://user:password@host/folder`; empty for none."""
    inbound_secret: str = ""
    """Opens `POST /v1/inbound/mail` for mail providers; empty keeps it closed."""
    authserv_id: str = ""
    """Name of your own relay, whose `Authentication-Results` are trusted. While it is empty, moves are accepted by
    reply address and `From` alone, and other changes by email must be confirmed in answer to a second email."""

    # Limits
    limit_requests: int = 600
    """Requests per minute for each player, or for each address without a token, counted by each web process."""
    guests: int = 10_000
    """Guests who may play against bots without an account at the same time; 0 turns guests off."""
    limit_registrations: int = 30
    """Registrations per hour for each address, counted over all processes if a broker is set."""
    open_matches: int = 50
    """Unfinished matches that a player may have."""
    organisers: tuple[str, ...] = ()
    """Players, by id or email address, who may create tournaments; empty for everyone."""
    invitations: int = 20
    """Unanswered invitations that a player may have sent."""
    most_entries: int = 20_000
    """Entries after which the house ends a match with its current scores."""

    # Other services
    hook_networks: tuple[str, ...] = ()
    """Networks that webhooks may reach besides the public internet, such as `127.0.0.0/8`."""
    beacon_url: str = ""
    """URL from which the worker gets the drand-quicknet beacon for tournament draws, for example
    `https://api.drand.sh/v2/beacons/quicknet/rounds`. If empty, organisers enter the value."""

    # Secrets and monitoring
    secret_key: str = field(default="", repr=False)
    """Key that encrypts keys and seeds in the database, the same for every process; if empty, they are stored in plain
    text."""
    secret_key_file: str = ""
    """File that contains this key instead."""
    metrics_token: str = ""
    """Bearer token for `/metrics`. While it is empty, only clients on this machine can read them."""
    metrics_door: str = ""
    """Address on which a worker, beat or mail door serves its own `/metrics`, such as `127.0.0.1:9101`; each process
    needs its own."""
    security_contact: str = ""
    """Contact in `/.well-known/security.txt`: an email or `https:` address; empty for `ECHTRA_MAIL_FROM`."""
    log_level: str = "info"
    """`debug`, `info`, `warning` or `error`."""

    # How long data is kept, in days; 0 for ever
    keep_letter_bytes: int = 3
    """Text and pictures of emails, counted from when the mail server accepted them."""
    keep_letters: int = 400
    """Rows about sent emails: recipient, time, delivery status, and the SHA-256 of their bytes."""
    keep_inbox: int = 366
    """Received emails."""
    keep_jobs: int = 90
    """Jobs that are done."""
    keep_deliveries: int = 90
    """Deliveries to webhooks."""
    keep_events: int = 400
    """Events."""
    keep_branches: int = 30
    """Plans that players save in a match, counted from its end."""

    @property
    def database(self) -> str:
        """The database URL: the one given, or a file in the data folder."""
        return self.database_url or f"sqlite:///{self.data / 'echtra.db'}"

    @property
    def connections(self) -> int:
        """Maximum number of PostgreSQL connections in the pool of a web process. Long polls hold none."""
        return self.threads + self.tasks + SPARE_CONNECTIONS

    @property
    def embedded(self) -> bool:
        """True if web, worker and mail doors run in one process."""
        return not self.broker_url

    @property
    def local(self) -> bool:
        """True if only this machine can reach the service and no email leaves it."""
        public = urlsplit(self.public_url).hostname if self.public_url else "localhost"
        return not self.smtp_url and is_this_machine(self.host) and is_this_machine(public or "")

    @property
    def exposed(self) -> bool:
        """True if other machines can connect and no reverse proxy limits them."""
        return not self.proxies and not is_this_machine(self.host)

    @property
    def redis_url(self) -> str:
        """The broker URL in redis-py's form. Celery has its own scheme for a socket."""
        return self.broker_url.replace("redis+socket://", "unix://", 1)

    @property
    def url(self) -> str:
        """The public URL of the service."""
        return self.public_url or self.direct_url

    @property
    def direct_url(self) -> str:
        """The URL of the web process itself, past any proxy."""
        return f"http://[{self.host}]:{self.port}" if ":" in self.host else f"http://{self.host}:{self.port}"


def is_this_machine(host: str) -> bool:
    """Return True if a host name or address is this machine."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def security_contact(config: Config) -> str:
    """Return the contact for security reports as a URL: the one set, or the sender address of emails."""
    contact = config.security_contact or config.mail_from
    return contact if urlsplit(contact).scheme in ("https", "mailto", "tel") else f"mailto:{contact}"


def read(environ: Mapping[str, str]) -> Config:
    """Return the settings from this environment. The first invalid one raises `BadConfig`."""
    known = {PREFIX + each.name.upper(): each for each in fields(Config)}
    unknown = sorted(name for name in environ if name.startswith(PREFIX) and name not in known)
    if unknown:
        raise BadConfig(msg("config.unknown", name=unknown[0]))
    given: dict[str, Any] = {}
    for name, each in known.items():
        if environ.get(name, "") != "":
            given[each.name] = _parse_value(name, environ[name].strip(), each.default)
    config = Config(**given)
    _check_config(config)
    return config


def _parse_value(name: str, text: str, default: object) -> object:
    if isinstance(default, int):
        if not re.fullmatch(r"[0-9]{1,9}", text):
            raise BadConfig(msg("config.whole_number", name=name, value=text))
        return int(text)
    if isinstance(default, tuple):
        return tuple(part.strip() for part in text.split(",") if part.strip())
    return Path(text) if isinstance(default, Path) else text


def _check_config(config: Config) -> None:
    _check_addresses(config)
    _check_figures(config)
    if config.log_level not in ("debug", "info", "warning", "error"):
        raise BadConfig(msg("config.log_level", value=config.log_level))
    if config.dkim_key and not Path(config.dkim_key).is_file():
        raise BadConfig(msg("config.dkim_key", value=config.dkim_key))


def _check_addresses(config: Config) -> None:
    _check_scheme("DATABASE_URL", config.database_url, ("sqlite", "postgresql", "postgres"))
    _check_scheme("BROKER_URL", config.broker_url, ("redis", "rediss", "unix", "redis+socket"))
    _check_scheme("PUBLIC_URL", config.public_url, ("http", "https"))
    _check_scheme("SMTP_URL", config.smtp_url, ("smtp", "smtps", "smtp+starttls"))
    _check_scheme("IMAP_URL", config.imap_url, ("imap", "imaps"))
    _check_scheme("BEACON_URL", config.beacon_url, ("http", "https"))
    if config.broker_url and config.database.startswith("sqlite"):
        raise BadConfig(msg("config.broker_needs_postgresql"))
    if config.metrics_door:
        split_address(config.metrics_door)
    for network in config.hook_networks:
        try:
            ipaddress.ip_network(network)
        except ValueError:
            raise BadConfig(msg("config.hook_networks", value=network)) from None


def split_address(text: str) -> tuple[str, int]:
    """Split a listening address such as 127.0.0.1:9100 or [::1]:9100 into host and port."""
    host, _, port = text.rpartition(":")
    if not host or not re.fullmatch(r"[0-9]{1,5}", port) or int(port) > LARGEST_PORT:
        raise BadConfig(msg("config.metrics_door", value=text))
    return host.strip("[]"), int(port)


def _check_figures(config: Config) -> None:
    if not 0 <= config.port <= LARGEST_PORT:
        raise BadConfig(msg("config.port", value=config.port))
    if config.express not in (0, 1):
        raise BadConfig(msg("config.express", value=config.express))
    for name in ("threads", "processes", "tasks", "waits", "body_seconds"):
        if getattr(config, name) < 1:
            raise BadConfig(msg("config.at_least_one", name=f"{PREFIX}{name.upper()}"))


def hide_password(text: str, url: str) -> str:
    """Return the text without the password of this URL, raw or percent-encoded."""
    written = urlsplit(url).password or ""
    for secret in (url, written, unquote(written)):
        text = text.replace(secret, "…") if secret else text
    return text


def _check_address(name: str, url: str) -> None:
    """Refuse a URL that cannot be parsed, without repeating it: it may contain a password."""
    try:
        parts = urlsplit(url)
        wrong = parts.port == 0 or "@" in (parts.hostname or "") or "@" in parts.path or "#" in url
    except ValueError:
        wrong = True
    if wrong:
        raise BadConfig(msg("config.address", name=f"{PREFIX}{name}"))


def _check_scheme(name: str, url: str, schemes: tuple[str, ...]) -> None:
    if url and url.partition(":")[0].lower() not in schemes:
        known = ", ".join(f"{each}://" for each in schemes)
        raise BadConfig(msg("config.scheme", name=f"{PREFIX}{name}", known=known))
    if not url.startswith("sqlite"):
        _check_address(name, url)
