"""Letters about a table besides moves: orders that wait, offers, notes of others, earlier positions, wishes."""

from __future__ import annotations

import json
from dataclasses import replace

from engine.game import HOUSE, apply, final_scores
from engine.house import End
from service.db.models.matches import OfferRow
from service.i18n.catalogue import capitalise, join_items, quote, translate
from service.mail.letters import sections
from service.mail.letters.blocks import Block, Bullets, Heading, Letter, Para, ReplyPurpose
from service.mail.letters.context import LetterContext
from service.mail.letters.match_over import format_points
from service.mail.letters.move_answers import build_reply, position_blocks, reply_subject
from service.mail.letters.turn import build_match_letter
from service.matches import offers
from service.play import preview
from service.play.match_loader import position_at
from service.problems import Problem
from service.timestamps import now


class LetterNotDue(Exception):
    """A letter that is held a while, in case another tells the same."""

    def __init__(self, due_at: int) -> None:
        super().__init__(due_at)
        self.due_at = due_at


def compose_orders(context: LetterContext) -> Letter | None:
    """The answer about orders: which wait, and how to withdraw them; or which were withdrawn."""
    seat = context.own_seat
    if seat is None:
        return None
    locale, lines = seat.locale, context.payload["lines"]
    key = ("orders.kept" if context.payload["kept"] else "orders.withdrawn") if lines else "orders.none"
    blocks: list[Block] = [Para(translate(locale, key), strong=True)]
    if lines:
        blocks.append(
            Bullets(tuple(translate(locale, "orders.line", line=_say_alternatives(line, locale)) for line in lines))
        )
    if lines and context.payload["kept"]:
        blocks.append(Para(translate(locale, "orders.how")))
    elif not lines:
        blocks.append(Para(translate(locale, "orders.write")))
    return build_reply(seat, context, [*blocks, *position_blocks(seat), sections.log_head(seat)])


def _say_alternatives(line: str, locale: str) -> str:
    return line.replace(" | ", ", sinon " if locale == "fr" else ", else ")


def compose_auto(context: LetterContext) -> Letter | None:
    """The answer to `auto on` or `off`: whether sole lines are made without asking."""
    to, seat = context.to, context.own_seat
    if to is None:
        return None
    on, everywhere = context.payload["on"], context.payload["everywhere"]
    blocks: list[Block] = [Para(translate(to.locale, "auto.on" if on else "auto.off"), strong=True)]
    blocks.append(Para(translate(to.locale, "letters.everywhere" if everywhere else "letters.here")))
    blocks += [Para(translate(to.locale, "auto.how"))] if on else []
    if seat is not None:
        return build_reply(seat, context, blocks)
    subject = reply_subject(context, translate(to.locale, "auto.subject"))
    return Letter("auto", to, subject, tuple(blocks), scope="all", in_reply_to=context.in_reply_to)


def compose_muted(context: LetterContext) -> Letter | None:
    """The answer to `mute`: whether notes of the others are told."""
    seat = context.own_seat
    if seat is None:
        return None
    key = "muted.on" if context.payload["on"] else "muted.off"
    return build_reply(seat, context, [Para(translate(seat.locale, key), strong=True)])


def compose_position(context: LetterContext) -> Letter | None:
    """The answer to `position 12`: the table after that entry, as the seat saw it."""
    seat = context.own_seat
    if seat is None:
        return None
    at = context.payload["at"]
    then = replace(seat, match_state=position_at(seat.match_state, at))
    lead = Para(translate(seat.locale, "position.lead", seq=at, what=seat.match_phrase), strong=True)
    now_stands = Para(translate(seat.locale, "position.now", seq=seat.match_state.seq))
    return build_reply(seat, context, [lead, now_stands, *sections.board(then)])


def compose_preview(context: LetterContext) -> Letter | None:
    """Compose the answer to `preview`: the table as the lines would leave it. None if they are no longer possible."""
    seat = context.own_seat
    if seat is None or seat.asked is None:
        return None
    try:
        shown = preview.preview_lines(seat.match_state, seat.number, context.payload["lines"])
    except Problem:
        return None
    locale = seat.locale
    lines = join_items(locale, [quote(locale, line) for line in context.payload["lines"]])
    blocks: list[Block] = [Para(translate(locale, "preview.lead", lines=lines), strong=True)]
    if shown.then == preview.HIDDEN:
        blocks.append(Para(translate(locale, "preview.hidden")))
    return build_reply(seat, context, [*blocks, *sections.board(replace(seat, match_state=shown.match_state))])


def compose_proposed(context: LetterContext) -> Letter | None:
    """The answer to an offer, or to an answer to one."""
    seat = context.own_seat
    if seat is None:
        return None
    state, own, what = (context.payload[name] for name in ("state", "own", "what"))
    key = state if state != "open" else "sent" if own else "agreed"
    lead = Para(translate(seat.locale, f"proposed.{key}"), strong=True)
    return build_reply(seat, context, [lead, Para(translate(seat.locale, f"offer.{what}")), sections.log_head(seat)])


def compose_agree_question(context: LetterContext) -> Letter | None:
    """The answer to `agree`: what would happen, and whether they are sure."""
    seat, offer = context.own_seat, OfferRow.get_or_none(OfferRow.id == context.payload["offer"])
    if seat is None or offer is None or offer.status != "open":
        return None
    locale, match_state = seat.locale, seat.match_state
    people = {number for number, player in enumerate(match_state.players) if player}
    last = people <= {*json.loads(offer.agreed), seat.number}
    ended = apply(match_state.state, HOUSE, End(offers.END_REASONS[offer.kind]))
    totals = [score.total for score in final_scores(match_state.facts.game, ended)]
    points = [format_points(total) for total in totals]
    result = ("–" if min(totals) >= 0 else " : ").join(points)
    each = ", ".join(f"{name} {total}" for name, total in zip(seat.names, points, strict=True))
    what = translate(locale, f"agree.{offer.kind}" if last else f"agree.{offer.kind}.others", result=result, each=each)
    blocks: list[Block] = [
        Para(translate(locale, "agree.lead"), strong=True),
        Para(translate(locale, f"offer.{offer.kind}.lead", who=seat.names[offer.by_seat], what=seat.match_phrase)),
        Para(what),
        Para(translate(locale, "agree.how")),
    ]
    letter = build_reply(seat, context, [*blocks, sections.log_head(seat)])
    asked = match_state.seq if seat.asked is None else seat.asked
    return replace(
        letter, reply_purpose=ReplyPurpose("sure", asked, {"verb": "agree", "waiting": context.payload["waiting"]})
    )


def compose_offer(context: LetterContext) -> Letter | None:
    """The letter about an offer of another seat; nothing if it was answered meanwhile."""
    seat, offer = context.own_seat, OfferRow.get_or_none(OfferRow.id == context.payload["offer"])
    if seat is None or offer is None or offer.status != "open" or seat.letter_mode == "none":
        return None
    locale, who = seat.locale, seat.names[offer.by_seat]
    blocks: list[Block] = [
        sections.reply_line(locale),
        Para(translate(locale, f"offer.{offer.kind}.lead", who=who, what=seat.match_phrase), strong=True),
        Para(translate(locale, f"offer.{offer.kind}")),
        Para(translate(locale, "offer.how")),
        *sections.notes(seat),
        *sections.board(seat),
        sections.log_head(seat),
    ]
    subject = translate(locale, "offer.subject", who=who, what=seat.subject_phrase)
    return build_match_letter(seat, "offer", subject, blocks)


def compose_offer_declined(context: LetterContext) -> Letter | None:
    """The letter to who made an offer that was refused."""
    seat, offer = context.own_seat, OfferRow.get_or_none(OfferRow.id == context.payload["offer"])
    if seat is None or offer is None or seat.letter_mode == "none":
        return None
    locale = seat.locale
    blocks: list[Block] = [
        sections.reply_line(locale),
        Para(capitalise(translate(locale, "offer.declined", what=seat.match_phrase)), strong=True),
        Para(translate(locale, f"offer.{offer.kind}")),
        sections.log_head(seat),
    ]
    subject = translate(locale, "offer.declined.subject", what=seat.subject_phrase)
    return build_match_letter(seat, "offer-declined", subject, blocks)


def compose_notes(context: LetterContext) -> Letter | None:
    """The letter with the notes of others; held as long as a letter about a turn, which would tell them too."""
    due_at = context.payload["at"] + context.config.letter_hold * 1000
    if due_at > now():
        raise LetterNotDue(due_at)
    seat = context.own_seat
    if seat is None or seat.letter_mode != "turn":
        return None
    notes = sections.notes(seat)
    if not notes:
        return None
    locale = seat.locale
    blocks: list[Block] = [
        sections.reply_line(locale),
        Para(translate(locale, "noted.lead", what=seat.match_phrase), strong=True),
        *(block for block in notes if not isinstance(block, Heading)),
        Para(translate(locale, "noted.how")),
        *([sections.clock(seat)] if seat.asked is not None else []),
        sections.log_head(seat),
    ]
    return build_match_letter(seat, "noted", translate(locale, "noted.subject", what=seat.subject_phrase), blocks)
