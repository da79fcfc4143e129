"""Organisers of running tournaments: rulings, messages, matches to decide, bounced emails."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import islice

from service import shapes
from service.db.models.accounts import PlayerRow
from service.db.models.tournaments import TournamentRow
from service.i18n.catalogue import msg
from service.problems import Problem, invalid_field_problem
from service.shapes import Page
from service.timestamps import now
from service.tournaments.formats.points import show_points
from service.tournaments.rounds.standings import find_names
from service.tournaments.rulings import organiser_tools
from service.tournaments.rulings.organiser_tools import MessageSent
from service.tournaments.rulings.ruling_words import LONGEST_TEXT, REASONS, WHATS, RulingRequest
from service.tournaments.rulings.rulings import (
    RulingMade,
    RulingPlan,
    RulingShown,
    list_rulings,
    make_ruling,
    plan_ruling,
)
from service.tournaments.tournament_store import check_may_rule, check_organiser, find_tournament, list_neutral_rulers
from service.web import auth, pagination
from service.web.openapi.blueprint import Answer, Blueprint
from service.web.request_context import current_config, current_player_id, response_locale

ROUND_NAME = "swiss:2"
RULING_EXAMPLE = f"ruling result {shapes.MATCH_ID} time {shapes.HASH}"


def read_local_time(text: str) -> str:
    """Return a time in UTC if it has an offset, else unchanged: the document of the tournament has its zone."""
    try:
        time = datetime.fromisoformat(text)
        return text if time.tzinfo is None else time.astimezone(UTC).isoformat(timespec="milliseconds")
    except (OverflowError, ValueError):
        raise ValueError("This is not a time. Use the form 2027-03-01T18:00, or add an offset.") from None


class RulingBody(shapes.Body):
    """A ruling: the decision, the people concerned, and the reason. `what` says which members are required."""

    what: str = shapes.choice(WHATS, "What is decided.", "result")
    why: str = shapes.choice(REASONS, "The reason as a code, which stays in the public log.", "time")
    text: str = shapes.text(
        "The reason in your own words, for those concerned and for organisers; the log has its salted hash.",
        "Both were far ahead of the others; the herd decides.",
        most=LONGEST_TEXT,
        default="",
    )
    player: str | None = shapes.ident("For `exclude`, `accept` and `replace`: whom it is about.", default=None)
    other: str | None = shapes.ident(
        "For `replace`: a willing player who takes over place, points and seats.", default=None
    )
    match: str | None = shapes.ident(
        "For `result` and `replay`: the match of the pairing.", shapes.MATCH_ID, default=None
    )
    round: str = shapes.text("For `extend` and `repair`: a round, as STAGE:NUMBER.", ROUND_NAME, most=60, default="")
    until: str | None = shapes.text(
        "For `extend`: the new end, later than the old. Without an offset it is in the `zone` of the document.",
        "2027-03-01T18:00",
        most=40,
        read=read_local_time,
        default=None,
    )
    places: Sequence[int] = shapes.items(
        "For `result`: the place of each seat.",
        most=99,
        of=shapes.number("A place, ties as 1, 1, 3.", 1, most=99, least=1),
        default=list,
    )
    scores: Sequence[int] = shapes.items(
        "For `result`, instead of places: the points of each seat, as the game can give them.",
        most=99,
        of=shapes.number("Points of a seat.", 31, most=999_999_999, least=-999_999_999),
        default=list,
    )
    tables: Sequence[Sequence[str]] = shapes.items(
        "For `repair`: the tables of the round. Without them the format pairs those present now.",
        most=20_000,
        of=shapes.items(
            "The players at one table, by seat; a single player has a bye.", most=99, of=shapes.ident("A player.")
        ),
        default=list,
    )
    players: Sequence[str] = shapes.items(
        "For `seed`: the entrants who get the first numbers, best first.",
        most=100,
        of=shapes.ident("A player."),
        default=list,
    )
    value: str = shapes.text(
        "For `beacon`: the randomness of the beacon's round that the draw waits for, in hex.",
        "8f3a8f3a8f3a8f3a8f3a8f3a8f3a8f3a8f3a8f3a8f3a8f3a8f3a8f3a8f3a8f3a",
        most=200,
        default="",
    )
    seq: int | None = shapes.number(
        "The last line of the log that you have seen (`head.seq` of the tournament, or `seq` of a dry run); "
        "needed unless it is a dry run.",
        48,
        least=0,
        default=None,
    )
    dry_run: bool = shapes.flag("Only show what it would do; nothing is written.", default=False)


class RulingLetter(shapes.Shape):
    """An email that a ruling sends."""

    kind: str = shapes.text("The kind of email.", "tournament-ruling")
    player: str = shapes.ident("Who gets it, unless they muted emails.")
    name: str = shapes.text("Their name.", "Aoife")


class StandingChangeShown(shapes.Shape):
    """A line of the standings before and after a ruling."""

    component = "StandingChange"

    stage: str = shapes.text("The stage.", "swiss")
    player: str = shapes.ident("The player on this line after it.")
    name: str = shapes.text("Their name.", "Aoife")
    rank_before: int | None = shapes.number("The rank before; null if there was none.", 4)
    rank_after: int | None = shapes.number("The rank after.", 2)
    points_before: str | None = shapes.text("The points before, as a decimal.", "1")
    points_after: str | None = shapes.text("The points after, as a decimal.", "2")


class RoundChangeShown(shapes.Shape):
    """The times of a round before and after a ruling."""

    component = "RoundChange"

    stage: str = shapes.text("The stage.", "swiss")
    number: int = shapes.number("The round.", 2, least=1)
    starts_before: int | None = shapes.timestamp("The start before; null if it is not fixed.")
    starts_after: int | None = shapes.timestamp("The start after.")
    ends_before: int | None = shapes.timestamp("The latest end before; null if nothing limits it.")
    ends_after: int | None = shapes.timestamp("The latest end after.")


class RulingMadeShown(shapes.Shape):
    """The effects of a ruling that was made or simulated."""

    component = "RulingMade"

    seq: int = shapes.number("The line of the log with the ruling; for a dry run, the last line.", 49)
    at: int = shapes.timestamp("The time.")
    lines: Sequence[str] = shapes.items("The lines of the log.", most=20_001, of=shapes.text("A line.", RULING_EXAMPLE))
    letters: Sequence[RulingLetter] = shapes.items("The emails it sends.", most=20_000)
    standings: Sequence[StandingChangeShown] = shapes.items(
        "The lines of the standings that change, at most 200.", most=200
    )
    rounds: Sequence[RoundChangeShown] = shapes.items("The rounds whose times change.", most=400)
    matches: Sequence[str] = shapes.items(
        "The running matches that it affects.", most=20_000, of=shapes.text("A match.", shapes.MATCH_ID)
    )
    written: bool = shapes.flag("False: it was a dry run.", True)


class MessageBody(shapes.Body):
    """A message to all entrants."""

    text: str = shapes.text(
        "Plain text; links are shown as they are written.",
        "Round 3 begins on Sunday. The prize table is at https://example.org/prizes",
        most=4000,
        least=1,
    )


class TournamentPerson(shapes.Shape):
    """A player."""

    player: str = shapes.ident("Their id.")
    name: str = shapes.text("Their name.", "Aoife")


class OpenDecisionShown(shapes.Shape):
    """A match whose time is over and that an organiser must decide."""

    component = "OpenDecision"

    match: str = shapes.ident("The match.", shapes.MATCH_ID)
    stage: str = shapes.text("Its stage.", "swiss")
    round: int = shapes.number("Its round.", 2)
    until: int = shapes.timestamp("Without a ruling by then, the current scores count.")
    players: Sequence[TournamentPerson] = shapes.items("The players, by seat.", most=99)
    table: str = shapes.text("The table in words, as spectators see it.", "…", most=20_000)


blueprint = Blueprint(
    "tournament-rulings",
    __name__,
    url_prefix="/v1/tournaments",
    description="Organisers' decisions and messages in running tournaments.",
)


def _find_own(tournament: str) -> TournamentRow:
    """Return the tournament. Refuse a caller who does not organise it."""
    row = find_tournament(tournament, current_player_id())
    check_organiser(row, auth.require_caller().player)
    return row


@blueprint.post("/<named:tournament>/rulings", scope="organise", once=True)
@blueprint.response(201, "The ruling is in the log, or this is what it would do.")
@blueprint.problems("conflict", "forbidden", "limit-reached", "not-now")
def rule(body: RulingBody, tournament: str) -> Answer[RulingMadeShown]:
    """Rule.

    As an organiser or an arbiter, but not in a section that you play in; only `pause` and `resume` are allowed to all.
    Every ruling is a line of the public log with a reason, followed by its effects, and an email to those concerned.
    Send it with `dry_run` first: the answer has the lines, the emails and the changes to the standings. To make it,
    send the `seq` of that answer: if another ruling, or a line about the same people, match or round, has been written
    since, nothing is written and the refusal (409) says what the current state is.

    - `pause`: every clock of the tournament stops, and every future time moves by as long; `resume` ends it.
    - `extend`: a running round ends later (`round`, `until`). Matches that waited for a decision continue.
    - `replace`: a willing player (`other`: on the waiting list, or who named you under `/v1/me/organisers`) takes over
      place, points and seats of `player`.
    - `exclude`, `accept`: excludes `player`, who gives up running seats; admits a waiting, reserve or excluded player.
    - `seed`: before the first draw, gives `players` the first numbers in this order; the others follow by rating.
    - `result`: gives a pairing its result by `places` or `scores`; a running match ends with it.
    - `replay`: the same people play again with a new deal, while the round is running.
    - `repair`: pairs a round again that has not begun, by `tables` or by the format.
    - `beacon`: gives the value that a draw waits for, if the server has no beacon or it was silent for 6 hours.
    - `cancel`: no further round begins; running matches continue as independent matches.
    """
    player, config = auth.require_caller().player, current_config()
    row = find_tournament(tournament, player)
    request = _read_request(body)
    plan = plan_ruling(player, row.id, request, config)
    where = {"Location": f"/v1/tournaments/{row.id}/rulings"}
    if body.dry_run:
        return _describe_plan(plan, RulingMade(plan.seq, now(), plan.lines), written=False), 201, where
    if body.seq is None:
        raise invalid_field_problem("seq", msg("rulings.seq_needed"))
    made = make_ruling(player, row.id, request, body.seq, config)
    return _describe_plan(plan, made, written=True), 201, where


def _read_request(body: RulingBody) -> RulingRequest:
    return RulingRequest(
        what=body.what,
        why=body.why,
        text=body.text,
        player=body.player or "",
        other=body.other or "",
        match=body.match or "",
        round=body.round,
        value=body.value,
        until=body.until or "",
        places=tuple(body.places),
        scores=tuple(body.scores),
        tables=tuple(tuple(table) for table in body.tables),
        players=tuple(body.players),
    )


def _describe_plan(plan: RulingPlan, made: RulingMade, *, written: bool) -> RulingMadeShown:
    people = [player for _, player in plan.letters] + [change.player for change in plan.standings]
    names = find_names(sorted(set(people)), response_locale())
    return RulingMadeShown.of(
        made,
        letters=[RulingLetter(kind=kind, player=player, name=names[player]) for kind, player in plan.letters],
        standings=[
            StandingChangeShown.of(
                change,
                name=names[change.player],
                points_before=None if change.points_before is None else show_points(change.points_before),
                points_after=None if change.points_after is None else show_points(change.points_after),
            )
            for change in plan.standings
        ],
        rounds=[RoundChangeShown.of(change) for change in plan.rounds],
        matches=plan.matches,
        written=written,
    )


@blueprint.get("/<named:tournament>/rulings", scope="optional")
@blueprint.page("Oldest first.")
def get_rulings(query: pagination.Paging, tournament: str) -> Answer[Page[RulingShown]]:
    """List the rulings.

    They are in the order of the log. Everybody sees each decision and the code of its reason; the organiser's text is
    for organisers and for those whom the ruling concerns.
    """
    row = find_tournament(tournament, current_player_id())
    found = list_rulings(row, current_player_id(), query.cursor_number, query.fetch_limit)
    items, headers = pagination.slice_page(found, query, lambda each: (each.seq,))
    return Page(items=items), 200, headers


@blueprint.post("/<named:tournament>/messages", scope="organise", once=True)
@blueprint.response(201, "The message is being sent.")
@blueprint.problems("forbidden", "limit-reached")
def send_message(body: MessageBody, tournament: str) -> Answer[MessageSent]:
    """Write to all entrants.

    The text is plain, and you can write at most twice in 24 hours. Links are shown as written. Entrants who muted
    emails get none; the answer says how many.
    """
    row = _find_own(tournament)
    sent = organiser_tools.send_message(auth.require_caller().player, row.id, body.text)
    return sent, 201, {"Location": f"/v1/tournaments/{row.id}"}


@blueprint.get("/<named:tournament>/unreachable", scope="organise")
@blueprint.page("By name.", "UnreachablePage")
@blueprint.problems("forbidden")
def get_unreachable(query: pagination.Paging, tournament: str) -> Answer[Page[TournamentPerson]]:
    """List entrants whose emails bounce.

    They are listed by name, never by address: check before a round starts. Only organisers can.
    """
    found = organiser_tools.select_unreachable(_find_own(tournament).id)
    items, headers = pagination.fetch_rows(found, query, PlayerRow.name, PlayerRow.id)
    return Page(items=_describe_people([each.id for each in items])), 200, headers


@blueprint.get("/<named:tournament>/decisions", scope="organise")
@blueprint.page("Oldest round first.")
@blueprint.problems("forbidden")
def get_decisions(query: pagination.Paging, tournament: str) -> Answer[Page[OpenDecisionShown]]:
    """List the matches that wait for a decision.

    If a round ends with `adjudicate`, unfinished matches are paused, and an organiser decides them by a `result`
    ruling. You see what spectators see, no hidden hands. This is for organisers and arbiters who do not play in the
    tournament.
    """
    row = find_tournament(tournament, current_player_id())
    check_may_rule(row, auth.require_caller().player)
    if auth.require_caller().player not in list_neutral_rulers(row):
        raise Problem("forbidden", msg("rulings.you_play_there"))
    found = list(islice(organiser_tools.list_open_decisions(row, query.cursor_key), query.fetch_limit))
    items, headers = pagination.slice_page(found, query, lambda each: each.sort_key)
    locale = response_locale()
    shown = [
        OpenDecisionShown.of(
            each,
            players=_describe_people(each.players),
            table=organiser_tools.describe_public_table(each.match, locale),
        )
        for each in items
    ]
    return Page(items=shown), 200, headers


def _describe_people(players: Sequence[str]) -> list[TournamentPerson]:
    names = find_names(list(players), response_locale())
    return [TournamentPerson(player=player, name=names[player]) for player in players]
