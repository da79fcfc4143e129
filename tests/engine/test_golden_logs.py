"""Golden logs replay to their scores, and `python -m tests.golden` files new ones without touching the old."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.game import final_scores
from engine.games import GAMES
from engine.log import parse, replay
from tests.golden.__main__ import file, main

FOLDER = Path(__file__).parents[1] / "golden"
LOGS = sorted(FOLDER.glob("*/*.log"))


@pytest.mark.parametrize("path", LOGS, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_a_golden_log_replays_to_its_scores(path: Path) -> None:
    text = path.read_text("utf-8")
    log = parse(text, GAMES)
    assert log.game.slug == path.parent.name
    assert str(log) == text
    result = replay(log)
    assert result.fault is None
    assert result.state.over
    assert log.scores == tuple(score.total for score in final_scores(log.game, result.state))


@pytest.mark.parametrize("slug", GAMES)
def test_every_game_has_golden_logs_for_each_number_of_seats(slug: str) -> None:
    for seats in GAMES[slug].rules.seats:
        heads = [path.read_text("utf-8").split("\n")[0] for path in LOGS if path.parent.name == slug]
        assert sum(f" · seats {seats}" in head for head in heads) >= 2


@pytest.mark.parametrize("slug", GAMES)
def test_new_logs_are_added_and_old_ones_kept(slug: str, tmp_path: Path) -> None:
    game = GAMES[slug]
    first = file(game, tmp_path)
    texts = [path.read_bytes() for path in first]
    assert len(first) == 2 * len(game.rules.seats)
    assert len(set(texts)) == len(texts)
    second = file(game, tmp_path)
    assert not set(first) & set(second)
    assert [path.read_bytes() for path in first] == texts
    assert not set(texts) & {path.read_bytes() for path in second}


def test_an_unknown_game_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["chess"]) == 2
    assert main([]) == 2
    assert "keltis" in capsys.readouterr().err
