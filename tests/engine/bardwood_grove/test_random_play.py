"""Random matches of Bardwood Grove: everything is accounted for after every line, and nothing hidden shows.

`BARDWOOD_MATCHES=2000` plays this many for each kind of table instead of a few.
"""

from __future__ import annotations

import os
from typing import Any

import pytest

from engine.chance import seeded_pick
from engine.game import CHANCE, Seal, legal, seal, to_act
from engine.games import GAMES
from engine.games.bardwood_grove.rules.state import RIVAL_SEAT, Bardwood
from engine.playout import play_out
from engine.snapshot import dump, load
from tests.engine.conserved.bardwood_grove import conserved

GAME = GAMES["bardwood-grove"]
MATCHES = int(os.environ.get("BARDWOOD_MATCHES", "3"))
KINDS: list[tuple[int, dict[str, Any]]] = [
    (2, {}),
    (3, {}),
    (4, {}),
    (2, {"rival": "easy"}),
    (2, {"rival": "normal"}),
    (2, {"rival": "hard"}),
    (2, {"content": "base"}),
    (3, {"content": "summer", "muse": True}),
    (4, {"content": "spring", "bards": "random"}),
]
MOST_LISTED = 90
LONGEST_LINE = 220


def states(seats: int, settings: dict[str, Any], seed: int) -> list[Bardwood]:
    """Return every state of a match between random seats, checked line by line."""
    pick = seeded_pick(seed)
    state: Bardwood = GAME.rules.start(seats, settings)
    bots = dict.fromkeys(range(seats), GAME.bots.by_name["random"])
    found = [state]
    for seat, action, after in play_out(GAME, state, pick, bots, lambda _: pick):
        assert len(action.line) <= LONGEST_LINE
        assert (seal(state, action) is not Seal.NEVER) == (action.verb == "draw")
        if seat != CHANCE:
            lines = legal(state, seat)
            assert 0 < len(lines) <= MOST_LISTED
            assert seat != RIVAL_SEAT or not state.solo or len(lines) == 1
        conserved(after)
        state = after
        found.append(after)
    return found


@pytest.mark.parametrize(("seats", "settings"), KINDS, ids=str)
def test_every_card_rune_crest_and_gem_is_accounted_for(seats: int, settings: dict[str, Any]) -> None:
    for seed in range(MATCHES):
        found = states(seats, settings, seed)
        end = found[-1]
        assert end.over
        assert end.cause == ("last-gem" if not any(end.pools) else "round-40")
        assert end.round <= 40
        for state in found[seed % 7 :: 31]:
            assert load(GAME, dump(GAME, state)) == state


@pytest.mark.parametrize(("seats", "settings"), KINDS[:4], ids=str)
def test_hands_do_not_show_in_what_others_see(seats: int, settings: dict[str, Any]) -> None:
    for seed in range(2):
        for state in states(seats, settings, 1000 + seed)[seed::37]:
            for viewer in (*range(seats), None):
                other = GAME.rules.redeal(state, viewer, seeded_pick(seed + 3))
                assert GAME.rules.view(other, viewer) == GAME.rules.view(state, viewer)
                if viewer is None:
                    continue
                imagined = GAME.rules.view(state, viewer).table
                if viewer in to_act(state) and GAME.rules.view(state, viewer).phase not in ("bards", "rival"):
                    assert list(legal(imagined, viewer)) == list(legal(state, viewer))


def test_a_view_shows_only_the_viewers_hand() -> None:
    for state in states(3, {}, 5)[::11]:
        for viewer in (0, 1, 2, None):
            seen = GAME.rules.view(state, viewer)
            assert seen.hand == (() if viewer is None else state.players[viewer].hand)
            for seat, player in enumerate(state.players):
                shown = seen.players[seat]
                assert (shown.hand, shown.pile) == (len(player.hand), len(player.pile))
                assert shown.hidden == tuple(sorted((*player.hand, *player.pile)))
