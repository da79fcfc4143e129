"""Schemas of refusals: one for each kind of problem with further members."""

from __future__ import annotations

from service.problems import KINDS
from service.shapes import HASH, example_json
from service.web.openapi.nodes import Node
from service.web.schemas.moves import ReadingShown
from service.web.schemas.problems import Fault
from service.web.schemas.tables import OptionsShown, TableShown

SIGNED_TEXT_EXAMPLE = f"echtra-move-v1\nm7q2x9v4k8t3w6zp\n0\n2\n{HASH}\n1\nnow\nlay R5\n"


def _reference(schema: str) -> Node:
    return {"$ref": f"#/components/schemas/{schema}"}


def _text(about: str, example: str) -> Node:
    return {"type": "string", "description": about, "example": example}


SEAT = {"type": "integer", "format": "int64", "minimum": 0, "maximum": 99, "description": "Your seat.", "example": 0}
TABLE = {**_reference("TableShown"), "description": "The table as your seat sees it now."}
OPTIONS = {**_reference("OptionsShown"), "description": "What you may do now."}
TEXT = _text("What was not understood, or is not legal.", "lay R9")
MEANT = {
    "type": "array",
    "items": {"type": "string"},
    "description": "Lines it may have meant, ready to sign.",
    "example": example_json(ReadingShown)["lines"],
}
ERRORS = {
    "type": "array",
    "items": _reference("Fault"),
    "description": "Every fault, by field.",
    "example": [example_json(Fault)],
}
TRIES_LEFT = {
    **SEAT,
    "maximum": 5,
    "description": "For a wrong code: how many attempts the request has left.",
    "example": 4,
}
LINE_NUMBER = {**SEAT, "minimum": 1, "description": "The number of the line in the submission, from 1.", "example": 1}
SIGNED_TEXT = _text("The exact text to be signed, with a line feed after every part.", SIGNED_TEXT_EXAMPLE)
SIGNED = {
    "type": "boolean",
    "description": "True if the key may play all your seats, and a key of this seat must sign for it.",
    "example": True,
}
CHANGES = {
    "type": "array",
    "items": {"type": "object"},
    "description": "For a tournament: every change to a part that has begun, with `path`, `before` and `after`.",
    "example": [{"path": "/stages/0/rounds", "before": 7, "after": 5}],
}
PROBLEM_MEMBERS: dict[str, tuple[Node, Node]] = {
    "question-changed": ({"seat": SEAT, "table": TABLE, "options": OPTIONS}, {}),
    "not-listed": ({"seat": SEAT, "text": TEXT, "table": TABLE, "options": OPTIONS}, {}),
    "not-canonical": (
        {},
        {
            "text": TEXT,
            "meant": MEANT,
            "seat": SEAT,
            "table": TABLE,
            "options": OPTIONS,
            "line": _text("A line of the house that was not understood.", "bot 7"),
        },
    ),
    "not-your-key": ({}, {"signed": SIGNED}),
    "wrong-signature": ({"line": LINE_NUMBER, "signed_text": SIGNED_TEXT}, {}),
    "wrong-prev": ({"hash": _text("The hash of the entry that `asked` names.", HASH)}, {}),
    "conflict": ({}, {"changes": CHANGES}),
    "forbidden": ({}, {"scope": _text("The scope that the token lacks, if that is the reason.", "play")}),
    "invalid": ({"errors": ERRORS}, {"tries_left": TRIES_LEFT}),
    "not-acceptable": (
        {},
        {
            "accepted": {
                "type": "array",
                "items": {"type": "string"},
                "description": "The available media types.",
                "example": [],
            }
        },
    ),
}
"""Further members by kind: required ones and optional ones."""


def schema_name(kind: str) -> str:
    """Return the name of the schema of a kind of problem."""
    return "".join(part.capitalize() for part in kind.split("-")) + "Problem"


def problem_components(plain: Node) -> Node:
    """Return the schemas of all problems: the plain one, and one for each kind with further members.

    They are written in full and do not inherit, because client generators cannot narrow an inherited member.
    """
    kinds = [f"/problems/{kind}" for kind in KINDS if kind not in PROBLEM_MEMBERS]
    type_ = {**plain["properties"]["type"], "enum": kinds, "example": kinds[0]}
    schemas = {"Problem": {**plain, "properties": {**plain["properties"], "type": type_}}}
    for kind, (always, sometimes) in PROBLEM_MEMBERS.items():
        own = {**type_, "enum": [f"/problems/{kind}"], "example": f"/problems/{kind}"}
        schemas[schema_name(kind)] = {
            **plain,
            "description": f"{KINDS[kind][1]}.",
            "required": [*plain["required"], *always],
            "properties": {**plain["properties"], "type": own, **always, **sometimes},
        }
    return schemas


def problem_schema(kinds: list[str]) -> Node:
    """Return the schema of an answer that is one of these kinds of problems."""
    names = dict.fromkeys(schema_name(kind) if kind in PROBLEM_MEMBERS else "Problem" for kind in kinds)
    references = [_reference(name) for name in names]
    return references[0] if len(references) == 1 else {"anyOf": references}


def problem_example(kind: str) -> Node:
    """Return an example of this kind of problem, with its required members."""
    status, title = KINDS[kind]
    detail = "The detail says what is wrong this time and what to do next."
    example: Node = {"type": f"/problems/{kind}", "title": title, "status": status, "detail": detail}
    always, _ = PROBLEM_MEMBERS.get(kind, ({}, {}))
    shown = {"table": example_json(TableShown), "options": example_json(OptionsShown)}
    return example | {name: shown.get(name, schema.get("example")) for name, schema in always.items()}
