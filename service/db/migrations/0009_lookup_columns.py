"""What was looked for inside JSON gets columns of its own: the address a job is about, the fingerprint of a letter."""

from __future__ import annotations

import json

from service.db.connection import db, execute, rows

BATCH_SIZE = 1_000


def up() -> None:
    """Add both columns and fill them from the JSON that is there."""
    db.execute_sql("alter table job add column address text")
    db.execute_sql("create index job_address on job (address) where address is not null")
    db.execute_sql("alter table inbox add column print text")
    _copy_member("job", "payload", "address", 0)
    _copy_member("inbox", "result", "print", "")


def _copy_member(table: str, source: str, member: str, before_first: int | str) -> None:
    """Copy a member of the JSON in one column into the column that has its name, row by row."""
    select = f"select id, {source} from {table} where id > ? order by id limit ?"
    update = f"update {table} set {member} = ? where id = ?"
    last = before_first
    while batch := rows(select, last, BATCH_SIZE):
        last = batch[-1][0]
        for id_, text in batch:
            value = json.loads(text).get(member) if f'"{member}"' in text else None
            if value:
                execute(update, value, id_)
