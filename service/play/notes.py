"""Notes to the table: messages between the people at the table, outside the log and never in the record."""

from __future__ import annotations

import re

from engine.words import Locale
from service import shapes
from service.db.connection import write_transaction
from service.db.models.matches import MatchRow, NoteRow, SeatRow
from service.events import log
from service.i18n.catalogue import msg, translate
from service.jobs import queue
from service.play import access, views
from service.play.job_payloads import NotedLetter
from service.problems import Problem, invalid_fields_problem
from service.timestamps import now

LONGEST_TEXT = 1_000
MOST = 500
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def seat_of(match: MatchRow, player: str) -> int | None:
    """Return the seat of a player in this match, or None for its organiser. Nobody else takes part in its notes."""
    found = SeatRow.get_or_none((SeatRow.match == match.id) & (SeatRow.player == player))
    if found is None and match.arbiter != player:
        raise Problem("not-your-seat", msg("play.notes_need_seat"))
    return None if found is None else int(found.seat)


class NoteShown(shapes.Shape):
    """A note to the table."""

    id: int = shapes.number("Its number.", 17)
    seat: int | None = shapes.seat("From which seat; null for the organiser.")
    player: str | None = shapes.text("From whom.", shapes.PLAYER_ID)
    name: str = shapes.text("Their name.", "Aoife")
    seq: int = shapes.number("The head of the log when it was written.", 3)
    at: int = shapes.timestamp("When it was written.")
    text: str = shapes.text("What it says.", "Good luck!", most=LONGEST_TEXT)


def write(match_id: str, player: str, text: str, link: str | None = None) -> int:
    """Write a note to the table, and return its number."""
    check_text(text)
    with write_transaction():
        match = access.find_match(match_id, player, link)
        return add(match.id, player, seat_of(match, player), match.head_seq, text)


def check_text(text: str, field: str = "text") -> None:
    """Refuse a note that is empty or too long. The refusal names the field of the request."""
    if not strip_control_characters(text).strip() or len(text) > LONGEST_TEXT:
        detail = msg("play.note_length", least=1, most=LONGEST_TEXT)
        raise invalid_fields_problem(detail, **{field: f"1 to {LONGEST_TEXT} characters"})


def strip_control_characters(text: str) -> str:
    """Remove characters that control a terminal, so that a note cannot repaint a reader's screen."""
    return CONTROL.sub("", text)


def add(match: str, player: str, seat: int | None, seq: int, text: str) -> int:
    """Store a note and write events for the other people, inside a transaction. Return its number."""
    if NoteRow.select().where((NoteRow.match == match) & (NoteRow.player == player)).count() >= MOST:
        raise Problem("limit-reached", msg("play.too_many_notes", count=MOST))
    shown = strip_control_characters(text)
    note = NoteRow.create(match=match, player=player, seat=seat, seq=seq, at=now(), text=shown)
    listens = (SeatRow.match == match) & (SeatRow.player != player) & ~SeatRow.muted
    others = [(other.seat, other.player) for other in SeatRow.select().where(listens) if other.player]
    log.write_events(log.Event(other, match, place, seq, "note.written") for place, other in others)
    for place, other in others:
        letter = NotedLetter(match=match, seat=place, player=other, at=note.at)
        queue.add(letter, f"noted:{note.id}:{place}")
    return int(note.id)


def read(match: MatchRow, player: str, before: int | None, limit: int, locale: Locale) -> list[NoteShown]:
    """List notes, latest first: all, or those before a number. A viewer who muted the match gets only their own."""
    wanted = NoteRow.match == match.id
    if before is not None:
        wanted &= NoteRow.id < before
    if is_muted(match.id, seat_of(match, player)):
        wanted &= NoteRow.player == player
    found = list(NoteRow.select().where(wanted).order_by(NoteRow.id.desc()).limit(limit))
    names = views.player_names(sorted({note.player for note in found if note.player}), locale)
    return [
        NoteShown.of(note, name=names[note.player] if note.player else translate(locale, "play.former_player"))
        for note in found
    ]


def is_muted(match: str, seat: int | None) -> bool:
    """Return True if this seat has muted other people's notes."""
    return SeatRow.select().where((SeatRow.match == match) & (SeatRow.seat == seat) & SeatRow.muted).exists()


def set_muted(match_id: str, player: str, *, silent: bool) -> None:
    """Hide other people's notes from this player's seat, or show them again."""
    with write_transaction():
        match = access.find_match(match_id, player)
        seat = seat_of(match, player)
        if seat is None:
            raise Problem("not-your-seat", msg("play.mute_needs_seat"))
        SeatRow.update(muted=silent).where((SeatRow.match == match.id) & (SeatRow.seat == seat)).execute()
