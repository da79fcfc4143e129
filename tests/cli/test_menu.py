"""Menus and sentences at the terminal: every kind of option in sight, and no word or line broken."""

from __future__ import annotations

import re
from itertools import combinations
from math import dist
from pathlib import Path

import pytest
from rich.text import Text

from cli.terminal import INK_STYLES, wrap_text
from cli.terminal_game.menu import PAGE_SIZE, cut_page, group_options, share_rows
from engine.game import legal
from engine.games import GAMES
from engine.log import parse, replay
from engine.words import LOCALES, Locale
from tests.support.command_line import echtra


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder in which matches that are left are saved."""
    monkeypatch.chdir(tmp_path)


def rows(text: str, width: int, whole: tuple[str, ...] = ()) -> list[str]:
    """Return the rows of a text as printed."""
    return [row.plain for row in wrap_text(Text(text), width, whole)]


@pytest.mark.parametrize("locale", LOCALES)
def test_the_first_page_shows_something_of_every_kind(locale: Locale) -> None:
    game = GAMES["tain"]
    state = game.rules.start(4, {"first": 0})
    groups = group_options(game, game.rules.view(state, 0), legal(state, 0), locale)
    page = cut_page(groups)
    assert len(legal(state, 0)) > PAGE_SIZE
    assert [group.title for group in page.shown] == [group.title for group in groups]
    lines = {action.line for group in page.shown for _, action in group.entries}
    assert {"put C kingdom", "pass"} <= lines
    assert len(lines) == PAGE_SIZE


def test_pages_show_every_option_once() -> None:
    game = GAMES["tain"]
    state = game.rules.start(4)
    groups, seen = group_options(game, game.rules.view(state, 0), legal(state, 0), "en"), []
    while groups:
        page = cut_page(groups)
        seen += [number for group in page.shown for number, _ in group.entries]
        groups = page.rest
    assert sorted(seen) == list(range(1, len(legal(state, 0)) + 1))


@pytest.mark.parametrize(
    ("sizes", "size", "shares"),
    [([3, 1], 40, [3, 1]), ([25, 20, 20, 3, 1], 40, [12, 12, 12, 3, 1]), ([9, 9, 9], 2, [1, 1, 1]), ([], 40, [])],
)
def test_small_kinds_leave_their_rows_to_the_others(sizes: list[int], size: int, shares: list[int]) -> None:
    assert share_rows(sizes, size) == shares


def test_the_kingdom_and_passing_stand_in_the_first_menu() -> None:
    shown = echtra("play", "tain", "--seats", "4", "--bot", "random", "--seed", "1", typed="more\nquit\n").stdout
    first, _, then = shown.partition("Your choice: more")
    for said in ("put C kingdom", "  pass", "Guard your own gates", "options are not shown; type `more`"):
        assert said in first
    assert "of this kind" in first
    assert "put X d5" not in first
    assert "put X d5" in then


@pytest.mark.parametrize(
    ("text", "width", "whole", "broken"),
    [
        ("type `put C b4` now", 10, (), ["type", "`put C b4`", "now"]),
        ("tapez « suite » ici", 10, (), ["tapez", "« suite »", "ici"]),
        ("Les autres : Bran", 11, (), ["Les", "autres :", "Bran"]),
        ("it is take c3 b3c3", 13, ("take c3 b3c3",), ["it is", "take c3 b3c3"]),
        ("abcdefghijkl mn", 5, (), ["abcdefghijkl", "mn"]),
        ("one\n\ntwo three", 5, (), ["one", "", "two", "three"]),
    ],
)
def test_no_word_and_no_line_is_broken(text: str, width: int, whole: tuple[str, ...], broken: list[str]) -> None:
    assert rows(text, width, whole) == broken


def test_a_forced_draw_is_made_with_the_card_before_it() -> None:
    shown = echtra("play", "keltis", "--bot", "random", "--seed", "1", typed="1\nquit\n").stdout
    assert "then draw from the deck" in shown
    assert "Enter makes the only one" not in shown
    assert "Aoife draws" in shown


def test_enter_makes_a_single_option() -> None:
    typed = "1\n" * 17 + "\nquit\n"
    shown = echtra("play", "tir-na-nog", "--bot", "random", "--seed", "1", typed=typed).stdout
    _, _, after = shown.partition("Your choice (Enter makes the only one, take a3 a3b3):")
    assert "takes Harper’s Seat (Y4) at a3" in after


def test_enter_makes_nothing_where_there_is_a_choice() -> None:
    shown = echtra("play", "keltis", "--bot", "random", "--seed", "1", typed="\n\nquit\n").stdout
    assert "Aoife lays" not in shown


@pytest.mark.parametrize("slug", GAMES)
def test_every_colour_of_a_game_has_a_safe_tone(slug: str) -> None:
    plain = {"bold", "dim"}
    assert {ink for _, ink in GAMES[slug].presentation.inks} <= INK_STYLES.keys() | plain


EYES = {
    "all colours": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "no red": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "no green": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "no blue": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
"""How linear red, green and blue are seen (Machado, Oliveira and Fernandes 2009)."""


def seen_colour(colour: str, eyes: str) -> tuple[float, float, float]:
    """Return a colour as CIELAB values, as these eyes see it."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    red, green, blue = (
        min(max(sum(share * part for share, part in zip(row, linear, strict=True)), 0), 1) for row in EYES[eyes]
    )
    x = (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505
    y = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    z = (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089
    cubes = [part ** (1 / 3) if part > 0.008856 else 7.787 * part + 16 / 116 for part in (x, y, z)]
    return 116 * cubes[1] - 16, 500 * (cubes[0] - cubes[1]), 200 * (cubes[1] - cubes[2])


@pytest.mark.parametrize("eyes", EYES)
def test_colours_are_told_apart_by_all_eyes(eyes: str) -> None:
    for one, other in combinations(INK_STYLES.values(), 2):
        assert dist(seen_colour(one, eyes), seen_colour(other, eyes)) > 20, (one, other)


@pytest.mark.parametrize(("said", "level"), [("facile", "easy"), ("Moyenne", "normal"), ("élevée", "hard")])
def test_levels_have_french_names(said: str, level: str) -> None:
    shown = echtra("play", "tir-na-nog", "--bot", "balor", "--difficulty", said, "--seed", "1", typed="quit\n").stdout
    assert {"easy": "Balor (Easy)", "normal": "Balor (Normal)", "hard": "Balor (Hard)"}[level] in shown


def test_bots_have_french_names() -> None:
    shown = echtra("play", "keltis", "--bots", "aléatoire,constant", "--lang", "fr", typed="quitter\n").stdout
    assert "Les autres : Aléatoire, Constant." in shown


def test_the_resume_command_keeps_language_and_name() -> None:
    shown = echtra("play", "keltis", "--lang", "fr", "--name", "Orla", "--seed", "2", typed="quitter\n").stdout
    assert "--seed 2 --name Orla --lang fr" in shown


def test_a_first_match_says_which_choice_it_has_and_how_to_ask_for_another(tmp_path: Path) -> None:
    call = ("play", "tir-na-nog", "--bot", "random")
    shown = " ".join(echtra(*call, "--save", "one.log", typed="quit\n").stdout.split())
    assert "geas=first. For anything else: --option geas=random" in shown
    assert " geas first" in (tmp_path / "one.log").read_text()
    asked = echtra(*call, "--option", "geas=random", "--save", "two.log", typed="quit\n").stdout
    assert "geas=first" not in asked
    assert "geas first" not in (tmp_path / "two.log").read_text()
    echtra(*call, typed="quit\n")
    assert "geas=first" not in echtra(*call, typed="quit\n").stdout
    assert "geas=first" not in echtra(*call, "--seed", "1", typed="quit\n").stdout


@pytest.mark.parametrize(
    ("locale", "said", "why"),
    [
        ("en", "His points on the Geas, fixed from the start: ", "His regions are the cards of his pile by colour: "),
        ("fr", "Ses points sur les Geis, fixés d’avance : ", "Ses régions sont les cartes de sa pile par couleur"),
    ],
)
def test_balor_shows_his_points_from_the_first_turn_and_says_why_he_has_them(locale: str, said: str, why: str) -> None:
    call = ("play", "tir-na-nog", "--bot", "balor", "--seed", "1", "--lang", locale, "--save", "balor.log")
    shown = echtra(*call, typed="1\n" * 300).stdout.replace("\N{NO-BREAK SPACE}", " ")
    words = " ".join(shown.split())
    first = words[: words.index({"en": "Your choice", "fr": "Votre choix"}[locale])]
    log = parse(Path("balor.log").read_text(), GAMES)
    assert log.scores is not None
    score = GAMES["tir-na-nog"].rules.scores(replay(log).state)[1]
    points = [count.points for count in score.counts[:3]]
    assert said in first
    assert [int(each) for each in re.findall(r" (\d+)(?=[,.])", first[first.index(said) :])][:3] == points
    assert why in words
    assert {"en": f"In all {log.scores[1]} points.", "fr": f"En tout {log.scores[1]} points."}[locale] in words
