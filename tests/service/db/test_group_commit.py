"""The database: writes that come at the same time share a commit, and each gets its own answer."""

from __future__ import annotations

from collections.abc import Iterator
from threading import Thread

import pytest
from peewee import IntegrityError, OperationalError, PeeweeException

from service.config import Config
from service.db import connection
from service.db.connection import execute, execute_alone, rows, write_transaction

INSERT = "insert into secret (name, value) values (?, ?)"


@pytest.fixture(autouse=True)
def connected(config: Config) -> Iterator[None]:
    """This process on a fresh database."""
    connection.connect(config.database)
    yield
    connection.drop_connections()


def together(names: list[str]) -> dict[int, PeeweeException]:
    """Write all names at once, from a thread each that finds the writer's place taken; what was raised, by number."""
    raised: dict[int, PeeweeException] = {}

    def write(number: int) -> None:
        try:
            execute_alone(INSERT, names[number], "x")
        except PeeweeException as error:
            raised[number] = error
        finally:
            connection.drop_connections()

    threads = [Thread(target=write, args=(number,)) for number in range(len(names))]
    with connection._writer:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(0.05)
    for thread in threads:
        thread.join(10)
    return raised


def test_one_that_cannot_be_written_spoils_nothing_for_the_others() -> None:
    raised = together(["one", "two", "two", "three", "four"])
    assert len(raised) == 1
    assert isinstance(raised[min(raised)], IntegrityError)
    assert [name for (name,) in rows("select name from secret order by name")] == ["four", "one", "three", "two"]


def test_where_nothing_can_be_written_everybody_hears_of_it() -> None:
    with write_transaction():
        execute("alter table secret rename to hidden")
    raised = together(["one", "two", "three"])
    assert sorted(raised) == [0, 1, 2]
    if not connection.is_postgres():
        assert all(isinstance(error, OperationalError) for error in raised.values())
        assert len({id(error) for error in raised.values()}) == 3
    with write_transaction():
        execute("alter table hidden rename to secret")
    assert rows("select name from secret") == []


def test_within_a_transaction_it_is_part_of_it() -> None:
    with write_transaction():
        execute_alone(INSERT, "one", "x")
        connection.db.rollback()
        connection.db.begin()
    assert rows("select name from secret") == []
