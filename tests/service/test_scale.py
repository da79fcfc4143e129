"""20,000 finished and 2,000 running matches: lists, turns, sweeps and scrapes find what they need by an index."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest
from click.testing import CliRunner

from cli import main
from service.config import Config
from service.db.connection import close_connection, db, is_postgres
from service.jobs import alarms, heartbeat, retention
from service.mail.outgoing import letter_ledger, refusals
from service.matches import my_matches, search
from service.play import bounce_pauses, integrity, reminders, timeouts
from service.timestamps import DAY, now
from service.tournaments.ratings import rate_finished_matches, ratings, reliability
from service.web import metrics
from service.web.pages.players import find_visible_matches
from tests.support.bulk_matches import fill_with_matches
from tests.support.players import START, Clock
from tests.support.statements import Statement, record_statements
from worker import schedule, sweeper

LARGE = ("match", "seat", "job", "letter", "event", "entry", "header", "inbox", "delivery", "attempt")
"""Tables that grow with every match ever played: none of these may be read from end to end."""


def full_scans(statement: Statement) -> list[str]:
    """The large tables that a statement reads from end to end."""
    sql, values = statement
    if not sql.lstrip("( ").lower().startswith(("select", "delete", "update")):
        return []
    if is_postgres():
        ((plan,),) = db.execute_sql(f"explain (format json) {sql}", values).fetchall()
        text = json.dumps(plan)
        nodes = re.findall(r'"Node Type": "([^"]+)", [^{}]*?"Relation Name": "([^"]+)"', text)
        return [table for node, table in nodes if node == "Seq Scan" and table in LARGE]
    plans = [row[3] for row in db.execute_sql(f"explain query plan {sql}", values).fetchall()]
    aliases = dict(re.findall(r'(?:from|join) "?(\w+)"? (?:as )?"?(\w+)"?', sql.lower()))
    names = {alias: table for table, alias in aliases.items()}
    scans = [found[1] for plan in plans if (found := re.match(r"SCAN (\w+)(?! USING)", plan)) and "USING" not in plan]
    return [name for name in scans if names.get(name, name) in LARGE]


WALKS: dict[str, Callable[[Config, str], object]] = {
    "public list": lambda _config, _me: search.search_matches(search.MatchFilter(), None, None, 51),
    "public list, next page": lambda _config, _me: search.search_matches(
        search.MatchFilter(status="running"), None, (START - DAY, "m5"), 51
    ),
    "own list": lambda _config, me: search.search_matches(search.MatchFilter(mine=True), me, None, 51),
    "turns": lambda _config, me: my_matches.list_turns(me),
    "turns, next page": lambda _config, me: my_matches.list_turns(me, 51, (START, "m5")),
    "matches of a player": lambda _config, me: (find_visible_matches("p1", me), find_visible_matches("p1", None)),
    "letters": lambda _config, _me: letter_ledger.list_newest("", "", 50),
    "deadlines": lambda _config, _me: timeouts.write_timeouts(),
    "pauses": lambda _config, _me: bounce_pauses.resume_clocks(now()),
    "reminders": lambda config, _me: reminders.queue_all(config),
    "starts": lambda config, _me: schedule.start_and_expire_matches(config),
    "due jobs": lambda _config, _me: sweeper.take_due_jobs(),
    "unresolved": lambda _config, _me: sweeper.UnresolvedMatches().take_due(),
    "scrape": lambda _config, _me: metrics.render_metrics(),
    "alarms": lambda _config, _me: (alarms.list_active(now()), refusals.are_many_failing(now())),
    "retention": lambda config, _me: retention.delete_old_rows(config),
    "ratings": lambda _config, me: (rate_finished_matches.count_next_matches(), ratings.list_ratings(me, now())),
    "reliability": lambda _config, me: reliability.find_reliability(me, now()),
    "doctor since": lambda _config, _me: integrity.matches_changed_since(now() - 60_000),
}


def test_finished_matches_cost_nothing(service: Config, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    me = fill_with_matches(service)
    heartbeat.beat(service)
    for sql in ("select count(*) from match where title = 'x'", "select 1 from seat s where s.nonce = 'x'"):
        assert full_scans((sql, ())), "a scan from end to end would not be found"
    wrong = {}
    for name, walk in WALKS.items():
        with record_statements() as statements:
            walk(service, me)
        assert statements, name
        for statement in statements:
            if scans := full_scans(statement):
                wrong[name] = (scans, statement[0])
    assert wrong == {}
    monkeypatch.setenv("ECHTRA_DATABASE_URL", service.database_url)
    monkeypatch.setenv("ECHTRA_DATA", str(service.data))
    heartbeat.beat(service)
    since = "2027-01-15T07:59:30"
    done = CliRunner().invoke(main, ["doctor", "--since", since])
    assert "Matches examined: 1;" in done.stdout, done.output
    close_connection()
    assert clock.at == START
