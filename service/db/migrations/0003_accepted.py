"""The view `accepted`: one insert into it appends one entry, moves the head and keeps the submission, or does nothing."""

from __future__ import annotations

from service.db.connection import db, is_postgres

ENTRY = "match, seq, seat, at, made_by, line, pledge, prev, hash, sealed, reveals, owner, shown, asked, n, key, signature, signed_text, orders, mail"
VIEW = f"""create view accepted as select {", ".join(f"e.{name}" for name in ENTRY.split(", "))},
  s.id, s.player, s.channel, s.asked as answered, s.orders as waits, s.prev as question, s.body, s.made, s.total, s.status,
  s.why, s.receipt, m.status as standing, m.ended_at
  from match m join entry e on e.match = m.id and e.seq = m.head_seq join submission s on s.match = m.id and 1 = 0"""
MOVE_HEAD = """update match set head_seq = new.seq, head_hash = new.hash, head_at = new.at, status = new.standing,
  ended_at = new.ended_at where id = new.match and head_seq = new.seq - 1 and head_hash = new.prev"""
APPEND = f"insert into entry ({ENTRY}) values ({', '.join(f'new.{name}' for name in ENTRY.split(', '))})"
KEEP = """insert into submission (id, match, seat, player, channel, asked, prev, orders, at, body, made, total, status, why, receipt)
  values (new.id, new.match, new.seat, new.player, new.channel, new.answered, new.question, new.waits, new.at, new.body, new.made,
  new.total, new.status, new.why, new.receipt)"""


def up() -> None:
    """Make the view and what an insert into it does."""
    db.execute_sql(VIEW)
    for statement in _postgres() if is_postgres() else _sqlite():
        db.execute_sql(statement)


def _sqlite() -> list[str]:
    return [
        f"create trigger accepted_append instead of insert on accepted begin {MOVE_HEAD}; "
        f"select raise(abort, 'the head has moved') where changes() = 0; {APPEND}; {KEEP}; end"
    ]


def _postgres() -> list[str]:
    return [
        f"create function accepted_append() returns trigger language plpgsql as $$ begin {MOVE_HEAD}; "
        "if not found then raise exception 'the head has moved' using errcode = 'integrity_constraint_violation'; end if; "
        f"{APPEND}; {KEEP}; return new; end $$",
        "create trigger accepted_append instead of insert on accepted for each row execute function accepted_append()",
    ]
