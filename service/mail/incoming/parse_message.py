"""A message taken apart: headers, the text its writer typed, delivery reports; bounded in time whatever is in it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from email import policy
from email.errors import HeaderParseError
from email.header import decode_header
from email.message import Message
from email.parser import BytesHeaderParser, BytesParser

from service.mail.incoming import html_to_text as html
from service.mail.incoming import parse_message_flowed as flowed

MOST = 1024 * 1024
MOST_HEADERS = 64 * 1024
MOST_FIELD = 8 * 1024
MOST_ENCODED = 2 * 1024
MOST_PARTS = 500
DEEPEST = 10
LONG_TYPE = re.compile(rb"^content-[a-z-]{1,30}:(?:[^\n]|\n[ \t]){4096}", re.IGNORECASE | re.MULTILINE)
REPORTED = re.compile(rb"^status:", re.IGNORECASE | re.MULTILINE)
CHARSETS = re.compile(
    r"utf-?(?:8|16|32)(?:[-_]?[bl]e)?|us-ascii|ascii|iso-?8859-?\d{1,2}|latin-?\d|windows-?\d{3,4}|cp-?\d{3,4}|koi8-[ru]|"
    r"mac-?\w+|big5(?:-?hkscs)?|gb2312|gbk|gb18030|euc-?(?:jp|kr)|shift[-_]jis|iso-2022-(?:jp|kr)|tis-620|hz-gb-2312"
)
WESTERN = {"iso-8859-1": "windows-1252", "latin-1": "windows-1252", "latin1": "windows-1252"}
"""What programs call Latin-1 has had the quotes and the euro sign of Windows for thirty years."""


class Unreadable(ValueError):
    """A message that is too large, too deep or too broken to be looked into; `why` is a short name for it."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


@dataclass(frozen=True)
class Mail:
    """A message as far as it concerns us."""

    fields: tuple[tuple[str, str], ...]
    """The headers: names in lower case, values on one line as they were sent."""
    text: str
    """What the writer typed, with what they quoted; empty if there is no text."""
    kind: str
    """The media type of the whole."""
    reports: tuple[str, ...] = ()
    """The texts of delivery reports (RFC 3464)."""

    def all(self, name: str) -> tuple[str, ...]:
        """Every value of a header, first to last, as it was sent."""
        return tuple(value for known, value in self.fields if known == name)

    def get(self, name: str) -> str:
        """The first value of a header, its encoded words read; or nothing."""
        return decoded(next(iter(self.all(name)), ""))


def headers(raw: bytes) -> Mail:
    """The headers of a message alone, as far as they can be read; this raises nothing."""
    try:
        message = BytesHeaderParser(policy=policy.compat32).parsebytes(raw[:MOST_HEADERS])
        return Mail(_headers(message), "", "")
    except Exception:  # noqa: BLE001  # the message is kept whatever the library makes of it
        return Mail((), "", "")


def _headers(message: Message) -> tuple[tuple[str, str], ...]:
    return tuple((name.lower(), " ".join(_plain(value).split())) for name, value in message.raw_items())


def parsed(raw: bytes) -> Mail:
    """The message in these bytes; raises nothing but Unreadable."""
    _check(raw)
    try:
        message = BytesParser(policy=policy.compat32).parsebytes(raw)
        return Mail(_headers(message), _text(message), _kind(message), tuple(_reports(message)))
    except Unreadable:
        raise
    except Exception as error:  # whatever the library raises on what was made to break it
        raise Unreadable("broken") from error


def _check(raw: bytes) -> None:
    if len(raw) > MOST:
        raise Unreadable("too-large")
    if header_size(raw) > MOST_HEADERS or LONG_TYPE.search(raw):
        raise Unreadable("headers")
    if raw.count(b"\n--") > 2 * MOST_PARTS + 200 or len(REPORTED.findall(raw)) > MOST_PARTS:
        raise Unreadable("too-many-parts")


def header_size(raw: bytes) -> int:
    """Where the header block ends."""
    ends = [end for end in (raw.find(b"\r\n\r\n"), raw.find(b"\n\n")) if end >= 0]
    return min(ends, default=len(raw))


def _plain(value: object) -> str:
    """A header's value as text; bytes that are no ASCII are read as UTF-8, else as Latin-1."""
    text = str(value)[:MOST_FIELD] if not isinstance(value, str) else value[:MOST_FIELD]
    try:
        bytes_ = text.encode("ascii", "surrogateescape")
    except UnicodeEncodeError:
        return sound(text)
    return sound(readable(bytes_, ""))


def decoded(value: str) -> str:
    """A header's value with its encoded words read."""
    if "=?" not in value:
        return value
    try:
        parts = decode_header(value[:MOST_ENCODED])
    except (HeaderParseError, ValueError):
        return value
    return " ".join(" ".join(_word(*part) for part in parts if part[0]).split())


def _word(text: bytes | str, charset: str | None) -> str:
    return sound(text if isinstance(text, str) else readable(text, charset or "")).strip()


def readable(data: bytes, charset: str) -> str:
    """Bytes as text: in their charset if it is one of text and fits, else UTF-8, else Windows-1252."""
    name = charset.strip().lower().strip("\"'")
    tried = [WESTERN.get(name, name)] if CHARSETS.fullmatch(name) else []
    for each in (*tried, "utf-8", "windows-1252"):
        try:
            return data.decode(each)
        except (UnicodeError, LookupError):
            continue
    return data.decode("latin-1")


def sound(text: str) -> str:
    """A text that can be stored anywhere: no NUL, no half characters."""
    return re.sub("[\0\ud800-\udfff\ufeff]", "", text)


def _kind(part: Message) -> str:
    return part.get_content_type()


def _leaves(message: Message, depth: int = 0) -> Iterator[Message]:
    """Every part that is no container, first to last; messages inside are not looked into."""
    if depth > DEEPEST:
        raise Unreadable("too-deep")
    payload = message.get_payload()
    if message.get_content_maintype() == "multipart" and isinstance(payload, list):
        if len(payload) > MOST_PARTS:
            raise Unreadable("too-many-parts")
        for part in payload:
            if isinstance(part, Message):
                yield from _leaves(part, depth + 1)
    else:
        yield message


def _text(message: Message) -> str:
    """The first text a person wrote: plain if there is any, else from HTML; attachments do not count."""
    shown = [part for part in _leaves(message) if _is_shown(part)]
    for kind in ("text/plain", "text/html"):
        for part in shown:
            if _kind(part) == kind:
                text = _body(part)
                text = html.text(text) if kind == "text/html" else text
                if text.strip():
                    return text
    return ""


def _is_shown(part: Message) -> bool:
    disposition = _plain(part.get("Content-Disposition", "")).lower()
    return _kind(part) in ("text/plain", "text/html") and not disposition.lstrip().startswith("attachment")


def _body(part: Message) -> str:
    payload = part.get_payload(decode=True)
    data = payload if isinstance(payload, bytes) else b""
    charset, form, joined = (_param(part, name) for name in ("charset", "format", "delsp"))
    text = sound(readable(data, charset)).replace("\r\n", "\n").replace("\r", "\n")
    return flowed.joined(text, delete=joined == "yes") if form == "flowed" else text


def _param(part: Message, name: str) -> str:
    try:
        value = part.get_param(name)
    except (ValueError, LookupError, TypeError, AttributeError):
        return ""
    return value.lower() if isinstance(value, str) else ""


def _reports(message: Message) -> Iterator[str]:
    """The text of each delivery report: groups of fields with empty lines between."""
    payload = message.get_payload()
    if _kind(message) != "multipart/report" or not isinstance(payload, list):
        return
    for part in payload[:MOST_PARTS]:
        if isinstance(part, Message) and _kind(part) == "message/delivery-status":
            groups = part.get_payload()
            if isinstance(groups, list):
                yield "\n\n".join(
                    "\n".join(f"{name}: {_plain(value)}" for name, value in group.items())
                    for group in groups[:MOST_PARTS]
                    if isinstance(group, Message)
                )
            elif isinstance(groups, str):
                yield groups[:MOST_HEADERS]
