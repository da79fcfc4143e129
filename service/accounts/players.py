"""Accounts: registering by email, settings, and deleting an account."""

from __future__ import annotations

import json
from dataclasses import replace
from hashlib import sha256
from typing import Any

from peewee import Expression, IntegrityError

from service import ids
from service.accounts import cold_mail_quota, digest_schedule, mailed_codes
from service.accounts.job_payloads import ConfirmLetter, GrantWish, RegisteredLetter
from service.accounts.mailed_codes import CodeRequest
from service.db.connection import wait_for_lock, write_transaction
from service.db.models.accounts import CodeRow, PlayerRow
from service.i18n.catalogue import msg
from service.jobs import queue
from service.jobs.payloads import BlankLetter
from service.look_alikes import normalise_name, skeleton
from service.problems import Problem
from service.timestamps import DAY, now

CONFIRM_WITHIN = 7 * DAY
LETTERS = ("turn", "digest", "reminders", "none")
SETTINGS = ("name", "language", "zone", "letters", "digest_hour", "quiet_weekends")
SHORT_ID = 4
"""Number of characters of an id that are added to a name if another name looks like it."""
LINK_GONE = msg("accounts.link_gone")


def register(
    name: str,
    address: str,
    language: str,
    zone: str,
    wish: str = "",
    *,
    by_mail: bool = False,
    asked: bool = False,
) -> CodeRequest:
    """Send one email to the address: to confirm it, or to say that it already has an account.

    `by_mail` means that they wrote an email, `asked` that its sender was proved. `wish` is the match that waits until
    the address is confirmed, in the words of an email. The same statements run for known and unknown addresses, so that
    neither the answer nor its timing distinguishes them.
    """
    at, secret = now(), ids.new_id(26)
    with write_transaction():
        # Not get_or_none(): its internal exception takes measurable time and would reveal who has no account.
        player = PlayerRow.select(PlayerRow.id).where(PlayerRow.address == address).scalar()
        allowance = cold_mail_quota.take_answer(address, at, passed=asked, purpose="confirm")
        sends = allowance.granted
        registration = {"name": name, "language": language, "zone": zone, "wish": wish}
        keeps = sends and player is None
        code = mailed_codes.store(
            "confirm",
            secret,
            at,
            at + CONFIRM_WITHIN,
            player=player,
            address=address if keeps else "",
            payload=json.dumps(registration if keeps else {}),
        )
        confirm = confirmation_letter(code, secret, address, registration)
        confirm = replace(confirm, by_mail=by_mail, last=allowance.last)
        letter = RegisteredLetter(player=player) if player else confirm
        queue.add(letter if sends else BlankLetter(), f"confirm:{code}", done=not sends)
    return CodeRequest(code, at + CONFIRM_WITHIN)


def confirmation_letter(code: str, secret: str, address: str, registration: dict[str, str]) -> ConfirmLetter:
    """Return the email that confirms an address."""
    text = f"{code}-{secret}"
    return ConfirmLetter(
        address=address,
        code=text,
        path=f"/confirm/{text}",
        name=registration["name"],
        language=registration["language"],
        zone=registration["zone"],
        wish=registration["wish"],
    )


def pending_registration(text: str) -> CodeRow:
    """Return the registration that this text from an email confirms, or raise Problem."""
    code, _, secret = text.partition("-")
    known = mailed_codes.find(code, "confirm")
    if known is None or not mailed_codes.is_right_secret(known, secret):
        raise Problem("gone", LINK_GONE)
    if known.used_at is None and (known.until < now() or not known.address):
        raise Problem("gone", LINK_GONE)
    return known


def confirm(text: str) -> PlayerRow:
    """Create the player whose address this confirms. The same text always returns the same player."""
    known = pending_registration(text)
    if known.used_at is None:
        try:
            with write_transaction():
                _create_confirmed(known)
        except IntegrityError:
            raise Problem("gone", msg("accounts.confirmed_already")) from None
    found = mailed_codes.find(text.partition("-")[0], "confirm")
    player = PlayerRow.get_or_none((PlayerRow.id == found.player) & PlayerRow.deleted_at.is_null()) if found else None
    if player is None:
        raise Problem("gone", LINK_GONE)
    return player


def _create_confirmed(known: CodeRow) -> None:
    at, registration = now(), json.loads(known.payload)
    wish = registration.pop("wish", "")
    player = create(address=known.address, at=at, **registration)
    mailed_codes.mark_used(known.id, at, player.id)
    if wish:
        queue.add(GrantWish(player=player.id, new=wish), f"wish:{known.id}")
    CodeRow.update(address="", payload="{}").where(CodeRow.id == known.id).execute()
    cold_mail_quota.clear(known.address)


def create(
    *,
    name: str,
    language: str,
    zone: str,
    at: int,
    address: str | None = None,
    owner: str | None = None,
    guest: bool = False,
) -> PlayerRow:
    """Create a player inside a transaction. The caller has verified the address; a guest has none."""
    player = ids.new_id()
    shown = tell_name_apart(name, player)
    return PlayerRow.create(
        id=player,
        name=shown,
        skeleton=skeleton(shown),
        address=address,
        confirmed_at=None if guest else at,
        language=language,
        zone=zone,
        letters="turn",
        digest_hour=8,
        quiet_weekends=False,
        owner=owner,
        demo=False,
        bounces=0,
        created_at=at,
    )


def tell_name_apart(name: str, player: str) -> str:
    """Return the display name, with part of the id added if another player's name looks like it.

    Call inside a transaction.
    """
    wait_for_lock(int(sha256(skeleton(name).encode()).hexdigest()[:15], 16))
    for shown in (name, f"{name} ({player[:SHORT_ID]})"):
        same = (PlayerRow.skeleton == skeleton(shown)) & (PlayerRow.id != player) & PlayerRow.deleted_at.is_null()
        if not PlayerRow.select().where(same).exists():
            return shown
    return f"{name} ({player})"


def find(player: str) -> PlayerRow:
    """Return the row of an existing player. A guest counts as missing."""
    found = PlayerRow.get_or_none((PlayerRow.id == player) & ~is_guest())
    if found is None:
        raise Problem("not-found", msg("accounts.no_such_player"))
    return found


def find_by_name(name: str) -> PlayerRow | None:
    """Return the player with this name or one that looks like it. At most one player can match."""
    same = (PlayerRow.skeleton == skeleton(normalise_name(name))) & PlayerRow.deleted_at.is_null()
    return PlayerRow.get_or_none(same & ~is_guest())


def has_demo_people() -> bool:
    """Return True if `echtra demo` has filled this database. The demo account alone has no address."""
    return bool(PlayerRow.select().where(PlayerRow.demo & PlayerRow.address.is_null(is_null=False)).exists())


def is_guest() -> Expression:
    """Return the condition for guests: players who have not confirmed an email address (see `guests`)."""
    return PlayerRow.confirmed_at.is_null() & PlayerRow.deleted_at.is_null()


def search(text: str, most: int, *, suspended: bool) -> list[PlayerRow]:
    """Return players whose id, name or address contains this text, newest first, or only those who get no email."""
    query = PlayerRow.select().where(PlayerRow.deleted_at.is_null())
    if text:
        query = query.where(
            (PlayerRow.id == text) | PlayerRow.name.contains(text) | PlayerRow.address.contains(text.lower())
        )
    if suspended:
        query = query.where(PlayerRow.bounced_at.is_null(False))
    return list(query.order_by(PlayerRow.created_at.desc(), PlayerRow.id).limit(most))


def lock(player: str) -> None:
    """Lock the row of a player until the transaction ends, so that concurrent requests cannot exceed a limit."""
    PlayerRow.update(id=PlayerRow.id).where(PlayerRow.id == player).execute()


def change_settings(player: str, settings: dict[str, Any]) -> PlayerRow:
    """Change settings of a player and return the player."""
    changes = {name: value for name, value in settings.items() if name in SETTINGS}
    if changes:
        with write_transaction():
            if "name" in changes:
                changes["name"] = tell_name_apart(changes["name"], player)
                changes["skeleton"] = skeleton(changes["name"])
            PlayerRow.update(**changes).where(PlayerRow.id == player).execute()
            if changes.keys() & {"digest_hour", "zone"}:
                found = find(player)
                digest_schedule.reschedule(player, found.digest_hour, found.zone)
    return find(player)
