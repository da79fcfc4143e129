"""The receipt for joining, as a player keeps it."""

from __future__ import annotations

from typing import Any

from service.web.schemas.fields import Id, Shown, Text, Whole

JOIN: dict[str, Any] = {
    "at": 1_794_907_800_000,
    "keys": "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k",
    "match": "m7q2x9v4k8t3w6zp",
    "nonce": "00ff",
    "player": "k3v9m2x7q4p8w6ya",
    "seat": 0,
    "seed": "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd",
    "server": "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k",
    "signature": "5c" * 64,
    "type": "join",
}


class JoinReceipt(Shown):
    """What the server signs for a seat: it binds the match to the seed it committed to."""

    at = Whole(required=True, about="When, in milliseconds since 1970.", example=JOIN["at"])
    keys = Text(required=True, most=400, about="The keys of the seat, with commas; `-` for none.", example=JOIN["keys"])
    match = Id(required=True, about="The match.", example=JOIN["match"])
    nonce = Text(required=True, about="The nonce of the seat, `-` for none.", example=JOIN["nonce"])
    player = Id(required=True, about="Who joined.", example=JOIN["player"])
    seat = Whole(required=True, most=98, about="The seat.", example=JOIN["seat"])
    seed = Text(required=True, about="The hash of the seed: SHA-256 of its 32 bytes, in hex.", example=JOIN["seed"])
    server = Text(required=True, about="The server's key, from `/.well-known/echtra.json`.", example=JOIN["server"])
    signature = Text(
        required=True,
        about="Its signature over `echtra-join-v1`, `match`, `seat`, `player`, `seed`, `nonce`, `keys` and `at`, "
        "each followed by a line feed.",
        example=JOIN["signature"],
    )
    type = Text(required=True, about="Always `join`.", example="join")
