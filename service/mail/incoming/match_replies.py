"""Replies to emails about matches: moves for the question that was asked, or a command about the match."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from service.db.models.accounts import PlayerRow
from service.db.models.mail import InboxRow
from service.db.models.matches import MatchRow, SeatRow
from service.mail import commands
from service.mail.commands import Command
from service.mail.incoming import account_commands, held_moves, move_replies, table_commands
from service.mail.incoming.answers import (
    MOST_MEANT,
    MailOutcome,
    done,
    fingerprint,
    ignore,
    merge_outcomes,
    refuse,
)
from service.mail.incoming.held_moves import WaitingAction
from service.mail.incoming.incoming_letter import IncomingLetter, TableReply
from service.mail.incoming.reading.move_reader import MovesNotUnderstood
from service.mail.incoming.reading.pieces import PieceVerdict
from service.mail.job_payloads import (
    AnswerLetter,
    BoardAnswer,
    ClockAnswer,
    ConfirmModeAnswer,
    HelpAnswer,
    HistoryAnswer,
    LetterModeAnswer,
    LettersStoppedAnswer,
    MatchCreatedAnswer,
    MovesHeldAnswer,
    MovesUndoneAnswer,
    NoteAnswer,
    ResignedAnswer,
    ResignQuestionAnswer,
    RulesAnswer,
    SeatBackAnswer,
)
from service.matches import rematch, substitutes
from service.play import accept, match_loader, notes, submissions
from service.play.submissions import SubmissionResult
from service.problems import Problem

SURE_ANSWERS = frozenset({"yes", "confirm", "no", "undo"})
"""Other answers to the email that asks whether somebody is sure, besides the command itself."""
SURE_REFUSALS = {"resign": ("resigning", "playing-on"), "agree": ("agreeing", "not-agreed")}
"""By command, the answer to words other than a yes, and the answer to a no."""
MOST_QUOTED = 120
"""Maximum length of the words besides a move that an answer repeats."""
FORMER_PLAYER_COMMANDS = account_commands.ACCOUNT_COMMANDS | {"join"}
"""Commands that an address still accepts from a player who lost the seat."""


def appends_to_log(letter: IncomingLetter) -> bool:
    """Return True if an email may append to a log, which opens transactions and is safe to repeat."""
    return len(letter.table_replies) > 1 or any(reply.appends_to_log for reply in letter.table_replies)


def handle(letter: IncomingLetter, player: PlayerRow) -> MailOutcome:
    """Carry out the request of an email at its table, or at each of the tables of a digest."""
    outcomes = [_handle_reply(reply) for reply in letter.table_replies]
    if not outcomes:
        return _handle_without_table(letter, player)
    return outcomes[0] if len(outcomes) == 1 else merge_outcomes(outcomes)


def _handle_without_table(letter: IncomingLetter, player: PlayerRow) -> MailOutcome:
    """Handle an answer to a digest that names none of its tables. It may be one command about the player."""
    request = letter.read_request(account_commands.ACCOUNT_COMMANDS)
    if request.command is not None or request.question:
        return account_commands.handle_request(letter, player, request, "label")
    tables = letter.address_payload.get("tables", {})
    print_ = fingerprint("digest", 0, "\n".join(letter.lines))
    return refuse(player.id, "label", letter.lines[0], meant=sorted(tables), print_=print_)


def _handle_reply(reply: TableReply) -> MailOutcome:
    """Carry out the lines of an email at one table."""
    try:
        former = reply.is_former_player
    except Problem as problem:
        return reply.refuse(problem.kind, reply.text, why=problem.message)
    if former:
        return _handle_former_player(reply)
    request = reply.request
    if request.question or request.mixed:
        return _ask_what_is_meant(reply)
    if request.command is not None:
        return _handle_command(reply, request.command)
    if request.moves or request.beside:
        return _handle_moves(reply)
    return _write_note(reply, request.note) if request.note else reply.refuse(reply.letter.reply_text.why, reply.text)


def _ask_what_is_meant(reply: TableReply) -> MailOutcome:
    """Do nothing, because other words or a question mark are next to a command. Then ask about a held move."""
    request, waiting = reply.request, held_moves.find(reply.match, reply.seat, "held")
    if waiting is not None:
        return _stop_and_ask(reply, waiting)
    return reply.refuse("question" if request.question else "mixed", reply.text, request.mixed[:MOST_MEANT])


def _handle_former_player(reply: TableReply) -> MailOutcome:
    """Handle an email about a seat that somebody else plays by now. If the match allows it, they may take it back."""
    command = reply.letter.read_request(FORMER_PLAYER_COMMANDS).sole_command
    if command is not None and command.verb == "join" and not command.rest:
        try:
            substitutes.take_seat(reply.player, reply.match, reply.seat, None, reply.letter.config)
        except Problem as problem:
            return reply.refuse(problem.kind, "", why=problem.message)
        return reply.build_outcome("done", SeatBackAnswer())
    if command is not None and command.verb == "stop" and not command.rest:
        return reply.build_outcome("done", LettersStoppedAnswer(everywhere=False))
    if command is not None:
        return account_commands.handle_command(reply.letter, reply.player, command)
    free = substitutes.open_seats(
        MatchRow.get_by_id(reply.match), match_loader.load_match_state(reply.match), reply.player.id
    )
    return reply.refuse("left" if reply.seat in free else "not-your-seat", reply.text)


def _handle_moves(reply: TableReply) -> MailOutcome:
    """Make the moves in an email, hold them, or ask about them, as the words besides them require."""
    before = _find_earlier_submission(reply)
    if before is not None:
        return table_commands.report_moves(reply, before)
    question = reply.match_state.questions[reply.seat]
    if reply.match_state.state.over:
        return reply.refuse("over", reply.text)
    if question is None or question.asked != reply.asked:
        waits = question is None and reply.is_current
        return table_commands.keep_orders(reply) if waits else reply.refuse_stale(reply.text)
    waiting, request = held_moves.find(reply.match, reply.seat, "held"), reply.request
    if waiting is not None and not request.moves:
        return _stop_and_ask(reply, waiting)
    try:
        lines = reply.move_reader.parse_reply(request)
    except MovesNotUnderstood as error:
        held_moves.withdraw(reply.match, reply.seat, "held")
        return reply.refuse(error.reason, error.text, error.meant, said=reply.text)
    held_moves.withdraw(reply.match, reply.seat, "asked")
    return _decide(reply, lines, waiting)


def _decide(reply: TableReply, lines: tuple[str, ...], waiting: InboxRow | None) -> MailOutcome:
    """Make the lines, hold them or ask about them.

    While a move is held, only the same move again counts. Anything else may be a second thought.
    """
    verdict = reply.request.verdict
    if waiting is not None and verdict is PieceVerdict.HARMLESS and held_moves.read_action(waiting).lines == lines:
        return _release(reply, waiting)
    confirms = SeatRow.get(reply.seat_row).confirm
    if waiting is None and verdict is PieceVerdict.HARMLESS and not confirms:
        return _submit_moves(reply, reply.letter.proof, lines, reply.request.note, reply.text)
    held = verdict is not PieceVerdict.ASK and not held_moves.was_held(reply.match, reply.seat, reply.asked)
    until = held_moves.choose_time(reply.match, reply.seat) if held else None
    return _hold_moves(reply, lines, until)


def _find_earlier_submission(reply: TableReply) -> SubmissionResult | None:
    """Return what this email made when it was read before, or None."""
    if not 0 <= reply.asked <= reply.match_state.seq:
        return None
    again = move_replies.build_submission(reply.match_state, reply.asked, reply.letter.proof, ())
    return submissions.stored_result(reply.match, again.id)


def _submit_moves(
    reply: TableReply, proof: dict[str, Any], lines: tuple[str, ...], note: str, text: str
) -> MailOutcome:
    """Make the lines, and report what was made."""
    try:
        question = reply.match_state.questions[reply.seat]
        if question is None:
            return reply.refuse_stale(text)
        sent = move_replies.build_submission(reply.match_state, question.asked, proof, lines, note)
        accepted = accept.accept(reply.match, reply.player.id, sent)
    except Problem as problem:
        if problem.kind == "question-changed":
            return reply.refuse_stale(text)
        if problem.kind == "mail-not-allowed":
            return reply.refuse("signed", text)
        # If there are several lines, the answer quotes the one that was refused.
        return reply.refuse(problem.kind, problem.more.get("text", text), why=problem.message, said=text)
    return table_commands.report_moves(reply, accepted)


def _hold_moves(reply: TableReply, lines: tuple[str, ...], until: int | None) -> MailOutcome:
    """Keep the moves until a time, or ask for a yes if there is none."""
    action, why = accept.choose_action(reply.match_state, reply.seat, lines[0])
    if action is None:
        return reply.refuse("not-listed", lines[0], why=why)
    return _wait(reply, WaitingAction("move", reply.asked, lines, reply.request.note, until=until))


def _stop_and_ask(reply: TableReply, waiting: InboxRow) -> MailOutcome:
    """Ask about a held move, because words arrived that are neither a yes nor the same move."""
    return _wait(reply, replace(held_moves.read_action(waiting), until=None))


def _wait(reply: TableReply, action: WaitingAction) -> MailOutcome:
    """Let moves wait in place of the previous ones, and notify the player."""
    held_moves.withdraw_all(reply.match, reply.seat)
    waiting = reply.hold(action)
    beside = tuple(row[:MOST_QUOTED] for row in reply.request.beside or reply.request.mixed)[:MOST_MEANT]
    reason = "asked" if action.until is None else ""
    held = MovesHeldAnswer(lines=action.lines, until=action.until, beside=beside, waiting=waiting, reason=reason)
    if action.until is not None:
        return reply.build_outcome("done", held)
    return reply.build_outcome("refused", held, what="asked", why=reason, said=reply.text)


def handle_due(letter: IncomingLetter, kept: InboxRow) -> MailOutcome:
    """Make the held moves, because their time is over and nobody took them back."""
    player = PlayerRow.get_or_none(PlayerRow.id == kept.player)
    if player is None or kept.match is None or kept.seat is None:
        return ignore("no-player")
    asked = held_moves.read_action(kept).asked
    return _release(TableReply(letter, player, kept.match, kept.seat, asked), kept)


def _release(reply: TableReply, waiting: InboxRow) -> MailOutcome:
    """Make the moves that wait in a row, with the letter that brought them as proof."""
    question, action = reply.match_state.questions[reply.seat], held_moves.read_action(waiting)
    text = "\n".join(action.lines)
    if question is None or question.asked != action.asked:
        outcome = reply.refuse_stale(text)
    else:
        outcome = _submit_moves(reply, held_moves.proof(waiting), action.lines, action.note, text)
    held_moves.close(waiting.id, "released" if outcome.state == "done" else "withdrawn")
    return outcome


def _say_yes(reply: TableReply) -> MailOutcome:
    """Make the moves that are held or asked about at this seat. A yes to a turn email is a yes to nothing else."""
    rows = (held_moves.find(reply.match, reply.seat, state) for state in ("held", "asked"))
    waiting = next((row for row in rows if row is not None and held_moves.read_action(row).verb == "move"), None)
    return reply.refuse("nothing-waits", "") if waiting is None else _release(reply, waiting)


def _handle_command(reply: TableReply, command: Command) -> MailOutcome:
    """Run a command at a table."""
    if command.is_yes:
        return _say_yes(reply)
    if command.verb in CURRENT_COMMANDS and not reply.is_current:
        return reply.refuse_stale(reply.text)
    try:
        return COMMANDS.get(command.verb, _handle_account_command)(reply, command)
    except Problem as problem:
        return reply.refuse(REFUSALS.get(command.verb, command.verb), command.rest, why=problem.message)


def _handle_account_command(reply: TableReply, command: Command) -> MailOutcome:
    return account_commands.handle_command(reply.letter, reply.player, command)


SHOWN: dict[str, type[AnswerLetter]] = {
    "help": HelpAnswer,
    **dict.fromkeys(("board", "resend"), BoardAnswer),
    "history": HistoryAnswer,
    "clock": ClockAnswer,
}
"""Commands that only ask for information."""


def _show(reply: TableReply, command: Command) -> MailOutcome:
    """Answer with the requested information. The email itself is composed later."""
    return reply.build_outcome("answered", SHOWN[command.verb](), said=reply.text)


def _refuse_register(reply: TableReply, _command: Command) -> MailOutcome:
    """Say that there is nothing to register: a player with a seat has an account."""
    return reply.refuse("registered", reply.text)


def _join_other_match(reply: TableReply, command: Command) -> MailOutcome:
    """Take a seat in the named match. Without a name, say that they already have a seat at this table."""
    if not command.rest:
        return reply.refuse("at-table", reply.text)
    return _handle_account_command(reply, command)


def _show_rules(reply: TableReply, command: Command) -> MailOutcome:
    """Answer with the rules of this match's game, or of the named one."""
    if command.rest:
        return _handle_account_command(reply, command)
    return reply.build_outcome("answered", RulesAnswer(game=reply.match_state.facts.game.slug), said=reply.text)


def _set_letter_mode(reply: TableReply, command: Command) -> MailOutcome:
    """Set the emails that this seat gets from now on, or all of the player's emails if the text says so."""
    mode, everywhere = commands.parse_wanted_letters(command)
    if not mode:
        return reply.refuse("letters" if command.verb == "letters" else "unclear", reply.text)
    if everywhere:
        return _handle_account_command(reply, command)
    SeatRow.update(letters=mode).where(reply.seat_row).execute()
    kind = LettersStoppedAnswer if command.verb == "stop" else LetterModeAnswer
    return reply.build_outcome("done", kind(mode=mode, everywhere=False))


def _create_rematch(reply: TableReply, _command: Command) -> MailOutcome:
    """Create a rematch: the players are invited, unless one of them created it already."""
    match, _ = rematch.create_rematch(reply.player, reply.match, "-", reply.letter.config)
    answer = MatchCreatedAnswer(match=match.id, game=match.game, invited=True, label=reply.label or None)
    return done(reply.player.id, "rematch", answer)


def _undo(reply: TableReply, _command: Command) -> MailOutcome:
    """Withdraw everything that waits at this seat."""
    return reply.build_outcome("done", MovesUndoneAnswer(lines=tuple(held_moves.withdraw_all(reply.match, reply.seat))))


def _set_confirm_mode(reply: TableReply, command: Command) -> MailOutcome:
    """Hold moves that come by email from now on, or make them at once again."""
    switch = commands.parse_switch(command.rest)
    if not switch:
        return reply.refuse("over" if reply.match_state.state.over else "unclear", reply.text)
    SeatRow.update(confirm=switch == "on").where(reply.seat_row).execute()
    return reply.build_outcome("done", ConfirmModeAnswer(on=switch == "on"))


def _ask_whether_to_resign(reply: TableReply, _command: Command) -> MailOutcome:
    if reply.match_state.state.over:
        return reply.refuse("over", reply.text)
    waiting = reply.hold(WaitingAction("resign", reply.asked))
    return reply.build_outcome("done", ResignQuestionAnswer(waiting=waiting))


def handle_sure(letter: IncomingLetter, player: PlayerRow) -> MailOutcome:
    """Handle an answer to the email that asks whether somebody is sure. Only a plain yes runs the command."""
    address = letter.reply_address
    if address is None or address.match is None or address.seat is None:
        return ignore("gone")
    rows = letter.reply_text.lines or letter.lines
    reply = TableReply(letter, player, address.match, address.seat, address.asked, rows)
    try:
        if reply.is_former_player:
            return _handle_former_player(reply)
    except Problem as problem:
        return reply.refuse(problem.kind, reply.text, why=problem.message)
    return _handle_certainty(reply, str(address.payload.get("verb", "")), str(address.payload.get("waiting", "")))


def _handle_certainty(reply: TableReply, verb: str, number: str) -> MailOutcome:
    """Carry out the action in a row of the inbox after a plain yes, or withdraw it after a no."""
    command = reply.letter.read_request(SURE_ANSWERS | {verb}).sole_command
    if command is None or command.rest or commands.is_question(reply.text):
        return reply.refuse(SURE_REFUSALS[verb][0], reply.text) if verb in SURE_REFUSALS else _handle_reply(reply)
    if command.verb in ("no", "undo"):
        lines = held_moves.withdraw(reply.match, reply.seat, "asked")
        if verb in SURE_REFUSALS:
            return reply.refuse(SURE_REFUSALS[verb][1], reply.text)
        return reply.build_outcome("done", MovesUndoneAnswer(lines=lines))
    waiting = held_moves.find_by_id(number, reply.match, reply.seat)
    if waiting is None:
        return reply.refuse("over" if reply.match_state.state.over else "nothing-waits", reply.text)
    return ACTIONS[held_moves.read_action(waiting).verb](reply, waiting)


def _resign(reply: TableReply, waiting: InboxRow) -> MailOutcome:
    """Resign."""
    held_moves.close(waiting.id, "released")
    if reply.match_state.state.over:
        return reply.refuse("over", reply.text)
    question = reply.match_state.questions[reply.seat]
    asked = reply.match_state.seq if question is None else question.asked
    try:
        sent = move_replies.build_submission(reply.match_state, asked, reply.letter.proof, ("resign",))
        accepted = accept.accept(reply.match, reply.player.id, sent)
    except Problem as problem:
        return reply.refuse("over" if problem.kind == "match-over" else problem.kind, "resign", why=problem.message)
    return reply.build_outcome("done", ResignedAnswer(receipt=accepted.receipt))


ACTIONS: dict[str, Callable[[TableReply, InboxRow], MailOutcome]] = {
    "move": _release,
    "resign": _resign,
    "agree": table_commands.agree,
}
"""Handlers of actions that waited for a yes."""


def _write_note(reply: TableReply, body: str) -> MailOutcome:
    try:
        notes.write(reply.match, reply.player.id, body[: notes.LONGEST_TEXT])
    except Problem as problem:
        return reply.refuse("note", body, why=problem.message)
    return reply.build_outcome("done", NoteAnswer(note=body[: notes.LONGEST_TEXT]))


COMMANDS: dict[str, Callable[[TableReply, Command], MailOutcome]] = {
    **dict.fromkeys(SHOWN, _show),
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
"""Handlers of commands in a match. Other commands concern only the player."""
REFUSALS = {"preview": "not-listed", "agree": "propose"}
"""By command, the key of the sentence that says why it failed, if it differs from the command."""
CURRENT_COMMANDS = frozenset({"undo", "confirm", "resign"})
"""Commands that are only accepted in a reply about the current question."""
