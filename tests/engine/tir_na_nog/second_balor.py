"""A second Balor, written from the rules alone: it reads rows of text and knows nothing of our engine but the cards."""

from __future__ import annotations

from collections import Counter

RING = "a1 a1a2 a2 a2a3 a3 a3b3 b3 b3c3 c3 c2c3 c2 c1c2 c1 b1c1 b1 a1b1".split()
READING = "a1 a2 a3 b1 b3 c1 c2 c3".split()


class SecondBalor:
    """The table as Balor sees it, updated by each row of a solo match in turn."""

    def __init__(self, printed: dict[str, int], ailm: set[str]) -> None:
        """Know the printed values and which cards flip the reference card."""
        self.printed, self.ailm = printed, ailm
        self.highest, self.lays = True, 0
        self.grid: dict[str, str] = {}
        self.out: dict[str, list[str]] = {"0": [], "1": []}
        self.marker = ""
        self.pile: list[str] = []

    def told(self, row: str) -> None:
        """Something happened."""
        sign, verb, *words = row.split()
        if verb == "lay":
            self.lays += 1
            self.highest ^= self.lays > 1
            self.grid = dict(zip(READING, words, strict=True))
        elif verb == "turn":
            self.highest ^= words[0] in self.ailm
        elif verb == "mark":
            self.marker = words[0]
        elif verb == "place":
            self.out[sign].append(words[0])
        elif verb == "take":
            card = self.grid.pop(words[0])
            self.out[sign].remove(words[1])
            if sign == "1":
                self.pile.append(card)
        elif verb == "keep":
            self.out[sign].remove(words[0])
        elif verb == "wander":
            owner = words[2] if len(words) > 2 else "0" if words[0] in self.out["0"] else "1"
            self.out[owner].remove(words[0])
            self.out[owner].append(words[1])

    def walk(self) -> list[str]:
        """Spaces and cards clockwise from the marker."""
        at = RING.index(self.marker)
        return RING[at:] + RING[:at]

    def place(self) -> str:
        """The line of his Journey turn."""
        best: tuple[int, str] | None = None
        for spot in self.walk():
            if len(spot) == 4 and spot not in self.out["0"] + self.out["1"]:
                total = self.value(spot[:2]) + self.value(spot[2:])
                if best is None or (total > best[0] if self.highest else total < best[0]):
                    best = total, spot
        assert best
        return f"place {best[1]}"

    def take(self) -> str:
        """The line of his Saga turn."""
        walk = self.walk()
        mine = sorted(self.out["1"], key=walk.index)
        touched = {cell for spot in mine for cell in (spot[:2], spot[2:]) if cell in self.grid}
        cells = [cell for cell in walk if cell in (touched or self.grid)]
        wanted = (max if self.highest else min)(self.value(cell) for cell in cells)
        cell = next(cell for cell in cells if self.value(cell) == wanted)
        spot = next(spot for spot in mine if not touched or cell in (spot[:2], spot[2:]))
        return f"take {cell} {spot}"

    def value(self, cell: str) -> int:
        """The printed value of the card in a cell."""
        return self.printed[self.grid[cell]]

    def regions(self, colours: dict[str, str], spared: list[str]) -> Counter[str]:
        """How many cards of each colour are left in the pile after these were discarded."""
        return Counter(colours[card] for card in (Counter(self.pile) - Counter(spared)).elements())
