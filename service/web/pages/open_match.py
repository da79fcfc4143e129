"""A match before its start: its seats, joining and leaving, and inviting others by player, address or link."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

from flask import Blueprint, Response, redirect, request
from werkzeug.wrappers import Response as AnyResponse

from engine.games import GAMES
from engine.words import Locale
from service.accounts import players
from service.accounts.email_address import BadEmailAddress, canonicalise
from service.db.connection import write_transaction
from service.db.models.accounts import PlayerRow
from service.db.models.matches import InvitationRow, MatchRow
from service.i18n.catalogue import msg
from service.matches import invitations, join, search, start
from service.play import access
from service.play.views import player_names
from service.problems import Problem
from service.web import auth, rate_limits
from service.web.pages import layout
from service.web.pages.clock_words import describe_clock
from service.web.pages.games import game_facts
from service.web.pages.match_summary import describe_match
from service.web.request_context import current_config, current_player, page_locale

blueprint = Blueprint("open_match", __name__, url_prefix="/matches")


def show_open_match(row: MatchRow, status: int = 200, *, wrong: str = "", done: str = "") -> Response:
    """The page of a match that has not started, or never will."""
    caller, locale = auth.current_caller(), page_locale()
    player = caller.player if caller else None
    shown = describe_match(search.matches_as_json([row], player, locale)[0], locale)
    paired = row.pairing is not None
    inside = not paired and player is not None and (shown["you"] is not None or row.created_by == player)
    link = _given_link()
    return layout.render_page(
        "open-match.html",
        status,
        match={**shown, "pace": describe_clock(row.clock, locale)},
        game=game_facts(GAMES[row.game], locale),
        state=row.status,
        signed_in=caller is not None,
        paired=paired,
        inside=inside,
        mine=player is not None and row.created_by == player,
        invited_by=_inviter(row, player, locale),
        may_join=not (paired or shown["you"]) and bool(shown["free"]) and (player is None or row.arbiter != player),
        sent=_list_sent(row.id, player) if inside and player else [],
        private_link=f"{current_config().url}/matches/{row.id}?link={row.link}" if row.link and inside else "",
        given_link=link,
        bots=_list_bots(row, locale),
        wrong=wrong,
        done=done or request.args.get("done", ""),
    )


def _list_bots(row: MatchRow, locale: Locale) -> list[tuple[str, str]]:
    """The bots that may take a seat of this match, with what they are called."""
    game = GAMES[row.game]
    rivals = {option.name for option in start.solo_rivals(game)}
    return [(name, game.words.bot(name, locale)) for name in game.bots if name not in rivals]


def _given_link() -> str:
    return request.values.get("link", "")[:64]


def _inviter(row: MatchRow, player: str | None, locale: Locale) -> str:
    """Who invited this reader, if somebody did and waits for the answer."""
    waiting = invitations.open_invitation(row.id, player) if player else None
    if waiting is None:
        return ""
    return player_names([waiting.by_player], locale)[waiting.by_player]


def _list_sent(match: str, player: str) -> list[dict[str, Any]]:
    """The invitations that this reader sent, with their answers; one to an address tells nothing of who has it."""
    mine = (InvitationRow.match == match) & (InvitationRow.by_player == player)
    rows = list(InvitationRow.select().where(mine).order_by(InvitationRow.at))
    names = player_names(sorted({row.player for row in rows if row.player and row.address is None}), page_locale())
    told = [search.invitation_as_json(row, {row.by_player: ""}) for row in rows]
    return [{**each, "called": each["address"] or names[each["player"]]} for each in told]


@blueprint.post("/<id:match>/join")
def join_match(match: str) -> AnyResponse:
    """Take a seat."""
    link, config = _given_link() or None, current_config()
    return _act(match, lambda player: join.join_match(player, match, _seat(), "-", link, config))


@blueprint.post("/<id:match>/leave")
def leave_match(match: str) -> AnyResponse:
    """Give the seat back."""
    return _act(match, lambda player: join.leave_match(player, match))


@blueprint.post("/<id:match>/decline")
def decline_invitation(match: str) -> AnyResponse:
    """Say no to an invitation."""
    return _act(match, lambda player: invitations.decline(player, match), to="/")


@blueprint.post("/<id:match>/start")
def start_match(match: str) -> AnyResponse:
    """Start at once, with a bot at every seat that is free."""
    return _act(match, lambda player: start.start_now(player.id, match, request.form.get("fill") or None))


@blueprint.post("/<id:match>/invite")
def invite(match: str) -> AnyResponse:
    """Offer a seat to a player or to a mail address."""

    def offer_seat(player: PlayerRow) -> None:
        rate_limits.count_registration()
        guest, address = parse_guest(request.form.get("guest", ""))
        with write_transaction():
            invitations.invite(player.id, match, guest, address, None, current_config())

    return _act(match, offer_seat, to=f"/matches/{match}?done=invited#invite")


def parse_guest(text: str) -> tuple[str | None, str | None]:
    """The player or the mail address that somebody typed: a name, an id, the address of a player's page, or a mail."""
    given = text.strip()
    if "@" in given:
        try:
            return None, canonicalise(given)
        except BadEmailAddress:
            raise Problem("invalid", msg("site.enter.bad_address", given=given[:100])) from None
    found = players.find_by_name(given) if given else None
    return (found.id if found else given.rstrip("/").rpartition("/")[2][:64] or "-"), None


def _act(match: str, change: Callable[[PlayerRow], object], to: str = "") -> AnyResponse:
    """Let the player who asks do something with a match, and show it; whoever is signed out signs in first."""
    link = _given_link()
    page = f"/matches/{match}?link={link}" if link else f"/matches/{match}"
    if auth.current_caller() is None:
        return redirect(f"/enter?{urlencode({'to': page})}", 303)
    player = current_player()
    try:
        change(player)
    except Problem as problem:
        row = access.find_match(match, player.id, link or None)
        if row.status != "open":
            return redirect(page, 303)
        return show_open_match(row, problem.status, wrong=problem.detail_in(page_locale()))
    return redirect(to or page, 303)


def _seat() -> int | None:
    given = request.form.get("seat", "")
    return int(given) if given.isdecimal() and len(given) < 3 else None  # noqa: PLR2004  # no seat has more digits
