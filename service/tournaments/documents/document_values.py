"""Parse the small texts of a document: times, durations, places and recurrence rules."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from dateutil.rrule import rrule, rrulestr

from service.timestamps import DAY, HOUR

TIME_PATTERN = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]{1,3})?)?(Z|[+-][0-9]{2}:[0-9]{2})?$"
DATE_PATTERN = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"
HOUR_PATTERN = r"^([01][0-9]|2[0-3]):[0-5][0-9]$"
LENGTH_PATTERN = r"^(0|[1-9][0-9]{0,3})[hdw]$"
DECIMAL_PATTERN = r"^(0|[1-9][0-9]{0,6})(\.[0-9]{1,4})?$"
PLACES_PATTERN = r"^[1-9][0-9]{0,4}(-[1-9][0-9]{0,4})?$"
_UNITS = {"h": HOUR, "d": DAY, "w": 7 * DAY}
RULE_FREQUENCIES = ("DAILY", "WEEKLY", "MONTHLY", "YEARLY")
RULE_DAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
_LONGEST_MONTHS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


class BadValue(ValueError):
    """A malformed text. `name` is the key of the message that explains it."""

    def __init__(self, name: str, **values: object) -> None:
        super().__init__(name)
        self.name = name
        self.values = values


@dataclass(frozen=True, slots=True)
class Moment:
    """A time in ms. `strange` is set if the time zone skips that hour or has it twice."""

    at: int
    strange: str = ""
    """`skipped`, `doubled` or empty."""


def read_moment(text: str, zone: str) -> Moment:
    """Parse a time with its own offset or in this zone. Raise `BadValue` if no calendar has it.

    An hour that the zone skips is read with the offset before the change, one that occurs twice as the first.
    """
    if re.fullmatch(TIME_PATTERN, text) is None:
        raise BadValue("not_time")
    try:
        early = datetime.fromisoformat(text)
        if early.tzinfo is not None:
            return Moment(in_ms(early))
        early = early.replace(tzinfo=ZoneInfo(zone))
        at, late = in_ms(early), in_ms(early.replace(fold=1))
        back = datetime.fromtimestamp(at / 1000, early.tzinfo)
    except (ValueError, OverflowError):
        raise BadValue("no_such_time") from None
    if back.replace(tzinfo=None, fold=0) != early.replace(tzinfo=None):
        return Moment(at, "skipped")
    return Moment(at, "doubled" if at != late else "")


def read_utc(text: str) -> int:
    """Parse a time of a canonical document, in ms."""
    return read_moment(text, "UTC").at


def in_ms(when: datetime) -> int:
    """Return a moment in ms since 1970."""
    # Convert to UTC first: a time at the edge of the calendar may be outside it there.
    return (when.astimezone(UTC) - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(milliseconds=1)


def write_moment(at: int) -> str:
    """Return a time in the form of canonical documents: RFC 3339 in UTC."""
    when = datetime.fromtimestamp(at / 1000, UTC)
    return when.isoformat(timespec="milliseconds" if at % 1000 else "seconds").replace("+00:00", "Z")


def read_length(text: str) -> int:
    """Parse a duration such as `12h`, `3d` or `5w`, in ms."""
    if re.match(LENGTH_PATTERN, text) is None:
        raise BadValue("not_length")
    return int(text[:-1]) * _UNITS[text[-1]]


def read_places(text: str) -> tuple[int, int]:
    """Return the first and last place of `3` or `1-16`."""
    if re.match(PLACES_PATTERN, text) is None:
        raise BadValue("not_places")
    first, _, last = text.partition("-")
    if int(last or first) < int(first):
        raise BadValue("places_backwards", right=f"{last}-{first}")
    return int(first), int(last or first)


def read_rule(text: str) -> dict[str, str]:
    """Parse a recurrence rule, a subset of RFC 5545 such as `FREQ=WEEKLY;BYDAY=FR`, into its parts."""
    parts: dict[str, str] = {}
    for part in text.split(";"):
        name, equals, value = part.partition("=")
        if not equals or name not in _RULE_PARTS:
            raise BadValue("rule_word", word=part[:40], known=", ".join(_RULE_PARTS))
        if name in parts:
            raise BadValue("rule_twice", word=name)
        if re.fullmatch(_RULE_PARTS[name], value) is None:
            raise BadValue("rule_word", word=part[:40], known=_RULE_EXAMPLES[name])
        parts[name] = value
    if "FREQ" not in parts:
        raise BadValue("rule_word", word=text[:40], known=_RULE_EXAMPLES["FREQ"])
    months = [int(month) for month in parts.get("BYMONTH", "1,2,3,4,5,6,7,8,9,10,11,12").split(",")]
    for day in parts.get("BYMONTHDAY", "1").split(","):
        if abs(int(day)) > max(_LONGEST_MONTHS[month - 1] for month in months):
            raise BadValue("rule_never", day=day)
    return parts


def expand_rule(rule: str, start: datetime) -> rrule:
    """Return the moments of a recurrence rule from `start` on. Callers apply UNTIL, which is a date in the zone."""
    parts = read_rule(rule)
    parts.pop("UNTIL", None)
    return rrulestr(";".join(f"{name}={value}" for name, value in parts.items()), dtstart=start)


_RULE_PARTS = {
    "FREQ": "|".join(RULE_FREQUENCIES),
    "INTERVAL": r"[1-9][0-9]?",
    "BYDAY": r"(?:[+-]?[1-5])?(?:{0})(?:,(?:[+-]?[1-5])?(?:{0}))*".format("|".join(RULE_DAYS)),
    "BYMONTHDAY": r"-?(?:[1-9]|[12][0-9]|3[01])(?:,-?(?:[1-9]|[12][0-9]|3[01]))*",
    "BYMONTH": r"(?:[1-9]|1[0-2])(?:,(?:[1-9]|1[0-2]))*",
    "COUNT": r"[1-9]|[1-5][0-9]|60",
    "UNTIL": r"[0-9]{8}(?:T[0-9]{6}Z)?",
}
_RULE_EXAMPLES = {
    "FREQ": f"FREQ={'|'.join(RULE_FREQUENCIES)}",
    "INTERVAL": "INTERVAL=1..99",
    "BYDAY": "BYDAY=MO,FR",
    "BYMONTHDAY": "BYMONTHDAY=1,15",
    "BYMONTH": "BYMONTH=1,7",
    "COUNT": "COUNT=1..60",
    "UNTIL": "UNTIL=20270331",
}
