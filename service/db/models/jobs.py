"""Rows of work that is still to do, and of the workers that do it."""

from __future__ import annotations

from peewee import BigAutoField, BigIntegerField, IntegerField, TextField

from service.db.connection import DatabaseRow


class JobRow(DatabaseRow):
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


class HeartbeatRow(DatabaseRow):
    """When a worker was last alive."""

    worker = TextField(primary_key=True)
    at = BigIntegerField()
    started_at = BigIntegerField()

    class Meta:
        table_name = "heartbeat"
