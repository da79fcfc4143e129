"""The shape of the tree: who imports whom, what the engine may touch, how long a file is and what it is called."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest

from engine.games import GAMES

ROOT = Path(__file__).parents[1]
PACKAGES = ("engine", "service", "worker", "cli")
FILES = [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]
FORBIDDEN = set("asyncio io logging os pathlib random secrets socket subprocess threading time".split())
VAGUE = {"utils", "helpers", "common", "base", "manager", "util", "helper", "misc"}
MOST_ROWS = 600
ROOMS = (
    "engine",
    "service.i18n",
    "service.record",
    "service.drawing",
    "service",  # its own files: config, direct_requests, ids, look_alikes, problems, timestamps
    "service.db",
    "service.jobs",
    "service.events",
    "service.accounts",
    "service.play",
    "service.matches",
    "service.tournaments",
    "service.webhooks",
    "service.mail",
    "service.web",
    "worker",
    "cli",
)
"""Each room may import itself and those before it."""
BESIDES = (("worker", "service.web"), ("service.web.api", "service.web.pages"))
"""Who may not import whom though the order would allow it."""

RAW_SQL = {
    "the way of a move and of what follows it": (
        *(
            "play/match_log",
            "play/submission_batches",
            "play/submissions",
            "play/match_loader",
            "play/resolve",
            "play/seat_cache",
        ),
        *("play/seat_clock", "play/views", "play/story", "play/record_export", "play/seat_keys", "web/auth"),
        "web/long_poll",
    ),
    "events and webhooks, written and read with every move": (
        *("events/log", "events/deliveries", "events/dispatcher", "webhooks/sender", "webhooks/subscriptions"),
    ),
    "jobs, claimed and finished by one statement each": (
        "jobs/queue",
        "jobs/heartbeat",
        "jobs/alarms",
        "jobs/retention",
    ),
    "sweeps over all matches": ("play/timeouts", "play/reminders", "play/outages", "play/bounce_pauses"),
    "letters, of which a worker writes hundreds a second": (
        *("mail/letters/context", "mail/letters/sections", "mail/letters/turn", "mail/letters/missed_deadline"),
        *("mail/letters/match_over", "mail/letters/invitation", "mail/letters/command_answers"),
        *(
            "mail/outgoing/deliver",
            "mail/outgoing/letter_ledger",
            "mail/outgoing/build_message",
            "mail/outgoing/refusals",
        ),
        *("mail/outgoing/retry", "mail/reply_addresses"),
    ),
    "statements that count and insert, or change many rows, at once": (
        *("mail/incoming/inbox", "mail/incoming/bounce_reports", "mail/incoming/invitation_replies"),
        *("mail/incoming/lobby_commands", "mail/unsubscribe", "mail/dev_mailbox", "matches/erasure"),
        *("accounts/bounces", "accounts/cold_mail_quota", "accounts/digest_schedule", "matches/seat_results"),
        "tournaments/tournament_caches",
    ),
    "caches of what ended matches say, written and read for many players at once": (
        *(
            "tournaments/ratings/ratings",
            "tournaments/ratings/reliability",
            "tournaments/ratings/rate_finished_matches",
            "tournaments/views/answer_times",
        ),
        *("tournaments/rulings/fair_play", "tournaments/views/crosstable_pages"),
        *("accounts/bounces", "accounts/cold_mail_quota", "accounts/digest_schedule", "matches/paired_matches"),
    ),
    "figures, checks and repairs": (
        *("jobs/metrics", "play/integrity", "play/rebuild", "web/metrics", "web/api/health", "web/api/letters"),
    ),
}
"""Files of the service that write SQL by hand, and why; everywhere else the models do it."""


def named(path: Path) -> str:
    """The path as tests show it."""
    return str(path.relative_to(ROOT))


@cache
def tree_of(path: Path) -> ast.Module:
    """The syntax of a file, which most tests here ask for."""
    return ast.parse(path.read_text("utf-8"))


def imported(path: Path) -> Iterator[tuple[str, str]]:
    """Every import of a file: the module, and the name taken from it."""
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{named(path)}: imports are absolute"
            yield from ((node.module or "", alias.name) for alias in node.names)


def within(package: str) -> list[Path]:
    """The files of a package."""
    return [path for path in FILES if path.relative_to(ROOT).parts[0] == package]


def test_there_is_something_to_look_at() -> None:
    assert len(within("engine")) > 15


@pytest.mark.parametrize("path", within("engine"), ids=named)
def test_the_engine_imports_itself_and_the_pure_part_of_the_standard_library(path: Path) -> None:
    for module, name in imported(path):
        top = module.split(".")[0]
        assert top == "engine" or top in sys.stdlib_module_names, module
        if (named(path), module, name) != ("engine/chance.py", "random", "Random"):
            assert top not in FORBIDDEN, module


@pytest.mark.parametrize("path", within("engine"), ids=named)
def test_the_engine_calls_nothing_that_reads_writes_or_runs(path: Path) -> None:
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id not in {"open", "print", "input", "exec", "eval", "__import__"}, node.lineno
        assert not isinstance(node, ast.Global | ast.Nonlocal), node.lineno


@pytest.mark.parametrize("path", within("engine"), ids=named)
def test_the_core_names_no_game(path: Path) -> None:
    if "games" in path.relative_to(ROOT).parts:
        return
    assert not [module for module, _ in imported(path) if module.startswith("engine.games")]


@pytest.mark.parametrize("path", within("engine"), ids=named)
def test_a_game_imports_no_other_game(path: Path) -> None:
    parts = path.relative_to(ROOT).parts
    if parts[1] != "games" or len(parts) < 4:
        return
    for module, _ in imported(path):
        if module.startswith("engine.games"):
            assert module.split(".")[2:3] == [parts[2]], module


def room_of(module: str) -> str:
    """The room in which a module stands: the longest one that its name begins with."""
    return max((room for room in ROOMS if f"{module}.".startswith(f"{room}.")), key=len)


def module_of(path: Path) -> str:
    """The dotted name of a file."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def wrong_imports(importer: str, imports: Iterable[tuple[str, str]]) -> list[str]:
    """The imports of a module that point against the order of the rooms."""
    found = []
    for module, name in imports:
        if module.split(".")[0] not in PACKAGES:
            continue
        full = f"{module}.{name}" if (ROOT / module.replace(".", "/") / f"{name}.py").exists() else module
        after = ROOMS.index(room_of(full)) > ROOMS.index(room_of(importer))
        barred = any(f"{importer}.".startswith(f"{one}.") and f"{full}.".startswith(f"{two}.") for one, two in BESIDES)
        if after or barred:
            found.append(full)
    return found


@pytest.mark.parametrize("path", FILES, ids=named)
def test_imports_follow_the_order_of_the_rooms(path: Path) -> None:
    assert wrong_imports(module_of(path), imported(path)) == []


@pytest.mark.parametrize(
    ("importer", "module", "name"),
    [
        ("engine.game", "service.config", "Config"),
        ("service.record.match_state", "service.db", "connection"),
        ("service.play.accept", "service.mail.outgoing", "deliver"),
        ("service.ids", "service.db.connection", "rows"),
        ("service.web.api.moves", "service.web.pages", "layout"),
        ("service.web.app", "worker.tasks", "do_job"),
        ("worker.process", "service.web.app", "create_app"),
        ("worker.process", "cli", "main"),
    ],
)
def test_a_wrong_import_is_found(importer: str, module: str, name: str) -> None:
    assert wrong_imports(importer, [(module, name)])


def test_every_file_stands_in_a_room() -> None:
    inside = {part for room in ROOMS for part in room.split(".")}
    assert {
        path.relative_to(ROOT).parts[1] for path in within("service") if len(path.relative_to(ROOT).parts) > 2
    } <= inside
    own = {path.name for path in (ROOT / "service").glob("*.py")}
    named = ("config", "direct_requests", "ids", "look_alikes", "problems", "timestamps")
    assert own == {"__init__.py", *(f"{name}.py" for name in named)}


def test_a_class_name_stands_once_outside_the_engine() -> None:
    places: dict[str, list[str]] = {}
    for path in [path for path in FILES if path not in within("engine")]:
        for node in tree_of(path).body:
            if isinstance(node, ast.ClassDef):
                places.setdefault(node.name, []).append(named(path))
    assert {name: found for name, found in places.items() if len(found) > 1} == {}


def test_raw_sql_stands_in_named_files_only() -> None:
    """SQL is written by hand where speed or a statement over many rows asks for it; the database's own room may."""
    rooms = [path for path in within("service") if room_of(module_of(path)) != "service.db"]
    raw = {("service.db.connection", name) for name in ("rows", "execute", "execute_alone", "execute_each_alone")}
    found = {named(path) for path in rooms if raw & set(imported(path))}
    assert found == {f"service/{file}.py" for files in RAW_SQL.values() for file in files}


def test_only_the_database_knows_its_dialect() -> None:
    found = [named(path) for path in FILES if "is_postgres" in path.read_text("utf-8")]
    assert found
    assert [path for path in found if not path.startswith("service/db/")] == []


def test_only_the_log_tries_again_where_its_head_moved() -> None:
    """Whoever writes into a log calls `append_to_match`."""
    tries = re.compile(r"\bexcept\b.*\bHeadMoved\b|suppress\(.*\bHeadMoved\b")
    found = [named(path) for path in FILES if tries.search(path.read_text("utf-8"))]
    assert found == ["service/play/match_log.py"]


@pytest.mark.parametrize("path", [*within("service"), *within("worker"), *within("cli")], ids=named)
def test_service_and_worker_name_no_game(path: Path) -> None:
    names = {name for slug in GAMES for name in (slug, slug.replace("-", "_"))}
    assert not [module for module, _ in imported(path) if module.startswith("engine.games.")]
    tree = tree_of(path)
    told = docstrings(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in told:
            assert not names & set(re.findall(r"[a-z_-]+", node.value)), f"{node.lineno}: {node.value}"


def docstrings(tree: ast.Module) -> set[ast.AST]:
    """The nodes that only explain."""
    holders = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    firsts = [node.body[0] for node in ast.walk(tree) if isinstance(node, holders) and node.body]
    return {first.value for first in firsts if isinstance(first, ast.Expr)}


@pytest.mark.parametrize("path", FILES, ids=named)
def test_files_are_short_whole_and_named_for_one_thing(path: Path) -> None:
    text = path.read_text("utf-8")
    assert len(text.splitlines()) <= MOST_ROWS
    assert not VAGUE & {path.stem, *path.relative_to(ROOT).parts[:-1]}
    assert not re.search(r"\b(NotImplementedError|TODO|FIXME|XXX)\b", text)


def test_the_rules_of_the_first_game_fit_on_a_few_pages() -> None:
    assert len((ROOT / "engine/games/keltis/rules.py").read_text("utf-8").splitlines()) <= 300
