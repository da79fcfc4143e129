"""Match files: read with clear errors, written whole or not at all."""

from __future__ import annotations

import errno
import os
import tempfile
from pathlib import Path

from cli.command import Refusal, refusal
from engine.games import GAMES
from engine.log import BadText, Fault, Log, parse, replay
from engine.reasons import Reason
from engine.words import Locale
from service.i18n.catalogue import Message, msg, render, translate

MOST_BYTES = 16 * 1024 * 1024
UNWANTED_SIGNS = {
    "\0": msg("commands.match_file.binary"),
    "\r": msg("commands.match_file.carriage"),
    "\ufeff": msg("commands.match_file.mark"),
}
"""Signs that no match file has, each with what is wrong with it."""


class BadMatchText(Exception):
    """A match text that is good only up to some row."""

    def __init__(self, fault: Fault, good: int | None) -> None:
        """Keep the fault and the number of good moves before it; None if not even the header is good."""
        super().__init__(str(fault))
        self.fault = fault
        self.good = good


def read_text(path: Path, locale: Locale) -> str:
    """The text of a match file, or a refusal."""
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except FileNotFoundError:
        raise refusal(locale, "commands.match_file.missing", path=path) from None
    except IsADirectoryError:
        raise refusal(locale, "commands.match_file.directory", path=path) from None
    except OSError as error:
        raise refusal(locale, "commands.match_file.unreadable", path=path, why=error.strerror or error) from None
    except ValueError:
        raise refusal(locale, "commands.match_file.missing", path=path) from None
    if len(data) > MOST_BYTES:
        raise _refusal_at_line(path, locale, 1, msg("commands.match_file.too_large"))
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        row = data.count(b"\n", 0, error.start) + 1
        raise _refusal_at_line(path, locale, row, msg("commands.match_file.binary")) from None
    for sign, reason in UNWANTED_SIGNS.items():
        if sign in text:
            raise _refusal_at_line(path, locale, text.count("\n", 0, text.index(sign)) + 1, reason)
    return text


def parse_match(text: str, upto: int | None = None) -> Log:
    """The match in a text, its moves checked up to a given one; raises Wanting at the first bad row."""
    try:
        log = parse(text, GAMES)
    except BadText as error:
        return _parse_good_rows(text, Fault(error.row, error.reason), upto)
    found = replay(log, upto)
    if found.fault:
        raise BadMatchText(found.fault, found.good)
    return log


def _parse_good_rows(text: str, fault: Fault, upto: int | None) -> Log:
    """The match before a row without form, if that is far enough; a bad move before it is the first fault."""
    if fault.row == 1:
        raise BadMatchText(fault, None)
    log = parse("".join(f"{row}\n" for row in text.split("\n")[: fault.row - 1]), GAMES)
    found = replay(log, upto)
    if found.fault and found.fault.row < fault.row:
        raise BadMatchText(found.fault, found.good)
    if upto is None or upto > len(log.moves):
        raise BadMatchText(fault, found.good)
    return log


def read_match(path: Path, locale: Locale, upto: int | None = None) -> Log:
    """The match in a file, or a refusal that names file, line and reason."""
    try:
        return parse_match(read_text(path, locale), upto)
    except BadMatchText as wanting:
        raise _refusal_at_line(path, locale, wanting.fault.row, wanting.fault.reason, wanting.good) from None


def _refusal_at_line(
    path: Path, locale: Locale, row: int, reason: Message | Reason, good: int | None = None
) -> Refusal:
    message = translate(locale, "commands.match_file.at_line", path=path, row=row, reason=render(reason, locale))
    if good is not None:
        message += "\n" + translate(locale, "commands.match_file.good", path=path, good=good)
    return Refusal(message)


def write_atomically(path: Path, text: str) -> None:
    """Put the text there in one stroke: a reader sees the old file or the new one."""
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", newline="", dir=path.parent, delete=False) as file:
        try:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
            Path(file.name).chmod(0o644)
            Path(file.name).replace(path)
        except BaseException:
            Path(file.name).unlink(missing_ok=True)
            raise
