"""Load for fault tests: players who move, repeat unanswered requests, and record every promise of the service."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from service.accounts import players, signing_keys, tokens
from service.db.connection import write_transaction
from service.record.keys import public_key_of
from service.timestamps import now
from tests.support.http_client import Client, Unreachable

DONE = (200, 202)
REFUSED = (409, 422)
LATER = (429, 500, 502, 503)
UNANSWERED = 0
PATIENCE = 60


@dataclass
class Promises:
    """Answers of the service, as the players got them."""

    accepted: list[str] = field(default_factory=list)
    """Signatures of moves that were answered with 202, or with 200 and the table."""
    refused: set[str] = field(default_factory=set)
    """Signatures of moves that were refused."""
    matches: list[str] = field(default_factory=list)
    late: list[str] = field(default_factory=list)
    """Matches whose deadline passed without an answer."""
    unreachable: int = 0
    faults: int = 0
    """Answers of status 500. There must be none."""
    seconds: list[float] = field(default_factory=list)


def newcomer(port: int, name: str) -> Client:
    """Return a player made in the database, with a client at this port."""
    private = Ed25519PrivateKey.generate()
    with write_transaction():
        player = players.create(name=name, language="en", zone="UTC", at=now())
        token = tokens.issue(player.id, "load", ("play",)).text
        signing_keys.add(player.id, public_key_of(private), "load")
    return Client(port, token, private, public_key_of(private).id)


class Load(threading.Thread):
    """One player at several tables, moving as fast as answers come, or at a given rate."""

    def __init__(self, client: Client, seed: int, stop: threading.Event, tables: int = 3, rate: float = 0) -> None:
        super().__init__(name=f"load-{seed}", daemon=True)
        self.client = client
        self.rng = random.Random(seed)
        self.stopped = stop
        self.tables = tables
        self.rate = rate
        self.promises = Promises()
        self.failed: BaseException | None = None
        self._seats: dict[str, int] = {}

    def run(self) -> None:
        """Play until stopped."""
        try:
            while not self.stopped.is_set():
                self._turn()
                if self.rate:
                    self.stopped.wait(self.rng.expovariate(self.rate))
        except BaseException as error:  # noqa: BLE001  # the test shall see it
            self.failed = error
        finally:
            self.client.close()

    def _turn(self) -> None:
        if len(self._seats) < self.tables:
            self._sit()
            return
        match = self.rng.choice(list(self._seats))
        status, found = self._asked("GET", f"/v1/matches/{match}/options")
        if status == 409:  # the match is over
            del self._seats[match]
        elif status == 200 and found["question"] is not None:
            # Often a second line follows, which usually waits as an order until the bot has answered.
            lines = [item["line"] for item in self.rng.choices(found["items"], k=self.rng.choice([1, 1, 2]))]
            self._send(match, self.client.signed(match, self._seats[match], found["question"], *lines))
        elif status == 200:
            status, seen = self._asked("GET", f"/v1/matches/{match}")
            if status == 200 and seen["status"] == "over":
                del self._seats[match]
            self.stopped.wait(0.02)

    def _sit(self) -> None:
        body = {"game": "keltis", "seats": 2, "bots": {"1": self.rng.choice(["random", "steady"])}}
        key = f"{self.name}-{self.rng.getrandbits(64)}"
        while not self.stopped.is_set():
            status, made = self._asked("POST", "/v1/matches", body, Idempotency_Key=key)
            if status == 201:
                self._seats[made["id"]] = made["you"]["seat"]
                self.promises.matches.append(made["id"])
                return
            assert status in (*LATER, UNANSWERED, 409), (status, made)

    def _send(self, match: str, body: dict[str, Any]) -> None:
        """Send the same submission until there is an answer, as a good client does."""
        signature = body["moves"][0]["signature"]
        began = time.perf_counter()
        while time.perf_counter() - began < PATIENCE:
            status, answer = self._asked("POST", f"/v1/matches/{match}/moves", body)
            if status in DONE:
                self.promises.accepted.append(signature)
                self.promises.seconds.append(time.perf_counter() - began)
                return
            if status in REFUSED:
                self.promises.refused.add(signature)
                return
            assert status in (*LATER, UNANSWERED), (status, answer)
        raise AssertionError(f"no answer to a move after {PATIENCE} s")

    def _asked(self, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, Any]:  # noqa: ANN401
        """Return status and answer, or None if no answer came."""
        try:
            status, answer = self.client.ask(method, path, body, **headers)
        except Unreachable:
            self.promises.unreachable += 1
            time.sleep(0.05)
            return UNANSWERED, None
        if status == 500:
            self.promises.faults += 1
        if status in LATER:
            time.sleep(0.05)
        return status, answer


def summed(loads: Sequence[Load]) -> Promises:
    """Return all promises together. Raise the errors of the players."""
    total = Promises()
    for load in loads:
        if load.failed is not None:
            raise load.failed
        total.accepted += load.promises.accepted
        total.refused |= load.promises.refused
        total.matches += load.promises.matches
        total.unreachable += load.promises.unreachable
        total.faults += load.promises.faults
        total.seconds += load.promises.seconds
    return total
