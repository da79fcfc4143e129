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
    """What is attested of the letter that wished for sole lines to be made at every table, or nothing."""

    class Meta:
        table_name = "player"


class TokenRow(DatabaseRow):
    """What a client shows to say who asks; only its hash is kept."""

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
    """Whether it is the session of a browser, which counts in a cookie and lasts as long as it is used."""

    class Meta:
        table_name = "token"


class SigningKeyRow(DatabaseRow):
    """A public Ed25519 key of a player."""

    player = TextField()
    id = TextField()
    x = TextField()
    label = TextField()
    created_at = BigIntegerField()
    revoked_at = BigIntegerField(null=True)
    seats = BooleanField(default=False)
    """Whether it may play at seats that were taken without it."""
    token = TextField(null=True)
    """The token that let it do so."""
    replaced_at = BigIntegerField(null=True)
    """Since when that token has another key, so that this one gets no more seats."""
    claimed_at = BigIntegerField(null=True)
    """Since when it waits to be let play where moves are signed."""

    class Meta:
        table_name = "signing_key"
        primary_key = CompositeKey("player", "id")


class CodeRow(DatabaseRow):
    """A code or link sent to an address, to be given back once."""

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

    class Meta:
        table_name = "code"


class ServerKeyRow(DatabaseRow):
    """A key the server signs with; old ones stay."""

    id = TextField(primary_key=True)
    private = SecretField()
    x = TextField()
    since = BigIntegerField()
    until = BigIntegerField(null=True)

    class Meta:
        table_name = "server_key"


class SecretRow(DatabaseRow):
    """A secret of the service, made at its first start."""

    name = TextField(primary_key=True)
    value = SecretField()

    class Meta:
        table_name = "secret"


class IdempotencyRow(DatabaseRow):
    """The stored answer to a creation."""

    player = TextField()
    key = TextField()
    print = TextField()
    status = IntegerField()
    headers = TextField()
    body = TextField()
    at = BigIntegerField()

    class Meta:
        table_name = "idempotency"
        primary_key = CompositeKey("player", "key")


class ConsentRow(DatabaseRow):
    """Whom a player lets seat them."""

    player = TextField()
    organiser = TextField()
    at = BigIntegerField()

    class Meta:
        table_name = "consent"
        primary_key = CompositeKey("player", "organiser")


class LeaveRow(DatabaseRow):
    """Days on which a player's clocks rest."""

    id = TextField(primary_key=True)
    player = TextField()
    first_day = TextField()
    last_day = TextField()
    at = BigIntegerField()
    cancelled_at = BigIntegerField(null=True)

    class Meta:
        table_name = "leave"
