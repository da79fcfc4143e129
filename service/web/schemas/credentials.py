"""Bodies of tokens and keys, the keys of the server included."""

from __future__ import annotations

from collections.abc import Sequence

from service import shapes
from service.web.schemas.players import CREDENTIAL_EXAMPLE, read_label, scope_list

PEM_EXAMPLE = (
    "-----BEGIN PUBLIC KEY-----\n"
    "MCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=\n"
    "-----END PUBLIC KEY-----\n"
)

OTHER_KEY_EXAMPLE = "pTq2Vw8Kc0yJ5nD3rXbU7mZf1sGhLe9aQoYi4tCx6EM"
KEYS_LINE_EXAMPLE = f"keys {shapes.KEY_ID},{OTHER_KEY_EXAMPLE}"
MOST_APPROVALS = 50


def mailed_code() -> str:
    """Describe a code from an email."""
    about = "The six digits in the email, or the 26 characters at the end of its link."
    return shapes.text(about, "493028", most=26, least=6, pattern="^([0-9]{6}|[a-z0-9]{26})$")


class Exchange(shapes.Body):
    """A code to exchange for a token."""

    code: str = mailed_code()
    name: str = shapes.text(
        "A name for yourself, to recognise the token: 1 to 60 characters.",
        "laptop",
        least=1,
        most=60,
        read=read_label,
        default="token",
    )
    scopes: Sequence[str] = scope_list(default=lambda: ["play", "read"])
    expires_at: int | None = shapes.timestamp(
        "When the token expires; null or omitted: never.", "2027-11-16T09:40:00.000Z", default=None
    )


class TokenShown(shapes.Shape):
    """A token, without its secret."""

    id: str = shapes.ident("The id of the token.", "w7k3p9x2m6t4q8za")
    name: str = shapes.text("Its name.", "laptop")
    scopes: Sequence[str] = scope_list()
    created_at: int = shapes.timestamp("When it was created.")
    used_at: int | None = shapes.timestamp("When it was last used, to the minute; null if never.")
    expires_at: int | None = shapes.timestamp("When it expires; null: never.")


class TokenMade(TokenShown):
    """A new token, shown only this once."""

    token: str = shapes.text("The token itself. Keep it: it is not shown again.", CREDENTIAL_EXAMPLE)


class GivenJwk(shapes.OpenShape):
    """A public key in the form of RFC 8037; further members are ignored."""

    kty: str = shapes.text("The kind of key: always OKP.", "OKP", most=10)
    crv: str = shapes.text("The curve: always Ed25519.", "Ed25519", most=20)
    x: str = shapes.text("The 32 bytes of the key in base64url.", shapes.PUBLIC_KEY, most=100)


class JwkShown(shapes.Shape):
    """A public key in the form of RFC 8037."""

    kty: str = shapes.choice(("OKP",), "The kind of key: always OKP.")
    crv: str = shapes.choice(("Ed25519",), "The curve: always Ed25519.")
    x: str = shapes.text("The 32 bytes of the key in base64url.", shapes.PUBLIC_KEY)


class NewKey(shapes.Body):
    """A public key, as PEM or as JWK."""

    pem: str | None = shapes.text(
        "The key as `openssl pkey -pubout` prints it.", PEM_EXAMPLE, most=2000, lines=True, optional=True
    )
    jwk: GivenJwk | None = shapes.part("The key as a JWK (RFC 8037), for example from WebCrypto.", optional=True)
    label: str = shapes.text("A label for yourself.", "laptop", most=60, default="")
    seats: bool = shapes.flag(
        "Whether the key may play all your seats, also in running matches; needs the scope `account`.", default=False
    )

    def __post_init__(self) -> None:
        if (self.pem is None) == (self.jwk is None):
            raise shapes.BadShape("Give the key once: as `pem` or as `jwk`.", "pem")


class KeyShown(shapes.Shape):
    """A key."""

    id: str = shapes.key_id("The id of the key: its RFC 7638 thumbprint.")
    label: str = shapes.text("Its label.", "laptop")
    jwk: JwkShown = shapes.part("The key itself.")
    created_at: int = shapes.timestamp("When it was added.", "2026-11-16T09:41:00.000Z")
    revoked_at: int | None = shapes.timestamp("When it was revoked; null while it is valid.")
    replaced_at: int | None = shapes.timestamp(
        "When it stopped getting new seats, because its token got another key or was revoked; null if it still does."
    )
    seats: bool = shapes.flag("Whether it may play all your seats, also in running matches.")
    token: str | None = shapes.ident("The token that allowed this; null if none did.", "w7k3p9x2m6t4q8za")
    claim_due_at: int | None = shapes.timestamp(
        "When it may play matches with signed moves unless you revoke it first; null if no claim is pending."
    )


class Claim(shapes.Body):
    """A code from a new email."""

    request: str = shapes.ident("The id that `POST /v1/tokens` gave.", "r4k8w2m6x9q3t7vb")
    code: str = mailed_code()


class ApprovalShown(shapes.Shape):
    """A line that an older key of a seat signs to let a new key play there."""

    match: str = shapes.ident("The match.", shapes.MATCH_ID)
    game: str = shapes.text("Its game.", shapes.GAME_SLUG)
    title: str = shapes.text("Its title; empty if it has none.", "Tuesday table")
    moves: str = shapes.choice(
        ("any", "signed"),
        "`signed`: the new key plays only once this is signed. `any`: it plays anyway, and is proved by this.",
    )
    seat: int = shapes.seat()
    asked: int = shapes.number("Part of the signed text: the last entry of the log.", 2)
    prev: str = shapes.text("Part of the signed text: the hash of that entry.", shapes.HASH)
    line: str = shapes.text("The line to sign, as line 1 of a submission with `now`.", KEYS_LINE_EXAMPLE, most=400)
    keys: Sequence[str] = shapes.items(
        "The keys that may sign; empty if the seat has none left.",
        of=shapes.key_id("The id of a key.", OTHER_KEY_EXAMPLE),
    )
    waiting: int = shapes.number("How many of your lines wait there as orders; signing drops them.", 0)


class ApprovalBody(shapes.Body):
    """A signed line for one match."""

    match: str = shapes.ident("The match.", shapes.MATCH_ID)
    asked: int = shapes.number("As listed.", 2, most=2147483647)
    prev: str = shapes.hex_digits(64, "As listed.", shapes.HASH)
    line: str = shapes.text("The line, as listed.", KEYS_LINE_EXAMPLE, most=400, least=1)
    key: str = shapes.key_id("The key that signs.", OTHER_KEY_EXAMPLE)
    signature: str = shapes.hex_digits(128, "Its signature, as for a move.", shapes.SIGNATURE)


class ApprovalsBody(shapes.Body):
    """Signed lines for one or more matches."""

    items: Sequence[ApprovalBody] = shapes.items("One for each match.", most=MOST_APPROVALS, least=1)


class ApprovedShown(shapes.Shape):
    """The outcome of one signed line."""

    match: str = shapes.ident("The match.", shapes.MATCH_ID)
    made: bool = shapes.flag("Whether the line is in the log.", True)
    type: str | None = shapes.text("The kind of problem if it is not; null if it is.")
    detail: str = shapes.text("What was wrong, in your language; empty if it was accepted.", "", most=2000)


class ApprovalResults(shapes.Shape):
    """The outcome of each signed line."""

    items: Sequence[ApprovedShown] = shapes.items("In the order in which they were sent.", most=MOST_APPROVALS)
