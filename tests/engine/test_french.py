"""The French of the rulebooks: its words, its small words before names, and all that was understood before."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest

from engine.game import CHANCE, legal, to_act
from engine.games import GAMES
from engine.notation import NotALine, slots
from engine.reading import Reader, Unclear, _translations, read, tokenise
from engine.rulebook import Grid, Points
from engine.words import LOCALES, Locale, of_name, plain, points_word
from tests.engine.keltis.tables import KELTIS, last_cards, table
from tests.support.random_matches import TABLES, played

OLD_WORDS = [row for row in (Path(__file__).parent / "old_words.txt").read_text("utf-8").splitlines() if row]
"""All that could be typed before French took the words of its rulebooks: game, canonical word, and its names."""
NAMES = ("Aoife", "Étaín", "Yves", "Bran", "Oisín")
NEVER = {
    "keltis": r"rangée|[Pp]ierres?\b(?! de Vœux)|\b[YG](?:\d|E\b)|\b[RBP]E\b",
    "tain": r"leurre|joyau|pâturage|captif|captive|manche|\bporte|\bgarde\b|gardes\b|élivr|éserve|royaume"
    r"|Royaume(?! ét)|\bla fille(?! du)|bêtes?\b",
    "tir-na-nog": r"voisine|pion de Balor|\bpremier joueur Aoife|geis\b",
}
"""Words that French no longer has, by game; the brief rules and options are looked at too."""
TAUGHT = [slug for slug, game in GAMES.items() if game.presentation.rulebook]
"""Games whose whole rules are written."""
EVERYWHERE = r"[Rr]ounds?\b|\b[Dd]e (?:Aoife|Étaín|Yves|Oisín)|\bd’(?:Bran)|\b[01] points|[KP][A-Z]+ PLACE|KIND"


@pytest.mark.parametrize("row", OLD_WORDS)
def test_every_word_of_before_is_still_understood(row: str) -> None:
    head, _, names = row.partition(": ")
    slug, word = head.split(" ")
    for name in names.split(" | "):
        assert tuple(plain(name).split()) in GAMES[slug].presentation.words.spoken[word], name


@pytest.mark.parametrize(("slug", "seats"), [(slug, seats) for slug, seats in TABLES if slug in NEVER])
def test_french_uses_the_words_of_the_rulebooks(slug: str, seats: int) -> None:
    game = GAMES[slug]
    never = re.compile(f"{NEVER[slug]}|{EVERYWHERE}")
    texts = [
        game.presentation.rules_summary["fr"],
        game.presentation.about["fr"],
        *(option.title["fr"] for option in game.rules.options),
    ]
    texts += [names[0] for word, names in game.presentation.words.names["fr"].items() if word not in ("N", "stone")]
    names = NAMES[:seats]
    for seed in (1, 2):
        match = played(slug, seats, seed)
        for moment, after in zip(match.moments, match.afters, strict=True):
            view = replace(game.rules.view(moment.state, 0), names=names)
            then = replace(game.rules.view(after, 0), names=names)
            texts.append(game.presentation.text(view, "fr"))
            texts += [game.presentation.prose(view, "fr")] if game.presentation.prose else []
            texts += game.presentation.tell(view, then, moment.seat, moment.action.seen_by(moment.seat, 0), "fr")
            if 0 in to_act(moment.state):
                texts += [game.presentation.say(view, option, "fr") for option in islice(legal(moment.state, 0), 60)]
    found = [each[0] for text in texts for each in never.finditer(text.replace("\N{NO-BREAK SPACE}", " "))]
    assert found == []


# fmt: off
FRENCH_CODES = [
    ("poser J3", "lay Y3"), ("poser V4", "lay G4"), ("poser PF", "lay PE"), ("défausser JF", "discard YE"),
    ("L V4 / J", "lay G4, draw Y"), ("X J3 / D", "discard Y3, draw deck"), ("pose N7 V", "lay N7 G"),
    ("pierre V4 V4", "stone G4 G4"), ("S V4 V4 / J D", "stone G4 G4, draw Y, draw deck"),
    ("poser Point 7 dans la série verte", "lay N7 G"), ("lay Y3", "lay Y3"), ("lay y3", "lay Y3"),
]
LAST_CODES = [("fin N5:V V6", "last N5:G G6"), ("F N5 V, V6", "last N5:G G6"), ("last N5:G G6", "last N5:G G6")]
# fmt: on


@pytest.mark.parametrize(("text", "lines"), FRENCH_CODES)
def test_cards_may_be_typed_as_french_shows_them(text: str, lines: str) -> None:
    state = table("Y3 N7 YE PE R6 N6 G4 G4", laid=("R: 3; G: 7",), piles="G: 8; N: 2; R: 9; Y: 3")
    reader = Reader(KELTIS, KELTIS.rules.view(state, 0), legal(state, 0), lambda _action: ())
    try:
        assert ", ".join(reader.lines(text)) == lines
    except Unclear:
        pytest.fail(text)


@pytest.mark.parametrize(("text", "line"), LAST_CODES)
def test_last_cards_may_be_typed_as_french_shows_them(text: str, line: str) -> None:
    state = last_cards("G6 N5", laid=("G: 2 3 5",))
    assert Reader(KELTIS, KELTIS.rules.view(state, 0), legal(state, 0)).lines(text) == (line,)


def test_french_shows_french_codes_with_a_legend() -> None:
    state = table("R5 Y7 YE GE G4 PE B9 N10", laid=("G: 3 4 E",), piles="Y: 3")
    text = KELTIS.presentation.text(KELTIS.rules.view(state, 0), "fr")
    assert "Votre main\N{NO-BREAK SPACE}: R5 J7 JF V4 VF B9 PF N10" in text
    assert "V3 V4 VF" in text
    assert "R rouge, J jaune (Y), V vert (G), B bleu, P rose, N Point, F Fin (E)" in text


# fmt: off
OF_NAMES = [
    ("Aoife", "d’Aoife"), ("Étaín", "d’Étaín"), ("Óengus", "d’Óengus"), ("Œdipe", "d’Œdipe"), ("Yves", "d’Yves"),
    ("Yann", "de Yann"), ("Bran", "de Bran"), ("Hugo", "de Hugo"), ("Place 0", "de Place 0"), ("3PO", "de 3PO"),
    ("", "de "),
]
# fmt: on


@pytest.mark.parametrize(("who", "said"), OF_NAMES)
def test_de_is_elided_before_vowels(who: str, said: str) -> None:
    assert of_name(who) == said


def test_points_are_counted_as_each_language_counts() -> None:
    assert [points_word(points, "fr") for points in (-2, -1, 0, 1, 2)] == [
        "points",
        "point",
        "point",
        "point",
        "points",
    ]
    assert [points_word(points, "en") for points in (-1, 0, 1, 2)] == ["point", "points", "point", "points"]


@pytest.mark.parametrize("slug", TAUGHT)
def test_the_form_of_a_line_is_said_in_french(slug: str) -> None:
    game = GAMES[slug]
    kinds = {
        type(option)
        for moment in played(slug, 2, 1).moments
        for seat in to_act(moment.state) - {CHANCE}
        for option in islice(legal(moment.state, seat), 60)
    }
    assert len(kinds) > 1
    for kind in kinds:
        names = [name for name, _ in slots(kind)]
        assert game.presentation.words.form(kind.verb, names, "en") == " ".join([kind.verb, *map(str.upper, names)])
        verb, *said = game.presentation.words.form(kind.verb, names, "fr").split(" ")
        assert tuple(plain(verb).split()) in game.presentation.words.spoken[kind.verb]
        assert verb in game.presentation.words.names["fr"][kind.verb]
        assert said == [game.presentation.words.fields["fr"][name].upper() for name in names]


def codes(slug: str, locale: Locale) -> list[str]:
    """Return everything in the whole rules that can be typed, in order."""
    texts: list[str] = []
    for section in GAMES[slug].presentation.rulebook[locale]:
        for block in section.blocks:
            if not isinstance(block, Grid):
                texts += block.items if isinstance(block, Points) else [block.text]
    return [code for text in texts for code in re.findall("`([^`]+)`", text)]


@pytest.mark.parametrize("slug", TAUGHT)
def test_lines_in_the_rules_are_lines_and_mean_the_same_in_both_languages(slug: str) -> None:
    game = GAMES[slug]
    other = {option.name for option in game.rules.options} | {"echtra"}
    english, french = (codes(slug, locale) for locale in LOCALES)
    assert len(english) == len(french) > 3
    lines = 0
    for one, two in zip(english, french, strict=True):
        if one.split(" ")[0] in other or (" " not in one and one == two):
            assert one == two, (one, two)
            continue
        try:
            assert read(game, one, 0).line == one
        except NotALine:
            pytest.fail(one)
        assert one.lower() in map(str.lower, _translations(tokenise(game.presentation.words, two), 0)), two
        lines += 1
    assert lines >= 3
