"""`python -m tests.golden.records` plays the matches of the golden records that are not there yet, and files them."""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from service.bounded_cache import reset_process_state
from service.config import Config
from service.db import connection, migrations
from service.jobs import wakeups
from service.play import server_keys
from service.shapes import to_json
from service.timestamps import TimeSource
from tests.golden.records import FOLDER, SERVERS
from tests.golden.records.evening import serve
from tests.golden.records.stories import STORIES
from tests.support.players import Clock

START = 1_790_000_000_000
SERVER_KEYS = "echtra.json"


@contextmanager
def service(folder: Path) -> Iterator[tuple[Config, Clock]]:
    """The service on an empty database in this folder, with a clock of its own."""
    before, clock = TimeSource.source, Clock(START)
    clock.install()
    config = replace(Config(), data=folder, database_url=f"sqlite:///{folder / 'golden.db'}")
    connection.connect(config.database)
    try:
        migrations.migrate()
        wakeups.WakeupChannel.send = staticmethod(lambda _task, _what: None)
        serve(SERVERS[0])
        yield config, clock
    finally:
        connection.drop_connections()
        reset_process_state()
        TimeSource.source = staticmethod(before)


def file(name: str, folder: Path) -> list[Path]:
    """Play one match and file its records; nothing that is there is written again."""
    if (folder / f"{name}.jsonl").exists():
        return []
    with tempfile.TemporaryDirectory() as place, service(Path(place)) as (config, clock):
        made = {name + suffix: data for suffix, data in STORIES[name](config, clock).items()}
        listed = to_json(server_keys.published_keys())
    written = []
    for each, data in made.items():
        path = folder / each
        with path.open("xb") as out:
            out.write(data)
        written.append(path)
    keys = folder / f"{name}.{SERVER_KEYS}"
    with keys.open("xb") as out:
        out.write(json.dumps(listed, indent=1).encode() + b"\n")
    return [*written, keys]


def main() -> int:
    """File every match that is missing."""
    written = [path for name in STORIES for path in file(name, FOLDER)]
    for path in written:
        print(f"wrote {path} ({path.stat().st_size} bytes)")
    print("Verify them, then commit them: golden records are added, never edited.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
