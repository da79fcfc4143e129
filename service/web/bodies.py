"""Request bodies: read before a thread is taken, with a deadline and a limit for each address."""

from __future__ import annotations

import asyncio
import io
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from service.i18n.catalogue import msg
from service.problems import Problem
from service.web.express.requests import WsgiEnviron

MOST_BYTES = 2 * 1024 * 1024
"""The largest body that is kept for the application, which takes less everywhere."""
MOST_DRAINED_BYTES = 32 * 1024 * 1024
"""How much of a body that is too large is read and dropped: most programs look for an answer only after sending."""
MOST_BODIES = 2_000
"""How many bodies may be on their way to one process."""
MOST_BODIES_OF_ADDRESS = 100
"""How many of them may come from one address, where no proxy stands between."""


@dataclass
class ArrivingBodies:
    """Reads bodies, and counts those that are on their way, in all and by address."""

    seconds: float
    """How long each may take."""
    most: int = MOST_BODIES
    most_of_address: int = MOST_BODIES_OF_ADDRESS
    total: int = 0
    by_address: Counter[str] = field(default_factory=Counter)

    def begin(self, address: str) -> bool:
        """Count one more of this address; return False if there are too many."""
        if self.total >= self.most or self.by_address[address] >= self.most_of_address:
            return False
        self.total += 1
        self.by_address[address] += 1
        return True

    def end(self, address: str) -> None:
        """Count one less."""
        self.total -= 1
        self.by_address[address] -= 1
        if not self.by_address[address]:
            del self.by_address[address]

    async def read(self, environ: WsgiEnviron, protocol: Any) -> None:  # noqa: ANN401  # granian's
        """Put the body into the environment; raise Problem for one that does not come in time, or one too many."""
        length, chunked = environ.get("CONTENT_LENGTH"), "HTTP_TRANSFER_ENCODING" in environ
        if not chunked and (not length or not length.isdecimal() or not int(length)):
            return
        address = environ["REMOTE_ADDR"]
        if not self.begin(address):
            raise Problem("not-now", msg("requests.too_many_bodies"), retry_after=5)
        try:
            async with asyncio.timeout(self.seconds):
                if chunked or int(environ["CONTENT_LENGTH"]) > MOST_BYTES:
                    data = await _read_chunks(protocol)
                else:
                    data = await protocol()
        except TimeoutError:
            raise Problem("too-slow", msg("requests.body_too_slow", seconds=self.seconds)) from None
        except (RuntimeError, OSError) as error:
            raise Problem("bad-request", msg("requests.body_unreadable")) from error
        finally:
            self.end(address)
        environ["wsgi.input"] = io.BytesIO(data)
        if chunked:
            environ["CONTENT_LENGTH"] = str(len(data))
            del environ["HTTP_TRANSFER_ENCODING"]


async def _read_chunks(protocol: Any) -> bytes:  # noqa: ANN401
    """Read a body of unknown length or one that is too large, as far as it is kept."""
    data, dropped = bytearray(), 0
    async for chunk in protocol:
        if len(data) <= MOST_BYTES:
            data += chunk
        else:
            dropped += len(chunk)
            if dropped > MOST_DRAINED_BYTES:
                break
    return bytes(data)
