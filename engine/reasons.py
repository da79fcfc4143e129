"""Reasons for refusals by key and values, in English and French."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeVarTuple

from engine.words import AND, LOCALES, Locale

Ts = TypeVarTuple("Ts")

_PAIRS: dict[str, tuple[str, str]] = {
    # The form of a line.
    "line.form": (
        "a line is 1 to 400 letters, digits and + : | , _ - with single spaces between its words",
        "un coup a de 1 à 400 lettres, chiffres et + : | , _ -, une seule espace entre les mots",
    ),
    "line.verb": ("no line begins with {verb}", "aucun coup ne commence par {verb}"),
    "line.words": ("{words} does not go with {verb}", "{words} ne va pas avec {verb}"),
    "line.alone": ("{verb} needs more words", "{verb} ne va pas tout seul"),
    "line.written": ("it is written {line}", "cela s'écrit {line}"),
    # Lines that cannot be made now.
    "match.over": ("the match is over", "la partie est terminée"),
    "match.paused": ("the match is paused", "la partie est suspendue"),
    "match.paused_already": ("the match is already paused", "la partie est déjà suspendue"),
    "match.not_paused": ("the match is not paused", "la partie n'est pas suspendue"),
    "seat.resigned": ("this seat has already resigned", "cette place a déjà abandonné"),
    "seat.none": ("there is no seat {seat}", "il n'y a pas de place {seat}"),
    "end.scores": (
        "a score for each of the {seats} seats, or none",
        "un score pour chacune des {seats} places, ou aucun",
    ),
    "line.not_listed": ("it is not one of the moves you can make now", "ce coup n'est pas permis à ce moment"),
    "line.rule": ("{rule}", "{rule}"),
    "line.not_your_turn": (
        "it is not the turn {of_seat}; waiting for {actors}",
        "ce n'est pas le tour {of_seat} : on attend {actors}",
    ),
    # Names of seats in messages.
    "seat.chance": ("chance", "le hasard"),
    "seat.house": ("the house", "la maison"),
    "seat.number": ("seat {seat}", "la place {seat}"),
    "of_seat.chance": ("of chance", "du hasard"),
    "of_seat.house": ("of the house", "de la maison"),
    "of_seat.number": ("of seat {seat}", "de la place {seat}"),
    # Seats, options and bots of a game.
    "game.no_option": (
        "{game} has no option {option}; its options are: {known}",
        "{game} n'a pas d'option {option} ; ses options sont : {known}",
    ),
    "game.option_value": (
        "option {option} of {game} cannot be {value}; it takes: {values}",
        "l'option {option} de {game} ne peut pas être {value} ; elle admet : {values}",
    ),
    "game.option_here": (
        "option {option} of {game} cannot be {value} here; it takes: {values}",
        "l'option {option} de {game} ne peut pas être {value} ici ; elle admet : {values}",
    ),
    "game.seats": (
        "{game} is for {least} to {most} seats, not {seats}",
        "{game} se joue de {least} à {most} places, pas à {seats}",
    ),
    "game.revision": (
        "{game} has revisions 1 to {latest}, not {revision}",
        "{game} a les révisions 1 à {latest}, pas {revision}",
    ),
    "game.no_bot": ("{game} has no bot {bot}; it has: {known}", "{game} n'a pas de robot {bot} ; il a : {known}"),
    # Match files.
    "file.empty": ("the file is empty", "le fichier est vide"),
    "file.cut": (
        "the text is cut: its last row has no line end",
        "le texte est coupé : sa dernière ligne n'a pas de fin",
    ),
    "file.header": (
        "a match begins with: game NAME · revision NUMBER · seats NUMBER, then its options",
        "une partie commence par : game NOM · revision NOMBRE · seats NOMBRE, puis ses options",
    ),
    "file.no_game": ("there is no game {game}; there are: {known}", "il n'y a pas de jeu {game} ; il y a : {known}"),
    "file.numbers": ("revision and seats are whole numbers from 1", "revision et seats sont des entiers à partir de 1"),
    "file.no_option": ("{game} has no option {option}", "{game} n'a pas d'option {option}"),
    "file.option_twice": ("option {option} stands twice", "l'option {option} figure deux fois"),
    "file.option_value": (
        "option {option} cannot be {value}; it takes: {values}",
        "l'option {option} ne peut pas être {value} ; elle admet : {values}",
    ),
    "file.option_default": (
        "option {option} has its default {value} and is left out then",
        "l'option {option} a sa valeur habituelle {value} ; on l'omet alors",
    ),
    "file.option_order": ("options stand in this order: {known}", "les options se suivent dans cet ordre : {known}"),
    "file.scores": (
        "scores has one whole number for each of the {seats} seats",
        "scores porte un entier pour chacune des {seats} places",
    ),
    "file.seat": (
        "a row begins with a seat, 0 to {last}, or * for chance or ! for the house",
        "une ligne commence par une place, de 0 à {last}, ou * pour le hasard ou ! pour la maison",
    ),
    "file.line": (
        "after the seat comes one line: words of letters and digits with single spaces between",
        "après la place vient un seul coup : des mots de lettres et de chiffres séparés par une espace",
    ),
    "file.move": ("{move}: {reason}", "{move} : {reason}"),
    "file.scores_missing": (
        "the match is over, but its scores are missing",
        "la partie est terminée, mais ses scores manquent",
    ),
    "file.scores_early": (
        "scores stand here, but the match is not over",
        "des scores figurent ici, mais la partie n'est pas terminée",
    ),
    "file.scores_wrong": ("the scores are {scores}", "les scores sont {scores}"),
}
REASONS: dict[str, dict[Locale, str]] = {key: {"en": en, "fr": fr} for key, (en, fr) in _PAIRS.items()}
"""All reasons in each language. French spaces are plain here, since these texts go to terminals."""
NONE: dict[Locale, str] = {"en": "none", "fr": "aucune"}


Templates = Callable[[str, Locale], str]
"""Function that returns the template of a reason by key and language."""


def own_template(key: str, locale: Locale) -> str:
    """Return the engine's own template of a reason."""
    return REASONS[key][locale]


@dataclass(frozen=True)
class Localised:
    """Words of a game in each language, as a value of a reason."""

    words: Mapping[Locale, str]

    def text(self, locale: Locale) -> str:
        """Return the words in this language."""
        return self.words[locale]


@dataclass(frozen=True)
class Reason:
    """A sentence of the engine. `str()` is English, and a tuple among the values becomes a list."""

    key: str
    values: Mapping[str, object] = field(default_factory=dict, hash=False)

    def text(self, locale: Locale, template: Templates = own_template) -> str:
        """Return the sentence in this language, by the engine's templates or by others."""
        values = {name: _value_text(value, locale, template) for name, value in self.values.items()}
        return template(self.key, locale).format(**values)

    def __str__(self) -> str:
        return self.text("en")


def reason(key: str, /, **values: object) -> Reason:
    """Return the reason of this key with these values."""
    return Reason(key, values)


Texts = Mapping[Locale, str]


def rule_reason(texts: Texts, /, **values: object) -> Reason:
    """Return the rule of a game that forbids a line, in the words of that game."""
    filled = {
        locale: texts[locale].format(
            **{name: _value_text(value, locale, own_template) for name, value in values.items()}
        )
        for locale in LOCALES
    }
    return reason("line.rule", rule=Localised(filled))


def in_languages(name: Callable[[*Ts, Locale], str], *values: *Ts) -> Localised:
    """Return what a naming function returns for these values, in each language: `in_languages(card_name, card)`."""
    return Localised({locale: name(*values, locale) for locale in LOCALES})


def _value_text(value: object, locale: Locale, template: Templates) -> str:
    if isinstance(value, Reason):
        return value.text(locale, template)
    if isinstance(value, Localised):
        return value.text(locale)
    if isinstance(value, tuple):
        return AND[locale].join(_value_text(each, locale, template) for each in value)
    return str(value)
