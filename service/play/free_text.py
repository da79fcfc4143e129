"""Free text to canonical lines, for one seat's question; nothing is made."""

from __future__ import annotations

from typing import Any

from engine.game import Action, Options, apply, legal, to_act
from engine.house import objection
from engine.reading import Reader, Unclear
from engine.words import LOCALES
from service.play.views import Viewer, seat_names
from service.record.match_state import MatchState

MOST_TEXT = 4_000
__all__ = ["MOST_TEXT", "Unclear", "options_after", "parse_lines", "suggest_lines"]


def parse_lines(viewer: Viewer, text: str) -> tuple[str, ...]:
    """The canonical lines that a text means for this reader's seat; raises Unclear."""
    match_state, seat = viewer.match_state, viewer.seat
    if seat is None:
        raise Unclear(text)
    names = {locale: seat_names(match_state, locale) for locale in LOCALES} if any(match_state.bots) else {}
    reader = Reader(
        viewer.game, viewer.view(), viewer.options(), lambda action: options_after(match_state, seat, action), names
    )
    return reader.lines(text)


def options_after(match_state: MatchState, seat: int, action: Action[Any]) -> Options | None:
    """The options right after an action, where the seat goes on at once and learns nothing by it."""
    if objection(match_state.state, seat, action):
        return None
    after = apply(match_state.state, seat, action)
    if after.reveals != match_state.state.reveals or seat not in to_act(after):
        return None
    return legal(after, seat)


def suggest_lines(viewer: Viewer, text: str) -> list[str]:
    """What a text that is no canonical line may have meant."""
    try:
        return list(parse_lines(viewer, text))
    except Unclear as error:
        return list(error.meant)
