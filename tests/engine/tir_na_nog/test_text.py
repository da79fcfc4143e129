"""Texts and pictures of Tír na nÓg: the table, menus and stories, in both languages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest

from engine.chance import seeded_pick
from engine.game import CHANCE, Action, Seal, Seat, apply, legal, seal, to_act
from engine.games.tir_na_nog import GAME
from engine.games.tir_na_nog.bots import random
from engine.games.tir_na_nog.picture import picture
from engine.games.tir_na_nog.rules.state import TirNaNog
from engine.games.tir_na_nog.rules.steps import BalorPlaces, BalorTakes, PlaceStoryteller, Spare
from engine.games.tir_na_nog.texts.menu import say
from engine.games.tir_na_nog.texts.names import card_name
from engine.games.tir_na_nog.texts.story import tell
from engine.games.tir_na_nog.texts.table_text import text
from engine.picture import Box, Disc, Group, Text, extent, flat
from engine.playout import play_out, roll_chance
from engine.reading import read
from engine.words import LOCALES, Locale
from tests.engine.tir_na_nog.tables import cards, playing, table, turn

COLUMNS = 100
KINDS = [(2, "off"), (3, "off"), (4, "off"), (5, "off"), (2, "easy"), (2, "impossible")]
Moves = Iterator[tuple[TirNaNog, Seat, Action[Any], TirNaNog]]

every_kind = pytest.mark.parametrize(("seats", "balor"), KINDS)
every_locale = pytest.mark.parametrize("locale", LOCALES)


def moves(seats: int, balor: str, seed: int) -> Moves:
    """A random match move by move."""
    state, pick = GAME.rules.start(seats, {"balor": balor}), seeded_pick(seed)
    while asked := to_act(state):
        seat = min(asked)
        options = legal(state, seat)
        action = roll_chance(state, pick) if seat == CHANCE else random(GAME.rules.view(state, seat), options, pick)
        before, state = state, apply(state, seat, action)
        yield before, seat, action, state


@every_kind
def test_the_table_fits_a_hundred_columns_in_both_languages(seats: int, balor: str) -> None:
    for number, (_, _, _, state) in enumerate(moves(seats, balor, 1)):
        viewer = (*range(seats), None)[number % (seats + 1)]
        english, french = (text(GAME.rules.view(state, viewer), locale) for locale in LOCALES)
        assert english != french
        for shown in (english, french):
            assert max(map(len, shown.splitlines())) <= COLUMNS
            assert not re.search(r"[{}\t\u2500-\u259f]| \n", shown)
        assert " :" not in french


@every_kind
def test_menus_and_stories_are_whole_sentences(seats: int, balor: str) -> None:
    for before, seat, action, after in moves(seats, balor, 2):
        for locale in LOCALES:
            if seat != CHANCE:
                sentences = [say(GAME.rules.view(before, seat), option, locale) for option in legal(before, seat)]
                assert all(sentences)
                assert len(set(sentences)) == len(sentences)
            viewer = (seat + 1) % seats if seat != CHANCE else None
            hidden = seal(before, action) is not Seal.NEVER and not after.over
            line = action.seen_by(seat, viewer) if hidden else action.line
            told = tell(GAME.rules.view(before, viewer), GAME.rules.view(after, viewer), seat, line, locale)
            assert told
            assert all(re.fullmatch(r"[A-ZÉÀ].*[.]", sentence) for sentence in told), told


@pytest.mark.parametrize("narrow", [False, True])
@every_kind
def test_pictures_stay_on_their_paper_and_their_cards_apart(seats: int, balor: str, narrow: bool) -> None:
    for number, (_, _, _, state) in enumerate(moves(seats, balor, 3)):
        if number % 10:
            continue
        drawn = picture(GAME.rules.view(state, 0), "en", narrow=narrow)
        shapes = flat(drawn)
        assert isinstance(shapes[0], Box)
        width, height = extent(shapes[:1])
        assert extent(shapes) == (width, height)
        assert all(0 <= shape.x <= width for shape in shapes if isinstance(shape, Disc | Text | Box))
        assert all(0 <= shape.y <= height for shape in shapes if isinstance(shape, Disc | Text | Box))
        own = [group for group in drawn if isinstance(group, Group) and group.mark.startswith(("at:", "row:"))]
        places = sorted((group.y, group.x, extent(group.shapes)[0]) for group in own)
        assert all(y != below or right - x >= wide for (y, x, wide), (below, right, _) in pairwise(places))


def shown(state: TirNaNog, locale: Locale = "en", seat: Seat | None = 0) -> str:
    """The table as a seat reads it."""
    return text(GAME.rules.view(state, seat), locale)


GRID = "Y7 B8 R3 G2 lugh R5 G6 Y1"


def test_storytellers_stand_between_their_cards() -> None:
    state = table(*turn(0), grid=GRID, out=("a1a2 a1b1", "a1a2b1b2 c2c3"))
    rows = shown(state).splitlines()
    grid = rows.index("The Otherworld")
    assert "|       Lugh       | (0) |    Storm Lord    |     |     War Drum     |" in rows[grid + 3]
    assert rows[grid + 6].split() == ["(0)", "(1)"]
    assert rows[grid + 6].index("(0)") < rows[grid + 3].index("(0)") == rows[grid + 6].index("(1)")
    assert rows[grid + 15].count("(1)") == 1


def test_lost_and_shared_storytellers_and_the_marker_are_told_apart() -> None:
    gone = ". . R3 G2 lugh R5 G6 Y1"
    assert "!0!" in shown(table(*turn(1), grid=gone, out=("a1a2", "b3c3")))
    assert "Storytellers a1a2 Lost, 2 at home" in shown(table(*turn(1), grid=gone, out=("a1a2", "b3c3")))
    assert "0&1" in shown(table(*turn(1), grid=GRID, out=("a1a2", "a1a2")))
    balor = table(*turn(0), grid=GRID, out=("a1a2", "c2c3"), balor="hard")
    assert "*0)" in shown(balor)
    assert "(B)" in shown(balor)
    assert "marker at a1a2" in shown(balor)


@pytest.mark.parametrize(
    ("saga", "worth"),
    [
        ("water-kelpie G1", "B2 (B8)"),
        ("water-kelpie R1", "B8"),
        ("lugh=red", "R7 (Y7)"),
        ("lugh+2", "Y9 (Y7)"),
        ("R7 far-darrig", "R7 (R2)"),
    ],
)
def test_a_saga_shows_what_counts_and_what_is_printed(saga: str, worth: str) -> None:
    assert re.search(rf"(?<!\S){re.escape(worth)}(?!\S)", shown(table(*playing(), sagas=(saga,), hands=("R1",))))


def test_a_hole_is_shown() -> None:
    assert "(hole)" in shown(table(*playing(), sagas=("R1 . R2",), hands=("R1",)))


@every_locale
def test_the_table_names_geas_hand_effects_and_whose_turn_it_is(locale: Locale) -> None:
    state = table(*playing(), hands=("water-kelpie G7", "R1"), discards=cards("R1 B2"))
    seen = shown(state, locale)
    expected = {
        "en": (
            "round 1 of 5 · Saga Phase · Seat 0 to play a card",
            "Oisín’s Journey",
            "Every card below its left neighbour scores its value.",
            "B8 Water Kelpie Ailm – −6 next to green",
            "discards 2 (last B2 Seal Rocks)",
            "first player Seat 0",
        ),
        "fr": (
            "manche 1 sur 5 · Phase de Saga · à Place 0 de jouer une carte",
            "Le lai d’Oisín",
            "Toute carte inférieure à la carte adjacente de gauche rapporte sa valeur.",
            "B8 Kelpie Ailm – −6 si adjacente à du vert",
            "défausse 2 (dernière B2 Rochers aux phoques)",
            "pion Premier joueur : Place 0",
        ),
    }[locale]
    unwrapped = " ".join(seen.split())
    for sentence in expected:
        assert sentence in unwrapped
    assert card_name("ember-sprite", locale) not in shown(state, locale).split(expected[0])[1]
    assert card_name("water-kelpie", locale) not in shown(state, locale, seat=1)


def story(state: TirNaNog, row: str, locale: Locale = "en", viewer: Seat | None = 0) -> str:
    """Return the story of a made row."""
    sign, _, line = row.partition(" ")
    seat = int(sign)
    after = apply(state, seat, read(GAME, line, seat))
    return " ".join(tell(GAME.rules.view(state, viewer), GAME.rules.view(after, viewer), seat, line, locale))


RING = "R7 B6 G3 Y1 Y2 R5 G5 B2"


@pytest.mark.parametrize(
    ("step", "out", "row", "told"),
    [
        (BalorPlaces(), ("", ""), "1 place a1a2", "Highest sum 13 at a1a2."),
        (BalorPlaces(), ("a1a2", ""), "1 place c1c2", "Highest sum 10 at c1c2; occupied already: a1a2."),
        (BalorTakes(), ("c2c3", "a1a2"), "1 take a1 a1a2", "Highest card he touches: 7 at a1."),
        (
            BalorTakes(),
            ("a2a3", "c1c2"),
            "1 take c2 c1c2",
            "Highest card he touches: 5 at c2; tie with c1 broken clockwise from the marker at a1a2.",
        ),
        (
            BalorTakes(),
            ("a2a3", "a1a2 a1b1"),
            "1 take a1 a1a2",
            "Highest card he touches: 7 at a1; the Storyteller at a1a2 goes home, since it comes before a1b1 on the"
            " same walk.",
        ),
    ],
)
def test_balor_says_why(step: Any, out: tuple[str, str], row: str, told: str) -> None:  # noqa: ANN401
    grid = "R7 B6 G3 Y1 Y2 R5 G5 B2"
    assert told in story(table(step, grid=grid, out=out, balor="hard"), row)


def test_the_last_choice_of_balor_stays_on_the_table() -> None:
    state = table(BalorPlaces(), PlaceStoryteller(0), grid=RING, balor="hard", turned="far-darrig", flipped=True)
    after = apply(state, 1, read(GAME, "place a1a2", 1))
    assert "His last choice: highest sum 13 at a1a2." in shown(after)
    assert "Balor turns Far Darrig, whose Ailm flips his card; his card shows Highest." in shown(after)
    assert "Son dernier choix – somme la plus forte\N{NO-BREAK SPACE}: 13 en a1a2." in shown(after, "fr")


def test_a_card_to_discard_from_balors_pile_shows_what_it_does_to_the_regions() -> None:
    state = table(Spare(1), sagas=("R1 R2",), pile=cards("R3 R4 B1"), balor="hard", phase="scoring")
    said = {option.line: say(GAME.rules.view(state, 0), option, "en") for option in legal(state, 0)}
    assert said["discard war-drum"] == (
        "Discard War Drum (R3) from Balor’s pile: red 2 -> 1 against your 2, you 5 -> 8 VP, Balor 5 -> 0 VP"
    )


def test_what_changes_by_itself_is_told() -> None:
    state = table(*playing(), hands=("G1",), sagas=("water-kelpie",))
    told = story(state, "0 play shamrock-patch middle")
    assert "Seat 0 plays Shamrock Patch (G1) to the middle row, place 1." in told
    assert "Water Kelpie at top 1 now counts as B2 (B8)." in told


def test_a_storyteller_that_loses_its_last_card_is_told() -> None:
    state = table(*turn(0), grid=". Y1 R3 G2 lugh R5 G6 Y1", out=("a2a3", "a1a2"))
    assert "The Storyteller of Seat 1 at a1a2 is Lost." in story(state, "0 take a2 a2a3")


def test_sealed_discards_are_not_told_before_the_last_one_is_in() -> None:
    *_, (before, seat, action, after) = (
        move
        for move in moves(3, "off", 4)
        if move[0].phase == "cleanup" and move[3].phase == "cleanup" and move[1] >= 0
    )
    view, then = GAME.rules.view(before, (seat + 1) % 3), GAME.rules.view(after, (seat + 1) % 3)
    told = tell(view, then, seat, action.seen_by(seat, (seat + 1) % 3), "en")
    assert told[0] == f"Seat {seat} has chosen a card to discard."


@every_locale
def test_the_end_tells_every_score_and_the_winner(locale: Locale) -> None:
    *_, (before, seat, action, end) = moves(2, "hard", 5)
    told = tell(GAME.rules.view(before, 0), GAME.rules.view(end, 0), seat, action.line, locale)
    scores = GAME.rules.scores(end)
    assert any(f"{scores[0].total} {'VP' if locale == 'en' else 'PV'}" in sentence for sentence in told)
    assert re.search(r"Balor (wins|l’emporte)\.", told[-1])
    totals = [str(score.total) for score in scores]
    assert shown(end, locale).splitlines()[-1].split()[-2:] == totals


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize(("settings", "seats"), [({}, 3), ({"balor": "hard"}, 2)])
def test_the_prose_fits_a_letter_in_every_state(locale: Locale, settings: dict[str, str], seats: int) -> None:
    pick = seeded_pick(5)
    bots = {seat: GAME.bots.by_name["balor" if settings and seat else "random"] for seat in range(seats)}
    assert GAME.presentation.prose is not None
    for _, _, state in play_out(GAME, GAME.rules.start(seats, settings), pick, bots, lambda _seat: pick):
        words = GAME.presentation.prose(GAME.rules.view(state, 0), locale)
        assert words
        assert max(map(len, words.splitlines())) <= 78
