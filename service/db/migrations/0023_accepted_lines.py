"""The view `accepted` takes several entries at once: the last one carries the submission that made them all."""

from __future__ import annotations

from service.db.connection import db, is_postgres

ENTRY = "match, seq, seat, at, made_by, line, pledge, prev, hash, sealed, reveals, owner, shown, asked, n, key, signature, signed_text, orders, mail"
GOOD = (
    "new.holder is null or exists (select 1 from token t join player p on p.id = t.player "
    "where t.id = new.holder and t.revoked_at is null and p.deleted_at is null)"
)
MOVE_HEAD = """update match set head_seq = new.seq, head_hash = new.hash, head_at = new.at, status = new.standing,
  ended_at = new.ended_at where id = new.match and head_seq = new.seq - 1 and head_hash = new.prev"""
APPEND = f"insert into entry ({ENTRY}) values ({', '.join(f'new.{name}' for name in ENTRY.split(', '))})"
KEEP = """insert into submission (id, match, seat, player, channel, asked, prev, orders, at, body, made, total, status, why, receipt)
  select new.id, new.match, new.seat, new.player, new.channel, new.answered, new.question, new.waits, new.at, new.body, new.made,
  new.total, new.status, new.why, new.receipt where new.id is not null"""
SQLITE = (
    "drop trigger accepted_append",
    f"create trigger accepted_append instead of insert on accepted begin "
    f"select raise(abort, 'the token is not good') where not ({GOOD}); {MOVE_HEAD}; "
    f"select raise(abort, 'the head has moved') where changes() = 0; {APPEND}; {KEEP}; end",
)
POSTGRES = (
    "create or replace function accepted_append() returns trigger language plpgsql as $$ begin "
    f"if not ({GOOD}) then "
    "raise exception 'the token is not good' using errcode = 'integrity_constraint_violation'; end if; "
    f"{MOVE_HEAD}; "
    "if not found then raise exception 'the head has moved' using errcode = 'integrity_constraint_violation'; end if; "
    f"{APPEND}; if new.id is not null then {KEEP}; end if; return new; end $$",
)


def up() -> None:
    """Make anew what an insert into the view does."""
    for statement in POSTGRES if is_postgres() else SQLITE:
        db.execute_sql(statement)
