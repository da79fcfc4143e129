"""Messages by key: filled in, counted, nested, and read from their files only when they are needed."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from engine.reasons import REASONS, Localised, reason
from engine.words import LOCALES, Locale
from service.i18n.catalogue import (
    FOLDER,
    Explanation,
    Plural,
    dump_message,
    has_text,
    load_message,
    msg,
    read_texts,
    render,
    translate,
)
from service.problems import Problem, invalid_field_problem

ROOT = Path(__file__).parents[3]


def test_a_text_is_filled_in() -> None:
    assert translate("en", "turn.lead", what="Keltis") == "It’s your turn in Keltis."
    assert translate("fr", "turn.lead", what="Keltis") == "À vous de jouer\u00a0: Keltis."
    # In a terminal French keeps its plain spaces.
    assert translate("fr", "commands.migrate.done", names="one") == "Fait : one."


def test_french_elides_before_a_name_with_a_vowel() -> None:
    assert translate("fr", "site.masthead.account", name="Aoife") == "Compte d’Aoife"
    assert translate("fr", "site.masthead.account", name="Bran") == "Compte de Bran"
    assert translate("fr", "site.masthead.account", name="Éanna") == "Compte d’Éanna"


@pytest.mark.parametrize(
    ("locale", "count", "text"),
    [
        ("en", 0, "You have 0 days of leave left in 2027."),
        ("en", 1, "You have one day of leave left in 2027."),
        ("en", 2, "You have 2 days of leave left in 2027."),
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


def test_a_reason_in_a_letter_has_the_signs_and_words_of_letters() -> None:
    paused, unlisted = reason("match.not_paused"), reason("line.not_listed")
    assert render(msg("dropped.why", why=paused), "fr") == "La raison\u00a0: la partie n’est pas suspendue."
    assert (
        render(msg("dropped.why", why=unlisted), "fr")
        == "La raison\u00a0: elle n’est pas parmi les lignes ouvertes maintenant."
    )
    assert render(unlisted, "fr") == "ce coup n'est pas permis à ce moment"
    turn = reason("line.not_your_turn", of_seat=reason("of_seat.number", seat=1), actors=(reason("seat.house"),))
    assert (
        render(msg("play.line_refused", line="draw deck : x", why=turn), "fr")
        == "draw deck : x\u00a0: ce n’est pas le tour de la place 1\u00a0: on attend la maison."
    )


def test_letters_say_reasons_of_the_engine_in_the_same_english() -> None:
    own = {key.removeprefix("reasons."): text["en"] for key, text in read_texts([FOLDER / "reasons.toml"]).items()}
    assert own == {key: REASONS[key]["en"] for key in own}


def test_a_value_can_begin_a_sentence() -> None:
    problem = invalid_field_problem("options", reason("game.no_option", game="keltis", option="x", known="none"))
    assert problem.detail == "Keltis has no option x; its options are: none."
    assert problem.detail_in("fr") == "Keltis n’a pas d’option x\u00a0; ses options sont\u00a0: none."
    english = "keltis has no option x; its options are: none"
    assert problem.more == {"errors": [{"field": "options", "reason": english}]}


@pytest.mark.parametrize(
    "message",
    [
        msg("play.no_line"),
        msg("play.wrong_prev", seq=7, hash="ab"),
        msg("play.line_refused", line="lay R5", why=msg("play.key_not_of_seat")),
        reason("line.not_your_turn", of_seat=reason("of_seat.house"), actors=(reason("seat.number", seat=1),)),
        reason("line.words", words=Localised({"en": "one", "fr": "un"}), verb="lay"),
    ],
)
def test_a_message_is_kept_as_json_and_said_later(message: Explanation) -> None:
    kept = json.loads(json.dumps(dump_message(message)))
    loaded = load_message(kept)
    assert loaded == message
    assert [render(loaded, locale) for locale in LOCALES] == [render(message, locale) for locale in LOCALES]


def test_a_message_whose_key_is_gone_is_not_said() -> None:
    assert load_message(None) is load_message({}) is None
    assert load_message({"key": "play.gone_for_good", "values": {}}) is None
    assert load_message({"reason": "line.gone_for_good", "values": {}}) is None
    inner = {"key": "play.gone_for_good", "values": {}}
    assert load_message({"key": "play.line_refused", "values": {"line": "lay R5", "why": inner}}) is None


def test_messages_are_values() -> None:
    assert msg("turn.lead", what="Keltis") == msg("turn.lead", what="Keltis") != msg("turn.lead", what="Táin")
    assert len({msg("turn.lead", what="Keltis"), msg("turn.lead", what="Keltis")}) == 1


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
    assert (str(problem), problem.detail) == ("ECHTRA_X is not a setting; docs/SETTINGS.md lists them all",) * 2
    assert problem.detail_in("fr") == "ECHTRA_X n'est pas un réglage ; docs/SETTINGS.md les donne tous"
    assert (problem.status, problem.title, problem.more) == (
        409,
        "This conflicts with the current state",
        {"field": "x"},
    )


def test_a_list_of_commands_reads_the_texts_of_help_pages_alone() -> None:
    code = (
        "from cli import main\nfrom service.i18n import catalogue\n"
        "try:\n    main(['--help'])\nexcept SystemExit:\n    print(sorted(catalogue._loaded))\n"
    )
    shown = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert shown.endswith("\n['usage']\n")
