"""The final count: gems, uncovered crest spaces, cards, told legends and muses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import lru_cache

from engine.game import Count, Score, Seat
from engine.games.bardwood_grove.rules.board import (
    CREST_POINTS,
    CRESTS,
    LEGEND_LEVEL,
    LEVELS,
    MUSES,
)
from engine.games.bardwood_grove.rules.cards import ADVANCED, FANS, POINTS
from engine.games.bardwood_grove.rules.decks import cards_of
from engine.games.bardwood_grove.rules.rival_cards import DIFFICULTIES
from engine.games.bardwood_grove.rules.state import RIVAL_SEAT, Bardwood, Player

MUSE_CAP = 6


class Holding:
    """What criteria look at: a seat's record, its acquired cards by kind, and its runes on stages."""

    def __init__(self, player: Player, stages: tuple[int, ...]) -> None:
        """Count the seat's cards once."""
        self.player = player
        self.cards = cards_of(player)
        self.kinds = Counter([ADVANCED[card] for card in self.cards if card in ADVANCED])
        self.stages = stages

    @property
    def creatures(self) -> int:
        """Creatures owned, small ones and bosses."""
        return self.kinds["small"] + self.kinds["boss"]

    @property
    def crests_gone(self) -> int:
        """Crests gone from the own track."""
        return CRESTS - self.player.crests

    @property
    def runes_placed(self) -> int:
        """Runes gone from the dial."""
        return 8 - sum(self.player.runes)


Criterion = Callable[[Holding], int]


def the_first_crowd(own: Holding) -> int:
    """1 per 2 Fans, Super fan included."""
    return sum(card in FANS for card in own.cards) // 2


def the_misers_song(own: Holding) -> int:
    """1 per 2 coins left."""
    return own.player.coins // 2


def torn_banners(own: Holding) -> int:
    """1 per 2 crests gone from the track."""
    return own.crests_gone // 2


def the_gentle_hunter(own: Holding) -> int:
    """1 per small creature owned."""
    return own.kinds["small"]


def carved_stones(own: Holding) -> int:
    """1 per 2 runes placed."""
    return own.runes_placed // 2


def the_apprentice(own: Holding) -> int:
    """1 per 2 advanced Skills."""
    return own.kinds["skill"] // 2


def singing_crystals(own: Holding) -> int:
    """1 per stone left, of either kind."""
    return own.player.acoustic + own.player.range


def the_thousand_hands(own: Holding) -> int:
    """1 per advanced Fan."""
    return own.kinds["fan"]


def the_tamed_forest(own: Holding) -> int:
    """1 per creature owned."""
    return own.creatures


def the_grand_tour(own: Holding) -> int:
    """2 per performance location with an own rune."""
    return 2 * sum(bool(runes) for runes in own.stages)


def the_masters_book(own: Holding) -> int:
    """1 per advanced Skill."""
    return own.kinds["skill"]


def the_silent_wheel(own: Holding) -> int:
    """2 per dial quarter without runes."""
    return 2 * own.player.runes.count(0)


def the_proud_rival(own: Holding) -> int:
    """1 per rival crest captured in the match, spent or not."""
    return own.player.captured_ever


def the_three_gifts(own: Holding) -> int:
    """2 per set of advanced Skill, Impro and Fan."""
    return 2 * min(own.kinds["skill"], own.kinds["impro"], own.kinds["fan"])


def the_five_terrors(own: Holding) -> int:
    """2 per boss owned."""
    return 2 * own.kinds["boss"]


def the_tale_of_tales(own: Holding) -> int:
    """2 per legend told, this one included."""
    return 2 * len(own.player.told)


def the_golden_age(own: Holding) -> int:
    """1 per advanced Skill, Impro, Fan and creature owned."""
    return own.kinds.total()


def the_eight_runes(own: Holding) -> int:
    """1 per rune placed."""
    return own.runes_placed


def the_four_winds(own: Holding) -> int:
    """2 per set of advanced Skill, Impro, Fan and creature."""
    return 2 * min(own.kinds["skill"], own.kinds["impro"], own.kinds["fan"], own.creatures)


def the_endless_jam(own: Holding) -> int:
    """2 per advanced Impro."""
    return 2 * own.kinds["impro"]


def the_emerald_hoard(own: Holding) -> int:
    """1 per 2 green gems."""
    return own.player.gems // 2


def muse_of_banners(own: Holding) -> int:
    """1 per crest gone from the track."""
    return own.crests_gone


def muse_of_beasts(own: Holding) -> int:
    """1 per creature owned."""
    return own.creatures


def muse_of_craft(own: Holding) -> int:
    """1 per advanced Skill or Impro."""
    return own.kinds["skill"] + own.kinds["impro"]


def muse_of_crowds(own: Holding) -> int:
    """1 per advanced Fan."""
    return own.kinds["fan"]


def muse_of_pride(own: Holding) -> int:
    """1 per rival crest captured, spent or not."""
    return own.player.captured_ever


def muse_of_stages(own: Holding) -> int:
    """1 per own rune on a performance location."""
    return sum(own.stages)


def muse_of_tales(own: Holding) -> int:
    """2 per legend told."""
    return 2 * len(own.player.told)


def muse_of_wealth(own: Holding) -> int:
    """1 per 3 coins and stones left, taken together."""
    return (own.player.coins + own.player.acoustic + own.player.range) // 3


CRITERIA: dict[str, Criterion] = {
    function.__name__.replace("_", "-"): function
    for function in (
        *(the_first_crowd, the_misers_song, torn_banners, the_gentle_hunter, carved_stones, the_apprentice),
        *(singing_crystals, the_thousand_hands, the_tamed_forest, the_grand_tour, the_masters_book),
        *(the_silent_wheel, the_proud_rival, the_three_gifts, the_five_terrors, the_tale_of_tales, the_golden_age),
        *(the_eight_runes, the_four_winds, the_endless_jam, the_emerald_hoard),
        *(muse_of_banners, muse_of_beasts, muse_of_craft, muse_of_crowds, muse_of_pride, muse_of_stages),
        *(muse_of_tales, muse_of_wealth),
    )
}
"""What a legend or a muse counts, before its cap."""
assert CRITERIA.keys() == {*LEGEND_LEVEL, *MUSES}, "a legend or muse without criterion"  # noqa: S101
CAPS: dict[str, int] = {
    **{legend: LEVELS[level].cap for legend, level in LEGEND_LEVEL.items()},
    **dict.fromkeys(MUSES, MUSE_CAP),
}


def blue_points(own: Holding, slug: str) -> int:
    """Blue points of a legend or muse, at most its cap."""
    return min(CRITERIA[slug](own), CAPS[slug])


def holding(state: Bardwood, seat: Seat) -> Holding:
    """What a seat has that criteria look at."""
    return Holding(state.players[seat], tuple([runes[seat] for runes in state.stages]))


def score(state: Bardwood, seat: Seat) -> Score:
    """The score of one seat; gems, then coins, break ties."""
    rival = DIFFICULTIES[state.level] if state.solo and seat == RIVAL_SEAT else None
    stages = tuple([runes[seat] for runes in state.stages])
    return _count_seat(state.players[seat], stages, state.muses[seat : seat + 1], rival)


@lru_cache(maxsize=512)
def _count_seat(player: Player, stages: tuple[int, ...], muses: tuple[str, ...], bonus: int | None) -> Score:
    """The score of a seat that has this, remembered since most lines change one seat at most.

    A `bonus` is the solo rival's, who counts no crests, legends or muse.
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
    """The score of every seat as it stands."""
    return tuple([score(state, seat) for seat in range(state.seats)])
