"""Match files: the text of a match, read with errors that name the line."""

from __future__ import annotations

from pathlib import Path

from cli.command import Refusal, current_language, localise, refusal
from cli.files import read_start
from engine.games import GAMES
from engine.log import BadText, Fault, Log, parse, replay
from engine.reasons import Reason
from service.i18n.catalogue import Message, msg, render

MOST_BYTES = 16 * 1024 * 1024
UNWANTED_CHARACTERS = {
    "\0": msg("commands.match_file.binary"),
    "\r": msg("commands.match_file.carriage"),
    "\ufeff": msg("commands.match_file.mark"),
}
"""Characters that no match file has, each with what is wrong with it."""


class BadMatchText(Exception):
    """A match text that is valid only up to some row."""

    def __init__(self, fault: Fault, good: int | None) -> None:
        """Store the fault and the number of valid moves before it; None if the header is invalid."""
        super().__init__(str(fault))
        self.fault = fault
        self.good = good


def read_text(path: Path) -> str:
    """Return the text of a match file, or refuse it."""
    if path.is_dir():
        raise refusal("commands.match_file.directory", path=path)
    data = read_start(path, MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise _refusal_at_line(path, 1, msg("commands.match_file.too_large"))
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        row = data.count(b"\n", 0, error.start) + 1
        raise _refusal_at_line(path, row, msg("commands.match_file.binary")) from None
    for character, reason in UNWANTED_CHARACTERS.items():
        if character in text:
            raise _refusal_at_line(path, text.count("\n", 0, text.index(character)) + 1, reason)
    return text


def parse_match(text: str, upto: int | None = None) -> Log:
    """Parse a match and check its moves up to a given one. Raise `BadMatchText` at the first bad row."""
    try:
        log = parse(text, GAMES)
    except BadText as error:
        return _parse_good_rows(text, Fault(error.row, error.reason), upto)
    result = replay(log, upto)
    if result.fault:
        raise BadMatchText(result.fault, result.good)
    return log


def _parse_good_rows(text: str, fault: Fault, upto: int | None) -> Log:
    """Parse the rows before a malformed one, if `upto` needs no more. A bad move among them is the first fault."""
    if fault.row == 1:
        raise BadMatchText(fault, None)
    log = parse("".join(f"{row}\n" for row in text.split("\n")[: fault.row - 1]), GAMES)
    result = replay(log, upto)
    if result.fault and result.fault.row < fault.row:
        raise BadMatchText(result.fault, result.good)
    if upto is None or upto > len(log.moves):
        raise BadMatchText(fault, result.good)
    return log


def read_match(path: Path, upto: int | None = None) -> Log:
    """Read the match in a file, or refuse it with file, line and reason."""
    try:
        return parse_match(read_text(path), upto)
    except BadMatchText as bad:
        raise _refusal_at_line(path, bad.fault.row, bad.fault.reason, bad.good) from None


def _refusal_at_line(path: Path, row: int, reason: Message | Reason, good: int | None = None) -> Refusal:
    message = localise("commands.match_file.at_line", path=path, row=row, reason=render(reason, current_language()))
    if good is not None:
        message += "\n" + localise("commands.match_file.good", path=path, good=good)
    return Refusal(message)
