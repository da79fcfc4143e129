"""The rivals: python-chess and the bare games of rlcard, without the encodings of its environments."""

from random import Random

import chess
from numpy.random import RandomState
from rlcard.games.gin_rummy.game import GinRummyGame
from rlcard.games.uno.game import UnoGame

from bench.race import Contestant

PLIES_WITHOUT_PROGRESS = 150  # the seventy-five-move rule


def chess_playout(rng: Random) -> int:
    """Play random moves until there is none or the game is drawn by force. Return the number of plies."""
    board = chess.Board()
    while moves := list(board.legal_moves):
        if board.halfmove_clock >= PLIES_WITHOUT_PROGRESS or board.is_insufficient_material():
            break
        board.push(rng.choice(moves))
    return board.ply()


# Made once and dealt again for every match, as rlcard's own environments do: making one costs as much as playing.
UNO = UnoGame(num_players=2)
UNO.np_random = RandomState(1)
GIN_RUMMY = GinRummyGame()
GIN_RUMMY.np_random = RandomState(1)


def uno_playout(rng: Random) -> int:
    """Play a random game of two-player UNO. Each step answers a state that already lists the legal actions."""
    return _uno(UNO, rng)


def new_uno_playout(rng: Random) -> int:
    """Play a random game of UNO with a new game object, the cost of a single match."""
    game = UnoGame(num_players=2)
    game.np_random = RandomState(rng.randrange(2**31))
    return _uno(game, rng)


def _uno(game: UnoGame, rng: Random) -> int:
    state, _ = game.init_game()
    steps = 0
    while not game.is_over():
        state, _ = game.step(rng.choice(state["legal_actions"]))
        steps += 1
    return steps


def gin_rummy_playout(rng: Random) -> int:
    """Play a random hand of gin rummy. Its judge lists the legal actions at each step."""
    GIN_RUMMY.init_game()
    steps = 0
    while not GIN_RUMMY.is_over():
        GIN_RUMMY.step(rng.choice(GIN_RUMMY.judge.get_legal_actions()))
        steps += 1
    return steps


CONTESTANTS = (
    Contestant("chess", chess_playout),
    Contestant("uno", new_uno_playout),
    Contestant("uno-reused", uno_playout),
    Contestant("gin-rummy", gin_rummy_playout),
)
