"""Parts of the OpenAPI document that are written by hand."""

from __future__ import annotations

from typing import Any

Node = dict[str, Any]
"""An object of the document."""
STRING_SCHEMA: Node = {"type": "string"}


def header_parameter(name: str, about: str, example: str, *, required: bool = False, **limits: str | int) -> Node:
    """Describe a header of a request; `limits` are further keywords of its schema, such as `maxLength`."""
    return {
        "in": "header",
        "name": name,
        "required": required,
        "description": about,
        "schema": {**STRING_SCHEMA, **limits},
        "example": example,
    }


def text_content(media: str, example: str) -> Node:
    """Describe a body that is text of this media type."""
    return {media: {"schema": STRING_SCHEMA, "example": example}}


def good_answer(about: str, content: Node, *, is_file: bool = False) -> Node:
    """Describe the successful answer of an operation that writes its body itself; browsers save it as a file."""
    answer: Node = {"description": about, "content": content}
    if is_file:
        answer["headers"] = {"Content-Disposition": {"$ref": "#/components/headers/Content-Disposition"}}
    return {"200": answer}
