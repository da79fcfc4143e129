"""Letters about a running match: your turn, reminders, orders dropped."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from service.config import Config
from service.db.connection import rows
from service.i18n.catalogue import capitalise, join_items, quote, translate
from service.i18n.legacy.mail_reasons import said
from service.mail.letters import sections
from service.mail.letters.blocks import Block, Letter, Para, ReplyPurpose
from service.mail.letters.context import LetterContext, load_context

Payload = Mapping[str, Any]


def compose_turn(payload: Payload, _config: Config) -> Letter | None:
    """Your turn; nothing if the question no longer stands or the seat wants no such letter."""
    at = load_if_asked(payload)
    if at is None or at.wants not in ("turn", "digest"):
        return None
    return build_question_letter(
        at, "turn", translate(at.locale, "turn.subject", what=at.what), translate(at.locale, "turn.lead", what=at.what)
    )


def compose_reminder(payload: Payload, _config: Config) -> Letter | None:
    """It is still your turn, or hardly any time is left."""
    at = load_if_asked(payload)
    if at is None or at.wants == "none":
        return None
    kind = "urgent" if payload["kind"] == "urgent" else "reminder"
    subject, lead = (translate(at.locale, f"{kind}.{part}", what=at.what) for part in ("subject", "lead"))
    return build_question_letter(at, kind, subject, lead)


def load_if_asked(payload: Payload) -> LetterContext | None:
    """The desk of a seat that is still asked what it was asked then."""
    at = load_context(payload["match"], payload["seat"])
    return at if at is not None and at.asked is not None and at.asked == payload["asked"] else None


def build_question_letter(at: LetterContext, kind: str, subject: str, lead: str, *before: Block) -> Letter:
    """A letter that ends in the seat's question."""
    locale = at.locale
    blocks: list[Block] = [
        sections.reply_line(locale),
        Para(capitalise(lead), strong=True),
        *before,
        sections.clock(at),
    ]
    blocks += [
        *sections.story(at),
        *sections.notes(at),
        *sections.table(at),
        *sections.moves(at),
        sections.log_head(at),
    ]
    return build_match_letter(at, kind, subject, blocks)


def build_match_letter(at: LetterContext, kind: str, subject: str, blocks: list[Block], answers: str = "") -> Letter:
    """A letter about a match to one of its seats, which can be answered."""
    return Letter(
        kind=kind,
        to=at.to,
        subject=subject,
        blocks=tuple(blocks),
        match=at.table.facts.id,
        seat=at.seat,
        seq=at.table.seq,
        answering=ReplyPurpose("turn", at.table.seq if at.asked is None else at.asked),
        scope="match",
        preview=sections.preview(at) if at.asked is not None else "",
        answers=answers,
        seats=(at.looking,),
    )


def compose_orders_dropped(payload: Payload, _config: Config) -> Letter | None:
    """Orders that waited could not be made."""
    sql = "select match, seat, player, body, made, total, why from submission where id = ?"
    found = rows(sql, payload["submission"])
    at = load_context(found[0][0], found[0][1]) if found else None
    if at is None or at.to.player != found[0][2]:
        return None
    body, made, total, why = found[0][3:]
    locale, rest = at.locale, json.loads(body)["lines"][made:]
    blocks: list[Block] = [
        sections.reply_line(locale),
        Para(capitalise(translate(locale, "dropped.lead", what=at.what)), strong=True),
    ]
    blocks += [Para(translate(locale, "dropped.made", made=made, total=total))]
    if rest:
        reason = why.removeprefix(f"{rest[0]}: ")
        blocks.append(Para(translate(locale, "dropped.line", line=rest[0])))
        blocks.append(
            Para(translate(locale, "dropped.why", why=said(locale, reason, translate(locale, "why.unlisted"))))
        )
    if rest[1:]:
        also = join_items(locale, [quote(locale, line) for line in rest[1:]])
        blocks.append(Para(translate(locale, "dropped.also", lines=also)))
    if at.asked is not None:
        blocks.append(sections.clock(at))
    blocks += [
        *sections.story(at),
        *sections.notes(at),
        *sections.table(at),
        *sections.moves(at),
        sections.log_head(at),
    ]
    return build_match_letter(at, "dropped", translate(locale, "dropped.subject", what=at.what), blocks)
