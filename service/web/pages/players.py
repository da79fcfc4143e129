"""The page of a player: ratings, matches, results by game, and the reader's results against them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from flask import Blueprint, Response

from engine.words import Locale
from service.accounts import players
from service.db.models.matches import MatchRow, SeatRow
from service.i18n.catalogue import msg
from service.play import access, match_loader, views
from service.play.views import Viewer
from service.problems import Problem
from service.record.match_state import MatchState
from service.timestamps import now
from service.tournaments.ratings import reliability
from service.web.pages import layout
from service.web.pages.match_summary import MatchOnPage, describe_matches
from service.web.pages.player_ratings import describe_ratings
from service.web.request_context import current_player_id, page_locale

blueprint = Blueprint("player_pages", __name__, url_prefix="/players")
MOST_SHOWN = 20
MOST_COUNTED = 60


@dataclass
class Results:
    """How a player's finished matches of one game ended."""

    title: str
    counts: Counter[str] = field(default_factory=Counter)
    """`won`, `shared`, `lost` and `other`: cancelled, or without points."""


@blueprint.get("/<id:player>")
def show_player(player: str) -> Response:
    """Show one player, as far as this reader may see."""
    row = players.find(player)
    if row.deleted_at is not None:
        raise Problem("not-found", msg("accounts.no_such_player"))
    reader, locale = current_player_id(), page_locale()
    visible = find_visible_matches(player, reader)
    finished = [match for match in visible if match.status == "over"][:MOST_COUNTED]
    ended = match_loader.load_match_states_at([(match.id, match.head_seq, match.head_hash) for match in finished])
    return layout.render_page(
        "player.html",
        player=row,
        owner=players.find(row.owner) if row.owner else None,
        me=reader == player,
        running=_describe([match for match in visible if match.status == "running"], reader, locale),
        waiting=_describe([match for match in visible if match.status == "open"], reader, locale),
        finished=_describe(finished, reader, locale),
        ratings=describe_ratings(player, now(), locale),
        reliability=reliability.find_reliability(player, now()),
        results=count_results(player, ended, locale),
        against=count_against(reader, player, ended) if reader and reader != player else None,
    )


def find_visible_matches(player: str, reader: str | None) -> list[MatchRow]:
    """Return the player's matches that this reader may see, latest first."""
    sits = SeatRow.select(SeatRow.match).where(SeatRow.player == player)
    found = MatchRow.select().where(MatchRow.id.in_(sits) & access.readable_by(reader))
    return list(found.order_by(MatchRow.created_at.desc(), MatchRow.id).limit(4 * MOST_COUNTED))


def _describe(matches: list[MatchRow], reader: str | None, locale: Locale) -> list[MatchOnPage]:
    return describe_matches(matches[:MOST_SHOWN], reader, locale)


def count_results(player: str, ended: Iterable[MatchState], locale: Locale) -> list[Results]:
    """Count how a player's finished matches ended, by game."""
    by_game: dict[str, Results] = {}
    for match_state in ended:
        game = match_state.facts.game
        results = by_game.setdefault(game.slug, Results(game.presentation.title[locale]))
        results.counts[_outcome(match_state, player)] += 1
    return list(by_game.values())


def count_against(reader: str, player: str, ended: Iterable[MatchState]) -> Counter[str]:
    """Count the finished matches both played: won by the reader, by the other, by neither."""
    counts: Counter[str] = Counter()
    for match_state in ended:
        if match_state.seat_of(reader) is None:
            continue
        mine, theirs = _outcome(match_state, reader), _outcome(match_state, player)
        if mine == theirs:
            counts["neither"] += 1
        else:
            counts["mine" if mine in ("won", "shared") else "theirs" if theirs in ("won", "shared") else "neither"] += 1
    return counts


def _outcome(match_state: MatchState, player: str) -> str:
    seat, ended = match_state.seat_of(player), views.result(Viewer(match_state, None, "en"))
    first: Any = ended["winners"] if ended else []
    if seat is None or not first:
        return "other"
    if seat not in first:
        return "lost"
    return "won" if len(first) == 1 else "shared"
