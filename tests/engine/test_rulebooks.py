"""The whole rules of every game: what they must say, in both languages, and that they fit wherever they are shown."""

from __future__ import annotations

import re

import pytest

from engine.games import GAMES
from engine.rulebook import Grid, Ours, Points, Section, print_rulebook, read_rulebook
from engine.words import LOCALES, Locale

every_game = pytest.mark.parametrize("slug", [slug for slug, game in GAMES.items() if game.presentation.rulebook])

# fmt: off
SAID = [  # what people asked about and did not find
    ("keltis", "en", "With two players, 30 cards are taken out first"),
    ("keltis", "fr", "À deux joueurs, on retire d’abord 30 cartes"),
    ("keltis", "en", "2 30 16 55"),
    ("keltis", "en", "Points -4 -3 -2 1 2 3 6 7 10"),
    ("keltis", "en", "a row needs no End card to score"),
    ("keltis", "en", "It does not score its own point as well"),
    ("keltis", "en", "= 21"),
    ("keltis", "fr", "= 21"),
    ("tain", "en", "boy success fails is captured fails fails"),
    ("tain", "fr", "garçon réussit échoue prisonnier échoue échoue"),
    ("tain", "en", "warrior success fails fails success captures her"),
    ("tain", "en", "by more cattle, then more jewels, then more unused tokens"),
    ("tain", "fr", "on compare le bétail, puis les bijoux, puis les jetons inutilisés"),
    ("tain", "en", "a chief and a warrior only the chief’s owner takes 1 cattle"),
    ("tain", "en", "= 36"),
    ("tir-na-nog", "en", "directly side by side in a row, or directly one above the other in the same column"),
    ("tir-na-nog", "fr", "directement côte à côte dans une rangée, ou directement l’une au-dessus de l’autre"),
    ("tir-na-nog", "en", "breaks everything that runs through it"),
    ("tir-na-nog", "fr", "brise tout ce qui le traverse"),
    ("tir-na-nog", "en", "Moving or swapping a card that lies in your Saga is not playing it"),
    ("tir-na-nog", "fr", "Déplacer ou échanger une carte déjà dans votre saga n’est pas la jouer"),
    ("tir-na-nog", "en", "8, 8, 1 nothing"),
    ("tir-na-nog", "fr", "8, 8, 1 rien"),
    ("tir-na-nog", "en", "Together 57"),
    ("bardwood-grove", "en", "express, two matches"),
    ("bardwood-grove", "fr", "tardive, huit parties"),
    ("bardwood-grove", "en", "Moss Gate and Owl Cliff have only one small creature"),
    ("bardwood-grove", "en", "spring Snowmelt In Compose, points spent on the boat move it one space further"),
    ("bardwood-grove", "fr", "Muse des contes 2 par légende racontée"),
]
OURS = [  # our own rules, in a block that says so
    ("tir-na-nog", "en", "awards for more players without readable"),
    ("tir-na-nog", "fr", "trois pour davantage de joueurs"),
    ("tir-na-nog", "en", "whose Storyteller Dobhar-chú Loch moves"),
    ("tir-na-nog", "fr", "à qui est le barde que déplace le Loch du Dobhar-chú"),
    ("tir-na-nog", "en", "Far Darrig"),
    ("tir-na-nog", "fr", "Fir darrig"),
    ("tir-na-nog", "en", "“may” and which “must”"),
    ("tir-na-nog", "fr", "lesquels obligent"),
    ("tir-na-nog", "en", "12 different Geas or 24 faces"),
    ("tir-na-nog", "fr", "12 Geis différents ou de 24 faces"),
    ("tir-na-nog", "en", "solo scores"),
    *(("tir-na-nog", locale, name) for locale in LOCALES for name in ("Brú na Bóinne", "Mag Mell")),
    ("tir-na-nog", "en", "Leipreachán Cobblers"),
    ("tir-na-nog", "fr", "Leprechauns cordonniers"),
    ("bardwood-grove", "en", "order in which the seats choose"),
    ("bardwood-grove", "fr", "L’ordre dans lequel les places choisissent"),
    ("bardwood-grove", "en", "maximum of three"),
    ("bardwood-grove", "fr", "trois soient le maximum"),
    ("bardwood-grove", "en", "the bank"),
    ("bardwood-grove", "fr", "la banque"),
    ("bardwood-grove", "en", "price of a challenge"),
    ("bardwood-grove", "fr", "prix d’un défi"),
    ("bardwood-grove", "en", "bragging"),
    ("bardwood-grove", "fr", "fanfaronnade"),
    ("bardwood-grove", "en", "whether the round is finished nor who wins a tie"),
    ("bardwood-grove", "fr", "si l’on finit la manche, ni qui gagne à égalité"),
    ("bardwood-grove", "en", "Which cards lie in which box"),
    ("bardwood-grove", "fr", "La répartition des cartes dans les boîtes"),
    ("bardwood-grove", "en", "The effects of the events"),
    ("bardwood-grove", "fr", "Ce que font les évènements"),
    ("bardwood-grove", "en", "The points of the Muses"),
    ("bardwood-grove", "fr", "Ce que comptent les Muses"),
    ("tain", "en", "The marker of the active player"),
    ("keltis", "en", "An End card may be the first card of a row"),
]
# fmt: on


def words(text: str) -> str:
    """The words of a text, one space apart."""
    return " ".join(text.split())


def shape(rulebook: tuple[Section, ...]) -> list[list[tuple[str, int, int]]]:
    """The kinds of the blocks of each section, with the sizes of lists and tables."""
    return [
        [
            (
                type(block).__name__,
                len(block.items) if isinstance(block, Points) else len(block.rows) if isinstance(block, Grid) else 1,
                len(block.header) if isinstance(block, Grid) else 1,
            )
            for block in section.blocks
        ]
        for section in rulebook
    ]


@every_game
def test_both_languages_say_the_same_things(slug: str) -> None:
    books = GAMES[slug].presentation.rulebook
    assert shape(books["en"]) == shape(books["fr"])
    assert len(books["en"]) >= 8
    for locale in LOCALES:
        titles = [section.title for section in books[locale]]
        assert len(set(titles)) == len(titles)
        for section in books[locale]:
            for block in section.blocks:
                if isinstance(block, Grid):
                    assert all(len(row) == len(block.header) for row in block.rows)


@pytest.mark.parametrize("width", [50, 60, 78])
@pytest.mark.parametrize("locale", LOCALES)
@every_game
def test_rules_fit(slug: str, locale: Locale, width: int) -> None:
    text = print_rulebook(GAMES[slug].presentation.rulebook[locale], locale, width)
    assert max(map(len, text.splitlines())) <= max(width, 60)
    assert not re.search(r"[{}\t]| \n|\n\n\n", text)
    assert text.count("`") % 2 == 0


@every_game
def test_french_signs_stay_with_their_words_in_the_rules(slug: str) -> None:
    text = print_rulebook(GAMES[slug].presentation.rulebook["fr"], "fr", 1000)
    assert not re.search(r" [:;!?»]|« |[a-zà-ÿ]'[a-zà-ÿ]", text)
    assert not re.search(r"\bround|\bde [AEIOUÉ][a-zé]+s? ", text)


@pytest.mark.parametrize(("slug", "locale", "said"), SAID)
def test_what_the_rules_must_say(slug: str, locale: Locale, said: str) -> None:
    assert said in words(print_rulebook(GAMES[slug].presentation.rulebook[locale], locale, 1000))


@pytest.mark.parametrize(("slug", "locale", "said"), OURS)
def test_what_is_ours_is_said_to_be_ours(slug: str, locale: Locale, said: str) -> None:
    blocks = [block for section in GAMES[slug].presentation.rulebook[locale] for block in section.blocks]
    assert any(said in block.text for block in blocks if isinstance(block, Ours))


def test_a_rulebook_is_read_from_marked_text() -> None:
    text = "# One\nA\nb.\n\n- c\n  d\n- e\n\n| f | g |\n| 1 | 2 |\n\n> h\n\n! i\n\n# Two\nj"
    one, two = read_rulebook(text, "en")
    assert [type(block).__name__ for block in one.blocks] == ["Paragraph", "Points", "Grid", "Example", "Ours"]
    assert one.blocks[1] == Points(("c d", "e"))
    assert one.blocks[2] == Grid(("f", "g"), (("1", "2"),))
    assert print_rulebook((one, two), "fr", 40).splitlines() == [
        *("1. One", "------", "", "A b.", "", "- c d", "- e", "", "  f  g", "  -  -", "  1  2", ""),
        *("  Exemple\u00a0: h", "", "  De nous\u00a0: i", "", "2. Two", "------", "", "j"),
    ]


@every_game
@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("width", [60, 78])
def test_no_line_to_type_is_broken(slug: str, locale: Locale, width: int) -> None:
    rows = print_rulebook(GAMES[slug].presentation.rulebook[locale], locale, width).splitlines()
    assert [row for row in rows if row.count("`") % 2] == []
    assert max(map(len, rows)) <= width
