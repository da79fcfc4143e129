"""The view of a seat or spectator of Táin, and the table with everything else dealt again."""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.game import Pick, Score, Seat, Step
from engine.games.tain import posts
from engine.games.tain.raids import Report
from engine.games.tain.rules import FreeCaptives, PostGuards, Recon
from engine.games.tain.score import scores
from engine.games.tain.state import Choice, Loot, Tain
from engine.games.tain.tokens import (
    DAUGHTER,
    EMPTY,
    LETTERS,
    RAIDERS,
    SCOUTS,
    UNKNOWN,
    Gates,
    Tokens,
    free,
    sort_tokens,
)
from engine.starting_seat import DrawStart
from engine.tuples import put
from engine.view import View, shared_fields

PHASES: dict[type[Step[Tain]], str] = {DrawStart: "start", Recon: "recon", PostGuards: "guards", FreeCaptives: "free"}


@dataclass(frozen=True)
class Clan:
    """A clan and its board, with `?` for each token that the viewer sees only from behind."""

    cattle: int
    jewels: int
    unused: int
    used: int
    placed: int
    guards: Gates
    scouts: Gates
    owners: Gates
    prisoners: tuple[str, ...]
    beside: Loot
    out: bool
    answered: bool
    unshown: Tokens = field(
        metadata={"about": "The tokens face down or behind the screen, a letter each, as the reveals tell everybody."}
    )


@dataclass(frozen=True, kw_only=True)
class TainView(View):
    """The table as one seat sees it."""

    round: int
    phase: str  # start, recon, guards, free or over
    active: Seat
    placement: int
    stock: int
    kingdom: tuple[str, ...]
    clans: tuple[Clan, ...]
    unused: Tokens
    used: Tokens
    answer: tuple[str, ...] | None
    choices: tuple[Choice, ...]
    report: Report | None
    scores: tuple[Score, ...]


def view(state: Tain, seat: Seat | None) -> TainView:
    """Return the view of a seat, or of a spectator."""
    clans = tuple(_clan(state, each, seat) for each in range(state.seats))
    shown = tuple(_visible_kind(state, token[0], token[1], seat) for token in state.kingdom)
    return TainView(
        **shared_fields(state, seat),
        round=state.round,
        phase=phase(state),
        active=state.active,
        placement=1 + sum(clan.placed for clan in clans),
        stock=state.stock,
        kingdom=tuple(token[0] + kind for token, kind in zip(state.kingdom, shown, strict=True)),
        clans=clans,
        unused="" if seat is None else state.unused[seat],
        used="" if seat is None else state.used[seat],
        answer=None if seat is None else state.answers[seat],
        choices=state.choices,
        report=state.report,
        scores=scores(state),
    )


def phase(state: Tain) -> str:
    """Return the phase of the round."""
    return PHASES[type(state.agenda[0])] if state.agenda else "over"


def _visible_kind(state: Tain, owner: str, kind: str, viewer: Seat | None) -> str:
    if kind == EMPTY or state.over or (viewer is not None and owner == LETTERS[viewer]):
        return kind
    return UNKNOWN


def _clan(state: Tain, seat: Seat, viewer: Seat | None) -> Clan:
    owners, letter = state.owners[seat], LETTERS[seat]
    down = face_down(state, seat)
    return Clan(
        cattle=state.cattle[seat],
        jewels=state.jewels[seat],
        unused=len(state.unused[seat]),
        used=len(state.used[seat]),
        placed=len(down),
        guards="".join(_visible_kind(state, letter, kind, viewer) for kind in state.guards[seat]),
        scouts="".join(
            _visible_kind(state, owner, kind, viewer) for owner, kind in zip(owners, state.scouts[seat], strict=True)
        ),
        owners=owners,
        prisoners=state.prisoners[seat],
        beside=state.beside[seat],
        out=phase(state) in ("recon", "guards") and not state.is_in(seat),
        answered=state.answers[seat] is not None,
        unshown=sort_tokens(state.unused[seat] + down),
    )


def face_down(state: Tain, seat: Seat) -> str:
    """Return the kinds of a clan's tokens on the boards: kingdom, then scouts, then guards."""
    letter = LETTERS[seat]
    tokens = [token[1] for token in state.kingdom if token[0] == letter]
    for owners, scouts in zip(state.owners, state.scouts, strict=True):
        if letter in owners:
            tokens += [kind for owner, kind in zip(owners, scouts, strict=True) if owner == letter]
    return "".join(tokens) + state.guards[seat].replace(EMPTY, "")


def redeal(state: Tain, seat: Seat | None, pick: Pick) -> Tain:
    """Deal the kinds of other seats' unused and face-down tokens again, and their sealed guards.

    Everybody knows each clan's pool. Only the kinds that a place allows are drawn for it, places with fewer allowed
    kinds first. Sealed guards are drawn among all ways to post the remaining tokens.
    """
    if state.over:
        return state
    for other in range(state.seats):
        if other != seat:
            state = _redeal_clan(state, other, pick)
    return state


def _redeal_clan(state: Tain, seat: Seat, pick: Pick) -> Tain:
    letter, pool = LETTERS[seat], [*sort_tokens(state.unused[seat] + face_down(state, seat))]

    def drawn(allowed: str) -> str:
        fitting = [kind for kind in pool if kind in allowed]
        kind: str = fitting[pick(len(fitting))]
        pool.remove(kind)
        return kind

    kingdom = tuple(letter + drawn(RAIDERS) if token[0] == letter else token for token in state.kingdom)
    scouts = tuple(
        "".join(drawn(SCOUTS) if owner == letter else kind for owner, kind in zip(owners, kinds, strict=True))
        for owners, kinds in zip(state.owners, state.scouts, strict=True)
    )
    guards = "".join(EMPTY if kind == EMPTY else drawn(SCOUTS + DAUGHTER) for kind in state.guards[seat])
    unused = sort_tokens("".join(pool))
    answers = state.answers
    if answers[seat] is not None:
        gates = free(guards)
        answers = put(answers, seat, posts.at(unused, gates, pick(posts.count(unused, len(gates)))))
    return state.but(
        kingdom=kingdom,
        scouts=scouts,
        guards=put(state.guards, seat, guards),
        unused=put(state.unused, seat, unused),
        answers=answers,
    )
