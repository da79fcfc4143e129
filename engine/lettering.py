"""The width of words on a picture, and words cut, broken or shrunk to fit.

Pictures are drawn elsewhere, so these widths are those of the letters of our typeface, each in its broader weight.
"""

from __future__ import annotations

import re
from functools import lru_cache
from unicodedata import normalize

LETTERS_BY_WIDTH: dict[float, str] = {
    0.22: " \N{NO-BREAK SPACE}",
    0.3: "ij|",
    0.33: "',.:;Il·‘’",
    0.37: "!()-[]f•",
    0.43: "/\\rt°",
    0.5: "*?csz",
    0.52: "«»",
    0.56: "FJL_evxy–",
    0.575: '"#$+0123456789<=>Yag×“”„€−',
    0.595: "ESTVZko",
    0.615: "AXbdhnpqu",
    0.66: "BCKPR",
    0.72: "&DGHNUŸ",
    0.735: "OQ",
    0.83: "Mw→",
    0.88: "Wæ—★",
    0.935: "%mÆŒœ",
    0.97: "@",
    1.05: "…",
}
WIDTH_OF_OTHERS = 1.1


class LetterWidths(dict[str, float]):
    """Width of each letter. Accents do not change it."""

    def __missing__(self, letter: str) -> float:
        return self.get(normalize("NFD", letter)[0], WIDTH_OF_OTHERS)


WIDTH_OF_LETTER = LetterWidths({letter: width for width, letters in LETTERS_BY_WIDTH.items() for letter in letters})
ELLIPSIS = "…"


@lru_cache(maxsize=4096)
def estimate_width(words: str, size: float) -> float:
    """Return an upper bound for the width of words. Accents do not change the width of letters."""
    return sum(map(WIDTH_OF_LETTER.__getitem__, words)) * size


@lru_cache(maxsize=4096)
def cut_words(words: str, room: float, size: float) -> str:
    """Return the words if they fit, else as many letters as fit, with an ellipsis."""
    if estimate_width(words, size) <= room:
        return words
    kept = words
    while len(kept) > 1 and estimate_width(kept.rstrip() + ELLIPSIS, size) > room:
        kept = kept[:-1]
    return kept.rstrip() + ELLIPSIS


def shorten_name(name: str, room: float, size: float) -> str:
    """Return the name of a person if it fits, else its first word, which is cut only if even that does not fit."""
    return name if estimate_width(name, size) <= room else cut_words(name.split(" ", 1)[0], room, size)


def fit_size(words: str, room: float, sizes: tuple[float, ...]) -> float:
    """Return the first of these sizes in which the words fit, else the last, since small names beat cut ones."""
    return next((size for size in sizes if estimate_width(words, size) <= room), sizes[-1])


@lru_cache(maxsize=4096)
def break_words(words: str, room: float, size: float, lines: int) -> tuple[str, ...]:
    """Break words into at most `lines` lines. The last one is cut if necessary."""
    broken = [""]
    for word in words.split(" "):
        longer = f"{broken[-1]} {word}".strip()
        if broken[-1] and estimate_width(longer, size) > room:
            broken.append(word)
        else:
            broken[-1] = longer
    if len(broken) > lines:
        broken[lines - 1 :] = [" ".join(broken[lines - 1 :])]
    return tuple(cut_words(line, room, size) for line in broken)


VOWELS, CONSONANTS = "aeiouyàâäæéèêëîïôöùûüÿœ", "bcçdfghjklmnpqrstvwxz"
SOFT_BREAK = re.compile(
    f"(?<=[{VOWELS}])(?=(?:[bcdfgkpt][hlr]|qu|gn|[{CONSONANTS}])[{VOWELS}])"
    f"|(?<=[{VOWELS}][{CONSONANTS}])(?=(?![hlr])[{CONSONANTS}]h?[{VOWELS}])"
    "|(?<=-)"
)
"""Ends of syllables, where a long word may be broken in English and in French, and hyphens."""
LEAST_PART = 3
LEADING = 1.1
"""Distance between the rows of `fit_rows`, relative to the size of their letters."""


@lru_cache(maxsize=4096)
def fit_rows(words: str, room: float, height: float, sizes: tuple[float, ...]) -> tuple[tuple[str, ...], float]:
    """Break words into rows in the first of these sizes in which all of them fit into the room and the height.

    A word is broken only if no size is small enough to keep it whole. If nothing fits, there are no rows: such words
    belong in the label that a touch shows.
    """
    for softly in (False, True):
        for size in sizes:
            rows = wrap_words(words, room, size, softly=softly)
            if len(rows) * size * LEADING <= height and all(estimate_width(row, size) <= room for row in rows):
                return rows, size
    return (), sizes[-1]


def wrap_words(words: str, room: float, size: float, *, softly: bool) -> tuple[str, ...]:
    """Return words in rows; if `softly`, a word that is too long for a row is broken at the end of a syllable."""
    rows = [""]
    for word in words.split(" "):
        longer = f"{rows[-1]} {word}".strip()
        if not rows[-1] or estimate_width(longer, size) <= room:
            rows[-1] = longer
        else:
            rows.append(word)
        while softly and (end := find_soft_break(rows[-1], room, size)):
            rows[-1:] = [f"{rows[-1][:end].removesuffix('-')}-", rows[-1][end:]]
    return tuple(rows)


def find_soft_break(word: str, room: float, size: float) -> int:
    """Return where to break a word that is too long: after as many letters as fit. Return 0 if it cannot be broken."""
    if estimate_width(word, size) <= room:
        return 0
    ends = (found.end() for found in SOFT_BREAK.finditer(word, LEAST_PART, len(word) - LEAST_PART + 2))
    fit = (end for end in ends if estimate_width(f"{word[:end]}-", size) <= room)
    return max((end for end in fit if LEAST_PART <= end <= len(word) - LEAST_PART), default=0)
