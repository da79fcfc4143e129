"""Letters about a deadline that passed: to the table, to who was excused, and to who lost the seat by it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from engine.words import Locale
from service.config import Config
from service.db.connection import rows
from service.db.models import Match
from service.i18n import dates as times
from service.i18n.catalogue import capital, counted, say
from service.mail.letters import sections as parts
from service.mail.letters.blocks import Answering, Block, Letter, Para
from service.mail.letters.context import Desk, desk, left_desk
from service.mail.letters.turn import about, asking
from service.matches.substitutes import open_seats
from service.play.views import called

Payload = Mapping[str, Any]


def late(payload: Payload, config: Config) -> Letter | None:
    """Somebody's time ran out: `player` is told, `seat` is late, `outcome` is what the house does about it."""
    if payload.get("late") == payload["player"] and payload.get("outcome", "excused") != "excused":
        return _lost(payload, config)
    sits = rows("select seat from seat where match = ? and player = ?", payload["match"], payload["player"])
    at = desk(payload["match"], sits[0][0]) if sits else None
    if at is None or at.wants == "none" or at.table.state.over:
        return None
    if payload["seat"] != at.seat:
        return _other(at, payload)
    if at.asked != payload["asked"]:
        return None
    subject, lead = (say(at.locale, f"{_stage(payload)}.{part}", what=at.what) for part in ("subject", "you"))
    return asking(at, "late", subject, lead, *_excused(payload, at.locale))


def _stage(payload: Payload) -> str:
    """The words for a deadline that just passed, or for the days after it, which count no excuse any more."""
    return "late" if "excuses" in payload else "still"


def _other(at: Desk, payload: Payload) -> Letter:
    """To the others at the table: who is late, and what follows."""
    locale, outcome, player = at.locale, payload.get("outcome", "excused"), payload.get("late")
    who = called([player], locale)[player] if player else at.names[payload["seat"]]
    blocks: list[Block] = [parts.above(locale)]
    stage = _stage(payload)
    blocks.append(Para(capital(say(locale, f"{stage}.other", who=who, what=at.what)), strong=True))
    blocks += _when(at, payload, stage)
    blocks += _excused(payload, locale) if outcome == "excused" else [Para(say(locale, f"late.{outcome}"))]
    subject = say(locale, f"{stage}.subject", what=at.what)
    return about(at, "late", subject, [*blocks, *parts.story(at), *parts.notes(at), parts.head(at)])


def _lost(payload: Payload, config: Config) -> Letter | None:
    """To who sat there: what became of the seat, and what they can still do."""
    outcome, seat = payload["outcome"], payload["seat"]
    at = left_desk(payload["match"], seat, payload["player"])
    if at is None or at.wants == "none" or not at.table.bots[seat]:
        return None
    locale, match = at.locale, Match.get_by_id(payload["match"])
    blocks: list[Block] = [parts.above(locale)]
    blocks.append(Para(capital(say(locale, "late.you", what=at.what)), strong=True))
    blocks += [*_when(at, payload), Para(say(locale, f"lost.{outcome}", bot=at.names[seat]))]
    back = seat in open_seats(match, at.table, payload["player"])
    more = {"address": config.mail_from, "game": match.game}
    blocks.append(Para(say(locale, f"lost.back.{outcome}") if back else say(locale, "lost.again", **more)))
    letter = about(at, "late", say(locale, "late.subject", what=at.what), [*blocks, parts.head(at)])
    # Whatever the seat is asked now is not for this reader.
    return replace(letter, answering=Answering("turn", at.table.seq), preview="", seats=())


def _when(at: Desk, payload: Payload, stage: str = "late") -> list[Block]:
    if not payload.get("due"):
        return []
    return [Para(say(at.locale, f"{stage}.when", moment=times.moment(payload["due"], at.to.zone, at.locale)))]


def _excused(payload: Payload, locale: Locale) -> list[Block]:
    """What is left of the excuses, where that was counted."""
    if "excuses" not in payload:
        return []
    left = payload["excuses"]
    return [Para(counted(locale, "late.excused", left) if left else say(locale, "late.excused.last"))]
