"""Answers to an invitation, to a seat that was given, and to the email that confirms an address."""

from __future__ import annotations

import json
from dataclasses import replace

from service.accounts import cold_mail_quota, mailed_codes, players
from service.db.connection import execute, write_transaction
from service.db.models.accounts import CodeRow, PlayerRow
from service.db.models.matches import InvitationRow, SeatRow
from service.jobs import queue
from service.mail import commands
from service.mail.commands import Command
from service.mail.incoming import account_commands, lobby_commands, wish_sentences
from service.mail.incoming.account_commands import guess_language
from service.mail.incoming.answers import MailOutcome, done, fingerprint, ignore, refuse
from service.mail.incoming.incoming_letter import IncomingLetter
from service.mail.job_payloads import RulesAnswer, SeatDeclinedAnswer, SeatJoinedAnswer, WelcomeAnswer
from service.matches import erasure, invitations, join
from service.matches.job_payloads import InvitationLetter
from service.problems import Problem
from service.timestamps import now

ANSWER_COMMANDS = frozenset({"yes", "no", "join", "confirm", "stop", "rules"})
YES_COMMANDS = ("yes", "join", "confirm")


def handle_confirmation(letter: IncomingLetter) -> MailOutcome:
    """Handle an answer to the email that confirms an address. Nobody is notified before it is confirmed."""
    text = str(letter.address_payload.get("code", ""))
    code = mailed_codes.find(text.partition("-")[0], "confirm")
    if code is None or letter.verdict == "fail" or letter.from_address != code.address:
        return ignore("sender" if code else "gone")
    if _says_no(letter):
        execute("delete from code where id = ? and used_at is null", code.id)
        return MailOutcome("done", "declined")
    command = _only_command(letter)
    if command is None or command.rest or command.verb not in YES_COMMANDS:
        return _repeat_confirmation(letter, code, text)
    return _confirm_address(letter, text)


def _repeat_confirmation(letter: IncomingLetter, code: CodeRow, text: str) -> MailOutcome:
    """Explain what to write to somebody who answered with other words, in their language and once a day."""
    allowance = cold_mail_quota.take_answer(letter.from_address, letter.received, passed=True, purpose="reconfirm")
    if not allowance.granted or code.used_at is not None:
        return ignore("unclear")
    registration = json.loads(code.payload)
    registration["language"] = guess_language(letter.reply_text.text, registration["language"])
    answer = players.confirmation_letter(code.id, text.partition("-")[2], letter.from_address, registration)
    answer = replace(answer, by_mail=True, again=True, in_reply_to=letter.message_id)
    queue.add(answer, f"confirm:{code.id}:{letter.id}")
    return MailOutcome("answered", "confirm")


def _only_command(letter: IncomingLetter) -> Command | None:
    """Return the answer in an email, or None if other words in it may mean something."""
    return letter.read_request(ANSWER_COMMANDS).sole_command


def _says_no(letter: IncomingLetter) -> bool:
    """Return True if the first line says no or stop. Then we do not write again, whatever follows."""
    return bool(letter.lines) and commands.parse_command(letter.lines[0], {"no", "stop"}) is not None


def _confirm_address(letter: IncomingLetter, text: str) -> MailOutcome:
    """Make the account. If a match was requested, the email about it is the welcome."""
    try:
        player = players.confirm(text)
    except Problem as problem:
        return ignore("gone", problem.detail)
    return _welcome(letter, player, lobby_commands.find_wish(text.partition("-")[0]), "confirmed")


def _welcome(letter: IncomingLetter, player: PlayerRow, wish: str, what: str) -> MailOutcome:
    """Lead a new player to the match they asked for, or greet them if they asked for none."""
    if wish:
        lobby_commands.grant_wish(player, wish, letter.config)
        return done(player.id, what)
    return done(player.id, what, WelcomeAnswer(name=player.name))


def handle_beginner(letter: IncomingLetter) -> MailOutcome:
    """Handle an answer to the email that says how to begin. It was sent to their address: no other proof is needed."""
    address = str(letter.address_payload.get("address", ""))
    if letter.verdict == "fail" or not address or letter.from_address != address:
        return ignore("dmarc" if letter.verdict == "fail" else "sender")
    if account_commands.find_player(address) is not None:
        return account_commands.handle(letter)
    if _says_no(letter):
        erasure.decline_for_good(address)
        return MailOutcome("done", "declined")
    command = _only_command(letter)
    wish = account_commands.parse_first_wish(wish_sentences.as_commands(letter.lines))
    if wish is None and command is not None and command.verb in YES_COMMANDS and not command.rest:
        wish = account_commands.FirstWish("", "")
    if wish is None:
        return account_commands.tell_how_to_begin(letter, letter.lines)
    return _welcome(letter, _create_player(letter, wish.name), wish.match, "registered")


def _create_player(letter: IncomingLetter, name: str = "") -> PlayerRow:
    """Make an account for somebody who answered our email from the address it was sent to, inside a transaction."""
    player = players.create(
        name=account_commands.sender_name(letter, name),
        language=guess_language(letter.reply_text.text),
        zone=letter.zone,
        at=now(),
        address=letter.from_address,
    )
    cold_mail_quota.clear(letter.from_address)
    return player


def handle_invitation(letter: IncomingLetter) -> MailOutcome:
    """Handle an answer to an invitation, from the address it was sent to."""
    invitation = InvitationRow.get_or_none(InvitationRow.id == str(letter.address_payload.get("invitation", "")))
    player = _find_invitee(invitation) if invitation is not None else None
    address = player.address if player else invitation and invitation.address
    if invitation is None or not address:
        return ignore("gone")
    if letter.verdict == "fail" or letter.from_address != address.lower():
        return ignore("dmarc" if letter.verdict == "fail" else "sender")
    if player is None and letter.lines and commands.parse_command(letter.lines[0], {"stop"}) is not None:
        erasure.decline_for_good(address)
        return MailOutcome("done", "declined")
    command = _only_command(letter)
    if player is not None and command is not None and command.verb == "rules":
        return _show_rules(player, invitation.match)
    if command is None or command.rest or command.verb == "rules":
        return _refuse_unclear(letter, player, invitation)
    return _join(letter, invitation, player) if command.verb in YES_COMMANDS else _decline(invitation, player)


def _find_invitee(invitation: InvitationRow) -> PlayerRow | None:
    """Return the player who was invited, by name or by address."""
    if invitation.player is None:
        return account_commands.find_player((invitation.address or "").lower())
    player = PlayerRow.get_or_none(PlayerRow.id == invitation.player)
    return player if player is not None and player.deleted_at is None and player.confirmed_at is not None else None


def _show_rules(player: PlayerRow, match: str | None) -> MailOutcome:
    """Answer with the rules of the game of this match."""
    return MailOutcome("answered", "rules", "", (RulesAnswer(match=match),), player.id)


def _refuse_unclear(letter: IncomingLetter, player: PlayerRow | None, invitation: InvitationRow) -> MailOutcome:
    """Explain what to write. Somebody without an account gets the invitation again, once a day."""
    if player is None:
        return _repeat_invitation(letter, invitation)
    text = letter.reply_text.text
    print_ = fingerprint(invitation.match, 0, text)
    return refuse(player.id, "invitation", text, meant=("join", "no"), print_=print_, match=invitation.match)


def _repeat_invitation(letter: IncomingLetter, invitation: InvitationRow) -> MailOutcome:
    """Send an invitation again to somebody without an account who answered it with other words."""
    allowance = cold_mail_quota.take_answer(letter.from_address, letter.received, passed=True, purpose="invitation")
    if not allowance.granted:
        return ignore("unclear", "quota")
    answer = InvitationLetter(
        invitation=invitation.id,
        again=True,
        asked=True,
        language=guess_language(letter.reply_text.text, ""),
        in_reply_to=letter.message_id,
    )
    queue.add(answer, f"invitation:{invitation.id}:{letter.id}")
    return MailOutcome("answered", "invitation")


def _join(letter: IncomingLetter, invitation: InvitationRow, player: PlayerRow | None) -> MailOutcome:
    """Take the offered seat, with a new account if necessary."""
    guest = player or _create_player(letter)
    if invitation.player is None:
        InvitationRow.update(player=guest.id).where(InvitationRow.id == invitation.id).execute()
    try:
        with write_transaction():
            receipt = join.join_match(guest, invitation.match, invitation.seat, "-", None, letter.config)
    except Problem as problem:
        return refuse(guest.id, problem.kind, why=problem.message, match=invitation.match)
    answer = SeatJoinedAnswer(match=invitation.match, seat=receipt["seat"], receipt=receipt, new=player is None)
    return done(guest.id, "joined", answer)


def _decline(invitation: InvitationRow, player: PlayerRow | None) -> MailOutcome:
    """Decline an invitation. Somebody without an account gets no email about it."""
    if player is None:
        waiting = (InvitationRow.id == invitation.id) & InvitationRow.answered_at.is_null()
        InvitationRow.update(answered_at=now(), answer="declined").where(waiting).execute()
        return MailOutcome("done", "declined")
    try:
        with write_transaction():
            invitations.decline(player, invitation.match)
    except Problem as problem:
        return ignore(problem.kind, problem.detail, player.id)
    return _report_declined(player, invitation.match)


def _report_declined(player: PlayerRow, match: str) -> MailOutcome:
    return done(player.id, "declined", SeatDeclinedAnswer(match=match))


def handle_given_seat(letter: IncomingLetter, player: PlayerRow) -> MailOutcome:
    """Handle an answer to an organiser who gave a seat: the player can give it back before the match begins."""
    match = letter.address_payload.get("match")
    known = account_commands.ACCOUNT_COMMANDS | {"yes", "no", "join"}
    command = letter.read_request(known).sole_command
    if command is None:
        text = "\n".join(letter.lines)
        return refuse(player.id, "seated", text, print_=fingerprint(match, 0, text), match=match)
    if command.verb == "no":
        return _give_back_seat(player, str(match))
    if command.verb in YES_COMMANDS:
        return _confirm_seat(player, str(match))
    if command.verb == "rules" and not command.rest:
        return _show_rules(player, match)
    return account_commands.handle_command(letter, player, command)


def _give_back_seat(player: PlayerRow, match: str) -> MailOutcome:
    try:
        with write_transaction():
            join.leave_match(player, match)
    except Problem as problem:
        return refuse(player.id, "begun" if problem.kind == "match-started" else problem.kind, match=match)
    return _report_declined(player, match)


def _confirm_seat(player: PlayerRow, match: str) -> MailOutcome:
    """Tell a player who already has the seat that it is theirs."""
    row = SeatRow.get_or_none((SeatRow.match == match) & (SeatRow.player == player.id))
    if row is None:
        return refuse(player.id, "gone", match=match)
    answer = SeatJoinedAnswer(match=match, seat=row.seat, receipt=json.loads(row.receipt or "{}"))
    return done(player.id, "joined", answer)
