"""Answers to emails with moves: made, held, taken back, refused, out of date."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice

from engine.words import Locale
from service.db.models.matches import MatchRow
from service.i18n import dates
from service.i18n.catalogue import has_text, join_items, load_message, msg, quote, render, translate, translate_count
from service.mail.commands import Command
from service.mail.job_payloads import (
    AnswerLetter,
    BoardAnswer,
    HistoryAnswer,
    MovesHeldAnswer,
    MovesMadeAnswer,
    MovesUndoneAnswer,
    RefusedAnswer,
    ResignedAnswer,
    ResignQuestionAnswer,
    SeatBackAnswer,
    StaleAnswer,
)
from service.mail.letters import digest, sections
from service.mail.letters.blocks import Addressee, Block, Heading, Letter, Para, ReplyPurpose
from service.mail.letters.context import LetterContext, SeatContext
from service.mail.letters.registry import letter, player_letter, seat_letter
from service.mail.letters.sections import receipt
from service.mail.letters.turn import build_match_letter
from service.play import submissions

MOST_QUOTED = 200
MOST_SENTENCES = 2_000
MOST_NUMBERED = 600
"""Number of options to search for the number of a line."""
REASONS_WITH_DETAIL = frozenset(
    "booking entering new note not-listed position rematch tournament-entry tournament-withdraw tournament-bye "
    "tournament-challenge tournament-rule".split()
)
"""Refusals whose detail says more than their sentence, so that it is shown in every language."""
REPLY_PREFIXES = re.compile(r"^(?:(?:re|ré|rép|aw|sv|antw|tr|fwd?)\s?(?:\[\d+\])?\s?:\s*)+", re.IGNORECASE)
"""Prefixes that mail programs put before a subject; one is enough."""


class MatchNotResolved(Exception):
    """The worker has not resolved the match yet: the email is composed a moment later."""


def require_resolved(match: str | None) -> None:
    """Raise `MatchNotResolved` until the worker has played the match on as far as it goes by itself."""
    unresolved = (MatchRow.id == match) & (MatchRow.resolved_seq < MatchRow.head_seq)
    if MatchRow.select().where(unresolved).exists():
        raise MatchNotResolved(match)


def reply_subject(answered: str, otherwise: str) -> str:
    """Return the subject of an answer: that of the email that is answered, if it has one."""
    given = REPLY_PREFIXES.sub("", " ".join(answered.split()), count=1)
    return f"Re: {given}" if given else otherwise


def build_reply(seat: SeatContext, answer: AnswerLetter, blocks: list[Block]) -> Letter:
    """Build an answer about a match."""
    label = answer.label or ""
    which: list[Block] = []
    if label:
        which = [Para(translate(seat.locale, "digest.match", letter=label, what=seat.match_phrase))]
    whole = [*blocks[:1], *which, *blocks[1:]]
    reply = build_match_letter(seat, answer.kind, whole, answer.in_reply_to)
    return replace(reply, preview=f"{label}. {reply.preview}") if label else reply


def build_account_reply(to: Addressee, answer: AnswerLetter, blocks: Sequence[Block], otherwise: str = "") -> Letter:
    """Build an answer to a player who has no seat in the match, or that is about no match.

    Its subject is `otherwise` if the email that is answered has none, or else the first paragraph.
    """
    lead = next(block.words for block in blocks if isinstance(block, Para))
    return Letter(
        kind=answer.kind,
        to=to,
        subject=reply_subject(answer.subject, otherwise or lead.rstrip(".")),
        blocks=tuple(blocks),
        match=answer.match,
        scope="all",
        in_reply_to=answer.in_reply_to,
    )


def ask_about_command(
    to: Addressee, answer: AnswerLetter, key: str, command: Command, blocks: Sequence[Block]
) -> Letter:
    """Build an email to which a plain yes carries out a command. Its texts are `KEY.subject`, `.lead` and `.how`."""
    how = translate(to.locale, f"{key}.how")
    lead = Para(translate(to.locale, f"{key}.lead"), strong=True)
    return Letter(
        kind=answer.kind,
        to=to,
        subject=translate(to.locale, f"{key}.subject"),
        blocks=(lead, *blocks, Para(how)),
        in_reply_to=answer.in_reply_to,
        reply_purpose=ReplyPurpose("command", payload={"verb": command.verb, "rest": command.rest}),
        preview=how,
    )


def ask_for_certainty(seat: SeatContext, reply: Letter, verb: str, waiting: str) -> Letter:
    """Return a reply to which a plain yes does what waits in a row of the inbox."""
    asked = seat.match_state.seq if seat.asked is None else seat.asked
    return replace(reply, reply_purpose=ReplyPurpose("sure", asked, {"verb": verb, "waiting": waiting}))


def quote_lines(locale: Locale, lines: Sequence[str]) -> str:
    """Return lines in quotation marks, in one phrase."""
    return join_items(locale, [quote(locale, line[:MOST_QUOTED]) for line in lines])


def quote_text(locale: Locale, text: str) -> str:
    """Return what a player wrote, on one line in quotation marks."""
    return quote(locale, " ".join(text.split())[:MOST_QUOTED])


def position_blocks(seat: SeatContext) -> list[Block]:
    """Return the time left, the table, and the moves or who is asked."""
    clock = [sections.clock(seat)] if seat.asked is not None else []
    return [*clock, *sections.notes(seat), *sections.board(seat), *sections.moves(seat)]


@letter(MovesMadeAnswer)
def compose_moves_made(context: LetterContext[MovesMadeAnswer]) -> Letter | None:
    """Compose the answer to moves: how they were understood, and their outcome."""
    job = context.job
    require_resolved(job.match)
    seat = context.own_seat
    if seat is None:
        return None
    locale = seat.locale
    unfinished = bool(job.made) and is_turn_unfinished(seat)
    key = "unfinished.lead" if unfinished else "understood.lead" if job.made else "understood.none"
    blocks: list[Block] = [Para(translate(locale, key), strong=True)]
    if job.made:
        blocks.append(Para(translate(locale, "understood.made", lines=quote_lines(locale, job.made))))
    blocks += _remaining_blocks(seat, job)
    if unfinished:
        blocks += _next_line_blocks(seat)
    blocks += sections.story(seat, heading=translate(locale, "understood.came"))
    blocks += sections.notes(seat) + sections.board(seat) if unfinished else position_blocks(seat)
    blocks += [*receipt(job.receipt, locale)]
    return build_reply(seat, job, blocks)


def is_turn_unfinished(seat: SeatContext) -> bool:
    """Return True if the seat made the last move of the match and is asked for another."""
    return seat.asked is not None and seat.match_state.own[seat.number] == max(seat.match_state.own)


def _next_line_blocks(seat: SeatContext) -> list[Block]:
    """Return the moves that finish a turn, for the head of an email."""
    alone = len(seat.options) == 1 and not seat.signed_only
    hint: list[Block] = [Para(translate(seat.locale, "unfinished.auto"))] if alone else []
    return [*sections.moves(seat), *hint, sections.clock(seat)]


def _remaining_blocks(seat: SeatContext, job: MovesMadeAnswer) -> list[Block]:
    """Tell the outcome of the lines that were not made at once, as far as it is still true."""
    locale, blocks = seat.locale, list[Block]()
    waiting = len(submissions.list_waiting_lines(seat.match, seat.number)) if job.waiting else 0
    if waiting:
        blocks.append(Para(translate_count(locale, "understood.waiting", waiting)))
    if job.dropped:
        blocks.append(Para(translate(locale, "understood.dropped", lines=quote_lines(locale, job.dropped))))
        reason = load_message(job.message) or job.why.rpartition(": ")[2]
        blocks += [Para(render(msg("dropped.why", why=reason), locale))] if reason else []
    return blocks


@seat_letter(MovesHeldAnswer)
def compose_moves_held(context: LetterContext[MovesHeldAnswer], seat: SeatContext) -> Letter:
    """Compose the answer to moves that count later, or only after a yes, because of the words beside them."""
    job, locale = context.job, seat.locale
    words, lines = quote_lines(locale, job.beside), describe_lines(seat, job.lines)
    if job.until is not None:
        moment = dates.format_moment(job.until, seat.to.zone, locale)
        key = "held.beside" if words else "held.lines"
        blocks: list[Block] = [
            Para(translate(locale, "held.lead", moment=moment), strong=True),
            Para(translate(locale, key, words=words, lines=lines, moment=moment)),
            Para(translate(locale, "held.how")),
        ]
        return build_reply(seat, job, [*blocks, *sections.board(seat)])
    key = "asked.beside" if words else "asked.replaced"
    blocks = [
        Para(translate(locale, "asked.lead"), strong=True),
        Para(translate(locale, key, words=words, lines=lines)),
        Para(translate(locale, "asked.how", lines=lines)),
    ]
    reply = build_reply(seat, job, [*blocks, *position_blocks(seat)])
    return ask_for_certainty(seat, reply, "move", job.waiting)


def describe_lines(seat: SeatContext, lines: Sequence[str]) -> str:
    """Return lines as the menu shows them, the first with its number: `3 (Lay green 4)`."""
    listed = enumerate(islice(seat.options, MOST_NUMBERED), 1)
    first = next(((number, option) for number, option in listed if option.line == lines[0]), None)
    said = [quote(seat.locale, line) for line in lines]
    if first is not None:
        said[0] = f"{first[0]} ({seat.viewer.game.presentation.say(seat.view, first[1], seat.locale)})"
    return join_items(seat.locale, said)


@seat_letter(MovesUndoneAnswer)
def compose_moves_undone(context: LetterContext[MovesUndoneAnswer], seat: SeatContext) -> Letter:
    """Compose the answer to `undo`: the lines that were taken back."""
    locale, lines = seat.locale, context.job.lines
    blocks: list[Block] = [Para(translate(locale, "undone.lead" if lines else "undone.nothing"), strong=True)]
    if lines:
        blocks.append(Para(translate(locale, "undone.lines", lines=quote_lines(locale, lines))))
    return build_reply(seat, context.job, [*blocks, *position_blocks(seat)])


@player_letter(RefusedAnswer)
def compose_refusal(context: LetterContext[RefusedAnswer], to: Addressee) -> Letter:
    """Compose the answer to a request that failed: the reason, and the list of moves again."""
    job, seat, locale = context.job, context.own_seat, to.locale
    own = f"refused.lead.{job.reason}"
    what = translate(locale, own if has_text(locale, own) else "refused.lead" if seat else "refused.general")
    lead: list[Block] = [Para(what, strong=True), *_refusal_blocks(job, locale)]
    lead += [Para(translate(locale, "refused.last"))] if job.last else []
    if seat is not None:
        return build_reply(seat, job, [*lead, *position_blocks(seat)])
    reply = build_account_reply(to, job, lead)
    again = digest.build_digest(to) if job.reason == "label" else None
    if again is not None:
        blocks = (*lead, *again.blocks[1:])
        return replace(
            again, kind=job.kind, subject=reply.subject, blocks=blocks, in_reply_to=job.in_reply_to, preview=what
        )
    if job.reason != "left":
        return replace(reply, match=None)
    return replace(reply, seat=job.seat, reply_purpose=ReplyPurpose("turn"))


def _refusal_blocks(job: RefusedAnswer, locale: Locale) -> list[Block]:
    text, sentence, blocks = quote_text(locale, job.text), f"refused.{job.reason}", list[Block]()
    if has_text(locale, sentence):
        blocks.append(Para(translate(locale, sentence, text=text)))
    elif job.text:
        blocks.append(Para(translate(locale, "refused.other", text=text)))
    if job.meant and job.reason not in ("invitation", "label"):
        lines = join_items(locale, [quote(locale, line) for line in job.meant], "or")
        key = f"refused.meant.{job.reason}"
        blocks.append(Para(translate(locale, key if has_text(locale, key) else "refused.meant", lines=lines)))
    detailed = locale == "en" or job.reason in REASONS_WITH_DETAIL or not has_text(locale, sentence)
    if job.why and detailed:
        blocks.append(Para(render(msg("refused.why", why=load_message(job.message) or job.why), locale)))
    return blocks


@seat_letter(StaleAnswer)
def compose_question_changed(context: LetterContext[StaleAnswer], seat: SeatContext) -> Letter:
    """Compose the answer to a question that has changed: the current one."""
    text = quote_text(seat.locale, context.job.text)
    more = Para(translate(seat.locale, "stale.text", text=text))
    return _build_position_reply(seat, context.job, translate(seat.locale, "stale.lead"), more)


@seat_letter(BoardAnswer)
def compose_board(context: LetterContext[BoardAnswer], seat: SeatContext) -> Letter:
    """Compose the answer to `board`: the current table."""
    return _build_position_reply(seat, context.job, translate(seat.locale, "board.lead", what=seat.match_phrase))


@letter(SeatBackAnswer)
def compose_seat_back(context: LetterContext[SeatBackAnswer]) -> Letter | None:
    """Compose the answer to a player who took their seat back."""
    require_resolved(context.job.match)
    seat = context.own_seat
    key = "back.substitute" if context.job.substitute else "back.lead"
    return _build_position_reply(seat, context.job, translate(seat.locale, key)) if seat else None


def _build_position_reply(seat: SeatContext, answer: AnswerLetter, lead: str, *more: Block) -> Letter:
    blocks = [Para(lead, strong=True), *more, *sections.story(seat), *position_blocks(seat)]
    return build_reply(seat, answer, blocks)


@seat_letter(ResignQuestionAnswer)
def compose_resign_question(context: LetterContext[ResignQuestionAnswer], seat: SeatContext) -> Letter:
    """Compose the answer to `resign`: whether they are sure."""
    blocks: list[Block] = [
        Para(translate(seat.locale, "resign.lead"), strong=True),
        Para(translate(seat.locale, "resign.how", what=seat.match_phrase)),
    ]
    return ask_for_certainty(seat, build_reply(seat, context.job, blocks), "resign", context.job.waiting)


@player_letter(ResignedAnswer)
def compose_resigned(context: LetterContext[ResignedAnswer], to: Addressee) -> Letter:
    """Compose the answer to a player who resigned."""
    seat, lead = context.own_seat, translate(to.locale, "resigned.lead")
    blocks: list[Block] = [Para(lead, strong=True), *receipt(context.job.receipt, to.locale)]
    if seat is not None:
        return build_reply(seat, context.job, [*blocks])
    return build_account_reply(to, context.job, blocks, lead)


@seat_letter(HistoryAnswer)
def compose_history(context: LetterContext[HistoryAnswer], seat: SeatContext) -> Letter:
    """Compose the answer to `history`: everything that happened, as the player may see it."""
    story = sections.story(replace(seat, told_seq=0), MOST_SENTENCES)[1:]
    blocks: list[Block] = [
        Para(translate(seat.locale, "history.lead", what=seat.match_phrase), strong=True),
        Heading(translate(seat.locale, "history")),
        *story,
    ]
    return build_reply(seat, context.job, blocks)
