"""Routing of an email: the checks in their order, then the handler for the kind of its reply address."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from service.accounts import bounces, cold_mail_quota
from service.db.connection import write_transaction
from service.db.models.accounts import PlayerRow
from service.db.models.mail import InboxRow, LetterRow
from service.mail.incoming import (
    account_commands,
    bounce_reports,
    invitation_replies,
    match_replies,
    sender_checks,
)
from service.mail.incoming.answers import MailOutcome, fingerprint, ignore, refuse
from service.mail.incoming.incoming_letter import IncomingLetter
from service.mail.incoming.reading.zones import unmarked_text
from service.mail.incoming.sender_checks import OwnIdentity
from service.timestamps import DAY

LONGEST_COMPARED = 1_000
TABLE_KINDS = ("turn", "digest", "sure")
HANDLERS: dict[str, Callable[[IncomingLetter], MailOutcome]] = {
    "bounce": bounce_reports.handle,
    "service": account_commands.handle,
    "confirm": invitation_replies.handle_confirmation,
    "invitation": invitation_replies.handle_invitation,
    "begin": invitation_replies.handle_beginner,
}
"""Handlers of addresses that anybody may write to. They check the sender themselves."""
PLAYER_HANDLERS: dict[str, Callable[[IncomingLetter, PlayerRow], MailOutcome]] = {
    "turn": match_replies.handle,
    "digest": match_replies.handle,
    "sure": match_replies.handle_sure,
    "command": account_commands.handle_confirmation,
    "seated": invitation_replies.handle_given_seat,
    "list": account_commands.handle_list_reply,
}
"""Handlers of addresses that belong to one player. Email from anybody else is refused before."""


def check_letter(letter: IncomingLetter) -> MailOutcome | None:
    """Return the outcome of an email that must not be handled, None if it passes every check."""
    for check in CHECKS:
        outcome = check(letter)
        if outcome is not None:
            return outcome
    return None


def refuse_unread(letter: IncomingLetter, reason: str, *, by_reply_address: bool = False) -> MailOutcome | None:
    """Return the answer to an email of which only the headers could be read, None unless a player wrote it.

    With `by_reply_address` only an email to the secret address of a player is answered.
    """
    if check_letter(letter) is not None:
        return None
    player = letter.player if letter.address_kind in PLAYER_HANDLERS else None
    if letter.address_kind == "service" and letter.verdict != "fail" and not by_reply_address:
        player = account_commands.find_player(letter.from_address)
    if player is None:
        return None
    address = letter.reply_address
    match, seat, asked = (address.match, address.seat, address.asked) if address else (None, None, 0)
    return refuse(player.id, reason, print_=fingerprint(match, asked, reason), match=match, seat=seat)


def appends_to_log(letter: IncomingLetter) -> bool:
    """Return True if handling an email may append to a log: that has its own transactions and may be repeated."""
    if letter.address_kind == "sure":
        return True
    return PLAYER_HANDLERS.get(letter.address_kind) is match_replies.handle and match_replies.appends_to_log(letter)


def handle_letter(letter: IncomingLetter) -> MailOutcome:
    """Carry out an email that passed the checks, inside a transaction unless it appends to a log."""
    kind, player = letter.address_kind, letter.player
    if kind == "service":
        _forget_unasked_letters(letter)
    if kind in HANDLERS or player is None:
        return HANDLERS[kind](letter)
    # At a table any word may be a move: there the game must read it first.
    says = letter.lines or (kind in TABLE_KINDS and any(letter.reply_text.lines))
    outcome = PLAYER_HANDLERS[kind](letter, player) if says else _refuse_empty(letter, player)
    _mark_answered(letter, player)
    return outcome


def _forget_unasked_letters(letter: IncomingLetter) -> None:
    """Clear the quota of an address once a day when its owner writes to us, so that they get an answer."""
    if letter.verdict != "pass" or not letter.from_address:
        return
    earlier = (InboxRow.sender == letter.envelope) & (InboxRow.verdict == "pass") & (InboxRow.id != letter.id)
    today = (InboxRow.recipient == letter.recipient) & (InboxRow.received > letter.received - DAY)
    if not InboxRow.select().where(earlier & today).exists():
        cold_mail_quota.clear(letter.from_address)


def _check_machine(letter: IncomingLetter) -> MailOutcome | None:
    """Ignore email from machines and from ourselves, except at a return path."""
    if letter.address_kind == "bounce":
        return None
    own = OwnIdentity(letter.config.mail_from, letter.config.mail_domain, _is_our_message)
    why = sender_checks.automatic_reason(letter.mail, letter.envelope, own)
    if not why and sender_checks.is_out_of_office(letter.reply_text.text):
        why = "absent"
    return ignore("automatic", why) if why else None


def _is_our_message(message_id: str) -> bool:
    return bool(message_id) and LetterRow.select().where(LetterRow.message_id == message_id).exists()


def _check_address(letter: IncomingLetter) -> MailOutcome | None:
    """Ignore email to an unknown address."""
    return ignore("unknown-address") if letter.address_kind == "unknown" else None


def _check_player(letter: IncomingLetter) -> MailOutcome | None:
    """Ignore email to the address of a deleted player."""
    return ignore("no-player") if letter.address_kind in PLAYER_HANDLERS and letter.player is None else None


def _check_sender(letter: IncomingLetter) -> MailOutcome | None:
    """Refuse email that is not from the player of the address. The player is notified once."""
    player, address = letter.player, letter.reply_address
    if letter.address_kind not in PLAYER_HANDLERS or player is None or address is None:
        return None
    if letter.from_address != player.address or player.confirmed_at is None:
        reason = "sender"
    elif letter.verdict == "fail":
        reason = "dmarc"
    elif letter.is_forwardable and letter.verdict != "pass" and not _only_stops_letters(letter):
        return _refuse_link(letter, player)
    else:
        return None
    if player.confirmed_at is None:
        return ignore(reason, letter.from_address, player.id)
    once = f"{reason}:{address.hash}"
    refusal = refuse(player.id, reason, letter.from_address, match=address.match, seat=address.seat)
    return replace(refusal, why=letter.from_address, once=once)


CHECKS = (_check_machine, _check_address, _check_player, _check_sender)
"""Each returns the outcome of an email that must not be handled, or None."""


def _only_stops_letters(letter: IncomingLetter) -> bool:
    """Return True for the email that mail programs send to unsubscribe from this match.

    `stop all` is more than that: who has a forward of the letter must not be able to say it with a forged From.
    """
    command = letter.read_request({"stop"}).sole_command
    return command is not None and not command.rest


def _refuse_link(letter: IncomingLetter, player: PlayerRow) -> MailOutcome:
    """Ask to answer the email itself if an email opened by a link has no verified sender."""
    address = letter.reply_address
    match, seat, asked = (address.match, address.seat, address.asked) if address else (None, None, 0)
    text = "\n".join(letter.lines)
    return refuse(player.id, "link", text, print_=fingerprint(match, asked, text), match=match, seat=seat)


def _refuse_empty(letter: IncomingLetter, player: PlayerRow) -> MailOutcome:
    """Answer that an email has no new text."""
    address, said = letter.reply_address, letter.reply_text
    if address is None:
        return refuse(player.id, said.why)
    # A machine repeats the same text outside its quotes; a person who tries another answer gets another refusal.
    words = unmarked_text(letter.mail.text)[-LONGEST_COMPARED:]
    print_ = fingerprint(address.match, address.asked, " ".join((said.why, *said.versions, words)))
    meant = tuple(version for version in said.versions if version)
    return refuse(player.id, said.why, print_=print_, meant=meant, match=address.match, seat=address.seat)


def _mark_answered(letter: IncomingLetter, player: PlayerRow) -> None:
    """Record that our email was answered, which proves that it arrived."""
    with write_transaction():
        if letter.reply_address is not None and letter.reply_address.letter is not None:
            unanswered = (LetterRow.id == letter.reply_address.letter) & LetterRow.answered_at.is_null()
            LetterRow.update(state="answered", answered_at=letter.received).where(unanswered).execute()
        bounces.clear_bounces(player.id)
