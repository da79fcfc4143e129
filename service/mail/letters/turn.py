"""Emails about a running match: it has begun, your turn, reminders, orders dropped."""

from __future__ import annotations

import json
from collections.abc import Sequence

from service.db.connection import rows
from service.i18n.catalogue import capitalise, join_items, msg, quote, render, translate
from service.jobs.payloads import QuestionLetter
from service.mail.job_payloads import receipt_key
from service.mail.letters import sections
from service.mail.letters.blocks import Block, Letter, Para, ReplyPurpose
from service.mail.letters.context import LetterContext, SeatContext, load_seat
from service.mail.letters.registry import letter, seat_letter
from service.play import submissions
from service.play.job_payloads import BegunLetter, DroppedLetter, ReminderLetter, TurnLetter, UrgentLetter


@seat_letter(BegunLetter)
def compose_match_begun(context: LetterContext[BegunLetter], seat: SeatContext) -> Letter | None:
    """Compose the email that a match has begun, for players who waited. None once they are asked or have moved."""
    if seat.asked is not None or seat.match_state.own[seat.number] or seat.match_state.state.over:
        return None
    if seat.letter_mode == "none":
        return None
    locale = seat.locale
    blocks: list[Block] = [
        Para(capitalise(translate(locale, "begun.lead", what=seat.match_phrase)), strong=True),
        Para(translate(locale, "begun.next")),
        *_position_blocks(seat),
    ]
    return build_match_letter(seat, context.job.kind, blocks)


@letter(TurnLetter)
def compose_turn(context: LetterContext[TurnLetter]) -> Letter | None:
    """Compose the email about a turn. None if the question was answered or the seat wants no such email."""
    seat = context.asked_seat
    if seat is None or seat.letter_mode not in ("turn", "digest"):
        return None
    others = any(player for number, player in enumerate(seat.match_state.players) if number != seat.number)
    begins = others and not seat.told_seq and not seat.match_state.own[seat.number]
    return build_question_letter(
        seat,
        context.job.kind,
        translate(seat.locale, "turn.begun" if begins else "turn.lead", what=seat.match_phrase),
    )


@letter(ReminderLetter, UrgentLetter)
def compose_reminder(context: LetterContext[QuestionLetter]) -> Letter | None:
    """Compose the reminder that it is still their turn, or that hardly any time is left."""
    seat = context.asked_seat
    if seat is None or seat.letter_mode == "none":
        return None
    kind = context.job.kind
    return build_question_letter(seat, kind, translate(seat.locale, f"{kind}.lead", what=seat.match_phrase))


def build_question_letter(seat: SeatContext, kind: str, lead: str, *before: Block) -> Letter:
    """Build an email that ends with the seat's question."""
    blocks: list[Block] = [
        Para(capitalise(lead), strong=True),
        *sections.task(seat),
        *before,
        sections.clock(seat),
    ]
    return build_match_letter(seat, kind, [*blocks, *_position_blocks(seat)])


def _position_blocks(seat: SeatContext) -> list[Block]:
    """Return what happened and how it stands, the end of an email."""
    return [
        *sections.story(seat),
        *sections.notes(seat),
        *sections.board(seat),
        *sections.moves(seat),
        *sections.arbiter(seat.arbiter, seat.locale),
    ]


def build_match_letter(seat: SeatContext, kind: str, blocks: Sequence[Block], answers: str = "") -> Letter:
    """Build an email about a match to one of its seats, which can be answered.

    All emails of a match have the same subject, so that mail programs show them as one conversation. Its first words,
    which lists of emails show beside the subject, tell the state of the match.
    """
    lead = next((block.words for block in blocks if isinstance(block, Para)), "")
    return Letter(
        kind=kind,
        to=seat.to,
        subject=capitalise(seat.match_phrase),
        blocks=(*blocks, sections.log_head(seat)),
        match=seat.match,
        seat=seat.number,
        seq=seat.match_state.seq,
        reply_purpose=ReplyPurpose("turn", seat.match_state.seq if seat.asked is None else seat.asked),
        scope="match",
        preview=" ".join(filter(None, (lead, seat.task, sections.time_left(seat)))) if seat.asked is not None else lead,
        in_reply_to=answers,
        viewers=(seat.viewer,),
        receipt_key=receipt_key(seat.match, seat.number, seat.match_state.own[seat.number]),
    )


@letter(DroppedLetter)
def compose_orders_dropped(context: LetterContext[DroppedLetter]) -> Letter | None:
    """Compose the email about orders that could not be carried out."""
    sql = "select match, seat, player, body, made, total, why, reason from submission where id = ?"
    submitted = rows(sql, context.job.submission)
    if not submitted:
        return None
    match, number, player, body, made, total, why, stored = submitted[0]
    seat = load_seat(match, number)
    if seat is None or seat.to.player != player:
        return None
    locale, rest = seat.locale, json.loads(body)["lines"][made:]
    blocks: list[Block] = [
        Para(capitalise(translate(locale, "dropped.lead", what=seat.match_phrase)), strong=True),
    ]
    blocks.append(Para(translate(locale, "dropped.made", made=made, total=total)))
    if rest:
        reason = submissions.load_reason(stored) or why.removeprefix(f"{rest[0]}: ")
        blocks.append(Para(translate(locale, "dropped.line", line=rest[0])))
        blocks.append(Para(render(msg("dropped.why", why=reason), locale)))
    if rest[1:]:
        also = join_items(locale, [quote(locale, line) for line in rest[1:]])
        blocks.append(Para(translate(locale, "dropped.also", lines=also)))
    if seat.asked is not None:
        blocks += [*sections.task(seat), sections.clock(seat)]
    blocks += _position_blocks(seat)
    return build_match_letter(seat, context.job.kind, blocks)
