"""A second reader of calendars, made from RFC 5545 alone: it unfolds lines and returns each event as a dictionary."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime

CONTENT = re.compile(r"([A-Za-z0-9-]+)((?:;[A-Za-z0-9-]+=(?:\"[^\"]*\"|[^;:\"]*))*):(.*)", re.DOTALL)
LONGEST_LINE = 75
"""Maximum number of octets in a line, without its break."""


def read_events(body: bytes) -> list[dict[str, str]]:
    """Return the events of a calendar, each value by its name. Refuse anything that the RFC does not allow."""
    assert body.endswith(b"\r\n")
    assert b"\n" not in body.replace(b"\r\n", b"")
    raw = body.split(b"\r\n")
    assert all(len(line) <= LONGEST_LINE for line in raw)
    lines = b"\r\n".join(raw).replace(b"\r\n ", b"").decode().removesuffix("\r\n").split("\r\n")
    events: list[dict[str, str]] = []
    open_parts: list[str] = []
    for line in lines:
        found = CONTENT.fullmatch(line)
        assert found is not None, line
        name, value = found[1].upper(), found[3]
        if name == "BEGIN":
            open_parts.append(value)
            if value == "VEVENT":
                events.append({})
        elif name == "END":
            assert open_parts.pop() == value
        elif open_parts == ["VCALENDAR", "VEVENT"]:
            assert name not in events[-1], name
            events[-1][name] = re.sub(r"\\([\\;,])", r"\1", value).replace("\\n", "\n")
    assert not open_parts
    assert all({"UID", "DTSTAMP", "DTSTART"} <= set(event) for event in events)
    return events


def read_time(text: str) -> datetime | date:
    """Return a moment in UTC, or a day."""
    if len(text) == len("20270101"):
        return date.fromisoformat(text)
    return datetime.strptime(text, "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)
