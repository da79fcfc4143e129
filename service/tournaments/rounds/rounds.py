"""The steps of a tournament: closing entry, drawing, numbering, pairing, starting and ending rounds, and the end.

A step is computed from a loaded state outside any transaction, since pairing a large round takes seconds, and appended
in one short transaction if the head has not moved. If two workers compute the same step, the second one loses and loads
the tournament again. Matches are made, released and ended by jobs that are queued in the step's transaction.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import cached_property, reduce
from operator import and_

from peewee import Expression

from service import ids
from service.accounts import vacation
from service.config import Config
from service.db.batches import batched
from service.db.connection import DatabaseRow, write_transaction
from service.db.models.mail import InboxRow
from service.db.models.matches import MatchRow
from service.db.models.tournaments import RoundRow, StageRow, TournamentRow
from service.jobs import queue
from service.jobs.payloads import JobPayload
from service.jobs.queue import BULK, Job, NewJob, RetryLater
from service.matches.paired_matches import are_made
from service.matches.seat_results import read_all_seat_results
from service.play.timeouts import has_unrestored_outage
from service.record.seat_endings import AS_IT_STANDS, LAPSED, SeatEnding
from service.timestamps import DAY, MINUTE, now
from service.tournaments import job_payloads
from service.tournaments.documents.document import StagePlan, TournamentDocument
from service.tournaments.formats import log_lines
from service.tournaments.formats.crosstable import BOT, TWO_SEATS, How, Number, Pairing, SeatResult, people_of
from service.tournaments.formats.draw import NO_BEACON, beacon_round, make_draw
from service.tournaments.formats.duplicate import rank_deal
from service.tournaments.formats.log_lines import BOT_PREFIX
from service.tournaments.formats.stage_replay import PairedTable, RoundReplay
from service.tournaments.formats.stage_rules import DUPLICATE, LADDER, ROUND_ROBIN, SAME_DEAL
from service.tournaments.formats.tournament_state import PRESENT, TournamentState
from service.tournaments.ratings import ratings
from service.tournaments.rounds import timetable
from service.tournaments.rounds.timetable import ScheduledStep, StepKind, Timetable
from service.tournaments.tournament_caches import ANNOUNCED, ENTRY, is_of_tournament, list_cached_rows, list_row_columns
from service.tournaments.tournament_events import write_opening
from service.tournaments.tournament_store import LoadedTournament, LogHasGrown, load_state, lock_tournament, write_lines

MOST_DUE = 50
STEP_LEASE = 2 * MINUTE
"""How long a job may work on its steps before the sweep queues another one."""
MOST_STEPS = 500
"""Maximum number of steps in one job. Another job continues."""
MOST_NUMBERS = 500
MOST_JOB_MATCHES = 100
MAKE_BEFORE = timetable.LEAD
"""How long before the start of a round its matches are made."""
PAUSE_AFTER_OUTAGE = MINUTE
UNREAD_WAIT = MATCHES_WAIT = MINUTE
OVER = MatchRow.status == "over"
FILLING_BOT = f"{BOT_PREFIX}steady"
"""Bot for the free seats of a table that must be full."""
TOO_FEW = log_lines.CancelRuling(why="too-few")
"""Line that cancels a tournament with too few entrants."""


class _NotYet(Exception):
    """Raised by a step that waits for more than time: matches to be made, results, a beacon value."""


def take_due_steps(_config: Config) -> None:
    """Queue a job for every tournament in which a step is due. Periodic task."""
    due = TournamentRow.next_at <= now()
    query = TournamentRow.select(TournamentRow.id, TournamentRow.next_at).where(due)
    for row in list(query.order_by(TournamentRow.next_at).limit(MOST_DUE)):
        with write_transaction():
            # A lease, not a cleared due time: if the job is lost, the step becomes due again.
            same = (TournamentRow.id == row.id) & (TournamentRow.next_at == row.next_at)
            if TournamentRow.update(next_at=now() + STEP_LEASE).where(same).execute():
                queue.add(job_payloads.RunSteps(tournament=row.id), f"tournament-step:{row.id}:{ids.new_id()}")


def run_step_job(job: Job[job_payloads.RunSteps], config: Config) -> None:
    """Job: do the due steps of a tournament, one after the other. Safe to repeat."""
    if has_unrestored_outage(now()):
        raise RetryLater(now() + PAUSE_AFTER_OUTAGE, "lost time has not been given back yet")
    tournament = job.payload.tournament
    for _ in range(MOST_STEPS):
        if not step_tournament(tournament, config):
            return
    wake_tournament(tournament, now())


def step_tournament(tournament: str, _config: Config) -> bool:
    """Do the next step that is due. Return True if another may follow at once."""
    step = StepContext.load(tournament)
    row, opens = step.row, step.document.entry.opens
    if row.head_seq != step.state.seq:
        return True
    if row.state == ANNOUNCED and (opens or 0) <= step.at:
        opened = (TournamentRow.id == tournament) & (TournamentRow.state == ANNOUNCED)
        if TournamentRow.update(state=ENTRY).where(opened).execute():
            write_opening(row)
    waits = []
    for due in sorted(step.timetable.steps(), key=lambda scheduled: scheduled.due):
        if due.due > step.at:
            waits.append(due.due)
            continue
        try:
            lines, jobs = _STEPS[due.kind](step, due)
        except _NotYet as later:
            waits += later.args
            continue
        if lines:
            step.append(lines, jobs)
            return True
        with write_transaction():
            queue_jobs(list(jobs))
    if opens is not None and opens > step.at:
        waits.append(opens)
    # Sleep until the next due time, unless the log has grown or somebody has asked for a step since the row was read.
    same_time = TournamentRow.next_at.is_null() if row.next_at is None else TournamentRow.next_at == row.next_at
    same = (TournamentRow.id == tournament) & (TournamentRow.head_seq == step.state.seq) & same_time
    return not TournamentRow.update(next_at=min(waits, default=None)).where(same).execute()


def wake_tournament(tournament: str, at: int) -> None:
    """Make the next step due at `at`, inside or outside a transaction."""
    later = TournamentRow.next_at.is_null() | (TournamentRow.next_at > at)
    TournamentRow.update(next_at=at).where((TournamentRow.id == tournament) & later).execute()


@dataclass(frozen=True)
class StepContext(LoadedTournament):
    """The tournament that a step is computed from."""

    @cached_property
    def timetable(self) -> Timetable:
        """The known times and next steps."""
        return Timetable(self.state, self.document)

    def own_number(self, player: str) -> Number | None:
        """Return the number that a player holds, or None if they have none or were replaced."""
        number = self.state.number_of.get(player)
        return number if number is not None and self.state.holders[number] == player else None

    def round_of(self, due: ScheduledStep) -> RoundReplay:
        """Return the round that a step is about."""
        return self.state.stages[due.stage].round(due.number)

    def open_tables(self, due: ScheduledStep) -> list[PairedTable]:
        """Return the tables without a result of the round that a step is about."""
        return self.round_of(due).unfinished(solo=self.plan_of(due.stage).format == SAME_DEAL)

    def append(self, lines: Sequence[log_lines.Line], jobs: Iterable[NewJob] = ()) -> None:
        """Append lines and queue the jobs that follow from them. If the head has moved, write nothing."""
        with suppress(LogHasGrown), lock_tournament(self.row.id, head=self.state.seq) as row:
            write_lines(row, lines, self.at)
            write_rounds(row, load_state(row.id), self.document)
            # This job does the next step too. If it dies, the sweep takes over when the lease ends.
            row.next_at = self.at + STEP_LEASE
            queue_jobs(list(jobs))


StepEffects = tuple[Sequence[log_lines.Line], Iterable[NewJob]]
"""Lines that a step appends, and jobs that it queues. After a step without lines, others that are due follow."""


def queue_jobs(jobs: Sequence[NewJob]) -> None:
    """Queue any number of jobs, inside a transaction."""
    for part in batched(jobs, MOST_JOB_MATCHES):
        queue.add_all(part)


def split_matches(
    matches: Sequence[str], make: Callable[[tuple[str, ...]], JobPayload], *about: object
) -> list[NewJob]:
    """Return the jobs that `make` makes for any number of matches. `about` makes their keys unique."""
    jobs = [make(tuple(part)) for part in batched(matches, MOST_JOB_MATCHES)]
    return [
        NewJob(job, ":".join(map(str, (job.topic, *about, place * MOST_JOB_MATCHES)))) for place, job in enumerate(jobs)
    ]


Columns = dict[str, str | int | None]


def list_round_columns(tournament: str, table: Timetable) -> list[Columns]:
    """Return the rows of the cache of rounds."""
    return [{"tournament": tournament, **asdict(plan)} for plan in table.rounds()]


def list_stage_columns(tournament: str, table: Timetable) -> list[Columns]:
    """Return the rows of the cache of stages, without standings, which are computed when they are needed."""
    return [
        {
            "tournament": tournament,
            "place": place,
            "name": plan.name,
            "format": plan.format,
            "state": table.stage_state(plan.name),
        }
        for place, plan in enumerate(table.document.stages, 1)
    ]


def write_rounds(row: TournamentRow, state: TournamentState, document: TournamentDocument) -> None:
    """Write the caches that follow from a state and a document, inside a transaction: rounds, stages, the row.

    Changes of the row are saved when its lock ends.
    """
    table = Timetable(state, document)
    for name, value in list_row_columns(row, state).items():
        if getattr(row, name) != value:
            setattr(row, name, value)
    _write_changes(RoundRow, row.id, ("stage", "number"), list_round_columns(row.id, table))
    _write_changes(StageRow, row.id, ("place",), list_stage_columns(row.id, table), standings="", standings_seq=0)


def _write_changes(
    model: type[DatabaseRow], tournament: str, keys: Sequence[str], wanted: Sequence[Columns], **first: str | int
) -> None:
    """Insert, update and delete rows of a tournament until they are the wanted ones; `first` is for new rows only.

    Rows that are right already are not touched: with every step most of them are.
    """
    mine = is_of_tournament(model, tournament)
    stored = {tuple(row[key] for key in keys): row for row in list_cached_rows(model, tournament)}
    for columns in wanted:
        before = stored.pop(tuple(columns[key] for key in keys), None)
        if before is None:
            model.create(**columns, **first)
        elif not columns.items() <= before.items():
            same = _has_values(model, {key: columns[key] for key in keys})
            model.update(**columns).where(mine & same).execute()
    for key in stored:
        model.delete().where(mine & _has_values(model, dict(zip(keys, key, strict=True)))).execute()


def _has_values(model: type[DatabaseRow], values: Columns) -> Expression:
    condition: Expression = reduce(and_, (getattr(model, name) == value for name, value in values.items()))
    return condition


def _close_entry(step: StepContext, due: ScheduledStep) -> StepEffects:
    """Close entry. With too few entrants, cancel the tournament and email everybody."""
    if has_unread_letters(due.due):
        raise _NotYet(step.at + UNREAD_WAIT)
    if step.document.entry.closes_with_end or len(step.state.inside) >= step.document.entry.least:
        return [log_lines.CloseLine()], ()
    return [log_lines.CloseLine(), TOO_FEW], cancellation_letters(step.row.id, step.state)


def has_unread_letters(due: int) -> bool:
    """True if unread mail from before `due`, at most a day old, might be a late entry."""
    unread = InboxRow.read_at.is_null() & (InboxRow.received <= due) & (InboxRow.received > due - DAY)
    return bool(InboxRow.select().where(unread & InboxRow.match.is_null()).exists())


def cancellation_letters(tournament: str, state: TournamentState) -> list[NewJob]:
    """Return the emails about a cancelled tournament to everybody who is in or waiting."""
    return [
        _bulk_letter(job_payloads.TournamentCancelledLetter(tournament=tournament, player=player))
        for player in list_present(state)
    ]


def list_present(state: TournamentState) -> list[str]:
    """Return everybody who is in or waiting, by id."""
    return sorted(entrant.player for entrant in state.entrants.values() if entrant.status in PRESENT)


def _bulk_letter(letter: job_payloads.TournamentLetter, *about: object) -> NewJob:
    key = ":".join([letter.kind, letter.tournament, *map(str, about), letter.player])
    return NewJob(letter, key, rank=BULK)


def list_round_letters(tournament: str, players: Sequence[str], stage: str, number: int) -> list[NewJob]:
    """Return the emails about the start of a round to its players."""
    return [
        _bulk_letter(
            job_payloads.RoundLetter(tournament=tournament, player=player, stage=stage, round=number), stage, number
        )
        for player in players
    ]


def _make_draw(step: StepContext, due: ScheduledStep) -> StepEffects:
    value = NO_BEACON
    if step.state.header.beacon != "none":
        earlier = find_beacon_value(step.state)
        if earlier is None:
            _ask_beacon(step)
        else:
            value = earlier
    return [make_draw(bytes.fromhex(step.row.seed), step.state.draws + 1, due.round, value)], ()


def find_beacon_value(state: TournamentState) -> str | None:
    """Return the beacon value that the next draw needs if an earlier draw used the same one, else None."""
    wanted = f"{state.header.beacon}:{beacon_round(state.due or 0)}:"
    return next((value for value in state.beacon_values.values() if value.startswith(wanted)), None)


def _ask_beacon(step: StepContext) -> None:
    """Queue the job that fetches the beacon value. That job makes the draw."""
    number = beacon_round(step.state.due or 0)
    with write_transaction():
        queue.add(
            job_payloads.FetchBeacon(tournament=step.row.id, round=number), f"tournament-beacon:{step.row.id}:{number}"
        )
    raise _NotYet


def take_beacon_value(tournament: str, number: int, randomness: str, _config: Config) -> None:
    """Make the draw that waits for this beacon round. Ignore a value that no draw waits for."""
    for _ in range(MOST_STEPS):
        step = StepContext.load(tournament)
        state, due = step.state, step.timetable.find_draw()
        if state.due is None or beacon_round(state.due) != number or find_beacon_value(state) is not None:
            return
        if due is None:
            return
        value = f"{state.header.beacon}:{number}:{randomness}"
        step.append([make_draw(bytes.fromhex(step.row.seed), state.draws + 1, due.round, value)])


def _give_numbers(step: StepContext, _due: ScheduledStep) -> StepEffects:
    """Number the next players: seeds by hand, then by their rating when entry closed, then by the draw.

    Unrated players come last.
    """
    players = step.timetable.unnumbered_players()
    rated = [player for player in players if player in (step.state.at_close or ())]
    rating_of = {} if step.state.first_stage.rules.format == SAME_DEAL else _ratings_at_closing(step, rated)
    ranked = sorted(players, key=lambda player: (step.state.seed_place(player), -rating_of.get(player, -1)))
    numbers = enumerate(ranked[:MOST_NUMBERS], len(step.state.holders) + 1)
    return [log_lines.NumberLine(player, number, rating_of.get(player)) for number, player in numbers], ()


def _ratings_at_closing(step: StepContext, players: Sequence[str]) -> dict[str, int]:
    """Return the ratings for numbering. If they divide players into sections, use the peak of the last year."""
    rules, at = step.state.first_stage.rules, step.state.closed_at or step.at
    if rules.section_size and rules.section_by == "rating":
        return ratings.find_peaks(step.row.game, players, at)
    return {player: skill.rating for player, skill in ratings.find_skills(step.row.game, players, at).items()}


def _pair_round(step: StepContext, due: ScheduledStep) -> StepEffects:
    state, plan = step.state, step.plan_of(due.stage)
    lines: list[log_lines.Line] = []
    for seats, section, pairing in _list_tables(state, plan, due.number):
        pair = log_lines.PairLine(ids.new_id(), due.round, section, seats)
        lines.append(pair)
        results = _results_without_play(state, plan, pairing)
        if results:
            lines.append(log_lines.ResultLine(pair.match, results))
    starts_at = step.timetable.start_of(plan, due.number) or step.at
    make_at = max(step.at, starts_at - MAKE_BEFORE)
    return lines, make_match_jobs(step.row.id, due.stage, due.number, 1, len(lines), make_at)


def _pair_next_matches(step: StepContext, due: ScheduledStep) -> StepEffects:
    """Pair the next matches of series, or tied tables of a knockout once more. After the round's end there are none."""
    if due.until and step.at >= due.until:
        return (), ()
    following = step.state.stages[due.stage].list_next_matches(due.number, step.state.gone)
    first = len(step.round_of(due).pairs) + 1
    lines = [
        log_lines.PairLine(ids.new_id(), due.round, 0, tuple(step.state.holders[number] for number in pair.seats))
        for pair in following
    ]
    last = first + len(lines) - 1
    return lines, make_match_jobs(step.row.id, due.stage, due.number, first, last, step.at)


def _list_tables(
    state: TournamentState, plan: StagePlan, number: int
) -> Iterator[tuple[tuple[str, ...], int, Pairing | None]]:
    """Yield the tables of a round: seats, section, and the pairing unless everybody plays the same deal."""
    if plan.rules.format == SAME_DEAL:
        for one in state.stages[plan.rules.name].entrants:
            if state.is_in(one):
                yield same_deal_seats(plan, state.holders[one]), 0, None
        return
    for pairing in state.pair_round(plan.rules.name, number) or ():
        seats = tuple(FILLING_BOT if number == BOT else state.holders[number] for number in pairing.seats)
        yield seats, pairing.section, pairing


def same_deal_seats(plan: StagePlan, player: str) -> tuple[str, ...]:
    """Return the seats of a table at which one player plays the common deal against bots."""
    free = [seat for seat in range(plan.rules.seats) if seat not in plan.bots]
    own = plan.seat if plan.seat is not None else free[0]
    return tuple(player if seat == own else f"{BOT_PREFIX}{plan.bots[seat]}" for seat in range(plan.rules.seats))


def _results_without_play(state: TournamentState, plan: StagePlan, pairing: Pairing | None) -> tuple[SeatResult, ...]:
    """Return forfeits for a round-robin pair of whom somebody has left; empty if the match is played."""
    if pairing is None or plan.rules.format != ROUND_ROBIN or len(pairing.seats) != TWO_SEATS:
        return ()
    here = [state.is_in(number) for number in pairing.seats]
    if all(here):
        return ()
    return tuple(
        SeatResult(1 if is_in or not any(here) else 2, 0, How.PLAYED if is_in else How.FORFEIT) for is_in in here
    )


def make_match_jobs(tournament: str, stage: str, number: int, first: int, last: int, due_at: int) -> list[NewJob]:
    """Return the jobs that make the matches of pairings `first` to `last` of a round."""
    return [
        NewJob(
            job_payloads.MakeMatches(
                tournament=tournament,
                stage=stage,
                round=number,
                first=begin,
                last=min(last, begin + MOST_JOB_MATCHES - 1),
            ),
            f"tournament-matches:{tournament}:{stage}:{number}:{begin}:{due_at}",
            due_at,
        )
        for begin in range(first, last + 1, MOST_JOB_MATCHES)
    ]


def _start_round(step: StepContext, due: ScheduledStep) -> StepEffects:
    """Start a round once all its matches are made. Queue jobs that release them, and emails to the players."""
    plan, matches = step.plan_of(due.stage), [pair.id for pair in step.open_tables(due)]
    if not are_made(matches):
        raise _NotYet(step.at + MATCHES_WAIT)

    def release(part: tuple[str, ...]) -> JobPayload:
        return job_payloads.StartMatches(tournament=step.row.id, stage=due.stage, round=due.number, matches=part)

    jobs = split_matches(matches, release, step.row.id, due.round)
    if not plan.start.all_at_once or due.number == 1:
        people = {number for pair in step.round_of(due).valid for number in people_of(pair.seats)}
        if plan.format == LADDER:
            people = set(step.state.stages[due.stage].entrants)
        recipients = sorted(step.state.holders[number] for number in people if step.state.is_in(number))
        jobs += list_round_letters(step.row.id, recipients, due.stage, due.number)
    return [log_lines.StartLine(due.round)], jobs


def _finish_round(step: StepContext, due: ScheduledStep) -> StepEffects:
    """Queue jobs that end the matches of a round whose time is over. Their results then end the round."""
    plan = step.plan_of(due.stage)
    ends_at = step.timetable.end_of(plan, step.round_of(due))
    how = LAPSED if plan.format == LADDER else plan.end.then
    if how == timetable.ADJUDICATE and ends_at is not None and due.due > ends_at:
        how = AS_IT_STANDS
    jobs = [
        job_payloads.EndMatch(tournament=step.row.id, match=pair.id, how=how, at=due.due)
        for pair in step.open_tables(due)
    ]
    return (), [NewJob(job, f"{job.topic}:{job.match}:{how}:{due.due}") for job in jobs]


def _remind_of_end(step: StepContext, due: ScheduledStep) -> StepEffects:
    """Queue emails about the coming end of a round to everybody who still plays, once each."""
    if step.at >= due.until:
        return (), ()
    plan = step.plan_of(due.stage)
    ends_at = step.timetable.end_of(plan, step.round_of(due)) or due.until
    days = (ends_at - due.due) // DAY
    people = {number for pair in step.open_tables(due) for number in people_of(pair.seats)}
    then = "lapsed" if plan.format == LADDER else plan.end.then
    letters = [
        # The key has the end and not the round: rounds that end at the same time cause one email.
        _bulk_letter(
            job_payloads.EndingLetter(
                tournament=step.row.id,
                player=step.state.holders[number],
                stage=due.stage,
                days=days,
                ends_at=ends_at,
                then=then,
            ),
            *(due.stage, ends_at, days),
        )
        for number in sorted(people)
    ]
    return (), letters


def _ask_about_leave(step: StepContext, due: ScheduledStep) -> StepEffects:
    """Queue emails to players whose leave covers the start of a round: do they want a bye? Once each."""
    plan, stage = step.plan_of(due.stage), step.state.stages[due.stage]
    starts_at = step.timetable.start_of(plan, due.number)
    if step.at >= due.until or starts_at is None:
        return (), ()
    asked = Counter(one for each in stage.rounds.values() for one in each.absent)
    free = [one for one in step.state.present_in(stage, due.number) if asked[one] < plan.bye.most_asked]
    letters = [
        _bulk_letter(
            job_payloads.ByeQuestionLetter(
                tournament=step.row.id,
                player=player,
                stage=due.stage,
                round=due.number,
                starts_at=starts_at,
                until=due.until,
            ),
            *(due.stage, due.number, starts_at),
        )
        for player in vacation.find_absent([step.state.holders[one] for one in free], starts_at)
    ]
    return (), letters


def _pause_matches(step: StepContext, due: ScheduledStep) -> StepEffects:
    """Queue jobs that pause matches for a pause of the document, or resume them after it."""
    if due.kind is StepKind.PAUSE and step.at >= due.until:
        return (), ()
    job = job_payloads.PauseMatches if due.kind is StepKind.PAUSE else job_payloads.ResumeMatches
    return (), split_matches(step.timetable.running_matches(), lambda part: job(matches=part), step.row.id, due.due)


def _collect_results(step: StepContext, due: ScheduledStep) -> StepEffects:
    """Write all results of a common deal together, when the last match is over."""
    tables = step.round_of(due).unfinished(solo=True)
    matches = [pair.id for pair in tables]
    over = sum(MatchRow.select().where(MatchRow.id.in_(part) & OVER).count() for part in batched(matches))
    if over < len(matches):
        raise _NotYet
    endings = read_all_seat_results(matches)
    results = [count_endings(endings[match]) for match in matches]
    if step.plan_of(due.stage).format == DUPLICATE:
        # Places are among all who held the same seat.
        results = rank_deal([(pair.seats, result) for pair, result in zip(tables, results, strict=True)])
    lines = map(log_lines.ResultLine, matches, results)
    return [*lines, log_lines.OverLine(due.round)], [_round_over_job(step.row.id, due)]


def count_endings(endings: Iterable[SeatEnding]) -> tuple[SeatResult, ...]:
    """Return how the seats of a match count in the tournament."""
    return tuple(SeatResult(ending.place, ending.score, How(ending.how)) for ending in endings)


def _end_round(step: StepContext, due: ScheduledStep) -> StepEffects:
    return [log_lines.OverLine(due.round)], [_round_over_job(step.row.id, due)]


def _round_over_job(tournament: str, due: ScheduledStep) -> NewJob:
    job = job_payloads.CloseRound(tournament=tournament, stage=due.stage, round=due.number)
    return NewJob(job, f"{job.topic}:{tournament}:{due.round}")


def _take_qualifiers(step: StepContext, due: ScheduledStep) -> StepEffects:
    state = step.state
    taken = state.take_qualifiers(due.stage)
    return [log_lines.AdvanceLine(due.stage, tuple(state.holders[number] for number in taken))], ()


def _end_tournament(step: StepContext, _due: ScheduledStep) -> StepEffects:
    """Publish the secret of the deals, so that anybody can recompute everything, and email everybody."""
    recipients = sorted(step.state.number_of) if step.state.cancelled_at is None else []
    letters = [
        _bulk_letter(job_payloads.TournamentOverLetter(tournament=step.row.id, player=player)) for player in recipients
    ]
    return [log_lines.EndLine(step.row.deals)], letters


_STEPS: Mapping[StepKind, Callable[[StepContext, ScheduledStep], StepEffects]] = {
    StepKind.CLOSE: _close_entry,
    StepKind.DRAW: _make_draw,
    StepKind.NUMBER: _give_numbers,
    StepKind.PAIR: _pair_round,
    StepKind.START: _start_round,
    StepKind.NOTICE: _remind_of_end,
    StepKind.ASK: _ask_about_leave,
    StepKind.NEXT: _pair_next_matches,
    StepKind.FINISH: _finish_round,
    StepKind.COLLECT: _collect_results,
    StepKind.OVER: _end_round,
    StepKind.ADVANCE: _take_qualifiers,
    StepKind.PAUSE: _pause_matches,
    StepKind.RESUME: _pause_matches,
    StepKind.END: _end_tournament,
}
"""The function for each kind of step."""
