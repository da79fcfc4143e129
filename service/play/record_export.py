"""The record of a match for one reader, from the log."""

from __future__ import annotations

import json
from typing import Any

from service.db.connection import rows
from service.play import server_keys as signing
from service.record.chain import salt
from service.record.export import entry_row, export, named_keys
from service.record.keys import Key
from service.record.table import Table
from service.timestamps import now

COLUMNS = (
    *("seq", "seat", "at", "made_by", "pledge", "hash", "line", "sealed", "reveals", "owner", "shown"),
    *("asked", "n", "key", "signature", "signed_text", "orders", "mail"),
)
NAMES = ", ".join(COLUMNS)


def logged(which: str, *values: object) -> list[dict[str, Any]]:
    """The entries that this condition names, each as its columns."""
    found = rows(f"select {NAMES} from entry where {which}", *values)  # noqa: S608  # our own conditions
    return [dict(zip(COLUMNS, row, strict=True)) for row in found]


def viewer_of(table: Table, seat: int | None, *, arbiter: bool = False) -> str:
    """The viewer an export is for: a seat, `-` for spectators, `all` when everything is open."""
    if table.state.over or arbiter:
        return "all"
    return "-" if seat is None else str(seat)


def record(table: Table, viewer: str) -> bytes:
    """The export of a match at its head for this viewer."""
    known, over = table.facts, table.state.over
    found = logged("match = ? order by seq", known.id)
    entries = [_entry(table, row, viewer) for row in found[: table.seq]]
    receipts = [receipt for seat, receipt in _receipts(known.id) if viewer in ("all", str(seat))]
    return export(
        signing.current().private,
        header=known.header,
        keys=_keys(table, entries, receipts),
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


def _entry(table: Table, row: dict[str, Any], viewer: str) -> dict[str, Any]:
    plain: dict[str, Any] = {name: row[name] for name in ("seq", "seat", "at", "hash")}
    plain |= {"by": row["made_by"], "commit": row["pledge"]}
    if not is_open(table, row["sealed"], row["reveals"], row["owner"], viewer):
        return entry_row(plain, row["shown"])
    plain |= {name: row[name] for name in ("line", "asked", "n", "key", "signature")}
    plain |= {"salt": salt(table.facts.seed, table.facts.id, row["seq"]), "text": row["signed_text"]}
    plain |= {"orders": bool(row["orders"]), "mail": json.loads(row["mail"]) if row["mail"] else None}
    return entry_row(plain)


def _receipts(match: str) -> list[tuple[int, dict[str, Any]]]:
    found = rows("select seat, receipt from submission where match = ?", match)
    return [(seat, json.loads(text)["receipt"]) for seat, text in found]


def _keys(table: Table, entries: list[dict[str, Any]], receipts: list[dict[str, Any]]) -> list[Key]:
    named = named_keys(table.facts.header, entries)
    servers = {str(receipt["server"]) for receipt in receipts}
    holes = ", ".join("?" * len(named)) or "''"
    players = rows(f"select distinct x from signing_key where id in ({holes})", *sorted(named))  # noqa: S608  # only holes
    held = rows("select id, x from server_key")
    return [*(Key(x) for (x,) in players), *(Key(x) for id_, x in held if id_ in servers)]
