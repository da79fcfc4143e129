"""Documents at fixed addresses: the server's keys, and the contact for security reports."""

from __future__ import annotations

from flask import Response

from service.config import security_contact
from service.play import server_keys
from service.play.server_keys import ServerKeysShown
from service.timestamps import DAY, now, rfc3339
from service.web.openapi.blueprint import Answer, Blueprint
from service.web.openapi.nodes import good_answer, text_content
from service.web.request_context import current_config

blueprint = Blueprint(
    "server-keys", __name__, url_prefix="/.well-known", description="The keys that the server signs with."
)


@blueprint.get("/echtra.json")
def get_server_keys() -> Answer[ServerKeysShown]:
    """Get the server's keys.

    Receipts and records are signed with them. Keys are never removed from this list, so that old signatures can be
    checked.
    """
    server_keys.current_key()
    return server_keys.published_keys(), 200, {"Cache-Control": "public, max-age=300"}


CONTACT_EXAMPLE = "Contact: mailto:echtra@example.org\nExpires: 2027-05-15T00:00:00.000Z\nPreferred-Languages: en, fr\n"
CONTACT_ANSWER = good_answer("The file of RFC 9116.", text_content("text/plain", CONTACT_EXAMPLE))
CONTACT_VALID_FOR = 180 * DAY


@blueprint.get("/security.txt")
@blueprint.doc(responses=CONTACT_ANSWER)
def get_security_contact() -> Response:
    """Find the contact for security reports.

    This is the file of RFC 9116. Please test on an instance of your own.
    """
    config = current_config()
    until = (now() + CONTACT_VALID_FOR) // DAY * DAY
    lines = (
        f"Contact: {security_contact(config)}",
        f"Expires: {rfc3339(until)}",
        "Preferred-Languages: en, fr",
        f"Canonical: {config.url}/.well-known/security.txt",
    )
    text = "".join(f"{line}\n" for line in lines)
    headers = {"Cache-Control": "public, max-age=86400"}
    return Response(text, content_type="text/plain; charset=utf-8", headers=headers)
