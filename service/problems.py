"""Refusals: client errors as RFC 9457 problem details, with a page for each kind."""

from __future__ import annotations

from typing import Any

from engine.words import Locale
from service.i18n.catalogue import Explanation, Message, msg, render, translate


class Problem(Exception):
    """A refused request. `kind` names the page that says what to do."""

    def __init__(self, kind: str, detail: Message, **more: Any) -> None:  # noqa: ANN401  # members of the problem
        self.detail = str(detail)
        """Detail of this occurrence, in English, as the API returns it."""
        super().__init__(self.detail)
        self.kind = kind
        self.message = detail
        self.more = more

    def detail_in(self, locale: Locale) -> str:
        """Return what is wrong this time, in this language."""
        return render(self.message, locale)

    @property
    def status(self) -> int:
        """HTTP status of this kind."""
        return KINDS[self.kind][0]

    @property
    def title(self) -> str:
        """Short, fixed title of this kind."""
        return KINDS[self.kind][1]


def invalid_fields_problem(detail: Message, **reasons: Explanation | str) -> Problem:
    """Return the refusal of invalid fields, each with its reason, in English for the API."""
    return Problem(
        "invalid", detail, errors=[{"field": name, "reason": str(reason)} for name, reason in reasons.items()]
    )


def invalid_field_problem(field: str, reason: Explanation) -> Problem:
    """Return the refusal of one invalid field. Its reason is the whole message."""
    return invalid_fields_problem(msg("requests.reason", reason=reason), **{field: reason})


STATUSES = {
    "bad-request": 400,
    "no-token": 401,
    "wrong-token": 401,
    "forbidden": 403,
    "sign-in-first": 403,
    "not-your-seat": 403,
    "not-your-key": 403,
    "not-found": 404,
    "wrong-method": 405,
    "not-acceptable": 406,
    "too-slow": 408,
    "question-changed": 409,
    "conflict": 409,
    "match-full": 409,
    "match-started": 409,
    "match-over": 409,
    "in-progress": 409,
    "gone": 410,
    "too-large": 413,
    "wrong-media-type": 415,
    "invalid": 422,
    "not-listed": 422,
    "not-canonical": 422,
    "wrong-signature": 422,
    "wrong-prev": 422,
    "mail-not-allowed": 422,
    "other-request": 422,
    "limit-reached": 422,
    "too-many-requests": 429,
    "server-error": 500,
    "not-now": 503,
}
"""The HTTP status of each kind of problem."""
KINDS = {kind: (status, translate("en", f"problems.{kind}.title")) for kind, status in STATUSES.items()}
"""The HTTP status of each kind of problem, and its title in the API."""
