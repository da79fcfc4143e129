"""Sentences of a menu typed back: every sentence, in many shapes and in both languages, means its line."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from random import Random
from typing import Any

import pytest

from engine.game import CHANCE, Game, Options, apply, legal, to_act
from engine.games import GAMES
from engine.games.tain.rules import PostGuards, Postings
from engine.games.tir_na_nog.rules.steps import PlaceStoryteller
from engine.reading import Reader, Unclear
from engine.words import LOCALES, Locale
from tests.engine.keltis.tables import KELTIS, table
from tests.engine.tain.tables import table as tain
from tests.engine.tir_na_nog.tables import table as tir
from tests.skeleton_game import GAME as SKELETON
from tests.support.random_matches import played

NAMES = ("Aoife", "Bran", "Ciarán 2", "O’Neill", "李")
MOST_MOMENTS, MOST_LINES = 6, 8


def asked(slug: str, seats: int) -> Iterator[tuple[Game[Any], Any, Options]]:
    """Yield questions of a random match: the game, the view of the asked seat, and the options."""
    match = played(slug, seats, 1)
    for moment in islice((each for each in match.some(40) if each.seat != CHANCE), MOST_MOMENTS):
        view = replace(match.game.rules.view(moment.state, moment.seat), names=NAMES[:seats])
        yield match.game, view, legal(moment.state, moment.seat)


def without_accents(text: str) -> str:
    return "".join(each for each in unicodedata.normalize("NFD", text) if not unicodedata.combining(each))


def shapes(number: int, line: str, sentence: str, locale: Locale) -> list[str]:
    """The ways in which people type a row of a menu."""
    small = sentence[:1].lower() + sentence[1:]
    polite = {
        "en": (
            f"I {small}",
            f"{sentence} please",
            f"Hello, {sentence}. Thanks!",
            f"My move: {small}",
            f"I’d like to {small}",
        ),
        "fr": (
            f"Je {small}",
            f"{sentence}, s’il vous plaît",
            f"Bonjour, {sentence}. Merci !",
            f"Mon coup : {small}",
            f"Je voudrais {small}",
        ),
    }
    numbered = (f"{number}. {sentence}", f"{number}) {sentence}", f"({number}) {line}", f"*{number}* {sentence}")
    rows = (
        f"{number}  {line} – {sentence}",
        f"  {number}  {sentence}    {line}",
        f"{line} – {sentence}",
        f"{sentence} ({line})",
    )
    return [
        *(sentence, sentence.upper(), without_accents(sentence), sentence.replace(" ", "\N{NO-BREAK SPACE}")),
        *(f"{line} please", f"{line} merci", *numbered, *rows, *polite[locale]),
    ]


def lines_or_readings(reader: Reader, text: str) -> tuple[str, ...]:
    try:
        return reader.lines(text)
    except Unclear as unclear:
        return ("refused", *unclear.meant)


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize(
    ("slug", "seats"),
    [*((slug, game.rules.seats[at]) for slug, game in GAMES.items() for at in (0, -1)), (SKELETON.slug, 2)],
)
def test_every_sentence_of_a_menu_means_its_line(slug: str, seats: int, locale: Locale) -> None:
    for game, view, options in asked(slug, seats):
        reader, listed = Reader(game, view, options), list(options)
        for at in sorted(Random(seats).sample(range(len(listed)), min(MOST_LINES, len(listed)))):
            line, sentence = listed[at].line, game.presentation.say(view, listed[at], locale)
            read = {text: lines_or_readings(reader, text) for text in shapes(at + 1, line, sentence, locale)}
            assert {text: found for text, found in read.items() if found != (line,)} == {}
            other = (at + 1) % len(listed)
            if other != at:
                assert lines_or_readings(reader, f"{other + 1}. {sentence}") == ("refused", listed[other].line, line)


def guards() -> tuple[Any, Postings]:
    """A seat of Táin that posts thousands of guards."""
    state = tain(4, speedup=True).but(agenda=(PostGuards(),))
    options = legal(state, 0)
    assert isinstance(options, Postings)
    return GAMES["tain"].rules.view(state, 0), options


@pytest.mark.parametrize("locale", LOCALES)
def test_thousands_of_guards_are_read_without_a_list(locale: Locale) -> None:
    view, options = guards()
    game, count = GAMES["tain"], len(options)
    assert count > 4_000
    reader = Reader(game, view, options)
    for at in [0, 1, *Random(7).sample(range(count), 8)]:
        line, sentence = options[at].line, game.presentation.say(view, options[at], locale)
        for text in shapes(at + 1, line, sentence, locale):
            assert lines_or_readings(reader, text) == (line,), text
        assert lines_or_readings(reader, f"{(at + 1) % count + 1}. {sentence}")[0] == "refused"


PLAY = table("R5 N7 B9 PE R6 N6 G4 G4", laid=("R: 3; G: 7",), piles="G: 8; N: 2; R: 9; Y: 3")
JOURNEY = tir(PlaceStoryteller(0))


def keltis(text: str) -> tuple[str, ...]:
    def ahead(action: Any) -> Options | None:  # noqa: ANN401  # of any kind
        after = apply(PLAY, 0, action)
        return legal(after, 0) if 0 in to_act(after) else None

    return lines_or_readings(Reader(KELTIS, KELTIS.rules.view(PLAY, 0), legal(PLAY, 0), ahead), text)


# fmt: off
TYPED = [
    ("lay B9 please", "lay B9"),
    ("1. lay R5", "lay R5"),
    ("１", "lay R5"),
    ("(2)", "lay R6"),
    ("*2*", "lay R6"),
    ("no 2, please", "lay R6"),
    ("n° 2", "lay R6"),
    ("option 2", "lay R6"),
    ("2 merci", "lay R6"),
    ("lay R5 then draw deck", "lay R5, draw deck"),
    ("Lay red 5, then draw from the deck, please", "lay R5, draw deck"),
    ("poser R5 puis piocher J", "lay R5, draw Y"),
    ("1 then draw deck", "lay R5, draw deck"),
    ("L R5/D", "lay R5, draw deck"),
    ("1. Lay red 5, draw deck", "lay R5, draw deck"),
    ("je pose le rouge 5", "lay R5"),
    ("“Lay red 5”", "lay R5"),
    ("**lay R5**", "lay R5"),
    ("lay R5 -- Lay red 5", "lay R5"),
]
REFUSED = [  # text, the lines it may mean
    ("play 2", ("lay R6",)),
    ("play 6", ("lay R6", "lay N6")),
    ("2. lay R5", ("lay R6", "lay R5")),
    ("2. Lay red 5", ("lay R6", "lay R5")),
    ("99. Lay red 5", ("lay R5",)),
    ("2 hello there", ("lay R6",)),
    ("do not lay R5", ()),
    ("lay R5 or R6", ()),
    ("please", ()),
    ("thanks a lot", ()),
    ("lay -- R5", ()),
    ("the row", ()),
]
# fmt: on


@pytest.mark.parametrize(("text", "expected"), TYPED)
def test_small_words_and_signs_say_nothing(text: str, expected: str) -> None:
    assert ", ".join(keltis(text)) == expected


@pytest.mark.parametrize(("text", "meant"), REFUSED)
def test_two_readings_are_refused_with_both(text: str, meant: tuple[str, ...]) -> None:
    read, *lines = keltis(text)
    assert read == "refused"
    assert set(meant) <= set(lines)
    assert bool(lines) == bool(meant)


def test_a_number_after_play_is_no_card_by_accident() -> None:
    options = list(legal(PLAY, 0))
    assert keltis("play 6") == ("refused", "lay R6", "lay N6", options[5].line)
    lone = table("R6 N7 B9 PE G1 G2 Y1 Y2")
    listed = [option.line for option in legal(lone, 0)]
    reader = Reader(KELTIS, KELTIS.rules.view(lone, 0), legal(lone, 0))
    assert lines_or_readings(reader, "play 6") == ("refused", "lay R6", listed[5])
    assert lines_or_readings(reader, "play 9") == ("refused", "lay B9", listed[8])
    assert lines_or_readings(reader, "lay red 6") == ("lay R6",)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("I place a Storyteller at a1a2", "place a1a2"),
        ("a1a2", "place a1a2"),
        ("Je place un barde en a1a2", "place a1a2"),
        ("a1a2 please", "place a1a2"),
        ("send my storyteller to b1c1", "place b1c1"),
    ],
)
def test_a_part_of_a_sentence_is_enough_where_one_line_has_it(text: str, line: str) -> None:
    game = GAMES["tir-na-nog"]
    assert lines_or_readings(Reader(game, game.rules.view(JOURNEY, 0), legal(JOURNEY, 0)), text) == (line,)


@pytest.mark.parametrize("text", ["a storyteller", "place a Storyteller", "between", "a1a2 or b1c1", "not a1a2", "a1"])
def test_a_part_that_several_sentences_have_is_no_move(text: str) -> None:
    game = GAMES["tir-na-nog"]
    assert lines_or_readings(Reader(game, game.rules.view(JOURNEY, 0), legal(JOURNEY, 0)), text)[0] == "refused"


@pytest.mark.parametrize("text", ["(3) " * 900, "thanks " * 500, " ." * 1900, "then " * 700, "- " * 1900])
def test_a_long_text_is_refused(text: str) -> None:
    assert keltis(text)[0] == "refused"
