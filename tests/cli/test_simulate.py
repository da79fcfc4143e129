"""`echtra simulate`: the same figures from the same seed however many processes, and logs that replay."""

from __future__ import annotations

from dataclasses import replace
from itertools import takewhile
from pathlib import Path
from statistics import fmean, stdev
from xml.etree import ElementTree as ET

import pytest

from cli.match_options import LEVELS, rival_options
from engine.game import HOUSE
from engine.games import GAMES
from engine.log import parse, replay
from engine.options import Option
from service.matches.bot_strengths import wilson_interval
from tests.support.command_line import FRENCH, Session, echtra, refused

CALL = ("simulate", "keltis", "--bot", "random", "--seed", "7")


def without_speed(shown: str) -> str:
    """Return the figures, which must not change, without the time, which does."""
    return "\n".join(takewhile(lambda row: "per second" not in row, shown.splitlines()))


def test_the_number_of_processes_changes_nothing(tmp_path: Path) -> None:
    shown = []
    for jobs in ("1", "2"):
        result = echtra(*CALL, "--matches", "40", "--jobs", jobs, "--out", tmp_path / jobs)
        assert result.exit_code == 0, result.output
        shown.append(without_speed(result.stdout))
    assert shown[0] == shown[1]
    texts = [{path.name: path.read_text() for path in (tmp_path / jobs).iterdir()} for jobs in ("1", "2")]
    assert texts[0] == texts[1]
    assert len(texts[0]) == 40


def test_figures_are_those_of_the_filed_logs(tmp_path: Path) -> None:
    result = echtra(*CALL, "--seats", "3", "--matches", "20", "--out", tmp_path / "new" / "folder")
    assert result.exit_code == 0
    logs = [parse((tmp_path / "new/folder" / f"keltis-3-7-{at}.log").read_text(), GAMES) for at in range(1, 21)]
    assert all(replay(log).fault is None for log in logs)
    assert not any(move.seat == HOUSE for log in logs for move in log.moves)
    rows = [row.split() for row in result.stdout.splitlines()]
    for seat in range(3):
        scores = [log.scores[seat] for log in logs if log.scores]
        wins = sum(
            log.scores[seat] == max(log.scores) and log.scores.count(max(log.scores)) == 1 for log in logs if log.scores
        )
        (row,) = [row for row in rows if row[:2] == [str(seat), "Random"]]
        figures = [f"{fmean(scores):.2f}", f"{stdev(scores):.2f}", str(min(scores)), str(max(scores)), str(wins)]
        assert row[2:7] == figures
    lengths = [len(log.moves) for log in logs]
    (row,) = [row for row in rows if row[:1] == ["moves"]]
    assert row[1:] == [f"{fmean(lengths):.2f}", f"{stdev(lengths):.2f}", str(min(lengths)), str(max(lengths))]
    assert f"{sum(lengths)} steps in " in result.stdout


def test_another_seed_gives_other_matches(tmp_path: Path) -> None:
    for seed in ("1", "2"):
        echtra("simulate", "keltis", "--bot", "random", "--matches", "1", "--seed", seed, "--out", tmp_path)
    assert len({path.read_text() for path in tmp_path.iterdir()}) == 2


def test_a_bot_for_each_seat_and_options(tmp_path: Path) -> None:
    result = echtra(
        "simulate", "keltis", "--bots", "random,steady", "--matches", "2", "--option", "start=1", "--out", tmp_path
    )
    assert result.exit_code == 0
    assert [row.split()[:2] for row in result.stdout.splitlines() if row[:2] in ("0 ", "1 ")] == [
        ["0", "Random"],
        ["1", "Steady"],
    ]
    log = parse((tmp_path / "keltis-2-0-1.log").read_text(), GAMES)
    assert log.settings == {"start": 1}
    assert log.moves[2].seat == 1


def test_in_french() -> None:
    result = echtra(*CALL, "--matches", "2", env=FRENCH)
    assert "Scores et victoires par place" in result.stdout
    assert "pas par seconde" in result.stdout


def test_the_progress_bar_is_for_terminals(tmp_path: Path) -> None:
    assert echtra(*CALL, "--matches", "4").stderr == ""
    session = Session(*CALL, "--matches", "4", cwd=tmp_path)
    assert "4/4" in session.closed()
    assert session.code == 0


def test_ctrl_c_stops_all_processes(tmp_path: Path) -> None:
    session = Session(*CALL, "--matches", "100000", "--jobs", "2", cwd=tmp_path)
    session.until("8/100000")
    shown = session.left()
    assert session.code == 130
    assert "Stopped; nothing was counted." in shown
    assert "Traceback" not in shown


@pytest.mark.parametrize(
    ("hits", "tries", "low", "high"),
    # From the closed form, worked out by hand and with a table of published intervals.
    [(0, 10, 0.0, 0.2775), (5, 10, 0.2366, 0.7634), (10, 10, 0.7225, 1.0), (81, 263, 0.2553, 0.3662)],
)
def test_wilson(hits: int, tries: int, low: float, high: float) -> None:
    assert wilson_interval(hits, tries) == pytest.approx((low, high), abs=5e-5)


def test_solo_reports_every_level(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    titles = {"en": "a rival", "fr": "un adversaire"}
    option = Option("ogre", "none", titles, ("none", *LEVELS))  # type: ignore[arg-type]
    keltis = GAMES["keltis"]
    rules = replace(keltis.rules, slug="solo", options=(*keltis.rules.options, option))
    bots = replace(keltis.bots, by_name={**keltis.bots.by_name, "ogre": keltis.bots.by_name["random"]})
    monkeypatch.setitem(GAMES, "solo", replace(keltis, rules=rules, bots=bots))
    result = echtra("simulate", "solo", "--solo", "--bot", "random", "--matches", "5", "--out", tmp_path)
    assert result.exit_code == 0, result.output
    rows = [row.split() for row in result.stdout.splitlines()]
    assert [row[0] for row in rows if row and row[0] in LEVELS] == list(LEVELS)
    for row in rows:
        if row and row[0] in LEVELS:
            low, high = wilson_interval(int(row[2]), 5)
            assert row[1:2] + row[4:8] == ["5", f"{20 * int(row[2]):.1f}", f"{100 * low:.1f}", "–", f"{100 * high:.1f}"]
    assert len(list(tmp_path.iterdir())) == 5 * len(LEVELS)
    assert parse((tmp_path / "solo-2-0-hard-3.log").read_text(), GAMES).settings == {"ogre": "hard"}
    assert "--solo and --bots together" in refused("simulate", "solo", "--solo", "--bots", "random,random")


@pytest.mark.parametrize("slug", list(GAMES))
def test_solo_plays_every_level_that_the_game_has_and_is_refused_where_there_is_none(slug: str, tmp_path: Path) -> None:
    call = ("simulate", slug, "--solo", "--bot", "random", "--matches", "2", "--out", tmp_path)
    rivals = rival_options(GAMES[slug])
    if not rivals:
        assert f"{slug} has no solo rival; leave out --solo." in refused(*call)
        return
    result = echtra(*call)
    assert result.exit_code == 0, result.output
    levels = [level for level in LEVELS if level in rivals[0].choices]
    rows = [row.split() for row in result.stdout.splitlines()]
    assert [row[0] for row in rows if row and row[0] in LEVELS] == levels
    assert len(list(tmp_path.iterdir())) == 2 * len(levels) > 0
    for level in levels:
        log = parse((tmp_path / f"{slug}-2-0-{level}-2.log").read_text(), GAMES)
        assert log.settings == {rivals[0].name: level}
        assert replay(log).state.over


def test_there_are_games_with_a_solo_rival_and_games_without() -> None:
    assert {slug for slug, game in GAMES.items() if rival_options(game)} >= {"tir-na-nog", "bardwood-grove"}
    assert not rival_options(GAMES["keltis"])


def test_games_may_have_figures_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    keltis = GAMES["keltis"]
    bots = replace(keltis.bots, figures=lambda log, _state: {"stones": float(len(log.moves) > 0)})
    monkeypatch.setitem(GAMES, "counted", replace(keltis, rules=replace(keltis.rules, slug="counted"), bots=bots))
    result = echtra("simulate", "counted", "--bot", "random", "--matches", "3")
    assert ["wish", "stones", "1.00", "0.00", "1", "1"] in [row.split() for row in result.stdout.splitlines()]


@pytest.mark.parametrize(("lang", "heading"), [("en", "Scores by seat"), ("fr", "Scores par place")])
def test_a_chart_draws_what_the_table_says(tmp_path: Path, lang: str, heading: str) -> None:
    path = tmp_path / "chart.svg"
    result = echtra(*CALL, "--seats", "3", "--matches", "12", "--lang", lang, "--chart", path)
    assert result.exit_code == 0, result.output
    assert str(path) in result.stdout
    drawn = ET.parse(path).getroot()  # noqa: S314  # our own
    words = [each.text or "" for each in drawn.iter("{http://www.w3.org/2000/svg}text")]
    assert heading in words
    table = [row.split() for row in result.stdout.splitlines() if row[:2] in ("0 ", "1 ", "2 ")]
    for row in table:
        assert f"{row[2]} ± {row[3]}" in words
        assert any(each.startswith(f"{row[-1]} %") for each in words)
    described = drawn.findtext("{http://www.w3.org/2000/svg}desc") or ""
    assert heading in described


@pytest.mark.parametrize(
    ("name", "said"), [("chart.png", "a name that ends in .svg"), ("no/such/chart.svg", "cannot be written")]
)
def test_a_chart_that_cannot_be_is_refused_before_anything_is_played(tmp_path: Path, name: str, said: str) -> None:
    assert said in refused(*CALL, "--chart", tmp_path / name)


def test_the_chart_of_a_rival_has_every_level(tmp_path: Path) -> None:
    path = tmp_path / "solo.svg"
    result = echtra("simulate", "tir-na-nog", "--solo", "--matches", "1", "--bot", "random", "--chart", path)
    assert result.exit_code == 0, result.output
    drawn = path.read_text()
    for level in ("easy", "normal", "hard", "impossible"):
        assert f">{level} · Balor</text>" in drawn
