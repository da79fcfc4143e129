"""The header of a match: what was fixed before its first entry."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from service.record import canonical_json as canonical
from service.record.canonical_json import Value
from service.record.errors import Refused
from service.record.hashing import (
    HASH,
    ID,
    LIMIT,
    NAME,
    NONCE,
    OPTION,
    PRINTABLE,
    digest,
    is_beacon,
    is_keys,
    joined,
    number,
)

FORMAT = "echtra-match-v1"
MOST_SEATS = 99
NAMES = ("match", "game", "revision", "seats", "options", "moves", "seed", "beacon", "created", "started")
NONE = "-"
Option = str | int | bool


@dataclass(frozen=True)
class Place:
    """Who sits on a seat: a player, perhaps with a nonce and keys, or a bot."""

    player: str = ""
    nonce: str = NONE
    keys: str = NONE
    bot: str = ""

    def __str__(self) -> str:
        return f"bot:{self.bot} - -" if self.bot else f"{self.player} {self.nonce} {self.keys}"

    @property
    def key_ids(self) -> frozenset[str]:
        """The ids of the keys, none for `-`."""
        return key_ids(self.keys)


@dataclass(frozen=True)
class Header:
    """The header; `options` is its canonical text, `seed` the hash of the seed, `moves` is `signed` or `any`."""

    match: str
    game: str
    revision: int
    options: str
    moves: str
    seed: str
    beacon: str
    created: int
    started: int
    places: tuple[Place, ...]

    @property
    def seats(self) -> int:
        """How many seats there are."""
        return len(self.places)

    @property
    def nonces(self) -> tuple[str, ...]:
        """What the seats added to the seed, as the key of the picks takes it."""
        return tuple(place.nonce for place in self.places)

    @property
    def rows(self) -> tuple[str, ...]:
        """The rows without their line ends."""
        values = (getattr(self, name) for name in NAMES)
        return (
            FORMAT,
            *(f"{name}: {value}" for name, value in zip(NAMES, values, strict=True)),
            *(f"seat {seat}: {place}" for seat, place in enumerate(self.places)),
        )

    @property
    def hash(self) -> str:
        """The hash of the header, which stands before the first entry."""
        return digest(joined(*self.rows))

    def chosen(self) -> dict[str, Option]:
        """The options as values."""
        return read_options(self.options)


def key_ids(keys: str) -> frozenset[str]:
    """The ids that KEYS names; only the single character `-` means none."""
    return frozenset() if keys == NONE else frozenset(keys.split(","))


def write_options(options: Mapping[str, Option]) -> str:
    """The canonical text of the options."""
    text = canonical.write(options).decode()
    read_options(text)
    return text


def read_options(text: str) -> dict[str, Option]:
    """The options of a header row."""
    if PRINTABLE.fullmatch(text) is None:
        raise Refused("header", "options hold printable ASCII only")
    try:
        values = canonical.read(text.encode())
    except Refused as error:
        raise Refused("header", f"the options are not one canonical object: {error.detail}") from None
    return {name: _option(name, value) for name, value in values.items()}


def _option(name: str, value: Value) -> Option:
    if OPTION.fullmatch(name) is None:
        raise Refused("header", f"{name!r} is no name of an option")
    if isinstance(value, str) and PRINTABLE.fullmatch(value) is not None:
        return value
    if isinstance(value, bool | int):
        return value
    raise Refused("header", f"option {name} is neither text, nor an integer, nor true or false")


def _number(name: str, text: str, least: int = 0, most: int = LIMIT) -> int:
    value = number(text)
    if value is None or not least <= value <= most:
        raise Refused("header", f"{name} must be a number from {least} to {most}")
    return value


def _place(seat: int, row: str) -> Place:
    words = row.removeprefix(f"seat {seat}: ").split(" ")
    if not row.startswith(f"seat {seat}: ") or len(words) != 3:  # noqa: PLR2004  # player, nonce, keys
        raise Refused("header", f"the row of seat {seat} must be `seat {seat}: PLAYER NONCE KEYS`")
    player, nonce, keys = words
    if player.startswith("bot:"):
        bot = player.removeprefix("bot:")
        if NAME.fullmatch(bot) is None or nonce != NONE or keys != NONE:
            raise Refused("header", f"the row of seat {seat} must be `seat {seat}: bot:NAME - -`")
        return Place(bot=bot)
    if ID.fullmatch(player) is None or NONCE.fullmatch(nonce) is None or not is_keys(keys):
        raise Refused("header", f"player, nonce or keys of seat {seat} are not of their form")
    return Place(player, nonce, keys)


def _named(rows: Sequence[str]) -> dict[str, str]:
    if len(rows) <= len(NAMES) or rows[0] != FORMAT:
        raise Refused("header", f"a header begins with {FORMAT} and has a row for each of {', '.join(NAMES)}")
    found = {}
    for name, row in zip(NAMES, rows[1:], strict=False):
        if not row.startswith(f"{name}: "):
            raise Refused("header", f"here the row `{name}:` must stand")
        found[name] = row.removeprefix(f"{name}: ")
    return found


def _formed(named: Mapping[str, str]) -> None:
    forms = {
        "match": ID.fullmatch(named["match"]),
        "game": NAME.fullmatch(named["game"]),
        "moves": named["moves"] in {"signed", "any"},
        "seed": HASH.fullmatch(named["seed"]),
        "beacon": is_beacon(named["beacon"]),
    }
    for name, fine in forms.items():
        if not fine:
            raise Refused("header", f"the row `{name}:` is not of its form")
    read_options(named["options"])


def read(rows: Sequence[str]) -> Header:
    """The header that these rows write, every row checked."""
    named = _named(rows)
    _formed(named)
    seats = _number("seats", named["seats"], 1, MOST_SEATS)
    created, started = _number("created", named["created"]), _number("started", named["started"])
    if created > started:
        raise Refused("header", "started before it was created")
    places = rows[len(NAMES) + 1 :]
    if len(places) != seats:
        raise Refused("header", f"{seats} seats, but {len(places)} rows for them")
    return Header(
        match=named["match"],
        game=named["game"],
        revision=_number("revision", named["revision"], 1),
        options=named["options"],
        moves=named["moves"],
        seed=named["seed"],
        beacon=named["beacon"],
        created=created,
        started=started,
        places=tuple(_place(seat, row) for seat, row in enumerate(places)),
    )
