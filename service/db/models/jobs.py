"""Rows of what happened and what is still to do: jobs, events, letters, hooks."""

from __future__ import annotations

from peewee import BigAutoField, BigIntegerField, BlobField, IntegerField, TextField

from service.db.connection_row import Row


class Job(Row):
    """Something to be done, written with its cause."""

    id = BigAutoField()
    topic = TextField()
    key = TextField()
    payload = TextField()
    due_at = BigIntegerField()
    attempts = IntegerField()
    hint_until = BigIntegerField()
    lease_until = BigIntegerField()
    lease_token = TextField()
    done_at = BigIntegerField(null=True)
    dead_at = BigIntegerField(null=True)
    last_error = TextField()

    class Meta:
        table_name = "job"


class Heartbeat(Row):
    """When a worker was last alive."""

    worker = TextField(primary_key=True)
    at = BigIntegerField()
    started_at = BigIntegerField()

    class Meta:
        table_name = "heartbeat"


class Event(Row):
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


class Hook(Row):
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


class Delivery(Row):
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


class Attempt(Row):
    """One try of a delivery."""

    id = BigAutoField()
    delivery = TextField()
    at = BigIntegerField()
    code = IntegerField(null=True)
    answer = TextField()
    ms = IntegerField()

    class Meta:
        table_name = "attempt"


class Letter(Row):
    """A mail on its way to a player."""

    id = TextField(primary_key=True)
    player = TextField(null=True)
    address = TextField()
    kind = TextField()
    match = TextField(null=True)
    seat = IntegerField(null=True)
    seq = IntegerField()
    message_id = TextField()
    subject = TextField()
    return_path = TextField()
    state = TextField()
    created_at = BigIntegerField()
    accepted_at = BigIntegerField(null=True)
    answered_at = BigIntegerField(null=True)
    bounced_at = BigIntegerField(null=True)
    why = TextField()
    mime = BlobField(null=True)

    class Meta:
        table_name = "letter"


class Reply(Row):
    """A reply address we handed out; only its hash is kept."""

    hash = TextField(primary_key=True)
    match = TextField(null=True)
    seat = IntegerField(null=True)
    asked = IntegerField()
    player = TextField(null=True)
    kind = TextField()
    payload = TextField()
    letter = TextField(null=True)
    created_at = BigIntegerField()
    until = BigIntegerField()

    class Meta:
        table_name = "reply"


class Inbox(Row):
    """A mail we received."""

    id = TextField(primary_key=True)
    received = BigIntegerField()
    door = TextField()
    sender = TextField()
    recipient = TextField()
    mime = BlobField()
    digest = TextField()
    verdict = TextField()
    state = TextField()
    player = TextField(null=True)
    match = TextField(null=True)
    seat = IntegerField(null=True)
    result = TextField()
    read_at = BigIntegerField(null=True)

    class Meta:
        table_name = "inbox"
