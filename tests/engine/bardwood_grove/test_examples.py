"""The worked examples of Bardwood Grove, situation by situation."""

from __future__ import annotations

import pytest

from engine.game import CHANCE, apply, legal, to_act
from engine.games import GAMES
from engine.games.bardwood_grove.rules.board import RUNES_A_QUARTER
from engine.games.bardwood_grove.rules.score import score
from engine.games.bardwood_grove.rules.state import Bardwood
from engine.log import parse, replay
from engine.playout import roll_chance
from tests.engine.bardwood_grove.tables import (
    OPENING,
    composes,
    creature_at,
    give,
    holding,
    listed,
    own,
    play,
    player,
    rests,
    sings,
    table,
)


def opening(text: str = OPENING) -> Bardwood:
    """Return the state after a log."""
    result = replay(parse(text, GAMES))
    assert result.fault is None
    assert isinstance(result.state, Bardwood)
    return result.state


def test_a_turn_begins_with_two_ways_to_compose_and_thirteen_to_move() -> None:
    state = opening()
    assert sorted(listed(state)) == ["compose battle-cry big-boast", "compose big-boast battle-cry"]
    state = play(state, 0, "compose battle-cry big-boast")
    mine = own(state, 0)
    assert (mine.volume, mine.dial, mine.marker) == (3, 1, False)
    regions = {"c2": 3, "b2": 2, "c1": 2, "c3": 2, "a2": 1, "b1": 1, "b3": 1, "c4": 1}
    assert sorted(listed(state)) == sorted(
        f"move {region} {n}" for region, most in regions.items() for n in range(most)
    )
    state = play(state, 0, "move c3 1")
    assert to_act(state) == {CHANCE}
    assert (own(state, 0).region, own(state, 0).boat) == ("c3", 1)


def test_only_the_quarter_where_the_dial_stops_pays() -> None:
    state = player(table(), 0, dial=3, runes=(0, 0, 2, 2))
    state = play(composes(state, 0, "battle-cry", "headbang"), 0, "compose headbang battle-cry")
    mine = own(state, 0)
    assert (mine.dial, mine.marker, mine.volume, mine.coins) == (1, True, 3, 0)
    assert max(line.split()[2] for line in listed(state)) == "2"


def test_tempo_in_rest_fetches_the_marker_for_the_next_turn() -> None:
    state = player(give(table(), 0, "clapper", to="pile"), 0, dial=3)
    state = play(rests(state, 0), CHANCE, "meet 0 clapper")
    state = play(state, 0, "fan clapper 1")
    assert (own(state, 0).dial, own(state, 0).marker, own(state, 0).coins) == (0, True, 0)
    state = play(state, CHANCE, "draw 0 headbang", "draw 0 rough-chorus")
    assert state.turn == 1
    state = play(composes(state, 0, "headbang", "rough-chorus"), 0, "compose rough-chorus headbang", "move c2 0")
    assert own(state, 0).dial == 1
    assert state.singing is not None


def test_tempo_in_the_song_never_fetches_the_marker() -> None:
    state = give(table(), 0, "falling-cadence", to="song")
    state = sings(player(state, 0, dial=0), 0, "c2", "V1", waiting=1)
    state = play(state, 0, "lower falling-cadence", "done")
    assert (own(state, 0).dial, own(state, 0).marker, own(state, 0).volume) == (3, False, 1)
    state = play(state, CHANCE, "draw 0 headbang", "draw 0 rough-chorus")
    state = play(composes(state, 0, "headbang", "rough-chorus"), 0, "compose rough-chorus headbang", "move c2 0")
    assert state.singing is not None


def test_soothing_with_a_crest_of_another_seat() -> None:
    state = creature_at(table(), "reed-marsh", "drum-beetle")
    state = sings(creature_at(state, "moss-gate", "bramble-fox", (1,)), 0, "a1", "M3")
    after = play(state, 0, "soothe bramble-fox")
    assert holding(after, 0) == "V1 R1"
    assert holding(after, 1) == "V1 R1"
    assert own(after, 0).captured == 1
    assert own(after, 0).brag == (("bramble-fox",), ())
    boss = roll_chance(after, lambda _: 0).line
    assert boss == "top moss-gate cacophony-hydra"
    after = play(after, CHANCE, boss)
    assert not [line for line in listed(after) if "cacophony-hydra" in line]
    less = sings(state, 0, "a1", "M2")
    assert [line for line in listed(less) if "bramble-fox" in line] == ["help bramble-fox"]


def test_helpers_are_served_clockwise_and_the_event_changes_at_once() -> None:
    state = creature_at(table(3), "old-bridge", "drum-beetle")
    state = creature_at(state, "owl-cliff", "gloom-stag", (0, 1, 2)).but(pools=(2, 21))
    state = play(sings(state, 1, "a3", "M3"), 1, "soothe gloom-stag")
    assert [own(state, seat).gems for seat in range(3)] == [1, 1, 1]
    assert [own(state, seat).volume for seat in range(3)] == [1, 1, 1]
    assert (state.pools, state.event) == ((0, 20), "crystal-harvest")
    assert (own(state, 1).captured, state.gone, own(state, 1).crests) == (2, 1, 6)


def test_help_at_a_distance() -> None:
    state = table()
    lairs = ("moss-gate", "owl-cliff", "bramble-hollow", "reed-marsh", "old-bridge")
    shown = ("humming-hedgehog", "coin-toad", "moss-badger", "glow-wisp", "drum-beetle")
    for lair, creature in zip(lairs, shown, strict=True):
        state = creature_at(state, lair, creature)
    state = sings(state, 0, "c1", "M9 R4")
    for creature, stones, points in (("moss-badger", 4, 1), ("drum-beetle", 3, 2), ("humming-hedgehog", 1, 3)):
        state = play(state, 0, f"help {creature}")
        assert own(state, 0).range == stones
        assert score(state, 0).counts[1].points == points
        assert "soothe moss-badger" not in listed(state)
    assert not listed(state, "help")


def test_own_kind_then_wild_then_stones() -> None:
    state = play(sings(table(), 0, "a1", "M1 X1 A2"), 0, "soothe humming-hedgehog")
    assert holding(state, 0) == "V2 A1"


def test_performing_at_the_open_stage() -> None:
    state = sings(table(), 0, "c2", "L20")
    assert listed(state, "perform") == [f"perform open-stage {quarter}" for quarter in ("ur", "lr", "ll", "ul")]
    after = play(state, 0, "perform open-stage ul")
    assert (holding(after, 0), own(after, 0).gems, own(after, 0).runes) == ("L15", 1, (2, 2, 2, 1))
    assert "coin-tosser" in own(after, 0).discard
    after = play(after, CHANCE, "top fans clapper")
    assert not listed(after, "perform")


@pytest.mark.parametrize(
    ("runes", "lyrics", "fits"), [(0, 5, True), (1, 5, False), (1, 6, True), (2, 7, True), (3, 20, False)]
)
def test_own_runes_make_a_performance_dearer(runes: int, lyrics: int, fits: bool) -> None:
    state = table().but(stages=((runes, 0), (0, 0), (0, 0), (0, 0)))
    state = player(state, 0, runes=(2 - min(runes, 2), 2 - (runes > 2), 2, 2))
    assert bool(listed(sings(state, 0, "c2", f"L{lyrics}"), "perform")) == fits


def test_open_air_season_makes_the_first_performance_cost_four() -> None:
    state = table(events="open-air-season,gem-fair")
    assert listed(sings(state, 0, "c2", "L4"), "perform")
    assert not listed(sings(state, 0, "c2", "L3"), "perform")


def test_telling_a_legend() -> None:
    state = table()
    unseen = (*state.unseen[:5], *(tuple(card for card in cards if card not in LEGENDS) for cards in state.unseen[5:]))
    state = state.but(
        legends=(("the-first-crowd",), ("the-grand-tour", "the-silent-wheel"), ("the-five-terrors",)),
        unseen=(*unseen[:6], tuple(sorted((*unseen[6], "the-thousand-hands"))), unseen[7]),
        legends_left=(4, 3, 4),
    )
    state = sings(player(state, 0, boat=4), 0, "a2", "L20")
    assert len(listed(state, "tell")) == 12
    after = play(state, 0, "tell the-grand-tour ll")
    assert (holding(after, 0), own(after, 0).gems, own(after, 0).boat) == ("L14", 1, 0)
    assert roll_chance(after, lambda _: 0).line.startswith("top legend2 ")
    after = apply(after, CHANCE, roll_chance(after, lambda _: 0))
    assert not listed(after, "tell")
    harper = player(state, 0, bard="harper")
    assert own(play(harper, 0, "tell the-grand-tour ll"), 0).boat == 1
    told = player(state, 1, told=("the-grand-tour",))
    assert to_act(play(told, 0, "tell the-grand-tour ll")) == {0}


LEGENDS = ("the-grand-tour", "the-silent-wheel")


def test_the_new_event_holds_for_the_next_line() -> None:
    state = table(events="nesting-time,spring-fair").but(pools=(1, 14))
    state = play(sings(state, 0, "c3", "L20 C3"), 0, "perform grand-amphitheatre ur")
    assert (own(state, 0).gems, own(state, 0).acoustic, state.pools) == (2, 1, (0, 13))
    assert own(play(state, 0, "buy rolling-refrain"), 0).coins == 2


@pytest.mark.parametrize(("starter", "over"), [(2, True), (0, False)])
def test_the_round_is_finished_after_the_last_gem(starter: int, over: bool) -> None:
    state = table(3, starter=starter).but(pools=(0, 1))
    state = play(sings(state, 1, "c3", "L8"), 1, "perform grand-amphitheatre ur", "done")
    assert (own(state, 1).gems, state.outside, state.pools) == (2, 1, (0, 0))
    while CHANCE in to_act(state):
        state = apply(state, CHANCE, roll_chance(state, lambda _: 0))
    assert state.over == over
    assert over or to_act(state) == {2}


@pytest.mark.parametrize(
    ("region", "event", "bard", "stones"),
    [
        ("a2", "gem-fair", "bardbarian", 1),
        ("c2", "clear-air", "bardbarian", 2),
        ("a2", "gem-fair", "flautist", 0),
        ("a3", "gem-fair", "flautist", 2),
    ],
)
def test_challenging_at_a_distance(region: str, event: str, bard: str, stones: int) -> None:
    after = {"clear-air": "fireside-tales", "gem-fair": "crystal-harvest"}[event]
    state = player(table(bards=(bard, "sword-dancer"), events=f"{event},{after}"), 1, region=region)
    state = play(sings(state, 0, "a1", "M9 R5"), 0, "challenge 1")
    assert holding(state, 0) == f"M6 R{5 - stones}"
    assert own(state, 1).crests == 6
    assert score(state, 1).counts[1].points == 1
    assert not listed(state, "challenge")


def test_the_market_moves_on_and_back_to_its_first_stall() -> None:
    state = play(sings(table(), 0, "b4", "V2 C4"), 0, "trade market-row 1")
    assert (holding(state, 0), state.stall) == ("C6", 2)
    state = play(sings(table().but(stall=6), 0, "b4", "C4"), 0, "trade market-row 6")
    assert (holding(state, 0), own(state, 0).gems, state.stall) == ("", 1, 1)


@pytest.mark.parametrize(
    ("told", "points"),
    [
        (("the-misers-song", "the-tamed-forest", "the-tale-of-tales"), (2, 2, 6)),
        (("the-four-winds", "the-silent-wheel", "carved-stones"), (2, 4, 3)),
    ],
)
def test_the_final_count(told: tuple[str, ...], points: tuple[int, ...]) -> None:
    state = give(table(), 0, "jeweller", "thunder-troll")
    for card in ("bright-chorus", "riff", "coin-tosser", "thorn-boar"):
        state = player(state, 0, discard=tuple(sorted((*own(state, 0).discard, card))))
    state = player(state, 0, gems=11, crests=2, coins=5, runes=(0, 0, 1, 1), told=told)
    counted = score(state, 0)
    assert [count.points for count in counted.counts] == [11, 7, 8, *points]
    assert counted.total == 26 + sum(points)


def test_the_stretch_of_a_log_replays_as_told() -> None:
    state = opening(
        OPENING + "0 compose big-boast battle-cry\n0 move c1 1\n* draw 0 headbang\n* meet 0 war-whoop\n"
        "* draw 0 mead-money\n1 compose low-drone lullaby\n1 move b3 0\n* draw 1 lament\n* draw 1 hill-call\n"
        "0 compose headbang mead-money\n0 move c1 0\n"
    )
    assert (holding(state, 0), state.singing.waiting if state.singing else None) == ("M5 L1 V3", 1)
    assert sorted(listed(state)) == sorted(
        [
            *("swell", "lower big-boast", "lower headbang", "help thorn-boar", "soothe thorn-boar"),
            *("trade watchtower", "done"),
        ]
    )
    state = play(state, 0, "lower headbang")
    assert holding(state, 0) == "M7 L1 V1"
    state = play(play(state, 0, "soothe thorn-boar"), CHANCE, "top bramble-hollow glow-wisp")
    state = play(state, 0, "done")
    state = play(state, CHANCE, "draw 0 rough-chorus", "draw 0 war-story")
    mine = own(state, 0)
    assert (mine.volume, mine.gems, mine.brag, mine.dial, mine.boat) == (2, 1, (("thorn-boar",), ()), 0, 1)
    assert state.pools == (9, 14)
    assert sum(mine.runes) == 4 * RUNES_A_QUARTER


def perft(state: Bardwood, depth: int) -> int:
    """Return the ways the next lines of seats can go, chance taking the first card of the alphabet."""
    asked = to_act(state)
    if not asked or not depth:
        return 1
    if CHANCE in asked:
        return perft(apply(state, CHANCE, roll_chance(state, lambda _: 0)), depth)
    options = list(legal(state, min(asked)))
    return len(options) if depth == 1 else sum(perft(apply(state, min(asked), each), depth - 1) for each in options)


def test_counts_of_the_opening_and_of_the_song() -> None:
    assert [perft(opening(), depth) for depth in (1, 2, 3, 4)] == [2, 37, 74, 1776]
    song = opening(
        OPENING + "0 compose big-boast battle-cry\n0 move c1 1\n* draw 0 headbang\n* meet 0 war-whoop\n"
        "* draw 0 mead-money\n1 compose low-drone lullaby\n1 move b3 0\n* draw 1 lament\n* draw 1 hill-call\n"
        "0 compose headbang mead-money\n0 move c1 0\n"
    )
    assert [perft(song, depth) for depth in (1, 2, 3)] == [7, 34, 151]
