"""Translating free text to canonical lines for one seat's question, without making them."""

from __future__ import annotations

from dataclasses import replace

from engine.game import AnyAction, Options, State, apply, legal, to_act
from engine.house import objection
from engine.reading import Reader, Unclear
from engine.words import LOCALES
from service.play.views import Viewer, seat_names
from service.record.match_state import MatchState

MOST_TEXT = 4_000
__all__ = ["MOST_TEXT", "Unclear", "build_reader", "options_after", "parse_lines", "suggest_lines", "viewer_after"]


def parse_lines(viewer: Viewer, text: str) -> tuple[str, ...]:
    """Return the canonical lines that a text means for this viewer's seat. Raise `Unclear` if it is ambiguous."""
    return build_reader(viewer).lines(text)


def build_reader(viewer: Viewer) -> Reader:
    """Return the reader of typed text for this seat's question. Raise `Unclear` if it has none."""
    match_state, seat = viewer.match_state, viewer.seat
    if seat is None:
        raise Unclear("")
    names = {locale: seat_names(match_state, locale) for locale in LOCALES} if any(match_state.bots) else {}
    return Reader(
        viewer.game, viewer.view(), viewer.options(), lambda action: options_after(match_state, seat, action), names
    )


def options_after(match_state: MatchState, seat: int, action: AnyAction) -> Options | None:
    """Return the options after an action if the same seat continues and learns nothing new, else None."""
    after = _state_after(match_state, seat, action)
    return None if after is None else legal(after, seat)


def viewer_after(viewer: Viewer, action: AnyAction) -> Viewer | None:
    """Return the viewer after an action if the same seat continues and learns nothing new, else None."""
    if viewer.seat is None:
        return None
    after = _state_after(viewer.match_state, viewer.seat, action)
    return None if after is None else replace(viewer, match_state=replace(viewer.match_state, state=after))


def _state_after(match_state: MatchState, seat: int, action: AnyAction) -> State | None:
    if objection(match_state.state, seat, action):
        return None
    after: State = apply(match_state.state, seat, action)
    return after if after.reveals == match_state.state.reveals and seat in to_act(after) else None


def suggest_lines(viewer: Viewer, text: str) -> list[str]:
    """Return the possible meanings of a text that is not a canonical line."""
    try:
        return list(parse_lines(viewer, text))
    except Unclear as error:
        return list(error.meant)
