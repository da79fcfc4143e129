"""Options of a match, their values, and their wording."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from engine import notation
from engine.reasons import Localised, Reason
from engine.words import LOCALES, Locale

Setting = str | int | bool
Settings = Mapping[str, Setting]
JSON_TYPES: dict[type[Setting], str] = {bool: "boolean", int: "integer", str: "string"}


class BadSetting(ValueError):
    """Seats or options that no match of this game can have."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True)
class OptionPart:
    """A part of a value that consists of several words separated by commas, such as the Geas of one row."""

    title: Mapping[Locale, str]
    words: tuple[str, ...]
    """The canonical words to choose from."""


@dataclass(frozen=True)
class Option:
    """A choice made before the match: its name, its values, and how to say it."""

    name: str
    default: Setting
    title: Mapping[Locale, str]
    choices: tuple[Setting, ...] = ()
    accepts: Callable[[Setting, int], bool] | None = None
    form: Mapping[Locale, str] = field(default_factory=dict)
    """Description of the values, if they are too many to list."""
    earlier: Mapping[int, Setting] = field(default_factory=dict)
    """The earlier default, by the last revision that had it. A text of a match names only the options that differ from
    the defaults of its revision, so a new default needs a new revision, and old texts keep their meaning. Records name
    every option and do not depend on defaults."""
    first_match: Setting | None = None
    """The value in a person's first match of the game, unless they ask for another; None for the default."""
    tournament: Setting | None = None
    """The default in matches of tournaments, which balance seats themselves; None for the ordinary default."""

    labels: Mapping[Setting, Mapping[Locale, str]] = field(default_factory=dict)
    """Choices in words for people, if their canonical words are not plain enough."""
    parts: tuple[OptionPart, ...] = ()
    """The parts of a value that names each of them, as an alternative to the choices."""

    def default_in(self, revision: int) -> Setting:
        """Return the default in a match of this revision."""
        return next((value for last, value in sorted(self.earlier.items()) if revision <= last), self.default)

    def fits(self, value: Setting, seats: int) -> bool:
        """Return True if a match of this many seats may have this value."""
        if type(value) not in self._types:
            return False
        return value in self.choices if self.accepts is None else self.accepts(value, seats)

    def read(self, text: str) -> Setting | None:
        """Return the value that a text stands for, or None. `fits` decides if a match may have it."""
        values = (notation.read_setting(text, like) for like in self._types.values())
        return next((value for value in values if value is not None), None)

    @property
    def _types(self) -> dict[type[Setting], Setting]:
        """The types of values with an example each, text last because every value can be read as text."""
        examples = {type(value): value for value in (self.default, *self.earlier.values())}
        return dict(sorted(examples.items(), key=lambda item: item[0] is str))

    @property
    def json_types(self) -> list[str]:
        """Types of the values as JSON Schema calls them, that of the default first."""
        kinds = (type(self.default), *self._types)
        return list(dict.fromkeys(JSON_TYPES[kind] for kind in kinds))

    def values(self, locale: Locale = "en") -> str:
        """Return the values in words, for messages."""
        return self.form.get(locale) or ", ".join(notation.setting(choice) for choice in self.choices)

    def localised_values(self) -> Localised:
        """Return the values in words, for reasons."""
        return Localised({locale: self.values(locale) for locale in LOCALES})
