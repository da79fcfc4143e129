"""What a tournament does next, and when: from its state and its document alone, without a clock or a database.

`list_steps` gives every step that could be next, each with the time at which it is due; `plan_rounds` gives the times
of all rounds as far as they are known. `rounds` does the steps.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Final
from zoneinfo import ZoneInfo

from service.timestamps import DAY, HOUR
from service.tournaments.documents.document import StagePlan, TournamentDocument
from service.tournaments.formats import berger
from service.tournaments.formats.draw import QUICKNET_GENESIS, QUICKNET_PERIOD, beacon_round
from service.tournaments.formats.log_lines import RoundName
from service.tournaments.formats.stage_replay import RoundReplay, StageReplay
from service.tournaments.formats.stage_rules import DOUBLE, DUPLICATE, KNOCKOUT, LADDER, ROUND_ROBIN, SAME_DEAL
from service.tournaments.formats.tiebreaks import LOTS
from service.tournaments.formats.tournament_state import TournamentState

LEAD = HOUR
"""How long before its start a round is paired, so that its matches are there in time."""
ADJUDICATION = 7 * DAY
"""How long an organiser has for deciding a match whose time is over."""
ASK_BEFORE = 3 * DAY
"""How long before the pairing those on leave are asked whether they take a bye."""
NOTICE_DAYS = (7, 3, 1)
"""How many days before the end of a round those are told who still play."""
ADJUDICATE: Final = "adjudicate"
AT_ONCE = 0


class StepKind(StrEnum):
    """What a step does."""

    CLOSE = "close"
    DRAW = "draw"
    NUMBER = "number"
    PAIR = "pair"
    START = "start"
    REPLAY = "replay"
    COLLECT = "collect"
    NOTICE = "notice"
    ASK = "ask"
    FINISH = "finish"
    OVER = "over"
    ADVANCE = "advance"
    PAUSE = "pause"
    RESUME = "resume"
    END = "end"


@dataclass(frozen=True, slots=True)
class ScheduledStep:
    """Something to do from `due` on, for a round where it concerns one."""

    kind: StepKind
    due: int
    stage: str = ""
    number: int = 0
    until: int = 0
    """When it is too late for it, where that can be."""

    @property
    def round(self) -> RoundName:
        """The round as the log names it."""
        return RoundName(self.stage, self.number)


@dataclass(frozen=True, slots=True)
class RoundPlan:
    """The times of a round as far as they are known, in ms."""

    stage: str
    number: int
    state: str
    starts_at: int | None
    ends_at: int | None
    started_at: int | None
    over_at: int | None
    repeats: int = 0
    """How many pairs of people meet again in it, once it is paired."""


def list_steps(state: TournamentState, document: TournamentDocument) -> list[ScheduledStep]:
    """The steps that could be next; those that wait for people are not among them."""
    return list(Timetable(state, document).steps())


def plan_rounds(state: TournamentState, document: TournamentDocument) -> list[RoundPlan]:
    """Every round that is known, with its times."""
    return list(Timetable(state, document).rounds())


def find_stage_state(state: TournamentState, document: TournamentDocument, name: str) -> str:
    """Whether a stage is `planned`, `running` or `over`."""
    table = Timetable(state, document)
    stage = state.stages[name]
    if table.is_stage_over(name):
        return "over"
    return "running" if any(each.started for each in stage.rounds.values()) else "planned"


def beacon_time(due: int) -> int:
    """When the round of the beacon is out that a draw takes whose line was written then."""
    return QUICKNET_GENESIS + (beacon_round(due) - 1) * QUICKNET_PERIOD


@dataclass(frozen=True)
class Timetable:
    """The rules by which a state and a document give the next steps."""

    state: TournamentState
    document: TournamentDocument

    @property
    def plans(self) -> dict[str, StagePlan]:
        """The stages of the document by name."""
        return {plan.rules.name: plan for plan in self.document.stages}

    def steps(self) -> Iterator[ScheduledStep]:
        """Every step that could be next."""
        state = self.state
        if state.deals is not None or state.paused:
            return
        if state.cancelled_at is not None:
            if not self._has_unfinished_matches():
                yield ScheduledStep(StepKind.END, AT_ONCE)
            return
        if state.closed_at is None:
            yield ScheduledStep(StepKind.CLOSE, self.closing_time())
            return
        first = state.first_stage.rules
        if first.format != SAME_DEAL and not state.first_lots:
            yield self._draw(first.name, 0)
        elif self.unnumbered_players():
            yield ScheduledStep(StepKind.NUMBER, AT_ONCE)
        else:
            yield from self._stage_steps()
            yield from self._pause_steps()

    def _pause_steps(self) -> Iterator[ScheduledStep]:
        """The beginning and the end of the document's pauses, while matches run."""
        if self._has_unfinished_matches():
            for begin, end in self.document.pauses:
                yield ScheduledStep(StepKind.PAUSE, begin, until=end)
                yield ScheduledStep(StepKind.RESUME, end)

    def closing_time(self) -> int:
        """When entry closes in the log: where it stays open to the end, with the first start."""
        closes = self.document.entry.closes
        planned = self._start_of_first_round() if closes is None else closes
        return self._move_by_rulings(planned, self.state.times_at)

    def unnumbered_players(self) -> list[str]:
        """Who was in at the closing and has no number yet, in the order of the draw."""
        state = self.state
        order = list(state.first_lots) if state.first_lots else sorted(state.at_close or ())
        if state.first_stage.rules.format == LADDER:
            # Whoever came between the closing and the numbers stands behind those who were drawn.
            late = [each for each in state.entrants.values() if each.player not in state.first_lots]
            order += [each.player for each in sorted(late, key=lambda each: each.seq)]
        return [player for player in order if player in state.inside and player not in state.number_of]

    def _has_unfinished_matches(self) -> bool:
        return bool(self.running_matches())

    def running_matches(self) -> list[str]:
        """The matches of rounds that have started and are not over."""
        found = []
        for stage in self.state.stages.values():
            solo = stage.rules.format == SAME_DEAL
            found += [pair.id for each in stage.rounds.values() if each.started for pair in each.unfinished(solo=solo)]
        return found

    def _draw(self, stage: str, number: int, earliest: int = AT_ONCE) -> ScheduledStep:
        due = earliest
        if self.state.header.beacon != "none" and self.state.due is not None:
            due = max(due, beacon_time(self.state.due))
        return ScheduledStep(StepKind.DRAW, due, stage, number)

    def _stage_steps(self) -> Iterator[ScheduledStep]:
        waiting = False
        for name, plan in self.plans.items():
            stage = self.state.stages[name]
            if plan.rules.source is not None and not stage.advanced:
                waiting = True
                yield from self._advance_steps(name, plan.rules.source.stage)
            elif not self.is_stage_over(name):
                waiting = True
                yield from self._round_steps(name, plan)
        if waiting:
            return
        undrawn = [name for name in self.plans if self._needs_lots(name)]
        yield (
            self._draw(undrawn[0], self.state.stages[undrawn[0]].last_round + 1)
            if undrawn
            else ScheduledStep(StepKind.END, AT_ONCE)
        )

    def _advance_steps(self, name: str, source: str) -> Iterator[ScheduledStep]:
        if not self.is_stage_over(source):
            return
        if self._needs_lots(source, for_places=self.plans[name].rules.source):
            yield self._draw(source, self.state.stages[source].last_round + 1)
        else:
            yield ScheduledStep(StepKind.ADVANCE, AT_ONCE, name)

    def _needs_lots(self, name: str, for_places: object = None) -> bool:
        """Whether the draw for ranks that are still shared is missing after the last round of a stage."""
        stage = self.state.stages[name]
        if stage.rules.one_draw or not stage.last_round or stage.last_round + 1 in stage.lots:
            return False
        return LOTS in stage.rules.ties.ties or for_places is not None

    def is_stage_over(self, name: str) -> bool:
        """Whether every round of a stage has been played, or nobody is left to play one."""
        stage = self.state.stages[name]
        if self.state.closed_at is None or self.unnumbered_players():
            return False
        if stage.rules.source is not None and not stage.advanced:
            return False
        if stage.rules.format in {SAME_DEAL, LADDER}:
            return 1 in stage.rounds and stage.rounds[1].over
        if any(each.pairs and not each.over for each in stage.rounds.values()):
            return False
        return not self._has_round(stage, stage.last_round + 1)

    def _has_round(self, stage: StageReplay, number: int) -> bool:
        """Whether a round that is not paired yet will be; for the one after the last, once that is over."""
        rules = stage.rules
        if not any(self.state.is_in(one) for one in stage.entrants):
            return False
        if rules.format == SAME_DEAL:
            return number == 1
        if rules.format == ROUND_ROBIN:
            return self._count_robin_rounds(stage) >= number
        if rules.format in {KNOCKOUT, DOUBLE}:
            return bool(self.state.pair_round(rules.name, number))
        return rules.rounds is not None and number <= rules.rounds

    def _count_robin_rounds(self, stage: StageReplay) -> int:
        if not stage.sections:
            stage = stage.copy()
            self.state.settle_round(stage, 1)
        return stage.robin_rounds

    def _round_steps(self, name: str, plan: StagePlan) -> Iterator[ScheduledStep]:
        stage = self.state.stages[name]
        if plan.rules.format == SAME_DEAL:
            yield from self._same_deal_steps(plan, stage.rounds.get(1) or RoundReplay())
            return
        if 0 not in stage.lots:
            yield self._draw(name, 0)
            return
        if plan.rules.format == LADDER:
            yield self._ladder_step(plan, stage.rounds.get(1) or RoundReplay())
            return
        robin = plan.rules.format == ROUND_ROBIN
        number = 0
        while True:
            number += 1
            each = stage.rounds.get(number)
            if each is not None and each.over:
                continue
            if each is None or not each.valid:
                start = self.start_of(plan, number)
                if start is None or not self._has_round(stage, number):
                    return
                yield from self._pairing_steps(plan, stage, number, start)
                if robin:
                    continue
                return
            yield from self._step_of_round(plan, each, number)
            if not robin:
                return

    def _pairing_steps(self, plan: StagePlan, stage: StageReplay, number: int, start: int) -> Iterator[ScheduledStep]:
        """The draw and the pairing of a round, and before them the question to those who are on leave."""
        name, due = plan.rules.name, start - max(self.document.review, LEAD)
        if plan.allows_bye(number):
            yield ScheduledStep(StepKind.ASK, due - ASK_BEFORE, name, number, until=due)
        if stage.lots_for(number) is None:
            yield self._draw(name, number, due)
        else:
            yield ScheduledStep(StepKind.PAIR, due, name, number)

    def _step_of_round(self, plan: StagePlan, each: RoundReplay, number: int) -> Iterator[ScheduledStep]:
        name = plan.rules.name
        if not each.started:
            yield ScheduledStep(StepKind.START, self.start_of(plan, number) or AT_ONCE, name, number)
        elif plan.rules.format == DUPLICATE:
            yield from self._finishing_steps(plan, each, number)
            yield ScheduledStep(StepKind.COLLECT, AT_ONCE, name, number)
        elif not each.unfinished() and self.state.stages[name].list_replays(number, self.state.gone):
            yield ScheduledStep(StepKind.REPLAY, AT_ONCE, name, number)
        elif not each.unfinished():
            yield ScheduledStep(StepKind.OVER, AT_ONCE, name, number)
        else:
            yield from self._finishing_steps(plan, each, number)

    def _finishing_steps(self, plan: StagePlan, each: RoundReplay, number: int) -> Iterator[ScheduledStep]:
        ends_at = self.end_of(plan, each)
        if ends_at is not None:
            yield from self._notice_steps(plan, each, number, ends_at)
            yield ScheduledStep(StepKind.FINISH, ends_at, plan.rules.name, number)
            if plan.end.then == ADJUDICATE:
                yield ScheduledStep(StepKind.FINISH, ends_at + ADJUDICATION, plan.rules.name, number)

    def _notice_steps(self, plan: StagePlan, each: RoundReplay, number: int, ends_at: int) -> Iterator[ScheduledStep]:
        """The notices before the end of a round that has begun before them; each holds until the next."""
        for days, later in zip(NOTICE_DAYS, (*NOTICE_DAYS[1:], 0), strict=True):
            due = ends_at - days * DAY
            if due > (each.started_at or 0):
                yield ScheduledStep(StepKind.NOTICE, due, plan.rules.name, number, until=ends_at - later * DAY)

    def _ladder_step(self, plan: StagePlan, each: RoundReplay) -> ScheduledStep:
        """The next step of a ladder, whose one round starts without pairs: they come with the challenges."""
        name = plan.rules.name
        if not each.started:
            return ScheduledStep(StepKind.START, self.start_of(plan, 1) or AT_ONCE, name, 1)
        kind = StepKind.FINISH if each.unfinished() else StepKind.OVER
        return ScheduledStep(kind, self.end_of(plan, each) or AT_ONCE, name, 1)

    def _same_deal_steps(self, plan: StagePlan, each: RoundReplay) -> Iterator[ScheduledStep]:
        """The steps of a stage in which everybody plays the same deal, begun as soon as somebody is there."""
        name, start = plan.rules.name, self.start_of(plan, 1) or AT_ONCE
        if each.started:
            yield from self._finishing_steps(plan, each, 1)
            # The results come together: nobody shall learn from another's what is in the deal.
            ends_at = self.end_of(plan, each) if self.document.entry.closes_with_end else None
            yield ScheduledStep(StepKind.COLLECT, ends_at or AT_ONCE, name, 1)
        elif each.valid:
            yield ScheduledStep(StepKind.START, start, name, 1)
        elif self._has_round(self.state.stages[name], 1):
            yield ScheduledStep(StepKind.PAIR, start - LEAD, name, 1)
        else:
            ends_at = self.end_of(plan, RoundReplay(started_at=start))
            yield ScheduledStep(StepKind.OVER, start if ends_at is None else ends_at, name, 1)

    def start_of(self, plan: StagePlan, number: int) -> int | None:
        """When a round starts; nothing while that depends on one that is not over."""
        planned = self._planned_start(plan, number)
        if planned is None:
            return None
        planned = self._move_by_rulings(planned, self._known_since(plan, number))
        each = self.state.stages[plan.rules.name].rounds.get(number)
        if each is not None and each.paired_at is not None:
            planned = max(planned, each.paired_at + self.document.review)
        return self._after_pauses(planned)

    def _known_since(self, plan: StagePlan, number: int) -> int:
        """When the planned start of a round was fixed: by the document, or by the end of what it follows."""
        start = plan.start
        if start.at or (start.first is not None and (start.all_at_once or number == 1 or start.every)):
            return self.state.times_at
        return self._over_before(plan, number) or 0

    def _move_by_rulings(self, at: int, since: int) -> int:
        """A time that was fixed at `since`, moved by every pause of a ruling that came before it."""
        for begin, end in self.state.pauses:
            if end > since and begin <= at:
                at += end - max(begin, since)
        return at

    def _planned_start(self, plan: StagePlan, number: int) -> int | None:
        start = plan.start
        if start.at:
            return start.at[min(number, len(start.at)) - 1]
        if start.first is not None and (start.all_at_once or number == 1):
            return start.first
        if start.first is not None and start.every:
            return self._add_length(start.first, start.every * (number - 1))
        before = self._over_before(plan, number)
        return None if before is None else self._next_at_hour(before + start.gap)

    def _over_before(self, plan: StagePlan, number: int) -> int | None:
        """When that was over which a round follows: the one before, or the stage whose qualifiers it takes."""
        if number > 1:
            each = self.state.stages[plan.rules.name].rounds.get(number - 1)
            return each.over_at if each is not None else None
        if plan.rules.source is None:
            return self.state.closed_at
        source = self.state.stages[plan.rules.source.stage]
        times = [each.over_at for each in source.rounds.values() if each.over_at is not None]
        return max(times) if times and self.is_stage_over(source.rules.name) else None

    def _start_of_first_round(self) -> int:
        plan = self.document.stages[0]
        return self._planned_start(plan, 1) or self.state.header.created

    def _next_at_hour(self, at: int) -> int:
        """The next time at or after this one that has the hour of the first start, in the zone of the document."""
        starts = [plan.start for plan in self.document.stages]
        first = next((each.first or each.at[0] for each in starts if each.first or each.at), None)
        if first is None:
            return at
        zone = ZoneInfo(self.document.zone)
        hour = datetime.fromtimestamp(first / 1000, zone).time()
        day = datetime.fromtimestamp(at / 1000, zone).date()
        while True:
            found = datetime.combine(day, hour, zone)
            if _in_ms(found) >= at:
                return _in_ms(found)
            day += timedelta(days=1)

    def _add_length(self, at: int, length: int) -> int:
        """So long after a time; whole days keep the hour in the zone of the document."""
        if length % DAY:
            return at + length
        local = datetime.fromtimestamp(at / 1000, ZoneInfo(self.document.zone))
        return _in_ms(local + timedelta(milliseconds=length))

    def _after_pauses(self, at: int) -> int:
        for begin, end in sorted(self.document.pauses):
            if begin <= at < end:
                at = end
        return at

    def end_of(self, plan: StagePlan, each: RoundReplay) -> int | None:
        """When the time of a running round is over; a pause within it does not count."""
        if each.extended_to is not None:
            return self._move_by_rulings(each.extended_to, each.extended_at)
        ends = [] if plan.end.at is None else [self._move_by_rulings(plan.end.at, self.state.times_at)]
        if plan.end.at_most and each.started_at is not None:
            until = each.started_at + plan.end.at_most
            for begin, end in sorted(self.document.pauses):
                if end > each.started_at and begin < until:
                    until += end - max(begin, each.started_at)
            ends.append(self._move_by_rulings(until, each.started_at))
        return min(ends, default=None)

    def rounds(self) -> Iterator[RoundPlan]:
        """Every round that is known, with its times."""
        for name, plan in self.plans.items():
            stage = self.state.stages[name]
            repeats = stage.count_repeats()
            for number in range(1, max(self._count_known_rounds(plan, stage), stage.last_round) + 1):
                each = stage.rounds.get(number) or RoundReplay()
                yield RoundPlan(
                    name,
                    number,
                    _round_state(each),
                    self.start_of(plan, number),
                    self.end_of(plan, each),
                    each.started_at,
                    each.over_at,
                    repeats.get(number, 0),
                )

    def _count_known_rounds(self, plan: StagePlan, stage: StageReplay) -> int:
        rules = plan.rules
        if rules.format == SAME_DEAL:
            return 1
        if rules.format == ROUND_ROBIN:
            if stage.entrants and stage.lots.get(0) is not None:
                return self._count_robin_rounds(stage)
            if rules.source:
                return 0
            return berger.count_certain_rounds(self.document.entry.least, rules.section_size, rules.cycles)
        return rules.rounds or 1


def _round_state(each: RoundReplay) -> str:
    if each.over:
        return "over"
    if each.started:
        return "running"
    return "paired" if each.valid else "planned"


def _in_ms(when: datetime) -> int:
    return (when.astimezone(UTC) - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(milliseconds=1)
