"""Tournaments of a recurring document, each called NAME-DATE, at the same local time of day.

The days follow from the rule and the time zone of the document. They are counted from the first tournament created, so
that applying the document again finds the same ones.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from itertools import takewhile
from typing import Any
from zoneinfo import ZoneInfo

from service.i18n.catalogue import Message
from service.tournaments.documents.document import RepeatRule, TournamentDocument, load_document
from service.tournaments.documents.document_checks import MOST_REPEATS
from service.tournaments.documents.document_reading import describe_strange_hour
from service.tournaments.documents.document_values import expand_rule, read_moment, read_rule, write_moment

DATED_NAME = re.compile(r"(.+)-([0-9]{4}-[0-9]{2}-[0-9]{2})")


@dataclass(frozen=True)
class Occurrence:
    """One tournament of a recurring document: its own document and its start."""

    document: TournamentDocument
    starts_at: int
    note: Message | None
    """The exact moment, if the time zone skips that hour or has it twice."""

    @property
    def name(self) -> str:
        """Return NAME-DATE."""
        return self.document.name


def find_first_day(name: str, others: Iterable[str]) -> date | None:
    """Return the day of the first tournament of a recurring document, by the names of existing tournaments."""
    matches = [DATED_NAME.fullmatch(other) for other in others]
    return min((date.fromisoformat(match[2]) for match in matches if match and match[1] == name), default=None)


def strip_day(name: str) -> str:
    """Return the name of a recurrence for the name of one of its tournaments, and any other name unchanged."""
    dated = DATED_NAME.fullmatch(name)
    return dated[1] if dated else name


def list_occurrences(document: TournamentDocument, first_day: date | None, at: int) -> list[Occurrence]:
    """Return the future tournaments of a recurring document, at most 60, counted from the first day or from now."""
    repeat = document.repeat
    if repeat is None:
        return []
    hour = next(plan.start.hour for plan in document.stages if plan.start.hour)
    occurrences: list[Occurrence] = []
    for day in _list_days(repeat, hour, first_day, at, document.zone):
        text = f"{day.isoformat()}T{hour}"
        moment = read_moment(text, document.zone)
        if moment.at <= at:
            continue
        if moment.at > repeat.until or len(occurrences) == MOST_REPEATS:
            break
        note = describe_strange_hour(text, document.zone, moment)
        occurrences.append(Occurrence(_make_document(document, repeat, day, moment.at), moment.at, note))
    return occurrences


def _list_days(repeat: RepeatRule, hour: str, first_day: date | None, at: int, zone: str) -> Iterator[date]:
    """Return the days of the rule up to its end and to the end of the recurrence, in the zone of the document."""
    today = datetime.fromtimestamp(at / 1000, ZoneInfo(zone))
    begin = datetime.combine(first_day or today.date(), time.fromisoformat(hour))
    if first_day is None and begin <= today.replace(tzinfo=None):
        begin += timedelta(days=1)
    end = datetime.fromtimestamp(repeat.until / 1000, ZoneInfo(zone)).date()
    until = read_rule(repeat.rule).get("UNTIL")
    last = end if until is None else min(end, date.fromisoformat(until[:8]))
    return takewhile(lambda day: day <= last, (moment.date() for moment in expand_rule(repeat.rule, begin)))


def _make_document(document: TournamentDocument, repeat: RepeatRule, day: date, starts_at: int) -> TournamentDocument:
    """Return the document of one tournament: with fixed times, and without the recurrence."""
    canonical: dict[str, Any] = {key: value for key, value in document.canonical.items() if key != "repeat"}
    canonical["tournament"] = f"{document.name}-{day.isoformat()}"
    canonical["title"] = {locale: f"{title} ({day.isoformat()})" for locale, title in document.title.items()}
    canonical["entry"] = {**canonical["entry"], "opens": write_moment(starts_at - repeat.opens_before)}
    canonical["stages"] = [_fix_start(stage, starts_at) for stage in canonical["stages"]]
    return load_document(canonical)


def _fix_start(stage: Mapping[str, Any], starts_at: int) -> dict[str, Any]:
    start = stage["start"]
    first = start.get("first")
    if not first or "-" in first:
        return dict(stage)
    return {**stage, "start": {**start, "first": write_moment(starts_at)}}
