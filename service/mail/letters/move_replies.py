"""Answers to a player's own letters about moves: understood, held, taken back, refused, out of date."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from engine.words import Locale
from service.config import Config
from service.db.connection import rows
from service.i18n import dates
from service.i18n.catalogue import has_text, join_items, quote, translate, translate_count
from service.i18n.legacy.mail_reasons import said
from service.mail.letters import digest, sections
from service.mail.letters.blocks import Block, Heading, Letter, Para, ReplyPurpose
from service.mail.letters.context import LetterContext, addressee, load_context
from service.mail.letters.sections import receipt
from service.mail.letters.turn import build_match_letter

Payload = Mapping[str, Any]
MOST_QUOTED = 200
REASONS_WITH_DETAIL = frozenset({"booking", "entering", "new", "note", "not-listed", "rematch"})
"""Refusals whose reason says more than their sentence, in whatever language it is."""


REPLY_PREFIXES = re.compile(r"^(?:(?:re|ré|rép|aw|sv|antw|tr|fwd?)\s?(?:\[\d+\])?\s?:\s*)+", re.IGNORECASE)
"""What mail programs put before a subject; one is enough."""


class MatchNotResolved(Exception):
    """What came of a move is not known yet: the letter is written a moment later."""


def require_resolved(match: str) -> None:
    """Go on only if the worker has played the match on as far as it goes by itself."""
    found = rows("select 1 from match where id = ? and resolved_seq < head_seq", match)
    if found:
        raise MatchNotResolved(match)


def load_writer_context(payload: Payload) -> LetterContext | None:
    """The desk of the player who wrote, if they still sit there."""
    at = (
        load_context(payload["match"], payload["seat"])
        if payload.get("match") and payload.get("seat") is not None
        else None
    )
    return at if at is not None and at.to.player == payload["player"] else None


def reply_subject(payload: Payload, otherwise: str) -> str:
    """The subject of an answer: that of the letter it answers."""
    given = REPLY_PREFIXES.sub("", " ".join((payload.get("subject") or "").split()), count=1)
    return f"Re: {given}" if given else otherwise


def build_reply(at: LetterContext, payload: Payload, blocks: list[Block]) -> Letter:
    """An answer about a match, under the line above which the next one is written."""
    label = payload.get("label") or ""
    which: list[Block] = [Para(translate(at.locale, "digest.match", letter=label, what=at.what))] if label else []
    otherwise = translate(at.locale, "turn.subject", what=at.what)
    whole = [sections.reply_line(at.locale), *blocks[:1], *which, *blocks[1:]]
    letter = build_match_letter(
        at, payload["kind"], reply_subject(payload, otherwise), whole, payload.get("in_reply_to") or ""
    )
    first = next((block.words for block in blocks if isinstance(block, Para)), "")
    return replace(letter, preview=f"{label}. {first}" if label else first)


def quote_lines(locale: Locale, lines: Sequence[str]) -> str:
    """Lines in quotation marks, in one phrase."""
    return join_items(locale, [quote(locale, line[:MOST_QUOTED]) for line in lines])


def position_blocks(at: LetterContext, *, drawn: bool = True) -> list[Block]:
    """How it stands: the time, the table, and the moves or who is asked."""
    clock = [sections.clock(at)] if at.asked is not None else []
    return [*clock, *sections.notes(at), *sections.table(at, drawn=drawn), *sections.moves(at)]


def compose_moves_made(payload: Payload, _config: Config) -> Letter | None:
    """Your move, as understood, and what came of it."""
    require_resolved(payload["match"])
    at = load_writer_context(payload)
    if at is None:
        return None
    locale, made = at.locale, payload["made"]
    blocks: list[Block] = [Para(translate(locale, "understood.lead" if made else "understood.none"), strong=True)]
    if made:
        blocks.append(Para(translate(locale, "understood.made", lines=quote_lines(locale, made))))
    blocks += _remaining_blocks(payload, locale)
    blocks += sections.story(at, heading=translate(locale, "understood.came"))
    blocks += [*position_blocks(at), *receipt(payload["receipt"], locale), sections.log_head(at)]
    return build_reply(at, payload, blocks)


def _remaining_blocks(payload: Payload, locale: Locale) -> list[Block]:
    blocks: list[Block] = []
    waiting = payload.get("waiting") or 0
    if waiting:
        blocks.append(Para(translate_count(locale, "understood.waiting", waiting)))
    if payload.get("dropped"):
        blocks.append(Para(translate(locale, "understood.dropped", lines=quote_lines(locale, payload["dropped"]))))
        reason = (payload.get("why") or "").rpartition(": ")[2]
        blocks += (
            [Para(translate(locale, "dropped.why", why=said(locale, reason, translate(locale, "why.unlisted"))))]
            if reason
            else []
        )
    if payload.get("unread"):
        blocks.append(Para(translate(locale, "understood.unread", lines=quote_lines(locale, payload["unread"]))))
    return blocks


def compose_moves_held(payload: Payload, _config: Config) -> Letter | None:
    """Your move counts later unless you take it back."""
    at = load_writer_context(payload)
    if at is None:
        return None
    locale = at.locale
    until = dates.format_moment(payload["until"], at.to.zone, locale)
    blocks: list[Block] = [
        Para(translate(locale, "held.lead"), strong=True),
        Para(translate(locale, "held.lines", lines=quote_lines(locale, payload["lines"]))),
        Para(translate(locale, "held.until", moment=until)),
    ]
    if payload.get("unread"):
        blocks.append(Para(translate(locale, "understood.unread", lines=quote_lines(locale, payload["unread"]))))
    return build_reply(at, payload, [*blocks, *sections.table(at), sections.log_head(at)])


def compose_moves_undone(payload: Payload, _config: Config) -> Letter | None:
    """Your move is taken back."""
    at = load_writer_context(payload)
    if at is None:
        return None
    blocks: list[Block] = [
        Para(translate(at.locale, "undone.lead" if payload["lines"] else "undone.nothing"), strong=True)
    ]
    if payload["lines"]:
        blocks.append(Para(translate(at.locale, "undone.lines", lines=quote_lines(at.locale, payload["lines"]))))
    return build_reply(at, payload, [*blocks, *position_blocks(at), sections.log_head(at)])


def compose_refusal(payload: Payload, config: Config) -> Letter | None:
    """Nothing was made: what was wrong, and the list again."""
    at = load_writer_context(payload)
    to = at.to if at is not None else addressee(payload["player"])
    if to is None:
        return None
    what = translate(to.locale, "refused.lead" if at is not None else "refused.general")
    lead: list[Block] = [Para(what, strong=True), *_refusal_blocks(payload, to.locale)]
    if at is not None:
        return build_reply(at, payload, [*lead, *position_blocks(at), sections.log_head(at)])
    words = reply_subject(payload, what.rstrip("."))
    again = digest.compose_digest(payload, config) if payload["reason"] == "label" else None
    if again is not None:
        blocks = (again.blocks[0], *lead, *again.blocks[2:])
        answers = payload.get("in_reply_to") or ""
        return replace(again, kind="refused", subject=words, blocks=blocks, answers=answers, preview=what)
    letter = Letter("refused", to, words, tuple(lead), scope="all", answers=payload.get("in_reply_to") or "")
    if payload["reason"] != "left":
        return letter
    blocks = (sections.reply_line(to.locale), *lead)
    return replace(letter, blocks=blocks, match=payload["match"], seat=payload["seat"], answering=ReplyPurpose("turn"))


def _refusal_blocks(payload: Payload, locale: Locale) -> list[Block]:
    text = quote(locale, " ".join(str(payload.get("text") or "").split())[:MOST_QUOTED])
    key = f"refused.{payload['reason']}"
    blocks: list[Block] = []
    if has_text(locale, key):
        blocks.append(Para(translate(locale, key, text=text)))
    elif payload.get("text"):
        blocks.append(Para(translate(locale, "refused.other", text=text)))
    if payload.get("meant") and payload["reason"] not in ("invitation", "label"):
        lines = join_items(locale, [quote(locale, line) for line in payload["meant"]], "or")
        blocks.append(Para(translate(locale, "refused.meant", lines=lines)))
    if payload.get("why") and (locale == "en" or payload["reason"] in REASONS_WITH_DETAIL or not has_text(locale, key)):
        blocks.append(Para(translate(locale, "refused.why", why=said(locale, payload["why"]))))
    return blocks


def compose_question_changed(payload: Payload, _config: Config) -> Letter | None:
    """The question has changed; this is the present one."""
    at = load_writer_context(payload)
    if at is None:
        return None
    text = quote(at.locale, " ".join(str(payload.get("text") or "").split())[:MOST_QUOTED])
    blocks: list[Block] = [
        Para(translate(at.locale, "stale.lead"), strong=True),
        Para(translate(at.locale, "stale.text", text=text)),
    ]
    return build_reply(at, payload, [*blocks, *sections.story(at), *position_blocks(at), sections.log_head(at)])


def compose_board(payload: Payload, _config: Config) -> Letter | None:
    """The table as it stands."""
    at = load_writer_context(payload)
    if at is None:
        return None
    lead = Para(translate(at.locale, "board.lead", what=at.what), strong=True)
    return build_reply(at, payload, [lead, *sections.story(at), *position_blocks(at), sections.log_head(at)])


def compose_seat_back(payload: Payload, _config: Config) -> Letter | None:
    """The seat is yours again."""
    require_resolved(payload["match"])
    at = load_writer_context(payload)
    if at is None:
        return None
    lead = Para(translate(at.locale, "back.lead"), strong=True)
    return build_reply(at, payload, [lead, *sections.story(at), *position_blocks(at), sections.log_head(at)])


def compose_resign_question(payload: Payload, _config: Config) -> Letter | None:
    """Asks whether you are sure."""
    at = load_writer_context(payload)
    if at is None:
        return None
    blocks: list[Block] = [
        Para(translate(at.locale, "resign.lead"), strong=True),
        Para(translate(at.locale, "resign.how", what=at.what)),
    ]
    return build_reply(at, payload, [*blocks, sections.log_head(at)])


def compose_resigned(payload: Payload, _config: Config) -> Letter | None:
    """You gave up your seat."""
    at = load_writer_context(payload)
    to = at.to if at is not None else addressee(payload["player"])
    if to is None:
        return None
    blocks: list[Block] = [Para(translate(to.locale, "resigned.lead"), strong=True)]
    blocks += receipt(payload["receipt"], to.locale)
    if at is not None:
        return build_reply(at, payload, [*blocks, sections.log_head(at)])
    words = reply_subject(payload, translate(to.locale, "resigned.lead"))
    more: dict[str, Any] = {"match": payload["match"], "scope": "all", "answers": payload.get("in_reply_to") or ""}
    return Letter("resigned", to, words, tuple(blocks), **more)


def compose_history(payload: Payload, _config: Config) -> Letter | None:
    """Everything that happened, as the player may see it."""
    at = load_writer_context(payload)
    if at is None:
        return None
    lead = Para(translate(at.locale, "history.lead", what=at.what), strong=True)
    whole = replace(at, told=0)
    return build_reply(
        at,
        payload,
        [lead, Heading(translate(at.locale, "history")), *sections.story(whole, 2_000)[1:], sections.log_head(at)],
    )
