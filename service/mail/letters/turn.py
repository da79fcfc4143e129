"""Letters about a running match: your turn, reminders, orders dropped."""

from __future__ import annotations

import json

from service.db.connection import rows
from service.i18n.catalogue import capitalise, join_items, msg, quote, render, translate
from service.mail.letters import sections
from service.mail.letters.blocks import Block, Letter, Para, ReplyPurpose
from service.mail.letters.context import LetterContext, SeatContext, load_seat
from service.play import submissions


def compose_match_begun(context: LetterContext) -> Letter | None:
    """Compose the email that a match has begun, for players who waited. None once they are asked or have moved."""
    seat = context.own_seat
    if seat is None or seat.asked is not None or seat.match_state.own[seat.number]:
        return None
    if seat.match_state.state.over or seat.letter_mode == "none":
        return None
    locale = seat.locale
    blocks: list[Block] = [
        sections.reply_line(locale),
        Para(capitalise(translate(locale, "begun.lead", what=seat.match_phrase)), strong=True),
        Para(translate(locale, "begun.next")),
        *_position_blocks(seat),
    ]
    return build_match_letter(seat, "begun", translate(locale, "begun.subject", what=seat.match_phrase), blocks)


def compose_turn(context: LetterContext) -> Letter | None:
    """The letter about a turn; nothing if the question no longer stands or the seat wants no such letter."""
    seat = context.asked_seat
    if seat is None or seat.letter_mode not in ("turn", "digest"):
        return None
    others = any(player for number, player in enumerate(seat.match_state.players) if number != seat.number)
    begins = others and not seat.told_seq and not seat.match_state.own[seat.number]
    return build_question_letter(
        seat,
        "turn",
        translate(seat.locale, "turn.subject", what=seat.subject_phrase),
        translate(seat.locale, "turn.begun" if begins else "turn.lead", what=seat.match_phrase),
    )


def compose_reminder(context: LetterContext) -> Letter | None:
    """The reminder that it is still their turn, or that hardly any time is left."""
    seat = context.asked_seat
    if seat is None or seat.letter_mode == "none":
        return None
    kind = "urgent" if context.kind == "urgent" else "reminder"
    subject = translate(seat.locale, f"{kind}.subject", what=seat.subject_phrase)
    lead = translate(seat.locale, f"{kind}.lead", what=seat.match_phrase)
    return build_question_letter(seat, kind, subject, lead)


def build_question_letter(seat: SeatContext, kind: str, subject: str, lead: str, *before: Block) -> Letter:
    """A letter that ends in the seat's question."""
    locale = seat.locale
    blocks: list[Block] = [
        sections.reply_line(locale),
        Para(capitalise(lead), strong=True),
        *before,
        sections.clock(seat),
    ]
    return build_match_letter(seat, kind, subject, [*blocks, *_position_blocks(seat)])


def _position_blocks(seat: SeatContext) -> list[Block]:
    """What happened and how it stands, to the end of a letter."""
    return [
        *sections.story(seat),
        *sections.notes(seat),
        *sections.board(seat),
        *sections.moves(seat),
        *sections.arbiter(seat.arbiter, seat.locale),
        sections.log_head(seat),
    ]


def build_match_letter(seat: SeatContext, kind: str, subject: str, blocks: list[Block], answers: str = "") -> Letter:
    """A letter about a match to one of its seats, which can be answered."""
    return Letter(
        kind=kind,
        to=seat.to,
        subject=subject,
        blocks=tuple(blocks),
        match=seat.match,
        seat=seat.number,
        seq=seat.match_state.seq,
        reply_purpose=ReplyPurpose("turn", seat.match_state.seq if seat.asked is None else seat.asked),
        scope="match",
        preview=sections.preview(seat) if seat.asked is not None else "",
        in_reply_to=answers,
        viewers=(seat.viewer,),
    )


def compose_orders_dropped(context: LetterContext) -> Letter | None:
    """The letter about orders that waited and could not be made."""
    sql = "select match, seat, player, body, made, total, why, reason from submission where id = ?"
    found = rows(sql, context.payload["submission"])
    seat = load_seat(found[0][0], found[0][1]) if found else None
    if seat is None or seat.to.player != found[0][2]:
        return None
    body, made, total, why, stored = found[0][3:]
    locale, rest = seat.locale, json.loads(body)["lines"][made:]
    blocks: list[Block] = [
        sections.reply_line(locale),
        Para(capitalise(translate(locale, "dropped.lead", what=seat.match_phrase)), strong=True),
    ]
    blocks += [Para(translate(locale, "dropped.made", made=made, total=total))]
    if rest:
        reason = submissions.load_reason(stored) or why.removeprefix(f"{rest[0]}: ")
        blocks.append(Para(translate(locale, "dropped.line", line=rest[0])))
        blocks.append(Para(render(msg("dropped.why", why=reason), locale)))
    if rest[1:]:
        also = join_items(locale, [quote(locale, line) for line in rest[1:]])
        blocks.append(Para(translate(locale, "dropped.also", lines=also)))
    if seat.asked is not None:
        blocks.append(sections.clock(seat))
    blocks += _position_blocks(seat)
    return build_match_letter(seat, "dropped", translate(locale, "dropped.subject", what=seat.subject_phrase), blocks)
