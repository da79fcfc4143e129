"""Examining and rebuilding a tournament: check its log, and derive every cache again from the log alone."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from service.db.batches import insert_all
from service.db.connection import DatabaseDown, DatabaseRow
from service.db.models.matches import MatchRow
from service.db.models.tournaments import (
    EntrantRow,
    PairingRow,
    PairingSeatRow,
    RoundRow,
    StageRow,
    TournamentRow,
)
from service.play.integrity import Finding
from service.timestamps import now
from service.tournaments import tournament_caches, tournament_store
from service.tournaments.documents.document import load_document
from service.tournaments.formats.crosstable import SeatResult, write_results
from service.tournaments.formats.log_lines import PairLine, ReplaceRuling, RoundName
from service.tournaments.formats.stage_rules import DUPLICATE
from service.tournaments.formats.tournament_log import BadTournament, LogLine
from service.tournaments.formats.tournament_state import TournamentState
from service.tournaments.formats.verify import verify_tournament
from service.tournaments.rounds.results import read_pairing_results
from service.tournaments.rounds.rounds import count_endings, list_round_columns, list_stage_columns
from service.tournaments.rounds.standings import rank_as_json
from service.tournaments.rounds.timetable import StepKind, Timetable

TRIES = 3
MOST_LOG = 10_000_000
UNTIMED_STEPS = frozenset(
    {
        StepKind.CLOSE,
        StepKind.NUMBER,
        StepKind.PAIR,
        StepKind.START,
        StepKind.NEXT,
        StepKind.OVER,
        StepKind.ADVANCE,
        StepKind.END,
    }
)
"""Steps that wait only for time, or that check again by themselves."""
STANDINGS = {"standings": "", "standings_seq": 0}
"""Columns of a stage without standings, which are computed when they are needed."""
Columns = Mapping[str, Any]


@dataclass(frozen=True)
class DerivedCaches:
    """The caches of a tournament as its log gives them."""

    tournament: Columns
    """The columns of its row that follow from the log."""
    tables: Mapping[type[DatabaseRow], Sequence[Columns]]
    """The rows of each cache, stages without standings."""


def list_tournaments() -> list[str]:
    """Return all tournaments, oldest first."""
    return [row.id for row in TournamentRow.select(TournamentRow.id).order_by(TournamentRow.created_at)]


def examine_tournament(tournament: str) -> list[Finding]:
    """Return what is wrong with a tournament. If its log grows during the examination, repeat it."""
    findings: list[Finding] = []
    for _ in range(TRIES):
        head = TournamentRow.get_by_id(tournament).head_seq
        findings = list(_findings(tournament))
        if not findings or TournamentRow.get_by_id(tournament).head_seq == head:
            break
    return findings


def _findings(tournament: str) -> Iterator[Finding]:
    row = TournamentRow.get_by_id(tournament)
    try:
        verify_tournament(tournament_store.export_record(tournament))
        lines = tournament_store.find_log(tournament, 0, row.head_seq + 1)
        state = tournament_store.read_state(tournament, len(lines))
    except DatabaseDown:
        raise
    except BadTournament as fault:
        yield Finding("tournament-log", {"why": fault.place_and_message})
        return
    except Exception as error:  # noqa: BLE001  # whatever a broken log makes of it is a finding
        yield Finding("tournament-log", {"why": f"{type(error).__name__}: {error}"})
        return
    if (row.head_seq, row.head_hash) != (state.seq, state.hash):
        yield Finding("head", {"kept": f"{row.head_seq} {row.head_hash[:12]}", "log": f"{state.seq} {state.hash[:12]}"})
    table = Timetable(state, load_document(state.documents[state.document]))
    yield from _cache_findings(row, derive_caches(row, table, lines))
    yield from _standings_findings(row, state)
    yield from _match_findings(state)
    waits = [step for step in table.steps() if step.due > now() or step.kind in UNTIMED_STEPS]
    if waits and row.next_at is None:
        yield Finding("tournament-next", {"step": waits[0].kind})


def _cache_findings(row: TournamentRow, derived: DerivedCaches) -> Iterator[Finding]:
    kept = {name: getattr(row, name) for name in derived.tournament}
    differ = [name for name, value in derived.tournament.items() if kept[name] != value]
    if differ:
        yield Finding("tournament-cache", {"table": "tournament", "what": ", ".join(differ)})
    for model, wanted in derived.tables.items():
        unlike = _as_set(_list_stored(model, row.id)) ^ _as_set(wanted)
        if unlike:
            what = ", ".join(sorted({str(dict(each).get("id") or dict(each)) for each in unlike})[:3])
            yield Finding("tournament-cache", {"table": model._meta.table_name, "what": what})  # noqa: SLF001  # peewee's


def _as_set(rows: Sequence[Columns]) -> set[tuple[tuple[str, Any], ...]]:
    return {tuple(sorted(row.items())) for row in rows}


def _list_stored(model: type[DatabaseRow], tournament: str) -> list[Columns]:
    rows = tournament_caches.list_cached_rows(model, tournament)
    return [{name: value for name, value in row.items() if name not in STANDINGS} for row in rows]


def _standings_findings(row: TournamentRow, state: TournamentState) -> Iterator[Finding]:
    """Yield cached standings that are not what the log gave at their line."""
    for stage in StageRow.select().where((StageRow.tournament == row.id) & (StageRow.standings != "")):
        then = state if stage.standings_seq == state.seq else tournament_store.read_state(row.id, stage.standings_seq)
        if stage.name in then.stages and json.loads(stage.standings) != json.loads(
            json.dumps(rank_as_json(then, stage.name))
        ):
            yield Finding("tournament-cache", {"table": "stage", "what": f"standings of {stage.name}"})


def _match_findings(state: TournamentState) -> Iterator[Finding]:
    """Yield results that differ from the record of their match, unless an organiser ruled."""
    ruled = {word for _, ruling in state.rulings for word in ruling.subjects}
    for stage in state.stages.values():
        for each in stage.rounds.values():
            for match, results in each.results.items():
                played = MatchRow.select().where((MatchRow.id == match) & (MatchRow.status == "over")).exists()
                if match not in ruled and played and not is_result_of(state, match, results, stage.rules.format):
                    yield Finding("tournament-result", {"match": match})


def is_result_of(state: TournamentState, match: str, results: Sequence[SeatResult], format_: str) -> bool:
    """Return True if a result is that of its match. In duplicate, places are among all tables."""
    endings = count_endings(read_pairing_results(state, match))
    if format_ == DUPLICATE:
        return [(one.score, one.how) for one in results] == [(one.score, one.how) for one in endings]
    return tuple(results) == endings


def derive_caches(row: TournamentRow, table: Timetable, lines: Sequence[LogLine]) -> DerivedCaches:
    """Derive all caches of a tournament from its log."""
    id_, state = row.id, table.state
    pairs = _list_pairs(lines)
    return DerivedCaches(
        tournament=tournament_caches.list_row_columns(row, state),
        tables={
            EntrantRow: [_entrant_columns(id_, state, player) for player in state.entrants],
            PairingRow: list(_pairing_columns(id_, state, pairs)),
            PairingSeatRow: [columns for pair in pairs for columns in tournament_caches.seat_columns(pair)],
            RoundRow: list_round_columns(id_, table),
            StageRow: list_stage_columns(id_, table),
        },
    )


def _list_pairs(entries: Sequence[LogLine]) -> list[PairLine]:
    """Return all pairs, with replaced players replaced."""
    pairs: list[PairLine] = []
    for entry in entries:
        line = entry.value
        if isinstance(line, PairLine):
            pairs.append(line)
        elif isinstance(line, ReplaceRuling):
            pairs = [
                replace(pair, seats=tuple(line.other if player == line.player else player for player in pair.seats))
                for pair in pairs
            ]
    return pairs


def _entrant_columns(tournament: str, state: TournamentState, player: str) -> Columns:
    entrant, number = state.entrants[player], state.number_of.get(player)
    if number is not None and state.holders[number] != player:
        number = None
    rating = -1 if number is None else state.ratings[number]
    return {
        "tournament": tournament,
        "player": player,
        "status": entrant.status,
        "number": number,
        "rating": rating if rating >= 0 else None,
        "nonce": entrant.nonce,
        "entered_seq": entrant.seq,
    }


def _pairing_columns(tournament: str, state: TournamentState, pairs: Sequence[PairLine]) -> Iterator[Columns]:
    places = Counter[RoundName]()
    for pair in pairs:
        stage, number = state.find_round(pair.round)
        replay = stage.round(number)
        places[pair.round] += 1
        yield {
            **tournament_caches.pairing_columns(tournament, pair, places[pair.round]),
            "void": pair.match in replay.void,
            "result": write_results(replay.results.get(pair.match, ())),
        }


def rebuild_tournament(tournament: str) -> bool:
    """Rebuild the caches of a tournament from its log. Return True if anything was different."""
    with tournament_store.lock_tournament(tournament) as row:
        tournament_store.forget_state(tournament)
        lines = tournament_store.find_log(tournament, 0, MOST_LOG)
        state = tournament_store.read_state(tournament, len(lines))
        document = load_document(state.documents[state.document])
        derived = derive_caches(row, Timetable(state, document), lines)
        different = list(_cache_findings(row, derived)) + list(_standings_findings(row, state))
        moved = (row.head_seq, row.head_hash) != (state.seq, state.hash)
        if not different and not moved:
            return False
        # Seats refer to pairings: they are deleted before them and inserted after them.
        for model in reversed(list(derived.tables)):
            model.delete().where(tournament_caches.is_of_tournament(model, tournament)).execute()
        for model, columns in derived.tables.items():
            insert_all(model, [{**stage, **STANDINGS} for stage in columns] if model is StageRow else columns)
        fields = {**derived.tournament, "head_seq": state.seq, "head_hash": state.hash, "next_at": now()}
        fields["document"] = tournament_caches.document_text(document)
        TournamentRow.update(**fields).where(TournamentRow.id == tournament).execute()
    return True
