"""An email as plain text: at most 78 columns, complete without the HTML, in the order of reading aloud."""

from __future__ import annotations

import re
from functools import singledispatch

from engine.lines import fold_words as lines_of
from service.mail.letters import blocks
from service.mail.letters.blocks import Block, Letter
from service.mail.render.quote_safety import DetectorsByGame, detectors_by_game, find_move, find_moves

WIDTH = 78
NARROWEST_PAGE = 56
NARROWEST_COLUMN = 6
CONTROL_CHARACTERS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


def render_text(letter: Letter) -> str:
    """Return the whole email as text."""
    detectors = detectors_by_game(letter.viewers)
    parts = [piece for block in letter.blocks if (piece := "\n".join(_safe_lines(block, detectors)))]
    return "\n\n".join(parts) + "\n"


def _safe_lines(block: Block, detectors: DetectorsByGame) -> list[str]:
    found = render_lines(block, WIDTH)
    if not isinstance(block, blocks.Preformatted):
        move = find_move(found, detectors)
        if move is None:
            return found
        at = found.index(move)
        for width in range(WIDTH - 2, NARROWEST_PAGE, -2):
            narrower = render_lines(block, width)
            # A line that is a move at one width often is one at the next: look at it and those below it first.
            move = find_move([*narrower[at:], *narrower[:at]], detectors)
            if move is None:
                return narrower
            at = narrower.index(move)
    # If no width helps, put a dash before the line: no move begins with one.
    moves = find_moves(found, detectors)
    return [f"- {line.lstrip()}" if line in moves else line for line in found] if moves else found


def fold(words: str, first: str = "", later: str | None = None, width: int = WIDTH) -> list[str]:
    """Return words folded into lines; a word that is too long for a line stays whole."""
    if words.isprintable() and len(first) + len(words) <= width and words[-1:] not in ("", " "):
        return [first + words]  # most are short
    return lines_of(_strip_controls(words), width, first, first if later is None else later)


def _strip_controls(words: str) -> str:
    return words if words.isprintable() else CONTROL_CHARACTERS.sub("", words)


@singledispatch
def render_lines(block: Block, _width: int) -> list[str]:
    """Return the lines of a block at this width."""
    raise TypeError(f"{type(block).__name__} is not a block of an email")


@render_lines.register
def _(block: blocks.SmallPrint, width: int) -> list[str]:
    return [*fold(block.words, width=width), *([f"<{block.url}>"] if block.url else [])]


@render_lines.register
def _(block: blocks.Para | blocks.Heading, width: int) -> list[str]:
    return fold(block.words, width=width)


@render_lines.register
def _(block: blocks.Bullets, width: int) -> list[str]:
    return [line for item in block.items for line in fold(item, "- ", "  ", width)]


@render_lines.register
def _(block: blocks.Preformatted, width: int) -> list[str]:
    # Check all lines at once: a table has very many, and hardly ever a control character.
    clean = block.words.replace("\n", " ").replace("\N{NO-BREAK SPACE}", " ").isprintable()
    found: list[str] = []
    for words in block.words.split("\n"):
        if len(words) <= width:
            found.append((words if clean else _strip_controls(words)).rstrip())
        else:
            indent = words[: len(words) - len(words.lstrip())][: width // 2]
            found += fold(words.strip(), indent, indent + "  ", width)
    return found


@render_lines.register
def _(block: blocks.Menu, width: int) -> list[str]:
    wide = len(f"{block.prefix}{block.choices[-1].number}") if block.choices else 1
    found: list[str] = []
    for choice in block.choices:
        label = f"  {f'{block.prefix}{choice.number}':>{wide}}  "
        found += fold(f"{choice.line} – {choice.sentence}", label, " " * (len(label) + 2), width)
    return [*found, *fold(block.more, width=width)] if block.more else found


@render_lines.register
def _(block: blocks.FactList, width: int) -> list[str]:
    return [line for label, value in block.rows for line in fold(f"{label} {value}", "", "  ", width)]


@render_lines.register
def _(block: blocks.ScoreTable, width: int) -> list[str]:
    """Return columns, or a sentence for each name if columns would be too narrow to read."""
    wide = max(len(label) for label, _ in block.rows) + 2
    column = max(NARROWEST_COLUMN, *(len(name) + 2 for name in block.names))
    if wide + column * len(block.names) > width:
        return [line for at, name in enumerate(block.names) for line in _score_lines(block, at, name, width)]
    rows = [" " * wide + "".join(name.rjust(column) for name in block.names)]
    rows += [label.ljust(wide) + "".join(cell.rjust(column) for cell in cells) for label, cells in block.rows]
    return rows


def _score_lines(block: blocks.ScoreTable, at: int, name: str, width: int) -> list[str]:
    counts = ", ".join(f"{label} {cells[at]}" for label, cells in block.rows)
    return fold(f"{name}: {counts}", "", "  ", width)


@render_lines.register
def _(block: blocks.Link, width: int) -> list[str]:
    return [*fold(block.words, width=width), f"<{block.url}>"]


@render_lines.register
def _(block: blocks.Passcode, _width: int) -> list[str]:
    return [f"    {block.words}"]


@render_lines.register
def _(block: blocks.Quote, width: int) -> list[str]:
    return [
        *fold(block.who, width=width),
        *(line for each in block.words.split("\n") for line in fold(each, "    ", width=width)),
    ]


@render_lines.register
def _(_block: blocks.Picture, _width: int) -> list[str]:
    return []
