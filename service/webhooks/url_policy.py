"""Addresses given by players: which ones we connect to, and which never, whatever their names resolve to."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from urllib.parse import urlsplit

from service.i18n.catalogue import Message, msg

LONGEST = 2_000
PORT = 443
PORTS = {"https": 443, "http": 80}
URL_CHARACTERS = re.compile(r"[!-~]+")
HOST = re.compile(r"[A-Za-z0-9]([A-Za-z0-9_.-]*)|[0-9A-Fa-f:.]+")
GLOBAL6 = IPv6Network("2000::/3")
# Networks that Python's own table wrongly calls global, and a public address where one cloud serves its secrets.
NOT_GLOBAL = tuple(
    ip_network(each)
    for each in (
        "192.0.0.0/24",
        "192.88.99.0/24",
        "168.63.129.16/32",
        "2001::/23",
        "2001:db8::/32",
        "2002::/16",
        "3fff::/20",
    )
)
IpAddress = IPv4Address | IPv6Address
IpNetwork = IPv4Network | IPv6Network


class UrlNotAllowed(ValueError):
    """An address that we do not connect to. The reason says why."""

    def __init__(self, reason: Message) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True)
class Target:
    """An address in its parts."""

    scheme: str
    host: str
    port: int
    path: str

    @property
    def host_header(self) -> str:
        """The value of the header `Host`."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == PORTS[self.scheme] else f"{host}:{self.port}"


def parse_networks(texts: Iterable[str]) -> tuple[IpNetwork, ...]:
    """Return the networks that the operator allows in addition to the public internet."""
    return tuple(ip_network(each) for each in texts)


def parse_url(url: str, local: Sequence[IpNetwork]) -> Target:
    """Parse a URL and check everything about it that needs no look-up."""
    if len(url) > LONGEST or URL_CHARACTERS.fullmatch(url) is None or "\\" in url:
        raise UrlNotAllowed(msg("webhooks.bad_url.characters", most=LONGEST))
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise UrlNotAllowed(msg("webhooks.bad_url.not_web")) from None
    if parts.scheme not in PORTS or (parts.scheme == "http" and not local):
        raise UrlNotAllowed(msg("webhooks.bad_url.scheme"))
    if "@" in parts.netloc or "#" in url:
        raise UrlNotAllowed(msg("webhooks.bad_url.user_or_part"))
    host = parts.hostname or ""
    if HOST.fullmatch(host) is None:
        raise UrlNotAllowed(msg("webhooks.bad_url.no_host"))
    port = PORTS[parts.scheme] if port is None else port
    target = Target(parts.scheme, host, port, (parts.path or "/") + (f"?{parts.query}" if parts.query else ""))
    literal = _ip_literal(host)
    if literal is not None or not local:
        check_target(target, [literal] if literal is not None else [], local)
    return target


def _ip_literal(host: str) -> IpAddress | None:
    try:
        return ip_address(host)
    except ValueError:
        return None


def check_target(target: Target, addresses: Sequence[IpAddress], local: Sequence[IpNetwork]) -> None:
    """Refuse a target if any of its addresses is neither public nor allowed by the operator."""
    if any(not is_public(each) and not _is_within(each, local) for each in addresses):
        raise UrlNotAllowed(msg("webhooks.bad_url.not_public"))
    inside = bool(addresses) and all(_is_within(each, local) for each in addresses)
    if not inside and (target.scheme, target.port) != ("https", PORT):
        raise UrlNotAllowed(msg("webhooks.bad_url.port", port=PORT))


def is_public(address: IpAddress) -> bool:
    """Return True for an address of the public internet. Anything not known to be public is not."""
    if _is_within(address, NOT_GLOBAL):
        return False
    if isinstance(address, IPv6Address):
        return address.scope_id is None and address in GLOBAL6 and address.is_global
    return address.is_global and not address.is_multicast and not address.is_reserved


def _is_within(address: IpAddress, known: Sequence[IpNetwork]) -> bool:
    return any(address in each for each in known if each.version == address.version)
