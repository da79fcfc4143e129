"""Lists in pages: `limit`, an opaque signed `cursor`, and `Link: rel="next"`."""

from __future__ import annotations

import hmac
import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from typing import Any, TypeVar
from urllib.parse import urlencode

from flask import request
from peewee import Field, Model, ModelSelect

from service import shapes
from service.db import server_secrets
from service.i18n.catalogue import msg
from service.problems import Problem

DEFAULT_LIMIT, MOST_LIMIT = 50, 200
Item = TypeVar("Item")
Row = TypeVar("Row", bound=Model)
SortKey = tuple[Any, ...]
"""The values by which a list is ordered; the key of the last item of a page is in its cursor."""


class Paging(shapes.Query):
    """The query of every list."""

    limit: int = shapes.number("Maximum number of items.", 50, least=1, most=MOST_LIMIT, default=DEFAULT_LIMIT)
    cursor: str | None = shapes.text(
        "Where to continue: from the `Link` of the previous page.", "WzAsIiJd.0f1e2d", most=500, optional=True
    )

    @property
    def fetch_limit(self) -> int:
        """Number of rows to fetch: one more than is shown, to see if there is a next page."""
        return self.limit + 1

    @property
    def cursor_key(self) -> SortKey | None:
        """Sort key of the last item of the previous page, or None for the first page."""
        return None if self.cursor is None else _decode_cursor(self.cursor)

    @property
    def cursor_number(self) -> int:
        """The same for a list that is ordered by one number; 0 for the first page."""
        return int(self.cursor_key[0]) if self.cursor_key else 0


def slice_page(
    fetched: Sequence[Item], query: Paging, sort_key: Callable[[Item], SortKey]
) -> tuple[list[Item], dict[str, str]]:
    """Return the items to show of those fetched, and the headers. `sort_key` is unique for each item."""
    items = list(fetched[: query.limit])
    if len(fetched) <= query.limit:
        return items, {}
    args = {**request.args.to_dict(), "limit": str(query.limit), "cursor": _encode_cursor(sort_key(items[-1]))}
    return items, {"Link": f'<{request.path}?{urlencode(args)}>; rel="next"'}


def next_query(headers: Mapping[str, str]) -> str:
    """Return the query of the next page that these headers link to, or an empty string on the last page."""
    _, mark, query = headers.get("Link", "").partition(">")[0].partition("?")
    return mark + query


def slice_list(
    items: Iterable[Item], query: Paging, sort_key: Callable[[Item], SortKey]
) -> tuple[list[Item], dict[str, str]]:
    """Return the items of a whole list that a page shows, and the headers. The list is ordered by `sort_key`."""
    after = query.cursor_key
    rest = items if after is None else (item for item in items if sort_key(item) > after)
    return slice_page(list(islice(rest, query.fetch_limit)), query, sort_key)


def fetch_rows(
    selected: ModelSelect[Row], query: Paging, by: Field, id_: Field, *, newest_first: bool = False
) -> tuple[list[Row], dict[str, str]]:
    """Return the rows that a page shows, ordered by one field and then by id, and the headers."""
    if query.cursor_key is not None:
        last, last_id = query.cursor_key
        beyond = by < last if newest_first else by > last
        selected = selected.where(beyond | ((by == last) & (id_ > last_id)))
    fetched = list(selected.order_by(by.desc() if newest_first else by, id_).limit(query.fetch_limit))
    return slice_page(fetched, query, lambda row: (getattr(row, by.name), getattr(row, id_.name)))


def _encode_cursor(place: SortKey) -> str:
    data = urlsafe_b64encode(json.dumps(place, separators=(",", ":")).encode()).rstrip(b"=").decode()
    return f"{data}.{_cursor_mac(data)}"


def _decode_cursor(text: str) -> SortKey:
    data, _, mac = text.partition(".")
    if not hmac.compare_digest(mac.encode(), _cursor_mac(data).encode()):
        raise Problem(
            "invalid", msg("requests.wrong_cursor"), errors=[{"field": "cursor", "reason": "not a cursor of this list"}]
        )
    return tuple(json.loads(urlsafe_b64decode(data + "=" * (-len(data) % 4))))


def _cursor_mac(data: str) -> str:
    """Sign a cursor together with its path, so that it is good for one list and its values can be trusted."""
    return hmac.new(server_secrets.get_secret("cursor"), f"{request.path}\n{data}".encode(), "sha256").hexdigest()[:24]
