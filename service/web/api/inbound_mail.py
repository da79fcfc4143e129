"""Email that a provider delivers by HTTP."""

from __future__ import annotations

import hmac

from flask import request

from service import shapes
from service.i18n.catalogue import msg
from service.mail.incoming import inbox, large_messages, parse_message
from service.problems import Problem
from service.web import json_body, rate_limits
from service.web.middleware import current_record
from service.web.openapi.blueprint import Blueprint
from service.web.openapi.nodes import header_parameter
from service.web.request_context import current_config


class KeptShown(shapes.Shape):
    """Number of recipients that are ours."""

    kept: int = shapes.number("For how many of our addresses the message was stored; 0 if it names none of them.", 1)


blueprint = Blueprint("inbound", __name__, url_prefix="/v1/inbound", description="Email that a provider delivers.")
SECRET_HEADER = "X-Echtra-Secret"  # noqa: S105  # the name of a header
MESSAGE_MEDIA_TYPE = "message/rfc822"


@blueprint.post("/mail")
@blueprint.doc(
    parameters=[
        header_parameter(
            SECRET_HEADER, "The value of ECHTRA_INBOUND_SECRET.", "correct-horse-battery", required=True, maxLength=2000
        ),
        header_parameter("X-Envelope-From", "The envelope sender; `<>` for none.", "aoife@example.org", maxLength=2000),
        header_parameter(
            "X-Envelope-To", "The envelope recipients, separated by commas.", "echtra@example.org", maxLength=2000
        ),
    ],
    requestBody={
        "required": True,
        "content": {
            MESSAGE_MEDIA_TYPE: {
                "schema": {
                    "type": "string",
                    "contentMediaType": MESSAGE_MEDIA_TYPE,
                    "maxLength": large_messages.MOST_REPLY_BYTES,
                },
                "example": "From: aoife@example.org\r\nTo: echtra@example.org\r\n\r\nhelp\r\n",
            }
        },
    },
)
@blueprint.response(202, "The message is stored and will be read.")
@blueprint.problems("forbidden", "not-found")
def take_message() -> KeptShown:
    """Deliver a message.

    For mail providers that deliver by HTTP: send the whole message as received, with the secret of the service in a
    header. A message may have at most 1 MiB, one to a reply address 10 MiB. Give the sender and recipients of the
    envelope if you know them; otherwise the headers of the message are used. The same message is stored only once.
    """
    config = current_config()
    if not config.inbound_secret:
        raise Problem("not-found", msg("requests.no_mail_by_http"))
    secret = request.headers.get(SECRET_HEADER, "")
    if not hmac.compare_digest(secret.encode(), config.inbound_secret.encode()):
        rate_limits.count_failed_signature(current_record(), rate_limits.current_limits())
        raise Problem("forbidden", msg("requests.wrong_mail_secret", header=SECRET_HEADER))
    if request.mimetype != MESSAGE_MEDIA_TYPE:
        raise Problem(
            "wrong-media-type",
            msg("requests.mail_media_type", type=MESSAGE_MEDIA_TYPE),
            accepted=MESSAGE_MEDIA_TYPE,
        )
    raw = json_body.read_bytes(large_messages.MOST_REPLY_BYTES)
    if not raw.strip():
        raise Problem("bad-request", msg("requests.no_message"))
    to = request.headers.get("X-Envelope-To")
    recipients = None if to is None else tuple(each.strip(" <>") for each in to.split(",") if each.strip())
    kept = inbox.store(raw, "http", config, envelope=request.headers.get("X-Envelope-From"), recipients=recipients)
    if not kept and len(raw) > parse_message.MOST_BYTES:
        most = parse_message.MOST_BYTES
        raise Problem("too-large", msg("requests.body_too_large", most=most), most=most)
    return KeptShown(kept=len(kept))
