"""The draw: every choice left to chance, from a seed committed beforehand and a value of a public beacon.

A tournament publishes `chain`, the 1,024th hash of a secret seed. Its d-th draw opens the d-th key, which hashes to the
one before, so nobody can exchange it; the beacon's value did not exist when the seed was committed, so nobody could
choose it. A draw gives one thing, the lot order of the entrants. "By the draw" means: earlier in that order.
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
"""The beacon's round is the first at least ten minutes after the line that makes the draw due; all times in ms."""


class BadDraw(FormatFault):
    """A draw that does not follow from what was committed; the text says what is wrong with it."""


def draw_digest(draw: DrawLine) -> bytes:
    """Return the key of the picks of a draw."""
    return hmac_sha256(bytes.fromhex(draw.key), "draw", str(draw.round), draw.value)


def _hash_again(secret: bytes, times: int) -> bytes:
    for _ in range(times):
        secret = sha256(secret).digest()
    return secret


def _check_secret(secret: bytes) -> None:
    if len(secret) != SECRET_BYTES:
        raise BadDraw("secret", bytes=SECRET_BYTES, given=len(secret))


def commit_chain(seed: bytes) -> str:
    """What a header publishes of the seed: its 1,024th hash, 64 hex digits."""
    return open_key(seed, 0)


def commit_deals(deals: bytes) -> str:
    """What a header publishes of the secret from which all deals follow."""
    _check_secret(deals)
    return sha256_hex(deals)


def open_key(seed: bytes, draw: int) -> str:
    """The key of the tournament's d-th draw, 64 hex digits; the 0th is the chain itself."""
    _check_secret(seed)
    if not 0 <= draw <= CHAIN_LENGTH:
        raise BadDraw("many_draws", most=CHAIN_LENGTH)
    return _hash_again(seed, CHAIN_LENGTH - draw).hex()


def make_draw(seed: bytes, number: int, round_name: RoundName, value: str = NO_BEACON) -> DrawLine:
    """Return the tournament's draw with this number, counted from 1."""
    if number < 1:
        raise BadDraw("draw_number")
    if not is_beacon(value):
        raise BadDraw("beacon_form", value=value)
    return DrawLine(round_name, open_key(seed, number), value)


def check_key(key: str, before: str) -> None:
    """Refuse a key that does not hash to the one before it (the first: to the chain)."""
    if HASH.fullmatch(key) is None:
        raise BadDraw("key_form")
    if sha256(bytes.fromhex(key)).hexdigest() != before:
        raise BadDraw("key_chain")


def beacon_round(due: int) -> int:
    """The round of quicknet that a draw takes: the first at least ten minutes after its line, `due` in ms."""
    late = due + BEACON_DELAY - QUICKNET_GENESIS
    return max(1, 1 - (-late // QUICKNET_PERIOD))


def check_value(value: str, beacon: str, due: int) -> None:
    """Refuse a value that is malformed, of another beacon, or of another round than `due` gives."""
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
    """The entrants in the order of the draw: of those left, ascending by id, one is picked again and again."""
    left = sorted(set(ids))
    pick = Numbered(draw_digest(draw))
    return tuple(left.pop(pick(len(left))) for _ in range(len(left)))


def add_newcomers(order: Iterable[str], ids: Iterable[str]) -> tuple[str, ...]:
    """The lot order with those who came after the draw behind it, by id."""
    known = tuple(order)
    return (*known, *sorted(set(ids) - set(known)))


def deal_seed(deals: bytes, round_name: RoundName, pairing: int) -> bytes:
    """The seed of a match: by its `pair` line within the round, counted from 1; 0 where all play the same deal."""
    _check_secret(deals)
    return hmac_sha256(deals, "deal", str(round_name), pairing)
