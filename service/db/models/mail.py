"""Rows of emails: sent, received, and the reply addresses."""

from __future__ import annotations

from peewee import BigIntegerField, BlobField, IntegerField, TextField

from service.db.connection import DatabaseRow


class LetterRow(DatabaseRow):
    """An email to a player."""

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
    """Its bytes with hashes in place of pictures; null once they have been dropped."""
    digest = TextField()
    """SHA-256 of all its bytes. The hash is kept for good."""


class DigestLetterRow(DatabaseRow):
    """A message that waits for its reader's next digest, or was sent in one."""

    key = TextField(primary_key=True)
    """The key of the job that would have sent a separate email."""
    player = TextField()
    payload = TextField()
    at = BigIntegerField()
    told = BigIntegerField()
    """The hour of the digest that contained it; 0 while it waits."""


class ReplyAddressRow(DatabaseRow):
    """A reply address that is in use. Only its hash is stored."""

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


class InboxRow(DatabaseRow):
    """A received email."""

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
    print = TextField(null=True)
    read_at = BigIntegerField(null=True)
