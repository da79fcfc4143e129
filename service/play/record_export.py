"""The record of a match for one reader, from the log."""

from __future__ import annotations

import json
from typing import Any

from service.db.connection import rows
from service.play import server_keys
from service.record.chain import derive_salt
from service.record.export import entry_row, referenced_key_ids, write_export
from service.record.keys import PublicKey
from service.record.table import Table
from service.timestamps import now

COLUMNS = (
    *("seq", "seat", "at", "made_by", "pledge", "hash", "line", "sealed", "reveals", "owner", "shown"),
    *("asked", "n", "key", "signature", "signed_text", "orders", "mail"),
)
COLUMN_LIST = ", ".join(COLUMNS)


def select_entries(which: str, *values: object) -> list[dict[str, Any]]:
    """The entries that this condition names, each as its columns."""
    found = rows(f"select {COLUMN_LIST} from entry where {which}", *values)  # noqa: S608  # our own conditions
    return [dict(zip(COLUMNS, row, strict=True)) for row in found]


def viewer_of(table: Table, seat: int | None, *, arbiter: bool = False) -> str:
    """The viewer an export is for: a seat, `-` for spectators, `all` when everything is open."""
    if table.state.over or arbiter:
        return "all"
    return "-" if seat is None else str(seat)


def export_record(table: Table, viewer: str) -> bytes:
    """The export of a match at its head for this viewer."""
    known, over = table.facts, table.state.over
    found = select_entries("match = ? order by seq", known.id)
    entries = [_export_entry(table, row, viewer) for row in found[: table.seq]]
    receipts = [receipt for seat, receipt in _stored_receipts(known.id) if viewer in ("all", str(seat))]
    return write_export(
        server_keys.current_key().private,
        header=known.header,
        keys=_exported_keys(table, entries, receipts),
        entries=entries,
        receipts=receipts,
        seed=known.seed if over else None,
        at=max(now(), table.at, *(int(receipt["at"]) for receipt in receipts)) if receipts else max(now(), table.at),
        viewer=viewer,
    )


def is_open(table: Table, sealed: str, reveals: int, owner: int, viewer: str) -> bool:
    """Whether an entry may be seen whole by this viewer now."""
    if sealed == "never" or viewer == "all" or table.state.over or viewer == str(owner):
        return True
    return sealed == "until-reveal" and table.state.reveals > reveals


def _export_entry(table: Table, row: dict[str, Any], viewer: str) -> dict[str, Any]:
    plain: dict[str, Any] = {name: row[name] for name in ("seq", "seat", "at", "hash")}
    plain |= {"by": row["made_by"], "commit": row["pledge"]}
    if not is_open(table, row["sealed"], row["reveals"], row["owner"], viewer):
        return entry_row(plain, row["shown"])
    plain |= {name: row[name] for name in ("line", "asked", "n", "key", "signature")}
    plain |= {"salt": derive_salt(table.facts.seed, table.facts.id, row["seq"]), "text": row["signed_text"]}
    plain |= {"orders": bool(row["orders"]), "mail": json.loads(row["mail"]) if row["mail"] else None}
    return entry_row(plain)


def _stored_receipts(match: str) -> list[tuple[int, dict[str, Any]]]:
    found = rows("select seat, receipt from submission where match = ?", match)
    return [(seat, json.loads(text)["receipt"]) for seat, text in found]


def _exported_keys(table: Table, entries: list[dict[str, Any]], receipts: list[dict[str, Any]]) -> list[PublicKey]:
    named = referenced_key_ids(table.facts.header, entries)
    servers = {str(receipt["server"]) for receipt in receipts}
    holes = ", ".join("?" * len(named)) or "''"
    players = rows(f"select distinct x from signing_key where id in ({holes})", *sorted(named))  # noqa: S608  # only holes
    held = rows("select id, x from server_key")
    return [*(PublicKey(x) for (x,) in players), *(PublicKey(x) for id_, x in held if id_ in servers)]
