"""Organisers: they seat players who agreed to it, without those players' tokens."""

from __future__ import annotations

from service.config import Config
from service.db.connection import rows, run, writing
from service.db.models import Match, Player, SeatRow
from service.matches import create as matches
from service.matches import invitations as inviting
from service.matches import join as seating
from service.matches.start import locked, start_if_full
from service.play import access
from service.problems import Problem
from service.timestamps import now

OWN_TABLE = "The organiser of a match sees all of it, and cannot play in it."


def consent(player: str, organiser: str) -> None:
    """From now on this organiser may seat the player, until they take it back."""
    if player == organiser:
        raise Problem("conflict", "You need nobody's consent to seat yourself.")
    if not Player.select().where((Player.id == organiser) & Player.deleted_at.is_null()).exists():
        raise Problem("not-found", "There is no such player.")
    with writing():
        run(
            "insert into consent (player, organiser, at) values (?, ?, ?) on conflict (player, organiser) do nothing",
            player,
            organiser,
            now(),
        )


def revoke(player: str, organiser: str) -> None:
    """This organiser may seat the player no more; seats already taken stay."""
    with writing():
        run("delete from consent where player = ? and organiser = ?", player, organiser)


def consents(player: str) -> list[tuple[str, str, int]]:
    """The organisers who may seat the player: id, name, since when."""
    found = rows(
        "select c.organiser, p.name, c.at from consent c join player p on p.id = c.organiser where c.player = ? "
        "order by c.at, c.organiser",
        player,
    )
    return [(organiser, name, at) for organiser, name, at in found]


def consented(organiser: str, player: str) -> bool:
    """Whether the player lets this organiser seat them."""
    return bool(rows("select 1 from consent where player = ? and organiser = ?", player, organiser))


def seat(organiser: str, match_id: str, place: int, player: str, config: Config) -> None:
    """Seat a player who agreed, by consent or by an invitation they said yes to."""
    with writing():
        match = _own(organiser, match_id)
        allow(organiser, match.id, player)
        matches.check_room(player, match.id, config)
        seating.stand_up(match.id, player)
        seating.sit(match, player, place, "-")
        seating.told("seated", match.id, place, player, organiser)
        inviting.answer(match.id, player, "seated")
        start_if_full(match)


def unseat(organiser: str, match_id: str, place: int) -> None:
    """Free a seat of a match that has not started."""
    with writing():
        match = _own(organiser, match_id)
        sitting = SeatRow.get_or_none((SeatRow.match == match.id) & (SeatRow.seat == place))
        if sitting is None or sitting.player is None:
            raise Problem("not-found", "Nobody sits there.")
        seating.stand_up(match.id, sitting.player)
        seating.told("unseated", match.id, place, sitting.player, organiser)


def allow(organiser: str, match: str, player: str) -> None:
    """Refuse to seat somebody who did not agree to it; strangers and the unwilling get the same answer."""
    if player == organiser:
        raise Problem("forbidden", OWN_TABLE)
    if consented(organiser, player) or _accepted(match, player):
        return
    raise Problem(
        "forbidden",
        "This player has not agreed to be seated by you: invite them, or ask them to name you under "
        "/v1/me/organisers first.",
        player=player,
    )


def _accepted(match: str, player: str) -> bool:
    return bool(
        rows(
            "select 1 from invitation where match = ? and player = ? and answer in ('accepted', 'joined')",
            match,
            player,
        )
    )


def _own(organiser: str, match_id: str) -> Match:
    access.find(match_id, organiser)
    match = locked(match_id)
    if match.arbiter != organiser:
        raise Problem("forbidden", "Only the organiser of this match may do this.")
    if match.status != "open":
        raise Problem("match-started" if match.status == "running" else "match-over", "The seats are settled.")
    return match
