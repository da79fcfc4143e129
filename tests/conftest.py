"""Settings of all tests: the folder of their files, their random numbers, and the effect of signals."""

from __future__ import annotations

import gc
import os
import signal

import pytest

from tests.support.luck import fix_luck
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
    fix_luck(monkeypatch, f"{LUCK} {request.node.nodeid}")
