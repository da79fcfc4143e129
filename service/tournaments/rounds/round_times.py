"""Start times of rounds as people see them: never a time that has passed.

The cache of rounds holds what document and log say. A fixed start still waits for the results of the round before, so
the start of a late round moves with that round's end, and is unknown while that end is unknown.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from service.db.models.tournaments import RoundRow, TournamentRow
from service.tournaments.documents.document import StagePlan, TournamentDocument
from service.tournaments.formats.stage_rules import DOUBLE, KNOCKOUT, ROUND_ROBIN
from service.tournaments.rounds.timetable import ADJUDICATE, ADJUDICATION
from service.tournaments.tournament_caches import ENDED, OVER, document_of

RoundKey = tuple[str, int]


def find_rounds(tournaments: Sequence[TournamentRow]) -> dict[str, list[RoundRow]]:
    """Return the cached rounds of these tournaments by tournament, with one query."""
    rounds: dict[str, list[RoundRow]] = {row.id: [] for row in tournaments}
    for each in RoundRow.select().where(RoundRow.tournament.in_(list(rounds))):
        rounds[each.tournament].append(each)
    return rounds


def list_starts(row: TournamentRow, rounds: Sequence[RoundRow], at: int) -> dict[RoundKey, int | None]:
    """Return the start of each round by stage and number, or None where it is unknown."""
    starts = {(each.stage, each.number): each.started_at or each.starts_at for each in rounds}
    waiting = {(each.stage, each.number) for each in rounds if each.started_at is None and each.state != OVER}
    if row.state in ENDED:
        return {**starts, **dict.fromkeys(waiting)}
    if all((starts[key] or at + 1) > at for key in waiting):
        return starts
    known = {(each.stage, each.number): each for each in rounds}
    document = document_of(row)
    ends: dict[RoundKey, int | None] = {}
    for plan in document.stages:
        for number in sorted(number for stage, number in known if stage == plan.name):
            each, key = known[plan.name, number], (plan.name, number)
            before = _find_before(document, plan, number, known)
            start = starts[key]
            if key in waiting and start is not None:
                # A start that has passed, or is not after the start of the round before, cannot hold: the round starts
                # when the results of the one before are in and pairings have been reviewed.
                earliest = at if before is None else max(at, starts.get(before) or at)
                if start <= earliest:
                    end = None if before is None else ends.get(before)
                    start = None if end is None else end + document.review
                starts[key] = start
            ends[key] = _latest_end(plan, each, start, at)
    return starts


def _find_before(
    document: TournamentDocument, plan: StagePlan, number: int, known: Mapping[RoundKey, RoundRow]
) -> RoundKey | None:
    """Return the round whose results a round waits for, or None."""
    if number > 1:
        # The draw fixes all rounds of a round robin, so none waits for the results of another.
        waits = plan.format != ROUND_ROBIN or plan.start.next_when_over
        return (plan.name, number - 1) if waits else None
    if plan.rules.source is None:
        return None
    source = next(each for each in document.stages if plan.rules.source.stage == each.name)
    if source.format in {KNOCKOUT, DOUBLE} and source.rules.rounds is None:
        return None
    return source.name, max((last for stage, last in known if stage == source.name), default=0)


def _latest_end(plan: StagePlan, each: RoundRow, start: int | None, at: int) -> int | None:
    """Return the latest possible end of a round, or None if nothing limits it or that time has passed too."""
    if each.over_at is not None:
        return int(each.over_at)
    end = each.ends_at
    if each.started_at is None and plan.end.at_most:
        end = None if start is None else start + plan.end.at_most
    if end is not None and end <= at and plan.end.then == ADJUDICATE:
        end += ADJUDICATION
    return None if end is None or end <= at else int(end)
