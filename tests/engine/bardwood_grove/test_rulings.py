"""The rulings of Bardwood Grove, one test or row for each."""

from __future__ import annotations

import pytest

from engine.game import CHANCE, apply, legal, to_act, winners
from engine.games.bardwood_grove.rules.board import PILE_AT
from engine.games.bardwood_grove.rules.cards import SKILLS
from engine.games.bardwood_grove.rules.effects import Effect
from engine.games.bardwood_grove.rules.gains import When, gain
from engine.games.bardwood_grove.rules.score import score
from engine.games.bardwood_grove.rules.state import Bardwood
from engine.options import BadSetting
from engine.playout import roll_chance
from engine.reading import read
from tests.engine.bardwood_grove.tables import (
    GAME,
    composes,
    creature_at,
    empty,
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


def first(state: Bardwood) -> Bardwood:
    """Return the state after chance took the first choice until a seat is asked."""
    while CHANCE in to_act(state):
        state = apply(state, CHANCE, roll_chance(state, lambda _: 0))
    return state


def test_r1_lists_of_cards_stand_in_alphabetical_order() -> None:
    for cards in table().unseen:
        assert list(cards) == sorted(cards)


def test_r2_a_top_card_is_drawn_from_the_unseen_when_it_becomes_visible() -> None:
    state = table()
    assert all(card not in unseen for card in state.tops for unseen in state.unseen)
    after = play(sings(state, 0, "c3", "C2"), 0, "buy rolling-refrain")
    assert "rolling-refrain" in own(after, 0).discard
    for card in after.unseen[2]:
        assert read(GAME, f"top skill2 {card}", CHANCE) in legal(after, CHANCE)
    assert read(GAME, "top skill2 bright-chorus", CHANCE) not in legal(after, CHANCE)


@pytest.mark.parametrize(("seats", "left"), [(2, (2, 2, 3, 3, 3)), (3, (3,) * 5), (4, (3,) * 5)])
def test_r3_two_seats_start_with_one_creature_fewer_below_the_pools(seats: int, left: tuple[int, ...]) -> None:
    assert table(seats).left[PILE_AT["moss-gate"] :] == left


def test_r4_a_round_goes_from_the_first_seat_to_the_one_before_it() -> None:
    state = table(3, starter=1)
    turns = [(state.turn, state.round)]
    for _ in range(3):
        (seat,) = to_act(state)
        state = apply(state, seat, next(iter(legal(state, seat))))
        state = apply(state, seat, next(iter(legal(state, seat))))
        state = first(state)
        while to_act(state) & {state.turn} and listed(state, "fan"):
            state = first(apply(state, state.turn, next(iter(legal(state, state.turn)))))
        turns.append((state.turn, state.round))
    assert turns == [(1, 1), (2, 1), (0, 1), (1, 2)]


@pytest.mark.parametrize(
    ("dial", "tempo", "when", "after", "marker"),
    [
        (0, 3, When.COMPOSE, 3, False),
        (3, 1, When.COMPOSE, 0, True),
        (3, 2, When.REST, 1, True),
        (3, 1, When.SING, 0, False),
        (3, 1, When.OTHERS_TURN, 0, False),
        (0, -1, When.COMPOSE, 3, False),
        (2, 8, When.COMPOSE, 2, True),
    ],
)
def test_r5_r6_tempo(dial: int, tempo: int, when: When, after: int, marker: bool) -> None:
    state = gain(player(table(), 0, dial=dial), 0, Effect(tempo=tempo), when)
    assert (own(state, 0).dial, own(state, 0).marker) == (after, marker)


def test_r5_passing_backwards_and_forwards_again_fetches_the_marker_again() -> None:
    state = gain(player(table(), 0, dial=0), 0, Effect(tempo=-1), When.SING)
    assert own(gain(state, 0, Effect(tempo=1), When.COMPOSE), 0).marker


def test_r6_movement_in_another_seats_turn_goes_to_the_boat() -> None:
    state = creature_at(creature_at(table(), "moss-gate", "moss-badger", (1,)), "owl-cliff", "coin-toad")
    after = play(sings(state, 0, "a1", "M2"), 0, "soothe moss-badger")
    assert (own(after, 0).boat, own(after, 1).boat, own(after, 1).region) == (2, 2, "c2")


@pytest.mark.parametrize(
    ("boat", "movement", "events", "after"),
    [
        (0, 2, "gem-fair,crystal-harvest", 2),
        (5, 3, "gem-fair,crystal-harvest", 6),
        (1, 3, "frozen-river,spring-fair", 2),
    ],
)
def test_r7_movement_outside_compose_moves_the_boat_by_itself(
    boat: int, movement: int, events: str, after: int
) -> None:
    state = gain(player(table(events=events), 0, boat=boat), 0, Effect(movement=movement), When.REST)
    assert own(state, 0).boat == after


def test_r7_frozen_movement_is_halved_card_by_card() -> None:
    state = give(
        give(table(events="frozen-river,spring-fair"), 0, "ferry-rhyme", "row-song", to="song"),
        0,
        "river-verse",
        to="song",
    )
    state = player(composes(state, 0, "battle-cry", "headbang"), 0, marker=True)
    state = play(state, 0, "compose battle-cry headbang", "move c2 0")
    assert own(state, 0).boat == 1


def test_r8_moving_is_asked_in_every_turn_and_staying_is_always_listed() -> None:
    state = play(table(), 0, next(iter(listed(table()))))
    assert "move c2 0" in listed(state)


def test_r9_the_sword_dancers_point_is_for_the_bard_only() -> None:
    state = composes(table(), 1, "first-step", "quick-reel")
    state = play(state, 1, "compose first-step quick-reel")
    lines = listed(state)
    assert "move c2 2" in lines
    assert "move c2 3" not in lines
    assert {"move c1 2", "move b1 1", "move a1 0"} <= set(lines)
    assert "move b1 2" not in lines


def test_r10_volume_of_song_cards_waits_and_other_volume_comes_at_once() -> None:
    state = give(table(), 0, "drum-roll", to="song")
    state = player(composes(state, 0, "battle-cry", "headbang"), 0, marker=True, volume=9)
    state = play(state, 0, "compose battle-cry headbang", "move c2 0")
    assert state.singing is not None
    assert (own(state, 0).volume, state.singing.waiting) == (10, 4)
    assert "swell" not in listed(state)
    state = play(state, 0, "lower battle-cry", "swell")
    assert state.singing is not None
    assert (own(state, 0).volume, state.singing.waiting) == (10, 3)
    assert own(play(state, 0, "done"), 0).volume == 10


def test_r11_the_wardrummers_first_lower_half_is_free_and_only_paid_volume_counts() -> None:
    state = player(table(3), 2, song=("roll-call", "thunder-roll"))
    state = sings(state, 2, "c2", "V2")
    state = play(state, 2, "lower thunder-roll")
    assert state.singing is not None
    assert (holding(state, 2), state.singing.paid) == ("M2 V2", 0)
    state = play(state, 2, "lower roll-call")
    assert state.singing is not None
    assert (holding(state, 2), state.singing.paid) == ("M2 L2", 2)
    assert not listed(state, "lower")


def test_r12_a_cost_in_stones_is_paid_first_and_banking_takes_stones_last() -> None:
    state = table(events="gem-fair,crystal-harvest").but(pools=(0, 14))
    assert holding(play(sings(state, 0, "a2", "A1"), 0, "offer crystal-harvest"), 0) == "C2"
    assert holding(play(sings(table(), 0, "b2", "M1 L1 X1 A1"), 0, "bank M2 L1"), 0) == "C3 A1"
    assert len(listed(sings(table(), 0, "b2", "M3 L3"), "bank")) == 9


@pytest.mark.parametrize(
    ("bard", "events", "price"),
    [
        ("lutenist", "spring-fair,snowmelt", 1),
        ("lutenist", "gem-fair,crystal-harvest", 1),
        ("piper", "spring-fair,snowmelt", 1),
    ],
)
def test_r13_discounts_add_up_but_a_shop_costs_at_least_one(bard: str, events: str, price: int) -> None:
    state = table(bards=(bard, "bardbarian"), events=events)
    state = play(sings(state, 0, "c3", "C5"), 0, "buy rolling-refrain")
    assert own(state, 0).coins == 5 - price


def test_r13_a_creature_may_cost_nothing() -> None:
    state = creature_at(table(4, events="nesting-time,snowmelt"), "moss-gate", "humming-hedgehog", (1, 2, 3))
    assert "soothe humming-hedgehog" in listed(sings(state, 0, "a1"))
    state = play(sings(state, 0, "a1"), 0, "soothe humming-hedgehog")
    assert own(state, 0).captured == 3


def test_r13_a_challenge_costs_at_least_one() -> None:
    state = table(bards=("fiddler", "piper"), events="contest-week,gem-fair")
    assert holding(play(sings(state, 0, "c2", "M1"), 0, "challenge 1"), 0) == ""


def test_r14_a_lair_is_used_once_per_phase_however_it_was_reached() -> None:
    state = sings(table(), 0, "c1", "M20 R9")
    state = first(play(state, 0, "soothe thorn-boar"))
    top = state.tops[PILE_AT["bramble-hollow"]]
    assert not [line for line in listed(state) if top in line]
    state = empty(state, "bramble-hollow")
    assert "lull bramble-hollow" not in listed(state)


def test_r15_lulling_needs_the_bard_there_and_costs_five() -> None:
    state = empty(table(), "moss-gate")
    assert listed(sings(state, 0, "a1", "M5"), "lull") == ["lull moss-gate"]
    assert not listed(sings(state, 0, "b1", "M9 R9"), "lull")
    after = play(sings(state, 0, "a2", "M5"), 0, "lull moss-gate")
    assert (own(after, 0).gems, holding(after, 0)) == (1, "")
    assert listed(sings(table(), 0, "b1", "M9"), "help") == ["help thorn-boar"]


def test_r16_the_flautist_uses_the_power_only_when_a_stone_would_be_due() -> None:
    clear = table(bards=("flautist", "piper"), events="clear-air,harvest-hymn")
    state = play(sings(clear, 0, "b2", "M9 R1"), 0, "help humming-hedgehog")
    assert state.singing is not None
    assert (own(state, 0).range, state.singing.reached) == (1, False)
    state = table(bards=("flautist", "piper"))
    state = play(sings(state, 0, "b2", "M9 R1"), 0, "help humming-hedgehog")
    assert state.singing is not None
    assert (own(state, 0).range, state.singing.reached) == (1, True)
    state = play(state, 0, "help thorn-boar")
    assert own(state, 0).range == 0


def test_r17_r19_a_third_creature_is_stacked_before_the_next_is_turned_up() -> None:
    state = player(
        give(table(), 0, "moss-badger", "glow-wisp"),
        0,
        discard=("bardbarian-fan",),
        brag=(("moss-badger",), ("glow-wisp",)),
    )
    state = creature_at(state, "moss-gate", "thunder-troll")
    state = sings(state.but(left=(*state.left[:5], 1, *state.left[6:])), 0, "a1", "M8")
    state = play(state, 0, "soothe thunder-troll")
    assert (own(state, 0).arriving, own(state, 0).volume, own(state, 0).gems) == ("thunder-troll", 2, 2)
    assert listed(state) == ["stack 1", "stack 2"]
    state = play(state, 0, "stack 2")
    assert own(state, 0).brag == (("moss-badger",), ("glow-wisp", "thunder-troll"))
    assert (state.tops[PILE_AT["moss-gate"]], state.left[PILE_AT["moss-gate"]]) == ("", 0)


def test_r17_the_own_crest_leaves_the_game() -> None:
    state = creature_at(table(), "moss-gate", "humming-hedgehog", (0, 1))
    state = play(sings(state, 0, "a1", "M1"), 0, "soothe humming-hedgehog")
    assert (own(state, 0).captured, state.gone, own(state, 0).crests) == (1, 1, 6)


def test_r18_gems_come_from_pool_one_then_two_then_outside() -> None:
    state = table().but(pools=(1, 1))
    state = gain(state, 0, Effect(gems=3), When.SING)
    assert (state.pools, state.outside, own(state, 0).gems, state.ending) == ((0, 0), 1, 3, True)


def test_r18_what_else_a_benefit_brings_follows_the_old_event() -> None:
    state = creature_at(table(events="frozen-river,spring-fair"), "moss-gate", "vine-serpent").but(pools=(1, 14))
    state = play(sings(state, 0, "a1", "M6"), 0, "soothe vine-serpent")
    assert (own(state, 0).boat, own(state, 0).gems, state.event) == (0, 1, "spring-fair")


def test_r20_a_creature_met_in_rest_pays_all_its_benefits_and_may_be_stacked() -> None:
    state = give(table(), 0, "bellow-bear", to="pile")
    state = give(state, 0, "moss-badger", "glow-wisp")
    state = player(state, 0, discard=("bardbarian-fan",), brag=(("moss-badger",), ("glow-wisp",)))
    state = play(rests(state, 0), CHANCE, "meet 0 bellow-bear")
    assert (own(state, 0).gems, own(state, 0).coins, state.pools) == (1, 1, (9, 14))
    state = play(state, 0, "stack 1")
    assert own(state, 0).brag[0] == ("moss-badger", "bellow-bear")
    assert to_act(state) == {CHANCE}


def test_r21_a_fan_is_discarded_first_and_may_come_again() -> None:
    state = player(rests(table(), 0), 0, pile=("bardbarian-fan",), discard=("battle-cry", "headbang"))
    state = play(state, CHANCE, "meet 0 bardbarian-fan")
    assert "bardbarian-fan" in own(state, 0).discard
    state = play(state, 0, "fan bardbarian-fan 2")
    assert own(state, 0).coins == 1
    state = play(state, CHANCE, "meet 0 bardbarian-fan")
    assert own(state, 0).pile == ("battle-cry", "headbang")


def test_r22_every_skill_has_tempo_so_a_song_never_holds_more_than_four() -> None:
    assert min(skill.strip.tempo for skill in SKILLS.values()) == 1


def test_r24_the_open_stage_without_fans_still_gives_its_gem() -> None:
    state = play(sings(empty(table(), "fans"), 0, "b2", "L5"), 0, "perform open-stage ur")
    assert own(state, 0).gems == 1
    assert to_act(state) == {0}


def test_r25_the_gems_of_a_legend_follow_the_event_of_its_line() -> None:
    state = player(table(events="frozen-river,spring-fair"), 0, boat=2).but(pools=(1, 14))
    state = play(sings(state, 0, "a2", "L4"), 0, "tell the-first-crowd ur")
    assert (own(state, 0).gems, state.pools, own(state, 0).boat) == (2, (0, 13), 0)


def test_r26_a_new_offer_is_open_at_once_and_the_line_names_its_event() -> None:
    state = table(events="midwinter-carol,young-crowd").but(pools=(1, 14))
    state = play(sings(state, 0, "a1", "M10 V3"), 0, "offer midwinter-carol")
    assert listed(state, "offer") == ["offer young-crowd"]
    state = play(state, 0, "offer young-crowd")
    assert "coin-tosser" in own(state, 0).discard
    assert not listed(first(state), "offer")


def test_r26_young_crowd_needs_a_fan() -> None:
    state = table(events="young-crowd,spring-fair")
    assert listed(sings(state, 0, "a1", "V3"), "offer")
    assert not listed(sings(empty(state, "fans"), 0, "a1", "V3"), "offer")


@pytest.mark.parametrize(("boat", "spaces"), [(0, [0, 2, 3]), (4, [0, 2]), (5, [0, 1]), (6, [0])])
def test_r27_snowmelt_near_the_end_of_the_river(boat: int, spaces: list[int]) -> None:
    state = player(composes(table(events="snowmelt,spring-fair"), 0, "headbang", "rough-chorus"), 0, boat=boat)
    state = play(state, 0, "compose headbang rough-chorus")
    assert [int(line.split()[2]) for line in listed(state) if line.startswith("move c2 ")] == spaces


def test_r28_done_alone_is_still_asked() -> None:
    assert listed(sings(table(), 0, "a2")) == ["done"]


def test_r29_the_last_bard_is_taken_without_a_line() -> None:
    state: Bardwood = GAME.rules.start(4, {"content": "base", "events": "gem-fair,crystal-harvest"})
    state = play(state, CHANCE, "start 1", LAID_BASE)
    order = []
    for bard in ("piper", "bardbarian", "wardrummer"):
        (seat,) = to_act(state)
        order.append(seat)
        state = play(state, seat, f"bard {bard}")
    assert order == [0, 3, 2]
    assert own(state, 1).bard == "sword-dancer"
    assert to_act(state) == {CHANCE}


LAID_BASE = (
    "lay coin-tosser riff rhyme bright-chorus rolling-refrain humming-hedgehog coin-toad thorn-boar bramble-fox "
    "gloom-stag the-first-crowd the-thousand-hands the-five-terrors"
)


def test_r30_round_forty_is_the_last() -> None:
    state = rests(table(starter=1), 0).but(round=40)
    state = play(state, CHANCE, "draw 0 headbang", "draw 0 mead-money")
    assert (state.over, state.cause) == (True, "round-40")


def test_r31_basic_cards_count_nothing_and_the_super_fan_counts_where_it_is_said() -> None:
    state = player(give(table(), 0, "jeweller"), 0, told=("the-first-crowd", "the-thousand-hands"), runes=(2, 2, 2, 0))
    assert [count.points for count in score(state, 0).counts] == [0, 0, 1, 1, 1]


def test_r33_resigning_counts_a_creature_that_waits_to_be_stacked() -> None:
    state = give(table(), 0, "bellow-bear", to="pile")
    state = give(state, 0, "moss-badger", "glow-wisp")
    state = player(state, 0, discard=("bardbarian-fan",), brag=(("moss-badger",), ("glow-wisp",)))
    state = play(rests(state, 0), CHANCE, "meet 0 bellow-bear")
    after = apply(state, 0, read(GAME, "resign", 0))
    assert after.over
    assert winners(GAME, after) == (1,)
    assert score(after, 0).counts[2].points == 4


@pytest.mark.parametrize(
    ("event", "before", "after"),
    [("snowed-in", "c2", 3), ("snowed-in", "c1", 2)],
)
def test_snowed_in_gives_volume_to_a_bard_that_stays(event: str, before: str, after: int) -> None:
    state = composes(table(events=f"{event},spring-fair"), 0, "headbang", "rough-chorus")
    state = play(state, 0, "compose headbang rough-chorus", f"move {before} 0")
    assert own(state, 0).volume == after


def test_long_days_and_the_frozen_river() -> None:
    long = play(
        composes(table(events="long-days,gem-fair"), 0, "headbang", "rough-chorus"), 0, "compose headbang rough-chorus"
    )
    assert "move c2 3" in listed(long)
    frozen = composes(table(events="frozen-river,spring-fair"), 0, "headbang", "rough-chorus")
    frozen = play(frozen, 0, "compose headbang rough-chorus")
    assert [line for line in listed(frozen) if line.startswith("move c2")] == ["move c2 0", "move c2 1"]


def test_the_piper_turns_melody_into_lyrics_at_volume_nothing() -> None:
    state = table(bards=("piper", "harper"))
    assert listed(sings(state, 0, "a2", "M3"), "turn") == ["turn 1", "turn 2", "turn 3"]
    assert not listed(sings(state, 0, "a2", "M3 V1"), "turn")
    assert holding(play(sings(state, 0, "a2", "M3"), 0, "turn 2"), 0) == "M1 L2"


def test_bragging_once_per_phase_and_crests_spent() -> None:
    state = give(table(bards=("fiddler", "piper")), 0, "moss-badger", "glow-wisp")
    state = player(state, 0, discard=("fiddler-fan",), brag=(("glow-wisp", "moss-badger"), ()), captured=4)
    state = play(sings(state, 0, "a1"), 0, "brag 1")
    assert (own(state, 0).volume, own(state, 0).discard) == (2, ("fiddler-fan", "glow-wisp", "moss-badger"))
    assert not listed(state, "brag")
    state = play(state, 0, "spend gem", "spend coins", "spend stones")
    assert holding(state, 0) == "V5 C2 A1 R1"
    assert (own(state, 0).gems, own(state, 0).captured, state.gone) == (1, 0, 4)
    assert not listed(state, "spend")


@pytest.mark.parametrize(
    ("settings", "word"),
    [
        ({"events": "spring-fair,gem-fair,snowmelt"}, "season"),
        ({"events": "spring-fair,drowsy-giants"}, "season"),
        ({"bards": "piper,piper"}, "different"),
        ({"bards": "piper,harper", "content": "base"}, "bardbarian, piper, sword-dancer, wardrummer"),
        ({"bards": "piper,harper", "content": "base"}, "for harper, add content=spring"),
        ({"content": "muse"}, "winter, base"),
        ({"rival": "impossible"}, "easy, normal, hard"),
        ({"bards": "piper,harper", "rival": "easy"}, "1 different"),
        ({"edition": "second"}, "house-1"),
    ],
)
def test_options_are_refused_with_the_values_that_would_fit(settings: dict[str, str], word: str) -> None:
    with pytest.raises(BadSetting, match=word):
        GAME.rules.start(2, settings)


def test_the_rival_is_for_two_seats() -> None:
    with pytest.raises(BadSetting, match="two seats"):
        GAME.rules.start(3, {"rival": "easy"})
