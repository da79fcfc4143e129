"""The rounds that a tournament still has to play, as far as its document and its log tell: what a forecast plays."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from math import ceil
from zoneinfo import ZoneInfo

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
    """How many people sit at a full table of a stage; the other seats are bots'."""
    return max(1, plan.rules.seats - len(plan.bots))


@dataclass(frozen=True)
class RoundOutlook:
    """What rounds a tournament still has, when so many people play in it; `made` are answers a seat, by match."""

    state: TournamentState
    document: TournamentDocument
    people: int
    made: Mapping[str, int]

    def list_rounds(self) -> list[PlannedRound]:
        """Every round that is not over, those of later stages included, in the order of the stages."""
        found: list[PlannedRound] = []
        entrants: dict[str, int] = {}
        last: dict[str, str] = {}
        for plan in self.document.stages:
            source = plan.rules.source
            stage = self.state.stages[plan.name]
            entrants[plan.name] = self._count_entrants(plan, entrants)
            follows = "" if source is None else last.get(source.stage, "")
            rounds = list(self._rounds_of(plan, stage, entrants[plan.name], follows))
            found += rounds
            last[plan.name] = rounds[-1].name if rounds else ""
        return found

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
            open_pairs = each.unfinished(solo=solo)
            tables = tuple(
                OpenTable(tuple(self.state.holders[one] for one in people_of(pair.seats)), self.made.get(pair.id, 0))
                for pair in open_pairs
            )
        longest, until = self._find_limits(plan, each)
        return PlannedRound(
            name=str(RoundName(plan.name, number)),
            seats=count_people(plan),
            tables=tables,
            entrants=playing,
            starts_at=each.started_at or self._fixed_start(plan, number),
            gap=max(plan.start.gap, self.document.review),
            minute=self._minute_of_start(),
            follows=follows,
            longest=longest,
            until=until,
            fixed_end=self._fixed_end(plan, each),
        )

    def _find_limits(self, plan: StagePlan, each: RoundReplay) -> tuple[int, int | None]:
        """How long a round may take, and until when: of one that runs the moment is known, more time included."""
        late = ADJUDICATION if plan.end.then == ADJUDICATE else 0
        if each.started:
            ends_at = Timetable(self.state, self.document).end_of(plan, each)
            return 0, None if ends_at is None else ends_at + late
        return plan.end.at_most + late if plan.end.at_most else 0, None if plan.end.at is None else plan.end.at + late

    def _fixed_start(self, plan: StagePlan, number: int) -> int | None:
        table = Timetable(self.state, self.document)
        start = plan.start
        known = bool(start.at) or (start.first is not None and (number == 1 or start.all_at_once or bool(start.every)))
        if known:
            return table.start_of(plan, number)
        if number == 1 and plan.rules.source is None:
            return self.document.entry.closes
        return None

    def _fixed_end(self, plan: StagePlan, each: RoundReplay) -> int | None:
        """When a stage ends for all at once: a ladder, and one deal for all that can be entered to the end."""
        collects = plan.rules.format == SAME_DEAL and self.document.entry.closes_with_end
        if plan.rules.format != LADDER and not collects:
            return None
        begun = each if each.started else RoundReplay(started_at=self._fixed_start(plan, 1))
        return Timetable(self.state, self.document).end_of(plan, begun)

    def _minute_of_start(self) -> int | None:
        """The minute of the day at which rounds begin that have no fixed start: that of the first start of all."""
        starts = [plan.start for plan in self.document.stages]
        first = next((each.first or each.at[0] for each in starts if each.first or each.at), None)
        if first is None:
            return None
        local = datetime.fromtimestamp(first / 1000, ZoneInfo(self.document.zone))
        return local.hour * 60 + local.minute


def _count_qualifiers(source: StageSource, earlier: StagePlan, entrants: int) -> int:
    """How many a stage takes from an earlier one with so many entrants."""
    if source.advance:
        sizes = _field_sizes(earlier, entrants, 0)
        return source.advance * ceil((sizes[-1] if sizes else entrants) / count_people(earlier))
    size = earlier.rules.section_size
    sections = ceil(entrants / size) if source.each_section and size else 1
    return (source.last - source.first + 1) * sections


def _field_sizes(plan: StagePlan, entrants: int, begun: int) -> list[int]:
    """How many play in each round of a stage with so many entrants, at least in those that have begun."""
    rules = plan.rules
    if rules.format in {LADDER, SAME_DEAL}:
        found = [entrants]
    elif rules.format == ROUND_ROBIN:
        sections = ceil(entrants / rules.section_size) if rules.section_size else 1
        size = ceil(entrants / max(1, sections))
        found = [entrants] * ((size + size % 2 - 1) * rules.cycles if size >= TWO_SEATS else 0)
    elif rules.format == KNOCKOUT:
        found = _knockout_sizes(entrants, rules.seats, rules.advance, rules.rounds or MOST_ROUNDS)
    elif rules.format == DOUBLE:
        found = _double_sizes(entrants, reset=rules.reset)
    else:
        found = [entrants] * (rules.rounds or 1)
    return found + [entrants] * (begun - len(found))


def _knockout_sizes(entrants: int, seats: int, advance: int, most: int) -> list[int]:
    found: list[int] = []
    left = entrants
    while left > 1 and len(found) < most:
        found.append(left)
        tables = ceil(left / seats)
        if tables == 1 or tables * advance >= left:
            break
        left = tables * advance
    return found


def _double_sizes(entrants: int, *, reset: bool) -> list[int]:
    """Who is not out yet: with each round half of the winners lose once, and half of those who have are out."""
    winners, losers = entrants, 0
    found: list[int] = []
    while winners + losers > 1 and len(found) < MOST_ROUNDS:
        found.append(winners + losers)
        if winners == 1 and losers == 1:
            return found + [2] * reset
        winners, losers = ceil(winners / 2), winners // 2 + ceil(losers / 2)
    return found


def list_certain_repeats(state: TournamentState, document: TournamentDocument) -> tuple[Message, ...]:
    """What to say of stages in which people must meet again: surely, or where too few enter."""
    found = []
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
        found.append(msg(key, **values, round=first))
    return tuple(found)


def _bound_entrants(state: TournamentState, document: TournamentDocument, plan: StagePlan) -> tuple[int, int]:
    """The fewest and the most who play a stage, as far as is known; where that is open, nobody and nobody."""
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
    """From how many entrants on nobody has to meet again; one more than `most` where even so many have to."""
    rounds = rules.rounds or 0
    # So many always find new tables: there are more of these than seats at each, and more people than anybody meets.
    plenty = rules.seats * (rules.seats + rounds)
    for people in range(min(most, plenty), least - 1, -1):
        if any(count_certain_repeats(rules.format, people, rules.seats, rounds)):
            return people + 1
    return least
