"""A letter at a table: moves for the question it answers, or a command about the match."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.words import Locale
from service.db.connection import run, writing
from service.db.models import Inbox, Match, Player, SeatRow
from service.mail.incoming import account_commands as front
from service.mail.incoming import commands
from service.mail.incoming import held_moves as held
from service.mail.incoming import move_replies as moves
from service.mail.incoming.answers import fingerprint
from service.mail.incoming.answers_outcome import Answer, Outcome, Work, ignored
from service.mail.incoming.commands import Command
from service.mail.incoming.incoming_letter import Incoming
from service.mail.incoming.move_replies import NotUnderstood, Understood
from service.matches import rematch, substitutes
from service.play import accept as play
from service.play import notes, submissions
from service.play.submissions import Accepted
from service.play.views import Looking
from service.problems import Problem
from service.record.table import Table

SHOWN = ("help", "board", "history", "clock")
OLD = frozenset({*SHOWN, *"rules leave stop letters league zone language digest".split()})
"""What an address still serves when its question is past."""
LEFT = front.GENERAL | {"join"}
"""What it serves whoever lost the seat."""


@dataclass(frozen=True)
class Place:
    """A seat, the question its letter was about, and who sits there."""

    match: str
    seat: int
    asked: int
    player: Player
    label: str = ""

    @property
    def locale(self) -> Locale:
        """The language of the player."""
        return "fr" if self.player.language == "fr" else "en"

    def outcome(self, state: str, answer: str, more: Mapping[str, Any], *, what: str = "", said: str = "") -> Outcome:
        """An outcome with its answer."""
        about = {"match": self.match, "seat": self.seat, "label": self.label or None, **more}
        print_ = fingerprint(self.match, self.asked, said) if state in ("refused", "answered") else ""
        told = (Answer(answer, self.player.id, about),)
        return Outcome(state, what or answer, str(more.get("reason", "")), told, self.player.id, print_)

    def refused(self, reason: str, text: str, meant: tuple[str, ...] = (), why: str = "", *, said: str = "") -> Outcome:
        """A refusal that says what was wrong."""
        more = {"reason": reason, "text": text[:400], "meant": list(meant), "why": why}
        return self.outcome("refused", "refused", more, what=reason, said=said or text)

    def stale(self, text: str) -> Outcome:
        """The question has changed: the present table is the answer."""
        return self.outcome("refused", "stale", {"text": text[:400]}, said=text)


def work(letter: Incoming, at: Place, lines: tuple[str, ...]) -> Work:
    """What the lines of a letter ask for at this table."""
    text = "\n".join(lines)
    try:
        table = play.table_of(at.match)
    except Problem as problem:
        refusal = at.refused(problem.kind, text, why=problem.detail)
        return Work(lambda: refusal)
    if table.players[at.seat] != at.player.id:
        return Work(lambda: _left(letter, at, lines), together=False)
    waits = held.waiting(at.match, at.seat)
    wish = commands.wish(lines, commands.TABLE | {"yes"} if waits else commands.TABLE)
    if wish.mixed:
        return Work(lambda: at.refused("mixed", text))
    if wish.command is not None:
        known = wish.command
        together = known.verb not in ("yes", "confirm") or bool(known.rest)
        return Work(lambda: command(letter, at, table, known, text), together)
    if not wish.paragraphs:
        return Work(lambda: _note(at, wish.note))
    return Work(lambda: _moves(letter, at, table, wish, text), together=False)


def _left(letter: Incoming, at: Place, lines: tuple[str, ...]) -> Outcome:
    """A letter from somebody whose seat another plays by now: they may take it back where that is open to them."""
    known = commands.wish(lines, LEFT).command
    if known is not None and known.verb == "join":
        try:
            substitutes.take(at.player, at.match, at.seat, None, letter.config)
        except Problem as problem:
            return at.refused(problem.kind, "", why=problem.detail)
        return at.outcome("done", "back", {})
    if known is not None and known.verb == "stop" and not known.rest:
        return at.outcome("done", "stopped", {"mode": "none", "everywhere": False})
    if known is not None:
        return front.general(letter, at.player, known)
    free = substitutes.open_seats(Match.get_by_id(at.match), play.table_of(at.match), at.player.id)
    return at.refused("left" if at.seat in free else "not-your-seat", "\n".join(lines))


def _moves(letter: Incoming, at: Place, table: Table, wish: commands.Wish, text: str) -> Outcome:
    before = _stored(letter, at, table)
    if before is not None:
        return made(at, before, ())
    question = table.questions[at.seat]
    if table.state.over:
        return at.refused("over", text)
    if question is None or question.asked != at.asked:
        return at.stale(text)
    looking = Looking(table, at.seat, at.locale)
    try:
        read = moves.understood(looking, wish.paragraphs, letter.said.hyphen)
    except NotUnderstood as error:
        return at.refused(error.reason, error.text, error.meant, said=text)
    held.withdraw(at.match, at.seat, "asked")
    if SeatRow.get((SeatRow.match == at.match) & (SeatRow.seat == at.seat)).confirm:
        return _hold(letter, at, table, read, wish.note)
    return send(letter.proof, at, table, read, wish.note, text)


def _stored(letter: Incoming, at: Place, table: Table) -> Accepted | None:
    """What this letter made when it was read before, if it was."""
    if not 0 <= at.asked <= table.seq:
        return None
    again = moves.Mailed(at.asked, play.hash_of(table, at.asked), (), channel="mail", mail=letter.proof)
    return submissions.answered(at.match, again.id)


def send(proof: dict[str, Any], at: Place, table: Table, read: Understood, note: str, text: str) -> Outcome:
    """Make the lines, and say what was made."""
    try:
        accepted = moves.send(table, at.seat, at.player.id, read.lines, proof, note)
    except Problem as problem:
        if problem.kind == "question-changed":
            return at.stale(text)
        signed = problem.kind == "mail-not-allowed"
        return at.refused("signed" if signed else problem.kind, text, why="" if signed else problem.detail)
    return made(at, accepted, read.unread)


def made(at: Place, accepted: Accepted, unread: tuple[str, ...]) -> Outcome:
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


def _hold(letter: Incoming, at: Place, table: Table, read: Understood, note: str) -> Outcome:
    """Keep the moves for a while, or make them if they are the same that wait already."""
    waiting = held.row(at.match, at.seat, "held")
    if waiting is not None and held.lines(waiting) == read.lines:
        return release(at, table)
    action, why = play.choose(table, at.seat, read.lines[0])
    if action is None:
        return at.refused("not-listed", read.lines[0], why=why)
    kept = {"lines": list(read.lines), "note": note, "asked": at.asked}
    with writing():
        until = held.keep(letter, at.match, at.seat, "held", kept)
    more = {"lines": list(read.lines), "until": until, "unread": list(read.unread)}
    return at.outcome("done", "held", more)


def release(at: Place, table: Table) -> Outcome:
    """Make what is held for this seat, with the letter that brought it as proof."""
    waiting = held.row(at.match, at.seat, "held")
    if waiting is None:
        return at.refused("nothing-waits", "")
    question, text = table.questions[at.seat], "\n".join(held.lines(waiting))
    if question is None or question.asked != held.asked(waiting):
        outcome = at.stale(text)
    else:
        read = Understood(held.lines(waiting))
        outcome = send(held.proof(waiting), at, table, read, held.note(waiting), text)
    held.close(waiting.id, "released" if outcome.state == "done" else "withdrawn")
    return outcome


def due(kept: Inbox) -> Work:
    """The ten minutes are over and nobody took it back: it counts."""
    player = Player.get_or_none(Player.id == kept.player)
    if player is None or kept.match is None or kept.seat is None:
        return ignored("no-player")
    at = Place(kept.match, kept.seat, held.asked(kept), player)
    return Work(lambda: release(at, play.table_of(at.match)), together=False)


def command(letter: Incoming, at: Place, table: Table, known: Command, text: str) -> Outcome:
    """Do what a command asks."""
    question = table.questions[at.seat]
    current = question.asked == at.asked if question else table.own[at.seat] <= at.asked
    if known.verb in OLD:
        return _always(letter, at, known, text)
    if known.verb in ("yes", "confirm") and not known.rest:
        return _sure(letter, at, table)
    if known.verb in ("new", "rematch"):
        return _again(letter, at) if known.verb == "rematch" else front.made(letter, at.player, known.rest)
    return _now(letter, at, known, text, over=table.state.over) if current else at.stale(text)


def _again(letter: Incoming, at: Place) -> Outcome:
    """The same match anew: who sat there is invited, unless one of them did so already."""
    try:
        made, _ = rematch.rematch(at.player, at.match, "-", letter.config)
    except Problem as problem:
        return at.refused("rematch", "", why=problem.detail)
    more = {"match": made.id, "seat": None, "game": made.game, "invited": True}
    return at.outcome("done", "made", more, what="rematch")


def _now(letter: Incoming, at: Place, known: Command, text: str, *, over: bool) -> Outcome:
    """Commands that only a letter about the present question may give."""
    if known.verb == "undo":
        return at.outcome("done", "undone", {"lines": held.undo(at.match, at.seat)})
    if known.verb == "confirm" and commands.switch(known.rest):
        on = commands.switch(known.rest) == "on"
        SeatRow.update(confirm=on).where((SeatRow.match == at.match) & (SeatRow.seat == at.seat)).execute()
        return at.outcome("done", "confirming", {"on": on})
    if known.verb == "resign" and not over:
        held.keep(letter, at.match, at.seat, "asked", {"asked": at.asked})
        return at.outcome("done", "resign", {})
    return at.refused("over" if over else "unclear", text)


def _always(letter: Incoming, at: Place, known: Command, text: str) -> Outcome:
    if known.verb in SHOWN:
        return at.outcome("answered", known.verb, {}, said=text)
    if known.verb == "rules" and not known.rest:
        return at.outcome("answered", "rules", {"game": play.table_of(at.match).facts.game.slug}, said=text)
    if known.verb in ("stop", "letters"):
        mode, everywhere = ("none", "") if known.verb == "stop" else commands.mode(known.rest)
        if not mode or (known.verb == "stop" and known.rest and not commands.mode(known.rest)[1]):
            return at.refused("letters" if known.verb == "letters" else "unclear", text)
        if not (everywhere or (known.verb == "stop" and known.rest)):
            run("update seat set letters = ? where match = ? and seat = ?", mode, at.match, at.seat)
            answer = "stopped" if known.verb == "stop" else "letters"
            return at.outcome("done", answer, {"mode": mode, "everywhere": False})
    return front.general(letter, at.player, known)


def _sure(letter: Incoming, at: Place, table: Table) -> Outcome:
    """`yes`: what was asked or held is done now."""
    asked = held.row(at.match, at.seat, "asked")
    if asked is None:
        return release(at, table)
    held.close(asked.id, "released")
    try:
        accepted = moves.resign(table, at.seat, at.player.id, letter.proof)
    except Problem as problem:
        return at.refused("over" if problem.kind == "match-over" else problem.kind, "resign", why=problem.detail)
    return at.outcome("done", "resigned", {"receipt": accepted.receipt})


def _note(at: Place, body: str) -> Outcome:
    try:
        notes.write(at.match, at.player.id, body[: notes.LONGEST])
    except Problem as problem:
        return at.refused("note", body, why=problem.detail)
    return at.outcome("done", "note", {"note": body[: notes.LONGEST]})
