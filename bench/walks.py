"""Walks: how many of our functions and files a reader meets on a move, on a resolve and on the email about a turn.

Run with `python -m bench.walks`. Moves go by Flask and by the express lane. Counted with `sys.setprofile` on SQLite,
once caches are warm; functions of the rules and of drawing count if they are called, those of libraries do not.
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
from bench.turn_stations import _environ, _sign
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
            body = _sign(match, seat, account, listed)
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


def _ask(app: Any, environ: dict[str, Any]) -> Any:  # noqa: ANN401  # any JSON
    return json.loads(call_application(app, environ).body)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        for name, (functions, files) in measure_walks(MeasuredService("SQLite", environment(Path(folder)))).items():
            click.echo(f"{name}: {functions} functions in {files} files")
