"""Phrases of a game in English and French, by key: its texts, labels, buttons and refusals are made of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from engine.reasons import Reason, rule_reason
from engine.words import LOCALES, Locale, elide_names, french, typeset

T = TypeVar("T")
Pair = tuple[str, str]
"""A text in English and in French."""


def localise(pair: Pair, locale: Locale) -> str:
    """Return the text of a pair in this language."""
    return pair[1] if locale == "fr" else pair[0]


def typeset_pair(pair: Pair, locale: Locale) -> str:
    """Return the text of a pair in this language, with the unbreakable spaces of French."""
    return typeset(localise(pair, locale), locale)


def by_locale(pairs: Mapping[str, tuple[T, T]]) -> dict[Locale, dict[str, T]]:
    """Return a table of its English values and one of its French values."""
    return {locale: {key: pair[at] for key, pair in pairs.items()} for at, locale in enumerate(LOCALES)}


class Phrases:
    """Texts with placeholders, by key. French gets its unbreakable spaces here, before anything is filled in."""

    def __init__(self, pairs: Mapping[str, Pair]) -> None:
        self._texts = by_locale(pairs)
        self._texts["fr"] = {key: french(text) for key, text in self._texts["fr"].items()}

    def __contains__(self, key: str) -> bool:
        return key in self._texts["en"]

    def __getitem__(self, locale: Locale) -> Mapping[str, str]:
        """Return the texts in one language, for functions that use many of them."""
        return self._texts[locale]

    def say(self, key: str, locale: Locale, /, **values: object) -> str:
        """Return a text with its values filled in."""
        text = self._texts[locale][key]
        return (elide_names(text, values) if locale == "fr" else text).format(**values)

    def refuse(self, key: str, /, **values: object) -> Reason:
        """Return the reason that forbids a line. Values may be `Localised`."""
        return rule_reason({locale: self._texts[locale][key] for locale in LOCALES}, **values)
