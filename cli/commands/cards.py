"""`echtra cards`: the cards of a game as tables."""

from __future__ import annotations

import click

from cli.command import bilingual_command, current_language, localise, refusal


@bilingual_command("cards", "usage.cards.about")
@click.argument("game")
def command(game: str) -> None:
    """Print the cards of a game."""
    from cli.match_options import find_game
    from cli.terminal import Terminal
    from engine.games import GAMES

    chosen = find_game(game)
    if chosen.presentation.tables is None:
        known = ", ".join(slug for slug, each in GAMES.items() if each.presentation.tables)
        raise refusal("commands.match.no_cards", slug=chosen.slug, known=known or localise("commands.match.none"))
    terminal = Terminal(chosen)
    for title, header, rows in chosen.presentation.tables(current_language()):
        terminal.catalogue(title, header, rows)
