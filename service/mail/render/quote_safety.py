"""No line of a letter may be a move or a command when it comes back alone, however a mail program tears it out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property, lru_cache

from engine.games import GAMES
from engine.reading import FILLERS, MOST_DIGITS, NUMBERED, SEPARATORS, Reader, Unclear, idle_tokens
from engine.sentences import plain_signs, sentence_tokens, without_courtesy
from engine.words import is_number, plain
from service.mail import commands
from service.play.views import Viewer

MOST_SHORT_WORDS = 4
LONGEST_CODE = 2
WORD = re.compile(f"[a-z]{{{LONGEST_CODE + 1},}}")
"""So many letters in a row are a word that the game must know, even in warrior4; codes such as n5:r have fewer."""
COMMAND_WORDS = frozenset(way[0] for way in commands.VERBS)


@lru_cache(maxsize=8192)
def split_tokens(word: str) -> tuple[str, ...]:
    """A word as those who read answers take it apart."""
    return tuple(plain(word).split())


def _prefixes(words: frozenset[str]) -> frozenset[str]:
    return frozenset(word[:size] for word in words for size in range(1, len(word) + 1))


@lru_cache(maxsize=32)
def verb_prefixes(slug: str) -> frozenset[str]:
    """Every beginning of every word by which people name a verb of this game."""
    game = GAMES[slug]
    ways = [way for verb in game.rules.verbs for way in ((verb,), *game.presentation.words.spoken.get(verb, ()))]
    return _prefixes(frozenset(word for way in ways for word in way))


@lru_cache(maxsize=32)
def word_prefixes(slug: str) -> frozenset[str]:
    """Every beginning of every word that can stand in a move of this game."""
    spoken = GAMES[slug].presentation.words.spoken
    known = {word for ways in spoken.values() for way in ways for word in way}
    return _prefixes(frozenset({*known, *map(str.lower, spoken), *FILLERS})) | verb_prefixes(slug)


def may_be_in_move(word: str, slug: str) -> bool:
    """Whether a word can stand in a move: known ones, their beginnings, or something like a code."""
    return look_up_word(word, slug)[1]


@lru_cache(maxsize=8192)
def look_up_word(word: str, slug: str) -> tuple[tuple[str, ...], bool]:
    """A word as those who read answers take it apart, and whether it can stand in a move of this game."""
    tokens, known = split_tokens(word), word_prefixes(slug)
    found = all(said in known or (said != "|" and known.issuperset(WORD.findall(said))) for said in tokens)
    return tokens, found


class MoveRisk(Enum):
    """How a line must be looked at before anybody may say that it is no move."""

    NONE, SURE, READ, SHORT = range(4)


NONE, SURE = MoveRisk.NONE, MoveRisk.SURE


@lru_cache(maxsize=4096)
def move_risk(line: str, slug: str) -> MoveRisk:
    """What a line of a letter might be at a table of this game, whatever is asked there; most are nothing."""
    said: list[str] = []
    for word in line.split():
        tokens, known = look_up_word(word, slug)
        if tokens and not said and tokens[0] in COMMAND_WORDS and commands.parse_command(line) is not None:
            return MoveRisk.SURE
        if not known:
            return MoveRisk.NONE
        said += tokens
    if not said:
        return MoveRisk.NONE
    begins = [token for word in SEPARATORS.split(line.strip())[0].split() for token in split_tokens(word)]
    if begins and len(begins) <= LONGEST_CODE and is_number(begins[-1]) and len(begins[-1]) <= MOST_DIGITS:
        return MoveRisk.SURE
    if next((word for word in said if word not in FILLERS), "") in verb_prefixes(slug):
        return MoveRisk.READ
    return MoveRisk.SHORT if len(said) <= MOST_SHORT_WORDS else MoveRisk.NONE


@lru_cache(maxsize=4096)
def find_phrases(line: str, slug: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """What a line says with and without its polite words: the first word, and all words that say something.

    Nothing for a line that begins with a number, or as a verb of the game does.
    """
    found = []
    for text in without_courtesy(plain_signs(line)):
        said = sentence_tokens(text)
        begins = next((at for at, token in enumerate(said, 1) if token not in FILLERS), len(said))
        if NUMBERED.fullmatch(text) or not verb_prefixes(slug).isdisjoint(said[:begins]):
            return ()
        idle = idle_tokens(GAMES[slug].presentation.words, said)
        if said:
            found.append((said[0], tuple(token for at, token in enumerate(said) if at not in idle)))
    return tuple(found)


@dataclass(frozen=True)
class MoveDetector:
    """A seat that might take a line for a move."""

    viewer: Viewer

    @cached_property
    def slug(self) -> str:
        """The game of this seat."""
        return self.viewer.game.slug

    @cached_property
    def reader(self) -> Reader:
        """Who reads the answers of this seat."""
        return Reader(self.viewer.game, self.viewer.view(), self.viewer.options())

    @cached_property
    def _told(self) -> dict[str, bool]:
        """What was found about lines, some of which a letter has many times, or asks about at several widths."""
        return {}

    def detects(self, line: str, risk: MoveRisk) -> bool:
        """Whether a line that might be one is, or begins with, a move to this seat."""
        found = self._told.get(line)
        if found is None:
            found = self._told[line] = self._reads_as_move(line, risk)
        return found

    def _reads_as_move(self, line: str, risk: MoveRisk) -> bool:
        # A name alone, without a verb, is a move where one thing only can be done with it.
        if risk is MoveRisk.SHORT:
            return self._is_short_form(line) or (self._may_name_option(line) and self._is_move(line))
        first = SEPARATORS.split(line.strip())[0]
        begins = move_risk(first, self.slug)
        return begins is not NONE and (
            self._is_move(first) or (begins is MoveRisk.SHORT and self._is_short_form(first))
        )

    def _may_name_option(self, line: str) -> bool:
        """Whether somebody must read a line without a verb to tell that it names no option; of most that is plain."""
        menu, phrases = self.reader.menu, find_phrases(line, self.slug)
        if not menu.sentences or not phrases:
            return True
        return any(first in menu.beginnings or (names and menu.having(names)) for first, names in phrases)

    def _is_move(self, line: str) -> bool:
        try:
            return self.reader.is_bare_line(line) or bool(self.reader.lines(line))
        except Unclear:
            return False

    def _is_short_form(self, line: str) -> bool:
        reader = self.reader
        try:
            return reader.game.presentation.short(reader.view, reader.options, line.strip()) is not None
        except Unclear:
            return False


DetectorsByGame = Mapping[str, Sequence[MoveDetector]]
"""The seats that might take a line for a move, by the slug of their game."""


def detectors_by_game(viewers: Sequence[Viewer]) -> DetectorsByGame:
    """Those who tell whether a line is a move to one of these seats."""
    found: dict[str, list[MoveDetector]] = {}
    for viewer in viewers:
        found.setdefault(viewer.game.slug, []).append(MoveDetector(viewer))
    return found


def find_moves(lines: Sequence[str], detectors: DetectorsByGame) -> frozenset[str]:
    """Those of these lines that are a command, or a move to one of these seats."""
    return frozenset(_moves_among(lines, detectors))


def find_move(lines: Sequence[str], detectors: DetectorsByGame) -> str | None:
    """One of these lines that is a command, or a move to one of these seats; nothing if all are safe."""
    return next(_moves_among(lines, detectors), None)


def _moves_among(lines: Sequence[str], detectors: DetectorsByGame) -> Iterator[str]:
    for slug, seats in detectors.items():
        for line in lines:
            # Most lines are no move at any table of the game, whoever sits there.
            risk = move_risk(line, slug)
            if risk is not NONE and (risk is SURE or any(seat.detects(line, risk) for seat in seats)):
                yield line
