"""Walks: how many of our functions and files run for a move, for a resolution and for the email about a turn.

Run with `python -m bench.walks`. Moves go by Flask and by the express lane. Counted with `sys.setprofile` on SQLite,
with warm caches. Functions of the rules and of drawing count if they are called, those of libraries do not.
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
from service.config import Config
from service.db.connection import execute, rows
from service.play.notify import make_effects
from service.play.resolve import resolve_together
from service.web.app import create_app
from service.web.batches import call_application
from worker.schedule import JOB_HANDLERS
from worker.tasks import run_job

ROOT = Path(__file__).parents[1]
OURS = tuple(f"{ROOT / package}/" for package in ("engine", "service", "worker"))
TURNS = 8


def count_walk(do: Callable[[], Any]) -> tuple[int, int, Any]:
    """Return how many of our functions and files a call runs, and its result."""
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
    walks["turn email"] = _count_turn_email(world.config)
    return walks


def _count_turn_email(config: Config) -> tuple[int, int]:
    """Return the counts of the job that composes and sends the email about the last turn."""
    execute("update player set address = id || '@example.org', letters = 'turn' where address is null")
    execute("update job set due_at = 0")
    ((number,),) = rows("select id from job where key like 'turn:%' and done_at is null order by id desc limit 1")
    functions, files, _ = count_walk(lambda: run_job(number, config, JOB_HANDLERS))
    if rows("select count(*) from letter") != [(1,)]:
        raise RuntimeError("no email was sent")
    return functions, files


if __name__ == "__main__":
    with temporary_service() as service:
        for name, (functions, files) in measure_walks(service).items():
            click.echo(f"{name}: {functions} functions in {files} files")
