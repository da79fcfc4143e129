"""Hooks: notifying other programs, by Standard Webhooks."""

from __future__ import annotations

from service.db.connection import write_transaction
from service.events import deliveries
from service.events.event_shapes import DeliveryShown
from service.shapes import Page
from service.web import auth, pagination
from service.web.openapi.blueprint import Answer, Blueprint
from service.web.request_context import current_config
from service.webhooks import subscriptions
from service.webhooks.hook_shapes import HookChange, HookMade, HookShown, NewHook, Pinged, Replay, Replayed

blueprint = Blueprint(
    "hooks", __name__, url_prefix="/v1/hooks", description="Notifying other programs (Standard Webhooks)."
)


@blueprint.post("", scope="play", once=True)
@blueprint.response(201, "The hook; its secret is not shown again.")
@blueprint.problems("limit-reached", "not-found", "forbidden")
def create(body: NewHook) -> Answer[HookMade]:
    """Add a hook.

    From now on the events you choose are posted to your URL: those of your own seats and of the matches you organise,
    or those of one match. Each has the headers `webhook-id`, `webhook-timestamp` and `webhook-signature`, with an HMAC
    (`v1`) and an Ed25519 signature (`v1a`). Answer 2xx within 15 seconds; anything else is retried after 5 seconds, 5
    and 30 minutes, 2, 5, 10, 14, 20 and 24 hours, then daily, for 30 days. For each match the oldest comes first, and
    later events wait for it. `410`, or five days without a success, switches the hook off, and you get an email. At
    most ten hooks per player. A program that plays asks for `turn.ready` with `include: ["view"]` and answers with
    `POST /v1/matches/{match}/moves`.
    """
    with write_transaction():
        made = subscriptions.create(auth.require_caller().player, body, current_config())
    return subscriptions.describe_new(made), 201, {"Location": f"/v1/hooks/{made.id}"}


@blueprint.get("", scope="read")
@blueprint.page("Oldest first.")
def list_hooks(query: pagination.Paging) -> Answer[Page[HookShown]]:
    """List your hooks.

    The list includes those that are switched off.
    """
    found = subscriptions.list_hooks(auth.require_caller().player, query.cursor_key, query.fetch_limit)
    items, headers = pagination.slice_page(found, query, lambda hook: (hook.created_at, hook.id))
    return Page(items=[subscriptions.describe(hook) for hook in items]), 200, headers


@blueprint.get("/<id:hook>", scope="read")
def get_hook(hook: str) -> HookShown:
    """Read one of your hooks.

    The answer shows whether it works, and how many messages wait for it.
    """
    return subscriptions.describe(subscriptions.find(auth.require_caller().player, hook))


@blueprint.patch("/<id:hook>", scope="play")
def change(body: HookChange, hook: str) -> HookShown:
    """Change a hook, or switch it off or on.

    While it is off its events wait, for 30 days; when it is switched on again, it gets them all in order.
    """
    return subscriptions.describe(subscriptions.change(auth.require_caller().player, hook, body, current_config()))


@blueprint.delete("/<id:hook>", scope="play")
@blueprint.response(204, "The hook and its waiting messages are removed.")
def remove(hook: str) -> None:
    """Remove a hook.

    Waiting messages are not sent.
    """
    subscriptions.remove(auth.require_caller().player, hook)


@blueprint.post("/<id:hook>/rotate", scope="play", once=True)
@blueprint.response(200, "The hook with its new secrets.")
def rotate_secrets(hook: str) -> HookMade:
    """Rotate the secrets.

    Both are replaced, the secret of `v1` and the key of `v1a`. For a day every message is also signed with the old
    ones.
    """
    with write_transaction():
        made = subscriptions.rotate_secrets(auth.require_caller().player, hook)
    return subscriptions.describe_new(made)


@blueprint.post("/<id:hook>/ping", scope="play")
@blueprint.response(202, "The message is on its way.")
@blueprint.problems("conflict")
def ping(hook: str) -> Answer[Pinged]:
    """Test a hook.

    Sends a message of type `ping`; the log of deliveries shows its outcome.
    """
    with write_transaction():
        made = subscriptions.ping(auth.require_caller().player, hook)
    return Pinged(delivery=made), 202, {"Location": f"/v1/hooks/{hook}/deliveries"}


@blueprint.post("/<id:hook>/replay", scope="play")
@blueprint.response(202, "The messages are on their way.")
@blueprint.problems("conflict")
def replay(body: Replay, hook: str) -> Answer[Replayed]:
    """Send again.

    Everything since a time is sent again, delivered or not, in order and with the original `webhook-id`.
    """
    count = subscriptions.replay(auth.require_caller().player, hook, body.since)
    return Replayed(count=count), 202, {"Location": f"/v1/hooks/{hook}/deliveries"}


@blueprint.get("/<id:hook>/deliveries", scope="read")
@blueprint.page("Latest first.")
def list_deliveries(query: pagination.Paging, hook: str) -> Answer[Page[DeliveryShown]]:
    """Read the log of a hook.

    It has every delivery of the last 90 days with every attempt, latest first.
    """
    found_hook = subscriptions.find(auth.require_caller().player, hook)
    found = deliveries.list_deliveries(found_hook.id, query.cursor_key, query.fetch_limit)
    items, headers = pagination.slice_page(found, query, lambda delivery: (delivery.at, delivery.id))
    return Page(items=items), 200, headers
