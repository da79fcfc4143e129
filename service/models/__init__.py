"""The rows of the database, as peewee models over the tables of `service/migrations`."""

from service.models.accounts import Code, Idempotency, Leave, Player, Secret, ServerKeyRow, SigningKey, Token, Unasked
from service.models.ledgers import Attempt, Delivery, Event, Heartbeat, Hook, Inbox, Job, Letter, Reply
from service.models.matches import Entry, Header, Invitation, League, Match, Note, Offer, SeatRow, Snapshot, Submission

__all__ = [
    "Attempt",
    "Code",
    "Delivery",
    "Entry",
    "Event",
    "Header",
    "Heartbeat",
    "Hook",
    "Idempotency",
    "Inbox",
    "Invitation",
    "Job",
    "League",
    "Leave",
    "Letter",
    "Match",
    "Note",
    "Offer",
    "Player",
    "Reply",
    "SeatRow",
    "Secret",
    "ServerKeyRow",
    "SigningKey",
    "Snapshot",
    "Submission",
    "Token",
    "Unasked",
]
