"""A document that repeats: the tournaments it stands for, each NAME-DATE, at the same hour of the wall clock.

The days follow from the rule and the zone of the document. They are counted from the first tournament that was made of
it, so that applying the document again finds the same ones.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from dateutil.rrule import rrulestr

from service.i18n.catalogue import Message, msg
from service.tournaments.documents.document import RepeatRule, TournamentDocument, load_document
from service.tournaments.documents.document_checks import MOST_REPEATS
from service.tournaments.documents.document_values import read_moment, read_rule, write_moment

DATED_NAME = re.compile(r"(.+)-([0-9]{4}-[0-9]{2}-[0-9]{2})")


@dataclass(frozen=True)
class Occurrence:
    """One tournament of a document that repeats: its own document, when it starts, and what to know of that hour."""

    document: TournamentDocument
    starts_at: int
    note: Message | None
    """Which moment is meant, where the zone skips the hour or has it twice."""

    @property
    def name(self) -> str:
        """NAME-DATE."""
        return self.document.name


def find_first_day(name: str, others: Iterable[str]) -> date | None:
    """The day of the first tournament that was made of a document, from the names of tournaments."""
    found = [DATED_NAME.fullmatch(other) for other in others]
    return min((date.fromisoformat(each[2]) for each in found if each is not None and each[1] == name), default=None)


def list_occurrences(document: TournamentDocument, first_day: date | None, at: int) -> list[Occurrence]:
    """The tournaments to come of a document that repeats, at most 60; counted from the first day, else from now."""
    repeat = document.repeat
    if repeat is None:
        return []
    hour = next(plan.start.hour for plan in document.stages if plan.start.hour)
    found: list[Occurrence] = []
    for day in _list_days(repeat, hour, first_day, at, document.zone):
        text = f"{day.isoformat()}T{hour}"
        moment = read_moment(text, document.zone)
        if moment.at <= at:
            continue
        if moment.at > repeat.until or len(found) == MOST_REPEATS:
            break
        values = {"time": text, "zone": document.zone, "moment": write_moment(moment.at)}
        note = None
        if moment.strange == "skipped":
            note = msg("tournament_document.hour_skipped", **values)
        elif moment.strange:
            note = msg("tournament_document.hour_doubled", **values)
        found.append(Occurrence(_make_document(document, repeat, day, moment.at), moment.at, note))
    return found


def _list_days(repeat: RepeatRule, hour: str, first_day: date | None, at: int, zone: str) -> Iterator[date]:
    """The days of the rule, from the first on, whose wall clock has not passed the end of the rule."""
    today = datetime.fromtimestamp(at / 1000, ZoneInfo(zone))
    parts = read_rule(repeat.rule)
    until = parts.pop("UNTIL", None)
    begin = datetime.combine(first_day or today.date(), time.fromisoformat(hour))
    if first_day is None and begin <= today.replace(tzinfo=None):
        begin += timedelta(days=1)
    rule = rrulestr(";".join(f"{name}={value}" for name, value in parts.items()), dtstart=begin)
    last = None if until is None else date.fromisoformat(until[:8])
    end = datetime.fromtimestamp(repeat.until / 1000, ZoneInfo(zone)).date()
    for each in rule:
        day = each.date()
        if day > end or (last is not None and day > last):
            return
        yield day


def _make_document(document: TournamentDocument, repeat: RepeatRule, day: date, starts_at: int) -> TournamentDocument:
    """The document of one tournament: with fixed times, and without the repetition."""
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
