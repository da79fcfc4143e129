"""What a seat of Bardwood Grove, or a spectator, may see; and tables that fit what was seen."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

from engine.game import Pick, Score, Seat, Step
from engine.games.bardwood_grove.rules.board import CREST_POINTS, CRESTS
from engine.games.bardwood_grove.rules.cards import SKILLS
from engine.games.bardwood_grove.rules.prices import power
from engine.games.bardwood_grove.rules.score import scores
from engine.games.bardwood_grove.rules.state import NO_RIVAL, Bardwood, Player, Rival, Song
from engine.games.bardwood_grove.rules.steps import (
    COMPOSE_PHASES,
    SINGS,
    ChooseBards,
    ChooseSide,
    ComposePhase,
    FirstTurn,
    MoveBard,
    RivalLine,
    Sing,
    StackCreature,
)
from engine.games.bardwood_grove.rules.steps_chance import DrawHand, RivalCard, TurnTop
from engine.view import View, shared_fields


@dataclass(frozen=True, kw_only=True)
class SeatView:
    """What everybody sees of one seat."""

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
    """The table as one seat sees it: everything but the hands and draw piles of others."""

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
    """The Fan whose side is asked for."""
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
        """Whether seat 1 is the rival."""
        return self.level != NO_RIVAL

    @property
    def event(self) -> str:
        """The event in force."""
        return self.events[self.act - 1] if self.act else ""

    def next_crest_points(self, seat: Seat) -> int:
        """Blue points of the space that the next crest leaving this seat's track uncovers."""
        left = self.players[seat].crests
        return CREST_POINTS[CRESTS - left] if left else 0

    @cached_property
    def table(self) -> Bardwood:
        """A table that fits this view; what the viewer cannot see is filled in somehow."""
        return imagine(self)


def view(state: Bardwood, seat: Seat | None) -> BardwoodView:
    """The view of a seat, or of a spectator."""
    step = state.agenda[0] if state.agenda else None
    own = None if seat is None else state.players[seat]
    return BardwoodView(
        **shared_fields(state, seat),
        edition=state.edition,
        content=state.content,
        level=state.level,
        muse=state.muse,
        events_option=state.events_option,
        bards_option=state.bards_option,
        starter=state.starter,
        turn=state.turn,
        round=state.round,
        phase=phase(step, state),
        points=step.points if isinstance(step, MoveBard) else 0,
        fan=step.fan if isinstance(step, ChooseSide) else "",
        events=state.events,
        act=(1 if state.pools[0] else 2) if state.events else 0,
        motifs=state.motifs,
        unseen=state.unseen,
        tops=state.tops,
        left=state.left,
        crests=state.crests,
        legends=state.legends,
        legends_left=state.legends_left,
        stages=state.stages,
        pools=state.pools,
        outside=state.outside,
        gone=state.gone,
        stall=state.stall,
        players=tuple(view_seat(state, other) for other in range(state.seats)),
        hand=own.hand if own else (),
        pile=own.pile if own else (),
        singing=state.singing,
        rival=state.rival,
        cause=state.cause,
        scores=scores(state),
    )


def view_seat(state: Bardwood, seat: Seat) -> SeatView:
    """What everybody sees of a seat."""
    return _view_player(state.players[seat], "".join(state.muses[seat : seat + 1]))


@lru_cache(maxsize=512)
def _view_player(player: Player, muse: str) -> SeatView:
    """What everybody sees of a seat that has this, remembered since most lines change one seat at most."""
    return SeatView(
        bard=player.bard,
        hand=len(player.hand),
        pile=len(player.pile),
        hidden=tuple(sorted((*player.hand, *player.pile))),
        discard=player.discard,
        song=player.song,
        brag=player.brag,
        arriving=player.arriving,
        dial=player.dial,
        marker=player.marker,
        runes=player.runes,
        volume=player.volume,
        volume_limit=power(player).volume_limit,
        coins=player.coins,
        acoustic=player.acoustic,
        range=player.range,
        crests=player.crests,
        captured=player.captured,
        captured_ever=player.captured_ever,
        boat=player.boat,
        region=player.region,
        gems=player.gems,
        told=player.told,
        songs=player.songs,
        muse=muse,
    )


PHASES: dict[type[Step[Bardwood]], str] = {
    ChooseBards: "bards",
    ComposePhase: "compose",
    MoveBard: "move",
    Sing: "sing",
    ChooseSide: "fan",
    StackCreature: "stack",
    DrawHand: "rest",
    TurnTop: "top",
    RivalCard: "rival",
    RivalLine: "rival",
}


def phase(step: Step[Bardwood] | None, state: Bardwood) -> str:
    """Where in the match we are."""
    if step is None:
        return "over"
    dealing = isinstance(step, DrawHand) and isinstance(state.agenda[-1], FirstTurn)
    return "setup" if dealing else PHASES.get(type(step), "setup")


def deal_hand(hidden: tuple[str, ...], count: int, pick: Pick) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """A hand of so many Skills out of these cards, and the rest as the pile."""
    pile = list(hidden)
    hand = []
    for _ in range(count):
        skills = [card for card in pile if card in SKILLS]
        hand.append(skills[pick(len(skills))])
        pile.remove(hand[-1])
    return tuple(sorted(hand)), tuple(sorted(pile))


def redeal(state: Bardwood, seat: Seat | None, pick: Pick) -> Bardwood:
    """The same table with the hands and draw piles of others dealt anew."""
    for other in state.people:
        player = state.players[other]
        if other != seat and player.bard:
            hidden = tuple(sorted((*player.hand, *player.pile)))
            hand, pile = deal_hand(hidden, len(player.hand), pick)
            state = state.with_player(other, player.but(hand=hand, pile=pile))
    return state


def imagine(seen_by: BardwoodView) -> Bardwood:
    """A table that fits a view, in which the same seat is asked the same question."""
    agenda = imagined_steps(seen_by)
    return Bardwood(
        seats=seen_by.seats,
        agenda=agenda,
        edition=seen_by.edition,
        content=seen_by.content,
        muse=seen_by.muse,
        events_option=seen_by.events_option,
        bards_option=seen_by.bards_option,
        level=seen_by.level,
        starter=seen_by.starter,
        turn=seen_by.turn,
        round=seen_by.round,
        events=seen_by.events,
        motifs=seen_by.motifs,
        muses=tuple(player.muse for player in seen_by.players if player.muse),
        unseen=seen_by.unseen,
        tops=seen_by.tops,
        left=seen_by.left,
        crests=seen_by.crests,
        legends=seen_by.legends,
        legends_left=seen_by.legends_left,
        stages=seen_by.stages,
        pools=seen_by.pools,
        outside=seen_by.outside,
        gone=seen_by.gone,
        stall=seen_by.stall,
        players=tuple(imagine_player(seen_by, seat) for seat in range(seen_by.seats)),
        singing=seen_by.singing,
        rival=seen_by.rival,
        cause=seen_by.cause,
    )


def imagine_player(seen_by: BardwoodView, seat: Seat) -> Player:
    """A player record that fits what is seen of a seat."""
    shown = seen_by.players[seat]
    if seat == seen_by.seat:
        hand, pile = seen_by.hand, seen_by.pile
    else:
        hand, pile = deal_hand(shown.hidden, shown.hand, lambda _: 0)
    return Player(
        bard=shown.bard,
        hand=hand,
        pile=pile,
        discard=shown.discard,
        song=shown.song,
        brag=shown.brag,
        arriving=shown.arriving,
        dial=shown.dial,
        marker=shown.marker,
        runes=shown.runes,
        volume=shown.volume,
        coins=shown.coins,
        acoustic=shown.acoustic,
        range=shown.range,
        crests=shown.crests,
        captured=shown.captured,
        captured_ever=shown.captured_ever,
        boat=shown.boat,
        region=shown.region,
        gems=shown.gems,
        told=shown.told,
        songs=shown.songs,
    )


def imagined_steps(seen_by: BardwoodView) -> tuple[Step[Bardwood], ...]:
    """The question of the seat that is asked, and a song that goes on after it."""
    seat = seen_by.turn
    match seen_by.phase:
        case "compose":
            return (COMPOSE_PHASES[seat],)
        case "move":
            return (MoveBard(seat, seen_by.points),)
        case "fan":
            return (ChooseSide(seat, seen_by.fan),)
        case "stack":
            return (StackCreature(seat), *((SINGS[seat],) if seen_by.singing else ()))
        case "sing":
            return (SINGS[seat],)
    return ()
