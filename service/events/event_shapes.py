"""Events and their deliveries as JSON."""

from __future__ import annotations

from collections.abc import Sequence

from service import shapes

TYPES = {
    "match.started": "A match you sit at has started.",
    "turn.ready": "You are asked something new; `seq` is the question's `asked`.",
    "match.moved": "Something happened at your table, and you are not asked anything new.",
    "match.decided": "The house or the organiser has decided something; `seq` is the first entry that says so.",
    "match.over": "A match is over; its record is whole.",
    "match.cancelled": "A match will not take place.",
    "orders.dropped": "Lines of yours that waited cannot be made any more.",
    "seat.timeout": "The seat named here has missed its deadline; `seq` is the entry that says so.",
    "invitation.received": "You are invited to a match.",
    "note.written": "Somebody left a note at your table.",
    "offer.made": "Somebody offers to end or cancel a match.",
    "tournament.opened": "A tournament that you organise can be entered from now on.",
    "tournament.paired": "You are paired for a round of a tournament; `seq` is a line of its log.",
    "tournament.round-over": "A round of a tournament you play in or organise is over.",
    "tournament.ruled": "An organiser has decided something that concerns you; `seq` is the line that says so.",
    "tournament.over": "A tournament is over; its log is whole.",
}
"""The types of events, with their meaning for the player who gets them."""
EVENT_TYPES_TEXT = " ".join(f"`{name}`: {about}" for name, about in TYPES.items())
PING = "ping"
"""The type of a message that only tests a hook."""
DELIVERY_STATUSES = ("queued", "delivered", "expired")


class EventShown(shapes.Shape):
    """Something that happened to you."""

    id: int = shapes.number("Its number; numbers grow, with gaps.", 4711)
    type: str = shapes.choice(list(TYPES), f"What happened. {EVENT_TYPES_TEXT}", "turn.ready")
    match: str | None = shapes.ident("The match it happened at.", shapes.MATCH_ID)
    tournament: str | None = shapes.ident("The tournament it happened in.")
    seat: int | None = shapes.number("The seat it is about.", 1, most=99)
    seq: int = shapes.number("Where the log stood, or which entry it is about.", 41)
    at: int = shapes.timestamp("When it happened.")


class TryShown(shapes.Shape):
    """One try of a delivery."""

    at: int = shapes.timestamp("When.", "2026-11-16T09:31:00.000Z")
    code: int | None = shapes.number("The status; null for no answer.", 200, most=999)
    answer: str = shapes.text("The first 200 printable characters of an answer 2xx to 4xx, or why there is none.", "ok")
    ms: int = shapes.number("How long it took.", 41)


class DeliveryShown(shapes.Shape):
    """An event on its way to a hook."""

    id: str = shapes.ident("Its id: the `webhook-id` of every try.", "d3x7q9w2m4k8v6t5z2n8r4p7")
    type: str = shapes.choice([*TYPES, PING], "The type of the event, or `ping`.", "turn.ready")
    match: str | None = shapes.ident("The match.", shapes.MATCH_ID)
    seat: int | None = shapes.number("The seat.", 1, most=99)
    seq: int = shapes.number("The seq of the event.", 41)
    at: int = shapes.timestamp("When it happened.", "2026-11-16T09:30:59.000Z")
    status: str = shapes.choice(DELIVERY_STATUSES, "Where it stands.", "delivered")
    attempts: int = shapes.number("How often it was tried since it was queued.", 1)
    due_at: int | None = shapes.timestamp("When it is tried next, once those before it are through.")
    sent_at: int | None = shapes.timestamp("When it was tried last.")
    code: int | None = shapes.number("The status of the last try.", 200, most=999)
    answer: str = shapes.text("What the last try got.", "ok")
    tries: Sequence[TryShown] = shapes.items("Every try, oldest first.")
