"""Táin, the cattle raid: state, actions and steps."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from functools import cache, lru_cache

from engine.game import Action, Seal, Seat, Step
from engine.games.tain import posts
from engine.games.tain.posts import POSTS
from engine.games.tain.raids import Boards, Report, raids, takers
from engine.games.tain.spoils import bring_in_loot, lay_loot, release_captive, release_captives, return_tokens
from engine.games.tain.state import RIVALS, TURNS, Choice, Tain, empty_boards
from engine.games.tain.tokens import (
    CAPTIVES,
    CATTLE,
    CLAN,
    GATES,
    HERD,
    JEWELS,
    KINDS,
    KINGDOM,
    LETTERS,
    MANY,
    RAIDERS,
    ROUNDS,
    SCOUTS,
    Gates,
    Tokens,
    free,
    kinds,
    set_at,
)
from engine.notation import Hidden, word, words
from engine.options import Settings
from engine.starting_seat import DRAWN, DrawStart, Start
from engine.steps import SeatStep, StayingStep
from engine.tuples import put, without

PLACES = (*GATES, *(letter + gate for letter in LETTERS for gate in GATES), KINGDOM)


def setup(seats: int, settings: Settings, revision: int) -> Tain:  # noqa: ARG001  # revision 2 only has another default
    """Return the table before the first round: every clan whole, with its cattle and jewels."""
    drawn = settings["first"] == DRAWN
    return Tain(
        seats=seats,
        agenda=(DrawStart(), FirstRound()) if drawn else (FirstRound(),),
        active=0 if drawn else int(settings["first"]),
        stock=CATTLE - HERD * seats,
        cattle=(HERD,) * seats,
        jewels=(JEWELS,) * seats,
        prisoners=((),) * seats,
        unused=(CLAN,) * seats,
        used=("",) * seats,
        marker_moves=settings["marker"] == "rotate",
        one_each=settings["share"] == "one-each",
        speedup=bool(settings["speedup"]),
        daughter_first=settings["free-default"] == "daughter-first",
        **empty_boards(seats),
    )


def go_on(state: Tain, seat: Seat) -> Tain:
    """Put what follows a placement or a pass of this seat on the agenda."""
    for other in TURNS[state.seats][seat]:
        if state.is_in(other):
            return state.but(agenda=GUARDING if state.speedup and state.crowded else RECON[other])
    return state.but(agenda=RAIDING)


class Put(Action[Tain]):
    """One token goes face down on a place: a gate of the seat, a rival's gate, or the kingdom."""

    verb, sealed = "put", Seal.UNTIL_REVEAL
    kind: str = word(KINDS, hidden=Hidden.EACH)
    place: str = word(PLACES)

    def do(self, state: Tain, seat: Seat) -> Tain:
        kind, place = self.kind, self.place
        unused = put(state.unused, seat, state.unused[seat].replace(kind, "", 1))
        gate = int(place[-1]) - 1 if place != KINGDOM else 0
        if place == KINGDOM:
            after = state.but(unused=unused, kingdom=tuple(sorted((*state.kingdom, LETTERS[seat] + kind))))
        elif len(place) == 1:
            after = state.but(unused=unused, guards=put(state.guards, seat, set_at(state.guards[seat], gate, kind)))
        else:
            board = LETTERS.index(place[0])
            scouts = put(state.scouts, board, set_at(state.scouts[board], gate, kind))
            owners = put(state.owners, board, set_at(state.owners[board], gate, LETTERS[seat]))
            after = state.but(unused=unused, scouts=scouts, owners=owners)
        return go_on(after, seat)


class Pass(Action[Tain]):
    """The seat is out until the next round."""

    verb = "pass"

    def do(self, state: Tain, seat: Seat) -> Tain:
        return go_on(state.but(passed=put(state.passed, seat, True)), seat)


class Guards(Action[Tain]):
    """All guards that the seat still posts. The answer is kept until all are in."""

    verb, sealed = "guards", Seal.UNTIL_REVEAL
    posts: tuple[str, ...] = words(POSTS, empty="none", hidden=Hidden.WHOLE)

    def do(self, state: Tain, seat: Seat) -> Tain:
        return state.but(answers=put(state.answers, seat, self.posts))


class Free(Action[Tain]):
    """One own captive comes home from a rival's house."""

    verb = "free"
    kind: str = word(CAPTIVES)
    holder: str = word(tuple(LETTERS))

    def do(self, state: Tain, seat: Seat) -> Tain:
        holder = LETTERS.index(self.holder)
        choice = next(each for each in state.choices if (each.seat, each.holder) == (seat, holder))
        state = release_captive(state.but(choices=without(state.choices, choice)), seat, holder, self.kind)
        return release_captives(state, replace(choice, left=choice.left - 1))


PUTS = {(kind, place): Put(kind, place) for place in PLACES for kind in KINDS}
FREES = {(kind, holder): Free(kind, letter) for holder, letter in enumerate(LETTERS) for kind in CAPTIVES}
PASSING = (Pass(),)
guards_action = cache(Guards)


@lru_cache(maxsize=1 << 14)
def _guard_puts(tokens: str, guards: Gates) -> tuple[Action[Tain], ...]:
    return tuple(PUTS[kind, gate] for gate in free(guards) for kind in tokens)


@lru_cache(maxsize=1 << 14)
def _scout_puts(tokens: str, board: Seat, owners: Gates) -> tuple[Action[Tain], ...]:
    return tuple(PUTS[kind, LETTERS[board] + gate] for gate in free(owners) for kind in tokens if kind in SCOUTS)


@cache
def _kingdom_puts(tokens: str) -> tuple[Action[Tain], ...]:
    return tuple(PUTS[kind, KINGDOM] for kind in tokens if kind in RAIDERS)


class FirstRound(Step[Tain]):
    """The first round begins with the active player."""

    def run(self, state: Tain) -> Tain:
        return state.but(agenda=RECON[state.active])


class Recon(StayingStep[Tain], SeatStep[Tain]):
    """A seat places one token or passes."""

    def options(self, state: Tain, seat: Seat) -> Collection[Action[Tain]]:
        tokens = kinds(state.unused[seat])
        options = _guard_puts(tokens, state.guards[seat])
        for board in RIVALS[state.seats][seat]:
            options += _scout_puts(tokens, board, state.owners[board])
        if state.may_enter(seat):
            options += _kingdom_puts(tokens)
        return options + PASSING


@dataclass(frozen=True)
class Postings(Collection[Action[Tain]]):
    """The lines of the guards phase. There are thousands, so each is made only when it is looked at."""

    tokens: Tokens
    gates: str

    def __contains__(self, action: object) -> bool:
        return isinstance(action, Guards) and posts.fits(action.posts, self.tokens, self.gates)

    def __len__(self) -> int:
        return posts.count(self.tokens, len(self.gates))

    def __iter__(self) -> Iterator[Action[Tain]]:
        return map(guards_action, posts.ways(self.tokens, self.gates))

    def __getitem__(self, index: int) -> Action[Tain]:
        if not -len(self) <= index < len(self):
            raise IndexError(index)
        return guards_action(posts.at(self.tokens, self.gates, index % len(self)))


class PostGuards(StayingStep[Tain]):
    """Every seat still in says at once, for good, which guards it posts. Then all of them are placed."""

    def actors(self, state: Tain) -> frozenset[Seat]:
        return frozenset(seat for seat, given in enumerate(state.answers) if given is None and state.is_in(seat))

    def options(self, state: Tain, seat: Seat) -> Collection[Action[Tain]]:
        return Postings(state.unused[seat], free(state.guards[seat]))

    def run(self, state: Tain) -> Tain:
        guards, unused = list(state.guards), list(state.unused)
        for seat, given in enumerate(state.answers):
            for post in given or ():
                guards[seat] = set_at(guards[seat], int(post[1]) - 1, post[0])
                unused[seat] = unused[seat].replace(post[0], "", 1)
        return state.but(guards=tuple(guards), unused=tuple(unused), agenda=RAIDING)


class Reveal(Step[Tain]):
    """All tokens are turned up and raid. The loot lies beside the boards."""

    def run(self, state: Tain) -> Tain:
        boards = Boards(
            *(state.active, state.guards, state.scouts, state.owners, state.kingdom),
            *(state.cattle, state.jewels, state.stock, state.prisoners, state.one_each),
        )
        report = Report(state.round, state.guards, state.kingdom, takers(boards), raids(boards))
        state = lay_loot(return_tokens(state, report), report)
        successes: dict[tuple[Seat, Seat], int] = {}
        for raid in report.raids:
            if raid.outcome == "free":
                successes[raid.raider, raid.board] = successes.get((raid.raider, raid.board), 0) + 1
        state = state.but(report=report, reveals=state.reveals + 1, agenda=FREEING)
        for (seat, holder), left in successes.items():
            state = release_captives(state, Choice(seat, holder, left))
        return state


class FreeCaptives(StayingStep[Tain]):
    """Every seat with an open choice says which captive comes home."""

    def actors(self, state: Tain) -> frozenset[Seat]:
        return frozenset(choice.seat for choice in state.choices)

    def options(self, state: Tain, seat: Seat) -> Collection[Action[Tain]]:
        return tuple(
            FREES[kind, choice.holder] for choice in state.choices if choice.seat == seat for kind in reversed(CAPTIVES)
        )


class Resolve(Step[Tain]):
    """Loot comes in. The match is over, or screens refill and the next round begins."""

    def run(self, state: Tain) -> Tain:
        state = bring_in_loot(state)
        if state.round == ROUNDS or max(state.cattle) >= MANY:
            return state
        behind = zip(state.unused, state.used, strict=True)
        screens = [(unused, used) if unused else (used, "") for unused, used in behind]
        active = (state.active + 1) % state.seats if state.marker_moves else state.active
        return state.but(
            unused=tuple(unused for unused, _ in screens),
            used=tuple(used for _, used in screens),
            round=state.round + 1,
            active=active,
            agenda=RECON[active],
        )


ACTIONS: tuple[type[Action[Tain]], ...] = (Start, Put, Pass, Guards, Free)
STEPS: tuple[type[Step[Tain]], ...] = (DrawStart, FirstRound, Recon, PostGuards, Reveal, FreeCaptives, Resolve)
RECON = tuple((Recon(seat),) for seat in range(len(LETTERS)))
GUARDING = (PostGuards(),)
RAIDING = (Reveal(),)
FREEING = (FreeCaptives(), Resolve())
