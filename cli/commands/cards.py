"""`echtra cards`: the cards of a game as tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cli.command import Bilingual
from cli.command import bilingual_command as spoken_command
from service.i18n.legacy.cli_phrases import phrase, refusal

if TYPE_CHECKING:
    from engine.words import Locale

ABOUT: Bilingual = ("Print the cards of GAME as tables.", "Afficher les cartes d'un jeu (GAME).")


@spoken_command("cards", ABOUT)
@click.argument("game")
def command(game: str, locale: Locale, no_color: bool) -> None:
    """Print the cards of a game."""
    from cli.match_options import find_game
    from cli.terminal import Terminal
    from engine.games import GAMES

    chosen = find_game(game, locale)
    if chosen.tables is None:
        known = ", ".join(slug for slug, each in GAMES.items() if each.tables) or phrase(locale, "none")
        raise refusal(locale, "no-cards", slug=chosen.slug, known=known)
    terminal = Terminal(locale, no_color=no_color, game=chosen)
    for title, header, rows in chosen.tables(locale):
        terminal.catalogue(title, header, rows)
