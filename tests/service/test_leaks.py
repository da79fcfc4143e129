"""Two worlds that differ only in secrets: same ids, same clock, same public lines. Others must not tell them apart."""

from __future__ import annotations

import re
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from flask.testing import FlaskClient

from engine.game import Action, State
from engine.games import GAMES
from engine.playout import rolled
from engine.reading import read
from service import chosen, secret
from service import database as databases
from service.api.app import create_app
from service.config import Config
from tests.service.conftest import KINDS, Postgres
from tests.service.people import Clock, newcomer
from tests.service.tabletop import Sitting, make, until_last_cards
from worker import resolve as resolving

KELTIS = GAMES["keltis"]
READS = (
    "",
    "/table",
    "/table?spectator=true",
    "/table?at=2",
    "/table.txt",
    "/table.svg",
    "/table.png",
    "/options",
    "/history?limit=200",
    "/history?newest=true&limit=3",
    "/record",
    "/offers",
)
HASHED = re.compile(rb"[0-9a-f]{32,128}|[A-Za-z0-9_-]{43}")
OWN = {"X-Request-Id", "ETag", "Date"}
Seen = dict[str, tuple[int, dict[str, str], bytes]]


def masked(data: bytes) -> bytes:
    """Hashes, signatures and key ids without their digits: they must differ, but not in length."""
    return HASHED.sub(lambda found: b"#" * len(found.group()), data)


@dataclass
class World:
    """One service with two people at a table; `chance` says what is dealt."""

    config: Config
    clock: Clock
    seed: int
    script: list[str] = field(default_factory=list)
    dealt: list[str] = field(default_factory=list)

    def begin(self, patch: pytest.MonkeyPatch) -> tuple[Sitting, Sitting]:
        """Start the match: everything that is random is given, the seed alone is the world's own."""
        numbers, keys = count(1), iter((b"a" * 32, b"b" * 32))
        patch.setattr(chosen, "name", lambda length=16: f"{next(numbers):0{length}d}")
        patch.setattr(chosen, "seed", lambda: bytes([self.seed]) * 32)
        patch.setattr(
            Ed25519PrivateKey, "generate", lambda: Ed25519PrivateKey.from_private_bytes(next(keys, b"s" * 32))
        )
        patch.setattr(secret, "of", lambda name: name.encode())
        patch.setattr(resolving, "rolled", self.rolled)
        self.clock.at = Clock().at
        client = create_app(self.config).test_client()
        one, two = make(newcomer(client, "Aoife"), newcomer(client, "Brendan"))
        return one, two

    def rolled(self, state: State, pick: Callable[[int], int]) -> Action[Any]:
        """The next line of the script, or what the seed gives; each is kept."""
        number = len(self.dealt)
        action = read(KELTIS, self.script[number], -1) if number < len(self.script) else rolled(state, pick)
        self.dealt.append(action.line)
        return action


@pytest.fixture(params=KINDS)
def configs(request: pytest.FixtureRequest, tmp_path: Path) -> list[Config]:
    """Two fresh databases."""
    found = []
    for number in range(2):
        if request.param == "postgres":
            model: Postgres = request.getfixturevalue("postgres_model")
            address = model.copy()
        else:
            path = tmp_path / f"world{number}.db"
            shutil.copy(request.getfixturevalue("sqlite_model"), path)
            address = f"sqlite:///{path}"
        found.append(replace(Config(), data=tmp_path, database_url=address, log_level="error", limit_requests=100_000))
    return found


@pytest.fixture
def worlds(configs: list[Config], clock: Clock) -> Iterator[list[World]]:
    """Two worlds with different seeds."""
    yield [World(config, clock, seed) for seed, config in enumerate(configs, 1)]
    databases.forget()


def seen(reader: Callable[[str], Any], match: str) -> Seen:
    """Everything a reader gets, as far as hashes do not blur it."""
    found: Seen = {}
    for path in READS:
        answer = reader(f"/v1/matches/{match}{path}")
        headers = {name: value for name, value in answer.headers.items() if name not in OWN}
        plain = answer.mimetype in ("text/plain", "image/svg+xml", "image/png")
        if plain:
            headers["ETag"] = answer.headers["ETag"]
        found[path] = (answer.status_code, headers, answer.data if plain else masked(answer.data))
    return found


def spectator(client: FlaskClient) -> Callable[[str], Any]:
    """Somebody without a token."""
    return client.get


def refusals(one: Sitting) -> Seen:
    """What seat 0 is told when it does something wrong."""
    wrong = {
        "stale": one.signed("draw deck", asked=0, prev="0" * 64),
        "not canonical": one.signed("Dance", asked=0, prev="0" * 64),
        "reading": None,
    }
    found: Seen = {}
    for name, body in wrong.items():
        answer = one.post("reading", {"text": "dance"}) if body is None else one.send(body)
        found[name] = (answer.status_code, {}, masked(answer.data))
    return found


def played(
    world: World, lines: list[tuple[int, str]] | None, turns: int
) -> tuple[list[Seen], list[tuple[int, str]], Any]:
    """Play turns of discarding and drawing, or the given lines; what others saw after each, and what seat 1 saw."""
    with pytest.MonkeyPatch.context() as patch:
        one, two = world.begin(patch)
        looks, made = [], []
        for turn in range(turns):
            each = (one, two)[turn % 2]
            hand = each.read("table")["view"]["hand"]
            line = lines[turn][1] if lines else f"discard {hand[turn % len(hand)]}"
            world.clock.forward(minutes=7)
            each.move(line, "draw deck")
            made.append((each.seat, line))
            looks += [seen(one.person.get, one.match), seen(spectator(one.person.client), one.match), refusals(one)]
        return looks, made, two.read("table")["view"]["hand"]


def other_secrets(dealt: list[str], made: list[tuple[int, str]]) -> list[str]:
    """The same chance lines with other cards for seat 1, except those it will show."""
    given = [card for line in dealt for card in line.split(" ")[2:]]
    spare = list((Counter(GAMES["keltis"].start(2).unseen) - Counter(given)).elements())
    shown = Counter(line.split(" ")[1] for seat, line in made if seat == 1)
    script = []
    for line in dealt:
        verb, seat, *cards = line.split(" ")
        if seat == "1":
            for at, card in enumerate(cards):
                if shown[card]:
                    shown[card] -= 1
                else:
                    cards[at] = spare.pop(len(spare) // 2)
        script.append(" ".join([verb, seat, *cards]))
    return script


def test_other_hands_and_another_deck_look_the_same(worlds: list[World]) -> None:
    first, second = worlds
    looks, made, hand = played(first, None, turns=8)
    second.script = other_secrets(first.dealt, made)
    databases.forget()
    again, repeated, other = played(second, made, turns=8)
    assert repeated == made
    assert second.dealt == second.script
    assert len(set(hand) & set(other)) < len(set(hand)) - 3
    for number, (one, two) in enumerate(zip(looks, again, strict=True)):
        for path in one:
            assert one[path] == two[path], (number, path)


def test_a_sealed_answer_looks_like_any_other(worlds: list[World]) -> None:
    looks: list[list[Seen]] = []
    lasts: list[str] = []
    for world, choice in zip(worlds, (0, -1), strict=True):
        world.seed = 1
        with pytest.MonkeyPatch.context() as patch:
            one, two = world.begin(patch)
            until_last_cards(one, two)
            line = two.lines[choice]
            two.move(line)
            lasts.append(line)
            looks.append([seen(one.person.get, one.match), seen(spectator(one.person.client), one.match)])
        databases.forget()
    assert lasts[0] != lasts[1]
    assert looks[0] == looks[1]


def test_orders_that_wait_are_seen_by_their_sender_alone(worlds: list[World]) -> None:
    looks: list[list[Seen]] = []
    for world, waits in zip(worlds, (False, True), strict=True):
        world.seed = 1
        with pytest.MonkeyPatch.context() as patch:
            one, two = world.begin(patch)
            if waits:
                table = two.read("table")
                body = two.signed("draw deck", orders=True, asked=table["seq"], prev=table["hash"])
                assert two.send(body).json["waiting"] == 1
            looks.append(
                [seen(one.person.get, one.match), seen(spectator(one.person.client), one.match), refusals(one)]
            )
        databases.forget()
    assert looks[0] == looks[1]
