"""Texts for people by key: texts/*.toml has English and French side by side."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from engine.reasons import REASONS, Localised, Reason
from engine.words import LOCALES, Locale, elide_names, french

FOLDER = Path(__file__).with_name("texts")
LETTERS = "letters"
"""Folder whose files are read together. Emails have many texts, so their keys start with the kind."""
PLAIN_SPACES = frozenset(
    {
        "usage",
        "commands",
        "operator",
        "terminal_game",
        "doctor",
        "config",
        "verify_report",
        "problems",
        "tournament_faults",
    }
)
"""Files whose French keeps plain spaces: most of it goes to terminals, where people copy commands."""


class BadTexts(ValueError):
    """Unusable texts: a key is defined twice, or lacks a language."""


@dataclass(frozen=True)
class Plural:
    """A text with forms for `count`."""

    one: str
    other: str
    locale: Locale

    def format(self, **values: Any) -> str:  # noqa: ANN401  # as str.format
        """Return the form for this count, filled in."""
        count = values["count"]
        # French treats 0 as singular, but a text that spells out “one” cannot be used for 0.
        single = count == 1 or (count == 0 and self.locale == "fr" and "{count}" in self.one)
        return (self.one if single else self.other).format(**values)


Text = str | Plural


@dataclass(frozen=True)
class Message:
    """A text to show, as a key and its values; `str()` is English. A value may itself be a message or a reason."""

    key: str
    values: Mapping[str, object] = field(default_factory=dict, hash=False)

    def __str__(self) -> str:
        return render(self, "en")


def msg(key: str, /, **values: object) -> Message:
    """Return the message with this key and these values."""
    return Message(key, values)


Explanation = Message | Reason
"""A text to show, from the service or from the engine."""


class RenderedText(str):
    """A value to fill in. `{value:capital}` starts with a capital letter, as a sentence does."""

    __slots__ = ()

    def __format__(self, form: str) -> str:
        return capitalise(self) if form == "capital" else super().__format__(form)


def render(message: Explanation, locale: Locale) -> str:
    """Return the message in this language, including messages and reasons among its values.

    A reason of the engine alone uses terminal notation; inside a message it uses the notation of emails and pages.
    """
    if isinstance(message, Reason):
        return message.text(locale)
    plain = _file_of(message.key) in PLAIN_SPACES
    values = {name: _render_value(value, locale, plain=plain) for name, value in message.values.items()}
    return translate(locale, message.key, **values)


def _render_value(value: object, locale: Locale, *, plain: bool) -> object:
    match value:
        case Message():
            return RenderedText(render(value, locale))
        case Reason():
            return RenderedText(value.text(locale) if plain else value.text(locale, _reason_template))
        case str():
            return RenderedText(value)
    return value


@cache
def _reason_template(key: str, locale: Locale) -> str:
    """Return how emails and pages word an engine reason: their own template, or the engine's in their notation."""
    own = f"reasons.{key}"
    text = find_text(locale, own) if has_text(locale, own) else REASONS[key][locale]
    return french(str(text)).replace("'", "’") if locale == "fr" else str(text)


def dump_message(message: Explanation) -> dict[str, Any]:
    """Return the message as plain JSON, to be stored."""
    kind = "reason" if isinstance(message, Reason) else "key"
    return {kind: message.key, "values": {name: _dump_value(value) for name, value in message.values.items()}}


def _dump_value(value: object) -> object:
    match value:
        case Message() | Reason():
            return dump_message(value)
        case Localised(words):
            return {"words": dict(words)}
        case tuple():
            return [_dump_value(each) for each in value]
    return value


def load_message(plain: Mapping[str, Any] | None) -> Explanation | None:
    """Return the message stored as JSON, or None if there is none or its key no longer exists."""
    if not plain:
        return None
    known = plain["reason"] in REASONS if "reason" in plain else has_text("en", plain["key"])
    if not known:
        return None
    values = {name: _load_value(value) for name, value in plain["values"].items()}
    if None in values.values():
        return None
    return Reason(plain["reason"], values) if "reason" in plain else Message(plain["key"], values)


def _load_value(value: Any) -> object:  # noqa: ANN401  # any JSON
    match value:
        case {"words": words}:
            return Localised(words)
        case dict():
            return load_message(value)
        case list():
            return tuple(_load_value(each) for each in value)
    return value


_texts: dict[Locale, dict[str, Text]] = {locale: {} for locale in LOCALES}
_loaded: set[str] = set()


def translate(locale: Locale, key: str, /, **values: object) -> str:
    """Return the text of a key with these values. For a plural, `count` chooses the form."""
    text = _texts[locale].get(key) or find_text(locale, key)
    return (elide_names(text, values) if locale == "fr" and isinstance(text, str) else text).format(**values)


def translate_count(locale: Locale, key: str, count: int, /, **values: object) -> str:
    """Return the text of a key for this count."""
    return translate(locale, key, count=count, **values)


def has_text(locale: Locale, key: str) -> bool:
    """Return True if the key has a text."""
    if key not in _texts[locale]:
        _load(_file_of(key))
    return key in _texts[locale]


def find_text(locale: Locale, key: str) -> Text:
    """Return the unformatted text of a key. Loads its file if necessary."""
    _load(_file_of(key))
    return _texts[locale][key]


def _file_of(key: str) -> str:
    """Return the file that holds a key: the one named by its first word, or else the email texts."""
    first = key.partition(".")[0]
    return first if first in _file_names() else LETTERS


@cache
def _file_names() -> frozenset[str]:
    return frozenset(path.stem for path in FOLDER.glob("*.toml"))


def _load(name: str) -> None:
    """Load a file of texts once. TOML is slow to parse, so files are loaded on first use."""
    if name in _loaded:
        return
    for key, texts in read_texts(_paths(name)).items():
        for locale in LOCALES:
            _texts[locale][key] = _set_spaces(texts[locale], locale, plain=name in PLAIN_SPACES)
    _loaded.add(name)


def _paths(name: str) -> list[Path]:
    return sorted((FOLDER / LETTERS).glob("*.toml")) if name == LETTERS else [FOLDER / f"{name}.toml"]


def text_files() -> list[Path]:
    """Return all text files."""
    return sorted(FOLDER.rglob("*.toml"))


def read_texts(paths: Sequence[Path]) -> dict[str, dict[Locale, Text]]:
    """Return the texts of these files by key and language. Refuse a key that is defined twice."""
    found: dict[str, dict[Locale, Text]] = {}
    for path in paths:
        for key, texts in _flatten(tomllib.loads(path.read_text("utf-8")), ""):
            if key in found:
                raise BadTexts(f"{key} stands in {path.name} and in another file")
            found[key] = texts
    return found


def _flatten(table: dict[str, Any], prefix: str) -> Iterator[tuple[str, dict[Locale, Text]]]:
    texts = {locale: table.pop(locale) for locale in LOCALES if locale in table}
    if texts:
        if len(texts) < len(LOCALES):
            raise BadTexts(f"{prefix} is not there in every language")
        yield prefix, {locale: _text(text, locale, prefix) for locale, text in texts.items()}
    for name, inner in table.items():
        key = f"{prefix}.{name}" if prefix else name
        if not isinstance(inner, dict):
            raise BadTexts(f"{key} is no table with en and fr")
        yield from _flatten(inner, key)


def _text(value: object, locale: Locale, key: str) -> Text:
    match value:
        case str():
            return value
        case {"one": str(one), "other": str(other), **rest} if not rest:
            return Plural(one, other, locale)
    raise BadTexts(f"{key}.{locale} is neither a text nor a plural with one and other")


def _set_spaces(text: Text, locale: Locale, *, plain: bool) -> Text:
    if locale != "fr" or plain:
        return text
    if isinstance(text, Plural):
        return Plural(french(text.one), french(text.other), locale)
    return french(text)


def quote(locale: Locale, words: str) -> str:
    """Return the words in the quotation marks of the language."""
    return f"«\u00a0{words}\u00a0»" if locale == "fr" else f"“{words}”"


def join_items(locale: Locale, items: Sequence[str], last: str = "and") -> str:
    """Return several items as one phrase."""
    if len(items) < 2:  # noqa: PLR2004  # one thing needs no joining
        return "".join(items)
    return f"{', '.join(items[:-1])}{translate(locale, last)}{items[-1]}"


def capitalise(words: str) -> str:
    """Return the text with a capital first letter."""
    return words[:1].upper() + words[1:]
