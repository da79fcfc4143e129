"""Bots that think ahead: they see no more than their seat, keep to their budget, and repeat themselves everywhere."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from engine.chance import seeded_pick
from engine.game import CHANCE, Action, Options, Pick, Thinker, legal, to_act, winners
from engine.games import GAMES
from engine.playout import answer, play_out
from engine.search import SearchBot
from tests.support.random_matches import TABLES, hurried, played

STRONG = [(slug, seats) for slug, seats in TABLES if "strong" in GAMES[slug].bots.by_name]
STORY = """
import sys
from dataclasses import replace
from itertools import islice
from engine.chance import seeded_pick
from engine.games import GAMES
from engine.playout import play_out
game, pick = GAMES[sys.argv[1]], seeded_pick(3)
bots = dict.fromkeys(range(2), replace(game.bots.by_name["strong"], playouts=12, width=4))
for seat, action, state in islice(play_out(game, game.rules.start(2), pick, bots, lambda _: pick), 70):
    print(seat, action.line)
"""


def strong_of(slug: str) -> SearchBot[Any]:
    """The strong bot of a game."""
    bot = GAMES[slug].bots.by_name["strong"]
    assert isinstance(bot, SearchBot)
    return bot


@pytest.mark.parametrize(("slug", "seats"), STRONG)
def test_what_a_seat_cannot_see_changes_no_line_of_its_bot(slug: str, seats: int) -> None:
    game, changed = GAMES[slug], 0
    bot = hurried(game.bots.by_name["strong"])
    for moment in played(slug, seats, 2).some(14):
        for seat in to_act(moment.state) - {CHANCE}:
            line = answer(game, moment.state, seat, bot, seeded_pick(8)).line
            for seed in range(2):
                other = game.rules.redeal(moment.state, seat, seeded_pick(seed))
                changed += other != moment.state
                assert answer(game, other, seat, bot, seeded_pick(8)).line == line
    assert changed, "nothing was ever dealt anew"


def test_a_bot_that_thinks_is_never_given_the_table() -> None:
    game, state = GAMES["keltis"], played("keltis", 2, 1).moments[10].state
    seat = min(to_act(state))

    @dataclass(frozen=True)
    class Curious(Thinker[Any]):
        def choose(self, view: Any, options: Options, sample: Any, pick: Pick) -> Action[Any]:  # noqa: ANN401
            assert view == game.rules.view(state, seat)
            tables = [sample(pick) for _ in range(20)]
            assert all(table.hands[seat] == state.hands[seat] for table in tables)
            assert len({table.hands[1 - seat] for table in tables}) > 10
            return next(iter(options))

    assert answer(game, state, seat, Curious(), seeded_pick(1)) == next(iter(legal(state, seat)))


@pytest.mark.parametrize("slug", dict.fromkeys(slug for slug, _ in STRONG))
@pytest.mark.parametrize("playouts", [1, 24, 60])
def test_the_budget_counts_playouts_and_not_time(slug: str, playouts: int) -> None:
    game, judged = GAMES[slug], []
    bot = replace(strong_of(slug), playouts=playouts, width=4)

    def count_worth(state: Any, seat: int) -> float:  # noqa: ANN401  # the state of any game
        judged.append(seat)
        return bot.worth(state, seat)

    counting = replace(bot, worth=count_worth)
    for moment in played(slug, 2, 4).some(4):
        for seat in to_act(moment.state) - {CHANCE}:
            judged.clear()
            line = answer(game, moment.state, seat, counting, seeded_pick(5)).line
            assert len(judged) <= max(playouts, 4 + 2)
            assert set(judged) <= {seat}
            assert line == answer(game, moment.state, seat, bot, seeded_pick(5)).line


@pytest.mark.parametrize("slug", dict.fromkeys(slug for slug, _ in STRONG))
def test_strong_plays_the_same_in_every_process(slug: str) -> None:
    stories = {
        subprocess.run(
            [sys.executable, "-c", STORY, slug],
            cwd=Path(__file__).parents[2],
            env={**os.environ, "PYTHONHASHSEED": number},
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for number in ("1", "2")
    }
    assert len(stories) == 1


@pytest.mark.parametrize(
    ("slug", "settings", "playouts", "matches"),
    [("keltis", {"start": 0}, 48, 8), ("tain", {"first": 0}, 32, 4), ("tir-na-nog", {}, 12, 4)],
)
def test_strong_beats_steady_with_a_small_budget(
    slug: str, settings: dict[str, int], playouts: int, matches: int
) -> None:
    game, won = GAMES[slug], 0.0
    strong = replace(strong_of(slug), playouts=playouts)
    for seed in range(matches):
        pick, seat = seeded_pick(seed), seed % 2
        bots = {seat: strong, 1 - seat: game.bots.by_name["steady"]}
        start = game.rules.start(2, settings)  # seat 0 begins, and each bot has that seat as often as the other
        *_, (_, _, end) = play_out(game, start, pick, bots, lambda _, pick=pick: pick)  # type: ignore[misc]
        won += (seat in winners(game, end)) / len(winners(game, end))
    assert won > matches / 2
