"""Days of leave as people write them: `20 Dec to 3 Jan`, `du 20 décembre au 3 janvier`, `2027-03-01..2027-03-05`."""

from __future__ import annotations

import re
from datetime import date

from engine.words import plain

MONTHS = (
    ("jan", "january", "janvier", "janv"),
    ("feb", "february", "fevrier", "fev", "fevr"),
    ("mar", "march", "mars"),
    ("apr", "april", "avril", "avr"),
    ("may", "mai"),
    ("jun", "june", "juin"),
    ("jul", "july", "juillet", "juil"),
    ("aug", "august", "aout"),
    ("sep", "sept", "september", "septembre"),
    ("oct", "october", "octobre"),
    ("nov", "november", "novembre"),
    ("dec", "december", "decembre"),
)
MONTH_NUMBERS = {name: number for number, names in enumerate(MONTHS, 1) for name in names}
MONTH = "|".join(sorted(MONTH_NUMBERS, key=len, reverse=True))
ISO = re.compile(r"(\d{4})-(\d{2})-(\d{2})")
DAY_FIRST = re.compile(rf"(?:the |le )?(\d{{1,2}})(?:st|nd|rd|th|er)?(?: (?:of )?({MONTH}))?(?: (\d{{4}}))?")
MONTH_FIRST = re.compile(rf"({MONTH}) (?:the )?(\d{{1,2}})(?:st|nd|rd|th)?(?: (\d{{4}}))?")
BETWEEN = re.compile(r"(?:\.\.+|…|–|—|\bto\b|\buntil\b|\btill\b|\bthrough\b|\bau\b|\bjusqu['’]au\b|\bà\b|\ba\b)")
FROM = re.compile(r"^(?:from|du|de|le|on|the)\s+", re.IGNORECASE)


def parse_days(text: str, today: date) -> tuple[date, date] | None:
    """Return the first and the last day that a text names, or None. A day without a year is the next one to come."""
    parts = BETWEEN.split(FROM.sub("", text.strip().lower()), maxsplit=1)
    last = _parse_day(parts[-1], today, None)
    if last is None:
        return None
    if len(parts) == 1:
        return last, last
    first = _parse_day(parts[0], today, last.month)
    if first is None:
        return None
    if not _names_year(parts[1]):
        last = _next_day(last.month, last.day, first) or last
    return first, last


def _names_year(text: str) -> bool:
    return re.search(r"\d{4}", text) is not None


def _parse_day(text: str, today: date, month: int | None) -> date | None:
    """Return one day, None if the text is not a day. `month` is the default."""
    iso = ISO.fullmatch(text.strip())
    if iso is not None:
        return _make_date(int(iso[1]), int(iso[2]), int(iso[3]))
    said = plain(text)
    found = MONTH_FIRST.fullmatch(said)
    if found is not None:
        number, day, year = MONTH_NUMBERS[found[1]], int(found[2]), found[3]
    else:
        named = DAY_FIRST.fullmatch(said)
        if named is None or (named[2] is None and month is None):
            return None
        number, day, year = MONTH_NUMBERS[named[2]] if named[2] else month or 0, int(named[1]), named[3]
    return _make_date(int(year), number, day) if year else _next_day(number, day, today)


def _next_day(month: int, day: int, since: date) -> date | None:
    """Return the next such day that is not before another."""
    found = (_make_date(year, month, day) for year in range(since.year, since.year + 5))
    return next((each for each in found if each is not None and each >= since), None)


def _make_date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None
