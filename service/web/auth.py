"""Authentication: bearer tokens with scopes, read by one statement within the request."""

from __future__ import annotations

import hmac
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import wraps
from hashlib import sha256
from typing import Any, NamedTuple, ParamSpec, TypeVar

from flask import g, request
from flask_smorest import Blueprint

from service.db import connection
from service.db.connection import (
    DatabaseDown,
    cached_statement,
    execute,
    rows,
    rows_from_json,
    rows_in_column,
    write_transaction,
)
from service.i18n.catalogue import msg
from service.play.match_loader import MatchHead
from service.problems import Problem
from service.timestamps import MINUTE, now, rfc3339
from service.web.middleware import current_record

SCOPES = {
    "read": "See your matches, turns, emails and settings.",
    "play": "Join, move, write notes, change keys and settings; includes read.",
    "organise": "Create matches for others and seat consenting players; includes read.",
    "account": "Revoke other tokens and erase the account or its programs; includes read. Programs never get it.",
}
TOKEN_PATTERN = re.compile(r"echtra_([a-z0-9]{12,32})_([A-Za-z0-9_-]{43})")
BEARER_PREFIX = "Bearer "
CALLER_QUERY = (
    "select w.place, t.id, t.used_at, t.hash, t.scopes, t.expires_at, t.session, p.id, p.name, p.language, p.zone, "
    "p.confirmed_at, m.status, m.head_seq, m.head_hash{more} from {wanted} join token t on t.id = w.token "
    "join player p on p.id = t.player left join match m on m.id = w.match "
    "where t.revoked_at is null and p.deleted_at is null"
)
"""Finds the sender of each of many requests, and the head of the match in its path."""
MARK_USED = "update token set used_at = ? where id in ({holes})"
P = ParamSpec("P")
Returned = TypeVar("Returned")


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
    """True for the session of a browser."""
    expires_at: int | None = None
    guest: bool = False
    """True for a player without an address, who may only play against bots."""

    def has_scope(self, scope: str) -> bool:
        """Return True if the token has this scope; every token may read."""
        return scope == "read" or scope in self.scopes


@dataclass(frozen=True)
class Credential:
    """The credential of a request: a header, or a cookie that counts, written as that header."""

    header: str
    by_cookie: bool = False


def authenticate_request(credential: Credential) -> None:
    """Authenticate the request that Flask answers, once, before the view."""
    match = (request.view_args or {}).get("match", "")
    (owner,) = authenticate_all([TokenUse(credential, match)])
    if isinstance(owner, Problem):
        raise owner
    if owner is not None:
        current_record().caller, g.head = owner.caller, owner.head


class TokenUse(NamedTuple):
    """The credential of a request, the match in its path, and the last entry of it that is cached here."""

    credential: Credential
    match: str
    known_seq: int = 0


class TokenOwner(NamedTuple):
    """The owner of a credential, the head of the match, and further columns, all read in one statement."""

    caller: Caller
    head: MatchHead | None
    more: tuple[Any, ...]


def authenticate_all(
    uses: Sequence[TokenUse], columns: tuple[tuple[str, str], ...] = ()
) -> list[TokenOwner | Problem | None]:
    """Return the owner of each credential, by one statement: the only judge of tokens.

    A wrong token is a Problem; a cookie that is not a valid session is None: anonymous. `columns` are further columns
    in the form of `rows_in_column`; in them `m` is the match and `w.known_seq` the last cached entry of its log.

    Every token is read here, within its request, and never cached: a request that arrives after a revocation was
    answered does nothing. A request that was read before it may still write, milliseconds later: the token is not
    checked again in the statement that writes.
    """
    parsed = [_parse_header(use.credential.header) for use in uses]
    wanted = [
        {"place": place, "token": token[0], "match": use.match, "known_seq": use.known_seq}
        for place, (token, use) in enumerate(zip(parsed, uses, strict=True))
        if not isinstance(token, Problem)
    ]
    selected = {row[0]: row for row in _select_tokens(wanted, columns)} if wanted else {}
    at = now()
    owners = [
        token if isinstance(token, Problem) else _identify_owner(token[1], selected.get(place), at)
        for place, token in enumerate(parsed)
    ]
    _mark_used((row for place, row in selected.items() if isinstance(owners[place], TokenOwner)), at)
    return [_session_or_nobody(use.credential, owner) for use, owner in zip(uses, owners, strict=True)]


def _parse_header(header: str) -> tuple[str, str] | Problem:
    """Return the id of a token and its secret."""
    kind, _, text = header.partition(" ")
    token = TOKEN_PATTERN.fullmatch(text.strip())
    if kind.lower() != "bearer" or token is None:
        return Problem("wrong-token", msg("requests.token_form"))
    return token[1], token[2]


def _identify_owner(secret: str, row: Sequence[Any] | None, at: int) -> TokenOwner | Problem:
    if row is None or not hmac.compare_digest(row[3], hash_secret(secret)):
        return Problem("wrong-token", msg("requests.unknown_token"))
    _, token, _, _, scopes, expires_at, session, player, name, language, zone, confirmed_at, *of_match = row
    if expires_at is not None and expires_at <= at:
        return Problem("wrong-token", msg("requests.token_expired", at=rfc3339(expires_at)))
    rights = frozenset(scopes.split(","))
    caller = Caller(player, name, language, zone, token, rights, bool(session), expires_at, confirmed_at is None)
    status, seq, hash_, *more = of_match
    status, seq, hash_, *more = of_match
    return TokenOwner(caller, None if status is None else (status, seq, hash_), tuple(more))


def _session_or_nobody(credential: Credential, owner: TokenOwner | Problem) -> TokenOwner | Problem | None:
    """Return None for a cookie that is not a valid session, as after the end of a session."""
    if credential.by_cookie and (isinstance(owner, Problem) or not owner.caller.session):
        return None
    return owner


def _select_tokens(wanted: Sequence[Mapping[str, object]], columns: tuple[tuple[str, str], ...]) -> list[Any]:
    """Return for each request whose token exists its place, the columns of `CALLER_QUERY` and the further ones."""
    sql, value = _caller_query(columns), json.dumps(wanted)
    try:
        return rows(sql, value)
    except DatabaseDown:
        # The database may have been restarted since this thread's last request: retry once on a new connection.
        connection.drop_connections()
        return rows(sql, value)


@cached_statement
def _caller_query(columns: tuple[tuple[str, str], ...]) -> str:
    source = rows_from_json("w", place="int", token="text", match="text", known_seq="int")  # noqa: S106  # a type
    return CALLER_QUERY.format(more="".join(f", {rows_in_column(*each)}" for each in columns), wanted=source)


def _mark_used(token_rows: Iterable[Sequence[Any]], at: int) -> None:
    """Record that tokens were used, each at most once a minute."""
    stale = sorted({token for _, token, used_at, *_ in token_rows if at - (used_at or 0) >= MINUTE})
    if not stale:
        return
    # Reads must work even while the database is read-only.
    with suppress(*DatabaseDown), write_transaction():
        execute(MARK_USED.format(holes=", ".join("?" * len(stale))), at, *stale)


def hash_secret(secret: str) -> str:
    """Return the hash of a token's secret, which is all we store."""
    return sha256(secret.encode()).hexdigest()


def current_caller() -> Caller | None:
    """Return the caller, or None without a token or session."""
    return current_record().caller if "record" in g else None


def require_caller() -> Caller:
    """Return the caller; refuse an anonymous request."""
    return check_scope(current_caller(), "read")


def current_match_head() -> MatchHead | None:
    """Return the head of the match in the path when the request arrived, or None if it is unknown."""
    head: MatchHead | None = g.get("head")
    return head


def requires_scope(scope: str) -> Callable[[Callable[P, Returned]], Callable[P, Returned]]:
    """Refuse tokens without this scope, and document it."""
    if scope not in SCOPES:
        raise KeyError(f"{scope} is not a scope; choose from {', '.join(SCOPES)}")

    def decorate(view: Callable[P, Returned]) -> Callable[P, Returned]:
        @wraps(view)
        def checked(*args: P.args, **kwargs: P.kwargs) -> Returned:
            require_scope(scope)
            return view(*args, **kwargs)

        documented: Callable[P, Returned] = Blueprint.doc(security=[{"token": [scope]}])(checked)
        return documented

    return decorate


def require_scope(scope: str) -> Caller:
    """Return the caller; refuse a token without this scope."""
    return check_scope(current_caller(), scope)


def check_scope(who: Caller | None, scope: str) -> Caller:
    """Return this caller; refuse None and a token without this scope."""
    if who is None:
        raise no_token_problem()
    if scope == "account" and not who.has_scope(scope):
        raise Problem("forbidden", msg("requests.account_scope_needed"), scope=scope)
    if not who.has_scope(scope):
        raise Problem(
            "forbidden",
            msg("requests.scope_needed", scope=scope, scopes=", ".join(sorted(who.scopes))),
            scope=scope,
        )
    return who


def no_token_problem() -> Problem:
    """Return the refusal of a request without a token."""
    return Problem("no-token", msg("requests.token_needed"))
