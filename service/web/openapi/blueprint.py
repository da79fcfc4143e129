"""Blueprints of the documented API: strict arguments, and the problems of each operation next to it."""

from __future__ import annotations

import types
import typing
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
from service.web import auth, idempotency, json_body
from service.web.openapi.nodes import Node
from service.web.openapi.shape_schemas import schema_of

P = ParamSpec("P")
Operation = Callable[..., Any]
View = TypeVar("View", bound=Operation)
Sent = TypeVar("Sent", bound=Shape)
Answer = tuple[Sent, int, dict[str, str]]
"""Return value of a view: a shape, the status and headers."""
OPTIONAL = "optional"
"""Scope of an operation that answers without a token too, but may answer more with one."""
_pages: dict[tuple[type[Shape], str], type[Shape]] = {}
"""Shapes of pages by their items and the names of their schemas."""


class StrictParser(FlaskParser):
    """Reads arguments strictly and refuses bad ones with our problems."""

    DEFAULT_UNKNOWN_BY_LOCATION = {**FlaskParser.DEFAULT_UNKNOWN_BY_LOCATION, "json": None, "query": ma.RAISE}  # noqa: RUF012

    def load_json(self, req: flask.Request, schema: ma.Schema) -> JsonValue:
        return json_body.read_json()

    def handle_error(self, error: ma.ValidationError, req: flask.Request, *_: Any, **__: Any) -> NoReturn:  # noqa: ANN401
        raise Problem("invalid", msg("requests.faulty_fields"), errors=flatten_faults(error.messages)) from error


def flatten_faults(messages: Any, path: str = "") -> list[dict[str, str]]:  # noqa: ANN401  # nested lists and dicts of text
    """Return each fault as field and reason. Nested names are joined by dots."""
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


def _answer_type(hint: type | types.UnionType) -> type | None:
    """Return the type of the body that a view returns, alone or with status and headers."""
    kinds = typing.get_args(hint) if isinstance(hint, types.UnionType) else [hint]
    bodies = [typing.get_args(kind)[0] if typing.get_origin(kind) is tuple else kind for kind in kinds]
    return next((body for body in bodies if body is not flask.Response), None)


def _answer_shape(hint: type | types.UnionType) -> type[Shape] | None:
    """Return the shape that a view returns, or None if it returns something else."""
    body = _answer_type(hint)
    return body if isinstance(body, type) and issubclass(body, Shape) else None


def _answer_without_body(view: Callable[P, None], status: int) -> Callable[P, flask.Response]:
    @wraps(view)
    def answer(*args: P.args, **kwargs: P.kwargs) -> flask.Response:
        view(*args, **kwargs)
        return flask.Response(status=status)

    return answer


class Blueprint(SmorestBlueprint):
    """A blueprint whose operations declare their needs next to their path, and their shapes by their types.

    An argument whose type is a `Body` is read from the request; the type of the answer is documented and sent.
    """

    ARGUMENTS_PARSER = StrictParser()

    def route(self, rule: str, *, scope: str = "", once: bool = False, **options: Any) -> Callable[[View], View]:  # noqa: ANN401
        """Register an operation; `get`, `post` and the other verbs call this.

        `scope` is the scope that the token needs, or `optional` if a token is welcome but not required. With `once` the
        view runs once for each Idempotency-Key.
        """
        register = super().route(rule, **options)

        def decorate(view: View) -> View:
            hints = typing.get_type_hints(view)
            shape = _answer_shape(hints["return"])
            operation: Operation = view
            if shape is not None and "response" not in getattr(view, "_apidoc", {}):
                operation = self.response(200)(operation)
            for hint in reversed(hints.values()):
                if isinstance(hint, type) and issubclass(hint, Body):
                    operation = self._read(hint)(operation)
            if once:
                operation = idempotency.once(operation)
            if scope == OPTIONAL:
                operation = self.doc(security=[{}, {"token": ["read"]}])(operation)
            elif scope:
                operation = auth.requires_scope(scope)(operation)
            registered: View = register(operation)
            return registered

        return decorate

    def _read(self, shape: type[Body]) -> Callable[[View], View]:
        """Read the body of a request, or its query or headers, as a shape, which is the view's first argument."""
        settings: Node = {"unknown": ma.EXCLUDE} if shape.ignores_unknown else {}
        if shape.location == "json":
            settings["example"] = example_json(shape)
        decorate: Callable[[View], View] = self.arguments(schema_of(shape), location=shape.location, **settings)
        return decorate

    def response(self, status: int, about: str = "", *, shape: type[Shape] | None = None) -> Callable[[View], View]:
        """Document the normal answer of an operation, and send the shape that the view returns as JSON.

        A view that returns None has an answer without a body. Only a view that writes its JSON itself names the shape.
        """

        def decorate(view: View) -> View:
            sent = shape or _answer_shape(typing.get_type_hints(view)["return"])
            described = {} if sent is None else describe_content(sent)
            body = _answer_without_body(view, status) if sent is None else view
            answer: View = super(Blueprint, self).response(status, description=about or None, **described)(body)
            return answer

        return decorate

    def alternative(self, status: int, shape: type[Shape], description: str) -> Callable[[View], View]:
        """Document another successful answer."""
        schema, example = schema_of(shape), example_json(shape)
        decorate: Callable[[View], View] = self.alt_response(
            status, schema=schema, example=example, description=description, success=True
        )
        return decorate

    def page(self, about: str, name: str = "") -> Callable[[View], View]:
        """Document a page of a list as the answer. The name of its schema defaults to that of the items."""

        def decorate(view: View) -> View:
            (item,) = typing.get_args(_answer_type(typing.get_type_hints(view)["return"]))
            title = name or f"{component_name(item).removesuffix('Shown')}Page"
            if (item, title) not in _pages:
                members = {"items": shapes.items(about), "__annotations__": {"items": Sequence[item]}}  # type: ignore[valid-type]
                _pages[item, title] = type(title, (Shape,), {**members, "__doc__": "A page of a list."})
            return self.response(200, shape=_pages[item, title])(view)

        return decorate

    def problems(self, *kinds: str) -> Callable[[View], View]:
        """Document the problems that an operation answers, as well as those that every operation of its form has."""
        unknown = [kind for kind in kinds if kind not in KINDS]
        if unknown:
            raise KeyError(f"{unknown[0]} is not a kind of problem; service/problems.py lists them")
        decorate: Callable[[View], View] = self.doc(**{"x-problems": list(kinds)})
        return decorate
