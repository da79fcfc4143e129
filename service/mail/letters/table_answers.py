"""Emails about a match other than moves: waiting orders, offers, notes, earlier positions, preferences."""

from __future__ import annotations

import json
from dataclasses import replace

from engine.game import HOUSE, apply, final_scores, show_totals
from engine.house import End
from engine.lookahead import HIDDEN
from service.db.models.matches import OfferRow
from service.i18n.catalogue import capitalise, join_items, quote, translate
from service.mail.job_payloads import (
    AgreeQuestionAnswer,
    AutoAnswer,
    MutedAnswer,
    OrdersAnswer,
    PositionAnswer,
    PreviewAnswer,
    ProposedAnswer,
)
from service.mail.letters import sections
from service.mail.letters.blocks import Addressee, Block, Bullets, Heading, Letter, Para
from service.mail.letters.context import LetterContext, SeatContext
from service.mail.letters.match_over import format_points
from service.mail.letters.move_answers import ask_for_certainty, build_account_reply, build_reply, position_blocks
from service.mail.letters.registry import letter, player_letter, seat_letter
from service.mail.letters.turn import build_match_letter
from service.matches import offers
from service.matches.job_payloads import OfferDeclinedLetter, OfferLetter
from service.play import preview
from service.play.job_payloads import NotedLetter
from service.play.match_loader import position_at
from service.problems import Problem
from service.timestamps import now


class LetterNotDue(Exception):
    """An email that is held for a while, in case another one says the same."""

    def __init__(self, due_at: int) -> None:
        super().__init__(due_at)
        self.due_at = due_at


@seat_letter(OrdersAnswer)
def compose_orders(context: LetterContext[OrdersAnswer], seat: SeatContext) -> Letter:
    """Compose the answer about orders: which wait and how to withdraw them, or which were withdrawn."""
    locale, lines, kept = seat.locale, context.job.lines, context.job.kept
    key = ("orders.kept" if kept else "orders.withdrawn") if lines else "orders.none"
    blocks: list[Block] = [Para(translate(locale, key), strong=True)]
    if lines:
        said = [translate(locale, "orders.line", line=_say_alternatives(line, locale)) for line in lines]
        blocks.append(Bullets(tuple(said)))
    if kept or not lines:
        blocks.append(Para(translate(locale, "orders.how" if lines else "orders.write")))
    return build_reply(seat, context.job, [*blocks, *position_blocks(seat)])


def _say_alternatives(line: str, locale: str) -> str:
    return line.replace(" | ", ", sinon " if locale == "fr" else ", else ")


@player_letter(AutoAnswer)
def compose_auto(context: LetterContext[AutoAnswer], to: Addressee) -> Letter:
    """Compose the answer to `auto on` or `off`: whether sole legal moves are made automatically."""
    job, seat, locale = context.job, context.own_seat, to.locale
    blocks: list[Block] = [
        Para(translate(locale, "auto.on" if job.on else "auto.off"), strong=True),
        Para(translate(locale, "letters.everywhere" if job.everywhere else "letters.here")),
    ]
    blocks += [Para(translate(locale, "auto.how"))] if job.on else []
    if seat is not None:
        return build_reply(seat, job, blocks)
    return build_account_reply(to, job, blocks, translate(locale, "auto.subject"))


@seat_letter(MutedAnswer)
def compose_muted(context: LetterContext[MutedAnswer], seat: SeatContext) -> Letter:
    """Compose the answer to `mute`: whether other people's notes are sent."""
    key = "muted.on" if context.job.on else "muted.off"
    return build_reply(seat, context.job, [Para(translate(seat.locale, key), strong=True)])


@seat_letter(PositionAnswer)
def compose_position(context: LetterContext[PositionAnswer], seat: SeatContext) -> Letter:
    """Compose the answer to `position 12`: the table after that entry, as the seat saw it."""
    seq = context.job.at
    then = replace(seat, match_state=position_at(seat.match_state, seq))
    lead = Para(translate(seat.locale, "position.lead", seq=seq, what=seat.match_phrase), strong=True)
    now_stands = Para(translate(seat.locale, "position.now", seq=seat.match_state.seq))
    return build_reply(seat, context.job, [lead, now_stands, *sections.board(then)])


@seat_letter(PreviewAnswer)
def compose_preview(context: LetterContext[PreviewAnswer], seat: SeatContext) -> Letter | None:
    """Compose the answer to `preview`: the table as the lines would leave it. None if they are no longer possible."""
    if seat.asked is None:
        return None
    job, locale = context.job, seat.locale
    try:
        shown = preview.preview_lines(seat.match_state, seat.number, job.lines)
    except Problem:
        return None
    lines = join_items(locale, [quote(locale, line) for line in job.lines])
    blocks: list[Block] = [Para(translate(locale, "preview.lead", lines=lines), strong=True)]
    if shown.then == HIDDEN:
        blocks.append(Para(translate(locale, "preview.hidden")))
    return build_reply(seat, job, [*blocks, *sections.board(replace(seat, match_state=shown.match_state))])


@seat_letter(ProposedAnswer)
def compose_proposed(context: LetterContext[ProposedAnswer], seat: SeatContext) -> Letter:
    """Compose the answer to an offer, or to an answer to one."""
    job = context.job
    key = job.state if job.state != "open" else "sent" if job.own else "agreed"
    blocks: list[Block] = [
        Para(translate(seat.locale, f"proposed.{key}"), strong=True),
        *([Para(translate(seat.locale, f"offer.{job.what}"))] if job.state == "open" else []),
    ]
    return build_reply(seat, job, blocks)


@seat_letter(AgreeQuestionAnswer)
def compose_agree_question(context: LetterContext[AgreeQuestionAnswer], seat: SeatContext) -> Letter | None:
    """Compose the answer to `agree`: what would happen, and whether they are sure."""
    offer = OfferRow.get_or_none(OfferRow.id == context.job.offer)
    if offer is None or offer.status != "open":
        return None
    locale, match_state = seat.locale, seat.match_state
    people = {number for number, player in enumerate(match_state.players) if player}
    last = people <= {*json.loads(offer.agreed), seat.number}
    ended = apply(match_state.state, HOUSE, End(offers.END_REASONS[offer.kind]))
    totals = [score.total for score in final_scores(match_state.facts.game, ended)]
    shown = map(format_points, show_totals(match_state.facts.game, ended, locale))
    result = ("–" if min(totals) >= 0 else " : ").join(map(format_points, totals))
    each = ", ".join(f"{name} {total}" for name, total in zip(seat.names, shown, strict=True))
    what = translate(locale, f"agree.{offer.kind}" if last else f"agree.{offer.kind}.others", result=result, each=each)
    blocks: list[Block] = [
        Para(translate(locale, "agree.lead"), strong=True),
        Para(translate(locale, f"offer.{offer.kind}.lead", who=seat.names[offer.by_seat], what=seat.match_phrase)),
        Para(what),
        Para(translate(locale, "agree.how")),
    ]
    return ask_for_certainty(seat, build_reply(seat, context.job, blocks), "agree", context.job.waiting)


@seat_letter(OfferLetter)
def compose_offer(context: LetterContext[OfferLetter], seat: SeatContext) -> Letter | None:
    """Compose the email about an offer of another seat. None if it was answered meanwhile."""
    offer = OfferRow.get_or_none(OfferRow.id == context.job.offer)
    if offer is None or offer.status != "open" or seat.letter_mode == "none":
        return None
    locale, who = seat.locale, seat.names[offer.by_seat]
    blocks: list[Block] = [
        Para(translate(locale, f"offer.{offer.kind}.lead", who=who, what=seat.match_phrase), strong=True),
        Para(translate(locale, f"offer.{offer.kind}")),
        Para(translate(locale, "offer.how")),
        *sections.notes(seat),
        *sections.board(seat),
    ]
    return build_match_letter(seat, context.job.kind, blocks)


@seat_letter(OfferDeclinedLetter)
def compose_offer_declined(context: LetterContext[OfferDeclinedLetter], seat: SeatContext) -> Letter | None:
    """Compose the email to a player whose offer was declined."""
    offer = OfferRow.get_or_none(OfferRow.id == context.job.offer)
    if offer is None or seat.letter_mode == "none":
        return None
    locale = seat.locale
    blocks: list[Block] = [
        Para(capitalise(translate(locale, "offer.declined", what=seat.match_phrase)), strong=True),
    ]
    return build_match_letter(seat, context.job.kind, blocks)


@letter(NotedLetter)
def compose_notes(context: LetterContext[NotedLetter]) -> Letter | None:
    """Compose the email with other people's notes.

    It is held as long as an email about a turn, which would include the notes.
    """
    due_at = context.job.at + context.config.letter_hold * 1000
    if due_at > now():
        raise LetterNotDue(due_at)
    seat = context.own_seat
    notes = sections.notes(seat) if seat is not None and seat.letter_mode == "turn" else []
    if seat is None or not notes:
        return None
    locale = seat.locale
    blocks: list[Block] = [
        Para(translate(locale, "noted.lead", what=seat.match_phrase), strong=True),
        *(block for block in notes if not isinstance(block, Heading)),
        Para(translate(locale, "noted.how")),
        *([sections.clock(seat)] if seat.asked is not None else []),
    ]
    return build_match_letter(seat, context.job.kind, blocks)
