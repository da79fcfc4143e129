"""`echtra learn`: a guided first match of a game that explains each decision as it comes."""

from __future__ import annotations

import click

from cli.command import bilingual_command, current_language, localise, program_name, refusal


@bilingual_command("learn", "usage.learn.about")
@click.argument("game", required=False)
def command(game: str | None) -> None:
    """Teach a game."""
    from cli.interrupts import interrupt_on_stop_signals
    from cli.match_options import find_game
    from cli.terminal import Terminal
    from cli.terminal_game.lesson_prompt import LessonPrompt
    from cli.terminal_game.prompt import QuitGame
    from engine.games import GAMES

    known = ", ".join(slug for slug, each in GAMES.items() if each.presentation.lesson)
    if game is None:
        raise refusal("commands.learn.which", known=known)
    chosen = find_game(game)
    if chosen.presentation.lesson is None:
        raise refusal("commands.learn.no_lesson", slug=game, known=known)
    try:
        with interrupt_on_stop_signals():
            LessonPrompt(chosen, chosen.presentation.lesson, Terminal(chosen)).play()
    except (KeyboardInterrupt, EOFError, QuitGame):
        click.echo(f"{localise('commands.learn.left')}\n  {program_name()} learn {game} --lang {current_language()}")
