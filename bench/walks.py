"""Walks: how many of our functions and files a reader meets on one move, by Flask or the express lane, and a resolve.

Run with `python -m bench.walks`. Counted with `sys.setprofile` on SQLite, once what is cached is warm; functions of
the rules are counted as far as they are called, those of libraries are not.
"""

import json
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import click

from bench.databases import MeasuredService, environment
from bench.turn_stations import _choose_lines, _environ, _sign
from bench.whole_turns import new_match
from service.play.notify import make_effects
from service.play.resolve import resolve_together
from service.web.app import create_app
from service.web.batches import call_application

ROOT = Path(__file__).parents[1]
OURS = tuple(f"{ROOT / package}/" for package in ("engine", "service", "worker"))


def count_walk(do: Callable[[], Any]) -> tuple[int, int, Any]:
    """Return how many of our functions and files a call goes through, and what it returns."""
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
    """Play a few turns of a match, and return the counts of the last."""
    world.open()
    app = create_app(world.config)
    effects = make_effects(world.config)
    match, accounts = new_match(world, "people")
    resolve_together([match], effects, 20_000)
    walks: dict[str, tuple[int, int]] = {}
    for turn in range(8):
        way = ("express move", "Flask move")[turn // 2 % 2]
        for seat, account in enumerate(accounts):
            listed = _ask(app, _environ("GET", f"/v1/matches/{match}/options", account))
            if listed["question"] is None:
                continue
            body = _sign(match, seat, account, listed["question"], _choose_lines(listed))
            environ = _environ("POST", f"/v1/matches/{match}/moves", account, body)
            if way == "Flask move":
                environ["HTTP_PREFER"] = "respond-async"
            functions, files, answer = count_walk(lambda: call_application(app, environ))  # noqa: B023  # called at once
            if answer.status != 202:  # noqa: PLR2004
                raise RuntimeError(answer.body.decode())
            walks[way] = functions, files
            functions, files, _ = count_walk(lambda: resolve_together([match], effects, 20_000))
            walks["resolve"] = functions, files
            break
    return walks


def _ask(app: Any, environ: dict[str, Any]) -> Any:  # noqa: ANN401  # any JSON
    return json.loads(call_application(app, environ).body)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        for name, (functions, files) in measure_walks(MeasuredService("SQLite", environment(Path(folder)))).items():
            click.echo(f"{name}: {functions} functions in {files} files")
