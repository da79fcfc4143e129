"""JSON Schemas of the view and the lines of each game, derived from its dataclasses."""

from __future__ import annotations

import types
import typing
from collections.abc import Mapping, Sequence
from dataclasses import Field, fields, is_dataclass
from enum import Enum
from typing import Any

from engine.game import Action, Game, State
from engine.games import GAMES
from engine.notation import slots
from service.web.openapi.nodes import Node

INTEGER_SCHEMA: Node = {
    "type": "integer",
    "format": "int64",
    "minimum": -(2**53) + 1,
    "maximum": 2**53 - 1,
}
PLAIN_SCHEMAS: dict[type, Node] = {
    int: INTEGER_SCHEMA,
    str: {"type": "string"},
    bool: {"type": "boolean"},
    type(None): {"type": "null"},
}
PLAIN_EXAMPLES: Node = {"integer": 0, "string": "", "boolean": False, "null": None}


class SchemaWriter:
    """Writes the schemas of one game into the components of a document."""

    def __init__(self, game: Game[State], components: Node) -> None:
        self.prefix = "".join(part.capitalize() for part in game.slug.split("-"))
        self.components = components

    def reference(self, kind: type) -> Node:
        """Return a reference to the schema of a dataclass, writing the schema if necessary."""
        name = kind.__name__ if kind.__name__.startswith(self.prefix) else f"{self.prefix}{kind.__name__}"
        if name not in self.components:
            self.components[name] = {}  # a class may contain itself
            self.components[name].update(self._object_schema(kind))
        return {"$ref": f"#/components/schemas/{name}"}

    def _object_schema(self, kind: type) -> Node:
        hints = typing.get_type_hints(kind)
        members = fields(kind)
        names = [each.name for each in members]
        return {
            "type": "object",
            "description": (kind.__doc__ or kind.__name__).partition("\n")[0],
            "required": names,
            "properties": {each.name: self._property(each, hints[each.name]) for each in members},
        }

    def _property(self, member: Field[Any], hint: Any) -> Node:  # noqa: ANN401  # a type
        about = member.metadata.get("about", f"The {member.name.replace('_', ' ')}, in the terms of the rules.")
        schema = {**self.schema(hint), "description": about}
        shown = {"$ref", "items", "anyOf", "enum"} & set(schema)
        return schema if shown else {**schema, "example": PLAIN_EXAMPLES.get(schema.get("type", ""))}

    def schema(self, hint: Any) -> Node:  # noqa: ANN401  # a type
        """Return the schema of the output of `views.to_json` for a value of this type."""
        if hint in PLAIN_SCHEMAS:
            return dict(PLAIN_SCHEMAS[hint])
        origin, inner = typing.get_origin(hint), typing.get_args(hint)
        if origin in (typing.Union, types.UnionType):
            return {"anyOf": [self.schema(each) for each in inner]}
        if origin is typing.Literal:
            return {"enum": list(inner)}
        if isinstance(origin, type) and issubclass(origin, Mapping):
            return {"type": "object", "additionalProperties": self.schema(inner[1])}
        return self._class_schema(hint) if origin is None else self._array_schema(inner)

    def _array_schema(self, inner: Sequence[Any]) -> Node:
        """Return the schema of a list of one type (perhaps followed by `...`), or of a fixed length."""
        if len(inner) == 1 or inner[-1] is Ellipsis:
            return {"type": "array", "items": self.schema(inner[0])}
        parts = [self.schema(each) for each in inner]
        return {
            "type": "array",
            "prefixItems": parts,
            "items": False,
            "minItems": len(parts),
            "maxItems": len(parts),
        }

    def _class_schema(self, kind: Any) -> Node:  # noqa: ANN401  # a class
        if isinstance(kind, type) and issubclass(kind, Enum):
            return {"enum": [each.value for each in kind]}
        if isinstance(kind, type) and issubclass(kind, tuple):
            return self._array_schema([*typing.get_type_hints(kind).values()])
        if is_dataclass(kind) and isinstance(kind, type):
            return self.reference(kind)
        raise TypeError(f"a view holds {kind}, for which there is no schema")


def write_view_schema(game: Game[State], components: Node) -> Node:
    """Return a reference to the schema of a game's view."""
    return SchemaWriter(game, components).reference(typing.get_type_hints(game.rules.view)["return"])


def write_parts_schema(game: Game[State], components: Node) -> Node:
    """Return a reference to the schema of the parts of a game's lines: one form for each kind of line."""
    writer = SchemaWriter(game, components)
    name = f"{writer.prefix}Parts"
    kinds = [kind for found in game.rules.verbs.values() for kind in found]
    components[name] = {
        "description": f"The parts of a line of {game.presentation.title['en']}.",
        "anyOf": [_line_schema(writer, kind) for kind in kinds],
    }
    return {"$ref": f"#/components/schemas/{name}"}


def _line_schema(writer: SchemaWriter, kind: type[Action[State]]) -> Node:
    hints = typing.get_type_hints(kind)
    names = [name for name, _ in slots(kind)]
    properties = {name: writer.schema(hints[name]) for name in names}
    return {
        "type": "object",
        "title": f"{writer.prefix}{kind.__name__}Line",
        "required": ["verb", *names],
        "properties": {"verb": {"const": kind.verb}, **properties},
        "additionalProperties": False,
    }


def describe_games(components: Node) -> None:
    """Describe in the schemas of tables and options what each game shows there."""
    games = sorted(GAMES.values(), key=lambda game: game.slug)
    for schema, member, write in (
        ("TableShown", "view", write_view_schema),
        ("OptionShown", "parts", write_parts_schema),
    ):
        place = components[schema]["properties"][member]
        kept = {name: place[name] for name in ("description", "example")}
        components[schema]["properties"][member] = {**kept, "anyOf": [write(game, components) for game in games]}
