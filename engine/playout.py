"""Automatic moves: of chance and of bots."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.game import CHANCE, Chance, Game, S, Thinker, apply, legal, to_act

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from engine.game import Action, AnyBot, Bot, Options, Pick, Seat, State

WEAKER_ONE_IN = 3
"""A gentle bot plays one line out of this many like the weaker bot."""


def roll_chance(state: State, pick: Pick) -> Action[Any]:
    """Return the action of chance that follows from these picks."""
    step = state.agenda[0]
    assert isinstance(step, Chance)  # noqa: S101  # only chance steps ask chance
    return step.roll(state, pick)


def answer(game: Game[S], state: S, seat: Seat, bot: AnyBot, pick: Pick) -> Action[Any]:
    """Return the bot's action at this seat now. For a `Thinker`, everything that the seat cannot see is dealt again."""
    view, options = game.rules.view(state, seat), legal(state, seat)
    if isinstance(bot, Thinker):
        return bot.choose(view, options, lambda picks: game.rules.redeal(state, seat, picks), pick)
    return bot(view, options, pick)


def make_gentle(better: Bot, weaker: Bot) -> Bot:
    """Return a bot for newcomers: it plays like the better bot, but one time in three like the weaker one."""

    def gentle(view: Any, options: Options, pick: Pick) -> Action[Any]:  # noqa: ANN401  # each game has its own view
        return (better if pick(WEAKER_ONE_IN) else weaker)(view, options, pick)

    return gentle


def play_out(
    game: Game[S], state: S, chance: Pick, bots: Mapping[Seat, AnyBot], choices: Callable[[Seat], Pick]
) -> Iterator[tuple[Seat, Action[Any], S]]:
    """Yield every move of chance and bots with the state after it, until a seat without a bot must act."""
    while asked := to_act(state):
        if CHANCE in asked:
            seat, action = CHANCE, roll_chance(state, chance)
        else:
            seat = min((each for each in asked if each in bots), default=CHANCE)
            if seat == CHANCE:
                return
            action = answer(game, state, seat, bots[seat], choices(seat))
        state = apply(state, seat, action)
        yield seat, action, state
