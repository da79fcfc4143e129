"""Answers to a player's own letters about moves: understood, held, taken back, refused, out of date."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from engine.words import Locale
from service.db.models.matches import MatchRow
from service.i18n import dates
from service.i18n.catalogue import has_text, join_items, load_message, msg, quote, render, translate, translate_count
from service.mail.letters import digest, sections
from service.mail.letters.blocks import Block, Heading, Letter, Para, ReplyPurpose
from service.mail.letters.context import LetterContext, Payload, SeatContext
from service.mail.letters.sections import receipt
from service.mail.letters.turn import build_match_letter
from service.play import submissions

MOST_QUOTED = 200
MOST_NUMBERED = 600
"""In how many options a line is looked up for its number."""
REASONS_WITH_DETAIL = frozenset(
    "booking entering new note not-listed position rematch tournament-entry tournament-withdraw tournament-bye "
    "tournament-challenge tournament-rule".split()
)
"""Refusals whose reason says more than their sentence, in whatever language it is."""


REPLY_PREFIXES = re.compile(r"^(?:(?:re|ré|rép|aw|sv|antw|tr|fwd?)\s?(?:\[\d+\])?\s?:\s*)+", re.IGNORECASE)
"""What mail programs put before a subject; one is enough."""


class MatchNotResolved(Exception):
    """What came of a move is not known yet: the letter is written a moment later."""


def require_resolved(match: str) -> None:
    """Raise `MatchNotResolved` until the worker has played the match on as far as it goes by itself."""
    unresolved = (MatchRow.id == match) & (MatchRow.resolved_seq < MatchRow.head_seq)
    if MatchRow.select().where(unresolved).exists():
        raise MatchNotResolved(match)


def reply_subject(context: LetterContext, otherwise: str) -> str:
    """The subject of an answer: that of the letter it answers."""
    given = REPLY_PREFIXES.sub("", " ".join((context.payload.get("subject") or "").split()), count=1)
    return f"Re: {given}" if given else otherwise


def build_reply(seat: SeatContext, context: LetterContext, blocks: list[Block]) -> Letter:
    """An answer about a match, under the line above which the next one is written."""
    label = context.payload.get("label") or ""
    which: list[Block] = (
        [Para(translate(seat.locale, "digest.match", letter=label, what=seat.match_phrase))] if label else []
    )
    otherwise = translate(seat.locale, "turn.subject", what=seat.subject_phrase)
    whole = [sections.reply_line(seat.locale), *blocks[:1], *which, *blocks[1:]]
    letter = build_match_letter(seat, context.kind, reply_subject(context, otherwise), whole, context.in_reply_to)
    first = next((block.words for block in blocks if isinstance(block, Para)), "")
    return replace(letter, preview=f"{label}. {first}" if label else first)


def quote_lines(locale: Locale, lines: Sequence[str]) -> str:
    """Lines in quotation marks, in one phrase."""
    return join_items(locale, [quote(locale, line[:MOST_QUOTED]) for line in lines])


def position_blocks(seat: SeatContext, *, drawn: bool = True) -> list[Block]:
    """How it stands: the time, the table, and the moves or who is asked."""
    clock = [sections.clock(seat)] if seat.asked is not None else []
    return [*clock, *sections.notes(seat), *sections.board(seat, drawn=drawn), *sections.moves(seat)]


def compose_moves_made(context: LetterContext) -> Letter | None:
    """The answer to moves: as they were understood, and what came of them."""
    require_resolved(context.payload["match"])
    seat = context.own_seat
    if seat is None:
        return None
    locale, made = seat.locale, context.payload["made"]
    unfinished = bool(made) and is_turn_unfinished(seat)
    key = "unfinished.lead" if unfinished else "understood.lead" if made else "understood.none"
    blocks: list[Block] = [Para(translate(locale, key), strong=True)]
    if made:
        blocks.append(Para(translate(locale, "understood.made", lines=quote_lines(locale, made))))
    blocks += _remaining_blocks(seat, context.payload)
    if unfinished:
        blocks += _next_line_blocks(seat)
    blocks += sections.story(seat, heading=translate(locale, "understood.came"))
    blocks += sections.notes(seat) + sections.board(seat) if unfinished else position_blocks(seat)
    blocks += [*receipt(context.payload["receipt"], locale), sections.log_head(seat)]
    letter = build_reply(seat, context, blocks)
    if not made:
        return letter
    subject = ("unfinished.subject", seat.subject_phrase) if unfinished else ("understood.subject", seat.played_phrase)
    return replace(letter, subject=translate(locale, subject[0], what=subject[1]))


def is_turn_unfinished(seat: SeatContext) -> bool:
    """Whether the seat made the last line of the table and is asked for another."""
    return seat.asked is not None and seat.match_state.own[seat.number] == max(seat.match_state.own)


def _next_line_blocks(seat: SeatContext) -> list[Block]:
    """The lines that finish a turn, at the head of a letter."""
    alone = len(seat.options) == 1 and not seat.signed_only
    hint: list[Block] = [Para(translate(seat.locale, "unfinished.auto"))] if alone else []
    return [*sections.moves(seat), *hint, sections.clock(seat)]


def _remaining_blocks(seat: SeatContext, payload: Payload) -> list[Block]:
    """What became of the lines that were not made at once, as far as it still holds."""
    locale, blocks = seat.locale, list[Block]()
    waiting = len(submissions.list_waiting_lines(seat.match, seat.number)) if payload.get("waiting") else 0
    if waiting:
        blocks.append(Para(translate_count(locale, "understood.waiting", waiting)))
    if payload.get("dropped"):
        blocks.append(Para(translate(locale, "understood.dropped", lines=quote_lines(locale, payload["dropped"]))))
        reason = load_message(payload.get("message")) or (payload.get("why") or "").rpartition(": ")[2]
        blocks += [Para(render(msg("dropped.why", why=reason), locale))] if reason else []
    return blocks


def compose_moves_held(context: LetterContext) -> Letter | None:
    """The answer to moves that count later, or only after a yes, because of the words beside them."""
    seat = context.own_seat
    if seat is None:
        return None
    locale, until = seat.locale, context.payload["until"]
    words = quote_lines(locale, context.payload["beside"])
    lines = describe_lines(seat, context.payload["lines"])
    if until is not None:
        moment = dates.format_moment(until, seat.to.zone, locale)
        key = "held.beside" if words else "held.lines"
        blocks: list[Block] = [
            Para(translate(locale, "held.lead", moment=moment), strong=True),
            Para(translate(locale, key, words=words, lines=lines, moment=moment)),
            Para(translate(locale, "held.how")),
        ]
        return build_reply(seat, context, [*blocks, *sections.board(seat), sections.log_head(seat)])
    key = "asked.beside" if words else "asked.replaced"
    blocks = [
        Para(translate(locale, "asked.lead"), strong=True),
        Para(translate(locale, key, words=words, lines=lines)),
        Para(translate(locale, "asked.how", lines=lines)),
        Para(sections.time_left(seat)),
    ]
    letter = build_reply(seat, context, [*blocks, *position_blocks(seat), sections.log_head(seat)])
    asked = seat.match_state.seq if seat.asked is None else seat.asked
    payload = {"verb": "move", "waiting": context.payload["waiting"]}
    return replace(letter, reply_purpose=ReplyPurpose("sure", asked, payload))


def describe_lines(seat: SeatContext, lines: Sequence[str]) -> str:
    """Return lines as the menu shows them, the first with its number: `3 (Lay green 4)`."""
    listed = enumerate(islice(seat.options, MOST_NUMBERED), 1)
    first = next(((number, option) for number, option in listed if option.line == lines[0]), None)
    said = [quote(seat.locale, line) for line in lines]
    if first is not None:
        said[0] = f"{first[0]} ({seat.viewer.game.presentation.say(seat.view, first[1], seat.locale)})"
    return join_items(seat.locale, said)


def compose_moves_undone(context: LetterContext) -> Letter | None:
    """The answer to `undo`: what was taken back."""
    seat = context.own_seat
    if seat is None:
        return None
    blocks: list[Block] = [
        Para(translate(seat.locale, "undone.lead" if context.payload["lines"] else "undone.nothing"), strong=True)
    ]
    if context.payload["lines"]:
        blocks.append(
            Para(translate(seat.locale, "undone.lines", lines=quote_lines(seat.locale, context.payload["lines"])))
        )
    return build_reply(seat, context, [*blocks, *position_blocks(seat), sections.log_head(seat)])


def compose_refusal(context: LetterContext) -> Letter | None:
    """The answer to what could not be done: what was wrong, and the list again."""
    seat = context.own_seat
    to = seat.to if seat is not None else context.to
    if to is None:
        return None
    own = f"refused.lead.{context.payload['reason']}"
    what = translate(
        to.locale, own if has_text(to.locale, own) else "refused.lead" if seat is not None else "refused.general"
    )
    lead: list[Block] = [Para(what, strong=True), *_refusal_blocks(context.payload, to.locale)]
    lead += [Para(translate(to.locale, "refused.last"))] if context.payload.get("last") else []
    if seat is not None:
        return build_reply(seat, context, [*lead, *position_blocks(seat), sections.log_head(seat)])
    words = reply_subject(context, what.rstrip("."))
    again = digest.compose_digest(context) if context.payload["reason"] == "label" else None
    if again is not None:
        blocks = (again.blocks[0], *lead, *again.blocks[2:])
        return replace(
            again, kind="refused", subject=words, blocks=blocks, in_reply_to=context.in_reply_to, preview=what
        )
    letter = Letter("refused", to, words, tuple(lead), scope="all", in_reply_to=context.in_reply_to)
    if context.payload["reason"] != "left":
        return letter
    blocks = (sections.reply_line(to.locale), *lead)
    return replace(
        letter,
        blocks=blocks,
        match=context.payload["match"],
        seat=context.payload["seat"],
        reply_purpose=ReplyPurpose("turn"),
    )


def _refusal_blocks(payload: Payload, locale: Locale) -> list[Block]:
    text = quote(locale, " ".join(str(payload.get("text") or "").split())[:MOST_QUOTED])
    sentence = f"refused.{payload['reason']}"
    blocks: list[Block] = []
    if has_text(locale, sentence):
        blocks.append(Para(translate(locale, sentence, text=text)))
    elif payload.get("text"):
        blocks.append(Para(translate(locale, "refused.other", text=text)))
    if payload.get("meant") and payload["reason"] not in ("invitation", "label"):
        lines = join_items(locale, [quote(locale, line) for line in payload["meant"]], "or")
        key = f"refused.meant.{payload['reason']}"
        blocks.append(Para(translate(locale, key if has_text(locale, key) else "refused.meant", lines=lines)))
    told = locale == "en" or payload["reason"] in REASONS_WITH_DETAIL or not has_text(locale, sentence)
    if payload.get("why") and told:
        why = load_message(payload.get("message")) or payload["why"]
        blocks.append(Para(render(msg("refused.why", why=why), locale)))
    return blocks


def compose_question_changed(context: LetterContext) -> Letter | None:
    """The answer to a question that has changed: the present one."""
    seat = context.own_seat
    if seat is None:
        return None
    text = quote(seat.locale, " ".join(str(context.payload.get("text") or "").split())[:MOST_QUOTED])
    blocks: list[Block] = [
        Para(translate(seat.locale, "stale.lead"), strong=True),
        Para(translate(seat.locale, "stale.text", text=text)),
    ]
    return build_reply(seat, context, [*blocks, *sections.story(seat), *position_blocks(seat), sections.log_head(seat)])


def compose_board(context: LetterContext) -> Letter | None:
    """The answer to `board`: the table as it stands."""
    seat = context.own_seat
    if seat is None:
        return None
    lead = Para(translate(seat.locale, "board.lead", what=seat.match_phrase), strong=True)
    return build_reply(seat, context, [lead, *sections.story(seat), *position_blocks(seat), sections.log_head(seat)])


def compose_seat_back(context: LetterContext) -> Letter | None:
    """The answer to who took their seat back."""
    require_resolved(context.payload["match"])
    seat = context.own_seat
    if seat is None:
        return None
    lead = Para(translate(seat.locale, "back.lead"), strong=True)
    return build_reply(seat, context, [lead, *sections.story(seat), *position_blocks(seat), sections.log_head(seat)])


def compose_resign_question(context: LetterContext) -> Letter | None:
    """The answer to `resign`: whether they are sure."""
    seat = context.own_seat
    if seat is None:
        return None
    blocks: list[Block] = [
        Para(translate(seat.locale, "resign.lead"), strong=True),
        Para(translate(seat.locale, "resign.how", what=seat.match_phrase)),
    ]
    letter = build_reply(seat, context, [*blocks, sections.log_head(seat)])
    asked = seat.match_state.seq if seat.asked is None else seat.asked
    return replace(
        letter, reply_purpose=ReplyPurpose("sure", asked, {"verb": "resign", "waiting": context.payload["waiting"]})
    )


def compose_resigned(context: LetterContext) -> Letter | None:
    """The answer to who gave up their seat."""
    seat = context.own_seat
    to = seat.to if seat is not None else context.to
    if to is None:
        return None
    blocks: list[Block] = [Para(translate(to.locale, "resigned.lead"), strong=True)]
    blocks += receipt(context.payload["receipt"], to.locale)
    if seat is not None:
        return build_reply(seat, context, [*blocks, sections.log_head(seat)])
    words = reply_subject(context, translate(to.locale, "resigned.lead"))
    more: dict[str, Any] = {"match": context.payload["match"], "scope": "all", "in_reply_to": context.in_reply_to}
    return Letter("resigned", to, words, tuple(blocks), **more)


def compose_history(context: LetterContext) -> Letter | None:
    """The answer to `history`: everything that happened, as the player may see it."""
    seat = context.own_seat
    if seat is None:
        return None
    lead = Para(translate(seat.locale, "history.lead", what=seat.match_phrase), strong=True)
    whole = replace(seat, told_seq=0)
    return build_reply(
        seat,
        context,
        [lead, Heading(translate(seat.locale, "history")), *sections.story(whole, 2_000)[1:], sections.log_head(seat)],
    )
