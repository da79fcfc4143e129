"""The vocabulary of a game: how people say its canonical words in each language."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

Locale = Literal["en", "fr"]
LOCALES: tuple[Locale, ...] = ("en", "fr")


def plain(text: str) -> str:
    """Lower case without accents or apostrophes, every other sign a space."""
    text = text.replace("’", "").replace("'", "").replace("œ", "oe").replace("Œ", "oe").replace("æ", "ae")
    bare = "".join(each for each in unicodedata.normalize("NFD", text.lower()) if not unicodedata.combining(each))
    return " ".join(
        "".join(each if (each.isalnum() and each.isascii()) or each in "+-:?#/|" else " " for each in bare).split()
    )


@dataclass(frozen=True)
class Words:
    """For each canonical word its names by language, the first of them the one we print."""

    names: Mapping[Locale, Mapping[str, tuple[str, ...]]]

    def name(self, word: str, locale: Locale) -> str:
        """How we print a canonical word."""
        found = self.names[locale].get(word) or self.names["en"].get(word)
        return found[0] if found else word

    @cached_property
    def spoken(self) -> Mapping[str, tuple[tuple[str, ...], ...]]:
        """For each canonical word all ways to type it, as tuples of plain tokens."""
        ways: dict[str, dict[tuple[str, ...], None]] = {}
        for by_word in self.names.values():
            for word, names in by_word.items():
                for name in names:
                    typed = ways.setdefault(word, {})
                    typed[tuple(plain(name).replace("-", " ").split())] = None
                    typed[tuple(plain(name).split())] = None
        return {word: tuple(found) for word, found in ways.items()}
