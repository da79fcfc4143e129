"""Wrong calls: one clear sentence, exit code 2, no traceback, in English and French."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import click
import pytest
import structlog
from peewee import OperationalError

from cli import COMMANDS, main, preflight
from cli.command import Refusal
from cli.usage_errors import usage_error_message
from tests.support.command_line import ENGLISH, FRENCH, echtra, refused

CASES = [
    (("dance",), "Unknown command dance; choose from: play,", "Il n'y a pas de commande dance ; il y a : play,"),
    (("play",), "Name a game (", "Nommez un jeu ("),
    (
        ("play", "chess"),
        "Unknown game chess; choose one of: ",
        "Il n'y a pas de jeu chess ; choisissez : ",
    ),
    (("simulate", "chess"), "Unknown game chess;", "Il n'y a pas de jeu chess ;"),
    (("cards", "chess"), "Unknown game chess;", "Il n'y a pas de jeu chess ;"),
    (("cards", "keltis"), "keltis has no card list;", "keltis n'a pas de liste de cartes ;"),
    (("play", "keltis", "--seats", "5"), "is for 2 to 4 seats, not 5;", "se joue de 2 à 4 places, pas à 5 ;"),
    (("play", "keltis", "--seats", "x"), "'x' is not a valid integer.", "--seats demande un nombre entier, pas « x »."),
    (("play", "keltis", "--bot", "hal"), "has no bot hal; its bots are: ", "n'a pas de robot hal ; ses robots sont : "),
    (
        ("play", "keltis", "--seats", "4", "--bots", "random"),
        "With 4 seats, the number of bots after --bots must be 3, not 1;",
        "À 4 places, le nombre de robots après --bots est 3, pas 1 ;",
    ),
    (("play", "keltis", "--seats", "0"), "is for 2 to 4 seats, not 0;", "se joue de 2 à 4 places, pas à 0 ;"),
    (("simulate", "keltis", "--seats", "0"), "is for 2 to 4 seats, not 0;", "se joue de 2 à 4 places, pas à 0 ;"),
    (
        ("play", "tir-na-nog", "--bot", "balor", "--seats", "3"),
        "A match against Balor has two seats",
        "Une partie contre Balor a deux places",
    ),
    (
        ("play", "keltis", "--option", "start=9"),
        "cannot be 9; it takes: drawn, or a seat counted from 0.",
        "ne peut pas être 9 ; elle admet : drawn (au sort), ou une place comptée à partir de 0.",
    ),
    (
        ("play", "keltis", "--bot", "random", "--bots", "random"),
        "You cannot use --bot and --bots together;",
        "--bot et --bots s'excluent",
    ),
    (
        ("play", "keltis", "--seed", "1", "--deal", "k"),
        "You cannot use --seed and --deal together;",
        "--seed et --deal s'excluent",
    ),
    (
        ("play", "keltis", "--as", "2"),
        "Unknown seat 2; choose 0 to 1.",
        "Il n'y a pas de place 2 ; choisissez 0 à 1.",
    ),
    (("play", "keltis", "--difficulty", "hard"), "keltis has: none.", "keltis a : aucun."),
    (("play", "keltis", "--option", "start"), "takes NAME=VALUE, not start;", "demande NOM=VALEUR, pas start ;"),
    (
        ("play", "keltis", "--option", "x=1"),
        "has no option x; its options are: start,",
        "n'a pas d'option x ; ses options sont",
    ),
    (
        ("play", "keltis", "--option", "last-cards=no"),
        "it takes: simultaneous, seat-order.",
        "elle admet : simultaneous,",
    ),
    (
        ("play", "keltis", "--option", "start=2"),
        "Option start of keltis cannot be 2;",
        "L'option start de keltis ne peut",
    ),
    (("play", "--resume", "/nowhere/x.log"), "/nowhere/x.log: there is no such file;", "ce fichier n'existe pas ;"),
    (
        ("play", "keltis", "--save", "/nowhere/x"),
        "/nowhere/x cannot be written:",
        "/nowhere/x : écriture impossible :",
    ),
    (("play", "keltis", "--save", "/"), "/: this is a directory;", "/ : c'est un dossier ;"),
    (
        ("play", "--resume", "a", "--seats", "2"),
        "You cannot use --seats and --resume together;",
        "--seats et --resume s'excluent",
    ),
    (("play", "keltis", "--speed"), "--speed", "Il n'y a pas d'option --speed."),
    (("replay",), "Missing argument 'FILE'. See: echtra replay --help", "Il manque FILE. Voir : echtra replay --help"),
    (
        ("simulate", "keltis", "--matches", "0"),
        "Invalid value for '--matches': 0 is not in the range x>=1. See: echtra simulate --help",
        "--matches ne peut pas être 0 : il faut x>=1. Voir : echtra simulate --help",
    ),
    (("simulate", "keltis", "--matches", "many"), "'many' is not a valid integer", "nombre entier, pas « many »."),
    (("replay", "a", "b"), "Got unexpected extra argument (b) See:", "Mots de trop : b. Voir :"),
    (("replay", "a", "b", "c"), "Got unexpected extra arguments (b c) See:", "Mots de trop : b c. Voir :"),
    (
        ("play", "keltis", "--seats"),
        "Option '--seats' requires an argument. See: echtra play --help",
        "L'option --seats demande une valeur. Voir : echtra play --help",
    ),
    (("play", "keltis", "--seets", "2"), "No such option '--seets'. (Did you mean", "Il n'y a pas d'option --seets."),
    (
        ("keys", "dance"),
        "'dance' is not one of 'list', 'rotate'.",
        "ne peut pas être « dance » : c'est l'un de 'list', 'rotate'.",
    ),
    (("simulate", "keltis", "--solo"), "has no solo rival; leave out --solo.", "ôtez --solo."),
    (("simulate", "keltis", "--bots", "random"), "keltis is for 2 to 4 seats, not 1;", "pas à 1 ;"),
    (("simulate", "keltis", "--out", "/dev/null/x"), "/dev/null/x cannot be written:", "écriture impossible :"),
    (("cards", "keltis", "--lang", "de"), "'de' is not one of 'en', 'fr'.", "--lang ne peut pas être « de »"),
]


@pytest.mark.parametrize(("args", "english", "french"), CASES, ids=[" ".join(case[0]) for case in CASES])
def test_a_wrong_call_is_refused_in_one_sentence(args: tuple[str, ...], english: str, french: str) -> None:
    for env, said in ((ENGLISH, english), (FRENCH, french)):
        message = refused(*args, env=env)
        assert said in message
        assert message.count("\n") == 1


@pytest.mark.parametrize(
    "args",
    [
        ("play", "--qqqqqq"),
        ("play", "--seats"),
        ("play", "--no-color=yes"),
        ("replay",),
        ("play", "--seats", "x"),
        ("cards", "keltis", "--lang", "de"),
        ("simulate", "keltis", "--jobs", "0"),
        ("replay", "a", "b", "c"),
    ],
)
def test_our_english_of_a_wrong_call_is_what_click_says(args: tuple[str, ...]) -> None:
    with pytest.raises(click.UsageError) as error, main.make_context("echtra", list(args)) as context:
        main.invoke(context)
    assert str(usage_error_message(error.value)) == error.value.format_message()


def test_language_of_the_call_beats_the_environment() -> None:
    assert "Il n'y a pas de jeu" in refused("cards", "chess", "--lang", "fr", env=ENGLISH)
    assert "Unknown game" in refused("cards", "chess", "--lang=en", env=FRENCH)
    assert "Il n'y a pas de jeu" in refused("--lang", "fr", "cards", "chess", env=ENGLISH)
    assert "Il n'y a pas de jeu" in refused("cards", "chess", env={**ENGLISH, "LC_ALL": "fr_CA.UTF-8"})


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_explains_itself_in_both_languages(name: str) -> None:
    english = echtra(name, "--help")
    french = echtra(name, "--help", "--lang", "fr")
    assert english.exit_code == french.exit_code == 0
    assert english.stdout.startswith("Usage: echtra")
    assert french.stdout.startswith("Usage : echtra")
    assert "Show this message" not in french.stdout


def test_without_a_command_the_help_lists_them() -> None:
    result = echtra()
    assert result.exit_code == 0
    for name in COMMANDS:
        assert f"\n  {name} " in result.stdout


def test_the_list_of_commands_imports_none_of_them() -> None:
    root = Path(__file__).parents[2]
    code = (
        "import sys\nfrom cli import main\n"
        "try:\n    main(['--help'])\nexcept SystemExit:\n    pass\n"
        "print([name for name in ('rich', 'engine.games', 'cli.commands.play', 'flask') if name in sys.modules])"
    )
    shown = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True).stdout
    assert shown.endswith("\n[]\n")


@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_database_that_goes_away_during_a_command_is_one_sentence(
    language: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def go_away() -> None:
        raise OperationalError("server closed the connection unexpectedly\n\tThis probably means …")

    monkeypatch.setattr(preflight, "open_database", go_away)
    monkeypatch.setattr(sys, "argv", ["echtra", "keys", "--lang", language])
    with pytest.raises(SystemExit) as ended:
        main(["keys", "--lang", language])
    said = capsys.readouterr().err
    assert (ended.value.code, said.count("\n")) == (2, 1)
    assert "server closed the connection unexpectedly" in said
    assert "Traceback" not in said


def test_logs_are_json_before_anything_is_checked(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setenv("ECHTRA_DATABASE_URL", "postgresql://127.0.0.1:9/echtra")
    monkeypatch.setenv("ECHTRA_BROKER_URL", "redis://127.0.0.1:9/0")
    monkeypatch.setenv("ECHTRA_DATA", str(tmp_path))
    structlog.reset_defaults()
    with main.make_context("echtra", ["worker"]), pytest.raises(Refusal):
        preflight.prepare_cluster_process("echtra worker")
    structlog.get_logger("worker").warning("first", part="start")
    (line,) = capsys.readouterr().err.splitlines()
    assert {name: json.loads(line)[name] for name in ("event", "level", "part")} == {
        "event": "first",
        "level": "warning",
        "part": "start",
    }
