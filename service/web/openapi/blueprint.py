"""Blueprints of the documented API: strict arguments, and problems named beside each operation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any, NoReturn, ParamSpec, TypeVar

import flask
import marshmallow as ma
from flask_smorest import Blueprint as SmorestBlueprint
from webargs.flaskparser import FlaskParser

from service import shapes
from service.i18n.catalogue import msg
from service.problems import KINDS, Problem
from service.record.canonical_json import JsonValue
from service.shapes import Body, Shape, component_name, example_json
from service.web import json_body
from service.web.openapi.nodes import Node
from service.web.openapi.shape_schemas import schema_of
from service.web.pagination import Paging

P = ParamSpec("P")
View = TypeVar("View", bound=Callable[..., Any])
Sent = TypeVar("Sent", bound=Shape)
Answer = tuple[Sent, int, dict[str, str]]
"""Return value of a view: a shape, the status and headers."""
_pages: dict[tuple[type[Shape], str], type[Shape]] = {}
"""Shapes of pages by their items and the names of their schemas."""


class StrictParser(FlaskParser):
    """Reads arguments strictly and refuses them with our problems."""

    DEFAULT_UNKNOWN_BY_LOCATION = {**FlaskParser.DEFAULT_UNKNOWN_BY_LOCATION, "json": None, "query": ma.RAISE}  # noqa: RUF012

    def load_json(self, req: flask.Request, schema: ma.Schema) -> JsonValue:
        return json_body.read_json()

    def handle_error(self, error: ma.ValidationError, req: flask.Request, *_: Any, **__: Any) -> NoReturn:  # noqa: ANN401
        raise Problem("invalid", msg("requests.faulty_fields"), errors=flatten_faults(error.messages)) from error


def flatten_faults(messages: Any, path: str = "") -> list[dict[str, str]]:  # noqa: ANN401  # nested lists and dicts of text
    """Return each fault as field and reason; nested names are joined by dots."""
    if isinstance(messages, dict):
        faults = []
        for name, inner in messages.items():
            shown = name if path or name not in ("json", "query", "_schema") else ""
            faults += flatten_faults(inner, ".".join(part for part in (path, str(shown)) if part))
        return faults
    if isinstance(messages, list):
        return [fault for inner in messages for fault in flatten_faults(inner, path)]
    return [{"field": path.removesuffix("._schema") or "(body)", "reason": str(messages)}]


def describe_content(shape: type[Shape]) -> Node:
    """Return schema and example of a body, for operations that read or write it themselves."""
    return {"schema": schema_of(shape), "example": example_json(shape)}


def _answer_without_body(view: Callable[P, None], status: int) -> Callable[P, flask.Response]:
    @wraps(view)
    def answer(*args: P.args, **kwargs: P.kwargs) -> flask.Response:
        view(*args, **kwargs)
        return flask.Response(status=status)

    return answer


class Blueprint(SmorestBlueprint):
    """A blueprint whose operations declare their shapes and problems."""

    ARGUMENTS_PARSER = StrictParser()

    def arguments(
        self, shape: type[Body], *, location: str = "json", unknown: str | None = None
    ) -> Callable[[View], View]:
        """Read the body of a request, or its query or headers, as a shape, which the view gets first.

        `unknown` is what marshmallow does with undeclared members; None refuses them.
        """
        example = example_json(shape) if location == "json" else None
        settings = {} if unknown is None else {"unknown": unknown}
        decorate: Callable[[View], View] = super().arguments(
            schema_of(shape), location=location, example=example, **settings
        )
        return decorate

    def response(self, status: int, shape: type[Shape] | None = None, description: str = "") -> Callable[[View], View]:
        """Document the good answer of an operation, and send the shape that the view returns as JSON.

        Without a shape the view returns None, and the answer has no body.
        """
        if shape is None:
            document = super().response(status, description=description)
            return lambda view: document(_answer_without_body(view, status))
        decorate: Callable[[View], View] = super().response(
            status, schema_of(shape), description=description or None, example=example_json(shape)
        )
        return decorate

    def alternative(self, status: int, shape: type[Shape], description: str) -> Callable[[View], View]:
        """Document another good answer."""
        schema, example = schema_of(shape), example_json(shape)
        decorate: Callable[[View], View] = self.alt_response(
            status, schema=schema, example=example, description=description, success=True
        )
        return decorate

    def page(
        self, item: type[Shape], about: str, name: str = "", query: type[Paging] = Paging
    ) -> Callable[[View], View]:
        """Document a page of a list as answer, and read its query, which the view gets first.

        The name of its schema defaults to that of the items.
        """
        title = name or f"{component_name(item).removesuffix('Shown')}Page"
        if (item, title) not in _pages:
            members = {"items": shapes.items(about), "__annotations__": {"items": Sequence[item]}}  # type: ignore[valid-type]
            _pages[item, title] = type(title, (Shape,), {**members, "__doc__": "A page of a list."})
        read, document = self.arguments(query, location="query"), self.response(200, _pages[item, title])
        return lambda view: read(document(view))

    def problems(self, *kinds: str) -> Callable[[View], View]:
        """Document which problems an operation answers, besides those that every operation of its form has."""
        unknown = [kind for kind in kinds if kind not in KINDS]
        if unknown:
            raise KeyError(f"{unknown[0]} is not a kind of problem; service/problems.py lists them")
        decorate: Callable[[View], View] = self.doc(**{"x-problems": list(kinds)})
        return decorate
