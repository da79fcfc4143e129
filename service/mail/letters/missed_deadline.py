"""Letters about a deadline that passed: to the table, to who was excused, and to who lost the seat by it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from engine.words import Locale
from service.config import Config
from service.db.connection import rows
from service.db.models.matches import MatchRow
from service.i18n import dates
from service.i18n.catalogue import capitalise, translate, translate_count
from service.mail.letters import sections
from service.mail.letters.blocks import Block, Letter, Para, ReplyPurpose
from service.mail.letters.context import LetterContext, load_context, load_former_context
from service.mail.letters.turn import build_match_letter, build_question_letter
from service.matches.substitutes import open_seats
from service.play.views import player_names

Payload = Mapping[str, Any]


def compose_missed_deadline(payload: Payload, config: Config) -> Letter | None:
    """Somebody's time ran out: `player` is told, `seat` is late, `outcome` is what the house does about it."""
    if payload.get("late") == payload["player"] and payload.get("outcome", "excused") != "excused":
        return _compose_seat_lost(payload, config)
    sits = rows("select seat from seat where match = ? and player = ?", payload["match"], payload["player"])
    at = load_context(payload["match"], sits[0][0]) if sits else None
    if at is None or at.wants == "none" or at.table.state.over:
        return None
    if payload["seat"] != at.seat:
        return _compose_for_others(at, payload)
    if at.asked != payload["asked"]:
        return None
    subject, lead = (
        translate(at.locale, f"{_text_prefix(payload)}.{part}", what=at.what) for part in ("subject", "you")
    )
    return build_question_letter(at, "late", subject, lead, *_excuse_blocks(payload, at.locale))


def _text_prefix(payload: Payload) -> str:
    """The words for a deadline that just passed, or for the days after it, which count no excuse any more."""
    return "late" if "excuses" in payload else "still"


def _compose_for_others(at: LetterContext, payload: Payload) -> Letter:
    """To the others at the table: who is late, and what follows."""
    locale, outcome, player = at.locale, payload.get("outcome", "excused"), payload.get("late")
    who = player_names([player], locale)[player] if player else at.names[payload["seat"]]
    blocks: list[Block] = [sections.reply_line(locale)]
    stage = _text_prefix(payload)
    blocks.append(Para(capitalise(translate(locale, f"{stage}.other", who=who, what=at.what)), strong=True))
    blocks += _deadline_blocks(at, payload, stage)
    blocks += _excuse_blocks(payload, locale) if outcome == "excused" else [Para(translate(locale, f"late.{outcome}"))]
    subject = translate(locale, f"{stage}.subject", what=at.what)
    return build_match_letter(
        at, "late", subject, [*blocks, *sections.story(at), *sections.notes(at), sections.log_head(at)]
    )


def _compose_seat_lost(payload: Payload, config: Config) -> Letter | None:
    """To who sat there: what became of the seat, and what they can still do."""
    outcome, seat = payload["outcome"], payload["seat"]
    at = load_former_context(payload["match"], seat, payload["player"])
    if at is None or at.wants == "none" or not at.table.bots[seat]:
        return None
    locale, match = at.locale, MatchRow.get_by_id(payload["match"])
    blocks: list[Block] = [sections.reply_line(locale)]
    blocks.append(Para(capitalise(translate(locale, "late.you", what=at.what)), strong=True))
    blocks += [*_deadline_blocks(at, payload), Para(translate(locale, f"lost.{outcome}", bot=at.names[seat]))]
    back = seat in open_seats(match, at.table, payload["player"])
    more = {"address": config.mail_from, "game": match.game}
    blocks.append(Para(translate(locale, f"lost.back.{outcome}") if back else translate(locale, "lost.again", **more)))
    letter = build_match_letter(
        at, "late", translate(locale, "late.subject", what=at.what), [*blocks, sections.log_head(at)]
    )
    # Whatever the seat is asked now is not for this reader.
    return replace(letter, answering=ReplyPurpose("turn", at.table.seq), preview="", seats=())


def _deadline_blocks(at: LetterContext, payload: Payload, stage: str = "late") -> list[Block]:
    if not payload.get("due"):
        return []
    return [
        Para(translate(at.locale, f"{stage}.when", moment=dates.format_moment(payload["due"], at.to.zone, at.locale)))
    ]


def _excuse_blocks(payload: Payload, locale: Locale) -> list[Block]:
    """What is left of the excuses, where that was counted."""
    if "excuses" not in payload:
        return []
    left = payload["excuses"]
    return [Para(translate_count(locale, "late.excused", left) if left else translate(locale, "late.excused.last"))]
