"""A match before its start: seats, joining, leaving, and inviting by player, email address or link."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from urllib.parse import parse_qs, urlencode, urlsplit

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
from service.timestamps import HOUR
from service.web import auth, rate_limits, session
from service.web.pages import layout
from service.web.pages.games import list_bots
from service.web.pages.match_summary import describe_matches
from service.web.request_context import current_config, current_player, page_locale

blueprint = Blueprint("open_match", __name__, url_prefix="/matches")
JOIN_COOKIE = "echtra-join"
"""Name of the cookie with the page of the match that a visitor wants to join."""


def show_open_match(row: MatchRow, status: int = 200, *, wrong: str = "", done: str = "") -> Response:
    """Show a match that has not started, or never will."""
    caller, locale = auth.current_caller(), page_locale()
    player = caller.player if caller else None
    shown = describe_matches([row], player, locale)[0]
    paired = row.pairing is not None
    inside = not paired and player is not None and (shown.you is not None or row.created_by == player)
    link = _given_link()
    return layout.render_page(
        "open-match.html",
        status,
        match=shown,
        about=GAMES[row.game].presentation.about.get(locale, ""),
        state=row.status,
        signed_in=caller is not None and not caller.guest,
        paired=paired,
        inside=inside,
        mine=player is not None and row.created_by == player,
        invited_by=_inviter(row, player, locale),
        may_join=not (paired or shown.you) and bool(shown.free) and (player is None or row.arbiter != player),
        sent=_list_sent(row.id, player) if inside and player else [],
        private_link=f"{current_config().url}/matches/{row.id}?link={row.link}" if row.link and inside else "",
        given_link=link,
        bots=list_bots(GAMES[row.game], locale),
        wrong=wrong,
        done=done or request.args.get("done", ""),
    )


def _given_link() -> str:
    return request.values.get("link", "")[:64]


def _inviter(row: MatchRow, player: str | None, locale: Locale) -> str:
    """Return who invited this reader and waits for an answer, or an empty string."""
    waiting = invitations.open_invitation(row.id, player) if player else None
    if waiting is None:
        return ""
    return player_names([waiting.by_player], locale)[waiting.by_player]


def _list_sent(match: str, player: str) -> list[tuple[str, str]]:
    """Return the reader's own invitations with their answers. One to an address does not reveal whose it is."""
    mine = (InvitationRow.match == match) & (InvitationRow.by_player == player)
    rows = list(InvitationRow.select().where(mine).order_by(InvitationRow.at))
    names = player_names(sorted({row.player for row in rows if row.player and row.address is None}), page_locale())
    sent = [search.describe_invitation(row, {row.by_player: ""}) for row in rows]
    return [(each.address or names[each.player or ""], each.answer or "none") for each in sent]


@blueprint.post("/<id:match>/join")
def join_match(match: str) -> AnyResponse:
    """Take a seat."""
    link, config = _given_link() or None, current_config()
    return _act(match, lambda player: join.join_match(player, match, _seat(), "-", link, config))


@blueprint.post("/<id:match>/leave")
def leave_match(match: str) -> AnyResponse:
    """Leave the match."""
    return _act(match, lambda player: join.leave_match(player, match))


@blueprint.post("/<id:match>/decline")
def decline_invitation(match: str) -> AnyResponse:
    """Decline an invitation."""
    return _act(match, lambda player: invitations.decline(player, match), to="/")


@blueprint.post("/<id:match>/start")
def start_match(match: str) -> AnyResponse:
    """Start at once, with bots on all free seats."""
    return _act(match, lambda player: start.start_now(player.id, match, request.form.get("fill") or None))


@blueprint.post("/<id:match>/invite")
def invite(match: str) -> AnyResponse:
    """Offer a seat to a player or an email address."""

    def offer_seat(player: PlayerRow) -> None:
        rate_limits.count_registration()
        guest, address = parse_guest(request.form.get("guest", ""))
        with write_transaction():
            invitations.invite(player.id, match, guest, address, None, current_config())

    return _act(match, offer_seat, to=f"/matches/{match}?done=invited#invite")


def parse_guest(text: str) -> tuple[str | None, str | None]:
    """Return the player or the email address that was typed: a name, an id, a player page's URL, or an address."""
    given = text.strip()
    if "@" in given:
        try:
            return None, canonicalise(given)
        except BadEmailAddress:
            raise Problem("invalid", msg("site.enter.bad_address", given=given[:100])) from None
    player = players.find_by_name(given) if given else None
    return (player.id if player else given.rstrip("/").rpartition("/")[2][:64] or "-"), None


def _act(match: str, change: Callable[[PlayerRow], object], to: str = "") -> AnyResponse:
    """Carry out a change for the signed-in player and show the match.

    Redirect visitors who are signed out, and guests, to sign in.
    """
    link = _given_link()
    page = f"/matches/{match}?link={link}" if link else f"/matches/{match}"
    caller = auth.current_caller()
    if caller is None or caller.guest:
        response = redirect(f"/enter?{urlencode({'to': page})}", 303)
        if request.endpoint == "open_match.join_match":
            _write_join_cookie(response, page, HOUR // 1000)
        return response
    player = current_player()
    try:
        change(player)
    except Problem as problem:
        row = access.find_match(match, player.id, link or None)
        if row.status != "open":
            return redirect(page, 303)
        return show_open_match(row, problem.status, wrong=problem.detail_in(page_locale()))
    return redirect(to or page, 303)


def join_after_sign_in(player: str, to: str, response: AnyResponse) -> None:
    """Take the seat for which a visitor pressed *Sign in and join*, if the sign-in leads to that match.

    Only a form of our own pages sets the cookie, so that no link of another site makes somebody join.
    """
    if request.cookies.get(JOIN_COOKIE, "") != to:
        return
    _write_join_cookie(response, "", 0)
    address = urlsplit(to)
    link = parse_qs(address.query).get("link", [None])[0]
    # A match that is full or gone says so itself.
    with suppress(Problem):
        join.join_match(PlayerRow.get_by_id(player), address.path.rpartition("/")[2], None, "-", link, current_config())


def _write_join_cookie(response: AnyResponse, page: str, seconds: int) -> None:
    secure = session.is_secure(current_config())
    response.set_cookie(JOIN_COOKIE, page, max_age=seconds, secure=secure, httponly=True, samesite="Lax")


def _seat() -> int | None:
    given = request.form.get("seat", "")
    return int(given) if given.isdecimal() and len(given) < 3 else None  # noqa: PLR2004  # no seat has more digits
