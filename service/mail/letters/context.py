"""Context of an email: its job, its recipient, and the seat and match that it is about."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any, Generic, TypeVar

from engine.game import AnyAction, AnyGame, Options
from engine.notation import slots
from engine.picture import extent
from engine.view import View
from engine.words import Locale
from service import drawing
from service.config import Config
from service.db.connection import rows
from service.i18n.catalogue import join_items, quote, translate
from service.jobs.payloads import LetterJob, PlayerLetter, QuestionLetter, SeatLetter
from service.mail.job_payloads import AnswerLetter
from service.mail.letters.blocks import Addressee, Menu, MenuChoice, Picture
from service.play import story
from service.play.match_loader import load_match_state_at
from service.play.preview import menu_rows
from service.play.views import Viewer
from service.record.match_state import MatchState

MOST_CHOICES = 40
MOST_OPTIONS_SCANNED = 5_000
MOST_OF_RARE_KIND = 8
PICTURE_SCALE = 1.5
"""Dots per unit of a picture. One scale for all, since drawn words are cached by size; a larger one is sharper on some
screens, but slower to draw for all."""
SEAT_COLUMNS = (
    "s.told_seq, s.muted, s.letters, m.title, m.moves, m.leave_allowed, m.pairing, m.arbiter, m.head_seq, m.head_hash, "
    "p.id, p.address, p.name, p.language, p.zone, p.letters, p.digest_hour, p.quiet_weekends"
)
SELECT_SEAT = (
    f"select s.due_at, {SEAT_COLUMNS} from seat s join match m on m.id = s.match join player p on p.id = s.player "  # noqa: S608  # our own
    "where s.match = ? and s.seat = ? and m.status in ('running', 'over') and p.address is not null"
)
SELECT_FORMER_SEAT = (
    f"select null, {SEAT_COLUMNS} from seat s join match m on m.id = s.match join player p on p.id = ? "  # noqa: S608  # our own
    "where s.match = ? and s.seat = ? and m.status in ('running', 'over') and p.address is not null "
    "and p.deleted_at is null"
)
SELECT_WAITING_SEATS = (
    "select s.match, s.seat from seat s join match m on m.id = s.match where s.player = ? and s.asked is not null "
    "and m.status = 'running' order by s.due_at is null, s.due_at, s.match limit ?"
)
MOST_WAITING = 1_000
AnyLetter_co = TypeVar("AnyLetter_co", bound=LetterJob, covariant=True)


@dataclass(frozen=True)
class SeatContext:
    """A seat of a match that has begun, with its match state and its player, who can be written to."""

    match_state: MatchState
    number: int
    """The number of the seat, from 0."""
    to: Addressee
    title: str
    signed_only: bool
    """True if moves must be signed, so that none can be made by email."""
    due_at: int | None
    told_seq: int
    """The last entry of the log that an email has told the seat about."""
    muted: bool
    letter_mode: str
    """Which emails this seat gets: `turn`, `digest`, `reminders` or `none`."""
    digest_hour: int
    leave_counts: bool
    """True if leave stops the clock in this match."""
    pairing: str | None
    """The pairing of a tournament that the match belongs to, if any."""
    arbiter: str | None
    """The id of the arbiter, if any."""
    quiet_weekends: bool
    """True if the player's clocks rest on weekends where leave counts."""

    @property
    def match(self) -> str:
        """The id of the match."""
        return self.match_state.facts.id

    @property
    def locale(self) -> Locale:
        """The language of the email."""
        return self.to.locale

    @cached_property
    def viewer(self) -> Viewer:
        """The match as this seat sees it."""
        return Viewer(self.match_state, self.number, self.locale)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the seats."""
        return self.view.names

    @cached_property
    def view(self) -> View:
        """The view of the seat."""
        return self.viewer.view()

    @cached_property
    def options(self) -> Options:
        """The legal moves of the seat."""
        return self.viewer.options()

    @property
    def asked(self) -> int | None:
        """The number of the question that it is asked, or None."""
        question = self.match_state.questions[self.number]
        return question.asked if question else None

    @cached_property
    def task(self) -> str:
        """Task of the seat in the game's own words; empty if it is asked nothing or the game has none."""
        tell_task = self.viewer.game.presentation.task
        return "" if tell_task is None or self.asked is None else tell_task(self.view, self.locale).line(self.locale)

    @cached_property
    def match_phrase(self) -> str:
        """The match in a phrase: the game and the other players."""
        others = [name for seat, name in enumerate(self.names) if seat != self.number]
        game = game_name(self.viewer.game, self.locale)
        phrase = translate(
            self.locale, "with" if others else "alone", game=game, others=join_items(self.locale, others)
        )
        return translate(self.locale, "titled", title=self.title, what=phrase) if self.title else phrase

    @cached_property
    def table_text(self) -> str:
        """The table in words, for narrow pages and for reading aloud."""
        game = self.viewer.game
        describe = game.presentation.prose or game.presentation.text
        text: str = describe(self.view, self.locale)
        return text.rstrip("\n")

    def menu(self, prefix: str = "", most: int = MOST_CHOICES) -> Menu:
        """Return the menu of the seat's moves."""
        shown = self._numbered_options(most)
        rows = menu_rows(self.viewer, shown.values())
        choices = tuple(MenuChoice(number, row.typed, row.sentence) for number, row in zip(shown, rows, strict=True))
        more = len(self.options) - len(choices)
        if more <= 0:
            return Menu(choices, "", prefix)
        forms = [quote(self.locale, form) for form in self._line_forms(most, frozenset(shown))]
        sentence = translate(self.locale, "moves.more", count=more, forms=join_items(self.locale, forms, "or"))
        return Menu(choices, sentence, prefix)

    def _numbered_options(self, most: int) -> dict[int, AnyAction]:
        """Return the first moves by number, and all moves of other kinds that have only a few, such as a pass."""
        shown = dict(enumerate(islice(self.options, most), 1))
        if len(self.options) <= most:
            return shown
        told = {self._kind_of(option) for option in shown.values()}
        rest: dict[str, dict[int, AnyAction]] = {}
        for number, option in enumerate(islice(self.options, most, MOST_OPTIONS_SCANNED), most + 1):
            rest.setdefault(self._kind_of(option), {})[number] = option
        for kind, options in rest.items():
            if kind not in told and len(options) <= MOST_OF_RARE_KIND:
                shown |= options
        return shown

    def _kind_of(self, option: AnyAction) -> str:
        """Return the heading under which a long menu would list a move."""
        kind = self.viewer.game.presentation.kind
        return kind(self.view, option, self.locale) if kind else option.verb

    def _line_forms(self, skip: int, shown: frozenset[int]) -> list[str]:
        """Return the forms of the moves without a number: verbs, with capitals for their arguments."""
        after = enumerate(islice(self.options, skip, MOST_OPTIONS_SCANNED), skip + 1)
        kinds = dict.fromkeys(type(option) for number, option in after if number not in shown)
        words = self.viewer.game.presentation.words
        return [words.form(kind.verb, [name for name, _ in slots(kind)], self.locale) for kind in kinds]

    def picture(self) -> Picture:
        """Return the drawn table as the seat sees it, with the first paragraph of its text as alternative text.

        It has the form for phones, where most emails are read: the wide form would be shrunk until it is illegible.
        """
        shapes = self.viewer.game.presentation.picture(self.view, self.locale, narrow=True)
        png = drawing.draw_png(shapes, PICTURE_SCALE, self.viewer.game.slug)
        return Picture(png, _first_paragraph(self.table_text), round(extent(shapes)[0]))

    def story(self, most: int = story.MOST_SENTENCES) -> story.Story:
        """Tell what happened since the last email."""
        return story.tell_since(self.viewer, self.told_seq, most)


def game_name(game: AnyGame, locale: Locale) -> str:
    """Return the name of a game for a sentence: its title without the subtitle."""
    return re.split("[,:]", game.presentation.title[locale])[0].strip()


def _first_paragraph(text: str) -> str:
    """Return the first paragraph of a text on one line."""
    first = text.split("\n\n", 1)[0]
    return " ".join(line.strip() for line in first.split("\n"))


def load_seat(match: str, seat: int) -> SeatContext | None:
    """Return a seat of a match that has begun; None if nobody with an address has it."""
    return _seat_from_rows(match, seat, rows(SELECT_SEAT, match, seat))


def load_waiting_seats(player: str, most: int = MOST_WAITING) -> list[SeatContext]:
    """Return the seats of a player that are asked something, the most urgent first."""
    loaded = [load_seat(match, seat) for match, seat in rows(SELECT_WAITING_SEATS, player, most)]
    return [seat for seat in loaded if seat is not None]


def load_former_seat(match: str, seat: int, player: str) -> SeatContext | None:
    """Return a seat for the player who had it until a stand-in took it: it is asked nothing, and sees nothing new."""
    return _seat_from_rows(match, seat, rows(SELECT_FORMER_SEAT, player, match, seat))


def _seat_from_rows(match: str, seat: int, found: list[tuple[Any, ...]]) -> SeatContext | None:
    if not found:
        return None
    due_at, told_seq, muted, own_mode, title, moves, leave_allowed, pairing, arbiter, *rest = found[0]
    head_seq, head_hash, id_, address, name, language, zone, mode, digest_hour, quiet_weekends = rest
    return SeatContext(
        match_state=load_match_state_at(match, head_seq, head_hash),
        number=seat,
        to=Addressee(address, name, read_locale(language), zone, id_),
        title=title,
        signed_only=moves == "signed",
        due_at=due_at,
        told_seq=told_seq,
        muted=bool(muted),
        letter_mode=own_mode or mode,
        digest_hour=digest_hour,
        leave_counts=bool(leave_allowed),
        pairing=pairing,
        arbiter=arbiter,
        quiet_weekends=bool(quiet_weekends),
    )


def read_locale(language: str) -> Locale:
    """Return a stored language as a locale; English for any that we do not have."""
    return "fr" if language == "fr" else "en"


def find_addressee(player: str) -> Addressee | None:
    """Return a player who can be written to, or None."""
    sql = "select address, name, language, zone from player where id = ? and deleted_at is null and address is not null"
    found = rows(sql, player)
    if not found:
        return None
    address, name, language, zone = found[0]
    return Addressee(address, name, read_locale(language), zone, player)


def address_stranger(address: str | None, host: str, language: str = "") -> Addressee | None:
    """Return somebody without an account whom a player invites.

    They get the zone of that player, and the `language` they wrote in or else the player's.
    """
    if not address:
        return None
    settings = rows("select language, zone from player where id = ?", host)
    usual, zone = settings[0] if settings else ("en", "UTC")
    return Addressee(address, "", read_locale(language or usual), zone)


@dataclass(frozen=True)
class LetterContext(Generic[AnyLetter_co]):
    """The job of an email, and the player and seat that it names, each loaded once when first used."""

    job: AnyLetter_co
    config: Config

    @cached_property
    def to(self) -> Addressee | None:
        """The player that the job names, if they can be written to."""
        return find_addressee(self.job.player) if isinstance(self.job, PlayerLetter) else None

    @property
    def locale(self) -> Locale:
        """The language of that player; English if nobody can be written to."""
        return self.to.locale if self.to else "en"

    @cached_property
    def seat(self) -> SeatContext | None:
        """The seat that the job names; None if it names none, or nobody can be written to there."""
        job = self.job
        if not isinstance(job, SeatLetter | AnswerLetter) or not job.match or job.seat is None:
            return None
        return load_seat(job.match, job.seat)

    @property
    def asked_seat(self) -> SeatContext | None:
        """The seat, if it is still asked the question that the job is about."""
        job, seat = self.job, self.seat
        return seat if seat and isinstance(job, QuestionLetter) and seat.asked == job.asked else None

    @property
    def own_seat(self) -> SeatContext | None:
        """The seat, if the player that the job names still has it."""
        job, seat = self.job, self.seat
        return seat if seat and isinstance(job, PlayerLetter) and seat.to.player == job.player else None
