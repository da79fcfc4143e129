"""Moves by letter: the typed rows as canonical lines, and those lines through the one door."""

from __future__ import annotations

import re
from dataclasses import dataclass
from hashlib import sha256
from itertools import islice
from typing import Any

from engine.game import CORE_VERBS, Action
from engine.notation import NotALine
from engine.reading import FILLERS, MOST_DIGITS, MOST_SHOWN, NUMBERED, SEPARATORS, THEN, Unclear
from engine.reading import read as read_line
from engine.sentences import plain_signs, sentence_tokens, without_courtesy
from engine.words import is_number, plain
from service.mail.incoming.commands import QUESTION_SIGNS, is_harmless, normalise_number
from service.play import accept, free_text, match_loader
from service.play.submissions import Submission, SubmissionResult
from service.play.views import Viewer
from service.record.match_state import MatchState

MOST_LINES = 64
SHORTEST_WRAPPED_ROW = 55
"""A row that is shorter was not broken by a mail program."""
MOST_ROW_BREAKS = 6
SHORTEST_PART = 2
"""How many words of a row at least say which row it is, besides its number."""
CHOSEN = re.compile(
    r"(?:i(?:'ll| will)? |je |j')?(?:take|choose|pick|play|make|go (?:for|with)|prends|choisis|joue|opte pour) "
    r"(?:the |le |la |l')?"
    r"(?P<named>(?:number|no\.?|n[°ºo]\.?|num[ée]ro|option|choice|choix|move|coup|line|ligne)\s*|#)?"
    r"(?P<number>\d{1,6})[.! ]*",
    re.IGNORECASE,
)
"""How people choose a row of the menu in a sentence; where its number is not called one, it may be something else."""
QUESTION = re.compile(rf"[{QUESTION_SIGNS}]\W*$")
"""How a row ends that asks whether to make a move instead of making it."""
SMILEY = re.compile(r"(?:[:;]-?[)DP]|\^\^|<3|[\u2600-\u27bf\U0001f300-\U0001faff])\ufe0f?$")
LONGEST_SMILEY = 4


class MovesNotUnderstood(ValueError):
    """Rows that name no move, or too much; `reason` is what a letter explains, `text` the row in question."""

    def __init__(self, reason: str, text: str, meant: tuple[str, ...] = ()) -> None:
        super().__init__(text)
        self.reason = reason
        self.text = text[:400]
        self.meant = meant


@dataclass(frozen=True)
class ParsedMoves:
    """Canonical lines, and rows beside them that were taken for chat."""

    lines: tuple[str, ...]
    unread: tuple[str, ...] = ()


class MailSubmission(Submission):
    """Lines from a letter; one letter may answer at several tables, so the table is part of what it is."""

    @property
    def id(self) -> str:
        """The same for the same letter and the same question."""
        return sha256(f"{super().id}\n{self.prev}".encode()).hexdigest()[:32]


def mail_proof(door: str, message: bytes, received: int, verdict: str) -> dict[str, Any]:
    """What the record says of lines that came by letter; it knows two doors, as mail by HTTP came to SMTP before."""
    raw = sha256(message).hexdigest()
    return {"door": "imap" if door == "imap" else "smtp", "raw": raw, "received": received, "verdict": verdict}


def parse_moves(viewer: Viewer, paragraphs: tuple[tuple[str, ...], ...], hyphen: bool = False) -> ParsedMoves:
    """The moves at the head of a text; whatever else stands there must be harmless chat.

    `hyphen` says that a hyphen stood before the first row: it is put back where the game reads it as a short form.
    """
    if hyphen and _short_form_lines(viewer, f"- {paragraphs[0][0]}"):
        paragraphs = ((f"- {paragraphs[0][0]}", *paragraphs[0][1:]), *paragraphs[1:])
    paragraphs = (_restore_copied_row(viewer, paragraphs[0]), *paragraphs[1:])
    rows = [row for paragraph in paragraphs for row in paragraph]
    if len(rows) > MOST_LINES:
        raise MovesNotUnderstood("too-long", rows[MOST_LINES])
    sure = len(paragraphs[0]) if _short_form_lines(viewer, "\n".join(paragraphs[0])) else 1
    count = next((at for at, row in enumerate(rows) if at >= sure and not begins_like_move(viewer, row)), len(rows))
    try:
        lines = _parse_lines(viewer, rows[:count])
    except MovesNotUnderstood:
        joined = " ".join(paragraphs[0])
        if len(paragraphs[0]) == 1 or len(paragraphs[0][0]) < SHORTEST_WRAPPED_ROW:
            raise
        lines, count = _parse_lines(viewer, [joined]), len(paragraphs[0])
    lines = _drop_repeats(viewer, lines, rows[:count])
    for row in rows[count:]:
        again = _numbered_lines(viewer, [_read_number(row)])
        if again == lines[:1]:
            continue
        if again:
            raise MovesNotUnderstood("contradiction", f"{rows[0]}\n{row}", (lines[0], *again))
        if begins_like_move(viewer, row) or not is_harmless(row):
            raise MovesNotUnderstood("unclear", row)
    return ParsedMoves(lines, tuple(rows[count:]))


def _restore_copied_row(viewer: Viewer, rows: tuple[str, ...]) -> tuple[str, ...]:
    """The rows with the line of the menu in place of those that are copied from it, number and all; else as they are.

    Mail programs break long rows, and people copy what stands before the break: a number and the words with which
    the row of that number begins leave no doubt.
    """
    for count in range(min(len(rows), MOST_ROW_BREAKS), 0, -1):
        copied = " ".join(rows[:count])
        found = None if QUESTION.search(copied) else NUMBERED.fullmatch(plain_signs(copied).strip())
        number = int(found[1]) if found else 0
        option = next(islice(viewer.options(), number - 1, number), None) if number else None
        if found and option is not None and _begins_row(viewer, option, sentence_tokens(found["rest"])):
            return (option.line, *rows[count:])
    return rows


def _begins_row(viewer: Viewer, option: Action[Any], tokens: tuple[str, ...]) -> bool:
    """Whether the row of an option begins with these words, in the order of plain text or of a page."""
    line = sentence_tokens(option.line)
    said = sentence_tokens(viewer.game.say(viewer.view(), option, viewer.locale))
    enough = len(tokens) >= SHORTEST_PART or tokens == line
    return enough and any(row[: len(tokens)] == tokens for row in (line + said, said + line))


def _parse_lines(viewer: Viewer, rows: list[str]) -> tuple[str, ...]:
    if not _is_more_than_initial(viewer, rows[0]) and not (len(rows[0]) > 1 and _short_form_lines(viewer, rows[0])):
        raise MovesNotUnderstood("unclear", rows[0])
    first = SEPARATORS.split(rows[0])
    head = _read_number(rows[0]) or ",".join([normalise_number(first[0]), *first[1:]])
    text = "\n".join([head, *rows[1:]])
    if len(text) > free_text.MOST_TEXT:
        raise MovesNotUnderstood("too-long", rows[0])
    try:
        lines = free_text.parse_lines(viewer, text)
    except Unclear as error:
        chosen = _only_number(viewer, rows, error.meant)
        if chosen:
            return chosen
        apart = _read_apart(viewer, rows[:2])
        if len(apart) > 1:
            raise MovesNotUnderstood("contradiction", "\n".join(rows[:2]), apart) from None
        numbers = [part.strip().rstrip(".") for part in SEPARATORS.split(text)]
        later = any(map(is_number, numbers[1:]))
        reason = "stale" if error.stale else "number-later" if later else "unclear"
        meant = error.meant or (_numbered_lines(viewer, numbers) if later else ())
        raise MovesNotUnderstood(reason, error.text, meant) from None
    asking = next((row for row in rows if QUESTION.search(row)), "")
    if asking:
        raise MovesNotUnderstood("question", asking, lines[:MOST_SHOWN])
    if any(line.split(" ", 1)[0] in CORE_VERBS for line in lines):
        raise MovesNotUnderstood("not-by-letter", rows[0])
    if len(lines) > MOST_LINES:
        raise MovesNotUnderstood("too-long", rows[0])
    return lines


def _only_number(viewer: Viewer, rows: list[str], meant: tuple[str, ...]) -> tuple[str, ...]:
    """The line that `Je prends le 3` chooses, if nothing but the number in it can be meant."""
    found = CHOSEN.fullmatch(plain_signs(rows[0]).strip()) if len(rows) == 1 else None
    numbered = _numbered_lines(viewer, [found["number"]]) if found else ()
    return numbered if numbered == meant else ()


def _read_apart(viewer: Viewer, rows: list[str]) -> tuple[str, ...]:
    """What each of these rows means alone, if all of them mean one line that is open; else nothing."""
    found: dict[str, None] = {}
    for row in rows:
        try:
            lines = free_text.parse_lines(viewer, row)
        except Unclear:
            return ()
        if len(lines) != 1 or read_line(viewer.game, lines[0], viewer.seat or 0) not in viewer.options():
            return ()
        found[lines[0]] = None
    return tuple(found)


def _numbered_lines(viewer: Viewer, numbers: list[str]) -> tuple[str, ...]:
    """The lines of the menu that these numbers name."""
    options = viewer.options()
    known = [int(number) for number in numbers if is_number(number) and len(number) <= MOST_DIGITS]
    found = [option.line for number in known if number for option in islice(options, number - 1, number)]
    return tuple(dict.fromkeys(found))[:MOST_SHOWN]


def _drop_repeats(viewer: Viewer, lines: tuple[str, ...], rows: list[str]) -> tuple[str, ...]:
    """The lines without those that say the first one again; refuse two that exclude each other.

    They do so if both are open now, and the second no longer is once the first is made; where the turn ends with the
    first, the second may be meant for the next turn, but only if the writer says `then`.
    """
    if len(lines) == 1 or (len(rows) == 1 and _short_form_lines(viewer, rows[0])):
        return lines
    options = viewer.options()
    first, second = (read_line(viewer.game, line, viewer.seat or 0) for line in lines[:2])
    if first not in options or second not in options:
        return lines
    after = free_text.options_after(viewer.match_state, viewer.seat or 0, first)
    if after is not None and second in after:
        return lines
    if second == first:
        return _drop_repeats(viewer, lines[:1] + lines[2:], rows)
    if after is None and THEN.search("\n".join(rows)):
        return lines
    raise MovesNotUnderstood("contradiction", "\n".join(rows[:2]), lines[:2])


def _short_form_lines(viewer: Viewer, text: str) -> tuple[str, ...]:
    """The lines of a text in short forms of the game, all of them clear; nothing otherwise."""
    try:
        return viewer.game.short(viewer.view(), viewer.options(), text) or ()
    except Unclear:
        return ()


def _significant_tokens(row: str) -> list[str]:
    return [token for token in plain(row).split() if token not in FILLERS]


def _is_more_than_initial(viewer: Viewer, row: str) -> bool:
    """Whether a row is more than an initial: one word alone must be a number or a whole word of the game."""
    said = _significant_tokens(row)
    return len(said) != 1 or bool(_read_number(row)) or _is_word(viewer, said[0]) or _is_canonical(viewer, row)


def begins_like_move(viewer: Viewer, row: str) -> bool:
    """Whether a row under the first begins like a move: with a whole verb, or in a short form of the game."""
    said = _significant_tokens(row)
    if not said:
        return False
    try:
        if len(said) > 1 and viewer.game.short(viewer.view(), viewer.options(), row) is not None:
            return True
    except Unclear:  # a short form, but not at this question
        return True
    return (_is_word(viewer, said[0]) and _is_verb(viewer, said[0])) or _is_canonical(viewer, row)


def _read_number(row: str) -> str:
    """The number that a row names and nothing else, however politely; nothing if it does not."""
    for bare in without_courtesy(_without_smileys(plain_signs(row))):
        found = NUMBERED.fullmatch(bare)
        if found and not found["rest"].strip(" .)]*_!"):
            return found[1]
        chosen = CHOSEN.fullmatch(bare)
        if chosen and chosen["named"]:
            return chosen["number"]
    number = normalise_number(row)
    return number if is_number(number) else ""


def _without_smileys(row: str) -> str:
    """The row without smileys at its end, if they stand behind a space or a digit."""
    bare = row.rstrip()
    while found := SMILEY.search(bare[-LONGEST_SMILEY:]):
        bare = bare[: len(bare) - len(found[0])].rstrip()
    apart = bare[-1:].isdecimal() or row[len(bare) : len(bare) + 1].isspace()
    return bare if bare and apart else row


def _is_word(viewer: Viewer, token: str) -> bool:
    return any(token == "".join(way) or (token,) == way for ways in viewer.game.words.spoken.values() for way in ways)


def _is_verb(viewer: Viewer, token: str) -> bool:
    spoken = viewer.game.words.spoken
    return any(way[:1] == (token,) for verb in viewer.game.verbs for way in ((verb,), *spoken.get(verb, ())))


def _is_canonical(viewer: Viewer, row: str) -> bool:
    try:
        read_line(viewer.game, row.strip(), viewer.seat or 0)
    except NotALine:
        return False
    return True


def submit(
    match_state: MatchState, seat: int, player: str, lines: tuple[str, ...], mail: dict[str, Any], note: str
) -> SubmissionResult:
    """Make the lines for the question that stands, with the letter as their proof."""
    question = match_state.questions[seat]
    if question is None:
        raise accept.question_changed_problem(match_state, seat)
    sent = MailSubmission(asked=question.asked, prev=question.prev, lines=lines, channel="mail", mail=mail, note=note)
    return accept.accept(match_state.facts.id, player, sent)


def resign(match_state: MatchState, seat: int, player: str, mail: dict[str, Any]) -> SubmissionResult:
    """Give up the seat, with the letter as proof."""
    question = match_state.questions[seat]
    asked = match_state.seq if question is None else question.asked
    sent = MailSubmission(
        asked=asked, prev=match_loader.hash_of(match_state, asked), lines=("resign",), channel="mail", mail=mail
    )
    return accept.accept(match_state.facts.id, player, sent)
