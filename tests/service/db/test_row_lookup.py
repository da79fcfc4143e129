"""A row that is found by its id is the row that peewee finds."""

from __future__ import annotations

import pytest

from service.config import Config
from service.db.models.accounts import PlayerRow, TokenRow
from service.db.models.matches import MatchRow
from service.db.row_lookup import find_by_id
from tests.support.factories import match_of, somebody


@pytest.mark.parametrize("model", [MatchRow, PlayerRow, TokenRow])
def test_a_row_is_found_as_peewee_finds_it(service: Config, model: type[MatchRow | PlayerRow | TokenRow]) -> None:
    match_of(service, somebody(), bots={1: "steady"})
    for slow in model.select():
        quick = find_by_id(model, slow.id)
        assert quick is not None
        assert quick.__data__ == slow.__data__
        assert {name: type(value) for name, value in quick.__data__.items()} == {
            name: type(value) for name, value in slow.__data__.items()
        }
        assert quick.dirty_fields == []


@pytest.mark.usefixtures("service")
def test_no_row_is_found_for_another_id() -> None:
    assert find_by_id(MatchRow, "m7q2x9v4k8t3w6zp") is None
