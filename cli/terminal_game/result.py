"""The end of a match: the scores with their lines, and who has won."""

from __future__ import annotations

from cli.command import Said, in_words
from cli.terminal import Terminal
from cli.terminal_game.story import Trail
from engine.game import Seat, final_scores, winners

SCORES: Said = ("Scores", "Scores")
FOR: Said = ("Points for", "Points pour")
TOTAL: Said = ("Total", "Total")
YOU: Said = ("{who} (you)", "{who} (vous)")
AND: Said = (" and ", " et ")
WINS: Said = ("{who} wins.", "{who} gagne.")
SHARE: Said = ("{who} share the win.", "{who} se partagent la victoire.")
NOBODY: Said = ("Nobody wins.", "Personne ne gagne.")


def ending(trail: Trail, terminal: Terminal, you: Seat | None = None) -> None:
    """Print the scores of a match that is over, and name who has won."""
    locale = terminal.locale
    view = trail.view(trail.now, you, locale)
    names = [view.called(seat, locale) for seat in range(trail.seats)]
    if you is not None:
        names[you] = in_words(YOU, locale).format(who=names[you])
    terminal.heading(in_words(SCORES, locale))
    heads = (in_words(FOR, locale), in_words(TOTAL, locale))
    terminal.scores(trail.game, names, final_scores(trail.game, trail.now), heads)
    won = [names[seat] for seat in winners(trail.game, trail.now)]
    said = (NOBODY, WINS, SHARE)[min(len(won), 2)]
    who = in_words(AND, locale).join(filter(None, (", ".join(won[:-1]), "".join(won[-1:]))))
    terminal.prose(in_words(said, locale).format(who=who), "bold")
