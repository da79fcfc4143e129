"""Quote safety: no line of an email may read as a move or a command when it is quoted alone.

Mail programs quote, wrap and cut emails in any way, and a reply is read line by line. So every one of our lines that
would be a move or a command is changed before the email is sent. Rendering checks many lines, so cheap checks come
first: most lines have a word that no move of the game can contain.
"""

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
"""Three or more letters in a row are a word that the game must know, even in warrior4; codes like n5:r have fewer."""
IDLE_WORDS = FILLERS | {"then", "puis", "ensuite"}
"""Words that may precede a move: a wrapped row of the menu may continue with `then draw from the deck`."""
COMMAND_WORDS = frozenset(way[0] for way in commands.VERBS)


@lru_cache(maxsize=8192)
def split_tokens(word: str) -> tuple[str, ...]:
    """Return a word split as the reader of replies splits it."""
    return tuple(plain(word).split())


def _prefixes(words: frozenset[str]) -> frozenset[str]:
    return frozenset(word[:size] for word in words for size in range(1, len(word) + 1))


@lru_cache(maxsize=32)
def verb_prefixes(slug: str) -> frozenset[str]:
    """Return all prefixes of the words for the verbs of this game."""
    game = GAMES[slug]
    ways = [way for verb in game.rules.verbs for way in ((verb,), *game.presentation.words.spoken.get(verb, ()))]
    return _prefixes(frozenset(word for way in ways for word in way))


@lru_cache(maxsize=32)
def word_prefixes(slug: str) -> frozenset[str]:
    """Return all prefixes of the words that a move of this game can contain."""
    spoken = GAMES[slug].presentation.words.spoken
    known = {word for ways in spoken.values() for way in ways for word in way}
    return _prefixes(frozenset({*known, *map(str.lower, spoken), *IDLE_WORDS})) | verb_prefixes(slug)


def may_be_in_move(word: str, slug: str) -> bool:
    """Return True if a move can contain this word: a known one, a prefix of one, or something like a code."""
    return look_up_word(word, slug)[1]


@lru_cache(maxsize=8192)
def look_up_word(word: str, slug: str) -> tuple[tuple[str, ...], bool]:
    """Return a word split as the reader of replies splits it, and whether a move of this game can contain it."""
    tokens, known = split_tokens(word), word_prefixes(slug)
    found = all(said in known or (said != "|" and known.issuperset(WORD.findall(said))) for said in tokens)
    return tokens, found


class MoveRisk(Enum):
    """How closely a line must be examined to rule out that it is a move."""

    NONE, SURE, READ, SHORT = range(4)


NONE, SURE = MoveRisk.NONE, MoveRisk.SURE


@lru_cache(maxsize=4096)
def move_risk(line: str, slug: str) -> MoveRisk:
    """Return whether a line might be a move or command in this game, whatever is asked; most cannot."""
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
    if next((word for word in said if word not in IDLE_WORDS), "") in verb_prefixes(slug):
        return MoveRisk.READ
    return MoveRisk.SHORT if len(said) <= MOST_SHORT_WORDS else MoveRisk.NONE


@lru_cache(maxsize=4096)
def find_phrases(line: str, slug: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the first word and the significant words of a line, with and without its polite words.

    Empty for a line that begins with a number or a verb of the game.
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
    """Detects lines that a seat would read as a move."""

    viewer: Viewer

    @cached_property
    def slug(self) -> str:
        """The slug of the seat's game."""
        return self.viewer.game.slug

    @cached_property
    def reader(self) -> Reader:
        """The reader of the seat's replies."""
        return Reader(self.viewer.game, self.viewer.view(), self.viewer.options())

    @cached_property
    def _detected(self) -> dict[str, bool]:
        """Cache: an email has some lines many times, and tries others at several widths."""
        return {}

    def detects(self, line: str, risk: MoveRisk) -> bool:
        """Return True if a line is, or begins with, a move of this seat."""
        if line not in self._detected:
            self._detected[line] = self._reads_as_move(line, risk)
        return self._detected[line]

    def _reads_as_move(self, line: str, risk: MoveRisk) -> bool:
        # A name without a verb is a move if only one thing can be done with it.
        if risk is MoveRisk.SHORT:
            return self._is_short_form(line) or (self._may_name_option(line) and self._is_move(line))
        first = SEPARATORS.split(line.strip())[0]
        begins = move_risk(first, self.slug)
        return begins is not NONE and (
            self._is_move(first) or (begins is MoveRisk.SHORT and self._is_short_form(first))
        )

    def _may_name_option(self, line: str) -> bool:
        """Return False if a line without a verb plainly names no option, which spares reading it."""
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
"""The detectors of several seats, by the slug of their game."""


def detectors_by_game(viewers: Sequence[Viewer]) -> DetectorsByGame:
    """Return the detectors for these seats."""
    detectors: dict[str, list[MoveDetector]] = {}
    for viewer in viewers:
        detectors.setdefault(viewer.game.slug, []).append(MoveDetector(viewer))
    return detectors


def find_moves(lines: Sequence[str], detectors: DetectorsByGame) -> frozenset[str]:
    """Return the lines that are a command, or a move of one of these seats."""
    return frozenset(_moves_among(lines, detectors))


def find_move(lines: Sequence[str], detectors: DetectorsByGame) -> str | None:
    """Return the first line that is a command or a move of one of these seats; None if all are safe."""
    return next(_moves_among(lines, detectors), None)


def _moves_among(lines: Sequence[str], detectors: DetectorsByGame) -> Iterator[str]:
    for slug, seats in detectors.items():
        for line in lines:
            # Most lines cannot be a move in any match of the game.
            risk = move_risk(line, slug)
            if risk is not NONE and (risk is SURE or any(seat.detects(line, risk) for seat in seats)):
                yield line
