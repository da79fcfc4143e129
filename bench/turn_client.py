"""The command `python -m bench.turn_client`: plays whole turns over HTTP in a separate process, and times them.

The players of each match listen to their event streams: two people, or one against a bot. The player who is asked
reads the options and sends two signed lines (discard, and a card from the deck, which the worker draws). The next
player answers as soon as the stream says so.
"""

import asyncio
import json
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, Self

from nacl.signing import SigningKey

MOST_HEADER_BYTES = 1 << 16
BUSY, PAUSE = 503, 0.1


@dataclass
class Figures:
    """Seconds of each turn, from its submission to the opponent's question."""

    until: float
    turns: list[float] = field(default_factory=list)


@dataclass
class HttpWire:
    """A persistent connection that sends one request after another."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    port: int
    token: str

    @classmethod
    async def open(cls, port: int, token: str) -> Self:
        """Open a connection for this player."""
        return cls(*await asyncio.open_connection("127.0.0.1", port, limit=MOST_HEADER_BYTES), port, token)

    def send(self, method: str, path: str, body: bytes = b"", accept: str = "application/json") -> None:
        """Write a request."""
        head = f"{method} {path} HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer {self.token}\r\nAccept: {accept}\r\n"
        if body:
            head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
        self.writer.write(head.encode() + b"\r\n" + body)

    async def read_head(self) -> tuple[int, int]:
        """Read the status of the answer and the length of its body."""
        head = await self.reader.readuntil(b"\r\n\r\n")
        length = 0
        for line in head.split(b"\r\n")[1:]:
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        return int(head[9:12]), length

    async def ask(self, method: str, path: str, body: bytes = b"") -> tuple[int, Any]:
        """Send a request and read its answer. Retry if the server is too busy."""
        while True:
            self.send(method, path, body)
            status, length = await self.read_head()
            answer = json.loads(await self.reader.readexactly(length))
            if status != BUSY:
                return status, answer
            self.writer.close()
            await asyncio.sleep(PAUSE)
            again = await HttpWire.open(self.port, self.token)
            self.reader, self.writer = again.reader, again.writer


@dataclass
class BenchPlayer:
    """A player of one match: a connection for requests, and a stream."""

    seat: int
    key: str
    private: SigningKey
    wire: HttpWire
    stream: HttpWire

    async def listen(self) -> None:
        """Open the stream."""
        self.stream.send("GET", "/v1/events", accept="text/event-stream")
        status, _ = await self.stream.read_head()
        if status != 200:  # noqa: PLR2004
            raise RuntimeError(f"no stream: {status}")

    async def wait_for_turn(self) -> bool:
        """Wait for this player's turn. Return False when the match is over."""
        while True:
            line = await self.stream.reader.readline()
            if not line:
                return False
            if line.startswith(b"event: "):
                kind = line[7:].strip()
                if kind in (b"turn.ready", b"match.over"):
                    return kind == b"turn.ready"

    async def take_turn(self, match: str) -> float | None:
        """Read the options and send a turn. Return when it was sent, or None without a question."""
        _, found = await self.wire.ask("GET", f"/v1/matches/{match}/options")
        if found.get("question") is None:
            return None
        body = write_moves(match, self.seat, self.key, found, lambda text: self.private.sign(text).signature)
        began = time.perf_counter()
        status, answer = await self.wire.ask("POST", f"/v1/matches/{match}/moves", body)
        if status not in (200, 202):
            raise RuntimeError(f"{status}: {answer}")
        return began


def write_moves(match: str, seat: int, key: str, listed: dict[str, Any], sign: Callable[[bytes], bytes]) -> bytes:
    """Return the signed submission of a turn: discard a card and draw from the deck, else the first line listed."""
    discard = next((each["line"] for each in listed["items"] if each["line"].startswith("discard ")), None)
    lines = [discard, "draw deck"] if discard else [listed["items"][0]["line"]]
    asked, prev, before, moves = listed["question"]["asked"], listed["question"]["prev"], "now", []
    for n, line in enumerate(lines, 1):
        text = f"echtra-move-v1\n{match}\n{seat}\n{asked}\n{prev}\n{n}\n{before}\n{line}\n"
        signature = sign(text.encode())
        moves.append({"line": line, "signature": signature.hex()})
        before = sha256(signature).hexdigest()
    return json.dumps({"asked": asked, "prev": prev, "key": key, "moves": moves}).encode()


async def play_match(
    port: int, match: dict[str, Any], figures: Figures, gate: asyncio.Barrier, pause: tuple[float, float]
) -> None:
    """Play one match turn by turn until the time is over.

    `pause` is the wait before the first turn, once everybody listens, and after each turn.
    """
    players = []
    for seat, who in enumerate(match["players"]):
        private = SigningKey(bytes.fromhex(who["private"]))
        wires = [await HttpWire.open(port, who["token"]) for _ in range(2)]
        players.append(BenchPlayer(seat, who["key"], private, *wires))
        await players[-1].listen()
    await gate.wait()
    turn, (first, every) = match["turn"], pause
    due = time.perf_counter() + first
    while time.perf_counter() < figures.until:
        if every:
            await asyncio.sleep(due - time.perf_counter())
            due += every
        began = await players[turn].take_turn(match["id"])
        if began is None:
            return
        turn = (turn + 1) % len(players)
        if not await players[turn].wait_for_turn():
            return
        figures.turns.append(time.perf_counter() - began)


async def play_all(port: int, matches: list[dict[str, Any]], seconds: float, rate: float) -> Figures:
    """Play all matches at once for this many seconds after everybody listens.

    `rate` is the number of turns a second of all matches together; 0 means as many as possible.
    """
    figures, gate = Figures(float("inf")), asyncio.Barrier(len(matches) + 1)
    pauses = [(number / rate, len(matches) / rate) if rate else (0.0, 0.0) for number in range(len(matches))]
    tasks = [
        asyncio.create_task(play_match(port, match, figures, gate, pause))
        for match, pause in zip(matches, pauses, strict=True)
    ]
    await gate.wait()
    sys.stdout.write("listening\n")
    sys.stdout.flush()
    began = time.perf_counter()
    figures.until = began + seconds
    await asyncio.gather(*tasks)
    figures.until = time.perf_counter() - began
    return figures


def main() -> None:
    """Play the matches named on standard input. Report when everybody listens; write the figures as JSON at the end."""
    port, seconds, rate = int(sys.argv[1]), float(sys.argv[2]), float(sys.argv[3])
    figures = asyncio.run(play_all(port, json.load(sys.stdin), seconds, rate))
    json.dump({"seconds": figures.until, "turns": figures.turns}, sys.stdout)


if __name__ == "__main__":
    main()
