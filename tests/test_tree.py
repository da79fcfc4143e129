"""The shape of the tree: who imports whom, what the engine may touch, how long a file is and what it is called."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping
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
ROOMS: dict[str, tuple[str, ...]] = {
    "engine": (),
    "service.i18n": (),
    "service.record": ("", "verify", "compare", "__init__"),
    "service.drawing": (),
    "service": (),  # its own files: bounded_cache, config, direct_requests, ids, look_alikes, problems, shapes, …
    "service.db": ("", "models", "server_secrets", "migrations"),
    "service.jobs": (),
    "service.events": (),
    "service.accounts": (),
    "service.play": (),
    "service.matches": (),
    "service.tournaments": (
        *("formats", "documents", "", "ratings", "rounds", "entry", "rulings", "export", "views", "calendars"),
        *("lifecycle", "tournament_integrity", "drafts"),
    ),
    "service.webhooks": (),
    "service.mail": ("", "letters", "render", "outgoing", "incoming", "dev_mailbox"),
    "service.web": (
        *("json_body", "", "schemas", "openapi", "pages.layout", "problem_pages", "errors"),
        *("streams", "express.requests", "batches", "bodies", "gateway", "api", "pages", "express", "app"),
    ),
    "worker": (),
    "cli": ("", "terminal_game", "record_files", "simulation", "commands"),
}
"""Each room may import itself and the rooms before it; so do its sub-rooms, if it has any.

Among these `""` stands for all other files of the room, and `__init__` for its own front.
"""
ORDER = [".".join(filter(None, (room, part))) for room, parts in ROOMS.items() for part in parts or ("",)]
BESIDES = (("worker", "service.web"), ("service.web.api", "service.web.pages"))
"""Imports that are forbidden although the order would allow them."""

RAW_SQL = {
    "service.jobs": "jobs are claimed and finished by one statement each",
    "service.events": "events are written and read with every move",
    "service.accounts": "limits are counted and inserted by one statement",
    "service.play": "a move and what follows from it must be fast, and sweeps look at all matches",
    "service.matches": "matches of a round are made, read and erased many at a time",
    "service.tournaments": "caches are written for many players at once",
    "service.tournaments.ratings": "caches are written for many players at once",
    "service.tournaments.rulings": "all matches of a tournament are searched for signs of foul play",
    "service.tournaments.views": "pages read the caches of many players at once",
    "service.webhooks": "deliveries are claimed by one statement each",
    "service.mail": "addresses of replies are inserted many at a time",
    "service.mail.letters": "a worker writes hundreds of letters a second",
    "service.mail.outgoing": "a worker sends hundreds of letters a second",
    "service.mail.incoming": "mail is taken in once, by statements that insert and count together",
    "service.mail.dev_mailbox": "mailboxes are counted by one statement",
    "service.web": "tokens and heads are read with every request, and figures at every scrape",
    "worker": "jobs are claimed and finished by one statement each",
    "cli": "figures and repairs for operators, and demo accounts",
    "cli.commands": "figures and repairs for operators",
    "cli.simulation": "simulations look for the next job of all",
}
"""Rooms and sub-rooms beside the database's own that write SQL by hand, and why; everywhere else the models do it."""


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
    """Return the room or sub-room of a module: the longest one in `ORDER` that its name begins with."""
    front = f"{module}.__init__"
    return front if front in ORDER else max((room for room in ORDER if f"{module}.".startswith(f"{room}.")), key=len)


def module_of(path: Path) -> str:
    """The dotted name of a file."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def full_name(module: str, name: str) -> str:
    """Return the module that an import names: the module itself, or one of this name in it."""
    place = ROOT / module.replace(".", "/") / name
    return f"{module}.{name}" if name and (place.with_suffix(".py").exists() or place.is_dir()) else module


def wrong_imports(importer: str, imports: Iterable[tuple[str, str]]) -> list[str]:
    """The imports of a module that point against the order of the rooms."""
    found = []
    for module, name in imports:
        if module.split(".")[0] not in PACKAGES:
            continue
        full = full_name(module, name)
        after = ORDER.index(room_of(full)) > ORDER.index(room_of(importer))
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
    for room, parts in ROOMS.items():
        folder = ROOT / room.replace(".", "/")
        folders = {path.parent.name for path in folder.glob("*/*.py")} if parts else set()
        assert folders <= set(parts), f"{room} has sub-rooms without an order"
        places = [folder / part.replace(".", "/") for part in parts]
        assert all(place.is_dir() or place.with_suffix(".py").exists() for place in places), f"{room} lost a sub-room"
    own = {path.name for path in (ROOT / "service").glob("*.py")}
    named = (
        *("bounded_cache", "config", "direct_requests", "ids", "look_alikes", "problems", "shapes", "standing_process"),
        "timestamps",
    )
    assert own == {"__init__.py", *(f"{name}.py" for name in named)}


def test_a_class_name_stands_once_outside_the_engine() -> None:
    places: dict[str, list[str]] = {}
    for path in [path for path in FILES if path not in within("engine")]:
        for node in tree_of(path).body:
            if isinstance(node, ast.ClassDef):
                places.setdefault(node.name, []).append(named(path))
    assert {name: found for name, found in places.items() if len(found) > 1} == {}


def test_raw_sql_stands_in_rooms_with_a_reason_for_it() -> None:
    raw = {("service.db.connection", name) for name in ("rows", "execute")}
    raw.add(("service.db.batches", "rows_for"))
    found = {room_of(module_of(path)) for path in FILES if raw & set(imported(path))}
    assert {room for room in found if not room.startswith("service.db")} == set(RAW_SQL)


def run_time_imports(path: Path) -> Iterator[str]:
    """Yield our modules that a file imports when it is loaded or one of its functions runs."""
    nodes: list[ast.AST] = [tree_of(path)]
    for node in nodes:
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            continue
        nodes += ast.iter_child_nodes(node)
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (full_name(node.module or "", alias.name) for alias in node.names)


def find_cycles(imports: Mapping[str, Collection[str]]) -> set[frozenset[str]]:
    """Return the groups of modules that import each other, directly or by way of others."""
    reach = {module: set(imported) & imports.keys() for module, imported in imports.items()}
    changed = True
    while changed:
        changed = False
        for module, reached in reach.items():
            further = reached.union(*(reach[each] for each in reached))
            changed |= further != reached
            reach[module] = further
    cyclic = [module for module, reached in reach.items() if module in reached]
    return {frozenset(each for each in reach[module] if module in reach[each]) for module in cyclic}


def test_no_modules_import_each_other_not_even_within_functions() -> None:
    imports = {module_of(path): set(run_time_imports(path)) for path in FILES}
    assert sorted(map(sorted, find_cycles(imports))) == []


def test_a_cycle_is_found() -> None:
    imports = {"a": {"b"}, "b": {"c"}, "c": {"b", "d"}, "d": {"json"}, "e": {"e"}}
    assert find_cycles(imports) == {frozenset({"b", "c"}), frozenset({"e"})}


NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def test_the_pages_agree_with_the_tree_on_rooms_and_walks() -> None:
    pages = {
        name: (ROOT / name).read_text("utf-8") for name in ("docs/ARCHITECTURE.md", "CONTRIBUTING.md", "README.md")
    }
    architecture = pages["docs/ARCHITECTURE.md"]
    rows = re.findall(r"^\| `([a-z0-9_/]+/)(?:\*\.py)?` \|", architecture, re.MULTILINE)
    assert [row.strip("/").replace("/", ".") for row in rows] == list(ROOMS)
    walks = re.search(r"^## (\w+) walks\n(.*?)^## ", architecture, re.MULTILINE | re.DOTALL)
    assert walks is not None
    count = NUMBERS[len(re.findall("^### ", walks[2], re.MULTILINE))]
    assert walks[1].lower() == count
    assert f"walks through it {count} times" in pages["CONTRIBUTING.md"]
    assert f"{count} walks" in pages["README.md"]


def test_only_the_database_knows_its_dialect() -> None:
    found = [named(path) for path in FILES if "is_postgres" in path.read_text("utf-8")]
    assert found
    assert [path for path in found if not path.startswith("service/db/")] == []


def test_only_the_log_tries_again_where_its_head_moved() -> None:
    """Check that every writer of a log calls `append_to_match`."""
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
