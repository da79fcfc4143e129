"""`echtra` in a real terminal: Ctrl-C, Ctrl-D, being ended, colours and width."""

from __future__ import annotations

import os
import re
import signal
from pathlib import Path

import pytest

from cli.simulation.runner import SimulationPlan, play_match
from engine.games import GAMES
from engine.log import parse, replay
from tests.support.command_line import ESCAPES, Session

PLAY = ("play", "keltis", "--bot", "random", "--seed", "1")
PROMPT = "Your choice"


def the_log(folder: Path) -> Path:
    (path,) = folder.iterdir()
    assert re.fullmatch(r"keltis-\d{8}-\d{6}\.log", path.name)
    log = parse(path.read_text(), GAMES)
    assert replay(log).fault is None
    assert log.moves
    return path


@pytest.mark.parametrize("key", ["\x03", "\x04", "quit\r", "12\x03"])
def test_leaving_saves_the_match_and_says_how_to_go_on(tmp_path: Path, key: str) -> None:
    session = Session(*PLAY, cwd=tmp_path)
    session.until(PROMPT)
    since = session.type("1\r")
    session.until(PROMPT, since)
    shown = session.left(key)
    assert session.code == 0
    path = the_log(tmp_path)
    assert f"echtra play --resume {path.name} --seed 1" in shown
    assert "Traceback" not in shown
    assert next(move.line for move in parse(path.read_text(), GAMES).moves if move.seat == 0).startswith("lay ")
    again = Session("play", "--resume", path.name, cwd=tmp_path)
    again.until(PROMPT)
    again.left()
    assert the_log(tmp_path) == path


def test_a_small_window_shows_a_compact_table_until_the_whole_one_is_asked_for(tmp_path: Path) -> None:
    session = Session(*PLAY, cwd=tmp_path)
    first = session.until(PROMPT)
    assert "Tops of the discard piles: no discards yet" in first
    assert "Type `table` to see all of it." in first
    since = session.type("table\r")
    session.until(PROMPT, since)
    assert "Discard piles, top card first: no discards yet" in session.raw[since:]
    assert "to see all of it" not in session.raw[since:]
    session.left()


def test_ctrl_c_while_resigning_saves_too(tmp_path: Path) -> None:
    session = Session(*PLAY, cwd=tmp_path)
    session.until(PROMPT)
    session.type("resign\r")
    session.until("(yes or no)")
    assert "echtra play --resume" in session.left()
    assert "resign" not in the_log(tmp_path).read_text()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_being_ended_from_outside_saves_too(tmp_path: Path, number: int) -> None:
    session = Session(*PLAY, cwd=tmp_path)
    session.until(PROMPT)
    session.closed(lambda: os.kill(session.pid, number))
    assert session.code == 0
    the_log(tmp_path)


def test_a_terminal_that_goes_away_takes_no_match_with_it(tmp_path: Path) -> None:
    session = Session(*PLAY, cwd=tmp_path)
    session.until(PROMPT)
    os.close(session.terminal)
    os.waitpid(session.pid, 0)
    the_log(tmp_path)


def test_colours_are_for_terminals_that_have_them(tmp_path: Path) -> None:
    play_match(SimulationPlan("keltis", 2, {}, ("random",) * 2, 1, str(tmp_path)), 1)
    shown = {}
    for name, args, environ in (
        ("colours", (), {}),
        ("env", (), {"NO_COLOR": "1"}),
        ("flag", ("--no-color",), {}),
        ("dumb", (), {"TERM": "dumb"}),
    ):
        session = Session("replay", "keltis-2-1-1.log", *args, cwd=tmp_path, environ=environ)
        plain = session.closed()
        assert session.code == 0
        assert "Total" in plain
        shown[name] = session.raw
    assert re.search(r"\x1b\[38;5;\d+mR(10|\d|E)\x1b\[0m", shown["colours"])
    assert not ESCAPES.search(shown["env"])
    assert not ESCAPES.search(shown["flag"])
    assert not ESCAPES.search(shown["dumb"])
    assert ESCAPES.sub("", shown["colours"]) == shown["flag"]


PROMPTS = {"en": "Your choice", "fr": "Votre choix"}
ENTER = {"en": "(Enter ", "fr": "(Entrée "}
TURNS = {80: 500, 100: 12}


def play_on(session: Session, lang: str, turns: int) -> str:
    """Answer this many prompts with the last option shown, and with Enter if there is only one."""
    since = 0
    for _ in range(turns):
        try:
            session.until(PROMPTS[lang], since)
            shown = ESCAPES.sub("", session.until(":", session.raw.rindex(PROMPTS[lang]))[since:])
        except AssertionError:
            return session.closed()
        numbers = re.findall(r"(?m)^ {0,2}(\d+)  \S", shown)
        since = session.type("\r" if ENTER[lang] in shown else f"{numbers[-1]}\r")
    session.until(PROMPTS[lang], since)  # Ctrl-C right after an answer would throw the answer away
    return session.left()


@pytest.mark.parametrize("columns", [80, 100])
@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("slug", GAMES)
def test_a_match_of_every_game_fits_the_width(tmp_path: Path, slug: str, lang: str, columns: int) -> None:
    rules = GAMES[slug].rules
    seats = str(min(4, rules.seats[-1])) if columns == 100 else "2"
    words = ("--bot", "random", "--seats", seats, "--seed", "3", "--lang", lang)
    session = Session("play", slug, *words, cwd=tmp_path, columns=columns)
    shown = play_on(session, lang, TURNS[columns])
    rows = shown.replace("\r", "").splitlines()
    assert len(rows) > 50
    assert [row for row in rows if len(row) > columns] == []
    assert "Seat 0" not in shown
    if columns == 80:
        total = {"en": "Points for", "fr": "Points pour"} if rules.points else {"en": "Result", "fr": "Résultat"}
        assert shown.count(total[lang]) == 1
        assert "Aoife" in shown


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_help_and_history_fit_the_width(tmp_path: Path, lang: str) -> None:
    session = Session(*PLAY, "--lang", lang, cwd=tmp_path)
    session.until(PROMPTS[lang])
    for typed in ("?", "1", "1", "1", "history 50"):
        since = session.type(f"{typed}\r")
        session.until(PROMPTS[lang], since)
    rows = session.left().splitlines()
    assert len(rows) > 100
    assert [row for row in rows if len(row) > 80] == []


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_the_widest_tables_fit_eighty_columns(tmp_path: Path, seats: int) -> None:
    play_match(SimulationPlan("tir-na-nog", seats, {}, ("random",) * seats, 1, str(tmp_path)), 1)
    at = str(seats * 6)
    session = Session("replay", f"tir-na-nog-{seats}-1-1.log", "--at", at, "--lang", "fr", cwd=tmp_path)
    rows = session.closed().splitlines()
    assert max(map(len, rows)) <= 80
    assert any(row.startswith("  | ") for row in rows)
