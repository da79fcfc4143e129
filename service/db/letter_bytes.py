"""The bytes of stored emails. Pictures are stored once by content, and dropped with the last email that shows them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from service.db.batches import batched, rows_for
from service.db.connection import execute, rows, skip_locked, write_transaction

BATCH_SIZE = 500
MOST_BATCHES = 500
"""Maximum number of batches in one run. The next run, an hour later, continues."""
# Updating locks a picture that another transaction may be about to delete.
INSERT_PICTURE = "insert into picture (hash, png) values (?, ?) on conflict (hash) do update set hash = excluded.hash"
INSERT_LINK = "insert into letter_picture (letter, picture) values (?, ?) on conflict do nothing"
SELECT_OLD = (
    "select id from letter where mime is not null and state not in ('queued', 'deferred') "
    "and coalesce(accepted_at, bounced_at, created_at) < ? limit ?"
)
DELETE_UNUSED = (
    "delete from picture where hash in ({holes}) "
    "and not exists (select 1 from letter_picture l where l.picture = picture.hash)"
)


def insert_pictures(letter: str, pictures: Mapping[str, bytes]) -> None:
    """Store the pictures of an email by their hashes. Call inside the transaction that stores the email."""
    for name, png in sorted(pictures.items()):
        execute(INSERT_PICTURE, name, png)
        execute(INSERT_LINK, letter, name)


def find_pictures(names: Sequence[str]) -> dict[str, bytes]:
    """Return stored pictures by their hashes."""
    return {name: bytes(png) for name, png in rows_for("select hash, png from picture where hash in ({holes})", names)}


def drop_bytes(letters: Collection[str]) -> None:
    """Drop the bytes of these emails, and the pictures that no other email shows. Call inside a transaction."""
    for part in batched(list(letters)):
        holes = ", ".join("?" * len(part))
        pictures = rows(f"select distinct picture from letter_picture where letter in ({holes})", *part)  # noqa: S608  # only holes
        execute(f"delete from letter_picture where letter in ({holes})", *part)  # noqa: S608  # only holes
        execute(f"update letter set mime = null where id in ({holes})", *part)  # noqa: S608  # only holes
        _drop_unused([name for (name,) in pictures])


def _drop_unused(names: Sequence[str]) -> None:
    """Delete those of these pictures that no email shows any more. A picture that is being stored again stays."""
    free = f"select hash from picture where hash in ({{holes}}){skip_locked()}"  # noqa: S608  # our own words
    for part in batched([name for (name,) in rows_for(free, names)]):
        execute(DELETE_UNUSED.format(holes=", ".join("?" * len(part))), *part)


def erase_letters(condition: str, *values: object) -> None:
    """Erase the bytes, subjects and addresses of the emails that meet this condition. The rows stay."""
    drop_bytes([id_ for (id_,) in rows(f"select id from letter where mime is not null and {condition}", *values)])  # noqa: S608  # our own words
    execute(f"update letter set address = '', subject = '' where {condition}", *values)  # noqa: S608  # our own words


def drop_bytes_before(at: int) -> int:
    """Drop the bytes of emails that a mail server accepted, or that bounced, before this time. Return how many."""
    total = 0
    for _ in range(MOST_BATCHES):
        with write_transaction():
            old = [id_ for (id_,) in rows(SELECT_OLD, at, BATCH_SIZE)]
            drop_bytes(old)
        total += len(old)
        if len(old) < BATCH_SIZE:
            break
    return total
