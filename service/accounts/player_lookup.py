"""Look up players as organisers write them: an id, or a name if only one player fits."""

from __future__ import annotations

from collections.abc import Sequence

from service.accounts import players
from service.db.models.accounts import PlayerRow
from service.look_alikes import skeleton
from service.record.patterns import ID

MOST_FOUND = 20


def find_people(texts: Sequence[str]) -> dict[str, list[tuple[str, str]]]:
    """Return the players that each text can mean, as ids and names: by exact id, or by a name that reads like it."""
    return {text: _find_person(text) for text in texts}


def _find_person(text: str) -> list[tuple[str, str]]:
    living = PlayerRow.deleted_at.is_null() & ~players.is_guest()
    if ID.fullmatch(text):
        player = PlayerRow.get_or_none((PlayerRow.id == text) & living)
        if player is not None:
            return [(player.id, player.name)]
    named = PlayerRow.select().where((PlayerRow.skeleton == skeleton(text)) & living).order_by(PlayerRow.id)
    people = [(player.id, player.name) for player in named.limit(MOST_FOUND)]
    exact = [person for person in people if person[1] == text]
    return exact if len(exact) == 1 else people
