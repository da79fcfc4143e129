"""The page of settings, made from `Config`: `python -m tests.support.settings_page` writes it."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from service import config
from service.config import PREFIX, Config

PAGE = Path(__file__).parents[2] / "docs" / "SETTINGS.md"
HEAD = """\
# Settings

Echtra reads its settings from environment variables and from nowhere else. A wrong or unknown variable stops the start
with one sentence that says what to do. This page is made from `service/config.py`: edit the sentences there, then run
`.venv/bin/python -m tests.support.settings_page`.
"""


def render_settings() -> str:
    """Return the page: a table for each group, a row for each setting."""
    parts = [HEAD]
    for group, rows in _groups():
        table = "\n".join(f"| `{PREFIX}{name.upper()}` | {default} | {about} |" for name, default, about in rows)
        parts.append(f"## {group}\n\n| variable | default | meaning |\n|---|---|---|\n{table}\n")
    return "\n".join(parts)


def _groups() -> Iterator[tuple[str, list[tuple[str, str, str]]]]:
    """Yield the groups of settings. Each begins with a comment on its own line in the class."""
    source = inspect.getsource(config).splitlines()
    tree = ast.parse("\n".join(source))
    (body,) = [node.body for node in tree.body if isinstance(node, ast.ClassDef) and node.name == "Config"]
    group, rows = "", list[tuple[str, str, str]]()
    for node, after in pairwise(body):
        if not isinstance(node, ast.AnnAssign) or not isinstance(node.target, ast.Name):
            continue
        above = source[node.lineno - 2].strip()
        if above.startswith("# "):
            if rows:
                yield group, rows
            group, rows = above.removeprefix("# "), []
        assert isinstance(after, ast.Expr), f"{node.target.id} has no sentence"
        assert isinstance(after.value, ast.Constant), f"{node.target.id} has no sentence"
        rows.append((node.target.id, _default(node.target.id), " ".join(str(after.value.value).split())))
    yield group, rows


def _default(name: str) -> str:
    value = getattr(Config(), name)
    return f"`{value}`" if value not in ("", ()) else "empty"


if __name__ == "__main__":
    PAGE.write_text(render_settings(), "utf-8")
