"""The log page by page, as one reader may see it. A sealed line shows its redacted form and no proof."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from service.db.log_writer import LogEntry
from service.play import story
from service.play.match_log import select_entries
from service.play.record_export import is_open
from service.play.views import Viewer
from service.record.match_state import MatchState
from service.timestamps import rfc3339


def list_entries(
    match_state: MatchState, viewer_word: str, after: int, limit: int, *, newest: bool = False
) -> list[dict[str, Any]]:
    """Return entries for this viewer: those after a seq, or with `newest` those before it, latest first."""
    before = "match = ? and seq < ? and seq <= ? order by seq desc limit ?"
    which = before if newest else "match = ? and seq > ? and seq <= ? order by seq limit ?"
    return [
        _entry_as_json(match_state, entry, viewer_word)
        for entry in select_entries(which, match_state.facts.id, after, match_state.seq, limit)
    ]


def _entry_as_json(match_state: MatchState, entry: LogEntry, viewer_word: str) -> dict[str, Any]:
    plain: dict[str, Any] = {
        "seq": entry.seq,
        "seat": entry.seat,
        "at": rfc3339(entry.at),
        "by": entry.made_by,
        "commit": entry.commitment,
        "hash": entry.hash,
    }
    if not is_open(match_state, entry.sealed, entry.reveals, entry.owner, viewer_word):
        return {**plain, "sealed": True, "line": entry.shown}
    plain |= {"sealed": False, "line": entry.line}
    proof = {"asked": entry.asked, "n": entry.n, "key": entry.key, "signature": entry.signature}
    proof["text"] = entry.signed_text
    plain |= {name: value for name, value in proof.items() if value is not None}
    if entry.orders:
        plain["orders"] = True
    if entry.mail:
        plain["mail"] = json.loads(entry.mail)
    return plain


def add_sentences(viewer: Viewer, items: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Add to each entry of a page the sentences that the viewer may read, in the viewer's language."""
    if not items:
        return []
    seqs = [item["seq"] for item in items]
    teller = story.StoryTeller(viewer)
    known = {entry.seq: teller.tell(entry) for entry in story.visible_entries(viewer, min(seqs) - 1, max(seqs))}
    return [{**item, "told": list(known[item["seq"]])} for item in items]
