"""Balor's points: seen in table, letter and picture from the first turn, and explained at the end."""

from __future__ import annotations

from itertools import islice

import pytest

from engine import chance
from engine.games.tir_na_nog import GAME
from engine.games.tir_na_nog.rules.cards import COLOURS
from engine.games.tir_na_nog.rules.score import LEAST_REGION, pile_regions, scores
from engine.games.tir_na_nog.rules.state import TirNaNog
from engine.games.tir_na_nog.texts.names import geas_name
from engine.picture import Group, Text, flat
from engine.playout import play_out
from engine.words import LOCALES, Locale


def moments(count: int | None) -> list[TirNaNog]:
    """The tables of a match of a random person against Balor, so many of them."""
    state = GAME.rules.start(2, {"balor": "normal"})
    bots, picks = {0: GAME.bots.by_name["random"], 1: GAME.bots.by_name["balor"]}, chance.seeded_pick(5)
    made = play_out(GAME, state, chance.seeded_pick(4), bots, lambda _seat: picks)
    return [after for _, _, after in islice(made, count)]


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("seat", [0, None])
def test_his_points_on_each_geas_are_shown_from_the_first_turn(locale: Locale, seat: int | None) -> None:
    state = moments(3)[-1]
    view, score = GAME.rules.view(state, seat), scores(state)[1]
    assert GAME.presentation.prose is not None
    assert GAME.presentation.board is not None
    expected = [f"{geas_name(count.label, locale)} {count.points}" for count in score.counts[:3]]
    for text in (
        GAME.presentation.text(view, locale),
        GAME.presentation.prose(view, locale),
        GAME.presentation.board(view, locale, 80),
    ):
        words = " ".join(text.replace("\N{NO-BREAK SPACE}", " ").split())
        assert [each for each in expected if each not in words] == []
        assert f" {score.total} points" in words
    for narrow in (False, True):
        shapes = GAME.presentation.picture(view, locale, narrow=narrow)
        drawn = [shape.words for shape in flat(shapes) if isinstance(shape, Text)]
        labels = [shape.label for shape in shapes if isinstance(shape, Group)]
        for count in score.counts[:3]:
            assert any(each.endswith(f"Balor {count.points}") for each in drawn)
            assert any(
                geas_name(count.label, locale) in each and each.endswith(f"Balor {count.points}") for each in labels
            )
        assert str(score.total) in drawn


@pytest.mark.parametrize("locale", LOCALES)
def test_at_the_end_every_point_of_his_is_explained(locale: Locale) -> None:
    before, after = moments(None)[-2:]
    assert after.over
    told = GAME.presentation.tell(GAME.rules.view(before, 0), GAME.rules.view(after, 0), 0, "discard ?", locale)
    score, pile, yours = scores(after)[1], pile_regions(after.pile), after.sagas[0].regions
    fixed, regions = (
        next(each for each in told if each.startswith(start)).replace("\N{NO-BREAK SPACE}", " ")
        for start in (("Balor’s points on", "Les points de Balor sur"), ("His regions", "Ses régions"))
    )
    for count in score.counts[:3]:
        assert f"{geas_name(count.label, locale)} {count.points}" in fixed
    reasons = regions.split(";")
    assert len(reasons) == len(COLOURS)
    for count, reason in zip(score.counts[3:7], reasons, strict=True):
        assert f" {count.points}" in reason
        if pile[count.label] >= LEAST_REGION:
            assert f" {pile[count.label]} " in reason
            assert pile[count.label] == yours[count.label] or str(yours[count.label]) in reason


def test_an_ordinary_table_has_no_balor() -> None:
    state = GAME.rules.start(2)
    assert GAME.rules.view(state, 0).balor_score is None
