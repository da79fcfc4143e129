"""The settings of the service: `ECHTRA_*` environment variables and nothing else, checked at start."""

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
    """A setting that cannot be; the message says which, why, and what would do."""

    def __init__(self, message: Message) -> None:
        super().__init__(message)
        self.message = message


LARGEST_PORT = 65535
SPARE_CONNECTIONS = 4
"""Connections for what is neither a request nor a task: the sweeper, the mail door, hooks."""


@dataclass(frozen=True)
class Config:
    """Every setting with its default; the README's table says what each is for."""

    data: Path = Path("var")
    database_url: str = ""
    broker_url: str = ""
    host: str = "127.0.0.1"
    port: int = 8000
    threads: int = 8
    processes: int = 2
    tasks: int = 4
    public_url: str = ""
    proxies: int = 0
    mail_from: str = "echtra@localhost"
    mail_domain: str = "localhost"
    smtp_url: str = ""
    smtp_door: str = "127.0.0.1:8025"
    imap_url: str = ""
    inbound_secret: str = ""
    authserv_id: str = ""
    dkim_key: str = ""
    dkim_selector: str = "echtra"
    hook_networks: tuple[str, ...] = ()
    beacon_url: str = ""
    limit_requests: int = 600
    limit_registrations: int = 30
    open_matches: int = 50
    invitations: int = 20
    most_entries: int = 20_000
    streams: int = 1000
    waits: int = 16
    body_seconds: int = 20
    letter_hold: int = 30
    secret_key: str = field(default="", repr=False)
    secret_key_file: str = ""
    metrics_token: str = ""
    metrics_door: str = ""
    disk_free: int = 50
    keep_letter_bytes: int = 30
    keep_letters: int = 400
    keep_inbox: int = 366
    keep_jobs: int = 90
    keep_deliveries: int = 90
    keep_events: int = 400
    security_contact: str = ""
    log_level: str = "info"

    @property
    def database(self) -> str:
        """The address of the database: the one given, or a file in the data folder."""
        return self.database_url or f"sqlite:///{self.data / 'echtra.db'}"

    @property
    def connections(self) -> int:
        """How many connections to PostgreSQL a web process pools at the most; who only waits holds none."""
        return self.threads + self.tasks + SPARE_CONNECTIONS

    @property
    def embedded(self) -> bool:
        """Whether web, worker and mail doors run in one process."""
        return not self.broker_url

    @property
    def local(self) -> bool:
        """Whether only this machine can reach the service, and no letter leaves it."""
        public = urlsplit(self.public_url).hostname if self.public_url else "localhost"
        return not self.smtp_url and is_this_machine(self.host) and is_this_machine(public or "")

    @property
    def exposed(self) -> bool:
        """True if other machines can connect and no reverse proxy limits them."""
        return not self.proxies and not is_this_machine(self.host)

    @property
    def redis_url(self) -> str:
        """The address of the broker as the Redis library takes it; Celery has its own name for a socket."""
        return self.broker_url.replace("redis+socket://", "unix://", 1)

    @property
    def url(self) -> str:
        """Where people reach the service."""
        return self.public_url or f"http://{self.host}:{self.port}"


def is_this_machine(host: str) -> bool:
    """Whether a name or address is this machine itself."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def security_contact(config: Config) -> str:
    """Whom to tell about faults of security, as an address with its scheme: the one set, or where letters come from."""
    contact = config.security_contact or config.mail_from
    return contact if urlsplit(contact).scheme in ("https", "mailto", "tel") else f"mailto:{contact}"


def read(environ: Mapping[str, str]) -> Config:
    """The settings in this environment; the first bad one is named."""
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
    """Host and port of a place to listen on, written like 127.0.0.1:9100 or [::1]:9100."""
    host, _, port = text.rpartition(":")
    if not host or not re.fullmatch(r"[0-9]{1,5}", port) or int(port) > LARGEST_PORT:
        raise BadConfig(msg("config.metrics_door", value=text))
    return host.strip("[]"), int(port)


def _check_figures(config: Config) -> None:
    if not 0 <= config.port <= LARGEST_PORT:
        raise BadConfig(msg("config.port", value=config.port))
    for name in ("threads", "processes", "tasks", "waits", "body_seconds"):
        if getattr(config, name) < 1:
            raise BadConfig(msg("config.at_least_one", name=f"{PREFIX}{name.upper()}"))


def hide_password(text: str, url: str) -> str:
    """The text without the password of this address, whole or as it is written in the address."""
    written = urlsplit(url).password or ""
    for secret in (url, written, unquote(written)):
        text = text.replace(secret, "…") if secret else text
    return text


def _check_address(name: str, url: str) -> None:
    """Refuse an address that cannot be taken apart, without repeating it: it may hold a password."""
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
