"""How many event streams a process keeps open, and whose: shared fairly where there are more than places."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock

from service.i18n.catalogue import msg
from service.problems import Problem

MOST_OF_PLAYER = 8
RETRY_AFTER_SECONDS = 5


@dataclass(eq=False)
class StreamSlot:
    """The place of one stream."""

    player: str
    end: Callable[[], None] = lambda: None
    """Ends the stream soon."""


class StreamLimits:
    """The places of a process; who has the most streams gives one up to a player who has fewer."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._lock = Lock()
        self._places: dict[str, list[StreamSlot]] = {}
        self._taken = 0

    def take(self, player: str) -> StreamSlot:
        """A place for one more stream of this player, to be given back; refused if there is none."""
        with self._lock:
            mine = self._places.get(player, [])
            if len(mine) >= MOST_OF_PLAYER:
                raise Problem("not-now", msg("requests.too_many_streams"), retry_after=RETRY_AFTER_SECONDS)
            loser = self._slot_to_give_up(len(mine)) if self._taken >= self.most else None
            if self._taken >= self.most and loser is None:
                raise Problem("not-now", msg("requests.too_many_wait"), retry_after=RETRY_AFTER_SECONDS)
            if loser is not None:
                self._remove(loser)
            place = StreamSlot(player)
            self._places.setdefault(player, []).append(place)
            self._taken += 1
        if loser is not None:
            loser.end()
        return place

    def free(self, place: StreamSlot) -> None:
        """Give a place back; one that was given up already is left alone."""
        with self._lock:
            self._remove(place)

    def _slot_to_give_up(self, own: int) -> StreamSlot | None:
        """The oldest place of the player with the most, unless that would leave them with fewer than the newcomer."""
        places = max(self._places.values(), key=len)
        return places[0] if len(places) > own + 1 else None

    def _remove(self, place: StreamSlot) -> None:
        mine = self._places.get(place.player, [])
        if place in mine:
            mine.remove(place)
            self._taken -= 1
            if not mine:
                del self._places[place.player]
