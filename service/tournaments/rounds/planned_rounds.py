"""Rounds that a tournament still has to play, as far as its document and log show: the input of a forecast."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import ceil

from service.i18n.catalogue import Message, msg
from service.tournaments.documents.document import StagePlan, TournamentDocument
from service.tournaments.formats.crosstable import TWO_SEATS, people_of
from service.tournaments.formats.forecast_model import OpenTable, PlannedRound
from service.tournaments.formats.log_lines import RoundName
from service.tournaments.formats.repeat_pairings import count_certain_repeats
from service.tournaments.formats.stage_replay import RoundReplay, StageReplay
from service.tournaments.formats.stage_rules import (
    DOUBLE,
    DUPLICATE,
    KNOCKOUT,
    LADDER,
    MOST_ROUNDS,
    PODS,
    ROUND_ROBIN,
    SAME_DEAL,
    SWISS,
    StageRules,
    StageSource,
)
from service.tournaments.formats.tournament_state import TournamentState
from service.tournaments.rounds.timetable import ADJUDICATE, ADJUDICATION, Timetable


def count_people(plan: StagePlan) -> int:
    """Return how many people sit at a full table of a stage. Bots have the other seats."""
    return max(1, plan.rules.seats - len(plan.bots))


@dataclass(frozen=True)
class RoundOutlook:
    """The rounds still to be played with this number of people. `made` is the number of answers per seat, by match."""

    state: TournamentState
    document: TournamentDocument
    people: int
    made: Mapping[str, int]

    @cached_property
    def timetable(self) -> Timetable:
        """The known times of the tournament."""
        return Timetable(self.state, self.document)

    def list_rounds(self) -> list[PlannedRound]:
        """Return all rounds that are not over, in the order of the stages."""
        planned: list[PlannedRound] = []
        entrants: dict[str, int] = {}
        last: dict[str, str] = {}
        for plan in self.document.stages:
            source = plan.rules.source
            stage = self.state.stages[plan.name]
            entrants[plan.name] = self._count_entrants(plan, entrants)
            follows = "" if source is None else last.get(source.stage, "")
            rounds = list(self._rounds_of(plan, stage, entrants[plan.name], follows))
            planned += rounds
            last[plan.name] = rounds[-1].name if rounds else ""
        return planned

    def _count_entrants(self, plan: StagePlan, known: Mapping[str, int]) -> int:
        source, stage = plan.rules.source, self.state.stages[plan.name]
        if source is None:
            return self.people
        if stage.advanced:
            return sum(self.state.is_in(one) for one in stage.entrants)
        earlier = next(each for each in self.document.stages if each.name == source.stage)
        return min(known[source.stage], _count_qualifiers(source, earlier, known[source.stage]))

    def _rounds_of(self, plan: StagePlan, stage: StageReplay, entrants: int, follows: str) -> Iterator[PlannedRound]:
        fixed = plan.rules.format == ROUND_ROBIN and not plan.start.next_when_over
        for number, playing in enumerate(_field_sizes(plan, entrants, stage.last_round), 1):
            each = stage.rounds.get(number) or RoundReplay()
            if each.over:
                continue
            planned = self._plan_round(plan, each, number, playing, follows)
            yield planned
            if not fixed:
                follows = planned.name

    def _plan_round(self, plan: StagePlan, each: RoundReplay, number: int, playing: int, follows: str) -> PlannedRound:
        solo = plan.rules.format == SAME_DEAL
        tables = None
        if each.valid:
            matches = Counter(frozenset(pair.seats) for pair in each.valid)
            tables = tuple(
                OpenTable(
                    tuple(self.state.holders[one] for one in people_of(pair.seats)),
                    self.made.get(pair.id, 0),
                    played=matches[frozenset(pair.seats)] - 1,
                )
                for pair in each.unfinished(solo=solo)
            )
        longest, until = self._find_limits(plan, each)
        first_start = self.timetable.first_start
        return PlannedRound(
            name=str(RoundName(plan.name, number)),
            seats=count_people(plan),
            tables=tables,
            entrants=playing,
            starts_at=each.started_at or self._fixed_start(plan, number),
            gap=max(plan.start.gap, self.document.review),
            minute=None if first_start is None else first_start.hour * 60 + first_start.minute,
            follows=follows,
            longest=longest,
            until=until,
            fixed_end=self._fixed_end(plan, each),
            best_of=plan.rules.best_of,
        )

    def _find_limits(self, plan: StagePlan, each: RoundReplay) -> tuple[int, int | None]:
        """Return how long a round may take, and its latest end. The end of a running round includes extensions."""
        late = ADJUDICATION if plan.end.then == ADJUDICATE else 0
        if each.started:
            ends_at = self.timetable.end_of(plan, each)
            return 0, None if ends_at is None else ends_at + late
        return plan.end.at_most + late if plan.end.at_most else 0, None if plan.end.at is None else plan.end.at + late

    def _fixed_start(self, plan: StagePlan, number: int) -> int | None:
        if self.timetable.has_fixed_start(plan, number):
            return self.timetable.start_of(plan, number)
        if number == 1 and plan.rules.source is None:
            return self.document.entry.closes
        return None

    def _fixed_end(self, plan: StagePlan, each: RoundReplay) -> int | None:
        """Return when a ladder, or a common deal that is open to the end, ends for everybody; None otherwise."""
        collects = plan.rules.format == SAME_DEAL and self.document.entry.closes_with_end
        if plan.rules.format != LADDER and not collects:
            return None
        begun = each if each.started else RoundReplay(started_at=self._fixed_start(plan, 1))
        return self.timetable.end_of(plan, begun)


def _count_qualifiers(source: StageSource, earlier: StagePlan, entrants: int) -> int:
    """Return how many players a stage takes from an earlier one with this number of entrants."""
    if source.advance:
        sizes = _field_sizes(earlier, entrants, 0)
        return source.advance * ceil((sizes[-1] if sizes else entrants) / count_people(earlier))
    size = earlier.rules.section_size
    sections = ceil(entrants / size) if source.each_section and size else 1
    return (source.last - source.first + 1) * sections


def _field_sizes(plan: StagePlan, entrants: int, begun: int) -> list[int]:
    """Return how many play in each round of a stage. The result covers at least the rounds that have begun."""
    rules = plan.rules
    if rules.format in {LADDER, SAME_DEAL}:
        sizes = [entrants]
    elif rules.format == ROUND_ROBIN:
        sections = ceil(entrants / rules.section_size) if rules.section_size else 1
        size = ceil(entrants / max(1, sections))
        sizes = [entrants] * ((size + size % 2 - 1) * rules.cycles if size >= TWO_SEATS else 0)
    elif rules.format == KNOCKOUT:
        sizes = _knockout_sizes(entrants, rules.seats, rules.advance, rules.rounds or MOST_ROUNDS)
    elif rules.format == DOUBLE:
        sizes = _double_sizes(entrants, reset=rules.reset)
    else:
        sizes = [entrants] * (rules.rounds or 1)
    return sizes + [entrants] * (begun - len(sizes))


def _knockout_sizes(entrants: int, seats: int, advance: int, most: int) -> list[int]:
    sizes: list[int] = []
    left = entrants
    while left > 1 and len(sizes) < most:
        sizes.append(left)
        tables = ceil(left / seats)
        if tables == 1 or tables * advance >= left:
            break
        left = tables * advance
    return sizes


def _double_sizes(entrants: int, *, reset: bool) -> list[int]:
    """Return the field of each round: half of the winners lose once, half of those with one loss are out."""
    winners, losers = entrants, 0
    sizes: list[int] = []
    while winners + losers > 1 and len(sizes) < MOST_ROUNDS:
        sizes.append(winners + losers)
        if winners == 1 and losers == 1:
            return sizes + [2] * reset
        winners, losers = ceil(winners / 2), winners // 2 + ceil(losers / 2)
    return sizes


def list_certain_repeats(state: TournamentState, document: TournamentDocument) -> tuple[Message, ...]:
    """Return warnings about stages in which people must meet again, in any case or with few entrants."""
    warnings = []
    for plan in document.stages:
        rules = plan.rules
        if rules.format not in {SWISS, PODS, DUPLICATE} or rules.rounds is None:
            continue
        least, most = _bound_entrants(state, document, plan)
        enough = _enough_entrants(rules, least, most)
        if enough == least:
            continue
        people = most if enough > most else least
        certain = count_certain_repeats(rules.format, people, rules.seats, rules.rounds)
        values = {"stage": plan.name, "entrants": people, "enough": enough, "count": sum(certain)}
        first = next(number for number, repeats in enumerate(certain, 1) if repeats)
        key = "tournaments.repeats_certain" if enough > most else "tournaments.repeats_if_few"
        warnings.append(msg(key, **values, round=first))
    return tuple(warnings)


def _bound_entrants(state: TournamentState, document: TournamentDocument, plan: StagePlan) -> tuple[int, int]:
    """Return the lowest and the highest possible number of players in a stage, or 0 and 0 if that is unknown."""
    stage, source = state.stages[plan.name], plan.rules.source
    if stage.entrants:
        present = sum(state.is_in(one) for one in stage.entrants)
        return present, present
    if source is None:
        return document.entry.least, document.entry.most
    if source.advance or source.each_section:
        return 0, 0
    places = source.last - source.first + 1
    return places, places


def _enough_entrants(rules: StageRules, least: int, most: int) -> int:
    """Return the number of entrants from which on nobody has to meet again, or `most` + 1 if there is none."""
    rounds = rules.rounds or 0
    # With this many nobody has to meet again: there are more tables than seats at one, and more people than one meets.
    plenty = rules.seats * (rules.seats + rounds)
    for people in range(min(most, plenty), least - 1, -1):
        if any(count_certain_repeats(rules.format, people, rules.seats, rounds)):
            return people + 1
    return least
