"""Letters about a running match: your turn, reminders, orders dropped."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from service.config import Config
from service.db.connection import rows
from service.i18n.catalogue import capital, listed, quoted, say
from service.i18n.legacy.mail_reasons import said
from service.mail.letters import sections as parts
from service.mail.letters.blocks import Answering, Block, Letter, Para
from service.mail.letters.context import Desk, desk

Payload = Mapping[str, Any]


def turn(payload: Payload, _config: Config) -> Letter | None:
    """Your turn; nothing if the question no longer stands or the seat wants no such letter."""
    at = standing(payload)
    if at is None or at.wants not in ("turn", "digest"):
        return None
    return asking(at, "turn", say(at.locale, "turn.subject", what=at.what), say(at.locale, "turn.lead", what=at.what))


def reminder(payload: Payload, _config: Config) -> Letter | None:
    """It is still your turn, or hardly any time is left."""
    at = standing(payload)
    if at is None or at.wants == "none":
        return None
    kind = "urgent" if payload["kind"] == "urgent" else "reminder"
    subject, lead = (say(at.locale, f"{kind}.{part}", what=at.what) for part in ("subject", "lead"))
    return asking(at, kind, subject, lead)


def standing(payload: Payload) -> Desk | None:
    """The desk of a seat that is still asked what it was asked then."""
    at = desk(payload["match"], payload["seat"])
    return at if at is not None and at.asked is not None and at.asked == payload["asked"] else None


def asking(at: Desk, kind: str, subject: str, lead: str, *before: Block) -> Letter:
    """A letter that ends in the seat's question."""
    locale = at.locale
    blocks: list[Block] = [parts.above(locale), Para(capital(lead), strong=True), *before, parts.clock(at)]
    blocks += [*parts.story(at), *parts.notes(at), *parts.table(at), *parts.moves(at), parts.head(at)]
    return about(at, kind, subject, blocks)


def about(at: Desk, kind: str, subject: str, blocks: list[Block], answers: str = "") -> Letter:
    """A letter about a match to one of its seats, which can be answered."""
    return Letter(
        kind=kind,
        to=at.to,
        subject=subject,
        blocks=tuple(blocks),
        match=at.table.facts.id,
        seat=at.seat,
        seq=at.table.seq,
        answering=Answering("turn", at.table.seq if at.asked is None else at.asked),
        scope="match",
        preview=parts.preview(at) if at.asked is not None else "",
        answers=answers,
        seats=(at.looking,),
    )


def dropped(payload: Payload, _config: Config) -> Letter | None:
    """Orders that waited could not be made."""
    sql = "select match, seat, player, body, made, total, why from submission where id = ?"
    found = rows(sql, payload["submission"])
    at = desk(found[0][0], found[0][1]) if found else None
    if at is None or at.to.player != found[0][2]:
        return None
    body, made, total, why = found[0][3:]
    locale, rest = at.locale, json.loads(body)["lines"][made:]
    blocks: list[Block] = [parts.above(locale), Para(capital(say(locale, "dropped.lead", what=at.what)), strong=True)]
    blocks += [Para(say(locale, "dropped.made", made=made, total=total))]
    if rest:
        reason = why.removeprefix(f"{rest[0]}: ")
        blocks.append(Para(say(locale, "dropped.line", line=rest[0])))
        blocks.append(Para(say(locale, "dropped.why", why=said(locale, reason, say(locale, "why.unlisted")))))
    if rest[1:]:
        also = listed(locale, [quoted(locale, line) for line in rest[1:]])
        blocks.append(Para(say(locale, "dropped.also", lines=also)))
    if at.asked is not None:
        blocks.append(parts.clock(at))
    blocks += [*parts.story(at), *parts.notes(at), *parts.table(at), *parts.moves(at), parts.head(at)]
    return about(at, "dropped", say(locale, "dropped.subject", what=at.what), blocks)
