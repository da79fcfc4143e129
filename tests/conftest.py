"""What holds for all tests: where their files lie, what chance brings, what signals mean."""

from __future__ import annotations

import gc
import os
import secrets
import signal
from random import Random

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tests.support.temporary_files import root

pytest_plugins = ["tests.support.fixtures"]
LUCK = os.environ.get("LUCK", "1")


def pytest_configure() -> None:
    """Keep files in memory where there is room, and let Ctrl-C mean Ctrl-C."""
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(root()))
    # A shell lets the commands that it starts in the background ignore it, and so would our own.
    for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP):
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)


def pytest_collection_finish() -> None:
    """Spare the garbage collector the thousands of tests that were collected: they stay to the end."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def _luck(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ids, seeds, tokens and keys follow from the name of the test and from LUCK: what passed once passes always."""
    random = Random(f"{LUCK} {request.node.nodeid}")
    monkeypatch.setattr(secrets, "choice", random.choice)
    monkeypatch.setattr(secrets, "token_bytes", lambda count=None: random.randbytes(count or 32))
    key = Ed25519PrivateKey.from_private_bytes
    monkeypatch.setattr(Ed25519PrivateKey, "generate", lambda: key(random.randbytes(32)))
