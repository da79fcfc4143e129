"""The record of a match for one reader, from the log."""

from __future__ import annotations

import json
from typing import Any

from service.db.connection import rows
from service.db.log_writer import LogEntry
from service.db.models.accounts import ServerKeyRow, SigningKeyRow
from service.play import server_keys
from service.play.match_log import select_entries
from service.record.chain import derive_salt
from service.record.export import entry_row, referenced_key_ids, write_export
from service.record.keys import PublicKey
from service.record.match_state import MatchState
from service.timestamps import now


def viewer_of(match_state: MatchState, seat: int | None) -> str:
    """Return the viewer of an export: a seat, `-` for spectators and the arbiter, `all` once the match is over."""
    if match_state.state.over:
        return "all"
    return "-" if seat is None else str(seat)


def export_record(match_state: MatchState, viewer: str) -> bytes:
    """Return the export of a match at its head for this viewer."""
    known, over = match_state.facts, match_state.state.over
    stored = select_entries("match = ? order by seq", known.id)
    entries = [_export_entry(match_state, entry, viewer) for entry in stored[: match_state.seq]]
    receipts = [receipt for seat, receipt in _stored_receipts(known.id) if viewer in ("all", str(seat))]
    return write_export(
        server_keys.current_key().private,
        header=known.header,
        keys=_exported_keys(match_state, entries, receipts),
        entries=entries,
        receipts=receipts,
        seed=known.seed if over else None,
        at=max(now(), match_state.at, *(int(receipt["at"]) for receipt in receipts))
        if receipts
        else max(now(), match_state.at),
        viewer=viewer,
    )


def is_open(match_state: MatchState, sealed: str, reveals: int, owner: int, viewer: str) -> bool:
    """Return True if the viewer may see the whole entry now."""
    if sealed == "never" or viewer == "all" or match_state.state.over or viewer == str(owner):
        return True
    return sealed == "until-reveal" and match_state.state.reveals > reveals


def _export_entry(match_state: MatchState, entry: LogEntry, viewer: str) -> dict[str, Any]:
    plain: dict[str, Any] = {"seq": entry.seq, "seat": entry.seat, "at": entry.at, "hash": entry.hash}
    plain |= {"by": entry.made_by, "commit": entry.commitment}
    if not is_open(match_state, entry.sealed, entry.reveals, entry.owner, viewer):
        return entry_row(plain, entry.shown)
    plain |= {"line": entry.line, "asked": entry.asked, "n": entry.n, "key": entry.key, "signature": entry.signature}
    plain |= {"salt": derive_salt(match_state.facts.seed, match_state.facts.id, entry.seq), "text": entry.signed_text}
    plain |= {"orders": bool(entry.orders), "mail": json.loads(entry.mail) if entry.mail else None}
    return entry_row(plain)


def _stored_receipts(match: str) -> list[tuple[int, dict[str, Any]]]:
    found = rows("select seat, receipt from submission where match = ?", match)
    return [(seat, json.loads(text)["receipt"]) for seat, text in found]


def _exported_keys(
    match_state: MatchState, entries: list[dict[str, Any]], receipts: list[dict[str, Any]]
) -> list[PublicKey]:
    named = referenced_key_ids(match_state.facts.header, entries)
    servers = {str(receipt["server"]) for receipt in receipts}
    players = SigningKeyRow.select(SigningKeyRow.x).where(SigningKeyRow.id.in_(sorted(named))).distinct()
    own = ServerKeyRow.select(ServerKeyRow.x).where(ServerKeyRow.id.in_(sorted(servers)))
    return [PublicKey(key.x) for key in (*players, *own)]
