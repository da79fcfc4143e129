"""The service under measurement, with two plain endpoints on the same server."""

import os
import threading
import time
from typing import Any

from celery import Celery
from flask import Flask, request
from werkzeug.middleware.dispatcher import DispatcherMiddleware

from service.config import Config, read
from service.db.connection import db, execute, is_postgres, release_connection, write_transaction
from service.events.dispatcher import dispatcher
from service.web.app import create_app, express_lanes
from service.web.gateway import Gateway
from worker.wakeups import listen_for_events, start_sender

EMPTY = "bench.empty"
LATE: list[float] = []


def plain_app() -> Flask:
    """Return an endpoint that makes one durable insert, and one that says how late empty tasks started."""
    app = Flask("bench")
    app.teardown_request(lambda _error: release_connection())

    @app.post("/insert")
    def insert() -> tuple[dict[str, Any], int]:
        with write_transaction():
            execute("insert into bench (body) values (?)", request.get_data(as_text=True))
        return {"kept": True}, 202

    @app.get("/empty")
    def empty() -> list[float]:
        return LATE

    return app


def create_plain_table() -> None:
    """Create the table of the plain insert."""
    kind = "bigserial primary key" if is_postgres() else "integer primary key"
    db.execute_sql(f"create table if not exists bench (id {kind}, body text not null)")


def service_with_plain_app(config: Config) -> Gateway:
    """Return the service with the plain endpoints under `/bench`."""
    service = create_app(config)
    return Gateway(DispatcherMiddleware(service, {"/bench": plain_app()}), config, express_lanes(service))


def application() -> Any:  # noqa: ANN401
    """Return the application; granian calls this in each of its processes."""
    config = read(os.environ)
    if not config.embedded:
        start_sender(config)
        listen_for_events(config, dispatcher.wake)
    return service_with_plain_app(config)


def start_empty_tasks(app: Celery, rate: float) -> threading.Thread:
    """Return a thread that sends this many empty tasks a second. `LATE` notes how late each starts."""

    @app.task(name=EMPTY, shared=False)
    def _empty(sent: float) -> None:
        LATE.append(time.time() - sent)

    def send() -> None:
        while True:
            time.sleep(1 / rate)
            app.send_task(EMPTY, args=(time.time(),), ignore_result=True)

    return threading.Thread(target=send, daemon=True)


def main() -> None:
    """Serve until killed.

    `granian` serves from several processes; `crew` and `idle` serve from one with a worker, and `crew` sends empty
    tasks too. `worker` is a worker alone, as `echtra worker` runs it.
    """
    import sys

    from cli.embedded_server import SERVER_OPTIONS, EmbeddedServer

    config = read(os.environ)
    kind = sys.argv[1]
    if kind == "granian":
        from granian import Granian

        Granian(
            "bench.measured_server:application",
            factory=True,
            address=config.host,
            port=config.port,
            workers=config.processes,
            log_enabled=False,
            **SERVER_OPTIONS,
        ).serve()
        return
    from bench.paired_rounds import HANDLERS
    from worker.schedule import JOB_HANDLERS

    JOB_HANDLERS.update(HANDLERS)
    if kind == "worker":
        from cli import main as echtra

        echtra(["worker"])
        return
    from worker.process import BackgroundWorker

    listener = EmbeddedServer(service_with_plain_app(config), config, lambda: None)
    crew = BackgroundWorker(config)
    empty = start_empty_tasks(crew.app, 40)
    crew.start()
    if kind == "crew":
        empty.start()
    listener.run()


if __name__ == "__main__":
    main()
