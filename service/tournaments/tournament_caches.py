"""Caches of a tournament's log: entrants, pairings with their seats and results, and columns of its row.

All of them follow from the log alone. `take_lines` updates entrants and pairings line by line in the transaction of
new lines, without loading the state: most lines come from people who enter. Rounds, stages and the row follow from the
state; `rounds.write_rounds` writes them in the same transaction. `tournament_integrity` derives everything a second
time, from the state, to check and to rebuild it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import singledispatch
from typing import Any

import rfc8785
from peewee import Expression

from service.bounded_cache import BoundedCache
from service.db.batches import batched, insert_all
from service.db.connection import DatabaseRow, execute
from service.db.models.tournaments import EntrantRow, PairingRow, PairingSeatRow, TournamentRow
from service.tournaments.documents.document import TournamentDocument, load_document
from service.tournaments.formats import log_lines
from service.tournaments.formats.crosstable import write_results
from service.tournaments.formats.log_lines import RoundName, is_bot
from service.tournaments.formats.stage_rules import LADDER
from service.tournaments.formats.tournament_log import LogLine
from service.tournaments.formats.tournament_state import (
    IN,
    NO_NONCE,
    STATUS_AFTER,
    WAITING,
    WITHDRAWN,
    TournamentState,
)

SET_NUMBERS = (
    "with n(player, number, rating) as (values {holes}) update entrant set number = n.number, "
    "rating = cast(n.rating as int) from n where entrant.tournament = ? and entrant.player = n.player"
)
ANNOUNCED, ENTRY, DRAWN, RUNNING = "announced", "entry", "drawn", "running"
PAUSED, OVER, CANCELLED = "paused", "over", "cancelled"
ENDED = (OVER, CANCELLED)

_documents: BoundedCache[str, TournamentDocument] = BoundedCache(256)
"""Parsed documents by hash. They never change, and lists of tournaments need one for each row."""


def load_cached_document(hash_: str, read: Callable[[], Mapping[str, Any]]) -> TournamentDocument:
    """Return the document with this hash. `read` returns its canonical JSON, and is called if it is not cached."""
    return _documents.get_or_make(hash_, lambda: load_document(read()))


def document_of(row: TournamentRow) -> TournamentDocument:
    """Return the document in force by a tournament's row."""
    return load_cached_document(row.document_hash, lambda: json.loads(row.document))


def document_text(document: TournamentDocument) -> str:
    """Return the canonical text of a document, which is stored and hashed."""
    return rfc8785.dumps(dict(document.canonical)).decode()


def list_organisers(row: TournamentRow) -> list[str]:
    """Return the owner and the other organisers of a tournament."""
    return list(dict.fromkeys([row.owner, *document_of(row).organisers]))


def list_rulers(row: TournamentRow) -> list[str]:
    """Return everybody who may rule: organisers and arbiters."""
    return list(dict.fromkeys([*list_organisers(row), *document_of(row).arbiters]))


def take_lines(row: TournamentRow, entries: Sequence[LogLine]) -> None:
    """Write the entrants, pairings and results that follow from new lines, inside their transaction."""
    lines = [entry.value for entry in entries]
    for line, entry in zip(lines, entries, strict=True):
        if isinstance(line, log_lines.EnterLine):
            _add_entrant(row.id, line, entry.seq)
    _set_numbers(row.id, [line for line in lines if isinstance(line, log_lines.NumberLine)])
    _void_pairings(row.id, lines)
    _add_pairings(row, [line for line in lines if isinstance(line, log_lines.PairLine)])
    for line, entry in zip(lines, entries, strict=True):
        _take(line, row, entry)


def is_of_tournament(model: type[DatabaseRow], tournament: str) -> Expression:
    """Return the condition for the rows of a tournament in one of its tables."""
    if model is PairingSeatRow:
        pairings = PairingRow.select(PairingRow.id).where(PairingRow.tournament == tournament)
        return PairingSeatRow.pairing.in_(pairings)
    condition: Expression = model._meta.fields["tournament"] == tournament  # noqa: SLF001  # peewee's
    return condition


def list_cached_rows(model: type[DatabaseRow], tournament: str) -> list[dict[str, Any]]:
    """Return the rows of a tournament in one of its tables."""
    query: Any = model.select().where(is_of_tournament(model, tournament))
    return list(query.dicts())


def _add_entrant(tournament: str, line: log_lines.EnterLine, seq: int) -> None:
    """Write an entry. Who enters again keeps their number."""
    _put_entrant(tournament, line.player, {"status": WAITING, "nonce": line.nonce or NO_NONCE, "entered_seq": seq})


def _put_entrant(tournament: str, player: str, values: Mapping[str, str | int | None], **first: str | int) -> None:
    """Insert an entrant, or update the one there is with `values`; `first` is for the insertion only."""
    EntrantRow.insert(tournament=tournament, player=player, **first, **values).on_conflict(
        conflict_target=[EntrantRow.tournament, EntrantRow.player],
        update={getattr(EntrantRow, name): value for name, value in values.items()},
    ).execute()


def _set_numbers(tournament: str, numbers: Sequence[log_lines.NumberLine]) -> None:
    for part in batched(numbers):
        values = [value for line in part for value in (line.player, line.number, line.rating)]
        execute(SET_NUMBERS.format(holes=", ".join(["(?, ?, ?)"] * len(part))), *values, tournament)


def _add_pairings(row: TournamentRow, pairs: Sequence[log_lines.PairLine]) -> None:
    tournament = row.id
    plans = document_of(row).stages if pairs else ()
    playing_on = {plan.name for plan in plans if plan.format == LADDER or plan.rules.series is not None}
    places: dict[RoundName, int] = {}
    earlier: dict[RoundName, int] = {}
    rows, seats = [], []
    for pair in pairs:
        name = pair.round
        if name not in places:
            places[name] = earlier[name] = (
                PairingRow.select().where(is_of_round(tournament, name.stage, name.number)).count()
            )
        places[name] += 1
        columns = pairing_columns(tournament, pair, places[name])
        if earlier[name] and name.stage not in playing_on:
            # The same people at the same table again: a replay, which voids the earlier pairing.
            again = is_of_round(tournament, name.stage, name.number) & (PairingRow.seats == columns["seats"])
            PairingRow.update(void=True).where(again).execute()
        rows.append({**columns, "void": False, "result": ""})
        seats += seat_columns(pair)
    insert_all(PairingRow, rows)
    insert_all(PairingSeatRow, seats)


def pairing_columns(tournament: str, pair: log_lines.PairLine, place: int) -> dict[str, str | int]:
    """Return the columns of a pairing that follow from its line; `place` is its number in the round."""
    return {
        "id": pair.match,
        "tournament": tournament,
        "stage": pair.round.stage,
        "round": pair.round.number,
        "place": place,
        "section": pair.section,
        "seats": json.dumps(pair.seats),
    }


def seat_columns(pair: log_lines.PairLine) -> list[dict[str, str | int]]:
    """Return the columns of a pairing's seats, without those of bots."""
    return [
        {"pairing": pair.match, "seat": seat, "player": player}
        for seat, player in enumerate(pair.seats)
        if not is_bot(player)
    ]


def is_of_round(tournament: str, stage: str, number: int) -> Expression:
    """Return the condition for the pairings of a round, void ones included."""
    mine = (PairingRow.tournament == tournament) & (PairingRow.stage == stage)
    return mine & (PairingRow.round == number)


def _void_pairings(tournament: str, lines: Iterable[log_lines.Line]) -> None:
    """Void the pairings that rulings replay or repair. Call before adding the pairings that replace them."""
    for line in lines:
        if isinstance(line, log_lines.ReplayRuling):
            PairingRow.update(void=True).where(PairingRow.id == line.match).execute()
        elif isinstance(line, log_lines.RepairRuling):
            PairingRow.update(void=True).where(is_of_round(tournament, line.round.stage, line.round.number)).execute()


def list_row_columns(row: TournamentRow, state: TournamentState) -> dict[str, str | int | None]:
    """Return the columns of a tournament's row that follow from its log."""
    rounds = [each for stage in state.stages.values() for each in stage.rounds.values()]
    # The log does not say when entry opens: `step_tournament` turns `announced` into `entry`.
    is_announced = row.state == ANNOUNCED and state.phase == ENTRY
    return {
        "state": ANNOUNCED if is_announced else state.phase,
        "document_hash": state.document,
        "started_at": min((each.started_at for each in rounds if each.started_at is not None), default=None),
        "ended_at": state.at if state.deals is not None else None,
    }


@singledispatch
def _take(_line: log_lines.Line, _row: TournamentRow, _entry: LogLine) -> None:
    """Write what a line changes besides entering, numbers and pairings."""


@_take.register
def _take_status(line: log_lines.StatusLine, row: TournamentRow, _entry: LogLine) -> None:
    mine = (EntrantRow.tournament == row.id) & (EntrantRow.player == line.player)
    EntrantRow.update(status=STATUS_AFTER[type(line)]).where(mine).execute()


@_take.register
def _take_result(line: log_lines.ResultLine, _row: TournamentRow, _entry: LogLine) -> None:
    PairingRow.update(result=write_results(line.results)).where(PairingRow.id == line.match).execute()


@_take.register
def _take_replacement(line: log_lines.ReplaceRuling, row: TournamentRow, entry: LogLine) -> None:
    mine = (EntrantRow.tournament == row.id) & (EntrantRow.player == line.player)
    entrant = EntrantRow.get_or_none(mine)
    if entrant is None:
        return
    values = {"status": IN, "number": entrant.number, "rating": entrant.rating}
    _put_entrant(row.id, line.other, values, nonce=NO_NONCE, entered_seq=entry.seq)
    EntrantRow.update(status=WITHDRAWN, number=None, rating=None).where(mine).execute()
    _replace_in_pairings(row.id, line.player, line.other)


def _replace_in_pairings(tournament: str, one: str, other: str) -> None:
    """Replace a player by another in all pairings."""
    sits = PairingSeatRow.select(PairingSeatRow.pairing).where(PairingSeatRow.player == one)
    for pairing in list(PairingRow.select().where((PairingRow.tournament == tournament) & PairingRow.id.in_(sits))):
        seats = [other if player == one else player for player in json.loads(pairing.seats)]
        PairingRow.update(seats=json.dumps(seats)).where(PairingRow.id == pairing.id).execute()
        seat = (PairingSeatRow.pairing == pairing.id) & (PairingSeatRow.player == one)
        PairingSeatRow.update(player=other).where(seat).execute()
