"""Letters about what runs beside the matches: hooks that were switched off, leave that ends."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any

from service import leave
from service.config import Config
from service.mail import times
from service.mail.desk import addressee
from service.mail.letter import Block, Facts, Letter, Para
from service.mail.words import say
from service.models import Hook

Payload = Mapping[str, Any]


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
    left = leave.days_left(payload["player"], last.year)
    blocks: tuple[Block, ...] = (
        Para(say(to.locale, "leave.lead", day=day), strong=True),
        Para(say(to.locale, "leave.then", count=left)),
    )
    return Letter("leave-ends", to, say(to.locale, "leave.subject"), blocks, scope="all")
