"""Every operation of the document with requests made from it: no server error, and no undocumented answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import schemathesis
from flask import Flask
from hypothesis import HealthCheck, Phase, given, seed, settings
from schemathesis.checks import not_a_server_error
from schemathesis.core.failures import FailureGroup
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from service import ids as chosen
from service.matches import search
from service.shapes import MATCH_ID
from tests.support.http_tables import People, make

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance]
CHECKS += [response_headers_conformance, response_schema_conformance]
LEFT_OUT = {
    "delete-me": "the token would be gone",
    "get-events": "it waits as long as it is asked to",
    "post-inbound-mail": "it takes a letter and not JSON",
}
CASES = 3
FEW = settings(
    max_examples=CASES,
    deadline=None,
    database=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)


@pytest.fixture
def ask(person: People, monkeypatch: pytest.MonkeyPatch) -> Callable[[Any], None]:
    """Return a function that sends a request as a player of the document's example match, and checks the answer."""
    aoife, brendan = person("Aoife"), person("Brendan")
    ids = iter([MATCH_ID])
    with monkeypatch.context() as patch:
        name = chosen.new_id
        patch.setattr(chosen, "new_id", lambda length=16: next(ids, None) or name(length))
        make(aoife, brendan)

    def asked(case: Any) -> None:  # noqa: ANN401  # what schemathesis makes
        case.validate_response(case.call(headers={**aoife.bearer, "Accept-Encoding": "identity"}), checks=CHECKS)

    return asked


def test_made_up_requests_get_documented_answers(app: Flask, ask: Callable[[Any], None]) -> None:
    schema: Any = schemathesis.openapi.from_wsgi("/openapi.json", app)
    names = set()
    for found in schema.get_all_operations():
        operation = found.ok()
        name = operation.definition.raw["operationId"]
        names.add(name)
        if name not in LEFT_OUT:
            seed(1)(FEW(given(case=operation.as_strategy())(ask)))()
    assert set(LEFT_OUT) < names
    assert len(names) > 70


def test_a_fault_of_ours_would_be_found(
    app: Flask, ask: Callable[[Any], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search, "describe_matches", lambda *_: 1 / 0)
    schema: Any = schemathesis.openapi.from_wsgi("/openapi.json", app)
    with pytest.raises(FailureGroup):
        ask(schema["/v1/matches"]["GET"].Case())
