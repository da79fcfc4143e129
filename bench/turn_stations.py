"""CPU time of each station of a turn, one after the other in this process, without HTTP and threads."""

import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from statistics import median
from typing import Any

from flask import Flask
from rich.table import Table
from werkzeug.test import create_environ

from bench.databases import MeasuredService
from bench.signing_clients import Account
from bench.tables import figures_table
from bench.turn_client import write_moves
from bench.whole_turns import new_match
from service.db.connection import rows
from service.events.dispatcher import dispatcher
from service.events.event_shapes import EventShown
from service.events.stream import event_block
from service.play.notify import make_effects
from service.play.resolve import resolve_together
from service.web.app import create_app, express_lanes
from service.web.batches import call_application
from service.web.express.requests import ExpressLane

TURNS = 300
STATIONS = (
    ("read", "read the options: who asks, the table, names, sentences, JSON"),
    ("read ten", "read the options of ten at once, for each of them"),
    ("accept", "accept two signed lines: two signatures, the rules, the chain, one statement"),
    ("accept ten", "accept two signed lines of ten at once, for each of them"),
    ("resolve", "resolve one match: the card, clocks, events, letters, one transaction"),
    ("together", "resolve ten at once, for each of them"),
    ("deliver", "read new events and write them for the streams"),
)


@dataclass
class StationTimes:
    """CPU microseconds by station."""

    world: str
    taken: dict[str, list[float]] = field(default_factory=dict)

    def take(self, station: str, do: Callable[[], Any], share: int = 1) -> Any:  # noqa: ANN401  # its result
        """Call a function, and record its time divided by `share`."""
        began = time.thread_time()
        result = do()
        self.taken.setdefault(station, []).append((time.thread_time() - began) / share * 1e6)
        return result

    def middle(self, station: str) -> float:
        """Return the median time."""
        return median(self.taken[station])


def measure_stations(world: MeasuredService) -> StationTimes:
    """Play turns of ten matches, station by station."""
    world.open()
    app = create_app(world.config)
    effects = make_effects(world.config)
    times = StationTimes(world.name)
    tables = [new_match(world, "people") for _ in range(10)]
    names = [match for match, _ in tables]
    resolve_together(names, effects, world.config.most_entries)
    with dispatcher.subscribe(tables[0][1][0].player.id) as subscription:
        for turn in range(TURNS // 10):
            if turn % 2:
                for match, accounts in tables:
                    _play_turn(app, times, match, accounts)
                    times.take("resolve", partial(resolve_together, [match], effects, 20_000))
            else:
                _play_turns_together(app, times, dict(tables))
                times.take("together", partial(resolve_together, names, effects, 20_000), len(names))
            times.take("deliver", partial(_deliver, subscription.take))
    return times


def _deliver(take: Callable[[], list[EventShown]]) -> list[str]:
    dispatcher._deliver()  # noqa: SLF001  # what its thread does
    return [event_block(event) for event in take()]


def _play_turn(app: Any, times: StationTimes, match: str, accounts: tuple[Account, ...]) -> None:  # noqa: ANN401
    for seat, who in enumerate(accounts):
        listed = times.take("read", partial(ask, app, "GET", f"/v1/matches/{match}/options", who))
        if listed["question"] is None:
            continue
        body = sign_turn(match, seat, who, listed)
        times.take("accept", partial(ask, app, "POST", f"/v1/matches/{match}/moves", who, body))
        return


def _play_turns_together(app: Flask, times: StationTimes, tables: dict[str, tuple[Account, ...]]) -> None:
    options, moves = express_lanes(app)
    asked: dict[str, int] = dict(rows("select match, seat from seat where asked is not null"))
    reads = [build_environ("GET", f"/v1/matches/{match}/options", tables[match][seat]) for match, seat in asked.items()]
    listed = times.take("read ten", partial(ask_together, options, reads), len(asked))
    posts = []
    for (match, seat), found in zip(asked.items(), listed, strict=True):
        who = tables[match][seat]
        posts.append(build_environ("POST", f"/v1/matches/{match}/moves", who, sign_turn(match, seat, who, found)))
    times.take("accept ten", partial(ask_together, moves, posts), len(asked))


def ask_together(app: ExpressLane, environs: list[dict[str, Any]]) -> list[Any]:
    """Answer requests in one batch, and return the JSON of each answer."""
    requests = [request for environ in environs if (request := app.find_request(environ))]
    found = dict(app.answer_batch(requests))
    answers = [found[request] or app.answer_or_refuse(request) for request in requests]
    return [json.loads(app.finish(request, answer)[2]) for request, answer in zip(requests, answers, strict=True)]


def sign_turn(match: str, seat: int, who: Account, listed: dict[str, Any]) -> bytes:
    """Return the signed body of a turn."""
    return write_moves(match, seat, who.key, listed, who.private.sign)


def ask(app: Any, method: str, path: str, who: Account, body: bytes = b"") -> Any:  # noqa: ANN401
    """Send a request to the application, and return the JSON of its answer."""
    answer = call_application(app, build_environ(method, path, who, body))
    if answer.status not in (200, 202):
        raise RuntimeError(f"{answer.status}: {answer.body.decode()}")
    return json.loads(answer.body)


def build_environ(method: str, path: str, who: Account, body: bytes = b"") -> dict[str, Any]:
    """Return the WSGI environment of a request."""
    headers = {"Authorization": f"Bearer {who.token}"}
    return create_environ(path, method=method, headers=headers, data=body, content_type="application/json")


def stations_table(found: list[StationTimes]) -> Table:
    """Return a table of the stations."""
    title = "Stations of a turn: µs of CPU time of Python, the middle of many"
    table = figures_table(title, ["station"], [each.world for each in found])
    for station, words in STATIONS:
        table.add_row(words, *(f"{each.middle(station):.0f}" for each in found))
    return table
