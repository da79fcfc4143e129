"""The terminal: tables in colour, stories, menus, scores and the prompt."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from itertools import zip_longest
from typing import Any

from rich import box
from rich.cells import cell_len
from rich.console import Console, JustifyMethod
from rich.table import Table
from rich.text import Text

from engine.game import Game, Score
from engine.words import Locale
from service.i18n.catalogue import translate

INK_STYLES = {"blue": "bright_blue", "magenta": "bright_magenta"}
COLUMN_GAP = 2
EVEN_WIDTH = 32
SHORT_WIDTH = 20
READABLE_WIDTH = 36
MOST_TYPED = 2000
ENDS_SENTENCE = (".", ":", ";", "!", "?")
Cells = Sequence[str]


class Terminal:
    """What a command prints on and asks at."""

    def __init__(self, locale: Locale, *, no_color: bool = False, game: Game[Any] | None = None) -> None:
        """Colours are for terminals that have them, unless somebody said no."""
        for stream in (sys.stdin, sys.stdout, sys.stderr):
            with suppress(AttributeError, ValueError):
                stream.reconfigure(errors="replace")  # type: ignore[union-attr]
        plain = no_color or bool(os.environ.get("NO_COLOR"))
        self.locale: Locale = locale
        self.console = Console(
            color_system=None if plain else "auto", highlight=False, markup=False, emoji=False, no_color=plain or None
        )
        self.inks = [
            (re.compile(pattern, re.MULTILINE), INK_STYLES.get(ink, ink))
            for pattern, ink in (game.inks if game else ())
        ]

    @property
    def width(self) -> int:
        """The columns there are, at least forty."""
        return max(self.console.width, 40)

    def inked(self, text: str, style: str = "") -> Text:
        """The text with the words of the game in their inks."""
        found = Text(text, style=style)
        for pattern, ink in self.inks:
            for hit in pattern.finditer(text):
                found.stylize(ink, *hit.span())
        return found

    def table(self, text: str) -> None:
        """A table that the game drew: never wrapped, so that its columns stay."""
        self.console.print(self.inked(text), soft_wrap=True)

    def heading(self, title: str) -> None:
        """A rule across the screen with a title in it."""
        self.console.print()
        self.console.rule(Text(title, style="bold"), align="left", style="dim")

    def prose(self, text: str, style: str = "") -> None:
        """Sentences, wrapped between words."""
        self.console.print(self.inked(reflow(text), style), width=self.width)

    def points(self, sentences: Iterable[str]) -> None:
        """Sentences one below the other, each with a dot before it."""
        for sentence in sentences:
            self._hung(self.inked(sentence), "· ", "  ")

    def _hung(self, text: Text, first: str, then: str) -> None:
        """A text wrapped between words, with one mark before its first row and another before the rest."""
        for at, row in enumerate(text.wrap(self.console, self.width - len(then))):
            row.rstrip()
            self.console.print(Text(then if at else first, style="dim"), row, sep="", soft_wrap=True)

    def menu(self, options: Sequence[tuple[int, str, str]]) -> None:
        """Numbered sentences with their lines, in two columns where they fit."""
        height = -(-len(options) // 2)
        left, right = self._column(options[:height]), self._column(options[height:])
        wide = max(cell_len(row.plain) for row in left)
        if right and wide + COLUMN_GAP + max(cell_len(row.plain) for row in right) <= self.width:
            for row, other in zip_longest(left, right, fillvalue=Text()):
                row.pad_right(wide + COLUMN_GAP - cell_len(row.plain))
                self.console.print(row.append(other), soft_wrap=True)
        else:
            for row in self._column(options):
                self.console.print(row, width=self.width)

    def _column(self, options: Sequence[tuple[int, str, str]]) -> list[Text]:
        sizes = sorted(cell_len(sentence) for _, sentence, _ in options)
        # A few long sentences do not push all lines far to the right.
        even = [size for size in sizes if size <= EVEN_WIDTH]
        said = max((even if 2 * len(even) > len(sizes) else sizes), default=0)
        wide = said + max((cell_len(line) for _, _, line in options), default=0) + 7
        return [self._entry(option, said if wide <= self.width else 0) for option in options]

    def _entry(self, option: tuple[int, str, str], said: int) -> Text:
        at, sentence, line = option
        row = Text(f"{at:>3}  ", style="bold")
        row.append(self.inked(sentence, "not bold"))
        row.append(" " * max(said - cell_len(sentence), 0) + "  ")
        row.append(line, style="not bold dim")
        return row

    def grid(self, title: str, header: Cells, rows: Iterable[Cells], *, left: int = 1, total: Cells = ()) -> None:
        """A table with a header and perhaps a total; the first columns stand left, the others right."""
        made = Table(box=box.SIMPLE, show_edge=False, pad_edge=False, show_footer=bool(total))
        for at, name in enumerate(header):
            side: JustifyMethod = "left" if at < left else "right"
            made.add_column(name, "".join(total[at : at + 1]), justify=side, overflow="fold", footer_style="bold")
        for row in rows:
            made.add_row(*map(self.inked, row))
        self.console.print()
        if title:
            self.console.print(Text(title, style="bold"))
        self.console.print(made)

    def catalogue(self, title: str, header: Cells, rows: Sequence[Cells]) -> None:
        """A table of texts: where it is too wide, the long texts of a row stand below its short ones."""
        sizes = [max(map(cell_len, column)) for column in zip(header, *rows, strict=True)]
        short = [at for at, size in enumerate(sizes) if size <= SHORT_WIDTH or not at]
        long = [at for at in range(len(header)) if at not in short]
        if self.width - sum(sizes[at] + 3 for at in short) >= READABLE_WIDTH * len(long):
            self.grid(title, header, rows, left=len(header))
            return
        self.console.print(Text(f"\n{title}", style="bold"), width=self.width)
        for number, row in enumerate((header, *rows)):
            line = (" " * COLUMN_GAP).join(row[at] + " " * (sizes[at] - cell_len(row[at])) for at in short)
            self._hung(self.inked(line.rstrip(), "" if number else "dim"), "", "    ")
            for at in long if number else ():
                if row[at]:
                    self._hung(
                        self.inked(f"{header[at]}{translate(self.locale, 'commands.colon')}{row[at]}"), "    ", "    "
                    )

    def scores(self, game: Game[Any], names: Cells, scores: Sequence[Score], heads: tuple[str, str]) -> None:
        """The score of every seat with where it comes from; `heads` name the first column and the totals."""
        labels = list(dict.fromkeys(count.label for score in scores for count in score.counts))
        rows = []
        for label in labels:
            found = [[count.points for count in score.counts if count.label == label] for score in scores]
            name = game.words.name(label, self.locale)
            rows.append([name[:1].upper() + name[1:], *(str(sum(points)) if points else "" for points in found)])
        total = [heads[1], *(str(score.total) for score in scores)]
        self.grid("", (heads[0], *names), rows, total=total)
        self.console.print()

    def ask(self, prompt: str) -> str:
        """One line from the user; EOFError at its end."""
        if sys.stdin.isatty():
            with suppress(ImportError):
                import readline  # noqa: F401  # gives input() a line editor and a memory
        typed = "".join(each for each in input(f"{prompt} ")[:MOST_TYPED] if each.isprintable()).strip()
        if not sys.stdin.isatty():
            self.console.print(typed)
        return typed


def reflow(text: str) -> str:
    """The text with lines joined that were broken in the middle of a sentence."""
    rows: list[str] = []
    for row in text.split("\n"):
        if rows and rows[-1] and row and not row.startswith(" ") and not rows[-1].rstrip().endswith(ENDS_SENTENCE):
            rows[-1] = f"{rows[-1].rstrip()} {row}"
        else:
            rows.append(row)
    return "\n".join(rows)
