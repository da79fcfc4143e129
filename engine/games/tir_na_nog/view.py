"""The view of a seat or spectator of Tír na nÓg, and the table with everything else dealt again."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from engine import view as every
from engine.dealing import deal_cards
from engine.game import Pick, Score, Seat
from engine.games.tir_na_nog.rules.otherworld import Otherworld, otherworld
from engine.games.tir_na_nog.rules.saga import Saga, Standing
from engine.games.tir_na_nog.rules.score import Rival, scores, tally
from engine.games.tir_na_nog.rules.state import BALOR, Asking, Asks, Gaze, TirNaNog, hand_with
from engine.view import shared_fields


@dataclass(frozen=True, kw_only=True)
class View(every.View):
    """The table as one seat sees it. Everything but hands, the drawn card and sealed answers is open to all."""

    edition: str
    balor: str
    """`off`, or the difficulty of a solo match: easy, normal, hard, impossible."""
    geas: tuple[str, ...]
    """Top, middle, bottom; empty before the match has begun."""
    geas_option: str
    """As in the header: random, first, or three names."""
    round: int
    phase: str
    """setup, journey, saga, cleanup, scoring, over."""
    token: Seat
    asking: Asking
    grid: tuple[str, ...]
    """Cards in the order of `world.cells`, with an empty string for each card that has been taken."""
    out: tuple[tuple[str, ...], ...]
    """By seat: the spots of its Storytellers in the Otherworld, in alphabetical order, a spot twice for two."""
    hand: tuple[str, ...]
    """The viewer's own cards."""
    held: tuple[int, ...]
    """By seat: the number of cards it holds."""
    sagas: tuple[Saga, ...]
    played: str
    """The place of the card played last, by the seat whose turn it is."""
    used: tuple[tuple[str, ...], ...]
    """By seat: cards whose once-per-phase effect was used in this phase."""
    deck: int
    discards: tuple[str, ...]
    """Oldest first."""
    drawn: str
    """The card drawn for Aengus's Brú, if it is the viewer's and not yet kept or discarded."""
    answer: str
    """The card the viewer has chosen to discard in this Cleanup, while other seats still choose."""
    answered: tuple[Seat, ...]
    """The seats whose Cleanup discard is in, while other seats still choose."""
    pile: tuple[str, ...]
    """Balor's cards, oldest first."""
    side: str
    """Balor's reference card: highest or lowest."""
    marker: str
    """The space of Balor's marker, once it is placed."""
    turned: str
    """The card turned for Balor's latest turn."""
    flipped: bool
    """True if that card flipped his reference card."""
    gaze: Gaze | None
    """The reasons for Balor's last action."""
    scores: tuple[Score, ...] = ()
    """The final scores, once the match is over."""

    @property
    def solo(self) -> bool:
        """True if seat 1 is Balor."""
        return self.balor != "off"

    @property
    def world(self) -> Otherworld:
        """Cells, spaces, corners, and what they touch."""
        return otherworld(self.seats)

    @cached_property
    def cards(self) -> dict[str, str]:
        """The cards still in the Otherworld, by cell."""
        return {cell: card for cell, card in zip(self.world.cells, self.grid, strict=False) if card}

    def lost_spots(self, seat: Seat) -> tuple[str, ...]:
        """Return the spots of this seat's Storytellers that touch no card."""
        if self.phase != "saga":
            return ()
        return tuple(spot for spot in self.out[seat] if not self.world.touches(spot, self.grid))

    @cached_property
    def balor_score(self) -> Score | None:
        """Balor's score if the match ended now, or None before the Geas are known."""
        if not self.solo or not self.geas:
            return None
        rival = Rival(self.pile, self.balor)
        return self.scores[BALOR] if self.scores else tally(self.sagas, self.geas, self.edition, rival)[BALOR]

    def standing(self, seat: Seat) -> tuple[tuple[Standing | None, ...], ...]:
        """Return this seat's Saga card by card: rows from the top, None for a hole."""
        return self.sagas[seat].standing


def view(state: TirNaNog, seat: Seat | None) -> View:
    """Return what this seat, or a spectator, may see."""
    step: object = state.agenda[0] if state.agenda else None
    return View(
        **shared_fields(state, seat),
        edition=state.edition,
        balor=state.balor,
        geas=state.geas,
        geas_option=state.geas_option,
        round=state.round,
        phase=state.phase if step else "over",
        token=state.token,
        asking=step.asking(state) if isinstance(step, Asks) else Asking(),
        grid=state.grid,
        out=state.out,
        hand=() if seat is None else state.hands[seat],
        held=tuple(map(len, state.hands)),
        sagas=state.sagas,
        played=state.played,
        used=state.used,
        deck=len(state.deck),
        discards=state.discards,
        drawn=state.drawn if seat == state.drawer else "",
        answer="" if seat is None else state.answers[seat],
        answered=tuple(other for other in range(state.seats) if state.answers[other]),
        pile=state.pile,
        side=state.side,
        marker=state.marker,
        turned=state.turned,
        flipped=state.flipped,
        gaze=state.gaze,
        scores=scores(state) if not step else (),
    )


def redeal(state: TirNaNog, seat: Seat | None, pick: Pick) -> TirNaNog:
    """Deal the deck, other hands, another's drawn card and sealed answers again.

    A seat that has answered gets an answer out of its new hand, right after that hand, so that the order of picks is
    the same for everybody who recomputes a bot's choice.
    """
    others = [other for other in range(state.seats) if other != seat]
    foreign = bool(state.drawn) and state.drawer != seat
    unseen = [*state.deck, *(card for other in others for card in state.hands[other])]
    unseen += [state.drawn] if foreign else []
    unseen.sort()
    hands, answers = list(state.hands), list(state.answers)
    for other in others:
        hand = deal_cards(unseen, len(state.hands[other]), pick)
        hands[other] = hand_with(hand)
        answers[other] = hand[pick(len(hand))] if state.answers[other] else ""
    drawn = unseen.pop(pick(len(unseen))) if foreign else state.drawn
    return state.but(deck=tuple(unseen), hands=tuple(hands), answers=tuple(answers), drawn=drawn)
