"""Forgetting addresses: of those who leave, and of those who never said that the address is theirs."""

from __future__ import annotations

from service.db.connection import run, writing

DAY = 86_400_000
PATIENCE = 8 * DAY
"""A day longer than the link in the letter is good."""
OF_ONE = (
    ("update letter set address = '', subject = '', mime = null where address = ?", "{}"),
    ("update invitation set address = null where address = ?", "{}"),
    ("delete from code where address = ?", "{}"),
    ("update job set payload = '{}' where done_at is not null and payload like ?", '%"address":"{}"%'),
)
UNCONFIRMED = (
    "update letter set address = '', subject = '', mime = null "
    "where kind = 'confirm' and player is null and address <> '' and created_at < ?",
    "update job set payload = '{}' where substr(key, 1, 8) = 'confirm:' and payload <> '{}' and done_at < ?",
)


def forget(address: str) -> None:
    """Let no row hold this address any more, inside a transaction."""
    for statement, form in OF_ONE:
        run(statement, form.replace("{}", address))


def unconfirmed(at: int) -> None:
    """Let go of the addresses in letters that asked for a confirmation and are answered by now, or never will be."""
    with writing():
        for statement in UNCONFIRMED:
            run(statement, at - PATIENCE)
