"""`echtra cards`: the tables that a game offers."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.games import GAMES
from engine.presentation import CardTable
from engine.words import Locale
from tests.support.command_line import ENGLISH, FRENCH, echtra


def tables(locale: Locale) -> tuple[CardTable, ...]:
    """Return two small tables."""
    title, head = {"en": ("Beasts", "Name"), "fr": ("Bêtes", "Nom")}[locale]
    rows = (("Púca", "1", "It shifts. " * 30, "It kicks. " * 9), ("Kelpie", "2", "", ""))
    return CardTable(title, (head, "#", "Text", "More"), rows), CardTable("Other", ("A",), (("b",),))


@pytest.fixture
def beasts(monkeypatch: pytest.MonkeyPatch) -> str:
    """A game with tables."""
    keltis = GAMES["keltis"]
    rules, presentation = replace(keltis.rules, slug="wild-beasts"), replace(keltis.presentation, tables=tables)
    monkeypatch.setitem(GAMES, "wild-beasts", replace(keltis, rules=rules, presentation=presentation))
    return "wild-beasts"


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


@pytest.mark.parametrize("slug", [slug for slug, game in GAMES.items() if game.presentation.tables])
def test_the_tables_of_our_games_fit(slug: str) -> None:
    for env in (ENGLISH, FRENCH):
        result = echtra("cards", slug, env=env)
        assert result.exit_code == 0
        assert [row for row in result.stdout.splitlines() if len(row) > 80] == []
