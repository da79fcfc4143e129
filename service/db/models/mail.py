"""Rows of letters: sent, received, and the reply addresses between them."""

from __future__ import annotations

from peewee import BigIntegerField, BlobField, IntegerField, TextField

from service.db.connection import DatabaseRow


class LetterRow(DatabaseRow):
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


class DigestLetterRow(DatabaseRow):
    """News that waits for the next digest of its reader, or went out with one."""

    key = TextField(primary_key=True)
    """That of the job which would have written a letter of its own."""
    player = TextField()
    payload = TextField()
    at = BigIntegerField()
    told = BigIntegerField()
    """The hour of the digest that tells it; 0 while it waits."""

    class Meta:
        table_name = "digest_letter"


class ReplyAddressRow(DatabaseRow):
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


class InboxRow(DatabaseRow):
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
    print = TextField(null=True)
    read_at = BigIntegerField(null=True)

    class Meta:
        table_name = "inbox"
