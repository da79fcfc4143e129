"""The bots of Bardwood Grove: steady beats random, and the figures of a simulation describe the matches.

`BARDWOOD_DUELS=400` plays this many duels instead of a few.
"""

from __future__ import annotations

import os

from engine.chance import seeded_pick
from engine.game import winners
from engine.games import GAMES
from engine.games.bardwood_grove.bots.line_values import BOAT_SPACE
from engine.games.bardwood_grove.bots.steady import BOTS, song_value
from engine.games.bardwood_grove.rules.state import Bardwood
from engine.log import Log
from engine.playout import play_out
from tests.engine.bardwood_grove.tables import composes, give, listed, play, player, rests, sings, table

GAME = GAMES["bardwood-grove"]
DUELS = int(os.environ.get("BARDWOOD_DUELS", "20"))
LEAST_SHARE = 0.95


def duel(seed: int) -> bool:
    """Return True if steady beats random, the seats alternating with the seed."""
    pick, mine = seeded_pick(seed), seed % 2
    bots = {mine: GAME.bots.by_name["steady"], 1 - mine: GAME.bots.by_name["random"]}
    *_, (_, _, end) = play_out(GAME, GAME.rules.start(2), pick, bots, lambda _: pick)
    return winners(GAME, end) == (mine,)


def test_steady_beats_random() -> None:
    assert sum(map(duel, range(DUELS))) >= LEAST_SHARE * DUELS


def answer(state: Bardwood, seat: int = 0) -> str:
    """Return the line that steady chooses."""
    view = GAME.rules.view(state, seat)
    return BOTS["steady"](view, view.table.agenda[0].options(view.table, seat), seeded_pick(0)).line


def test_steady_takes_what_is_worth_most() -> None:
    assert answer(sings(table(), 0, "c1", "M5")) == "soothe thorn-boar"
    bare = table().but(motifs=())
    assert answer(sings(bare, 0, "b4", "L4")).startswith("perform lakeside-bandstand")
    assert answer(sings(bare, 0, "a2")) == "done"
    assert answer(sings(player(bare, 0, boat=2), 0, "a2", "L4")).startswith("tell the-first-crowd")


def test_steady_moves_to_where_the_song_brings_most() -> None:
    state = player(composes(table(), 0, "battle-cry", "headbang"), 0, marker=True, volume=4, acoustic=2)
    state = play(state, 0, "compose headbang battle-cry")
    region = answer(state).split()[1]
    values = {line.split()[1]: song_value(play(state, 0, line), 0) for line in listed(state)}
    assert values[region] >= max(values.values()) - BOAT_SPACE * 2


def test_steady_stacks_on_the_smaller_heap() -> None:
    state = give(table(), 0, "bellow-bear", to="pile")
    state = give(state, 0, "moss-badger", "glow-wisp", "root-imp")
    state = player(state, 0, discard=("bardbarian-fan",), brag=(("glow-wisp", "moss-badger"), ("root-imp",)))
    assert answer(play(rests(state, 0), -1, "meet 0 bellow-bear")) == "stack 2"


def test_figures_tell_rounds_songs_points_and_wins() -> None:
    pick = seeded_pick(3)
    bots = dict.fromkeys(range(3), GAME.bots.by_name["steady"])
    *_, (_, _, end) = play_out(GAME, GAME.rules.start(3), pick, bots, lambda _: pick)
    assert GAME.bots.figures is not None
    figures = GAME.bots.figures(Log(GAME, 3, {}), end)
    assert figures["rounds"] == end.round
    assert figures["songs"] > 1
    total = sum(figures[f"points-{source}"] for source in ("gems", "crests", "cards", "legends"))
    assert round(total * 3) == sum(score.total for score in GAME.rules.scores(end))
    wins = {name: value for name, value in figures.items() if name.startswith("win-")}
    assert sum(value for name, value in wins.items() if "place" in name) == 1
    assert sum(value for name, value in wins.items() if "place" not in name) == 1
    assert all(GAME.presentation.words.name(name, "fr") != name for name in figures)
