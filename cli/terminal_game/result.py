"""The end of a match: the scores with their lines, and who has won."""

from __future__ import annotations

from cli.terminal import Terminal
from cli.terminal_game.story import MatchHistory
from engine.game import Seat, final_scores, winners
from service.i18n.catalogue import translate

WINNERS = ("terminal_game.result.nobody", "terminal_game.result.wins", "terminal_game.result.share")
"""What is said of no winner, one, or more."""


def print_result(trail: MatchHistory, terminal: Terminal, you: Seat | None = None) -> None:
    """Print the scores of a match that is over, and name who has won."""
    locale = terminal.locale
    view = trail.view(trail.now, you, locale)
    names = [view.called(seat, locale) for seat in range(trail.seats)]
    if you is not None:
        names[you] = translate(locale, "terminal_game.result.you", who=names[you])
    terminal.heading(translate(locale, "terminal_game.result.scores"))
    heads = (translate(locale, "terminal_game.result.for"), translate(locale, "terminal_game.result.total"))
    terminal.scores(trail.game, names, final_scores(trail.game, trail.now), heads)
    won = [names[seat] for seat in winners(trail.game, trail.now)]
    who = translate(locale, "terminal_game.result.and").join(filter(None, (", ".join(won[:-1]), "".join(won[-1:]))))
    terminal.prose(translate(locale, WINNERS[min(len(won), 2)], who=who), "bold")
