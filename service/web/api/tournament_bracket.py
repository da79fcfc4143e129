"""Brackets of tournaments: the tables of a knockout, round by round."""

from __future__ import annotations

from collections.abc import Sequence

from service import shapes
from service.db.models.tournaments import StageRow
from service.i18n.catalogue import msg
from service.problems import Problem
from service.tournaments.tournament_store import find_tournament
from service.tournaments.views import overview
from service.tournaments.views.bracket_view import BRACKET_FORMATS, Bracket, BracketSeatShown, read_bracket
from service.web import pagination
from service.web.openapi.blueprint import Answer, Blueprint
from service.web.pagination import Paging
from service.web.request_context import current_player_id, response_locale

FORMATS = ("knockout", "double-elimination")

PARTS = ("winners", "losers")


class BracketQuery(Paging):
    """Which bracket to show."""

    stage: str = shapes.text("The stage; the last knockout that began if omitted.", "final", most=40, default="")


class BracketTableShown(shapes.Shape):
    """A table of a bracket; one that nobody has reached yet has no seats."""

    round: int = shapes.number("The round.", 1, least=1)
    place: int = shapes.number("Its place in the round, from the top.", 1, least=1)
    next: int | None = shapes.number(
        "The place in the next round to which the winner goes, if that is settled.", 1, least=1
    )
    part: str | None = shapes.choice(PARTS, "With two lives: the winners' or the losers' bracket.")
    match: str | None = shapes.ident(
        "Its match, in a series the last one; null for a bye and before it is paired.", shapes.MATCH_ID
    )
    matches: Sequence[str] = shapes.items(
        "The matches of a series so far; otherwise its only match.",
        most=16,
        of=shapes.text("A match.", shapes.MATCH_ID),
    )
    over: bool = shapes.flag("Whether it is known who advances.", True)
    seats: Sequence[BracketSeatShown] = shapes.items("The players, by seat.", most=5)


class BracketPage(shapes.Shape):
    """The tables of a knockout."""

    stage: str = shapes.text("The stage.", "final", most=40)
    format: str = shapes.choice(FORMATS, "Its format.")
    tree: bool = shapes.flag("Whether each table is fed by two neighbouring tables of the previous round.", True)
    over: bool = shapes.flag("Whether all tables have been played.")
    rounds: int = shapes.number("The number of rounds known so far.", 2)
    items: Sequence[BracketTableShown] = shapes.items("By round, then from the top.")


blueprint = Blueprint(
    "tournament-brackets",
    __name__,
    url_prefix="/v1/tournaments",
    description="Knockouts and double eliminations: who meets whom, and who advances.",
)


@blueprint.get("/<named:tournament>/bracket", scope="optional")
def get_bracket(query: BracketQuery, tournament: str) -> Answer[BracketPage]:
    """Read the bracket of a knockout.

    The answer has every table of the stage, round by round from the top: its players, their scores and who advances.
    With two seats and one life the whole tree is known as soon as the first round is paired: tables that nobody has
    reached yet have no seats, and the winner of the table at `place` sits at the table `next` of the next round. With
    tables of three or more, and with two lives (`part` distinguishes winners and losers), each round is paired
    separately, so rounds appear one after the other and `next` is null. A single player at a table has a bye. In a
    stage with `best_of`, a table has several `matches`, and its scores are the matches won.

    404 if the stage you name, or the tournament, has no knockout; its standings and its crosstable have the results.
    """
    row, locale = find_tournament(tournament, current_player_id()), response_locale()
    stage = _find_stage(row.id, query.stage)
    bracket = read_bracket(row, stage.name, locale, most_tables=None)
    items, headers = pagination.slice_list(_list_tables(bracket), query, lambda table: (table.round, table.place))
    body = BracketPage(
        stage=stage.name,
        format=bracket.format,
        tree=bracket.is_tree,
        over=bracket.is_over,
        rounds=len(bracket.columns),
        items=items,
    )
    return body, 200, {**headers, "Content-Language": locale}


def _find_stage(tournament: str, name: str) -> StageRow:
    """Return the knockout with this name. Without a name return the last that has begun, or else the first."""
    if name:
        stage = overview.find_stage(tournament, name)
        if stage.format not in BRACKET_FORMATS:
            raise Problem("not-found", msg("tournament_page.stage_without_bracket", stage=name, format=stage.format))
        return stage
    stages = [stage for stage in overview.list_stages(tournament) if stage.format in BRACKET_FORMATS]
    if not stages:
        raise Problem("not-found", msg("tournament_page.no_bracket"))
    return next((stage for stage in reversed(stages) if stage.state != "planned"), stages[0])


def _list_tables(bracket: Bracket) -> list[BracketTableShown]:
    """Return the tables of a bracket for an answer, round by round."""
    last = len(bracket.columns)
    return [
        BracketTableShown(
            round=column.round,
            place=place,
            next=(place + 1) // 2 if bracket.is_tree and number < last else None,
            part=(table.part or None) if table else None,
            match=table.match if table and not table.is_bye else None,
            matches=table.matches if table and not table.is_bye else (),
            over=table is not None and table.is_over,
            seats=table.seats if table else (),
        )
        for number, column in enumerate(bracket.columns, 1)
        for place, table in enumerate(column.tables, 1)
    ]
