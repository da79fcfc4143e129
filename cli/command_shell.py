"""The shell of whoever called us: what they type to call us again."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path


def called() -> str:
    """What to type for this program: its name where the shell finds it, else the way to it from here."""
    if shutil.which("echtra"):
        return "echtra"
    path = str(Path(sys.executable).with_name("echtra"))
    return min(path, os.path.relpath(path), key=len)
