"""Rounds during leave: shown when leave is booked, and when a player with booked leave enters."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from engine.words import Locale
from service import shapes
from service.accounts import vacation
from service.db.models.tournaments import EntrantRow, RoundRow, TournamentRow
from service.i18n import dates
from service.i18n.catalogue import translate
from service.timestamps import now
from service.tournaments.formats.tournament_state import PRESENT
from service.tournaments.rounds.round_times import find_rounds, list_starts
from service.tournaments.tournament_caches import ENDED, OVER, document_of
from service.tournaments.views import overview

Span = tuple[date, date]


class RoundClash(shapes.Shape):
    """A round of a tournament that begins or runs while somebody is on leave."""

    component = "LeaveClash"

    tournament: str = shapes.ident("The tournament.", shapes.TOURNAMENT_ID)
    name: str = shapes.text("Its name.", "winter-cup")
    title: str = shapes.text("Its title.", "Winter cup")
    stage: str = shapes.text("The stage.", "swiss")
    round: int = shapes.number("The number of the round.", 2)
    starts_at: int | None = shapes.timestamp("When it begins or began.")
    ends_at: int | None = shapes.timestamp("When it ends at the latest; null: not known.")
    leave_counts: bool = shapes.flag("Whether the clocks of its matches rest on leave.")
    bye: bool = shapes.flag("Whether you may ask for a bye in it, until it is paired.", True)


def find_clashes(
    player: str, zone: str, spans: Sequence[Span], locale: Locale, tournament: str | None = None
) -> list[RoundClash]:
    """Return the rounds of a player's tournaments, or of one, during these days of leave, earliest first."""
    mine = EntrantRow.select(EntrantRow.tournament).where(
        (EntrantRow.player == player) & EntrantRow.status.in_(PRESENT)
    )
    wanted = TournamentRow.id.in_(mine) & TournamentRow.state.not_in(ENDED)
    query = TournamentRow.select().where(wanted if tournament is None else wanted & (TournamentRow.id == tournament))
    times = [_bounds(span, zone) for span in spans]
    rows = list(query)
    rounds = find_rounds(rows)
    clashes = [clash for row in rows for clash in _clashes_of(row, rounds[row.id], times, locale)]
    return sorted(clashes, key=lambda clash: (clash.starts_at or 0, clash.tournament, clash.stage, clash.round))


def find_booked_clashes(player: str, zone: str, tournament: str, locale: Locale) -> list[RoundClash]:
    """Return the rounds of a tournament during leave that a player has booked."""
    spans = [
        (date.fromisoformat(row.first_day), date.fromisoformat(row.last_day)) for row in vacation.upcoming(player, zone)
    ]
    return find_clashes(player, zone, spans, locale, tournament) if spans else []


def _bounds(span: Span, zone: str) -> tuple[int, int]:
    """Return the first moment of leave and the first moment after it."""
    first, last = span
    begin, end = (
        datetime.combine(day, time(), ZoneInfo(zone)).timestamp() for day in (first, last + timedelta(days=1))
    )
    return round(begin * 1000), round(end * 1000)


def _clashes_of(
    row: TournamentRow, known: list[RoundRow], times: Sequence[tuple[int, int]], locale: Locale
) -> list[RoundClash]:
    document = document_of(row)
    plans = {plan.name: plan for plan in document.stages}
    first = document.stages[0]
    start = first.start.first if not first.start.at else first.start.at[0]
    if not any(each.stage == first.name for each in known):
        # The cache has no rounds of a round robin before its draw, but the document fixes the first start.
        known.append(RoundRow(tournament=row.id, stage=first.name, number=1, state="planned", starts_at=start))
    starts = list_starts(row, known, now())
    open_rounds = [(each, starts[each.stage, each.number]) for each in known if each.state != OVER]
    return [
        RoundClash(
            tournament=row.id,
            name=row.name,
            title=overview.title_of(row, locale),
            stage=each.stage,
            round=each.number,
            starts_at=start,
            ends_at=each.ends_at,
            leave_counts=document.counts_leave,
            bye=each.state == "planned" and plans[each.stage].allows_bye(each.number),
        )
        for each, start in open_rounds
        if any(_meets(each, start, begin, end) for begin, end in times)
    ]


def _meets(each: RoundRow, starts_at: int | None, begin: int, end: int) -> bool:
    """Return True if a round starts or runs in this time."""
    if each.started_at is not None:
        return each.started_at < end and (each.ends_at is None or each.ends_at > begin)
    return starts_at is not None and begin <= starts_at < end


def describe_clash(clash: RoundClash, zone: str, locale: Locale) -> str:
    """Describe a round during leave: when it is, whether clocks stop, whether a bye is possible."""
    moment = "-" if clash.starts_at is None else dates.format_moment(clash.starts_at, zone, locale)
    values = {"title": clash.title, "stage": clash.stage, "round": clash.round, "moment": moment}
    words = [
        translate(locale, "leave_clash.round", **values),
        translate(locale, "leave_clash.counts" if clash.leave_counts else "leave_clash.counts_not"),
    ]
    if clash.bye:
        words.append(translate(locale, "leave_clash.bye", name=clash.name, round=f"{clash.stage}:{clash.round}"))
    return " ".join(words)
