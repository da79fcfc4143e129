"""Touches of marks leave fewer lines, as the vectors say; the browser's program is tested with the same ones."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine.narrowing import narrow

VECTORS: list[dict[str, Any]] = json.loads((Path(__file__).parents[1] / "golden" / "narrow.json").read_text())


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["name"])
def test_touches_leave_open_and_offer_what_the_vector_says(vector: dict[str, Any]) -> None:
    lines = [tuple(tuple(word.split()) for word in marks) for marks in vector["lines"]]
    found = narrow(lines, tuple(vector["clicks"]))
    assert list(found.left) == vector["left"]
    assert sorted(found.open) == sorted(vector["open"])
    assert list(found.offered) == vector["offered"]
