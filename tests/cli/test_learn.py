"""`echtra learn`: a lesson to its end, with the expected lines, with others, and with what is not understood."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.games import GAMES
from engine.lesson import Lesson
from tests.support.command_line import ENGLISH, FRENCH, Session, echtra, refused


def lesson_of(slug: str) -> Lesson:
    """Return the lesson that every game has."""
    lesson = GAMES[slug].presentation.lesson
    assert lesson is not None
    return lesson


def typed(slug: str) -> str:
    """Return every expected line, one after the other."""
    return "".join(f"{stop.line}\n" for stop in lesson_of(slug).stops)


@pytest.mark.parametrize("locale", ["en", "fr"])
@pytest.mark.parametrize("slug", [slug for slug, game in GAMES.items() if game.presentation.lesson])
def test_a_lesson_can_be_followed_to_its_end(slug: str, locale: str) -> None:
    lesson = lesson_of(slug)
    result = echtra("learn", slug, "--lang", locale, typed=typed(slug), env=ENGLISH)
    assert result.exit_code == 0, result.output
    shown = " ".join(result.stdout.split())
    for words in (lesson.opening, *(stop.words for stop in lesson.stops), lesson.closing):
        for paragraph in words["fr" if locale == "fr" else "en"]:
            assert " ".join(paragraph.split()) in shown
    assert result.stdout.count({"en": "Decision ", "fr": "Décision "}[locale]) == len(lesson.stops)
    assert {"en": "is also allowed", "fr": "est permis aussi"}[locale] not in shown
    log = lesson.log(GAMES[slug])
    assert log.scores is not None
    total = next(row for row in result.stdout.splitlines() if row.startswith("Total"))
    assert total.split()[1:] == [str(points) for points in log.scores]
    assert f"play {slug} --bot steady --lang {locale}" in shown


def test_another_legal_line_is_said_to_be_legal_and_the_lesson_goes_on() -> None:
    result = echtra("learn", "keltis", typed=f"discard P9\n{typed('keltis').partition(chr(10))[2]}")
    assert result.exit_code == 0
    assert "discard P9 is also allowed. The lesson continues with: lay R2" in result.stdout
    assert "lays red 2." in result.stdout
    assert "discards pink 9." not in result.stdout


def test_in_french_words_and_numbers_do_as_well() -> None:
    result = echtra(
        "learn", "keltis", "--lang", "fr", typed="défausser P9\n1\nprends pierre 1\npierre V6 B6\nquitter\n"
    )
    assert "discard P9 est permis aussi. Ici, on continue avec : lay R2" in result.stdout
    assert "Décision 4 sur 13" in result.stdout
    assert "learn keltis --lang fr" in result.stdout


def test_lines_typed_together_go_on_as_long_as_they_are_expected() -> None:
    result = echtra("learn", "keltis", typed="lay R2; draw deck\nquit\n")
    assert "As you said before: draw deck" in result.stdout
    assert "Decision 2 of" not in result.stdout
    assert "Decision 3 of 13" in result.stdout


def test_what_is_not_open_or_not_understood_moves_nothing() -> None:
    result = echtra("learn", "tain", typed="foo\nput D kingdom\n?\nrules\ntable\nquit\n")
    assert "“foo” means nothing here." in result.stdout
    assert "put D kingdom: only a chief, a warrior or a bluff goes to the kingdom." in result.stdout
    assert "Táin, the cattle raid, the full rules" in result.stdout
    assert "Decision 2" not in result.stdout
    assert "The lesson ends here." in result.stdout


@pytest.mark.parametrize("word", ["quit", "resign", ""])
def test_a_lesson_can_be_left(word: str) -> None:
    result = echtra("learn", "tain", typed=f"{word}\n" if word else "")
    assert result.exit_code == 0
    assert "learn tain --lang en" in result.stdout


def test_a_game_must_be_named() -> None:
    assert "keltis" in refused("learn", env=ENGLISH)
    assert "Quel jeu" in refused("learn", env=FRENCH)
    assert "chess" in refused("learn", "chess")


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("slug", [slug for slug, game in GAMES.items() if game.presentation.lesson])
def test_a_lesson_fits_eighty_columns(tmp_path: Path, slug: str, lang: str) -> None:
    session = Session("learn", slug, "--lang", lang, cwd=tmp_path, columns=80)
    prompt = {"en": "Your choice", "fr": "Votre choix"}[lang]
    session.until(prompt)
    for stop in lesson_of(slug).stops[:-1]:
        since = session.type(f"{stop.line}\r")
        session.until(prompt, since)
    rows = session.left().splitlines()
    assert len(rows) > 100
    assert [row for row in rows if len(row) > 80] == []
