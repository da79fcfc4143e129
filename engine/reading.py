"""Text to actions: strictly for logs and signatures, leniently for people."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from engine import house
from engine.game import HOUSE, Action, Game, Options
from engine.notation import NotALine, parse
from engine.words import plain

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from engine.game import Seat
    from engine.words import Words

FILLERS = frozenset(
    """a an and at card carte d dans de des du en et from i in into je l la le les ma mes mon my of on onto pile
    rangee row space sur the to un une vers with""".split()
)
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
        raise NotALine(f"it is written {action.line}")
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
            options = self.ahead(action) if len(found) == 1 else None
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
        if options is not None:
            return chosen(self.game.words, text, options)
        return self._translated(text)

    def _numbered(self, text: str, number: int) -> Action[Any]:
        for at, option in enumerate(self.options, 1):
            if at == number:
                return option
        raise Unclear(text)

    def _translated(self, text: str) -> Action[Any]:
        tokens = tuple(plain(text).split())[:MOST_TOKENS]
        for line in islice(_translations(self.game.words, tokens), MOST_TRIED):
            try:
                return read(self.game, line, 0)
            except NotALine:
                continue
        raise Unclear(text)


def chosen(words: Words, text: str, options: Options) -> Action[Any]:
    """The one option that a text names, in any language, by full names first and then by beginnings."""
    tokens = tuple(plain(text).split())
    if len(tokens) > MOST_TOKENS or all(token in FILLERS for token in tokens):
        raise Unclear(text)
    candidates: list[Action[Any]] = []
    for exact in (True, False):
        for whole in (True, False):
            fitting = [
                option for option in options if tokens and fits(words, tokens, option.line, exact=exact, whole=whole)
            ]
            if len(fitting) == 1:
                return fitting[0]
            candidates = candidates or fitting
    raise Unclear(text, tuple(option.line for option in candidates[:MOST_SHOWN]))


def fits(words: Words, tokens: tuple[str, ...], line: str, *, exact: bool, whole: bool) -> bool:
    """Whether what was typed names this line, or its beginning if not `whole`."""
    left = [_ways(words, word) for word in line.split(" ")]
    seen: set[tuple[int, int]] = set()

    def fit(token: int, word: int) -> bool:
        if (token, word) in seen:
            return False
        seen.add((token, word))
        if word == len(left):
            return all(each in FILLERS for each in tokens[token:])
        if token == len(tokens):
            return not whole
        taken = {count for way in left[word] for count in _taken(tokens[token:], way, exact=exact)}
        if any(fit(token + count, word + 1) for count in sorted(taken, reverse=True)):
            return True
        return tokens[token] in FILLERS and fit(token + 1, word)

    return fit(0, 0)


def _ways(words: Words, word: str) -> tuple[tuple[str, ...], ...]:
    low = word.lower()
    return ((low,), tuple(low.replace("-", " ").split()) or (low,), *words.spoken.get(word, ()))


def _taken(tokens: tuple[str, ...], way: tuple[str, ...], *, exact: bool) -> tuple[int, ...]:
    if exact:
        return (len(way),) if tokens[: len(way)] == way else ()
    taken: list[int] = []
    at = 0
    for number, token in enumerate(tokens, 1):
        while at < len(way) and not way[at].startswith(token):
            at += 1
        if at == len(way):
            break
        at += 1
        taken.append(number)
    return tuple(reversed(taken))


def _translations(words: Words, tokens: tuple[str, ...]) -> Iterator[str]:
    """Canonical lines that the tokens spell out word by word, without options to choose from."""
    if not tokens:
        yield ""
        return
    for word, ways in words.spoken.items():
        for way in ways:
            if tokens[: len(way)] == way:
                yield from (f"{word} {rest}".strip() for rest in _translations(words, tokens[len(way) :]))
    yield from (f"{tokens[0]} {rest}".strip() for rest in _translations(words, tokens[1:]))
    if tokens[0] in FILLERS:
        yield from _translations(words, tokens[1:])
