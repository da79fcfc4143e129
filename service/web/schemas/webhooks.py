"""What hooks take and show."""

from __future__ import annotations

from typing import Any

from marshmallow import fields, validate

from service.events.log import TYPES
from service.web.schemas.fields import (
    BooleanField,
    ChoiceField,
    IdField,
    IntegerField,
    ListField,
    NestedField,
    RequestSchema,
    ResponseSchema,
    TextField,
    TimestampField,
)
from service.webhooks.subscriptions import PING
from service.webhooks.url_policy import LONGEST

URL_EXAMPLE = "https://example.org/echtra"
HOOK_EXAMPLE: dict[str, Any] = {
    "id": "h4k8w2m6x9q3v7tp",
    "url": URL_EXAMPLE,
    "match": None,
    "events": ["turn.ready", "match.over"],
    "include": ["view"],
    "public_key": "whpk_11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=",
    "created_at": "2026-11-16T09:30:00.000Z",
    "enabled": True,
    "disabled_at": None,
    "why": "",
    "failing_since": None,
    "waiting": 0,
}
NEW_HOOK_EXAMPLE: dict[str, Any] = {**HOOK_EXAMPLE, "secret": "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD+s0YyQYGCpc="}
TRY_EXAMPLE: dict[str, Any] = {"at": "2026-11-16T09:31:00.000Z", "code": 200, "answer": "ok", "ms": 41}
DELIVERY_EXAMPLE: dict[str, Any] = {
    "id": "d3x7q9w2m4k8v6t5z2n8r4p7",
    "type": "turn.ready",
    "match": "m7q2x9v4k8t3w6zp",
    "seat": 1,
    "seq": 41,
    "at": "2026-11-16T09:30:59.000Z",
    "status": "delivered",
    "attempts": 1,
    "due_at": None,
    "sent_at": "2026-11-16T09:31:00.000Z",
    "code": 200,
    "answer": "ok",
    "tries": [TRY_EXAMPLE],
}
DELIVERY_STATUSES = ("queued", "delivered", "expired")
INCLUDE_TEXT = "`view` adds to each message your table and your open lines, as they are when it is sent."
EVENTS_TEXT = "Which events; all if left out."


def _url_field(**more: Any) -> TextField:  # noqa: ANN401  # as marshmallow has it
    told = "Where to post: https on port 443 of a public address, unless the operator allows more."
    return TextField(most=LONGEST, least=1, about=told, example=URL_EXAMPLE, **more)


def _events_field(**more: Any) -> fields.List:  # noqa: ANN401
    one = ChoiceField(list(TYPES), about="A type of event.", example="turn.ready")
    return ListField(one, least=1, most=len(TYPES), about=EVENTS_TEXT, example=HOOK_EXAMPLE["events"], **more)


def _include_field(**more: Any) -> fields.List:  # noqa: ANN401
    one = ChoiceField(["view"], about="What to add.", example="view")
    return ListField(one, most=1, about=INCLUDE_TEXT, example=["view"], **more)


class NewHookSchema(RequestSchema):
    """An address that wants to be told."""

    url: Any = _url_field(required=True)
    match: Any = IdField(
        load_default=None, allow_none=True, about="Only events of this match, which you need not play in."
    )
    events: Any = _events_field(load_default=lambda: list(TYPES))
    include: Any = _include_field(load_default=list)


class HookChangeSchema(RequestSchema):
    """What may be changed; what is left out stays."""

    url: Any = _url_field()
    events: Any = _events_field()
    include: Any = _include_field()
    enabled: Any = BooleanField(
        about="False switches the hook off; true switches it on again and tries at once.", example=True
    )


class HookShownSchema(ResponseSchema):
    """A hook."""

    id: Any = IdField(required=True, about="Its id.", example=HOOK_EXAMPLE["id"])
    url: Any = TextField(required=True, most=LONGEST, about="Where we post.", example=URL_EXAMPLE)
    match: Any = IdField(required=True, allow_none=True, about="The match it is for; null for all of yours.")
    events: Any = _events_field(required=True)
    include: Any = _include_field(required=True)
    public_key: Any = TextField(
        required=True, about="The Ed25519 key that checks signatures `v1a`.", example=HOOK_EXAMPLE["public_key"]
    )
    created_at: Any = TimestampField(required=True, about="When it was made.")
    enabled: Any = BooleanField(required=True, about="Whether it is sent anything.", example=True)
    disabled_at: Any = TimestampField(required=True, allow_none=True, about="When it was switched off.")
    why: Any = TextField(required=True, most=500, about="Why it was switched off.", example="")
    failing_since: Any = TimestampField(required=True, allow_none=True, about="Since when nothing has arrived.")
    waiting: Any = IntegerField(required=True, about="How many deliveries wait.", example=0)


class HookMadeSchema(HookShownSchema):
    """A hook with its secret, shown this once."""

    secret: Any = TextField(
        required=True, about="The secret that checks signatures `v1`.", example=NEW_HOOK_EXAMPLE["secret"]
    )


class HookPageSchema(ResponseSchema):
    """Your hooks."""

    items: Any = ListField(NestedField(HookShownSchema(), about="A hook."), required=True, about="Oldest first.")


class TryShownSchema(ResponseSchema):
    """One try of a delivery."""

    at: Any = TimestampField(required=True, about="When.", example=TRY_EXAMPLE["at"])
    code: Any = IntegerField(
        required=True, allow_none=True, most=999, about="The status; null for no answer.", example=200
    )
    answer: Any = TextField(
        required=True, about="The first 200 printable characters of an answer 2xx to 4xx, or why there is none.",
        example="ok",
    )  # fmt: skip
    ms: Any = IntegerField(required=True, about="How long it took.", example=41)


class DeliveryShownSchema(ResponseSchema):
    """An event on its way to a hook."""

    id: Any = IdField(required=True, about="Its id: the `webhook-id` of every try.", example=DELIVERY_EXAMPLE["id"])
    type: Any = ChoiceField(
        [*TYPES, PING], required=True, about="The type of the event, or `ping`.", example="turn.ready"
    )
    match: Any = IdField(required=True, allow_none=True, about="The match.", example=DELIVERY_EXAMPLE["match"])
    seat: Any = IntegerField(required=True, allow_none=True, most=99, about="The seat.", example=1)
    seq: Any = IntegerField(required=True, about="The seq of the event.", example=41)
    at: Any = TimestampField(required=True, about="When it happened.", example=DELIVERY_EXAMPLE["at"])
    status: Any = ChoiceField(DELIVERY_STATUSES, required=True, about="Where it stands.", example="delivered")
    attempts: Any = IntegerField(required=True, about="How often it was tried since it was queued.", example=1)
    due_at: Any = TimestampField(
        required=True, allow_none=True, about="When it is tried next, once those before it are through."
    )
    sent_at: Any = TimestampField(required=True, allow_none=True, about="When it was tried last.")
    code: Any = IntegerField(required=True, allow_none=True, most=999, about="The status of the last try.", example=200)
    answer: Any = TextField(required=True, about="What the last try got.", example="ok")
    tries: Any = ListField(
        NestedField(TryShownSchema(), about="A try."), required=True, about="Every try, oldest first."
    )


class DeliveryPageSchema(ResponseSchema):
    """The log of a hook."""

    items: Any = ListField(
        NestedField(DeliveryShownSchema(), about="A delivery."), required=True, about="Latest first."
    )


class PingedSchema(ResponseSchema):
    """A delivery that was queued."""

    delivery: Any = IdField(
        required=True, about="The id of the delivery, as in the log.", example=DELIVERY_EXAMPLE["id"]
    )


class ReplaySchema(RequestSchema):
    """From when on."""

    since: Any = TimestampField(required=True, about="Everything that happened at or after this time.")


class ReplayedSchema(ResponseSchema):
    """How much will be sent again."""

    count: Any = fields.Integer(
        required=True,
        strict=True,
        validate=validate.Range(0, 2**53 - 1),
        metadata={"description": "How many deliveries.", "example": 12},
    )
