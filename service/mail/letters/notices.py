"""Letters about what runs beside the matches: hooks that were switched off, leave that ends."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any

from engine.words import Locale
from service.accounts import vacation as leave
from service.config import Config
from service.db.connection import rows
from service.db.models import Hook
from service.i18n import dates as times
from service.i18n.catalogue import counted, say
from service.mail.letters import sections as parts
from service.mail.letters.blocks import Block, Bullets, Facts, Heading, Letter, Para
from service.mail.letters.context import addressee, desk

Payload = Mapping[str, Any]
MOST_WAITING = 10
WAITING = (
    "select s.match, s.seat from seat s join match m on m.id = s.match where s.player = ? and s.asked is not null "
    "and m.status = 'running' order by s.due_at is null, s.due_at, s.match limit ?"
)


def hook_disabled(payload: Payload, _config: Config) -> Letter | None:
    """A hook failed for too long."""
    hook = Hook.get_or_none(Hook.id == payload["hook"])
    to = addressee(hook.player) if hook is not None and hook.deleted_at is None else None
    if to is None or hook is None:
        return None
    blocks: tuple[Block, ...] = (
        Para(say(to.locale, "hook.lead"), strong=True),
        Facts(
            ((say(to.locale, "hook.url"), hook.url), (say(to.locale, "hook.why"), hook.why or payload.get("why", "")))
        ),
        Para(say(to.locale, "hook.how", hook=hook.id)),
    )
    return Letter("hook-disabled", to, say(to.locale, "hook.subject"), blocks)


def leave_ends(payload: Payload, _config: Config) -> Letter | None:
    """Leave is nearly over."""
    to = addressee(payload["player"])
    if to is None:
        return None
    last = date.fromisoformat(payload["last_day"])
    day = times.day(datetime(last.year, last.month, last.day), to.locale)  # noqa: DTZ001  # a day has no zone
    left = balance(to.locale, leave.days_left(payload["player"], last.year), last.year)
    blocks: list[Block] = [
        Para(say(to.locale, "leave.lead", day=day), strong=True),
        Para(f"{say(to.locale, 'leave.then')} {left}"),
        *_waiting(payload["player"], to.locale),
        Para(say(to.locale, "leave.longer")),
    ]
    return Letter("leave-ends", to, say(to.locale, "leave.subject"), tuple(blocks), scope="all")


def balance(locale: Locale, left: int, year: int) -> str:
    """How much leave a year still has, in a sentence."""
    return counted(locale, "leave.left", left, year=year) if left > 0 else say(locale, "leave.none", year=year)


def _waiting(player: str, locale: Locale) -> list[Block]:
    """The matches that wait for the player, with the time there is for each."""
    desks = [at for match, seat in rows(WAITING, player, MOST_WAITING) if (at := desk(match, seat)) is not None]
    if not desks:
        return [Para(say(locale, "leave.idle"))]
    items = tuple(f"{at.what}{say(locale, 'colon')}{parts.time_left(at)}" for at in desks)
    return [Heading(say(locale, "leave.waiting")), Bullets(items)]
