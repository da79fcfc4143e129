"""Accounts: registering by letter, settings, and leaving for good."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from peewee import IntegrityError

from service import ids as chosen
from service.accounts import cold_mail_quota as unasked
from service.accounts import digest_schedule as slots
from service.accounts import signing_keys as keyring
from service.accounts import verification_codes as codes
from service.accounts.verification_codes import DAY, Code
from service.db.connection import rows, run, writing
from service.db.models import Match, Player, SeatRow
from service.jobs import outbox as jobs
from service.matches import erasure as forgetting
from service.matches import start as starting
from service.problems import Problem
from service.timestamps import now

CONFIRM = 7 * DAY
LETTERS = ("turn", "digest", "reminders", "none")
SETTINGS = ("name", "language", "zone", "letters", "digest_hour", "quiet_weekends")
GONE = "This link was used or has expired; register again."


@dataclass(frozen=True)
class Asked:
    """What everybody is told who asks for a letter, known here or not."""

    id: str
    until: int


def register(name: str, address: str, language: str, zone: str, wish: str = "") -> Asked:
    """Send one letter to the address: to confirm it, or to say that it has an account already.

    A `wish` is the match that waits for the player once the address is confirmed, in the words of a letter.
    The same statements run for known and unknown addresses, so that neither answer nor time tells them apart.
    """
    at, secret = now(), chosen.name(26)
    with writing():
        known = rows("select id from player where address = ?", address)
        sends = unasked.take(address, at)
        player = known[0][0] if known else None
        wanted = {"name": name, "language": language, "zone": zone, "wish": wish}
        keeps = sends and player is None
        made = codes.write(
            "confirm",
            secret,
            at,
            at + CONFIRM,
            player=player,
            address=address if keeps else "",
            payload=json.dumps(wanted if keeps else {}),
        )
        letter = {"kind": "registered", "player": player} if player else _confirm_letter(made, secret, address, wanted)
        jobs.add("letter", f"confirm:{made}", letter if sends else {}, done=not sends)
    return Asked(made, at + CONFIRM)


def _confirm_letter(code: str, secret: str, address: str, wanted: dict[str, str]) -> dict[str, Any]:
    text = f"{code}-{secret}"
    return {"kind": "confirm", "player": None, "address": address, "code": text, "path": f"/confirm/{text}", **wanted}


def waiting(text: str) -> Code:
    """The registration that this text from a letter confirms, or a refusal."""
    code, _, secret = text.partition("-")
    known = codes.find(code, "confirm")
    if known is None or not codes.fits(code, known, secret):
        raise Problem("gone", GONE)
    if known.used_at is None and (known.until < now() or not known.address):
        raise Problem("gone", GONE)
    return known


def confirm(text: str) -> Player:
    """The new player whose address this confirms; the same player again for the same text."""
    known = waiting(text)
    if known.used_at is None:
        try:
            with writing():
                _join(text.partition("-")[0], known)
        except IntegrityError:
            raise Problem("gone", "This address was confirmed by another letter; ask for a token.") from None
    found = codes.find(text.partition("-")[0], "confirm")
    player = Player.get_or_none((Player.id == found.player) & Player.deleted_at.is_null()) if found else None
    if player is None:
        raise Problem("gone", GONE)
    return player


def _join(code: str, known: Code) -> None:
    at, wanted = now(), json.loads(known.payload)
    wish = wanted.pop("wish", "")
    player = create(address=known.address, at=at, **wanted)
    codes.use(code, at, player.id)
    if wish:
        jobs.add("wish", f"wish:{code}", {"player": player.id, "new": wish})
    run("update code set address = '', payload = '{}' where id = ?", code)
    unasked.clear(known.address)


def create(
    *, name: str, language: str, zone: str, at: int, address: str | None = None, owner: str | None = None
) -> Player:
    """A player, inside a transaction; whoever calls this has seen that the address is theirs."""
    return Player.create(
        id=chosen.name(),
        name=name,
        address=address,
        confirmed_at=at,
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


def of(player: str) -> Player:
    """The row of a player who is there."""
    found = Player.get_or_none(Player.id == player)
    if found is None:
        raise Problem("not-found", "There is no such player.")
    return found


def change(player: str, settings: dict[str, Any]) -> Player:
    """The player with these settings."""
    changes = {name: value for name, value in settings.items() if name in SETTINGS}
    if changes:
        with writing():
            Player.update(**changes).where(Player.id == player).execute()
            if changes.keys() & {"digest_hour", "zone"}:
                found = of(player)
                slots.move(player, found.digest_hour, found.zone)
    return of(player)


BLANKED = (
    "delete from token where player = ?",
    "delete from code where player = ?",
    "delete from leave where player = ?",
    "delete from idempotency where player = ?",
    "delete from reply where player = ?",
    "delete from note where player = ?",
    "delete from consent where player = ?",
    "delete from consent where organiser = ?",
    "update signing_key set label = '' where player = ?",
    "update letter set address = '', subject = '', mime = null where player = ?",
    "update invitation set address = null where player = ?",
    "update hook set url = '', secret = '', old_secret = '', private = '' where player = ?",
)


def erase(player: str) -> None:
    """Forget a player: their seats stay under an id that names nobody, and their keys sign nothing any more."""
    keyring.revoke_all(player)
    at = now()
    with writing():
        sits = SeatRow.select(SeatRow.match).where(SeatRow.player == player)
        for match in Match.select().where((Match.status == "open") & Match.id.in_(sits)):
            starting.vacate(match, player)
        for statement in BLANKED:
            run(statement, player)
        for (address,) in rows("select address from player where id = ? and address is not null", player):
            forgetting.forget(address)
        run("update hook set deleted_at = ? where player = ? and deleted_at is null", at, player)
        Player.update(
            name="", address=None, language="en", zone="UTC", letters="none", quiet_weekends=False, deleted_at=at
        ).where(Player.id == player).execute()
