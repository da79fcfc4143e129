"""`echtra cards`: the cards of a game as tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cli.command import bilingual_command, refusal
from service.i18n.catalogue import translate

if TYPE_CHECKING:
    from engine.words import Locale


@bilingual_command("cards", "usage.cards.about")
@click.argument("game")
def command(game: str, locale: Locale, no_color: bool) -> None:
    """Print the cards of a game."""
    from cli.match_options import find_game
    from cli.terminal import Terminal
    from engine.games import GAMES

    chosen = find_game(game, locale)
    if chosen.presentation.tables is None:
        known = ", ".join(slug for slug, each in GAMES.items() if each.presentation.tables) or translate(
            locale, "commands.match.none"
        )
        raise refusal(locale, "commands.match.no_cards", slug=chosen.slug, known=known)
    terminal = Terminal(locale, no_color=no_color, game=chosen)
    for title, header, rows in chosen.presentation.tables(locale):
        terminal.catalogue(title, header, rows)
