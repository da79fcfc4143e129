"""Messages by key: filled in, counted, nested, and read from their files only when they are needed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from engine.reasons import reason
from engine.words import Locale
from service.i18n.catalogue import Plural, has_text, msg, render, translate
from service.problems import Problem

ROOT = Path(__file__).parents[3]


def test_a_text_is_filled_in() -> None:
    assert translate("en", "turn.subject", what="Keltis") == "Your turn: Keltis"
    assert translate("fr", "turn.subject", what="Keltis") == "À vous de jouer\u00a0: Keltis"
    # In a terminal French keeps its plain spaces.
    assert translate("fr", "commands.migrate.done", names="one") == "Fait : one."


@pytest.mark.parametrize(
    ("locale", "count", "text"),
    [
        ("en", 0, "0 days of leave are left in 2027."),
        ("en", 1, "One day of leave is left in 2027."),
        ("en", 2, "2 days of leave are left in 2027."),
        ("fr", 0, "Il vous reste 0 jours de congé en 2027."),
        ("fr", 1, "Il vous reste un jour de congé en 2027."),
        ("fr", 2, "Il vous reste 2 jours de congé en 2027."),
    ],
)
def test_a_count_chooses_the_form(locale: Locale, count: int, text: str) -> None:
    assert translate(locale, "leave.left", count=count, year=2027) == text


def test_french_counts_nothing_as_one_where_the_text_has_the_number() -> None:
    assert [Plural("{count} lettre", "{count} lettres", "fr").format(count=count) for count in (0, 1, 2)] == [
        "0 lettre",
        "1 lettre",
        "2 lettres",
    ]
    assert Plural("{count} letter", "{count} letters", "en").format(count=0) == "0 letters"
    assert Plural("Une lettre", "{count} lettres", "fr").format(count=0) == "0 lettres"


def test_a_message_is_said_in_any_language_with_the_messages_in_it() -> None:
    message = msg("commands.match_file.at_line", path="a.log", row=3, reason=reason("seat.none", seat=7))
    assert str(message) == "a.log: line 3: there is no seat 7"
    assert render(message, "fr") == "a.log : ligne 3 : il n'y a pas de place 7"
    within = msg("commands.match_file.at_line", path="a.log", row=1, reason=msg("commands.match_file.binary"))
    assert render(within, "fr") == "a.log : ligne 1 : ce n'est pas du texte mais un fichier binaire"
    assert render(reason("match.over"), "fr") == "la partie est terminée"


def test_messages_are_values() -> None:
    assert msg("turn.subject", what="Keltis") == msg("turn.subject", what="Keltis") != msg("turn.subject", what="Táin")
    assert len({msg("turn.subject", what="Keltis"), msg("turn.subject", what="Keltis")}) == 1


def test_a_value_may_have_any_name() -> None:
    assert translate("en", "commands.keys.new", key="abc").startswith("Key abc is in use")


def test_whether_there_is_a_text() -> None:
    assert has_text("fr", "why.agreed")
    assert has_text("en", "problems.gone.title")
    assert not has_text("en", "why.whatever")
    assert not has_text("en", "problems.whatever")
    with pytest.raises(KeyError):
        translate("en", "problems.whatever")


def test_a_problem_says_its_detail_in_english_and_in_any_language() -> None:
    problem = Problem("conflict", msg("config.unknown", name="ECHTRA_X"), field="x")
    assert (str(problem), problem.detail) == ("ECHTRA_X is no setting; the README lists them all",) * 2
    assert problem.detail_in("fr") == "ECHTRA_X n'est pas un réglage ; le README les donne tous"
    plain = Problem("gone", "It is gone.")
    assert plain.detail == plain.detail_in("fr") == "It is gone."
    assert (problem.status, problem.title, problem.more) == (409, "This does not fit what is there", {"field": "x"})


def test_a_list_of_commands_reads_the_texts_of_help_pages_alone() -> None:
    code = (
        "from cli import main\nfrom service.i18n import catalogue\n"
        "try:\n    main(['--help'])\nexcept SystemExit:\n    print(sorted(catalogue._loaded))\n"
    )
    shown = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert shown.endswith("\n['usage']\n")
