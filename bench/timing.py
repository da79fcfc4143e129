"""Measuring time: one call, the median of several, percentiles, and waiting for a state."""

import gc
import time
from collections.abc import Callable, Sequence
from statistics import median

import click

Clock = Callable[[], float]


def time_call(work: Callable[[], object], clock: Clock = time.perf_counter) -> float:
    """Return the seconds that a call takes, by this clock."""
    began = clock()
    work()
    return clock() - began


def median_time(work: Callable[[], object], times: int, clock: Clock = time.perf_counter) -> float:
    """Return the median seconds of several calls, each after a garbage collection."""
    spent = []
    for _ in range(times):
        gc.collect()
        spent.append(time_call(work, clock))
    return median(spent)


def percentile(values: Sequence[float], share: float) -> float:
    """Return the value that this share of the values does not exceed."""
    return sorted(values)[int(share * (len(values) - 1))]


def wait_until(is_done: Callable[[], bool], seconds: float = 300) -> None:
    """Poll for a state, with a timeout."""
    deadline = time.monotonic() + seconds
    while not is_done():
        if time.monotonic() > deadline:
            raise click.ClickException(f"Gave up after {seconds:.0f} seconds.")
        time.sleep(0.05)
