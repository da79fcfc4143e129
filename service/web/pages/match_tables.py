"""The content of a match page for one reader, for the template and for the scripts alike."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import Any

from markupsafe import Markup

from engine.words import Locale
from service import drawing
from service.bounded_cache import BoundedCache
from service.db.models.matches import MatchRow
from service.i18n.catalogue import join_items, translate
from service.i18n.dates import format_moment
from service.matches import substitutes
from service.play import board_options, story, submissions, views
from service.play.story import Story, StoryTeller, tell_since
from service.play.views import Viewer
from service.record.match_state import MatchState
from service.timestamps import rfc3339
from service.tournaments.ratings.ratings import find_changes, rated_places
from service.web.auth import Caller
from service.web.request_context import current_turns

PICTURES = ("wide", "narrow")
MOST_SENTENCES = 60
MOST_SINCE = 6
_stories: BoundedCache[tuple[str, ...], Story] = BoundedCache(128)


@dataclass(frozen=True)
class MatchReader:
    """A reader of a match: from a seat or as a spectator, at the latest or at an earlier position."""

    row: MatchRow
    match_state: MatchState
    viewer: Viewer
    caller: Caller | None
    told_until: int | None = None
    """The entry up to which the story is told, if that is not the latest."""

    @property
    def is_past(self) -> bool:
        """True if an earlier position is shown."""
        return self.viewer.match_state.seq != self.match_state.seq

    @property
    def viewer_now(self) -> Viewer:
        """The same reader at the latest position."""
        return Viewer(self.match_state, self.viewer.seat, self.viewer.locale) if self.is_past else self.viewer

    @property
    def zone(self) -> str:
        """The reader's time zone, or UTC."""
        return self.caller.zone if self.caller else "UTC"


def describe_table(reader: MatchReader) -> dict[str, Any]:
    """Return everything but the picture as JSON. An earlier position has no question."""
    viewer, match_state = reader.viewer, reader.viewer.match_state
    asked = None if reader.is_past else views.question(viewer)
    listed = board_options.list_board_options(viewer) if asked else {"items": [], "more": 0, "names": {}}
    result = views.result(viewer)
    told = cached_story(reader.viewer_now, reader.told_until)
    return {
        "seq": match_state.seq,
        "head": reader.match_state.seq,
        "hash": match_state.hash,
        "at": match_state.at,
        "status": views.match_status(match_state),
        "says": _describe_status(reader, result),
        "task": None if asked is None else _describe_task(viewer),
        "question": asked,
        "options": listed,
        "text": render_prose(viewer),
        **_describe_since(reader),
        "story": _describe_chapters(told, viewer.locale),
        "earlier": told.start if told.left_out else None,
        "seats": _describe_seats(reader, result),
        "result": result,
        "labels": _score_labels(result),
        "ratings": _describe_rating_changes(reader) if result else None,
        "waiting": _list_waiting(reader),
        "turns": _count_turns(reader),
        "free": _list_open_seats(reader),
    }


def draw_pictures(viewer: Viewer) -> dict[str, Markup]:
    """Return the wide and the narrow picture of the board."""
    return {form: Markup(draw_table(viewer, narrow=form == "narrow")) for form in PICTURES}  # noqa: S704  # ours


def draw_table(viewer: Viewer, *, narrow: bool) -> str:
    """Return the picture of the board as SVG."""
    shapes = viewer.game.presentation.picture(viewer.view(), viewer.locale, narrow=narrow)
    return drawing.svg(shapes, viewer.game.presentation.title[viewer.locale], "")


def cached_story(viewer: Viewer, until: int | None = None) -> Story:
    """Return what happened, turn by turn, as this viewer may see it now: the latest turns, or those up to an entry."""
    match_state = viewer.match_state
    viewer_word = "-" if viewer.seat is None else str(viewer.seat)
    key = (match_state.facts.id, match_state.hash, viewer_word, viewer.locale, str(until), *viewer.view().names)
    return _stories.get_or_make(key, lambda: tell_since(viewer, 0, MOST_SENTENCES, until))


def render_prose(viewer: Viewer) -> str:
    """Return the table as text that can be read aloud."""
    game = viewer.game
    said = (game.presentation.prose or game.presentation.text)(viewer.view(), viewer.locale)
    return said if said.endswith("\n") else f"{said}\n"


def _describe_since(reader: MatchReader) -> dict[str, Any]:
    """Return the turns since the last move of this seat and the entry before them.

    At an earlier position, return what its last entry meant.
    """
    viewer, match_state = reader.viewer, reader.viewer.match_state
    if reader.is_past:
        teller = StoryTeller(viewer)
        entries = story.visible_entries(viewer, max(0, match_state.seq - 1))
        told = [(entry.seq, sentence, entry.seat) for entry in entries for sentence in teller.tell(entry)]
        return {"since": told, "since_start": match_state.seq}
    last = None if viewer.seat is None else story.find_last_move(match_state.facts.id, viewer.seat)
    found = tell_since(viewer, last, MOST_SINCE) if last else Story(())
    return {"since": [(turn.end, turn.text, turn.seat) for turn in found.turns], "since_start": last or 0}


def _describe_chapters(told: Story, locale: Locale) -> list[dict[str, Any]]:
    """Return the story by rounds, or by turns where a game has no rounds, newest first."""
    return [
        {
            "title": ""
            if chapter is None
            else translate(locale, f"match_page.chapter.{chapter[0]}", number=chapter[1]),
            "turns": [(turn.end, turn.text, turn.seat) for turn in turns],
        }
        for chapter, turns in groupby(reversed(told.turns), key=lambda turn: turn.chapter)
    ]


def _describe_status(reader: MatchReader, result: dict[str, Any] | None) -> str:
    """Return the state of the match in one sentence."""
    viewer = reader.viewer
    view, locale = viewer.view(), viewer.locale
    if result is not None:
        return _describe_result(viewer, result)
    if viewer.match_state.state.house.paused:
        return translate(locale, "match_page.status.paused")
    if viewer.seat is not None and viewer.seat in view.asked:
        return translate(locale, "match_page.status.was_your_turn" if reader.is_past else "match_page.status.your_turn")
    names = [view.names[seat] for seat in sorted(view.asked) if seat >= 0]
    if not names:
        return translate(locale, "match_page.status.dealing")
    return translate(locale, "match_page.status.waiting", names=join_items(locale, names))


def _describe_task(viewer: Viewer) -> dict[str, str] | None:
    """Return what the reader has to do now, in the game's own words."""
    tell_task = viewer.game.presentation.task
    return tell_task(viewer.view(), viewer.locale)._asdict() if tell_task else None


def _describe_result(viewer: Viewer, result: dict[str, Any]) -> str:
    locale, winners = viewer.locale, result["winners"]
    if not result["scores"]:
        return translate(locale, "match_page.status.cancelled")
    if viewer.seat in winners:
        return translate(locale, "match_page.status.you_won" if len(winners) == 1 else "match_page.status.you_shared")
    names = [viewer.view().names[seat] for seat in winners]
    return translate(locale, "match_page.status.won", count=len(names), names=join_items(locale, names))


def _describe_seats(reader: MatchReader, result: dict[str, Any] | None) -> list[dict[str, Any]]:
    viewer = reader.viewer
    view = viewer.view()
    won = result["winners"] if result else ()
    scores = [score.total for score in getattr(view, "scores", ())]
    return [
        {
            "name": name,
            "player": row.player,
            "sign": name[:1].upper(),
            "score": scores[seat] if scores else None,
            "you": seat == viewer.seat,
            "asked": seat in view.asked,
            "won": seat in won,
            "resigned": seat in view.resigned,
            "due": rfc3339(row.due_at) if row.due_at and seat in view.asked and not reader.is_past else None,
            "until": format_moment(row.due_at, reader.zone, viewer.locale) if row.due_at else "",
        }
        for seat, (row, name) in enumerate(zip(viewer.seat_rows, view.names, strict=True))
    ]


def _score_labels(result: dict[str, Any] | None) -> list[str]:
    """Return the labels of a finished match's score, in counting order."""
    scores = (result or {}).get("scores") or []
    return list(dict.fromkeys(count["label"] for score in scores for count in score["counts"]))


def _describe_rating_changes(reader: MatchReader) -> list[str] | None:
    """Return how ratings changed, by seat; empty until the worker has counted the match, None if it is not rated.

    A seat that was taken over has a dash.
    """
    if not (reader.row.rated and rated_places(reader.match_state)):
        return None
    changes = find_changes(reader.row.id)
    return [str(changes.get(player or "", "–")) for player in reader.match_state.players] if changes else []


def _list_waiting(reader: MatchReader) -> list[str]:
    """Return the orders of this seat that wait for their question."""
    seat = reader.viewer.seat
    return [] if seat is None else list(submissions.list_waiting_lines(reader.row.id, seat))


def _count_turns(reader: MatchReader) -> dict[str, Any]:
    """Return how many turns wait for the reader, and which other match is the most urgent."""
    turns = current_turns()
    others = [turn.match for turn in turns if turn.match != reader.row.id]
    return {"count": len(turns), "others": len(others), "next": f"/matches/{others[0]}" if others else None}


def _list_open_seats(reader: MatchReader) -> list[int]:
    """Return the seats that the reader may take over."""
    if reader.caller is None or reader.match_state.seat_of(reader.caller.player) is not None:
        return []
    return substitutes.open_seats(reader.row, reader.match_state, reader.caller.player)
