"""Pages for parts of a tournament: crosstable, bracket, rulings, forecast, and how to check it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import urlencode

from flask import Blueprint, Response, request

from engine.words import Locale
from service.db.models.tournaments import StageRow, TournamentRow
from service.i18n.catalogue import capitalise, msg, render, translate
from service.problems import Problem
from service.tournaments.rounds.standings import StandingLine, read_standings_page
from service.tournaments.tournament_caches import CANCELLED, OVER
from service.tournaments.tournament_store import find_tournament
from service.tournaments.views import overview
from service.tournaments.views.bracket_view import BRACKET_FORMATS, Bracket, BracketColumn, BracketTable, read_bracket
from service.tournaments.views.crosstable_pages import EncounterShown, list_encounters
from service.tournaments.views.derivations import format_units
from service.tournaments.views.forecast import forecast_tournament
from service.tournaments.views.tournament_shapes import RoundShown
from service.web.pages import layout
from service.web.pages.bracket_drawing import draw_bracket
from service.web.pages.forecast_drawing import ForecastRow, draw_forecast
from service.web.pages.ruling_sentences import describe_rulings
from service.web.request_context import current_config, current_player_id, page_locale

blueprint = Blueprint("tournament_parts", __name__, url_prefix="/tournaments")
MOST_ROWS = 50
MOST_FRESH = 500
"""Up to this many entrants, tables are recomputed whenever the log grows; larger ones when a round ends."""
MOST_DIGITS = 6
NO_SIGN, NOTHING_YET = "–", "·"
ENDED = (OVER, CANCELLED)
LEAST_PERCENT = 10
"""Players who delay a round in fewer than this many of 100 simulations are not named: it says nothing about them."""


def read_number(name: str) -> int:
    """Return the number that the address names, or 0."""
    text = request.args.get(name, "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= MOST_DIGITS else 0


class PageLinks(NamedTuple):
    """The first row of a page, and the queries of the pages before and after it; empty if there are none."""

    start: int
    before: str
    more: str


NO_LINKS = PageLinks(0, "", "")


def link_pages(start: int, most: int, total: int, args: Mapping[str, str | int], anchor: str = "") -> PageLinks:
    """Return the links of a page that shows at most `most` of `total` rows from `start`."""
    start = max(0, min(start, total - 1))

    def link(place: int) -> str:
        return f"?{urlencode({**args, 'from': place})}{anchor}"

    more = link(start + most) if start + most < total else ""
    return PageLinks(start, link(max(0, start - most)) if start else "", more)


def list_parts(row: TournamentRow, rounds: Sequence[RoundShown]) -> list[str]:
    """Return the parts of a tournament that have something to show."""
    found = ["crosstable"] if any(each.tables for each in rounds) else []
    stages = {each.stage for each in rounds if each.tables}
    if any(stage.format in BRACKET_FORMATS for stage in overview.list_stages(row.id) if stage.name in stages):
        found.append("bracket")
    found.append("rulings")
    return found if row.state in ENDED else [*found, "forecast"]


def _render_part(row: TournamentRow, part: str, **values: Any) -> Response:  # noqa: ANN401  # what templates show
    """Return the page of one part, with links to the others."""
    parts = list_parts(row, values.pop("known_rounds", None) or overview.list_rounds(row))
    title = overview.title_of(row, page_locale())
    return layout.render_page(f"tournament-{part}.html", tournament=row, title=title, parts=parts, part=part, **values)


def choose_stage(stages: Sequence[StageRow]) -> StageRow | None:
    """Return the stage that the address names, or the last that has begun, or None."""
    wanted = request.args.get("stage", "")
    begun = (stage for stage in reversed(stages) if stage.state != "planned")
    return next((stage for stage in stages if stage.name == wanted), None) or next(begun, None)


def _require_stage(stages: Sequence[StageRow]) -> StageRow:
    """Return the chosen stage, or the first if none has begun; refuse a tournament without such a stage."""
    if not stages:
        raise Problem("not-found", msg("tournament_page.no_bracket"))
    return choose_stage(stages) or stages[0]


@blueprint.get("/<named:tournament>/crosstable")
def show_crosstable(tournament: str) -> Response:
    """Show who played whom: a row for each entrant by rank, a column for each round."""
    row, locale = find_tournament(tournament, current_player_id()), page_locale()
    stages = overview.list_stages(row.id)
    stage = _require_stage(stages)
    start, is_large = read_number("from"), overview.has_more_entrants(row.id, MOST_FRESH)
    part = read_standings_page(row, stage.name, start, MOST_ROWS, locale, allow_old=is_large)
    known = overview.list_rounds(row)
    rounds = [each.number for each in known if each.stage == stage.name and each.tables]
    lines = [line for _, line in part.lines]
    encounters = list_encounters(row, stage.name, [line.player for line in lines], locale)
    met = {player: {each.round: each for each in tables} for player, tables in encounters.items()}
    return _render_part(
        row,
        "crosstable",
        known_rounds=known,
        stages=[each.name for each in stages if each.state != "planned"],
        stage=stage.name,
        rounds=rounds,
        counted=any(line.by_round for line in lines),
        rows=[
            (line, [_describe_cell(line, met[line.player].get(number), locale) for number in rounds]) for line in lines
        ],
        links=link_pages(start, MOST_ROWS, part.total, {"stage": stage.name}),
    )


class CellOnPage(NamedTuple):
    """A cell of the crosstable: the opponents' numbers, the points, and both in words."""

    against: str
    words: str
    points: str = ""
    match: str = ""


def _describe_cell(line: StandingLine, met: EncounterShown | None, locale: Locale) -> CellOnPage:
    if met is None:
        return CellOnPage(NO_SIGN, translate(locale, "tournament_page.no_table"))
    points = "" if met.points is None else format_units(met.points, locale)
    if met.is_bye:
        bye = translate(locale, "tournament_page.bye")
        return CellOnPage(bye, bye, points)
    against = " ".join(str(number) if number else name for number, name in met.opponents)
    names = ", ".join(name for _, name in met.opponents)
    key = "cell_open" if met.result is None else "cell"
    words = translate(locale, f"tournament_page.{key}", name=line.name, names=names, round=met.round)
    return CellOnPage(against or NO_SIGN, words, points or NOTHING_YET, met.match)


@blueprint.get("/<named:tournament>/bracket")
def show_bracket(tournament: str) -> Response:
    """Show the bracket of a knockout as a picture, and as text with links to the matches."""
    row, locale = find_tournament(tournament, current_player_id()), page_locale()
    stages = [stage for stage in overview.list_stages(row.id) if stage.format in BRACKET_FORMATS]
    stage = _require_stage(stages)
    bracket = read_bracket(row, stage.name, locale)
    return _render_part(
        row,
        "bracket",
        stages=[each.name for each in stages if each.state != "planned"],
        stage=stage.name,
        left_out=bracket.left_out,
        picture=draw_bracket(bracket, locale) if bracket.columns else "",
        columns=[
            (column, [(table, _describe_outcome(table, bracket, column, locale)) for table in column.tables if table])
            for column in bracket.columns
        ],
    )


def _describe_outcome(table: BracketTable, bracket: Bracket, column: BracketColumn, locale: Locale) -> str:
    """Return in words what became of a table's winners, or an empty string."""
    going = ", ".join(seat.name for seat in table.seats if seat.goes_on)
    if not going or table.is_bye:
        return ""
    is_final = bracket.is_over and column is bracket.columns[-1] and len(column.tables) == 1
    outcome = translate(locale, f"tournament_page.{'wins' if is_final else 'goes_on'}", names=going)
    why = translate(locale, f"tournament_page.tied.{table.tie_rule}") if table.tie_rule else ""
    return f"{outcome} ({why})" if why else outcome


@blueprint.get("/<named:tournament>/rulings")
def show_rulings(tournament: str) -> Response:
    """Show the organisers' decisions, latest first, with reasons."""
    viewer = current_player_id()
    row = find_tournament(tournament, viewer)
    return _render_part(row, "rulings", rulings=describe_rulings(row, viewer, page_locale()))


@blueprint.get("/<named:tournament>/forecast")
def show_forecast(tournament: str) -> Response:
    """Show when rounds and tournament will probably end, as a picture and as a table."""
    viewer, locale = current_player_id(), page_locale()
    row = find_tournament(tournament, viewer)
    found = forecast_tournament(row, viewer)
    many = len({each.stage for each in found.rounds}) > 1

    def name_round(stage: str, number: int) -> str:
        key = "round_of" if many else "round"
        return capitalise(translate(locale, f"tournament_page.{key}", number=number, stage=stage))

    rows = [
        ForecastRow(name_round(each.stage, each.number), each.starts, each.ends, each.bound) for each in found.rounds
    ]
    if found.ends is not None:
        rows.append(ForecastRow(translate(locale, "tournament_page.whole"), None, found.ends, found.bound))
    return _render_part(
        row,
        "forecast",
        at=found.at,
        unknown=render(found.reason, locale) if found.reason else "",
        ends=found.ends,
        bound=found.bound,
        futures=found.futures,
        own_times=found.own_times,
        rows=rows,
        picture=draw_forecast(found.at, rows, locale) if rows else "",
        clashes=[(each.name, name_round(each.stage, each.number)) for each in found.clashes],
        slowest=[
            (each.name, name_round(each.stage, each.number), each.percent)
            for each in found.slowest
            if each.percent >= LEAST_PERCENT
        ],
    )


@blueprint.get("/<named:tournament>/check")
def show_check(tournament: str) -> Response:
    """Explain to lay people how to check the tournament, and what a check proves."""
    row = find_tournament(tournament, current_player_id())
    return _render_part(row, "check", url=current_config().url)
