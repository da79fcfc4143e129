"""Sign-in codes for the browser, sent to any address. Only the right code reveals whether the address is new.

Addresses with and without an account are answered alike, by the same statements and one email. An address without an
account gets another code after a minute, at most three a day and ten in total. For players the limits of `token_codes`
apply.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

from peewee import IntegrityError

from service import ids
from service.accounts import bounces, cold_mail_quota, email_address, guests, mailed_codes, players, token_codes
from service.accounts.job_payloads import SignInCodeLetter
from service.accounts.mailed_codes import CodeRequest
from service.db.connection import wait_for_lock, write_transaction
from service.db.models.accounts import CodeRow, PlayerRow
from service.i18n.catalogue import msg
from service.jobs import queue
from service.jobs.payloads import BlankLetter
from service.problems import Problem
from service.timestamps import HOUR, MINUTE, now

DIGITS, LINK, NAME = "enter", "enter-link", "enter-name"
"""Purposes of a code: sign in by six digits, sign in by the secret of a link, choose the name of a new player."""
AGAIN_AFTER = MINUTE
"""How long requests share the code of the last email. After that a request sends a new one."""
NAME_WITHIN = HOUR
UNSENT = json.dumps({"sent": False})
"""Placeholder of a request that sent no email. Nobody has its code."""


def request_code(address: str, language: str) -> CodeRequest:
    """Send a code to the address, if it may get one more. The answer and its timing are the same in every case."""
    at, mark = now(), email_address.keyed_hash(address)
    with write_transaction():
        wait_for_lock(int(mark[:15], 16))
        player = _find_player(address)
        letters = token_codes.letters_of_hour(mark, player, at, (DIGITS, LINK))
        purpose = DIGITS if token_codes.may_send_digits(mark, letters, at) else LINK
        shared = _letter_to_share(letters, purpose, at)
        # Counted for players too, so that it takes as long. The count is deleted when they sign in.
        fits = shared is None and cold_mail_quota.take_code(address, at)
        sends = shared is None and (fits or player is not None)
        secret = ids.new_digits() if purpose == DIGITS else ids.new_id(token_codes.LINK_SECRET_LENGTH)
        request = mailed_codes.store(
            purpose,
            secret,
            at,
            at + token_codes.VALID_FOR,
            player=player,
            address=mark,
            payload=json.dumps({"letter": shared.id}) if shared else "{}" if sends else UNSENT,
            shared=shared,
        )
        letter = SignInCodeLetter(
            player=player,
            address="" if player else address,
            language=language,
            code=secret,
            path=f"/code/{request}-{secret}" if purpose == LINK else "",
            minutes=token_codes.VALID_FOR // MINUTE,
        )
        queue.add(letter if sends else BlankLetter(), letter_key(request), done=not sends)
    return CodeRequest(request, at + token_codes.VALID_FOR)


def letter_key(request: str) -> str:
    """Return the key of the job that sends the email of a request."""
    return f"enter:{request}"


def _find_player(address: str) -> str | None:
    # Not get_or_none(): its internal exception takes measurable time and would reveal who has no account.
    confirmed = (PlayerRow.address == address) & PlayerRow.confirmed_at.is_null(False)
    found: str | None = PlayerRow.select(PlayerRow.id).where(confirmed).scalar()
    return found


def _letter_to_share(letters: list[CodeRow], purpose: str, at: int) -> CodeRow | None:
    """Return the newest email if it was sent just now, or if the hourly limit is reached."""
    if not letters:
        return None
    newest = letters[0]
    many = len(letters) >= token_codes.LETTERS_AN_HOUR
    fresh = newest.created_at > at - (token_codes.SHARED_FOR if many else AGAIN_AFTER)
    return newest if fresh and newest.purpose == purpose and newest.used_at is None else None


@dataclass(frozen=True)
class SignedInPlayer:
    """Result of a right code: a player's account, or the question for a new player's name."""

    player: str | None = None
    ticket: str = ""
    """Ticket that a newcomer sends back together with their name."""


def check_code(request: str, address: str, code: str) -> SignedInPlayer:
    """Check a code that was emailed to this address. A wrong code uses up a try of its request."""
    at = now()
    known = mailed_codes.check_attempt(request, (DIGITS, LINK), code, at, newcomers=True)
    letter = mailed_codes.find(mailed_codes.letter_of(known), DIGITS, LINK)
    if letter is None or letter.used_at is not None or known.address != email_address.keyed_hash(address):
        raise Problem("gone", msg("accounts.code_was_used"))
    with write_transaction():
        player = _find_player(address)
        for each in {letter.id, known.id}:
            mailed_codes.mark_used(each, at, player)
        if player is None:
            return SignedInPlayer(ticket=_issue_ticket(known.address, at))
        _clear_counts(player, address)
    return SignedInPlayer(player)


def _clear_counts(player: str, address: str) -> None:
    """Delete the counts of bounces and unsolicited emails: this address works, and its owner wants our emails."""
    bounces.clear_bounces(player)
    cold_mail_quota.clear(address)


def _issue_ticket(mark: str, at: int) -> str:
    """Return a text that proves for an hour that its holder entered the code sent to an address."""
    secret = ids.new_id(token_codes.LINK_SECRET_LENGTH)
    code = mailed_codes.store(NAME, secret, at, at + NAME_WITHIN, player=None, address=mark, payload="{}")
    return f"{code}-{secret}"


def register(ticket: str, address: str, name: str, language: str, zone: str, guest: str | None = None) -> str:
    """Create the player with this name, or return the one who has registered this address in the meantime.

    A guest becomes that player and keeps the id.
    """
    code, _, secret = ticket.partition("-")
    at, known = now(), mailed_codes.find(code, NAME)
    good = known is not None and mailed_codes.is_right_secret(known, secret) and known.until >= at
    if known is None or not good or known.address != email_address.keyed_hash(address):
        raise Problem("gone", msg("accounts.code_was_used"))
    try:
        with write_transaction():
            player = guest or players.create(name=name, language=language, zone=zone, at=at, address=address).id
            if guest:
                guests.confirm(guest, name=name, language=language, zone=zone, address=address)
            mailed_codes.mark_used(code, at, player)
            _clear_counts(player, address)
    except IntegrityError:
        # Registered by email, or twice at once. Whoever entered the code reads the emails of this address.
        found = _find_player(address)
        if found is None:
            raise
        return found
    return player
