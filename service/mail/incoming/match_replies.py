"""Replies to letters about matches: moves for the question that was asked, or a command about the match."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from service.db.models.accounts import PlayerRow
from service.db.models.mail import InboxRow
from service.db.models.matches import MatchRow, SeatRow
from service.mail.incoming import account_commands, commands, held_moves, move_replies, table_commands
from service.mail.incoming.answers import (
    MOST_MEANT,
    MailOutcome,
    fingerprint,
    ignore,
    merge_outcomes,
    reason_members,
    refuse,
)
from service.mail.incoming.commands import Command
from service.mail.incoming.incoming_letter import IncomingLetter, TableReply
from service.mail.incoming.move_replies import MovesNotUnderstood, ParsedMoves
from service.matches import rematch, substitutes
from service.play import accept, match_loader, notes, submissions
from service.play.submissions import SubmissionResult
from service.play.views import Viewer
from service.problems import Problem
from service.timestamps import now

CERTAIN_ANSWERS = frozenset({"yes", "confirm", "no", "undo"})
"""Answers to the letter that asks whether somebody is sure, besides the command itself."""
CERTAIN_REFUSALS = {"resign": ("resigning", "playing-on"), "agree": ("agreeing", "not-agreed")}
"""By command, what is told to who answers that letter with other words, and to who says no."""
FORMER_PLAYER_COMMANDS = account_commands.ACCOUNT_COMMANDS | {"join"}
"""What an address still serves whoever lost the seat."""


def appends_to_log(letter: IncomingLetter) -> bool:
    """Whether a letter may append to a log, which takes transactions of its own and is safe to repeat."""
    return len(letter.table_replies) > 1 or any(reply.appends_to_log for reply in letter.table_replies)


def handle(letter: IncomingLetter, player: PlayerRow) -> MailOutcome:
    """Do what a letter asks for at its table, or at each of the tables of a digest."""
    outcomes = [_handle_reply(reply) for reply in letter.table_replies]
    if not outcomes:
        return _handle_without_table(letter, player)
    return outcomes[0] if len(outcomes) == 1 else merge_outcomes(outcomes)


def _handle_without_table(letter: IncomingLetter, player: PlayerRow) -> MailOutcome:
    """Handle an answer to a digest that names none of its tables: it may be one command about the player."""
    request = commands.parse_request(letter.lines, account_commands.ACCOUNT_COMMANDS, letter.writer_names)
    if request.command is not None or request.question:
        return account_commands.handle_request(letter, player, request, "label")
    tables = letter.reply_address.payload.get("tables", {}) if letter.reply_address else {}
    print_ = fingerprint("digest", 0, "\n".join(letter.lines))
    return refuse(player.id, "label", letter.lines[0], meant=sorted(tables), print_=print_)


def _handle_reply(reply: TableReply) -> MailOutcome:
    """Do what the lines of a letter ask for at one table."""
    try:
        former = reply.is_former_player
    except Problem as problem:
        return reply.refuse(problem.kind, reply.text, why=problem.message)
    if former:
        return _handle_former_player(reply)
    request = reply.request
    doubtful = request.mixed or (request.command is not None and _names_move(reply))
    if request.question or doubtful:
        return reply.refuse("question" if request.question else "mixed", reply.text, request.mixed[:MOST_MEANT])
    if request.command is not None:
        return _handle_command(reply, request.command)
    if not request.paragraphs:
        return _write_note(reply, request.note)
    return _handle_moves(reply)


def _names_move(reply: TableReply) -> bool:
    """Return True if the words beside a command start like a move that answers the open question."""
    viewer = Viewer(reply.match_state, reply.seat, reply.locale)
    rows = [row for paragraph in reply.request.paragraphs for row in paragraph]
    return reply.match_state.questions[reply.seat] is not None and any(
        move_replies.begins_like_move(viewer, row) for row in rows
    )


def _handle_former_player(reply: TableReply) -> MailOutcome:
    """Handle a letter from somebody whose seat another plays by now; where that is open they may take it back."""
    request = commands.parse_request(reply.lines, FORMER_PLAYER_COMMANDS, reply.letter.writer_names)
    command = None if request.mixed else request.command
    if command is not None and command.verb == "join" and not command.rest:
        try:
            substitutes.take_seat(reply.player, reply.match, reply.seat, None, reply.letter.config)
        except Problem as problem:
            return reply.refuse(problem.kind, "", why=problem.message)
        return reply.build_outcome("done", "back", {})
    if command is not None and command.verb == "stop" and not command.rest:
        return reply.build_outcome("done", "stopped", {"mode": "none", "everywhere": False})
    if command is not None:
        return account_commands.handle_command(reply.letter, reply.player, command)
    free = substitutes.open_seats(
        MatchRow.get_by_id(reply.match), match_loader.load_match_state(reply.match), reply.player.id
    )
    return reply.refuse("left" if reply.seat in free else "not-your-seat", reply.text)


def _handle_moves(reply: TableReply) -> MailOutcome:
    """Make the moves in a letter, or hold them where the seat wants that."""
    before = _find_earlier_submission(reply)
    if before is not None:
        return _report_moves(reply, before, ())
    question = reply.match_state.questions[reply.seat]
    if reply.match_state.state.over:
        return reply.refuse("over", reply.text)
    if question is None or question.asked != reply.asked:
        waits = question is None and reply.is_current
        return table_commands.keep_orders(reply) if waits else reply.refuse_stale(reply.text)
    viewer = Viewer(reply.match_state, reply.seat, reply.locale)
    try:
        moves = move_replies.parse_moves(viewer, reply.request.paragraphs, reply.letter.reply_text.hyphen)
    except MovesNotUnderstood as error:
        return reply.refuse(error.reason, error.text, error.meant, said=reply.text)
    held_moves.withdraw(reply.match, reply.seat, "asked")
    if reply.letter.unread or SeatRow.get((SeatRow.match == reply.match) & (SeatRow.seat == reply.seat)).confirm:
        return _hold_moves(reply, moves)
    held_moves.withdraw(reply.match, reply.seat, "held")
    return _submit_moves(reply, reply.letter.proof, moves, reply.request.note, reply.text)


def _find_earlier_submission(reply: TableReply) -> SubmissionResult | None:
    """What this letter made when it was read before, if it was."""
    if not 0 <= reply.asked <= reply.match_state.seq:
        return None
    prev = match_loader.hash_of(reply.match_state, reply.asked)
    again = move_replies.MailSubmission(reply.asked, prev, (), channel="mail", mail=reply.letter.proof)
    return submissions.stored_result(reply.match, again.id)


def _submit_moves(reply: TableReply, proof: dict[str, Any], moves: ParsedMoves, note: str, text: str) -> MailOutcome:
    """Make the lines, and say what was made."""
    try:
        accepted = move_replies.submit(reply.match_state, reply.seat, reply.player.id, moves.lines, proof, note)
    except Problem as problem:
        if problem.kind == "question-changed":
            return reply.refuse_stale(text)
        signed = problem.kind == "mail-not-allowed"
        return reply.refuse("signed" if signed else problem.kind, text, why=None if signed else problem.message)
    return _report_moves(reply, accepted, moves.unread)


def _report_moves(reply: TableReply, accepted: SubmissionResult, unread: tuple[str, ...]) -> MailOutcome:
    """The answer to moves that were made."""
    more = {
        "made": list(accepted.made),
        "waiting": accepted.waiting,
        "dropped": list(accepted.dropped),
        **reason_members(accepted.reason),
        "why": accepted.why,
        "receipt": accepted.receipt,
        "unread": [row[:200] for row in unread],
    }
    return reply.build_outcome("done", "understood", more, what="moves")


def _hold_moves(reply: TableReply, moves: ParsedMoves) -> MailOutcome:
    """Keep the moves for a while, or make them if they are the same that wait already.

    Where words stand under them that we did not read, they wait for a yes.
    """
    waiting, unread = held_moves.find(reply.match, reply.seat, "held"), reply.letter.unread
    if waiting is not None and held_moves.lines(waiting) == moves.lines and not unread:
        return _release_held_moves(reply)
    action, why = accept.choose_action(reply.match_state, reply.seat, moves.lines[0])
    if action is None:
        return reply.refuse("not-listed", moves.lines[0], why=why)
    until = None if unread else now() + held_moves.HOLD_FOR
    reply.hold("held", {"lines": list(moves.lines), "note": reply.request.note, "asked": reply.asked}, until)
    beside = [row[:200] for row in unread or moves.unread]
    more = {"lines": list(moves.lines), "until": until, "unread": beside[:MOST_MEANT]}
    return reply.build_outcome("done", "held", more)


def handle_due(letter: IncomingLetter, kept: InboxRow) -> MailOutcome:
    """Make the moves that were held, since the ten minutes are over and nobody took them back."""
    player = PlayerRow.get_or_none(PlayerRow.id == kept.player)
    if player is None or kept.match is None or kept.seat is None:
        return ignore("no-player")
    return _release_held_moves(TableReply(letter, player, kept.match, kept.seat, held_moves.question_number(kept)))


def _release_held_moves(reply: TableReply) -> MailOutcome:
    """Make what is held for this seat, with the letter that brought it as proof."""
    waiting = held_moves.find(reply.match, reply.seat, "held")
    if waiting is None:
        return reply.refuse("nothing-waits", "")
    question, lines = reply.match_state.questions[reply.seat], held_moves.lines(waiting)
    text = "\n".join(lines)
    if question is None or question.asked != held_moves.question_number(waiting):
        outcome = reply.refuse_stale(text)
    else:
        proof, note = held_moves.proof(waiting), held_moves.note(waiting)
        outcome = _submit_moves(reply, proof, ParsedMoves(lines), note, text)
    held_moves.close(waiting.id, "released" if outcome.state == "done" else "withdrawn")
    return outcome


def _handle_command(reply: TableReply, command: Command) -> MailOutcome:
    """Do what a command at a table asks."""
    if command.is_yes:
        return _release_held_moves(reply)
    if command.verb in CURRENT_COMMANDS and not reply.is_current:
        return reply.refuse_stale(reply.text)
    return COMMANDS.get(command.verb, _handle_account_command)(reply, command)


def _handle_account_command(reply: TableReply, command: Command) -> MailOutcome:
    return account_commands.handle_command(reply.letter, reply.player, command)


def _show(reply: TableReply, command: Command) -> MailOutcome:
    """Answer with what is asked for; the letter itself is composed later."""
    return reply.build_outcome("answered", command.verb, {}, said=reply.text)


def _refuse_register(reply: TableReply, _command: Command) -> MailOutcome:
    """Say that there is nothing to register: whoever has a seat has an account."""
    return reply.refuse("registered", reply.text)


def _join_other_match(reply: TableReply, command: Command) -> MailOutcome:
    """Take a seat in the match that is named; without one, say that they sit at this table already."""
    if not command.rest:
        return reply.refuse("at-table", reply.text)
    return _handle_account_command(reply, command)


def _show_rules(reply: TableReply, command: Command) -> MailOutcome:
    """The rules of the game at this table, or of one that is named."""
    if command.rest:
        return _handle_account_command(reply, command)
    return reply.build_outcome("answered", "rules", {"game": reply.match_state.facts.game.slug}, said=reply.text)


def _set_letter_mode(reply: TableReply, command: Command) -> MailOutcome:
    """Set which letters this seat gets from now on, or the player everywhere if that is said."""
    mode, everywhere = commands.parse_letter_mode(command.rest)
    if command.verb == "stop":
        mode = "none" if everywhere or not command.rest else ""
    if not mode:
        return reply.refuse("letters" if command.verb == "letters" else "unclear", reply.text)
    if everywhere:
        return _handle_account_command(reply, command)
    seat = (SeatRow.match == reply.match) & (SeatRow.seat == reply.seat)
    SeatRow.update(letters=mode).where(seat).execute()
    answer = "stopped" if command.verb == "stop" else "letters"
    return reply.build_outcome("done", answer, {"mode": mode, "everywhere": False})


def _create_rematch(reply: TableReply, _command: Command) -> MailOutcome:
    """The same match anew: who sat there is invited, unless one of them did so already."""
    try:
        match, _ = rematch.create_rematch(reply.player, reply.match, "-", reply.letter.config)
    except Problem as problem:
        return reply.refuse("rematch", "", why=problem.message)
    more = {"match": match.id, "seat": None, "game": match.game, "invited": True}
    return reply.build_outcome("done", "made", more, what="rematch")


def _undo(reply: TableReply, _command: Command) -> MailOutcome:
    """Take back everything that waits at this seat."""
    return reply.build_outcome("done", "undone", {"lines": held_moves.withdraw_all(reply.match, reply.seat)})


def _set_confirm_mode(reply: TableReply, command: Command) -> MailOutcome:
    """Hold moves that come by letter from now on, or make them at once again."""
    switch = commands.parse_switch(command.rest)
    if not switch:
        return reply.refuse("over" if reply.match_state.state.over else "unclear", reply.text)
    seat = (SeatRow.match == reply.match) & (SeatRow.seat == reply.seat)
    SeatRow.update(confirm=switch == "on").where(seat).execute()
    return reply.build_outcome("done", "confirming", {"on": switch == "on"})


def _ask_whether_to_resign(reply: TableReply, _command: Command) -> MailOutcome:
    if reply.match_state.state.over:
        return reply.refuse("over", reply.text)
    reply.hold("asked", {"asked": reply.asked})
    return reply.build_outcome("done", "resign", {})


def handle_resignation(letter: IncomingLetter, player: PlayerRow) -> MailOutcome:
    """Handle an answer to the letter that asks whether somebody really gives up."""
    return _handle_certainty(letter, player, "resign", _resign)


def handle_agreement(letter: IncomingLetter, player: PlayerRow) -> MailOutcome:
    """Handle an answer to the letter that asks whether somebody really agrees to an offer."""
    return _handle_certainty(letter, player, "agree", table_commands.agree)


def _handle_certainty(
    letter: IncomingLetter, player: PlayerRow, verb: str, act: Callable[[TableReply], MailOutcome]
) -> MailOutcome:
    """Do what a letter of ours asked about, if a plain yes answers that letter; any other answer changes nothing."""
    address = letter.reply_address
    if address is None or address.match is None or address.seat is None:
        return ignore("gone")
    reply = TableReply(letter, player, address.match, address.seat, address.asked, letter.lines)
    try:
        if reply.is_former_player:
            return _handle_former_player(reply)
    except Problem as problem:
        return reply.refuse(problem.kind, reply.text, why=problem.message)
    request = commands.parse_request(reply.lines, CERTAIN_ANSWERS | {verb})
    command = None if request.mixed or request.paragraphs or request.note else request.command
    if command is None or command.rest or commands.is_question(reply.text):
        return reply.refuse(CERTAIN_REFUSALS[verb][0], reply.text)
    if command.verb in ("no", "undo"):
        held_moves.withdraw(reply.match, reply.seat, "asked")
        return reply.refuse(CERTAIN_REFUSALS[verb][1], reply.text)
    return act(reply)


def _resign(reply: TableReply) -> MailOutcome:
    """Give up the seat, if that was asked for and nothing has been played since."""
    question = held_moves.find(reply.match, reply.seat, "asked")
    if question is None or held_moves.offer(question)[0] or reply.match_state.state.over:
        return reply.refuse("over" if reply.match_state.state.over else "nothing-waits", reply.text)
    held_moves.close(question.id, "released")
    try:
        accepted = move_replies.resign(reply.match_state, reply.seat, reply.player.id, reply.letter.proof)
    except Problem as problem:
        return reply.refuse("over" if problem.kind == "match-over" else problem.kind, "resign", why=problem.message)
    return reply.build_outcome("done", "resigned", {"receipt": accepted.receipt})


def _write_note(reply: TableReply, body: str) -> MailOutcome:
    try:
        notes.write(reply.match, reply.player.id, body[: notes.LONGEST_TEXT])
    except Problem as problem:
        return reply.refuse("note", body, why=problem.message)
    return reply.build_outcome("done", "note", {"note": body[: notes.LONGEST_TEXT]})


COMMANDS: dict[str, Callable[[TableReply, Command], MailOutcome]] = {
    **dict.fromkeys(("help", "board", "history", "clock"), _show),
    "rules": _show_rules,
    "register": _refuse_register,
    "join": _join_other_match,
    "stop": _set_letter_mode,
    "letters": _set_letter_mode,
    "rematch": _create_rematch,
    "undo": _undo,
    "confirm": _set_confirm_mode,
    "resign": _ask_whether_to_resign,
    **table_commands.COMMANDS,
}
"""Who does what a command at a table asks; the others are about the player alone."""
CURRENT_COMMANDS = frozenset({"undo", "confirm", "resign"})
"""Commands that only a letter about the present question may give."""
