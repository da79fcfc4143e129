"""Lists of the API, followed from page to page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Answer = Any


def follow_pages(get: Callable[[str], Answer], path: str) -> list[list[Any]]:
    """Return the items of each page, following the `Link` header."""
    pages = []
    while path:
        answer = get(path)
        assert answer.status_code == 200, answer.text
        pages.append(answer.json["items"])
        path = answer.headers.get("Link", "").partition("<")[2].partition(">")[0]
    return pages


def check_pages(get: Callable[[str], Answer], path: str) -> None:
    """Check that the pages of a list of two or more items add up to it, and that wrong cursors are refused."""
    whole = get(path).json["items"]
    assert len(whole) > 1, path
    assert follow_pages(get, f"{path}?limit=1") == [[item] for item in whole]
    first = get(f"{path}?limit=1").headers["Link"].partition(">")[0]
    for wrong in (f"{path}?cursor=x", f"{path}?cursor=", f"/v1/me/turns{first[first.index('?') :]}"):
        refused = get(wrong)
        assert (refused.status_code, refused.json["errors"][0]["field"]) == (422, "cursor"), wrong
