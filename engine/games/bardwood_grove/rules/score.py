"""The final count: gems, uncovered crest spaces, cards, told legends and muses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import lru_cache

from engine.game import Count, Score, Seat
from engine.games.bardwood_grove.rules.board import CREST_POINTS, CRESTS, LEGEND_LEVEL, LEVELS, MUSES
from engine.games.bardwood_grove.rules.cards import ADVANCED, FANS, POINTS
from engine.games.bardwood_grove.rules.decks import cards_of
from engine.games.bardwood_grove.rules.rival import DIFFICULTIES
from engine.games.bardwood_grove.rules.state import RIVAL_SEAT, Bardwood, Player

MUSE_CAP = 6


class Holding:
    """A seat as criteria see it: its record, its acquired cards by kind, and its runes on stages."""

    def __init__(self, player: Player, stages: tuple[int, ...]) -> None:
        """Count the seat's cards once."""
        self.player = player
        self.cards = cards_of(player)
        self.kinds = Counter([ADVANCED[card] for card in self.cards if card in ADVANCED])
        self.stages = stages

    @property
    def creatures(self) -> int:
        """Number of creatures owned, small ones and bosses."""
        return self.kinds["small"] + self.kinds["boss"]

    @property
    def crests_gone(self) -> int:
        """Number of crests gone from the seat's track."""
        return CRESTS - self.player.crests

    @property
    def runes_placed(self) -> int:
        """Number of runes gone from the dial."""
        return 8 - sum(self.player.runes)

    @property
    def fans(self) -> int:
        """Number of Fans owned, the Super fan included."""
        return sum(card in FANS for card in self.cards)

    @property
    def gifts(self) -> tuple[int, int, int]:
        """Number of advanced Skills, Impros and Fans owned."""
        return self.kinds["skill"], self.kinds["impro"], self.kinds["fan"]

    @property
    def stones(self) -> int:
        """Number of stones left, of either kind."""
        return self.player.acoustic + self.player.range


Criterion = Callable[[Holding], int]


CRITERIA: dict[str, Criterion] = {
    "the-first-crowd": lambda own: own.fans // 2,
    "the-misers-song": lambda own: own.player.coins // 2,
    "torn-banners": lambda own: own.crests_gone // 2,
    "the-gentle-hunter": lambda own: own.kinds["small"],
    "carved-stones": lambda own: own.runes_placed // 2,
    "the-apprentice": lambda own: own.kinds["skill"] // 2,
    "singing-crystals": lambda own: own.stones,
    "the-thousand-hands": lambda own: own.kinds["fan"],
    "the-tamed-forest": lambda own: own.creatures,
    "the-grand-tour": lambda own: 2 * sum(bool(runes) for runes in own.stages),
    "the-masters-book": lambda own: own.kinds["skill"],
    "the-silent-wheel": lambda own: 2 * own.player.runes.count(0),
    "the-proud-rival": lambda own: own.player.captured_ever,
    "the-three-gifts": lambda own: 2 * min(own.gifts),
    "the-five-terrors": lambda own: 2 * own.kinds["boss"],
    "the-tale-of-tales": lambda own: 2 * len(own.player.told),
    "the-golden-age": lambda own: own.kinds.total(),
    "the-eight-runes": lambda own: own.runes_placed,
    "the-four-winds": lambda own: 2 * min(*own.gifts, own.creatures),
    "the-endless-jam": lambda own: 2 * own.kinds["impro"],
    "the-emerald-hoard": lambda own: own.player.gems // 2,
    "muse-of-banners": lambda own: own.crests_gone,
    "muse-of-beasts": lambda own: own.creatures,
    "muse-of-craft": lambda own: own.kinds["skill"] + own.kinds["impro"],
    "muse-of-crowds": lambda own: own.kinds["fan"],
    "muse-of-pride": lambda own: own.player.captured_ever,
    "muse-of-stages": lambda own: sum(own.stages),
    "muse-of-tales": lambda own: 2 * len(own.player.told),
    "muse-of-wealth": lambda own: (own.player.coins + own.stones) // 3,
}
"""The points of each legend and muse, before its cap."""
assert CRITERIA.keys() == {*LEGEND_LEVEL, *MUSES}, "a legend or muse without criterion"  # noqa: S101
CAPS: dict[str, int] = {
    **{legend: LEVELS[level].cap for legend, level in LEGEND_LEVEL.items()},
    **dict.fromkeys(MUSES, MUSE_CAP),
}


def blue_points(own: Holding, slug: str) -> int:
    """Return the blue points of a legend or muse, at most its cap."""
    return min(CRITERIA[slug](own), CAPS[slug])


def holding(state: Bardwood, seat: Seat) -> Holding:
    """Return the holding of a seat."""
    return Holding(state.players[seat], tuple([runes[seat] for runes in state.stages]))


def score(state: Bardwood, seat: Seat) -> Score:
    """Return the score of one seat. Gems, then coins, break ties."""
    rival = DIFFICULTIES[state.level] if state.solo and seat == RIVAL_SEAT else None
    stages = tuple([runes[seat] for runes in state.stages])
    return _count_seat(state.players[seat], stages, state.muses[seat : seat + 1], rival)


@lru_cache(maxsize=512)
def _count_seat(player: Player, stages: tuple[int, ...], muses: tuple[str, ...], bonus: int | None) -> Score:
    """Return the score of a seat. It is cached, because most lines change at most one seat.

    Only the solo rival has a `bonus`; it counts no crests, legends or muse.
    """
    own = Holding(player, stages)
    counts = [Count("gems", player.gems)]
    if bonus is None:
        counts.append(Count("crests", sum(CREST_POINTS[: own.crests_gone])))
    counts.append(Count("cards", sum(map(POINTS.__getitem__, own.cards))))
    if bonus is not None:
        counts.append(Count("bonus", bonus))
    else:
        counts += [Count(slug, blue_points(own, slug)) for slug in (*player.told, *muses)]
    return Score(sum([count.points for count in counts]), tuple(counts), (player.gems, player.coins))


def scores(state: Bardwood) -> tuple[Score, ...]:
    """Return the current score of every seat."""
    return tuple([score(state, seat) for seat in range(state.seats)])
