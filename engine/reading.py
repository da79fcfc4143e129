"""From text to actions: strict for logs and signatures, lenient for people."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Any

from engine import house
from engine.game import HOUSE, Action, Game, Options
from engine.notation import NotALine, parse
from engine.reasons import reason
from engine.sentences import MenuSentences, plain_signs, sentence_tokens, without_courtesy
from engine.words import Locale, is_number, plain

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping

    from engine.game import Seat
    from engine.words import Words

FILLERS = frozenset(
    """a an and at card carte d dans de des du en et from i in into je l la le les ma mes mon my of on onto pile
    rangee row space sur the to un une vers with""".split()
)
LAST_FILLERS = frozenset(("card", "carte", "pile", "rangee", "row", "space"))
"""Fillers that may end a phrase. Other small words at the end begin a longer word."""
RESIGNING = frozenset(("resign", "i resign", "give up", "abandonner", "abandonne", "jabandonne", "j abandonne"))
MOST_SHOWN = 6
MOST_TRIED = 500
MOST_TOKENS = 40
MOST_DIGITS = 6
MOST_WORDS = 60
"""Maximum number of words in a partly typed sentence."""
SEPARATORS = re.compile(r"[,;\n]+")
THEN = re.compile(r"(?<![\s,;])[\s,;]*+\b(?:and\s+then|et\s+puis|then|puis|ensuite)\b[\s,:]*+", re.IGNORECASE)
NUMBERED = re.compile(
    r"[\s(\[*_\"“”«»]*(?:(?:no|nr|n[°ºo]|number|num[eé]ro|option|choice|choix|line|ligne|move|coup|the|le)(?![a-z])"
    r"[.:]?\s*){0,2}([0-9]{1,6})(?:[)\]*_.:°|\"“”«»]+\s*|\s+|$)(?:[-–—|]+\s+)?(?P<rest>(?![0-9]).*)",
    re.IGNORECASE | re.DOTALL,
)
"""A number of the menu as lists and people write it, and the rest: `3. lay P4`, `(3)`, `*3*`, `no 3`."""
CHOOSING = frozenset("play jouer joue make choose choisir choisis move coup take prends prendre".split())
"""Words before a number by which people choose a line of the menu."""
SIDES = re.compile(r"\s+[-–—|]+\s+|\s{2,}|\s*\(")
"""Separators between a line and its sentence."""


def read(game: Game[Any], line: str, seat: Seat) -> Action[Any]:
    """Return the action of a canonical line of this seat. Any other spelling raises `NotALine`."""
    kinds: Mapping[str, tuple[type[Action[Any]], ...]]
    if seat == HOUSE:
        kinds = house.OF_HOUSE
    elif seat >= 0 and line.split(" ", 1)[0] in house.OF_SEATS:
        kinds = house.OF_SEATS
    else:
        kinds = game.rules.verbs
    action = parse(kinds, line)
    if action.line != line:
        raise NotALine(reason("line.written", line=action.line))
    return action


class Unclear(ValueError):
    """A text that names no line, several lines, or a line for an earlier moment (`stale`)."""

    def __init__(self, text: str, meant: tuple[str, ...] = (), *, stale: bool = False) -> None:
        """Store the typed text and the lines it may have meant."""
        super().__init__(text)
        self.text = text
        self.meant = meant
        self.stale = stale


@dataclass(frozen=True)
class Reader:
    """Reads a person's text for one question."""

    game: Game[Any]
    view: Any
    options: Options
    ahead: Callable[[Action[Any]], Options | None] = lambda _action: None
    """Return the options right after an action, if the same seat continues at once."""
    names: Mapping[Locale, tuple[str, ...]] = field(default_factory=dict)
    """Names of the seats in each language, if they differ."""

    @cached_property
    def menu(self) -> MenuSentences:
        """The sentences of the options."""
        return MenuSentences(self.game, self.view, self.options, self.names)

    def lines(self, text: str) -> tuple[str, ...]:
        """Return the canonical lines that the text means. An ambiguous text raises `Unclear` with them.

        The sentences and lines of the menu are tried first, then short forms, names and their beginnings, and last
        words that occur in one sentence only.
        """
        tidy = plain_signs(text)
        exact = self._find_listed(tidy)
        if exact is not None:
            return (exact.line,)
        bare, whole = self._whole(tidy)
        if whole is not None:
            return (whole.line,)
        number = NUMBERED.fullmatch(bare)
        if number and THEN.match(number["rest"]):
            return self._steps(bare)
        if number and number["rest"].strip(" .)]*_!"):
            return self._read_numbered_text(text, int(number[1]), number["rest"])
        return (self._choose_number(text, int(number[1])).line,) if number else self._steps(bare)

    def is_bare_line(self, text: str) -> bool:
        """Return True if a text is one word that spells one line of the game, legal now or not.

        This does not need the menu.
        """
        said = tokenise(self.game.presentation.words, text)
        if len(said.tokens) != 1 or self.game.presentation.short(self.view, self.options, text.strip()) is not None:
            return False
        return len(self._find_spelled(said)) == 1

    def _whole(self, text: str) -> tuple[str, Action[Any] | None]:
        """Return the text without polite words, and the option whose sentence or line it is, or None."""
        bare = text
        for bare in without_courtesy(text):
            options = self.menu.whole(bare)
            if options:
                return bare, one_of(text, options)
            number = NUMBERED.fullmatch(bare)
            if number and self.menu.whole(number["rest"]):
                return bare, None
        if not bare:
            raise Unclear(text)
        return bare, None

    def _find_listed(self, line: str) -> Action[Any] | None:
        """Return the option with just this line, or None."""
        try:
            action = read(self.game, line, 0)
        except NotALine:
            return None
        return action if action in self.options else None

    def _read_numbered_text(self, text: str, number: int, rest: str) -> tuple[str, ...]:
        """Return the lines of a text that begins with a number of the menu, if number and text mean the same."""
        numbered = self._option_at(number)
        try:
            bare, whole = self._whole(rest)
            lines = self._steps(bare) if whole is None else (whole.line,)
        except Unclear as unclear:
            meant = () if numbered is None else (numbered.line,)
            raise Unclear(text, (*meant, *unclear.meant)[:MOST_SHOWN], stale=unclear.stale) from None
        if numbered is None or lines[0] != numbered.line:
            raise Unclear(text, (*(() if numbered is None else (numbered.line,)), lines[0]))
        return lines

    def _one_side(self, text: str) -> tuple[str, ...]:
        bare, whole = self._whole(text.strip(" ()"))
        return self._step_lines(bare) if whole is None else (whole.line,)

    def _steps(self, text: str) -> tuple[str, ...]:
        """Return the lines of a text in short forms and names, else the option in whose sentence the text occurs."""
        pair = self._twice(text) if len(self.options) > MOST_TRIED else None
        if pair is not None:
            return pair
        try:
            return self._step_lines(text)
        except Unclear as unclear:
            if unclear.stale:
                raise
            options = self._in_part(text)
            if len(options) == 1 and not unclear.meant:
                return (options[0].line,)
            pair = self._twice(text) if not options else None
            if pair is not None:
                return pair
            meant = unclear.meant or tuple(option.line for option in options[:MOST_SHOWN])
            raise Unclear(unclear.text, meant) from None

    def _step_lines(self, given: str) -> tuple[str, ...]:
        text = THEN.sub(", ", given)
        short = self.game.presentation.short(self.view, self.options, text.strip())
        if short is not None:
            return short
        parts = list(SEPARATORS.finditer(f"{text},"))
        whole = next((each for each in reversed(parts[1:-1]) if self.menu.whole(text[: each.start()])), None)
        lines: list[str] = []
        options: Options | None = self.options
        rest = text
        if whole is not None:
            action = one_of(text, self.menu.whole(text[: whole.start()]))
            lines, options, rest = [action.line], self.ahead(action), text[whole.end() :]
        steps = [part.strip() for part in SEPARATORS.split(rest) if part.strip()]
        if not steps and not lines:
            raise Unclear(text)
        for part in steps:
            action = self._action(part, options, first=not lines)
            lines.append(action.line)
            goes_on = len(lines) == 1 and len(steps) > 1 and action in self.options
            options = self.ahead(action) if goes_on else None
        return tuple(lines)

    def _in_part(self, text: str) -> list[Action[Any]]:
        """Return the options in whose sentence the words of a text occur. One word alone must be a code or a name."""
        tokens = sentence_tokens(text)
        idle = idle_tokens(self.game.presentation.words, tokens)
        said = tuple(token for at, token in enumerate(tokens) if at not in idle)
        if len(said) > MOST_WORDS or all(token in FILLERS or is_number(token) for token in said):
            return []
        if len(said) == 1 and not (_has_number(said[0]) or said[0] in self.game.presentation.words.beginning):
            return []
        return self.menu.having(said)

    def _twice(self, text: str) -> tuple[str, ...] | None:
        """Return the lines of a text that says the same thing twice, such as a line and its sentence; else None."""
        cut = SIDES.search(text)
        if cut is None:
            return None
        try:
            one, other = map(self._one_side, (text[: cut.start()], text[cut.end() :]))
        except Unclear:
            return None
        if one != other:
            raise Unclear(text, (*one[:1], *other[:1]))
        return one

    def _action(self, text: str, options: Options | None, *, first: bool) -> Action[Any]:
        bare = text.rstrip(".")
        if first and is_number(bare) and len(bare) <= MOST_DIGITS:
            return self._choose_number(text, int(bare))
        if plain(text) in RESIGNING:
            return house.Resign()
        try:
            return read(self.game, text, 0)
        except NotALine:
            pass
        chosen_by_number = self._number_after_verb(text) if first else None
        try:
            named = self._find_named(text, options, first=first)
        except Unclear as unclear:
            if chosen_by_number is None:
                raise
            if not unclear.meant and not self._takes_number(plain(text).split()[0]):
                return chosen_by_number
            raise Unclear(text, (*unclear.meant[: MOST_SHOWN - 1], chosen_by_number.line)) from None
        if chosen_by_number is not None and chosen_by_number != named:
            raise Unclear(text, (named.line, chosen_by_number.line))
        return named

    def _number_after_verb(self, text: str) -> Action[Any] | None:
        """Return the option that `play 6` means if 6 is its number in the menu.

        `lay 6` means it only if the option is a lay.
        """
        said = tokenise(self.game.presentation.words, text)
        tokens = [token for at, token in enumerate(said.tokens) if at not in said.idle]
        if len(tokens) != 2 or not is_number(tokens[1]) or len(tokens[1]) > MOST_DIGITS:  # noqa: PLR2004  # both
            return None
        number = int(tokens[1])
        option = self._option_at(number)
        if option is None or tokens[0] in CHOOSING or (tokens[0],) in self.game.presentation.words.ways(option.verb):
            return option
        return None

    def _takes_number(self, token: str) -> bool:
        """Return True if a number after this verb need not be a number of the menu, such as the card 6."""
        verbs = {verb for verb in self.game.rules.verbs if (token,) in self.game.presentation.words.ways(verb)}
        lines = [option.line for option in islice(self.options, MOST_TRIED) if option.verb in verbs]
        return bool(verbs) and (token not in CHOOSING or any(map(_has_number, lines)))

    def _find_named(self, text: str, options: Options | None, *, first: bool) -> Action[Any]:
        """Return the action that names and their beginnings mean."""
        said = tokenise(self.game.presentation.words, text)
        for heard in said.readings:
            few = () if options is None or len(options) > MOST_TRIED else options
            listed = fitting_options(heard, few, exact=True, whole=True)
            spelled = [] if listed else self._find_spelled(heard)
            if spelled and not first and options is not None:
                raise Unclear(text)  # whole words for a line that will not be legal: do not guess another one
            if len(listed or spelled) == 1:
                return (listed or spelled)[0]
            if spelled:
                raise Unclear(text, tuple(action.line for action in spelled[:MOST_SHOWN]))
        if options is None:
            raise Unclear(text)
        return choose_option(self.game.presentation.words, text, options)

    def _choose_number(self, text: str, number: int) -> Action[Any]:
        option = self._option_at(number)
        if option is None:
            raise Unclear(text)
        return option

    def _option_at(self, number: int) -> Action[Any] | None:
        """Return the option with this number in the menu, counted from 1, or None."""
        return next(islice(self.options, number - 1, number), None) if number else None

    def _find_spelled(self, said: Typed) -> list[Action[Any]]:
        """Return the lines of the game that the tokens spell out in whole words, listed now or not."""
        actions: dict[str, Action[Any]] = {}
        for line in islice(_translations(said, 0), MOST_TRIED if len(said.tokens) <= MOST_TOKENS else 0):
            try:
                actions[line] = read(self.game, line, 0)
            except NotALine:
                continue
        return list(actions.values())


@dataclass(frozen=True)
class Typed:
    """Text of a person as plain tokens, with the indexes of fillers and the tokens that are whole names."""

    words: Words
    tokens: tuple[str, ...]
    idle: frozenset[int]
    whole: frozenset[str]
    memory: dict[tuple[int, str, bool], tuple[int, ...]] = field(default_factory=dict, compare=False)

    @property
    def readings(self) -> tuple[Typed, ...]:
        """The readings to try: with every token taken seriously, then without fillers."""
        return (replace(self, idle=frozenset()), self) if self.idle else (self,)

    def token_counts(self, start: int, word: str, *, exact: bool) -> tuple[int, ...]:
        """Return how many tokens from `start` on may mean a canonical word, the highest number first."""
        known = self.memory.get((start, word, exact))
        if known is None:
            counts = {count for way in self.words.ways(word) for count in _count_tokens(self, start, way, exact=exact)}
            known = self.memory[start, word, exact] = tuple(sorted(counts, reverse=True))
        return known

    def has(self, way: tuple[str, ...], at: int) -> bool:
        """Return True if these tokens begin at this index."""
        return self.tokens[at : at + len(way)] == way


@lru_cache(maxsize=32)
def tokenise(words: Words, text: str) -> Typed:
    """Cut a text into tokens. A filler that begins a name of the game, such as `d` in `d 3`, counts.

    The latest texts are cached with the words they matched, since a text is tried in several ways in a row.
    """
    tokens = tuple(plain(text).split())[: MOST_TOKENS + 1]
    idle = idle_tokens(words, tokens)
    coded = {token for token in tokens if _has_number(token)}
    return Typed(words, tokens, idle, frozenset(each for each in coded if words.is_name(each)))


def idle_tokens(words: Words, tokens: tuple[str, ...]) -> frozenset[int]:
    """Return the indexes of fillers: small words that begin no name of the game."""
    return frozenset(
        at
        for at, token in enumerate(tokens)
        if token in (FILLERS if at < len(tokens) - 1 else LAST_FILLERS)
        and not any(_spells(tokens[at:], way) for way, _ in words.beginning.get(token, ()))
    )


def one_of(text: str, actions: tuple[Action[Any], ...]) -> Action[Any]:
    """Return the only action, or raise `Unclear` with all of them."""
    if len(actions) > 1:
        raise Unclear(text, tuple(action.line for action in actions[:MOST_SHOWN]))
    return actions[0]


def _spells(tokens: tuple[str, ...], way: tuple[str, ...]) -> bool:
    return len(tokens) >= len(way) and all(map(str.startswith, way, tokens))


def choose_option(words: Words, text: str, options: Options) -> Action[Any]:
    """Return the one option that a text names, in any language: by full names first, then by beginnings."""
    said = tokenise(words, text)
    if len(said.tokens) > MOST_TOKENS or all(token in FILLERS for token in said.tokens):
        raise Unclear(text)
    loose = fitting_options(said, options, exact=False, whole=False)
    candidates: list[Action[Any]] = []
    ways = [(heard, True, True) for heard in said.readings]
    for heard, exact, whole in (*ways, (said, True, False), (said, False, True)) if len(loose) <= MOST_TRIED else ():
        fitting = fitting_options(heard, loose, exact=exact, whole=whole)
        if len(fitting) == 1:
            return fitting[0]
        candidates = candidates or fitting
    if len(loose) == 1:
        return loose[0]
    # French `pioche` is both a verb and a place: one word that names a whole line means that line.
    named = [option for option in loose if _names_all(said, option.line)]
    if len(named) == 1:
        return named[0]
    raise Unclear(text, tuple(option.line for option in (candidates or loose)[:MOST_SHOWN]))


def _names_all(said: Typed, line: str) -> bool:
    """Return True if the only typed word is a name of every word of a line."""
    tokens = [token for at, token in enumerate(said.tokens) if at not in said.idle]
    return len(tokens) == 1 and all((tokens[0],) in said.words.ways(word) for word in line.split(" "))


def fitting_options(said: Typed, options: Options, *, exact: bool, whole: bool) -> list[Action[Any]]:
    """Return the options whose lines the tokens name."""
    if not said.tokens or len(said.tokens) > MOST_TOKENS:
        return []
    verbs: dict[str, bool] = {}
    fitting = []
    for option in options:
        if option.verb not in verbs:
            verbs[option.verb] = any(said.token_counts(at, option.verb, exact=exact) for at in _beginnings(said))
        if verbs[option.verb] and fits(said, option.line, exact=exact, whole=whole):
            fitting.append(option)
    return fitting


def _beginnings(said: Typed) -> range:
    """Return the indexes at which the text may begin: the first token, and those after fillers."""
    return range(next((at for at in range(len(said.tokens)) if at not in said.idle), len(said.tokens) - 1) + 1)


def fits(said: Typed, line: str, *, exact: bool, whole: bool) -> bool:
    """Return True if the tokens name this line, or its beginning if not `whole`.

    Words of a line may take several tokens, and fillers none, so this searches all ways. `seen` keeps the search linear
    in tokens times words.
    """
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
        if any(fit(token + count, word + 1) for count in said.token_counts(token, left[word], exact=exact)):
            return True
        return token in said.idle and fit(token + 1, word)

    return fit(0, 0)


def _count_tokens(said: Typed, start: int, way: tuple[str, ...], *, exact: bool) -> Collection[int]:
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
        at, coded = at + 1, coded or _has_number(token)
        if not (coded and any(map(_code, way[at:]))):
            taken.append(number)
    return taken


def _begins(said: Typed, word: str, token: str) -> bool:
    """Return True if the token is the word or its beginning. Numbers, and names such as b4b5, are never beginnings."""
    if word == token or not word.startswith(token):
        return word == token
    return token not in said.whole and not (token[-1].isdigit() and word[len(token)].isdigit())


def _has_number(word: str) -> bool:
    return not word.isalpha() and any(each.isdigit() for each in word)


def _code(word: str) -> bool:
    """Return True if a word cannot be abbreviated: a number, a place, or a single letter."""
    return len(word) == 1 or _has_number(word)


def _translations(said: Typed, at: int) -> Iterator[str]:
    """Yield canonical lines that the tokens spell out word by word, without options to choose from."""
    tokens = said.tokens
    if at == len(tokens):
        yield ""
        return
    spoken = {(word, len(way)): None for way, word in said.words.beginning.get(tokens[at], ()) if said.has(way, at)}
    for word, count in {**spoken, (tokens[at], 1): None}:
        yield from (f"{word} {rest}".strip() for rest in _translations(said, at + count))
    if at in said.idle:
        yield from _translations(said, at + 1)
