"""Answers to an invitation, and to the letter that confirms an address; both can make an account."""

from __future__ import annotations

import json
from typing import Any

from service.accounts import players as accounts
from service.accounts import verification_codes as codes
from service.db.connection import run, writing
from service.db.models import Invitation, Player, SeatRow
from service.mail import unsubscribe as stopping
from service.mail.incoming import account_commands as front
from service.mail.incoming import commands
from service.mail.incoming import sender_checks as sender
from service.mail.incoming.account_commands import language
from service.mail.incoming.answers_outcome import Answer, Outcome, Work, ignored
from service.mail.incoming.commands import Command
from service.mail.incoming.incoming_letter import Incoming
from service.mail.reply_addresses import Asked
from service.matches import create as matches
from service.problems import Problem
from service.timestamps import now

ANSWERS = frozenset({"yes", "no", "join", "confirm", "stop", "rules"})
YES = ("yes", "join", "confirm")


def _answer(letter: Incoming) -> Command | None:
    """The answer at the head of a letter."""
    return commands.command(letter.said.lines[0], ANSWERS) if letter.said.lines else None


def confirming(letter: Incoming, asked: Asked) -> Work:
    """An answer to the letter that confirms an address: nobody is told anything before that is done."""
    text = str(asked.payload.get("code", ""))
    known = codes.find(text.partition("-")[0], "confirm")
    if known is None or letter.verdict == "fail" or letter.writer != known.address:
        return ignored("sender" if known else "gone")
    said = _answer(letter)
    if said is None or (said.rest and said.verb != "stop"):
        return ignored("unclear")
    return Work(lambda: _confirmed(text) if said.verb in YES else _forgotten(text.partition("-")[0]))


def _confirmed(text: str) -> Outcome:
    try:
        player = accounts.confirm(text)
    except Problem as problem:
        return Outcome("ignored", "gone", problem.detail)
    return Outcome("done", "confirmed", "", (Answer("welcome", player.id, {"name": player.name}),), player.id)


def _forgotten(code: str) -> Outcome:
    run("delete from code where id = ? and used_at is null", code)
    return Outcome("done", "declined")


def invited(letter: Incoming, asked: Asked) -> Work:
    """An answer to an invitation, from the address it went to."""
    invitation = Invitation.get_or_none(Invitation.id == str(asked.payload.get("invitation", "")))
    if invitation is None:
        return ignored("gone")
    player = _guest(invitation)
    address = player.address if player else invitation.address
    if letter.verdict == "fail" or not address or letter.writer != address.lower():
        return ignored("dmarc" if letter.verdict == "fail" else "sender")
    said = _answer(letter)
    if player is not None and said is not None and said.verb == "rules":
        answer = Answer("rules", player.id, {"game": None, "match": invitation.match})
        return Work(lambda: Outcome("answered", "rules", "", (answer,), player.id))
    if said is not None and said.verb == "stop" and player is None:
        return Work(lambda: _closed(invitation, address))
    if said is None or said.rest or said.verb == "rules":
        return Work(lambda: _unclear(letter, player, invitation))
    return Work(lambda: _join(letter, invitation, player) if said.verb in YES else _decline(invitation, player))


def _guest(invitation: Invitation) -> Player | None:
    """The player who was invited, by name or by address."""
    here = Player.deleted_at.is_null() & Player.confirmed_at.is_null(False)
    if invitation.player is not None:
        return Player.get_or_none((Player.id == invitation.player) & here)
    return Player.get_or_none((Player.address == (invitation.address or "").lower()) & here)


def _unclear(letter: Incoming, player: Player | None, invitation: Invitation) -> Outcome:
    """Who has an account is told what to write; who has none is not written to."""
    if player is None:
        return Outcome("ignored", "unclear")
    about = {"reason": "invitation", "text": letter.said.text[:400], "meant": ["join", "no"], "why": ""}
    once = f"invitation:{invitation.id}"
    answer = Answer("refused", player.id, {**about, "match": invitation.match}, once)
    return Outcome("refused", "invitation", "", (answer,), player.id)


def _join(letter: Incoming, invitation: Invitation, player: Player | None) -> Outcome:
    new = player is None
    guest = player or accounts.create(
        name=(sender.called(letter.mail) or letter.writer.partition("@")[0])[:60],
        language=language(letter.said.text),
        zone=letter.zone,
        at=now(),
        address=letter.writer,
    )
    if invitation.player is None:
        run("update invitation set player = ? where id = ?", guest.id, invitation.id)
    try:
        with writing():
            receipt = matches.join(guest, invitation.match, invitation.seat, "-", None, letter.config)
    except Problem as problem:
        about = {"reason": problem.kind, "text": "", "meant": [], "why": problem.detail, "match": invitation.match}
        return Outcome("refused", problem.kind, "", (Answer("refused", guest.id, about),), guest.id)
    told = {"match": invitation.match, "seat": receipt["seat"], "receipt": receipt, "new": new}
    return Outcome("done", "joined", "", (Answer("joined", guest.id, told),), guest.id)


def seated(letter: Incoming, player: Player, lines: tuple[str, ...]) -> Work:
    """An answer to the letter of an organiser who gave a seat: it can be given back before the match begins."""
    where = letter.asked.payload if letter.asked else {}
    wish = commands.wish(lines, front.GENERAL | {"yes", "no", "join"})
    known, about = wish.command, {"match": where.get("match"), "reason": "seated", "text": "\n".join(lines)[:400]}
    if known is None or wish.mixed:
        return Work(lambda: _refusal(player, about))
    if known.verb == "no":
        return Work(lambda: _stand_up(player, str(where.get("match"))))
    if known.verb in YES:
        return Work(lambda: _sits(player, str(where.get("match"))))
    if known.verb == "rules" and not known.rest:
        answer = Answer("rules", player.id, {"game": None, "match": where.get("match")})
        return Work(lambda: Outcome("answered", "rules", "", (answer,), player.id))
    return Work(lambda: front.general(letter, player, known))


def _refusal(player: Player, about: dict[str, Any]) -> Outcome:
    answer = Answer("refused", player.id, {"meant": [], "why": "", **about})
    return Outcome("refused", str(about["reason"]), "", (answer,), player.id)


def _stand_up(player: Player, match: str) -> Outcome:
    try:
        with writing():
            matches.leave(player, match)
    except Problem as problem:
        begun = problem.kind == "match-started"
        return _refusal(player, {"match": match, "reason": "begun" if begun else problem.kind, "text": ""})
    return Outcome("done", "declined", "", (Answer("declined", player.id, {"match": match}),), player.id)


def _sits(player: Player, match: str) -> Outcome:
    """Who says yes to a seat they have is told that it is theirs."""
    row = SeatRow.get_or_none((SeatRow.match == match) & (SeatRow.player == player.id))
    if row is None:
        return _refusal(player, {"match": match, "reason": "gone", "text": ""})
    told = {"match": match, "seat": row.seat, "receipt": json.loads(row.receipt or "null"), "new": False}
    return Outcome("done", "joined", "", (Answer("joined", player.id, told),), player.id)


def _closed(invitation: Invitation, address: str) -> Outcome:
    """A stranger who says stop has said no, and is never written to unasked again."""
    stopping.close(address)
    return _decline(invitation, None)


def _decline(invitation: Invitation, player: Player | None) -> Outcome:
    if player is None:
        run(
            "update invitation set answered_at = ?, answer = 'declined' where id = ? and answered_at is null",
            now(),
            invitation.id,
        )
        return Outcome("done", "declined")
    try:
        with writing():
            matches.decline(player, invitation.match)
    except Problem as problem:
        return Outcome("ignored", problem.kind, problem.detail, (), player.id)
    return Outcome("done", "declined", "", (Answer("declined", player.id, {"match": invitation.match}),), player.id)
