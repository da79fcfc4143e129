"""The state of Bardwood Grove: the board, the seats, the current Sing phase, and the solo rival."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

from engine.game import Record, Seat, State
from engine.games.bardwood_grove.rules.board import CRESTS, LAIRS, RUNES_A_QUARTER, START
from engine.games.bardwood_grove.rules.cards import EDITION
from engine.tuples import put

RIVAL = "rival"
"""The bard of the seat that the solo rival plays."""
RIVAL_SEAT = 1
NO_RIVAL = "none"
HAND = 2
MOST_SEATS = 4
LAST_ROUND = 40


@dataclass(frozen=True, kw_only=True)
class Player(Record):
    """The things of one seat. Cards are sorted, because piles have no order; the Instrument is not listed."""

    bard: str = ""
    hand: tuple[str, ...] = ()
    pile: tuple[str, ...] = ()
    discard: tuple[str, ...] = ()
    song: tuple[str, ...] = ()
    brag: tuple[tuple[str, ...], ...] = ((), ())
    """Creatures on the two spaces of the brag area."""
    arriving: str = ""
    """The creature that waits for a `stack` line."""
    dial: int = 0
    marker: bool = False
    """True if the song marker is on the Instrument."""
    runes: tuple[int, ...] = (RUNES_A_QUARTER,) * 4
    volume: int = 0
    coins: int = 0
    acoustic: int = 0
    range: int = 0
    crests: int = CRESTS
    """Own crests still on the track."""
    captured: int = 0
    """Rivals' crests on the Bard card."""
    captured_ever: int = 0
    boat: int = 0
    region: str = START
    gems: int = 0
    told: tuple[str, ...] = ()
    songs: int = 0
    """Sing phases so far."""


@dataclass(frozen=True, kw_only=True)
class Song(Record):
    """The current Sing phase: unspent sound, and the lines so far."""

    melody: int = 0
    lyrics: int = 0
    wild: int = 0
    waiting: int = 0
    """Volume that `swell` or `done` will add."""
    used: tuple[str, ...] = ()
    """Locations used, lairs included, in the order of use."""
    lowered: tuple[str, ...] = ()
    paid: int = 0
    """Volume paid for lower halves."""
    soothed: int = 0
    helped: bool = False
    challenged: tuple[Seat, ...] = ()
    performed: bool = False
    told: bool = False
    bragged: bool = False
    motif: bool = False
    """True if a motif token was taken."""
    offers: tuple[str, ...] = ()
    reached: bool = False
    """True if the flautist's free interaction was used."""
    bought: int = 0
    loud: bool = False
    """True if volume was at its maximum when the phase began."""


@dataclass(frozen=True, kw_only=True)
class Rival(Record):
    """The solo rival's own things outside its seat: its power, the cards left, and the card being resolved."""

    power: int = 4
    left: tuple[str, ...] = ()
    card: str = ""
    turns: int = 0
    level: int = 0
    """The level whose legend its next river card tells, counted from 0."""


@dataclass(frozen=True, kw_only=True)
class Bardwood(State):
    """The whole state, secrets included; no pile has an order."""

    edition: str = EDITION
    content: str
    muse: bool
    events_option: str
    bards_option: str
    level: str
    """Difficulty of the solo rival, or `none`."""
    starter: Seat = 0
    turn: Seat = 0
    """The seat whose turn it is."""
    round: int = 1
    events: tuple[str, ...] = ()
    motifs: tuple[str, ...] = ()
    """Tokens on the board."""
    muses: tuple[str, ...] = ()
    unseen: tuple[tuple[str, ...], ...]
    """Cards never visible so far: Fans, Impros, Skills, small creatures, bosses, legends I, II, III."""
    tops: tuple[str, ...]
    """Top card of each pile in the order of board.PILES; empty for a pile without cards, and before the setup."""
    left: tuple[int, ...]
    """Cards in each pile, the top one included."""
    crests: tuple[tuple[Seat, ...], ...] = ((),) * len(LAIRS)
    """By lair: the seats with a crest on its top creature, in order of arrival."""
    legends: tuple[tuple[str, ...], ...] = ((), (), ())
    """By level: the face-up legends, oldest first."""
    legends_left: tuple[int, ...]
    """By level: legends still face down."""
    stages: tuple[tuple[int, ...], ...]
    """By performance location: runes of each seat."""
    pools: tuple[int, ...]
    outside: int = 0
    """Gems taken from outside the board."""
    gone: int = 0
    """Crests that left the game."""
    stall: int = 1
    origins: tuple[str, ...] = ("",) * MOST_SEATS
    """By seat: the region from which its bard last moved."""
    players: tuple[Player, ...]
    singing: Song | None = None
    rival: Rival | None = None
    cause: str = ""
    """Why the match ended: last-gem or round-40."""

    @property
    def solo(self) -> bool:
        """True if seat 1 is the rival."""
        return self.level != NO_RIVAL

    @property
    def people(self) -> range:
        """The seats that people play."""
        return range(1 if self.level != NO_RIVAL else self.seats)

    @property
    def event(self) -> str:
        """The event in force: that of Act I while pool I has gems, then that of Act II."""
        return self.events[0 if self.pools[0] else 1]

    @property
    def ending(self) -> bool:
        """True if the last gem has left the board."""
        return not any(self.pools)

    def with_player(self, seat: Seat, player: Player, **changes: Any) -> Self:  # noqa: ANN401  # fields of the state
        """Return the state with another record for this seat."""
        return self.but(players=put(self.players, seat, player), **changes)
