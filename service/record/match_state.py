"""A running match in memory: its state, its head, and the question to each seat. It is always derived from the log."""

from __future__ import annotations

from dataclasses import dataclass, replace

from engine.game import HOUSE, AnyAction, AnyGame, State, apply, legal, to_act
from engine.house import BotTakes, Keys, Pause, PlayerTakes, Resume, SeatKeys
from engine.options import Settings
from engine.tuples import put
from service.record.header import Header, parse_keys


@dataclass(frozen=True)
class MatchInfo:
    """Values of a started match that never change."""

    id: str
    game: AnyGame
    seats: int
    settings: Settings
    revision: int
    signed_only: bool
    seed: bytes
    key: bytes
    header: Header
    header_hash: str


@dataclass(frozen=True)
class Question:
    """Question to a seat: the entry since which it is unchanged, and that entry's hash and time."""

    asked: int
    prev: str
    at: int


@dataclass(frozen=True)
class MatchState:
    """A match at its head."""

    facts: MatchInfo
    seq: int
    hash: str
    at: int
    state: State
    questions: tuple[Question | None, ...]
    own: tuple[int, ...]
    """The seq of each seat's own last entry."""
    made: tuple[int, ...]
    """Number of entries of each seat."""
    players: tuple[str, ...]
    bots: tuple[str, ...]
    keys: tuple[tuple[str, ...], ...]
    held: tuple[Question | None, ...] = ()
    """Questions that were open when the last entry paused the match. Resuming right away leaves them unchanged."""

    def seat_of(self, player: str) -> int | None:
        """Return the seat of this player, or None."""
        return self.players.index(player) if player in self.players else None

    def after(self, seat: int, action: AnyAction, hash_: str, at: int) -> MatchState:
        """Return the state after one more entry."""
        state = apply(self.state, seat, action)
        seq = self.seq + 1
        unbroken = isinstance(action, Resume) and self.held and at == self.at
        match_state = replace(
            self,
            seq=seq,
            hash=hash_,
            at=at,
            state=state,
            questions=self.held if unbroken else _next_questions(self, seat, state, Question(seq, hash_, at)),
            own=put(self.own, seat, seq) if seat >= 0 else self.own,
            made=put(self.made, seat, self.made[seat] + 1) if seat >= 0 else self.made,
            held=self.questions if isinstance(action, Pause) else (),
        )
        return _apply_seat_change(match_state, seat, action)


def _next_questions(match_state: MatchState, seat: int, state: State, new: Question) -> tuple[Question | None, ...]:
    before, after = to_act(match_state.state), to_act(state)
    found: list[Question | None] = []
    for each, question in enumerate(match_state.questions):
        if each not in after:
            found.append(None)
        elif (
            each == seat or question is None or each not in before or not _asks_the_same(match_state.state, state, each)
        ):
            found.append(new)
        else:
            found.append(question)
    return tuple(found)


def _asks_the_same(before: State, after: State, seat: int) -> bool:
    """Return True if a seat that did not act is asked the same question as before."""
    one, two = before.agenda[0], after.agenda[0]
    return one == two or (type(one) is type(two) and list(legal(before, seat)) == list(legal(after, seat)))


def _apply_seat_change(match_state: MatchState, seat: int, action: AnyAction) -> MatchState:
    if isinstance(action, Keys):
        return replace(match_state, keys=put(match_state.keys, seat, parse_keys(action.keys)))
    if seat != HOUSE:
        return match_state
    if isinstance(action, SeatKeys):
        return replace(match_state, keys=put(match_state.keys, action.seat, parse_keys(action.keys)))
    if isinstance(action, BotTakes):
        return _replace_occupant(match_state, action.seat, "", action.name, "-")
    if isinstance(action, PlayerTakes):
        return _replace_occupant(match_state, action.seat, action.player, "", action.keys)
    return match_state


def _replace_occupant(match_state: MatchState, seat: int, player: str, bot: str, keys: str) -> MatchState:
    return replace(
        match_state,
        players=put(match_state.players, seat, player),
        bots=put(match_state.bots, seat, bot),
        keys=put(match_state.keys, seat, parse_keys(keys)),
    )


def initial_match_state(known: MatchInfo) -> MatchState:
    """Return the state before the first entry."""
    state = known.game.rules.start(known.seats, known.settings, known.revision)
    places = known.header.places
    started = known.header.started
    opening = Question(0, known.header_hash, started)
    acting = to_act(state)
    return MatchState(
        facts=known,
        seq=0,
        hash=known.header_hash,
        at=started,
        state=state,
        questions=tuple(opening if seat in acting else None for seat in range(known.seats)),
        own=(0,) * known.seats,
        made=(0,) * known.seats,
        players=tuple(place.player for place in places),
        bots=tuple(place.bot for place in places),
        keys=tuple(parse_keys(place.keys) for place in places),
    )
