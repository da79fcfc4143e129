"""Caches of a tournament's log, written line by line: entrants, pairings with their seats and results, its state.

Everything here can be made anew from the log. Rounds and stages, whose times follow from the document too, are written
by `timetable`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import singledispatch
from typing import Any

from service.db.batches import batched, insert_all
from service.db.connection import execute
from service.db.models.tournaments import (
    EntrantRow,
    PairingRow,
    PairingSeatRow,
    RoundRow,
    StageRow,
    TournamentRow,
)
from service.tournaments.formats import log_lines
from service.tournaments.formats.crosstable import write_results
from service.tournaments.formats.log_lines import RoundName, is_bot
from service.tournaments.formats.stage_rules import LADDER
from service.tournaments.formats.tournament_log import LogLine
from service.tournaments.formats.tournament_state import IN, NO_NONCE, STATUS_AFTER, WAITING, WITHDRAWN

SET_NUMBERS = (
    "with n(player, number, rating) as (values {holes}) update entrant set number = n.number, "
    "rating = cast(n.rating as int) from n where entrant.tournament = ? and entrant.player = n.player"
)
ANNOUNCED, ENTRY, DRAWN, RUNNING = "announced", "entry", "drawn", "running"
PAUSED, OVER, CANCELLED = "paused", "over", "cancelled"


def take_lines(row: TournamentRow, entries: Sequence[LogLine]) -> None:
    """Write what follows from new lines, inside their transaction; what concerns the row is left for its saving."""
    lines = [entry.value for entry in entries]
    for line, entry in zip(lines, entries, strict=True):
        if isinstance(line, log_lines.EnterLine):
            _add_entrant(row.id, line, entry.seq)
    _set_numbers(row.id, [line for line in lines if isinstance(line, log_lines.NumberLine)])
    _void_pairings(row.id, lines)
    _add_pairings(row, [line for line in lines if isinstance(line, log_lines.PairLine)])
    for line, entry in zip(lines, entries, strict=True):
        _take(line, row, entry)


def clear_caches(tournament: str) -> None:
    """Delete what `take_lines` and the timetable write anew."""
    pairings = PairingRow.select(PairingRow.id).where(PairingRow.tournament == tournament)
    PairingSeatRow.delete().where(PairingSeatRow.pairing.in_(pairings)).execute()
    for model in (PairingRow, EntrantRow, RoundRow, StageRow):
        model.delete().where(model.tournament == tournament).execute()


def _add_entrant(tournament: str, line: log_lines.EnterLine, seq: int) -> None:
    """Write who entered, also again; the number stays."""
    _put_entrant(tournament, line.player, {"status": WAITING, "nonce": line.nonce or NO_NONCE, "entered_seq": seq})


def _put_entrant(tournament: str, player: str, values: Mapping[str, str | int | None], **first: str | int) -> None:
    """Insert an entrant, or set these values of the one there is; `first` is only for the insertion."""
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
    stages = json.loads(row.document)["stages"] if pairs else ()
    ladders = {stage["name"] for stage in stages if stage["format"] == LADDER}
    places: dict[RoundName, int] = {}
    earlier: dict[RoundName, int] = {}
    rows, seats = [], []
    for pair in pairs:
        name = pair.round
        if name not in places:
            places[name] = earlier[name] = PairingRow.select().where(_is_of_round(tournament, name)).count()
        places[name] += 1
        columns = pairing_columns(tournament, pair, places[name])
        if earlier[name] and name.stage not in ladders:
            # The same people at the same table once more: a replay, which makes the earlier pairing void.
            again = _is_of_round(tournament, name) & (PairingRow.seats == columns["seats"])
            PairingRow.update(void=True).where(again).execute()
        rows.append({**columns, "void": False, "result": ""})
        seats += seat_columns(pair)
    insert_all(PairingRow, rows)
    insert_all(PairingSeatRow, seats)


def pairing_columns(tournament: str, pair: log_lines.PairLine, place: int) -> dict[str, str | int]:
    """Return the columns of a pairing that its line gives; `place` is its number within the round."""
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
    """Return the columns of the seats of a pairing at which people sit."""
    return [
        {"pairing": pair.match, "seat": seat, "player": player}
        for seat, player in enumerate(pair.seats)
        if not is_bot(player)
    ]


def _is_of_round(tournament: str, name: RoundName) -> Any:  # noqa: ANN401  # a condition of peewee
    mine = (PairingRow.tournament == tournament) & (PairingRow.stage == name.stage)
    return mine & (PairingRow.round == name.number)


def _void_pairings(tournament: str, lines: Iterable[log_lines.Line]) -> None:
    """Void what rulings replay or repair, before the pairings that come with them are added."""
    for line in lines:
        if isinstance(line, log_lines.ReplayRuling):
            PairingRow.update(void=True).where(PairingRow.id == line.match).execute()
        elif isinstance(line, log_lines.RepairRuling):
            PairingRow.update(void=True).where(_is_of_round(tournament, line.round)).execute()


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
def _take_number(_line: log_lines.NumberLine, row: TournamentRow, _entry: LogLine) -> None:
    if row.state in {ANNOUNCED, ENTRY}:
        row.state = DRAWN


@_take.register
def _take_start(_line: log_lines.StartLine, row: TournamentRow, entry: LogLine) -> None:
    if row.started_at is None:
        row.started_at = entry.at
    row.state = RUNNING


@_take.register
def _take_end(_line: log_lines.EndLine, row: TournamentRow, entry: LogLine) -> None:
    row.ended_at = entry.at
    if row.state != CANCELLED:
        row.state = OVER


@_take.register
def _take_cancellation(_line: log_lines.CancelRuling, row: TournamentRow, _entry: LogLine) -> None:
    row.state = CANCELLED


@_take.register
def _take_pause(_line: log_lines.PauseRuling, row: TournamentRow, _entry: LogLine) -> None:
    row.state = PAUSED


@_take.register
def _take_resumption(_line: log_lines.ResumeRuling, row: TournamentRow, _entry: LogLine) -> None:
    if row.started_at is not None:
        row.state = RUNNING
        return
    numbered = (EntrantRow.tournament == row.id) & EntrantRow.number.is_null(is_null=False)
    row.state = DRAWN if EntrantRow.select().where(numbered).exists() else ENTRY


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
    """Let the pairings of somebody be those of who takes their place."""
    sits = PairingSeatRow.select(PairingSeatRow.pairing).where(PairingSeatRow.player == one)
    for pairing in list(PairingRow.select().where((PairingRow.tournament == tournament) & PairingRow.id.in_(sits))):
        seats = [other if player == one else player for player in json.loads(pairing.seats)]
        PairingRow.update(seats=json.dumps(seats)).where(PairingRow.id == pairing.id).execute()
        seat = (PairingSeatRow.pairing == pairing.id) & (PairingSeatRow.player == one)
        PairingSeatRow.update(player=other).where(seat).execute()
