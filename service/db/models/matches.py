"""Rows of matches, of their seats, and of everything else about them except the log.

Entries, submissions and snapshots have no models: `service/play` reads and writes them by SQL, which is faster.
"""

from __future__ import annotations

from peewee import BigAutoField, BigIntegerField, BooleanField, CompositeKey, IntegerField, TextField

from service.db.connection import DatabaseRow
from service.db.secret_encryption import SecretField


class MatchRow(DatabaseRow):
    """One play of a game, with caches of its head."""

    id = TextField(primary_key=True)
    game = TextField()
    revision = IntegerField()
    seats = IntegerField()
    options = TextField()
    moves = TextField()
    clock = TextField()
    policy = TextField()
    visibility = TextField()
    link = TextField(null=True)
    status = TextField()
    title = TextField()
    seed = SecretField()
    seed_hash = TextField()
    beacon = TextField()
    created_by = TextField()
    created_at = BigIntegerField()
    starts_at = BigIntegerField(null=True)
    expires_at = BigIntegerField()
    started_at = BigIntegerField(null=True)
    ended_at = BigIntegerField(null=True)
    rematch_of = TextField(null=True)
    arbiter = TextField(null=True)
    leave_allowed = BooleanField()
    rated = BooleanField(default=True)
    """True if its result may count for ratings. Set when the match is created, and never changed."""
    head_seq = IntegerField()
    head_hash = TextField()
    head_at = BigIntegerField()
    resolved_seq = IntegerField()
    outage_ms = BigIntegerField()
    outage_at = BigIntegerField(default=0)
    pairing = TextField(null=True)
    """The pairing of a tournament, which has the same id as the match; null for other matches."""


class SeatRow(DatabaseRow):
    """A seat of a match: its player, and caches of its question."""

    match = TextField()
    seat = IntegerField()
    player = TextField(null=True)
    bot = TextField(null=True)
    nonce = TextField()
    keys = TextField()
    joined_at = BigIntegerField(null=True)
    receipt = TextField(null=True)
    muted = BooleanField()
    letters = TextField(null=True)
    asked = IntegerField(null=True)
    asked_at = BigIntegerField(null=True)
    due_at = BigIntegerField(null=True)
    promised = BigIntegerField(null=True)
    bank = BigIntegerField()
    excuses = IntegerField()
    paused_at = BigIntegerField(null=True)
    bounce_used = BooleanField()
    reminded = TextField()
    told_seq = IntegerField()
    confirm = BooleanField()
    since = BigIntegerField(null=True)
    turns = IntegerField(default=0)
    auto = TextField(default="")
    """Attestation of the email that allowed automatic sole legal moves; `off`; or empty for the player's own setting.
    """

    class Meta:
        primary_key = CompositeKey("match", "seat")


class InvitationRow(DatabaseRow):
    """A seat offered to a player or an address."""

    id = TextField(primary_key=True)
    match = TextField()
    player = TextField(null=True)
    address = TextField(null=True)
    seat = IntegerField(null=True)
    by_player = TextField()
    at = BigIntegerField()
    answered_at = BigIntegerField(null=True)
    answer = TextField(null=True)


class HeaderRow(DatabaseRow):
    """The header of a log."""

    match = TextField(primary_key=True)
    hash = TextField()
    body = TextField()


class NoteRow(DatabaseRow):
    """A note to the players of a match, not part of the log."""

    id = BigAutoField()
    match = TextField()
    player = TextField(null=True)
    seat = IntegerField(null=True)
    seq = IntegerField()
    at = BigIntegerField()
    text = TextField()


class OfferRow(DatabaseRow):
    """An offer that needs the consent of all seats: to end now, or to cancel."""

    id = TextField(primary_key=True)
    match = TextField()
    kind = TextField()
    by_seat = IntegerField()
    at = BigIntegerField()
    agreed = TextField()
    status = TextField()
    closed_at = BigIntegerField(null=True)


class BranchRow(DatabaseRow):
    """A plan that a player keeps for a match: lines of several seats, never part of the log."""

    id = TextField(primary_key=True)
    match = TextField()
    seat = IntegerField()
    player = TextField()
    seq = IntegerField()
    """The head of the log when the plan was saved."""
    title = TextField()
    steps = TextField()
    at = BigIntegerField()
