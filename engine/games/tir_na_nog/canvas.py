"""The Otherworld drawn with plain signs: cards as boxes, Storytellers between them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

INNER = {3: 18, 4: 17, 5: 13, 6: 11}
"""How wide a card is inside, by the number of columns; the whole drawing keeps to 100."""
GAP = {3: 5, 4: 5, 5: 5, 6: 3}
MARGIN = 2
NAME_LINES = 2
HEIGHT = NAME_LINES + 3
LINES = "abc"
SMALL = frozenset("a au aux d de des du et la le les na of the".split())


@dataclass(frozen=True)
class Face:
    """What a card of the grid shows."""

    value: str
    name: str
    right: str = ""


def drawn(faces: Mapping[str, Face | None], marks: Mapping[str, str], columns: int) -> list[str]:
    """The grid as lines of text: a face or None (taken) by cell, three signs by spot."""
    inner, gap = INNER[columns], GAP[columns]
    lines: list[str] = []
    for at, line in enumerate(LINES):
        cells = [f"{line}{column}" for column in range(1, columns + 1)]
        boxes = [_box(cell, faces[cell], inner) if cell in faces else [" " * (inner + 2)] * HEIGHT for cell in cells]
        for row in range(HEIGHT):
            text = " " * MARGIN + boxes[0][row]
            for left, right, box in zip(cells, cells[1:], boxes[1:], strict=False):
                mark = marks.get(left + right, "") if row == NAME_LINES else ""
                text += mark.center(gap) + box[row]
            lines.append(text.rstrip())
        if at + 1 < len(LINES):
            lines.append(_between(line, LINES[at + 1], columns, marks))
    return lines


def _between(upper: str, lower: str, columns: int, marks: Mapping[str, str]) -> str:
    text = " " * MARGIN
    for column in range(1, columns + 1):
        text += marks.get(f"{upper}{column}{lower}{column}", "").center(INNER[columns] + 2)
        corner = f"{upper}{column}{upper}{column + 1}{lower}{column}{lower}{column + 1}"
        text += marks.get(corner, "").center(GAP[columns])
    return text.rstrip()


def _box(cell: str, face: Face | None, inner: int) -> list[str]:
    if face is None:
        return [f"  {cell}".ljust(inner + 2), *[" " * (inner + 2)] * (HEIGHT - 2), " " * (inner + 2)]
    head = f" {face.value}" + face.right.rjust(inner - len(face.value) - 2) + " "
    names = folded(face.name, inner, NAME_LINES)
    body = [f"|{line.center(inner)}|" for line in names] + [f"|{' ' * inner}|"] * (NAME_LINES - len(names))
    return [f"+ {cell} ".ljust(inner + 1, "-") + "+", f"|{head[:inner]}|", *body, "+" + "-" * inner + "+"]


@lru_cache(maxsize=1024)
def folded(name: str, width: int, lines: int) -> tuple[str, ...]:
    """A name in so many lines: whole if it fits, else without its small words, else cut."""
    whole = _filled(name.split(), width)
    if len(whole) <= lines and all(len(line) <= width for line in whole):
        return tuple(whole)
    found = _filled([word for word in name.split() if word.lower() not in SMALL], width)
    return tuple(line if len(line) <= width else line[: width - 1] + "." for line in found[:lines])


def _filled(words: list[str], width: int) -> list[str]:
    lines = [words[0]]
    for word in words[1:]:
        if len(lines[-1]) + 1 + len(word) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def cut(name: str, width: int) -> str:
    """A name in one line of at most this width."""
    return folded(name, width, 1)[0]
