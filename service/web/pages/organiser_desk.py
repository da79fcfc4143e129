"""Running a tournament in the browser: what needs an organiser now, entries, rounds, rulings and messages.

Every change goes through the functions that the API calls. A ruling carries the last log line that its page showed, so
that of two organisers the second is asked again. Arbiters have the same desk, with rulings alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from urllib.parse import quote

from flask import Blueprint, Response, redirect, request
from werkzeug.wrappers import Response as AnyResponse

from engine.words import Locale
from service.db.models.matches import MatchRow, SeatRow
from service.db.models.tournaments import EntrantRow, PairingRow, RoundRow, TournamentRow
from service.i18n.catalogue import msg
from service.problems import Problem
from service.timestamps import HOUR, now
from service.tournaments.drafts import edit_tournament, save_draft
from service.tournaments.entry.entrants import list_entrants
from service.tournaments.entry.invitations import invite_guest, link_path, renew_link, withdraw_link
from service.tournaments.formats.tournament_state import IN, PRESENT, RESERVE, WAITING
from service.tournaments.lifecycle import ROLES, appoint
from service.tournaments.ratings.ratings import find_skills
from service.tournaments.rounds.challenges import OPEN, select_challenges
from service.tournaments.rounds.standings import find_names
from service.tournaments.rulings import organiser_tools
from service.tournaments.rulings.organiser_tools import OpenDecision
from service.tournaments.rulings.ruling_words import LONGEST_TEXT, NEEDED, REASONS, WHATS, RulingRequest, find_player
from service.tournaments.rulings.rulings import RulingPlan, make_ruling, plan_ruling
from service.tournaments.tournament_caches import ENDED, document_of, list_organisers
from service.tournaments.tournament_store import (
    check_may_rule,
    check_organiser,
    find_tournament,
    is_organiser,
    list_neutral_rulers,
    load_state,
)
from service.tournaments.views import overview
from service.tournaments.views.tournament_shapes import PairingShown, RoundShown
from service.web import auth, rate_limits
from service.web.pages import layout
from service.web.pages.open_match import parse_guest
from service.web.pages.tournament_parts import MOST_DIGITS, read_number
from service.web.request_context import current_config, current_player, page_locale

blueprint = Blueprint("organiser_desk", __name__, url_prefix="/tournaments")
MOST_LINES = 50
MOST_TABLES = 200
SOON = 6 * HOUR
"""A seat with less time than this needs a look."""
ROUND_STATES = {"extend": "running", "repair": "paired"}
"""The state of a round that a ruling may name."""
WITH_MATCHES = ("pause", "resume", "extend", "replace", "exclude", "result", "replay", "cancel")
"""Rulings that do something to running matches."""
DONE = ("ruled", "sent", "invited", "linked", "unlinked", "appointed", "removed")


@blueprint.before_request
def require_session() -> AnyResponse | None:
    """Redirect visitors who are signed out to sign in, and then back to the desk."""
    caller = auth.current_caller()
    if caller is not None and caller.session:
        return None
    return redirect(f"/enter?to={quote(request.path.partition('/desk')[0])}/desk", 303)


def _open(tournament: str) -> tuple[TournamentRow, str]:
    """Return the tournament and the caller, who may rule in it; refuse everybody else."""
    player = auth.require_caller().player
    row = find_tournament(tournament, player)
    check_may_rule(row, player)
    return row, player


@dataclass(frozen=True)
class LateSeat:
    """A seat that is late, or has little time left."""

    table: PairingShown
    player: str
    due: int
    is_late: bool


@dataclass(frozen=True)
class TableOnDesk:
    """A table of a running round without a result."""

    pairing: PairingShown
    last_move: int
    waiting_for: tuple[str, ...]


@dataclass(frozen=True)
class RoundOnDesk:
    """A round with its open tables if it is running, and the byes asked for if it is still to come."""

    round: RoundShown
    tables: Sequence[TableOnDesk] = ()
    byes: Sequence[str] = ()
    """Players who have asked for a bye, while it is still to come."""


@blueprint.get("/<named:tournament>/desk")
def show_desk(tournament: str) -> Response:
    """Show what needs the organiser now, then entries and rounds."""
    row, _ = _open(tournament)
    return _render_desk(row)


def _render_desk(row: TournamentRow, status: int = 200, *, wrong: str = "", section: str = "") -> Response:
    locale, player = page_locale(), auth.require_caller().player
    organises = is_organiser(row, player)
    document = document_of(row)
    staff = [("organiser", each) for each in list_organisers(row)] + [("arbiter", each) for each in document.arbiters]
    entrants = list_entrants(row.id, read_number("since"), MOST_LINES + 1)
    waiting = _list_with_status(row.id, WAITING)
    reserves = _list_with_status(row.id, RESERVE)
    decisions: list[OpenDecision] = []
    if row.state not in ENDED and player in list_neutral_rulers(row):
        decisions = list(islice(organiser_tools.list_open_decisions(row), MOST_LINES))
    bounced = organiser_tools.select_unreachable(row.id).limit(MOST_LINES) if organises else ()
    unreachable = [each.id for each in bounced]
    rounds = _list_rounds(row, locale)
    late = _find_late_seats([table.pairing for each in rounds for table in each.tables])
    challenges = list(select_challenges(row.id, OPEN).limit(MOST_LINES))
    people = {
        *(each.player for each in (*entrants, *waiting, *reserves)),
        *unreachable,
        *(each for _, each in staff),
        *(seat.player for seat in late),
        *(one for each in decisions for one in each.players),
        *(one for each in challenges for one in (each.challenger, each.challenged)),
        *(one for each in rounds for table in each.tables for one in table.waiting_for),
        *(one for each in rounds for one in each.byes),
    }
    skills = find_skills(row.game, sorted({each.player for each in (*entrants, *waiting, *reserves)}), now())
    return layout.render_private_page(
        "organiser-desk.html",
        status,
        tournament=row,
        title=overview.title_of(row, locale),
        ended=row.state in ENDED,
        counts=overview.count_entrants([row.id])[row.id],
        waiting=waiting,
        reserves=reserves,
        decisions=decisions,
        late=late,
        unreachable=unreachable,
        challenges=challenges,
        entrants=entrants[:MOST_LINES],
        more=f"?since={entrants[MOST_LINES - 1].entered_seq}#entries" if len(entrants) > MOST_LINES else "",
        present=PRESENT,
        inside=IN,
        rounds=rounds,
        names=find_names(sorted(people), locale),
        skills=skills,
        whats=WHATS,
        reasons=REASONS,
        organises=organises,
        owns=row.owner == player,
        staff=staff,
        roles=ROLES,
        url=current_config().url + (link_path(row.id, row.link) if row.link else f"/tournaments/{row.id}"),
        by=document.entry.by,
        most_text=organiser_tools.MOST_TEXT,
        done=next((each for each in DONE if request.args.get("done") == each), ""),
        wrong=wrong,
        section=section,
    )


def _list_with_status(tournament: str, status: str) -> list[EntrantRow]:
    found = EntrantRow.select().where((EntrantRow.tournament == tournament) & (EntrantRow.status == status))
    return list(found.order_by(EntrantRow.entered_seq).limit(MOST_LINES))


def _list_rounds(row: TournamentRow, locale: Locale) -> list[RoundOnDesk]:
    """Return the rounds, the running ones with their open tables."""
    rounds = overview.list_rounds(row)
    running = {(each.stage, each.number) for each in rounds if each.state == "running"}
    unfinished = (PairingRow.tournament == row.id) & (PairingRow.result == "") & ~PairingRow.void
    pairings = [
        each for each in PairingRow.select().where(unfinished).limit(MOST_TABLES) if (each.stage, each.round) in running
    ]
    shown = [each for each in overview.show_pairings(row, pairings, locale) if not each.is_bye]
    matches = [each.match for each in shown]
    heads = {each.id: each.head_at for each in MatchRow.select().where(MatchRow.id.in_(matches))}
    asked = list(SeatRow.select().where(SeatRow.match.in_(matches) & SeatRow.asked.is_null(False)))
    tables = [
        TableOnDesk(
            each,
            heads.get(each.match, 0),
            tuple(seat.player for seat in asked if seat.match == each.match and seat.player),
        )
        for each in shown
    ]
    state = load_state(row.id)

    def show_round(each: RoundShown) -> RoundOnDesk:
        own = [table for table in tables if (table.pairing.stage, table.pairing.round) == (each.stage, each.number)]
        stage = state.stages.get(each.stage)
        to_come = stage.rounds.get(each.number) if stage is not None and each.state == "planned" else None
        byes = sorted(state.holders[number] for number in to_come.absent) if to_come is not None else []
        return RoundOnDesk(each, own, byes[:MOST_LINES])

    return [show_round(each) for each in rounds]


def _find_late_seats(tables: Sequence[PairingShown]) -> list[LateSeat]:
    """Return the seats at these tables that are late or nearly so, the most urgent first."""
    at, by_match = now(), {each.match: each for each in tables}
    soon = SeatRow.match.in_(list(by_match)) & SeatRow.asked.is_null(False) & (SeatRow.due_at <= at + SOON)
    rows = SeatRow.select().where(soon & SeatRow.player.is_null(False)).order_by(SeatRow.due_at, SeatRow.match)
    return [
        LateSeat(by_match[row.match], row.player, row.due_at, row.due_at <= at)
        for row in rows.limit(MOST_LINES)
        if row.player and row.due_at
    ]


@blueprint.post("/<named:tournament>/desk/document")
def edit_document(tournament: str) -> AnyResponse:
    """Put the document in force into the organiser's draft, to be changed and published like a new one."""
    row, player = _open(tournament)
    try:
        check_organiser(row, player)
        draft = edit_tournament(current_player(), row, current_config())
    except Problem as problem:
        return _render_desk(row, problem.status, wrong=problem.detail_in(page_locale()), section="document")
    save_draft(current_player(), draft)
    return redirect(layout.link("/organise/new/document"), 303)


@blueprint.post("/<named:tournament>/desk/link")
def change_link(tournament: str) -> AnyResponse:
    """Create a link that invites whoever opens it, or withdraw it."""
    if request.form.get("go") == "withdraw":
        return _change(tournament, "entries", "unlinked", lambda row, player: withdraw_link(player, row.id))
    return _change(tournament, "entries", "linked", lambda row, player: renew_link(player, row.id))


@blueprint.post("/<named:tournament>/desk/helpers")
def change_helper(tournament: str) -> AnyResponse:
    """Appoint an organiser or an arbiter by name, or remove one."""
    role = next((each for each in ROLES if request.form.get("role") == each), None)

    def change(row: TournamentRow, player: str) -> None:
        appoint(player, row.id, find_player(" ".join(request.form.get("player", "").split())[:80]), role)

    return _change(tournament, "helpers", "appointed" if role else "removed", change)


@blueprint.post("/<named:tournament>/desk/message")
def send_message(tournament: str) -> AnyResponse:
    """Write to all entrants."""
    return _change(tournament, "message", "sent", _send_message)


def _send_message(row: TournamentRow, player: str) -> None:
    organiser_tools.send_message(player, row.id, request.form.get("text", ""))


@blueprint.post("/<named:tournament>/desk/invite")
def invite(tournament: str) -> AnyResponse:
    """Invite somebody by name or email address."""
    return _change(tournament, "entries", "invited", _invite)


def _invite(row: TournamentRow, player: str) -> None:
    rate_limits.count_registration()
    guest, address = parse_guest(request.form.get("guest", ""))
    invite_guest(player, row.id, guest, address)


def _change(tournament: str, section: str, done: str, change: Callable[[TournamentRow, str], object]) -> AnyResponse:
    """Carry out a change and show the desk again, with what was done or what is wrong."""
    row, player = _open(tournament)
    try:
        change(row, player)
    except Problem as problem:
        return _render_desk(row, problem.status, wrong=problem.detail_in(page_locale()), section=section)
    return redirect(layout.link(f"/tournaments/{row.id}/desk?done={done}#{section}"), 303)


@blueprint.get("/<named:tournament>/desk/ruling")
def show_ruling(tournament: str) -> Response:
    """Show the form of a ruling about whom or what the address names."""
    row, _ = _open(tournament)
    return _render_ruling(row, _read_kind(request.args), request.args)


@blueprint.post("/<named:tournament>/desk/ruling")
def take_ruling(tournament: str) -> AnyResponse:
    """Show what a ruling would do, or make it if nothing has changed since that was shown."""
    row, player = _open(tournament)
    form, what, config = request.form, _read_kind(request.form), current_config()
    try:
        wanted = _read_ruling(row, what, form)
        if form.get("go") == "publish":
            make_ruling(player, row.id, wanted, _read_seen(form), config)
            return redirect(layout.link(f"/tournaments/{row.id}/desk?done=ruled"), 303)
        plan = plan_ruling(player, row.id, wanted, config)
    except Problem as problem:
        return _render_ruling(row, what, form, problem.status, wrong=problem.detail_in(page_locale()))
    return _render_ruling(row, what, form, plan=plan)


def _read_kind(values: Mapping[str, str]) -> str:
    what = values.get("what", "")
    return what if what in WHATS else WHATS[0]


def _read_seen(form: Mapping[str, str]) -> int:
    text = form.get("seq", "")
    if not text.isascii() or not text.isdecimal() or len(text) > 9:  # noqa: PLR2004  # no log has more lines
        raise Problem("conflict", msg("organise.try_first"))
    return int(text)


def _read_ruling(row: TournamentRow, what: str, form: Mapping[str, str]) -> RulingRequest:
    """Return the ruling in the form. Players are given by id or name, tables by a line each."""

    def given(name: str) -> str:
        return " ".join(form.get(name, "").split())[:200] if name in NEEDED[what] else ""

    seats = _list_seats(row, given("match"))
    tables = form.get("tables", "")[: 200 * MOST_TABLES].splitlines() if what == "repair" else []
    return RulingRequest(
        what=what,
        why=form.get("why", ""),
        text=form.get("text", ""),
        player=find_player(given("player")) if given("player") else "",
        other=find_player(given("other")) if given("other") else "",
        match=given("match"),
        round=given("round"),
        until=given("until"),
        value=given("value"),
        places=_read_numbers(form, "place", seats) if what == "result" else (),
        scores=_read_numbers(form, "score", seats) if what == "result" else (),
        players=_read_seeds(form) if what == "seed" else (),
        tables=tuple(
            tuple(find_player(name.strip()) for name in line.split("/") if name.strip())
            for line in tables
            if line.strip()
        ),
    )


def _read_seeds(form: Mapping[str, str]) -> tuple[str, ...]:
    """Return the players whose fields have a number, in the order of these numbers."""
    typed = {name.removeprefix("seed_")[:64]: value.strip() for name, value in form.items() if name.startswith("seed_")}
    places = {player: value for player, value in typed.items() if value}
    are_numbers = all(each.isascii() and each.isdecimal() and len(each) <= MOST_DIGITS for each in places.values())
    if not are_numbers or len({int(each) for each in places.values()}) < len(places):
        raise Problem("invalid", msg("organise.seeds_numbers"))
    return tuple(sorted(places, key=lambda player: int(places[player])))


def _list_seedable(row: TournamentRow) -> list[tuple[str, str]]:
    """Return the entrants who are in, the best rated first, with their names."""
    inside = (EntrantRow.tournament == row.id) & (EntrantRow.status == IN)
    players = [each.player for each in EntrantRow.select().where(inside).order_by(EntrantRow.entered_seq)]
    skills = find_skills(row.game, players, now())
    players.sort(key=lambda player: -skills[player].rating if player in skills else 0)
    names = find_names(players[:MOST_TABLES], page_locale())
    return list(names.items())


def _read_numbers(form: Mapping[str, str], name: str, seats: Sequence[str]) -> tuple[int, ...]:
    """Return a number for each seat, or none if all fields are empty."""
    typed = [form.get(f"{name}_{seat}", "").strip().replace("−", "-") for seat in range(len(seats))]
    if not any(typed):
        return ()
    try:
        return tuple(int(text[:12]) for text in typed)
    except ValueError:
        raise Problem("invalid", msg("rulings.result_form")) from None


def _list_seats(row: TournamentRow, match: str) -> list[str]:
    """Return the names at the table of a match of this tournament, by seat."""
    pairing = PairingRow.get_or_none((PairingRow.id == match) & (PairingRow.tournament == row.id)) if match else None
    if pairing is None:
        return []
    return [seat.name for seat in overview.show_pairings(row, [pairing], page_locale())[0].seats]


def _list_tables(row: TournamentRow, locale: Locale) -> list[PairingShown]:
    """Return the tables of rounds that have begun, the latest first."""
    begun = RoundRow.select().where((RoundRow.tournament == row.id) & RoundRow.started_at.is_null(False))
    rounds = {(each.stage, each.number): each.started_at for each in begun}
    paired = (PairingRow.tournament == row.id) & ~PairingRow.void & PairingRow.stage.in_([stage for stage, _ in rounds])
    pairings = PairingRow.select().where(paired).order_by(PairingRow.round.desc(), PairingRow.place).limit(MOST_TABLES)
    shown = overview.show_pairings(row, [each for each in pairings if (each.stage, each.round) in rounds], locale)
    return sorted((each for each in shown if not each.is_bye), key=lambda each: -(rounds[each.stage, each.round] or 0))


def _render_ruling(
    row: TournamentRow,
    what: str,
    values: Mapping[str, str],
    status: int = 200,
    *,
    wrong: str = "",
    plan: RulingPlan | None = None,
) -> Response:
    locale = page_locale()
    people = [player for _, player in plan.letters] + [change.player for change in plan.standings] if plan else []
    named = EntrantRow.player.in_([values.get(name, "") for name in ("player", "other")])
    entrants = EntrantRow.select().where((EntrantRow.tournament == row.id) & named)
    names = find_names(sorted({*people, *(each.player for each in entrants)}), locale)
    return layout.render_private_page(
        "organiser-ruling.html",
        status,
        tournament=row,
        title=overview.title_of(row, locale),
        what=what,
        needed=NEEDED[what],
        values=values,
        names=names,
        seats=_list_seats(row, values.get("match", "")[:64]) if "match" in NEEDED[what] else [],
        tables=_list_tables(row, locale) if "match" in NEEDED[what] else [],
        seedable=_list_seedable(row) if what == "seed" else [],
        rounds=[each for each in overview.list_rounds(row) if each.state == ROUND_STATES.get(what)],
        reasons=REASONS,
        zone=document_of(row).zone,
        most_text=LONGEST_TEXT,
        plan=plan,
        with_matches=WITH_MATCHES,
        recipients=[names[player] for player in dict.fromkeys(player for _, player in plan.letters)] if plan else [],
        wrong=wrong,
    )
