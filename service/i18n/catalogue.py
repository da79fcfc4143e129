"""What letters say, by key, in the language of whoever reads them."""

from __future__ import annotations

from collections.abc import Sequence

from engine.words import Locale, french
from service.i18n.legacy import (
    mail_answers_en,
    mail_answers_fr,
    mail_leagues_en,
    mail_leagues_fr,
    mail_words_en,
    mail_words_fr,
)

TEXTS: dict[Locale, dict[str, str]] = {
    "en": {**mail_words_en.WORDS, **mail_answers_en.WORDS, **mail_leagues_en.WORDS},
    "fr": {
        key: french(words)
        for key, words in {**mail_words_fr.WORDS, **mail_answers_fr.WORDS, **mail_leagues_fr.WORDS}.items()
    },
}


def translate(locale: Locale, key: str, **values: object) -> str:
    """The words behind a key, with these values in their places."""
    return TEXTS[locale][key].format(**values)


def quote(locale: Locale, words: str) -> str:
    """Words in the quotation marks of a language."""
    return f"«\u00a0{words}\u00a0»" if locale == "fr" else f"“{words}”"


def translate_count(locale: Locale, key: str, count: int, **values: object) -> str:
    """The words for so many: those for one where there are such."""
    return translate(
        locale, f"{key}.one" if count == 1 and f"{key}.one" in TEXTS[locale] else key, count=count, **values
    )


def has_text(locale: Locale, key: str) -> bool:
    """Whether there are words for this key."""
    return key in TEXTS[locale]


def join_items(locale: Locale, items: Sequence[str], last: str = "and") -> str:
    """Several things in one phrase."""
    if len(items) < 2:  # noqa: PLR2004  # one thing needs no joining
        return "".join(items)
    return f"{', '.join(items[:-1])}{translate(locale, last)}{items[-1]}"


def capitalise(words: str) -> str:
    """Words as a sentence begins with them."""
    return words[:1].upper() + words[1:]
