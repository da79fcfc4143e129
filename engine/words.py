"""The vocabulary of a game: the ways to say its canonical words in each language."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Literal

Locale = Literal["en", "fr"]
LOCALES: tuple[Locale, ...] = ("en", "fr")
BOTS: Mapping[Locale, Mapping[str, str]] = {
    "en": {"random": "Random", "gentle": "Gentle", "steady": "Steady", "strong": "Strong"},
    "fr": {"random": "Aléatoire", "gentle": "Indulgent", "steady": "Constant", "strong": "Fort"},
}
"""Names of the bots that several games have."""
BOT_VERSION = re.compile(r"(.+)-([2-9]|[1-9][0-9]+)")


def bot_version(name: str) -> tuple[str, int]:
    """Split a bot's name in records into the name that people use and the version: `steady-2` is ("steady", 2)."""
    versioned = BOT_VERSION.fullmatch(name)
    return (versioned[1], int(versioned[2])) if versioned else (name, 1)


OUTCOMES: Mapping[Locale, Mapping[str, str]] = {
    "en": {"won": "won", "drawn": "drawn", "lost": "lost"},
    "fr": {"won": "gagné", "drawn": "nulle", "lost": "perdu"},
}
"""Results of a seat in a game without points."""


SIGNS = "+-:?#/|"
ASCII = "".join(chr(code) if chr(code).isalnum() or chr(code) in SIGNS else " " for code in range(128))


MOST_SIGNS_KEPT = 0x2100
"""Letters, accents and dashes of Europe are below this. The translation of later characters is not cached."""
LONGEST_KEPT = 120
LONGEST_CODE = 2


class PlainSigns(dict[int, str | None]):
    """Translation of the characters of a text in NFD form: accents are dropped, other odd characters become spaces."""

    def __missing__(self, code: int) -> str | None:
        """Return the translation of a character on its first use."""
        plain_sign = ASCII[code] if code < len(ASCII) else None if unicodedata.combining(chr(code)) else " "
        if code < MOST_SIGNS_KEPT:
            self[code] = plain_sign
        return plain_sign


PLAIN_SIGNS = PlainSigns()


def plain(text: str) -> str:
    """Return the text in lower case without accents or apostrophes, with every other sign replaced by a space."""
    return _plain_words(text) if len(text) <= LONGEST_KEPT else _make_plain(text)


def _make_plain(text: str) -> str:
    if text.isascii():
        return " ".join(text.lower().replace("'", "").translate(ASCII).split())
    text = text.lower().replace("’", "").replace("'", "").replace("œ", "oe").replace("æ", "ae")
    return " ".join(unicodedata.normalize("NFD", text).translate(PLAIN_SIGNS).split())


_plain_words = lru_cache(maxsize=1 << 13)(_make_plain)
"""Cached form of `plain`, for names and lines that occur again and again."""


def is_number(text: str) -> bool:
    """Return True for a whole number in ASCII digits. `²` and `①` pass `isdigit` too, but `int` fails on them."""
    return text.isascii() and text.isdigit()


def french(text: str) -> str:
    """Return the text with the unbreakable spaces that French sets around its signs."""
    for sign in ":;!?»":
        text = text.replace(f" {sign}", f"\N{NO-BREAK SPACE}{sign}")
    return text.replace("« ", "«\N{NO-BREAK SPACE}")


def typeset(text: str, locale: Locale) -> str:
    """Return the text typeset for its language: French gets its unbreakable spaces."""
    return french(text) if locale == "fr" else text


def capitalise(text: str) -> str:
    """Return the text with a capital first letter and nothing else changed, unlike `str.capitalize`."""
    return text[:1].upper() + text[1:]


AND: Mapping[Locale, str] = {"en": " and ", "fr": " et "}
"""Separates the last two names of a list."""
THEN_WORD: Mapping[Locale, str] = {"en": ", then ", "fr": ", puis "}
"""Separates two steps, one after the other."""


def points_word(points: int, locale: Locale) -> str:
    """Return the word after a number of points. French uses the singular for 0 too."""
    return "point" if abs(points) == 1 or (locale == "fr" and not points) else "points"


def of_name(who: str) -> str:
    """Return `de` and a name in French, elided before a vowel: `de Bran`, `d’Aoife`."""
    start = plain(who[:2]).ljust(2)
    vowel = start[0] in "aeiou" or (start[0] == "y" and start[1] not in "aeiou")
    return f"d’{who}" if vowel else f"de {who}"


NAMES = ("who", "by", "name", "player", "players", "other", "seats")
"""Placeholders of names, before which French elides `de`."""


def elide_names(text: str, values: Mapping[str, object]) -> str:
    """Return a French text with `d’{who}` for `de {who}` where that name begins with a vowel."""
    for name in NAMES if "de {" in text else ():
        if f" de {{{name}}}" in text and of_name(str(values.get(name, ""))).startswith("d’"):
            text = text.replace(f" de {{{name}}}", f" d’{{{name}}}")
    return text


@dataclass(frozen=True, eq=False)
class Words:
    """Names of each canonical word by language, the printed one first. Compared by identity."""

    names: Mapping[Locale, Mapping[str, tuple[str, ...]]]
    bots: Mapping[Locale, Mapping[str, str]] = field(default_factory=lambda: BOTS)
    """Names of the bots, which no line contains."""
    fields: Mapping[Locale, Mapping[str, str]] = field(default_factory=dict)
    """Names of the fields after a verb, for forms in capitals. English uses the field names."""

    def name(self, word: str, locale: Locale) -> str:
        """Return the printed name of a canonical word."""
        names = self.names[locale].get(word) or self.names["en"].get(word)
        return names[0] if names else word

    def typed(self, line: str, locale: Locale) -> str:
        """Return a canonical line in the words that people of a language type: `lay Y6` is `poser J6` in French.

        A code stays if the language has no other. A word with only long names gets the printed one.
        """
        return line if locale == "en" else " ".join(self._typed_word(word, locale) for word in line.split(" "))

    def _typed_word(self, word: str, locale: Locale) -> str:
        names = self.names[locale].get(word, ())
        short = next((name for name in names if " " not in name), "")
        if short or not names or len(word) <= LONGEST_CODE or any(map(str.isdigit, word)):
            return short or word
        return names[0]

    def form(self, verb: str, fields: Iterable[str], locale: Locale) -> str:
        """Return the form of a line, with capitals for its fields: `put KIND PLACE`, `poser JETON EMPLACEMENT`."""
        names = self.fields.get(locale, {})
        said = verb if locale == "en" else self.name(verb, locale)
        return " ".join([said, *(names.get(name, name).upper() for name in fields)])

    def bot(self, name: str, locale: Locale) -> str:
        """Return the printed name of a bot, which is the same for all its versions."""
        name = bot_version(name)[0]
        return self.bots[locale].get(name, name)

    @cached_property
    def spoken(self) -> Mapping[str, tuple[tuple[str, ...], ...]]:
        """All ways to type each canonical word, as tuples of plain tokens."""
        ways: dict[str, dict[tuple[str, ...], None]] = {}
        for by_word in self.names.values():
            for word, names in by_word.items():
                for name in names:
                    typed = ways.setdefault(word, {})
                    typed[tuple(plain(name).replace("-", " ").split())] = None
                    typed[tuple(plain(name).split())] = None
        return {word: tuple(typed_ways) for word, typed_ways in ways.items()}

    @cached_property
    def beginning(self) -> Mapping[str, tuple[tuple[tuple[str, ...], str], ...]]:
        """The ways to type something and its canonical word, by their first token."""
        by_token: dict[str, list[tuple[tuple[str, ...], str]]] = {}
        for word, ways in self.spoken.items():
            for way in ways:
                by_token.setdefault(way[0], []).append((way, word))
        return {first: tuple(pairs) for first, pairs in by_token.items()}

    @cached_property
    def _typed(self) -> dict[str, tuple[tuple[str, ...], ...]]:
        return {}

    def ways(self, word: str) -> tuple[tuple[str, ...], ...]:
        """Return all ways to type a canonical word: literally, and by its names."""
        if word not in self._typed:
            low = word.lower()
            whole = ((low,), tuple(low.replace("-", " ").split()) or (low,))
            self._typed[word] = tuple(dict.fromkeys((*whole, *self.spoken.get(word, ()))))
        return self._typed[word]

    def is_name(self, token: str) -> bool:
        """Return True if the token alone names something."""
        return any(way == (token,) for way, _ in self.beginning.get(token, ()))
