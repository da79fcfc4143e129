"""Random matches for the tests: listed options chosen by a seed, with every state kept."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache
from random import Random
from typing import Any

from engine.game import CHANCE, Action, AnyBot, Game, Seal, Seat, State, apply, final_scores, legal, to_act
from engine.games import GAMES
from engine.log import Log, Move
from engine.notation import Hidden, slots
from engine.options import Setting
from engine.playout import roll_chance
from engine.search import SearchBot
from tests.skeleton_game import GAME as SKELETON

MOST_MOVES = 20_000
TABLES = [(slug, seats) for slug, game in GAMES.items() for seats in game.rules.seats]
ALL_TABLES = [*TABLES, *((SKELETON.slug, seats) for seats in SKELETON.rules.seats)]
"""The tables of our games and of the skeleton, which `tests/engine/conftest.py` registers."""


@dataclass(frozen=True)
class Moment:
    """A state, and the move made in it."""

    state: Any
    seat: Seat
    action: Action[Any]


@dataclass(frozen=True)
class Match:
    """A match played to its end."""

    game: Game[Any]
    moments: tuple[Moment, ...]
    end: Any

    @property
    def log(self) -> Log:
        """The match as a log, scores included."""
        moves = tuple(Move(moment.seat, moment.action.line) for moment in self.moments)
        totals = tuple(score.total for score in final_scores(self.game, self.end))
        return Log(self.game, self.end.seats, {}, moves, totals, self.game.rules.revision)

    @property
    def afters(self) -> tuple[Any, ...]:
        """The state after each move."""
        return (*(moment.state for moment in self.moments[1:]), self.end)

    def some(self, many: int, seed: int = 0) -> list[Moment]:
        """Return a few states from all over the match, always including the last ones."""
        early = Random(seed).sample(self.moments, min(many, len(self.moments)))
        return [*early, *self.moments[-self.end.seats :]]


@cache
def played(slug: str, seats: int, seed: int, given: tuple[tuple[str, Setting], ...] = ()) -> Match:
    """Return a match in which every seat takes any listed option, and seats asked together answer in any order."""
    game, random = GAMES[slug], Random(f"{slug} {seats} {seed}")
    state: State = game.rules.start(seats, dict(given))
    moments: list[Moment] = []
    while asked := sorted(to_act(state)):
        assert len(moments) < MOST_MOVES, "the match does not end"
        seat = random.choice(asked)
        action = roll_chance(state, random.randrange) if seat == CHANCE else random.choice(tuple(legal(state, seat)))
        moments.append(Moment(state, seat, action))
        state = apply(state, seat, action)
    return Match(game, tuple(moments), state)


def has_secrets(game: Game[Any]) -> bool:
    """Return True if the rules declare a hidden word or a sealed line."""
    hidden = any(slot.hidden is not Hidden.NO for action in game.rules.actions for _, slot in slots(action))
    sealed = [*(action.sealed for action in game.rules.actions), *(step.sealed for step in game.rules.steps)]
    return hidden or any(seal not in (None, Seal.NEVER) for seal in sealed)


def hurried(bot: AnyBot) -> AnyBot:
    """Return the same bot. If it thinks ahead, give it a budget that tests can afford."""
    return replace(bot, playouts=4, width=3) if isinstance(bot, SearchBot) else bot


def viewers(state: State) -> tuple[Seat | None, ...]:
    """Return every seat, and a spectator."""
    return (*range(state.seats), None)


def fitting(shown: str, line: str) -> bool:
    """Return True if a redacted form fits a line: each `?` stands for one or more characters."""
    return re.fullmatch(".+".join(map(re.escape, shown.split("?"))), line) is not None
