"""Lists in pages: `limit`, an opaque signed `cursor`, and `Link: rel="next"`."""

from __future__ import annotations

import hmac
import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, TypeVar
from urllib.parse import urlencode

from flask import request
from peewee import Field

from service import shapes
from service.db import server_secrets
from service.i18n.catalogue import msg
from service.problems import Problem

DEFAULT_LIMIT, MOST_LIMIT = 50, 200
Item = TypeVar("Item")


class Paging(shapes.Query):
    """The query of every list."""

    limit: int = shapes.number("How many at most.", 50, least=1, most=MOST_LIMIT, default=DEFAULT_LIMIT)
    cursor: str | None = shapes.text(
        "Where to go on: from the `Link` of the page before.", "WzAsIiJd.0f1e2d", most=500, optional=True, default=None
    )


@dataclass(frozen=True)
class PageRequest:
    """The page that a request asks for: how many items, and after which place of the list with this name."""

    limit: int
    after: tuple[Any, ...] | None
    name: str

    @property
    def fetch_limit(self) -> int:
        """How many rows to fetch: one more than shown tells whether there is a next page."""
        return self.limit + 1


def parse_page_request(name: str, query: Paging) -> PageRequest:
    """Return the page of the list with this name that a query asks for."""
    return PageRequest(query.limit, None if query.cursor is None else _decode_cursor(name, query.cursor), name)


def slice_page(
    fetched: Sequence[Item], page: PageRequest, sort_key: Callable[[Item], tuple[Any, ...]]
) -> tuple[list[Item], dict[str, str]]:
    """The items to show of those fetched, and the headers; the list is ordered by `sort_key`, unique for each item."""
    items = list(fetched[: page.limit])
    if len(fetched) <= page.limit:
        return items, {}
    args = {
        **request.args.to_dict(),
        "limit": str(page.limit),
        "cursor": encode_cursor(page.name, sort_key(items[-1])),
    }
    return items, {"Link": f'<{request.path}?{urlencode(args)}>; rel="next"'}


def slice_list(
    items: Iterable[Item], page: PageRequest, sort_key: Callable[[Item], tuple[Any, ...]]
) -> tuple[list[Item], dict[str, str]]:
    """Return the items of a whole list that a page shows, and the headers; the list is in the order of `sort_key`."""
    rest = items if page.after is None else (item for item in items if sort_key(item) > page.after)
    return slice_page(list(islice(rest, page.fetch_limit)), page, sort_key)


def fetch_page(
    query: Any,  # noqa: ANN401  # a query of peewee
    page: PageRequest,
    by: Field,
    id_: Field,
    *,
    newest_first: bool = False,
) -> tuple[list[Any], dict[str, str]]:
    """The rows of a query that a page shows, ordered by one field and then by the id, and the headers."""
    if page.after is not None:
        last, last_id = page.after
        beyond = by < last if newest_first else by > last
        query = query.where(beyond | ((by == last) & (id_ > last_id)))
    fetched = list(query.order_by(by.desc() if newest_first else by, id_).limit(page.fetch_limit))
    return slice_page(fetched, page, lambda row: (getattr(row, by.name), getattr(row, id_.name)))


def encode_cursor(name: str, place: tuple[Any, ...]) -> str:
    """A place in a list, as text that only we can make."""
    data = urlsafe_b64encode(json.dumps(place, separators=(",", ":")).encode()).rstrip(b"=").decode()
    return f"{data}.{_cursor_mac(name, data)}"


def _decode_cursor(name: str, text: str) -> tuple[Any, ...]:
    data, _, mac = text.partition(".")
    if not hmac.compare_digest(mac.encode(), _cursor_mac(name, data).encode()):
        raise Problem(
            "invalid",
            msg("requests.wrong_cursor"),
            errors=[{"field": "cursor", "reason": "not a cursor of this list"}],
        )
    return tuple(json.loads(urlsafe_b64decode(data + "=" * (-len(data) % 4))))


def _cursor_mac(name: str, data: str) -> str:
    return hmac.new(server_secrets.get_secret("cursor"), f"{name}\n{data}".encode(), "sha256").hexdigest()[:24]
