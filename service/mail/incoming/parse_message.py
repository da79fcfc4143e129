"""Parsing of a message: headers, the writer's text, delivery reports. The work is bounded for any input."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from email import policy
from email.errors import HeaderParseError
from email.header import decode_header
from email.message import Message
from email.parser import BytesHeaderParser, BytesParser

from service.mail.incoming import html_to_text

MOST_BYTES = 1024 * 1024
MOST_HEADERS = 64 * 1024
MOST_FIELD = 8 * 1024
MOST_ENCODED = 2 * 1024
MOST_PARTS = 500
DEEPEST = 10
BROKEN = "broken"
"""The reason for messages on which a library or our own code fails."""
LONG_TYPE = re.compile(rb"^content-[a-z-]{1,30}:(?:[^\n]|\n[ \t]){4096}", re.IGNORECASE | re.MULTILINE)
STATUS_FIELD = re.compile(rb"^status:", re.IGNORECASE | re.MULTILINE)
CHARSETS = re.compile(
    r"utf-?(?:8|16|32)(?:[-_]?[bl]e)?|us-ascii|ascii|iso-?8859-?\d{1,2}|latin-?\d|windows-?\d{3,4}|cp-?\d{3,4}|koi8-[ru]|"
    r"mac-?\w+|big5(?:-?hkscs)?|gb2312|gbk|gb18030|euc-?(?:jp|kr)|shift[-_]jis|iso-2022-(?:jp|kr)|tis-620|hz-gb-2312"
)
QUOTE_MARKS = re.compile(r">*")
SIGNATURE_MARK = "-- "
WINDOWS_CHARSETS = {"iso-8859-1": "windows-1252", "latin-1": "windows-1252", "latin1": "windows-1252"}
"""Programs that say Latin-1 mean Windows-1252, which has typographic quotes and the euro sign."""


class UnreadableMessage(ValueError):
    """A message that is too large, too deep or too broken to be parsed. `why` is a short reason."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


@dataclass(frozen=True)
class ParsedMessage:
    """The parts of a message that we use."""

    fields: tuple[tuple[str, str], ...]
    """The headers: names in lower case, values on one line as they were sent."""
    text: str
    """The text with its quotes, empty if there is none."""
    media_type: str
    """The media type of the message."""
    reports: tuple[str, ...] = ()
    """The texts of delivery reports (RFC 3464)."""
    html_text: str = ""
    """The text of the HTML if the message has plain text too. A line break alone if it shows nothing."""
    kinds: frozenset[str] = frozenset()
    """The media types of its parts."""

    def all(self, name: str) -> tuple[str, ...]:
        """Return all values of a header in their order, undecoded."""
        return tuple(value for known, value in self.fields if known == name)

    def get(self, name: str) -> str:
        """Return the first value of a header, decoded, or an empty text."""
        return decode_words(next(iter(self.all(name)), ""))


def parse_headers(raw: bytes) -> ParsedMessage:
    """Return the message with its headers only, as far as they can be read. Raise nothing."""
    try:
        message = BytesHeaderParser(policy=policy.compat32).parsebytes(raw[:MOST_HEADERS])
        return ParsedMessage(_header_fields(message), "", _media_type(message))
    except Exception:  # noqa: BLE001  # the message is kept whatever the library makes of it
        return ParsedMessage((), "", "")


def _header_fields(message: Message) -> tuple[tuple[str, str], ...]:
    return tuple((name.lower(), " ".join(_header_text(value).split())) for name, value in message.raw_items())


def parse(raw: bytes) -> ParsedMessage:
    """Return the message in these bytes. Raise `UnreadableMessage` if it is too large, too deep or too broken."""
    _check_limits(raw)
    try:
        message = BytesParser(policy=policy.compat32).parsebytes(raw)
        plain, shown = _body_texts(message)
        return ParsedMessage(
            _header_fields(message),
            plain if plain.strip() else shown,
            _media_type(message),
            tuple(_delivery_reports(message)),
            shown if plain.strip() else "",
            frozenset(_list_kinds(message)),
        )
    except (UnreadableMessage, MemoryError):
        raise
    except Exception as error:  # whatever the library raises on input made to break it
        raise UnreadableMessage(BROKEN) from error


def _check_limits(raw: bytes) -> None:
    if len(raw) > MOST_BYTES:
        raise UnreadableMessage("too-large")
    if header_size(raw) > MOST_HEADERS or LONG_TYPE.search(raw):
        raise UnreadableMessage("headers")
    if raw.count(b"\n--") > 2 * MOST_PARTS + 200 or len(STATUS_FIELD.findall(raw)) > MOST_PARTS:
        raise UnreadableMessage("too-many-parts")


def header_size(raw: bytes) -> int:
    """Return the length of the header block."""
    ends = [end for end in (raw.find(b"\r\n\r\n"), raw.find(b"\n\n")) if end >= 0]
    return min(ends, default=len(raw))


def _header_text(value: object) -> str:
    """Return the value of a header as text. Bytes outside ASCII are decoded as UTF-8, else as Windows-1252."""
    text = str(value)[:MOST_FIELD] if not isinstance(value, str) else value[:MOST_FIELD]
    try:
        bytes_ = text.encode("ascii", "surrogateescape")
    except UnicodeEncodeError:
        return strip_unstorable(text)
    return strip_unstorable(decode_bytes(bytes_, ""))


def decode_words(value: str) -> str:
    """Return the value of a header with its encoded words decoded."""
    if "=?" not in value:
        return value
    try:
        parts = decode_header(value[:MOST_ENCODED])
    except (HeaderParseError, ValueError):
        return value
    return " ".join(" ".join(_decode_word(*part) for part in parts if part[0]).split())


def _decode_word(text: bytes | str, charset: str | None) -> str:
    return strip_unstorable(text if isinstance(text, str) else decode_bytes(text, charset or "")).strip()


def decode_bytes(data: bytes, charset: str) -> str:
    """Decode bytes in their charset if it is known and fits, else as UTF-8, else as Windows-1252."""
    name = charset.strip().lower().strip("\"'")
    tried = [WINDOWS_CHARSETS.get(name, name)] if CHARSETS.fullmatch(name) else []
    for each in (*tried, "utf-8", "windows-1252"):
        try:
            return data.decode(each)
        except (UnicodeError, LookupError):
            continue
    return data.decode("latin-1")


def strip_unstorable(text: str) -> str:
    """Return a text without NUL and lone surrogates, which databases refuse."""
    return re.sub("[\0\ud800-\udfff\ufeff]", "", text)


def _media_type(part: Message) -> str:
    return part.get_content_type()


def _count_parts(message: Message, depth: int = 0) -> None:
    """Raise `UnreadableMessage` for too many or too deep parts. Attached messages are not opened."""
    if depth > DEEPEST:
        raise UnreadableMessage("too-deep")
    payload = message.get_payload()
    if message.get_content_maintype() == "multipart" and isinstance(payload, list):
        if len(payload) > MOST_PARTS:
            raise UnreadableMessage("too-many-parts")
        for part in payload:
            if isinstance(part, Message):
                _count_parts(part, depth + 1)


def _body_texts(message: Message) -> tuple[str, str]:
    """Return the plain text and the text of the HTML, each empty if there is none.

    Only the first part of a message is its text, in one form or in several; the parts after it are attachments.
    """
    _count_parts(message)
    found = {"text/plain": "", "text/html": ""}
    for part in _body_parts(message):
        kind = _media_type(part)
        if kind in found and not found[kind] and not _is_attached(part):
            text = _part_text(part)
            text = html_to_text.convert(text) if kind == "text/html" else text
            found[kind] = text if text.strip() else "\n"
    return found["text/plain"], found["text/html"]


def _body_parts(message: Message) -> Iterator[Message]:
    """Yield the part that is the text of a message, or each of its alternatives."""
    payload = message.get_payload()
    if message.get_content_maintype() != "multipart" or not isinstance(payload, list):
        yield message
        return
    parts = [part for part in payload if isinstance(part, Message)]
    if _media_type(message) == "multipart/alternative":
        for part in parts:
            yield from _body_parts(part)
    elif parts:
        yield from _body_parts(parts[0])


def _is_attached(part: Message) -> bool:
    """Return True if a part is an attachment: by its disposition, or because it has a file name."""
    disposition = _header_text(part.get("Content-Disposition", "")).lower().lstrip()
    elsewhere = bool(disposition) and not disposition.startswith("inline")
    return elsewhere or "filename" in disposition or part.get_param("name") is not None


def _part_text(part: Message) -> str:
    payload = part.get_payload(decode=True)
    data = payload if isinstance(payload, bytes) else b""
    charset, form, joined = (_param(part, name) for name in ("charset", "format", "delsp"))
    text = strip_unstorable(decode_bytes(data, charset)).replace("\r\n", "\n").replace("\r", "\n")
    return unwrap_flowed(text, delete=joined == "yes") if form == "flowed" else text


def unwrap_flowed(text: str, *, delete: bool) -> str:
    """Join the soft line breaks of `format=flowed`. With `delete` (DelSp) the space before each goes too."""
    lines: list[str] = []
    open_depth = -1
    for row in text.split("\n"):
        depth, body = _split_quote_marks(row)
        soft = body.endswith(" ") and body != SIGNATURE_MARK
        content = body[:-1] if soft and delete else body
        if open_depth == depth and body != SIGNATURE_MARK:
            lines[-1] += content
        else:
            lines.append(f"{'>' * depth} {content}" if depth else content)
        open_depth = depth if soft else -1
    return "\n".join(lines)


def _split_quote_marks(row: str) -> tuple[int, str]:
    found = QUOTE_MARKS.match(row)
    depth = found.end() if found else 0
    return depth, row[depth:].removeprefix(" ")


def _param(part: Message, name: str) -> str:
    try:
        value = part.get_param(name)
    except (ValueError, LookupError, TypeError, AttributeError):
        return ""
    return value.lower() if isinstance(value, str) else ""


def _list_kinds(message: Message) -> Iterator[str]:
    """Yield the media types of a message and of the parts inside it, but not of messages that are attached."""
    yield _media_type(message)
    payload = message.get_payload()
    if message.get_content_maintype() == "multipart" and isinstance(payload, list):
        for part in payload[:MOST_PARTS]:
            if isinstance(part, Message):
                yield from _list_kinds(part)


def _delivery_reports(message: Message) -> Iterator[str]:
    """Yield the text of each delivery report: groups of fields separated by empty lines."""
    payload = message.get_payload()
    if _media_type(message) != "multipart/report" or not isinstance(payload, list):
        return
    for part in payload[:MOST_PARTS]:
        if isinstance(part, Message) and _media_type(part) == "message/delivery-status":
            groups = part.get_payload()
            if isinstance(groups, list):
                yield "\n\n".join(
                    "\n".join(f"{name}: {_header_text(value)}" for name, value in group.items())
                    for group in groups[:MOST_PARTS]
                    if isinstance(group, Message)
                )
            elif isinstance(groups, str):
                yield groups[:MOST_HEADERS]
