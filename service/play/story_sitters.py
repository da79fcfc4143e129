"""Who sat where when: seats change hands in the course of a match, and a story names whoever it was."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import replace
from functools import cached_property

from engine.game import HOUSE
from engine.tuples import put
from engine.words import Locale
from service.db.connection import rows
from service.play.views import names
from service.record.table import Table

CHANGES = "select seq, line from entry where match = ? and seat = ? and (line like ? or line like ?) order by seq"


class Sitters:
    """The names at a table, as they were at any entry of its log."""

    def __init__(self, table: Table, locale: Locale, now: tuple[str, ...]) -> None:
        self.now = now
        self._table, self._locale = table, locale
        places = table.facts.header.places
        begun = tuple(place.player for place in places), tuple(place.bot for place in places)
        self.changed = (table.players, table.bots) != begun
        """Whether somebody sits elsewhere than at the start; set by whoever meets a line that says so."""

    def before(self, seq: int) -> tuple[str, ...]:
        """The names when this entry was made."""
        if not self.changed:
            return self.now
        return self._times[bisect_right(self._times, seq - 1, key=lambda time: time[0]) - 1][1]

    @cached_property
    def _times(self) -> list[tuple[int, tuple[str, ...]]]:
        """The names from each entry on that changed them."""
        places = self._table.facts.header.places
        table = replace(
            self._table, players=tuple(each.player for each in places), bots=tuple(each.bot for each in places)
        )
        found = [(0, names(table, self._locale))]
        for seq, line in rows(CHANGES, table.facts.id, HOUSE, "bot %", "seat %"):
            verb, seat, who = line.split(" ")[:3]
            player, bot = ("", who) if verb == "bot" else (who, "")
            table = replace(table, players=put(table.players, int(seat), player), bots=put(table.bots, int(seat), bot))
            found.append((seq, names(table, self._locale)))
        return found
