"""Emails about a missed deadline: to the others, to a player who was excused, and to one who lost the seat."""

from __future__ import annotations

from dataclasses import replace

from engine.words import Locale
from service.db.connection import rows
from service.db.models.matches import MatchRow
from service.i18n import dates
from service.i18n.catalogue import capitalise, translate, translate_count
from service.mail.letters import sections
from service.mail.letters.blocks import Block, Letter, Para, ReplyPurpose
from service.mail.letters.context import LetterContext, SeatContext, load_former_seat, load_seat
from service.mail.letters.registry import letter
from service.mail.letters.turn import build_match_letter, build_question_letter
from service.matches.substitutes import open_seats
from service.play.job_payloads import LateLetter
from service.play.views import player_names


@letter(LateLetter)
def compose_missed_deadline(context: LetterContext[LateLetter]) -> Letter | None:
    """Compose the email about a missed deadline, for whoever was late or for the others."""
    job = context.job
    if job.late == job.player and job.outcome != "excused":
        return _compose_seat_lost(context)
    sits = rows("select seat from seat where match = ? and player = ?", job.match, job.player)
    seat = load_seat(job.match, sits[0][0]) if sits else None
    if seat is None or seat.letter_mode == "none" or seat.match_state.state.over:
        return None
    if job.seat != seat.number:
        return _compose_for_others(seat, job)
    if seat.asked != job.asked:
        return None
    lead = translate(seat.locale, f"{_text_prefix(job)}.you", what=seat.match_phrase)
    return build_question_letter(seat, job.kind, lead, *_excuse_blocks(job, seat.locale))


def _text_prefix(job: LateLetter) -> str:
    """Return which texts to use: for a deadline that just passed, or for the days after it."""
    return "still" if job.excuses is None else "late"


def _compose_for_others(seat: SeatContext, job: LateLetter) -> Letter:
    """Compose the email that tells the other players who is late, and the consequence."""
    locale, prefix, what = seat.locale, _text_prefix(job), seat.match_phrase
    who = player_names([job.late], locale)[job.late] if job.late else seat.names[job.seat]
    excused = job.outcome == "excused"
    blocks: list[Block] = [
        Para(capitalise(translate(locale, f"{prefix}.other", who=who, what=what)), strong=True),
        *_deadline_blocks(seat, job, prefix),
        *(_excuse_blocks(job, locale) if excused else [Para(translate(locale, f"late.{job.outcome}"))]),
        *sections.story(seat),
        *sections.notes(seat),
    ]
    return build_match_letter(seat, job.kind, blocks)


def _compose_seat_lost(context: LetterContext[LateLetter]) -> Letter | None:
    """Compose the email to the player who lost the seat: who plays it now, and what they can still do."""
    job = context.job
    seat = load_former_seat(job.match, job.seat, job.player)
    if seat is None or seat.letter_mode == "none" or not seat.match_state.bots[seat.number]:
        return None
    locale, what, match = seat.locale, seat.match_phrase, MatchRow.get_by_id(job.match)
    lead = capitalise(translate(locale, "late.you", what=what))
    if seat.number in open_seats(match, seat.match_state, job.player):
        back = translate(locale, f"lost.back.{job.outcome}")
    else:
        back = translate(locale, "lost.again", address=context.config.mail_from, game=match.game)
    blocks: list[Block] = [
        Para(lead, strong=True),
        *_deadline_blocks(seat, job, "late"),
        Para(translate(locale, f"lost.{job.outcome}", bot=seat.names[seat.number])),
        Para(back),
    ]
    composed = build_match_letter(seat, job.kind, blocks)
    # The question that the seat is asked now is not for this reader.
    return replace(composed, reply_purpose=ReplyPurpose("turn", seat.match_state.seq), preview=lead, viewers=())


def _deadline_blocks(seat: SeatContext, job: LateLetter, prefix: str) -> list[Block]:
    if not job.due:
        return []
    moment = dates.format_moment(job.due, seat.to.zone, seat.locale)
    return [Para(translate(seat.locale, f"{prefix}.when", moment=moment))]


def _excuse_blocks(job: LateLetter, locale: Locale) -> list[Block]:
    """Return how many excuses are left, if that was counted."""
    if job.excuses is None:
        return []
    last = translate(locale, "late.excused.last")
    return [Para(translate_count(locale, "late.excused", job.excuses) if job.excuses else last)]
