"""Limits on event streams: how many a process keeps open, shared fairly between players."""

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
    """The slot of one stream."""

    player: str
    end: Callable[[], None] = lambda: None
    """Asks the stream to end."""


class StreamLimits:
    """The slots of a process. If all are taken, the player with the most streams loses one to a player with fewer."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._lock = Lock()
        self._places: dict[str, list[StreamSlot]] = {}
        self._taken = 0

    def take(self, player: str) -> StreamSlot:
        """Take a slot for a stream of this player, to be freed later; raise Problem if there is none."""
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
        """Free a slot; one that was lost already is ignored."""
        with self._lock:
            self._remove(place)

    def _slot_to_give_up(self, own: int) -> StreamSlot | None:
        """Return the oldest slot of the player with the most, unless they would then have fewer than the newcomer."""
        places = max(self._places.values(), key=len)
        return places[0] if len(places) > own + 1 else None

    def _remove(self, place: StreamSlot) -> None:
        mine = self._places.get(place.player, [])
        if place in mine:
            mine.remove(place)
            self._taken -= 1
            if not mine:
                del self._places[place.player]
