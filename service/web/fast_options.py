"""The short way to the legal lines: answered without Flask, as programs read them before each of their turns."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from service.db.connection import rows_in_column
from service.play import access
from service.play.match_loader import NEW_ENTRIES, find_cached_match_states, match_states_at_heads, not_started_problem
from service.play.views import SEAT_COLUMNS, SEATS_OF, Viewer
from service.problems import Problem
from service.record.match_state import MatchState
from service.web import auth, compression, middleware, rate_limits
from service.web.api.tables import question_and_options
from service.web.auth import Caller, Credential, TokenOwner, TokenUse
from service.web.fast_requests import FastAnswer, FastApplication, FastRequest, WsgiEnviron, refuse, start_record
from service.web.rate_limits import RateLimits
from service.web.request_context import choose_locale
from service.web.responses import to_json
from service.web.schemas.fields import ID_PATTERN

OPTIONS_PATH = re.compile(rf"/v1/matches/({ID_PATTERN.strip('^$')})/options")
READ_COLUMNS = ((SEAT_COLUMNS, f"({SEATS_OF.format(match='m.id')}) as s"), NEW_ENTRIES)
"""What is read with the token: names and deadlines of the seats, and the entries since the table known here."""


@dataclass(frozen=True)
class MatchRead:
    """What a reader of a match needs: who they are, the table where it has one, and the rows of its seats as JSON."""

    caller: Caller
    status: str
    match_state: MatchState | None
    seats: str

    @property
    def seat(self) -> int | None:
        """Where the reader sits."""
        return self.match_state.seat_of(self.caller.player) if self.match_state else None


@dataclass(frozen=True)
class FastOptions(FastApplication):
    """Answers plain reads of the legal lines with a token; every other request goes on to the next application."""

    limits: RateLimits
    rule: ClassVar[str] = "/v1/matches/<id:match>/options"
    standing_headers: ClassVar[Mapping[str, str]] = {"Vary": middleware.VARY, "Cache-Control": middleware.PRIVATE}

    def find_request(self, environ: WsgiEnviron) -> FastRequest | None:
        """The request, if it is a plain read."""
        path = OPTIONS_PATH.fullmatch(environ["PATH_INFO"])
        if path is None or not _is_plain_read(environ):
            return None
        return FastRequest(environ, start_record(environ), path[1], Credential(environ["HTTP_AUTHORIZATION"]))

    def answer_together(self, requests: Sequence[FastRequest]) -> Iterator[tuple[FastRequest, FastAnswer | None]]:
        """List the lines for each reader who sits at their table; of others more must be read first."""
        for request, found in zip(requests, self._read_matches(requests), strict=True):
            if isinstance(found, Problem):
                yield request, refuse(found, request)
            elif found.seat is None:
                request.state = found
                yield request, None
            else:
                yield request, _list_options(request, found)

    def answer_alone(self, request: FastRequest) -> FastAnswer:
        """List the lines for one reader, who may be a spectator."""
        found = request.state or self._read_matches([request])[0]
        if isinstance(found, Problem):
            raise found
        if found.seat is None:
            access.find_match(request.match, found.caller.player)  # they may still be allowed to look
        return _list_options(request, found)

    def _read_matches(self, requests: Sequence[FastRequest]) -> list[MatchRead | Problem]:
        """Who asks, and each table with its names and deadlines, by one statement for all.

        Up to two more load the tables that this process does not remember.
        """
        tables, seqs = find_cached_match_states({request.match for request in requests})
        uses = [TokenUse(each.credential.header, each.match, seqs[each.match]) for each in requests]
        owners = auth.authenticate_all(uses, [rows_in_column(*each) for each in READ_COLUMNS])
        checked = [self._check_owner(*each) for each in zip(requests, owners, strict=True)]
        heads = {
            request.match: (*owner.head[1:], owner.more[1])
            for request, owner in zip(requests, checked, strict=True)
            if not isinstance(owner, Problem) and owner.head and owner.head[0] in ("running", "over")
        }
        at_heads = match_states_at_heads(tables, heads)
        return [
            owner if isinstance(owner, Problem) else _match_read(owner, at_heads.get(request.match))
            for request, owner in zip(requests, checked, strict=True)
        ]

    def _check_owner(self, request: FastRequest, owner: TokenOwner | Problem) -> TokenOwner | Problem:
        """Count a request against who sent it; its refusal if there is no such match, or they may not ask."""
        record = request.record
        record.caller = None if isinstance(owner, Problem) else owner.caller
        try:
            if record.limit is None:
                rate_limits.count_request(record, self.limits)
        except Problem as problem:
            return problem
        if isinstance(owner, TokenOwner) and owner.head is None:
            return Problem("not-found", access.NO_SUCH_MATCH)
        return owner


def _match_read(owner: TokenOwner, match_state: MatchState | None) -> MatchRead:
    status = owner.head[0] if owner.head else ""
    return MatchRead(owner.caller, status, match_state, owner.more[0])


def _list_options(request: FastRequest, found: MatchRead) -> FastAnswer:
    """The question and the legal lines, as JSON, compressed if the reader likes."""
    if found.match_state is None:
        raise not_started_problem(found.status)
    environ = request.environ
    locale = choose_locale(environ.get("HTTP_ACCEPT_LANGUAGE"), found.caller)
    viewer = Viewer(found.match_state, found.seat, locale, json.loads(found.seats))
    body = to_json(question_and_options(viewer)).encode()
    headers = {"Content-Type": "application/json", "ETag": middleware.etag_of(body)}
    packed = compression.pack(body, environ.get("HTTP_ACCEPT_ENCODING", ""))
    if packed is None:
        return 200, headers, body
    return 200, {**headers, "Content-Encoding": "gzip", "ETag": f"W/{headers['ETag']}"}, packed


def _is_plain_read(environ: WsgiEnviron) -> bool:
    """Whether a request is what programs send: a token, and no wish beside it."""
    return (
        environ["REQUEST_METHOD"] == "GET"
        and "HTTP_AUTHORIZATION" in environ
        and "HTTP_IF_NONE_MATCH" not in environ
        and not environ.get("QUERY_STRING")
    )
