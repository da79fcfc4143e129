"""The view `accepted` takes the token of who sends, so that whether it is good is asked by the statement that writes."""

from __future__ import annotations

from importlib import import_module

from service.db.connection import db, is_postgres

GOOD = (
    "new.holder is null or exists (select 1 from token t join player p on p.id = t.player "
    "where t.id = new.holder and t.revoked_at is null and p.deleted_at is null)"
)


def up() -> None:
    """Make the view and what an insert into it does anew."""
    first = import_module("service.db.migrations.0003_accepted")
    db.execute_sql("drop view accepted")
    db.execute_sql(first.VIEW.replace("m.ended_at\n", "m.ended_at, cast(null as text) as holder\n"))
    if is_postgres():
        refused = "raise exception 'the token is not good' using errcode = 'integrity_constraint_violation'"
        create, trigger = first._postgres()  # noqa: SLF001  # as it was
        before, _, after = create.partition(" begin ")
        checked = f"{before} begin if not ({GOOD}) then {refused}; end if; {after}"
        db.execute_sql(checked.replace("create function", "create or replace function"))
        db.execute_sql(trigger)
    else:
        (trigger,) = first._sqlite()  # noqa: SLF001  # as it was
        before, _, after = trigger.partition(" begin ")
        db.execute_sql(f"{before} begin select raise(abort, 'the token is not good') where not ({GOOD}); {after}")
