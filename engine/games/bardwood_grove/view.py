"""Views of Bardwood Grove for a seat or a spectator, and states that fit a view."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from operator import attrgetter
from typing import Any

from engine.game import Pick, Score, Seat, Step
from engine.games.bardwood_grove.rules import steps
from engine.games.bardwood_grove.rules.board import CREST_POINTS, CRESTS
from engine.games.bardwood_grove.rules.cards import SKILLS
from engine.games.bardwood_grove.rules.chance import RivalCard
from engine.games.bardwood_grove.rules.pile_tops import TurnTop
from engine.games.bardwood_grove.rules.prices import power
from engine.games.bardwood_grove.rules.score import scores
from engine.games.bardwood_grove.rules.state import NO_RIVAL, Bardwood, Player, Rival, Song
from engine.view import View, shared_fields

PUBLIC = (
    *("edition", "content", "level", "muse", "events_option", "bards_option", "starter", "turn", "round", "events"),
    *("motifs", "unseen", "tops", "left", "crests", "legends", "legends_left", "stages", "pools", "outside", "gone"),
    *("stall", "origins", "singing", "rival", "cause"),
)
"""Fields of the state that everybody sees. A new field stays secret until it is listed here."""
PUBLIC_OF_SEAT = (
    *("bard", "discard", "song", "brag", "arriving", "dial", "marker", "runes", "volume", "coins", "acoustic", "range"),
    *("crests", "captured", "captured_ever", "boat", "region", "gems", "told", "songs"),
)
"""Fields of a seat that everybody sees: all but hand and draw pile."""


def copy_fields(source: object, names: tuple[str, ...]) -> dict[str, Any]:
    """Return these fields of a record by name."""
    return dict(zip(names, attrgetter(*names)(source), strict=True))


@dataclass(frozen=True, kw_only=True)
class SeatView:
    """The public part of one seat."""

    bard: str
    hand: int
    """Skills in hand."""
    pile: int
    """Cards in the draw pile."""
    hidden: tuple[str, ...]
    """Hand and draw pile together, in alphabetical order."""
    discard: tuple[str, ...]
    song: tuple[str, ...]
    brag: tuple[tuple[str, ...], ...]
    arriving: str
    dial: int
    """Quarter of the dial: 0 upper right, 1 lower right, 2 lower left, 3 upper left."""
    marker: bool
    runes: tuple[int, ...]
    volume: int
    volume_limit: int
    coins: int
    acoustic: int
    range: int
    crests: int
    captured: int
    captured_ever: int
    boat: int
    region: str
    gems: int
    told: tuple[str, ...]
    songs: int
    muse: str


@dataclass(frozen=True, kw_only=True)
class BardwoodView(View):
    """The state as one seat sees it: everything but the hands and draw piles of other seats."""

    edition: str
    content: str
    level: str
    """Difficulty of the solo rival, or `none`."""
    muse: bool
    events_option: str
    bards_option: str
    starter: Seat
    turn: Seat
    round: int
    phase: str
    """setup, bards, compose, move, sing, fan, stack, rest, top, rival or over."""
    points: int
    """Movement points to spend, while the bard moves."""
    fan: str
    """The Fan with the side to choose."""
    events: tuple[str, ...]
    act: int
    """1 while pool I has gems, then 2; 0 before the events are known."""
    motifs: tuple[str, ...]
    unseen: tuple[tuple[str, ...], ...]
    tops: tuple[str, ...]
    left: tuple[int, ...]
    crests: tuple[tuple[Seat, ...], ...]
    legends: tuple[tuple[str, ...], ...]
    legends_left: tuple[int, ...]
    stages: tuple[tuple[int, ...], ...]
    pools: tuple[int, ...]
    outside: int
    gone: int
    stall: int
    origins: tuple[str, ...]
    players: tuple[SeatView, ...]
    hand: tuple[str, ...]
    """The viewer's Skills."""
    pile: tuple[str, ...]
    """The viewer's draw pile, without order."""
    singing: Song | None
    rival: Rival | None
    cause: str
    scores: tuple[Score, ...]

    @property
    def solo(self) -> bool:
        """True if seat 1 is the rival."""
        return self.level != NO_RIVAL

    @property
    def event(self) -> str:
        """The event in force."""
        return self.events[self.act - 1] if self.act else ""

    def next_crest_points(self, seat: Seat) -> int:
        """Return the blue points of the space that the next crest leaving this seat's track uncovers."""
        left = self.players[seat].crests
        return CREST_POINTS[CRESTS - left] if left else 0

    @cached_property
    def table(self) -> Bardwood:
        """A state that fits this view. Everything the viewer cannot see is filled in with possible cards."""
        return imagine(self)


def view(state: Bardwood, seat: Seat | None) -> BardwoodView:
    """Return the view of a seat, or of a spectator."""
    step = state.agenda[0] if state.agenda else None
    own = None if seat is None else state.players[seat]
    return BardwoodView(
        **shared_fields(state, seat),
        **copy_fields(state, PUBLIC),
        phase=phase(step, state),
        points=step.points if isinstance(step, steps.MoveBard) else 0,
        fan=step.fan if isinstance(step, steps.ChooseSide) else "",
        act=(1 if state.pools[0] else 2) if state.events else 0,
        players=tuple(view_seat(state, other) for other in range(state.seats)),
        hand=own.hand if own else (),
        pile=own.pile if own else (),
        scores=scores(state),
    )


def view_seat(state: Bardwood, seat: Seat) -> SeatView:
    """Return the public part of a seat."""
    return _view_player(state.players[seat], "".join(state.muses[seat : seat + 1]))


@lru_cache(maxsize=512)
def _view_player(player: Player, muse: str) -> SeatView:
    """Return the public part of a seat. It is cached, because most lines change at most one seat."""
    return SeatView(
        **copy_fields(player, PUBLIC_OF_SEAT),
        hand=len(player.hand),
        pile=len(player.pile),
        hidden=tuple(sorted((*player.hand, *player.pile))),
        volume_limit=power(player).volume_limit,
        muse=muse,
    )


PHASES: dict[type[Step[Bardwood]], str] = {
    steps.ChooseBards: "bards",
    steps.ComposePhase: "compose",
    steps.MoveBard: "move",
    steps.Sing: "sing",
    steps.ChooseSide: "fan",
    steps.StackCreature: "stack",
    steps.DrawHand: "rest",
    TurnTop: "top",
    RivalCard: "rival",
    steps.RivalLine: "rival",
}


def phase(step: Step[Bardwood] | None, state: Bardwood) -> str:
    """Return the phase of the match."""
    if step is None:
        return "over"
    dealing = isinstance(step, steps.DrawHand) and isinstance(state.agenda[-1], steps.FirstTurn)
    return "setup" if dealing else PHASES.get(type(step), "setup")


def deal_hand(hidden: tuple[str, ...], count: int, pick: Pick) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Deal a hand of `count` Skills from these cards. Return it, and the rest as the pile."""
    pile = list(hidden)
    hand = []
    for _ in range(count):
        skills = [card for card in pile if card in SKILLS]
        hand.append(skills[pick(len(skills))])
        pile.remove(hand[-1])
    return tuple(sorted(hand)), tuple(sorted(pile))


def redeal(state: Bardwood, seat: Seat | None, pick: Pick) -> Bardwood:
    """Deal the hands and draw piles of the other seats again."""
    for other in state.people:
        player = state.players[other]
        if other != seat and player.bard:
            hidden = tuple(sorted((*player.hand, *player.pile)))
            hand, pile = deal_hand(hidden, len(player.hand), pick)
            state = state.with_player(other, player.but(hand=hand, pile=pile))
    return state


def imagine(seen_by: BardwoodView) -> Bardwood:
    """Return a state that fits a view, in which the same seat is asked the same question."""
    return Bardwood(
        **copy_fields(seen_by, PUBLIC),
        seats=seen_by.seats,
        agenda=imagined_steps(seen_by),
        muses=tuple(player.muse for player in seen_by.players if player.muse),
        players=tuple(imagine_player(seen_by, seat) for seat in range(seen_by.seats)),
    )


def imagine_player(seen_by: BardwoodView, seat: Seat) -> Player:
    """Return a seat that fits its public part."""
    shown = seen_by.players[seat]
    if seat == seen_by.seat:
        hand, pile = seen_by.hand, seen_by.pile
    else:
        hand, pile = deal_hand(shown.hidden, shown.hand, lambda _: 0)
    return Player(**copy_fields(shown, PUBLIC_OF_SEAT), hand=hand, pile=pile)


def imagined_steps(seen_by: BardwoodView) -> tuple[Step[Bardwood], ...]:
    """Return the question of the seat that is asked, and a song that continues after it."""
    seat = seen_by.turn
    match seen_by.phase:
        case "compose":
            return (steps.COMPOSE_PHASES[seat],)
        case "move":
            return (steps.MoveBard(seat, seen_by.points),)
        case "fan":
            return (steps.ChooseSide(seat, seen_by.fan),)
        case "stack":
            return (steps.StackCreature(seat), *((steps.SINGS[seat],) if seen_by.singing else ()))
        case "sing":
            return (steps.SINGS[seat],)
    return ()
