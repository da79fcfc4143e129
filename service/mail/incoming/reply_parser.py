"""What is new in a reply: the text above the quote, or below one that is marked line by line; never anything else."""

from __future__ import annotations

import re
from dataclasses import dataclass

from service.mail.incoming.reply_parser_marks import (
    ARMOUR,
    ATTRIBUTION,
    BULLET,
    CAUTION,
    CLOSING,
    DATED,
    FIELD,
    FOOTER,
    GREETING,
    NAME,
    NOTE,
    QUOTED,
    RULE,
    RUN_ON,
    SENTENCE,
    SEPARATOR,
    SIGNATURE,
    WROTE,
)

MOST_LINES = 4_000
MOST_COLUMNS = 2_000
LONGEST_ATTRIBUTION, WIDEST_ATTRIBUTION = 4, 400
FIELDS_NEEDED = 2
INVISIBLE = re.compile("[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u00ad]")


@dataclass(frozen=True)
class Said:
    """What the writer added; where there is nothing, `why` says what was there instead."""

    lines: tuple[str, ...] = ()
    why: str = ""
    hyphen: bool = False
    """Whether the first line, and no other, began with a hyphen; it was taken for a bullet and is gone."""

    @property
    def text(self) -> str:
        """The lines as one text."""
        return "\n".join(self.lines)


def new(text: str) -> Said:
    """The new text of a reply."""
    lines = [_clean(line) for line in text.split("\n")[:MOST_LINES]]
    lines = _unarmoured(lines)
    start = next((at for at in range(len(lines)) if _quote_begins(lines, at) or _ends(lines, at)), len(lines))
    above = _own(lines[:start])
    if above or start == len(lines):
        return Said(above, "" if above else "empty", _hyphen(lines[:start], above))
    if _ends(lines, start):
        return Said(why="empty" if not any(_quote_begins(lines, at) for at in range(start, len(lines))) else "quoted")
    return _below(lines, start)


def _clean(line: str) -> str:
    return INVISIBLE.sub("", line[:MOST_COLUMNS]).replace("\u00a0", " ").replace("\u202f", " ").rstrip(" \t\f\v")


def _unarmoured(lines: list[str]) -> list[str]:
    """The text inside a clear signature, if there is one."""
    filled = [at for at, line in enumerate(lines) if line]
    if not filled or lines[filled[0]] != ARMOUR:
        return lines
    head = filled[0]
    body = next((at for at in range(head, len(lines)) if not lines[at]), len(lines))
    return [line.removeprefix("- ") for line in lines[body + 1 :]]


def _quote_begins(lines: list[str], at: int) -> bool:
    """Whether a quote, or the line that introduces one, begins here."""
    return bool(QUOTED.match(lines[at])) or attribution(lines, at) > 0


def attribution(lines: list[str], at: int) -> int:
    """How many lines from here say who wrote what follows; mail programs break that sentence where they like."""
    if RUN_ON.match(lines[at].strip()[:WIDEST_ATTRIBUTION]):
        return 1
    joined = ""
    for count, line in enumerate(lines[at : at + LONGEST_ATTRIBUTION], 1):
        joined = f"{joined} {line.strip()}".strip()
        if not line.strip() or len(joined) > WIDEST_ATTRIBUTION:
            return 0
        if joined[-1] in ":：->" and _attributes(lines, at, count, joined):
            return count
    return 0


def _attributes(lines: list[str], at: int, count: int, joined: str) -> bool:
    if SENTENCE.match(joined) or (count == 1 and WROTE.match(joined)):
        return True
    named = count == 1 or bool(DATED.search(lines[at]))
    return named and (bool(ATTRIBUTION.match(joined)) or _introduces(lines, at + count))


def _introduces(lines: list[str], at: int) -> bool:
    """Whether a quote follows here at once or after one empty line."""
    return any(QUOTED.match(line) for line in lines[at : at + 1 + (not any(lines[at : at + 1]))])


def _ends(lines: list[str], at: int) -> bool:
    """Whether nothing from here on counts: a signature, a footer, or an old message without marks at its lines."""
    line = lines[at].strip()
    if not line:
        return False
    marked = SIGNATURE.match(line) or RULE.match(line) or SEPARATOR.match(line) or FOOTER.match(line)
    return bool(marked) or _header_block(lines, at)


def _header_block(lines: list[str], at: int) -> bool:
    """Whether the headers of an old message begin here: at least two close together, in a language we know."""
    if not FIELD.match(lines[at]):
        return False
    block = [line for line in lines[at : at + 8] if line.strip()]
    return sum(1 for line in block[:5] if FIELD.match(line)) >= FIELDS_NEEDED


def _own(lines: list[str]) -> tuple[str, ...]:
    """What is left without banners, a greeting, a closing and the name under it; empty lines only between."""
    kept = [BULLET.sub("", line.strip()) for line in lines if not CAUTION.match(line.strip())]
    while kept and (not kept[0] or GREETING.fullmatch(kept[0])):
        kept.pop(0)
    for at, line in enumerate(kept):
        if NOTE.match(line):
            break
        if at and (CLOSING.fullmatch(line) or NAME.fullmatch(line)):
            kept = kept[:at]
            break
    while kept and not kept[-1]:
        kept.pop()
    return tuple(kept)


def _hyphen(lines: list[str], own: tuple[str, ...]) -> bool:
    """Whether the only bullet of a text is a hyphen before its first line: some games know it as a sign."""
    marked = [line.strip() for line in lines if BULLET.match(line.strip())]
    return len(marked) == 1 and marked[0].startswith("-") and own[:1] == (BULLET.sub("", marked[0]),)


def _below(lines: list[str], start: int) -> Said:
    """What stands under a quote that is marked at every line; nothing if anything stands between quotes."""
    last = max((at for at, line in enumerate(lines) if QUOTED.match(line)), default=-1)
    if last < start:
        return Said(why="quoted")
    after = _after(lines, last)
    stop = next((at for at in range(after, len(lines)) if _ends(lines, at) or attribution(lines, at)), len(lines))
    own = _own(lines[after:stop])
    if own and _between(lines, start, last):
        return Said(why="inline")
    return Said(own, "" if own else "quoted", _hyphen(lines[after:stop], own))


def _after(lines: list[str], last: int) -> int:
    """Where new text may begin: after an empty line, as what touches a quote may be a quoted line broken in two."""
    return next((at for at in range(last + 1, len(lines)) if not lines[at].strip()), len(lines))


def _between(lines: list[str], start: int, last: int) -> bool:
    """Whether somebody wrote between the quoted lines, with an empty line before."""
    at = start + attribution(lines, start)
    while at < last:
        skipped = attribution(lines, at)
        if skipped:
            at += skipped
            continue
        if lines[at].strip() and not QUOTED.match(lines[at]) and not lines[at - 1].strip():
            return True
        at += 1
    return False
