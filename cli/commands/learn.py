"""`echtra learn`: a guided first match of a game, which explains each decision as it comes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cli.command import bilingual_command, program_name, refusal
from service.i18n.catalogue import translate

if TYPE_CHECKING:
    from engine.words import Locale


@bilingual_command("learn", "usage.learn.about")
@click.argument("game", required=False)
def command(game: str | None, locale: Locale, no_color: bool) -> None:
    """Teach a game."""
    from cli.interrupts import interrupt_on_stop_signals
    from cli.match_options import find_game
    from cli.terminal import Terminal
    from cli.terminal_game.lesson_prompt import LessonPrompt
    from cli.terminal_game.prompt import QuitGame
    from engine.games import GAMES

    known = ", ".join(slug for slug, each in GAMES.items() if each.presentation.lesson)
    if game is None:
        raise refusal(locale, "commands.learn.which", known=known)
    chosen = find_game(game, locale)
    if chosen.presentation.lesson is None:
        raise refusal(locale, "commands.learn.no_lesson", slug=game, known=known)
    try:
        with interrupt_on_stop_signals():
            LessonPrompt(chosen, chosen.presentation.lesson, Terminal(locale, no_color=no_color, game=chosen)).play()
    except (KeyboardInterrupt, EOFError, QuitGame):
        click.echo(f"{translate(locale, 'commands.learn.left')}\n  {program_name()} learn {game} --lang {locale}")
