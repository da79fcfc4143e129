"""The page of a match, for playing and for watching."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from flask import Blueprint, Response, request

from engine.words import Locale
from service.db.connection import write_transaction
from service.db.models.matches import MatchRow
from service.mail import reply_addresses
from service.matches import rematch
from service.matches.start import find_harder
from service.play import match_loader
from service.play.match_results import describe_result
from service.play.views import Viewer
from service.web import auth
from service.web.pages import layout, open_match
from service.web.pages.bots import opponent_name
from service.web.pages.match_summary import describe_matches
from service.web.pages.match_tables import MatchReader, describe_table, draw_pictures, draw_table
from service.web.pages.script_words import MATCH_WORDS, translate_words
from service.web.request_context import current_config, current_player_id, find_match, page_locale
from service.web.responses import json_response
from service.web.static_files import VERIFIER, has_static_file, static_url

blueprint = Blueprint("match_pages", __name__, url_prefix="/matches")
HASH_DIGITS = 12
STARTED_STATUSES = ("running", "over")
FOR_SCRIPTS = ("seq", "head", "status", "question", "waiting", "turns", "free", "since_start")
"""Members of the table that scripts get as data; they find the rest on the page."""


@blueprint.get("/<id:match>")
def show_match(match: str) -> Response:
    """Show a match: to its players from their seat, to everybody else as to spectators."""
    row, locale = find_match(match, request.args.get("link")), page_locale()
    if row.status not in STARTED_STATUSES:
        return open_match.show_open_match(row)
    shown = describe_matches([row], current_player_id(), locale)[0]
    reader = _read_match(row, locale)
    table = describe_table(reader)
    result = None if reader.is_past else describe_result(reader.viewer, table["says"])
    harder = find_harder(reader.match_state) if result else None
    by_email = _may_answer_by_email(reader, table)
    return layout.render_page(
        "match-table.html",
        match=shown,
        table=table,
        pictures=draw_pictures(reader.viewer),
        digits=reader.match_state.hash[:HASH_DIGITS],
        seat=reader.viewer.seat,
        paired=row.pairing is not None,
        past=reader.is_past,
        result=result,
        swaps=rematch.can_swap(reader.match_state),
        harder=(harder.id, opponent_name(reader.viewer.game, harder, locale)) if harder else None,
        data=_describe_for_scripts(reader, table),
        offers_email=by_email and "answer" not in request.args,
        mailto=_mailto(reader, table, shown.called) if by_email and "answer" in request.args else "",
    )


@blueprint.get("/<id:match>/now")
def show_match_now(match: str) -> Response:
    """Send the current position to the page's scripts, or 204 if the page shows it already."""
    reader = _read_match(find_match(match, request.args.get("link")), page_locale())
    if request.args.get("after", type=int) == reader.match_state.seq and not reader.is_past:
        return Response(status=204)
    wish = request.args.get("picture", "wide")
    table = describe_table(reader)
    return json_response({**table, "svg": draw_table(reader.viewer, narrow=wish == "narrow")})


def _may_answer_by_email(reader: MatchReader, table: dict[str, Any]) -> bool:
    """Return True if a player without scripts can answer the question of this page by email."""
    caller = reader.caller
    return table["question"] is not None and caller is not None and not caller.guest and bool(current_config().smtp_url)


def _mailto(reader: MatchReader, table: dict[str, Any], title: str) -> str:
    """Return the start of a link that answers the question by email; a line follows.

    Only pages without scripts ask for it, since it stores an address.
    """
    seat, caller = reader.viewer.seat, reader.caller
    if seat is None or caller is None:
        return ""
    with write_transaction():
        local = reply_addresses.keep_turn_address(reader.row.id, seat, table["question"]["asked"], caller.player)
    return f"mailto:{local}@{current_config().mail_domain}?subject={quote(title)}&body="


def _read_match(row: MatchRow, locale: Locale) -> MatchReader:
    caller = auth.current_caller()
    table = match_loader.load_match_state(row.id)
    seat = table.seat_of(caller.player) if caller and "spectator" not in request.args else None
    at = request.args.get("at", type=int)
    seen = table if at is None or at < 0 else match_loader.requested_position(table, at)
    until = request.args.get("until", type=int)
    told_until = until if until is not None and 0 < until < table.seq else None
    return MatchReader(row, table, Viewer(seen, seat, locale), caller, told_until)


def _describe_for_scripts(reader: MatchReader, table: dict[str, Any]) -> dict[str, Any]:
    """Return what the scripts need besides the page itself."""
    viewer, caller = reader.viewer, reader.caller
    game, locale = viewer.game, viewer.locale
    listed = table["options"]
    return {
        "match": reader.row.id,
        "seat": viewer.seat,
        "player": caller.player if caller else None,
        "guest": caller is not None and caller.guest,
        "zone": caller.zone if caller else None,
        "signed": reader.row.moves == "signed",
        "verifier": static_url(VERIFIER) if has_static_file(VERIFIER) else None,
        "board": game.presentation.title[locale],
        "verbs": {verb: game.presentation.words.name(verb, locale) for verb in game.rules.verbs},
        "words": translate_words(MATCH_WORDS, locale),
        "now": {**{name: table[name] for name in FOR_SCRIPTS}, "options": {**listed, "items": []}},
    }
