"""A second program that recomputes a tournament of pods and knockouts from its export, written from the rules alone.

It imports none of the service's code: every hash, draw, seat, point and tie is computed here again, so that a fault
passes only if both programs have it. Who sits together is only checked to be allowed, as the rules promise.
"""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from decimal import Decimal
from hashlib import sha256
from hmac import digest
from itertools import combinations, permutations
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

UNIT = 10_000
UNFINISHED = {"forfeit", "stand-in", "substitute"}
GENESIS, PERIOD, DELAY = 1_692_803_367, 3, 600


class ReaderFault(Exception):
    """The export does not follow the rules."""


def check(good: bool, what: str) -> None:
    """Raise ReaderFault unless this holds."""
    if not good:
        raise ReaderFault(what)


def join(*words: object) -> bytes:
    """Return T of the rules: each word with a line feed after it."""
    return "".join(f"{word}\n" for word in words).encode()


def keyed(key: bytes, *words: object) -> bytes:
    """Return M of the rules: HMAC-SHA-256 over T."""
    return digest(key, join(*words), "sha256")


def pick_number(key: bytes, number: int, count: int) -> int:
    """Return the choice with this number among `count`. Blocks that would favour some choices are skipped."""
    limit = (1 << 64) // count * count
    counter = 0
    while True:
        block = keyed(key, "pick", number, counter)
        for start in range(0, 32, 8):
            value = int.from_bytes(block[start : start + 8], "big")
            if value < limit:
                return value % count
        counter += 1


def units(text: str | int) -> int:
    """Return decimal points in units of 1/10,000."""
    return int(Decimal(str(text)) * UNIT)


@dataclass
class Table:
    """A `pair` line and its last result."""

    id: str
    seats: tuple[int, ...]
    results: list[tuple[int, int, str]] = field(default_factory=list)


@dataclass
class Stage:
    """A stage of the document with its rounds so far."""

    plan: dict[str, Any]
    members: list[int] = field(default_factory=list)
    lots: dict[int, list[int]] = field(default_factory=dict)
    rounds: dict[int, list[Table]] = field(default_factory=lambda: defaultdict(list))

    @property
    def last(self) -> int:
        """The last round that was paired."""
        return max(self.rounds, default=0)


def read_tournament(data: bytes) -> SecondReading:
    """Everything that the export shows, each step checked. `ReaderFault` names a step that does not follow."""
    rows = [json.loads(line) for line in data.decode().splitlines()]
    reader = SecondReading(rows[0], [row for row in rows if row["type"] == "document"])
    check_chain(rows, data)
    for row in rows:
        if row["type"] == "entry":
            reader.read_line(row["at"], row["line"])
    return reader


def check_chain(rows: list[dict[str, Any]], data: bytes) -> None:
    """Check the hashes of header and entries, and the server's signature over all of them."""
    header, head = rows[0], rows[-1]
    before = sha256(join(*header["lines"])).hexdigest()
    check(before == header["hash"], "the header's hash")
    tournament = header["lines"][1].removeprefix("tournament: ")
    for seq, row in enumerate((row for row in rows if row["type"] == "entry"), 1):
        text = join("echtra-tournament-entry-v1", tournament, seq, row["at"], row["line"], before)
        before = sha256(text).hexdigest()
        check((row["seq"], row["hash"]) == (seq, before), f"entry {seq}")
    body = data[: data.rstrip(b"\n").rindex(b"\n") + 1]
    check((head["hash"], head["lines"]) == (before, sha256(body).hexdigest()), "the head")
    key = next(row["jwk"]["x"] for row in rows if row["type"] == "key" and row["id"] == head["server"])
    signed = join("echtra-tournament-head-v1", tournament, head["seq"], head["hash"], head["at"], head["lines"])
    public = Ed25519PublicKey.from_public_bytes(urlsafe_b64decode(key + "="))
    public.verify(bytes.fromhex(head["signature"]), signed)


class SecondReading:
    """A tournament as this program understands its lines."""

    def __init__(self, header: dict[str, Any], documents: list[dict[str, Any]]) -> None:
        self.header = dict(line.split(": ", 1) for line in header["lines"][1:])
        texts = {sha256(row["document"].encode()).hexdigest(): json.loads(row["document"]) for row in documents}
        self.document = texts[self.header["document"]]
        self.stages = {plan["name"]: Stage(plan) for plan in self.document["stages"]}
        self.first = next(iter(self.stages))
        self.inside: set[str] = set()
        self.at_close: set[str] = set()
        self.number_of: dict[str, int] = {}
        self.holders: dict[int, str] = {}
        self.key = self.header["chain"]
        self.due = 0
        self.first_order: list[str] = []
        self.last_rank: tuple[int, int] = (-(10**9), 0)
        self.where: dict[str, tuple[str, int, Table]] = {}
        self.deals = b""
        self.repeats = 0

    def read_line(self, at: int, line: str) -> None:
        """Take one line. Lines that nothing is recomputed from here pass."""
        verb, *words = line.split(" ")
        take = getattr(self, f"take_{verb}", None)
        if take is not None:
            take(*words)
        if verb in {"close", "over", "advance"}:
            self.due = at

    def take_accept(self, player: str) -> None:
        """Add an entrant."""
        self.inside.add(player)

    def take_withdraw(self, player: str) -> None:
        """Remove an entrant."""
        self.inside.discard(player)

    def take_close(self) -> None:
        """Close entry."""
        self.at_close = set(self.inside)

    def take_ruling(self, what: str, *about: str) -> None:
        """Read a ruling. Only `replace` changes what is computed here; results have their own lines."""
        if what == "replace":
            old, new = about[:2]
            number = self.number_of.pop(old)
            self.number_of[new], self.holders[number] = number, new
            self.inside = (self.inside - {old}) | {new}

    def take_draw(self, round_name: str, key: str, value: str) -> None:
        """Check the key against the chain, and the beacon's round against the clock. Compute the lot order."""
        check(sha256(bytes.fromhex(key)).hexdigest() == self.key, f"the key of {round_name}")
        self.key = key
        if self.header["beacon"] != "none":
            seconds = -(-self.due // 1000) + DELAY
            wanted = 1 + max(0, -(-(seconds - GENESIS) // PERIOD))
            check(value.split(":")[:2] == [self.header["beacon"], str(wanted)], f"the beacon's round of {round_name}")
        stage, number = self.find_round(round_name)
        start = stage.plan["name"] == self.first and number == 0
        ids = sorted(self.at_close if start else (self.holders[one] for one in stage.members))
        secret = keyed(bytes.fromhex(key), "draw", round_name, value)
        order = [ids.pop(pick_number(secret, choice, len(ids))) for choice in range(len(ids))]
        if start:
            self.first_order = order
        else:
            stage.lots[number] = [self.number_of[player] for player in order]

    def find_round(self, text: str) -> tuple[Stage, int]:
        """Return a round by its name."""
        name, _, number = text.rpartition(":")
        return self.stages[name], int(number)

    def take_number(self, player: str, number: str, rating: str) -> None:
        """Check that numbers follow the rating, then the draw."""
        rank = (-(int(rating) if rating != "-" else -1), self.first_order.index(player))
        check(rank > self.last_rank and int(number) == len(self.holders) + 1, f"number {number}")
        self.last_rank = rank
        self.number_of[player], self.holders[int(number)] = int(number), player
        self.stages[self.first].members.append(int(number))

    def take_pair(self, id_: str, round_name: str, _section: str, *players: str) -> None:
        """Read a table. Its seats are checked when the round is complete."""
        stage, number = self.find_round(round_name)
        table = Table(id_, tuple(self.number_of[player] for player in players))
        stage.rounds[number].append(table)
        self.where[id_] = (round_name, len(stage.rounds[number]), table)

    def take_start(self, round_name: str) -> None:
        """Check a whole round: who may sit together, and who has which seat."""
        stage, number = self.find_round(round_name)
        tables = stage.rounds[number]
        present = [one for one in stage.members if self.holders[one] in self.inside]
        if stage.plan["format"] == "pods":
            seated = sorted(one for table in tables for one in table.seats)
            check(seated == sorted(present), f"{round_name}: everybody once")
        else:
            wanted = serpent(present, stage.plan["seats"])
            check([set(table.seats) for table in tables] == [set(table) for table in wanted], f"{round_name}: tables")
        check(
            sorted(len(table.seats) for table in tables) == sorted(sizes(len(present), stage.plan["seats"])),
            f"{round_name}: sizes",
        )
        self.check_seats(stage, number, round_name)
        met = Counter(
            pair
            for at in range(1, number)
            for table in stage.rounds[at]
            for pair in combinations(sorted(table.seats), 2)
        )
        again = [pair for table in tables for pair in combinations(sorted(table.seats), 2) if met[pair]]
        self.repeats += len(again)

    def check_seats(self, stage: Stage, number: int, round_name: str) -> None:
        """Check each table: the cheapest order of seats; among equal ones the earliest in the draw, seat 0 first."""
        had = Counter(
            (one, seat)
            for at in range(1, number)
            for table in stage.rounds[at]
            if len(table.seats) > 1
            for seat, one in enumerate(table.seats)
        )
        place = {one: at for at, one in enumerate(stage.lots[number])}

        def cost(order: tuple[int, ...]) -> tuple[int, list[int]]:
            paid = sum((had[one, seat] + 1) ** 4 - had[one, seat] ** 4 for seat, one in enumerate(order))
            return paid, [place[one] for one in order]

        for table in stage.rounds[number]:
            check(min(permutations(table.seats), key=cost) == table.seats, f"{round_name}: seats of {table.id}")

    def take_result(self, id_: str, *words: str) -> None:
        """Read a result. The last one of a table counts."""
        parts = [word.split(":") for word in words]
        self.where[id_][2].results = [(int(place), int(score), how) for place, score, how in parts]

    def take_advance(self, name: str, *players: str) -> None:
        """Check who qualifies, by seed."""
        stage = self.stages[name]
        source = self.stages[stage.plan["from"]["stage"]]
        here = {one for one, player in self.holders.items() if player in self.inside}
        if "advance" in stage.plan["from"]:
            count = stage.plan["from"]["advance"]
            found = {one for table in source.rounds[source.last] for one in self.winners(source, table)[:count]}
            wanted = [one for one in source.members if one in found and one in here]
        else:
            first, last = map(int, stage.plan["from"]["places"].split("-"))
            order = [line[1] for line in self.standings(source.plan["name"]) if line[1] in here]
            wanted = order[first - 1 : last]
        stage.members = [self.number_of[player] for player in players]
        check(stage.members == wanted, f"who goes on to {name}")

    def winners(self, stage: Stage, table: Table) -> list[int]:
        """Return a table of a knockout, best first: by place if the match was finished; equal ones by seed."""
        done = [
            (place, stage.members.index(one), one)
            for one, (place, _, how) in zip(table.seats, table.results, strict=True)
            if how not in UNFINISHED
        ]
        return [one for *_, one in sorted(done)]

    def take_end(self, deals: str) -> None:
        """Check the deals that were committed to."""
        self.deals = bytes.fromhex(deals)
        check(sha256(self.deals).hexdigest() == self.header["deals"], "the deals")

    def seeds(self) -> dict[str, str]:
        """Return the seed of every match."""
        return {
            id_: keyed(self.deals, "deal", round_name, at).hex()
            for id_, (round_name, at, table) in self.where.items()
            if len(table.seats) > 1
        }

    def points(self, name: str) -> dict[int, list[int]]:
        """Return each player's results in each round of a stage of pods."""
        stage = self.stages[name]
        rules = {key: [units(each) for each in row] for key, row in stage.plan["points"].items()}
        found = {one: [0] * stage.last for one in stage.members}
        own: dict[int, list[int]] = defaultdict(list)
        for number in range(1, stage.last + 1):
            for table in stage.rounds[number]:
                if len(table.seats) == 1:
                    continue
                places = rules["places"] if len(table.seats) == stage.plan["seats"] else rules["short"]
                ranks = [place for place, _, _ in table.results]
                for one, (place, _, how) in zip(table.seats, table.results, strict=True):
                    level = ranks.count(place)
                    made = sum(places[place - 1 : place - 1 + level]) // level
                    found[one][number - 1] = places[-1] if how in UNFINISHED else made
                    own[one].append(found[one][number - 1])
        for number in range(1, stage.last + 1):
            for table in stage.rounds[number]:
                if len(table.seats) == 1:
                    one, all_ = table.seats[0], rules["places"]
                    found[one][number - 1] = sum(own[one]) // len(own[one]) if own[one] else sum(all_) // len(all_)
        return found

    def standings(self, name: str) -> list[tuple[int, int, int, dict[str, int]]]:
        """Return rank, number, points and ties of everybody in a stage of pods, best first."""
        stage, made = self.stages[name], self.points(name)
        played = self.tables_of(stage, made)
        means = {one: sum(row["points"] for row in rows) // len(rows) if rows else 0 for one, rows in played.items()}
        total = {one: sum(row) for one, row in made.items()}
        place = {one: at for at, one in enumerate(stage.lots.get(stage.last + 1, []), 1)}
        ties: dict[int, dict[str, int]] = {}
        for one, rows in played.items():
            met = [means[other] for row in rows for other in row["others"]]
            ties[one] = {
                "firsts": UNIT * sum(row["place"] == 1 for row in rows),
                "seconds": UNIT * sum(row["place"] == 2 for row in rows),
                "opposition": sum(met) // len(met) if met else 0,
                "share": sum(row["share"] for row in rows),
                "direct": 0,
                "lots": place.get(one, len(place) + 1) * UNIT,
            }
        groups: dict[tuple[int, ...], list[int]] = defaultdict(list)
        for one in stage.members:
            groups[total[one], *(ties[one][tie] for tie in ("firsts", "seconds", "opposition", "share"))].append(one)
        found: list[tuple[int, int, int, dict[str, int]]] = []
        for key in sorted(groups, reverse=True):
            group = groups[key]
            if len(group) == 2:
                for one, other in permutations(group):
                    common = [row["points"] for row in played[one] if other in row["others"]]
                    ties[one]["direct"] = sum(common)
            for one in sorted(group, key=lambda one: (-ties[one]["direct"], ties[one]["lots"])):
                found.append((len(found) + 1, one, total[one], ties[one]))
        return found

    def tables_of(self, stage: Stage, made: dict[int, list[int]]) -> dict[int, list[dict[str, Any]]]:
        """Return the tables of each player: place if the match was finished, points, opponents, share of all scores."""
        found: dict[int, list[dict[str, Any]]] = {one: [] for one in stage.members}
        for number in range(1, stage.last + 1):
            for table in stage.rounds[number]:
                if len(table.seats) == 1:
                    continue
                scores = [max(0, score) for _, score, _ in table.results]
                for seat, (one, (place, _, how)) in enumerate(zip(table.seats, table.results, strict=True)):
                    part = UNIT * scores[seat] // sum(scores) if sum(scores) else UNIT // len(scores)
                    found[one].append(
                        {
                            "place": 0 if how in UNFINISHED else place,
                            "points": made[one][number - 1],
                            "others": [other for other in table.seats if other != one],
                            "share": 0 if how in UNFINISHED else part,
                        }
                    )
        return found

    def knockout_places(self, name: str) -> dict[int, int]:
        """Return the places in a knockout of one round: at a single table by PLACE, else all losers share a place."""
        stage = self.stages[name]
        tables = stage.rounds[stage.last]
        if len(tables) > 1:
            on = {self.winners(stage, table)[0] for table in tables}
            return {one: 1 if one in on else len(on) + 1 for one in stage.members}
        (table,) = tables
        if "ruleset" not in self.document:
            return {one: place for one, (place, _, _) in zip(table.seats, table.results, strict=True)}
        best = self.winners(stage, table)[:1]
        ranks = {
            one: (0 if one in best else place if how not in UNFINISHED else len(table.seats) + 1)
            for one, (place, _, how) in zip(table.seats, table.results, strict=True)
        }
        return {one: 1 + sum(other < rank for other in ranks.values()) for one, rank in ranks.items()}


def sizes(entrants: int, seats: int) -> list[int]:
    """Return the sizes of the tables: full ones, as few as possible of one less, and byes only if neither fits."""
    for byes in range(entrants + 1):
        for short in range(entrants + 1):
            rest = entrants - byes - short * (seats - 1)
            if rest >= 0 and rest % seats == 0:
                return [seats] * (rest // seats) + [seats - 1] * short + [1] * byes
    return []


def serpent(seeds: list[int], seats: int) -> list[list[int]]:
    """Return the tables of a knockout of more than two seats: seeds to and fro over the tables."""
    if len(seeds) <= seats:
        return [seeds]
    count = len([size for size in sizes(len(seeds), seats) if size > 1])
    byes = sizes(len(seeds), seats).count(1)
    tables: list[list[int]] = [[] for _ in range(count)]
    for at, one in enumerate(seeds[byes:]):
        row, column = divmod(at, count)
        tables[column if row % 2 == 0 else count - 1 - column].append(one)
    return [*tables, *([one] for one in seeds[:byes])]
