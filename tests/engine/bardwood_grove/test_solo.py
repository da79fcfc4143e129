"""The solo game of Bardwood Grove: what each card of the rival brings, and that it has exactly one line."""

from __future__ import annotations

import pytest

from engine.chance import seeded_pick
from engine.game import CHANCE, apply, legal, to_act, winners
from engine.games.bardwood_grove.rules.chance import RivalCard
from engine.games.bardwood_grove.rules.rival import RIVAL_CARDS, cards_this_turn
from engine.games.bardwood_grove.rules.score import score
from engine.games.bardwood_grove.rules.state import Bardwood
from engine.games.bardwood_grove.rules.steps import ENDS, RivalLine
from engine.playout import play_out, roll_chance
from tests.engine.bardwood_grove.tables import (
    GAME,
    creature_at,
    empty,
    give,
    holding,
    listed,
    own,
    play,
    player,
    sings,
    table,
)

RIVAL = 1


def solo(level: str = "normal", events: str = "gem-fair,crystal-harvest") -> Bardwood:
    """Return a solo match right before the person's first turn."""
    return table(rival=level, events=events)


def turned(state: Bardwood, card: str, power: int = 4) -> Bardwood:
    """Return the state after the rival has turned this card."""
    assert state.rival is not None
    state = state.but(rival=state.rival.but(power=power), agenda=(RivalCard(), RivalLine(), ENDS[RIVAL]), turn=RIVAL)
    return play(state, CHANCE, f"rival {card}")


def resolve(state: Bardwood, card: str, power: int = 4) -> Bardwood:
    """Return the state after the only line that this card brings."""
    state = turned(state, card, power)
    (line,) = listed(state)
    return play(state, RIVAL, line)


def test_the_person_begins_and_the_table_is_set_for_two() -> None:
    state = solo()
    assert (state.starter, state.pools) == (0, (10, 14))
    assert to_act(state) == {0}
    assert (own(state, RIVAL).region, own(state, RIVAL).crests) == ("c3", 7)
    assert state.picks < table().picks


@pytest.mark.parametrize(
    ("creature", "crests", "power", "line"),
    [
        ("bramble-fox", (), 4, "soothe bramble-fox"),
        ("thorn-boar", (0,), 4, "soothe thorn-boar"),
        ("thorn-boar", (), 4, "help thorn-boar"),
        ("gloom-stag", (RIVAL,), 4, "idle"),
        ("gloom-stag", (RIVAL, 0), 4, "soothe gloom-stag"),
        ("gloom-stag", (RIVAL,), 5, "soothe gloom-stag"),
    ],
)
def test_a_lair_is_soothed_helped_or_left(creature: str, crests: tuple[int, ...], power: int, line: str) -> None:
    state = solo()
    for lair in ("reed-marsh", "old-bridge", "bramble-hollow"):
        state = empty(state, lair)
    state = state.but(unseen=(*state.unseen[:3], ALL_SMALL, *state.unseen[4:]))
    state = creature_at(state, "moss-gate", creature, crests)
    assert listed(turned(state, "moss-gate", power)) == [line]


ALL_SMALL = tuple(
    sorted(
        "bellow-bear bramble-fox copper-crow drum-beetle glow-wisp gloom-stag lantern-owl moss-badger puddle-drake "
        "reed-otter root-imp shriek-hawk thorn-boar vine-serpent".split()
    )
)


def test_no_crest_left_means_idle_but_the_pawn_moves() -> None:
    state = resolve(player(solo(), RIVAL, crests=0), "bramble-hollow")
    assert own(state, RIVAL).region == "c1"
    assert own(state, RIVAL).crests == 0


def test_soothing_takes_card_and_gems_and_serves_the_person() -> None:
    state = creature_at(solo(), "bramble-hollow", "bellow-bear", (0,))
    state = resolve(state, "bramble-hollow", power=5)
    rival = own(state, RIVAL)
    assert (rival.gems, rival.discard, rival.captured, rival.coins) == (1, ("bellow-bear",), 1, 0)
    assert (own(state, 0).gems, own(state, 0).coins) == (1, 1)
    assert to_act(state) == {CHANCE}
    assert roll_chance(state, lambda _: 0).line.startswith("top bramble-hollow ")
    assert score(state, RIVAL).total == 1 + 2 + 5


def test_the_person_serves_the_rival_with_gems_only() -> None:
    state = creature_at(solo(), "bramble-hollow", "bellow-bear", (RIVAL,))
    state = play(sings(state, 0, "c1", "M5"), 0, "soothe bellow-bear")
    assert (own(state, RIVAL).gems, own(state, RIVAL).coins, own(state, 0).captured) == (1, 0, 1)


def test_an_empty_lair_is_lulled() -> None:
    state = resolve(empty(solo(), "moss-gate"), "moss-gate")
    assert own(state, RIVAL).gems == 1
    assert own(state, RIVAL).region == "a2"


def test_performing_gives_a_gem_and_a_fan_at_the_open_stage_only() -> None:
    state = resolve(solo(), "grand-amphitheatre")
    assert (own(state, RIVAL).gems, own(state, RIVAL).discard, own(state, RIVAL).region) == (1, (), "c3")
    state = resolve(solo(), "open-stage")
    assert (own(state, RIVAL).gems, own(state, RIVAL).discard, own(state, RIVAL).region) == (1, ("coin-tosser",), "c2")
    assert roll_chance(state, lambda _: 0).line.startswith("top fans ")


def test_the_river_tells_the_newest_legend_level_by_level() -> None:
    state = solo()
    lines = []
    for _ in range(4):
        assert state.rival is not None
        state = state.but(rival=state.rival.but(left=RIVAL_CARDS))
        state = turned(state, "river")
        (line,) = listed(state)
        lines.append(line)
        state = play(state, RIVAL, line)
        while CHANCE in to_act(state) and type(state.agenda[0]).__name__ == "TurnTop":
            state = apply(state, CHANCE, roll_chance(state, lambda _: 0))
    assert lines[:3] == ["tell the-first-crowd", "tell the-thousand-hands", "tell the-five-terrors"]
    assert lines[3] == f"tell {state.legends[0][1]}"
    assert (own(state, RIVAL).gems, own(state, RIVAL).region) == (4, "b3")


def test_a_legend_told_again_gets_no_second_rune() -> None:
    state = player(solo(), RIVAL, told=("the-first-crowd",))
    state = resolve(state, "river")
    assert own(state, RIVAL).told == ("the-first-crowd",)
    assert own(state, RIVAL).gems == 1


def test_the_rivals_first_rune_brings_up_the_next_legend_and_a_person_may_tell_it_too() -> None:
    state = resolve(solo(), "river")
    assert roll_chance(state, lambda _: 0).line.startswith("top legend1 ")
    state = apply(state, CHANCE, roll_chance(state, lambda _: 0))
    state = sings(player(state, 0, boat=2), 0, "a2", "L4")
    assert "tell the-first-crowd ur" in listed(state)
    assert to_act(play(state, 0, "tell the-first-crowd ur")) == {0}


def test_the_school_buys_from_the_fuller_piles() -> None:
    state = turned(solo(), "school")
    assert listed(state) == ["buy bright-chorus riff"]
    after = play(state, RIVAL, "buy bright-chorus riff")
    assert own(after, RIVAL).discard == ("bright-chorus", "riff")
    assert roll_chance(after, lambda _: 0).line.startswith("top skill1 ")
    after = apply(after, CHANCE, roll_chance(after, lambda _: 0))
    assert roll_chance(after, lambda _: 0).line.startswith("top impro1 ")
    state = solo().but(left=(12, 5, 6, 4, 5, *solo().left[5:]))
    assert listed(turned(state, "school")) == ["buy rolling-refrain rhyme"]
    for pile in ("skill1", "skill2"):
        state = empty(state, pile)
    assert listed(turned(state, "school")) == ["buy rhyme"]
    for pile in ("impro1", "impro2"):
        state = empty(state, pile)
    assert listed(turned(state, "school")) == ["idle"]


@pytest.mark.parametrize(
    ("person", "crests", "line", "region"),
    [
        ("c2", 7, "challenge 0", "c2"),
        ("a2", 7, "challenge 0", "a3"),
        ("a1", 7, "idle", "a3"),
        ("c2", 0, "idle", "c2"),
        ("b1", 7, "challenge 0", "b2"),
    ],
)
def test_the_duel_comes_near_and_challenges_from_one_step(person: str, crests: int, line: str, region: str) -> None:
    state = turned(player(solo(), 0, region=person, crests=crests), "duel")
    assert listed(state) == [line]
    state = play(state, RIVAL, line)
    assert own(state, RIVAL).region == region
    taken = line != "idle"
    assert (own(state, RIVAL).gems, own(state, RIVAL).captured) == (taken, taken)
    assert own(state, 0).crests == crests - taken


def test_power_rises_after_the_line_of_the_twelfth_card() -> None:
    state = solo()
    assert state.rival is not None
    state = state.but(rival=state.rival.but(left=("duel",)))
    state = turned(state, "duel")
    assert state.rival is not None
    assert (state.rival.power, state.rival.left) == (4, ())
    state = play(state, RIVAL, "challenge 0")
    assert state.rival is not None
    assert (state.rival.power, state.rival.left) == (5, RIVAL_CARDS)


def test_cards_a_turn_and_points_by_difficulty() -> None:
    assert [cards_this_turn("easy", turn) for turn in (1, 2, 3, 4)] == [1, 2, 1, 2]
    assert {cards_this_turn(level, turn) for level in ("normal", "hard") for turn in range(1, 5)} == {2}
    assert [score(solo(level), RIVAL).total for level in ("easy", "normal", "hard")] == [5, 5, 10]


def test_the_person_may_challenge_the_pawn() -> None:
    state = play(sings(solo(), 0, "c2", "M3 R1"), 0, "challenge 1")
    assert (holding(state, 0), own(state, RIVAL).crests) == ("", 6)
    assert score(state, RIVAL).total == 5


def test_events_do_not_touch_the_rival() -> None:
    state = creature_at(solo(events="nesting-time,spring-fair"), "bramble-hollow", "thorn-boar")
    assert listed(turned(state, "bramble-hollow")) == ["help thorn-boar"]


@pytest.mark.parametrize("level", ["easy", "normal", "hard"])
def test_the_rival_always_has_exactly_one_line(level: str) -> None:
    pick = seeded_pick(len(level))
    for _ in range(4):
        state = GAME.rules.start(2, {"rival": level})
        bots = {0: GAME.bots.by_name["random"], 1: GAME.bots.by_name["rival"]}
        for seat, action, after in play_out(GAME, state, pick, bots, lambda _: pick):
            if seat == RIVAL:
                assert list(legal(state, RIVAL)) == [action]
            state = after
        assert state.over
        assert winners(GAME, state)


def test_cards_given_to_tests_are_still_counted() -> None:
    state = give(solo(), 0, "jeweller")
    assert score(state, 0).total == 1
