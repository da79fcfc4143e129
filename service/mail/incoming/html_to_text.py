"""HTML as plain lines: quotes get `>`, hidden text is dropped, and the marks of mail programs become their text forms.

Struck-out text stays, each letter with a stroke through it (U+0336), as some people write it in plain text.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice

from engine.words import is_number
from service.mail.incoming.html_styles import (
    ElementMarks,
    ElementPlace,
    Looks,
    StyleSheet,
    apply_styles,
    parse_style_sheet,
)

MOST_CHARACTERS = 300_000
MOST_TAG = 8_000
DEEPEST, MOST_OPEN = 200, 1_000
LONGEST_NUMBER = 5
BLOCKS = frozenset(
    """address article aside blockquote center dd div dl dt fieldset figure footer form h1 h2 h3 h4 h5 h6 header hr li
    main nav ol p pre section table tbody td tfoot th thead tr ul""".split()
)
SPACED = frozenset("blockquote h1 h2 h3 h4 h5 h6 ol p pre table ul".split())
SKIPPED_TAGS = frozenset(
    """audio canvas datalist head iframe math noembed noframes noscript object script select style svg template textarea
    title video""".split()
)
CELLS = frozenset({"td", "th"})
STROKE = "\u0336"
"""The character that strikes out the letter before it."""
VOID = frozenset("area base br col embed hr img input link meta param source track wbr".split())
NAME = re.compile(r"/?([a-z][a-z0-9:]*)", re.IGNORECASE)
MARKS = re.compile(
    r"""(?<=[\s"'])(class|id|style|color|bgcolor|hidden|start|value)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+))|(?=[\s/>]))""",
    re.IGNORECASE,
)
LIST_NUMBER = re.compile(r"\d{1,6}\. $")
STYLE_TAG = re.compile(r"<(/?)style\b", re.IGNORECASE)
MOST_STYLE_SHEETS = 20
MOST_SIBLINGS = 8
"""How many earlier siblings a style sheet may refer to."""
QUOTE = re.compile(
    r"\b(?:gmail_quote|yahoo_quoted|protonmail_quote|zmail_extra|moz-cite-prefix|gmail_attr|tutanota_quote)\b"
)
OLD_MESSAGE = re.compile(
    r"\b(?:divRplyFwdMsg|appendonsend|OLK_SRC_BODY_SECTION|stopSpelling|x_divRplyFwdMsg|mail-editor-reference-message-container|"
    r"oriMsgHtmlSeperator|isReplyContent|reply-intro)\b"
)
OUTLOOK_RULE = re.compile(r"border:\s*none;\s*border-top:\s*solid\s+#?[a-z0-9]+\s+1\.0pt", re.IGNORECASE)
SIGNATURE = re.compile(
    r"\b(?:gmail_signature|moz-signature|ms-outlook-mobile-signature|x_Signature|Signature|protonmail_signature_block|AppleMailSignature)\b"
)
SEPARATOR_LINE = "-----Original Message-----"


def convert(source: str) -> str:
    """Return the visible text of a page."""
    source = source[:MOST_CHARACTERS]
    page = TextBuilder(parse_style_sheet("\n".join(islice(find_style_sheets(source), MOST_STYLE_SHEETS))))
    for token in tokenize(source):
        page.feed(token)
        if len(page.inside) > MOST_OPEN:
            break
    page.end_line()
    return re.sub(r"\n{3,}", "\n\n", "\n".join(page.lines)).strip("\n")


def find_style_sheets(source: str) -> Iterator[str]:
    """Yield the style sheets of a page, in one pass over it."""
    start = -1
    for tag in STYLE_TAG.finditer(source):
        if start < 0 and not tag[1]:
            start = source.find(">", tag.end()) + 1
            if not start:
                return
        elif tag[1] and 0 < start <= tag.start():
            yield source[start : tag.start()]
            start = -1


def tokenize(source: str) -> Iterator[str]:
    """Yield the tags and the texts between them, in one pass, without comments and declarations."""
    at = 0
    while at < len(source):
        start = source.find("<", at)
        if start < 0:
            yield source[at:]
            return
        if start > at:
            yield source[at:start]
        comment = source.startswith("<!--", start)
        end = source.find("-->" if comment else ">", start + (4 if comment else 1))
        if end < 0:
            return
        at = end + (3 if comment else 1)
        if not comment and NAME.match(source, start + 1):
            yield source[start:at][:MOST_TAG]


@dataclass
class Element:
    """An open element: if it is a quote, if it is skipped, and the looks of its text."""

    name: str
    quotes: bool
    skipped: bool
    looks: Looks
    place: ElementPlace
    children: list[ElementPlace] = field(default_factory=list)
    """The latest elements inside it."""
    cells: list[int] = field(default_factory=list)
    """In a row of a table, where the lines of each cell begin."""
    number: int = 0
    """In a numbered list, the number of the item before the next one."""


@dataclass
class TextBuilder:
    """The lines so far, and what the reader is inside of."""

    sheet: StyleSheet = field(default_factory=StyleSheet)
    lines: list[str] = field(default_factory=list)
    row: str = ""
    inside: list[Element] = field(default_factory=list)
    children: list[ElementPlace] = field(default_factory=list)
    depth: int = 0
    skipped: int = 0

    @property
    def looks(self) -> Looks:
        """The looks of text at this place."""
        return self.inside[-1].looks if self.inside else Looks()

    def feed(self, token: str) -> None:
        """Read one tag or one text."""
        found = NAME.match(token, 1) if token.startswith("<") else None
        if found is None:
            if not self.skipped and not self.looks.hidden:
                self._write(html.unescape(token))
            return
        name = found[1].lower()
        if token.startswith("</"):
            self.close(name)
        else:
            self.open(name, token)

    def _write(self, text: str) -> None:
        if not any(element.name == "pre" for element in self.inside[-20:]):
            text = re.sub(r"[ \t\r\n]+", " ", text)
        self.row += re.sub(r"(\S)", rf"\1{STROKE}", text) if self.looks.struck else text

    def open(self, name: str, tag: str) -> None:
        """Enter an element."""
        marks = {mark[1].lower(): mark[2] or mark[3] or mark[4] or "" for mark in MARKS.finditer(tag)}
        if name == "br" and not self.row.strip():
            self.lines.append("")
        elif name == "br" or (name in BLOCKS and not LIST_NUMBER.fullmatch(self.row)):
            self.end_line(spaced=name in SPACED)
        self._write_mark(name, f"{marks.get('class', '')} {marks.get('id', '')}", marks.get("style", ""))
        if name in CELLS:
            row = next((element for element in reversed(self.inside[-20:]) if element.name == "tr"), None)
            if row is not None:
                row.cells.append(len(self.lines))
        if name == "li":
            self._write_list_number(marks.get("value", ""))
        if name not in VOID and not tag.endswith("/>"):
            quotes = name == "blockquote" or bool(QUOTE.search(marks.get("class", "")))
            place = self._enter(ElementMarks(name, frozenset(marks.get("class", "").split()), marks.get("id", "")))
            looks = self.looks.inside(name, marks, apply_styles(self.sheet, place, marks))
            first = marks.get("start", "") if name == "ol" else ""
            number = int(first) - 1 if is_number(first) and len(first) <= LONGEST_NUMBER else 0
            self.inside.append(Element(name, quotes, name in SKIPPED_TAGS, looks, place, number=number))
            self.depth += quotes
            self.skipped += name in SKIPPED_TAGS

    def _enter(self, element: ElementMarks) -> ElementPlace:
        """Return the place of a new element, and note it among the children of the one around it."""
        parent = self.inside[-1].place if self.inside else None
        children = self.inside[-1].children if self.inside else self.children
        siblings = tuple(children)
        children.append(ElementPlace(element, parent))
        del children[:-MOST_SIBLINGS]
        return ElementPlace(element, parent, siblings)

    def _write_list_number(self, value: str) -> None:
        """Number an item of a numbered list, as the reader of the page sees it."""
        around = next((element for element in reversed(self.inside[-20:]) if element.name in ("ol", "ul")), None)
        if around is None or around.name == "ul" or self.skipped or around.looks.hidden:
            return
        around.number = int(value) if is_number(value) and len(value) <= LONGEST_NUMBER else around.number + 1
        self._write(f"{around.number}. ")

    def _write_mark(self, name: str, named: str, style: str) -> None:
        """Write the separator of plain text where a mail program marks the old message by a class or id."""
        if name == "hr" or OLD_MESSAGE.search(named) or OUTLOOK_RULE.search(style):
            self.lines += ["", f"{self._quote_mark()}{SEPARATOR_LINE}"]
        elif SIGNATURE.search(named):
            self.lines.append(f"{self._quote_mark()}-- ")

    def close(self, name: str) -> None:
        """Leave the nearest element of this name, and what was left open in it."""
        if name in BLOCKS:
            self.end_line(spaced=name in SPACED)
        for at in range(len(self.inside) - 1, max(-1, len(self.inside) - DEEPEST), -1):
            if self.inside[at].name == name:
                for element in reversed(self.inside[at:]):
                    if len(element.cells) > 1:
                        self._join_cells(element)
                    self.depth -= element.quotes
                    self.skipped -= element.skipped
                del self.inside[at:]
                return

    def _join_cells(self, row: Element) -> None:
        """Make one line of the row of a table, unless a cell has more than one."""
        ends = [*row.cells[1:], len(self.lines)]
        cells = [[line for line in self.lines[at:end] if line.strip()] for at, end in zip(row.cells, ends, strict=True)]
        filled = [cell[0] for cell in cells if cell]
        marks = {line[: len(line) - len(line.lstrip("> "))] for line in filled}
        if len(filled) < 2 or len(marks) > 1 or any(len(cell) > 1 for cell in cells):  # noqa: PLR2004  # nothing to join
            return
        mark = marks.pop()
        self.lines[row.cells[0] :] = [mark + "  ".join(line.removeprefix(mark) for line in filled)]

    def end_line(self, *, spaced: bool = False) -> None:
        """End the current row. A paragraph is followed by an empty row."""
        self.lines += [self._quote_mark() + part.strip() for part in self.row.split("\n") if part.strip()]
        if spaced and self.lines and self.lines[-1]:
            self.lines.append("")
        self.row = ""

    def _quote_mark(self) -> str:
        return "> " * min(self.depth, 5)
