"""Sessions of browsers: a token in a cookie that no script can read, and whether a request may use it.

A cookie counts only if the request comes from a page of ours, from the address bar, or from a link that opens a page;
so no other site can act for a player, and no form needs a token of its own.
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
"""The name while our address is loopback over http, where browsers take no `__Host-` cookie."""
CHOICE_LASTS = 366 * DAY
READS = ("GET", "HEAD")
OWN_SITES = ("same-origin", "none")
WsgiEnviron = Mapping[str, Any]


def cookie_name(config: Config) -> str | None:
    """What the cookie is called; nothing where it would be sent in the clear, so that nobody can enter there."""
    address = urlsplit(config.url)
    if address.scheme == "https":
        return SECURE_COOKIE
    return LOCAL_COOKIE if is_this_machine(address.hostname or "") else None


def is_secure(config: Config) -> bool:
    """Whether our address is https, so that cookies are sent over nothing else."""
    return cookie_name(config) == SECURE_COOKIE


def keep_choice(response: Response, name: str, value: str, config: Config) -> None:
    """Let a browser keep for a year what was chosen in it, in a cookie of this name."""
    seconds = CHOICE_LASTS // 1000
    response.set_cookie(name, value, max_age=seconds, secure=is_secure(config), httponly=True, samesite="Lax")


def find_credential(environ: WsgiEnviron, config: Config) -> Credential | None:
    """What a request shows to say who asks: its header in the API, else its cookie if that counts."""
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
    """The value of the first cookie of this name."""
    for part in header.split(";"):
        key, _, value = part.strip().partition("=")
        if key == name:
            return value
    return ""


def is_from_own_page(environ: WsgiEnviron, config: Config) -> bool:
    """Whether a page of ours, or somebody with the address bar, sent this request.

    No page can forge `Sec-Fetch-Site`, so it decides where a browser sends it; older ones tell the origin of a form.
    """
    site = environ.get("HTTP_SEC_FETCH_SITE")
    if site is not None:
        return site in OWN_SITES
    return environ.get("HTTP_ORIGIN") == origin_of(config.url)


def origin_of(url: str) -> str:
    """Scheme, host and port of an address, as browsers write an origin."""
    address = urlsplit(url)
    default = {"http": 80, "https": 443}[address.scheme]
    port = "" if address.port in (None, default) else f":{address.port}"
    host = address.hostname or ""
    return f"{address.scheme}://{f'[{host}]' if ':' in host else host}{port}"


def _is_harmless_read(environ: WsgiEnviron, *, page: bool) -> bool:
    """Whether this only looks: a link of another site that opens a page, or a read of a browser that says nothing."""
    if environ["REQUEST_METHOD"] not in READS:
        return False
    if "HTTP_SEC_FETCH_SITE" in environ:
        return page and environ.get("HTTP_SEC_FETCH_MODE") == "navigate"
    return "HTTP_ORIGIN" not in environ


def set_cookie(response: Response, text: str, config: Config) -> None:
    """Let the browser keep this session, for as long as it is good."""
    _write_cookie(response, text, tokens.SESSION_LASTS // 1000, config)


def clear_cookie(response: Response, config: Config) -> None:
    """Let the browser forget its session."""
    _write_cookie(response, "", 0, config)


def _write_cookie(response: Response, text: str, seconds: int, config: Config) -> None:
    name = cookie_name(config)
    if name is None:
        raise ValueError("no session over plain http")
    secure = name == SECURE_COOKIE
    response.set_cookie(name, text, max_age=seconds, path="/", secure=secure, httponly=True, samesite="Lax")


def renew_cookie(request: Request, response: Response, caller: Caller, config: Config) -> None:
    """Let a session that is used last on, in the database and in the browser; at most once a day."""
    lasting, name = (caller.expires_at or 0) - now(), cookie_name(config)
    ended = any(each.startswith(f"{name}=") for each in response.headers.getlist("Set-Cookie"))
    if ended or lasting > tokens.SESSION_LASTS - tokens.SESSION_RENEWED_AFTER:
        return
    # When nothing can be written, reading shall go on.
    with suppress(*DatabaseDown):
        tokens.renew_session(caller.token)
        set_cookie(response, request.cookies[name or ""], config)
