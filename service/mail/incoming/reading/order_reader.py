"""Orders in a reply: lines for a later question, each perhaps with alternatives."""

from __future__ import annotations

import re
from dataclasses import dataclass

from engine.notation import NotALine
from engine.reading import Reader, Unclear, read
from service.mail.commands import QUESTION_SIGNS
from service.mail.incoming.reading.move_reader import MOST_LINES
from service.mail.incoming.reading.pieces import LONGEST_PIECE
from service.mail.incoming.reading.requests import PieceReader
from service.record.match_state import MatchState
from service.record.signed_text import ALTERNATIVES_SEPARATOR

ELSE = re.compile(r"(?<!\s)\s*+[,;]?\s*+(?:\||\b(?:or else|else|otherwise|ou sinon|sinon)\b)\s*+", re.IGNORECASE)
STEPS = re.compile(r"[,;\n]")


@dataclass(frozen=True)
class OrderReader(PieceReader):
    """Reads lines for a seat that is not asked now, so that each order must name a line without a menu."""

    match_state: MatchState
    seat: int

    def read(self, text: str) -> tuple[str, ...]:
        """Return the lines that a piece means, an empty tuple if it is not an order."""
        if len(text) > LONGEST_PIECE or any(sign in QUESTION_SIGNS for sign in text):
            return ()
        try:
            return self.parse([text])
        except Unclear:
            return ()

    def parse(self, pieces: list[str]) -> tuple[str, ...]:
        """Return the lines of all pieces, each with its alternatives; raises Unclear."""
        text = "\n".join(pieces)
        steps = STEPS.split(ELSE.sub(ALTERNATIVES_SEPARATOR, text))
        lines = tuple(self._parse_step(step) for step in steps if step.strip())
        if not lines or len(lines) > MOST_LINES:
            raise Unclear(text)
        return lines

    def _parse_step(self, text: str) -> str:
        return ALTERNATIVES_SEPARATOR.join(self._parse_line(part) for part in text.split(ALTERNATIVES_SEPARATOR))

    def _parse_line(self, text: str) -> str:
        """Return a line as the record writes it, from its own form or from the words of a menu."""
        game, typed = self.match_state.facts.game, text.strip().rstrip(".!")
        try:
            return read(game, typed, self.seat).line
        except NotALine:
            view = game.rules.view(self.match_state.state, self.seat)
            lines = Reader(game, view, (), lambda _action: None).lines(typed)
        if len(lines) != 1:
            raise Unclear(text, lines)
        return lines[0]
