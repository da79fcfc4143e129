"""The short forms of Bardwood Grove, in English and French, and what is refused."""

from __future__ import annotations

import pytest

from engine.game import CHANCE, Options, apply, legal, to_act
from engine.games.bardwood_grove.rules.state import Bardwood
from engine.reading import Reader, Unclear
from tests.engine.bardwood_grove.tables import GAME, composes, give, listed, play, player, rests, sings, table


def lines(state: Bardwood, text: str, seat: int = 0) -> tuple[str, ...]:
    """Return the lines that a text means for a seat."""

    def ahead(action: object) -> Options | None:
        after = apply(state, seat, action)  # type: ignore[arg-type]
        return legal(after, seat) if seat in to_act(after) else None

    return Reader(GAME, GAME.rules.view(state, seat), legal(state, seat), ahead).lines(text)


def turn() -> Bardwood:
    """Seat 0 begins a turn in which it will sing."""
    return player(composes(table(), 0, "battle-cry", "headbang"), 0, marker=True, volume=3, dial=1)


COMPOSING = [
    ("+ battle-cry", ("compose battle-cry headbang",)),
    ("+ cri de bataille", ("compose battle-cry headbang",)),
    ("+ Bat", ("compose battle-cry headbang",)),
    ("- battle-cry", ("compose headbang battle-cry",)),
    ("- crin", ("compose battle-cry headbang",)),
    ("+ headbang; @ c3 ~1", ("compose headbang battle-cry", "move c3 1")),
    ("+ headbang\n@ C3", ("compose headbang battle-cry", "move c3 0")),
    ("+ headbang; ~2", ("compose headbang battle-cry", "move c2 2")),
    ("+ headbang; stay", ("compose headbang battle-cry", "move c2 0")),
    ("+ headbang; reste", ("compose headbang battle-cry", "move c2 0")),
    (
        "+ headbang; @ c3; v all; .",
        ("compose headbang battle-cry", "move c3 0", "swell", "lower headbang", "done"),
    ),
    (
        "+ headbang; stay; help gloom; done",
        ("compose headbang battle-cry", "move c2 0", "help gloom-stag", "done"),
    ),
]


@pytest.mark.parametrize(("text", "meant"), COMPOSING)
def test_a_turn_in_short(text: str, meant: tuple[str, ...]) -> None:
    assert lines(turn(), text) == meant


SINGING = [
    ("c1", "M9 L9 V4", "v headbang", ("lower headbang",)),
    ("c1", "M9 L9 V4", "v crinière", ("lower headbang",)),
    ("c1", "M9 V3", "v all", ("lower battle-cry", "lower headbang")),
    ("c1", "M9", "s thorn-boar", ("soothe thorn-boar",)),
    ("c1", "M9", "s sanglier", ("soothe thorn-boar",)),
    ("c1", "M9", "h thorn", ("help thorn-boar",)),
    ("c3", "C3", "b rolling", ("buy rolling-refrain",)),
    ("c3", "C3", "b skill", ("buy rolling-refrain",)),
    ("c3", "C3", "b compétence", ("buy rolling-refrain",)),
    ("c1", "C3", "b impro", ("buy riff",)),
    ("c2", "L9", "p ul", ("perform open-stage ul",)),
    ("c2", "L9", "p sg", ("perform open-stage ul",)),
    ("a2", "L9", "t first-crowd ul", ("tell the-first-crowd ul",)),
    ("a2", "L9", "t première foule sg", ("tell the-first-crowd ul",)),
    ("c1", "V4", "x", ("trade watchtower",)),
    ("c1", "V4", "x tour", ("trade watchtower",)),
    ("b4", "V4", "x", ("trade market-row 1",)),
    ("b4", "V4", "x market", ("trade market-row 1",)),
    ("a2", "C4", "o", ("offer gem-fair",)),
    ("b2", "M3 L2", "$ 2M 1L", ("bank M2 L1",)),
    ("b2", "M3 L2", "$ 1P 2M", ("bank M2 L1",)),
    ("b2", "M3 L2", "$3m", ("bank M3",)),
    ("c2", "M3", "d 1", ("challenge 1",)),
    ("c2", "", "k gem", ("spend gem",)),
    ("c2", "", "k gemme", ("spend gem",)),
    ("c2", "", "k pièces", ("spend coins",)),
    ("c2", "", ".", ("done",)),
    ("c1", "M9 L9", "s thorn-boar; .", ("soothe thorn-boar", "done")),
    ("c2", "L9 M9", "p ul; s gloom; .", ("perform open-stage ul", "soothe gloom-stag", "done")),
]


@pytest.mark.parametrize(("region", "holding", "text", "meant"), SINGING)
def test_a_song_in_short(region: str, holding: str, text: str, meant: tuple[str, ...]) -> None:
    state = player(table(), 0, song=("battle-cry", "headbang"), captured=2, boat=2)
    pile = tuple(card for card in (*state.players[0].pile, *state.players[0].hand) if "battle" not in card)
    state = player(state, 0, pile=tuple(sorted(card for card in pile if card != "headbang")))
    assert lines(sings(state, 0, region, holding), text) == meant


def test_a_free_lower_half_goes_to_the_dearest() -> None:
    state = player(table(3), 2, song=("marching-words", "steady-beat", "thunder-roll"))
    state = sings(state, 2, "a2", "V1", waiting=1)
    assert lines(state, "v all", 2) == ("swell", "lower thunder-roll", "lower marching-words", "lower steady-beat")


def test_a_side_of_the_fan_just_met() -> None:
    state = play(rests(give(table(), 0, "clapper", to="pile"), 0), CHANCE, "meet 0 clapper")
    assert lines(state, "f 2") == ("fan clapper 2",)


REFUSED = [
    ("c2", "L9 M9", "p", 4),
    ("c2", "L9 M9", "p zz", 0),
    ("a1", "M9", "x", 0),
    ("b1", "V9 C9", "x", 2),
    ("c1", "M9 R9", "h", 6),
    ("c1", "M9", "s dragon", 0),
    ("c1", "M9", "o", 0),
    ("c1", "M9", "$ 9M", 0),
    ("c1", "M9", "prefer C; .", 0),
    ("c1", "M9", ".; prefer Q", 0),
]


@pytest.mark.parametrize(("region", "holding", "text", "meant"), REFUSED)
def test_a_form_that_fits_several_lines_or_none_is_refused(region: str, holding: str, text: str, meant: int) -> None:
    with pytest.raises(Unclear) as refused:
        lines(sings(table(), 0, region, holding), text)
    assert (len(refused.value.meant) > 1) == (meant > 1)


def test_prefer_becomes_waiting_alternatives() -> None:
    state = sings(give(table(), 0, "courier", "angler", "loud-cousin"), 0, "a2")
    found = lines(state, ".; prefer C A V")
    alternatives = "fan angler 1 | fan bardbarian-fan 2 | fan courier 2 | fan loud-cousin 2 | stack 1"
    assert found == ("done", *[alternatives] * 4)
    assert all(map(GAME.rules.may_lapse, found[1:]))
    assert not GAME.rules.may_lapse("fan angler 1")
    assert not GAME.rules.may_lapse("done | swell")
    assert lines(state, ".; préfère V") == (
        "done",
        *["fan angler 1 | fan bardbarian-fan 1 | fan courier 1 | fan loud-cousin 1 | stack 1"] * 4,
    )
    assert lines(sings(table(), 0, "a2"), ".; prefer C") == ("done", "fan bardbarian-fan 2 | stack 1")


def test_a_fan_gained_on_the_way_is_preferred_too() -> None:
    found = lines(sings(table(), 0, "c2", "L9"), "p ul; .; prefer C")
    assert found[2] == "fan bardbarian-fan 2 | fan coin-tosser 1 | stack 1"


def test_a_waiting_line_stays_short_however_many_fans() -> None:
    state = give(table(), 0, *table().unseen[0][:20])
    for line in lines(sings(state, 0, "a2"), ".; prefer C"):
        assert len(line) < 300


def test_plain_lines_stay_plain() -> None:
    state = turn()
    assert lines(state, listed(state)[0]) == (listed(state)[0],)
    assert lines(state, "compose headbang battle-cry; move c3 1") == ("compose headbang battle-cry", "move c3 1")
    assert lines(state, "1") == (listed(state)[0],)
    assert lines(state, "composer crinière cri") == ("compose headbang battle-cry",)
    with pytest.raises(Unclear):
        lines(state, "soothe")
