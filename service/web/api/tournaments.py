"""Tournaments: created from one document; everybody can read, enter and check them."""

from __future__ import annotations

from collections.abc import Sequence

from flask import Response, request

from service.db.models.tournaments import EntrantRow, TournamentRow
from service.i18n.catalogue import msg, render
from service.problems import Problem, invalid_field_problem
from service.shapes import Page
from service.tournaments import export
from service.tournaments.calendars.leave_clashes import find_booked_clashes
from service.tournaments.documents.document import BadDocument, TournamentDocument, json_schema, read_document
from service.tournaments.entry.entrants import ask_bye, enter_tournament, list_entrants, withdraw_entrant
from service.tournaments.formats.points import show_points
from service.tournaments.lifecycle import TournamentPlan, apply_tournament, document_context, plan_tournament
from service.tournaments.rounds.standings import find_names, read_standings_page
from service.tournaments.tournament_store import export_record, find_log, find_tournament
from service.tournaments.views import overview
from service.tournaments.views.crosstable_pages import list_stage_numbers, read_crosstable
from service.tournaments.views.tournament_shapes import (
    DOCUMENT_EXAMPLE,
    PairingShown,
    RoundShown,
    TournamentShown,
    WholeTournamentShown,
)
from service.web import auth, json_body, pagination
from service.web.api.tournament_forecast import describe_forecast
from service.web.openapi.blueprint import Answer, Blueprint
from service.web.openapi.nodes import STRING_SCHEMA, good_answer, header_parameter, text_content
from service.web.request_context import (
    current_config,
    current_player,
    current_player_id,
    response_locale,
)
from service.web.responses import json_response
from service.web.schemas.tournament_forecast import FieldOutlookShown, RepetitionShown
from service.web.schemas.tournaments import (
    DOCUMENT_TEXT,
    ByeBody,
    ChangeShown,
    CrosstablePage,
    EnterBody,
    EntrantShown,
    EntryReceiptShown,
    LogLineShown,
    LogPage,
    LogQuery,
    OneStageQuery,
    PersonTakenShown,
    ReasonShown,
    StageQuery,
    StandingLineShown,
    StandingsListed,
    StandingsQuery,
    TournamentListQuery,
    TournamentPlanShown,
    WithdrawQuery,
)

blueprint = Blueprint(
    "tournaments",
    __name__,
    url_prefix="/v1/tournaments",
    description="Whole tournaments from one document: rounds start automatically, and anybody can check the log.",
)
JSON_TYPE = "application/json"
YAML_TYPES = ("application/yaml", "application/x-yaml", "text/yaml", "text/x-yaml")
DOCUMENT_TYPES = (JSON_TYPE, *YAML_TYPES)
MOST_DOCUMENT_BYTES = 64 * 1024
DOCUMENT_BODY = {
    "required": True,
    "description": "The document, YAML 1.2 or JSON, at most 64 KiB; `GET /v1/tournaments/schema` has every key.",
    "content": {
        "application/yaml": {"schema": {**STRING_SCHEMA, "maxLength": MOST_DOCUMENT_BYTES}, "example": DOCUMENT_TEXT},
        JSON_TYPE: {"schema": {"type": "object"}, "example": DOCUMENT_EXAMPLE},
    },
}
IF_MATCH = header_parameter(
    "If-Match",
    "The `etag` of the plan you have seen; required to change an existing tournament.",
    '"0123456789abcdef0123456789abcdef"',
    maxLength=100,
)


def _send_file(row: TournamentRow, body: bytes | str, media: str, ending: str) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{row.name}.{ending}"'}
    return Response(body, content_type=media, headers=headers)


def _find(tournament: str) -> TournamentRow:
    return find_tournament(tournament, current_player_id())


def _read_body() -> TournamentDocument:
    """Return the document in the body of the request. Refuse a faulty one with all its faults at once."""
    if request.mimetype not in DOCUMENT_TYPES:
        raise Problem(
            "wrong-media-type", msg("tournament_page.media_type", types=", ".join(DOCUMENT_TYPES)), accepted=JSON_TYPE
        )
    data = json_body.read_bytes(MOST_DOCUMENT_BYTES)
    try:
        return read_document(data, document_context(current_player(), current_config()))
    except BadDocument as bad:
        locale = response_locale()
        errors = [
            {
                "field": fault.path or "/",
                "reason": render(fault.reason, locale),
                "line": fault.line,
                "column": fault.column,
                "right": render(fault.right, locale),
            }
            for fault in bad.faults
        ]
        raise Problem("invalid", msg("tournament_page.faults", count=len(errors)), errors=errors) from None


@blueprint.post("/plan", scope="organise")
@blueprint.doc(requestBody=DOCUMENT_BODY)
@blueprint.response(200, "The effects of the document.")
@blueprint.problems("conflict", "limit-reached")
def plan() -> TournamentPlanShown:
    """See what a document would do.

    Nothing is written. The answer has the document with every default, the players that its names refer to, the rounds
    with their times as far as known, a forecast of the end, and what would change in your tournament of this name if
    there is one. A document with faults is refused with all of them, each with path, line, column, reason and what
    would be correct. Send `etag` as `If-Match` when you apply it.
    """
    document = _read_body()
    return _describe_plan(plan_tournament(current_player(), document, current_config()))


def _describe_plan(plan: TournamentPlan) -> TournamentPlanShown:
    locale = response_locale()
    return TournamentPlanShown.of(
        plan,
        hash=plan.document.hash,
        document=dict(plan.document.canonical),
        people=[PersonTakenShown(text=text, player=id_, name=name) for text, (id_, name) in plan.taken.items()],
        changes=[ChangeShown.of(change) for change in plan.differences],
        repetitions=[RepetitionShown.of(each) for each in plan.occurrences],
        forecast=describe_forecast(plan.forecast, locale),
        outlooks=[
            FieldOutlookShown.of(each, forecast=describe_forecast(each.forecast, locale)) for each in plan.outlooks
        ],
        warnings=[render(warning, locale) for warning in plan.warnings],
    )


@blueprint.get("/schema")
@blueprint.doc(
    responses=good_answer(
        "A JSON Schema (2020-12).",
        {JSON_TYPE: {"schema": {"type": "object"}, "example": {"type": "object", "properties": {}}}},
    )
)
def get_schema() -> Response:
    """Get the schema of documents.

    It has every key of a document with its type, its default and its meaning, as JSON Schema, for editors that complete
    and check as you type.
    """
    return json_response(json_schema())


@blueprint.put("/<named:tournament>", scope="organise")
@blueprint.doc(requestBody=DOCUMENT_BODY, parameters=[IF_MATCH])
@blueprint.response(200, "The tournament after applying the document.")
@blueprint.problems("conflict", "limit-reached")
def apply(tournament: str) -> WholeTournamentShown:
    """Apply a document.

    This creates the tournament, or updates your existing one of this name. It is safe to repeat: the same document
    changes nothing. The operator may limit who creates tournaments, and you may have five that are not over (a
    recurrence counts once). `If-Match` is the `etag` of your plan; if the tournament has changed since, or a part of it
    has begun, nothing is written and you plan again. What has begun cannot change: `conflict` lists it in `changes`.
    """
    document = _read_body()
    if document.name != tournament:
        raise invalid_field_problem(
            "/tournament", msg("tournament_page.other_name", name=tournament, written=document.name)
        )
    given = request.headers.get("If-Match")
    etag = None if given is None else given.strip().removeprefix("W/").strip('"')
    row = apply_tournament(current_player(), document, etag, current_config())
    return overview.describe_tournament(row, current_player_id(), response_locale())


@blueprint.get("", scope="optional")
@blueprint.page("Latest first.")
def list_tournaments(query: TournamentListQuery) -> Answer[Page[TournamentShown]]:
    """List tournaments.

    The latest come first: those that are listed, and with a token also those that you created or entered.
    """
    viewer = current_player_id()
    found = overview.select_visible(viewer)
    if query.state:
        found = found.where(TournamentRow.state == query.state)
    if query.game:
        found = found.where(TournamentRow.game == query.game)
    if query.mine:
        entered = EntrantRow.select(EntrantRow.tournament).where(EntrantRow.player == (viewer or ""))
        found = found.where((TournamentRow.owner == (viewer or "")) | TournamentRow.id.in_(entered))
    order = (TournamentRow.created_at, TournamentRow.id)
    items, headers = pagination.fetch_rows(found, query, *order, newest_first=True)
    return Page(items=overview.describe_tournaments(items, viewer, response_locale())), 200, headers


@blueprint.get("/<named:tournament>", scope="optional")
def get_tournament(tournament: str) -> WholeTournamentShown:
    """Read about a tournament.

    Name it by its id, or by its name: yours comes first, then the newest that is listed. One that is not listed is
    visible only to its creator, organisers, guests and entrants; everybody else gets the same 404 as for an unknown
    one.
    """
    return overview.describe_tournament(_find(tournament), current_player_id(), response_locale())


@blueprint.get("/<named:tournament>/rounds", scope="optional")
@blueprint.page("Stage by stage.")
def list_rounds(query: pagination.Paging, tournament: str) -> Answer[Page[RoundShown]]:
    """List the rounds.

    You get every known round with its times, the number of its tables with a result, and the number of pairs who meet
    again.
    """
    found = overview.list_rounds(_find(tournament), query.cursor_key, query.fetch_limit)
    items, headers = pagination.slice_page(found, query, lambda each: each.sort_key)
    return Page(items=items), 200, headers


@blueprint.get(
    "/<named:tournament>/rounds/<stage:stage>/<int(min=1, max=9999):number>",
    scope="optional",
    parameters=[{"in": "path", "name": "number", "description": "Its number in the stage.", "example": 1}],
)
@blueprint.page("In the order of pairing.")
def list_pairings(query: pagination.Paging, tournament: str, stage: str, number: int) -> Answer[Page[PairingShown]]:
    """Read the pairings of a round.

    You get the players of every table, with results of those that are over. Pairings that a ruling made void are only
    in the log.
    """
    row = _find(tournament)
    overview.find_stage(row.id, stage)
    after = query.cursor_number
    found = overview.list_pairings(row, stage, number, response_locale(), after, query.fetch_limit)
    if (
        not found
        and not after
        and number not in {each.number for each in overview.list_rounds(row) if each.stage == stage}
    ):
        raise Problem("not-found", msg("tournaments.no_such_round", round=f"{stage}:{number}"))
    items, headers = pagination.slice_page(found, query, lambda each: (each.place,))
    return Page(items=items), 200, headers


@blueprint.get("/<named:tournament>/standings", scope="optional")
def list_standings(query: StandingsQuery, tournament: str) -> Answer[StandingsListed]:
    """Read the standings.

    You get those of the stage you name, or of the last that began, section by section. With `why=true` every line says
    in words what decided between entrants with equal points, and how each value was computed.
    """
    row, locale = _find(tournament), response_locale()
    stage = overview.find_stage(row.id, query.stage)
    start = query.cursor_number
    found = read_standings_page(row, stage.name, start, query.fetch_limit, locale)
    fetched = list(enumerate(found.lines, start + 1))
    items, headers = pagination.slice_page(fetched, query, lambda each: (each[0],))
    numbers = [line.number for _, (_, line) in items]
    reasons = overview.explain_lines(row, stage.name, numbers, locale) if query.why else {}
    shown = [
        StandingLineShown.of(
            line,
            section=section if found.sections > 1 else None,
            points=show_points(line.points),
            by_round=[show_points(points) for points in line.by_round],
            ties={name: show_points(value) for name, value in line.ties.items()},
            why=ReasonShown.of(reasons[line.number]) if line.number in reasons else None,
        )
        for _, (section, line) in items
    ]
    body = StandingsListed(stage=stage.name, format=stage.format, state=stage.state, seq=found.seq, items=shown)
    return body, 200, {**headers, "Content-Language": locale}


@blueprint.get("/<named:tournament>/crosstable", scope="optional")
def get_crosstable(query: StageQuery, tournament: str) -> Answer[CrosstablePage]:
    """Read the crosstable.

    It has one row per entrant by number, and one cell per round: opponents, seat, result and points.
    """
    row = _find(tournament)
    stage = overview.find_stage(row.id, query.stage)
    numbers, headers = pagination.slice_list(list_stage_numbers(row, stage.name), query, lambda number: (number,))
    shown = read_crosstable(row, stage.name, numbers, response_locale())
    return CrosstablePage(stage=stage.name, items=shown), 200, headers


@blueprint.get("/<named:tournament>/log", scope="optional")
def list_log(query: LogQuery, tournament: str) -> Answer[LogPage]:
    """Read the log.

    The log is the source of truth of a tournament, line by line. Follow `Link` to its end; later continue with `after`
    set to the last `seq` you have.
    """
    row = _find(tournament)
    found = find_log(row.id, query.cursor_number or query.after, query.fetch_limit)
    lines, headers = pagination.slice_page(found, query, lambda line: (line.seq,))
    return LogPage(head=row.head_seq, items=[LogLineShown.of(line) for line in lines]), 200, headers


@blueprint.get("/<named:tournament>/record", scope="optional")
@blueprint.doc(
    responses=good_answer(
        "One JSON object per line: header, documents, key, entries, head.",
        text_content("application/jsonl", '{"hash":"630dcd29…","lines":["echtra-tournament-v1",…]…}\n…\n'),
        is_file=True,
    ),
)
def get_record(tournament: str) -> Response:
    """Get the record.

    The record is the whole log as a file that anyone can verify without us: chained by hashes, signed by the server,
    with every document. `echtra tournament verify FILE` recomputes draws, numbers, pairings, seats, points and
    standings from it, and says what no file can prove.
    """
    row = _find(tournament)
    return _send_file(row, export_record(row.id), "application/jsonl", "jsonl")


@blueprint.get("/<named:tournament>/export.csv", scope="optional")
@blueprint.doc(
    responses=good_answer(
        "One row per entrant.", text_content("text/csv", "stage,section,rank,…\r\nswiss,,1,…\r\n"), is_file=True
    ),
)
def get_csv(query: OneStageQuery, tournament: str) -> Response:
    """Get the standings for a spreadsheet.

    The file has one stage with every tie-break and every round, one row per entrant, in UTF-8 with a byte order mark. A
    name that looks like a formula starts with an apostrophe, so that no spreadsheet runs it.
    """
    row = _find(tournament)
    stage = overview.find_stage(row.id, query.stage)
    text = export.write_csv(overview.export_source(row, response_locale()), stage.name)
    return _send_file(row, text, "text/csv; charset=utf-8", "csv")


@blueprint.get("/<named:tournament>/export.json", scope="optional")
@blueprint.doc(
    responses=good_answer(
        "The whole tournament.",
        {JSON_TYPE: {"schema": {"type": "object"}, "example": {"id": "t4k8w2n6q0vxp3z7", "stages": []}}},
        is_file=True,
    ),
)
def get_json(tournament: str) -> Response:
    """Get everything as one JSON file.

    It has the document, entrants, every stage with its rounds, pairings, results and standings, and the rulings.
    """
    row = _find(tournament)
    return _send_file(row, export.write_json(overview.export_source(row, response_locale())), JSON_TYPE, "json")


@blueprint.get("/<named:tournament>/export.trf", scope="optional")
@blueprint.doc(
    responses=good_answer(
        "FIDE's TRF16.", text_content("text/plain", "012 Winter cup\n062 24\nXXR 7\n001    1 …\n"), is_file=True
    ),
)
@blueprint.problems("conflict")
def get_trf(query: OneStageQuery, tournament: str) -> Response:
    """Get a stage for pairing programs.

    The file is FIDE's TRF16, for stages with two seats only: any endorsed pairing engine can recompute the pairings
    from it.
    """
    row = _find(tournament)
    stage = overview.find_stage(row.id, query.stage)
    text = export.write_stage_trf(overview.export_source(row, response_locale()), stage.name)
    return _send_file(row, text, "text/plain; charset=utf-8", "trf")


@blueprint.get("/<named:tournament>/entrants", scope="optional")
@blueprint.page("In order of entry.")
def get_entrants(query: pagination.Paging, tournament: str) -> Answer[Page[EntrantShown]]:
    """List the entrants.

    They are in order of entry, including those who left.
    """
    row = _find(tournament)
    found = list_entrants(row.id, query.cursor_number, query.fetch_limit)
    items, headers = pagination.slice_page(found, query, lambda each: (each.entered_seq,))
    return Page(items=_describe_entrants(items)), 200, headers


def _describe_entrants(entrants: Sequence[EntrantRow]) -> list[EntrantShown]:
    names = find_names([each.player for each in entrants], response_locale())
    return [EntrantShown.of(each, name=names[each.player], seq=each.entered_seq) for each in entrants]


@blueprint.post("/<named:tournament>/entrants", scope="play", once=True)
@blueprint.response(201, "You have entered; keep the receipt.")
@blueprint.problems("conflict", "forbidden", "limit-reached")
def enter(body: EnterBody, tournament: str) -> Answer[EntryReceiptShown]:
    """Enter a tournament.

    Entering is consent to be seated in its matches. The receipt is signed by the server: it proves that you entered.
    `status` says whether you are in, waiting for approval, or on the waiting list; `leave` lists rounds that overlap
    with your booked leave. If you have entered already, you get the same receipt again; a reserve who is offered a
    place or a vacant seat takes it like this.
    """
    row = _find(tournament)
    receipt = enter_tournament(current_player(), row, body.nonce, current_config())
    player = auth.require_caller()
    clashes = find_booked_clashes(player.player, player.zone, row.id, response_locale())
    return (
        EntryReceiptShown.of(receipt, tournament=row.id, player=player.player, leave=clashes),
        201,
        {"Location": f"/v1/tournaments/{row.id}/entrants"},
    )


@blueprint.delete("/<named:tournament>/entrants/me", scope="play")
@blueprint.response(204, "You have withdrawn.")
@blueprint.problems("conflict")
def withdraw(query: WithdrawQuery, tournament: str) -> None:
    """Withdraw.

    This takes effect from the next pairing on; running matches continue. With `now=true` you give those up too.
    """
    withdraw_entrant(auth.require_caller().player, _find(tournament).id, at_once=query.now)


@blueprint.post("/<named:tournament>/byes", scope="play", once=True)
@blueprint.response(204, "You do not play in this round.")
@blueprint.problems("conflict", "limit-reached")
def ask_for_bye(body: ByeBody, tournament: str) -> None:
    """Ask for a bye.

    You can in a Swiss or in pods, for a round that is not paired yet and is not the last. The document says what it is
    worth.
    """
    ask_bye(auth.require_caller().player, _find(tournament).id, body.round)
