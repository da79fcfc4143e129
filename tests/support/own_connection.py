"""A second connection to the database under test."""

from __future__ import annotations

from typing import Any

import psycopg

from service.db.connection import db


def open_own_connection() -> psycopg.Connection[Any]:
    """Open a connection to PostgreSQL outside the pool. Each statement commits by itself."""
    return psycopg.connect(db.obj.database, autocommit=True)
