"""The plan for growth in PERFORMANCE.md: its figures are those that the script measures, and its sums are right."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bench.databases import MeasuredService, environment
from bench.growth import EMAIL_BYTES, Growth, growth_rows, measure_growth
from service.config import Config
from service.db import connection
from tests.support.fixtures import Postgres

PAGE = (Path(__file__).parents[1] / "docs" / "PERFORMANCE.md").read_text("utf-8")
ROW = re.compile(r"^\| (.+) \| ([0-9,]+) \| [0-9.]+ \| (for ever|[0-9]+) \| .+ \|$", re.MULTILINE)
FIXED_COSTS = 1_000
"""Bytes a turn that a short run may differ by: tables and indexes grow by whole pages."""


def rows_of_page() -> list[Growth]:
    """Return the rows of the plan, as on the page."""
    table = PAGE[PAGE.index("| table | bytes a turn") :].partition("\n\n")[0]
    return [
        Growth(name, float(size.replace(",", "")), 0 if kept == "for ever" else int(kept))
        for name, size, kept in ROW.findall(table)
    ]


def test_the_sums_of_the_page_follow_from_its_bytes_a_turn() -> None:
    assert "\n".join(growth_rows(rows_of_page())) in PAGE


def test_the_days_of_the_page_are_the_defaults() -> None:
    kept = {each.table: each.days for each in rows_of_page()}
    assert (kept[EMAIL_BYTES], kept["letter"]) == (Config.keep_letter_bytes, Config.keep_letters)
    assert (kept["job"], kept["event"]) == (Config.keep_jobs, Config.keep_events)


def test_a_turn_stores_what_the_page_says(postgres_model: Postgres, tmp_path: Path) -> None:
    address = postgres_model.copy()
    try:
        world = MeasuredService("PostgreSQL", environment(tmp_path, ECHTRA_DATABASE_URL=address))
        measured = {each.table: each.bytes_a_turn for each in measure_growth(world, 24)}
    finally:
        connection.drop_connections()
        postgres_model.drop(address)
    page = {each.table: each.bytes_a_turn for each in rows_of_page()}
    assert measured[EMAIL_BYTES] == pytest.approx(page[EMAIL_BYTES], rel=0.4)
    for table in ("entry", "submission", "event", "letter", "reply", "job"):
        assert measured[table] == pytest.approx(page[table], abs=FIXED_COSTS), table
