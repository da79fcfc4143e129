"""Rows of webhooks. Events and deliveries have no models: they are read and written by SQL, which is faster."""

from __future__ import annotations

from peewee import BigIntegerField, IntegerField, TextField

from service.db.connection import DatabaseRow
from service.db.secret_encryption import SecretField


class HookRow(DatabaseRow):
    """A webhook: a URL that events are sent to."""

    id = TextField(primary_key=True)
    player = TextField()
    match = TextField(null=True)
    url = TextField()
    events = TextField()
    include = TextField()
    secret = SecretField()
    old_secret = SecretField()
    old_until = BigIntegerField(null=True)
    private = SecretField()
    created_at = BigIntegerField()
    failing_since = BigIntegerField(null=True)
    disabled_at = BigIntegerField(null=True)
    why = TextField()
    deleted_at = BigIntegerField(null=True)
    lease_until = BigIntegerField(default=0)
    lease_token = TextField(default="")
    last_ms = IntegerField(default=0)
