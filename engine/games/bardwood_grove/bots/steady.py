"""Bots: `random`, `steady`, which tries the song in every region within reach, and the solo `rival`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.game import CHANCE, Action, Bot, Options, Pick, Seat, apply, legal, to_act
from engine.games.bardwood_grove.bots.line_values import (
    BOAT_SPACE,
    SUNG,
    TEMPO,
    VOLUME,
    effect_value,
    future,
    line_worth,
)
from engine.games.bardwood_grove.rules.actions import ChooseBard, Compose, Fan, Move, Stack
from engine.games.bardwood_grove.rules.board import RIVER_END
from engine.games.bardwood_grove.rules.cards import FANS, IMPROS, SKILLS
from engine.games.bardwood_grove.rules.effects import Effect
from engine.games.bardwood_grove.rules.song import begin_song
from engine.games.bardwood_grove.rules.song_actions import DONE, Lower, Swell
from engine.games.bardwood_grove.rules.state import Bardwood
from engine.games.bardwood_grove.rules.steps import SINGS, Sing
from engine.games.bardwood_grove.view import BardwoodView
from engine.playout import make_gentle, roll_chance

FAVOURITES = (*("wardrummer", "bardbarian", "harper", "piper", "sword-dancer", "fiddler", "flautist", "lutenist"),)
LOWER_SHARE = 0.5
LATER_SONG = 0.5
"""Weight of a song that is not due yet, when the bot chooses a place for it."""
MORE_SUNG = Effect(melody=2, lyrics=2)
DONE_AFTER = 60
FIRST = 10.0
"""Volume and lower halves come before everything else."""


def steady(view: BardwoodView, options: Options, _pick: Pick) -> Action[Bardwood]:
    """Return the line with the highest value."""
    return choose_line(view.table, view.asked[0], tuple(options))


def choose_line(state: Bardwood, seat: Seat, listed: tuple[Action[Bardwood], ...]) -> Action[Bardwood]:
    """Return the listed line with the highest value for the seat."""
    if len(listed) == 1:
        return listed[0]
    if isinstance(listed[0], Move):
        return best_move(state, seat, listed)[0]
    value = VALUES.get(type(listed[0]))
    return max(listed, key=lambda each: value(state, seat, each)) if value else best_line(state, seat, listed)[0]


def bard_value(_state: Bardwood, _seat: Seat, action: ChooseBard) -> float:
    """Return a higher value for a better bard."""
    return -FAVOURITES.index(action.bard)


def stack_value(state: Bardwood, seat: Seat, action: Stack) -> float:
    """Return a higher value for the smaller stack."""
    return -len(state.players[seat].brag[action.space - 1])


def fan_value(state: Bardwood, seat: Seat, action: Fan) -> float:
    """Return the value of a side of a Fan. Movement counts only up to the river's end."""
    effect = FANS[action.fan].sides[action.side - 1]
    player = state.players[seat]
    room = RIVER_END - player.boat
    return effect_value(effect._replace(movement=min(effect.movement, room)), max(future(state), 0.1))


def compose_value(state: Bardwood, seat: Seat, action: Compose) -> float:
    """Return the value of composing: the song if it comes now, otherwise song card, volume and tempo."""
    after = apply(state, seat, action)
    player = after.players[seat]
    value = VOLUME * player.volume + TEMPO * SKILLS[action.discard].strip.tempo
    if player.marker:
        moved = best_move(after, seat, tuple(legal(after, seat)))[1]
        return value + moved
    return value + sum(card_strength(card) for card in player.song) * LATER_SONG


VALUES: dict[type[Action[Bardwood]], Callable[[Bardwood, Seat, Any], float]] = {
    ChooseBard: bard_value,
    Stack: stack_value,
    Fan: fan_value,
    Compose: compose_value,
}


def card_strength(card: str) -> float:
    """Return the value of a card in a song."""
    if card in IMPROS:
        return effect_value(IMPROS[card].upper, 1.0)
    skill = SKILLS[card]
    return effect_value(skill.upper, 1.0) + LOWER_SHARE * (effect_value(skill.lower, 1.0) - VOLUME * skill.cost)


def best_move(state: Bardwood, seat: Seat, listed: tuple[Action[Bardwood], ...]) -> tuple[Action[Bardwood], float]:
    """Return the move with the best song after it, and its value."""
    worth, move = max(judge_moves(state, seat, listed), key=lambda pair: pair[0])
    return move, worth


def judge_moves(
    state: Bardwood, seat: Seat, listed: tuple[Action[Bardwood], ...]
) -> list[tuple[float, Action[Bardwood]]]:
    """Return moves with the value of the song after each. In each region only the farthest boat is tried."""
    farthest: dict[str, Move] = {}
    for action in listed:
        if isinstance(action, Move):
            farthest[action.region] = action
    due = state.players[seat].marker
    share = 1.0 if due else LATER_SONG
    tried: list[tuple[float, Action[Bardwood]]] = []
    for action in farthest.values():
        after = apply(state, seat, action)
        if not due:
            after = pretend_song(after, seat)
        worth = share * song_value(after, seat) + action.boat * BOAT_SPACE * future(state)
        tried.append((worth, action))
    return tried


def pretend_song(state: Bardwood, seat: Seat) -> Bardwood:
    """Return a state in which the seat sings at once, with a little more sound than its song gives now."""
    state = begin_song(state.but(agenda=(SINGS[seat],)), seat)
    song = state.singing
    assert song is not None  # noqa: S101  # it has just begun
    return state.but(singing=song.but(melody=song.melody + MORE_SUNG.melody, lyrics=song.lyrics + MORE_SUNG.lyrics))


def song_value(state: Bardwood, seat: Seat) -> float:
    """Return the value of the song, sung line by line. Cards that are turned up are guessed."""
    total = 0.0
    for _ in range(DONE_AFTER):
        asked = to_act(state)
        if CHANCE in asked:
            state = apply(state, CHANCE, roll_chance(state, _middle))
            continue
        if seat not in asked:
            return total
        if not isinstance(state.agenda[0], Sing):
            state = apply(state, seat, next(iter(legal(state, seat))))
            continue
        line, gained, _ = best_line(state, seat, tuple(legal(state, seat)))
        if gained <= 0:
            return total
        total += gained
        state = apply(state, seat, line)
    return total


def _middle(n: int) -> int:
    return n // 2


def best_line(
    state: Bardwood, seat: Seat, listed: tuple[Action[Bardwood], ...]
) -> tuple[Action[Bardwood], float, float]:
    """Return the line with the highest net value, its points, and its net value after melody and lyrics."""
    best: tuple[Action[Bardwood], float, float] = (listed[-1], 0.0, 0.0)
    for action in listed:
        points, sung = line_worth(state, seat, action)
        net = points - sung * SUNG + (FIRST if isinstance(action, Lower | Swell) and points > 0 else 0.0)
        if points > 0 and net > best[2] - (best[1] <= 0):
            best = (action, points, net)
    return best


ONE_IN = 10


def random(view: BardwoodView, options: Options, pick: Pick) -> Action[Bardwood]:  # noqa: ARG001  # it does not look
    """Return any listed line, but end a song only one time in ten while something else is listed."""
    listed = tuple(options)
    if len(listed) > 1 and listed[-1] == DONE and pick(ONE_IN):
        return listed[pick(len(listed) - 1)]
    return listed[pick(len(listed))]


def rival(view: BardwoodView, options: Options, pick: Pick) -> Action[Bardwood]:  # it has no choice
    """Return the only listed line. At a person's seat, play like `steady`."""
    return next(iter(options)) if len(options) == 1 else steady(view, options, pick)


BOTS: dict[str, Bot] = {"random": random, "gentle": make_gentle(steady, random), "steady": steady}
