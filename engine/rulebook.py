"""The whole rules of a game as plain values: sections of paragraphs, lists, tables and examples, and their printing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from engine.lines import fold_words
from engine.words import Locale, french, typeset

if TYPE_CHECKING:
    from engine.game import Game

WIDTH = 78
GAP = "  "
INDENT = "  "
NARROWEST = 8
CODE = re.compile("`[^`]{1,50}`")
GLUE = "\ue000"
EXAMPLE: dict[Locale, str] = {"en": "Example: ", "fr": french("Exemple : ")}
OURS: dict[Locale, str] = {"en": "Ours: ", "fr": french("De nous : ")}


@dataclass(frozen=True)
class Paragraph:
    """Sentences about one thing. A line that can be typed is set in `grave accents`."""

    text: str


@dataclass(frozen=True)
class Points:
    """A list of points."""

    items: tuple[str, ...]


@dataclass(frozen=True)
class Grid:
    """A small table."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Example:
    """A rule applied, with numbers."""

    text: str


@dataclass(frozen=True)
class Ours:
    """Our own ruling or reconstruction, where no rulebook has a rule."""

    text: str


Block = Paragraph | Points | Grid | Example | Ours


@dataclass(frozen=True)
class Section:
    """A heading and the blocks below it."""

    title: str
    blocks: tuple[Block, ...]


Rulebook = tuple[Section, ...]


def read_rulebook(text: str, locale: Locale) -> Rulebook:
    """Read sections: `# title`, `- point`, `| cell | cell |`, `> example`, `! ours`, with empty rows between."""
    parts = [part for part in re.split(r"^# ", typeset(text, locale), flags=re.MULTILINE) if part.strip()]
    return tuple(_section(part) for part in parts)


def _section(text: str) -> Section:
    title, _, rest = text.partition("\n")
    return Section(
        title.strip(), tuple(_block(part) for part in re.split(r"\n\s*\n", rest.strip("\n")) if part.strip())
    )


def _block(text: str) -> Block:
    match text[:2]:
        case "- ":
            return Points(
                tuple(_join_rows(item) for item in re.split(r"^- ", text, flags=re.MULTILINE) if item.strip())
            )
        case "| ":
            rows = [tuple(cell.strip() for cell in row.strip().strip("|").split("|")) for row in text.splitlines()]
            return Grid(rows[0], tuple(rows[1:]))
        case "> ":
            return Example(_join_rows(text[2:]))
        case "! ":
            return Ours(_join_rows(text[2:]))
    return Paragraph(_join_rows(text))


def _join_rows(text: str) -> str:
    return " ".join(row.strip() for row in text.splitlines())


def whole_rules(game: Game[Any], locale: Locale) -> Rulebook:
    """Return the whole rules of a game, or its rules in brief while its rulebook is not written."""
    brief = tuple(Paragraph(_join_rows(part)) for part in game.presentation.rules_summary.get(locale, "").split("\n\n"))
    return game.presentation.rulebook.get(locale) or (Section(game.presentation.title[locale], brief),)


def print_rulebook(rulebook: Rulebook, locale: Locale, width: int = WIDTH) -> str:
    """Print the rules as text of this width, with a number before each heading."""
    parts = []
    for number, section in enumerate(rulebook, 1):
        head = f"{number}. {section.title}"
        parts.append("\n".join([head, "-" * len(head)]))
        parts += ["\n".join(print_block(block, locale, width)) for block in section.blocks]
    return "\n\n".join(parts)


def print_block(block: Block, locale: Locale, width: int = WIDTH) -> list[str]:
    """Return the lines of one block."""
    match block:
        case Points(items):
            return [line for item in items for line in _fold_text(item, width, "- ", INDENT)]
        case Grid(header, rows):
            return list(_grid(header, rows, width))
        case Example(text):
            return _fold_text(EXAMPLE[locale] + text, width, INDENT, INDENT)
        case Ours(text):
            return _fold_text(OURS[locale] + text, width, INDENT, INDENT)
    return _fold_text(block.text, width)


def _fold_text(text: str, width: int, first: str = "", later: str = "") -> list[str]:
    """Fold the text into lines. Lines never break inside `grave accents`, which contain text that can be typed."""
    glued = CODE.sub(lambda code: code[0].replace(" ", GLUE), text)
    return [line.replace(GLUE, " ") for line in fold_words(glued, width, first, later)]


def _grid(header: tuple[str, ...], rows: tuple[tuple[str, ...], ...], width: int) -> Iterator[str]:
    sizes = [max(map(len, column)) for column in zip(header, *rows, strict=True)]
    while sum(sizes) + len(GAP) * len(sizes) > width and max(sizes) > NARROWEST:
        sizes[sizes.index(max(sizes))] -= 1
    for row in (header, tuple("-" * size for size in sizes), *rows):
        cells = [fold_words(cell, size) for cell, size in zip(row, sizes, strict=True)]
        for line in zip_longest(*cells, fillvalue=""):
            words = GAP.join(cell.ljust(size) for cell, size in zip(line, sizes, strict=True))
            yield (INDENT + words).rstrip()
