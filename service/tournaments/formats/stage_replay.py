"""One stage of a tournament as its log tells it, and what each of its rounds should have been.

Entrants are numbers here; `StageReplay` collects draws, pairs, results and byes, and computes from them the pairings of
a round, the standings, and who qualifies. Nothing is checked here: `verify` compares.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, fields
from typing import TypeAlias

from service.tournaments.formats import knockout as knockout_format
from service.tournaments.formats import ladder, stages
from service.tournaments.formats.berger import Section, count_rounds, cut_sections, order_sections, pair_round_robin
from service.tournaments.formats.crosstable import BOT, How, Number, Pairing, SeatResult, StageRound
from service.tournaments.formats.duplicate import pair_duplicate
from service.tournaments.formats.knockout import KnockoutRules
from service.tournaments.formats.pods import PodRules, pair_pods
from service.tournaments.formats.points import cancelled_entrants, round_points
from service.tournaments.formats.repeat_pairings import COUNTED_FORMATS, count_repeats
from service.tournaments.formats.seating import count_seats, price_seats, seat_table
from service.tournaments.formats.stage_rules import (
    DOUBLE,
    DUPLICATE,
    KNOCKOUT,
    PODS,
    ROUND_ROBIN,
    SWISS,
    StageRules,
    StageSource,
)
from service.tournaments.formats.swiss import SwissRules, begin_white, pair_swiss
from service.tournaments.formats.tiebreaks import Ranking, rank_entrants


@dataclass(frozen=True, slots=True)
class PairedTable:
    """A table of a round: its match, and who sits there by number."""

    id: str
    section: int
    seats: tuple[Number, ...]


LadderEvent: TypeAlias = Number | tuple[int, PairedTable]
"""What may move a ladder: somebody comes or comes back, or a pair of a round has its result."""


@dataclass(slots=True)
class RoundReplay:
    """What the log says of one round: its pairs, how they ended, which are void, and who does not play."""

    pairs: list[PairedTable] = field(default_factory=list)
    results: dict[str, tuple[SeatResult, ...]] = field(default_factory=dict)
    void: set[str] = field(default_factory=set)
    tables: dict[frozenset[Number], str] = field(default_factory=dict)
    seated: set[Number] = field(default_factory=set)
    half_byes: set[Number] = field(default_factory=set)
    absent: set[Number] = field(default_factory=set)
    paired_at: int | None = None
    started_at: int | None = None
    over_at: int | None = None
    repaired: bool = False
    extended_to: int | None = None
    """Until when a ruling lets it run, whatever its document says."""
    extended_at: int = 0

    @property
    def started(self) -> bool:
        """Whether its matches have begun."""
        return self.started_at is not None

    @property
    def over(self) -> bool:
        """Whether it is over."""
        return self.over_at is not None

    @property
    def valid(self) -> list[PairedTable]:
        """The pairs that count."""
        return [pair for pair in self.pairs if pair.id not in self.void]

    def unfinished(self, *, solo: bool = False) -> list[PairedTable]:
        """The pairs that still wait for their result; a bye never does, but where all play `solo` there are none."""
        return [pair for pair in self.valid if (solo or len(pair.seats) > 1) and pair.id not in self.results]

    def copy(self) -> RoundReplay:
        """Return the same round; a change of one does not change the other."""
        return RoundReplay(*(copy(getattr(self, each.name)) for each in fields(self)))

    def add_pair(self, pair: PairedTable, *, replays: bool) -> None:
        """Take a pair; where it `replays` an earlier one of the same people, that is void."""
        earlier = self.tables.get(frozenset(pair.seats))
        if replays and earlier is not None:
            self.void.add(earlier)
        self.pairs.append(pair)
        self.tables[frozenset(pair.seats)] = pair.id
        self.seated.update(people_of(pair.seats))

    def void_pairs(self) -> None:
        """Void all pairs, as a repair does."""
        self.void.update(pair.id for pair in self.pairs)
        self.tables.clear()
        self.seated.clear()
        self.repaired = True

    def as_stage_round(self, number: int) -> StageRound:
        """The pairings that count with their results."""
        pairings = tuple(Pairing(pair.seats, self.results.get(pair.id, ()), pair.section) for pair in self.valid)
        return StageRound(number, pairings, frozenset(self.half_byes))


@dataclass(slots=True)
class StageReplay:
    """What the log says of one stage; `entrants` are its members by seed, `lots` the lot order of each draw."""

    rules: StageRules
    entrants: list[Number] = field(default_factory=list)
    lots: dict[int, tuple[Number, ...]] = field(default_factory=dict)
    rounds: dict[int, RoundReplay] = field(default_factory=dict)
    sections: tuple[Section, ...] = ()
    advanced: bool = False
    """Whether an `advance` line has said whom the stage takes."""
    ladder: list[LadderEvent] = field(default_factory=list)
    """What moved the ladder, in this order: numbers of who came or came back, and pairs with their round."""

    def copy(self) -> StageReplay:
        """The same stage, of which one can change without the other."""
        rounds = {number: each.copy() for number, each in self.rounds.items()}
        return StageReplay(
            self.rules,
            list(self.entrants),
            dict(self.lots),
            rounds,
            self.sections,
            self.advanced,
            list(self.ladder),
        )

    def round(self, number: int) -> RoundReplay:
        """A round, from its first mention on."""
        return self.rounds.setdefault(number, RoundReplay())

    def played(self, before: int | None = None) -> tuple[StageRound, ...]:
        """The rounds that have begun, or those before a given one."""
        return tuple(
            each.as_stage_round(number)
            for number, each in sorted(self.rounds.items())
            if each.pairs and (before is None or number < before)
        )

    def table_points(self, number: int) -> dict[str, tuple[int, ...]]:
        """What each seat of each table of a round got, by the id of the match; only tables with a result."""
        each = self.rounds[number]
        counted = [pair for pair in each.pairs if pair.id in each.results]
        pairings = [Pairing(pair.seats, each.results[pair.id]) for pair in counted]
        made = round_points(self.rules.scoring.rule, pairings)
        return {pair.id: points for pair, points in zip(counted, made, strict=True)}

    def count_repeats(self) -> dict[int, int]:
        """How many pairs of people meet again in each round, where the format avoids that."""
        return count_repeats(self.played()) if self.rules.format in COUNTED_FORMATS else {}

    def lots_for(self, number: int) -> tuple[Number, ...] | None:
        """The lot order that holds for a round, if it has been drawn."""
        return self.lots.get(0 if self.rules.one_draw else number)

    @property
    def last_round(self) -> int:
        """The last round that was paired."""
        return max((number for number, each in self.rounds.items() if each.pairs), default=0)

    def pair_round(
        self, number: int, present: Sequence[Number], avoid: frozenset[tuple[Number, Number]]
    ) -> tuple[Pairing, ...] | None:
        """The pairings that follow for a round from all before it; None where a format leaves them to the players."""
        rules, lots = self.rules, self.lots_for(number) or ()
        if rules.format == ROUND_ROBIN:
            self.settle_sections(present)
            return self._robin_round(number)
        played = self.played(before=number)
        if rules.format == SWISS:
            white = begin_white(self.lots.get(1, ()))
            swiss = SwissRules(rules.rounds or 0, rules.system, odd_begin_white=white, avoid=avoid)
            return pair_swiss(rules.scoring, played, present, swiss).pairings
        if rules.format in {PODS, DUPLICATE}:
            pods = PodRules(rules.seats, rules.group, avoid)
            pair = pair_pods if rules.format == PODS else pair_duplicate
            return pair(rules.scoring, played, present, pods, lots).pairings
        gone = frozenset(self.entrants) - frozenset(present)
        if rules.format == KNOCKOUT:
            return knockout_format.pair_knockout(played, self.entrants, self._knockout_rules, lots, gone)
        if rules.format == DOUBLE:
            return knockout_format.pair_double_elimination(played, self.entrants, self._knockout_rules, lots, gone)
        return None

    @property
    def _knockout_rules(self) -> KnockoutRules:
        rules = self.rules
        return KnockoutRules(
            rules.seats, rules.advance, rules.rounds, rules.format == DOUBLE, rules.reset, rules.ruleset
        )

    def forgives_loss(self, each: StageRound, number: Number) -> bool:
        """Return True if an entrant of a double elimination who loses in this round is still in."""
        if self.rules.format != DOUBLE:
            return False
        losses = knockout_format.count_losses(self.played(before=each.number), self.entrants)
        return losses[number] == 0 and not knockout_format.is_single_final(each, losses, self._knockout_rules)

    def count_advancing(self, each: StageRound) -> int:
        """Return how many of each table of a knockout's round go on; of the last table only the champion."""
        is_last = knockout_format.is_last_table(each) and self.rules.ruleset.names_one_champion
        return 1 if is_last else self.rules.advance

    def list_replays(self, number: int, withdrawn: Iterable[Number]) -> list[PairedTable]:
        """The tables of a knockout's round that are tied, and are to be played again while everybody is still in."""
        if self.rules.format != KNOCKOUT or not self.rules.replay:
            return []
        each, gone = self.round(number), frozenset(withdrawn)
        times = Counter(frozenset(pair.seats) for pair in each.pairs)
        deciding = {self.rules.advance, self.count_advancing(each.as_stage_round(number))}
        return [
            pair
            for pair in each.valid
            if pair.id in each.results
            and times[frozenset(pair.seats)] <= self.rules.replay
            and gone.isdisjoint(pair.seats)
            and not any(result.how is How.RULED for result in each.results[pair.id])
            and any(
                knockout_format.needs_replay(Pairing(pair.seats, each.results[pair.id]), self.entrants, advance)
                for advance in deciding
            )
        ]

    def settle_sections(self, present: Sequence[Number]) -> None:
        """Cut a round robin into its sections, once, from who plays when it is first paired."""
        if self.sections or self.rules.format != ROUND_ROBIN:
            return
        lots = self.lots.get(0, ())
        place = {one: at for at, one in enumerate(lots)}
        known = [one for one in present if one in place]
        order = known if self.rules.section_by == "rating" else sorted(known, key=place.__getitem__)
        self.sections = order_sections(cut_sections(order, self.rules.section_size or max(1, len(order))), lots)

    @property
    def robin_rounds(self) -> int:
        """How many rounds a round robin has, once its sections are settled."""
        return max((count_rounds(len(section.entrants), self.rules.cycles) for section in self.sections), default=0)

    def _robin_round(self, number: int) -> tuple[Pairing, ...]:
        rounds = pair_round_robin(self.sections, self.rules.cycles)
        found = rounds[number - 1].pairings if number <= len(rounds) else ()
        if self.rules.section_size:
            return found
        return tuple(Pairing(pairing.seats) for pairing in found)

    def seat_challenge(self, people: Sequence[Number]) -> tuple[Number, ...]:
        """Who takes which seat in a match of a ladder, as in pods."""
        lots = self.lots.get(0, ())
        place = {number: at for at, number in enumerate((*lots, *(n for n in self.entrants if n not in set(lots))))}
        return seat_table(people, price_seats(count_seats(self.played(), people)), place)

    def ladder_order(self, ratings: Mapping[Number, int], withdrawn: Iterable[Number]) -> tuple[Number, ...]:
        """The ladder now: from its first order on, newcomers and results in the order of their lines."""
        gone = frozenset(withdrawn)
        *_, (_, order) = self.follow_ladder(ratings)
        return tuple(number for number in order if number not in gone)

    def follow_ladder(self, ratings: Mapping[Number, int]) -> Iterator[tuple[LadderEvent | None, tuple[Number, ...]]]:
        """The ladder from its first order on, after each event that may have moved it, with those who left."""
        lots = self.lots.get(0, ())
        order = ladder.first_order([(number, ratings.get(number, 0)) for number in lots], lots)
        yield None, order
        for event in self.ladder:
            if isinstance(event, tuple):
                number, pair = event
                order = ladder.apply_result(order, Pairing(pair.seats, self.rounds[number].results[pair.id]))
            else:
                # Whoever comes back after leaving begins at the bottom, as newcomers do.
                order = ladder.add_entrant(ladder.remove_entrant(order, event), event)
            yield event, order

    def members(self) -> tuple[tuple[Number, ...], ...]:
        """The entrants by section; all together where there are none."""
        if self.sections:
            return tuple(tuple(sorted(section.entrants)) for section in self.sections)
        return (tuple(sorted(self.entrants)),)

    def rank_sections(self, withdrawn: Iterable[Number]) -> tuple[Ranking, ...]:
        """The standings of each section after all that has been played."""
        played = self.played()
        gone = cancelled_entrants(played, withdrawn) if self.rules.cancels else frozenset[Number]()
        lots = self.lots.get(0 if self.rules.one_draw else self.last_round + 1, ())
        return tuple(
            rank_entrants(self.rules.scoring, played, members, self.rules.ties, lots=lots, cancelled=gone)
            for members in self.members()
        )

    def rank_places(self, departures: Sequence[Number]) -> tuple[tuple[int, Number], ...]:
        """Return everybody of a knockout or double elimination with a place; see `bracket.rank_knockout`."""
        return knockout_format.rank_knockout(self.played(), self.entrants, self._knockout_rules, departures)

    def take_qualifiers(self, source: StageSource, withdrawn: frozenset[Number]) -> tuple[Number, ...]:
        """Whom another stage takes from this one, by seed."""
        played = self.played()
        if source.advance:
            last = played[-1] if played else StageRound(0, ())
            return stages.take_advancers(last, self.entrants, source.advance, withdrawn)
        lots = self.lots.get(0 if self.rules.one_draw else self.last_round + 1, ())
        if self.rules.format in {KNOCKOUT, DOUBLE}:
            place = {number: at for at, number in enumerate(lots)}
            ranked = self.rank_places(tuple(withdrawn))
            order = [number for _, number in sorted(ranked, key=lambda one: (one[0], place.get(one[1], len(place))))]
            return stages.take_places([order], source.first, source.last, withdrawn=withdrawn)
        orders = [stages.order_standings(each.standings, lots) for each in self.rank_sections(withdrawn)]
        return stages.take_places(
            orders, source.first, source.last, each_section=source.each_section, withdrawn=withdrawn
        )


def people_of(seats: Iterable[Number]) -> tuple[Number, ...]:
    """The entrants at a table, bots left out."""
    return tuple(number for number in seats if number != BOT)
