"""The next steps of a tournament and their times, from its state and document alone: no clock, no database.

`Timetable.steps` lists every step that could be next, each with the time at which it is due. `Timetable.rounds` gives
the known times of all rounds. `rounds.py` does the steps.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from functools import cached_property
from typing import Final
from zoneinfo import ZoneInfo

from service.timestamps import DAY, HOUR
from service.tournaments.documents.document import StagePlan, TournamentDocument
from service.tournaments.documents.document_values import in_ms
from service.tournaments.formats import berger
from service.tournaments.formats.draw import QUICKNET_GENESIS, QUICKNET_PERIOD, beacon_round
from service.tournaments.formats.log_lines import RoundName
from service.tournaments.formats.stage_replay import RoundReplay, StageReplay
from service.tournaments.formats.stage_rules import DOUBLE, DUPLICATE, KNOCKOUT, LADDER, ROUND_ROBIN, SAME_DEAL
from service.tournaments.formats.tiebreaks import LOTS
from service.tournaments.formats.tournament_state import TournamentState

LEAD = HOUR
"""How long before its start a round is paired, so that its matches are made in time."""
ADJUDICATION = 7 * DAY
"""Time for an organiser to decide a match whose round has ended."""
ASK_BEFORE = 3 * DAY
"""How long before the pairing players on leave are asked whether they want a bye."""
NOTICE_DAYS = (7, 3, 1)
"""Days before the end of a round on which those who still play are reminded."""
ADJUDICATE: Final = "adjudicate"
AT_ONCE = 0


class StepKind(StrEnum):
    """Kinds of steps."""

    CLOSE = "close"
    DRAW = "draw"
    NUMBER = "number"
    PAIR = "pair"
    START = "start"
    NEXT = "next"
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
    """A step that is due at a time, for one round or the whole tournament."""

    kind: StepKind
    due: int
    stage: str = ""
    number: int = 0
    until: int = 0
    """When it is too late for the step; 0 if never."""

    @property
    def round(self) -> RoundName:
        """The name of the round in the log."""
        return RoundName(self.stage, self.number)


@dataclass(frozen=True, slots=True)
class RoundPlan:
    """The known times of a round, in ms."""

    stage: str
    number: int
    state: str
    starts_at: int | None
    ends_at: int | None
    started_at: int | None
    over_at: int | None
    repeats: int = 0
    """How many pairs of people meet again, once the round is paired."""


def beacon_time(due: int) -> int:
    """Return when the beacon publishes the round that a draw needs which became due at `due`."""
    return QUICKNET_GENESIS + (beacon_round(due) - 1) * QUICKNET_PERIOD


def add_pauses(since: int, until: int, pauses: Iterable[tuple[int, int]]) -> int:
    """Return `until` moved later by the part of each pause that lies between `since` and it."""
    # In order of time: each pause moves `until`, which may bring the next pause into the span.
    for begin, end in sorted(pauses):
        if end > since and begin < until:
            until += end - max(begin, since)
    return until


@dataclass(frozen=True)
class Timetable:
    """Rules that derive the next steps and all times from a state and a document."""

    state: TournamentState
    document: TournamentDocument

    @cached_property
    def plans(self) -> dict[str, StagePlan]:
        """The stages of the document by name."""
        return {plan.name: plan for plan in self.document.stages}

    @cached_property
    def first_start(self) -> datetime | None:
        """The first start that the document fixes, in its zone, or None."""
        starts = [plan.start for plan in self.document.stages]
        first = next((start.first or start.at[0] for start in starts if start.first or start.at), None)
        return None if first is None else datetime.fromtimestamp(first / 1000, ZoneInfo(self.document.zone))

    def steps(self) -> Iterator[ScheduledStep]:
        """Yield every step that could be next. What waits for people is not among them."""
        state = self.state
        if state.deals is not None or state.paused:
            return
        if state.cancelled_at is not None:
            if not self.running_matches():
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

    def find_draw(self) -> ScheduledStep | None:
        """Return the next draw, or None if another step comes first."""
        return next((step for step in self.steps() if step.kind is StepKind.DRAW), None)

    def _pause_steps(self) -> Iterator[ScheduledStep]:
        """Yield the begin and end of each pause in the document, while matches run."""
        if self.running_matches():
            for begin, end in self.document.pauses:
                yield ScheduledStep(StepKind.PAUSE, begin, until=end)
                yield ScheduledStep(StepKind.RESUME, end)

    def closing_time(self) -> int:
        """Return when entry closes in the log. If it is open to the end, that is the first start."""
        closes = self.document.entry.closes
        if closes is None:
            closes = self._planned_start(self.document.stages[0], 1) or self.state.header.created
        return self._move_by_rulings(closes, self.state.times_at)

    def unnumbered_players(self) -> list[str]:
        """Return who was in when entry closed and has no number yet, in the order of the draw."""
        state = self.state
        order = list(state.first_lots) if state.first_lots else sorted(state.at_close or ())
        if state.first_stage.rules.format == LADDER:
            # Players who entered between closing and numbering come after those who were drawn.
            late = [each for each in state.entrants.values() if each.player not in state.first_lots]
            order += [each.player for each in sorted(late, key=lambda each: each.seq)]
        return [player for player in order if player in state.inside and player not in state.number_of]

    def running_matches(self) -> list[str]:
        """Return the matches without a result in rounds that have started."""
        matches = []
        for stage in self.state.stages.values():
            solo = stage.rules.format == SAME_DEAL
            matches += [
                pair.id for each in stage.rounds.values() if each.started for pair in each.unfinished(solo=solo)
            ]
        return matches

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
        """Return True if shared ranks after the last round of a stage still need a draw."""
        stage = self.state.stages[name]
        if stage.rules.one_draw or not stage.last_round or stage.last_round + 1 in stage.lots:
            return False
        return LOTS in stage.rules.ties.ties or for_places is not None

    def stage_state(self, name: str) -> str:
        """Return `planned`, `running` or `over`."""
        if self.is_stage_over(name):
            return "over"
        return "running" if any(each.started for each in self.state.stages[name].rounds.values()) else "planned"

    def is_stage_over(self, name: str) -> bool:
        """Return True if all rounds of a stage are over, or nobody is left to play one."""
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
        """Return True if a round that is not paired yet will be. The rounds before it must be over."""
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
        """Yield the draw and the pairing of a round, and before them the question to players on leave."""
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
        else:
            yield from self._playing_steps(plan, each, number)

    def _playing_steps(self, plan: StagePlan, each: RoundReplay, number: int) -> Iterator[ScheduledStep]:
        """Yield the next matches of series and tied tables, and the end of the round."""
        stage, name, open_ = self.state.stages[plan.rules.name], plan.rules.name, each.unfinished()
        following = stage.list_next_matches(number, self.state.gone)
        ends_at = self.end_of(plan, each) if stage.rules.series else None
        if following and (stage.rules.series or not open_):
            yield ScheduledStep(StepKind.NEXT, AT_ONCE, name, number, until=ends_at or 0)
        if open_:
            yield from self._finishing_steps(plan, each, number)
        elif not following or ends_at is not None:
            # A series that the end of its round finds undecided counts as it stands.
            yield ScheduledStep(StepKind.OVER, ends_at or AT_ONCE if following else AT_ONCE, name, number)

    def _finishing_steps(self, plan: StagePlan, each: RoundReplay, number: int) -> Iterator[ScheduledStep]:
        ends_at = self.end_of(plan, each)
        if ends_at is not None:
            yield from self._notice_steps(plan, each, number, ends_at)
            yield ScheduledStep(StepKind.FINISH, ends_at, plan.rules.name, number)
            if plan.end.then == ADJUDICATE:
                yield ScheduledStep(StepKind.FINISH, ends_at + ADJUDICATION, plan.rules.name, number)

    def _notice_steps(self, plan: StagePlan, each: RoundReplay, number: int, ends_at: int) -> Iterator[ScheduledStep]:
        """Yield the reminders of a round's end that fall into the round. Each is valid until the next one."""
        for days, later in zip(NOTICE_DAYS, (*NOTICE_DAYS[1:], 0), strict=True):
            due = ends_at - days * DAY
            if due > (each.started_at or 0):
                yield ScheduledStep(StepKind.NOTICE, due, plan.rules.name, number, until=ends_at - later * DAY)

    def _ladder_step(self, plan: StagePlan, each: RoundReplay) -> ScheduledStep:
        """Return the next step of a ladder. Its only round starts without pairs; challenges add them."""
        name = plan.rules.name
        if not each.started:
            return ScheduledStep(StepKind.START, self.start_of(plan, 1) or AT_ONCE, name, 1)
        kind = StepKind.FINISH if each.unfinished() else StepKind.OVER
        return ScheduledStep(kind, self.end_of(plan, each) or AT_ONCE, name, 1)

    def _same_deal_steps(self, plan: StagePlan, each: RoundReplay) -> Iterator[ScheduledStep]:
        """Yield the steps of a stage in which everybody plays the same deal."""
        name, start = plan.rules.name, self.start_of(plan, 1) or AT_ONCE
        if each.started:
            yield from self._finishing_steps(plan, each, 1)
            # All results are published together: an early one would reveal something about the deal.
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
        """Return when a round starts, or None while that depends on a round that is not over."""
        planned = self._planned_start(plan, number)
        if planned is None:
            return None
        planned = self._move_by_rulings(planned, self._known_since(plan, number))
        each = self.state.stages[plan.rules.name].rounds.get(number)
        if each is not None and each.paired_at is not None:
            planned = max(planned, each.paired_at + self.document.review)
        return self._after_pauses(planned)

    @staticmethod
    def has_fixed_start(plan: StagePlan, number: int) -> bool:
        """Return True if the document alone gives the start of a round."""
        start = plan.start
        return bool(start.at) or (start.first is not None and (start.all_at_once or number == 1 or start.every > 0))

    def _known_since(self, plan: StagePlan, number: int) -> int:
        """Return when the planned start became known: with the document, or with the end of what came before."""
        return self.state.times_at if self.has_fixed_start(plan, number) else self._over_before(plan, number) or 0

    def _move_by_rulings(self, at: int, since: int) -> int:
        """Return a time that was fixed at `since`, moved by the pauses of rulings that began before it."""
        # Only the part of a pause after `since` counts: whoever fixed a time later has taken the pause into account.
        # A pause that begins exactly at the time moves it too: nothing starts in a pause.
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
        """Return when the round before was over, or for round 1 entry or the source stage; None if not yet."""
        if number > 1:
            each = self.state.stages[plan.rules.name].rounds.get(number - 1)
            return each.over_at if each is not None else None
        if plan.rules.source is None:
            return self.state.closed_at
        source = self.state.stages[plan.rules.source.stage]
        times = [each.over_at for each in source.rounds.values() if each.over_at is not None]
        return max(times) if times and self.is_stage_over(source.rules.name) else None

    def _next_at_hour(self, at: int) -> int:
        """Return the first time at or after `at` with the hour of the first start, in the document's zone."""
        if self.first_start is None:
            return at
        zone = ZoneInfo(self.document.zone)
        day = datetime.fromtimestamp(at / 1000, zone).date()
        while True:
            # Local hour and date are combined for each day: adding 24 hours would be wrong when clocks change.
            start = in_ms(datetime.combine(day, self.first_start.time(), zone))
            if start >= at:
                return start
            day += timedelta(days=1)

    def _add_length(self, at: int, length: int) -> int:
        """Return the time `length` after `at`. Whole days keep the hour in the document's zone."""
        if length % DAY:
            return at + length
        # Adding days to a local time keeps the hour when clocks change, which adding milliseconds would not.
        local = datetime.fromtimestamp(at / 1000, ZoneInfo(self.document.zone))
        return in_ms(local + timedelta(milliseconds=length))

    def _after_pauses(self, at: int) -> int:
        for begin, end in sorted(self.document.pauses):
            if begin <= at < end:
                at = end
        return at

    def end_of(self, plan: StagePlan, each: RoundReplay) -> int | None:
        """Return when the time of a running round is over; None if it has no limit. Pauses do not count."""
        if each.extended_to is not None:
            # An extension names the end itself, so pauses of the document are not added to it.
            return self._move_by_rulings(each.extended_to, each.extended_at)
        ends = [] if plan.end.at is None else [self._move_by_rulings(plan.end.at, self.state.times_at)]
        if plan.end.at_most and each.started_at is not None:
            until = add_pauses(each.started_at, each.started_at + plan.end.at_most, self.document.pauses)
            ends.append(self._move_by_rulings(until, each.started_at))
        return min(ends, default=None)

    def rounds(self) -> Iterator[RoundPlan]:
        """Yield every known round with its times."""
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
