"""HTML as plain lines: quotes get `>`, hidden things go, the marks of mail programs become their text forms."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

MOST_CHARACTERS = 300_000
MOST_TAG = 8_000
DEEPEST, MOST_OPEN = 200, 1_000
BLOCKS = frozenset(
    """address article aside blockquote center dd div dl dt fieldset figure footer form h1 h2 h3 h4 h5 h6 header hr li
    main nav ol p pre section table tbody td tfoot th thead tr ul""".split()
)
SPACED = frozenset("blockquote h1 h2 h3 h4 h5 h6 ol p pre table ul".split())
SKIPPED_TAGS = frozenset("head noscript object script style svg template textarea title select".split())
VOID = frozenset("area base br col embed hr img input link meta param source track wbr".split())
NAME = re.compile(r"/?([a-z][a-z0-9:]*)", re.IGNORECASE)
MARKS = re.compile(r"""\b(class|id|style)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+))""", re.IGNORECASE)
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
HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden|mso-hide\s*:\s*all", re.IGNORECASE)
SEPARATOR_LINE = "-----Original Message-----"


def convert(source: str) -> str:
    """The visible text of a page."""
    page = TextBuilder()
    for token in tokenize(source[:MOST_CHARACTERS]):
        page.feed(token)
        if len(page.inside) > MOST_OPEN:
            break
    page.end_line()
    return re.sub(r"\n{3,}", "\n\n", "\n".join(page.lines)).strip("\n")


def tokenize(source: str) -> Iterator[str]:
    """Tags with their brackets and the texts between, in one pass; comments and declarations are left out."""
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
class TextBuilder:
    """The lines so far, and what the reader is inside of."""

    lines: list[str] = field(default_factory=list)
    row: str = ""
    inside: list[tuple[str, bool, bool]] = field(default_factory=list)
    """Open elements: name, whether it quotes, whether it is hidden."""
    depth: int = 0
    hidden: int = 0

    def feed(self, token: str) -> None:
        """Read one tag or one text."""
        found = NAME.match(token, 1) if token.startswith("<") else None
        if found is None:
            if not self.hidden:
                self.row += (
                    html.unescape(token)
                    if self._is_preformatted()
                    else re.sub(r"[ \t\r\n]+", " ", html.unescape(token))
                )
            return
        name = found[1].lower()
        if token.startswith("</"):
            self.close(name)
        else:
            self.open(name, token)

    def _is_preformatted(self) -> bool:
        return any(name == "pre" for name, _, _ in self.inside[-20:])

    def open(self, name: str, tag: str) -> None:
        """Go into an element."""
        found = MARKS.finditer(tag) if "=" in tag else ()
        marks = {mark[1].lower(): mark[2] or mark[3] or mark[4] or "" for mark in found}
        if name == "br" and not self.row.strip():
            self.lines.append("")
        elif name in BLOCKS or name == "br":
            self.end_line(spaced=name in SPACED)
        self._write_mark(name, f"{marks.get('class', '')} {marks.get('id', '')}", marks.get("style", ""))
        if name not in VOID and not tag.endswith("/>"):
            quotes = name == "blockquote" or bool(QUOTE.search(marks.get("class", "")))
            hides = name in SKIPPED_TAGS or bool(HIDDEN.search(marks.get("style", "")))
            self.inside.append((name, quotes, hides))
            self.depth += quotes
            self.hidden += hides

    def _write_mark(self, name: str, named: str, style: str) -> None:
        """Where a mail program marks what is not new, say so as plain text does."""
        if name == "hr" or OLD_MESSAGE.search(named) or OUTLOOK_RULE.search(style):
            self.lines += ["", f"{self._quote_mark()}{SEPARATOR_LINE}"]
        elif SIGNATURE.search(named):
            self.lines.append(f"{self._quote_mark()}-- ")

    def close(self, name: str) -> None:
        """Leave the nearest element of this name, and what was left open in it."""
        if name in BLOCKS:
            self.end_line(spaced=name in SPACED)
        for at in range(len(self.inside) - 1, max(-1, len(self.inside) - DEEPEST), -1):
            if self.inside[at][0] == name:
                for _, quotes, hides in self.inside[at:]:
                    self.depth -= quotes
                    self.hidden -= hides
                del self.inside[at:]
                return

    def end_line(self, *, spaced: bool = False) -> None:
        """End the row that is being written; after a paragraph stays an empty one."""
        self.lines += [self._quote_mark() + part.strip() for part in self.row.split("\n") if part.strip()]
        if spaced and self.lines and self.lines[-1]:
            self.lines.append("")
        self.row = ""

    def _quote_mark(self) -> str:
        return "> " * min(self.depth, 5)
