"""Tournaments in the database: finding one, loading its state, and appending to its log.

The log is the only truth. Appending is one short transaction that holds the tournament's row (`lock_tournament`).
Cheap decisions, such as entering, are made inside it. Expensive ones, such as pairing a round, are computed outside
from a `LoadedTournament`, and the lock is then taken at the head that they were computed from: if the log has grown in
between, `LogHasGrown` is raised, nothing is written and the caller computes again. The caches are written in the same
transaction as the lines (`tournament_caches`).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import Any, Self

from peewee import SQL, ModelSelect

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
from service.tournaments.documents.document import StagePlan, TournamentDocument
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
from service.tournaments.tournament_caches import ENDED, list_organisers, list_rulers, load_cached_document
from service.tournaments.tournament_events import write_line_events

MOST_LOG_LINES = 500
IS_RULING = SQL("substr(line, 1, 7) = 'ruling '")
"""Condition for rulings. It must have the same form as in the index, or databases do not use the index."""

_states: BoundedCache[str, TournamentState] = BoundedCache(64)


class LogHasGrown(Exception):
    """The log has grown since the state that a decision was computed from."""


@dataclass(frozen=True)
class LoadedTournament:
    """A tournament at one moment: its row, the state after the last log line, and the document in force there."""

    row: TournamentRow
    state: TournamentState
    document: TournamentDocument
    at: int
    """Time of loading."""

    @classmethod
    def of(cls, row: TournamentRow) -> Self:
        """Load the tournament of a row."""
        state = load_state(row.id)
        document = load_cached_document(state.document, lambda: state.documents[state.document])
        return cls(row, state, document, now())

    @classmethod
    def load(cls, tournament: str) -> Self:
        """Load the tournament with this id."""
        return cls.of(TournamentRow.get_by_id(tournament))

    def plan_of(self, stage: str) -> StagePlan:
        """Return a stage of the document."""
        return next(plan for plan in self.document.stages if plan.name == stage)


def forget_state(tournament: str) -> None:
    """Drop the state of a tournament from the cache."""
    _states.drop(tournament)


def find_tournament(id_or_name: str, viewer: str | None) -> TournamentRow:
    """Return the tournament with this id or name: the viewer's own first, then the newest that is listed.

    An unlisted tournament is found only by its owner, organisers, entrants and whoever was invited.
    """
    row: TournamentRow | None = TournamentRow.get_or_none(TournamentRow.id == id_or_name)
    if row is None:
        named = TournamentRow.name == id_or_name
        own = TournamentRow.owner == (viewer or "")
        newest = TournamentRow.select().where(named).order_by(own.desc(), TournamentRow.created_at.desc())
        row = next((candidate for candidate in newest if may_see(candidate, viewer)), None)
    if row is None or not may_see(row, viewer):
        raise Problem("not-found", msg("tournaments.none_with_name", name=id_or_name))
    return row


def may_see(row: TournamentRow, viewer: str | None) -> bool:
    """Return True if the viewer may see the tournament."""
    if row.listed or row.owner == viewer:
        return True
    if viewer is None:
        return False
    if may_rule(row, viewer) or find_entrant(row.id, viewer) is not None:
        return True
    return bool(select_invited(viewer).where(TournamentInvitationRow.tournament == row.id).exists())


def find_entrant(tournament: str, player: str) -> EntrantRow | None:
    """Return a player's entry in a tournament, or None."""
    entrant: EntrantRow | None = EntrantRow.get_or_none(
        (EntrantRow.tournament == tournament) & (EntrantRow.player == player)
    )
    return entrant


def select_invited(player: str) -> ModelSelect[TournamentInvitationRow]:
    """Return a query for the tournaments that a player was invited to, by id or by confirmed address."""
    own = PlayerRow.select(PlayerRow.address).where((PlayerRow.id == player) & PlayerRow.confirmed_at.is_null(False))
    mine = (TournamentInvitationRow.player == player) | TournamentInvitationRow.address.in_(own)
    return TournamentInvitationRow.select(TournamentInvitationRow.tournament).where(mine)


def is_organiser(row: TournamentRow, player: str) -> bool:
    """Return True if the player organises the tournament."""
    return player in list_organisers(row)


def check_organiser(row: TournamentRow, player: str) -> None:
    """Raise `Problem` unless the player organises the tournament."""
    if not is_organiser(row, player):
        raise Problem("forbidden", msg("tournaments.only_organisers"))


def may_rule(row: TournamentRow, player: str) -> bool:
    """Return True if the player organises the tournament or is one of its arbiters."""
    return player in list_rulers(row)


def check_may_rule(row: TournamentRow, player: str) -> None:
    """Raise `Problem` unless the player may rule in the tournament."""
    if not may_rule(row, player):
        raise Problem("forbidden", msg("tournaments.only_rulers"))


def check_not_ended(row: TournamentRow) -> None:
    """Raise `Problem` if the tournament is over or cancelled."""
    if row.state in ENDED:
        raise Problem("conflict", msg("tournaments.has_ended"))


def list_neutral_rulers(row: TournamentRow, named: Sequence[str] | None = None) -> list[str]:
    """Return the organisers and arbiters who do not play and so may rule everywhere.

    `named` replaces those of the document.
    """
    rulers = list_rulers(row) if named is None else list(dict.fromkeys([row.owner, *named]))
    playing = (EntrantRow.tournament == row.id) & (EntrantRow.status == IN) & EntrantRow.player.in_(rulers)
    players = {entrant.player for entrant in EntrantRow.select(EntrantRow.player).where(playing)}
    return [ruler for ruler in rulers if ruler not in players]


def load_state(tournament: str) -> TournamentState:
    """Return the state of a tournament at its head. Only log lines that this process has not read yet are read."""
    row = TournamentRow.select(TournamentRow.head_seq, TournamentRow.head_hash).where(TournamentRow.id == tournament)
    head = row.get()
    cached = _states.get(tournament)
    if cached is not None and (cached.seq, cached.hash) == (head.head_seq, head.head_hash):
        return cached
    state = read_state(tournament, head.head_seq, cached)
    _states.put(tournament, state)
    return state


def read_state(tournament: str, seq: int, cached: TournamentState | None = None) -> TournamentState:
    """Return the state after the first `seq` lines, folding only the lines after a cached state."""
    if cached is not None and cached.seq < seq:
        lines = find_log(tournament, cached.seq, seq - cached.seq)
        first = lines[0]
        # A state that was cached inside a transaction that was rolled back may contain lines that never existed: the
        # next line then has another hash, and the whole log is read.
        if hash_line(tournament, first.seq, first.at, first.line, cached.hash) == first.hash:
            changed = any(isinstance(line.value, DocumentLine) for line in lines)
            return cached.fold(lines, read_documents(tournament) if changed else None)
    return TournamentState.read(load_header(tournament), read_documents(tournament), find_log(tournament, 0, seq))


def load_header(tournament: str) -> TournamentHeader:
    """Return the header of a tournament's log."""
    row = TournamentHeaderRow.get_by_id(tournament)
    return read_header(row.body.removesuffix("\n").split("\n"))


def read_documents(tournament: str) -> dict[str, dict[str, Any]]:
    """Return all documents of a tournament by hash, oldest first."""
    rows = TournamentDocumentRow.select().where(TournamentDocumentRow.tournament == tournament)
    return {row.hash: json.loads(row.document) for row in rows.order_by(TournamentDocumentRow.at)}


def select_rulings(tournament: str) -> ModelSelect[TournamentEntryRow]:
    """Return a query for the log lines that are rulings. An index makes it fast for long logs too."""
    return TournamentEntryRow.select().where((TournamentEntryRow.tournament == tournament) & IS_RULING)


def find_log(tournament: str, after: int, limit: int = MOST_LOG_LINES) -> list[LogLine]:
    """Return at most `limit` lines of a log after line `after`."""
    mine = (TournamentEntryRow.tournament == tournament) & (TournamentEntryRow.seq > after)
    rows = TournamentEntryRow.select().where(mine).order_by(TournamentEntryRow.seq).limit(limit)
    return [LogLine(row.seq, row.at, row.line, row.hash) for row in rows.namedtuples()]


@contextmanager
def lock_tournament(tournament: str, *, head: int | None = None) -> Iterator[TournamentRow]:
    """Open a write transaction that holds the tournament's row, and save the row's changes at its end.

    With `head`, raise `LogHasGrown` unless that is still the last line of the log.
    """
    with write_transaction():
        # The update changes nothing but takes the row lock, so nobody else appends until the commit. It comes before
        # the row is read: what is read must not be older than the lock.
        TournamentRow.update(state=TournamentRow.state).where(TournamentRow.id == tournament).execute()
        row = TournamentRow.get_by_id(tournament)
        if head is not None and row.head_seq != head:
            raise LogHasGrown(tournament)
        yield row
        if row.is_dirty():
            row.save(only=row.dirty_fields)


def append_lines(tournament: str, expected_head: int | None, lines: Sequence[Line], at: int) -> bool:
    """Append lines that nothing else follows from. Return False if the head is not the expected one."""
    try:
        with lock_tournament(tournament, head=expected_head) as row:
            write_lines(row, lines, at)
    except LogHasGrown:
        return False
    return True


def write_lines(row: TournamentRow, lines: Sequence[Line], at: int) -> list[LogLine]:
    """Append lines to the log of a locked row, write their caches and events, and return the new entries."""
    last = find_log(row.id, row.head_seq - 1, 1)
    # Times in a log never decrease, even if the clock of this machine is behind that of another.
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
        # Saved here and not at the end of the lock: `load_state` reads the head from the database.
        row.save(only=row.dirty_fields)
    return entries


def export_record(tournament: str) -> bytes:
    """Return the signed public record: the log with all documents."""
    head = TournamentRow.get_by_id(tournament)
    entries = find_log(tournament, 0, head.head_seq)
    at = max(now(), entries[-1].at if entries else head.created_at)
    documents = list(read_documents(tournament).values())
    return write_tournament_export(server_keys.current_key().private, load_header(tournament), documents, entries, at)
