"""A second referee for Keltis, written from the rules alone: it reads rows of text and knows nothing of our engine."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import combinations

COLOURS = "RYGBP"
ROW_TABLE = {0: 0, 1: -4, 2: -3, 3: -2, 4: 1, 5: 2, 6: 3, 7: 6, 8: 7}
STONE_TABLE = {0: -4, 1: -1, 2: 0, 3: 4, 4: 6}
FULL = Counter(
    {
        **{f"{colour}{value}": 2 if 3 <= value <= 7 else 1 for colour in COLOURS for value in range(11)},
        **{f"{colour}E": 2 for colour in COLOURS},
        **{f"N{value}": 1 for value in range(11)},
    }
)


def may_lay(row: list[str], colour: str, card: str, *, end_may_open: bool = True) -> bool:
    """Whether a card may be laid on a colour row, by the letter of the rules."""
    ends = sum(each.endswith("E") for each in row)
    numbers = [int(each[1:]) for each in row if each[0] == colour and not each.endswith("E")]
    if card[0] == "N":
        return ends == 0 and bool(numbers) and int(card[1:]) == numbers[-1]
    if card[0] != colour:
        return False
    if card.endswith("E"):
        return ends < 2 and (end_may_open or bool(row))
    if ends:
        return False
    longer = [*numbers, int(card[1:])]
    return longer in (sorted(longer), sorted(longer, reverse=True))


@dataclass
class Seat:
    """A player's rows and hand."""

    hand: Counter[str] = field(default_factory=Counter)
    rows: dict[str, list[str]] = field(default_factory=lambda: {name: [] for name in "RYGBPN"})
    stones: list[int] = field(default_factory=list)
    last: list[str] | None = None

    def lays(self, *, end_may_open: bool) -> set[str]:
        """Every lay, as `R5`, `N5` or `N5:R`."""
        found = {card for card in self.hand if card[0] == "N"}
        for card in self.hand:
            for colour in COLOURS:
                if may_lay(self.rows[colour], colour, card, end_may_open=end_may_open):
                    found.add(f"{card}:{colour}" if card[0] == "N" else card)
        return found

    def lay(self, lay: str) -> None:
        """Move the card from the hand to its row."""
        card, _, colour = lay.partition(":")
        self.drop(card)
        self.rows[colour or card[0]].append(card)

    def drop(self, card: str) -> None:
        """Take the card out of the hand."""
        assert self.hand[card] > 0
        self.hand -= Counter([card])

    def total(self) -> int:
        """The points."""
        rows = sum(ROW_TABLE.get(len(self.rows[colour]), 10) for colour in COLOURS)
        return rows + len(self.rows["N"]) + STONE_TABLE.get(len(self.stones), 10)


class Referee:
    """A table of Keltis that follows a match row by row."""

    def __init__(self, header: str) -> None:
        """Set up the table from the first row of a match."""
        given = dict(part.split(" ", 1) for part in header.strip().split(" · "))
        self.seats = [Seat() for _ in range(int(given["seats"]))]
        self.end_may_open = given.get("end-may-open", "on") == "on"
        self.short_draw = given.get("short-second-draw", "from-discards") == "from-discards"
        start = given.get("start", "0" if given["revision"] == "1" else "drawn")
        self.now = 0 if start == "drawn" else int(start)
        self.unseen = Counter(FULL)
        self.deck = 101 - (30 if len(self.seats) == 2 else 0)
        self.piles: dict[str, list[str]] = {name: [] for name in "RYGBPN"}
        self.line = set(range(1, 10))
        self.phase = "start" if start == "drawn" else "deal 0"
        self.draws = 0
        self.closed = ""

    def options(self) -> dict[str, set[str]]:
        """Return the legal lines by the seat of the next row. Chance has no list."""
        if self.phase.startswith(("start", "deal", "name")):
            return {"*": set()}
        if self.phase == "play":
            return {str(self.now): self._plays(self.seats[self.now])}
        if self.phase == "draw":
            return {str(self.now): {f"draw {source}" for source in self._sources()}}
        if self.phase == "last":
            return {str(at): self._lasts(seat) for at, seat in enumerate(self.seats) if seat.last is None}
        return {}

    def _plays(self, seat: Seat) -> set[str]:
        found = {f"discard {card}" for card in seat.hand}
        found |= {f"lay {lay.replace(':', ' ')}" for lay in seat.lays(end_may_open=self.end_may_open)}
        order = list(FULL)
        for one, two in combinations(sorted(seat.hand.elements(), key=order.index), 2):
            if one[1:] == two[1:] and one[1:] != "E" and int(one[1:]) in self.line:
                found.add(f"stone {one} {two}")
        return found

    def _sources(self) -> set[str]:
        piles = {name for name, pile in self.piles.items() if pile and name not in self.closed}
        return piles | ({"deck"} if self.deck else set())

    def _lasts(self, seat: Seat) -> set[str]:
        found = {"last none"}
        for lay in seat.lays(end_may_open=self.end_may_open):
            found.add(f"last {lay}")
            after = Seat(Counter(seat.hand), {name: list(row) for name, row in seat.rows.items()})
            after.lay(lay)
            found |= {f"last {lay} {more}" for more in after.lays(end_may_open=self.end_may_open)}
        return found

    def hear(self, row: str) -> None:
        """One more row of the match."""
        sign, verb, *words = row.split()
        options = self.options()
        assert sign in options, f"{row}: another one is asked"
        if sign == "*":
            self._chance(verb, words)
            return
        assert f"{verb} {' '.join(words)}" in options[sign], f"{row}: not allowed"
        getattr(self, f"_{verb}")(self.seats[int(sign)], words)

    def _chance(self, verb: str, words: list[str]) -> None:
        if self.phase == "start":
            assert verb == "start"
            assert words in [[str(seat)] for seat in range(len(self.seats))]
            self.now, self.phase = int(words[0]), "deal 0"
            return
        seat, *cards = words
        assert f"{verb} {seat}" == self.phase.replace("name", "draw")
        assert len(cards) == (8 if verb == "deal" else 1)
        assert Counter(cards) <= self.unseen
        self.unseen -= Counter(cards)
        self.seats[int(seat)].hand += Counter(cards)
        if verb == "draw":
            self._drawn()
            return
        self.deck -= 8
        self.phase = f"deal {int(seat) + 1}" if int(seat) + 1 < len(self.seats) else "play"

    def _discard(self, seat: Seat, words: list[str]) -> None:
        for card in words:
            seat.drop(card)
            self.piles[card[0]].append(card)
        self.phase, self.draws, self.closed = "draw", len(words), "".join(card[0] for card in words)

    def _stone(self, seat: Seat, words: list[str]) -> None:
        self.line.remove(int(words[0][1:]))
        seat.stones.append(int(words[0][1:]))
        self._discard(seat, words)

    def _lay(self, seat: Seat, words: list[str]) -> None:
        seat.lay(":".join(words))
        ended = [row for each in self.seats for row in each.rows.values() if any(card.endswith("E") for card in row)]
        self.phase, self.draws, self.closed = "last" if len(ended) >= 5 else "draw", 1, ""

    def _draw(self, seat: Seat, words: list[str]) -> None:
        if words == ["deck"]:
            self.deck -= 1
            self.phase = f"name {self.now}"
        else:
            seat.hand += Counter([self.piles[words[0]].pop()])
            self._drawn()

    def _drawn(self) -> None:
        self.draws -= 1
        if self.draws and self._sources() and (self.deck or self.short_draw):
            self.phase = "draw"
        elif not self.deck:
            self.phase = "last"
        else:
            self.phase, self.now = "play", (self.now + 1) % len(self.seats)

    def _last(self, seat: Seat, words: list[str]) -> None:
        seat.last = [] if words == ["none"] else words
        if all(each.last is not None for each in self.seats):
            for each in self.seats:
                for lay in each.last or []:
                    each.lay(lay)
            self.phase = "over"

    def scores(self) -> list[int]:
        """The totals as they stand."""
        return [seat.total() for seat in self.seats]
