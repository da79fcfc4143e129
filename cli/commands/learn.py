"""`echtra learn`: a guided first match of a game, which explains each decision as it comes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cli.command import Bilingual, Refusal, program_name, text_in
from cli.command import bilingual_command as spoken_command

if TYPE_CHECKING:
    from engine.words import Locale

ABOUT: Bilingual = (
    "Learn GAME by a guided first match against a bot, always with the same cards.",
    "Apprendre un jeu (GAME) par une première partie guidée contre un robot, toujours avec les mêmes cartes.",
)
TEXTS: dict[str, Bilingual] = {
    "which": ("Which game? There are lessons of: {known}.", "Quel jeu ? Il y a des leçons de : {known}."),
    "no-lesson": (
        "There is no lesson of {slug}; there are lessons of: {known}.",
        "Il n'y a pas de leçon de {slug} ; il y a des leçons de : {known}.",
    ),
    "left": ("\nThe lesson ends here. Begin again with:", "\nLa leçon s'arrête ici. Pour recommencer :"),
}


@spoken_command("learn", ABOUT)
@click.argument("game", required=False)
def command(game: str | None, locale: Locale, no_color: bool) -> None:
    """Teach a game."""
    from cli.interrupts import interrupt_on_stop_signals
    from cli.match_options import find_game
    from cli.terminal import Terminal
    from cli.terminal_game.lesson_prompt import LessonPrompt
    from cli.terminal_game.prompt import QuitGame
    from engine.games import GAMES

    known = ", ".join(slug for slug, each in GAMES.items() if each.lesson)
    if game is None:
        raise Refusal(text_in(TEXTS["which"], locale).format(known=known))
    chosen = find_game(game, locale)
    if chosen.lesson is None:
        raise Refusal(text_in(TEXTS["no-lesson"], locale).format(slug=game, known=known))
    try:
        with interrupt_on_stop_signals():
            LessonPrompt(chosen, chosen.lesson, Terminal(locale, no_color=no_color, game=chosen)).play()
    except (KeyboardInterrupt, EOFError, QuitGame):
        click.echo(f"{text_in(TEXTS['left'], locale)}\n  {program_name()} learn {game} --lang {locale}")
