"""One match played at the doors that players, mail and the worker use, on a database and a clock of its own."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import islice
from random import Random
from typing import Any

from engine.game import legal, to_act
from service.accounts import players, signing_keys
from service.bounded_cache import reset_process_state
from service.config import Config
from service.db.connection import execute, rows, write_transaction
from service.matches import create, join
from service.play import accept, record_export
from service.play.match_loader import load_match_state
from service.play.notify import make_effects
from service.play.resolve import resolve_match
from service.play.submissions import Submission, SubmissionResult
from service.record.keys import public_key_of
from service.record.match_state import MatchState
from service.timestamps import now
from tests.golden.records import PEOPLE, private
from tests.support.factories import Seated
from tests.support.players import Clock

MOST_LISTED = 300
Taste = Callable[[list[str], Random], str]


def any_line(lines: list[str], random: Random) -> str:
    """Whatever is listed."""
    return random.choice(lines)


def serve(name: str) -> None:
    """The server signs with this key from now on; the one before stays published."""
    key = public_key_of(private(name))
    with write_transaction():
        execute("update server_key set until = ? where until is null", now())
        row = (key.id, private(name).private_bytes_raw().hex(), key.x, now())
        execute("insert into server_key (id, private, x, since) values (?, ?, ?, ?)", *row)
    reset_process_state()


@dataclass
class Evening:
    """People around a table; who is asked makes a listed line to their taste, unless the story says otherwise."""

    config: Config
    clock: Clock
    wanted: create.NewMatch
    seed: int
    taste: Taste = any_line
    random: Random = field(init=False)
    people: list[Seated] = field(init=False)
    match: str = field(init=False)

    def __post_init__(self) -> None:
        self.random = Random(self.seed)
        count = self.wanted.seats - len(self.wanted.bots)
        self.people = [self._person(name) for name in PEOPLE[:count]]
        first, *others = self.people
        self.match = create.create_match(first.player, self.wanted, self.config).id
        for seat, other in enumerate(others, 1):
            self.clock.forward(minutes=7)
            join.join_match(other.player, self.match, seat, ("-", "00ff")[seat % 2], None, self.config)

    def _person(self, name: str) -> Seated:
        with write_transaction():
            player = players.create(name=name, language="en", zone="Europe/Dublin", at=now(), address=None)
            signing_keys.add(player.id, public_key_of(private(name)), "golden")
        return Seated(player, private(name))

    @property
    def match_state(self) -> MatchState:
        """The table as it stands."""
        return load_match_state(self.match)

    @property
    def asked(self) -> list[int]:
        """The seats of people who are asked something."""
        match_state = self.match_state
        return [seat for seat in sorted(to_act(match_state.state)) if match_state.players[seat]]

    def settle(self, most_entries: int | None = None) -> MatchState:
        """What follows by itself: chance, bots, orders, and the house."""
        self.clock.forward(seconds=1)
        resolve_match(self.match, make_effects(self.config), most_entries or self.config.most_entries)
        return self.match_state

    def lines(self, seat: int) -> list[str]:
        """What the seat may do."""
        return [action.line for action in islice(legal(self.match_state.state, seat), MOST_LISTED)]

    def send(self, seat: int, *lines: str, orders: bool = False) -> SubmissionResult:
        """Signed lines of a seat; then the table goes on."""
        self.clock.forward(minutes=self.random.randrange(1, 600))
        accepted = self.people[seat].send(self.match, *lines, orders=orders)
        self.settle()
        return accepted

    def mail(self, seat: int, *lines: str) -> SubmissionResult:
        """The same by letter."""
        self.clock.forward(minutes=90)
        question = self.match_state.questions[seat]
        assert question is not None
        raw = sha256("\n".join(lines).encode()).hexdigest()
        letter = {"door": "smtp", "raw": raw, "received": self.clock.at - 1500, "verdict": "pass"}
        sent = Submission(question.asked, question.prev, lines, channel="mail", mail=letter)
        accepted = accept.accept(self.match, self.people[seat].player.id, sent)
        self.settle()
        return accepted

    def turn(self) -> None:
        """Somebody who is asked does something."""
        seat = self.random.choice(self.asked)
        self.send(seat, self.taste(self.lines(seat), self.random))

    def until(self, reached: Callable[[MatchState], bool]) -> MatchState:
        """Play on until then, or to the end."""
        match_state = self.settle()
        while not (match_state.state.over or reached(match_state)):
            self.turn()
            match_state = self.match_state
        return match_state

    def new_key(self, seat: int) -> None:
        """The seat adds a second key with a line of its own, and signs with it from then on."""
        known, name = self.people[seat], f"{PEOPLE[seat]} 2"
        with write_transaction():
            signing_keys.add(known.player.id, public_key_of(private(name)), "golden")
        both = sorted((public_key_of(known.private).id, public_key_of(private(name)).id))
        self.send(seat, f"keys {','.join(both)}")
        self.people[seat] = Seated(known.player, private(name))

    def running(self) -> Mapping[str, bytes]:
        """The record now for spectators, each seat of a person, and the arbiter."""
        match_state, seats = self.match_state, range(len(self.people))
        assert not match_state.state.over
        viewers = {"spectator": "-", "arbiter": "all", **{f"seat-{seat}": str(seat) for seat in seats}}
        return {f"running-{name}": record_export.export_record(match_state, viewer) for name, viewer in viewers.items()}

    def kept(self, seat: int = 0) -> list[dict[str, Any]]:
        """What somebody kept who kept everything: the join receipt and the receipts so far."""
        joined = rows("select receipt from seat where match = ? and seat = ?", self.match, seat)
        given = rows("select receipt from submission where match = ? and seat = ? order by at, id", self.match, seat)
        return [json.loads(joined[0][0]), *(json.loads(text)["receipt"] for (text,) in given)]

    def finished(self) -> bytes:
        """The record after the end."""
        match_state = self.match_state
        assert match_state.state.over
        return record_export.export_record(match_state, "all")
