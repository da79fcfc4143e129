"""What docs/RECORD.md tells a stranger about the games is what they do: decks, hidden forms, and its examples."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from engine.game import Seal
from engine.games import GAMES
from service.record.verify.hidden_states import has_redacted_form
from tests.golden.records.stories import STORIES
from tests.support.random_matches import has_secrets
from tests.support.random_records import Played

PAGE = (Path(__file__).parents[3] / "docs" / "RECORD.md").read_text("utf-8")


def test_the_deck_of_tir_na_nog_is_the_one_that_is_dealt() -> None:
    once, twice = (re.findall(r"[a-z-]+", block) for block in re.findall(r"(?:^> .*\n)+", PAGE, re.MULTILINE))
    start = GAMES["tir-na-nog"].rules.start(3)
    assert sorted([*once, *twice, *twice]) == list(start.deck)
    assert once == sorted(once)
    assert twice == sorted(twice)


def test_the_geas_stand_in_the_order_of_their_picks() -> None:
    rows = [re.findall(rf"{row} `([a-z ]+)`", PAGE)[0].split(" ") for row in ("top", "middle", "bottom")]
    named = [line.split(" ")[2:] for seed in range(8) for line in Played("tir-na-nog", 2, {}, seed).lines[:1]]
    assert all(slug in row for geas in named for slug, row in zip(geas, rows, strict=True))
    assert [len(row) for row in rows] == [4, 4, 4]


@pytest.mark.parametrize("slug", [slug for slug, game in GAMES.items() if has_secrets(game)])
def test_what_others_see_of_hidden_lines_is_what_the_table_of_readers_says(slug: str) -> None:
    title = GAMES[slug].presentation.title["en"].partition(",")[0]
    cells = [row.split(" | ")[1] for row in PAGE.splitlines() if row.startswith(f"| **{title}**")]
    told = {form for cell in cells for form in re.findall(r"`([^`]*\?[^`]*)`", cell)}
    seen = {
        named(form)
        for seed in range(4)
        for sealed, _, _, form in Played(slug, 2, {}, seed).seals
        if sealed is not Seal.NEVER
    }
    assert seen
    assert seen <= told
    assert {action.verb for action in GAMES[slug].rules.actions if action.sealed is not Seal.NEVER} <= {
        form.split(" ")[0] for form in told
    }
    assert all(has_redacted_form(GAMES[slug], form.replace("PLACE", "b4").replace("S", "0")) for form in told)


def named(form: str) -> str:
    """A redacted form as the page writes it."""
    verb, *words = form.split(" ")
    name = "S" if verb in {"deal", "draw"} else "PLACE"
    return " ".join([verb, *(word if word == "?" else name for word in words)])


def test_every_golden_match_is_told_of() -> None:
    assert set(re.findall(r"^\| `([a-z0-9-]+)` \|", PAGE.split("## 10.")[1], re.MULTILINE)) == set(STORIES)
