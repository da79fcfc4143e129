"""A small client as anybody could write it, with HTTP, JSON and Ed25519 but none of our code."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from hashlib import sha256
from http.client import HTTPConnection, HTTPException
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey


class Unreachable(Exception):
    """No answer came: the request may have been done or not."""


@dataclass
class Client:
    """A player with a token and a key."""

    port: int
    token: str
    private: Ed25519PrivateKey
    key: str
    timeout: float = 10
    _connection: HTTPConnection | None = field(default=None, repr=False)

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, Any]:  # noqa: ANN401
        """Status and body of the answer."""
        if self._connection is None:
            self._connection = HTTPConnection("127.0.0.1", self.port, timeout=self.timeout)
        sent = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        try:
            self._connection.request(method, path, None if body is None else json.dumps(body), sent)
            answer = self._connection.getresponse()
            data = answer.read()
        except (OSError, HTTPException) as error:
            self.close()
            raise Unreachable(str(error)) from None
        return answer.status, json.loads(data) if data else None

    def close(self) -> None:
        """Close the connection."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def signed(self, match: str, seat: int, question: dict[str, Any], *lines: str) -> dict[str, Any]:
        """Return the body of a submission."""
        asked, prev, before, moves = question["asked"], question["prev"], "now", []
        for n, line in enumerate(lines, 1):
            text = f"echtra-move-v1\n{match}\n{seat}\n{asked}\n{prev}\n{n}\n{before}\n{line}\n"
            signature = self.private.sign(text.encode())
            moves.append({"line": line, "signature": signature.hex()})
            before = sha256(signature).hexdigest()
        return {"asked": asked, "prev": prev, "key": self.key, "moves": moves}

    def new_match(self, bots: dict[str, str], seats: int = 2) -> tuple[str, int]:
        """Return a new match of Keltis against bots: its id and my seat."""
        status, made = self.ask(
            "POST", "/v1/matches", {"game": "keltis", "seats": seats, "bots": bots, "options": {"start": 0}}
        )
        assert status == 201, made
        return made["id"], made["you"]["seat"]

    def options(self, match: str) -> tuple[dict[str, Any] | None, list[str]]:
        """Return my question, and the lines that answer it."""
        status, found = self.ask("GET", f"/v1/matches/{match}/options")
        assert status == 200, found
        return found["question"], [item["line"] for item in found["items"]]
