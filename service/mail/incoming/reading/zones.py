"""The zones of a reply: the writer's own text, wherever it is, and the quoted text, our own text, and signatures."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import takewhile

from engine.words import LOCALES
from service.i18n.catalogue import translate

REPLY_LINES = tuple(translate(locale, "answer.above") for locale in LOCALES)
"""The first row of our emails. A reply is written above it."""


def _any_of(*patterns: str, flags: int = re.IGNORECASE) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns), flags)


QUOTED = re.compile(r"[ \t]{0,3}(?:[A-Z][A-Za-z]{0,2})?>|[ \t]{0,3}[|¦][ \t]|[ \t]{0,3}[»▌]")
"""A line that is marked as quoted; some programs put the writer's initials before the mark."""

_VERBS = (
    r"wrote|writes|said|a [ée]crit|a dit|[ée]crivait|schrieb|escribi[óo]|ha scritto|schreef|escreveu|skrev|"
    r"napisał\w*|kirjoitti|scrisse|пишет|написал\w*|写道"
)
_BEGINS = r"on|le|am|el|il(?: giorno)?|op|em|den|at|w dniu|dnia|sur|date|在|il y a|d\.|[ \t]*в"
_DATE_OR_ADDRESS = r"(?:@|\d{1,2}[:.h]\d{2}|\b(?:19|20)\d{2}\b|\d{1,2}[./-]\d{1,2}[./-]\d{2,4})"
DATED = re.compile(_DATE_OR_ADDRESS)
SENTENCE = _any_of(rf"(?:{_BEGINS})\b.{{2,300}}?\b(?:{_VERBS})\b.{{0,80}}?[:：][-> ]*$")
"""The sentence before a quote, on one line or joined from several."""

RUN_ON = _any_of(rf"(?:{_BEGINS})\b.{{2,200}}?<[^<>\s]{{1,200}}@[^<>\s]{{1,200}}>\s*(?:{_VERBS})\s?[:：]")
"""The same where the quote goes on behind it on the same line."""

ATTRIBUTION = _any_of(
    rf"(?=.*{_DATE_OR_ADDRESS}).{{1,200}}?\b(?:{_VERBS})\b.{{0,120}}?[:：][-> ]*$",
    rf"(?=.*{_DATE_OR_ADDRESS})(?:\*|quoting|citing|citation de|selon|from|de) .{{2,200}}[:：]$",
    r"\d{4}[-/]\d{1,2}[-/]\d{1,2}.{0,20}<?[^\s@]{1,64}@[^\s@]{1,200}>?\s*[:：]$",
    r"[^\n]{0,120}<[^\s@<>]{1,64}@[^\s@<>]{1,200}>\s*[:：]$",
)
"""Other forms of it, which begin with a name or a date."""

WROTE = _any_of(rf"[^\n:]{{1,80}}\b(?:{_VERBS})\s?[:：]$")
"""The short form of it: a name and a verb."""

_NAMES = (
    r"from|sent|date|to|cc|subject|reply-to|importance|de|envoy[ée](?: le| par)?|[àa]|objet|sujet|copie|"
    r"r[ée]pondre [àa]|exp[ée]diteur|destinataire|von|gesendet|an|betreff|datum|da|inviato|oggetto|a|para|asunto|"
    r"enviado|assunto|data|van|verzonden|aan|onderwerp"
)
FIELD = re.compile(
    rf"[ \t]{{0,3}}[*_]{{0,2}}(?:{_NAMES})[ \t]?[*_]{{0,2}}[ \t]?[:：][*_]{{0,2}}[ \t]*\S", re.IGNORECASE
)
"""One header of an old message, as Outlook and its kin print them."""
ANY_FIELD = re.compile(r"[ \t]{0,3}[*_]{0,2}[^\W\d_][\w -]{0,20}+[*_]{0,2}[ \t]?[:：][*_]{0,2}[ \t]*\S")
"""The same in a language we do not know."""

SEPARATOR = _any_of(
    r"[-_=*#~> ]{1,40}(?:original|origine|forwarded|replied|reply|ursprüngliche|urspr\.|weitergeleitete|"
    r"(?:mail|courriel) (?:original|d.origine|transf[ée]r[ée])|oorspronkelijk|mensa(?:je|gem)|messaggio|message|"
    r"transf[ée]r[ée]|nachricht|r[ée]exp[ée]di[ée])\b"
    r".{0,60}[-_=*#~]{2,40}\s*$",
    r"-{3,}\s?(?:on|le)\b.{4,}$",
    r"(?:begin forwarded message|d[ée]but du message (?:r[ée]exp[ée]di[ée]|transf[ée]r[ée])|forwarded message|"
    r"message transf[ée]r[ée])\s?:?$",
    r"original message\s?:?$",
    r"message (?:d.origine|original)\s?:?$",
    *(rf".{{0,10}}{re.escape(text[:-1])}" for text in REPLY_LINES),
    r"\[(?:quoted text hidden|texte des messages pr[ée]c[ée]dents masqu[ée])\]$",
    r"-----BEGIN PGP (?:SIGNATURE|MESSAGE)-----$",
)
"""A line after which an old message follows without quote marks."""

RULE = re.compile(r"(?:_{5,}|-{5,}|={5,}|\*{5,}|~{5,}|#{5,}|[─━—–]{3,}|(?:[-_=*] ){4,}[-_=*]?)\s*$")
SIGNATURE = re.compile(r"(?:--|[—–]|__|- -)\s*$")
ARMOUR = "-----BEGIN PGP SIGNED MESSAGE-----"

ANSWER_WORD = re.compile(
    r"(?:yes|oui|no|non|ok|okay|d['’]accord|join|rejoindre|accept|accepter|decline|refuser|confirm|confirmer)[ .!]*",
    re.IGNORECASE,
)
BULLET = re.compile(r"[-*•·]\s+(?=[^\s-])")
MOST_LINES = 4_000
MOST_COLUMNS = 2_000
LONGEST_ATTRIBUTION, WIDEST_ATTRIBUTION = 4, 400
FIELDS_NEEDED = 2
STRUCK = re.compile(
    r"(?:[^\n][\u0335-\u0338]+(?:[ \t]+(?![\u0335-\u0338]))?)+|"
    r"(?<![~\w])~~(?=[^\s~])[^\n]{0,200}?(?<=[^\s~])~~(?![~\w])"
)
"""Text that its writer struck out: with strokes through the letters, as HTML is read too, or between double tildes."""
STROKES = re.compile(r"[\u0335-\u0338]+")
INVISIBLE = re.compile("[\u200b-\u200f\u202a-\u202c\u2060-\u2069\ufeff\u00ad]")
OVERRIDE = re.compile("[\u202d\u202e]")
"""Characters that show a text in another order than it is read, so that nobody knows what the writer saw."""
SHORTEST_WRAPPED_ROW = 55
"""A row that is shorter was not broken by a mail program."""
LEAST_OWN_ROWS = 4
"""At least this many consecutive rows of our email are a quote without marks; fewer may be a copied move."""
MOST_ROWS_UNCOMPARED = 6


@dataclass(frozen=True)
class ReplyText:
    """The text that the writer added. `why` names the other parts of the email."""

    lines: tuple[str, ...] = ()
    """The rows that the writer typed, above, between and below the quoted text, with empty ones between paragraphs."""
    why: str = ""
    struck: bool = False
    """True if something was struck out in it, and has been removed."""
    signature: tuple[str, ...] = ()
    """The rows below a signature mark or a rule, and rows that may be the end of a quoted one."""
    versions: tuple[str, ...] = ()
    """The reply in plain text and in HTML if they disagree, so that neither counts."""

    @property
    def text(self) -> str:
        """The lines as one text."""
        return "\n".join(self.lines)


def _no_letter() -> str:
    return ""


OwnText = Callable[[], str]
"""Returns the text of the email that a reply answers, or an empty string if we no longer have it."""


def unmarked_text(text: str) -> str:
    """Return the part of a text that is not marked as quoted, whoever wrote it."""
    return "\n".join(line for line in map(_clean_line, text.split("\n")[:MOST_LINES]) if not QUOTED.match(line))


def extract_reply(text: str, own: OwnText = _no_letter, *, keep_struck: bool = False) -> ReplyText:
    """Return the new text of a reply, without struck-out text unless that is to be kept."""
    cleaned = [_clean_line(line) for line in text.split("\n")[:MOST_LINES]]
    lines = [STROKES.sub("", line) if keep_struck else STRUCK.sub("", line).rstrip() for line in cleaned]
    reply = Zones(_strip_pgp_armour(lines), own).read()
    if keep_struck or lines == cleaned:
        return reply
    kept = Zones(_strip_pgp_armour([STROKES.sub("", line).replace("~~", "") for line in cleaned]), own).read()
    if reply.lines == kept.lines:
        return reply
    return replace(reply, struck=True, why=reply.why if reply.lines else "struck")


def _clean_line(line: str) -> str:
    return INVISIBLE.sub("", line[:MOST_COLUMNS]).replace("\u00a0", " ").replace("\u202f", " ").rstrip(" \t\f\v")


class Zones:
    """Goes through the rows of a reply and keeps the writer's own text."""

    def __init__(self, lines: list[str], own: OwnText) -> None:
        """Begin above the first row."""
        self.lines = lines
        self.own = own
        self.human: list[str] = []
        self.signature: list[str] = []
        self.quoted = self.signed = self.torn = self.wide = False
        self.last_mark = max((at for at, line in enumerate(lines) if QUOTED.match(line)), default=-1)

    def read(self) -> ReplyText:
        """Return the writer's own text."""
        at = 0
        while at < len(self.lines):
            at = self._read_row(at)
        human = tuple(self._without_own_rows("\n".join(self.human).strip("\n").split("\n")))
        if any(OVERRIDE.search(row) for row in human):
            return ReplyText(why="direction")
        signature = tuple(self.signature)
        return ReplyText(human if any(human) else (), "quoted" if self.quoted else "empty", signature=signature)

    def _read_row(self, at: int) -> int:
        """Read one row, or the rows that introduce a quote. Return the place after them."""
        line, row = self.lines[at], self.lines[at].strip()
        if QUOTED.match(line):
            self._end_zone(torn=True)
            self.wide = len(line) >= SHORTEST_WRAPPED_ROW
            return at + 1
        end = self._skip_introduction(at) if row else at
        if end > at:
            return end
        if row and _begins_signature(row):
            self.signed = True
            self.human.append("")
        elif not row:
            self.torn = False
            self.human.append("")
        elif self.signed:
            self.signature.append(row)
        elif not (self.torn and self._is_torn(at)):
            self.human.append(row)
        elif not self.wide:
            self.signature.append(row)
        return at + 1

    def _skip_introduction(self, at: int) -> int:
        """Skip the rows that introduce a quote or an old message, and that message. Return the place after them."""
        end = at + attribution_length(self.lines, at)
        joined = " ".join(self.lines[at:end])
        if end > max(at, self.last_mark) and DATED.search(joined):
            return self._read_old_message(at)
        if at < end <= self.last_mark and names_sender(self.lines[at:end]):
            self._end_zone()
            return end
        if _begins_old_message(self.lines, at):
            # Some programs put such a line above a quote whose every line is marked.
            if not _quote_follows(self.lines, at + 1):
                return self._read_old_message(at)
            self._end_zone()
            return at + 1
        return at

    def _end_zone(self, *, torn: bool = False) -> None:
        self.quoted, self.signed, self.torn = True, False, torn
        self.human.append("")

    def _is_torn(self, at: int) -> bool:
        """Return True if a row that touches a quoted one may be its end, broken by a mail program, and so not a move.

        A lone yes or no is typed: in our emails such words have quotation marks.
        """
        row = self.lines[at].strip()
        if ANSWER_WORD.fullmatch(row):
            below = self.lines[at + 1] if at + 1 < len(self.lines) else ""
            return bool(below.strip()) and not _begins_signature(below.strip())
        own = _one_line(self.own())
        return not own or _one_line(row) in own

    def _read_old_message(self, at: int) -> int:
        """Skip an old message without quote marks. It ends with the last row of our email."""
        self._end_zone()
        own = _one_line(self.own())
        if own:
            rows = [_one_line(line) for line in self.lines[at:]]
            ours = [number for number, row in enumerate(rows) if row and row in own]
            self.human += [line.strip() for line in self.lines[at + ours[-1] + 1 :]] if ours else []
        return len(self.lines)

    def _without_own_rows(self, rows: list[str]) -> list[str]:
        """Return the rows without those that stand one after the other in our email."""
        if len(rows) <= MOST_ROWS_UNCOMPARED:
            return rows
        own = {_one_line(row) for row in self.own().split("\n")} - {""}
        if not own:
            return rows
        ours = [_one_line(row) in own for row in rows]
        kept: list[str] = []
        at = 0
        while at < len(rows):
            end = at
            while end < len(rows) and (ours[end] or not rows[end]):
                end += 1
            if sum(ours[at:end]) >= LEAST_OWN_ROWS:
                self.quoted = True
                kept.append("")
                at = end
            else:
                kept.append(rows[at])
                at += 1
        return kept


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _strip_pgp_armour(lines: list[str]) -> list[str]:
    """Return the text inside a clear signature, if there is one."""
    filled = [at for at, line in enumerate(lines) if line]
    if not filled or lines[filled[0]] != ARMOUR:
        return lines
    head = filled[0]
    body = next((at for at in range(head, len(lines)) if not lines[at]), len(lines))
    return [line.removeprefix("- ") for line in lines[body + 1 :]]


def attribution_length(lines: list[str], at: int) -> int:
    """Return the number of lines that introduce a quote. Mail programs break that sentence anywhere."""
    if RUN_ON.match(lines[at].strip()[:WIDEST_ATTRIBUTION]):
        return 1
    joined = ""
    for count, line in enumerate(lines[at : at + LONGEST_ATTRIBUTION], 1):
        joined = f"{joined} {line.strip()}".strip()
        if not line.strip() or len(joined) > WIDEST_ATTRIBUTION:
            return 0
        if joined[-1] in ":：->" and _is_attribution(lines, at, count, joined):
            return count
    return 0


def _is_attribution(lines: list[str], at: int, count: int, joined: str) -> bool:
    if SENTENCE.match(joined) or (count == 1 and WROTE.match(joined)):
        return True
    named = count == 1 or bool(DATED.search(lines[at]))
    return named and (bool(ATTRIBUTION.match(joined)) or _quote_follows(lines, at + count))


def _quote_follows(lines: list[str], at: int) -> bool:
    """Return True if a quote follows here at once or after one empty line."""
    return any(QUOTED.match(line) for line in lines[at : at + 1 + (not any(lines[at : at + 1]))])


def names_sender(lines: list[str]) -> bool:
    """Return True if the lines before a quote are its date or sender; others were typed by the writer."""
    joined = " ".join(line.strip() for line in lines)
    return bool(DATED.search(joined) or WROTE.match(joined) or SENTENCE.match(joined))


def _begins_signature(line: str) -> bool:
    """Return True if a signature starts here; it ends at the quote."""
    return bool(SIGNATURE.match(line) or RULE.match(line))


def _begins_old_message(lines: list[str], at: int) -> bool:
    """Return True if an old message without quote marks starts here."""
    return bool(SEPARATOR.match(lines[at].strip())) or _begins_header_block(lines, at)


def _begins_header_block(lines: list[str], at: int) -> bool:
    """Return True if the headers of an old message begin here.

    Two in a language we know are enough; in any other, three of which one has an address.
    """
    if not ANY_FIELD.match(lines[at]):
        return False
    block = [line for line in lines[at : at + 8] if line.strip()][:5]
    if FIELD.match(lines[at]) and sum(1 for line in block if FIELD.match(line)) >= FIELDS_NEEDED:
        return True
    fields = list(takewhile(ANY_FIELD.match, lines[at : at + 5]))
    return len(fields) > FIELDS_NEEDED and any("@" in line for line in fields)
