"""Find a state that fits everything shown to a reader who does not see the whole table.

While lines are sealed, many states are possible. Who is asked, the reader's own options and the form of hidden lines
are the same in all of them, so any one that fits is enough to check these. States come from re-deals with picks that
depend only on the record, so every run gives the same result. The number of tries is bounded: after that the verifier
checks forms alone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from engine.chance import seeded_pick
from engine.game import CHANCE, AnyAction, AnyGame, Seal, Seat, State, legal, seal, to_act
from engine.notation import Hidden, slots
from engine.playout import roll_chance

MOST_TRIES = 2000
MOST_TRIES_REDACTED = 200
"""Enough, since hardly anything depends on what is hidden: redacted forms have public words only."""
HIDDEN = "?"
T = TypeVar("T")


def search_hidden_states(
    game: AnyGame, state: State, viewer: Seat | None, fits: Callable[[State], T | None], tries: int = MOST_TRIES
) -> T | None:
    """Return what `fits` finds in a state that differs only in what the viewer cannot see, or None."""
    pick = seeded_pick(state.picks)
    for _ in range(tries):
        found = fits(game.rules.redeal(state, viewer, pick))
        if found is not None:
            return found
    return None


def find_action_shown_as(state: State, seat: Seat, viewer: Seat | None, shown: str) -> AnyAction | None:
    """Return a legal action of this seat that the game shows to this viewer as `shown`, or None."""
    if seat not in to_act(state):
        return None
    lines = (any_chance_action(state),) if seat == CHANCE else legal(state, seat)
    for action in lines:
        if seal(state, action) is not Seal.NEVER and action.seen_by(seat, viewer) == shown:
            return action
    return None


def any_chance_action(state: State) -> AnyAction:
    """Stand-in for an unseen line of chance. Verb, seat and number of cards are those of every line possible now."""
    return roll_chance(state, lambda _count: 0)


def has_redacted_form(game: AnyGame, shown: str) -> bool:
    """Return True if the game has a line with this redacted form, at any moment."""
    verb, *words = shown.split(" ")
    return any(_fits_slots(kind, words) for kind in game.rules.verbs.get(verb, ()))


def _fits_slots(kind: type[AnyAction], words: list[str]) -> bool:
    rest = words
    for _, slot in slots(kind):
        taken, rest = (rest, []) if slot.many else (rest[:1], rest[1:])
        if slot.hidden is Hidden.NO:
            fine = all(slot.form.read(word) is not None for word in taken)
        else:
            fine = bool(taken) and set(taken) == {HIDDEN} and (slot.hidden is Hidden.EACH or len(taken) == 1)
        if not fine:
            return False
    return not rest
