"""Codes for entering in a browser: sent to any address, and only after the right one it is told whether it is new.

Who has an account and who has none is answered alike, with the same statements and one letter. An address without an
account gets a code again after a minute, three a day and ten in all; to a player the limits of `login_codes` apply.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

from peewee import IntegrityError

from service import ids
from service.accounts import bounces, cold_mail_quota, email_address, mailed_codes, players, token_codes
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
"""What a code is for: to enter, with six digits or with the secret of a link, or to give a new player a name."""
AGAIN_AFTER = MINUTE
"""How soon a request sends a letter again, instead of sharing the code of the last one."""
NAME_WITHIN = HOUR
UNSENT = json.dumps({"sent": False})
"""What is kept of a request that sent nothing, and whose code nobody knows."""


def request_code(address: str, language: str) -> CodeRequest:
    """Send a code to the address, if it may get one more; the answer and its time are the same in every case."""
    at, mark = now(), email_address.keyed_hash(address)
    with write_transaction():
        wait_for_lock(int(mark[:15], 16))
        player = _find_player(address)
        letters = token_codes.letters_of_hour(mark, player, at, (DIGITS, LINK))
        purpose = DIGITS if token_codes.may_send_digits(mark, letters, at) else LINK
        shared = _letter_to_share(letters, purpose, at)
        # Counted for players too, so that it takes as long; what is counted is forgotten when they enter.
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
    # Not get_or_none(): the exception inside it takes time that would tell who has no account.
    confirmed = (PlayerRow.address == address) & PlayerRow.confirmed_at.is_null(False)
    found: str | None = PlayerRow.select(PlayerRow.id).where(confirmed).scalar()
    return found


def _letter_to_share(letters: list[CodeRow], purpose: str, at: int) -> CodeRow | None:
    """The newest letter, if it has just been sent, or if there were so many that the next request gets none."""
    if not letters:
        return None
    newest = letters[0]
    many = len(letters) >= token_codes.LETTERS_AN_HOUR
    fresh = newest.created_at > at - (token_codes.SHARED_FOR if many else AGAIN_AFTER)
    return newest if fresh and newest.purpose == purpose and newest.used_at is None else None


@dataclass(frozen=True)
class SignedInPlayer:
    """What the right code opens: the account of a player, or the question for the name of a new one."""

    player: str | None = None
    ticket: str = ""
    """What a newcomer shows with their name."""


def check_code(request: str, address: str, code: str) -> SignedInPlayer:
    """Who may enter with this code from a letter to this address; a wrong one spends a try of its request."""
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
    """Forget what came back and what was sent unasked: letters arrive, and are wanted."""
    bounces.clear_bounces(player)
    cold_mail_quota.clear(address)


def _issue_ticket(mark: str, at: int) -> str:
    """A text that says for an hour that the reader of an address gave its code."""
    secret = ids.new_id(token_codes.LINK_SECRET_LENGTH)
    code = mailed_codes.store(NAME, secret, at, at + NAME_WITHIN, player=None, address=mark, payload="{}")
    return f"{code}-{secret}"


def register(ticket: str, address: str, name: str, language: str, zone: str) -> str:
    """The new player with this name, or the one who got an account with this address meanwhile."""
    code, _, secret = ticket.partition("-")
    at, known = now(), mailed_codes.find(code, NAME)
    good = known is not None and mailed_codes.is_right_secret(known, secret) and known.until >= at
    if known is None or not good or known.address != email_address.keyed_hash(address):
        raise Problem("gone", msg("accounts.code_was_used"))
    try:
        with write_transaction():
            player = players.create(name=name, language=language, zone=zone, at=at, address=address).id
            mailed_codes.mark_used(code, at, player)
            _clear_counts(player, address)
    except IntegrityError:
        # Registered by letter, or twice at once: whoever gave the code reads the letters of this address.
        found = _find_player(address)
        if found is None:
            raise
        return found
    return player
