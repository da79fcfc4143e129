"""The part of the document on messages that we send: one for each type of event."""

from __future__ import annotations

from typing import Any

from service.events.event_shapes import PING, TYPES
from service.shapes import MATCH_ID, TOURNAMENT_ID, example_json
from service.webhooks.hook_shapes import HookShown

JsonObject = dict[str, Any]
OF_TOURNAMENTS = "tournament."
"""How the types of events begin that happen in a tournament and at no table."""
RESPONSES = {
    "2XX": {"description": "You have it; the next event of this match follows."},
    "410": {"description": "You want no more: the hook is switched off, and its owner gets a letter."},
    "default": {"description": "Not now: it is tried again, and nothing of this match overtakes it."},
}


def webhooks_section() -> JsonObject:
    """Every message, by the type of its event."""
    found = {name: {"post": _message_operation(name, about, _data_schema(name))} for name, about in TYPES.items()}
    ping = {"type": "object", "required": ["hook"], "properties": {"hook": HOOK_ID_SCHEMA}}
    return {**found, PING: {"post": _message_operation(PING, "A test, asked for by the owner of the hook.", ping)}}


def _message_operation(name: str, about: str, data: JsonObject) -> JsonObject:
    values: JsonObject = {"hook": example_json(HookShown)["id"]}
    if name.startswith(OF_TOURNAMENTS):
        url = f"https://example.org/v1/tournaments/{TOURNAMENT_ID}"
        values |= {"event": 4711, "tournament": TOURNAMENT_ID, "seq": 41, "url": url}
    elif name != PING:
        url = f"https://example.org/v1/matches/{MATCH_ID}"
        values |= {"event": 4711, "match": MATCH_ID, "seat": 1, "seq": 41, "url": url}
    return {
        "tags": ["hooks"],
        "summary": f"The message {name}",
        "description": f"{about} Signed by Standard Webhooks; the same `webhook-id` however often it is tried.",
        "operationId": f"hook-{name.replace('.', '-')}",
        "security": [],
        "parameters": HEADER_PARAMETERS,
        "requestBody": {
            "required": True,
            "description": 'Ids and where to read more; with `include: ["view"]` your table and open lines too.',
            "content": {
                "application/json": {
                    "schema": _message_schema(name, data),
                    "example": {"type": name, "timestamp": "2026-11-16T09:30:00.000Z", "data": values},
                }
            },
        },
        "responses": RESPONSES,
    }


def _message_schema(name: str, data: JsonObject) -> JsonObject:
    properties = {
        "type": {"const": name, "description": "What happened."},
        "timestamp": {"type": "string", "format": "date-time", "description": "When it happened."},
        "data": {**data, "description": "What it is about."},
    }
    return {"type": "object", "required": ["type", "timestamp", "data"], "properties": properties}


def _tournament_schema(name: str) -> JsonObject:
    properties: JsonObject = {
        "hook": HOOK_ID_SCHEMA,
        "event": {**NUMBER_SCHEMA, "description": "The number of the event, as in `GET /v1/events`."},
        "tournament": {"type": "string", "description": "The id of the tournament."},
        "seq": {**NUMBER_SCHEMA, "description": TYPES[name]},
        "url": {"type": "string", "format": "uri", "description": "Where to read the tournament."},
    }
    return {"type": "object", "required": list(properties), "properties": properties}


def _data_schema(name: str) -> JsonObject:
    if name.startswith(OF_TOURNAMENTS):
        return _tournament_schema(name)
    table = {"type": "object", "description": "Your table when this was sent, as `GET …/table` shows it."}
    options = {"type": "object", "description": "Your open lines when this was sent, as `GET …/options` shows them."}
    seat = {
        "type": ["integer", "null"],
        "format": "int64",
        "minimum": 0,
        "maximum": 99,
        "description": "The seat it is about.",
    }
    properties: JsonObject = {
        "hook": HOOK_ID_SCHEMA,
        "event": {**NUMBER_SCHEMA, "description": "The number of the event, as in `GET /v1/events`."},
        "match": {"type": "string", "description": "The id of the match."},
        "seat": seat,
        "seq": {**NUMBER_SCHEMA, "description": TYPES[name]},
        "url": {"type": "string", "format": "uri", "description": "Where to read the match."},
        "table": table,
        "options": options,
    }
    return {"type": "object", "required": ["hook", "event", "match", "seat", "seq", "url"], "properties": properties}


def _header_parameter(name: str, about: str, example: str) -> JsonObject:
    return {
        "in": "header",
        "name": name,
        "required": True,
        "description": about,
        "schema": {"type": "string"},
        "example": example,
    }


HOOK_ID_SCHEMA = {"type": "string", "description": "The id of the hook."}
NUMBER_SCHEMA = {"type": "integer", "format": "int64", "minimum": 0, "maximum": 2**53 - 1}
HEADER_PARAMETERS = [
    _header_parameter(
        "webhook-id", "The id of the message, the same for every try: use it to know copies.", "d3x7q9w2m4k8v6t5"
    ),
    _header_parameter(
        "webhook-timestamp", "When it was sent, in seconds since 1970; refuse what is old.", "1794907800"
    ),
    _header_parameter(
        "webhook-signature",
        "Signatures over `id.timestamp.body`, separated by spaces: `v1,` with HMAC-SHA-256, `v1a,` with Ed25519, in "
        "base64; more than one of each while secrets change.",
        "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    ),
]
