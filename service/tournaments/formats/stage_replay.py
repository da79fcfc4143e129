"""One stage of a tournament, replayed from its log, and what each of its rounds should have been.

Entrants are numbers here. `StageReplay` collects draws, pairs, results and byes, and computes from them the pairings of
a round, the standings and the qualifiers. It checks nothing: `verify` compares.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from service.tournaments.formats import knockout as knockout_format
from service.tournaments.formats import ladder
from service.tournaments.formats.berger import Section, count_rounds, cut_sections, order_sections, pair_round_robin
from service.tournaments.formats.crosstable import How, Number, Pairing, SeatResult, StageRound, lot_places, people_of
from service.tournaments.formats.duplicate import pair_duplicate
from service.tournaments.formats.knockout import KnockoutRules
from service.tournaments.formats.ladder import Strength
from service.tournaments.formats.pods import PodRules, pair_pods
from service.tournaments.formats.points import cancelled_entrants, round_points
from service.tournaments.formats.repeat_pairings import COUNTED_FORMATS, count_repeats
from service.tournaments.formats.seating import count_seats, price_seats, seat_table
from service.tournaments.formats.series import is_decided, join_series, next_seats
from service.tournaments.formats.stage_rules import (
    DOUBLE,
    DUPLICATE,
    KNOCKOUT,
    LADDER,
    PODS,
    ROUND_ROBIN,
    SWISS,
    StageRules,
    StageSource,
)
from service.tournaments.formats.swiss import SwissRules, begin_white, pair_swiss
from service.tournaments.formats.tiebreaks import Ranking, Standing, rank_entrants

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

T = TypeVar("T", bound="DataclassInstance")


def copy_containers(value: T) -> T:
    """Copy a dataclass together with its lists, dicts and sets. The values in these are shared."""
    members = {member.name: getattr(value, member.name) for member in fields(value)}
    return replace(value, **{name: copy(held) for name, held in members.items() if isinstance(held, list | dict | set)})


@dataclass(frozen=True, slots=True)
class PairedTable:
    """A table of a round: its match, and the numbers at its seats."""

    id: str
    section: int
    seats: tuple[Number, ...]


LadderEvent: TypeAlias = Number | tuple[int, PairedTable]
"""An event that may move a ladder: an entrant comes or comes back, or a pair of a round has its result."""


@dataclass(slots=True)
class RoundReplay:
    """One round by its log: its pairs and their results, void pairs, and absent entrants."""

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
    left: frozenset[Number] = frozenset()
    """Entrants who had left when the round was over."""
    repaired: bool = False
    extended_to: int | None = None
    """End of the round by a ruling, which overrides the document."""
    extended_at: int = 0

    @property
    def started(self) -> bool:
        """True if its matches have begun."""
        return self.started_at is not None

    @property
    def over(self) -> bool:
        """True if the round is over."""
        return self.over_at is not None

    @property
    def valid(self) -> list[PairedTable]:
        """Return the pairs that are not void."""
        return [pair for pair in self.pairs if pair.id not in self.void]

    def unfinished(self, *, solo: bool = False) -> list[PairedTable]:
        """Return the pairs without a result. A single seat is a bye and needs none, unless everybody plays `solo`."""
        return [pair for pair in self.valid if (solo or len(pair.seats) > 1) and pair.id not in self.results]

    def add_pair(self, pair: PairedTable, *, replays: bool) -> None:
        """Add a pair. If it `replays` an earlier pair of the same people, that one becomes void.

        On ladders, and in a series, the same people play several matches in a round.
        """
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
        """Return the valid pairings with their results."""
        pairings = tuple(Pairing(pair.seats, self.results.get(pair.id, ()), pair.section) for pair in self.valid)
        return StageRound(number, pairings, frozenset(self.half_byes))


@dataclass(slots=True)
class StageReplay:
    """One stage by its log. `entrants` are its members by seed, `lots` the lot order of each draw."""

    rules: StageRules
    entrants: list[Number] = field(default_factory=list)
    lots: dict[int, tuple[Number, ...]] = field(default_factory=dict)
    rounds: dict[int, RoundReplay] = field(default_factory=dict)
    sections: tuple[Section, ...] = ()
    advanced: bool = False
    """True after the `advance` line with the entrants of the stage."""
    ladder: list[LadderEvent] = field(default_factory=list)
    """Events that moved the ladder, in order."""

    def copy(self) -> StageReplay:
        """Return a copy that can change independently."""
        stage = copy_containers(self)
        stage.rounds = {number: copy_containers(replay) for number, replay in self.rounds.items()}
        return stage

    def round(self, number: int) -> RoundReplay:
        """Return a round. The first call creates it."""
        return self.rounds.setdefault(number, RoundReplay())

    def list_series(self, number: int) -> list[list[PairedTable]]:
        """Return the tables of a round, each with its valid matches in order. Most tables have one match."""
        tables: dict[frozenset[Number], list[PairedTable]] = {}
        for pair in self.round(number).valid:
            tables.setdefault(frozenset(pair.seats), []).append(pair)
        return list(tables.values())

    def show_round(self, number: int) -> StageRound:
        """Return the tables of a round with their results. A series counts as one table."""
        replay, rules = self.round(number), self.rules.series
        if rules is None:
            return replay.as_stage_round(number)
        tables = (self._pairings_of(number, table) for table in self.list_series(number))
        joined = (join_series(table, rules, is_over=replay.over, left=replay.left) for table in tables)
        return StageRound(number, tuple(joined))

    def _pairings_of(self, number: int, table: Iterable[PairedTable]) -> list[Pairing]:
        results = self.round(number).results
        return [Pairing(pair.seats, results.get(pair.id, ()), pair.section) for pair in table]

    def played(self, before: int | None = None) -> tuple[StageRound, ...]:
        """Return the rounds that have pairs, or those of them before a given one."""
        return tuple(
            self.show_round(number)
            for number, replay in sorted(self.rounds.items())
            if replay.pairs and (before is None or number < before)
        )

    def table_points(self, number: int) -> dict[str, tuple[int, ...]]:
        """Return the points of each seat of a round by match, for tables with a result."""
        replay = self.rounds[number]
        finished = [pair for pair in replay.pairs if pair.id in replay.results]
        pairings = [Pairing(pair.seats, replay.results[pair.id]) for pair in finished]
        points = round_points(self.rules.scoring.rule, pairings)
        return {pair.id: row for pair, row in zip(finished, points, strict=True)}

    def count_repeats(self) -> dict[int, int]:
        """Count the pairs of people who meet again in each round, if the format avoids repeats."""
        return count_repeats(self.played()) if self.rules.format in COUNTED_FORMATS else {}

    def lots_for(self, number: int) -> tuple[Number, ...] | None:
        """Return the lot order that applies to a round, or None before its draw."""
        return self.lots.get(0 if self.rules.one_draw else number)

    @property
    def last_round(self) -> int:
        """Return the number of the last round with pairs, or 0."""
        return max((number for number, replay in self.rounds.items() if replay.pairs), default=0)

    @property
    def _next_lots(self) -> tuple[Number, ...]:
        """Return the lot order that breaks ties after the last round: that of the next round, if it has been drawn."""
        return self.lots_for(self.last_round + 1) or ()

    def pair_round(
        self, number: int, present: Sequence[Number], avoid: frozenset[tuple[Number, Number]]
    ) -> tuple[Pairing, ...] | None:
        """Return the pairings that follow from all earlier rounds. None means that the players arrange matches."""
        rules, lots = self.rules, self.lots_for(number) or ()
        if rules.format == ROUND_ROBIN:
            self.settle_sections(present)
            return self._robin_round(number)
        played = self.played(before=number)
        if rules.format == SWISS:
            white = begin_white(self.lots.get(1, ()))
            swiss = SwissRules(rules.rounds or 0, rules.system, white, avoid, rules.ruleset.pairs_as_endorsed)
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
    def plays_on(self) -> bool:
        """True if a further pair of the same people in a round is their next match, and not a replay."""
        return self.rules.format == LADDER or self.rules.series is not None

    @property
    def _knockout_rules(self) -> KnockoutRules:
        rules = self.rules
        return KnockoutRules(
            rules.seats, rules.advance, rules.rounds, rules.format == DOUBLE, rules.reset, rules.ruleset
        )

    def forgives_loss(self, each: StageRound, number: Number) -> bool:
        """Return True if an entrant of a double elimination stays in after losing in this round."""
        if self.rules.format != DOUBLE:
            return False
        losses = knockout_format.count_losses(self.played(before=each.number), self.entrants)
        return losses[number] == 0 and not knockout_format.is_single_final(each, losses, self._knockout_rules)

    def count_advancing(self, each: StageRound) -> int:
        """Return how many players advance from each table of a knockout round. The last table has one champion."""
        is_last = knockout_format.is_last_table(each) and self.rules.ruleset.names_one_champion
        return 1 if is_last else self.rules.advance

    def list_next_matches(self, number: int, withdrawn: Iterable[Number]) -> list[PairedTable]:
        """Return the matches that must follow at tables of a knockout round: of a series, or replays of tied tables.

        Each is given by the match before it, with its new seats. Nobody at such a table has withdrawn.
        """
        gone, rules = frozenset(withdrawn), self.rules.series
        if rules is None:
            return [pair for pair in self._list_tied_tables(number) if gone.isdisjoint(pair.seats)]
        return [
            replace(table[-1], seats=next_seats(matches))
            for table in self.list_series(number)
            if len(table[0].seats) > 1 and gone.isdisjoint(table[0].seats)
            for matches in [self._pairings_of(number, table)]
            if all(match.results for match in matches) and not is_decided(matches, rules)
        ]

    def _list_tied_tables(self, number: int) -> list[PairedTable]:
        if self.rules.format != KNOCKOUT or not self.rules.replay:
            return []
        replay = self.round(number)
        times = Counter(frozenset(pair.seats) for pair in replay.pairs)
        # The last table must decide a champion as well as the places that advance to the next stage.
        advances = {self.rules.advance, self.count_advancing(replay.as_stage_round(number))}
        return [
            pair
            for pair in replay.valid
            if pair.id in replay.results
            and times[frozenset(pair.seats)] <= self.rules.replay
            and not any(result.how is How.RULED for result in replay.results[pair.id])
            and any(
                knockout_format.needs_replay(Pairing(pair.seats, replay.results[pair.id]), self.entrants, advance)
                for advance in advances
            )
        ]

    def settle_sections(self, present: Sequence[Number]) -> None:
        """Divide a round robin into sections, once, when it is first paired."""
        if self.sections or self.rules.format != ROUND_ROBIN:
            return
        lots = self.lots.get(0, ())
        place = lot_places(lots)
        drawn = [number for number in present if number in place]
        order = drawn if self.rules.section_by == "rating" else sorted(drawn, key=place.__getitem__)
        self.sections = order_sections(cut_sections(order, self.rules.section_size or max(1, len(order))), lots)

    @property
    def robin_rounds(self) -> int:
        """Return the number of rounds of a round robin whose sections are settled."""
        return max((count_rounds(len(section.entrants), self.rules.cycles) for section in self.sections), default=0)

    def _robin_round(self, number: int) -> tuple[Pairing, ...]:
        rounds = pair_round_robin(self.sections, self.rules.cycles)
        pairings = rounds[number - 1].pairings if number <= len(rounds) else ()
        # A stage without `sections` is one section inside, but its lines name none.
        return pairings if self.rules.section_size else tuple(Pairing(pairing.seats) for pairing in pairings)

    def seat_challenge(self, people: Sequence[Number]) -> tuple[Number, ...]:
        """Return the seating of a ladder match. It follows the same rule as pods."""
        place = lot_places(self.lots.get(0, ()), self.entrants)
        return seat_table(people, price_seats(count_seats(self.played(), people)), place)

    def ladder_order(self, strengths: Mapping[Number, Strength], withdrawn: Iterable[Number]) -> tuple[Number, ...]:
        """Return the current ladder without those who have withdrawn."""
        gone = frozenset(withdrawn)
        *_, (_, order) = self.follow_ladder(strengths)
        return tuple(number for number in order if number not in gone)

    def follow_ladder(
        self, strengths: Mapping[Number, Strength]
    ) -> Iterator[tuple[LadderEvent | None, tuple[Number, ...]]]:
        """Yield the first order of the ladder, then each event with the order after it. Withdrawn entrants stay in."""
        lots = self.lots.get(0, ())
        order = ladder.first_order([(number, strengths.get(number, (0, 0))) for number in lots], lots)
        yield None, order
        for event in self.ladder:
            if isinstance(event, tuple):
                number, pair = event
                if pair.id in self.rounds[number].void:
                    continue
                order = ladder.apply_result(order, Pairing(pair.seats, self.rounds[number].results[pair.id]))
            else:
                # A player who comes back after leaving starts at the bottom, as newcomers do.
                order = ladder.put_last(order, event)
            yield event, order

    def members(self) -> tuple[tuple[Number, ...], ...]:
        """Return the entrants by section, or all of them if there are no sections."""
        if self.sections:
            return tuple(tuple(sorted(section.entrants)) for section in self.sections)
        return (tuple(sorted(self.entrants)),)

    def rank_sections(self, withdrawn: Iterable[Number]) -> tuple[Ranking, ...]:
        """Return the standings of each section after all rounds played."""
        played, lots = self.played(), self._next_lots
        gone = cancelled_entrants(played, withdrawn) if self.rules.cancels else frozenset[Number]()
        return tuple(
            rank_entrants(self.rules.scoring, played, members, self.rules.ties, lots=lots, cancelled=gone)
            for members in self.members()
        )

    def rank_places(self, departures: Sequence[Number]) -> tuple[tuple[int, Number], ...]:
        """Return the places of a knockout or double elimination; see `knockout.rank_knockout`."""
        return knockout_format.rank_knockout(self.played(), self.entrants, self._knockout_rules, departures)

    def take_qualifiers(self, source: StageSource, withdrawn: frozenset[Number]) -> tuple[Number, ...]:
        """Return the entrants whom another stage takes from this one, by seed."""
        if source.advance:
            last = next(reversed(self.played()), StageRound(0, ()))
            return take_advancers(last, self.entrants, source.advance, withdrawn)
        lots = self._next_lots
        if self.rules.format in {KNOCKOUT, DOUBLE}:
            place = lot_places(lots)
            ranked = self.rank_places(tuple(withdrawn))
            orders = [
                tuple(number for _, number in sorted(ranked, key=lambda one: (one[0], place.get(one[1], len(place)))))
            ]
        else:
            orders = [order_standings(ranking.standings, lots) for ranking in self.rank_sections(withdrawn)]
        return take_places(orders, source.first, source.last, each_section=source.each_section, withdrawn=withdrawn)


def order_standings(standings: Iterable[Standing], lots: Sequence[Number]) -> tuple[Number, ...]:
    """Return the entrants of a ranking, best first. The draw decides shared ranks."""
    place = lot_places(lots)
    ranked = sorted(standings, key=lambda line: (line.rank, place.get(line.number, len(place)), line.number))
    return tuple(line.number for line in ranked)


def take_places(
    sections: Iterable[Sequence[Number]],
    first: int,
    last: int,
    *,
    each_section: bool = False,
    withdrawn: Iterable[Number] = (),
) -> tuple[Number, ...]:
    """Return the entrants in places `first` to `last` of ordered sections, skipping those who withdrew.

    With `each_section` take these places from every section, all firsts before all seconds.
    """
    gone = frozenset(withdrawn)
    orders = [[number for number in order if number not in gone] for order in sections]
    if not each_section:
        return tuple([number for order in orders for number in order][first - 1 : last])
    return tuple(order[place - 1] for place in range(first, last + 1) for order in orders if place <= len(order))


def take_advancers(
    last_round: StageRound, seeds: Sequence[Number], advance: int, withdrawn: Iterable[Number] = ()
) -> tuple[Number, ...]:
    """Return the best of each table of a knockout's last round, by seed, skipping those who withdrew."""
    gone = frozenset(withdrawn)
    best = {
        number
        for pairing in last_round.pairings
        for number in knockout_format.decide_table(pairing, seeds, advance).advancing
    }
    return tuple(seed for seed in seeds if seed in best and seed not in gone)
