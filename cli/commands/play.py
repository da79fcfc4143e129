"""`echtra play`: a whole match in the terminal, with nothing else running."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cli.command import Bilingual, bilingual_option
from cli.command import bilingual_command as spoken_command

if TYPE_CHECKING:
    from engine.words import Locale

ABOUT: Bilingual = (
    "Play a whole match of GAME here, against bots, with nothing else running.",
    "Jouer ici une partie entière d'un jeu (GAME) contre des robots, sans rien d'autre.",
)


@spoken_command("play", ABOUT)
@click.argument("game", required=False)
@bilingual_option("--seats", type=int, metavar="N", said=("How many seats.", "Nombre de places."))
@bilingual_option(
    "--bots", metavar="A,B", said=("The bots of the other seats, in order.", "Les robots des autres places.")
)
@bilingual_option(
    "--bot",
    metavar="NAME",
    said=("One bot for all other seats, or a solo rival.", "Un robot pour tous, ou un adversaire solo."),
)
@bilingual_option("--difficulty", metavar="LEVEL", said=("How strong the rival is.", "La force de l'adversaire solo."))
@bilingual_option(
    "--option", "options", multiple=True, metavar="NAME=VALUE", said=("An option of the game.", "Une option du jeu.")
)
@bilingual_option("--as", "you", type=int, metavar="SEAT", said=("Your seat; otherwise 0.", "Votre place ; sinon 0."))
@bilingual_option("--seed", type=int, metavar="N", said=("The same match again.", "Rejouer avec le même hasard."))
@bilingual_option(
    "--deal",
    metavar="KEY",
    said=("The same cards as everybody who names this key.", "Les mêmes cartes que quiconque nomme cette clé."),
)
@bilingual_option(
    "--save",
    type=click.Path(path_type=Path),
    metavar="FILE",
    said=("Where to keep the match.", "Où garder la partie."),
)
@bilingual_option(
    "--resume",
    type=click.Path(path_type=Path),
    metavar="FILE",
    said=("Go on with a saved match.", "Reprendre une partie gardée."),
)
def command(game: str | None, save: Path | None, locale: Locale, no_color: bool, **given: Any) -> None:  # noqa: ANN401
    """Play a match."""
    from cli.terminal import Terminal
    from cli.terminal_game.game import PlayArguments, start_game
    from cli.terminal_game.prompt import TurnPrompt
    from cli.terminal_game.save import GameSaver

    call = PlayArguments(slug=game, **given)
    sitting = start_game(call, locale)
    turns = TurnPrompt(sitting, Terminal(locale, no_color=no_color, game=sitting.trail.game))
    GameSaver(call, save, locale).over(turns)
