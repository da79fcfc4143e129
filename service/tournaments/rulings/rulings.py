"""Rulings: decisions of organisers. Each is a log line with a reason, and those concerned get an email.

A ruler states the last log line that they have seen. If another ruling, or a line about the same people, matches or
round has come since, nothing is written and the refusal shows these lines.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from service import ids, shapes
from service.config import Config
from service.db.models.accounts import PlayerRow
from service.db.models.tournaments import PairingRow, RulingTextRow, TournamentEntryRow, TournamentRow
from service.i18n.catalogue import Message, has_text, msg
from service.jobs.queue import BULK, FIRST, NewJob
from service.problems import Problem, invalid_field_problem
from service.record.hashing import join_lines, sha256_hex
from service.timestamps import DAY
from service.tournaments.formats.crosstable import Number
from service.tournaments.formats.log_lines import (
    RULINGS_FOR_ALL,
    Line,
    PairLine,
    ReplayRuling,
    Ruling,
    read,
    words_of,
    write,
)
from service.tournaments.formats.tournament_log import LogLine
from service.tournaments.formats.tournament_state import TournamentState
from service.tournaments.job_payloads import RulingNoticeLetter, TournamentLetter
from service.tournaments.rounds.challenges import follow_replay
from service.tournaments.rounds.rounds import queue_jobs, write_rounds
from service.tournaments.rounds.standings import rank_stage
from service.tournaments.rounds.timetable import Timetable
from service.tournaments.rulings.ruling_decisions import RulingCase, RulingDecision, decide
from service.tournaments.rulings.ruling_words import LONGEST_TEXT, RulingRequest, check_request
from service.tournaments.tournament_store import (
    LoadedTournament,
    LogHasGrown,
    check_may_rule,
    find_entrant,
    find_log,
    load_state,
    lock_tournament,
    may_rule,
    select_rulings,
    write_lines,
)

MOST_A_DAY = 500
TRIES = 20
MOST_UNSEEN = 20
MOST_STANDINGS = 200


@dataclass(frozen=True)
class StandingChange:
    """A line of the standings before and after a ruling. None means that there is no such line."""

    stage: str
    player: str
    rank_before: int | None
    rank_after: int | None
    points_before: int | None
    points_after: int | None


@dataclass(frozen=True)
class RoundChange:
    """The times of a round before and after a ruling. None means that the time is not fixed."""

    stage: str
    number: int
    starts_before: int | None
    starts_after: int | None
    ends_before: int | None
    ends_after: int | None


@dataclass(frozen=True)
class RulingPlan:
    """The effects of a ruling: log lines, emails, running matches, and changes of rounds and standings."""

    seq: int
    """The last log line that was read."""
    lines: tuple[str, ...]
    letters: tuple[tuple[str, str], ...]
    """The kind of each email, and its recipient."""
    standings: tuple[StandingChange, ...]
    rounds: tuple[RoundChange, ...]
    matches: tuple[str, ...]
    """The running matches that the ruling affects."""


@dataclass(frozen=True)
class RulingMade:
    """A ruling in the log, with the lines that follow from it."""

    seq: int
    at: int
    lines: tuple[str, ...]


class RulingShown(shapes.Shape):
    """A ruling as you may see it."""

    seq: int = shapes.number("Its line in the log.", 49)
    at: int = shapes.timestamp("When it was made.")
    line: str = shapes.text(
        "The line as it stands in the log.",
        "ruling result m7q2x9v4k8t3w6zp time 630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd",
    )
    what: str = shapes.text("What was decided.", "result")
    about: Sequence[str] = shapes.items(
        "What it is about, as in the line.",
        most=100,
        of=shapes.text("A player, a match, a round or a time.", shapes.MATCH_ID),
    )
    why: str = shapes.text("The code of the reason.", "time")
    concerns_you: bool = shapes.flag("Whether it concerns you.", True)
    text: str | None = shapes.text("The organiser's words; null unless it concerns you.", "…", most=LONGEST_TEXT)
    salt: str | None = shapes.hex_digits(
        32,
        "With it the hash in the line is H(T(`echtra-ruling-v1`, tournament, salt, H(text))).",
        "00000000000000000000000000000000",
    )
    ruling: Ruling


def plan_ruling(ruler: str | None, tournament: str, request: RulingRequest, config: Config) -> RulingPlan:
    """Return the effects of a ruling without writing anything. Without a ruler it is the operator's."""
    case = _load_case(ruler, tournament, check_request(request), config)
    decision = _decide(case)
    # The salt is drawn when the ruling is made, so its hash is not known yet.
    ruling = replace(decision.ruling, text_hash="HASH" if case.request.text else None)
    lines = (ruling, *decision.lines)
    letters = [(RulingNoticeLetter.kind, player) for player in decision.told]
    others = [job.payload for job in decision.letters]
    letters += [(letter.kind, letter.player) for letter in others if isinstance(letter, TournamentLetter)]
    written = enumerate((decision.ruling, *decision.lines), case.state.seq + 1)
    after = case.state.fold(LogLine(seq, case.at, write(line), "") for seq, line in written)
    return RulingPlan(
        case.state.seq,
        tuple(map(write, lines)),
        tuple(letters),
        _compare_standings(case.state, after, decision.stages),
        _compare_rounds(case, after),
        _list_affected(case),
    )


def make_ruling(ruler: str | None, tournament: str, request: RulingRequest, seen: int, config: Config) -> RulingMade:
    """Write a ruling with its effects, and queue the emails about it.

    `seen` is the last log line that the ruler has read.
    """
    request = check_request(request)
    for _ in range(TRIES):
        case = _load_case(ruler, tournament, request, config)
        _check_seen(case, seen)
        decision = _decide(case)
        # Decided outside the transaction. If the log has grown since, the next try decides again from the new state.
        with suppress(LogHasGrown):
            return _append(case, decision)
    raise Problem("not-now", msg("rulings.busy"), retry_after=1)


def _load_case(ruler: str | None, tournament: str, request: RulingRequest, config: Config) -> RulingCase:
    loaded = LoadedTournament.load(tournament)
    if ruler is not None:
        check_may_rule(loaded.row, ruler)
    return RulingCase(loaded.row, loaded.state, loaded.document, loaded.at, config, ruler, request)


def _decide(case: RulingCase) -> RulingDecision:
    if case.state.deals is not None or case.state.cancelled_at is not None:
        raise Problem("conflict", msg("tournaments.has_ended"))
    if select_rulings(case.row.id).where(TournamentEntryRow.at > case.at - DAY).count() >= MOST_A_DAY:
        raise Problem("limit-reached", msg("rulings.too_many", most=MOST_A_DAY))
    decision = decide(case)
    _check_neutral(case, decision)
    return decision


def _check_neutral(case: RulingCase, decision: RulingDecision) -> None:
    """Raise `Problem` if the ruler plays in a section concerned, unless the ruling takes no side."""
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
    """Return True if a player is in a section with somebody whom a ruling concerns."""
    return any(
        number in members and not numbers.isdisjoint(members)
        for name, numbers in concerned.items()
        for members in state.stages[name].members()
    )


def _check_seen(case: RulingCase, seen: int) -> None:
    """Raise `Problem` if the ruler has not seen another ruling, or a line about the same subject."""
    if not 0 <= seen <= case.state.seq:
        raise invalid_field_problem("seq", msg("rulings.no_such_line", head=case.state.seq))
    subjects = set(case.request.subjects)
    unseen_lines = [
        entry
        for entry in find_log(case.row.id, seen, case.state.seq - seen)
        if isinstance(entry.value, Ruling) or not subjects.isdisjoint(words_of(entry.value))
    ][:MOST_UNSEEN]
    if unseen_lines:
        raise Problem(
            "conflict",
            msg("rulings.changed_since", lines=_describe_lines([entry.value for entry in unseen_lines])),
            seq=case.state.seq,
            lines=[entry.line for entry in unseen_lines],
        )


def _describe_lines(lines: Sequence[Line]) -> Message:
    """Return in words what lines of the log say, with the names of people in place of ids."""
    words = sorted({word for line in lines for word in words_of(line)})
    tables = {row.id: json.loads(row.seats) for row in PairingRow.select().where(PairingRow.id.in_(words))}
    ids_of_people = {*words, *(player for seats in tables.values() for player in seats)}
    people = PlayerRow.select().where(PlayerRow.id.in_(sorted(ids_of_people)))
    names = {row.id: row.name for row in people}
    names |= {id_: " – ".join(names.get(seat, seat) for seat in seats) for id_, seats in tables.items()}
    told: Message | None = None
    for line in lines:
        subjects = line.subjects if isinstance(line, Ruling) else tuple(words_of(line))
        about = ", ".join(names[word] for word in subjects if word in names)
        key = f"tournament_page.rulings.{line.what}" if isinstance(line, Ruling) else f"rulings.changes.{line.verb}"
        what: Message | str = msg(key) if has_text("en", key) else line.verb
        one = msg("rulings.change" if about else "rulings.change_of_all", what=what, about=about)
        told = one if told is None else msg("rulings.changes_after", one=told, other=one)
    return told or msg("rulings.change_of_all", what="")


def hash_text(tournament: str, salt: str, text: str) -> str:
    """Return the salted hash of a ruling's text, as in the log. The salt prevents guessing the text."""
    return sha256_hex(join_lines("echtra-ruling-v1", tournament, salt, sha256_hex(text.encode())))


def _append(case: RulingCase, decision: RulingDecision) -> RulingMade:
    request, seq, id_ = case.request, case.state.seq + 1, case.row.id
    salt = ids.new_seed().hex()[:32]
    text_hash = hash_text(id_, salt, request.text) if request.text else None
    lines = (replace(decision.ruling, text_hash=text_hash), *decision.lines)

    letters = [_letter(id_, seq, player, request.what) for player in decision.told]
    with lock_tournament(id_, head=case.state.seq) as row:
        entries = write_lines(row, lines, case.at)
        if request.text:
            RulingTextRow.create(tournament=id_, seq=seq, salt=salt, text=request.text)
        for line in decision.lines:
            if isinstance(decision.ruling, ReplayRuling) and isinstance(line, PairLine):
                follow_replay(decision.ruling.match, line.match)
        write_rounds(row, load_state(id_), case.document)
        row.next_at = case.at
        queue_jobs([*decision.jobs, *decision.letters, *letters])
    return RulingMade(seq, entries[0].at, tuple(entry.line for entry in entries))


def _letter(tournament: str, seq: int, player: str, what: str) -> NewJob:
    letter = RulingNoticeLetter(tournament=tournament, player=player, seq=seq)
    rank = BULK if what in RULINGS_FOR_ALL else FIRST
    return NewJob(letter, f"{letter.kind}:{tournament}:{seq}:{player}", rank=rank)


def _compare_standings(
    state: TournamentState, after: TournamentState, stages: Sequence[str]
) -> tuple[StandingChange, ...]:
    """Return the lines of the standings that the ruling would change."""
    changes: list[StandingChange] = []
    for name in stages:
        before, then = _by_number(state, name), _by_number(after, name)
        for number in dict.fromkeys([*then, *before]):
            old, new = before.get(number, (None, None)), then.get(number, (None, None))
            if old != new or state.holders[number] != after.holders[number]:
                changes.append(StandingChange(name, after.holders[number], old[0], new[0], old[1], new[1]))
    return tuple(changes[:MOST_STANDINGS])


def _compare_rounds(case: RulingCase, after: TournamentState) -> tuple[RoundChange, ...]:
    """Return the rounds to come or running whose times the ruling would change."""
    before = {(each.stage, each.number): each for each in case.timetable.rounds()}
    changes = []
    for each in Timetable(after, case.document).rounds():
        old = before.get((each.stage, each.number))
        if old is None or each.over_at is not None:
            continue
        if (old.starts_at, old.ends_at) != (each.starts_at, each.ends_at):
            times = (old.starts_at, each.starts_at, old.ends_at, each.ends_at)
            changes.append(RoundChange(each.stage, each.number, *times))
    return tuple(changes)


def _list_affected(case: RulingCase) -> tuple[str, ...]:
    """Return the running matches that a ruling affects: its match, those of its round or player, or all."""
    request, state = case.request, case.state
    running = case.timetable.running_matches()
    if request.match:
        return tuple(match for match in running if match == request.match)
    if request.round:
        return tuple(match for match in running if "{}:{}".format(*state.where[match][:2]) == request.round)
    if request.player:
        number = case.own_number(request.player)
        return tuple(match for match in running if number in state.where[match][2].seats)
    return tuple(running) if request.what in RULINGS_FOR_ALL else ()


def _by_number(state: TournamentState, name: str) -> dict[Number, tuple[int, int]]:
    """Return the rank and points of everybody in a stage."""
    return {line.number: (line.rank, line.points) for section in rank_stage(state, name) for line in section}


def read_ruling(line: str) -> Ruling:
    """Parse a log line that is a ruling."""
    ruling = read(line)
    if not isinstance(ruling, Ruling):
        raise TypeError(line)
    return ruling


def list_rulings(row: TournamentRow, viewer: str | None, after: int, limit: int) -> list[RulingShown]:
    """Return at most `limit` rulings after a log line, as the viewer may see them."""
    query = select_rulings(row.id).where(TournamentEntryRow.seq > after)
    entries = list(query.order_by(TournamentEntryRow.seq).limit(limit))
    mine = (RulingTextRow.tournament == row.id) & RulingTextRow.seq.in_([entry.seq for entry in entries])
    texts = {each.seq: each for each in RulingTextRow.select().where(mine)}
    rulings = [read_ruling(entry.line) for entry in entries]
    concerned = _find_concerned(row.id, rulings, viewer)
    sees_all = viewer is not None and may_rule(row, viewer)
    shown = []
    for entry, ruling, is_mine in zip(entries, rulings, concerned, strict=True):
        stored = texts.get(entry.seq) if sees_all or is_mine else None
        shown.append(
            RulingShown(
                seq=entry.seq,
                at=entry.at,
                line=entry.line,
                what=ruling.what,
                about=ruling.subjects,
                why=ruling.why,
                concerns_you=is_mine,
                text=None if stored is None else stored.text,
                salt=None if stored is None else stored.salt,
                ruling=ruling,
            )
        )
    return shown


def _find_concerned(tournament: str, rulings: Sequence[Ruling], player: str | None) -> list[bool]:
    """Return which rulings concern a player: by name, by their table, or because they concern everybody."""
    if player is None:
        return [False] * len(rulings)
    entered = find_entrant(tournament, player) is not None
    named = sorted({subject for ruling in rulings for subject in ruling.subjects})
    tables = PairingRow.select().where((PairingRow.tournament == tournament) & PairingRow.id.in_(named))
    own = {player, *(table.id for table in tables if player in json.loads(table.seats))}
    return [entered if ruling.what in RULINGS_FOR_ALL else not own.isdisjoint(ruling.subjects) for ruling in rulings]
