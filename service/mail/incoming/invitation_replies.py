"""Answers to an invitation, and to the letter that confirms an address; both can make an account."""

from __future__ import annotations

import json
from typing import Any

from service.accounts import cold_mail_quota, players, verification_codes
from service.db.connection import execute, write_transaction
from service.db.models.accounts import PlayerRow
from service.db.models.matches import InvitationRow, SeatRow
from service.mail.incoming import account_commands, commands, sender_checks
from service.mail.incoming.account_commands import guess_language
from service.mail.incoming.answers import AnswerLetter, MailOutcome, PendingOutcome, ignore
from service.mail.incoming.commands import Command
from service.mail.incoming.incoming_letter import IncomingLetter
from service.mail.reply_addresses import ReplyAddress
from service.matches import invitations, join
from service.problems import Problem
from service.timestamps import now

ANSWER_COMMANDS = frozenset({"yes", "no", "join", "confirm", "stop", "rules"})
YES_COMMANDS = ("yes", "join", "confirm")


def _first_command(letter: IncomingLetter) -> Command | None:
    """The answer at the head of a letter."""
    return commands.parse_command(letter.said.lines[0], ANSWER_COMMANDS) if letter.said.lines else None


def handle_confirmation(letter: IncomingLetter, asked: ReplyAddress) -> PendingOutcome:
    """An answer to the letter that confirms an address: nobody is told anything before that is done."""
    text = str(asked.payload.get("code", ""))
    known = verification_codes.find(text.partition("-")[0], "confirm")
    if known is None or letter.verdict == "fail" or letter.writer != known.address:
        return ignore("sender" if known else "gone")
    said = _first_command(letter)
    if said is None or (said.rest and said.verb != "stop"):
        return ignore("unclear")
    return PendingOutcome(
        lambda: _confirm_address(text) if said.verb in YES_COMMANDS else _forget_code(text.partition("-")[0])
    )


def _confirm_address(text: str) -> MailOutcome:
    try:
        player = players.confirm(text)
    except Problem as problem:
        return MailOutcome("ignored", "gone", problem.detail)
    return MailOutcome("done", "confirmed", "", (AnswerLetter("welcome", player.id, {"name": player.name}),), player.id)


def _forget_code(code: str) -> MailOutcome:
    execute("delete from code where id = ? and used_at is null", code)
    return MailOutcome("done", "declined")


def handle_invitation(letter: IncomingLetter, asked: ReplyAddress) -> PendingOutcome:
    """An answer to an invitation, from the address it went to."""
    invitation = InvitationRow.get_or_none(InvitationRow.id == str(asked.payload.get("invitation", "")))
    if invitation is None:
        return ignore("gone")
    player = _find_invitee(invitation)
    address = player.address if player else invitation.address
    if letter.verdict == "fail" or not address or letter.writer != address.lower():
        return ignore("dmarc" if letter.verdict == "fail" else "sender")
    said = _first_command(letter)
    if player is not None and said is not None and said.verb == "rules":
        answer = AnswerLetter("rules", player.id, {"game": None, "match": invitation.match})
        return PendingOutcome(lambda: MailOutcome("answered", "rules", "", (answer,), player.id))
    if said is not None and said.verb == "stop" and player is None:
        return PendingOutcome(lambda: _decline_and_block(invitation, address))
    if said is None or said.rest or said.verb == "rules":
        return PendingOutcome(lambda: _refuse_unclear(letter, player, invitation))
    return PendingOutcome(
        lambda: _join(letter, invitation, player) if said.verb in YES_COMMANDS else _decline(invitation, player)
    )


def _find_invitee(invitation: InvitationRow) -> PlayerRow | None:
    """The player who was invited, by name or by address."""
    here = PlayerRow.deleted_at.is_null() & PlayerRow.confirmed_at.is_null(False)
    if invitation.player is not None:
        return PlayerRow.get_or_none((PlayerRow.id == invitation.player) & here)
    return PlayerRow.get_or_none((PlayerRow.address == (invitation.address or "").lower()) & here)


def _refuse_unclear(letter: IncomingLetter, player: PlayerRow | None, invitation: InvitationRow) -> MailOutcome:
    """Who has an account is told what to write; who has none is not written to."""
    if player is None:
        return MailOutcome("ignored", "unclear")
    about = {"reason": "invitation", "text": letter.said.text[:400], "meant": ["join", "no"], "why": ""}
    once = f"invitation:{invitation.id}"
    answer = AnswerLetter("refused", player.id, {**about, "match": invitation.match}, once)
    return MailOutcome("refused", "invitation", "", (answer,), player.id)


def _join(letter: IncomingLetter, invitation: InvitationRow, player: PlayerRow | None) -> MailOutcome:
    new = player is None
    guest = player or players.create(
        name=(sender_checks.from_name(letter.mail) or letter.writer.partition("@")[0])[:60],
        language=guess_language(letter.said.text),
        zone=letter.zone,
        at=now(),
        address=letter.writer,
    )
    if invitation.player is None:
        execute("update invitation set player = ? where id = ?", guest.id, invitation.id)
    try:
        with write_transaction():
            receipt = join.join_match(guest, invitation.match, invitation.seat, "-", None, letter.config)
    except Problem as problem:
        about = {"reason": problem.kind, "text": "", "meant": [], "why": problem.detail, "match": invitation.match}
        return MailOutcome("refused", problem.kind, "", (AnswerLetter("refused", guest.id, about),), guest.id)
    told = {"match": invitation.match, "seat": receipt["seat"], "receipt": receipt, "new": new}
    return MailOutcome("done", "joined", "", (AnswerLetter("joined", guest.id, told),), guest.id)


def handle_given_seat(letter: IncomingLetter, player: PlayerRow, lines: tuple[str, ...]) -> PendingOutcome:
    """An answer to the letter of an organiser who gave a seat: it can be given back before the match begins."""
    where = letter.asked.payload if letter.asked else {}
    wish = commands.parse_request(lines, account_commands.ACCOUNT_COMMANDS | {"yes", "no", "join"})
    known, about = wish.command, {"match": where.get("match"), "reason": "seated", "text": "\n".join(lines)[:400]}
    if known is None or wish.mixed:
        return PendingOutcome(lambda: _refuse(player, about))
    if known.verb == "no":
        return PendingOutcome(lambda: _give_back_seat(player, str(where.get("match"))))
    if known.verb in YES_COMMANDS:
        return PendingOutcome(lambda: _confirm_seat(player, str(where.get("match"))))
    if known.verb == "rules" and not known.rest:
        answer = AnswerLetter("rules", player.id, {"game": None, "match": where.get("match")})
        return PendingOutcome(lambda: MailOutcome("answered", "rules", "", (answer,), player.id))
    return PendingOutcome(lambda: account_commands.handle_command(letter, player, known))


def _refuse(player: PlayerRow, about: dict[str, Any]) -> MailOutcome:
    answer = AnswerLetter("refused", player.id, {"meant": [], "why": "", **about})
    return MailOutcome("refused", str(about["reason"]), "", (answer,), player.id)


def _give_back_seat(player: PlayerRow, match: str) -> MailOutcome:
    try:
        with write_transaction():
            join.leave_match(player, match)
    except Problem as problem:
        begun = problem.kind == "match-started"
        return _refuse(player, {"match": match, "reason": "begun" if begun else problem.kind, "text": ""})
    return MailOutcome("done", "declined", "", (AnswerLetter("declined", player.id, {"match": match}),), player.id)


def _confirm_seat(player: PlayerRow, match: str) -> MailOutcome:
    """Who says yes to a seat they have is told that it is theirs."""
    row = SeatRow.get_or_none((SeatRow.match == match) & (SeatRow.player == player.id))
    if row is None:
        return _refuse(player, {"match": match, "reason": "gone", "text": ""})
    told = {"match": match, "seat": row.seat, "receipt": json.loads(row.receipt or "null"), "new": False}
    return MailOutcome("done", "joined", "", (AnswerLetter("joined", player.id, told),), player.id)


def _decline_and_block(invitation: InvitationRow, address: str) -> MailOutcome:
    """A stranger who says stop has said no, and is never written to unasked again."""
    cold_mail_quota.use_up(address)
    return _decline(invitation, None)


def _decline(invitation: InvitationRow, player: PlayerRow | None) -> MailOutcome:
    if player is None:
        execute(
            "update invitation set answered_at = ?, answer = 'declined' where id = ? and answered_at is null",
            now(),
            invitation.id,
        )
        return MailOutcome("done", "declined")
    try:
        with write_transaction():
            invitations.decline(player, invitation.match)
    except Problem as problem:
        return MailOutcome("ignored", problem.kind, problem.detail, (), player.id)
    return MailOutcome(
        "done", "declined", "", (AnswerLetter("declined", player.id, {"match": invitation.match}),), player.id
    )
