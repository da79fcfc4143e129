"""The desk a letter about a match is written at: the seat, its player, its table, and what they are called."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any

from engine.game import Game, Options
from engine.notation import slots
from engine.picture import extent
from engine.view import View
from engine.words import Locale
from service import drawing
from service.db.connection import rows
from service.i18n.catalogue import join_items, quote, translate
from service.mail.letters.blocks import Addressee, Menu, MenuChoice, Picture
from service.play import story
from service.play.table_store import head_of, load_table
from service.play.views import Viewer
from service.record.table import Table

MOST_CHOICES = 40
MOST_OPTIONS_SCANNED = 5_000
PICTURE_WIDTH = 640
WIDE_PICTURE_SCALE = 0.85
"""How many points to the unit a picture has that is shown smaller: the same for all, as words are kept by their size;
more is sharper on some screens, and slower to draw for everybody."""
SELECT_SEAT = (
    "select s.player, s.due_at, s.told_seq, s.muted, s.letters, m.title, m.moves, p.address, p.name, p.language, "
    "p.zone, p.letters, p.digest_hour, m.leave_allowed, p.quiet_weekends from seat s join match m on m.id = s.match "
    "left join player p on p.id = s.player "
    "where s.match = ? and s.seat = ?"
)
SELECT_FORMER_SEAT = (
    "select p.id, null, s.told_seq, s.muted, s.letters, m.title, m.moves, p.address, p.name, p.language, p.zone, "
    "p.letters, p.digest_hour, m.leave_allowed, p.quiet_weekends from seat s join match m on m.id = s.match "
    "join player p on p.id = ? "
    "where s.match = ? and s.seat = ? and p.address is not null and p.deleted_at is null"
)


@dataclass(frozen=True)
class LetterContext:
    """What a letter to one seat is written from."""

    table: Table
    seat: int
    to: Addressee
    title: str
    signed: bool
    due_at: int | None
    told: int
    muted: bool
    wants: str
    """Which letters this seat gets: every turn, a digest, only reminders, none."""
    digest_hour: int
    leave: bool
    """Whether leave counts in this match."""
    quiet: bool
    """Whether the player's clocks rest on weekends where leave counts."""

    @property
    def locale(self) -> Locale:
        """The language of the letter."""
        return self.to.locale

    @cached_property
    def looking(self) -> Viewer:
        """The seat at the table."""
        return Viewer(self.table, self.seat, self.locale)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """What the seats are called."""
        return self.view.names

    @cached_property
    def view(self) -> View:
        """What the seat sees."""
        return self.looking.view()

    @cached_property
    def options(self) -> Options:
        """What the seat may do."""
        return self.looking.options()

    @property
    def asked(self) -> int | None:
        """The number of the question it is asked."""
        question = self.table.questions[self.seat]
        return question.asked if question else None

    @cached_property
    def what(self) -> str:
        """The match in a phrase: the game, and who else plays."""
        others = [name for seat, name in enumerate(self.names) if seat != self.seat]
        game = game_name(self.looking.game, self.locale)
        what = translate(self.locale, "with" if others else "alone", game=game, others=join_items(self.locale, others))
        return translate(self.locale, "titled", title=self.title, what=what) if self.title else what

    @cached_property
    def words(self) -> str:
        """The table in words, for a narrow page and for reading aloud."""
        game = self.looking.game
        told = game.prose or game.text
        words: str = told(self.view, self.locale)
        return words.rstrip("\n")

    def menu(self, prefix: str = "", most: int = MOST_CHOICES) -> Menu:
        """The lines that are open to the seat."""
        game = self.looking.game
        choices = tuple(
            MenuChoice(number, option.line, game.say(self.view, option, self.locale))
            for number, option in enumerate(islice(self.options, most), 1)
        )
        more = len(self.options) - len(choices)
        if more <= 0:
            return Menu(choices, "", prefix)
        shapes = [quote(self.locale, form) for form in self._line_forms(most)]
        told = translate(self.locale, "moves.more", count=more, forms=join_items(self.locale, shapes, "or"))
        return Menu(choices, told, prefix)

    def _line_forms(self, skip: int) -> list[str]:
        """The forms of the lines after the first ones: verbs with capitals for what follows them."""
        kinds = dict.fromkeys(type(option) for option in islice(self.options, skip, MOST_OPTIONS_SCANNED))
        words = self.looking.game.words
        return [words.form(kind.verb, [name for name, _ in slots(kind)], self.locale) for kind in kinds]

    def picture(self) -> Picture:
        """The table as the seat sees it, drawn once for each view; its first lines say what it shows."""
        shapes = self.looking.game.picture(self.view, self.locale)
        wide, _ = extent(shapes)
        scale = WIDE_PICTURE_SCALE if wide > PICTURE_WIDTH else 1.0
        return Picture(drawing.png(shapes, scale), _first_paragraph(self.words), round(min(wide, PICTURE_WIDTH)))

    def story(self, most: int = story.MOST_SENTENCES) -> story.Story:
        """What happened since the seat was told last."""
        return story.tell_since(self.looking, self.told, most)


def game_name(game: Game[Any], locale: Locale) -> str:
    """What a game is called in a sentence: its title without what explains it."""
    return re.split("[,:]", game.title[locale])[0].strip()


def _first_paragraph(words: str) -> str:
    """The first paragraph of a text on one line."""
    first = words.split("\n\n", 1)[0]
    return " ".join(line.strip() for line in first.split("\n"))


def load_context(match: str, seat: int) -> LetterContext | None:
    """The desk for a seat of a started match; nothing where nobody with an address sits."""
    found = rows(SELECT_SEAT, match, seat)
    if not found or not found[0][0] or not found[0][7]:
        return None
    status, seq, hash_ = head_of(match)
    if status not in ("running", "over"):
        return None
    return _context_from_row(load_table(match, seq, hash_), seat, found[0])


def load_former_context(match: str, seat: int, player: str) -> LetterContext | None:
    """The desk of somebody who sat there until a stand-in took the seat: it is asked nothing, and sees nothing new."""
    found = rows(SELECT_FORMER_SEAT, player, match, seat)
    status, seq, hash_ = head_of(match)
    if not found or status not in ("running", "over"):
        return None
    return _context_from_row(load_table(match, seq, hash_), seat, found[0])


def _context_from_row(table: Table, seat: int, row: tuple[Any, ...]) -> LetterContext:
    player, due_at, told, muted, own, title, moves, address, name, language, zone, wants, hour, leave, quiet = row
    return LetterContext(
        table=table,
        seat=seat,
        to=Addressee(address, name, "fr" if language == "fr" else "en", zone, player),
        title=title,
        signed=moves == "signed",
        due_at=due_at,
        told=told,
        muted=bool(muted),
        wants=own or wants,
        digest_hour=hour,
        leave=bool(leave),
        quiet=bool(quiet),
    )


def addressee(player: str) -> Addressee | None:
    """A player who can be written to."""
    sql = "select address, name, language, zone from player where id = ? and deleted_at is null and address is not null"
    found = rows(sql, player)
    if not found:
        return None
    address, name, language, zone = found[0]
    return Addressee(address, name, "fr" if language == "fr" else "en", zone, player)
