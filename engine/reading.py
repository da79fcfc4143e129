"""Text to actions: strictly for logs and signatures, leniently for people."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import TYPE_CHECKING, Any

from engine import house
from engine.game import HOUSE, Action, Game, Options
from engine.notation import NotALine, parse
from engine.reasons import reason
from engine.words import plain

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping

    from engine.game import Seat
    from engine.words import Words

FILLERS = frozenset(
    """a an and at card carte d dans de des du en et from i in into je l la le les ma mes mon my of on onto pile
    rangee row space sur the to un une vers with""".split()
)
LAST_FILLERS = frozenset(("card", "carte", "pile", "rangee", "row", "space"))
"""Fillers that a phrase may end with; others there are the beginning of a word."""
RESIGNING = frozenset(("resign", "i resign", "give up", "abandonner", "abandonne", "jabandonne", "j abandonne"))
MOST_SHOWN = 6
MOST_TRIED = 500
MOST_TOKENS = 40
MOST_DIGITS = 6
SEPARATORS = re.compile(r"[,;\n]+")


def read(game: Game[Any], line: str, seat: Seat) -> Action[Any]:
    """The action that a canonical line of this seat stands for, byte for byte."""
    kinds: Mapping[str, tuple[type[Action[Any]], ...]]
    if seat == HOUSE:
        kinds = house.OF_HOUSE
    elif seat >= 0 and line.split(" ", 1)[0] in house.OF_SEATS:
        kinds = house.OF_SEATS
    else:
        kinds = game.verbs
    action = parse(kinds, line)
    if action.line != line:
        raise NotALine(reason("line.written", line=action.line))
    return action


class Unclear(ValueError):
    """A text that names no line, several lines, or a line for a moment that is past (`stale`)."""

    def __init__(self, text: str, meant: tuple[str, ...] = (), *, stale: bool = False) -> None:
        """Keep what was typed and the lines it may have meant."""
        super().__init__(text)
        self.text = text
        self.meant = meant
        self.stale = stale


@dataclass(frozen=True)
class Reader:
    """Reads what a person typed for one question."""

    game: Game[Any]
    view: Any
    options: Options
    ahead: Callable[[Action[Any]], Options | None] = lambda _action: None
    """The options right after an action, where the same seat goes on at once."""

    def lines(self, text: str) -> tuple[str, ...]:
        """The canonical lines that the text means, one after the other."""
        short = self.game.short(self.view, self.options, text.strip())
        if short is not None:
            return short
        parts = [part.strip() for part in SEPARATORS.split(text) if part.strip()]
        if not parts:
            raise Unclear(text)
        found: list[str] = []
        options: Options | None = self.options
        for part in parts:
            action = self._action(part, options, first=not found)
            found.append(action.line)
            goes_on = len(found) == 1 and len(parts) > 1 and action in self.options
            options = self.ahead(action) if goes_on else None
        return tuple(found)

    def _action(self, text: str, options: Options | None, *, first: bool) -> Action[Any]:
        bare = text.rstrip(".")
        if first and bare.isascii() and bare.isdigit() and len(bare) <= MOST_DIGITS:
            return self._numbered(text, int(bare))
        if plain(text) in RESIGNING:
            return house.Resign()
        try:
            return read(self.game, text, 0)
        except NotALine:
            pass
        said = typed(self.game.words, text)
        for heard in said.readings:
            listed = [] if options is None else fitting(heard, options, exact=True, whole=True)
            spelled = [] if listed else self._spelled(heard)
            if spelled and not first and options is not None:
                raise Unclear(text)  # whole words for a line that will not be open: no guess, and nothing is made
            if len(listed or spelled) == 1:
                return (listed or spelled)[0]
            if spelled:
                raise Unclear(text, tuple(action.line for action in spelled[:MOST_SHOWN]))
        if options is None:
            raise Unclear(text)
        return chosen(self.game.words, text, options)

    def _numbered(self, text: str, number: int) -> Action[Any]:
        for at, option in enumerate(self.options, 1):
            if at == number:
                return option
        raise Unclear(text)

    def _spelled(self, said: Typed) -> list[Action[Any]]:
        """The lines of the game that the tokens spell out in whole words, listed now or not."""
        found: dict[str, Action[Any]] = {}
        for line in islice(_translations(said, 0), MOST_TRIED if len(said.tokens) <= MOST_TOKENS else 0):
            try:
                found[line] = read(self.game, line, 0)
            except NotALine:
                continue
        return list(found.values())


@dataclass(frozen=True)
class Typed:
    """What a person typed: its plain tokens, which of them say nothing, and which are whole names as they stand."""

    words: Words
    tokens: tuple[str, ...]
    idle: frozenset[int]
    whole: frozenset[str]
    memory: dict[tuple[int, str, bool], tuple[int, ...]] = field(default_factory=dict, compare=False)

    @property
    def readings(self) -> tuple[Typed, ...]:
        """First with every token said in earnest, then with those left out that say nothing."""
        return (replace(self, idle=frozenset()), self) if self.idle else (self,)

    def taken(self, start: int, word: str, *, exact: bool) -> tuple[int, ...]:
        """How many tokens from this one on may stand for a canonical word, the most first."""
        known = self.memory.get((start, word, exact))
        if known is None:
            found = {count for way in self.words.ways(word) for count in _taken(self, start, way, exact=exact)}
            known = self.memory[start, word, exact] = tuple(sorted(found, reverse=True))
        return known

    def has(self, way: tuple[str, ...], at: int) -> bool:
        """Whether this stands at a place among the tokens."""
        return self.tokens[at : at + len(way)] == way


def typed(words: Words, text: str) -> Typed:
    """A text cut into tokens; a filler that begins a name of the game, as `d` does in `d 3`, says something."""
    tokens = tuple(plain(text).split())[: MOST_TOKENS + 1]
    idle = frozenset(
        at
        for at, token in enumerate(tokens)
        if token in (FILLERS if at < len(tokens) - 1 else LAST_FILLERS)
        and not any(_spells(tokens[at:], way) for way, _ in words.beginning.get(token, ()))
    )
    coded = {token for token in tokens if _numbered(token)}
    return Typed(words, tokens, idle, frozenset(each for each in coded if words.is_name(each)))


def _spells(tokens: tuple[str, ...], way: tuple[str, ...]) -> bool:
    return len(tokens) >= len(way) and all(map(str.startswith, way, tokens))


def chosen(words: Words, text: str, options: Options) -> Action[Any]:
    """The one option that a text names, in any language, by full names first and then by beginnings."""
    said = typed(words, text)
    if len(said.tokens) > MOST_TOKENS or all(token in FILLERS for token in said.tokens):
        raise Unclear(text)
    candidates: list[Action[Any]] = []
    ways = [(heard, True, True) for heard in said.readings]
    for heard, exact, whole in (*ways, (said, True, False), (said, False, True), (said, False, False)):
        found = fitting(heard, options, exact=exact, whole=whole)
        if len(found) == 1:
            return found[0]
        candidates = candidates or found
    raise Unclear(text, tuple(option.line for option in candidates[:MOST_SHOWN]))


def fitting(said: Typed, options: Options, *, exact: bool, whole: bool) -> list[Action[Any]]:
    """The options whose lines the tokens name."""
    if not said.tokens or len(said.tokens) > MOST_TOKENS:
        return []
    return [option for option in options if fits(said, option.line, exact=exact, whole=whole)]


def fits(said: Typed, line: str, *, exact: bool, whole: bool) -> bool:
    """Whether what was typed names this line, or its beginning if not `whole`."""
    tokens = said.tokens
    left = line.split(" ")
    seen: set[tuple[int, int]] = set()

    def fit(token: int, word: int) -> bool:
        if (token, word) in seen:
            return False
        seen.add((token, word))
        if word == len(left):
            return all(at in said.idle for at in range(token, len(tokens)))
        if token == len(tokens):
            return not whole
        if any(fit(token + count, word + 1) for count in said.taken(token, left[word], exact=exact)):
            return True
        return token in said.idle and fit(token + 1, word)

    return fit(0, 0)


def _taken(said: Typed, start: int, way: tuple[str, ...], *, exact: bool) -> Collection[int]:
    tokens = said.tokens[start:]
    if exact:
        return (len(way),) if tokens[: len(way)] == way else ()
    taken: list[int] = []
    at, coded = 0, False
    for number, token in enumerate(tokens, 1):
        while at < len(way) and not _begins(said, way[at], token) and not _code(way[at]):
            at += 1
        if at == len(way) or not _begins(said, way[at], token):
            break
        at, coded = at + 1, coded or _numbered(token)
        if not (coded and any(map(_code, way[at:]))):
            taken.append(number)
    return taken


def _begins(said: Typed, word: str, token: str) -> bool:
    """Whether the token is the word or its beginning; numbers, and names such as b4b5, are never beginnings."""
    if word == token or not word.startswith(token):
        return word == token
    return token not in said.whole and not (token[-1].isdigit() and word[len(token)].isdigit())


def _numbered(word: str) -> bool:
    return any(each.isdigit() for each in word)


def _code(word: str) -> bool:
    """Whether a word is all or nothing: a number, a place, or a single letter."""
    return len(word) == 1 or _numbered(word)


def _translations(said: Typed, at: int) -> Iterator[str]:
    """Canonical lines that the tokens spell out word by word, without options to choose from."""
    tokens = said.tokens
    if at == len(tokens):
        yield ""
        return
    spoken = {(word, len(way)): None for way, word in said.words.beginning.get(tokens[at], ()) if said.has(way, at)}
    for word, count in {**spoken, (tokens[at], 1): None}:
        yield from (f"{word} {rest}".strip() for rest in _translations(said, at + count))
    if at in said.idle:
        yield from _translations(said, at + 1)
