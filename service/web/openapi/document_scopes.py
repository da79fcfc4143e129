"""Scopes in the document: said in words, because readers and linters look for them in `security` with OAuth only."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

Part = dict[str, Any]
NEEDED = "Needs a token with the scope `{}`."
WELCOME = "A token is welcome, and not needed."


def told(document: Part) -> Part:
    """The document with the scope of each operation in its description."""
    for operation in _guarded(document):
        wanted = [scope for each in operation["security"] for scope in each.get("token", [])]
        said = WELCOME if {} in operation["security"] else NEEDED.format("` or `".join(wanted))
        operation["security"] = [{name: [] for name in each} for each in operation["security"]]
        operation["description"] = f"{operation['description']}\n\n{said}"
    return document


def _guarded(document: Part) -> Iterator[Part]:
    for item in document["paths"].values():
        yield from (part for part in item.values() if isinstance(part, dict) and part.get("security"))
