"""Who asks: bearer tokens with scopes, one query a request."""

from __future__ import annotations

import hmac
import json
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass
from functools import wraps
from hashlib import sha256
from typing import Any, NamedTuple, TypeVar

from flask import g, request

from service.db import connection
from service.db.connection import DatabaseDown, execute, rows, rows_from_json, write_transaction
from service.i18n.catalogue import msg
from service.play.match_loader import MatchHead
from service.problems import Problem
from service.timestamps import MINUTE, now, rfc3339
from service.web.middleware import current_record

SCOPES = {
    "read": "See your matches, turns, letters and settings.",
    "play": "Join, move, write notes, change keys and settings; includes read.",
    "organise": "Create matches for others and seat consenting players; includes read.",
    "account": "Revoke other tokens and erase the account or its programs; includes read, and never given to programs.",
}
TOKEN_PATTERN = re.compile(r"echtra_([a-z0-9]{12,32})_([A-Za-z0-9_-]{43})")
BEARER_PREFIX = "Bearer "
CALLER_QUERY = (
    "select w.place, t.hash, t.scopes, t.used_at, t.expires_at, t.session, p.id, p.name, p.language, p.zone, "
    "m.status, m.head_seq, m.head_hash{more} from {wanted} join token t on t.id = w.token "
    "join player p on p.id = t.player left join match m on m.id = w.match "
    "where t.revoked_at is null and p.deleted_at is null"
)
"""Who asks in each of many requests, and the head of the match that its path names."""
MARK_USED = "update token set used_at = ? where id in ({holes})"
View = TypeVar("View", bound=Callable[..., Any])


@dataclass(frozen=True)
class Caller:
    """The player behind a request, and what their token may do."""

    player: str
    name: str
    language: str
    zone: str
    token: str
    scopes: frozenset[str]
    session: bool = False
    """Whether the token is the session of a browser."""
    expires_at: int | None = None

    def has_scope(self, scope: str) -> bool:
        """Whether the token has this scope; every token may read."""
        return scope == "read" or scope in self.scopes


class CachedToken(NamedTuple):
    """A token as it was when it was last looked up: all of it that cannot change."""

    hash: str
    who: Caller
    used_at: int
    expires_at: int | None


MOST_CACHED_TOKENS = 10_000
_token_cache: dict[str, CachedToken] = {}


def clear_cache() -> None:
    """Look every token up at its next use."""
    _token_cache.clear()


@dataclass(frozen=True)
class Credential:
    """What a request shows to say who asks: a header, or a cookie that counts, written as that header would be."""

    header: str
    by_cookie: bool = False


def cached_caller(credential: Credential) -> Caller | None:
    """Who asks, unless that must be looked up; whether the token is still good is for others to ask."""
    header = credential.header
    found = TOKEN_PATTERN.fullmatch(header[len(BEARER_PREFIX) :]) if header.startswith(BEARER_PREFIX) else None
    known = _token_cache.get(found[1]) if found else None
    at = now()
    if found is None or known is None or at - known.used_at >= MINUTE or _is_past(known.expires_at, at):
        return None
    if credential.by_cookie and not known.who.session:
        return None
    return known.who if hmac.compare_digest(known.hash, hash_secret(found[2])) else None


def authenticate_request(credential: Credential) -> None:
    """Find out who asks, once, before the view."""
    match = (request.view_args or {}).get("match", "")
    current_record().caller, g.head = authenticate(credential, match)


def authenticate(credential: Credential, match: str) -> tuple[Caller | None, MatchHead | None]:
    """Who asks, and the head of this match; a wrong token is refused everywhere, a cookie that ended is nobody's."""
    if not credential.by_cookie:
        return authenticate_header(credential.header, match)
    try:
        who, head = authenticate_header(credential.header, match)
    except Problem:
        return None, None
    return (who, head) if who.session else (None, None)


def authenticate_header(header: str, match: str) -> tuple[Caller, MatchHead | None]:
    """Who sent this header, and the head of this match as it is now, if there is such a match."""
    (found,) = authenticate_all([TokenUse(header, match)])
    if isinstance(found, Problem):
        raise found
    return found.caller, found.head


class TokenUse(NamedTuple):
    """A request as far as it says who asks about which match, and how much of its log is known here."""

    header: str
    match: str
    known_seq: int = 0


class TokenOwner(NamedTuple):
    """Who sent a header, the head of the match as it is now, and further columns that were read with them."""

    caller: Caller
    head: MatchHead | None
    more: tuple[Any, ...]


def authenticate_all(uses: Sequence[TokenUse], columns: Sequence[str] = ()) -> list[TokenOwner | Problem]:
    """Who sent each of these headers, or its refusal, by one statement.

    It reads further columns too; in them `m` is the match, and `w.known_seq` what is known of its log.
    """
    parsed = [_parse_header(use.header) for use in uses]
    wanted = [
        {"place": place, "token": each[0], "match": uses[place].match, "known_seq": uses[place].known_seq}
        for place, each in enumerate(parsed)
        if not isinstance(each, Problem)
    ]
    selected = {place: row for place, *row in _select_tokens(wanted, columns)} if wanted else {}
    at = now()
    found = [
        each if isinstance(each, Problem) else _identify_owner(*each, selected.get(place), at)
        for place, each in enumerate(parsed)
    ]
    _mark_used(found, at)
    return found


def _parse_header(header: str) -> tuple[str, str] | Problem:
    """The id of a token and its secret."""
    kind, _, text = header.partition(" ")
    found = TOKEN_PATTERN.fullmatch(text.strip())
    if kind.lower() != "bearer" or found is None:
        return Problem("wrong-token", msg("requests.token_form"))
    return found[1], found[2]


def _identify_owner(token: str, secret: str, row: Sequence[Any] | None, at: int) -> TokenOwner | Problem:
    if row is None or not hmac.compare_digest(row[0], hash_secret(secret)):
        return Problem("wrong-token", msg("requests.unknown_token"))
    hash_, scopes, used_at, expires_at, session, player, name, language, zone, status, seq, head_hash, *more = row
    if _is_past(expires_at, at):
        return Problem("wrong-token", msg("requests.token_expired", at=rfc3339(expires_at)))
    who = Caller(player, name, language, zone, token, frozenset(scopes.split(",")), bool(session), expires_at)
    if len(_token_cache) >= MOST_CACHED_TOKENS:
        clear_cache()
    _token_cache[token] = CachedToken(hash_, who, used_at or 0, expires_at)
    return TokenOwner(who, None if status is None else (status, seq, head_hash), tuple(more))


def _is_past(expires_at: int | None, at: int) -> bool:
    return expires_at is not None and expires_at <= at


def _select_tokens(wanted: Sequence[Mapping[str, object]], columns: Sequence[str]) -> list[tuple[Any, ...]]:
    """The place of each request whose token there is, the columns of `CALLER_QUERY` and the further ones."""
    source = rows_from_json("w", place="int", token="text", match="text", known_seq="int")  # noqa: S106  # a type
    sql = CALLER_QUERY.format(more="".join(f", {column}" for column in columns), wanted=source)
    value = json.dumps(wanted)
    try:
        return rows(sql, value)
    except DatabaseDown:
        # The database was restarted since this thread's last request: one new connection, then the truth.
        connection.drop_connections()
        return rows(sql, value)


def _mark_used(found: Sequence[TokenOwner | Problem], at: int) -> None:
    """Note that tokens were used, each once a minute."""
    used = {each.caller.token for each in found if not isinstance(each, Problem)}
    known = [(token, each) for token in sorted(used) if (each := _token_cache.get(token))]
    stale = [(token, each) for token, each in known if at - each.used_at >= MINUTE]
    if not stale:
        return
    # When nothing can be written, reading shall go on.
    with suppress(*DatabaseDown), write_transaction():
        execute(MARK_USED.format(holes=", ".join("?" * len(stale))), at, *(token for token, _ in stale))
    for token, each in stale:
        _token_cache[token] = each._replace(used_at=at)


def hash_secret(secret: str) -> str:
    """What is kept of a token's secret."""
    return sha256(secret.encode()).hexdigest()


def current_caller() -> Caller | None:
    """Who asks, or nobody."""
    return current_record().caller if "record" in g else None


def require_caller() -> Caller:
    """Who asks; without a token the request is refused."""
    return check_scope(current_caller(), "read")


def current_match_head() -> MatchHead | None:
    """The head of the match in the path as it was when the request came; None if unknown."""
    found: MatchHead | None = g.get("head")
    return found


def requires_scope(scope: str) -> Callable[[View], View]:
    """Let only tokens with this scope through, and say so in the document."""
    if scope not in SCOPES:
        raise KeyError(f"{scope} is not a scope; choose from {', '.join(SCOPES)}")

    def decorate(view: View) -> View:
        @wraps(view)
        def checked(*args: Any, **kwargs: Any) -> Any:  # noqa: ANN401  # as the view has it
            require_scope(scope)
            return view(*args, **kwargs)

        return _document_security(checked, view, [{"token": [scope]}])

    return decorate


def allows_anonymous(view: View) -> View:
    """Let everybody through, and say in the document that a token may show more."""

    @wraps(view)
    def open_to_all(*args: Any, **kwargs: Any) -> Any:  # noqa: ANN401  # as the view has it
        return view(*args, **kwargs)

    return _document_security(open_to_all, view, [{}, {"token": ["read"]}])


def _document_security(wrapped: Any, view: View, security: list[dict[str, list[str]]]) -> View:  # noqa: ANN401  # a function
    doc = deepcopy(getattr(view, "_apidoc", {}))
    doc.setdefault("manual_doc", {})["security"] = security
    wrapped._apidoc = doc  # noqa: SLF001  # where flask-smorest looks
    found: View = wrapped
    return found


def require_scope(scope: str) -> Caller:
    """Who asks, if their token has this scope."""
    return check_scope(current_caller(), scope)


def check_scope(who: Caller | None, scope: str) -> Caller:
    """The same, if there is somebody and their token has this scope."""
    if who is None:
        raise Problem("no-token", msg("requests.token_needed"))
    if scope == "account" and not who.has_scope(scope):
        raise Problem("forbidden", msg("requests.account_scope_needed"), scope=scope)
    if not who.has_scope(scope):
        raise Problem(
            "forbidden",
            msg("requests.scope_needed", scope=scope, scopes=", ".join(sorted(who.scopes))),
            scope=scope,
        )
    return who
