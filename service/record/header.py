"""The header of a match: everything fixed before its first entry."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from service.record import canonical_json
from service.record.canonical_json import JsonValue
from service.record.errors import BadRecordPart
from service.record.hashing import join_lines, sha256_hex
from service.record.patterns import (
    HASH,
    ID,
    MOST_NUMBER,
    NAME,
    NONCE,
    OPTION,
    PRINTABLE,
    is_beacon,
    is_key_list,
    parse_number,
)

FORMAT = "echtra-match-v1"
MOST_SEATS = 99
ROW_NAMES = ("match", "game", "revision", "seats", "options", "moves", "seed", "beacon", "created", "started")
ABSENT = "-"
OptionValue = str | int | bool


@dataclass(frozen=True)
class Occupant:
    """Occupant of a seat: a player, perhaps with a nonce and keys, or a bot."""

    player: str = ""
    nonce: str = ABSENT
    keys: str = ABSENT
    bot: str = ""

    def __str__(self) -> str:
        return f"bot:{self.bot} - -" if self.bot else f"{self.player} {self.nonce} {self.keys}"

    @property
    def key_ids(self) -> frozenset[str]:
        """The ids of the keys; an empty tuple for `-`."""
        return key_ids(self.keys)


@dataclass(frozen=True)
class Header:
    """The header. `options` is its canonical text, `seed` the hash of the seed, and `moves` is `signed` or `any`."""

    match: str
    game: str
    revision: int
    options: str
    moves: str
    seed: str
    beacon: str
    created: int
    started: int
    places: tuple[Occupant, ...]

    @property
    def seats(self) -> int:
        """Number of seats."""
        return len(self.places)

    @property
    def nonces(self) -> tuple[str, ...]:
        """Contributions of the seats to the seed, in the form used by the key of the picks."""
        return tuple(place.nonce for place in self.places)

    @property
    def rows(self) -> tuple[str, ...]:
        """The rows without their line ends."""
        values = (getattr(self, name) for name in ROW_NAMES)
        return (
            FORMAT,
            *(f"{name}: {value}" for name, value in zip(ROW_NAMES, values, strict=True)),
            *(f"seat {seat}: {place}" for seat, place in enumerate(self.places)),
        )

    @property
    def body(self) -> str:
        """The rows, each followed by a line end."""
        return "".join(f"{row}\n" for row in self.rows)

    @property
    def hash(self) -> str:
        """Hash of the header, which precedes the first entry."""
        return sha256_hex(join_lines(*self.rows))

    def option_values(self) -> dict[str, OptionValue]:
        """Return the options as values."""
        return read_options(self.options)


def parse_keys(text: str) -> tuple[str, ...]:
    """Return the key ids of a seat as the record writes them, joined by commas, `-` for none."""
    return () if text == ABSENT else tuple(text.split(","))


def write_keys(keys: Sequence[str]) -> str:
    """Return the key ids of a seat as the record writes them."""
    return ",".join(keys) or ABSENT


def key_ids(keys: str) -> frozenset[str]:
    """Return the ids in KEYS. Only the single character `-` means none."""
    return frozenset(parse_keys(keys))


def write_options(options: Mapping[str, OptionValue]) -> str:
    """Return the canonical text of the options."""
    text = canonical_json.write(options).decode()
    read_options(text)
    return text


def read_options(text: str) -> dict[str, OptionValue]:
    """Return the options of a header row."""
    if PRINTABLE.fullmatch(text) is None:
        raise BadRecordPart("header", "options hold printable ASCII only")
    try:
        values = canonical_json.read(text.encode())
    except BadRecordPart as error:
        raise BadRecordPart("header", f"the options are not one canonical object: {error.detail}") from None
    return {name: _check_option(name, value) for name, value in values.items()}


def _check_option(name: str, value: JsonValue) -> OptionValue:
    if OPTION.fullmatch(name) is None:
        raise BadRecordPart("header", f"{name!r} is no name of an option")
    if isinstance(value, str) and PRINTABLE.fullmatch(value) is not None:
        return value
    if isinstance(value, bool | int):
        return value
    raise BadRecordPart("header", f"option {name} is neither text, nor an integer, nor true or false")


def _parse_row_number(name: str, text: str, least: int = 0, most: int = MOST_NUMBER) -> int:
    value = parse_number(text)
    if value is None or not least <= value <= most:
        raise BadRecordPart("header", f"{name} must be a number from {least} to {most}")
    return value


def _parse_occupant(seat: int, row: str) -> Occupant:
    words = row.removeprefix(f"seat {seat}: ").split(" ")
    if not row.startswith(f"seat {seat}: ") or len(words) != 3:  # noqa: PLR2004  # player, nonce, keys
        raise BadRecordPart("header", f"the row of seat {seat} must be `seat {seat}: PLAYER NONCE KEYS`")
    player, nonce, keys = words
    if player.startswith("bot:"):
        bot = player.removeprefix("bot:")
        if NAME.fullmatch(bot) is None or nonce != ABSENT or keys != ABSENT:
            raise BadRecordPart("header", f"the row of seat {seat} must be `seat {seat}: bot:NAME - -`")
        return Occupant(bot=bot)
    if ID.fullmatch(player) is None or NONCE.fullmatch(nonce) is None or not is_key_list(keys):
        raise BadRecordPart("header", f"player, nonce or keys of seat {seat} are not of their form")
    return Occupant(player, nonce, keys)


def _split_rows(rows: Sequence[str]) -> dict[str, str]:
    if len(rows) <= len(ROW_NAMES) or rows[0] != FORMAT:
        raise BadRecordPart("header", f"a header begins with {FORMAT} and has a row for each of {', '.join(ROW_NAMES)}")
    found = {}
    for name, row in zip(ROW_NAMES, rows[1:], strict=False):
        if not row.startswith(f"{name}: "):
            raise BadRecordPart("header", f"here the row `{name}:` must stand")
        found[name] = row.removeprefix(f"{name}: ")
    return found


def _check_forms(named: Mapping[str, str]) -> None:
    forms = {
        "match": ID.fullmatch(named["match"]),
        "game": NAME.fullmatch(named["game"]),
        "moves": named["moves"] in {"signed", "any"},
        "seed": HASH.fullmatch(named["seed"]),
        "beacon": is_beacon(named["beacon"]),
    }
    for name, fine in forms.items():
        if not fine:
            raise BadRecordPart("header", f"the row `{name}:` is malformed")
    read_options(named["options"])


def read(rows: Sequence[str]) -> Header:
    """Parse the rows of a header and check each of them."""
    named = _split_rows(rows)
    _check_forms(named)
    seats = _parse_row_number("seats", named["seats"], 1, MOST_SEATS)
    created, started = _parse_row_number("created", named["created"]), _parse_row_number("started", named["started"])
    if created > started:
        raise BadRecordPart("header", "started before it was created")
    places = rows[len(ROW_NAMES) + 1 :]
    if len(places) != seats:
        raise BadRecordPart("header", f"{seats} seats, but {len(places)} rows for them")
    return Header(
        match=named["match"],
        game=named["game"],
        revision=_parse_row_number("revision", named["revision"], 1),
        options=named["options"],
        moves=named["moves"],
        seed=named["seed"],
        beacon=named["beacon"],
        created=created,
        started=started,
        places=tuple(_parse_occupant(seat, row) for seat, row in enumerate(places)),
    )
