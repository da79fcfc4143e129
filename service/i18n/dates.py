"""Times as emails show them: the time left and the deadline, in the reader's zone and language."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

from engine.words import Locale

MINUTE, HOUR, DAY = 60_000, 3_600_000, 86_400_000
NBSP = "\u00a0"
DAYS: dict[Locale, tuple[str, ...]] = {
    "en": ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"),
    "fr": ("lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche"),
}
MONTHS: dict[Locale, tuple[str, ...]] = {
    "en": tuple("January February March April May June July August September October November December".split()),
    "fr": tuple("janvier février mars avril mai juin juillet août septembre octobre novembre décembre".split()),
}
UNITS: dict[Locale, tuple[tuple[int, str, str], ...]] = {
    "en": ((DAY, "day", "days"), (HOUR, "hour", "hours"), (MINUTE, "minute", "minutes")),
    "fr": ((DAY, "jour", "jours"), (HOUR, "heure", "heures"), (MINUTE, "minute", "minutes")),
}
AND: dict[Locale, str] = {"en": " and ", "fr": " et "}
UNDER_A_MINUTE: dict[Locale, str] = {"en": "less than a minute", "fr": "moins d’une minute"}


def format_duration(ms: int, locale: Locale) -> str:
    """Return a duration in its largest unit and the one below."""
    counts: list[str] = []
    least = HOUR if ms >= DAY else MINUTE
    ms = (ms + least // 2) // least * least
    for size, one, many in UNITS[locale]:
        count, ms = divmod(max(0, ms), size)
        if counts and not count:
            break
        if count:
            counts.append(f"{count}{NBSP}{one if count == 1 else many}")
        if len(counts) > 1:
            break
    return AND[locale].join(counts) or UNDER_A_MINUTE[locale]


@lru_cache(maxsize=256)
def format_moment(ms: int, zone: str, locale: Locale) -> str:
    """Return a time in this zone: day, hour, name of the zone and offset from UTC."""
    local = datetime.fromtimestamp(ms / 1000, UTC).astimezone(ZoneInfo(zone))
    ahead = local.strftime("%z")
    distance = f"UTC{ahead[:3].replace('-', '−')}:{ahead[3:]}"
    # The names of zones that are only an offset have the opposite sign.
    place = "UTC" if zone == "UTC" else distance if zone.startswith("Etc/") else f"{zone}, {distance}"
    weekday = format_day(local, locale)
    hour = f"{local:%H:%M}" if locale == "en" else f"{local.hour}{NBSP}h{NBSP}{local:%M}"
    at = {"en": ", ", "fr": " à "}[locale]
    return f"{weekday}{at}{hour} ({place})"


def format_day(local: datetime, locale: Locale) -> str:
    """Return a day with its weekday."""
    number = "1er" if locale == "fr" and local.day == 1 else str(local.day)
    return f"{DAYS[locale][local.weekday()]} {number}{NBSP}{MONTHS[locale][local.month - 1]} {local.year}"


def next_hour(after: int, hour: int, zone: str) -> int:
    """Return the first time at or after `after` when it is `hour` o'clock in this zone."""
    local = datetime.fromtimestamp(after / 1000, UTC).astimezone(ZoneInfo(zone))
    then = local.replace(hour=hour, minute=0, second=0, microsecond=0)
    while int(then.timestamp() * 1000) < after:
        then += timedelta(days=1)
    return int(then.timestamp() * 1000)
