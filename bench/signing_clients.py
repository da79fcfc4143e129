"""Players for measurements, and clients that run in parallel."""

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from bench.timing import time_call
from service.accounts import players, signing_keys, tokens
from service.db.connection import write_transaction
from service.db.models.accounts import PlayerRow
from service.record.keys import public_key_of
from service.timestamps import now
from tests.support.http_client import Client

CLIENTS = 8


@dataclass
class Account:
    """A player with a token and a key."""

    player: PlayerRow
    token: str
    private: Ed25519PrivateKey
    key: str

    def client(self, port: int) -> Client:
        """Return a client of the service at this port."""
        return Client(port, self.token, self.private, self.key)


def new_account(name: str) -> Account:
    """Create a player without emails."""
    private = Ed25519PrivateKey.generate()
    with write_transaction():
        player = players.create(name=name, language="en", zone="UTC", at=now())
        token = tokens.issue(player.id, "bench", ("play",)).text
        signing_keys.add(player.id, public_key_of(private), "bench")
    return Account(player, token, private, public_key_of(private).id)


def plain_request_workers(port: int) -> list[Callable[[], float]]:
    """Return clients of the endpoint that makes one durable insert. They send as many bytes as a move has."""
    body = {"asked": 1, "prev": "0" * 64, "key": "k" * 43, "moves": [{"line": "draw R", "signature": "0" * 128}]}
    account = new_account("Plain")

    def insert(client: Client) -> None:
        status, _ = client.ask("POST", "/bench/insert", body)
        if status != HTTPStatus.ACCEPTED:
            raise RuntimeError(status)

    return [partial(time_call, partial(insert, account.client(port))) for _ in range(CLIENTS)]


def run_together(workers: Sequence[Callable[[], float]], seconds: float) -> tuple[float, list[float]]:
    """Run the workers in parallel, each again and again. Return the calls a second and the seconds of each call."""
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
