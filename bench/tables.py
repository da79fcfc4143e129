"""Tables of figures, as every measurement prints them."""

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table


def figures_table(title: str, words: Sequence[str], figures: Sequence[str]) -> Table:
    """Return a table with columns of words on the left and of figures on the right."""
    table = Table(title=title)
    for name in words:
        table.add_column(name)
    for name in figures:
        table.add_column(name, justify="right")
    return table


def wide_console(width: int = 120) -> Console:
    """Return a console wide enough for a table of this width."""
    console = Console()
    console.width = max(console.width, width)
    return console
