"""Moves by letter: the typed rows as canonical lines, and those lines through the one door."""

from __future__ import annotations

import re
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from engine.game import CORE_VERBS
from engine.notation import NotALine
from engine.reading import FILLERS, SEPARATORS, Unclear
from engine.reading import read as read_line
from engine.words import plain
from service.mail.incoming.commands import numbered
from service.play import accept as play
from service.play import free_text as reading
from service.play.submissions import Accepted, Submission
from service.play.views import Looking
from service.record.table import Table

MOST = 64
WRAPPED = 55
"""A row that is shorter was not broken by a mail program."""
CORRECTIONS = re.compile(
    r"\b(?:no|not|wait|instead|actually|rather|or|but|unless|if|undo|mean|meant|wrong|mistake|change|cancel|ignore|"
    r"non|pas|attends|attendez|plutot|ou|mais|sauf|si|annule\w*|erreur|trompe\w*|change\w*|ignore\w*|faux)\b"
)


class NotUnderstood(ValueError):
    """Rows that name no move, or too much; `reason` is what a letter explains, `text` the row in question."""

    def __init__(self, reason: str, text: str, meant: tuple[str, ...] = ()) -> None:
        super().__init__(text)
        self.reason = reason
        self.text = text[:400]
        self.meant = meant


@dataclass(frozen=True)
class Understood:
    """Canonical lines, and rows beside them that were taken for chat."""

    lines: tuple[str, ...]
    unread: tuple[str, ...] = ()


class Mailed(Submission):
    """Lines from a letter; one letter may answer at several tables, so the table is part of what it is."""

    @property
    def id(self) -> str:
        """The same for the same letter and the same question."""
        return sha256(f"{super().id}\n{self.prev}".encode()).hexdigest()[:32]


def understood(looking: Looking, paragraphs: tuple[tuple[str, ...], ...], hyphen: bool = False) -> Understood:
    """The moves at the head of a text; whatever else stands there must be harmless chat.

    `hyphen` says that a hyphen stood before the first row: it is put back where the game reads it as a short form.
    """
    if hyphen and _short(looking, f"- {paragraphs[0][0]}"):
        paragraphs = ((f"- {paragraphs[0][0]}", *paragraphs[0][1:]), *paragraphs[1:])
    rows = [row for paragraph in paragraphs for row in paragraph]
    if len(rows) > MOST:
        raise NotUnderstood("too-long", rows[MOST])
    sure = len(paragraphs[0]) if _short(looking, "\n".join(paragraphs[0])) else 1
    count = next((at for at, row in enumerate(rows) if at >= sure and not _names_a_line(looking, row)), len(rows))
    try:
        lines = _lines(looking, rows[:count])
    except NotUnderstood:
        joined = " ".join(paragraphs[0])
        if len(paragraphs[0]) == 1 or len(paragraphs[0][0]) < WRAPPED:
            raise
        lines, count = _lines(looking, [joined]), len(paragraphs[0])
    for row in rows[count:]:
        if _names_a_line(looking, row) or not harmless(row):
            raise NotUnderstood("unclear", row)
    return Understood(lines, tuple(rows[count:]))


def _lines(looking: Looking, rows: list[str]) -> tuple[str, ...]:
    if not _sure(looking, rows[0]) and not (len(rows[0]) > 1 and _short(looking, rows[0])):
        raise NotUnderstood("unclear", rows[0])
    first = SEPARATORS.split(rows[0])
    text = "\n".join([",".join([numbered(first[0]), *first[1:]]), *rows[1:]])
    if len(text) > reading.MOST_TEXT:
        raise NotUnderstood("too-long", rows[0])
    try:
        lines = reading.lines(looking, text)
    except Unclear as error:
        later = [part for part in SEPARATORS.split(text)[1:] if part.strip().rstrip(".").isdigit()]
        reason = "stale" if error.stale else "number-later" if later else "unclear"
        raise NotUnderstood(reason, error.text, error.meant) from None
    if any(line.split(" ", 1)[0] in CORE_VERBS for line in lines):
        raise NotUnderstood("not-by-letter", rows[0])
    if len(lines) > MOST:
        raise NotUnderstood("too-long", rows[0])
    return lines


def _short(looking: Looking, text: str) -> tuple[str, ...]:
    """The lines of a text in short forms of the game, all of them clear; nothing otherwise."""
    try:
        return looking.game.short(looking.view(), looking.options(), text) or ()
    except Unclear:
        return ()


def _said(row: str) -> list[str]:
    return [token for token in plain(row).split() if token not in FILLERS]


def _sure(looking: Looking, row: str) -> bool:
    """Whether a row is more than an initial: one word alone must be a number or a whole word of the game."""
    said = _said(row)
    return len(said) != 1 or numbered(row).isdigit() or _is_word(looking, said[0]) or _canonical(looking, row)


def _names_a_line(looking: Looking, row: str) -> bool:
    """Whether a row under the first begins like a move: with a whole verb, or in a short form of the game."""
    said = _said(row)
    if not said:
        return False
    try:
        if len(said) > 1 and looking.game.short(looking.view(), looking.options(), row) is not None:
            return True
    except Unclear:  # a short form, but not at this question
        return True
    return (_is_word(looking, said[0]) and _is_verb(looking, said[0])) or _canonical(looking, row)


def _is_word(looking: Looking, token: str) -> bool:
    return any(token == "".join(way) or (token,) == way for ways in looking.game.words.spoken.values() for way in ways)


def _is_verb(looking: Looking, token: str) -> bool:
    spoken = looking.game.words.spoken
    return any(way[:1] == (token,) for verb in looking.game.verbs for way in ((verb,), *spoken.get(verb, ())))


def _canonical(looking: Looking, row: str) -> bool:
    try:
        read_line(looking.game, row.strip(), looking.seat or 0)
    except NotALine:
        return False
    return True


def harmless(row: str) -> bool:
    """Whether a row beside a move can be passed over: no number in it, and no word that takes something back."""
    return not re.search(r"\d", row) and not CORRECTIONS.search(plain(row))


def send(table: Table, seat: int, player: str, lines: tuple[str, ...], mail: dict[str, Any], note: str) -> Accepted:
    """Make the lines for the question that stands, with the letter as their proof."""
    question = table.questions[seat]
    if question is None:
        raise play.changed(table, seat)
    sent = Mailed(asked=question.asked, prev=question.prev, lines=lines, channel="mail", mail=mail, note=note)
    return play.accept(table.facts.id, player, sent)


def resign(table: Table, seat: int, player: str, mail: dict[str, Any]) -> Accepted:
    """Give up the seat, with the letter as proof."""
    question = table.questions[seat]
    asked = table.seq if question is None else question.asked
    sent = Mailed(asked=asked, prev=play.hash_of(table, asked), lines=("resign",), channel="mail", mail=mail)
    return play.accept(table.facts.id, player, sent)
