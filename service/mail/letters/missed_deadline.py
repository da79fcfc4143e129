"""Letters about a deadline that passed: to the table, to who was excused, and to who lost the seat by it."""

from __future__ import annotations

from dataclasses import replace

from engine.words import Locale
from service.db.connection import rows
from service.db.models.matches import MatchRow
from service.i18n import dates
from service.i18n.catalogue import capitalise, translate, translate_count
from service.mail.letters import sections
from service.mail.letters.blocks import Block, Letter, Para, ReplyPurpose
from service.mail.letters.context import LetterContext, Payload, SeatContext, load_former_seat, load_seat
from service.mail.letters.turn import build_match_letter, build_question_letter
from service.matches.substitutes import open_seats
from service.play.views import player_names


def compose_missed_deadline(context: LetterContext) -> Letter | None:
    """The letter about a missed deadline: `player` is told, `seat` is late, `outcome` is what follows."""
    if (
        context.payload.get("late") == context.payload["player"]
        and context.payload.get("outcome", "excused") != "excused"
    ):
        return _compose_seat_lost(context)
    sits = rows(
        "select seat from seat where match = ? and player = ?", context.payload["match"], context.payload["player"]
    )
    seat = load_seat(context.payload["match"], sits[0][0]) if sits else None
    if seat is None or seat.letter_mode == "none" or seat.match_state.state.over:
        return None
    if context.payload["seat"] != seat.number:
        return _compose_for_others(seat, context.payload)
    if seat.asked != context.payload["asked"]:
        return None
    subject, lead = (
        translate(seat.locale, f"{_text_prefix(context.payload)}.{part}", what=seat.match_phrase)
        for part in ("subject", "you")
    )
    return build_question_letter(seat, "late", subject, lead, *_excuse_blocks(context.payload, seat.locale))


def _text_prefix(payload: Payload) -> str:
    """The words for a deadline that just passed, or for the days after it, which count no excuse any more."""
    return "late" if "excuses" in payload else "still"


def _compose_for_others(seat: SeatContext, payload: Payload) -> Letter:
    """The letter to the others at the table: who is late, and what follows."""
    locale, outcome, player = seat.locale, payload.get("outcome", "excused"), payload.get("late")
    who = player_names([player], locale)[player] if player else seat.names[payload["seat"]]
    blocks: list[Block] = [sections.reply_line(locale)]
    stage = _text_prefix(payload)
    blocks.append(Para(capitalise(translate(locale, f"{stage}.other", who=who, what=seat.match_phrase)), strong=True))
    blocks += _deadline_blocks(seat, payload, stage)
    blocks += _excuse_blocks(payload, locale) if outcome == "excused" else [Para(translate(locale, f"late.{outcome}"))]
    subject = translate(locale, f"{stage}.subject", what=seat.match_phrase)
    return build_match_letter(
        seat, "late", subject, [*blocks, *sections.story(seat), *sections.notes(seat), sections.log_head(seat)]
    )


def _compose_seat_lost(context: LetterContext) -> Letter | None:
    """The letter to who sat there: what became of the seat, and what they can still do."""
    payload, outcome = context.payload, context.payload["outcome"]
    seat = load_former_seat(payload["match"], payload["seat"], payload["player"])
    if seat is None or seat.letter_mode == "none" or not seat.match_state.bots[seat.number]:
        return None
    locale, match = seat.locale, MatchRow.get_by_id(payload["match"])
    blocks: list[Block] = [sections.reply_line(locale)]
    blocks.append(Para(capitalise(translate(locale, "late.you", what=seat.match_phrase)), strong=True))
    blocks += [
        *_deadline_blocks(seat, payload),
        Para(translate(locale, f"lost.{outcome}", bot=seat.names[seat.number])),
    ]
    back = seat.number in open_seats(match, seat.match_state, payload["player"])
    more = {"address": context.config.mail_from, "game": match.game}
    blocks.append(Para(translate(locale, f"lost.back.{outcome}") if back else translate(locale, "lost.again", **more)))
    letter = build_match_letter(
        seat, "late", translate(locale, "late.subject", what=seat.match_phrase), [*blocks, sections.log_head(seat)]
    )
    # Whatever the seat is asked now is not for this reader.
    return replace(letter, reply_purpose=ReplyPurpose("turn", seat.match_state.seq), preview="", viewers=())


def _deadline_blocks(seat: SeatContext, payload: Payload, stage: str = "late") -> list[Block]:
    if not payload.get("due"):
        return []
    return [
        Para(
            translate(
                seat.locale, f"{stage}.when", moment=dates.format_moment(payload["due"], seat.to.zone, seat.locale)
            )
        )
    ]


def _excuse_blocks(payload: Payload, locale: Locale) -> list[Block]:
    """What is left of the excuses, where that was counted."""
    if "excuses" not in payload:
        return []
    left = payload["excuses"]
    return [Para(translate_count(locale, "late.excused", left) if left else translate(locale, "late.excused.last"))]
