"""The record of a match for one reader, from the log."""

from __future__ import annotations

import json
from typing import Any

from service import signing
from service.database import rows
from service.moment import now
from service.record.chain import salt
from service.record.export import entry_row, export, named_keys
from service.record.keys import Key
from service.table import Table

COLUMNS = (
    "seq, seat, at, made_by, pledge, hash, line, sealed, reveals, owner, shown, asked, n, key, signature, signed_text, "
    "orders, mail"
)


def viewer_of(table: Table, seat: int | None, *, arbiter: bool = False) -> str:
    """The viewer an export is for: a seat, `-` for spectators, `all` when everything is open."""
    if table.state.over or arbiter:
        return "all"
    return "-" if seat is None else str(seat)


def record(table: Table, viewer: str) -> bytes:
    """The export of a match at its head for this viewer."""
    known, over = table.facts, table.state.over
    found = rows(f"select {COLUMNS} from entry where match = ? order by seq", known.id)  # noqa: S608  # our own columns
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


def _entry(table: Table, row: tuple[Any, ...], viewer: str) -> dict[str, Any]:
    (
        seq,
        seat,
        at,
        by,
        pledge,
        hash_,
        line,
        sealed,
        reveals,
        owner,
        shown,
        asked,
        n,
        key,
        signature,
        text,
        orders,
        mail,
    ) = row
    plain: dict[str, Any] = {"seq": seq, "seat": seat, "at": at, "by": by, "commit": pledge, "hash": hash_}
    if not is_open(table, sealed, reveals, owner, viewer):
        return entry_row(plain, shown)
    plain |= {"line": line, "salt": salt(table.facts.seed, table.facts.id, seq), "asked": asked, "n": n, "key": key}
    plain |= {"signature": signature, "text": text, "orders": bool(orders), "mail": json.loads(mail) if mail else None}
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
