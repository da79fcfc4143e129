"""What letters say, by key, in the language of whoever reads them."""

from __future__ import annotations

from collections.abc import Sequence

from engine.words import Locale, french
from service.i18n.legacy import mail_answers_en as answers_en
from service.i18n.legacy import mail_answers_fr as answers_fr
from service.i18n.legacy import mail_leagues_en as leagues_en
from service.i18n.legacy import mail_leagues_fr as leagues_fr
from service.i18n.legacy import mail_words_en as words_en
from service.i18n.legacy import mail_words_fr as words_fr

WORDS: dict[Locale, dict[str, str]] = {
    "en": {**words_en.WORDS, **answers_en.WORDS, **leagues_en.WORDS},
    "fr": {key: french(words) for key, words in {**words_fr.WORDS, **answers_fr.WORDS, **leagues_fr.WORDS}.items()},
}


def say(locale: Locale, key: str, **values: object) -> str:
    """The words behind a key, with these values in their places."""
    return WORDS[locale][key].format(**values)


def quoted(locale: Locale, words: str) -> str:
    """Words in the quotation marks of a language."""
    return f"«\u00a0{words}\u00a0»" if locale == "fr" else f"“{words}”"


def counted(locale: Locale, key: str, count: int, **values: object) -> str:
    """The words for so many: those for one where there are such."""
    return say(locale, f"{key}.one" if count == 1 and f"{key}.one" in WORDS[locale] else key, count=count, **values)


def known(locale: Locale, key: str) -> bool:
    """Whether there are words for this key."""
    return key in WORDS[locale]


def listed(locale: Locale, items: Sequence[str], last: str = "and") -> str:
    """Several things in one phrase."""
    if len(items) < 2:  # noqa: PLR2004  # one thing needs no joining
        return "".join(items)
    return f"{', '.join(items[:-1])}{say(locale, last)}{items[-1]}"


def capital(words: str) -> str:
    """Words as a sentence begins with them."""
    return words[:1].upper() + words[1:]
