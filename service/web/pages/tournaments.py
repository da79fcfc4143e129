"""Tournaments in the browser: the list, and for each its state, rounds, standings with reasons, and entrants."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Generic, NamedTuple, TypeVar
from urllib.parse import urlencode

from flask import Blueprint, Response, redirect, request
from werkzeug.wrappers import Response as AnyResponse

from engine.games import GAMES
from engine.words import Locale
from service import ids
from service.db.models.accounts import PlayerRow
from service.db.models.tournaments import EntrantRow, TournamentRow
from service.problems import Problem
from service.tournaments.documents.document import TournamentDocument, load_document
from service.tournaments.entry.entrants import ask_bye, enter_tournament, list_entrants, withdraw_entrant
from service.tournaments.entry.invitations import accept_link, find_by_link, is_invited, link_path
from service.tournaments.formats.crosstable import TWO_SEATS
from service.tournaments.formats.tournament_state import PRESENT
from service.tournaments.rounds.challenges import answer_challenge, make_challenge
from service.tournaments.rounds.standings import StandingLine, find_names, read_standings_page
from service.tournaments.tournament_caches import ANNOUNCED, CANCELLED, DRAWN, ENTRY, OVER, PAUSED, RUNNING, document_of
from service.tournaments.tournament_store import find_entrant, find_tournament, may_rule
from service.tournaments.views import overview
from service.tournaments.views.crosstable_pages import find_rules
from service.tournaments.views.derivations import RankReason, name_tie
from service.tournaments.views.rule_sheet import write_rule_sheet
from service.tournaments.views.tournament_shapes import OwnEntryShown, PairingShown, RoundShown, TournamentShown
from service.web import auth, pagination
from service.web.pages import layout
from service.web.pages.clock_words import describe_clock
from service.web.pages.own_tournament import OwnPart, describe_own_part
from service.web.pages.sample_matches import game_thumbnail
from service.web.pages.tournament_highlights import forecast_end, list_boards, list_finals, list_winners
from service.web.pages.tournament_parts import (
    MOST_FRESH,
    NO_LINKS,
    PageLinks,
    choose_stage,
    link_pages,
    list_parts,
    read_number,
)
from service.web.request_context import current_config, current_player, current_player_id, page_locale

Row = TypeVar("Row")
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
    viewer = current_player_id()
    group = request.args.get("status", "open")
    group = group if group in GROUPS else "open"
    query = pagination.Paging(limit=MOST_SHOWN, cursor=request.args.get("cursor") or None)
    found = overview.select_visible(viewer).where(TournamentRow.state.in_(GROUPS[group]))
    rows, headers = pagination.fetch_rows(found, query, TournamentRow.created_at, TournamentRow.id, newest_first=True)
    return layout.render_page(
        "tournaments.html",
        tournaments=overview.describe_tournaments(rows, viewer, page_locale()),
        group=group,
        groups=list(GROUPS),
        pills=PILLS,
        more=pagination.next_query(headers),
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
    stages = overview.list_stages(row.id)
    begun = choose_stage(stages)
    stage = begun.name if begun else ""
    chosen = _chosen_round(rounds, stage)
    document = load_document(shown.document)
    entrants = _list_entrants(row)
    pairings = _list_pairings(row, chosen, locale)
    standings = _read_standings(row, stage, shown.entrants, locale)
    over = row.state == OVER
    return layout.render_page(
        "tournament.html",
        status,
        tournament=shown,
        viewer=viewer,
        emblem=game_thumbnail(GAMES[row.game], locale),
        boards=list_finals(row, viewer, locale) if over else list_boards(pairings.rows, viewer),
        winners=list_winners(standings.sections) if over and stage == stages[-1].name else [],
        end=forecast_end(row, rounds, shown.entrants, locale),
        clock=describe_clock(document.clock, locale),
        pill=PILLS.get(row.state, ""),
        rounds=rounds,
        chosen=chosen,
        dutch=chosen is not None and find_rules(row)[chosen.stage].is_dutch,
        pairings=pairings,
        standings=standings,
        parts=list_parts(row, rounds),
        entrants=entrants,
        names=find_names([entrant.player for entrant in entrants.rows], locale),
        present=PRESENT,
        may_enter=_may_enter(row, document, shown.you, viewer),
        may_leave=shown.you is not None and shown.you.status in PRESENT and row.state not in GROUPS["over"],
        rules_here=viewer is not None and may_rule(row, viewer),
        own=_describe_own(row, document, rounds, viewer, locale),
        signed_in=auth.current_caller() is not None,
        mail_from=current_config().mail_from if current_config().smtp_url else "",
        rules=write_rule_sheet(document, locale),
        fault=fault,
    )


def _may_enter(row: TournamentRow, document: TournamentDocument, you: OwnEntryShown | None, viewer: str | None) -> bool:
    inside = you is not None and you.status in PRESENT
    open_ = row.state == ENTRY or (row.closes_at is None and row.state == RUNNING)
    invited = document.entry.by != "invitation" or (viewer is not None and is_invited(row.id, viewer))
    return open_ and not inside and invited


def _describe_own(
    row: TournamentRow,
    document: TournamentDocument,
    rounds: Sequence[RoundShown],
    viewer: str | None,
    locale: Locale,
) -> OwnPart | None:
    entrant = None if viewer is None else find_entrant(row.id, viewer)
    return None if entrant is None else describe_own_part(row, document, rounds, entrant, locale)


def _chosen_round(rounds: list[RoundShown], stage: str) -> RoundShown | None:
    """Return the round that the address names, or the last of the stage with pairings."""
    paired = [each for each in rounds if each.tables and each.stage == stage]
    wanted = read_number("round")
    return next((each for each in paired if each.number == wanted), paired[-1] if paired else None)


class RowsOnPage(NamedTuple, Generic[Row]):
    """Some rows of a list, and the query of the next ones if there are more."""

    rows: Sequence[Row]
    more: str = ""


def _list_pairings(row: TournamentRow, chosen: RoundShown | None, locale: Locale) -> RowsOnPage[PairingShown]:
    """Return a page of a round's tables."""
    if chosen is None:
        return RowsOnPage(())
    found = overview.list_pairings(row, chosen.stage, chosen.number, locale, read_number("after"), MOST_LINES + 1)
    if len(found) <= MOST_LINES:
        return RowsOnPage(found)
    more = {"stage": chosen.stage, "round": chosen.number, "after": found[MOST_LINES - 1].place}
    return RowsOnPage(found[:MOST_LINES], f"?{urlencode(more)}#rounds")


@dataclass(frozen=True)
class StandingsOnPage:
    """A page of the standings of a stage, section by section."""

    stage: str
    sections: Sequence[tuple[int, Sequence[StandingLine]]] = ()
    many: bool = False
    """True if the stage has more than one section."""
    counted: bool = False
    """True if there are points yet."""
    counted_at: int = 0
    """Number of the log line after which they were computed, unless that is the last one."""
    ties: Sequence[tuple[str, bool]] = ()
    """Names of the tie-breaks, with True where less is better because the value is a place."""
    reasons: Mapping[int, RankReason] = field(default_factory=dict)
    """Reasons for ranks by entrant number, if they are shown."""
    links: PageLinks = NO_LINKS
    ask_why: str = ""


def _read_standings(row: TournamentRow, stage: str, entrants: int, locale: Locale) -> StandingsOnPage:
    """Return a page of the standings, with reasons for a small field or on request."""
    if not stage:
        return StandingsOnPage("")
    start = read_number("from")
    part = read_standings_page(row, stage, start, MOST_LINES, locale, allow_old=entrants > MOST_FRESH)
    counted = any(line.by_round for _, line in part.lines[:1])
    pairs = find_rules(row)[stage].seats == TWO_SEATS
    asked = request.args.get("why") == "1"
    explained = asked or part.total <= MOST_EXPLAINED
    numbers = [line.number for _, line in part.lines]
    args: dict[str, str | int] = {"stage": stage, "why": 1} if asked else {"stage": stage}
    links = link_pages(start, MOST_LINES, part.total, args, "#standings")
    return StandingsOnPage(
        stage,
        [(number, [line for _, line in lines]) for number, lines in groupby(part.lines, lambda each: each[0])],
        many=part.sections > 1,
        counted=counted,
        counted_at=part.seq if part.seq != row.head_seq else 0,
        ties=[
            (name_tie(name, locale), name == "lots" or (name == "direct" and pairs))
            for name in (part.lines[0][1].ties if part.lines else ())
        ],
        reasons=overview.explain_lines(row, stage, numbers, locale) if explained and part.seq == row.head_seq else {},
        links=links,
        ask_why=f"?{urlencode({**args, 'why': 1, 'from': links.start})}#standings" if counted and not explained else "",
    )


def _list_entrants(row: TournamentRow) -> RowsOnPage[EntrantRow]:
    """Return a page of the entrants in order of entry."""
    found = list_entrants(row.id, read_number("since"), MOST_LINES + 1)
    if len(found) <= MOST_LINES:
        return RowsOnPage(found)
    return RowsOnPage(found[:MOST_LINES], f"?since={found[MOST_LINES - 1].entered_seq}#entrants")


@blueprint.get("/<named:tournament>/invitation/<link>")
def show_invitation(tournament: str, link: str) -> Response:
    """Show what a link invites to. Nobody is invited before they accept."""
    locale = page_locale()
    try:
        row = find_by_link(tournament, link[:64])
    except Problem as problem:
        return _refuse_invitation(problem)
    return layout.render_private_page(
        "tournament-invitation.html",
        tournament=overview.describe_tournaments([row], None, locale)[0],
        clock=describe_clock(document_of(row).clock, locale),
        inviter=find_names([row.owner], locale)[row.owner],
        path=link_path(row.id, link[:64]),
        signed_in=auth.current_caller() is not None,
        wrong="",
    )


def _refuse_invitation(problem: Problem) -> Response:
    """Show why a link invites nobody."""
    return layout.render_private_page(
        "tournament-invitation.html", problem.status, tournament=None, wrong=problem.detail_in(page_locale())
    )


@blueprint.post("/<named:tournament>/invitation/<link>")
def accept_invitation(tournament: str, link: str) -> AnyResponse:
    """Accept an invitation by link and show the tournament, where the player may enter."""
    caller = auth.current_caller()
    if caller is None or caller.guest:
        return redirect(f"/enter?{urlencode({'to': link_path(tournament, link[:64])})}", 303)
    try:
        row = accept_link(caller.player, tournament, link[:64])
    except Problem as problem:
        return _refuse_invitation(problem)
    return redirect(layout.link(f"/tournaments/{row.id}"), 303)


@blueprint.post("/<named:tournament>/enter")
def enter(tournament: str) -> AnyResponse:
    """Enter a tournament. The receipt comes by email and through the API."""
    nonce, config = ids.new_seed().hex()[:16], current_config()
    return _take_part(tournament, lambda player, row: enter_tournament(player, row, nonce, config))


@blueprint.post("/<named:tournament>/withdraw")
def withdraw(tournament: str) -> AnyResponse:
    """Leave a tournament, from the next pairing on."""
    return _take_part(tournament, lambda player, row: withdraw_entrant(player.id, row.id))


@blueprint.post("/<named:tournament>/bye")
def ask_for_bye(tournament: str) -> AnyResponse:
    """Ask for a bye in a round that is not paired yet."""
    return _take_part(tournament, lambda player, row: ask_bye(player.id, row.id, request.form.get("round", "")[:60]))


@blueprint.post("/<named:tournament>/challenge")
def challenge(tournament: str) -> AnyResponse:
    """Challenge a player above on the ladder."""
    return _take_part(
        tournament, lambda player, row: make_challenge(player.id, row.id, request.form.get("player", "")[:64])
    )


@blueprint.post("/<named:tournament>/challenge/answer")
def answer(tournament: str) -> AnyResponse:
    """Accept or decline a challenge."""
    made, accept = request.form.get("challenge", "")[:64], request.form.get("answer") == "accept"
    return _take_part(tournament, lambda player, row: answer_challenge(player.id, row.id, made, accept=accept))


def _take_part(tournament: str, change: Callable[[PlayerRow, TournamentRow], object]) -> AnyResponse:
    """Carry out a change for the signed-in player and show the tournament."""
    if auth.current_caller() is None:
        return redirect("/enter", 303)
    player = current_player()
    row = find_tournament(tournament, player.id)
    try:
        change(player, row)
    except Problem as problem:
        return _render(row, problem.detail_in(page_locale()), problem.status)
    return redirect(f"/tournaments/{row.id}", 303)


def list_open(viewer: str | None, locale: Locale, most: int) -> list[TournamentShown]:
    """Return the tournaments that are open or running, for the home page."""
    states = (*GROUPS["open"], *GROUPS["running"])
    found = overview.select_visible(viewer).where(TournamentRow.state.in_(states))
    rows = list(found.order_by(TournamentRow.created_at.desc(), TournamentRow.id).limit(most))
    return overview.describe_tournaments(rows, viewer, locale)
