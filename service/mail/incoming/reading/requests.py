"""Reading a reply: its rows are cut into commands, moves, a note, and pieces that the grammar judges.

Every piece counts, wherever it is. A move is made at once only if everything else is harmless.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Protocol

from engine.sentences import without_courtesy
from service.mail import commands
from service.mail.commands import Command
from service.mail.incoming.reading import pieces, vocabulary
from service.mail.incoming.reading.pieces import Grammar, PieceVerdict
from service.mail.incoming.reading.zones import BULLET, SHORTEST_WRAPPED_ROW

PLAY_VERBS = frozenset("play playing played joue jouer jouons".split())
ARTICLES = frozenset("the le la".split())
ANSWER_WORDS = frozenset("yes no nope oui non".split())
REASONS = (["because"], ["parce"], ["puisque"], ["car"])
"""How a clause begins that says why."""
STEP_WORDS = frozenset(
    "then puis ensuite after that apres ca but mais euh er uh um in fact en fait yes no oui non".split()
)
MOST_ROWS, MOST_CLAUSES, MOST_FRAME_WORDS = 200, 8, 16
"""Limits: a reply with more rows is asked about; a sentence with more clauses or words is not searched for moves."""


class PieceReader(Protocol):
    """Finds the pieces of a reply that name moves."""

    def read(self, text: str) -> tuple[str, ...]:
        """Return the lines that a piece means by itself, an empty tuple if it is not a move."""

    def continues(self, _pieces: list[str], _text: str) -> bool:
        """Return True if a piece names a further line once the moves before it are made."""
        return False

    def restore_rows(self, _rows: list[str]) -> tuple[str, int]:
        """Return the line of a menu row that is copied over several rows, and how many."""
        return "", 0

    def short_forms(self, _text: str) -> tuple[str, ...]:
        """Return the lines of a text in short forms of the game."""
        return ()


@dataclass(frozen=True)
class MailRequest:
    """The request in a reply: at most one command, or moves with a note to the table."""

    command: Command | None = None
    moves: tuple[str, ...] = ()
    """The pieces that name moves, in their order."""
    note: str = ""
    mixed: tuple[str, ...] = ()
    """The command as typed and the words besides it, if either may be meant. Then neither is carried out."""
    question: bool = False
    """True if it asks about a command with a question mark."""
    verdict: PieceVerdict = PieceVerdict.HARMLESS
    """The consequence of the words besides the moves."""
    beside: tuple[str, ...] = ()
    """The words besides the moves that are not harmless."""

    @property
    def sole_command(self) -> Command | None:
        """The command, or None if there is anything else."""
        return None if self.mixed or self.note or self.question else self.command


def read_request(
    rows: Sequence[str],
    grammar: Grammar,
    known: Collection[str] = commands.TABLE_COMMANDS,
    moves: PieceReader | None = None,
    signature: Sequence[str] = (),
) -> MailRequest:
    """Return the request in the rows of a reply. `known` are the commands here; `moves` reads those of the question."""
    reader = _RowReader(tuple(rows[:MOST_ROWS]), grammar, known, moves)
    reader.read()
    if len(rows) > MOST_ROWS:
        reader.add(rows[MOST_ROWS], PieceVerdict.ASK)
    for row in signature:
        # A signature is the same in every email, so it counts only if it takes something back.
        if pieces.has_sharp_cue(row):
            reader.add(row, PieceVerdict.ASK)
    return reader.request


def find_meaningful_rows(rows: Sequence[str], grammar: Grammar) -> tuple[str, ...]:
    """Return the significant rows: all but courtesies, names and additions of mail programs."""
    reader = _RowReader(tuple(rows[:MOST_ROWS]), grammar, commands.VERB_NAMES, None)
    reader.read()
    note_at = reader.note_at[0] if reader.note_at else len(rows)
    return (*(rows[at] for at in sorted(reader.meaningful) if at < note_at), *rows[note_at:])


@dataclass
class _RowReader:
    """Reads rows one after another and records what they are."""

    rows: tuple[str, ...]
    grammar: Grammar
    known: Collection[str]
    reader: PieceReader | None
    commands: list[Command] = field(default_factory=list)
    typed: list[str] = field(default_factory=list)
    moves: list[str] = field(default_factory=list)
    beside: list[str] = field(default_factory=list)
    verdict: PieceVerdict = PieceVerdict.HARMLESS
    note: str = ""
    note_at: list[int] = field(default_factory=list)
    question: bool = False
    first: str = ""
    """The first thing that was not harmless: a command counts only there."""
    meaningful: set[int] = field(default_factory=set)
    closing: bool = False
    """True after a row that may close a letter: a name may follow."""
    signed: bool = False
    """True in the paragraph of a name: a title or a telephone number may follow."""
    legal: bool = False
    """True in the paragraph of a legal notice."""

    def read(self) -> None:
        """Read all rows."""
        at = 0
        while at < len(self.rows) and not self.note_at:
            before = len(self.beside) + len(self.moves) + len(self.commands)
            end = self._read_at(at)
            if len(self.beside) + len(self.moves) + len(self.commands) > before:
                self.meaningful.update(range(at, end))
            at = end

    @property
    def request(self) -> MailRequest:
        """The request of all rows together."""
        if not self.commands or self.question:
            return MailRequest(
                moves=tuple(self.moves),
                note=self.note,
                question=self.question,
                verdict=self.verdict if self.moves else PieceVerdict.ASK,
                beside=tuple(self.beside),
            )
        alike = all(command.verb == self.commands[0].verb for command in self.commands)
        others = (*self.moves, *self.beside)
        doubtful = self.first != self.typed[0] or not alike or bool(self.note) or bool(others)
        mixed = (*self.typed, *others, *([self.note] if self.note else ())) if doubtful else ()
        return MailRequest(self.commands[0], note=self.note, mixed=mixed)

    def add(self, text: str, verdict: PieceVerdict) -> None:
        """Record a piece that is not harmless."""
        if verdict is not PieceVerdict.HARMLESS:
            self.beside.append(text)
            self.verdict = max(self.verdict, verdict)
            self.first = self.first or text

    def _read_at(self, at: int) -> int:
        """Read the row at a place, with the rows that belong to it. Return the place after them."""
        row = self.rows[at].strip()
        if not row:
            self.signed = self.legal = False
            return at + 1
        end = self._read_command(at, row)
        if end == at:
            end = self._read_copied_rows(at)
        if end > at:
            self.closing = self.signed = False
            return end
        if self._is_mail_program_row(row):
            return at + 1
        return self._read_text(at)

    def _read_command(self, at: int, row: str) -> int:
        """Read a command or a note at this row. Return the same place if there is none."""
        command = commands.parse_command(row, self.known)
        if command is None:
            self.question = self.question or commands.asks_about_command(row, self.known)
            return at
        if command.verb == "note":
            self.note_at = [at]
            self.note = "\n".join([command.rest, *self.rows[at + 1 :]]).strip()
            return len(self.rows)
        self.typed.append(row)
        self.first = self.first or row
        end = at + 1
        if command.verb in commands.MULTILINE:
            while end < len(self.rows) and self._goes_on(self.rows[end]):
                end += 1
            more = self.rows[at + 1 : end]
            command = Command(command.verb, " ".join([command.rest, *more]).strip())
            verbatim = command.verb in commands.VERBATIM
            self.question = self.question or (not verbatim and any(map(commands.is_question, more)))
        self.commands.append(command)
        return end

    def _goes_on(self, row: str) -> bool:
        """Return True if a row continues the command above it."""
        return (
            bool(row.strip())
            and commands.parse_command(row, self.known) is None
            and self.grammar.judge(row.strip()) is not PieceVerdict.HARMLESS
        )

    def _read_copied_rows(self, at: int) -> int:
        """Read a menu row that was broken, or a paragraph in short forms. Return the same place if there is none."""
        if self.reader is None:
            return at
        end = next((end for end in range(at, len(self.rows)) if not self.rows[end].strip()), len(self.rows))
        paragraph = [row.strip() for row in self.rows[at:end]]
        line, count = self.reader.restore_rows(paragraph)
        if count:
            self._add_move(line)
            return at + count
        if len(paragraph) > 1 and self.reader.short_forms("\n".join(paragraph)):
            self._add_move("\n".join(paragraph))
            return end
        return at

    def _is_mail_program_row(self, row: str) -> bool:
        """Return True for a row that a mail program, a gateway or a company adds, or that belongs to a signature."""
        self.legal = self.legal or pieces.is_legal_clause(row)
        if self.legal or pieces.is_device_row(row) or pieces.is_banner(row):
            return True
        if self.grammar.is_name(row) or (self.closing and self.grammar.may_be_name(row) and not self._is_move(row)):
            self.closing = self.signed = True
            return True
        return self.signed and self.grammar.may_be_signature(row) and not self._is_move(row)

    def _read_text(self, at: int) -> int:
        """Read a row of prose, joined with the next ones where a mail program broke it."""
        row, end = self.rows[at].strip(), at + 1
        while (
            len(self.rows[end - 1]) >= SHORTEST_WRAPPED_ROW
            and end < len(self.rows)
            and self.rows[end].strip()
            and not self._stands_alone(row)
        ):
            row, end = f"{row} {self.rows[end].strip()}", end + 1
        bullet = BULLET.match(row)
        if bullet and not (self.reader is not None and self._only_bullet(at) and self.reader.short_forms(row)):
            row = row[bullet.end() :]
        if pieces.REACTION.search(row):
            self.add(row, PieceVerdict.ASK)
            return end
        before = len(self.beside) + len(self.moves)
        self._read_row(row)
        self.closing = len(self.beside) + len(self.moves) == before
        self.signed = False
        return end

    def _only_bullet(self, at: int) -> bool:
        return not any(BULLET.match(row.strip()) for other, row in enumerate(self.rows) if other != at)

    def _stands_alone(self, row: str) -> bool:
        return self._is_move(row) or self.grammar.judge(row) is PieceVerdict.HARMLESS

    def _is_move(self, text: str, before: Sequence[str] = ()) -> bool:
        """Return True if a text names a move, after the moves read so far and those `before` it in its sentence."""
        moves = [*self.moves, *before]
        if self.reader is None or (moves and _is_answer_word(text)):
            return False
        if self.reader.read(text):
            return not moves or not self._is_cheer(text)
        return bool(moves) and not self._is_cheer(text) and self.reader.continues(moves, text)

    def _is_cheer(self, text: str) -> bool:
        """Return True for a courtesy with an exclamation mark: below a move, `Done!` ends no turn of the game."""
        return text.rstrip().endswith("!") and self.grammar.judge(text) is PieceVerdict.HARMLESS

    def _add_move(self, text: str) -> None:
        self.moves.append(text)
        self.first = self.first or text

    def _read_row(self, row: str) -> None:
        """Cut a row at its emoji, then into sentences."""
        if self._is_move(row):
            self._add_move(row)
            return
        parts, verdict = pieces.cut_at_emoji(row)
        self.add(row, verdict)
        for part in parts:
            if self._is_move(part.strip()):
                self._add_move(part.strip())
            elif self.grammar.judge(part) is not PieceVerdict.HARMLESS:
                sentences = pieces.split_sentences(part)
                topic = False
                for sentence, following in zip_longest(sentences, sentences[1:], fillvalue=""):
                    topic = self._read_sentence(sentence, topic or self.grammar.names_topic(following))

    def _read_sentence(self, text: str, beside: bool) -> bool:
        """Read a sentence, `beside` a statement or not. Return True if it has a topic for the next one."""
        if self._is_move(text):
            self._add_move(text)
            return False
        verdict = self.grammar.judge(text, beside=beside)
        if verdict is PieceVerdict.HARMLESS:
            return self.grammar.names_topic(text)
        core = self._find_framed_move(text)
        if core:
            self._add_move(core)
            return False
        if self.reader is not None and self._read_clauses(text):
            return False
        self.add(text, verdict)
        return verdict is PieceVerdict.HOLD

    def _find_framed_move(self, text: str) -> str:
        """Return the move inside a frame such as `I'll go with …` or `… it is`, or an empty text."""
        if (
            self.reader is None
            or len(text) > pieces.LONGEST_PIECE
            or any(map(commands.QUESTION_SIGNS.__contains__, text))
        ):
            return ""
        if len(text.split()) > MOST_FRAME_WORDS:
            return ""
        for bare in without_courtesy(text.translate(vocabulary.APOSTROPHES)):
            words = bare.split()
            starts, free = self._frame_starts(words), _free_frame_ends(words)
            for first in (0, *starts, *free):
                for last in (*self._frame_ends(words), len(words)):
                    core = " ".join(words[first:last]).strip(" :=,-")
                    if first not in starts and first in free and not core.rstrip(".!)").isdigit():
                        continue
                    if core and (first, last) != (0, len(words)) and self._is_framed(words[:first], core):
                        return core
        return ""

    def _is_framed(self, before: list[str], core: str) -> bool:
        """Return True if a frame holds a move. In `I play 3` the number may be that of a card: the game decides."""
        if _is_answer_word(core) or not self._is_move(core):
            return False
        words = [word for word in vocabulary.normalise(" ".join([*before, core])).split() if word not in ARTICLES]
        named = words[-2:-1] and words[-2] in PLAY_VERBS and words[-1].isdigit()
        return not named or self._is_move(f"play {words[-1]}")

    def _frame_starts(self, words: list[str]) -> list[int]:
        """Return after how many words frames such as `for me, it will be` or a courtesy end, the longest first."""
        tokens, places = _tokens_with_places(words)
        ends = vocabulary.FRAMES_BEFORE.ends(tokens)
        for end in tuple(ends):
            ends |= {end + more for more in vocabulary.FRAMES_BEFORE.ends(tokens[end:])}
        courtesies = (count for count in range(1, len(words)) if self._is_courtesy(words[:count]))
        return sorted({*(places[end] for end in ends if places.get(end)), *courtesies}, reverse=True)

    def _frame_ends(self, words: list[str]) -> list[int]:
        """Return before which words a frame such as `it is` or a courtesy begins, the longest first."""
        found = []
        for count in range(1, len(words)):
            tokens = vocabulary.normalise(" ".join(words[count:])).split()
            framed = vocabulary.FRAMES_AFTER.match(tokens) or vocabulary.FRAME_BAG_AFTER.issuperset(tokens)
            if framed or self._is_courtesy(words[count:]):
                found.append(count)
        return found

    def _is_courtesy(self, words: list[str]) -> bool:
        tokens = self.grammar.tokens(" ".join(words))
        return bool(tokens) and pieces.is_polite(tokens)

    def _read_clauses(self, text: str) -> bool:
        """Read the clauses of a sentence in which one or several together are a move. Return False if none is."""
        spans = pieces.find_clauses(text)
        if not 1 < len(spans) <= MOST_CLAUSES:
            return False
        found: list[tuple[str, bool]] = []
        at = 0
        while at < len(spans):
            runs = ((end, text[spans[at][0] : spans[end - 1][1]]) for end in range(len(spans), at, -1))
            before = [clause for clause, move in found if move]
            # A `no` among other words answers no question of the game.
            moves = (each for each in runs if not _is_answer_word(each[1]) and self._is_move(each[1], before))
            end, run = next(moves, (0, ""))
            clause = text[spans[at][0] : spans[at][1]]
            core = "" if end else self._find_framed_move(clause)
            found.append((run or core or clause, bool(run or core)))
            at = end or at + 1
        if not any(move for _, move in found):
            return False
        asks = any(sign in commands.QUESTION_SIGNS for sign in text)
        for clause, move in found:
            if move and not asks:
                self._add_move(clause)
            else:
                self.add(clause, PieceVerdict.ASK if asks else self._judge_beside_move(clause))
        return True

    def _judge_beside_move(self, clause: str) -> PieceVerdict:
        """Judge a clause in the sentence of a move: `for me` or `my choice` alone may be the frame around it."""
        tokens = vocabulary.normalise(clause).split()
        framed = (
            vocabulary.FRAMES_BEFORE.match(tokens)
            or vocabulary.FRAMES_AFTER.match(tokens)
            or vocabulary.FRAME_BAG_AFTER.issuperset(tokens)
        )
        # A reason may point at the move that it is given for.
        return PieceVerdict.HARMLESS if framed else self.grammar.judge(clause, beside=tokens[:1] in REASONS)


def _is_answer_word(text: str) -> bool:
    """Return True for a yes or a no, alone or behind small words.

    Under a move it may answer the next question, or take the move back.
    """
    said = vocabulary.normalise(text).split()
    return bool(said) and said[-1] in ANSWER_WORDS and (pieces.LINKS | STEP_WORDS).issuperset(said[:-1])


def _free_frame_ends(words: list[str]) -> list[int]:
    """Return after how many words a frame in free order may end, which a number must follow.

    It has a word of choosing, and nothing but small words beside.
    """
    ends, chooses = [], False
    for count, word in enumerate(words[:-1], 1):
        said = vocabulary.normalise(word.replace("'d like", " want")).split()
        if not vocabulary.FRAME_WORDS.issuperset(said) or (count == 1 and said == ["to"]):
            break
        chooses = chooses or not vocabulary.CHOOSERS.isdisjoint(said)
        if chooses:
            ends.append(count)
        if word.endswith(":"):
            break
    return ends


def _tokens_with_places(words: list[str]) -> tuple[list[str], dict[int, int]]:
    """Return the tokens of words, and by number of tokens which word begins there."""
    tokens: list[str] = []
    places: dict[int, int] = {}
    for at, word in enumerate(words):
        said = vocabulary.normalise(word).split() or ([":"] if word == ":" else [])
        if tokens and vocabulary.FRAME_FILLERS.issuperset(said):
            continue
        places[len(tokens)] = at
        tokens += said
    return tokens, places
