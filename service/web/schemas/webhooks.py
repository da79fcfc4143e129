"""What hooks take and show."""

from __future__ import annotations

from typing import Any

from marshmallow import fields, validate

from service.events.log import TYPES
from service.web.schemas.fields import Choice, Flag, Id, Inside, Many, Shown, Strict, Text, When, Whole
from service.webhooks.url_policy import LONGEST

URL = "https://example.org/echtra"
HOOK: dict[str, Any] = {
    "id": "h4k8w2m6x9q3v7tp",
    "url": URL,
    "match": None,
    "league": None,
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
MADE: dict[str, Any] = {**HOOK, "secret": "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD+s0YyQYGCpc="}
TRY: dict[str, Any] = {"at": "2026-11-16T09:31:00.000Z", "code": 200, "answer": "ok", "ms": 41}
DELIVERY: dict[str, Any] = {
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
    "tries": [TRY],
}
STATUSES = ("queued", "delivered", "expired")
INCLUDE = "`view` adds to each message your table and your open lines, as they are when it is sent."
WANTED = "Which events; all if left out."


def _address(**more: Any) -> Text:  # noqa: ANN401  # as marshmallow has it
    told = "Where to post: https on port 443 of a public address, unless the operator allows more."
    return Text(most=LONGEST, least=1, about=told, example=URL, **more)


def _events(**more: Any) -> fields.List:  # noqa: ANN401
    one = Choice(list(TYPES), about="A type of event.", example="turn.ready")
    return Many(one, least=1, most=len(TYPES), about=WANTED, example=HOOK["events"], **more)


def _include(**more: Any) -> fields.List:  # noqa: ANN401
    one = Choice(["view"], about="What to add.", example="view")
    return Many(one, most=1, about=INCLUDE, example=["view"], **more)


class NewHook(Strict):
    """An address that wants to be told."""

    url: Any = _address(required=True)
    match: Any = Id(load_default=None, allow_none=True, about="Only events of this match, which you need not play in.")
    league: Any = Id(
        load_default=None, allow_none=True, about="Only events of matches of this league, which you opened."
    )
    events: Any = _events(load_default=lambda: list(TYPES))
    include: Any = _include(load_default=list)


class HookChange(Strict):
    """What may be changed; what is left out stays."""

    url: Any = _address()
    events: Any = _events()
    include: Any = _include()
    enabled: Any = Flag(about="False switches the hook off; true switches it on again and tries at once.", example=True)


class HookShown(Shown):
    """A hook."""

    id: Any = Id(required=True, about="Its id.", example=HOOK["id"])
    url: Any = Text(required=True, most=LONGEST, about="Where we post.", example=URL)
    match: Any = Id(required=True, allow_none=True, about="The match it is for; null for all of yours.")
    league: Any = Id(required=True, allow_none=True, about="The league it is for; null for none.")
    events: Any = _events(required=True)
    include: Any = _include(required=True)
    public_key: Any = Text(
        required=True, about="The Ed25519 key that checks signatures `v1a`.", example=HOOK["public_key"]
    )
    created_at: Any = When(required=True, about="When it was made.")
    enabled: Any = Flag(required=True, about="Whether it is sent anything.", example=True)
    disabled_at: Any = When(required=True, allow_none=True, about="When it was switched off.")
    why: Any = Text(required=True, most=500, about="Why it was switched off.", example="")
    failing_since: Any = When(required=True, allow_none=True, about="Since when nothing has arrived.")
    waiting: Any = Whole(required=True, about="How many deliveries wait.", example=0)


class HookMade(HookShown):
    """A hook with its secret, shown this once."""

    secret: Any = Text(required=True, about="The secret that checks signatures `v1`.", example=MADE["secret"])


class HookPage(Shown):
    """Your hooks."""

    items: Any = Many(Inside(HookShown(), about="A hook."), required=True, about="Oldest first.")


class TryShown(Shown):
    """One try of a delivery."""

    at: Any = When(required=True, about="When.", example=TRY["at"])
    code: Any = Whole(required=True, allow_none=True, most=999, about="The status; null for no answer.", example=200)
    answer: Any = Text(
        required=True, about="The first 200 printable characters of an answer 2xx to 4xx, or why there is none.",
        example="ok",
    )  # fmt: skip
    ms: Any = Whole(required=True, about="How long it took.", example=41)


class DeliveryShown(Shown):
    """An event on its way to a hook."""

    id: Any = Id(required=True, about="Its id: the `webhook-id` of every try.", example=DELIVERY["id"])
    type: Any = Text(required=True, about="The type of the event, or `ping`.", example="turn.ready")
    match: Any = Id(required=True, allow_none=True, about="The match.", example=DELIVERY["match"])
    seat: Any = Whole(required=True, allow_none=True, most=99, about="The seat.", example=1)
    seq: Any = Whole(required=True, about="The seq of the event.", example=41)
    at: Any = When(required=True, about="When it happened.", example=DELIVERY["at"])
    status: Any = Choice(STATUSES, required=True, about="Where it stands.", example="delivered")
    attempts: Any = Whole(required=True, about="How often it was tried since it was queued.", example=1)
    due_at: Any = When(required=True, allow_none=True, about="When it is tried next, once those before it are through.")
    sent_at: Any = When(required=True, allow_none=True, about="When it was tried last.")
    code: Any = Whole(required=True, allow_none=True, most=999, about="The status of the last try.", example=200)
    answer: Any = Text(required=True, about="What the last try got.", example="ok")
    tries: Any = Many(Inside(TryShown(), about="A try."), required=True, about="Every try, oldest first.")


class DeliveryPage(Shown):
    """The log of a hook."""

    items: Any = Many(Inside(DeliveryShown(), about="A delivery."), required=True, about="Latest first.")


class Pinged(Shown):
    """A delivery that was queued."""

    delivery: Any = Id(required=True, about="The id of the delivery, as in the log.", example=DELIVERY["id"])


class Replay(Strict):
    """From when on."""

    since: Any = When(required=True, about="Everything that happened at or after this time.")


class Replayed(Shown):
    """How much will be sent again."""

    count: Any = fields.Integer(
        required=True,
        strict=True,
        validate=validate.Range(0, 2**53 - 1),
        metadata={"description": "How many deliveries.", "example": 12},
    )
