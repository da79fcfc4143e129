"""`echtra cards`: the cards of a game as tables."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, cast

import click

from worker.commands.phrases import phrase, refusal
from worker.commands.spoken import Said
from worker.commands.spoken import command as spoken_command

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from engine.words import Locale

    CardTable = tuple[str, Sequence[str], Sequence[Sequence[str]]]

ABOUT: Said = ("Print the cards of GAME as tables.", "Afficher les cartes d'un jeu (GAME).")


def tables_of(slug: str) -> Callable[[Locale], Sequence[CardTable]] | None:
    """What lists the cards of a game: `tables(locale)` in the `wording` of its folder, if the game has one."""
    name = f"engine.games.{slug.replace('-', '_')}.wording"
    if find_spec(name) is None:
        return None
    return cast("Callable[[Locale], Sequence[CardTable]] | None", getattr(import_module(name), "tables", None))


@spoken_command("cards", ABOUT)
@click.argument("game")
def command(game: str, locale: Locale, no_color: bool) -> None:
    """Print the cards of a game."""
    from engine.games import GAMES
    from worker.commands.choices import game_named
    from worker.terminal import Terminal

    slug = game_named(game, locale).slug
    tables = tables_of(slug)
    if tables is None:
        known = ", ".join(each for each in GAMES if tables_of(each)) or phrase(locale, "none")
        raise refusal(locale, "no-cards", slug=slug, known=known)
    terminal = Terminal(locale, no_color=no_color, game=GAMES[slug])
    for title, header, rows in tables(locale):
        terminal.catalogue(title, header, [[str(cell) for cell in row] for row in rows])
