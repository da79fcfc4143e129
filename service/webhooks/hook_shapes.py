"""JSON shapes of hooks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Unpack

from service import shapes
from service.events.event_shapes import TYPES
from service.webhooks.url_policy import LONGEST

URL_EXAMPLE = "https://example.org/echtra"


def hook_url(**extras: Unpack[shapes.Extras]) -> Any:  # noqa: ANN401
    """Describe the address of a hook."""
    about = "Where to post: https on port 443 of a public address, unless the operator allows more."
    return shapes.text(about, URL_EXAMPLE, most=LONGEST, least=1, **extras)


def event_types(**extras: Unpack[shapes.Extras]) -> Any:  # noqa: ANN401
    """Describe the events that a hook wants."""
    event = shapes.choice(TYPES, "A type of event.", "turn.ready")
    example = ["turn.ready", "match.over"]
    return shapes.items("Which events; all if left out.", example, of=event, least=1, most=len(TYPES), **extras)


def includes(**extras: Unpack[shapes.Extras]) -> Any:  # noqa: ANN401
    """Describe the additions to the messages of a hook."""
    about = "`view` adds to each message your table and your open lines, as they are when it is sent."
    return shapes.items(about, of=shapes.choice(["view"], "What to add."), most=1, **extras)


class NewHook(shapes.Body):
    """A webhook subscription."""

    url: str = hook_url()
    match: str | None = shapes.ident("Only events of this match, which you need not play in.", default=None)
    events: Sequence[str] = event_types(default=lambda: list(TYPES))
    include: Sequence[str] = includes(default=list)


class HookChange(shapes.Body):
    """Changes of a hook. Omitted members stay unchanged."""

    url: str | None = hook_url(optional=True, default=None)
    events: Sequence[str] | None = event_types(optional=True, default=None)
    include: Sequence[str] | None = includes(optional=True, default=None)
    enabled: bool | None = shapes.flag(
        "False switches the hook off; true switches it on again and tries at once.", True, optional=True, default=None
    )


class HookShown(shapes.Shape):
    """A hook."""

    id: str = shapes.ident("Its id.", "h4k8w2m6x9q3v7tp")
    url: str = shapes.text("Where we post.", URL_EXAMPLE, most=LONGEST)
    match: str | None = shapes.ident("The match it is for; null for all of yours.")
    events: Sequence[str] = event_types()
    include: Sequence[str] = includes()
    public_key: str = shapes.text(
        "The Ed25519 key that checks signatures `v1a`.", "whpk_11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo="
    )
    created_at: int = shapes.timestamp("When it was made.")
    enabled: bool = shapes.flag("Whether it is sent anything.", True)
    disabled_at: int | None = shapes.timestamp("When it was switched off.")
    why: str = shapes.text("Why it was switched off.", "", most=500)
    failing_since: int | None = shapes.timestamp("Since when nothing has arrived.")
    waiting: int = shapes.number("How many deliveries wait.", 0)


class HookMade(HookShown):
    """A hook with its secret, which is shown only now."""

    secret: str = shapes.text(
        "The secret that checks signatures `v1`.", "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD+s0YyQYGCpc="
    )


class Pinged(shapes.Shape):
    """A delivery that was queued."""

    delivery: str = shapes.ident("The id of the delivery, as in the log.", "d3x7q9w2m4k8v6t5z2n8r4p7")


class Replay(shapes.Body):
    """The time to start from."""

    since: int = shapes.timestamp("Everything that happened at or after this time.")


class Replayed(shapes.Shape):
    """The number of deliveries that are queued again."""

    count: int = shapes.number("How many deliveries.", 12)
