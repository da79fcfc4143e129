"""Rows of accounts: players, their tokens, keys, codes and leave."""

from __future__ import annotations

from peewee import BigIntegerField, BooleanField, CompositeKey, IntegerField, TextField

from service.db.connection import DatabaseRow
from service.db.secret_encryption import SecretField


class PlayerRow(DatabaseRow):
    """A person or program with an account."""

    id = TextField(primary_key=True)
    name = TextField()
    skeleton = TextField(default="")
    address = TextField(null=True)
    confirmed_at = BigIntegerField(null=True)
    language = TextField()
    zone = TextField()
    letters = TextField()
    digest_hour = IntegerField()
    quiet_weekends = BooleanField()
    owner = TextField(null=True)
    demo = BooleanField()
    bounced_at = BigIntegerField(null=True)
    bounces = IntegerField()
    created_at = BigIntegerField()
    deleted_at = BigIntegerField(null=True)
    auto = TextField(default="")
    """Attestation of the email that allowed automatic sole legal moves in all matches; empty if none did."""


class TokenRow(DatabaseRow):
    """An API token or browser session. Only its hash is stored."""

    id = TextField(primary_key=True)
    player = TextField()
    name = TextField()
    hash = TextField()
    scopes = TextField()
    created_at = BigIntegerField()
    used_at = BigIntegerField(null=True)
    revoked_at = BigIntegerField(null=True)
    expires_at = BigIntegerField(null=True)
    session = BooleanField(default=False)
    """True for a browser session, which is sent in a cookie and renewed by use."""


class SigningKeyRow(DatabaseRow):
    """A public Ed25519 key of a player."""

    player = TextField()
    id = TextField()
    x = TextField()
    label = TextField()
    created_at = BigIntegerField()
    revoked_at = BigIntegerField(null=True)
    seats = BooleanField(default=False)
    """True if it may play at seats that were taken before it was added."""
    token = TextField(null=True)
    """The token that gave this permission."""
    replaced_at = BigIntegerField(null=True)
    """The time at which that token got another key; since then this one gets no new seats."""
    claimed_at = BigIntegerField(null=True)
    """The time at which its player claimed it for matches with signed moves."""

    class Meta:
        primary_key = CompositeKey("player", "id")


class CodeRow(DatabaseRow):
    """A code or link sent to an address, for one use."""

    id = TextField(primary_key=True)
    purpose = TextField()
    player = TextField(null=True)
    address = TextField()
    hash = TextField()
    payload = TextField()
    tries = IntegerField()
    created_at = BigIntegerField()
    until = BigIntegerField()
    used_at = BigIntegerField(null=True)


class ServerKeyRow(DatabaseRow):
    """A signing key of the server. Old ones are kept."""

    id = TextField(primary_key=True)
    private = SecretField()
    x = TextField()
    since = BigIntegerField()
    until = BigIntegerField(null=True)


class SecretRow(DatabaseRow):
    """A secret of the service, created at its first use."""

    name = TextField(primary_key=True)
    value = SecretField()


class IdempotencyRow(DatabaseRow):
    """The stored response to a request with an idempotency key."""

    player = TextField()
    key = TextField()
    print = TextField()
    status = IntegerField()
    headers = TextField()
    body = TextField()
    at = BigIntegerField()

    class Meta:
        primary_key = CompositeKey("player", "key")


class ConsentRow(DatabaseRow):
    """Permission of a player: this organiser may seat them."""

    player = TextField()
    organiser = TextField()
    at = BigIntegerField()

    class Meta:
        primary_key = CompositeKey("player", "organiser")


class LeaveRow(DatabaseRow):
    """Days on which a player's clocks are stopped."""

    id = TextField(primary_key=True)
    player = TextField()
    first_day = TextField()
    last_day = TextField()
    at = BigIntegerField()
    cancelled_at = BigIntegerField(null=True)
