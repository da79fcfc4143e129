"""The page of an open match, as spectators see it: the table, who plays, and what has happened."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import Any

from flask import Blueprint, Response, current_app, request
from markupsafe import Markup

from service import drawing
from service.i18n.catalogue import translate
from service.matches import search
from service.play import access, table_store, views
from service.play.story import Story, tell_since
from service.play.views import Viewer
from service.web.pages import layout, open_match
from service.web.pages.match_summary import describe_match
from service.web.request_context import current_player_id, page_locale

MOST_SENTENCES = 60
MOST_CACHED_STORIES = 128
_story_cache: OrderedDict[tuple[str, ...], Story] = OrderedDict()
_story_lock = Lock()


def cached_story(looking: Viewer) -> Story:
    """What happened so far, turn by turn, as this reader may know it now."""
    table = looking.table
    viewer = "-" if looking.seat is None else str(looking.seat)
    key = (table.facts.id, table.hash, viewer, looking.locale, *looking.view().names)
    with _story_lock:
        found = _story_cache.get(key)
    if found is None:
        forward = tell_since(looking, 0, MOST_SENTENCES)
        found = Story(forward.items[::-1], forward.left_out)
    with _story_lock:
        _story_cache[key] = found
        _story_cache.move_to_end(key)
        while len(_story_cache) > MOST_CACHED_STORIES:
            _story_cache.popitem(last=False)
    return found


blueprint = Blueprint("match_pages", __name__, url_prefix="/matches")
REFRESH_SECONDS = 30
HASH_DIGITS = 12
STARTED_STATUSES = ("running", "over")


@blueprint.get("/<id:match>")
def show_match(match: str) -> Response:
    """One match, for somebody who has no seat there."""
    row, locale = access.find_match(match, current_player_id(), request.args.get("link")), page_locale()
    if row.status not in STARTED_STATUSES:
        return open_match.show_open_match(row)
    shown = describe_match(search.matches_as_json([row], None, locale)[0], locale)
    url = current_app.config["ECHTRA"].url
    looking = Viewer(table_store.table_of(match), None, locale)
    state = views.match_status(looking.table)
    still = "still" in request.args
    return layout.render_page(
        "match.html",
        match=shown,
        state=state,
        table=_describe_table(looking, shown),
        still=still,
        refresh=REFRESH_SECONDS if state != "over" and not still else None,
        url=url,
    )


def _describe_table(looking: Viewer, shown: dict[str, Any]) -> dict[str, Any]:
    table = looking.table
    view = looking.view()
    alt = translate(looking.locale, "pages.match.picture_title", match=shown["called"], entries=table.seq)
    shapes = looking.game.picture(view, looking.locale)
    result = views.result(looking)
    won = result["winners"] if result else ()
    return {
        "seq": table.seq,
        "at": table.at,
        "head": table.hash[:HASH_DIGITS],
        "seats": [
            {**place, "name": name, "asked": seat in view.asked, "won": seat in won}
            for seat, (place, name) in enumerate(zip(shown["places"], view.names, strict=True))
        ],
        "picture": Markup(drawing.svg(shapes, alt, "")),  # noqa: S704  # escaped shapes
        "text": views.render_text(looking),
        "story": cached_story(looking),
        "result": result,
        "labels": _score_labels(result),
    }


def _score_labels(result: dict[str, Any] | None) -> list[str]:
    """What the points of a finished match are for, in the order in which they are counted."""
    scores = (result or {}).get("scores") or []
    return list(dict.fromkeys(count["label"] for score in scores for count in score["counts"]))
