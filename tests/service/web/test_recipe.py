"""The recipe in `service/web/__init__.py` is carried out to the letter: its endpoint works and is documented."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from shutil import copytree
from textwrap import dedent
from types import ModuleType

import pytest

import service.web
from service.config import Config
from service.db.connection import execute
from service.i18n import catalogue
from service.web import app as web_app
from service.web.openapi import document
from tests.support.players import newcomer


def code_blocks(text: str) -> list[str]:
    """The indented parts of a text, those that only blank lines part being one."""
    blocks: list[list[str]] = [[]]
    for line in text.splitlines():
        if line.startswith("    ") or (not line and blocks[-1]):
            blocks[-1].append(line)
        elif blocks[-1]:
            blocks.append([])
    return [dedent("\n".join(block)) for block in blocks if block]


@pytest.fixture
def greetings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """The three files of the recipe, and the line in `app.py`."""
    names = ("service.web.schemas.greetings", "service.web.api.greetings")
    *blocks, texts = code_blocks(service.web.__doc__ or "")
    assert len(blocks) == len(names)
    folder = copytree(catalogue.FOLDER, tmp_path / "texts")
    (folder / "greetings.toml").write_text(texts, "utf-8")
    monkeypatch.setattr(catalogue, "FOLDER", folder)
    catalogue._file_names.cache_clear()  # else it is only read once
    for name, code in zip(names, blocks, strict=True):
        made = ModuleType(name)
        monkeypatch.setitem(sys.modules, name, made)
        exec(compile(code, name, "exec"), vars(made))  # noqa: S102  # our own text
    monkeypatch.setattr(web_app, "API", (*web_app.API, sys.modules[names[1]]))
    yield
    catalogue._file_names.cache_clear()  # as above


@pytest.mark.usefixtures("clock", "greetings")
def test_the_endpoint_of_the_recipe_works(config: Config) -> None:
    app = web_app.create_app(config)
    execute("create table greeting (id text, text text, at bigint)")
    for number in range(5):
        execute("insert into greeting (id, text, at) values (?, ?, ?)", f"id{number}", f"text {number}", number // 2)
    me = newcomer(app.test_client())
    assert me.client.post("/v1/greetings", json={"text": "Dia dhuit"}).status_code == 401
    assert me.post("/v1/greetings", {"text": "Dia dhuit", "more": 1}).status_code == 422
    refused = me.post("/v1/greetings", {"text": " "}).json
    assert (refused["type"], refused["detail"], refused["field"]) == ("/problems/conflict", "Say something.", "text")
    assert me.post("/v1/greetings", {"text": "Dia dhuit"}, Idempotency_Key="a").json == {"text": "Aoife: Dia dhuit"}
    path, texts = "/v1/greetings?limit=2", []
    while path:
        answer = me.get(path)
        texts += [item["text"] for item in answer.json["items"]]
        path = answer.headers.get("Link", "<>")[1:].partition(">")[0]
    assert texts == ["text 4", "text 2", "text 3", "text 0", "text 1"]
    assert {"get", "post"} <= document.build_document(app)["paths"]["/v1/greetings"].keys()
