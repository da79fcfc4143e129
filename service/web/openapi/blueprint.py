"""Blueprints of the documented API: strict arguments, and problems named beside each operation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn, TypeVar

import flask
import marshmallow as ma
from flask_smorest import Blueprint as SmorestBlueprint
from webargs.flaskparser import FlaskParser

from service.i18n.catalogue import msg
from service.problems import KINDS, Problem
from service.web import json_body

View = TypeVar("View", bound=Callable[..., Any])


class StrictParser(FlaskParser):
    """Reads arguments strictly and refuses with our problems."""

    DEFAULT_UNKNOWN_BY_LOCATION = {**FlaskParser.DEFAULT_UNKNOWN_BY_LOCATION, "json": None, "query": ma.RAISE}  # noqa: RUF012

    def load_json(self, req: flask.Request, schema: ma.Schema) -> Any:  # noqa: ANN401  # whatever JSON holds
        return json_body.read_json()

    def handle_error(self, error: ma.ValidationError, req: flask.Request, *_: Any, **__: Any) -> NoReturn:  # noqa: ANN401
        raise Problem("invalid", msg("requests.faulty_fields"), errors=flatten_faults(error.messages)) from error


def flatten_faults(messages: Any, path: str = "") -> list[dict[str, str]]:  # noqa: ANN401  # nested lists and dicts of text
    """Each fault as field and reason; fields inside fields are joined by dots."""
    if isinstance(messages, dict):
        found = []
        for name, inner in messages.items():
            known = name if path or name not in ("json", "query", "_schema") else ""
            found += flatten_faults(inner, ".".join(part for part in (path, str(known)) if part))
        return found
    if isinstance(messages, list):
        return [fault for inner in messages for fault in flatten_faults(inner, path)]
    return [{"field": path.removesuffix("._schema") or "(body)", "reason": str(messages)}]


class Blueprint(SmorestBlueprint):
    """Operations with their problems."""

    ARGUMENTS_PARSER = StrictParser()

    def problems(self, *kinds: str) -> Callable[[View], View]:
        """Document which problems an operation answers, besides those that follow from its form."""
        unknown = [kind for kind in kinds if kind not in KINDS]
        if unknown:
            raise KeyError(f"{unknown[0]} is not a kind of problem; service/problems.py lists them")
        decorate: Callable[[View], View] = self.doc(**{"x-problems": list(kinds)})
        return decorate
