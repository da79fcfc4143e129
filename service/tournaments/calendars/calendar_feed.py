"""Calendars: a tournament's rounds for everybody, and one player's rounds, deadlines and leave for that player.

A round keeps its UID for ever. A row stores what calendars showed last: when the round changes, SEQUENCE increases, and
a round that is not played stays as CANCELLED. All times are in UTC, so that phones need no time zones.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any
from urllib.parse import urlsplit

from icalendar import Calendar, Event, vText

from engine.games import GAMES
from engine.words import Locale
from service.config import Config
from service.db.connection import write_transaction
from service.db.models.accounts import LeaveRow, PlayerRow
from service.db.models.tournaments import (
    CalendarRoundRow,
    EntrantRow,
    PairingRow,
    PairingSeatRow,
    RoundRow,
    TournamentRow,
)
from service.i18n.catalogue import translate
from service.matches.my_matches import Turn, list_turns
from service.timestamps import DAY, MINUTE, now
from service.tournaments.formats.tournament_state import IN
from service.tournaments.rounds.round_times import find_rounds, list_starts
from service.tournaments.tournament_caches import CANCELLED, OVER
from service.tournaments.views.overview import title_of

KEPT_DAYS = 60
"""How many days past items stay in a calendar."""
REFRESH = timedelta(hours=1)
"""How often a phone should poll."""
MOST_TOURNAMENTS = 200
_RoundKey = tuple[str, str, int]


def write_calendar(name: str, events: Iterable[Event]) -> bytes:
    """Return a calendar file (RFC 5545). The same events give the same bytes."""
    calendar = Calendar()
    calendar.add("prodid", "-//Echtra//Calendar//EN")
    calendar.add("version", "2.0")
    calendar.add("method", "PUBLISH")
    calendar.add("name", vText(name))
    calendar.add("x-wr-calname", vText(name))
    calendar.add("refresh-interval", REFRESH, parameters={"VALUE": "DURATION"})
    calendar.add("x-published-ttl", "PT1H")
    for event in events:
        calendar.add_component(event)
    body: bytes = calendar.to_ical()
    return body


def _make_event(
    uid: str,
    summary: str,
    begin: datetime | date,
    end: datetime | date | None,
    *,
    changed_at: int,
    sequence: int,
    url: str = "",
    cancelled: bool = False,
) -> Event:
    """Return an event: a moment, a span of time, or whole days."""
    event = Event()
    event.add("uid", uid)
    event.add("dtstamp", _moment(changed_at))
    event.add("last-modified", _moment(changed_at))
    event.add("sequence", sequence)
    event.add("dtstart", begin)
    if end is not None:
        event.add("dtend", end)
    event.add("summary", summary)
    if url:
        event.add("url", url)
    event.add("status", "CANCELLED" if cancelled else "CONFIRMED")
    event.add("transp", "TRANSPARENT")
    return event


def _moment(at: int) -> datetime:
    return datetime.fromtimestamp(at // 1000, UTC)


def find_host(config: Config) -> str:
    """Return the host name in every UID."""
    return urlsplit(config.url).hostname or "localhost"


def write_tournament_calendar(row: TournamentRow, locale: Locale, config: Config) -> bytes:
    """Return the calendar of a tournament: every round with a known time."""
    return write_calendar(title_of(row, locale), _round_events([row], None, locale, config))


def write_player_calendar(player: PlayerRow, config: Config) -> bytes:
    """Return the calendar of one player: their rounds, deadlines and leave."""
    locale: Locale = "fr" if player.language == "fr" else "en"
    entered = EntrantRow.select(EntrantRow.tournament).where(
        (EntrantRow.player == player.id) & (EntrantRow.status == IN)
    )
    recent = TournamentRow.ended_at.is_null() | (TournamentRow.ended_at > now() - KEPT_DAYS * DAY)
    query = TournamentRow.select().where(TournamentRow.id.in_(entered) & recent).order_by(TournamentRow.created_at)
    events = [
        *_round_events(list(query.limit(MOST_TOURNAMENTS)), player.id, locale, config),
        *_turn_events(list_turns(player.id), locale, config),
        *_leave_events(player.id, locale, config),
    ]
    return write_calendar(translate(locale, "calendar.mine"), events)


def _round_events(
    tournaments: Sequence[TournamentRow], player: str | None, locale: Locale, config: Config
) -> Iterator[Event]:
    """Yield the rounds of these tournaments. For a player, leave out rounds that were paired without them."""
    shown = refresh_rounds(tournaments)
    absent = set() if player is None else _rounds_without(player, [row.id for row in tournaments])
    by_id = {row.id: row for row in tournaments}
    many = {row.id: len({each.stage for each in shown if each.tournament == row.id}) > 1 for row in tournaments}
    for each in shown:
        row = by_id[each.tournament]
        if (row.id, each.stage, each.number) in absent:
            continue
        key = "calendar.round_of_stage" if many[row.id] else "calendar.round"
        yield _make_event(
            uid=f"round-{row.id}-{each.stage}-{each.number}@{find_host(config)}",
            summary=translate(locale, key, title=title_of(row, locale), stage=each.stage, number=each.number),
            begin=_moment(each.starts_at),
            end=None if each.ends_at is None or each.ends_at <= each.starts_at else _moment(each.ends_at),
            changed_at=each.at,
            sequence=each.sequence,
            url=f"{config.url}/tournaments/{row.id}",
            cancelled=each.cancelled,
        )


def _rounds_without(player: str, tournaments: Collection[str]) -> set[tuple[str, str, int]]:
    """Return the paired rounds in which this player does not play."""
    place = (PairingRow.tournament, PairingRow.stage, PairingRow.round)
    valid = PairingRow.tournament.in_(list(tournaments)) & ~PairingRow.void
    mine = PairingSeatRow.select(PairingSeatRow.pairing).where(PairingSeatRow.player == player)
    everybody: Any = PairingRow.select(*place).where(valid).distinct()
    own: Any = PairingRow.select(*place).where(valid & PairingRow.id.in_(mine)).distinct()
    return set(everybody.tuples()) - set(own.tuples())


def refresh_rounds(tournaments: Sequence[TournamentRow]) -> list[CalendarRoundRow]:
    """Return the rounds as calendars show them from now on. What has changed gets a higher SEQUENCE."""
    ids = [row.id for row in tournaments]
    known = {_key(row): row for row in CalendarRoundRow.select().where(CalendarRoundRow.tournament.in_(ids))}
    wanted, unknown = _find_times(tournaments)
    for key, row in known.items():
        if key not in unknown:
            wanted.setdefault(key, (row.starts_at, row.ends_at, True))
    # Reading a calendar writes only if something changed: phones poll every hour.
    changed = {key for key in wanted if key not in known or wanted[key] != _shown(known[key])}
    if changed:
        with write_transaction():
            for key in sorted(changed):
                _write_round(key, wanted[key], known.get(key))
        known = {_key(row): row for row in CalendarRoundRow.select().where(CalendarRoundRow.tournament.in_(ids))}
    shown = [row for key, row in known.items() if key not in unknown]
    return sorted(shown, key=lambda row: (row.starts_at, *_key(row)))


def _find_times(
    tournaments: Sequence[TournamentRow],
) -> tuple[dict[_RoundKey, tuple[int, int | None, bool]], set[_RoundKey]]:
    """Return what calendars should show of each round, and the rounds whose time is unknown.

    The latter are left out until their time is known again: they have not been cancelled.
    """
    rounds = find_rounds(tournaments)
    wanted, unknown = dict[_RoundKey, tuple[int, int | None, bool]](), set[_RoundKey]()
    for row in tournaments:
        starts = list_starts(row, rounds[row.id], now())
        played = [each for each in rounds[row.id] if row.state != CANCELLED or each.state == OVER]
        for each in played:
            starts_at = starts[each.stage, each.number]
            if starts_at is not None:
                wanted[_key(each)] = (starts_at, each.over_at or each.ends_at, False)
            elif row.state != OVER:
                unknown.add(_key(each))
    return wanted, unknown


def _key(row: RoundRow | CalendarRoundRow) -> _RoundKey:
    return row.tournament, row.stage, row.number


def _shown(row: CalendarRoundRow) -> tuple[int, int | None, bool]:
    return row.starts_at, row.ends_at, bool(row.cancelled)


def _write_round(
    key: tuple[str, str, int], wanted: tuple[int, int | None, bool], known: CalendarRoundRow | None
) -> None:
    """Write a round. If two requests do it at the same time, the second one changes nothing."""
    tournament, stage, number = key
    starts_at, ends_at, cancelled = wanted
    values = {"starts_at": starts_at, "ends_at": ends_at, "cancelled": cancelled, "at": now()}
    if known is None:
        place = {"tournament": tournament, "stage": stage, "number": number}
        CalendarRoundRow.insert(**place, sequence=0, **values).on_conflict_ignore().execute()
        return
    mine = (
        (CalendarRoundRow.tournament == tournament)
        & (CalendarRoundRow.stage == stage)
        & (CalendarRoundRow.number == number)
        & (CalendarRoundRow.sequence == known.sequence)
    )
    CalendarRoundRow.update(sequence=known.sequence + 1, **values).where(mine).execute()


def _turn_events(turns: Iterable[Turn], locale: Locale, config: Config) -> Iterator[Event]:
    """Yield deadlines. They only ever move later, so the time since the question can serve as SEQUENCE."""
    for turn in turns:
        if turn.due_at is None:
            continue
        name = turn.title or GAMES[turn.game].presentation.title[locale]
        yield _make_event(
            uid=f"turn-{turn.match}-{turn.seat}-{turn.asked}@{find_host(config)}",
            summary=translate(locale, "calendar.turn", match=name),
            begin=_moment(turn.due_at),
            end=None,
            changed_at=turn.asked_at,
            sequence=max(0, turn.due_at - turn.asked_at) // MINUTE,
            url=f"{config.url}/matches/{turn.match}",
        )


def _leave_events(player: str, locale: Locale, config: Config) -> Iterator[Event]:
    """Yield leave as whole days. Cancelled leave stays as CANCELLED."""
    since = (_moment(now()) - timedelta(days=KEPT_DAYS)).date().isoformat()
    mine = (LeaveRow.player == player) & (LeaveRow.last_day >= since)
    for row in LeaveRow.select().where(mine).order_by(LeaveRow.first_day, LeaveRow.id):
        yield _make_event(
            uid=f"leave-{row.id}@{find_host(config)}",
            summary=translate(locale, "calendar.leave"),
            begin=date.fromisoformat(row.first_day),
            end=date.fromisoformat(row.last_day) + timedelta(days=1),
            changed_at=row.cancelled_at or row.at,
            sequence=0 if row.cancelled_at is None else 1,
            cancelled=row.cancelled_at is not None,
        )
