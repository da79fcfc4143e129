"""The log page by page, as one reader may see it: a sealed line shows its redacted form and nothing that proves it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from service.play import story
from service.play.record_export import is_open, select_entries
from service.play.views import Viewer
from service.record.table import Table
from service.timestamps import rfc3339

PROOFS = {"asked": "asked", "n": "n", "key": "key", "signature": "signature", "signed_text": "text"}


def list_entries(table: Table, viewer: str, after: int, limit: int, *, newest: bool = False) -> list[dict[str, Any]]:
    """Entries for this viewer: those after a seq, or with `newest` those before it, latest first."""
    before = "match = ? and seq < ? and seq <= ? order by seq desc limit ?"
    which = before if newest else "match = ? and seq > ? and seq <= ? order by seq limit ?"
    return [
        _entry_as_json(table, row, viewer) for row in select_entries(which, table.facts.id, after, table.seq, limit)
    ]


def _entry_as_json(table: Table, row: dict[str, Any], viewer: str) -> dict[str, Any]:
    made: dict[str, Any] = {
        "seq": row["seq"],
        "seat": row["seat"],
        "at": rfc3339(row["at"]),
        "by": row["made_by"],
        "commit": row["pledge"],
        "hash": row["hash"],
    }
    if not is_open(table, row["sealed"], row["reveals"], row["owner"], viewer):
        return {**made, "sealed": True, "line": row["shown"]}
    made |= {"sealed": False, "line": row["line"]}
    made |= {name: row[column] for column, name in PROOFS.items() if row[column] is not None}
    if row["orders"]:
        made["orders"] = True
    if row["mail"]:
        made["mail"] = json.loads(row["mail"])
    return made


def add_sentences(looking: Viewer, items: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """These entries of one page, each with its sentences for the reader: what they may see of it, in their language."""
    if not items:
        return []
    seqs = [item["seq"] for item in items]
    teller = story.StoryTeller(looking)
    known = {entry.seq: teller.told(entry) for entry in story.visible_entries(looking, min(seqs) - 1, max(seqs))}
    return [{**item, "told": list(known[item["seq"]])} for item in items]
