"""The time zones people choose from, by region."""

from __future__ import annotations

from functools import cache
from zoneinfo import available_timezones

REGIONS = ("Africa", "America", "Antarctica", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific")
NO_REGION = "UTC"


@cache
def names() -> frozenset[str]:
    """Return every time zone that can be chosen."""
    return frozenset(each for each in available_timezones() if each.partition("/")[0] in REGIONS) | {NO_REGION}


@cache
def by_region() -> tuple[tuple[str, tuple[tuple[str, str], ...]], ...]:
    """Return regions with their zones: the IANA name and the name that people read."""
    return tuple(
        (region, tuple((zone, _readable_name(zone)) for zone in sorted(names()) if zone.startswith(f"{region}/")))
        for region in REGIONS
    )


def _readable_name(zone: str) -> str:
    return zone.partition("/")[2].replace("_", " ").replace("/", ", ")
