"""Commands about one table other than moves: orders ahead, offers, muted notes, earlier positions, preferences."""

from __future__ import annotations

import json
from collections.abc import Callable

from engine.reading import Unclear
from engine.words import plain
from service.db.connection import write_transaction
from service.db.models.accounts import PlayerRow
from service.db.models.mail import InboxRow
from service.db.models.matches import OfferRow, SeatRow
from service.i18n.catalogue import dump_message, msg
from service.mail import commands
from service.mail.commands import Command
from service.mail.incoming import held_moves
from service.mail.incoming.answers import MailOutcome, done
from service.mail.incoming.held_moves import WaitingAction
from service.mail.incoming.incoming_letter import IncomingLetter, TableReply
from service.mail.incoming.move_replies import build_submission
from service.mail.incoming.reading.order_reader import OrderReader
from service.mail.incoming.reading.pieces import PieceVerdict
from service.mail.job_payloads import (
    AgreeQuestionAnswer,
    AutoAnswer,
    BoardAnswer,
    MovesMadeAnswer,
    MutedAnswer,
    OrdersAnswer,
    PositionAnswer,
    PreviewAnswer,
    ProposedAnswer,
)
from service.matches import offers
from service.play import accept, notes, preview, submissions
from service.play.submissions import SubmissionResult
from service.problems import Problem

END_WORDS = frozenset({"end", "draw", "fin", "nulle", "terminer"})
CANCEL_WORDS = frozenset({"cancel", "annuler", "annulation", "lannulation"})
EVERYWHERE = frozenset({"all", "everywhere", "tout", "partout"})


def keep_orders(reply: TableReply) -> MailOutcome:
    """Keep the lines of a player who is not asked now. They are made once the player is asked, unless withdrawn."""
    request = reply.request
    if reply.match_state.facts.signed_only:
        return reply.refuse("signed", reply.text)
    try:
        lines = OrderReader(reply.match_state, reply.seat).parse(list(request.moves or request.beside))
    except Unclear as error:
        return reply.refuse("orders", error.text, error.meant, said=reply.text)
    if request.verdict is not PieceVerdict.HARMLESS:
        return reply.refuse("beside", "\n".join(request.beside), lines, said=reply.text)
    return _accept_orders(reply, lines)


def _accept_orders(reply: TableReply, lines: tuple[str, ...]) -> MailOutcome:
    """Submit the lines as orders, and report the outcome."""
    match_state, note = reply.match_state, reply.request.note
    sent = build_submission(match_state, match_state.seq, reply.letter.proof, lines, note, orders=True)
    try:
        accepted = accept.accept(reply.match, reply.player.id, sent)
    except Problem as problem:
        if problem.kind == "question-changed":
            return reply.refuse_stale(reply.text)
        return reply.refuse("orders", reply.text, why=problem.message)
    if accepted.made:
        return report_moves(reply, accepted)
    return reply.build_outcome("done", OrdersAnswer(lines=lines, kept=True))


def report_moves(reply: TableReply, accepted: SubmissionResult) -> MailOutcome:
    """Return the outcome of moves that were made."""
    answer = MovesMadeAnswer(
        made=accepted.made,
        waiting=accepted.waiting,
        dropped=accepted.dropped,
        why=accepted.why,
        message=None if accepted.reason is None else dump_message(accepted.reason),
        receipt=accepted.receipt,
    )
    return reply.build_outcome("done", answer, what="moves")


def _handle_orders(reply: TableReply, command: Command) -> MailOutcome:
    """Show the orders that wait, or withdraw them."""
    waiting = tuple(submissions.list_waiting_lines(reply.match, reply.seat))
    if commands.parse_switch(command.rest) == "off":
        with write_transaction():
            submissions.withdraw(reply.match, reply.seat)
        return reply.build_outcome("done", OrdersAnswer(lines=waiting, kept=False))
    return reply.build_outcome("answered", OrdersAnswer(lines=waiting, kept=True), said=reply.text)


def set_auto(letter: IncomingLetter, player: PlayerRow, command: Command) -> MailOutcome:
    """Store the preference of a player for all their matches, attested by the email that states it."""
    on = commands.parse_switch(command.rest.split()[0] if command.rest else "on") == "on"
    PlayerRow.update(auto=json.dumps(letter.proof, sort_keys=True) if on else "").where(
        PlayerRow.id == player.id
    ).execute()
    return done(player.id, "auto", AutoAnswer(on=on, everywhere=True))


def _set_auto_here(reply: TableReply, command: Command) -> MailOutcome:
    """Store the preference for this seat, or for all matches of the player if the text says so."""
    if EVERYWHERE & set(plain(command.rest).split()):
        return set_auto(reply.letter, reply.player, command)
    on = commands.parse_switch(command.rest or "on") == "on"
    if on and reply.match_state.facts.signed_only:
        return reply.refuse("signed", reply.text)
    auto = json.dumps(reply.letter.proof, sort_keys=True) if on else "off"
    SeatRow.update(auto=auto).where(reply.seat_row).execute()
    return reply.build_outcome("done", AutoAnswer(on=on, everywhere=False))


def _mute(reply: TableReply, command: Command) -> MailOutcome:
    """Stop sending other people's notes, or send them again."""
    on = commands.parse_switch(command.rest or "on") == "on"
    notes.set_muted(reply.match, reply.player.id, silent=on)
    return reply.build_outcome("done", MutedAnswer(on=on))


def _show_position(reply: TableReply, command: Command) -> MailOutcome:
    """Answer with the table after an entry of the log."""
    number = commands.parse_code(command.rest)
    if not number:
        return reply.build_outcome("answered", BoardAnswer(), said=reply.text)
    if int(number) > reply.match_state.seq:
        return reply.refuse("position", number, why=msg("position.entries", count=reply.match_state.seq))
    return reply.build_outcome("answered", PositionAnswer(at=int(number)), said=reply.text)


def _show_preview(reply: TableReply, command: Command) -> MailOutcome:
    """Answer with the table as a move would leave it, as far as the seat can know. No move is made."""
    question = reply.match_state.questions[reply.seat]
    if question is None or reply.match_state.state.over:
        return reply.refuse_stale(reply.text)
    lines = reply.move_reader.read(command.rest)
    if not lines:
        return reply.refuse("unclear", command.rest)
    preview.preview_lines(reply.match_state, reply.seat, lines)
    return reply.build_outcome("answered", PreviewAnswer(lines=tuple(lines)), said=reply.text)


def _propose(reply: TableReply, command: Command) -> MailOutcome:
    """Offer to end or to cancel the match, or take such an offer back or refuse it."""
    words = set(plain(command.rest).split())
    kind = "cancel" if CANCEL_WORDS & words else "end" if END_WORDS & words else ""
    if not words:
        return reply.refuse("propose", reply.text)
    standing = _standing_offer(reply, kind)
    if kind and standing is not None and standing.by_seat != reply.seat:
        return _ask_whether_to_agree(reply, standing)
    if kind:
        return _report_offer(reply, lambda: offers.make(reply.match, reply.player.id, kind))
    if standing is None:
        return reply.refuse("no-offer", reply.text)
    return _report_offer(reply, lambda: offers.answer(reply.match, reply.player.id, standing.id, agree=False))


def _agree(reply: TableReply, _command: Command) -> MailOutcome:
    """Ask whether they are sure about the latest open offer."""
    standing = _standing_offer(reply)
    return reply.refuse("no-offer", reply.text) if standing is None else _ask_whether_to_agree(reply, standing)


def _standing_offer(reply: TableReply, kind: str = "") -> OfferRow | None:
    """Return the latest open offer of a match, of this kind or of any."""
    found = (offer for offer in offers.list_offers(reply.match) if offer.status == "open" and kind in ("", offer.kind))
    return next(found, None)


def _ask_whether_to_agree(reply: TableReply, offer: OfferRow) -> MailOutcome:
    """Let the agreement wait for a yes to the email that says what would happen."""
    if reply.match_state.state.over:
        return reply.refuse("over", reply.text)
    waiting = reply.hold(WaitingAction("agree", reply.asked, offer=offer.id, seq=reply.match_state.seq))
    return reply.build_outcome("done", AgreeQuestionAnswer(offer=offer.id, waiting=waiting))


def agree(reply: TableReply, waiting: InboxRow) -> MailOutcome:
    """Agree to the offer that an email asked about. If a move was made since, ask again with the new scores."""
    action = held_moves.read_action(waiting)
    offer = next((offer for offer in offers.list_offers(reply.match) if offer.id == action.offer), None)
    if offer is None:
        return reply.refuse("over" if reply.match_state.state.over else "nothing-waits", reply.text)
    if action.seq != reply.match_state.seq and offer.status == "open":
        return _ask_whether_to_agree(reply, offer)
    held_moves.close(waiting.id, "released")
    return _report_offer(reply, lambda: offers.answer(reply.match, reply.player.id, offer.id, agree=True))


def _report_offer(reply: TableReply, act: Callable[[], OfferRow]) -> MailOutcome:
    try:
        offer = act()
    except Problem as problem:
        return reply.refuse("propose", reply.text, why=problem.message)
    own = offer.by_seat == reply.seat
    return reply.build_outcome("done", ProposedAnswer(what=offer.kind, state=offer.status, own=own))


COMMANDS: dict[str, Callable[[TableReply, Command], MailOutcome]] = {
    "orders": _handle_orders,
    "auto": _set_auto_here,
    "mute": _mute,
    "position": _show_position,
    "preview": _show_preview,
    "propose": _propose,
    "agree": _agree,
}
"""Handlers of these commands in a match."""
