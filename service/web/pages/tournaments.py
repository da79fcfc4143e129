"""Tournaments in the browser: the list, and for each its state, rounds, standings with reasons, and entrants."""

from __future__ import annotations

from itertools import islice
from typing import Any
from urllib.parse import urlencode

from flask import Blueprint, Response, redirect, request
from werkzeug.wrappers import Response as AnyResponse

from engine.games import GAMES
from engine.words import Locale
from service import ids
from service.db.models.accounts import PlayerRow
from service.db.models.tournaments import TournamentRow
from service.problems import Problem
from service.tournaments.documents.document import TournamentDocument, load_document
from service.tournaments.entry.entrants import enter_tournament, list_entrants, withdraw_entrant
from service.tournaments.formats.tournament_state import PRESENT
from service.tournaments.rounds.standings import StandingLine, find_names, read_standings_page
from service.tournaments.rulings import organiser_tools
from service.tournaments.tournament_caches import ANNOUNCED, CANCELLED, DRAWN, ENTRY, OVER, PAUSED, RUNNING
from service.tournaments.tournament_store import find_tournament, is_organiser, list_neutral_organisers
from service.tournaments.views import overview
from service.tournaments.views.crosstable_pages import find_rules
from service.tournaments.views.derivations import format_units, name_tie
from service.tournaments.views.rule_sheet import write_rule_sheet
from service.tournaments.views.tournament_shapes import OwnEntryShown, PairingShown, RoundShown
from service.web import auth, pagination
from service.web.pages import layout
from service.web.pages.clock_words import describe_clock
from service.web.pages.tournament_parts import MOST_FRESH, list_parts, read_number
from service.web.request_context import current_config, current_player_id, page_locale

blueprint = Blueprint("tournament_pages", __name__, url_prefix="/tournaments")
GROUPS = {"open": (ANNOUNCED, ENTRY), "running": (DRAWN, RUNNING, PAUSED), "over": (OVER, CANCELLED)}
"""The lists to choose from, and the states in each."""
PILLS = {ENTRY: "open", RUNNING: "running", DRAWN: "running", PAUSED: "paused"}
MOST_SHOWN = 20
MOST_LINES = 50
MOST_EXPLAINED = 64
"""Maximum number of entrants for which reasons are always shown; with more they are behind a link."""


@blueprint.get("")
def list_tournaments() -> Response:
    """List tournaments, latest first."""
    viewer, locale = current_player_id(), page_locale()
    group = request.args.get("status", "open")
    group = group if group in GROUPS else "open"
    query = pagination.Paging(limit=MOST_SHOWN, cursor=request.args.get("cursor") or None)
    page = pagination.parse_page_request("tournament-pages", query)
    found = overview.select_visible(viewer).where(TournamentRow.state.in_(GROUPS[group]))
    rows, headers = pagination.fetch_page(found, page, TournamentRow.created_at, TournamentRow.id, newest_first=True)
    more = ""
    if headers:
        last = rows[-1]
        cursor = pagination.encode_cursor("tournament-pages", (last.created_at, last.id))
        more = f"/tournaments?{urlencode({'status': group, 'cursor': cursor})}"
    shown = overview.describe_tournaments(rows, viewer, locale)
    return layout.render_page(
        "tournaments.html",
        tournaments=[{**vars(each), "game_title": GAMES[each.game].presentation.title[locale]} for each in shown],
        group=group,
        groups=list(GROUPS),
        pills=PILLS,
        more=more,
    )


@blueprint.get("/<named:tournament>")
def show_tournament(tournament: str) -> Response:
    """Show one tournament. The address names the stage, the round and the page of its lists."""
    row = find_tournament(tournament, current_player_id())
    return _render(row)


def _render(row: TournamentRow, fault: str = "", status: int = 200) -> Response:
    locale, viewer = page_locale(), current_player_id()
    shown = overview.describe_tournament(row, viewer, locale)
    rounds = overview.list_rounds(row)
    stage = _chosen_stage(row)
    chosen = _chosen_round(rounds, stage)
    document = load_document(shown.document)
    return layout.render_page(
        "tournament.html",
        status,
        tournament=shown,
        game_title=GAMES[row.game].presentation.title[locale],
        clock=describe_clock(document.clock, locale),
        pill=PILLS.get(row.state, ""),
        rounds=rounds,
        chosen=chosen,
        dutch=chosen is not None and find_rules(row)[chosen.stage].is_dutch,
        pairings=_show_pairings(row, chosen, locale),
        standings=_show_standings(row, stage, shown.entrants, locale),
        parts=list_parts(row, rounds),
        entrants=_show_entrants(row, locale),
        may_enter=_may_enter(row, document, shown.you),
        may_leave=shown.you is not None and shown.you.status in PRESENT and row.state not in GROUPS["over"],
        organiser=_show_to_organiser(row, viewer, locale),
        signed_in=auth.current_caller() is not None,
        mail_from=current_config().mail_from if current_config().smtp_url else "",
        url=current_config().url,
        rules=write_rule_sheet(document, locale),
        fault=fault,
    )


def _show_to_organiser(row: TournamentRow, viewer: str | None, locale: Locale) -> dict[str, Any]:
    """Return what waits for an organiser.

    These are players whom emails do not reach, and matches to decide where they do not play.
    """
    if viewer is None or row.state in GROUPS["over"] or not is_organiser(row, viewer):
        return {"unreachable": [], "decisions": []}
    found = organiser_tools.list_open_decisions(row) if viewer in list_neutral_organisers(row) else ()
    decisions = list(islice(found, MOST_LINES))
    unreachable = [each.id for each in organiser_tools.select_unreachable(row.id).limit(MOST_LINES)]
    names = find_names([*unreachable, *(player for each in decisions for player in each.players)], locale)
    return {
        "unreachable": [names[player] for player in unreachable],
        "decisions": [
            {"match": each.match, "until": each.until, "names": [names[player] for player in each.players]}
            for each in decisions
        ],
    }


def _may_enter(row: TournamentRow, document: TournamentDocument, you: OwnEntryShown | None) -> bool:
    inside = you is not None and you.status in PRESENT
    open_ = row.state == ENTRY or (row.closes_at is None and row.state == RUNNING)
    return open_ and not inside and document.entry.by != "invitation"


def _chosen_stage(row: TournamentRow) -> str:
    """Return the stage that the address names, or the last that has begun, or an empty string."""
    stages = overview.list_stages(row.id)
    wanted = request.args.get("stage", "")
    if wanted in {stage.name for stage in stages}:
        return wanted
    begun = [stage.name for stage in stages if stage.state != "planned"]
    return str(begun[-1]) if begun else ""


def _chosen_round(rounds: list[RoundShown], stage: str) -> RoundShown | None:
    """Return the round that the address names, or the last of the stage with pairings."""
    paired = [each for each in rounds if each.tables and each.stage == stage]
    wanted = read_number("round")
    return next((each for each in paired if each.number == wanted), paired[-1] if paired else None)


def _show_pairings(row: TournamentRow, chosen: RoundShown | None, locale: Locale) -> dict[str, Any]:
    """Return a page of a round's tables."""
    if chosen is None:
        return {"items": [], "more": ""}
    after = read_number("after")
    found = overview.list_pairings(row, chosen.stage, chosen.number, locale, after, MOST_LINES + 1)
    items = found[:MOST_LINES]
    more = {"stage": chosen.stage, "round": chosen.number, "after": items[-1].place} if len(found) > len(items) else {}
    return {
        "items": [_describe_pairing(each, locale) for each in items],
        "more": f"?{urlencode(more)}#rounds" if more else "",
        "begins": not after,
    }


def _describe_pairing(pairing: PairingShown, locale: Locale) -> dict[str, Any]:
    return {
        "match": "" if pairing.is_bye else pairing.match,
        "section": pairing.section,
        "is_over": pairing.over,
        "seats": [
            {
                "name": seat.name,
                "player": seat.player,
                "score": "" if seat.score is None else str(seat.score).replace("-", "−"),
                "how": seat.how or "",
                "points": "" if seat.units is None else format_units(seat.units, locale),
            }
            for seat in pairing.seats
        ],
    }


def _show_standings(row: TournamentRow, stage: str, entrants: int, locale: Locale) -> dict[str, Any]:
    """Return a page of the standings, with reasons for a small field or on request."""
    if not stage:
        return {"sections": [], "more": "", "stage": ""}
    found = overview.find_stage(row.id, stage)
    start = read_number("from")
    part = read_standings_page(row, stage, start, MOST_LINES, locale, allow_old=entrants > MOST_FRESH)
    start = max(0, min(start, part.total - 1))
    counted = any(line.by_round for _, line in part.lines[:1])
    asked = part.total <= MOST_EXPLAINED or request.args.get("why") == "1"
    numbers = [line.number for _, line in part.lines]
    reasons = overview.explain_lines(row, stage, numbers, locale) if asked and part.seq == row.head_seq else {}
    ties = list(part.lines[0][1].ties) if part.lines else []
    sections: list[dict[str, Any]] = []
    for at, line in part.lines:
        if not sections or sections[-1]["number"] != at:
            sections.append({"number": at, "lines": []})
        sections[-1]["lines"].append(_describe_line(line, locale, reasons.get(line.number)))
    link = {"stage": stage, **({"why": 1} if request.args.get("why") == "1" else {})}
    more = {**link, "from": start + MOST_LINES} if start + MOST_LINES < part.total else {}
    before = {**link, "from": max(start - MOST_LINES, 0)} if start else {}
    return {
        "stage": stage,
        "state": found.state,
        "many": part.sections > 1,
        "counted": counted,
        "counted_at": part.seq if part.seq != row.head_seq else 0,
        "ties": [name_tie(name, locale) for name in ties],
        "sections": sections,
        "more": f"?{urlencode(more)}#standings" if more else "",
        "before": f"?{urlencode(before)}#standings" if before else "",
        "ask_why": "" if asked or not counted else f"?{urlencode({**link, 'why': 1, 'from': start})}#standings",
    }


def _describe_line(line: StandingLine, locale: Locale, reason: Any) -> dict[str, Any]:  # noqa: ANN401  # a RankReason or nothing
    return {
        "rank": line.rank,
        "name": line.name,
        "player": line.player,
        "gone": line.status not in PRESENT,
        "points": format_units(line.points, locale),
        "ties": [format_units(value, locale) for value in line.ties.values()],
        "why": reason,
    }


def _show_entrants(row: TournamentRow, locale: Locale) -> dict[str, Any]:
    """Return a page of the entrants in order of entry."""
    found = list_entrants(row.id, read_number("since"), MOST_LINES + 1)
    items = found[:MOST_LINES]
    names = find_names([each.player for each in items], locale)
    return {
        "items": [
            {"player": each.player, "name": names[each.player], "status": each.status, "number": each.number}
            for each in items
        ],
        "more": f"?since={items[-1].entered_seq}#entrants" if len(found) > len(items) else "",
    }


@blueprint.post("/<named:tournament>/enter")
def enter(tournament: str) -> AnyResponse:
    """Enter a tournament. The receipt comes by email and through the API."""
    caller = auth.current_caller()
    if caller is None:
        return redirect("/enter", 303)
    row = find_tournament(tournament, caller.player)
    try:
        enter_tournament(PlayerRow.get_by_id(caller.player), row, ids.new_seed().hex()[:16], current_config())
    except Problem as problem:
        return _render(row, problem.detail_in(page_locale()), problem.status)
    return redirect(f"/tournaments/{row.id}", 303)


@blueprint.post("/<named:tournament>/withdraw")
def withdraw(tournament: str) -> AnyResponse:
    """Leave a tournament, from the next pairing on."""
    caller = auth.current_caller()
    if caller is None:
        return redirect("/enter", 303)
    row = find_tournament(tournament, caller.player)
    try:
        withdraw_entrant(caller.player, row.id)
    except Problem as problem:
        return _render(row, problem.detail_in(page_locale()), problem.status)
    return redirect(f"/tournaments/{row.id}", 303)


def list_open(viewer: str | None, locale: Locale, most: int) -> list[dict[str, Any]]:
    """Return the tournaments that are open or running, for the home page."""
    states = (*GROUPS["open"], *GROUPS["running"])
    found = overview.select_visible(viewer).where(TournamentRow.state.in_(states))
    rows = list(found.order_by(TournamentRow.created_at.desc(), TournamentRow.id).limit(most))
    shown = overview.describe_tournaments(rows, viewer, locale)
    return [{**vars(each), "game_title": GAMES[each.game].presentation.title[locale]} for each in shown]
