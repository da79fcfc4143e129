"""The reply in a message with plain text and HTML. If the two disagree, neither counts."""

from __future__ import annotations

import re
import unicodedata

from service.mail.incoming.parse_message import ParsedMessage
from service.mail.incoming.reading.pieces import is_device_row
from service.mail.incoming.reading.zones import STROKES, OwnText, ReplyText, extract_reply

LONGEST_SHOWN = 120
REACTION = "text/vnd.google.email-reaction+json"
"""The part of an emoji reaction, which is not an answer."""
ADDED = re.compile(
    r"<?(?:https?://|mailto:|tel:)[^\s<>]{1,2000}>?|\[(?:image|cid|logo|photo)\b[^\]\n]{0,300}\]", re.IGNORECASE
)
"""Text that mail programs write for a link or a picture of the HTML."""
TOKEN = re.compile(r"\w+")


def read_reply(mail: ParsedMessage, own: OwnText = lambda: "") -> ReplyText:
    """Return the new text of a message. If plain text and HTML disagree about it, return only both versions.

    `own` returns the text of the email that it answers.
    """
    if REACTION in mail.kinds:
        return ReplyText(why="reaction")
    plain = extract_reply(mail.text, own)
    if not mail.html_text:
        return plain
    shown = extract_reply(mail.html_text, own)
    if shown.struck:
        kept = extract_reply(mail.html_text, own, keep_struck=True)
        if _agree(mail, plain, kept) is not None or _agree(mail, plain, shown) is not None:
            return shown
        return _disagree(plain, shown)
    return _agree(mail, plain, shown) or _disagree(plain, shown)


def _disagree(plain: ReplyText, shown: ReplyText) -> ReplyText:
    both = tuple(" ".join(each.text.split())[:LONGEST_SHOWN] for each in (plain, shown))
    return ReplyText(why="parts", versions=both)


def _agree(mail: ParsedMessage, plain: ReplyText, shown: ReplyText) -> ReplyText | None:
    """Return the reply that both versions contain: the shorter one if the other includes part of the old message."""
    said, seen = _reply_tokens(plain), _reply_tokens(shown)
    if said == seen:
        # A row of a table or a long line may be broken in one version. The one with fewer lines is whole.
        return shown if _count_lines(shown) < _count_lines(plain) else plain
    whole, page = _tokens(mail.text), _tokens(STROKES.sub("", mail.html_text))
    if not said or not seen:
        return plain if _count(said or seen, whole) == _count(said or seen, page) else None
    few, more = sorted((said, seen), key=len)
    rest = more[len(few) :]
    if more[: len(few)] != few or _count(rest, whole) != _count(rest, page):
        return None
    return plain if few is said else shown


def _reply_tokens(reply: ReplyText) -> list[str]:
    """Return the words of a reply without the rows that a mail program adds: often only one version has them."""
    return _tokens("\n".join(row for row in reply.lines if not is_device_row(row)))


def _tokens(text: str) -> list[str]:
    return TOKEN.findall(unicodedata.normalize("NFKC", ADDED.sub(" ", text)).casefold())


def _count(tokens: list[str], among: list[str]) -> int:
    """Return how often this sequence of words occurs in a text."""
    return f" {' '.join(among)} ".replace(" ", "  ").count(f" {'  '.join(tokens)} ") if tokens else 0


def _count_lines(reply: ReplyText) -> int:
    return sum(1 for line in reply.lines if line)
