"""Tournaments in the database: finding one, its state in memory, and appending to its log in one short transaction.

The log is the only truth. Whoever computes something first compares the head when it appends; whoever only adds a line,
as entering does, holds the row meanwhile. Caches are written in the same transaction.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from typing import Any

from peewee import SQL

from service.bounded_cache import BoundedCache
from service.db.batches import insert_all
from service.db.connection import write_transaction
from service.db.models.accounts import PlayerRow
from service.db.models.tournaments import (
    EntrantRow,
    TournamentDocumentRow,
    TournamentEntryRow,
    TournamentHeaderRow,
    TournamentInvitationRow,
    TournamentRow,
)
from service.i18n.catalogue import msg
from service.play import server_keys
from service.problems import Problem
from service.timestamps import now
from service.tournaments import tournament_caches
from service.tournaments.formats.log_lines import DocumentLine, Line, write
from service.tournaments.formats.tournament_log import (
    LogLine,
    TournamentHeader,
    chain_lines,
    hash_line,
    read_header,
    write_tournament_export,
)
from service.tournaments.formats.tournament_state import IN, TournamentState
from service.tournaments.tournament_events import write_line_events

MOST_LOG_LINES = 500
IS_RULING: Any = SQL("substr(line, 1, 7) = 'ruling '")
"""Written as in the index of rulings, or databases would not use it."""
ExtraWrites = Callable[[TournamentRow, TournamentState], None]
"""What belongs to the lines that were appended, given the row and the state after them; in their transaction."""

_states: BoundedCache[str, TournamentState] = BoundedCache(64)


def forget_state(tournament: str) -> None:
    """Drop the state of a tournament from the cache."""
    _states.drop(tournament)


def find_tournament(id_or_name: str, viewer: str | None) -> TournamentRow:
    """The tournament with this id, or with this name: the viewer's own first, then the newest that is listed.

    One that is not listed is there only for who made it, who organises it, who was invited and who has entered it.
    """
    found: TournamentRow | None = TournamentRow.get_or_none(TournamentRow.id == id_or_name)
    if found is None:
        named = TournamentRow.name == id_or_name
        own = TournamentRow.owner == (viewer or "")
        newest = TournamentRow.select().where(named).order_by(own.desc(), TournamentRow.created_at.desc())
        found = next((row for row in newest if may_see(row, viewer)), None)
    if found is None or not may_see(found, viewer):
        raise Problem("not-found", msg("tournaments.none_with_name", name=id_or_name))
    return found


def may_see(row: TournamentRow, viewer: str | None) -> bool:
    """Whether somebody may know of a tournament."""
    if row.listed or row.owner == viewer:
        return True
    if viewer is None:
        return False
    if is_organiser(row, viewer):
        return True
    mine = (EntrantRow.tournament == row.id) & (EntrantRow.player == viewer)
    invited = select_invited(viewer).where(TournamentInvitationRow.tournament == row.id)
    return bool(EntrantRow.select().where(mine).exists() or invited.exists())


def select_invited(player: str) -> Any:  # noqa: ANN401  # a query of peewee
    """The tournaments that somebody was invited to: by id, or by the address of the account."""
    own = PlayerRow.select(PlayerRow.address).where((PlayerRow.id == player) & PlayerRow.confirmed_at.is_null(False))
    mine = (TournamentInvitationRow.player == player) | TournamentInvitationRow.address.in_(own)
    return TournamentInvitationRow.select(TournamentInvitationRow.tournament).where(mine)


def is_organiser(row: TournamentRow, player: str) -> bool:
    """Whether somebody may decide about a tournament."""
    return bool(row.owner == player or player in json.loads(row.document).get("organisers", ()))


def check_organiser(row: TournamentRow, player: str) -> None:
    """Refuse who does not organise a tournament."""
    if not is_organiser(row, player):
        raise Problem("forbidden", msg("tournaments.only_organisers"))


def list_neutral_organisers(row: TournamentRow, named: Sequence[str] | None = None) -> list[str]:
    """Return the organisers who do not play, and so can rule anywhere; `named` are those of another document."""
    others = json.loads(row.document).get("organisers", ()) if named is None else named
    organisers = dict.fromkeys([row.owner, *others])
    playing = (EntrantRow.tournament == row.id) & (EntrantRow.status == IN) & EntrantRow.player.in_(list(organisers))
    plays = {each.player for each in EntrantRow.select(EntrantRow.player).where(playing)}
    return [player for player in organisers if player not in plays]


def load_state(tournament: str) -> TournamentState:
    """The state of a tournament at its head; what this process knows of it already is not read again."""
    row = TournamentRow.select(TournamentRow.head_seq, TournamentRow.head_hash).where(TournamentRow.id == tournament)
    head = row.get()
    known = _states.get(tournament)
    if known is not None and (known.seq, known.hash) == (head.head_seq, head.head_hash):
        return known
    state = read_state(tournament, head.head_seq, known)
    _states.put(tournament, state)
    return state


def read_state(tournament: str, seq: int, known: TournamentState | None = None) -> TournamentState:
    """The state after so many lines; from a known one on, if the log goes on from there.

    One that is known from a transaction that was undone does not fit, and the whole log is read.
    """
    if known is not None and known.seq < seq:
        lines = find_log(tournament, known.seq, seq - known.seq)
        first = lines[0]
        if hash_line(tournament, first.seq, first.at, first.line, known.hash) == first.hash:
            changed = any(isinstance(line.value, DocumentLine) for line in lines)
            return known.fold(lines, read_documents(tournament) if changed else None)
    return TournamentState.read(load_header(tournament), read_documents(tournament), find_log(tournament, 0, seq))


def load_header(tournament: str) -> TournamentHeader:
    """The header of a tournament's log."""
    row = TournamentHeaderRow.get_by_id(tournament)
    return read_header(row.body.removesuffix("\n").split("\n"))


def read_documents(tournament: str) -> dict[str, dict[str, Any]]:
    """Every document that was in force, by its hash, in the order in which they came."""
    rows = TournamentDocumentRow.select().where(TournamentDocumentRow.tournament == tournament)
    return {row.hash: json.loads(row.document) for row in rows.order_by(TournamentDocumentRow.at)}


def select_rulings(tournament: str) -> Any:  # noqa: ANN401  # a query of peewee
    """The lines of a tournament's log that are rulings, by an index: a long log costs no more than a short one."""
    return TournamentEntryRow.select().where((TournamentEntryRow.tournament == tournament) & IS_RULING)


def find_log(tournament: str, after: int, limit: int = MOST_LOG_LINES) -> list[LogLine]:
    """So many lines of a log after a given one."""
    mine = (TournamentEntryRow.tournament == tournament) & (TournamentEntryRow.seq > after)
    rows = TournamentEntryRow.select().where(mine).order_by(TournamentEntryRow.seq).limit(limit)
    return [LogLine(row.seq, row.at, row.line, row.hash) for row in rows.namedtuples()]


@contextmanager
def lock_tournament(tournament: str) -> Iterator[TournamentRow]:
    """A write transaction that holds the row of a tournament: nobody else appends to its log meanwhile."""
    with write_transaction():
        TournamentRow.update(state=TournamentRow.state).where(TournamentRow.id == tournament).execute()
        yield TournamentRow.get_by_id(tournament)


def append_lines(
    tournament: str, expected_head: int | None, lines: Sequence[Line], at: int, also: ExtraWrites | None = None
) -> bool:
    """Append lines to a log in one transaction; false, and nothing is written, if its head is not the expected one.

    Without an expected head the row is held, and the lines come after whatever stands there. `also` writes what belongs
    to the lines, and gets the state after them.
    """
    with lock_tournament(tournament) as row:
        if expected_head is not None and row.head_seq != expected_head:
            return False
        write_lines(row, lines, at)
        if also is not None:
            also(row, load_state(tournament))
            if row.is_dirty():
                row.save(only=row.dirty_fields)
    return True


def write_lines(row: TournamentRow, lines: Sequence[Line], at: int) -> list[LogLine]:
    """Append lines to the log of a locked row, with the caches that follow from each, and return the new entries."""
    last = find_log(row.id, row.head_seq - 1, 1)
    at = max(at, last[0].at if last else row.created_at)
    texts = [write(line) for line in lines]
    if not all(text.isascii() and text.isprintable() for text in texts):
        raise ValueError(texts)
    entries = chain_lines(row.id, row.head_hash, [(at, text) for text in texts], row.head_seq + 1)
    hashes = [row.head_hash, *(entry.hash for entry in entries)]
    insert_all(
        TournamentEntryRow,
        [
            {"tournament": row.id, "prev_hash": before, **asdict(entry)}
            for before, entry in zip(hashes, entries, strict=False)
        ],
    )
    if entries:
        row.head_seq, row.head_hash = entries[-1].seq, entries[-1].hash
        tournament_caches.take_lines(row, entries)
        write_line_events(row, entries)
        row.save(only=row.dirty_fields)
    return entries


def export_record(tournament: str) -> bytes:
    """The log as others get it, signed by the server, with every document."""
    head = TournamentRow.get_by_id(tournament)
    entries = find_log(tournament, 0, head.head_seq)
    at = max(now(), entries[-1].at if entries else head.created_at)
    documents = list(read_documents(tournament).values())
    return write_tournament_export(server_keys.current_key().private, load_header(tournament), documents, entries, at)
