"""Moves in a reply: the pieces that name them, and the canonical lines that they mean together."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import islice

from engine.game import CORE_VERBS, AnyAction
from engine.lookahead import LINE_SEPARATOR, MenuRow
from engine.notation import NotALine
from engine.reading import FILLERS, MOST_DIGITS, MOST_SHOWN, NUMBERED, SEPARATORS, THEN, Reader, Unclear
from engine.reading import read as read_line
from engine.sentences import plain_signs, sentence_tokens, without_courtesy
from engine.words import Words, is_number, plain
from service.mail.commands import QUESTION_SIGNS
from service.mail.incoming.reading import vocabulary
from service.mail.incoming.reading.pieces import CLAUSE_END, EDGES, LONGEST_PIECE
from service.mail.incoming.reading.requests import MailRequest
from service.play import free_text
from service.play.preview import menu_rows
from service.play.views import Viewer

MOST_LINES = 64
MOST_ROW_BREAKS = 10
MOST_ROWS = 50
"""Maximum number of menu rows that are compared with a copied sentence."""
SHORTEST_PART = 2
"""Minimum number of words of a row that identify it, besides its number."""
CHOSEN = re.compile(
    r"(?:i(?:'ll| will)? |je |j')?(?:take|choose|pick|play|make|go (?:for|with)|prends|choisis|joue|opte pour) "
    r"(?:the |le |la |l')?"
    r"(?P<named>(?:number|no\.?|n[°ºo]\.?|num[ée]ro|option|choice|choix|move|coup|line|ligne)\s*|#)?"
    r"(?P<number>\d{1,6})[.! ]*",
    re.IGNORECASE,
)
"""Ways to choose a row of the menu in a sentence. Without a word such as `number`, a number may be something else."""
NEGATED_NUMBER = re.compile(r"no\s+\d", re.IGNORECASE)
"""`no 3` may be number 3, or anything but 3."""
PLACED_NUMBER = re.compile(
    r"(?:(?:i|i'll|we|we'll|je|nous|on|will|shall|vais|allons|play|answer|reply|joue|jouer|jouons)\s+){0,4}"
    r"(?:in|on|at|by|of|to|from|à|a|dans|les|des|en)\s+\d{1,6}[.! ]*",
    re.IGNORECASE,
)
"""`I'll play on 3`, `on joue à 3`: a day, an hour or a number of people. The games read past such small words."""
AND_STEP = re.compile(r"^(\d{1,6})\s(?:and|et|&|\+)\s(?=[^\W\d])", re.IGNORECASE)
"""`3 and draw`: two steps."""
AND_I = re.compile(r",?\s(?:and|et)\s(?:i|je)\s(?:(?:then|puis)\s)?(?=[^\W\d])", re.IGNORECASE)
"""`I lay R5 and I draw`: two steps."""
YES_OR_NO = frozenset("yes no nope ok oui non".split())
"""Words that may answer the game's next question, or take back the previous move."""
SPELLED = re.compile(
    r"(?P<label>(?:(?:#|n[°ºor]\.?|number|num[ée]ro|move|option|choice|coup|choix|line|ligne|the|le)\s{1,3}){1,3})"
    rf"(?P<number>{'|'.join(vocabulary.SPELLED_NUMBERS)})[.! ]*",
    re.IGNORECASE,
)
"""A number in words behind a word that says so: `number three`, `le trois`."""
LABELLED = re.compile(
    r"(?:#|no\.?|n[°ºo]\.?|nr\.?|number|num[ée]ro|move|option|choice|coup|choix|le|the)?\s*(\d{1,6})\s*[.!)]*",
    re.IGNORECASE,
)


class MovesNotUnderstood(ValueError):
    """Pieces that name no move, or too many. `reason` is the key of the explanation, `text` the piece in question."""

    def __init__(self, reason: str, text: str, meant: tuple[str, ...] = ()) -> None:
        super().__init__(text)
        self.reason = reason
        self.text = text[:400]
        self.meant = meant


@dataclass(frozen=True)
class MoveReader:
    """Reads moves for one question. It caches the menu and the results, since each piece is tried by itself."""

    viewer: Viewer

    @cached_property
    def reader(self) -> Reader:
        """The game's reader for this question."""
        return free_text.build_reader(self.viewer)

    @cached_property
    def _known(self) -> dict[str, tuple[str, ...]]:
        return {}

    @cached_property
    def _chained_rows(self) -> dict[tuple[str, ...], tuple[str, ...]]:
        """Lines of the menu rows that include forced lines, by the parts that people may copy of them."""
        by_tokens: dict[tuple[str, ...], tuple[str, ...]] = {}
        for row in menu_rows(self.viewer, islice(self.viewer.options(), MOST_ROWS)):
            said = sentence_tokens(row.sentence)
            if len(row.lines) > 1:
                for line in map(sentence_tokens, (row.line, row.typed)):
                    by_tokens |= dict.fromkeys((said, line + said, said + line), row.lines)
        return by_tokens

    def read(self, text: str) -> tuple[str, ...]:
        """Return the lines that a piece means by itself, an empty tuple if it is not a clear move."""
        known = self._known.get(text)
        if known is None:
            known = self._known[text] = self._read(text)
        return known

    def _read(self, text: str) -> tuple[str, ...]:
        bare = AND_I.sub(", ", AND_STEP.sub(r"\1, ", _in_digits(plain_signs(text.strip()))))
        number = bare.rstrip(".) ")
        if is_number(number):
            return self.numbered_lines([number])
        placed = NEGATED_NUMBER.match(bare) or PLACED_NUMBER.fullmatch(bare)
        if len(bare) > LONGEST_PIECE or placed or any(sign in QUESTION_SIGNS for sign in bare):
            return ()
        restored = self.restore_row(bare)
        copied = tuple(restored.split(LINE_SEPARATOR)) if restored else self._chained_rows.get(sentence_tokens(bare))
        if copied:
            return copied
        later_steps = CLAUSE_END.split(bare)[1:]
        if not self._may_be_move(bare) or any(plain(step) in YES_OR_NO for step in later_steps):
            return ()
        try:
            return self._parse([bare])
        except MovesNotUnderstood as error:
            # A line that emails cannot make is still a move.
            return error.meant if error.reason == "not-by-letter" else ()

    def _may_be_move(self, text: str) -> bool:
        """Return True if a piece may name a move: it has a digit or a word of the game.

        A cue such as `wait` never abbreviates a word of the game.
        """
        known, tokens = _game_tokens(self.viewer.game.presentation.words), plain(text).split()
        if not any(token in known or any(map(str.isdigit, token)) for token in tokens):
            return False
        cues = any(vocabulary.SHARP.has(token) and token not in known for token in tokens)
        return not cues or bool(self.reader.menu.whole(text))

    def restore_row(self, text: str) -> str:
        """Return the line of the menu row that a text copies with its number, or an empty string.

        Mail programs break long rows, and people copy the part before the break. A number and the first words of its
        row leave no doubt.
        """
        found = NUMBERED.fullmatch(plain_signs(text).strip())
        number = int(found[1]) if found else 0
        option = next(islice(self.viewer.options(), number - 1, number), None) if number else None
        row = menu_rows(self.viewer, [option])[0] if option is not None else None
        return row.line if found and row and _begins_row(row, sentence_tokens(found["rest"])) else ""

    def restore_rows(self, rows: list[str]) -> tuple[str, int]:
        """Return the line of a menu row copied over several rows, and their count; else an empty string and 0."""
        if rows and rows[0][:1].isdigit():
            for count in range(min(len(rows), MOST_ROW_BREAKS), 1, -1):
                line = self.restore_row(" ".join(rows[:count]))
                if line:
                    return line, count
        return "", 0

    def short_forms(self, text: str) -> tuple[str, ...]:
        """Return the lines of a text in short forms of the game, all of them clear; none otherwise."""
        try:
            return self.reader.game.presentation.short(self.reader.view, self.reader.options, text) or ()
        except Unclear:
            return ()

    def continues(self, pieces: list[str], text: str) -> bool:
        """Return True if a piece names a further line once the moves before it are made, such as a card to draw."""
        bare = plain_signs(text.strip())
        if len(bare) > LONGEST_PIECE or any(sign in QUESTION_SIGNS for sign in bare) or not self._may_be_move(bare):
            return False
        if self._parse_in_steps([*pieces, bare]):
            return True
        if any(map(str.isdigit, bare)):
            return False
        try:
            return len(self._parse([*pieces, bare])) > len(self._parse(pieces))
        except MovesNotUnderstood:
            return False

    def parse_reply(self, request: MailRequest) -> tuple[str, ...]:
        """Return the lines that a reply means, or the only ones that it may mean; raises MovesNotUnderstood.

        If no piece is a move by itself, the verdict of the request is to ask, so a guess is safe.
        """
        if request.moves:
            return self.parse(list(request.moves))
        try:
            return self.parse([piece.rstrip(f"{QUESTION_SIGNS} !.") or piece for piece in request.beside])
        except MovesNotUnderstood as error:
            if error.reason == "unclear" and len(error.meant) == 1:
                return error.meant
            raise

    def parse(self, pieces: list[str]) -> tuple[str, ...]:
        """Return the lines that the pieces of a reply mean, one after the other; raises MovesNotUnderstood.

        A number means its whole row of the menu, with the lines that are forced after the first. A line that was typed
        means itself alone.
        """
        lines = self._parse_pieces(pieces)
        if len(lines) > 1 or not _names_number(pieces[0]):
            return lines
        option = read_line(self.viewer.game, lines[0], self.viewer.seat or 0)
        return menu_rows(self.viewer, [option])[0].lines if option in self.viewer.options() else lines

    def _parse_pieces(self, pieces: list[str]) -> tuple[str, ...]:
        if len(pieces) > MOST_LINES:
            raise MovesNotUnderstood("too-long", pieces[MOST_LINES])
        first = self.read(pieces[0])
        if first and first[0].split(" ", 1)[0] in CORE_VERBS:
            raise MovesNotUnderstood("not-by-letter", pieces[0])
        if len(first) == 1:
            # The same answer above and below, or a number with its line: said twice, meant once.
            pieces = [
                pieces[0],
                *(piece for piece in pieces[1:] if self.read(piece) != first or self._is_open_again(first)),
            ]
        if len(pieces) == 1 and first:
            return self._drop_repeats(first, pieces)
        steps = self._parse_in_steps(pieces)
        if steps:
            return steps
        return self._drop_repeats(self._parse([self.restore_row(piece) or piece for piece in pieces]), pieces)

    def _is_open_again(self, lines: tuple[str, ...]) -> bool:
        action = read_line(self.viewer.game, lines[0], self.viewer.seat or 0)
        after = free_text.options_after(self.viewer.match_state, self.viewer.seat or 0, action)
        return after is not None and action in after

    def _parse_in_steps(self, pieces: list[str]) -> tuple[str, ...]:
        """Return the line of each piece, read with the menu after the pieces before it. An empty tuple if one fails.

        Only the first piece may be a number: its writer has not seen the later menus.
        """
        lines: list[str] = []
        reader: MoveReader | None = self
        for piece in pieces[:MOST_LINES]:
            named = reader.read(piece) if reader is not None and not (lines and read_number(piece)) else ()
            if reader is None or len(named) != 1:
                return ()
            action = read_line(reader.viewer.game, named[0], reader.viewer.seat or 0)
            if action not in reader.viewer.options():
                return ()
            lines += named
            reader = reader.reader_after(action)
        return tuple(lines)

    def reader_after(self, action: AnyAction) -> MoveReader | None:
        """Return the reader of the question after an action, None if the seat is not asked again at once."""
        if action.line not in self._readers_after:
            viewer = free_text.viewer_after(self.viewer, action)
            self._readers_after[action.line] = None if viewer is None else MoveReader(viewer)
        return self._readers_after[action.line]

    @cached_property
    def _readers_after(self) -> dict[str, MoveReader | None]:
        return {}

    def _parse(self, rows: list[str]) -> tuple[str, ...]:
        if not self._is_more_than_initial(rows[0]) and not (len(rows[0]) > 1 and self.short_forms(rows[0])):
            raise MovesNotUnderstood("unclear", rows[0])
        first = SEPARATORS.split(rows[0])
        head = read_number(rows[0]) or ",".join([_bare_number(first[0]), *first[1:]])
        # A number and a row below it are two steps. Separated by a space they would be one row of the menu.
        text = (",\n" if is_number(head) else "\n").join([head, *rows[1:]])
        if len(text) > free_text.MOST_TEXT:
            raise MovesNotUnderstood("too-long", rows[0])
        try:
            lines = self.reader.lines(text)
        except Unclear as error:
            chosen = self._only_number(rows, error.meant)
            if chosen:
                return chosen
            raise self._explain(rows, text, error) from None
        if any(line.split(" ", 1)[0] in CORE_VERBS for line in lines):
            raise MovesNotUnderstood("not-by-letter", rows[0], lines)
        if len(lines) > MOST_LINES:
            raise MovesNotUnderstood("too-long", rows[0])
        return lines

    def _explain(self, rows: list[str], text: str, error: Unclear) -> MovesNotUnderstood:
        apart = tuple(dict.fromkeys(line for row in rows[:2] for line in self.read(row))) if len(rows) > 1 else ()
        if len(apart) > 1:
            return MovesNotUnderstood("contradiction", "\n".join(rows[:2]), apart)
        numbers = [part.strip().rstrip(".") for part in SEPARATORS.split(text)]
        later = any(map(is_number, numbers[1:]))
        reason = "stale" if error.stale else "number-later" if later else "unclear"
        return MovesNotUnderstood(reason, error.text, error.meant or (self.numbered_lines(numbers) if later else ()))

    def _only_number(self, rows: list[str], meant: tuple[str, ...]) -> tuple[str, ...]:
        """Return the line that `Je prends le 3` chooses, if only the number in it can be meant."""
        found = CHOSEN.fullmatch(plain_signs(rows[0]).strip()) if len(rows) == 1 else None
        numbered = self.numbered_lines([found["number"]]) if found else ()
        return numbered if numbered == meant else ()

    def numbered_lines(self, numbers: list[str]) -> tuple[str, ...]:
        """Return the lines of the menu that these numbers name."""
        options = self.viewer.options()
        known = [int(number) for number in numbers if is_number(number) and len(number) <= MOST_DIGITS]
        found = [option.line for number in known if number for option in islice(options, number - 1, number)]
        return tuple(dict.fromkeys(found))[:MOST_SHOWN]

    def _drop_repeats(self, lines: tuple[str, ...], rows: list[str]) -> tuple[str, ...]:
        """Return the lines without repetitions of the first one. Refuse two that exclude each other.

        They do so if both are legal now, and the second is no longer legal after the first. If the turn ends with the
        first, the second may be meant for the next turn, but only if the writer says `then`.
        """
        if len(lines) == 1 or (len(rows) == 1 and self.short_forms(rows[0])):
            return lines
        options = self.viewer.options()
        first, second = (read_line(self.viewer.game, line, self.viewer.seat or 0) for line in lines[:2])
        if first not in options or second not in options:
            return lines
        after = free_text.options_after(self.viewer.match_state, self.viewer.seat or 0, first)
        if after is not None and second in after:
            return lines
        if second == first:
            return self._drop_repeats(lines[:1] + lines[2:], rows)
        if after is None and THEN.search("\n".join(rows)):
            return lines
        raise MovesNotUnderstood("contradiction", "\n".join(rows[:2]), lines[:2])

    def _is_more_than_initial(self, row: str) -> bool:
        """Return True if a row is more than an initial: a single word must be a number or a whole word of the game."""
        said = [token for token in plain(row).split() if token not in FILLERS]
        return len(said) != 1 or bool(read_number(row)) or self._is_word(said[0]) or self._is_canonical(row)

    def _is_word(self, token: str) -> bool:
        spoken = self.viewer.game.presentation.words.spoken
        return any(token == "".join(way) or (token,) == way for ways in spoken.values() for way in ways)

    def _is_canonical(self, row: str) -> bool:
        try:
            read_line(self.viewer.game, row.strip(), self.viewer.seat or 0)
        except NotALine:
            return False
        return True


def _begins_row(row: MenuRow, tokens: tuple[str, ...]) -> bool:
    """Return True if a menu row begins with these words, in the order of plain text or of a page."""
    said, lines = sentence_tokens(row.sentence), [sentence_tokens(line) for line in (row.line, row.typed)]
    enough = len(tokens) >= SHORTEST_PART or tokens in lines
    orders = (words for line in lines for words in (line + said, said + line))
    return enough and any(words[: len(tokens)] == tokens for words in orders)


def _names_number(piece: str) -> bool:
    """Return True if a piece chooses a row of the menu by its number."""
    text = plain_signs(piece).strip()
    return bool(read_number(piece) or CHOSEN.fullmatch(text) or NUMBERED.fullmatch(text))


@lru_cache(maxsize=16)
def _game_tokens(words: Words) -> frozenset[str]:
    """Return every word that people may type for something of a game."""
    return frozenset(token for ways in words.spoken.values() for way in ways for token in way)


def read_number(row: str) -> str:
    """Return the number in a row that otherwise has only polite words, or an empty string."""
    row = _in_digits(row.strip())
    for bare in without_courtesy(plain_signs(row)):
        found = NUMBERED.fullmatch(bare)
        if found and not found["rest"].strip(" .)]*_!"):
            return found[1]
        chosen = CHOSEN.fullmatch(bare)
        if chosen and chosen["named"]:
            return chosen["number"]
    number = _bare_number(row)
    return number if is_number(number) else ""


def _in_digits(text: str) -> str:
    """Return a number that is written in words in digits, any other text unchanged."""
    spelled = SPELLED.fullmatch(text)
    return f"{spelled['label']}{vocabulary.SPELLED_NUMBERS[spelled['number'].lower()]}" if spelled else text


def _bare_number(line: str) -> str:
    """Return a line that only names a number as that number, any other line unchanged."""
    found = LABELLED.fullmatch(line.strip(EDGES))
    return found[1] if found else line
