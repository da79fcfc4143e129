"""The command `python -m bench`: race everybody and print steps per second and ratios."""

import sys
from collections.abc import Sequence

import click
from rich.console import Console
from rich.progress import track
from rich.table import Table

from bench.race import Contestant, Result, race
from bench.tables import figures_table

try:
    from bench import other_engines, our_games
except ModuleNotFoundError as missing:
    sys.exit(f"The benchmark needs {missing.name}, which is installed for it alone. Run: make bench")

RIVALS = other_engines.CONTESTANTS
CONTESTANTS: tuple[Contestant, ...] = (*RIVALS, *our_games.CONTESTANTS)


def find_contestants(names: Sequence[str]) -> tuple[Contestant, ...]:
    """Return the contestants whose names contain one of these words, or all of them if no word is given."""
    if not names:
        return CONTESTANTS
    matching = tuple(each for each in CONTESTANTS if any(name.lower() in each.name.lower() for name in names))
    if not matching:
        known = ", ".join(each.name for each in CONTESTANTS)
        raise click.UsageError(f"Nobody is called {' or '.join(names)}. There are: {known}.")
    return matching


def race_table(results: Sequence[Result]) -> Table:
    """Return a table with a row for each contestant and a column of ratios for each rival in the race."""
    yardsticks = [each for each in results if each.name in {rival.name for rival in RIVALS}]
    figures = ("steps/s", "range", "length", *(f"× {each.name}" for each in yardsticks))
    shown = figures_table("Random playouts, options listed at every step", ["contestant"], figures)
    for each in sorted(results, key=lambda result: -result.speed):
        slowest, fastest = each.range
        speeds = f"{each.speed:,.0f}", f"{slowest / 1000:.1f}–{fastest / 1000:.1f} k", f"{each.length:,.0f}"
        shown.add_row(each.name, *speeds, *(f"{each.ratio(rival):.2f}" for rival in yardsticks))
    return shown


@click.command()
@click.option("--rounds", type=click.IntRange(min=1), default=15, show_default=True, help="Slices for each contestant.")
@click.option(
    "--slice",
    "seconds",
    type=click.FloatRange(min=0, min_open=True),
    default=0.3,
    show_default=True,
    help="Seconds of each slice.",
)
@click.option("--seed", type=int, default=1, show_default=True, help="Where the random moves come from.")
@click.option(
    "--only", multiple=True, metavar="WORD", help="Race only those whose name contains WORD; may be repeated."
)
def main(rounds: int, seconds: float, seed: int, only: tuple[str, ...]) -> None:
    """Race our games against other engines, one after the other in a single run."""
    contestants = find_contestants(only)
    running = race(contestants, rounds, seconds, seed)
    *_, results = track(running, "Racing", rounds, console=Console(stderr=True), transient=True)
    console = Console()
    console.print(race_table(results))
    console.print(f"Medians of {rounds} slices of {seconds:g} s, interleaved; ratios are medians over the rounds.")
    console.print("Length: steps of a match. Rivals: python-chess and the bare games of rlcard.")


if __name__ == "__main__":
    main(prog_name="python -m bench")
