"""Walks: how many of our functions and files a reader meets on one move, by Flask or the express lane, and a resolve.

Run with `python -m bench.walks`. Counted with `sys.setprofile` on SQLite, with warm caches. Functions of the rules
count if they are called, those of libraries do not.
"""

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any

import click

from bench.databases import MeasuredService, temporary_service
from bench.turn_stations import ask, build_environ, sign_turn
from bench.whole_turns import new_match
from service.play.notify import make_effects
from service.play.resolve import resolve_together
from service.web.app import create_app
from service.web.batches import call_application

ROOT = Path(__file__).parents[1]
OURS = tuple(f"{ROOT / package}/" for package in ("engine", "service", "worker"))
TURNS = 8


def count_walk(do: Callable[[], Any]) -> tuple[int, int, Any]:
    """Return how many of our functions and files a call goes through, and its result."""
    met: set[tuple[str, str]] = set()

    def note(frame: FrameType, event: str, _value: object) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(OURS) and not code.co_name.startswith("<"):
            met.add((code.co_filename, code.co_qualname))

    sys.setprofile(note)
    try:
        result = do()
    finally:
        sys.setprofile(None)
    return len(met), len({file for file, _ in met}), result


def measure_walks(world: MeasuredService) -> dict[str, tuple[int, int]]:
    """Play a few turns of a match, and return the counts of the last ones."""
    app = create_app(world.config)
    match, accounts = new_match(world, "people")
    resolve = partial(resolve_together, [match], make_effects(world.config), 20_000)
    resolve()
    walks: dict[str, tuple[int, int]] = {}
    for turn in range(TURNS):
        way = ("express move", "Flask move")[turn // 2 % 2]
        listed = [ask(app, "GET", f"/v1/matches/{match}/options", account) for account in accounts]
        seat = next(seat for seat, options in enumerate(listed) if options["question"] is not None)
        body = sign_turn(match, seat, accounts[seat], listed[seat])
        environ = build_environ("POST", f"/v1/matches/{match}/moves", accounts[seat], body)
        if way == "Flask move":
            environ["HTTP_PREFER"] = "respond-async"
        *counts, answer = count_walk(partial(call_application, app, environ))
        if answer.status != 202:  # noqa: PLR2004
            raise RuntimeError(answer.body.decode())
        walks[way] = counts[0], counts[1]
        functions, files, _ = count_walk(resolve)
        walks["resolve"] = functions, files
    return walks


if __name__ == "__main__":
    with temporary_service() as service:
        for name, (functions, files) in measure_walks(service).items():
            click.echo(f"{name}: {functions} functions in {files} files")
