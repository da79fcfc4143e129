"""The section of the document about webhook messages: one for each type of event."""

from __future__ import annotations

from service.events.event_shapes import PING, TYPES
from service.shapes import AT, MATCH_ID, TOURNAMENT_ID, example_json
from service.web.openapi.nodes import Node, header_parameter
from service.webhooks.hook_shapes import HookShown

RESPONSES = {
    "2XX": {"description": "Received; the next event of this match follows."},
    "410": {"description": "Unsubscribe: the hook is switched off, and its owner gets an email."},
    "default": {"description": "Not now: the message is sent again later. Later events of this match wait for it."},
}


def webhooks_section() -> Node:
    """Return every message by the type of its event."""
    found = {name: {"post": _message_operation(name, about, _data_schema(name))} for name, about in TYPES.items()}
    ping = {"type": "object", "required": ["hook"], "properties": {"hook": HOOK_ID_SCHEMA}}
    return {**found, PING: {"post": _message_operation(PING, "A test, requested by the owner of the hook.", ping)}}


def _message_operation(name: str, about: str, data: Node) -> Node:
    values: Node = {"hook": example_json(HookShown)["id"]}
    if name != PING:
        kind, id_ = _subject(name)
        seat = {"seat": 1} if kind == "match" else {}
        url = f"https://example.org/v1/{kind}{'es' if kind == 'match' else 's'}/{id_}"
        values |= {"event": 4711, kind: id_, **seat, "seq": 41, "url": url}
    return {
        "tags": ["hooks"],
        "summary": f"The message {name}",
        "description": f"{about} Signed as Standard Webhooks specifies, with the same `webhook-id` for every attempt.",
        "operationId": f"hook-{name.replace('.', '-')}",
        "security": [],
        "parameters": HEADER_PARAMETERS,
        "requestBody": {
            "required": True,
            "description": 'Ids and where to read more; with `include: ["view"]` also your table and legal lines.',
            "content": {
                "application/json": {
                    "schema": _message_schema(name, data),
                    "example": {"type": name, "timestamp": AT, "data": values},
                }
            },
        },
        "responses": RESPONSES,
    }


def _subject(name: str) -> tuple[str, str]:
    """Return the subject of an event of this type, a match or a tournament, and an id for examples."""
    is_of_tournament = name.startswith("tournament.")
    return ("tournament", TOURNAMENT_ID) if is_of_tournament else ("match", MATCH_ID)


def _message_schema(name: str, data: Node) -> Node:
    properties = {
        "type": {"const": name, "description": "What happened."},
        "timestamp": {"type": "string", "format": "date-time", "description": "When it happened."},
        "data": {**data, "description": "What it is about."},
    }
    return {"type": "object", "required": ["type", "timestamp", "data"], "properties": properties}


def _data_schema(name: str) -> Node:
    kind, _ = _subject(name)
    properties: Node = {
        "hook": HOOK_ID_SCHEMA,
        "event": {**NUMBER_SCHEMA, "description": "The number of the event, as in `GET /v1/events`."},
        kind: {"type": "string", "description": f"The id of the {kind}."},
        **(SEAT_PROPERTY if kind == "match" else {}),
        "seq": {**NUMBER_SCHEMA, "description": TYPES[name]},
        "url": {"type": "string", "format": "uri", "description": f"Where to read the {kind}."},
    }
    more = VIEW_PROPERTIES if kind == "match" else {}
    return {"type": "object", "required": list(properties), "properties": {**properties, **more}}


HOOK_ID_SCHEMA = {"type": "string", "description": "The id of the hook."}
NUMBER_SCHEMA = {"type": "integer", "format": "int64", "minimum": 0, "maximum": 2**53 - 1}
SEAT_PROPERTY: Node = {
    "seat": {**NUMBER_SCHEMA, "type": ["integer", "null"], "maximum": 99, "description": "The seat it is about."}
}
VIEW_PROPERTIES: Node = {
    "table": {"type": "object", "description": "Your table when this was sent, as `GET …/table` shows it."},
    "options": {"type": "object", "description": "Your legal lines when this was sent, as `GET …/options` shows them."},
}
HEADER_PARAMETERS = [
    header_parameter(
        "webhook-id",
        "The id of the message, the same for every attempt: use it to recognise copies.",
        "d3x7q9w2m4k8v6t5",
        required=True,
    ),
    header_parameter(
        "webhook-timestamp",
        "When it was sent, in seconds since 1970; refuse old ones.",
        "1794907800",
        required=True,
    ),
    header_parameter(
        "webhook-signature",
        "Signatures over `id.timestamp.body`, separated by spaces: `v1,` with HMAC-SHA-256, `v1a,` with Ed25519, in "
        "base64; more than one of each while secrets change.",
        "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
        required=True,
    ),
]
