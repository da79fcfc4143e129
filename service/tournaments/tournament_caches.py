"""Caches of a tournament's log, written line by line: entrants, pairings with their seats and results, its state.

Everything here can be made anew from the log. Rounds and stages, whose times follow from the document too, are written
by `timetable`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence

from service.db.connection import execute
from service.db.models.tournaments import (
    EntrantRow,
    PairingRow,
    PairingSeatRow,
    RoundRow,
    StageRow,
    TournamentRow,
)
from service.tournaments.formats.stage_rules import LADDER
from service.tournaments.formats.tournament_log import LogLine
from service.tournaments.formats.tournament_state import (
    BOT_PREFIX,
    EXCLUDED,
    IN,
    RESERVE,
    WAITING,
    WITHDRAWN,
)

MOST_ROWS = 100
SET_NUMBERS = (
    "with n(player, number, rating) as (values {holes}) update entrant set number = n.number, "
    "rating = cast(n.rating as int) from n where entrant.tournament = ? and entrant.player = n.player"
)
STATUS_OF_LINE = {"accept": IN, "reserve": RESERVE, "withdraw": WITHDRAWN, "exclude": EXCLUDED}
ANNOUNCED, ENTRY, DRAWN, RUNNING = "announced", "entry", "drawn", "running"
PAUSED, OVER, CANCELLED = "paused", "over", "cancelled"


def take_lines(row: TournamentRow, entries: Sequence[LogLine]) -> None:
    """Write what follows from new lines, inside their transaction; what concerns the row is left for its saving."""
    numbers = [entry.line.split(" ")[1:] for entry in entries if entry.line.startswith("number ")]
    pairs = [entry.line.split(" ")[1:] for entry in entries if entry.line.startswith("pair ")]
    _add_entrants(row.id, entries)
    _set_numbers(row.id, numbers)
    _void_pairings(row.id, entries)
    _add_pairings(row, pairs)
    for entry in entries:
        verb, *words = entry.line.split(" ")
        if verb in STATUS_OF_LINE:
            _set_status(row.id, words[0], STATUS_OF_LINE[verb])
        elif verb in _WRITERS:
            _WRITERS[verb](row, words, entry)


def clear_caches(tournament: str) -> None:
    """Delete what `take_lines` and the timetable write anew."""
    pairings = PairingRow.select(PairingRow.id).where(PairingRow.tournament == tournament)
    PairingSeatRow.delete().where(PairingSeatRow.pairing.in_(pairings)).execute()
    for model in (PairingRow, EntrantRow, RoundRow, StageRow):
        model.delete().where(model.tournament == tournament).execute()


def _set_status(tournament: str, player: str, status: str) -> None:
    mine = (EntrantRow.tournament == tournament) & (EntrantRow.player == player)
    EntrantRow.update(status=status).where(mine).execute()


def _add_entrants(tournament: str, entries: Iterable[LogLine]) -> None:
    """Write who entered, also again; the number stays."""
    for entry in entries:
        verb, *words = entry.line.split(" ")
        if verb == "enter":
            again = {EntrantRow.status: WAITING, EntrantRow.nonce: _nonce(words), EntrantRow.entered_seq: entry.seq}
            EntrantRow.insert(
                tournament=tournament, player=words[0], status=WAITING, nonce=_nonce(words), entered_seq=entry.seq
            ).on_conflict(conflict_target=[EntrantRow.tournament, EntrantRow.player], update=again).execute()


def _nonce(words: Sequence[str]) -> str:
    return words[1] if len(words) > 1 else "-"


def _set_numbers(tournament: str, numbers: Sequence[Sequence[str]]) -> None:
    for start in range(0, len(numbers), MOST_ROWS):
        part = numbers[start : start + MOST_ROWS]
        values = [
            value
            for player, number, rating in part
            for value in (player, int(number), None if rating == "-" else int(rating))
        ]
        execute(SET_NUMBERS.format(holes=", ".join(["(?, ?, ?)"] * len(part))), *values, tournament)


def _add_pairings(row: TournamentRow, pairs: Sequence[Sequence[str]]) -> None:
    tournament = row.id
    stages = json.loads(row.document)["stages"] if pairs else ()
    ladders = {stage["name"] for stage in stages if stage["format"] == LADDER}
    places: dict[tuple[str, int], int] = {}
    earlier: dict[tuple[str, int], int] = {}
    rows, seats = [], []
    for id_, round_name, section, *people in pairs:
        stage, _, number = round_name.rpartition(":")
        key = (stage, int(number))
        if key not in places:
            places[key] = earlier[key] = _count_pairings(tournament, *key)
        places[key] += 1
        if earlier[key] and stage not in ladders:
            # The same people at the same table once more: a replay, which makes the earlier pairing void.
            again = (PairingRow.tournament == tournament) & (PairingRow.stage == stage) & (PairingRow.round == key[1])
            PairingRow.update(void=True).where(again & (PairingRow.seats == json.dumps(people))).execute()
        rows.append(
            {
                "id": id_,
                "tournament": tournament,
                "stage": stage,
                "round": key[1],
                "place": places[key],
                "section": 0 if section == "-" else int(section),
                "seats": json.dumps(people),
                "void": False,
                "result": "",
            }
        )
        seats += [
            {"pairing": id_, "seat": seat, "player": player}
            for seat, player in enumerate(people)
            if not player.startswith(BOT_PREFIX)
        ]
    for start in range(0, len(rows), MOST_ROWS):
        PairingRow.insert_many(rows[start : start + MOST_ROWS]).execute()
    for start in range(0, len(seats), MOST_ROWS):
        PairingSeatRow.insert_many(seats[start : start + MOST_ROWS]).execute()


def _void_pairings(tournament: str, entries: Iterable[LogLine]) -> None:
    """Void what rulings replay or repair, before the pairings that come with them are added."""
    for entry in entries:
        words = entry.line.split(" ")
        if words[:2] == ["ruling", "replay"]:
            PairingRow.update(void=True).where(PairingRow.id == words[2]).execute()
        elif words[:2] == ["ruling", "repair"]:
            stage, _colon, number = words[2].rpartition(":")
            mine = (PairingRow.tournament == tournament) & (PairingRow.stage == stage)
            PairingRow.update(void=True).where(mine & (PairingRow.round == int(number))).execute()


def _count_pairings(tournament: str, stage: str, number: int) -> int:
    mine = (PairingRow.tournament == tournament) & (PairingRow.stage == stage) & (PairingRow.round == number)
    return int(PairingRow.select().where(mine).count())


def _take_result(_row: TournamentRow, words: Sequence[str], _: LogLine) -> None:
    PairingRow.update(result=" ".join(words[1:])).where(PairingRow.id == words[0]).execute()


def _take_number(row: TournamentRow, _words: Sequence[str], _: LogLine) -> None:
    if row.state in {ANNOUNCED, ENTRY}:
        row.state = DRAWN


def _take_start(row: TournamentRow, _words: Sequence[str], entry: LogLine) -> None:
    if row.started_at is None:
        row.started_at = entry.at
    row.state = RUNNING


def _take_end(row: TournamentRow, _words: Sequence[str], entry: LogLine) -> None:
    row.ended_at = entry.at
    if row.state != CANCELLED:
        row.state = OVER


def _take_ruling(row: TournamentRow, words: Sequence[str], entry: LogLine) -> None:
    what = words[0] if words else ""
    if what == "cancel":
        row.state = CANCELLED
    elif what == "pause":
        row.state = PAUSED
    elif what == "resume":
        row.state = _state_of_resumed(row)
    elif what == "replace" and len(words) > 2:  # noqa: PLR2004  # P Q
        _replace_entrant(row.id, words[1], words[2], entry.seq)


def _state_of_resumed(row: TournamentRow) -> str:
    """What a tournament is that a ruling lets go on."""
    if row.started_at is not None:
        return RUNNING
    numbered = (EntrantRow.tournament == row.id) & EntrantRow.number.is_null(is_null=False)
    return DRAWN if EntrantRow.select().where(numbered).exists() else ENTRY


def _replace_entrant(tournament: str, one: str, other: str, seq: int) -> None:
    mine = (EntrantRow.tournament == tournament) & (EntrantRow.player == one)
    known = EntrantRow.get_or_none(mine)
    if known is None:
        return
    values = {"status": IN, "number": known.number, "rating": known.rating}
    EntrantRow.insert(tournament=tournament, player=other, nonce="-", entered_seq=seq, **values).on_conflict(
        conflict_target=[EntrantRow.tournament, EntrantRow.player],
        update={getattr(EntrantRow, name): value for name, value in values.items()},
    ).execute()
    EntrantRow.update(status=WITHDRAWN, number=None, rating=None).where(mine).execute()
    _replace_in_pairings(tournament, one, other)


def _replace_in_pairings(tournament: str, one: str, other: str) -> None:
    """Let the pairings of somebody be those of who takes their place."""
    sits = PairingSeatRow.select(PairingSeatRow.pairing).where(PairingSeatRow.player == one)
    for pairing in list(PairingRow.select().where((PairingRow.tournament == tournament) & PairingRow.id.in_(sits))):
        seats = [other if player == one else player for player in json.loads(pairing.seats)]
        PairingRow.update(seats=json.dumps(seats)).where(PairingRow.id == pairing.id).execute()
        seat = (PairingSeatRow.pairing == pairing.id) & (PairingSeatRow.player == one)
        PairingSeatRow.update(player=other).where(seat).execute()


_WRITERS: Mapping[str, Callable[[TournamentRow, Sequence[str], LogLine], None]] = {
    "number": _take_number,
    "start": _take_start,
    "result": _take_result,
    "ruling": _take_ruling,
    "end": _take_end,
}
"""What a line changes besides entrants' status, numbers and pairings."""
