"""JSON shapes: one declaration from which JSON, the reading of requests, schema and example follow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

import marshmallow as ma
import pytest

from service import shapes
from service.shapes import example_json, members_of, to_json
from service.web.openapi.shape_schemas import schema_of


class Person(shapes.Shape):
    """Somebody."""

    name: str = shapes.text("Their name.", "Aoife")
    since: int | None = shapes.timestamp("Since when.")


class Table(shapes.Shape):
    """A table with people."""

    people: Sequence[Person] = shapes.items("Who sits there.")
    by_seat: Mapping[str, Person] = shapes.members("The same by seat.", {}, of=shapes.part("Somebody."))
    host: Person | None = shapes.part("Who made it.")
    note: str | None = shapes.text("A note, if there is one.", "Good luck!", optional=True, default=None)
    day: date = shapes.day("When it was made.", "2026-11-16")
    source: str = shapes.text("From where.", "mail", key="from")
    rows: int = 7


class NewTable(shapes.Body):
    """A table to be made."""

    seats: int = shapes.number("How many play.", 2, least=1, most=4)
    title: str = shapes.text("Its title.", "Sunday", most=10, default="")
    host: Person | None = shapes.part("Who makes it.", default=None)
    is_open: bool = shapes.flag("True if everybody may join.", default=True, in_example=True)
    note: str | None = shapes.text("A note.", lines=True, optional=True, default=None)
    marks: Sequence[str] = shapes.items("Marks.", of=shapes.choice(("red", "blue"), "A colour."), most=2, default=list)
    options: Mapping[str, int] = shapes.members(
        "Options.", of=shapes.number("A value."), most=2, keys="^[a-z]+$", default=dict
    )

    def __post_init__(self) -> None:
        if self.title == "none":
            raise shapes.BadShape("This is not a title.", "title")


class TableSearch(shapes.Query):
    """Which tables to list."""

    seats: int | None = shapes.number("For how many.", 2, default=None)
    mine: bool = shapes.flag("Only your own.", default=False)


AOIFE = Person(name="Aoife", since=1_794_821_400_000)
AOIFE_JSON = {"name": "Aoife", "since": "2026-11-16T09:30:00.000Z"}


def faults(shape: type[shapes.Shape], data: dict[str, Any]) -> dict[str, Any]:
    with pytest.raises(ma.ValidationError) as refused:
        schema_of(shape).load(data)
    assert isinstance(refused.value.messages, dict)
    return refused.value.messages


def test_a_shape_is_written_with_its_parts_and_times_and_without_what_is_missing() -> None:
    table = Table(people=[AOIFE], by_seat={"1": AOIFE}, host=None, day=date(2026, 11, 16), source="api")
    assert to_json(table) == {
        "people": [AOIFE_JSON],
        "by_seat": {"1": AOIFE_JSON},
        "host": None,
        "day": "2026-11-16",
        "from": "api",
    }
    noted = Table(people=[], by_seat={}, host=AOIFE, day=date(2026, 11, 16), source="api", note="hm")
    assert to_json(noted)["note"] == "hm"
    assert to_json(noted)["host"] == AOIFE_JSON


def test_a_page_writes_its_items() -> None:
    assert to_json(shapes.Page(items=[AOIFE])) == {"items": [AOIFE_JSON]}


def test_a_shape_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        AOIFE.name = "Brigid"  # type: ignore[misc]


def test_the_example_is_composed_of_the_members_that_must_be_there() -> None:
    person = {"name": "Aoife", "since": "2026-11-16T09:30:00.000Z"}
    assert example_json(Table) == {
        "people": [person],
        "by_seat": {},
        "host": person,
        "day": "2026-11-16",
        "from": "mail",
    }
    assert example_json(NewTable) == {"seats": 2, "is_open": False}


def test_a_field_without_description_is_not_in_the_json() -> None:
    assert "rows" not in [member.name for member in members_of(Table)]


def test_a_request_is_read_into_a_shape_with_defaults() -> None:
    assert schema_of(NewTable).load({"seats": 3}) == NewTable(seats=3)
    whole = {"seats": 1, "title": "x", "host": AOIFE_JSON, "is_open": False, "note": "a\nb", "marks": ["red"]}
    read = schema_of(NewTable).load({**whole, "options": {"a": 1}})
    assert read == NewTable(seats=1, title="x", host=AOIFE, is_open=False, note="a\nb", marks=["red"], options={"a": 1})


@pytest.mark.parametrize(
    ("data", "field"),
    [
        ({}, "seats"),
        ({"seats": True}, "seats"),
        ({"seats": "2"}, "seats"),
        ({"seats": 2.0}, "seats"),
        ({"seats": 5}, "seats"),
        ({"seats": None}, "seats"),
        ({"seats": 2, "other": 1}, "other"),
        ({"seats": 2, "title": "x" * 11}, "title"),
        ({"seats": 2, "title": "a\nb"}, "title"),
        ({"seats": 2, "title": "a\0b"}, "title"),
        ({"seats": 2, "title": "\ud800"}, "title"),
        ({"seats": 2, "title": None}, "title"),
        ({"seats": 2, "title": "none"}, "title"),
        ({"seats": 2, "note": None}, "note"),
        ({"seats": 2, "is_open": "true"}, "is_open"),
        ({"seats": 2, "is_open": 1}, "is_open"),
        ({"seats": 2, "marks": ["green"]}, "marks"),
        ({"seats": 2, "marks": ["red", "red", "red"]}, "marks"),
        ({"seats": 2, "options": {"A": 1}}, "options"),
        ({"seats": 2, "options": {"a": 1, "b": 2, "c": 3}}, "options"),
        ({"seats": 2, "host": {"name": "Aoife"}}, "host"),
        ({"seats": 2, "host": {"name": "Aoife", "since": 5}}, "host"),
    ],
)
def test_a_request_that_does_not_fit_is_refused_by_the_field(data: dict[str, Any], field: str) -> None:
    assert list(faults(NewTable, data)) == [field]


def test_numbers_and_flags_of_a_query_are_text() -> None:
    assert schema_of(TableSearch).load({"seats": "2", "mine": "true"}) == TableSearch(seats=2, mine=True)
    assert set(faults(TableSearch, {"seats": "02", "mine": "yes"})) == {"seats", "mine"}


def test_an_open_shape_keeps_what_it_does_not_name() -> None:
    class Key(shapes.OpenShape):
        """A key."""

        x: str = shapes.text("The key.", "11qY")

    key = schema_of(Key).load({"x": "a", "use": "sig"})
    assert (key.x, key.others) == ("a", {"use": "sig"})
    assert to_json(key) == {"x": "a"}
