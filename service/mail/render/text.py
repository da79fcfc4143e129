"""A letter as plain text: at most 78 columns, complete alone, in the order in which it is read aloud."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import singledispatch

from engine.lines import folded as lines_of
from service.mail.letters.blocks import (
    Block,
    Bullets,
    Code,
    Facts,
    Fine,
    Heading,
    Letter,
    Link,
    Menu,
    OwnAddress,
    Para,
    Picture,
    Plain,
    Quote,
    Scores,
)
from service.mail.render.quote_safety import Ear, innocent

WIDTH = 78
NARROW = 56
NARROWEST = 6
BREAKS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


def text(letter: Letter, replies: Mapping[str, str]) -> str:
    """The whole letter; `replies` are the addresses of its tables by their labels."""
    ears = tuple(Ear(looking) for looking in letter.seats)
    parts = [piece for block in letter.blocks if (piece := "\n".join(_lines(block, ears, replies)))]
    return "\n\n".join(parts) + "\n"


def _lines(block: Block, ears: tuple[Ear, ...], replies: Mapping[str, str]) -> list[str]:
    if isinstance(block, OwnAddress):
        return [*folded(block.words), f"<{replies[block.label]}>"]
    for width in (WIDTH,) if isinstance(block, Plain) else range(WIDTH, NARROW, -2):
        found = lines(block, width)
        if all(innocent(line, ears) for line in found):
            return found
    # What a narrower page does not cure is cured by a dash, with which no move begins.
    return [line if innocent(line, ears) else f"- {line.lstrip()}" for line in lines(block, WIDTH)]


def folded(words: str, first: str = "", later: str | None = None, width: int = WIDTH) -> list[str]:
    """Words in lines that are not too long; a word that is too long by itself stays whole."""
    return lines_of(_unbroken(words), width, first, first if later is None else later)


def _unbroken(words: str) -> str:
    return words if words.isprintable() else BREAKS.sub("", words)


@singledispatch
def lines(block: Block, _width: int) -> list[str]:
    """The lines of one block, on a page so wide."""
    raise TypeError(f"{type(block).__name__} is not a block of a letter")


@lines.register
def _(block: Para, width: int) -> list[str]:
    return folded(block.words, width=width)


@lines.register
def _(block: Fine, width: int) -> list[str]:
    return [*folded(block.words, width=width), *([f"<{block.url}>"] if block.url else [])]


@lines.register
def _(block: Heading, width: int) -> list[str]:
    return folded(block.words, width=width)


@lines.register
def _(block: Bullets, width: int) -> list[str]:
    return [line for item in block.items for line in folded(item, "- ", "  ", width)]


@lines.register
def _(block: Plain, width: int) -> list[str]:
    return [line for words in block.words.split("\n") for line in _plain(words, width)]


def _plain(words: str, width: int) -> list[str]:
    if len(words) <= width:
        return [_unbroken(words).rstrip()]
    indent = words[: len(words) - len(words.lstrip())]
    return folded(words.strip(), indent[: width // 2], indent[: width // 2] + "  ", width)


@lines.register
def _(block: Menu, width: int) -> list[str]:
    wide = len(f"{block.prefix}{block.choices[-1].number}") if block.choices else 1
    found: list[str] = []
    for choice in block.choices:
        label = f"  {f'{block.prefix}{choice.number}':>{wide}}  "
        found += folded(f"{choice.line} – {choice.sentence}", label, " " * (len(label) + 2), width)
    return [*found, *folded(block.more, width=width)] if block.more else found


@lines.register
def _(block: Facts, width: int) -> list[str]:
    return [line for label, value in block.rows for line in folded(f"{label} {value}", "", "  ", width)]


@lines.register
def _(block: Scores, width: int) -> list[str]:
    """One sentence a name where columns would be too narrow to be read, else columns."""
    wide = max(len(label) for label, _ in block.rows) + 2
    column = max(NARROWEST, *(len(name) + 2 for name in block.names))
    if wide + column * len(block.names) > width:
        return [line for at, name in enumerate(block.names) for line in _listed(block, at, name, width)]
    rows = [" " * wide + "".join(name.rjust(column) for name in block.names)]
    rows += [label.ljust(wide) + "".join(cell.rjust(column) for cell in cells) for label, cells in block.rows]
    return rows


def _listed(block: Scores, at: int, name: str, width: int) -> list[str]:
    counts = ", ".join(f"{label} {cells[at]}" for label, cells in block.rows)
    return folded(f"{name}: {counts}", "", "  ", width)


@lines.register
def _(block: Link, width: int) -> list[str]:
    return [*folded(block.words, width=width), f"<{block.url}>"]


@lines.register
def _(block: Code, _width: int) -> list[str]:
    return [f"    {block.words}"]


@lines.register
def _(block: Quote, width: int) -> list[str]:
    return [
        *folded(block.who, width=width),
        *(line for each in block.words.split("\n") for line in folded(each, "    ", width=width)),
    ]


@lines.register
def _(_block: Picture, _width: int) -> list[str]:
    return []
