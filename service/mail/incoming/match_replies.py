"""A letter at a table: moves for the question it answers, or a command about the match."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.words import Locale
from service.db.connection import execute, write_transaction
from service.db.models.accounts import PlayerRow
from service.db.models.mail import InboxRow
from service.db.models.matches import MatchRow, SeatRow
from service.mail.incoming import account_commands, commands, held_moves, move_replies
from service.mail.incoming.answers import AnswerLetter, MailOutcome, PendingOutcome, fingerprint, ignore
from service.mail.incoming.commands import Command
from service.mail.incoming.incoming_letter import IncomingLetter
from service.mail.incoming.move_replies import MovesNotUnderstood, ParsedMoves
from service.matches import rematch, substitutes
from service.play import accept, notes, submissions, table_store
from service.play.submissions import SubmissionResult
from service.play.views import Viewer
from service.problems import Problem
from service.record.table import Table

SHOWN_COMMANDS = ("help", "board", "history", "clock")
ANY_TIME_COMMANDS = frozenset({*SHOWN_COMMANDS, *"rules leave stop letters league zone language digest".split()})
"""What an address still serves when its question is past."""
FORMER_PLAYER_COMMANDS = account_commands.ACCOUNT_COMMANDS | {"join"}
"""What it serves whoever lost the seat."""


@dataclass(frozen=True)
class ReplySeat:
    """A seat, the question its letter was about, and who sits there."""

    match: str
    seat: int
    asked: int
    player: PlayerRow
    label: str = ""

    @property
    def locale(self) -> Locale:
        """The language of the player."""
        return "fr" if self.player.language == "fr" else "en"

    def outcome(
        self, state: str, answer: str, more: Mapping[str, Any], *, what: str = "", said: str = ""
    ) -> MailOutcome:
        """An outcome with its answer."""
        about = {"match": self.match, "seat": self.seat, "label": self.label or None, **more}
        print_ = fingerprint(self.match, self.asked, said) if state in ("refused", "answered") else ""
        told = (AnswerLetter(answer, self.player.id, about),)
        return MailOutcome(state, what or answer, str(more.get("reason", "")), told, self.player.id, print_)

    def refused(
        self, reason: str, text: str, meant: tuple[str, ...] = (), why: str = "", *, said: str = ""
    ) -> MailOutcome:
        """A refusal that says what was wrong."""
        more = {"reason": reason, "text": text[:400], "meant": list(meant), "why": why}
        return self.outcome("refused", "refused", more, what=reason, said=said or text)

    def stale(self, text: str) -> MailOutcome:
        """The question has changed: the present table is the answer."""
        return self.outcome("refused", "stale", {"text": text[:400]}, said=text)


def handle(letter: IncomingLetter, at: ReplySeat, lines: tuple[str, ...]) -> PendingOutcome:
    """What the lines of a letter ask for at this table."""
    text = "\n".join(lines)
    try:
        table = table_store.table_of(at.match)
    except Problem as problem:
        refusal = at.refused(problem.kind, text, why=problem.detail)
        return PendingOutcome(lambda: refusal)
    if table.players[at.seat] != at.player.id:
        return PendingOutcome(lambda: _handle_former_player(letter, at, lines), together=False)
    waits = held_moves.has_waiting(at.match, at.seat)
    wish = commands.parse_request(lines, commands.TABLE_COMMANDS | {"yes"} if waits else commands.TABLE_COMMANDS)
    if wish.mixed:
        return PendingOutcome(lambda: at.refused("mixed", text))
    if wish.command is not None:
        known = wish.command
        together = known.verb not in ("yes", "confirm") or bool(known.rest)
        return PendingOutcome(lambda: handle_command(letter, at, table, known, text), together)
    if not wish.paragraphs:
        return PendingOutcome(lambda: _write_note(at, wish.note))
    return PendingOutcome(lambda: _handle_moves(letter, at, table, wish, text), together=False)


def _handle_former_player(letter: IncomingLetter, at: ReplySeat, lines: tuple[str, ...]) -> MailOutcome:
    """A letter from somebody whose seat another plays by now: they may take it back where that is open to them."""
    known = commands.parse_request(lines, FORMER_PLAYER_COMMANDS).command
    if known is not None and known.verb == "join":
        try:
            substitutes.take_seat(at.player, at.match, at.seat, None, letter.config)
        except Problem as problem:
            return at.refused(problem.kind, "", why=problem.detail)
        return at.outcome("done", "back", {})
    if known is not None and known.verb == "stop" and not known.rest:
        return at.outcome("done", "stopped", {"mode": "none", "everywhere": False})
    if known is not None:
        return account_commands.handle_command(letter, at.player, known)
    free = substitutes.open_seats(MatchRow.get_by_id(at.match), table_store.table_of(at.match), at.player.id)
    return at.refused("left" if at.seat in free else "not-your-seat", "\n".join(lines))


def _handle_moves(
    letter: IncomingLetter, at: ReplySeat, table: Table, wish: commands.MailRequest, text: str
) -> MailOutcome:
    before = _find_earlier_submission(letter, at, table)
    if before is not None:
        return report_moves(at, before, ())
    question = table.questions[at.seat]
    if table.state.over:
        return at.refused("over", text)
    if question is None or question.asked != at.asked:
        return at.stale(text)
    looking = Viewer(table, at.seat, at.locale)
    try:
        read = move_replies.parse_moves(looking, wish.paragraphs)
    except MovesNotUnderstood as error:
        return at.refused(error.reason, error.text, error.meant, said=text)
    held_moves.withdraw(at.match, at.seat, "asked")
    if SeatRow.get((SeatRow.match == at.match) & (SeatRow.seat == at.seat)).confirm:
        return _hold_moves(letter, at, table, read, wish.note)
    return submit_moves(letter.proof, at, table, read, wish.note, text)


def _find_earlier_submission(letter: IncomingLetter, at: ReplySeat, table: Table) -> SubmissionResult | None:
    """What this letter made when it was read before, if it was."""
    if not 0 <= at.asked <= table.seq:
        return None
    again = move_replies.MailSubmission(
        at.asked, table_store.hash_of(table, at.asked), (), channel="mail", mail=letter.proof
    )
    return submissions.stored_result(at.match, again.id)


def submit_moves(
    proof: dict[str, Any], at: ReplySeat, table: Table, read: ParsedMoves, note: str, text: str
) -> MailOutcome:
    """Make the lines, and say what was made."""
    try:
        accepted = move_replies.submit(table, at.seat, at.player.id, read.lines, proof, note)
    except Problem as problem:
        if problem.kind == "question-changed":
            return at.stale(text)
        signed = problem.kind == "mail-not-allowed"
        return at.refused("signed" if signed else problem.kind, text, why="" if signed else problem.detail)
    return report_moves(at, accepted, read.unread)


def report_moves(at: ReplySeat, accepted: SubmissionResult, unread: tuple[str, ...]) -> MailOutcome:
    """The answer to moves that were made."""
    more = {
        "made": list(accepted.made),
        "waiting": accepted.waiting,
        "dropped": list(accepted.dropped),
        "why": accepted.why,
        "receipt": accepted.receipt,
        "unread": [row[:200] for row in unread],
    }
    return at.outcome("done", "understood", more, what="moves")


def _hold_moves(letter: IncomingLetter, at: ReplySeat, table: Table, read: ParsedMoves, note: str) -> MailOutcome:
    """Keep the moves for a while, or make them if they are the same that wait already."""
    waiting = held_moves.find(at.match, at.seat, "held")
    if waiting is not None and held_moves.lines(waiting) == read.lines:
        return release_held_moves(at, table)
    action, why = accept.choose_action(table, at.seat, read.lines[0])
    if action is None:
        return at.refused("not-listed", read.lines[0], why=why)
    kept = {"lines": list(read.lines), "note": note, "asked": at.asked}
    with write_transaction():
        until = held_moves.hold(letter, at.match, at.seat, "held", kept)
    more = {"lines": list(read.lines), "until": until, "unread": list(read.unread)}
    return at.outcome("done", "held", more)


def release_held_moves(at: ReplySeat, table: Table) -> MailOutcome:
    """Make what is held for this seat, with the letter that brought it as proof."""
    waiting = held_moves.find(at.match, at.seat, "held")
    if waiting is None:
        return at.refused("nothing-waits", "")
    question, text = table.questions[at.seat], "\n".join(held_moves.lines(waiting))
    if question is None or question.asked != held_moves.question_number(waiting):
        outcome = at.stale(text)
    else:
        read = ParsedMoves(held_moves.lines(waiting))
        outcome = submit_moves(held_moves.proof(waiting), at, table, read, held_moves.note(waiting), text)
    held_moves.close(waiting.id, "released" if outcome.state == "done" else "withdrawn")
    return outcome


def handle_due(kept: InboxRow) -> PendingOutcome:
    """The ten minutes are over and nobody took it back: it counts."""
    player = PlayerRow.get_or_none(PlayerRow.id == kept.player)
    if player is None or kept.match is None or kept.seat is None:
        return ignore("no-player")
    at = ReplySeat(kept.match, kept.seat, held_moves.question_number(kept), player)
    return PendingOutcome(lambda: release_held_moves(at, table_store.table_of(at.match)), together=False)


def handle_command(letter: IncomingLetter, at: ReplySeat, table: Table, known: Command, text: str) -> MailOutcome:
    """Do what a command asks."""
    question = table.questions[at.seat]
    current = question.asked == at.asked if question else table.own[at.seat] <= at.asked
    if known.verb in ANY_TIME_COMMANDS:
        return _handle_any_time_command(letter, at, known, text)
    if known.verb in ("yes", "confirm") and not known.rest:
        return _handle_yes(letter, at, table)
    if known.verb in ("new", "rematch"):
        return (
            _create_rematch(letter, at)
            if known.verb == "rematch"
            else account_commands.create_match(letter, at.player, known.rest)
        )
    return _handle_current_command(letter, at, known, text, over=table.state.over) if current else at.stale(text)


def _create_rematch(letter: IncomingLetter, at: ReplySeat) -> MailOutcome:
    """The same match anew: who sat there is invited, unless one of them did so already."""
    try:
        made, _ = rematch.create_rematch(at.player, at.match, "-", letter.config)
    except Problem as problem:
        return at.refused("rematch", "", why=problem.detail)
    more = {"match": made.id, "seat": None, "game": made.game, "invited": True}
    return at.outcome("done", "made", more, what="rematch")


def _handle_current_command(
    letter: IncomingLetter, at: ReplySeat, known: Command, text: str, *, over: bool
) -> MailOutcome:
    """Commands that only a letter about the present question may give."""
    if known.verb == "undo":
        return at.outcome("done", "undone", {"lines": held_moves.withdraw_all(at.match, at.seat)})
    if known.verb == "confirm" and commands.parse_switch(known.rest):
        on = commands.parse_switch(known.rest) == "on"
        SeatRow.update(confirm=on).where((SeatRow.match == at.match) & (SeatRow.seat == at.seat)).execute()
        return at.outcome("done", "confirming", {"on": on})
    if known.verb == "resign" and not over:
        held_moves.hold(letter, at.match, at.seat, "asked", {"asked": at.asked})
        return at.outcome("done", "resign", {})
    return at.refused("over" if over else "unclear", text)


def _handle_any_time_command(letter: IncomingLetter, at: ReplySeat, known: Command, text: str) -> MailOutcome:
    if known.verb in SHOWN_COMMANDS:
        return at.outcome("answered", known.verb, {}, said=text)
    if known.verb == "rules" and not known.rest:
        return at.outcome("answered", "rules", {"game": table_store.table_of(at.match).facts.game.slug}, said=text)
    if known.verb in ("stop", "letters"):
        mode, everywhere = ("none", "") if known.verb == "stop" else commands.parse_letter_mode(known.rest)
        if not mode or (known.verb == "stop" and known.rest and not commands.parse_letter_mode(known.rest)[1]):
            return at.refused("letters" if known.verb == "letters" else "unclear", text)
        if not (everywhere or (known.verb == "stop" and known.rest)):
            execute("update seat set letters = ? where match = ? and seat = ?", mode, at.match, at.seat)
            answer = "stopped" if known.verb == "stop" else "letters"
            return at.outcome("done", answer, {"mode": mode, "everywhere": False})
    return account_commands.handle_command(letter, at.player, known)


def _handle_yes(letter: IncomingLetter, at: ReplySeat, table: Table) -> MailOutcome:
    """`yes`: what was asked or held is done now."""
    asked = held_moves.find(at.match, at.seat, "asked")
    if asked is None:
        return release_held_moves(at, table)
    held_moves.close(asked.id, "released")
    try:
        accepted = move_replies.resign(table, at.seat, at.player.id, letter.proof)
    except Problem as problem:
        return at.refused("over" if problem.kind == "match-over" else problem.kind, "resign", why=problem.detail)
    return at.outcome("done", "resigned", {"receipt": accepted.receipt})


def _write_note(at: ReplySeat, body: str) -> MailOutcome:
    try:
        notes.write(at.match, at.player.id, body[: notes.LONGEST_BODY])
    except Problem as problem:
        return at.refused("note", body, why=problem.detail)
    return at.outcome("done", "note", {"note": body[: notes.LONGEST_BODY]})
