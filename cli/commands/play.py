"""`echtra play`: a whole match in the terminal, with nothing else running."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cli.command import Said, option
from cli.command import command as spoken_command

if TYPE_CHECKING:
    from engine.words import Locale

ABOUT: Said = (
    "Play a whole match of GAME here, against bots, with nothing else running.",
    "Jouer ici une partie entière d'un jeu (GAME) contre des robots, sans rien d'autre.",
)


@spoken_command("play", ABOUT)
@click.argument("game", required=False)
@option("--seats", type=int, metavar="N", said=("How many seats.", "Nombre de places."))
@option("--bots", metavar="A,B", said=("The bots of the other seats, in order.", "Les robots des autres places."))
@option(
    "--bot",
    metavar="NAME",
    said=("One bot for all other seats, or a solo rival.", "Un robot pour tous, ou un adversaire solo."),
)
@option("--difficulty", metavar="LEVEL", said=("How strong the rival is.", "La force de l'adversaire solo."))
@option(
    "--option", "options", multiple=True, metavar="NAME=VALUE", said=("An option of the game.", "Une option du jeu.")
)
@option("--as", "you", type=int, metavar="SEAT", said=("Your seat; otherwise 0.", "Votre place ; sinon 0."))
@option("--seed", type=int, metavar="N", said=("The same match again.", "Rejouer avec le même hasard."))
@option(
    "--deal",
    metavar="KEY",
    said=("The same cards as everybody who names this key.", "Les mêmes cartes que quiconque nomme cette clé."),
)
@option(
    "--save",
    type=click.Path(path_type=Path),
    metavar="FILE",
    said=("Where to keep the match.", "Où garder la partie."),
)
@option(
    "--resume",
    type=click.Path(path_type=Path),
    metavar="FILE",
    said=("Go on with a saved match.", "Reprendre une partie gardée."),
)
def command(game: str | None, save: Path | None, locale: Locale, no_color: bool, **given: Any) -> None:  # noqa: ANN401
    """Play a match."""
    from cli.terminal import Terminal
    from cli.terminal_game.game import Call, begun
    from cli.terminal_game.prompt import Turns
    from cli.terminal_game.save import Keeping

    call = Call(slug=game, **given)
    sitting = begun(call, locale)
    turns = Turns(sitting, Terminal(locale, no_color=no_color, game=sitting.trail.game))
    Keeping(call, save, locale).over(turns)
