"""Rows of events, of the webhooks that subscribe to them, and of their deliveries."""

from __future__ import annotations

from peewee import BigAutoField, BigIntegerField, IntegerField, TextField

from service.db.connection import DatabaseRow


class EventRow(DatabaseRow):
    """Something that happened, for streams and hooks."""

    id = BigAutoField()
    player = TextField(null=True)
    match = TextField(null=True)
    seat = IntegerField(null=True)
    seq = IntegerField()
    type = TextField()
    at = BigIntegerField()

    class Meta:
        table_name = "event"


class HookRow(DatabaseRow):
    """An address that wants to be told."""

    id = TextField(primary_key=True)
    player = TextField()
    match = TextField(null=True)
    league = TextField(null=True)
    url = TextField()
    events = TextField()
    include = TextField()
    secret = TextField()
    old_secret = TextField()
    old_until = BigIntegerField(null=True)
    private = TextField()
    created_at = BigIntegerField()
    failing_since = BigIntegerField(null=True)
    disabled_at = BigIntegerField(null=True)
    why = TextField()
    deleted_at = BigIntegerField(null=True)
    lease_until = BigIntegerField(default=0)
    lease_token = TextField(default="")
    last_ms = IntegerField(default=0)

    class Meta:
        table_name = "hook"


class DeliveryRow(DatabaseRow):
    """One event on its way to one hook."""

    id = TextField(primary_key=True)
    hook = TextField()
    event = BigIntegerField()
    match = TextField()
    type = TextField()
    seat = IntegerField(null=True)
    seq = IntegerField()
    at = BigIntegerField()
    attempts = IntegerField()
    due_at = BigIntegerField()
    status = TextField()
    code = IntegerField(null=True)
    answer = TextField()
    sent_at = BigIntegerField(null=True)

    class Meta:
        table_name = "delivery"


class AttemptRow(DatabaseRow):
    """One try of a delivery."""

    id = BigAutoField()
    delivery = TextField()
    at = BigIntegerField()
    code = IntegerField(null=True)
    answer = TextField()
    ms = IntegerField()

    class Meta:
        table_name = "attempt"
