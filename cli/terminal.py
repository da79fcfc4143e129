"""The terminal: tables in colour, stories, menus, scores and the prompt."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import zip_longest
from typing import Any

from rich import box
from rich.cells import cell_len
from rich.console import Console, JustifyMethod
from rich.table import Table
from rich.text import Text

from cli.command import current_language, is_plain, localise
from engine.game import AnyGame, State, final_scores, show_totals
from engine.words import french

INK_STYLES = {
    "red": "#d55e00",
    "green": "#00905a",
    "blue": "#7cc4ff",
    "yellow": "#f5e663",
    "magenta": "#cc79a7",
}
"""Colours that people with any kind of colour vision can tell apart. Letters next to them say the same."""
COLUMN_GAP = 2
SHORT_WIDTH = 20
READABLE_WIDTH = 36
NUMBER_WIDTH = 3
MOST_KEPT = 40
ROWS_AROUND_TABLE = 4
"""The heading above a table with its empty row, and the prompt below it."""
MOST_TYPED = 2000
ENDS_SENTENCE = (".", ":", ";", "!", "?")
UNBROKEN = re.compile(r"`[^`\n]{1,40}`|« [^»\n]{1,40} »")
Cells = Sequence[str]
NO_BREAK = "\N{NO-BREAK SPACE}"
Entry = tuple[int, str, str]
"""An option of a menu: its number, its sentence and its line."""


class Terminal:
    """The terminal of a command: prints and asks in the language of the call."""

    def __init__(self, game: AnyGame | None = None) -> None:
        """Prepare the console; with a game, its words are printed in its colours."""
        for stream in (sys.stdin, sys.stdout, sys.stderr):
            with suppress(AttributeError, ValueError):
                stream.reconfigure(errors="replace")  # type: ignore[union-attr]
        plain = is_plain()
        self.locale = current_language()
        self.console = Console(
            color_system=None if plain else "auto", highlight=False, markup=False, emoji=False, no_color=plain or None
        )
        self.inks = [
            (re.compile(pattern, re.MULTILINE), INK_STYLES.get(ink, ink))
            for pattern, ink in (game.presentation.inks if game else ())
        ]

    @property
    def width(self) -> int:
        """Number of columns, at least forty."""
        return max(self.console.width, 40)

    def color(self, text: str, style: str = "") -> Text:
        """Return the text with the words of the game in their colours."""
        colored = Text(text, style=style)
        for pattern, ink in self.inks:
            for hit in pattern.finditer(text):
                colored.stylize(ink, *hit.span())
        return colored

    def board(self, game: AnyGame, view: Any, *, whole: bool = True) -> bool:  # noqa: ANN401  # each game has its own
        """Print the table of a game. Unless `whole`, print its compact form if only that fits the window.

        Return True if the compact form was printed.
        """
        shown = game.presentation
        text = shown.board(view, self.locale, self.width) if shown.board else shown.text(view, self.locale)
        fits = not self.console.is_terminal or text.count("\n") + ROWS_AROUND_TABLE < self.console.height
        small = None if whole or fits else shown.compact
        self.table(text if small is None else small(view, self.locale))
        return small is not None

    def table(self, text: str) -> None:
        """Print a table that the game drew, without wrapping it, so that its columns stay aligned."""
        self.console.print(self.color(text), soft_wrap=True)

    def heading(self, title: str) -> None:
        """Print a rule across the screen with a title in it."""
        self.console.print()
        self.console.rule(Text(title, style="bold"), align="left", style="dim")

    def prose(self, text: str, style: str = "", *, whole: Sequence[str] = ()) -> None:
        """Print sentences, wrapped between words. Texts in `whole`, such as a line to type, stay in one row."""
        for row in wrap_text(self.color(reflow(text), style), self.width, whole):
            self.console.print(row, soft_wrap=True)

    def points(self, sentences: Iterable[str]) -> None:
        """Print sentences one below the other, each with a dot before it."""
        for sentence in sentences:
            self.hang(self.color(sentence), "· ")

    def hang(self, text: Text, first: str, then: str | None = None) -> None:
        """Print a text with a hanging indent: `first` before its first row, `then` or spaces before the rest."""
        later = " " * len(first) if then is None else then
        for number, row in enumerate(wrap_text(text, self.width - len(later))):
            self.console.print(Text(later if number else first, style="dim"), row, sep="", soft_wrap=True)

    def menu(self, groups: Sequence[tuple[str, Sequence[Entry], str]]) -> None:
        """Print numbered sentences with their lines, by kind: a heading, the options, and a note below them."""
        every = [entry for _, entries, _ in groups for entry in entries]
        digits = max(NUMBER_WIDTH, *(len(str(at)) for at, _, _ in every))
        for title, entries, note in groups:
            if title:
                self.console.print(Text(title, style="underline"), soft_wrap=True)
            for row in self._menu_rows(entries, every, digits):
                self.console.print(row, soft_wrap=True)
            if note:
                self.hang(Text(note, style="dim"), " " * (digits + COLUMN_GAP))

    def _menu_rows(self, entries: Sequence[Entry], every: Sequence[Entry], digits: int) -> list[Text]:
        """Return the rows of one kind: in two columns if they fit, otherwise one below the other."""
        height = -(-len(entries) // 2)
        left, right = (self._short_rows(half, digits) for half in (entries[:height], entries[height:]))
        wide = max(len(row) for row in left)
        if right and wide + COLUMN_GAP + max(len(row) for row in right) <= self.width:
            for row in left:
                row.pad_right(wide + COLUMN_GAP - len(row))
            return [row.append(other) for row, other in zip_longest(left, right, fillvalue=Text())]
        start, line = digits + COLUMN_GAP, max(len(line) for _, _, line in every)
        longest, room = max(len(sentence) for _, sentence, _ in every), self.width - start - COLUMN_GAP - line
        said = min(longest, room) if room >= min(longest, READABLE_WIDTH) else 0
        return [row for entry in entries for row in self._long_rows(entry, digits, said)]

    def _short_rows(self, entries: Sequence[Entry], digits: int) -> list[Text]:
        said = max((len(sentence) for _, sentence, _ in entries), default=0)
        return [
            self._numbered(at, digits).append(self.color(sentence.ljust(said), "not bold")).append(_line(line))
            for at, sentence, line in entries
        ]

    def _numbered(self, at: int, digits: int) -> Text:
        return Text(f"{at:>{digits}}" + " " * COLUMN_GAP, style="bold")

    def _long_rows(self, entry: Entry, digits: int, said: int) -> list[Text]:
        """Return the rows of one option, with its line next to the sentence, or below it if both are long."""
        at, sentence, line = entry
        room = self.width - digits - COLUMN_GAP
        beside = said and len(sentence) + COLUMN_GAP + len(line) > room
        parts = wrap_text(self.color(sentence, "not bold"), said if beside else room)
        end = 0 if beside else len(parts) - 1
        pad = max(said - len(parts[end]), 0)
        if len(parts[end]) + pad + COLUMN_GAP + len(line) <= room:
            parts[end].pad_right(pad)
            parts[end].append(_line(line))
        elif len(parts[end]) + COLUMN_GAP + len(line) <= room:
            parts[end].append(_line(line))
        else:
            parts.append(Text(line, style="dim"))
        first, *rest = parts
        return [self._numbered(at, digits).append(first), *(Text(" " * (digits + COLUMN_GAP)) + row for row in rest)]

    def grid(self, title: str, header: Cells, rows: Iterable[Cells], *, left: int = 1, total: Cells = ()) -> None:
        """Print a table with a header and perhaps a total; the first `left` columns are aligned left."""
        rows = list(rows)
        least = [_least_width(name, [row[at] for row in rows]) for at, name in enumerate(header)]
        pad = (0, 1) if sum(least) + 3 * len(least) - 3 <= self.width else (0, 0, 0, 1)
        made = Table(box=box.SIMPLE, show_edge=False, pad_edge=False, padding=pad, show_footer=bool(total))
        for at, name in enumerate(header):
            side: JustifyMethod = "left" if at < left else "right"
            made.add_column(name, "".join(total[at : at + 1]), justify=side, min_width=least[at], footer_style="bold")
        for row in rows:
            made.add_row(*map(self.color, row))
        self.console.print()
        if title:
            self.console.print(Text(title, style="bold"))
        self.console.print(made)

    def catalogue(self, title: str, header: Cells, rows: Sequence[Cells]) -> None:
        """Print a table of texts; if it is too wide, the long texts of a row go below its short ones."""
        sizes = [max(map(cell_len, column)) for column in zip(header, *rows, strict=True)]
        short = [at for at, size in enumerate(sizes) if size <= SHORT_WIDTH or not at]
        long = [at for at in range(len(header)) if at not in short]
        if self.width - sum(sizes[at] + 3 for at in short) >= READABLE_WIDTH * len(long):
            self.grid(title, header, rows, left=len(header))
            return
        self.console.print(Text(f"\n{title}", style="bold"), width=self.width)
        for number, row in enumerate((header, *rows)):
            line = (" " * COLUMN_GAP).join(row[at] + " " * (sizes[at] - cell_len(row[at])) for at in short)
            self.hang(self.color(line.rstrip(), "" if number else "dim"), "", "    ")
            for at in long if number else ():
                if row[at]:
                    colon = localise("commands.colon")
                    self.hang(self.color(f"{header[at]}{colon}{row[at]}"), "    ")

    def scores(self, game: AnyGame, names: Cells, state: State, heads: tuple[str, str]) -> None:
        """Print the score of every seat, item by item. `heads` name the first column and the totals."""
        scores = final_scores(game, state)
        labels = list(dict.fromkeys(count.label for score in scores for count in score.counts))
        rows = []
        for label in labels:
            by_seat = [[count.points for count in score.counts if count.label == label] for score in scores]
            name = game.presentation.words.name(label, self.locale)
            rows.append([name[:1].upper() + name[1:], *(str(sum(points)) if points else "" for points in by_seat)])
        total = [heads[1], *show_totals(game, state, self.locale)]
        self.grid("", (heads[0], *names), rows, total=total)
        self.console.print()

    def ask(self, prompt: str) -> str:
        """Return a line from the user. Raise EOFError at the end of input."""
        if sys.stdin.isatty():
            with suppress(ImportError):
                import readline  # noqa: F401  # gives input() line editing and a history
        given = input(f"{prompt} ")[:MOST_TYPED].replace(NO_BREAK, " ")
        typed = "".join(each for each in given if each.isprintable()).strip()
        if not sys.stdin.isatty():
            self.console.print(typed)
        return typed


def print_list(header: Cells, rows: Sequence[Cells], *, empty: str) -> None:
    """Print rows under a header, or the text `empty` if there are none."""
    terminal = Terminal()
    if rows:
        terminal.grid("", header, rows, left=len(header))
    else:
        terminal.prose(empty)


def reflow(text: str) -> str:
    """Join lines that were broken in the middle of a sentence."""
    rows: list[str] = []
    for row in text.split("\n"):
        if rows and rows[-1] and row and not row.startswith(" ") and not rows[-1].rstrip().endswith(ENDS_SENTENCE):
            rows[-1] = f"{rows[-1].rstrip()} {row}"
        else:
            rows.append(row)
    return "\n".join(rows)


def _least_width(name: str, cells: Cells) -> int:
    """Return the minimal width of a column: short cells are not wrapped, and no word is broken."""
    longest = max(map(len, cells), default=0)
    words = [word for cell in (name, *cells) for word in cell.split()]
    return max(longest if longest <= SHORT_WIDTH else 0, *map(len, words or [""]), 1)


def _line(line: str) -> Text:
    return Text(" " * COLUMN_GAP + line, style="not bold dim")


def wrap_text(text: Text, width: int, whole: Sequence[str] = ()) -> list[Text]:
    """Break a text into rows, at spaces only, but not inside quoted lines or before French punctuation."""
    glued = french(UNBROKEN.sub(lambda quoted: quoted[0].replace(" ", NO_BREAK), text.plain))
    for each in whole:
        if len(each) <= MOST_KEPT:
            glued = glued.replace(each, each.replace(" ", NO_BREAK))
    rows, start = [], 0
    for paragraph in glued.split("\n"):
        rows += [text[start + first : start + last] for first, last in _row_spans(paragraph, width)]
        start += len(paragraph) + 1
    return rows


def _row_spans(text: str, width: int) -> Iterator[tuple[int, int]]:
    """Yield where each row begins and ends. A word that is too long by itself stays whole."""
    start = 0
    while len(text) - start > width:
        end = text.rfind(" ", start + 1, start + width + 1)
        if end < 0 or not text[start:end].strip():
            end = text.find(" ", start + width)
        if end < 0:
            break
        yield start, len(text[:end].rstrip())
        start = end + 1
    yield start, len(text)
