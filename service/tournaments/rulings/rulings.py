"""Rulings: what organisers decide about a tournament, each a line of its log with a reason, told to those concerned.

Who rules says up to which line they have read the log: where another ruling, or a line about the same people, matches
or round came since, nothing is written and they see what holds now.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from service import ids
from service.config import Config
from service.db.models.tournaments import (
    EntrantRow,
    PairingRow,
    RulingTextRow,
    TournamentEntryRow,
    TournamentRow,
)
from service.i18n.catalogue import msg
from service.jobs import queue
from service.jobs.queue import BULK, FIRST, NewJob
from service.problems import Problem, invalid_field_problem
from service.record.hashing import join_lines, sha256_hex
from service.timestamps import DAY, now
from service.tournaments.documents.document import load_document
from service.tournaments.formats.crosstable import Number
from service.tournaments.formats.log_lines import RULINGS_FOR_ALL, Ruling, read, words_of, write
from service.tournaments.formats.tournament_log import LogLine
from service.tournaments.formats.tournament_state import TournamentState
from service.tournaments.job_payloads import RulingNoticeLetter, TournamentLetter
from service.tournaments.rounds.rounds import write_rounds
from service.tournaments.rounds.standings import rank_stage
from service.tournaments.rulings.ruling_decisions import RulingCase, RulingDecision, decide
from service.tournaments.rulings.ruling_words import RulingRequest, check_request
from service.tournaments.tournament_store import (
    append_lines,
    check_organiser,
    find_log,
    is_organiser,
    load_state,
    select_rulings,
)

MOST_A_DAY = 500
TRIES = 20
MOST_JOBS = 100
MOST_UNSEEN = 20
MOST_STANDINGS = 200


@dataclass(frozen=True)
class StandingChange:
    """A line of the standings before a ruling and after it; nothing where there was or is none."""

    stage: str
    player: str
    rank_before: int | None
    rank_after: int | None
    points_before: int | None
    points_after: int | None


@dataclass(frozen=True)
class RulingPlan:
    """What a ruling would write, whom it would tell, and how the standings would change."""

    seq: int
    """The last line of the log that was read."""
    lines: tuple[str, ...]
    letters: tuple[tuple[str, str], ...]
    """The kind of each letter, and who gets it."""
    standings: tuple[StandingChange, ...]


@dataclass(frozen=True)
class RulingMade:
    """A ruling as it stands in the log, with the lines that came with it."""

    seq: int
    at: int
    lines: tuple[str, ...]


@dataclass(frozen=True)
class RulingShown:
    """A ruling as somebody may see it; the words only by those concerned and by organisers."""

    seq: int
    at: int
    line: str
    what: str
    about: tuple[str, ...]
    why: str
    concerns_you: bool
    text: str | None
    salt: str | None
    ruling: Ruling


def plan_ruling(ruler: str | None, tournament: str, request: RulingRequest, config: Config) -> RulingPlan:
    """What a ruling would do; nothing is written. Without a ruler it is the operator's."""
    case = _load_case(ruler, tournament, check_request(request), config)
    decision = _decide(case)
    # The salt is drawn when the ruling is made, so its hash is not known yet.
    ruling = replace(decision.ruling, text_hash="HASH" if case.request.text else None)
    lines = (ruling, *decision.lines)
    letters = [(RulingNoticeLetter.kind, player) for player in decision.told]
    written = [job.payload for job in decision.letters]
    letters += [(letter.kind, letter.player) for letter in written if isinstance(letter, TournamentLetter)]
    standings = _compare_standings(case, decision)
    return RulingPlan(case.state.seq, tuple(map(write, lines)), tuple(letters), standings)


def make_ruling(ruler: str | None, tournament: str, request: RulingRequest, seen: int, config: Config) -> RulingMade:
    """Write a ruling with all that it changes, and tell those concerned.

    `seen` is the last line of the log that the ruler has read.
    """
    request = check_request(request)
    for _ in range(TRIES):
        case = _load_case(ruler, tournament, request, config)
        _check_seen(case, seen)
        decision = _decide(case)
        made = _append(case, decision)
        if made is not None:
            return made
    raise Problem("not-now", msg("rulings.busy"), retry_after=1)


def _load_case(ruler: str | None, tournament: str, request: RulingRequest, config: Config) -> RulingCase:
    row, state = TournamentRow.get_by_id(tournament), load_state(tournament)
    if ruler is not None:
        check_organiser(row, ruler)
    return RulingCase(row, state, load_document(state.documents[state.document]), config, ruler, request, now())


def _decide(case: RulingCase) -> RulingDecision:
    if case.state.deals is not None or case.state.cancelled_at is not None:
        raise Problem("conflict", msg("tournaments.has_ended"))
    if select_rulings(case.row.id).where(TournamentEntryRow.at > case.at - DAY).count() >= MOST_A_DAY:
        raise Problem("limit-reached", msg("rulings.too_many", most=MOST_A_DAY))
    decision = decide(case)
    _check_neutral(case, decision)
    return decision


def _check_neutral(case: RulingCase, decision: RulingDecision) -> None:
    """Refuse rulings in a section in which the ruler plays; pausing, resuming and letting people in take no side."""
    state, ruler, what = case.state, case.ruler, case.request.what
    if ruler is None or ruler not in state.inside or what in {"pause", "resume"}:
        return
    if state.closed_at is None and what in {"accept", "cancel"}:
        return
    number = state.number_of.get(ruler)
    if decision.numbers is not None and number is not None and not _shares_section(state, number, decision.numbers):
        return
    raise Problem("forbidden", msg("rulings.you_play_there"))


def _shares_section(state: TournamentState, number: Number, concerned: Mapping[str, frozenset[Number]]) -> bool:
    """Whether somebody is in a section with one of those whom a ruling concerns, by stage."""
    return any(
        number in members and not numbers.isdisjoint(members)
        for name, numbers in concerned.items()
        for members in state.stages[name].members()
    )


def _check_seen(case: RulingCase, seen: int) -> None:
    """Refuse a ruling by who has not seen another one, or what was written about the same subject since."""
    if not 0 <= seen <= case.state.seq:
        raise invalid_field_problem("seq", msg("rulings.no_such_line", head=case.state.seq))
    subjects = set(case.request.subjects)
    unseen_lines = [
        entry.line
        for entry in find_log(case.row.id, seen, case.state.seq - seen)
        if isinstance(entry.value, Ruling) or not subjects.isdisjoint(words_of(entry.value))
    ]
    if unseen_lines:
        raise Problem(
            "conflict",
            msg("rulings.changed_since", seen=seen, lines="; ".join(unseen_lines[:MOST_UNSEEN])),
            seq=case.state.seq,
            lines=unseen_lines[:MOST_UNSEEN],
        )


def hash_text(tournament: str, salt: str, text: str) -> str:
    """Return what the log has of a ruling's text: its hash, salted so that nobody can guess the text."""
    return sha256_hex(join_lines("echtra-ruling-v1", tournament, salt, sha256_hex(text.encode())))


def _append(case: RulingCase, decision: RulingDecision) -> RulingMade | None:
    request, seq, id_ = case.request, case.state.seq + 1, case.row.id
    salt = ids.new_seed().hex()[:32]
    text_hash = hash_text(id_, salt, request.text) if request.text else None
    lines = (replace(decision.ruling, text_hash=text_hash), *decision.lines)

    def also(row: TournamentRow, state: TournamentState) -> None:
        if request.text:
            RulingTextRow.create(tournament=id_, seq=seq, salt=salt, text=request.text)
        write_rounds(row, state, case.document)
        row.next_at = case.at
        jobs = [
            *decision.jobs,
            *decision.letters,
            *(_letter(id_, seq, player, request.what) for player in decision.told),
        ]
        for start in range(0, len(jobs), MOST_JOBS):
            queue.add_all(jobs[start : start + MOST_JOBS])

    if not append_lines(id_, case.state.seq, lines, case.at, also):
        return None
    return RulingMade(seq, find_log(id_, seq - 1, 1)[0].at, tuple(map(write, lines)))


def _letter(tournament: str, seq: int, player: str, what: str) -> NewJob:
    letter = RulingNoticeLetter(tournament=tournament, player=player, seq=seq)
    rank = BULK if what in RULINGS_FOR_ALL else FIRST
    return NewJob(letter, f"{letter.kind}:{tournament}:{seq}:{player}", rank=rank)


def _compare_standings(case: RulingCase, decision: RulingDecision) -> tuple[StandingChange, ...]:
    """Return the lines of the standings that the ruling would change."""
    state, lines = case.state, (decision.ruling, *decision.lines)
    after = state.fold(LogLine(state.seq + at, case.at, write(line), "") for at, line in enumerate(lines, 1))
    found: list[StandingChange] = []
    for name in decision.stages:
        before, then = _by_number(state, name), _by_number(after, name)
        for number in dict.fromkeys([*then, *before]):
            old, new = before.get(number, (None, None)), then.get(number, (None, None))
            if old != new or state.holders[number] != after.holders[number]:
                found.append(StandingChange(name, after.holders[number], old[0], new[0], old[1], new[1]))
    return tuple(found[:MOST_STANDINGS])


def _by_number(state: TournamentState, name: str) -> dict[Number, tuple[int, int]]:
    """The rank and the points of everybody in a stage."""
    return {line.number: (line.rank, line.points) for section in rank_stage(state, name) for line in section}


def read_ruling(line: str) -> Ruling:
    """Return the ruling of a line that is one."""
    ruling = read(line)
    if not isinstance(ruling, Ruling):
        raise TypeError(line)
    return ruling


def list_rulings(row: TournamentRow, viewer: str | None, after: int, limit: int) -> list[RulingShown]:
    """So many rulings after a line of the log, as somebody may see them."""
    found = select_rulings(row.id).where(TournamentEntryRow.seq > after)
    entries = list(found.order_by(TournamentEntryRow.seq).limit(limit))
    mine = (RulingTextRow.tournament == row.id) & RulingTextRow.seq.in_([entry.seq for entry in entries])
    texts = {each.seq: each for each in RulingTextRow.select().where(mine)}
    rulings = [read_ruling(entry.line) for entry in entries]
    concerned = _find_concerned(row.id, rulings, viewer)
    sees_all = viewer is not None and is_organiser(row, viewer)
    shown = []
    for entry, ruling, is_mine in zip(entries, rulings, concerned, strict=True):
        stored = texts.get(entry.seq) if sees_all or is_mine else None
        text, salt = (None, None) if stored is None else (str(stored.text), str(stored.salt))
        what, about, why = ruling.what, ruling.subjects, ruling.why
        shown.append(RulingShown(entry.seq, entry.at, entry.line, what, about, why, is_mine, text, salt, ruling))
    return shown


def _find_concerned(tournament: str, rulings: Sequence[Ruling], player: str | None) -> list[bool]:
    """Return which of these rulings concern a player: by name, at a table, or because they concern every entrant."""
    if player is None:
        return [False] * len(rulings)
    mine = (EntrantRow.tournament == tournament) & (EntrantRow.player == player)
    entered = EntrantRow.select().where(mine).exists()
    named = sorted({subject for ruling in rulings for subject in ruling.subjects})
    tables = PairingRow.select().where((PairingRow.tournament == tournament) & PairingRow.id.in_(named))
    own = {player, *(table.id for table in tables if player in json.loads(table.seats))}
    return [entered if ruling.what in RULINGS_FOR_ALL else not own.isdisjoint(ruling.subjects) for ruling in rulings]
