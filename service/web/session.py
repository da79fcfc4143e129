"""Browser sessions: a token in a cookie that scripts cannot read, and which requests may use it.

A cookie counts only if the request comes from one of our pages, from the address bar, or from a link that opens a page;
so no other site can act for a player, and forms need no token of their own.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

from flask import Request
from werkzeug.wrappers import Response

from service.accounts import tokens
from service.config import Config, is_this_machine
from service.db.connection import DatabaseDown
from service.timestamps import DAY, now
from service.web.auth import BEARER_PREFIX, Caller, Credential

SECURE_COOKIE = "__Host-echtra"
LOCAL_COOKIE = "echtra"
"""Its name if our address is loopback over http, where browsers refuse `__Host-` cookies."""
CHOICE_LASTS = 366 * DAY
READS = ("GET", "HEAD")
OWN_SITES = ("same-origin", "none")
WsgiEnviron = Mapping[str, Any]


def cookie_name(config: Config) -> str | None:
    """Return the name of the cookie, or None where it would be sent in the clear, so that nobody can sign in."""
    address = urlsplit(config.url)
    if address.scheme == "https":
        return SECURE_COOKIE
    return LOCAL_COOKIE if is_this_machine(address.hostname or "") else None


def is_secure(config: Config) -> bool:
    """Return True if our address is https, so that cookies are sent only over https."""
    return cookie_name(config) == SECURE_COOKIE


def keep_choice(response: Response, name: str, value: str, config: Config) -> None:
    """Keep a choice in this browser for a year, in a cookie of this name."""
    seconds = CHOICE_LASTS // 1000
    response.set_cookie(name, value, max_age=seconds, secure=is_secure(config), httponly=True, samesite="Lax")


def find_credential(environ: WsgiEnviron, config: Config) -> Credential | None:
    """Return the credential of a request: its header in the API, else its cookie if that counts, else None."""
    in_api = environ["PATH_INFO"].startswith("/v1/")
    if in_api and "HTTP_AUTHORIZATION" in environ:
        return Credential(environ["HTTP_AUTHORIZATION"])
    if "HTTP_COOKIE" not in environ:
        return None
    text = read_cookie(environ["HTTP_COOKIE"], cookie_name(config))
    if not text or not (is_from_own_page(environ, config) or _is_harmless_read(environ, page=not in_api)):
        return None
    return Credential(BEARER_PREFIX + text, by_cookie=True)


def read_cookie(header: str, name: str | None) -> str:
    """Return the value of the first cookie of this name."""
    for part in header.split(";"):
        key, _, value = part.strip().partition("=")
        if key == name:
            return value
    return ""


def is_from_own_page(environ: WsgiEnviron, config: Config) -> bool:
    """Return True if one of our pages, or a person with the address bar, sent this request.

    No page can forge `Sec-Fetch-Site`, so it decides if the browser sends it; older browsers send the origin of a form.
    """
    site = environ.get("HTTP_SEC_FETCH_SITE")
    if site is not None:
        return site in OWN_SITES
    return environ.get("HTTP_ORIGIN") == origin_of(config.url)


def origin_of(url: str) -> str:
    """Return scheme, host and port of a URL, as browsers write an origin."""
    address = urlsplit(url)
    default = {"http": 80, "https": 443}[address.scheme]
    port = "" if address.port in (None, default) else f":{address.port}"
    host = address.hostname or ""
    return f"{address.scheme}://{f'[{host}]' if ':' in host else host}{port}"


def _is_harmless_read(environ: WsgiEnviron, *, page: bool) -> bool:
    """Return True for a read: a link of another site that opens a page, or an old browser without these headers."""
    if environ["REQUEST_METHOD"] not in READS:
        return False
    if "HTTP_SEC_FETCH_SITE" in environ:
        return page and environ.get("HTTP_SEC_FETCH_MODE") == "navigate"
    return "HTTP_ORIGIN" not in environ


def set_cookie(response: Response, text: str, config: Config) -> None:
    """Keep this session in the browser while it is valid."""
    _write_cookie(response, text, tokens.SESSION_LASTS // 1000, config)


def clear_cookie(response: Response, config: Config) -> None:
    """Remove the session from the browser."""
    _write_cookie(response, "", 0, config)


def _write_cookie(response: Response, text: str, seconds: int, config: Config) -> None:
    name = cookie_name(config)
    if name is None:
        raise ValueError("no session over plain http")
    secure = name == SECURE_COOKIE
    response.set_cookie(name, text, max_age=seconds, path="/", secure=secure, httponly=True, samesite="Lax")


def renew_cookie(request: Request, response: Response, caller: Caller, config: Config) -> None:
    """Extend a session that is in use, in the database and in the browser, at most once a day."""
    lasting, name = (caller.expires_at or 0) - now(), cookie_name(config)
    ended = any(cookie.startswith(f"{name}=") for cookie in response.headers.getlist("Set-Cookie"))
    if ended or lasting > tokens.SESSION_LASTS - tokens.SESSION_RENEWED_AFTER:
        return
    # Reads must work even while the database is read-only.
    with suppress(*DatabaseDown):
        tokens.renew_session(caller.token)
        set_cookie(response, request.cookies[name or ""], config)
