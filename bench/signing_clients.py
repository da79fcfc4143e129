"""Players for measurements: they sign every move, and need no worker to continue."""

import http.client
import json
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from engine.game import apply, legal
from engine.games import GAMES
from engine.games.keltis.cards import PILE
from engine.reading import read
from service.accounts import players, signing_keys, tokens
from service.config import Config
from service.db.connection import write_transaction
from service.db.log_writer import LogEntry
from service.db.models.accounts import PlayerRow
from service.matches import create, join
from service.play.match_loader import load_match_state
from service.play.match_log import LineProof, LogAddition, append, next_entry
from service.play.notify import make_effects
from service.play.resolve import resolve_match
from service.record.chain import by_signed
from service.record.keys import public_key_of, sign
from service.record.match_state import MatchState
from service.record.signed_text import move_text
from service.timestamps import now

KELTIS = GAMES["keltis"]
OPEN = 4
MOVES_AHEAD = 500


@dataclass
class Account:
    """A player with a token and a key."""

    player: PlayerRow
    token: str
    private: Ed25519PrivateKey
    key: str


def new_account(name: str) -> Account:
    """Create a player without letters."""
    private = Ed25519PrivateKey.generate()
    with write_transaction():
        player = players.create(name=name, language="en", zone="UTC", at=now())
        token = tokens.issue(player.id, "bench", ("play",)).text
        signing_keys.add(player.id, public_key_of(private), "bench")
    return Account(player, token, private, public_key_of(private).id)


@dataclass
class Duel:
    """A match of Keltis between two accounts, known so well that the next move needs no question first.

    Both discard and draw from open piles, which no chance and no end interrupts, however long it goes on. They think
    ahead, so that thinking is not measured.
    """

    config: Config
    accounts: tuple[Account, Account]
    state: Any = None
    match: str = ""
    seq: int = 0
    hash: str = ""
    turn: int = 0
    opening: bool = True
    ahead: deque[tuple[int, str]] = field(default_factory=deque)

    def start(self) -> None:
        """Make the match, deal, and play until several piles are open."""
        made = create.create_match(
            self.accounts[0].player, create.NewMatch(game="keltis", seats=2, seat=0), self.config
        )
        join.join_match(self.accounts[1].player, made.id, 1, "-", None, self.config)
        self.match = made.id
        self.settle()
        # Stop at the start of a turn: a draw may find only the pile that it may not take from.
        while sum(bool(pile) for pile in self.state.piles) < OPEN or self.line().startswith("draw"):
            before = load_match_state(self.match)
            row, after = self._entry(before)
            append([LogAddition(before, (row,), after, None, wake=False)])
            self.settle()
        self.opening = False

    def settle(self) -> None:
        """Resolve the match, as the worker does."""
        resolve_match(self.match, make_effects(self.config), self.config.most_entries)
        self.read()

    def read(self) -> None:
        """Load the present state."""
        match_state = load_match_state(self.match)
        self.state, self.seq, self.hash = match_state.state, match_state.seq, match_state.hash
        self.turn = next(seat for seat in (0, 1) if match_state.questions[seat])

    def line(self) -> str:
        """Return a legal line: draw from the deck until enough piles are open, then only from piles."""
        listed = [action.line for action in legal(self.state, self.turn)]
        if self.opening:
            lines = [line for line in listed if line == "draw deck" or self._opens(line)] or listed
        else:
            lines = [line for line in listed if self._leads_on(line)]
        return lines[(self.seq + len(self.ahead)) % len(lines)]

    def _opens(self, line: str) -> bool:
        return line.startswith("discard ") and not self.state.piles[PILE[line.split()[1]]]

    def _leads_on(self, line: str) -> bool:
        verb, _, what = line.partition(" ")
        if verb == "draw":
            return what != "deck"
        return verb == "discard" and any(pile for at, pile in enumerate(self.state.piles) if at != PILE[what])

    def think(self, moves: int) -> None:
        """Decide on this many moves ahead."""
        while len(self.ahead) < moves:
            line = self.line()
            self.ahead.append((self.turn, line))
            self.state = apply(self.state, self.turn, read(KELTIS, line, self.turn))
            self.turn = next(iter(self.state.agenda[0].actors(self.state)))

    def body(self, turn: int, line: str) -> dict[str, Any]:
        """Return the submission of a line."""
        who = self.accounts[turn]
        text = move_text(self.match, turn, self.seq, self.hash, 1, "now", line)
        moves = [{"line": line, "signature": sign(who.private, text)}]
        return {"asked": self.seq, "prev": self.hash, "key": who.key, "moves": moves}

    def grow(self, entries: int) -> None:
        """Extend the log to this many entries with signed lines, appended in large batches."""
        while self.seq < entries:
            before = match_state = load_match_state(self.match)
            rows: list[LogEntry] = []
            while len(rows) < min(400, entries - before.seq):
                row, match_state = self._entry(match_state)
                rows.append(row)
            append([LogAddition(before, tuple(rows), match_state, None, resolved=True, wake=False)])
            self.read()

    def _entry(self, match_state: MatchState) -> tuple[LogEntry, MatchState]:
        self.state, self.seq, self.hash = match_state.state, match_state.seq, match_state.hash
        self.turn = next(seat for seat in (0, 1) if match_state.questions[seat])
        line = self.line()
        body = self.body(self.turn, line)
        signature = body["moves"][0]["signature"]
        proof = LineProof(self.seq, 1, body["key"], signature, orders=False)
        action = read(match_state.facts.game, line, self.turn)
        return next_entry(match_state, self.turn, action, by_signed(signature), match_state.at, proof)


class HttpConnection:
    """One kept connection."""

    def __init__(self, port: int) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)

    def post(self, path: str, body: Any, token: str = "") -> tuple[int, Any]:  # noqa: ANN401  # any JSON
        """Send a request; return status and answer."""
        headers = {"Content-Type": "application/json"}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        self.connection.request("POST", path, json.dumps(body), headers)
        answer = self.connection.getresponse()
        return answer.status, json.loads(answer.read() or b"null")


def make_move(wire: HttpConnection, duel: Duel) -> float:
    """Make one move over HTTP; return the seconds between request and answer."""
    if not duel.ahead:
        duel.think(MOVES_AHEAD)
    turn, line = duel.ahead.popleft()
    body, token = duel.body(turn, line), duel.accounts[turn].token
    began = time.perf_counter()
    status, answer = wire.post(f"/v1/matches/{duel.match}/moves", body, token)
    spent = time.perf_counter() - began
    if status not in (200, 202):
        raise RuntimeError(f"{status}: {answer}")
    duel.seq, duel.hash = answer["receipt"]["seq"], answer["receipt"]["hash"]
    return spent


def run_together(workers: Sequence[Callable[[], float]], seconds: float) -> tuple[float, list[float]]:
    """Run the workers side by side, each again and again; return the calls a second and the seconds of each call."""
    gate = threading.Barrier(len(workers) + 1)
    lists: list[list[float]] = [[] for _ in workers]
    faults: list[BaseException] = []

    def work(what: Callable[[], float], mine: list[float]) -> None:
        gate.wait()
        until = time.perf_counter() + seconds
        try:
            while time.perf_counter() < until:
                mine.append(what())
        except BaseException as error:  # noqa: BLE001  # shown below
            faults.append(error)

    threads = [threading.Thread(target=work, args=pair) for pair in zip(workers, lists, strict=True)]
    for thread in threads:
        thread.start()
    gate.wait()
    began = time.perf_counter()
    for thread in threads:
        thread.join()
    spent = time.perf_counter() - began
    if faults:
        raise faults[0]
    times = [each for mine in lists for each in mine]
    return len(times) / spent, times
