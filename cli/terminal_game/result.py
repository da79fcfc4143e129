"""The end of a match: the scores with their lines, and who has won."""

from __future__ import annotations

from cli.command import Bilingual, text_in
from cli.terminal import Terminal
from cli.terminal_game.story import MatchHistory
from engine.game import Seat, final_scores, winners

SCORES: Bilingual = ("Scores", "Scores")
FOR: Bilingual = ("Points for", "Points pour")
TOTAL: Bilingual = ("Total", "Total")
YOU: Bilingual = ("{who} (you)", "{who} (vous)")
AND: Bilingual = (" and ", " et ")
WINS: Bilingual = ("{who} wins.", "{who} gagne.")
SHARE: Bilingual = ("{who} share the win.", "{who} se partagent la victoire.")
NOBODY: Bilingual = ("Nobody wins.", "Personne ne gagne.")


def print_result(trail: MatchHistory, terminal: Terminal, you: Seat | None = None) -> None:
    """Print the scores of a match that is over, and name who has won."""
    locale = terminal.locale
    view = trail.view(trail.now, you, locale)
    names = [view.called(seat, locale) for seat in range(trail.seats)]
    if you is not None:
        names[you] = text_in(YOU, locale).format(who=names[you])
    terminal.heading(text_in(SCORES, locale))
    heads = (text_in(FOR, locale), text_in(TOTAL, locale))
    terminal.scores(trail.game, names, final_scores(trail.game, trail.now), heads)
    won = [names[seat] for seat in winners(trail.game, trail.now)]
    said = (NOBODY, WINS, SHARE)[min(len(won), 2)]
    who = text_in(AND, locale).join(filter(None, (", ".join(won[:-1]), "".join(won[-1:]))))
    terminal.prose(text_in(said, locale).format(who=who), "bold")
