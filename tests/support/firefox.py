"""A real Firefox for tests, as Debian packages it, driven by its own protocol: Marionette, JSON over a local socket."""

from __future__ import annotations

import base64
import contextlib
import json
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

from tests.support.servers import free_port

PATIENCE = 30
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
"""Under this name WebDriver returns an element."""
PREFERENCES = """
user_pref("marionette.port", {port});
user_pref("intl.accept_languages", "{language}");
user_pref("dom.w3c_touch_events.enabled", 1);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("browser.aboutwelcome.enabled", false);
"""
RESIZE = """
const { style } = gBrowser.selectedBrowser;
for (const name of ["width", "min-width", "max-width"]) style.setProperty(name, `${arguments[0]}px`);
for (const name of ["height", "min-height", "max-height"]) style.setProperty(name, `${arguments[1]}px`);
"""
READ_CONSOLE = """
return Services.console.getMessageArray()
  .filter((each) => each instanceof Ci.nsIScriptError && !(each.flags & Ci.nsIScriptError.warningFlag))
  .filter(({ sourceName, innerWindowID }) => sourceName.startsWith(arguments[0]) || innerWindowID)
  .map(({ errorMessage, sourceName, lineNumber }) => `${errorMessage} (${sourceName}:${lineNumber})`);
"""


@dataclass
class Firefox:
    """A Firefox without a window, and the connection to it."""

    connection: socket.socket
    numbers: Iterator[int]

    def ask(self, command: str, **parameters: Any) -> Any:  # noqa: ANN401  # any JSON
        """Send a command and return its result."""
        text = json.dumps([0, next(self.numbers), command, parameters]).encode()
        self.connection.sendall(b"%d:%b" % (len(text), text))
        _, _, error, result = self.read()
        assert error is None, f"{command}: {error['error']}: {error['message']}"
        return result

    def read(self) -> Any:  # noqa: ANN401  # any JSON
        """Return the next message: its length in digits, a colon, and JSON."""
        length = b""
        while (digit := self._receive(1)) != b":":
            length += digit
        return json.loads(self._receive(int(length)))

    def _receive(self, size: int) -> bytes:
        data = b""
        while len(data) < size:
            more = self.connection.recv(size - len(data))
            assert more, "Firefox has ended"
            data += more
        return data

    def open(self, url: str) -> None:
        """Go to an address."""
        self.ask("WebDriver:Navigate", url=url)

    def evaluate(self, function: str, *values: Any) -> Any:  # noqa: ANN401  # any JSON
        """Return what a JavaScript function of the page returns."""
        return self.ask("WebDriver:ExecuteScript", script=f"return ({function})(...arguments);", args=values)["value"]

    def wait_for(self, function: str, *values: Any) -> None:  # noqa: ANN401  # any JSON
        """Wait until a JavaScript function of the page returns something true."""
        until = time.monotonic() + PATIENCE
        while not self.evaluate(function, *values):
            assert time.monotonic() < until, f"never true: {function}"
            time.sleep(0.05)

    def touch(self, selector: str) -> None:
        """Touch the first element of this selector with a finger."""
        self.wait_for("(selector) => document.querySelector(selector)", selector)
        found = self.ask("WebDriver:FindElement", using="css selector", value=selector)["value"]
        self.evaluate("(element) => element.scrollIntoView({ block: 'nearest' })", found)
        finger = {
            "type": "pointer",
            "id": "finger",
            "parameters": {"pointerType": "touch"},
            "actions": [
                {"type": "pointerMove", "origin": {ELEMENT: found[ELEMENT]}, "x": 0, "y": 0},
                {"type": "pointerDown", "button": 0},
                {"type": "pointerUp", "button": 0},
            ],
        }
        self.ask("WebDriver:PerformActions", actions=[finger])

    def resize(self, width: int, height: int) -> None:
        """Give the page a size, which may be smaller than that of any window."""
        self._run_in_browser(RESIZE, width, height)
        self.wait_for("(...size) => innerWidth === size[0] && innerHeight === size[1]", width, height)

    def read_errors(self, site: str) -> list[str]:
        """Return the errors in the console about pages and scripts of a site."""
        errors: list[str] = self._run_in_browser(READ_CONSOLE, site)
        return errors

    def take_picture(self, path: Path) -> None:
        """Write what the window shows as PNG."""
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(base64.b64decode(self.ask("WebDriver:TakeScreenshot", full=False)["value"]))

    def _run_in_browser(self, script: str, *values: Any) -> Any:  # noqa: ANN401  # any JSON
        """Run a script with the rights of the browser itself."""
        self.ask("Marionette:SetContext", value="chrome")
        try:
            return self.ask("WebDriver:ExecuteScript", script=script, args=values)["value"]
        finally:
            self.ask("Marionette:SetContext", value="content")


def find_firefox() -> str:
    """Return the program; a test that needs it fails without it."""
    found = shutil.which("firefox-esr") or shutil.which("firefox")
    assert found is not None, "Firefox is missing; install it (apt-get install firefox-esr)"
    return found


@contextlib.contextmanager
def open_firefox(folder: Path, language: str) -> Iterator[Firefox]:
    """Run a Firefox with a new profile, as long as it is needed."""
    port = free_port()
    profile = folder / "profile"
    profile.mkdir()
    (profile / "user.js").write_text(PREFERENCES.format(port=port, language=language))
    words = ["--headless", "--marionette", "--remote-allow-system-access", "--no-remote", "--profile", str(profile)]
    log = folder / "firefox.log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            [find_firefox(), *words], stdout=output, stderr=output, env={**os.environ, "HOME": str(folder)}
        )
    try:
        with connect(port, process, log) as connection:
            firefox = Firefox(connection, count(1))
            firefox.read()  # what it is
            firefox.ask("WebDriver:NewSession")
            yield firefox
    finally:
        process.terminate()
        process.wait(PATIENCE)


def connect(port: int, process: subprocess.Popen[bytes], log: Path) -> socket.socket:
    """Return a connection once the program listens."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        assert process.poll() is None, log.read_text()
        with contextlib.suppress(ConnectionRefusedError):
            return socket.create_connection(("127.0.0.1", port), PATIENCE)
        time.sleep(0.1)
    raise AssertionError(f"Firefox does not listen: {log.read_text()}")
