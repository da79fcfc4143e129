"""An email before it is rendered: its recipient, its blocks, and what a reply does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from engine.words import Locale
from service.play.views import Viewer
from service.record.canonical_json import JsonValue


@dataclass(frozen=True)
class Addressee:
    """The recipient of an email, with language and time zone."""

    address: str
    name: str
    locale: Locale
    zone: str
    player: str | None = None


@dataclass(frozen=True)
class Heading:
    """A heading."""

    words: str


@dataclass(frozen=True)
class Para:
    """A paragraph; a `strong` one says what the email is about."""

    words: str
    strong: bool = False


@dataclass(frozen=True)
class Bullets:
    """A bulleted list."""

    items: tuple[str, ...]


@dataclass(frozen=True)
class Preformatted:
    """Preformatted text. With a title, it repeats a picture, and HTML puts it at the end."""

    words: str
    title: str = ""


@dataclass(frozen=True)
class MenuChoice:
    """A move that a reply can name by its number."""

    number: int
    line: str
    sentence: str


@dataclass(frozen=True)
class Menu:
    """The legal moves with their numbers, and the form of those that are not listed."""

    choices: tuple[MenuChoice, ...]
    more: str = ""
    prefix: str = ""
    """The prefix of numbers where one email is about several matches."""


@dataclass(frozen=True)
class FactList:
    """Short labels with their values."""

    rows: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class ScoreTable:
    """A table of points, with a row for each count or each player."""

    names: tuple[str, ...]
    rows: tuple[tuple[str, tuple[str, ...]], ...]
    summed: bool = True
    """True if the last row has the totals."""


@dataclass(frozen=True)
class Link:
    """A link to a web page."""

    words: str
    url: str


@dataclass(frozen=True)
class Passcode:
    """A code to type elsewhere."""

    words: str


@dataclass(frozen=True)
class Quote:
    """The words of somebody else."""

    who: str
    words: str


@dataclass(frozen=True)
class SmallPrint:
    """Small print, perhaps with a link, which pages show by the words of `link` or by all words."""

    words: str
    url: str = ""
    link: str = ""


@dataclass(frozen=True)
class Picture:
    """A picture of the table, with alternative text."""

    png: bytes
    alt: str
    width: int
    label: str = ""
    """The label of the match, in an email about several."""

    def cid(self, letter: str) -> str:
        """Return the Content-ID of the picture in the email with this id and domain."""
        return f"table-{self.label}.{letter}" if self.label else f"table.{letter}"


Block = (
    Heading
    | Para
    | Bullets
    | Preformatted
    | Menu
    | FactList
    | ScoreTable
    | Link
    | Passcode
    | Quote
    | SmallPrint
    | Picture
)


@dataclass(frozen=True)
class ReplyPurpose:
    """Purpose of a reply to an email: a question, or something else that `payload` describes."""

    kind: str
    asked: int = 0
    payload: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Letter:
    """An email: the same blocks become its text and its HTML."""

    kind: str
    to: Addressee
    subject: str
    blocks: tuple[Block, ...]
    match: str | None = None
    seat: int | None = None
    seq: int = 0
    """The last entry of the log when it was composed."""
    reply_purpose: ReplyPurpose | None = None
    scope: str = ""
    """Scope of unsubscribing: `match`, `all` or `address`; empty for none."""
    preview: str = ""
    """The first words, shown in lists of emails."""
    in_reply_to: str = ""
    """The Message-ID of the email that it answers."""
    viewers: tuple[Viewer, ...] = ()
    """The seats that might read a line of it as a move."""
    receipt_key: str = ""
    """The key of the job that would send the receipt of the seat's last move."""
    receipt: Mapping[str, JsonValue] = field(default_factory=dict)
    """That receipt, if it travels with this email."""

    def with_blocks(self, *blocks: Block) -> Letter:
        """Return the email with more blocks at its end."""
        return replace(self, blocks=self.blocks + blocks)

    @property
    def pictures(self) -> tuple[Picture, ...]:
        """The pictures in the email."""
        return tuple(block for block in self.blocks if isinstance(block, Picture))
