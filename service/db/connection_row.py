"""What all rows share: the database they live in."""

from __future__ import annotations

from peewee import Model

from service.db.connection import db


class Row(Model):
    """A row of our database."""

    class Meta:
        database = db
