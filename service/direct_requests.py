"""Origin of a request: directly from a client on this machine or through a proxy, and its network."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from ipaddress import ip_address, ip_network
from typing import Any
from urllib.parse import urlsplit

from service.config import Config, is_this_machine

FORWARDING_HEADERS = ("forwarded", "via", "x-forwarded", "x-real-ip")
"""Prefixes of the headers that proxies add."""
DEFAULT_PORTS = {"http": 80, "https": 443}


def is_unforwarded(address: str, headers: Iterable[str]) -> bool:
    """Return True if a client at this address is on loopback, and none of these headers was added by a proxy."""
    return is_this_machine(address) and not any(name.lower().startswith(FORWARDING_HEADERS) for name in headers)


def is_direct(environ: Mapping[str, Any], config: Config) -> bool:
    """Return True if the client is on loopback and nothing in the request hints at a proxy.

    nginx without further settings adds no header, but it speaks HTTP/1.0, which no browser and no scraper does. Other
    proxies keep the host that the browser asked for, or its `Origin` and `Referer`. The check of the host also stops
    a foreign site whose name resolves to 127.0.0.1.
    """
    headers = (key[len("HTTP_") :].replace("_", "-") for key in environ if key.startswith("HTTP_"))
    if not is_unforwarded(environ.get("REMOTE_ADDR") or "", headers):
        return False
    named = [f"http://{environ.get('HTTP_HOST', '')}"]
    named += [environ[key] for key in ("HTTP_ORIGIN", "HTTP_REFERER") if key in environ]
    return environ.get("SERVER_PROTOCOL") not in ("HTTP/1.0", "HTTP/1") and all(_is_own(url, config) for url in named)


def is_local(environ: Mapping[str, Any], config: Config) -> bool:
    """Return True if no email leaves this machine and a client on it sent the request."""
    return config.local and is_direct(environ, config)


def _is_own(url: str, config: Config) -> bool:
    """Return True if the URL names this machine and our port."""
    own = urlsplit(config.url)
    try:
        given = urlsplit(url)
        port = given.port or DEFAULT_PORTS.get(given.scheme)
    except ValueError:
        return False
    ports = (config.port, own.port or DEFAULT_PORTS[own.scheme])
    return is_this_machine(given.hostname or "") and port in ports


def network_of(address: str | None) -> str:
    """Return the network whose clients share limits: an IPv4 address, or the /64 of an IPv6 address."""
    try:
        parsed = ip_address(address or "")
    except ValueError:
        return address or ""
    return str(parsed) if parsed.version == 4 else str(ip_network((parsed, 64), strict=False))  # noqa: PLR2004
