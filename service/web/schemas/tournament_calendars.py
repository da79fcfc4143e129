"""Bodies for calendars."""

from __future__ import annotations

from service import shapes

CALENDAR_TEXT = (
    "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Echtra//Calendar//EN\r\nBEGIN:VEVENT\r\n"
    "UID:round-t4k8w2n6q0vxp3z7-swiss-1@example.org\r\nSEQUENCE:0\r\nDTSTAMP:20261201T180000Z\r\n"
    "DTSTART:20270110T180000Z\r\nSUMMARY:Winter cup: round 1\r\nSTATUS:CONFIRMED\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
)


class CalendarAddressShown(shapes.Shape):
    """The address of your calendar."""

    url: str = shapes.text(
        "The secret address of your calendar.",
        "https://example.org/calendars/k3v9m2x7q4p8w6yak3v9m2x7q4p8w6ya.ics",
        most=500,
    )
