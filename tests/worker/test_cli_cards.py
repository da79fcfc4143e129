"""`echtra cards`: the tables that a game's wording offers."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import engine.games
from engine.games import GAMES
from tests.worker.cli_calls import ENGLISH, FRENCH, echtra
from worker.commands.cards import tables_of

WORDING = '''
def tables(locale):
    """Two small tables."""
    title, head = {"en": ("Beasts", "Name"), "fr": ("Bêtes", "Nom")}[locale]
    rows = [("Púca", 1, "It shifts. " * 30, "It kicks. " * 9), ("Kelpie", 2, "", "")]
    return [(title, (head, "#", "Text", "More"), rows), ("Other", ("A",), [("b",)])]
'''


@pytest.fixture
def beasts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A game whose folder has a wording with tables."""
    folder = tmp_path / "wild_beasts"
    folder.mkdir()
    (folder / "__init__.py").touch()
    (folder / "wording.py").write_text(WORDING)
    monkeypatch.setattr(engine.games, "__path__", [*engine.games.__path__, str(tmp_path)])
    monkeypatch.setitem(GAMES, "wild-beasts", replace(GAMES["keltis"], slug="wild-beasts"))
    yield "wild-beasts"
    for name in [name for name in sys.modules if name.startswith("engine.games.wild_beasts")]:
        del sys.modules[name]


@pytest.mark.parametrize("columns", [60, 80, 100, 160])
def test_tables_in_both_languages(beasts: str, columns: int) -> None:
    wide = {"COLUMNS": str(columns)}
    english, french = (echtra("cards", beasts, env={**env, **wide}) for env in (ENGLISH, FRENCH))
    assert english.exit_code == french.exit_code == 0
    for shown, title, head in ((english.stdout, "Beasts", "Name"), (french.stdout, "Bêtes", "Nom")):
        rows = [row.rstrip() for row in shown.splitlines()]
        assert title in rows
        assert any(row.split()[:2] == [head, "#"] for row in rows)
        assert any(row.split() == ["Kelpie", "2"] for row in rows)
        assert (shown.count("shifts."), shown.count("kicks.")) == (30, 9)
        assert "Other" in rows
        assert all(len(row) <= columns for row in rows)


def test_games_without_tables_name_those_with(beasts: str) -> None:
    result = echtra("cards", "keltis")
    assert result.exit_code == 2
    assert beasts in result.stderr


@pytest.mark.parametrize("slug", [slug for slug in GAMES if tables_of(slug)])
def test_the_tables_of_our_games_fit(slug: str) -> None:
    for env in (ENGLISH, FRENCH):
        result = echtra("cards", slug, env=env)
        assert result.exit_code == 0
        assert [row for row in result.stdout.splitlines() if len(row) > 80] == []
