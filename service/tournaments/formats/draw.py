"""Draws: all chance in a tournament comes from a committed seed and a value of a public beacon.

A tournament publishes `chain`, the 1,024th hash of a secret seed. Draw number d opens key number d, which hashes to the
key before it, so nobody can replace it. The beacon value did not exist when the seed was committed, so nobody could
choose the seed to fit. A draw gives the lot order of the entrants. "By the draw" means earlier in that order.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256

from engine.chance import Numbered
from service.record.hashing import hmac_sha256, sha256_hex
from service.record.patterns import HASH, is_beacon
from service.tournaments.formats.faults import FormatFault
from service.tournaments.formats.log_lines import NO_VALUE, DrawLine, RoundName

CHAIN_LENGTH = 1024
SECRET_BYTES = 32
NO_BEACON = NO_VALUE
QUICKNET = "drand-quicknet"
QUICKNET_GENESIS = 1_692_803_367_000
QUICKNET_PERIOD = 3_000
BEACON_DELAY = 600_000
"""Time in ms between the line that makes a draw due and the earliest beacon round it may use.

Ten minutes, so that the line is public before anybody can know the value.
"""


class BadDraw(FormatFault):
    """A draw that does not follow from the commitments in the header."""

    reason = "draw"


def draw_digest(draw: DrawLine) -> bytes:
    """Return the key from which the picks of a draw are derived."""
    return hmac_sha256(bytes.fromhex(draw.key), "draw", str(draw.round), draw.value)


def _hash_again(secret: bytes, times: int) -> bytes:
    for _ in range(times):
        secret = sha256(secret).digest()
    return secret


def _check_secret(secret: bytes) -> None:
    if len(secret) != SECRET_BYTES:
        raise BadDraw("secret", bytes=SECRET_BYTES, given=len(secret))


def commit_chain(seed: bytes) -> str:
    """Return the commitment to the seed in the header: its 1,024th hash, 64 hex digits."""
    return open_key(seed, 0)


def commit_deals(deals: bytes) -> str:
    """Return the commitment in the header to the secret of all deals."""
    _check_secret(deals)
    return sha256_hex(deals)


def open_key(seed: bytes, draw: int) -> str:
    """Return the key of a draw, 64 hex digits. Draw 0 is the published chain itself."""
    _check_secret(seed)
    if not 0 <= draw <= CHAIN_LENGTH:
        raise BadDraw("many_draws", most=CHAIN_LENGTH)
    return _hash_again(seed, CHAIN_LENGTH - draw).hex()


def make_draw(seed: bytes, number: int, round_name: RoundName, value: str = NO_BEACON) -> DrawLine:
    """Return the draw with this number, counted from 1 in the tournament."""
    if number < 1:
        raise BadDraw("draw_number")
    if not is_beacon(value):
        raise BadDraw("beacon_form", value=value)
    return DrawLine(round_name, open_key(seed, number), value)


def check_key(key: str, before: str) -> None:
    """Raise `BadDraw` for a key that does not hash to the one before it, or to the chain if it is the first."""
    if HASH.fullmatch(key) is None:
        raise BadDraw("key_form")
    if sha256(bytes.fromhex(key)).hexdigest() != before:
        raise BadDraw("key_chain")


def beacon_round(due: int) -> int:
    """Return the round of quicknet that a draw takes: the first at least ten minutes after `due`, in ms."""
    late = due + BEACON_DELAY - QUICKNET_GENESIS
    return max(1, 1 - (-late // QUICKNET_PERIOD))


def check_value(value: str, beacon: str, due: int) -> None:
    """Raise `BadDraw` for a value that is malformed, from another beacon, or not of the round that follows `due`."""
    if beacon == "none":
        if value != NO_BEACON:
            raise BadDraw("no_beacon")
        return
    name, _, rest = value.partition(":")
    if not is_beacon(value) or value == NO_BEACON:
        raise BadDraw("value_form", value=value, beacon=beacon)
    if name != beacon:
        raise BadDraw("other_beacon", name=name, beacon=beacon)
    wanted = beacon_round(due)
    given = rest.partition(":")[0]
    if given != str(wanted):
        raise BadDraw("other_beacon_round", round=given, beacon=beacon, wanted=wanted)


def lot_order(draw: DrawLine, ids: Iterable[str]) -> tuple[str, ...]:
    """Return the entrants in the order of the draw: from those left, in ascending order of id, pick one at a time."""
    left = sorted(set(ids))
    pick = Numbered(draw_digest(draw))
    return tuple(left.pop(pick(len(left))) for _ in range(len(left)))


def add_newcomers(order: Iterable[str], ids: Iterable[str]) -> tuple[str, ...]:
    """Return the lot order followed by those who came after the draw, in the order of their ids."""
    drawn = tuple(order)
    return (*drawn, *sorted(set(ids) - set(drawn)))


def deal_seed(deals: bytes, round_name: RoundName, pairing: int) -> bytes:
    """Return the seed of a match. `pairing` counts the `pair` lines of the round from 1; 0 is a deal shared by all."""
    _check_secret(deals)
    return hmac_sha256(deals, "deal", str(round_name), pairing)
