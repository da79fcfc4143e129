"""Notes to the table: words beside the log, for those who sit there, never in the record."""

from __future__ import annotations

import re
from typing import Any

from engine.words import Locale
from service.db.connection import execute, rows, write_transaction
from service.db.models.matches import MatchRow, SeatRow
from service.events import log
from service.i18n.catalogue import msg
from service.play import access, views
from service.problems import Problem, invalid_fields_problem
from service.timestamps import now

LONGEST_BODY = 1_000
MOST = 500
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
INSERT = "insert into note (match, player, seat, seq, at, body) values (?, ?, ?, ?, ?, ?) returning id"


def seat_of(match: MatchRow, player: str) -> int | None:
    """The seat of a player at this table, None for its organiser; nobody else has a part in its notes."""
    found = SeatRow.get_or_none((SeatRow.match == match.id) & (SeatRow.player == player))
    if found is None and match.arbiter != player:
        raise Problem("not-your-seat", msg("play.notes_need_seat"))
    return None if found is None else int(found.seat)


def write(match_id: str, player: str, body: str, link: str | None = None) -> int:
    """Leave a note; its number."""
    check_body(body)
    with write_transaction():
        match = access.find_match(match_id, player, link)
        return add(match.id, player, seat_of(match, player), match.head_seq, body)


def check_body(body: str) -> None:
    """Refuse a note that is empty or too long."""
    if not strip_control_characters(body).strip() or len(body) > LONGEST_BODY:
        detail = msg("play.note_length", least=1, most=LONGEST_BODY)
        raise invalid_fields_problem(detail, note=f"1 to {LONGEST_BODY} characters")


def strip_control_characters(body: str) -> str:
    """The words without characters that steer a terminal: nobody's screen is another's to paint."""
    return CONTROL.sub("", body)


def add(match: str, player: str, seat: int | None, seq: int, body: str) -> int:
    """Keep a note and tell the others, inside a transaction; its number."""
    ((count,),) = rows("select count(*) from note where match = ? and player = ?", match, player)
    if count >= MOST:
        raise Problem("limit-reached", msg("play.too_many_notes", count=MOST))
    ((number,),) = rows(INSERT, match, player, seat, seq, now(), strip_control_characters(body))
    others = rows("select player, seat from seat where match = ? and player <> ? and not muted", match, player)
    log.write_events(log.Event(other, match, place, seq, "note.written") for other, place in others)
    return int(number)


def read(match: MatchRow, player: str, after: int, limit: int, locale: Locale) -> list[dict[str, Any]]:
    """The notes after a number, oldest first; who muted the table gets only their own."""
    seat = seat_of(match, player)
    found = rows(
        "select id, player, seat, seq, at, body from note where match = ? and id > ? and (? = 0 or player = ?) "
        "order by id limit ?",
        match.id,
        after,
        int(is_muted(match.id, seat)),
        player,
        limit,
    )
    names = views.player_names(sorted({row[1] for row in found if row[1]}), locale)
    return [
        {
            "id": number,
            "seat": place,
            "player": by,
            "name": names[by] if by else views.FORMER_PLAYER[locale],
            "seq": seq,
            "at": at,
            "body": body,
        }
        for number, by, place, seq, at, body in found
    ]


def is_muted(match: str, seat: int | None) -> bool:
    """Whether this seat wants no notes of others."""
    found = rows("select muted from seat where match = ? and seat = ?", match, -1 if seat is None else seat)
    return bool(found and found[0][0])


def set_muted(match_id: str, player: str, *, silent: bool) -> None:
    """Hide the notes of others from this player's seat, or show them again."""
    with write_transaction():
        match = access.find_match(match_id, player)
        seat = seat_of(match, player)
        if seat is None:
            raise Problem("not-your-seat", msg("play.mute_needs_seat"))
        execute("update seat set muted = ? where match = ? and seat = ?", silent, match.id, seat)
