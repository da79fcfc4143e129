"""The API in a browser: `/openapi.json`, `/docs` with the list of all requests, and a page for each group of them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from flask import Blueprint, Response, abort, current_app
from markupsafe import Markup, escape

from service.web.openapi import document
from service.web.pages import layout
from service.web.request_context import current_config
from service.web.responses import json_response

blueprint = Blueprint("docs", __name__)
METHODS = ("get", "post", "put", "patch", "delete")
MOST_DEPTH = 4
"""How deep the fields of nested objects are listed; the example shows the rest."""
TEXT_PATTERN = re.compile(r"`([^`]+)`|\*\*([^*]+)\*\*")
RANGES = (("minimum", "maximum", ""), ("minLength", "maxLength", " characters"), ("minItems", "maxItems", " items"))
Node = Mapping[str, Any]


@dataclass(frozen=True)
class FieldRow:
    """A field of a body or a parameter of a request, as the page lists it."""

    name: str
    type: str
    required: bool
    about: Markup
    bounds: str


@dataclass(frozen=True)
class BodyShown:
    """A body that is sent or answered: what it is, its fields and an example."""

    title: str
    about: Markup
    fields: tuple[FieldRow, ...]
    example: str


@dataclass(frozen=True)
class RequestShown:
    """One request of the API."""

    id: str
    method: str
    path: str
    summary: str
    about: tuple[Markup, ...]
    parameters: tuple[FieldRow, ...]
    sends: BodyShown | None
    answers: tuple[BodyShown, ...]
    curl: str


@dataclass(frozen=True)
class GroupShown:
    """A group of requests that belong together."""

    name: str
    about: Markup
    requests: tuple[RequestShown, ...]


@blueprint.get("/openapi.json")
def serve_openapi() -> Response:
    """Send the OpenAPI document."""
    return json_response(_document())


@blueprint.get("/docs")
def show_docs() -> Response:
    """Show the introduction and the list of all requests."""
    info = _document()["info"]
    return layout.render_page("docs.html", about=render_paragraphs(info["description"]), groups=_groups())


@blueprint.get("/docs/<name>")
def show_group(name: str) -> Response:
    """Show the requests of one group with their fields and examples."""
    group = next((group for group in _groups() if group.name == name), None)
    if group is None:
        abort(404)
    return layout.render_page("docs-group.html", group=group)


def _document() -> dict[str, Any]:
    """Return the OpenAPI document of this application, built once."""
    kept = current_app.extensions
    if "echtra-document" not in kept:
        kept["echtra-document"] = document.build_document(current_app._get_current_object())  # type: ignore[attr-defined]  # noqa: SLF001
    built: dict[str, Any] = kept["echtra-document"]
    return built


def _groups() -> tuple[GroupShown, ...]:
    kept = current_app.extensions
    if "echtra-reference" not in kept:
        kept["echtra-reference"] = ApiReference(_document(), current_config().url).groups()
    built: tuple[GroupShown, ...] = kept["echtra-reference"]
    return built


@lru_cache(4096)
def render_text(text: str) -> Markup:
    """Return one paragraph of the document's Markdown as HTML: code and bold are all it uses."""
    return Markup(TEXT_PATTERN.sub(_render_span, str(escape(" ".join(text.split())))))  # noqa: S704  # escaped before


def _render_span(match: re.Match[str]) -> str:
    return f"<code>{match[1]}</code>" if match[1] else f"<strong>{match[2]}</strong>"


def render_paragraphs(text: str) -> tuple[Markup, ...]:
    """Return the paragraphs of a description as HTML."""
    return tuple(render_text(paragraph) for paragraph in text.split("\n\n") if paragraph.strip())


class ApiReference:
    """Turns an OpenAPI document into what the pages show."""

    def __init__(self, openapi: Node, url: str) -> None:
        self.openapi = openapi
        self.url = url

    def groups(self) -> tuple[GroupShown, ...]:
        """Return every group of requests, in the order of the document."""
        by_tag: dict[str, list[RequestShown]] = {tag["name"]: [] for tag in self.openapi["tags"]}
        for path, item in self.openapi["paths"].items():
            for method in METHODS:
                if method in item:
                    by_tag[item[method]["tags"][0]].append(self._request(method, path, item))
        return tuple(
            GroupShown(tag["name"], render_text(tag.get("description", "")), tuple(by_tag[tag["name"]]))
            for tag in self.openapi["tags"]
        )

    def _request(self, method: str, path: str, item: Node) -> RequestShown:
        operation = item[method]
        parameters = [self._resolve(each) for each in (*item.get("parameters", ()), *operation.get("parameters", ()))]
        body = operation.get("requestBody")
        return RequestShown(
            id=operation["operationId"],
            method=method.upper(),
            path=path,
            summary=operation.get("summary", ""),
            about=render_paragraphs(operation.get("description", "")),
            parameters=tuple(
                self._row(each["name"], each["schema"], each.get("required", False), each.get("description", ""))
                for each in parameters
            ),
            sends=next(self._bodies("", body), None) if body else None,
            answers=tuple(
                shown
                for status, answer in operation["responses"].items()
                if status.startswith("2")
                for shown in self._bodies(status, self._resolve(answer))
            ),
            curl=self._curl(method, path, operation),
        )

    def _curl(self, method: str, path: str, operation: Node) -> str:
        """Return a command that sends this request."""
        words = ["curl"] if method == "get" else ["curl", "-X", method.upper()]
        words.append(f"'{self.url}{path}'")
        if operation.get("security"):
            words.append('-H "Authorization: Bearer $TOKEN"')
        example = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("example")
        if example is not None:
            words += ["-H 'Content-Type: application/json'", f"-d '{json.dumps(example, ensure_ascii=False)}'"]
        return " ".join(words)

    def _bodies(self, title: str, answer: Node) -> Iterator[BodyShown]:
        """Yield what is sent or answered, one for each media type; an answer without a body is one too."""
        about = render_text(answer.get("description", ""))
        if not answer.get("content"):
            yield BodyShown(title, about, (), "")
        for media, content in answer.get("content", {}).items():
            example = content.get("example")
            text = example if isinstance(example, str) else json.dumps(example, ensure_ascii=False, indent=2)
            fields = tuple(self._fields(content.get("schema", {})))
            yield BodyShown(f"{title} {media}".strip(), about, fields, "" if example is None else text)

    def _fields(self, schema: Node, prefix: str = "", depth: int = 0) -> Iterator[FieldRow]:
        """Yield the fields of an object, those of nested objects with their path."""
        schema = self._resolve(schema)
        if "items" in schema:
            yield from self._fields(schema["items"], f"{prefix}[]", depth)
            return
        for name, field in schema.get("properties", {}).items():
            path = f"{prefix}.{name}" if prefix else name
            node = self._resolve(field)
            yield self._row(path, field, name in schema.get("required", ()), node.get("description", ""))
            if depth < MOST_DEPTH:
                for inner in (node, *node.get("anyOf", ())):
                    yield from self._fields(inner, path, depth + 1)

    def _row(self, name: str, schema: Node, required: bool, about: str) -> FieldRow:
        node = self._resolve(schema)
        bounds = [
            f"{node[least]} to {node[most]}{unit}" if least in node else f"at most {node[most]}{unit}"
            for least, most, unit in RANGES
            if most in node
        ]
        if "enum" in node:
            bounds.insert(0, ", ".join("null" if value is None else str(value) for value in node["enum"]))
        if "pattern" in node:
            bounds.append(f"matches {node['pattern']}")
        if "default" in node:
            bounds.append(f"default {json.dumps(node['default'], ensure_ascii=False)}")
        return FieldRow(name, self._type(node), required, render_text(about), "; ".join(bounds))

    def _type(self, node: Node) -> str:
        node = self._resolve(node)
        if "anyOf" in node:
            return " or ".join(dict.fromkeys(self._type(each) for each in node["anyOf"]))
        if "items" in node:
            return f"list of {self._type(node['items'])}"
        kind = node.get("type", "any")
        words = " or ".join(kind) if isinstance(kind, list) else str(kind)
        return f"{words} ({node['format']})" if "format" in node else words

    def _resolve(self, node: Node) -> Node:
        """Return what a reference stands for; its own description wins over that of its target."""
        if "$ref" not in node:
            return node
        target: Any = self.openapi
        for part in node["$ref"].removeprefix("#/").split("/"):
            target = target[part.replace("~1", "/").replace("~0", "~")]
        return {**target, **{key: value for key, value in node.items() if key != "$ref"}}
