"""The end of a match: the scores with their lines, and who has won."""

from __future__ import annotations

from cli.command import localise
from cli.terminal import Terminal
from cli.terminal_game.story import MatchHistory
from engine.game import Seat, winners

WINNERS = ("terminal_game.result.nobody", "terminal_game.result.wins", "terminal_game.result.share")
"""Keys of the texts for no winner, one, or more."""


def print_result(trail: MatchHistory, terminal: Terminal, you: Seat | None = None) -> None:
    """Print the scores of a match that is over, and name who has won."""
    locale = terminal.locale
    view = trail.view(trail.now, you)
    names = [view.called(seat, locale) for seat in range(trail.seats)]
    if you is not None:
        names[you] = localise("terminal_game.result.you", who=names[you])
    terminal.heading(localise("terminal_game.result.scores"))
    points = trail.game.rules.points
    heads = (
        localise("terminal_game.result.for") if points else "",
        localise("terminal_game.result.total" if points else "terminal_game.result.outcome"),
    )
    terminal.scores(trail.game, names, trail.now, heads)
    won = [names[seat] for seat in winners(trail.game, trail.now)]
    who = localise("terminal_game.result.and").join(filter(None, (", ".join(won[:-1]), "".join(won[-1:]))))
    terminal.prose(localise(WINNERS[min(len(won), 2)], who=who), "bold")
