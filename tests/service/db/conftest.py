"""Databases for tests of migrations."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from service.db import connection
from tests.support.fixtures import KINDS, Postgres


@pytest.fixture(params=KINDS)
def empty(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The address of a database without tables."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path}/empty.db"
        connection.drop_connections()
        return
    model: Postgres = request.getfixturevalue("postgres_model")
    model.connection.execute("create database empty")
    yield model.server.get_uri("empty")
    connection.drop_connections()
    model.connection.execute("drop database empty with (force)")
