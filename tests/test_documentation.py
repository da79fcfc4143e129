"""The pages for those who carry on: every file, folder and make target that they name is there."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "SECURITY.md", *sorted((ROOT / "docs").rglob("*.md"))]
LIST_FILES = ("git", "ls-files")
NAMES = set(subprocess.run(LIST_FILES, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines())
CODE = re.compile(r"`(?:\.\./)?(\w[\w./-]*\.(?:py|toml|mjs|json|eml))`")
LINK = re.compile(r"\]\(([^)#:]+)\)")
TARGET = re.compile(r"`make ([a-z-]+)")


def shown(path: Path) -> str:
    """The page as tests name it."""
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("page", PAGES, ids=shown)
def test_a_page_names_only_files_that_are_there(page: Path) -> None:
    text = re.sub(r"```.*?```", "", page.read_text("utf-8"), flags=re.DOTALL)
    named = set(CODE.findall(text))
    assert {name for name in named if not any(f"/{each}".endswith(f"/{name}") for each in NAMES)} == set()


@pytest.mark.parametrize("page", PAGES, ids=shown)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    assert [link for link in LINK.findall(page.read_text("utf-8")) if not (page.parent / link).exists()] == []


def test_make_targets_that_pages_name_exist() -> None:
    known = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    named = {target for page in PAGES for target in TARGET.findall(page.read_text("utf-8"))}
    assert named <= known
