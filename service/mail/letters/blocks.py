"""A letter before it is written out: who gets it, what it says block by block, and what answering it does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from engine.words import Locale
from service.play.views import Viewer


@dataclass(frozen=True)
class Addressee:
    """Who a letter is for, and how they read it."""

    address: str
    name: str
    locale: Locale
    zone: str
    player: str | None = None


@dataclass(frozen=True)
class Heading:
    """The title of what follows."""

    words: str


@dataclass(frozen=True)
class Para:
    """A paragraph; a `strong` one is what the letter is about."""

    words: str
    strong: bool = False


@dataclass(frozen=True)
class Bullets:
    """Things one after the other."""

    items: tuple[str, ...]


@dataclass(frozen=True)
class Preformatted:
    """Lines that stay as they are; with a title, a page that shows a picture of the same puts them at its end."""

    words: str
    title: str = ""


@dataclass(frozen=True)
class MenuChoice:
    """A line that can be answered by its number."""

    number: int
    line: str
    sentence: str


@dataclass(frozen=True)
class Menu:
    """The legal lines with their numbers, and what form the others have."""

    choices: tuple[MenuChoice, ...]
    more: str = ""
    prefix: str = ""
    """What stands before a number where one address serves several matches."""


@dataclass(frozen=True)
class FactList:
    """Short labels with their values."""

    rows: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class ScoreTable:
    """A table of points: what they are of above, a row for each count or each player."""

    names: tuple[str, ...]
    rows: tuple[tuple[str, tuple[str, ...]], ...]
    summed: bool = True
    """Whether the last row holds the totals."""


@dataclass(frozen=True)
class Link:
    """Something to open in a browser."""

    words: str
    url: str


@dataclass(frozen=True)
class Passcode:
    """Something to be typed elsewhere."""

    words: str


@dataclass(frozen=True)
class Quote:
    """What somebody wrote."""

    who: str
    words: str


@dataclass(frozen=True)
class SmallPrint:
    """Small print, perhaps with somewhere to go."""

    words: str
    url: str = ""


@dataclass(frozen=True)
class Picture:
    """A table drawn, with the words for those who do not see it."""

    png: bytes
    alt: str
    width: int
    label: str = ""
    """The table that it shows, in a letter about several."""

    def cid(self, letter: str) -> str:
        """What the page of a letter calls the picture; `letter` is known by its id and domain."""
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
    """What an answer to a letter is for: a question, or something else that `payload` tells."""

    kind: str
    asked: int = 0
    payload: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Letter:
    """A letter: the same blocks become its text and its HTML."""

    kind: str
    to: Addressee
    subject: str
    blocks: tuple[Block, ...]
    match: str | None = None
    seat: int | None = None
    seq: int = 0
    """The head of the log when it was written."""
    reply_purpose: ReplyPurpose | None = None
    scope: str = ""
    """What unsubscribing stops: `match`, `all`, `address`, or nothing."""
    preview: str = ""
    """The first words, shown in lists of mail."""
    in_reply_to: str = ""
    """The Message-ID of the mail that it answers."""
    viewers: tuple[Viewer, ...] = ()
    """The seats that might take a line of it for a move."""

    def with_blocks(self, *blocks: Block) -> Letter:
        """The same letter with more at its end."""
        return replace(self, blocks=self.blocks + blocks)

    @property
    def pictures(self) -> tuple[Picture, ...]:
        """Its pictures, first to last."""
        return tuple(block for block in self.blocks if isinstance(block, Picture))
