"""Codes that are exchanged for a token. Anybody may ask for one; only the reader of the address can use it.

Nobody can lock a player out. Past a few emails an hour a request shares the code of the newest email instead of sending
another, and each request has its own tries. The open tries and the wrong codes of a day together are at most
`MOST_WRONG_A_DAY`. A request beyond that gets a link, which cannot be guessed.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from peewee import Case, fn

from service import ids
from service.accounts import email_address, mailed_codes
from service.accounts.job_payloads import TokenCodeLetter
from service.accounts.mailed_codes import MOST_TRIES, CodeRequest
from service.db.connection import wait_for_lock, write_transaction
from service.db.models.accounts import CodeRow, PlayerRow
from service.i18n.catalogue import msg
from service.jobs import queue
from service.jobs.payloads import BlankLetter
from service.problems import Problem
from service.timestamps import DAY, HOUR, MINUTE, now

VALID_FOR = 10 * MINUTE
LETTERS_AN_HOUR = 5
"""Maximum number of emails to an address in an hour. Further requests share them."""
SHARED_FOR = 5 * MINUTE
"""How long a request may share the code of an email. Any older code would expire before its reader can type it."""
MOST_WRONG_A_DAY = 50
DIGITS, LINK = "token", "token-link"
"""Purposes of a code: by six digits, or by the secret of a link."""
GUESSED_PURPOSES = (DIGITS, "enter")
"""Purposes with six digits. Their wrong codes are counted together, wherever they are typed."""
LINK_SECRET_LENGTH = 26
"""Length of a link's secret, 130 bits."""


def request_code(address: str) -> CodeRequest:
    """Send a code to the address if it has an account. The answer and its timing are the same if it has none."""
    at, mark = now(), email_address.keyed_hash(address)
    with write_transaction():
        wait_for_lock(int(mark[:15], 16))
        # Not get_or_none(): its internal exception takes measurable time and would reveal who has no account.
        confirmed = (PlayerRow.address == address) & PlayerRow.confirmed_at.is_null(False)
        player = PlayerRow.select(PlayerRow.id).where(confirmed).scalar()
        letters = letters_of_hour(mark, player, at, (DIGITS, LINK))
        purpose = DIGITS if may_send_digits(mark, letters, at) else LINK
        secret = ids.new_digits() if purpose == DIGITS else ids.new_id(LINK_SECRET_LENGTH)
        shared = _letter_to_share(letters, purpose, at)
        request = mailed_codes.store(
            purpose,
            secret,
            at,
            at + VALID_FOR,
            player=player,
            address=mark,
            payload=json.dumps({"letter": shared.id} if shared else {}),
            shared=shared,
        )
        sends = player is not None and shared is None
        letter = TokenCodeLetter(
            player=player or "",
            code=secret,
            path=f"/code/{request}-{secret}" if purpose == LINK else "",
            request=request,
            minutes=VALID_FOR // MINUTE,
        )
        queue.add(letter if sends else BlankLetter(), f"code:{request}", done=not sends)
    return CodeRequest(request, at + VALID_FOR)


def letters_of_hour(mark: str, player: str | None, at: int, purposes: Sequence[str]) -> list[CodeRow]:
    """Return the requests of the last hour that sent this player an email, or would have, newest first."""
    same_player = CodeRow.player.is_null() if player is None else CodeRow.player == player
    recent = (CodeRow.address == mark) & CodeRow.purpose.in_(purposes) & (CodeRow.created_at > at - HOUR)
    found = CodeRow.select().where(recent & same_player & (CodeRow.payload == "{}"))
    return list(found.order_by(CodeRow.created_at.desc()))


def may_send_digits(mark: str, letters: Sequence[CodeRow], at: int) -> bool:
    """Return True if a code may be digits because five more wrong tries fit into the day's limit, False for a link.

    After a link only links are sent for an hour, so that a player who gets many emails sees one form.
    """
    open_ = CodeRow.used_at.is_null() & (CodeRow.until >= at)
    # All tries of an open request count, used or not, so that its code stays valid for its whole time.
    tries = fn.SUM(Case(None, [(open_, MOST_TRIES)], CodeRow.tries))
    today = (CodeRow.address == mark) & CodeRow.purpose.in_(GUESSED_PURPOSES) & (CodeRow.created_at > at - DAY)
    fits = int(CodeRow.select(tries).where(today).scalar() or 0) + MOST_TRIES <= MOST_WRONG_A_DAY
    return fits and all(each.purpose in GUESSED_PURPOSES for each in letters)


def _letter_to_share(letters: Sequence[CodeRow], purpose: str, at: int) -> CodeRow | None:
    """Return the newest email if the hourly limit is reached, so that the request shares it."""
    if len(letters) < LETTERS_AN_HOUR:
        return None
    newest = letters[0]
    fits = newest.purpose == purpose and newest.used_at is None and newest.created_at > at - SHARED_FOR
    return newest if fits else None


def check_code(request: str, code: str, at: int) -> tuple[CodeRow, str]:
    """Return the request that this code answers, and its player. A wrong code uses up a try and raises Problem."""
    known = mailed_codes.check_attempt(request, (DIGITS, LINK), code, at)
    letter = mailed_codes.find(mailed_codes.letter_of(known), DIGITS, LINK)
    if letter is None or letter.used_at is not None or known.player is None:
        raise Problem("gone", msg("accounts.code_was_used"))
    return known, known.player


def mark_used(known: CodeRow, at: int, player: str) -> None:
    """Mark the code of an email as used, inside a transaction. It works once, even if several requests share it."""
    for code in {mailed_codes.letter_of(known), known.id}:
        mailed_codes.mark_used(code, at, player)


def is_link_good(text: str) -> bool:
    """Return True if the text of a link can still be exchanged for a token."""
    request, _, secret = text.partition("-")
    known = mailed_codes.find(request, LINK, "enter-link")
    return (
        known is not None
        and mailed_codes.is_right_secret(known, secret)
        and known.used_at is None
        and known.until >= now()
    )
