"""Menu sentences as people type them back: whole, in part, with their lines, and with polite words around."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

from engine.words import LOCALES, MOST_SIGNS_KEPT, SIGNS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.game import Action, Game, Options
    from engine.words import Locale

MOST_SENTENCES = 600
"""Longer menus are not indexed by sentence, because that costs too much. Short forms still work."""
MOST_COURTESIES, MOST_COURTEOUS = 12, 400
"""Maximum number of polite words to remove, and maximum length of a text for that."""
ODD_SIGNS = str.maketrans(
    {
        **{chr(0xFF01 + at): chr(0x21 + at) for at in range(94)},
        **dict.fromkeys("\u2018\u2019\u201b\u02bc\u00b4`\u2032", "'"),
        **dict.fromkeys("\u2010\u2011\u2212\ufe63", "-"),
        **dict.fromkeys("\u200b\u200c\u200d\u2060\ufeff\u00ad\ufe0f\u20e3", ""),
        "\u3000": " ",
    }
)
"""Translation of full-width signs, apostrophes and hyphens to plain ones; invisible characters are removed."""
LIGATURES = str.maketrans({"œ": "oe", "æ": "ae", "'": "", "°": " ", "º": " "})
EDGES = ":?#/|-"
SIGNATURE = "--"
SIGN_BETWEEN = re.compile(r"[-/|#?]")
NUMBER_SIGN = re.compile(r"[+-]\d")
COURTESY = (
    r"hello|hi|hey|dear all|good (?:morning|evening|day)|please|pls|thank you(?: very much)?|thanks(?: a lot)?|thx|"
    r"cheers|ok(?:ay)?|sorry|bonjour|bonsoir|salut|coucou|s'?il (?:vous|te) pla[iî]t|svp|stp|merci(?: beaucoup| bien)?|"
    r"d'accord|voil[aà]|alors|(?:so|well)(?=,)"
)
INTRODUCTIONS = (
    r"i'?ll|i will|i'?d like to|i would like to|i want to|i(?: now)?|let me|let's|je vais|je veux|je voudrais|"
    r"j'aimerais|je souhaite|je|(?:my |the )?(?:move|answer|turn|choice)(?: is(?= )|(?= ?[:=]))|"
    r"(?:mon |le |ma )?(?:coup|r[eé]ponse|choix)(?: est(?= )|(?= ?[:=]))|j'(?=\w)"
)
SIGNS_AROUND = r"[\s,;.!:=()\-–—]"
AROUND = rf"{SIGNS_AROUND}*+"
BEFORE = re.compile(rf"{AROUND}(?:(?:{COURTESY}|{INTRODUCTIONS})(?!\w)|j'){AROUND}", re.IGNORECASE)
GREETED = re.compile(rf"{AROUND}(?:{COURTESY})(?!\w){AROUND}", re.IGNORECASE)
AFTER = re.compile(rf"(?<!{SIGNS_AROUND}){AROUND}\b(?:{COURTESY}){AROUND}$", re.IGNORECASE)
FRENCH_FORMS = (
    ("prendre", "prends"),
    ("envoyer", "envoie"),
    ("ir", "is"),
    ("oindre", "oins"),
    ("dre", "ds"),
    ("er", "e"),
)
"""Endings of verbs in the infinitive and after `je`."""


class SentenceSigns(dict[int, str | None]):
    """Translation of the characters of a sentence in NFD form.

    Accents are dropped; letters and digits of every script, some signs and emoji stay; the rest becomes a space.
    """

    def __missing__(self, code: int) -> str | None:
        """Return the translation of a character on its first use."""
        sign = chr(code)
        stays = sign.isalnum() or sign in SIGNS or sign > "\U0001f000"
        plain = None if unicodedata.category(sign)[0] == "M" else sign if stays else " "
        if code < MOST_SIGNS_KEPT:
            self[code] = plain
        return plain


SENTENCE_SIGNS = SentenceSigns()


def plain_signs(text: str) -> str:
    """Return the text with plain digits, apostrophes and hyphens, whatever keyboard or mail program produced it."""
    return text if text.isascii() else text.translate(ODD_SIGNS)


@lru_cache(maxsize=1 << 13)
def sentence_tokens(text: str) -> tuple[str, ...]:
    """Return the words of a sentence without case, accents and signs.

    Letters of every script are kept, so that names are too.
    """
    low = plain_signs(text).lower().translate(LIGATURES)
    if not low.isascii():
        low = unicodedata.normalize("NFD", low)
    tokens: list[str] = []
    for word in low.translate(SENTENCE_SIGNS).split():
        if word.isalnum():  # like most texts, which need no sign removed
            tokens.append(word)
            continue
        if word == SIGNATURE:  # the signature of an email may follow, which is not part of the sentence
            tokens.append(word)
            continue
        bare = word.rstrip(EDGES)
        bare = bare if NUMBER_SIGN.match(bare) else bare.lstrip(EDGES)
        sign, rest = (bare[:1], bare[1:]) if NUMBER_SIGN.match(bare) else ("", bare)
        pieces = SIGN_BETWEEN.sub(" ", rest).split()
        tokens += [sign + pieces[0], *pieces[1:]] if pieces else []
    return tuple(tokens)


def without_courtesy(text: str) -> tuple[str, ...]:
    """Return the text, then the text with polite words removed from its ends one after the other."""
    text = text.strip()
    return _without_courtesy(text) if len(text) <= MOST_COURTEOUS else (text,)


@lru_cache(maxsize=1 << 11)
def _without_courtesy(text: str) -> tuple[str, ...]:
    texts = [text]
    for _ in range(MOST_COURTESIES):
        before, after = BEFORE.match(text), AFTER.search(text)
        if after and after.start() and not (before and before.end() == len(text)):
            text = text[: after.start()].strip()
        elif before and before.end():
            text = text[before.end() :].strip()
        elif after:
            text = text[: after.start()].strip()
        else:
            break
        texts.append(text)
    return tuple(texts)


def without_courtesy_after(text: str) -> str:
    """Return the text without the polite words at its end."""
    text = text.strip()
    for _ in range(MOST_COURTESIES if len(text) <= MOST_COURTEOUS else 0):
        courtesy = AFTER.search(text)
        if courtesy is None or not courtesy.start():
            break
        text = text[: courtesy.start()].strip()
    return text


def without_courtesy_before(text: str) -> str:
    """Return the text without the greetings and polite words at its beginning."""
    text = text.strip()
    for _ in range(MOST_COURTESIES if len(text) <= MOST_COURTEOUS else 0):
        greeting = GREETED.match(text)
        if greeting is None or greeting.end() == len(text):
            break
        text = text[greeting.end() :].strip()
    return text


def _spoken_by_me(tokens: tuple[str, ...]) -> tuple[str, ...]:
    """Return a French sentence as it continues after `je`: `poser rose 4` becomes `pose rose 4`."""
    at = 1 if tokens[:1] == ("ne",) else 0
    for ending, own in FRENCH_FORMS if len(tokens) > at else ():
        if tokens[at].endswith(ending):
            return (*tokens[:at], tokens[at].removesuffix(ending) + own, *tokens[at + 1 :])
    return tokens


@dataclass(frozen=True)
class MenuSentences:
    """Sentences of a menu for each option, in every language, indexed by possible inputs."""

    game: Game[Any]
    view: Any
    options: Options
    names: Mapping[Locale, tuple[str, ...]] = field(default_factory=dict)
    """Names of the seats in each language, if they differ: bots have a name in each."""

    @cached_property
    def sentences(self) -> tuple[tuple[Action[Any], tuple[tuple[str, ...], ...]], ...]:
        """Each option with its sentences as tokens. Empty if the menu is too long."""
        if len(self.options) > MOST_SENTENCES:
            return ()
        return tuple((option, self._sentences_of(option)) for option in self.options)

    def _sentences_of(self, option: Action[Any]) -> tuple[tuple[str, ...], ...]:
        said = [
            sentence_tokens(self.game.presentation.say(view, option, locale)) for locale, view in self._views.items()
        ]
        return tuple(dict.fromkeys((*said, _spoken_by_me(said[-1]))))

    @cached_property
    def _views(self) -> Mapping[Locale, Any]:
        """The view with the names of each language."""
        return {
            locale: replace(self.view, names=self.names[locale]) if locale in self.names else self.view
            for locale in LOCALES
        }

    @cached_property
    def _by_tokens(self) -> Mapping[tuple[str, ...], tuple[Action[Any], ...]]:
        by_tokens: dict[tuple[str, ...], dict[Action[Any], None]] = {}
        for option, sentences in self.sentences:
            line = sentence_tokens(option.line)
            by_tokens.setdefault(line, {})[option] = None
            for said in sentences:
                for tokens in (said, line + said, said + line):
                    by_tokens.setdefault(tokens, {})[option] = None
        return {tokens: tuple(options) for tokens, options in by_tokens.items()}

    def whole(self, text: str) -> tuple[Action[Any], ...]:
        """Return the options whose sentence, line, or both together are this text."""
        return self._by_tokens.get(sentence_tokens(text), ())

    @cached_property
    def beginnings(self) -> frozenset[str]:
        """The first words of the sentences."""
        return frozenset(said[0] for _, sentences in self.sentences for said in sentences if said)

    @cached_property
    def _words_by_option(self) -> tuple[frozenset[str], ...]:
        """All words of each option: of its sentences, of its line and of the names of its verb."""
        verbs: dict[str, frozenset[str]] = {}
        for verb in {option.verb for option, _ in self.sentences}:
            verbs[verb] = frozenset(token for way in self.game.presentation.words.ways(verb) for token in way)
        return tuple(
            verbs[option.verb].union(sentence_tokens(option.line), *sentences) for option, sentences in self.sentences
        )

    @cached_property
    def _every_word(self) -> frozenset[str]:
        """All words of all options."""
        return frozenset().union(*self._words_by_option)

    def having(self, tokens: tuple[str, ...]) -> list[Action[Any]]:
        """Return the options in whose sentence these words occur in this order.

        The words must begin as the sentence does, or with a name of its verb, or consist of names in its line; and they
        must name something of the line. Otherwise a few common words would pass as a move.
        """
        if not self._every_word.issuperset(tokens):
            return []
        options, said_words = [], frozenset(tokens)
        for known, (option, sentences) in zip(self._words_by_option, self.sentences, strict=True):
            if not known.issuperset(tokens):
                continue
            verb, *words = map(self.game.presentation.words.ways, option.line.split(" "))
            names = [way for ways in words for way in ways]
            if (
                not any(said_words.issuperset(name) and _has(tokens, name) for name in names)
                if names
                else len(tokens) == 1
            ):
                continue
            after = max((len(way) for way in verb if tokens[: len(way)] == way), default=0)
            own = after or _is_made_of(tokens, names)
            if any(
                (own or tokens[0] == said[0])
                and (_stand_in(tokens, said) or (after and _stand_in(tokens[after:], said)))
                for said in sentences
            ):
                options.append(option)
        return options


def _has(tokens: tuple[str, ...], name: tuple[str, ...]) -> bool:
    """Return True if a name occurs among these words."""
    if len(name) >= len(tokens):
        return name == tokens
    return any(tokens[at : at + len(name)] == name for at in range(len(tokens) - len(name) + 1))


def _is_made_of(tokens: tuple[str, ...], names: list[tuple[str, ...]]) -> bool:
    """Return True if all words are names, one after the other."""
    reached = {0}
    for at in range(len(tokens)):
        if at in reached:
            reached |= {at + len(name) for name in names if tokens[at : at + len(name)] == name}
    return len(tokens) in reached


def _stand_in(tokens: tuple[str, ...], sentence: tuple[str, ...]) -> bool:
    """Return True if these words occur in a sentence in this order, with or without others between them."""
    left = iter(sentence)
    return all(token in left for token in tokens)
