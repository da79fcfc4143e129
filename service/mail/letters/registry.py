"""The registry of emails: the function that composes each kind.

A composer is registered with the class of its kind by one of the decorators below, which also say whom it needs: the
player, or the seat that the player still has. If that is missing, there is no email.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from service.jobs.payloads import BlankLetter, LetterJob
from service.mail.letters.blocks import Addressee, Letter
from service.mail.letters.context import LetterContext, SeatContext

AnyLetter = TypeVar("AnyLetter", bound=LetterJob)
Composer = Callable[[LetterContext[AnyLetter]], Letter | None]
PlayerComposer = Callable[[LetterContext[AnyLetter], Addressee], Letter | None]
SeatComposer = Callable[[LetterContext[AnyLetter], SeatContext], Letter | None]
COMPOSERS: dict[type[LetterJob], Composer[Any]] = {BlankLetter: lambda _context: None}


def compose(context: LetterContext[LetterJob]) -> Letter | None:
    """Compose the email of a job. Return None if nobody can be written to, or the reason for it is gone."""
    return COMPOSERS[type(context.job)](context)


def letter(*kinds: type[AnyLetter]) -> Callable[[Composer[AnyLetter]], Composer[AnyLetter]]:
    """Register the composer of these kinds."""

    def register(composer: Composer[AnyLetter]) -> Composer[AnyLetter]:
        COMPOSERS.update(dict.fromkeys(kinds, composer))
        return composer

    return register


def player_letter(*kinds: type[AnyLetter]) -> Callable[[PlayerComposer[AnyLetter]], PlayerComposer[AnyLetter]]:
    """Register the composer of these kinds, which gets the player that the job names."""

    def register(composer: PlayerComposer[AnyLetter]) -> PlayerComposer[AnyLetter]:
        letter(*kinds)(lambda context: composer(context, context.to) if context.to else None)
        return composer

    return register


def seat_letter(*kinds: type[AnyLetter]) -> Callable[[SeatComposer[AnyLetter]], SeatComposer[AnyLetter]]:
    """Register the composer of these kinds, which gets the seat that the job names if its player still has it."""

    def register(composer: SeatComposer[AnyLetter]) -> SeatComposer[AnyLetter]:
        letter(*kinds)(lambda context: composer(context, context.own_seat) if context.own_seat else None)
        return composer

    return register
