"""Calling `echtra` from tests, in this process or in a real terminal."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import struct
import sys
import termios
import time
from codecs import getincrementaldecoder
from collections.abc import Callable
from pathlib import Path

from click.testing import CliRunner, Result

from cli import main

ENGLISH = {"LANG": "en_GB.UTF-8", "LC_ALL": "", "LC_MESSAGES": "", "NO_COLOR": "", "COLUMNS": "80", "LOGNAME": "aoife"}
FRENCH = {**ENGLISH, "LANG": "fr_FR.UTF-8"}
ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
PATIENCE = 30.0


def echtra(*args: str | Path, typed: str = "", env: dict[str, str] | None = None) -> Result:
    """Return the result of a call of `echtra` in this process."""
    return CliRunner().invoke(main, [str(arg) for arg in args], input=typed, env=env or ENGLISH, prog_name="echtra")


def refused(*args: str | Path, env: dict[str, str] | None = None) -> str:
    """Return the error output of a call that must be refused."""
    result = echtra(*args, env=env)
    assert result.exit_code == 2, result.output
    assert isinstance(result.exception, SystemExit)
    assert result.stdout == ""
    return result.stderr


class Session:
    """A call of `echtra` in a terminal of its own."""

    def __init__(self, *args: str | Path, cwd: Path, columns: int = 80, environ: dict[str, str] | None = None) -> None:
        """Start it."""
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
            os.chdir(cwd)
            words = [sys.executable, "-m", "cli", *map(str, args)]
            root = str(Path(__file__).parents[2])
            kept = {name: os.environ[name] for name in ("HOME",) if name in os.environ}
            # As for somebody who has installed the program, so that it is called by its name.
            kept["PATH"] = os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)))
            os.execve(  # noqa: S606  # our own command
                sys.executable,
                words,
                {
                    **kept,
                    "PYTHONPATH": root,
                    "TERM": "xterm-256color",
                    "LANG": "en_GB.UTF-8",
                    "LOGNAME": "aoife",
                    **(environ or {}),
                },
            )
        self.raw = ""
        self.decoder = getincrementaldecoder("utf-8")("replace")  # a read may end in the middle of a character
        self.code: int | None = None

    def until(self, sign: str, since: int = 0) -> str:
        """Return everything shown so far, once this text has appeared."""
        end = time.monotonic() + PATIENCE
        while sign not in self.raw[since:]:
            assert time.monotonic() < end, f"no {sign!r} in:\n{self.raw[since:]!r}"
            if not self._more(0.2):
                break
        assert sign in self.raw[since:], self.raw
        return self.raw

    def type(self, text: str) -> int:
        """Type this. Return how much had been shown before."""
        before = len(self.raw)
        os.write(self.terminal, text.encode())
        return before

    def closed(self, press: Callable[[], object] = lambda: None) -> str:
        """Return everything shown in plain text, once the call has ended.

        `press` is repeated every second: Python's line editor loses a signal that arrives between the prompt and the
        wait.
        """
        end = again = time.monotonic()
        while True:
            if time.monotonic() >= again:
                press()
                again = time.monotonic() + 1
            if not self._more(0.2):
                break
            assert time.monotonic() < end + PATIENCE, self.raw
        self.code = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        os.close(self.terminal)
        return ESCAPES.sub("", self.raw)

    def left(self, key: str = "\x03") -> str:
        """Return everything shown in plain text, once this key has ended the call."""
        return self.closed(lambda: self.type(key))

    def _more(self, seconds: float) -> bool:
        if not select.select([self.terminal], [], [], seconds)[0]:
            return True
        try:
            data = os.read(self.terminal, 65536)
        except OSError:
            return False
        self.raw += self.decoder.decode(data)
        return bool(data)
