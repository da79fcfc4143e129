"""A race: contestants play in turn, for a slice of time each, so that a busy machine slows all of them alike."""

import gc
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from statistics import median
from time import perf_counter


@dataclass(frozen=True, slots=True)
class Contestant:
    """A name and a function that plays one whole random match, options listed at every step, and returns its steps."""

    name: str
    playout: Callable[[Random], int]


@dataclass(frozen=True, slots=True)
class Slice:
    """The matches of one contestant in one round."""

    matches: int
    steps: int
    seconds: float

    @property
    def speed(self) -> float:
        """Steps per second."""
        return self.steps / self.seconds


@dataclass(frozen=True, slots=True)
class Result:
    """All slices of one contestant, in the order of the rounds."""

    name: str
    slices: tuple[Slice, ...]

    @property
    def speed(self) -> float:
        """The median of steps per second over the slices."""
        return median(each.speed for each in self.slices)

    @property
    def range(self) -> tuple[float, float]:
        """The slowest and the fastest slice, in steps per second."""
        speeds = [each.speed for each in self.slices]
        return min(speeds), max(speeds)

    @property
    def length(self) -> float:
        """Mean steps of a match."""
        return sum(each.steps for each in self.slices) / sum(each.matches for each in self.slices)

    def ratio(self, rival: "Result") -> float:
        """Return how many times as fast as a rival it is: the median over rounds, because a round shares its noise."""
        return median(ours.speed / theirs.speed for ours, theirs in zip(self.slices, rival.slices, strict=True))


def race(contestants: Sequence[Contestant], rounds: int, seconds: float, seed: int) -> Iterator[tuple[Result, ...]]:
    """Yield the results so far after every round. The order rotates, so that no contestant is always first."""
    for each in contestants:
        each.playout(Random(seed))  # imports, caches and tables are made before the clock runs
    done: dict[str, list[Slice]] = {each.name: [] for each in contestants}
    for number in range(rounds):
        first = number % len(contestants)
        for each in (*contestants[first:], *contestants[:first]):
            done[each.name].append(run_slice(each, seconds, Random(f"{seed} {number}")))
        yield tuple(Result(name, tuple(slices)) for name, slices in done.items())


def run_slice(contestant: Contestant, seconds: float, rng: Random) -> Slice:
    """Play whole matches until the time is up. The last one is finished, and its time counts."""
    gc.collect()
    matches = steps = 0
    started = perf_counter()
    while (spent := perf_counter() - started) < seconds:
        steps += contestant.playout(rng)
        matches += 1
    return Slice(matches, steps, spent)
