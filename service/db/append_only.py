"""Triggers that make the logs of matches and tournaments append-only.

Migrations create them, and every start compares them with the database's catalogue, without locking tables that play
needs.
"""

from __future__ import annotations

from dataclasses import dataclass

from service.db.connection import db, is_postgres, rows


@dataclass(frozen=True)
class ChainedLog:
    """The two tables of a kind of log: headers and entries. Each entry contains the hash of the previous one."""

    header: str
    entry: str
    key: str
    prev: str

    @property
    def chain_condition(self) -> str:
        """The SQL condition for a new entry: it follows the last entry, or the header if it is the first."""
        same = f"{self.key} = new.{self.key}"
        return (
            f"(new.seq = 1 and exists (select 1 from {self.header} h where h.{same} and h.hash = new.{self.prev}))\n"
            f"    or exists (select 1 from {self.entry} e where e.{same} and e.seq = new.seq - 1 "
            f"and e.hash = new.{self.prev})"
        )


LOGS = (
    ChainedLog("header", "entry", "match", "prev"),
    ChainedLog("tournament_header", "tournament_entry", "tournament", "prev_hash"),
)
TABLE_KEYS = {
    "header": ("match",),
    "entry": ("seq", "match"),
    "tournament_header": ("tournament",),
    "tournament_entry": ("seq", "tournament"),
    "tournament_document": ("tournament", "hash"),
}
"""The tables whose rows never change, with the columns of their keys."""


class LogNotProtected(RuntimeError):
    """The log is not protected against changes. The service must not run on such a database."""


@dataclass(frozen=True)
class PostgresTrigger:
    """A trigger as in PostgreSQL's catalogue."""

    table: str
    name: str
    event: str
    function: str
    kind: int
    """The bits of `pg_trigger.tgtype`: 1 each row, 2 before, 4 insert, 8 delete, 16 update, 32 truncate."""

    @property
    def statement(self) -> str:
        """The statement that creates or replaces the trigger. It does not block readers of the table."""
        each = "row" if self.kind & 1 else "statement"
        return (
            f"create or replace trigger {self.name} before {self.event} on {self.table} "
            f"for each {each} execute function {self.function}()"
        )


POSTGRES_FUNCTIONS = {
    "log_is_append_only": " begin raise exception 'the log is append-only' "
    "using errcode = 'integrity_constraint_violation'; end ",
    **{
        f"{log.entry}_is_chained": f" begin if not ({log.chain_condition}) then raise exception "
        "'not the next entry of this log' using errcode = 'integrity_constraint_violation'; end if; return new; end "
        for log in LOGS
    },
}
POSTGRES_TRIGGERS = (
    *(
        PostgresTrigger(table, f"{table}_no_change", "update or delete", "log_is_append_only", 27)
        for table in TABLE_KEYS
    ),
    *(PostgresTrigger(table, f"{table}_no_truncate", "truncate", "log_is_append_only", 34) for table in TABLE_KEYS),
    *(PostgresTrigger(log.entry, f"{log.entry}_chained", "insert", f"{log.entry}_is_chained", 7) for log in LOGS),
)
SELECT_TRIGGER = (
    "select t.tgtype, t.tgenabled, t.tgqual is null, p.prosrc from pg_trigger t join pg_proc p on p.oid = t.tgfoid "
    "where t.tgrelid = to_regclass(?) and t.tgname = ? and not t.tgisinternal"
)


def create_triggers() -> None:
    """Create the triggers that are missing or differ. Called after each migration."""
    if is_postgres():
        _create_postgres_triggers()
        return
    found = _sqlite_definitions()
    for name, statement in _sqlite_triggers().items():
        if found.get(name) != statement:
            db.execute_sql(f"drop trigger if exists {name}")
            db.execute_sql(statement)


def _create_postgres_triggers() -> None:
    for name, source in POSTGRES_FUNCTIONS.items():
        if not rows("select 1 from pg_proc where oid = to_regproc(?) and prosrc = ?", name, source):
            db.execute_sql(f"create or replace function {name}() returns trigger language plpgsql as $${source}$$")
    for trigger in POSTGRES_TRIGGERS:
        if not _is_trigger_good(trigger):
            db.execute_sql(trigger.statement)
            db.execute_sql(f"alter table {trigger.table} enable trigger {trigger.name}")


def _is_trigger_good(trigger: PostgresTrigger) -> bool:
    """Return True if PostgreSQL has this trigger, enabled, without a condition, and with our function."""
    source = POSTGRES_FUNCTIONS[trigger.function]
    return any(
        (kind, unconditional, body) == (trigger.kind, True, source) and enabled in ("O", "A", b"O", b"A")
        for kind, enabled, unconditional, body in rows(SELECT_TRIGGER, trigger.table, trigger.name)
    )


def _sqlite_triggers() -> dict[str, str]:
    """Return the statement that creates each trigger, by name."""
    statements = {}
    for table, key in TABLE_KEYS.items():
        for verb in ("update", "delete"):
            statements[f"{table}_no_{verb}"] = (
                f"create trigger {table}_no_{verb} before {verb} on {table} "
                "begin select raise(abort, 'the log is append-only'); end"
            )
        same = " and ".join(f"{column} = new.{column}" for column in key)
        statements[f"{table}_no_replace"] = (
            f"create trigger {table}_no_replace before insert on {table} "
            f"when exists (select 1 from {table} where {same}) "
            "begin select raise(abort, 'the log is append-only'); end"
        )
    for log in LOGS:
        statements[f"{log.entry}_chained"] = (
            f"create trigger {log.entry}_chained before insert on {log.entry} when not ({log.chain_condition}) "
            "begin select raise(abort, 'not the next entry of this log'); end"
        )
    return statements


def _sqlite_definitions() -> dict[str, str]:
    """Return the statement that created each trigger. SQLite keeps it verbatim, with its first words in capitals."""
    sql = f"select name, sql from sqlite_master where type = 'trigger' and tbl_name in ({_QUOTED_TABLES})"
    return {name: text.replace("CREATE TRIGGER", "create trigger", 1) for name, text in rows(sql)}


_QUOTED_TABLES = ", ".join(f"'{table}'" for table in TABLE_KEYS)


def check_triggers() -> None:
    """Raise `LogNotProtected` if the log could be changed. Reads the catalogue and locks no table."""
    if is_postgres():
        _check_postgres_triggers()
        return
    found = _sqlite_definitions()
    for name, statement in _sqlite_triggers().items():
        if found.get(name) != statement:
            raise _not_protected(name)


def _not_protected(what: str) -> LogNotProtected:
    return LogNotProtected(f"the log is not protected against changes ({what}); run `echtra migrate`")


def _check_postgres_triggers() -> None:
    ((role,),) = rows("select current_setting('session_replication_role')")
    if role == "replica":
        raise _not_protected("session_replication_role is replica")
    for trigger in POSTGRES_TRIGGERS:
        if not _is_trigger_good(trigger):
            raise _not_protected(trigger.name)
