"""Refusals: what a client did wrong, as RFC 9457 problem details with a page for each kind."""

from __future__ import annotations

from typing import Any


class Problem(Exception):
    """A request that cannot be done as it is; `kind` names the page that says what to do."""

    def __init__(self, kind: str, detail: str, **more: Any) -> None:  # noqa: ANN401  # members of the problem
        super().__init__(detail)
        self.kind = kind
        self.detail = detail
        self.more = more

    @property
    def status(self) -> int:
        """The HTTP status of this kind."""
        return KINDS[self.kind][0]

    @property
    def title(self) -> str:
        """The short, unchanging name of this kind."""
        return KINDS[self.kind][1]


KINDS: dict[str, tuple[int, str]] = {
    "bad-request": (400, "The request cannot be read"),
    "no-token": (401, "A token is needed"),
    "wrong-token": (401, "The token is not good"),
    "forbidden": (403, "This is not yours to do"),
    "not-your-seat": (403, "You do not sit at this table"),
    "not-your-key": (403, "The key is not one of this seat"),
    "not-found": (404, "There is nothing here"),
    "wrong-method": (405, "This address does not take that method"),
    "not-acceptable": (406, "No such form of this"),
    "question-changed": (409, "The question has changed"),
    "conflict": (409, "This does not fit what is there"),
    "match-full": (409, "No seat is free"),
    "match-started": (409, "The match has started"),
    "match-over": (409, "The match is over"),
    "in-progress": (409, "The same request is being answered"),
    "gone": (410, "This is no longer there"),
    "too-large": (413, "The request is too large"),
    "wrong-media-type": (415, "The body has the wrong type"),
    "invalid": (422, "The request has faults"),
    "not-listed": (422, "The line is not among those that are open now"),
    "not-canonical": (422, "The line is not written in its one form"),
    "wrong-signature": (422, "The signature is not good"),
    "wrong-prev": (422, "That entry has another hash"),
    "mail-not-allowed": (422, "This match takes signed moves only"),
    "other-request": (422, "The Idempotency-Key was used for another request"),
    "limit-reached": (422, "A limit is reached"),
    "too-many-requests": (429, "Too many requests"),
    "server-error": (500, "Something went wrong with us"),
    "not-now": (503, "The service cannot do this right now"),
}
