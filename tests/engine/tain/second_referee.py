"""A second referee for Táin, written from the rules alone: it reads rows of text and knows nothing of our engine."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

STOPS = {"C": "CD", "W": "CWD", "B": "CWBD"}


class Referee:
    """A table of Táin that follows the rows of each round."""

    def __init__(self, seats: int, settings: Mapping[str, str | int | bool]) -> None:
        """Set up the table."""
        self.seats, self.first = seats, int(settings.get("first", -1))
        self.one_each = settings.get("share") == "one-each"
        self.moves = settings.get("marker") != "fixed"
        self.cattle, self.jewels, self.stock = [5] * seats, [3] * seats, 25 - 5 * seats
        self.held: list[Counter[tuple[int, str]]] = [Counter() for _ in range(seats)]
        self.screen = [Counter("CWWBBBBBBDXXXXXXXX") for _ in range(seats)]
        self.used: list[Counter[str]] = [Counter() for _ in range(seats)]
        self.round, self.over = 1, False
        self.clear()

    def clear(self) -> None:
        """Take everything off the boards."""
        self.guards: dict[tuple[int, str], str] = {}
        self.scouts: dict[tuple[int, str], tuple[int, str]] = {}
        self.kingdom: dict[int, str] = {}
        self.wishes: dict[tuple[int, int], list[str]] = {}
        self.herd, self.gems = [0] * self.seats, [0] * self.seats
        self.taken: list[tuple[int, int, str]] = []

    def turns(self) -> list[int]:
        """The seats from the active player on."""
        active = (self.first + (self.round - 1) * self.moves) % self.seats
        return [*range(active, self.seats), *range(active)]

    def play(self, rows: list[tuple[int, str]]) -> None:
        """One whole round."""
        for seat, line in rows:
            verb, *words = line.split()
            if verb == "start":
                assert (seat, self.first, self.round) == (-1, -1, 1)
                self.first = int(words[0])
            elif verb == "put":
                self.place(seat, words[0], words[1])
            elif verb == "guards" and words != ["none"]:
                for word in words:
                    self.place(seat, word[0], word[1])
            elif verb == "free":
                self.wishes.setdefault((seat, "abcd".index(words[1])), []).append(words[0])
        self.raid_kingdom()
        for board in self.turns():
            self.raid_board(board)
        self.close()

    def place(self, seat: int, kind: str, place: str) -> None:
        """One token on its place."""
        assert self.screen[seat][kind] > 0
        self.screen[seat][kind] -= 1
        self.used[seat][kind] += 1
        if place == "kingdom":
            assert seat not in self.kingdom
            self.kingdom[seat] = kind
        elif len(place) == 1:
            assert (seat, place) not in self.guards
            self.guards[seat, place] = kind
        else:
            board = "abcd".index(place[0])
            assert (board, place[1]) not in self.scouts
            assert board != seat
            self.scouts[board, place[1]] = (seat, kind)

    def raid_kingdom(self) -> None:
        """One cattle each; a warrior gives way to a chief."""
        raiders = {seat: kind for seat, kind in self.kingdom.items() if kind != "X"}
        if set(raiders.values()) == {"C", "W"}:
            raiders = {seat: kind for seat, kind in raiders.items() if kind == "C"}
        for seat in self.turns():
            if seat in raiders and self.stock:
                self.stock -= 1
                self.herd[seat] += 1

    def raid_board(self, board: int) -> None:
        """Five gates, then the loot."""
        won: dict[str, list[int]] = {"pasture": [], "house": []}
        for gate in "12345":
            raider, kind = self.scouts.get((board, gate), (0, "X"))
            guard = self.guards.get((board, gate), "")
            if (kind, guard) == ("B", "W"):
                self.used[raider]["B"] -= 1
                self.taken.append((board, raider, "B"))
            elif (kind, guard) == ("W", "D"):
                self.used[board]["D"] -= 1
                self.taken.append((raider, board, "D"))
            elif kind != "X" and (not guard or guard not in STOPS[kind]):
                won["pasture" if gate in "123" else "house"].append(raider)
        for raider in self.queue(won["pasture"]):
            if self.cattle[board]:
                self.cattle[board] -= 1
                self.herd[raider] += 1
        for raider in self.queue(won["house"]):
            self.rob_house(board, raider)

    def queue(self, winners: list[int]) -> list[int]:
        """Return the order in which seats are served."""
        wins, served = Counter(winners), []
        if not self.one_each:
            return [seat for seat in self.turns() for _ in range(wins[seat])]
        while wins.total():
            for seat in self.turns():
                if wins[seat]:
                    wins[seat] -= 1
                    served.append(seat)
        return served

    def rob_house(self, board: int, raider: int) -> None:
        """Free an own captive, as wished or else the daughter; if there is none, take a jewel."""
        own = [kind for kind in "DB" for _ in range(self.held[board][raider, kind])]
        if own:
            wished = self.wishes.get((raider, board), [])
            kind = wished.pop(0) if wished else own[0]
            self.held[board][raider, kind] -= 1
            self.used[raider][kind] += 1
        elif self.jewels[board]:
            self.jewels[board] -= 1
            self.gems[raider] += 1

    def close(self) -> None:
        """Loot comes in; the end, or full screens and the next round."""
        for holder, owner, kind in self.taken:
            self.held[holder][owner, kind] += 1
        for seat in range(self.seats):
            self.cattle[seat] += self.herd[seat]
            self.jewels[seat] += self.gems[seat]
        self.over = self.round == 8 or max(self.cattle) >= 11
        self.clear()
        if self.over:
            return
        for seat in range(self.seats):
            if not self.screen[seat].total():
                self.screen[seat], self.used[seat] = self.used[seat], Counter()
        self.round += 1
