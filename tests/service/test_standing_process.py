"""The process beside ours: it answers, exceeds its limits without harm to us, and ends with us."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import pytest

from service.standing_process import LimitExceeded, ProcessLimits, StandingProcess

LIMITS = ProcessLimits(cpu_seconds=0.5, memory_bytes=64 * 1024 * 1024)


def work(request: str) -> Any:  # noqa: ANN401  # as the request demands
    """Do what a request names."""
    match request:
        case "spin":
            while True:
                pass
        case "library":
            return sum(range(10**12))
        case "grow":
            return len(bytearray(512 * 1024 * 1024))
        case "die":
            os._exit(3)
    return request.upper(), os.getpid()


@pytest.fixture
def process() -> Iterator[StandingProcess[str, Any]]:
    """A process with little time and memory."""
    made = StandingProcess("test", work, LIMITS)
    yield made
    made.stop()


def test_requests_are_answered_by_one_process(process: StandingProcess[str, Any]) -> None:
    (one, first), (two, second) = process.ask("one"), process.ask("two")
    assert (one, two) == ("ONE", "TWO")
    assert first == second != os.getpid()


@pytest.mark.parametrize(
    ("request_", "what"), [("spin", "cpu"), ("library", "cpu"), ("grow", "memory"), ("die", "crash")]
)
def test_what_exceeds_a_limit_is_ended_and_the_next_is_answered(
    process: StandingProcess[str, Any], request_: str, what: str
) -> None:
    with pytest.raises(LimitExceeded) as exceeded:
        process.ask(request_)
    assert exceeded.value.what == what
    assert process.ask("next")[0] == "NEXT"
