"""Táin in two worlds: face-down and unused tokens, sealed guards and forced passes tell others nothing."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from engine.chance import seeded_pick
from engine.game import Pick, apply, legal, to_act
from engine.games.tain import GAME
from engine.games.tain.bots import nth
from engine.games.tain.state import Tain
from engine.games.tain.tokens import CLAN, KINDS, LETTERS
from engine.reading import read
from tests.engine.tain.tables import random_match
from tests.support.fixtures import KINDS as DATABASES
from tests.support.players import Clock
from tests.support.two_worlds import Line, World, fresh_configs, same

Tale = list[Line]


@pytest.fixture(params=DATABASES)
def worlds(request: pytest.FixtureRequest, tmp_path: Path, clock: Clock) -> list[World]:
    """Return two worlds with the same seed, in which seat 0 begins and nothing else is drawn."""
    return [World(config, clock, 1, game="tain") for config in fresh_configs(request, tmp_path, request.param)]


def after(tale: Tale) -> Tain:
    """The table after these lines, every one of them listed."""
    state = GAME.rules.start(len({seat for seat, _ in tale}), {"first": 0})
    for seat, line in tale:
        action = read(GAME, line, seat)
        assert action in legal(state, seat), (seat, line)
        state = apply(state, seat, action)
    return state


def twins(seats: int, seed: int, last: int) -> tuple[Tale, Tale, int]:
    """Random lines up to the reveal of this round, and the same with other tokens of seats 1 on in that round."""
    pick = seeded_pick(seed)
    states = [GAME.rules.start(seats, {"first": 0}) for _ in range(2)]
    tales: tuple[Tale, Tale] = ([], [])
    common = 0
    while True:
        seat = min(to_act(states[0]))
        assert to_act(states[0]) == to_act(states[1])
        line = _chosen(states[0], seat, pick)
        other = _other(states[1], seat, line, pick) if seat and states[0].round == last else line
        made = [apply(state, seat, read(GAME, each, seat)) for state, each in zip(states, (line, other), strict=True)]
        if made[0].reveals == last:
            return *tales, common
        common += line == other and common == len(tales[0])
        states = made
        for tale, each in zip(tales, (line, other), strict=True):
            tale.append((seat, each))


def _chosen(state: Tain, seat: int, pick: Pick) -> str:
    """A random line; seats pass only now and then."""
    options = legal(state, seat)
    at = pick(len(options))
    return nth(options, at if at < len(options) - 1 or not pick(4) else 0).line


def _other(state: Tain, seat: int, line: str, pick: Pick) -> str:
    """A line that looks the same to others, with another token if there is one."""
    verb, *rest = line.split(" ")
    if verb == "guards":
        return nth(legal(state, seat), pick(len(legal(state, seat)))).line
    alike = [each.line for each in legal(state, seat) if each.line.split(" ")[::2] == [verb, *rest[1:]]]
    return next((each for each in reversed(alike) if each != line), alike[0])


@pytest.mark.parametrize(("seats", "seed", "last"), [(2, 3, 1), (3, 5, 2)])
def test_tokens_from_behind_look_the_same(worlds: list[World], seats: int, seed: int, last: int) -> None:
    one, two, common = twins(seats, seed, last)
    different = [number for number in range(len(one)) if one[number] != two[number]]
    assert len(different) > 4
    assert common == different[0]
    points = {different[0], different[len(different) // 2], len(one) - 1}
    for world in worlds:
        world.seats = seats
    same(*(world.told(tale, points) for world, tale in zip(worlds, (one, two), strict=True)))


FIRST_ROUND = "X 1, X 2, X 3, X 4, X 5, X a1, X a2, X a3, B a4, B a5, W kingdom"


def screened(guards: str) -> Tale:
    """A second round in which clan b posts these guards, then passes with one token left behind its screen."""
    tale: Tale = [(0, "pass"), *((1, f"put {each}") for each in FIRST_ROUND.split(", "))]
    for number, each in enumerate([*zip(guards, "12345", strict=True), ("B", "a1")]):
        tale += [(1, f"put {' '.join(each)}"), (0, f"put X {(*'12345', 'b1')[number]}")]
    return [*tale, (1, "pass"), (0, "put W b2"), (0, "put X b3")]


def test_a_forced_pass_looks_like_a_chosen_one(worlds: list[World]) -> None:
    forced, chosen = screened("CWBBB"), screened("CWBBD")
    before = [after(tale[:-3]) for tale in (forced, chosen)]
    assert [len(legal(state, 1)) for state in before] == [1, 5]
    points = {len(forced) - 4, len(forced) - 3, len(forced) - 1}
    same(*(world.told(tale, points) for world, tale in zip(worlds, (forced, chosen), strict=True)))


def test_sealed_guards_look_the_same(worlds: list[World]) -> None:
    crowded: Tale = []
    for place in ("1", "2", "3", "4", "5"):
        crowded += [(0, f"put X b{place}"), (1, f"put X a{place}")]
    crowded += [(0, "put X kingdom"), (1, "put X kingdom")]
    assert to_act(after(crowded)) == {0, 1}
    tales = [[*crowded, (1, answer)] for answer in ("guards none", "guards D4 X5")]
    same(*(world.told(tale, {len(crowded)}) for world, tale in zip(worlds, tales, strict=True)))


class Onlooker:
    """Works out, from what everybody sees, which tokens each clan may still have behind its screen or face down."""

    def __init__(self, seats: int) -> None:
        self.unshown = [Counter(CLAN) for _ in range(seats)]
        self.lines: list[Line] = []

    def sees(self, seat: int, line: str) -> None:
        """A line is made; what is sealed of it comes out with the reveal."""
        self.lines.append((seat, line))

    def reveals(self) -> None:
        """All lines of the round are open: the tokens they placed are no longer hidden."""
        for seat, line in self.lines:
            verb, *rest = line.split(" ")
            placed = rest[:1] if verb == "put" else [post[0] for post in rest] if verb == "guards" else []
            self.unshown[seat] -= Counter(kind for kind in placed if kind in KINDS)
        self.lines.clear()

    def goes_on(self, view: Any) -> None:  # noqa: ANN401  # the view of a spectator
        """A round begins: a screen with nothing behind it gets all that is neither there nor held by others."""
        held = [token for clan in view.clans for token in (*clan.prisoners, *clan.beside.captives)]
        for seat, hidden in enumerate(self.unshown):
            if not +hidden:
                mine = Counter(token[1] for token in held if token[0] == LETTERS[seat])
                self.unshown[seat] = Counter(CLAN) - mine

    def tokens(self, seat: int) -> str:
        """Return the tokens that a clan may still hide, in the order of kinds."""
        return "".join(kind * self.unshown[seat][kind] for kind in KINDS)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_what_views_call_unshown_follows_from_what_everybody_sees(seats: int) -> None:
    refilled = 0
    for seed in range(8):
        onlooker = Onlooker(seats)
        _, *moves = random_match(seats, seed, {"first": 0})
        round_, reveals = 1, 0
        for seat, line, state in moves:
            if state.over:
                break
            view = GAME.rules.view(state, None)
            onlooker.sees(seat, line)
            if state.reveals > reveals:
                onlooker.reveals()
            if view.round > round_:
                refilled += sum(not +hidden for hidden in onlooker.unshown)
                onlooker.goes_on(view)
            round_, reveals = view.round, state.reveals
            assert [clan.unshown for clan in view.clans] == [onlooker.tokens(each) for each in range(seats)]
    assert refilled > seats
