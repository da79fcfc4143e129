"""The steps of a tournament: closing entry, drawing, numbering, pairing, starting and ending rounds, and the end.

A step is computed from the state outside any transaction and appended if the head has not moved; a second worker loses
and reads again. Matches are made, released and ended by the jobs that a step writes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from service import ids
from service.accounts import vacation
from service.config import Config
from service.db.batches import batched
from service.db.connection import write_transaction
from service.db.models.mail import InboxRow
from service.db.models.matches import MatchRow
from service.db.models.tournaments import RoundRow, StageRow, TournamentRow
from service.jobs import queue
from service.jobs.queue import BULK, Job, NewJob, RetryLater
from service.matches.paired_matches import are_made
from service.matches.seat_results import read_all_seat_results
from service.play.timeouts import has_unrestored_outage
from service.record.seat_endings import AS_IT_STANDS, LAPSED, SeatEnding
from service.timestamps import DAY, MINUTE, now
from service.tournaments import job_payloads
from service.tournaments.documents.document import StagePlan, TournamentDocument, load_document
from service.tournaments.formats import log_lines
from service.tournaments.formats.crosstable import BOT, TWO_SEATS, How, Number, Pairing, SeatResult
from service.tournaments.formats.draw import NO_BEACON, beacon_round, make_draw
from service.tournaments.formats.duplicate import rank_deal
from service.tournaments.formats.log_lines import BOT_PREFIX
from service.tournaments.formats.stage_replay import people_of
from service.tournaments.formats.stage_rules import DUPLICATE, LADDER, ROUND_ROBIN, SAME_DEAL
from service.tournaments.formats.tournament_state import IN, RESERVE, WAITING, TournamentState
from service.tournaments.ratings import ratings
from service.tournaments.rounds import timetable
from service.tournaments.rounds.timetable import ScheduledStep, StepKind
from service.tournaments.tournament_caches import ANNOUNCED, ENTRY
from service.tournaments.tournament_events import write_opening
from service.tournaments.tournament_store import append_lines, load_state

MOST_DUE = 50
STEP_LEASE = 2 * MINUTE
"""How long a job has for its steps before another is written for them."""
MOST_STEPS = 500
"""How many steps one job takes before another goes on."""
MOST_NUMBERS = 500
MOST_JOB_MATCHES = 100
MAKE_BEFORE = timetable.LEAD
"""How long before its start the matches of a round are made."""
PAUSE_AFTER_OUTAGE = MINUTE
UNREAD_WAIT = MATCHES_WAIT = MINUTE
ROUND_COLUMNS = ("state", "starts_at", "ends_at", "started_at", "over_at", "repeats")
OVER = MatchRow.status == "over"
FILLING_BOT = f"{BOT_PREFIX}steady"
"""Who sits where a table must be full and people are missing."""
TOO_FEW = log_lines.CancelRuling(why="too-few")
"""The line by which the house cancels a tournament that too few entered."""


class _NotYet(Exception):
    """A step that waits for something else than time: matches to be made, results, a value of the beacon."""


def take_due_steps(_config: Config) -> None:
    """Write a job for every tournament in which something is due; a periodic task."""
    due = TournamentRow.next_at <= now()
    found = TournamentRow.select(TournamentRow.id, TournamentRow.next_at).where(due)
    for row in list(found.order_by(TournamentRow.next_at).limit(MOST_DUE)):
        with write_transaction():
            # Due again after a while: whatever becomes of the job, the step is not forgotten.
            same = (TournamentRow.id == row.id) & (TournamentRow.next_at == row.next_at)
            if TournamentRow.update(next_at=now() + STEP_LEASE).where(same).execute():
                queue.add(job_payloads.RunSteps(tournament=row.id), f"tournament-step:{row.id}:{ids.new_id()}")


def run_step_job(job: Job[job_payloads.RunSteps], config: Config) -> None:
    """The job of a tournament in which something is due: step by step until it waits; safe to repeat."""
    if has_unrestored_outage(now()):
        raise RetryLater(now() + PAUSE_AFTER_OUTAGE, "lost time has not been given back yet")
    tournament = job.payload.tournament
    for _ in range(MOST_STEPS):
        if not step_tournament(tournament, config):
            return
    wake_tournament(tournament, now())


def step_tournament(tournament: str, config: Config) -> bool:
    """Do the next step that is due; whether there may be another at once."""
    row, state = TournamentRow.get_by_id(tournament), load_state(tournament)
    if row.head_seq != state.seq:
        return True
    document, at = load_document(state.documents[state.document]), now()
    if row.state == ANNOUNCED and (document.entry.opens or 0) <= at:
        opened = (TournamentRow.id == tournament) & (TournamentRow.state == ANNOUNCED)
        if TournamentRow.update(state=ENTRY).where(opened).execute():
            write_opening(row)
    steps = timetable.list_steps(state, document)
    waits = []
    for step in sorted(steps, key=lambda each: each.due):
        if step.due > at:
            waits.append(step.due)
            continue
        try:
            if _STEPS[step.kind](StepContext(row, state, document, config, at), step):
                return True
        except _NotYet as later:
            waits += later.args
    if document.entry.opens is not None and document.entry.opens > at:
        waits.append(document.entry.opens)
    same = (TournamentRow.id == tournament) & (TournamentRow.head_seq == state.seq) & _same_time(row.next_at)
    changed = TournamentRow.update(next_at=min(waits, default=None)).where(same).execute()
    return not changed


def _same_time(next_at: int | None) -> Any:  # noqa: ANN401  # a condition of peewee
    """Whether nobody asked for a step since the row was read."""
    return TournamentRow.next_at.is_null() if next_at is None else TournamentRow.next_at == next_at


def wake_tournament(tournament: str, at: int) -> None:
    """Let the next step be looked for now, inside a transaction or outside."""
    later = TournamentRow.next_at.is_null() | (TournamentRow.next_at > at)
    TournamentRow.update(next_at=at).where((TournamentRow.id == tournament) & later).execute()


class StepContext:
    """What a step is computed from, and how it is written."""

    def __init__(
        self, row: TournamentRow, state: TournamentState, document: TournamentDocument, config: Config, at: int
    ) -> None:
        self.row = row
        self.state = state
        self.document = document
        self.config = config
        self.at = at
        self.plans = {plan.rules.name: plan for plan in document.stages}

    def append(self, lines: Sequence[log_lines.Line], jobs: Iterable[NewJob] = ()) -> bool:
        """Append lines with the jobs that follow from them; where the head has moved, nothing is written.

        True in both cases: there may be another step at once.
        """
        written = list(jobs)

        def also(row: TournamentRow, state: TournamentState) -> None:
            write_rounds(row, state, self.document)
            row.next_at = self.at + STEP_LEASE
            for start in range(0, len(written), MOST_JOB_MATCHES):
                queue.add_all(written[start : start + MOST_JOB_MATCHES])

        append_lines(self.row.id, self.state.seq, lines, self.at, also)
        return True


def write_rounds(row: TournamentRow, state: TournamentState, document: TournamentDocument) -> None:
    """Write the caches of rounds and stages that follow from a state and a document, inside a transaction."""
    known = {(each.stage, each.number): each for each in RoundRow.select().where(RoundRow.tournament == row.id)}
    for plan in timetable.plan_rounds(state, document):
        columns = {name: getattr(plan, name) for name in ROUND_COLUMNS}
        stored = known.pop((plan.stage, plan.number), None)
        if stored is None:
            RoundRow.create(tournament=row.id, stage=plan.stage, number=plan.number, **columns)
        elif any(getattr(stored, name) != value for name, value in columns.items()):
            mine = (RoundRow.tournament == row.id) & (RoundRow.stage == plan.stage) & (RoundRow.number == plan.number)
            RoundRow.update(**columns).where(mine).execute()
    for stage, number in known:
        mine = (RoundRow.tournament == row.id) & (RoundRow.stage == stage) & (RoundRow.number == number)
        RoundRow.delete().where(mine).execute()
    _write_stages(row, state, document)


def _write_stages(row: TournamentRow, state: TournamentState, document: TournamentDocument) -> None:
    known = {each.place: each for each in StageRow.select().where(StageRow.tournament == row.id)}
    for place, plan in enumerate(document.stages, 1):
        name = plan.rules.name
        columns = {"name": name, "format": plan.rules.format}
        columns["state"] = timetable.find_stage_state(state, document, name)
        stored = known.pop(place, None)
        if stored is None:
            StageRow.create(tournament=row.id, place=place, standings="", standings_seq=0, **columns)
        elif any(getattr(stored, key) != value for key, value in columns.items()):
            StageRow.update(**columns).where((StageRow.tournament == row.id) & (StageRow.place == place)).execute()
    for place in known:
        StageRow.delete().where((StageRow.tournament == row.id) & (StageRow.place == place)).execute()


def _close_entry(step: StepContext, due: ScheduledStep) -> bool:
    """Close entry; with too few entrants the tournament is cancelled and everybody told."""
    if has_unread_letters(due.due):
        raise _NotYet(step.at + UNREAD_WAIT)
    if step.document.entry.closes_with_end or len(step.state.inside) >= step.document.entry.least:
        return step.append([log_lines.CloseLine()])
    return step.append([log_lines.CloseLine(), TOO_FEW], cancellation_letters(step.row.id, step.state))


def has_unread_letters(due: int) -> bool:
    """Whether a letter from before lies unread that may be somebody's entering; nobody waits for it over a day."""
    unread = InboxRow.read_at.is_null() & (InboxRow.received <= due) & (InboxRow.received > due - DAY)
    return bool(InboxRow.select().where(unread & InboxRow.match.is_null()).exists())


def cancellation_letters(tournament: str, state: TournamentState) -> list[NewJob]:
    """The letters to everybody who is in or waits that a tournament does not take place."""
    told = [each.player for each in state.entrants.values() if each.status in {IN, WAITING, RESERVE}]
    return [
        _bulk_letter(job_payloads.TournamentCancelledLetter(tournament=tournament, player=player))
        for player in sorted(told)
    ]


def _bulk_letter(letter: job_payloads.TournamentLetter, *about: object) -> NewJob:
    key = ":".join([letter.kind, letter.tournament, *map(str, about), letter.player])
    return NewJob(letter, key, rank=BULK)


def list_round_letters(tournament: str, players: Sequence[str], stage: str, number: int) -> list[NewJob]:
    """The letters to everybody who has a table in a round that begins."""
    return [
        _bulk_letter(
            job_payloads.RoundLetter(tournament=tournament, player=player, stage=stage, round=number), stage, number
        )
        for player in players
    ]


def _make_draw(step: StepContext, due: ScheduledStep) -> bool:
    value = NO_BEACON
    if step.state.header.beacon != "none":
        known = find_beacon_value(step.state)
        if known is None:
            _ask_beacon(step)
        else:
            value = known
    return step.append([make_draw(bytes.fromhex(step.row.seed), step.state.draws + 1, due.round, value)])


def find_beacon_value(state: TournamentState) -> str | None:
    """The value of the beacon that the next draw takes, if an earlier draw took the same."""
    wanted = f"{state.header.beacon}:{beacon_round(state.due or 0)}:"
    return next((value for value in state.beacon_values.values() if value.startswith(wanted)), None)


def _ask_beacon(step: StepContext) -> None:
    """Let the worker fetch the value; the draw is made when it comes."""
    number = beacon_round(step.state.due or 0)
    with write_transaction():
        queue.add(
            job_payloads.FetchBeacon(tournament=step.row.id, round=number), f"tournament-beacon:{step.row.id}:{number}"
        )
    raise _NotYet


def take_beacon_value(tournament: str, number: int, randomness: str, config: Config) -> None:
    """Make the draw that waits for this round of the beacon; the first value stays, and none is taken unasked."""
    for _ in range(MOST_STEPS):
        row, state = TournamentRow.get_by_id(tournament), load_state(tournament)
        document = load_document(state.documents[state.document])
        if state.due is None or beacon_round(state.due) != number or find_beacon_value(state) is not None:
            return
        due = [step for step in timetable.list_steps(state, document) if step.kind is StepKind.DRAW]
        if not due:
            return
        step = StepContext(row, state, document, config, now())
        value = f"{state.header.beacon}:{number}:{randomness}"
        step.append([make_draw(bytes.fromhex(row.seed), state.draws + 1, due[0].round, value)])


def _give_numbers(step: StepContext, _due: ScheduledStep) -> bool:
    """Give the next numbers, by rating at the closing and then by the draw; whoever has no rating comes last."""
    players = timetable.Timetable(step.state, step.document).unnumbered_players()
    rated = [player for player in players if player in (step.state.at_close or ())]
    known = {} if step.state.first_stage.rules.format == SAME_DEAL else _ratings_at_closing(step, rated)
    ranked = sorted(players, key=lambda player: -known.get(player, -1))[:MOST_NUMBERS]
    first = len(step.state.holders) + 1
    numbers = enumerate(ranked, first)
    return step.append([log_lines.NumberLine(player, number, known.get(player)) for number, player in numbers])


def _ratings_at_closing(step: StepContext, players: Sequence[str]) -> dict[str, int]:
    """The ratings by which numbers are given; where they cut sections, the highest of a year."""
    rules, at = step.state.first_stage.rules, step.state.closed_at or step.at
    if rules.section_size and rules.section_by == "rating":
        return ratings.find_peaks(step.row.game, players, at)
    return {player: skill.rating for player, skill in ratings.find_skills(step.row.game, players, at).items()}


def _pair_round(step: StepContext, due: ScheduledStep) -> bool:
    state, plan = step.state, step.plans[due.stage]
    lines: list[log_lines.Line] = []
    for seats, section, pairing in _list_tables(state, plan, due.number):
        pair = log_lines.PairLine(ids.new_id(), due.round, section, seats)
        lines.append(pair)
        results = _results_without_play(state, plan, pairing)
        if results:
            lines.append(log_lines.ResultLine(pair.match, results))
    starts_at = timetable.Timetable(state, step.document).start_of(plan, due.number) or step.at
    make_at = max(step.at, starts_at - MAKE_BEFORE)
    return step.append(lines, make_match_jobs(step.row.id, due.stage, due.number, 1, len(lines), make_at))


def _replay_tables(step: StepContext, due: ScheduledStep) -> bool:
    """Let tied tables of a knockout play once more, with the same seats and a new deal."""
    stage = step.state.stages[due.stage]
    tied = stage.list_replays(due.number, step.state.gone)
    first = len(stage.round(due.number).pairs) + 1
    lines = [
        log_lines.PairLine(ids.new_id(), due.round, 0, tuple(step.state.holders[number] for number in pair.seats))
        for pair in tied
    ]
    last = first + len(lines) - 1
    return step.append(lines, make_match_jobs(step.row.id, due.stage, due.number, first, last, step.at))


def _list_tables(
    state: TournamentState, plan: StagePlan, number: int
) -> Iterator[tuple[tuple[str, ...], int, Pairing | None]]:
    """The tables of a round: who sits where, the section, and the pairing where the format makes one."""
    if plan.rules.format == SAME_DEAL:
        for one in state.stages[plan.rules.name].entrants:
            if state.is_in(one):
                yield same_deal_seats(plan, state.holders[one]), 0, None
        return
    for pairing in state.pair_round(plan.rules.name, number) or ():
        yield tuple(name_seat(state, one) for one in pairing.seats), pairing.section, pairing


def name_seat(state: TournamentState, number: Number) -> str:
    """Who sits at a seat as the log writes it; where people are missing, a bot does."""
    return FILLING_BOT if number == BOT else state.holders[number]


def same_deal_seats(plan: StagePlan, player: str) -> tuple[str, ...]:
    """Return who sits where when a player plays the deal of all: bots at their seats, the player at the own one."""
    free = [seat for seat in range(plan.rules.seats) if seat not in plan.bots]
    own = plan.seat if plan.seat is not None else free[0]
    return tuple(player if seat == own else f"{BOT_PREFIX}{plan.bots[seat]}" for seat in range(plan.rules.seats))


def _results_without_play(state: TournamentState, plan: StagePlan, pairing: Pairing | None) -> tuple[SeatResult, ...]:
    """Return the results of a pair of a round robin of whom somebody has left: they forfeit, and no match is made."""
    if pairing is None or plan.rules.format != ROUND_ROBIN or len(pairing.seats) != TWO_SEATS:
        return ()
    here = [state.is_in(number) for number in pairing.seats]
    if all(here):
        return ()
    return tuple(
        SeatResult(1 if is_in or not any(here) else 2, 0, How.PLAYED if is_in else How.FORFEIT) for is_in in here
    )


def make_match_jobs(tournament: str, stage: str, number: int, first: int, last: int, due_at: int) -> list[NewJob]:
    """The jobs that make the matches of some pairings of a round, by their places, a hundred each."""
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


def _start_round(step: StepContext, due: ScheduledStep) -> bool:
    """Start a round whose matches are all there, and release them by jobs; everybody in it gets a letter."""
    each, plan = step.state.stages[due.stage].round(due.number), step.plans[due.stage]
    matches = [pair.id for pair in each.unfinished(solo=plan.rules.format == SAME_DEAL)]
    if not are_made(matches):
        raise _NotYet(step.at + MATCHES_WAIT)
    jobs = [
        NewJob(
            job_payloads.StartMatches(tournament=step.row.id, stage=due.stage, round=due.number, matches=tuple(part)),
            f"tournament-start:{step.row.id}:{due.round}:{place * MOST_JOB_MATCHES}",
        )
        for place, part in enumerate(batched(matches, MOST_JOB_MATCHES))
    ]
    if not plan.start.all_at_once or due.number == 1:
        people = {number for pair in each.valid for number in people_of(pair.seats)}
        if plan.format == LADDER:
            people = set(step.state.stages[due.stage].entrants)
        told = sorted(step.state.holders[number] for number in people if step.state.is_in(number))
        jobs += list_round_letters(step.row.id, told, due.stage, due.number)
    return step.append([log_lines.StartLine(due.round)], jobs)


def _finish_round(step: StepContext, due: ScheduledStep) -> bool:
    """Let the house end the matches of a round whose time is over, by jobs; the log goes on with their results."""
    plan = step.plans[due.stage]
    each = step.state.stages[due.stage].round(due.number)
    ends_at = timetable.Timetable(step.state, step.document).end_of(plan, each)
    how = LAPSED if plan.format == LADDER else plan.end.then
    if how == timetable.ADJUDICATE and ends_at is not None and due.due > ends_at:
        how = AS_IT_STANDS
    matches = [pair.id for pair in each.unfinished(solo=plan.rules.format == SAME_DEAL)]
    with write_transaction():
        queue.add_all(
            [
                NewJob(
                    job_payloads.EndMatch(tournament=step.row.id, match=match, how=how, at=due.due),
                    f"tournament-end:{match}:{how}:{due.due}",
                )
                for match in matches
            ]
        )
    return False


def _remind_of_end(step: StepContext, due: ScheduledStep) -> bool:
    """Tell who still plays in a round that its end comes, by letters; each once."""
    if step.at >= due.until:
        return False
    plan, each = step.plans[due.stage], step.state.stages[due.stage].round(due.number)
    ends_at = timetable.Timetable(step.state, step.document).end_of(plan, each) or due.until
    days = (ends_at - due.due) // DAY
    people = {number for pair in each.unfinished(solo=plan.format == SAME_DEAL) for number in people_of(pair.seats)}
    then = "lapsed" if plan.format == LADDER else plan.end.then
    letters = [
        # The key has no round: rounds that end together share one letter.
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
    with write_transaction():
        for start in range(0, len(letters), MOST_JOB_MATCHES):
            queue.add_all(letters[start : start + MOST_JOB_MATCHES])
    return False


def _ask_about_leave(step: StepContext, due: ScheduledStep) -> bool:
    """Ask those whose leave covers the start of a round whether they take a bye, by letters; each once."""
    plan, stage = step.plans[due.stage], step.state.stages[due.stage]
    starts_at = timetable.Timetable(step.state, step.document).start_of(plan, due.number)
    if step.at >= due.until or starts_at is None:
        return False
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
    with write_transaction():
        for start in range(0, len(letters), MOST_JOB_MATCHES):
            queue.add_all(letters[start : start + MOST_JOB_MATCHES])
    return False


def _pause_matches(step: StepContext, due: ScheduledStep) -> bool:
    """Stop every clock for a pause of the document, or let them go on after it, by jobs."""
    if due.kind is StepKind.PAUSE and step.at >= due.until:
        return False
    matches = timetable.Timetable(step.state, step.document).running_matches()
    job = job_payloads.PauseMatches if due.kind is StepKind.PAUSE else job_payloads.ResumeMatches
    with write_transaction():
        queue.add_all(
            [
                NewJob(
                    job(matches=tuple(part)),
                    f"{job.topic}:{step.row.id}:{due.due}:{place * MOST_JOB_MATCHES}",
                )
                for place, part in enumerate(batched(matches, MOST_JOB_MATCHES))
            ]
        )
    return False


def _collect_results(step: StepContext, due: ScheduledStep) -> bool:
    """Write the results of a deal that all have played, together, when the last match is over."""
    each = step.state.stages[due.stage].round(due.number)
    matches = [pair.id for pair in each.unfinished(solo=True)]
    if count_over(matches) < len(matches):
        raise _NotYet
    endings = read_all_seat_results(matches)
    results = [count_endings(endings[match]) for match in matches]
    if step.plans[due.stage].format == DUPLICATE:
        # Places are among all who held the same seat.
        seats = [step.state.where[match][2].seats for match in matches]
        results = rank_deal(list(zip(seats, results, strict=True)))
    lines = map(log_lines.ResultLine, matches, results)
    return step.append([*lines, log_lines.OverLine(due.round)], [_round_over_job(step.row.id, due)])


def count_endings(endings: Iterable[SeatEnding]) -> tuple[SeatResult, ...]:
    """Return the results that the seats of a match count with."""
    return tuple(SeatResult(ending.place, ending.score, How(ending.how)) for ending in endings)


def count_over(matches: Sequence[str]) -> int:
    """How many of these matches are over."""
    return sum(MatchRow.select().where(MatchRow.id.in_(part) & OVER).count() for part in batched(matches))


def _end_round(step: StepContext, due: ScheduledStep) -> bool:
    return step.append([log_lines.OverLine(due.round)], [_round_over_job(step.row.id, due)])


def _round_over_job(tournament: str, due: ScheduledStep) -> NewJob:
    job = job_payloads.CloseRound(tournament=tournament, stage=due.stage, round=due.number)
    return NewJob(job, f"{job.topic}:{tournament}:{due.round}")


def _take_qualifiers(step: StepContext, due: ScheduledStep) -> bool:
    state = step.state
    taken = state.take_qualifiers(due.stage)
    return step.append([log_lines.AdvanceLine(due.stage, tuple(state.holders[number] for number in taken))])


def _end_tournament(step: StepContext, _due: ScheduledStep) -> bool:
    """Open the deals: everything can be recomputed from now on."""
    told = sorted(step.state.number_of) if step.state.cancelled_at is None else []
    letters = [
        _bulk_letter(job_payloads.TournamentOverLetter(tournament=step.row.id, player=player)) for player in told
    ]
    return step.append([log_lines.EndLine(step.row.deals)], letters)


_STEPS: Mapping[StepKind, Callable[[StepContext, ScheduledStep], bool]] = {
    StepKind.CLOSE: _close_entry,
    StepKind.DRAW: _make_draw,
    StepKind.NUMBER: _give_numbers,
    StepKind.PAIR: _pair_round,
    StepKind.START: _start_round,
    StepKind.NOTICE: _remind_of_end,
    StepKind.ASK: _ask_about_leave,
    StepKind.REPLAY: _replay_tables,
    StepKind.FINISH: _finish_round,
    StepKind.COLLECT: _collect_results,
    StepKind.OVER: _end_round,
    StepKind.ADVANCE: _take_qualifiers,
    StepKind.PAUSE: _pause_matches,
    StepKind.RESUME: _pause_matches,
    StepKind.END: _end_tournament,
}
"""Who does each kind of step; whether there may be another at once."""
