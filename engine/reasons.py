"""Why the engine refuses something, by key and values, so that it can be said in English and in French."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from engine.words import LOCALES, Locale

REASONS: dict[str, dict[Locale, str]] = {
    # The form of a line.
    "line.form": {
        "en": "a line is 1 to 400 letters, digits and + : | , _ - with single spaces between its words",
        "fr": "un coup a de 1 à 400 lettres, chiffres et + : | , _ -, une seule espace entre les mots",
    },
    "line.verb": {"en": "no line begins with {verb}", "fr": "aucun coup ne commence par {verb}"},
    "line.words": {"en": "{words} does not go with {verb}", "fr": "{words} ne va pas avec {verb}"},
    "line.alone": {"en": "nothing does not go with {verb}", "fr": "{verb} ne va pas tout seul"},
    "line.written": {"en": "it is written {line}", "fr": "cela s'écrit {line}"},
    # Whether a line can be made now.
    "match.over": {"en": "the match is over", "fr": "la partie est terminée"},
    "match.paused": {"en": "the match is paused", "fr": "la partie est suspendue"},
    "match.paused_already": {"en": "the match is paused already", "fr": "la partie est déjà suspendue"},
    "match.not_paused": {"en": "the match is not paused", "fr": "la partie n'est pas suspendue"},
    "seat.resigned": {"en": "this seat has resigned already", "fr": "cette place a déjà abandonné"},
    "seat.none": {"en": "there is no seat {seat}", "fr": "il n'y a pas de place {seat}"},
    "end.scores": {
        "en": "a score for each of the {seats} seats, or none",
        "fr": "un score pour chacune des {seats} places, ou aucun",
    },
    "line.not_listed": {
        "en": "it is not among the lines that are open now",
        "fr": "ce coup n'est pas permis à ce moment",
    },
    "line.rule": {"en": "{rule}", "fr": "{rule}"},
    "line.not_your_turn": {
        "en": "it is not the turn {of_seat} but of {actors}",
        "fr": "ce n'est pas le tour {of_seat} : on attend {actors}",
    },
    # What messages call a seat.
    "seat.chance": {"en": "chance", "fr": "le hasard"},
    "seat.house": {"en": "the house", "fr": "la maison"},
    "seat.number": {"en": "seat {seat}", "fr": "la place {seat}"},
    "of_seat.chance": {"en": "of chance", "fr": "du hasard"},
    "of_seat.house": {"en": "of the house", "fr": "de la maison"},
    "of_seat.number": {"en": "of seat {seat}", "fr": "de la place {seat}"},
    # Seats, options and bots of a game.
    "game.no_option": {
        "en": "{game} has no option {option}; its options are: {known}",
        "fr": "{game} n'a pas d'option {option} ; ses options sont : {known}",
    },
    "game.option_value": {
        "en": "option {option} of {game} cannot be {value}; it takes: {values}",
        "fr": "l'option {option} de {game} ne peut pas être {value} ; elle admet : {values}",
    },
    "game.option_here": {
        "en": "option {option} of {game} cannot be {value} here; it takes: {values}",
        "fr": "l'option {option} de {game} ne peut pas être {value} ici ; elle admet : {values}",
    },
    "game.seats": {
        "en": "{game} is for {least} to {most} seats, not {seats}",
        "fr": "{game} se joue de {least} à {most} places, pas à {seats}",
    },
    "game.revision": {
        "en": "{game} has revisions 1 to {latest}, not {revision}",
        "fr": "{game} a les révisions 1 à {latest}, pas {revision}",
    },
    "game.no_bot": {
        "en": "{game} has no bot {bot}; it has: {known}",
        "fr": "{game} n'a pas de robot {bot} ; il a : {known}",
    },
    # Match files.
    "file.empty": {"en": "the file is empty", "fr": "le fichier est vide"},
    "file.cut": {
        "en": "the text is cut: its last row has no line end",
        "fr": "le texte est coupé : sa dernière ligne n'a pas de fin",
    },
    "file.header": {
        "en": "a match begins with: game NAME · revision NUMBER · seats NUMBER, then its options",
        "fr": "une partie commence par : game NOM · revision NOMBRE · seats NOMBRE, puis ses options",
    },
    "file.no_game": {
        "en": "there is no game {game}; there are: {known}",
        "fr": "il n'y a pas de jeu {game} ; il y a : {known}",
    },
    "file.numbers": {
        "en": "revision and seats are whole numbers from 1",
        "fr": "revision et seats sont des entiers à partir de 1",
    },
    "file.no_option": {"en": "{game} has no option {option}", "fr": "{game} n'a pas d'option {option}"},
    "file.option_twice": {"en": "option {option} stands twice", "fr": "l'option {option} figure deux fois"},
    "file.option_value": {
        "en": "option {option} cannot be {value}; it takes: {values}",
        "fr": "l'option {option} ne peut pas être {value} ; elle admet : {values}",
    },
    "file.option_default": {
        "en": "option {option} has its default {value} and is left out then",
        "fr": "l'option {option} a sa valeur habituelle {value} ; on l'omet alors",
    },
    "file.option_order": {
        "en": "options stand in this order: {known}",
        "fr": "les options se suivent dans cet ordre : {known}",
    },
    "file.scores": {
        "en": "scores has one whole number for each of the {seats} seats",
        "fr": "scores porte un entier pour chacune des {seats} places",
    },
    "file.seat": {
        "en": "a row begins with a seat, 0 to {last}, or * for chance or ! for the house",
        "fr": "une ligne commence par une place, de 0 à {last}, ou * pour le hasard ou ! pour la maison",
    },
    "file.line": {
        "en": "after the seat comes one line: words of letters and digits with single spaces between",
        "fr": "après la place vient un seul coup : des mots de lettres et de chiffres séparés par une espace",
    },
    "file.move": {"en": "{move}: {reason}", "fr": "{move} : {reason}"},
    "file.scores_missing": {
        "en": "the match is over, but its scores are missing",
        "fr": "la partie est terminée, mais ses scores manquent",
    },
    "file.scores_early": {
        "en": "scores stand here, but the match is not over",
        "fr": "des scores figurent ici, mais la partie n'est pas terminée",
    },
    "file.scores_wrong": {"en": "the scores are {scores}", "fr": "les scores sont {scores}"},
}
"""Each reason in each language; the spaces of French are plain here, for these go to terminals."""
AND: dict[Locale, str] = {"en": " and ", "fr": " et "}
NONE: dict[Locale, str] = {"en": "none", "fr": "aucune"}


Templates = Callable[[str, Locale], str]
"""Gives the template of a reason, in which its values are filled in."""


def own_template(key: str, locale: Locale) -> str:
    """The template of a reason as it stands here."""
    return REASONS[key][locale]


@dataclass(frozen=True)
class Localised:
    """Words that a game has in each language, as a value of a reason."""

    words: Mapping[Locale, str]

    def text(self, locale: Locale) -> str:
        """The words in this language."""
        return self.words[locale]


@dataclass(frozen=True)
class Reason:
    """A sentence of the engine; `str()` is English, and a value that is a tuple is said as a list."""

    key: str
    values: Mapping[str, object] = field(default_factory=dict, hash=False)

    def text(self, locale: Locale, template: Templates = own_template) -> str:
        """The sentence in this language, by our own templates or by others."""
        values = {name: _value_text(value, locale, template) for name, value in self.values.items()}
        return template(self.key, locale).format(**values)

    def __str__(self) -> str:
        return self.text("en")


def reason(key: str, /, **values: object) -> Reason:
    """The reason of this key with these values in it."""
    return Reason(key, values)


Texts = Mapping[Locale, str]


def rule_reason(texts: Texts, /, **values: object) -> Reason:
    """The rule of a game that forbids a line, in the words of that game."""
    filled = {
        locale: texts[locale].format(
            **{name: _value_text(value, locale, own_template) for name, value in values.items()}
        )
        for locale in LOCALES
    }
    return reason("line.rule", rule=Localised(filled))


def localised(say: Callable[[Locale], str]) -> Localised:
    """What a function says in each language."""
    return Localised({locale: say(locale) for locale in LOCALES})


def _value_text(value: object, locale: Locale, template: Templates) -> str:
    if isinstance(value, Reason):
        return value.text(locale, template)
    if isinstance(value, Localised):
        return value.text(locale)
    if isinstance(value, tuple):
        return AND[locale].join(_value_text(each, locale, template) for each in value)
    return str(value)
