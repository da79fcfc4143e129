"""Answers to a player's own letters about moves: understood, held, taken back, refused, out of date."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from engine.words import Locale
from service.config import Config
from service.db.connection import rows
from service.i18n import dates as times
from service.i18n.catalogue import counted, known, listed, quoted, say
from service.i18n.legacy.mail_reasons import said
from service.mail.letters import digest
from service.mail.letters import sections as parts
from service.mail.letters.blocks import Answering, Block, Heading, Letter, Para
from service.mail.letters.context import Desk, addressee, desk
from service.mail.letters.sections_receipts import receipt
from service.mail.letters.turn import about

Payload = Mapping[str, Any]
MOST_QUOTED = 200
EXPLAINED = frozenset({"booking", "entering", "new", "note", "not-listed", "rematch"})
"""Refusals whose reason says more than their sentence, in whatever language it is."""


REPLIES = re.compile(r"^(?:(?:re|ré|rép|aw|sv|antw|tr|fwd?)\s?(?:\[\d+\])?\s?:\s*)+", re.IGNORECASE)
"""What mail programs put before a subject; one is enough."""


class NotYet(Exception):
    """What came of a move is not known yet: the letter is written a moment later."""


def resolved(match: str) -> None:
    """Go on only if the worker has played the match on as far as it goes by itself."""
    found = rows("select 1 from match where id = ? and resolved_seq < head_seq", match)
    if found:
        raise NotYet(match)


def at_table(payload: Payload) -> Desk | None:
    """The desk of the player who wrote, if they still sit there."""
    at = desk(payload["match"], payload["seat"]) if payload.get("match") and payload.get("seat") is not None else None
    return at if at is not None and at.to.player == payload["player"] else None


def subject(payload: Payload, otherwise: str) -> str:
    """The subject of an answer: that of the letter it answers."""
    given = REPLIES.sub("", " ".join((payload.get("subject") or "").split()), count=1)
    return f"Re: {given}" if given else otherwise


def answer(at: Desk, payload: Payload, blocks: list[Block]) -> Letter:
    """An answer about a match, under the line above which the next one is written."""
    label = payload.get("label") or ""
    which: list[Block] = [Para(say(at.locale, "digest.match", letter=label, what=at.what))] if label else []
    otherwise = say(at.locale, "turn.subject", what=at.what)
    whole = [parts.above(at.locale), *blocks[:1], *which, *blocks[1:]]
    letter = about(at, payload["kind"], subject(payload, otherwise), whole, payload.get("in_reply_to") or "")
    first = next((block.words for block in blocks if isinstance(block, Para)), "")
    return replace(letter, preview=f"{label}. {first}" if label else first)


def quotes(locale: Locale, lines: Sequence[str]) -> str:
    """Lines in quotation marks, in one phrase."""
    return listed(locale, [quoted(locale, line[:MOST_QUOTED]) for line in lines])


def present(at: Desk, *, drawn: bool = True) -> list[Block]:
    """How it stands: the time, the table, and the moves or who is asked."""
    clock = [parts.clock(at)] if at.asked is not None else []
    return [*clock, *parts.notes(at), *parts.table(at, drawn=drawn), *parts.moves(at)]


def understood(payload: Payload, _config: Config) -> Letter | None:
    """Your move, as understood, and what came of it."""
    resolved(payload["match"])
    at = at_table(payload)
    if at is None:
        return None
    locale, made = at.locale, payload["made"]
    blocks: list[Block] = [Para(say(locale, "understood.lead" if made else "understood.none"), strong=True)]
    if made:
        blocks.append(Para(say(locale, "understood.made", lines=quotes(locale, made))))
    blocks += _rest(payload, locale)
    blocks += parts.story(at, heading=say(locale, "understood.came"))
    blocks += [*present(at), *receipt(payload["receipt"], locale), parts.head(at)]
    return answer(at, payload, blocks)


def _rest(payload: Payload, locale: Locale) -> list[Block]:
    blocks: list[Block] = []
    waiting = payload.get("waiting") or 0
    if waiting:
        blocks.append(Para(counted(locale, "understood.waiting", waiting)))
    if payload.get("dropped"):
        blocks.append(Para(say(locale, "understood.dropped", lines=quotes(locale, payload["dropped"]))))
        reason = (payload.get("why") or "").rpartition(": ")[2]
        blocks += (
            [Para(say(locale, "dropped.why", why=said(locale, reason, say(locale, "why.unlisted"))))] if reason else []
        )
    if payload.get("unread"):
        blocks.append(Para(say(locale, "understood.unread", lines=quotes(locale, payload["unread"]))))
    return blocks


def held(payload: Payload, _config: Config) -> Letter | None:
    """Your move counts later unless you take it back."""
    at = at_table(payload)
    if at is None:
        return None
    locale = at.locale
    until = times.moment(payload["until"], at.to.zone, locale)
    blocks: list[Block] = [
        Para(say(locale, "held.lead"), strong=True),
        Para(say(locale, "held.lines", lines=quotes(locale, payload["lines"]))),
        Para(say(locale, "held.until", moment=until)),
    ]
    if payload.get("unread"):
        blocks.append(Para(say(locale, "understood.unread", lines=quotes(locale, payload["unread"]))))
    return answer(at, payload, [*blocks, *parts.table(at), parts.head(at)])


def undone(payload: Payload, _config: Config) -> Letter | None:
    """Your move is taken back."""
    at = at_table(payload)
    if at is None:
        return None
    blocks: list[Block] = [Para(say(at.locale, "undone.lead" if payload["lines"] else "undone.nothing"), strong=True)]
    if payload["lines"]:
        blocks.append(Para(say(at.locale, "undone.lines", lines=quotes(at.locale, payload["lines"]))))
    return answer(at, payload, [*blocks, *present(at), parts.head(at)])


def refused(payload: Payload, config: Config) -> Letter | None:
    """Nothing was made: what was wrong, and the list again."""
    at = at_table(payload)
    to = at.to if at is not None else addressee(payload["player"])
    if to is None:
        return None
    what = say(to.locale, "refused.lead" if at is not None else "refused.general")
    lead: list[Block] = [Para(what, strong=True), *_wrong(payload, to.locale)]
    if at is not None:
        return answer(at, payload, [*lead, *present(at), parts.head(at)])
    words = subject(payload, what.rstrip("."))
    again = digest.digest(payload, config) if payload["reason"] == "label" else None
    if again is not None:
        blocks = (again.blocks[0], *lead, *again.blocks[2:])
        answers = payload.get("in_reply_to") or ""
        return replace(again, kind="refused", subject=words, blocks=blocks, answers=answers, preview=what)
    letter = Letter("refused", to, words, tuple(lead), scope="all", answers=payload.get("in_reply_to") or "")
    if payload["reason"] != "left":
        return letter
    blocks = (parts.above(to.locale), *lead)
    return replace(letter, blocks=blocks, match=payload["match"], seat=payload["seat"], answering=Answering("turn"))


def _wrong(payload: Payload, locale: Locale) -> list[Block]:
    text = quoted(locale, " ".join(str(payload.get("text") or "").split())[:MOST_QUOTED])
    key = f"refused.{payload['reason']}"
    blocks: list[Block] = []
    if known(locale, key):
        blocks.append(Para(say(locale, key, text=text)))
    elif payload.get("text"):
        blocks.append(Para(say(locale, "refused.other", text=text)))
    if payload.get("meant") and payload["reason"] not in ("invitation", "label"):
        lines = listed(locale, [quoted(locale, line) for line in payload["meant"]], "or")
        blocks.append(Para(say(locale, "refused.meant", lines=lines)))
    if payload.get("why") and (locale == "en" or payload["reason"] in EXPLAINED or not known(locale, key)):
        blocks.append(Para(say(locale, "refused.why", why=said(locale, payload["why"]))))
    return blocks


def stale(payload: Payload, _config: Config) -> Letter | None:
    """The question has changed; this is the present one."""
    at = at_table(payload)
    if at is None:
        return None
    text = quoted(at.locale, " ".join(str(payload.get("text") or "").split())[:MOST_QUOTED])
    blocks: list[Block] = [
        Para(say(at.locale, "stale.lead"), strong=True),
        Para(say(at.locale, "stale.text", text=text)),
    ]
    return answer(at, payload, [*blocks, *parts.story(at), *present(at), parts.head(at)])


def board(payload: Payload, _config: Config) -> Letter | None:
    """The table as it stands."""
    at = at_table(payload)
    if at is None:
        return None
    lead = Para(say(at.locale, "board.lead", what=at.what), strong=True)
    return answer(at, payload, [lead, *parts.story(at), *present(at), parts.head(at)])


def back(payload: Payload, _config: Config) -> Letter | None:
    """The seat is yours again."""
    resolved(payload["match"])
    at = at_table(payload)
    if at is None:
        return None
    lead = Para(say(at.locale, "back.lead"), strong=True)
    return answer(at, payload, [lead, *parts.story(at), *present(at), parts.head(at)])


def resign(payload: Payload, _config: Config) -> Letter | None:
    """Asks whether you are sure."""
    at = at_table(payload)
    if at is None:
        return None
    blocks: list[Block] = [
        Para(say(at.locale, "resign.lead"), strong=True),
        Para(say(at.locale, "resign.how", what=at.what)),
    ]
    return answer(at, payload, [*blocks, parts.head(at)])


def resigned(payload: Payload, _config: Config) -> Letter | None:
    """You gave up your seat."""
    at = at_table(payload)
    to = at.to if at is not None else addressee(payload["player"])
    if to is None:
        return None
    blocks: list[Block] = [Para(say(to.locale, "resigned.lead"), strong=True)]
    blocks += receipt(payload["receipt"], to.locale)
    if at is not None:
        return answer(at, payload, [*blocks, parts.head(at)])
    words = subject(payload, say(to.locale, "resigned.lead"))
    more: dict[str, Any] = {"match": payload["match"], "scope": "all", "answers": payload.get("in_reply_to") or ""}
    return Letter("resigned", to, words, tuple(blocks), **more)


def history(payload: Payload, _config: Config) -> Letter | None:
    """Everything that happened, as the player may see it."""
    at = at_table(payload)
    if at is None:
        return None
    lead = Para(say(at.locale, "history.lead", what=at.what), strong=True)
    whole = replace(at, told=0)
    return answer(
        at, payload, [lead, Heading(say(at.locale, "history")), *parts.story(whole, 2_000)[1:], parts.head(at)]
    )
