"""Worlds for leak hunting: one service each, with the same ids, clock and public lines. Only secrets differ."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from engine.game import CHANCE, Action, State
from engine.games import GAMES
from engine.playout import roll_chance
from engine.reading import read
from service import ids
from service.config import Config
from service.db import connection, server_secrets
from service.play import resolve
from service.play.notify import make_effects
from tests.support.factories import with_seat_0_first
from tests.support.fixtures import Postgres
from tests.support.http_tables import Body, SeatClient
from tests.support.players import Clock, newcomer
from tests.support.web_apps import give_back_apps, open_app, sign_in

NAMES = ("Aoife", "Brendan", "Ciara", "Diarmuid")
READS = (
    "",
    "/table",
    "/table?spectator=true",
    "/table?at=2",
    "/table.txt",
    "/table.svg",
    "/table.svg?narrow=true",
    "/table.png",
    "/options",
    "/options?marks=true",
    "/history?limit=200",
    "/history?newest=true&limit=3",
    "/history?told=true&newest=true&limit=40",
    "/record",
    "/offers",
    "/notes",
)
ABOUT_ME = ("/v1/me/turns", "/v1/events?after=0", "/v1/matches?mine=true", "/v1/matches")
HASHED = re.compile(rb'[0-9a-f]{32,128}|(?<=<code id="log-digits">)[0-9a-f]{12}(?=</code>)')
KEYED = re.compile(rb"[A-Za-z0-9_-]{43}")
OWN = {"X-Request-Id", "ETag", "Date"}
NEVER_LISTED = {"keltis": "draw 0 R5", "tain": "put D kingdom", "tir-na-nog": "mark a1a2"}
"""By game, a line of its notation that nobody may make in matches between people."""
Line = tuple[int, str]
Seen = dict[str, tuple[int, dict[str, str], bytes]]


def masked(data: bytes) -> bytes:
    """Return the data without the digits of hashes, signatures and key ids, which must differ. Lengths must not."""
    return KEYED.sub(b"#" * 43, HASHED.sub(lambda found: b"#" * len(found.group()), data))


@dataclass
class World:
    """One service with people at a table of a game. Chance follows the script to its end."""

    config: Config
    clock: Clock
    seed: int
    game: str = "keltis"
    seats: int = 2
    wanted: dict[str, Any] = field(default_factory=dict)
    script: list[str] = field(default_factory=list)
    dealt: list[str] = field(default_factory=list)

    @contextmanager
    def begun(self) -> Iterator[list[SeatClient]]:
        """Provide a match that has started. All random values are given; only the seed differs by world."""
        numbers, keys = count(1), iter(bytes([letter]) * 32 for letter in range(1, 1 + self.seats))
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(ids, "new_id", lambda length=16: f"{next(numbers):0{length}d}")
            patch.setattr(ids, "new_seed", lambda: bytes([self.seed]) * 32)
            patch.setattr(
                Ed25519PrivateKey, "generate", lambda: Ed25519PrivateKey.from_private_bytes(next(keys, b"s" * 32))
            )
            patch.setattr(server_secrets, "get_secret", lambda name: name.encode())
            patch.setattr(resolve, "roll_chance", self._rolled)
            self.clock.at = Clock().at
            yield self._seated()
        give_back_apps()
        connection.drop_connections()

    def _seated(self) -> list[SeatClient]:
        client = open_app(self.config).test_client()
        maker, *guests = [newcomer(client, name) for name in NAMES[: self.seats]]
        body = {"game": self.game, "seats": self.seats, "seat": 0, "clock": "simple-3", **self.wanted}
        made = maker.post("/v1/matches", with_seat_0_first(body))
        assert made.status_code == 201, made.text
        match = made.json["id"]
        for seat, guest in enumerate(guests, 1):
            assert guest.post(f"/v1/matches/{match}/join", {"seat": seat}).status_code == 200
        self.resolve(match)
        return [SeatClient(person, match, seat) for seat, person in enumerate([maker, *guests])]

    def _rolled(self, state: State, pick: Callable[[int], int]) -> Action[Any]:
        """Return the next line of the script, or the one that follows from the seed. Each is recorded."""
        number = len(self.dealt)
        action = (
            read(GAMES[self.game], self.script[number], -1) if number < len(self.script) else roll_chance(state, pick)
        )
        self.dealt.append(action.line)
        return action

    def resolve(self, match: str) -> None:
        """Run the real worker at this table: chance, orders, clocks, events."""
        resolve.resolve_match(match, make_effects(self.config), self.config.most_entries)

    def move(self, seat_client: SeatClient, *lines: str) -> None:
        """Make lines, seven minutes after the last ones."""
        self.clock.forward(minutes=7)
        answer = seat_client.send(seat_client.signed(*lines))
        assert answer.status_code == 202, answer.text
        self.resolve(seat_client.match)

    def told(self, lines: Sequence[Line], looks: Iterable[int], *, watcher: int = 0) -> list[Seen]:
        """Play these lines, chance included. Return the answers to a seat and a spectator after each observed line."""
        self.script = [line for seat, line in lines if seat == CHANCE]
        found: list[Seen] = []
        wanted = set(looks)
        with self.begun() as seat_client:
            for number, (seat, line) in enumerate(lines):
                if seat != CHANCE:
                    self.move(seat_client[seat], line)
                if number in wanted:
                    found += looked(seat_client[watcher])
        assert self.dealt[: len(self.script)] == self.script
        return found


def looked(watcher: SeatClient) -> list[Seen]:
    """Return every answer that a seat gets, that a spectator gets, and that the seat gets when it makes a mistake."""
    person, match = watcher.person, watcher.match
    about = {path: person.get(path) for path in ABOUT_ME}
    about["page"] = person.client.get(f"/matches/{match}", headers={"Accept": "text/html"})
    return [
        seen(person.get, match),
        seen(person.client.get, match),
        {path: _answer(answer) for path, answer in about.items()},
        refusals(watcher),
        previews(watcher),
        plans(watcher),
        own_pages(watcher),
    ]


def previews(one: SeatClient) -> Seen:
    """Return a seat's previews of some of its lines, and of one that it may not make."""
    lines, never = one.lines, NEVER_LISTED[one.read("table")["game"]]
    tried = {"now": [], "never": [never]} | {line: [line] for line in lines[:: max(1, len(lines) // 3)]}
    tried |= {f"{line} twice": [line, never] for line in lines[:1]}
    bodies = {
        name: {"lines": list(each), "narrow": bool(number % 2)} for number, (name, each) in enumerate(tried.items())
    }
    return {f"preview {name}": _answer(one.post("preview", body)) for name, body in bodies.items()}


def plans(one: SeatClient) -> Seen:
    """Return the answers to a seat that plans five lines ahead, each the last one offered."""
    steps: list[Body] = []
    shown: Seen = {}
    for number in range(6):
        answer = one.post("plan", {"steps": steps, "narrow": bool(number % 2)})
        shown[f"plan {number}"] = _answer(answer)
        own = [{"seat": one.seat, "line": each["line"]} for each in answer.json["options"]["items"]]
        others = [{"seat": each["seat"], "line": each["line"]} for each in answer.json["likely"]]
        steps += (others or own)[-1:]
    return shown | branches(one, steps[:5])


def branches(one: SeatClient, steps: Sequence[Body]) -> Seen:
    """Return what a seat is told when it keeps a plan, reads what it has kept, and deletes it."""
    if not steps:
        return {}
    kept = one.post("branches", {"title": "Plan", "steps": steps})
    assert kept.status_code == 201, kept.text
    listed, deleted = one.get("branches"), one.person.delete(one.path(f"branches/{kept.json['id']}"))
    return {"keep": _answer(kept), "kept": _answer(listed), "deleted": _answer(deleted)}


def own_pages(one: SeatClient) -> Seen:
    """Return what the browser of a seat shows, now and earlier: task, story, panels beside the board, result."""
    browser = sign_in(one.person.client.application, one.person.id)
    headers = {"Accept": "text/html", "Sec-Fetch-Site": "same-origin"}
    paths = ("", "?at=2", "/now", "/now?at=2&picture=narrow")
    return {f"page {path}": _answer(browser.get(f"/matches/{one.match}{path}", headers=headers)) for path in paths}


def end_card(one: SeatClient) -> Seen:
    """Return the card with the result on the page of a finished match. The rest of the page shows all hands then."""
    status, headers, page = own_pages(one)["page "]
    card = re.search(rb'<section class="result".*?</section>', page, re.DOTALL)
    assert card is not None
    return {"end card": (status, {"Content-Type": headers["Content-Type"]}, card[0])}


def seen(reader: Callable[..., Any], match: str) -> Seen:
    """Return everything that a reader gets of a match, with the digits of hashes removed."""
    return {path: _answer(reader(f"/v1/matches/{match}{path}")) for path in READS}


def _answer(answer: Any) -> tuple[int, dict[str, str], bytes]:  # noqa: ANN401  # of a test client
    headers = {name: value for name, value in answer.headers.items() if name not in OWN}
    plain = answer.mimetype in ("text/plain", "image/svg+xml", "image/png")
    if plain:
        headers["ETag"] = answer.headers["ETag"]
    return answer.status_code, headers, answer.data if plain else masked(answer.data)


def refusals(one: SeatClient) -> Seen:
    """Return the answers to a seat that makes a mistake, or asks what its words may mean."""
    table = one.read("table")
    stale: Body = {"asked": 0, "prev": "0" * 64}
    head: Body = {"asked": table["seq"], "prev": table["hash"]}
    asked = {name: table["question"][name] for name in ("asked", "prev")} if table["question"] else head
    good, never = one.signed("resign", **asked), NEVER_LISTED[table["game"]]
    sent = {
        "stale": one.signed(never, **stale),
        "not listed": one.signed(never, **asked),
        "waiting": one.signed("Dance", orders=True, **asked),
        "not canonical": one.signed("Dance", **asked),
        "wrong prev": one.signed("resign", asked=table["seq"], prev="0" * 64),
        "wrong signature": {**good, "moves": [{"line": "resign", "signature": "0" * 128}]},
        "wrong key": {**good, "key": "A" * 43},
    }
    if not table["question"]:
        del sent["waiting"]
    found = {name: _answer(one.send(body)) for name, body in sent.items()}
    assert {name: status for name, (status, _, _) in found.items() if status not in (403, 409, 422)} == {}
    texts = ("dance", "1", "discard", "play aengus top", "put", "W b1; pass", "jouer", "g D4 X5")
    found |= {f"reading {text}": _answer(one.post("reading", {"text": text})) for text in texts}
    late = one.get(f"table?at={table['seq'] + 1}")
    return {**found, "too late": _answer(late), "elsewhere": _answer(one.get("submissions/abcdefghijkl"))}


def same(first: Sequence[Seen], second: Sequence[Seen]) -> None:
    """Fail on the smallest difference between the answers of two worlds."""
    assert len(first) == len(second) > 0
    for number, (one, two) in enumerate(zip(first, second, strict=True)):
        for name in one:
            assert one[name] == two[name], (number, name)


def fresh_configs(request: pytest.FixtureRequest, tmp_path: Path, kind: str, number: int = 2) -> list[Config]:
    """Yield this many new databases of one kind."""
    found = []
    for each in range(number):
        if kind == "postgres":
            model: Postgres = request.getfixturevalue("postgres_model")
            address = model.copy()
        else:
            path = tmp_path / f"world{each}.db"
            shutil.copy(request.getfixturevalue("sqlite_model"), path)
            address = f"sqlite:///{path}"
        found.append(replace(Config(), data=tmp_path, database_url=address, log_level="error", limit_requests=100_000))
    return found
