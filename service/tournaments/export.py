"""Files for other programs: CSV for spreadsheets, JSON with everything, TRF for pairing programs."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from io import StringIO
from itertools import takewhile

from service.i18n.catalogue import msg
from service.problems import Problem
from service.record.canonical_json import JsonObject
from service.tournaments.formats.crosstable import BOT, TWO_SEATS, Number
from service.tournaments.formats.log_lines import write
from service.tournaments.formats.points import show_points
from service.tournaments.formats.stage_replay import PairedTable, RoundReplay, StageReplay
from service.tournaments.formats.stage_rules import DUPLICATE, LADDER, ROUND_ROBIN, SWISS
from service.tournaments.formats.swiss import begin_white
from service.tournaments.formats.tiebreaks import FIDE_CODES, Standing
from service.tournaments.formats.tournament_state import TournamentState
from service.tournaments.formats.trf import BadTrf, TrfEvent, TrfPlayer, write_trf
from service.tournaments.rounds.standings import rank_stage

FORMULA_SIGNS = ("=", "+", "-", "@", "\t", "\r", "\n", "|", "%", "＝", "＋", "－", "＠")
"""First characters of a cell that a spreadsheet might run as a formula."""
BYTE_ORDER_MARK = "\ufeff"
"""Without it, spreadsheets misread accented letters."""
BOT_WORD = "bot"


@dataclass(frozen=True)
class ExportSource:
    """The tournament to export, its state, and the names of players by id."""

    id: str
    name: str
    title: str
    game: str
    phase: str
    state: TournamentState
    names: Mapping[str, str]

    def name_of(self, number: Number) -> str:
        """Return the name of an entrant."""
        return self.names[self.state.holders[number]]


def write_csv(source: ExportSource, stage: str) -> str:
    """Return the standings of a stage with every round, one row for each entrant, safe from formulas."""
    replay = source.state.stages[stage]
    sections = rank_stage(source.state, stage)
    ties = list(sections[0][0].ties) if sections and sections[0] else []
    rounds = sorted(number for number, each in replay.rounds.items() if each.pairs)
    text = StringIO()
    text.write(BYTE_ORDER_MARK)
    rows = csv.writer(text, lineterminator="\r\n")
    columns = [f"round {number} {what}" for number in rounds for what in ("opponents", "seat", "points")]
    rows.writerow(["stage", "section", "rank", "number", "player", "name", "status", "points", *ties, *columns])
    cells = {number: _cells_of_round(replay, number) for number in rounds}
    for section, lines in enumerate(sections, 1):
        for line in lines:
            player = source.state.holders[line.number]
            rows.writerow(
                [
                    stage,
                    section if len(sections) > 1 else "",
                    line.rank,
                    line.number,
                    player,
                    escape_formula(source.names[player]),
                    source.state.entrants[player].status if player in source.state.entrants else "",
                    show_points(line.points),
                    *(show_points(value) for value in line.tie_values),
                    *(cell for number in rounds for cell in cells[number].get(line.number, ("", "", ""))),
                ]
            )
    return text.getvalue()


def escape_formula(text: str) -> str:
    """Return a text that no spreadsheet runs: an apostrophe precedes whatever looks like a formula."""
    shown = "".join(letter if letter.isprintable() else " " for letter in text)
    return f"'{shown}" if text.lstrip().startswith(FORMULA_SIGNS) or shown != text else text


def _cells_of_round(stage: StageReplay, number: int) -> dict[Number, tuple[str, str, str]]:
    """Return the opponents, the seat, and any points of everybody in a round."""
    each = stage.rounds[number]
    cells: dict[Number, tuple[str, str, str]] = {}
    points_of = stage.table_points(number)
    for pair in each.valid:
        points = [show_points(one) for one in points_of.get(pair.id, ())]
        for seat, one in enumerate(pair.seats):
            others = [BOT_WORD if other == BOT else str(other) for at, other in enumerate(pair.seats) if at != seat]
            cells[one] = (" ".join(others) or "bye", str(seat), points[seat] if points else "")
    cells.update(dict.fromkeys(each.half_byes, ("bye asked for", "", "")))
    return cells


def describe_tournament(source: ExportSource) -> JsonObject:
    """Return everything public about a tournament: document, entrants, stages with rounds and standings."""
    state = source.state
    return {
        "id": source.id,
        "name": source.name,
        "title": source.title,
        "game": source.game,
        "state": source.phase,
        "head": {"seq": state.seq, "hash": state.hash},
        "document": state.documents[state.document],
        "entrants": [
            {
                "player": one.player,
                "name": source.names[one.player],
                "status": one.status,
                "number": state.number_of.get(one.player),
            }
            for one in sorted(state.entrants.values(), key=lambda each: each.seq)
        ],
        "stages": [_describe_stage(source, name, stage) for name, stage in state.stages.items()],
        "rulings": [{"seq": seq, "line": write(ruling)} for seq, ruling in state.rulings],
    }


def write_json(source: ExportSource) -> str:
    """Return everything public about a tournament as a JSON file."""
    return json.dumps(describe_tournament(source), ensure_ascii=False, indent=1) + "\n"


def _describe_stage(source: ExportSource, name: str, stage: StageReplay) -> JsonObject:
    return {
        "name": name,
        "format": stage.rules.format,
        "seats": stage.rules.seats,
        "rounds": [
            _describe_round(source, stage, number, each) for number, each in sorted(stage.rounds.items()) if each.pairs
        ],
        "standings": [[_describe_standing(source, line) for line in lines] for lines in rank_stage(source.state, name)],
    }


def _describe_round(source: ExportSource, stage: StageReplay, number: int, each: RoundReplay) -> JsonObject:
    points = stage.table_points(number)
    return {
        "number": number,
        "started": each.started,
        "over": each.over,
        "pairings": [_describe_pair(source, each, pair, points.get(pair.id, ())) for pair in each.pairs],
        "byes_asked": [source.state.holders[one] for one in sorted(each.half_byes)],
    }


def _describe_pair(source: ExportSource, each: RoundReplay, pair: PairedTable, points: Sequence[int]) -> JsonObject:
    results = each.results.get(pair.id, ())
    seats = []
    for seat, one in enumerate(pair.seats):
        sitting: JsonObject = {"player": None if one == BOT else source.state.holders[one], "number": one or None}
        if results:
            how = results[seat]
            sitting |= {"place": how.place, "score": how.score, "how": how.how, "points": show_points(points[seat])}
        seats.append(sitting)
    return {"match": pair.id, "section": pair.section or None, "void": pair.id in each.void, "seats": seats}


def _describe_standing(source: ExportSource, line: Standing) -> JsonObject:
    return {
        "rank": line.rank,
        "number": line.number,
        "player": source.state.holders[line.number],
        "name": source.name_of(line.number),
        "points": show_points(line.points),
        "by_round": [show_points(points) for points in line.by_round],
        "ties": {name: show_points(value) for name, value in line.values.items()},
        "codes": {name: FIDE_CODES[name] for name in line.ties if name in FIDE_CODES},
    }


def write_stage_trf(source: ExportSource, stage: str) -> str:
    """Return a two-player stage as TRF for pairing programs. Raise `Problem` for other stages.

    A round that is not over is left out: its byes are those of the next round, which the program may then pair itself.
    """
    replay = source.state.stages[stage]
    finished = replay.copy()
    paired = [(number, each) for number, each in sorted(replay.rounds.items()) if each.pairs]
    finished.rounds = dict(takewhile(lambda each: each[1].over, paired))
    played, state = finished.played(), replace(source.state, stages={**source.state.stages, stage: finished})
    if replay.rules.seats != TWO_SEATS or replay.rules.format in {LADDER, DUPLICATE} or _has_bots(replay):
        raise Problem("conflict", msg("tournament_page.no_trf", stage=stage))
    ranks = {line.number: line.rank for lines in rank_stage(state, stage) for line in lines}
    numbers = source.state.number_of
    avoid = {
        (min(numbers[one], numbers[other]), max(numbers[one], numbers[other]))
        for one, other in replay.rules.avoid
        if one in numbers and other in numbers
    }
    event = TrfEvent(
        name=source.title,
        players=tuple(
            TrfPlayer(number, source.name_of(number), max(source.state.ratings.get(number, 0), 0))
            for number in sorted(replay.entrants)
        ),
        rounds=played,
        planned=_planned_rounds(replay, replay.last_round),
        odd_begin_white=begin_white(replay.lots.get(1, ())) if replay.rules.format == SWISS else None,
        avoid=frozenset(avoid),
        absent=_next_byes(source.state, replay, len(played) + 1),
    )
    try:
        return write_trf(event, replay.rules.scoring, ranks)
    except BadTrf:
        raise Problem("conflict", msg("tournament_page.no_trf", stage=stage)) from None


def _next_byes(state: TournamentState, stage: StageReplay, number: int) -> dict[Number, str]:
    """Return the letter of the bye for everybody who is known to miss a round."""
    if number > _planned_rounds(stage, stage.last_round):
        return {}
    replay = stage.rounds.get(number, RoundReplay())
    gone = replay.absent | state.gone.intersection(stage.entrants)
    return {one: "H" if one in replay.half_byes else "Z" for one in sorted(gone)}


def _has_bots(stage: StageReplay) -> bool:
    """Return True if a bot sits at a table: TRF has no number for it."""
    seats: Sequence[Number] = [one for each in stage.rounds.values() for pair in each.pairs for one in pair.seats]
    return BOT in seats


def _planned_rounds(stage: StageReplay, played: int) -> int:
    if stage.rules.format == ROUND_ROBIN and stage.sections:
        return stage.robin_rounds
    return max(stage.rules.rounds or 0, played)
