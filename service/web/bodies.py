"""Request bodies: read before a thread is used, with a deadline and a limit for each address."""

from __future__ import annotations

import asyncio
import io
from collections import Counter
from dataclasses import dataclass, field

from service.i18n.catalogue import msg
from service.problems import Problem
from service.web.express.requests import WsgiEnviron
from service.web.streams import HttpProtocol

MOST_BYTES = 2 * 1024 * 1024
"""Maximum size of a body that is kept; every route of the application accepts less."""
MOST_BYTES_OF_PATH = {"/v1/inbound/mail": 11 * 1024 * 1024}
"""Larger limits: an email may have photographs."""
MOST_DRAINED_BYTES = 32 * 1024 * 1024
"""How much of a body that is too large is read and dropped: most clients read the answer only after sending."""
MOST_BODIES = 2_000
"""Maximum number of bodies that one process reads at a time."""
MOST_BODIES_OF_ADDRESS = 100
"""Maximum number of them from one address, unless there is a proxy in between."""


@dataclass
class ArrivingBodies:
    """Reads bodies, and counts those still arriving, in all and by address."""

    seconds: float
    """Maximum time for each."""
    most: int = MOST_BODIES
    most_of_address: int = MOST_BODIES_OF_ADDRESS
    total: int = 0
    by_address: Counter[str] = field(default_factory=Counter)

    def begin(self, address: str) -> bool:
        """Count a body from this address; return False if there are too many."""
        if self.total >= self.most or self.by_address[address] >= self.most_of_address:
            return False
        self.total += 1
        self.by_address[address] += 1
        return True

    def end(self, address: str) -> None:
        """Stop counting a body from this address."""
        self.total -= 1
        self.by_address[address] -= 1
        if not self.by_address[address]:
            del self.by_address[address]

    async def read(self, environ: WsgiEnviron, protocol: HttpProtocol) -> None:
        """Put the body into the environment; raise Problem if it is too slow or there are too many."""
        length, chunked = environ.get("CONTENT_LENGTH"), "HTTP_TRANSFER_ENCODING" in environ
        if not chunked and (not length or not length.isdecimal() or not int(length)):
            return
        address = environ["REMOTE_ADDR"]
        if not self.begin(address):
            raise Problem("not-now", msg("requests.too_many_bodies"), retry_after=5)
        try:
            async with asyncio.timeout(self.seconds):
                most = MOST_BYTES_OF_PATH.get(environ["PATH_INFO"], MOST_BYTES)
                if chunked or int(environ["CONTENT_LENGTH"]) > most:
                    data = await _read_chunks(protocol, most)
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


async def _read_chunks(protocol: HttpProtocol, most: int) -> bytes:
    """Read a body of unknown length, or one that is too large, up to the limit."""
    data, dropped = bytearray(), 0
    async for chunk in protocol:
        if len(data) <= most:
            data += chunk
        else:
            dropped += len(chunk)
            if dropped > MOST_DRAINED_BYTES:
                break
    return bytes(data)
