"""The files of deploy/: they parse, and name only existing metrics, settings, commands and pages."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]

from cli import COMMANDS
from service.config import Config
from service.jobs import work_metrics
from service.web import metrics
from tests.support import settings_page

ROOT = Path(__file__).parents[1]
DEPLOY = ROOT / "deploy"
UNITS = sorted((DEPLOY / "systemd").glob("echtra*.service")) + sorted((DEPLOY / "systemd").glob("*.timer"))
FILES = [path for path in sorted(DEPLOY.rglob("*")) if path.is_file()]
SETTINGS = {f"ECHTRA_{each.name.upper()}" for each in fields(Config)}
OPERATING = (ROOT / "docs/OPERATING.md").read_text("utf-8")


def read_yaml(name: str) -> Any:  # noqa: ANN401  # what YAML holds
    """A YAML file of deploy/."""
    return yaml.safe_load((DEPLOY / name).read_text("utf-8"))


def known_figures() -> set[str]:
    """Every name under which our processes give a figure."""
    registries = (metrics.REGISTRY, work_metrics.REGISTRY)
    found = {sample for each in registries for sample in each._names_to_collectors}
    buckets = {f"{name}_bucket" for name in found}
    return found | buckets | set(metrics.GAUGES)


def figures_in(text: str) -> set[str]:
    """Return our metrics that an expression names."""
    return set(re.findall(r"\bechtra_\w+", text))


def test_alerts_name_figures_that_there_are_and_are_explained() -> None:
    rules = [rule for group in read_yaml("prometheus/rules.yml")["groups"] for rule in group["rules"]]
    assert len(rules) >= 10
    for rule in rules:
        assert figures_in(rule["expr"]) <= known_figures(), rule["alert"]
        assert f"| {rule['alert']} |" in OPERATING, "an alarm that nobody explains"
        assert rule["annotations"]["summary"]
        assert rule["labels"]["severity"] in ("warning", "critical")
    assert read_yaml("prometheus/prometheus.yml")["rule_files"] == ["rules.yml"]


def test_the_dashboard_shows_figures_that_there_are() -> None:
    board = json.loads((DEPLOY / "grafana/echtra.json").read_text("utf-8"))
    shown = [target["expr"] for panel in board["panels"] for target in panel["targets"]]
    assert shown
    for expression in shown:
        assert figures_in(expression), expression
        assert figures_in(expression) <= known_figures(), expression


@pytest.mark.parametrize(
    "path", [path for path in sorted(DEPLOY.rglob("*")) if path.is_file()], ids=lambda path: path.name
)
def test_settings_that_are_named_exist(path: Path) -> None:
    assert set(re.findall(r"\bECHTRA_[A-Z_]+\b", path.read_text("utf-8"))) <= SETTINGS


def test_the_page_of_settings_is_what_the_configuration_says() -> None:
    page = settings_page.render_settings()
    assert (ROOT / "docs" / "SETTINGS.md").read_text("utf-8") == page, "run python -m tests.support.settings_page"
    assert [name for name in sorted(SETTINGS) if f"`{name}`" not in page] == []


def test_every_ledger_and_operator_command_is_explained() -> None:
    for name in SETTINGS:
        if name.startswith("ECHTRA_KEEP_"):
            assert name in OPERATING
    for command in ("backup", "restore", "letters", "players", "jobs", "secrets", "doctor", "migrate", "keys"):
        assert command in COMMANDS
        assert f"echtra {command}" in OPERATING


def test_compose_runs_every_kind_of_process_on_postgresql_and_redis() -> None:
    services = read_yaml("docker/compose.yaml")["services"]
    ours = {name: each for name, each in services.items() if "build" in each}
    commands = {each["command"][0] for name, each in ours.items() if name != "backup"}
    assert commands == {"web", "worker", "beat", "mail-door", "migrate"}
    assert commands <= set(COMMANDS)
    assert re.findall(r"echtra [a-z-]+", ours["backup"]["command"][0]) == ["echtra backup", "echtra prove-backup"]
    assert all("healthcheck" in each for each in services.values())
    assert all(re.fullmatch(r"\w+:\d+\.\d+(\.\d+)?", each["image"]) for each in services.values() if "image" in each)
    # A password with @ or / would break the URL, so libpq gets it by its own variable.
    assert "PASSWORD" not in ours["web"]["environment"]["ECHTRA_DATABASE_URL"]
    assert ours["web"]["environment"]["PGPASSWORD"] == "${POSTGRES_PASSWORD:?}"
    assert "noeviction" in services["redis"]["command"]
    assert services["db"]["image"].startswith("postgres:")
    for source in re.findall(r"^COPY (?!--)(.+) \S+$", (DEPLOY / "docker/Dockerfile").read_text("utf-8"), re.MULTILINE):
        for name in source.split():
            assert (ROOT / name).exists(), name


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="no systemd here")
def test_units_are_good() -> None:
    """As systemd sees them, except that nothing is installed in /opt here."""
    program = str(shutil.which("systemd-analyze"))
    done = subprocess.run([program, "verify", *map(str, UNITS)], capture_output=True, text=True, check=False)
    ours = [line for line in done.stderr.splitlines() if "echtra" in line and "is not executable" not in line]
    assert ours == []
    for unit in UNITS:
        for command in re.findall(r"/bin/echtra (\S+)", unit.read_text("utf-8")):
            assert command in COMMANDS


def test_the_site_streams_events_unbuffered_and_publishes_no_mailbox() -> None:
    site = (DEPLOY / "nginx/echtra.conf").read_text("utf-8")
    assert site.count("{") == site.count("}")
    streams = site[site.index("location = /v1/events") :].partition("}")[0]
    assert "proxy_buffering off" in streams
    assert "location /mailbox { return 404; }" in site
