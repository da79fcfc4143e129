"""The cards and Geas of Tír na nÓg as data, their wording, and the words people type."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import pytest

from engine.games.tir_na_nog import GAME
from engine.games.tir_na_nog.rules.actions import (
    ALL,
    DISCARDS,
    PAINTS,
    PLACES,
    PLAYS,
    SHIFTS,
    STAY,
    SWAPS,
    TAKES,
    wander,
)
from engine.games.tir_na_nog.rules.balor_points import HOUSE_2
from engine.games.tir_na_nog.rules.cards import CARDS, COLOURS, DECK, EDITIONS, TIMINGS
from engine.games.tir_na_nog.rules.effects import registry
from engine.games.tir_na_nog.rules.geas import GEAS
from engine.games.tir_na_nog.texts.cards import (
    EFFECTS,
    HINTS,
    OURS_IN_EFFECTS,
    PLACEMENTS,
    SCORINGS,
    effect_text,
    geas_text,
    hint,
    tables,
)
from engine.games.tir_na_nog.texts.menu import short
from engine.games.tir_na_nog.texts.names import CARD_NAMES, GEAS_NAMES, WORDS, card_name
from engine.reading import Unclear, choose_option
from engine.rulebook import print_rulebook
from engine.words import LOCALES, Locale, plain
from tests.engine.tir_na_nog.tables import table, turn

HINT = 50
REGISTERED: dict[str, list[Mapping[str, object]]] = {
    "ongoing": [registry.ONGOING],
    "when-played": [registry.WHEN_PLAYED],
    "journey": [registry.JOURNEY_PHASE],
    "saga": [registry.SAGA_PHASE, registry.FROM_HAND, registry.ECHTRA, registry.LOST],
    "scoring": [registry.SCORING, registry.POINTS],
}
SOURCE = -1


def test_the_deck_has_96_cards_with_24_of_each_colour() -> None:
    assert len(DECK) == 96
    assert Counter(CARDS[slug].colour for slug in DECK) == dict.fromkeys(COLOURS, 24)
    assert EDITIONS == {"house-1": DECK, "house-2": DECK, "house-3": DECK}
    assert list(DECK) == sorted(DECK)
    assert list(CARDS) == sorted(CARDS)


@pytest.mark.parametrize(
    ("plain_only", "counts"),
    [(True, (0, 8, 8, 8, 8, 8, 8, 8, 8)), (False, (2, 10, 13, 17, 12, 12, 11, 9, 10))],
)
def test_values_are_spread_as_in_the_edition(plain_only: bool, counts: tuple[int, ...]) -> None:
    found = Counter(CARDS[slug].value for slug in DECK if CARDS[slug].plain or not plain_only)
    assert tuple(found[value] for value in range(9)) == counts


@pytest.mark.parametrize(
    ("timing", "copies", "kinds"),
    [("when-played", 14, 10), ("ongoing", 10, 6), ("journey", 2, 2), ("saga", 4, 4), ("scoring", 2, 2), ("", 64, 32)],
)
def test_timings_are_spread_as_in_the_edition(timing: str, copies: int, kinds: int) -> None:
    found = [card for card in CARDS.values() if card.timing == timing]
    assert (sum(card.copies for card in found), len(found)) == (copies, kinds)


def test_ailm_is_on_eleven_cards_that_change_their_own_value() -> None:
    assert sum(CARDS[slug].ailm for slug in DECK) == 11
    assert {slug for slug, card in CARDS.items() if card.ailm} == set(
        "water-kelpie cu-sidhe-kennel far-darrig cailleachs-crag dolmen hungry-oillipheist sidhe-court".split()
    )


@pytest.mark.parametrize("slug", CARDS)
def test_a_slug_is_the_english_name_in_plain_letters(slug: str) -> None:
    name = plain(CARD_NAMES[slug][0]).replace(" ", "-")
    assert slug == {"aengus-bru": slug}.get(slug, name)


@pytest.mark.parametrize("slug", CARDS)
def test_special_cards_say_what_they_do_and_plain_cards_say_nothing(slug: str) -> None:
    card = CARDS[slug]
    assert card.plain or card.timing in TIMINGS
    assert (slug in EFFECTS) is not card.plain
    for locale in LOCALES:
        assert bool(hint(slug, locale)) is not card.plain
        assert len(hint(slug, locale)) <= HINT
    if not card.plain:
        texts = [table[locale][slug] for table in (EFFECTS, HINTS) for locale in LOCALES]
        assert len(set(texts)) == len(texts)


@pytest.mark.parametrize("slug", [slug for slug, card in CARDS.items() if not card.plain])
def test_the_effect_of_a_special_card_is_registered_for_its_timing(slug: str) -> None:
    assert any(slug in effects for effects in REGISTERED[CARDS[slug].timing])


def test_every_timing_has_a_registry_of_effects() -> None:
    assert set(REGISTERED) == set(TIMINGS)


@pytest.mark.parametrize(
    ("slug", "origin"),
    [
        ("water-kelpie", "rulebook"),
        ("far-darrig", "partly"),
        ("dobhar-chu-loch", "partly"),
        ("cu-sidhe-kennel", "partly"),
        ("gancanaghs-valley", "partly"),
        ("mag-mell", "partly"),
        ("bru-na-boinne", "partly"),
        ("leipreachan-cobblers", "partly"),
        ("lugh", "partly"),
        ("tide-pool", "reconstructed"),
    ],
)
def test_a_card_says_where_its_data_come_from(slug: str, origin: str) -> None:
    assert CARDS[slug].origin == origin


def test_a_card_whose_effect_is_partly_known_says_which_part_is_ours() -> None:
    partly = {slug for slug, card in CARDS.items() if "part" in card.known}
    assert partly == set(OURS_IN_EFFECTS["en"])
    assert {"bru-na-boinne", "leipreachan-cobblers", "mag-mell"} <= partly
    for slug in partly:
        assert " Ours: " in effect_text(slug, "en")
        assert " De nous\N{NO-BREAK SPACE}: " in effect_text(slug, "fr")
        for locale in LOCALES:
            assert card_name(slug, locale) in print_rulebook(GAME.presentation.rulebook[locale], locale, 1000)


def test_every_geas_has_names_and_wording() -> None:
    assert list(SCORINGS["en"]) == list(GEAS_NAMES)
    assert set(SCORINGS["en"]) == set(GEAS)
    for slug, geas in GEAS.items():
        assert (slug in PLACEMENTS) is (geas.allows is not None)
        assert geas_text(slug, "en") != geas_text(slug, "fr")


@pytest.mark.parametrize("locale", LOCALES)
def test_tables_hold_the_deck_and_the_geas(locale: Locale) -> None:
    deck, geas, sources, ours = tables(locale)
    for each in (deck, geas, sources, ours):
        assert {len(row) for row in each.rows} == {len(each.header)}
    assert (len(deck.rows), sum(int(row[4]) for row in deck.rows)) == (len(CARDS), 96)
    assert {row[0] for row in deck.rows} == {card_name(slug, locale) for slug in CARDS}
    assert [int(row[4]) for row in geas.rows] == [easy for easy, *_ in HOUSE_2.values()]
    words = {row[0] for row in sources.rows}
    assert {row[SOURCE].split(" (")[0] for each in (deck, geas) for row in each.rows} == words
    assert not any(" :" in cell or " ;" in cell for each in (deck, ours) for row in each.rows for cell in row)


def test_what_is_ours_beyond_single_cards_stands_in_a_table() -> None:
    ours = tables("en")[-1]
    said = "\n".join(" ".join(row) for row in ours.rows)
    for words in ("8, 3 and 1 with three to five", "any player", "copies the value", "“may”", "24 faces"):
        assert words in said
    notice = " ".join((Path(__file__).parents[3] / "NOTICE.md").read_text("utf-8").split())
    for words in (
        "three to five players",
        "Dobhar-chú Loch",
        "Far Darrig copies",
        "“may” and which “must”",
        "24 faces",
    ):
        assert words in notice


def test_every_canonical_word_has_a_name_in_both_languages() -> None:
    lines = [action.line for found in (DISCARDS, PLACES, PAINTS, SWAPS, SHIFTS) for action in found.values()]
    canonical = {word for line in lines for word in line.split()} | {kind.verb for kind in ALL} | set(GEAS) | set(CARDS)
    for locale in LOCALES:
        assert canonical <= set(WORDS.names[locale])


OPTIONS = (
    *PLAYS["lugh"],
    *PLAYS["cu-sidhe-kennel"],
    *PLAYS["the-dagda"],
    TAKES["a1", "a1a2"],
    TAKES["a2", "a1a2"],
    DISCARDS["will-o-the-wisp"],
    PAINTS[(0, 1), "red"],
    PAINTS[(0, 1), "green"],
    wander("a1a2", "b1c1"),
    STAY,
)


@pytest.mark.parametrize(
    ("typed", "line"),
    [
        ("play lugh top", "play lugh top"),
        ("joue Lug en haut", "play lugh top"),
        ("jouer lug milieu", "play lugh middle"),
        ("Jouer le Repaire du Cù sìth en bas", "play cu-sidhe-kennel bottom"),
        ("joue repaire bas", "play cu-sidhe-kennel bottom"),
        ("pl dag bot", "play the-dagda bottom"),
        ("joue le Dagda au milieu", "play the-dagda middle"),
        ("prends a1", "take a1 a1a2"),
        ("take a2 a1a2", "take a2 a1a2"),
        ("prendre a2 a1 a2", "take a2 a1a2"),
        ("défausse feu follet", "discard will-o-the-wisp"),
        ("jette Feu follet", "discard will-o-the-wisp"),
        ("peins haut 2 verte", "paint top2 green"),
        ("paint top 2 red", "paint top2 red"),
        ("déplace a1a2 vers b1c1", "wander a1a2 b1c1"),
        ("move a1a2 to b1c1", "wander a1a2 b1c1"),
        ("rien", "stay"),
        ("no", "stay"),
    ],
)
def test_people_are_understood_in_both_languages(typed: str, line: str) -> None:
    assert choose_option(WORDS, typed, OPTIONS).line == line


GRID = "Y7 B8 R3 G2 lugh R5 G6 Y1"


@pytest.mark.parametrize(
    ("typed", "lines"),
    [
        ("take storm lord", ("take a2 a1a2",)),
        ("prends seigneur des tempêtes", ("take a2 a1a2",)),
        ("take storm, play storm top", ("take a2 a1a2", "play storm-lord top")),
        ("prends seigneur\njoue le grand chêne en bas", ("take a2 a1a2", "play great-oak bottom")),
        ("take a2", None),
        ("play great oak top", None),
    ],
)
def test_a_card_can_be_taken_by_its_name(typed: str, lines: tuple[str, ...] | None) -> None:
    state = table(*turn(0), grid=GRID, out=("a1a2", "c1c2"), hands=("G7",))
    assert short(GAME.rules.view(state, 0), state.agenda[0].options(state, 0), typed) == lines


def test_two_storytellers_at_a_card_taken_by_name_are_asked_about() -> None:
    state = table(*turn(0), grid=GRID, out=("a1a2 a2a3", "c1c2"), hands=("G7",))
    with pytest.raises(Unclear) as unclear:
        short(GAME.rules.view(state, 0), state.agenda[0].options(state, 0), "take storm lord")
    assert unclear.value.meant == ("take a2 a1a2", "take a2 a2a3")
