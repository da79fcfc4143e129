"""`echtra play`: a whole match in the terminal, without any other process."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from cli.command import FILE, bilingual_command, bilingual_option


@bilingual_command("play", "usage.play.about")
@click.argument("game", required=False)
@bilingual_option("--seats", type=int, metavar="N", text="usage.play.seats")
@bilingual_option("--bots", metavar="A,B", text="usage.play.bots")
@bilingual_option("--bot", metavar="NAME", text="usage.play.bot")
@bilingual_option("--difficulty", metavar="LEVEL", text="usage.play.difficulty")
@bilingual_option("--option", "options", multiple=True, metavar="NAME=VALUE", text="usage.play.option")
@bilingual_option("--as", "you", type=int, metavar="SEAT", text="usage.play.as")
@bilingual_option("--name", metavar="NAME", text="usage.play.name")
@bilingual_option("--seed", type=int, metavar="N", text="usage.play.seed")
@bilingual_option("--deal", metavar="KEY", text="usage.play.deal")
@bilingual_option("--save", type=FILE, metavar="FILE", text="usage.play.save")
@bilingual_option("--resume", type=FILE, metavar="FILE", text="usage.play.resume")
def command(game: str | None, save: Path | None, **given: Any) -> None:  # noqa: ANN401  # fields of PlayArguments
    """Play a match."""
    from cli.terminal import Terminal
    from cli.terminal_game.game import PlayArguments, start_game
    from cli.terminal_game.prompt import TurnPrompt
    from cli.terminal_game.save import GameSaver

    call = PlayArguments(slug=game, **given)
    sitting = start_game(call)
    GameSaver(call, save).play(TurnPrompt(sitting, Terminal(sitting.trail.game)))
