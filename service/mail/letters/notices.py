"""Emails about hooks that were switched off, and about leave that ends."""

from __future__ import annotations

from datetime import date, datetime

from engine.words import Locale
from service.accounts import vacation
from service.db.models.webhooks import HookRow
from service.i18n import dates
from service.i18n.catalogue import load_message, render, translate
from service.mail.letters import sections
from service.mail.letters.blocks import Addressee, Block, Bullets, FactList, Heading, Letter, Para
from service.mail.letters.context import LetterContext, find_addressee, load_waiting_seats
from service.mail.letters.registry import letter, player_letter
from service.mail.letters.sections import leave_balance
from service.play.job_payloads import LeaveEndsLetter
from service.webhooks.sender import HookDisabledLetter

MOST_WAITING = 10


@letter(HookDisabledLetter)
def compose_hook_disabled(context: LetterContext[HookDisabledLetter]) -> Letter | None:
    """Compose the email about a hook that failed for too long and was switched off."""
    hook = HookRow.get_or_none(HookRow.id == context.job.hook)
    to = find_addressee(hook.player) if hook is not None and hook.deleted_at is None else None
    if to is None or hook is None:
        return None
    why, message = hook.why or context.job.why, load_message(context.job.message)
    if message is not None and why == str(message):
        why = render(message, to.locale)
    blocks: tuple[Block, ...] = (
        Para(translate(to.locale, "hook.lead"), strong=True),
        FactList(
            (
                (translate(to.locale, "hook.url"), hook.url),
                (translate(to.locale, "hook.why"), why),
            )
        ),
        Para(translate(to.locale, "hook.how", hook=hook.id)),
    )
    return Letter(context.job.kind, to, translate(to.locale, "hook.subject"), blocks)


@player_letter(LeaveEndsLetter)
def compose_leave_ends(context: LetterContext[LeaveEndsLetter], to: Addressee) -> Letter:
    """Compose the email about leave that is nearly over."""
    last = date.fromisoformat(context.job.last_day)
    day = dates.format_day(datetime(last.year, last.month, last.day), to.locale)  # noqa: DTZ001  # a day has no zone
    left = leave_balance(to.locale, vacation.days_left(context.job.player, last.year), last.year)
    blocks: list[Block] = [
        Para(translate(to.locale, "leave.lead", day=day), strong=True),
        Para(f"{translate(to.locale, 'leave.then')} {left}"),
        *_waiting_blocks(context.job.player, to.locale),
        Para(translate(to.locale, "leave.longer")),
    ]
    return Letter(context.job.kind, to, translate(to.locale, "leave.subject"), tuple(blocks), scope="all")


def _waiting_blocks(player: str, locale: Locale) -> list[Block]:
    """Return the matches that wait for the player, with the time left for each."""
    seats = load_waiting_seats(player, MOST_WAITING)
    if not seats:
        return [Para(translate(locale, "leave.idle"))]
    items = tuple(f"{seat.match_phrase}{translate(locale, 'colon')}{sections.time_left(seat)}" for seat in seats)
    return [Heading(translate(locale, "leave.waiting")), Bullets(items)]
