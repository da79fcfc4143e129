"""The life of a tournament: plan a document, apply it, change it, cancel its matches.

Applying is safe to repeat: the same document changes nothing, and of two who apply it at the same time the second one
finds the first one's tournament.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

from service import ids
from service.accounts import players
from service.accounts.player_lookup import find_people
from service.config import Config
from service.db.batches import batched
from service.db.connection import wait_for_lock, write_transaction
from service.db.models.accounts import PlayerRow
from service.db.models.tournaments import TournamentDocumentRow, TournamentHeaderRow, TournamentRow
from service.i18n.catalogue import Message, msg
from service.jobs.queue import Job
from service.matches.paired_matches import cancel_unstarted_matches
from service.problems import Problem
from service.record.hashing import join_lines, sha256_hex
from service.timestamps import now
from service.tournaments.documents.document import DocumentContext, TournamentDocument, load_document
from service.tournaments.documents.document_differences import BegunParts, Difference, describe_differences
from service.tournaments.documents.document_schema import MOST_ORGANISERS
from service.tournaments.documents.recurrence import Occurrence, find_first_day, list_occurrences, strip_day
from service.tournaments.formats.draw import commit_chain, commit_deals
from service.tournaments.formats.log_lines import DocumentLine
from service.tournaments.formats.tournament_log import TournamentHeader
from service.tournaments.formats.tournament_state import TournamentState
from service.tournaments.job_payloads import CancelMatches
from service.tournaments.rounds.planned_rounds import list_certain_repeats
from service.tournaments.rounds.rounds import write_rounds
from service.tournaments.rounds.timetable import RoundPlan, Timetable
from service.tournaments.tournament_caches import ANNOUNCED, CANCELLED, ENDED, ENTRY, document_of, document_text
from service.tournaments.tournament_store import (
    check_not_ended,
    is_organiser,
    list_neutral_rulers,
    load_state,
    lock_tournament,
    write_lines,
)
from service.tournaments.views.forecast import FieldOutlook, TournamentForecast, forecast_document, forecast_fields

LOCK = 0x746F7572
Role = Literal["organiser", "arbiter"]
ROLES: tuple[Role, ...] = get_args(Role)
MOST_CANCELLED = 100
MOST_OPEN = 5
"""Maximum number of tournaments of one person that are not over."""


@dataclass(frozen=True)
class TournamentPlan:
    """The effects of applying a document; `tournament` is the one that it would change, or None."""

    name: str
    tournament: str | None
    etag: str
    document: TournamentDocument
    taken: Mapping[str, tuple[str, str]]
    differences: tuple[Difference, ...]
    rounds: tuple[RoundPlan, ...]
    forecast: TournamentForecast
    """When all will be over, with those who have entered so far."""
    warnings: tuple[Message, ...]
    outlooks: tuple[FieldOutlook, ...] = ()
    """The rounds and the end for the fewest and for the most entrants, while nobody has entered."""
    occurrences: tuple[Occurrence, ...] = ()
    """The coming tournaments of a document that repeats."""


def document_context(player: PlayerRow, config: Config) -> DocumentContext:
    """Return what reading a document depends on: the applicant and this service."""

    def find_in_force(name: str) -> TournamentDocument | None:
        row = find_own(player.id, name)
        return None if row is None else document_of(row)

    return DocumentContext(
        applicant=player.id,
        now=now(),
        beacon_url_set=bool(config.beacon_url),
        find_people=find_people,
        most_open=config.open_matches,
        find_in_force=find_in_force,
    )


def find_own(player: str, name: str) -> TournamentRow | None:
    """Return the tournament that a player means by a name: their own, or the newest that they organise."""
    named = list(TournamentRow.select().where(TournamentRow.name == name).order_by(TournamentRow.created_at.desc()))
    own = [row for row in named if row.owner == player]
    organised = [row for row in named if is_organiser(row, player)]
    return next(iter(own or organised), None)


def plan_tournament(player: PlayerRow, document: TournamentDocument, config: Config) -> TournamentPlan:
    """Return the effects of applying a document, without writing anything."""
    if document.repeat is not None:
        return _plan_occurrences(player, document, config)
    row = find_own(player.id, document.name)
    differences: tuple[Difference, ...] = ()
    by_hash = {document.hash: document.canonical}
    if row is None:
        state = TournamentState.read(_new_header("planned00000", document, "0" * 64, "0" * 64), by_hash, ())
    else:
        state = load_state(row.id)
        differences = _compare(row, document)
    changed = state.fold((), {**state.documents, **by_hash})
    changed.take_document(document.hash, now())
    notes = tuple(note.text for note in document.notes) + list_certain_repeats(changed, document)
    return TournamentPlan(
        name=document.name,
        tournament=None if row is None else str(row.id),
        etag=find_etag(row, document),
        document=document,
        taken=document.taken,
        differences=differences,
        rounds=tuple(Timetable(changed, document).rounds()),
        forecast=forecast_document(changed, document, player.id, organises=True),
        warnings=notes + _find_warnings(row, document, config),
        outlooks=forecast_fields(changed, document),
    )


def _plan_occurrences(player: PlayerRow, document: TournamentDocument, config: Config) -> TournamentPlan:
    """Return the effects of applying a document that repeats. Rounds and forecast are those of the next one."""
    occurrences = find_occurrences(player.id, document)
    differences = tuple(
        replace(change, path=f"/{each.name}{change.path}")
        for each in occurrences
        for row in [find_own(player.id, each.name)]
        if row is not None and row.document_hash != each.document.hash
        for change in _compare(row, each.document)
    )
    notes = tuple(note.text for note in document.notes) + tuple(
        each.note for each in occurrences if each.note is not None
    )
    return replace(
        plan_tournament(player, occurrences[0].document, config),
        name=document.name,
        etag=find_series_etag(player.id, occurrences),
        document=document,
        taken=document.taken,
        differences=differences,
        warnings=notes + _find_warnings(None, document, config),
        occurrences=tuple(occurrences),
    )


def find_occurrences(player: str, document: TournamentDocument) -> list[Occurrence]:
    """Return the coming tournaments of a document that repeats, counted from its first tournament."""
    dated = TournamentRow.select().where(TournamentRow.name.startswith(f"{document.name}-"))
    names = [row.name for row in dated if is_organiser(row, player)]
    occurrences = list_occurrences(document, find_first_day(document.name, names), now())
    if not occurrences:
        raise Problem("invalid", msg("tournaments.repeat_over"))
    return occurrences


def find_series_etag(player: str, occurrences: Sequence[Occurrence]) -> str:
    """Return the etag of all tournaments of a document that repeats."""
    etags = [find_etag(find_own(player, each.name), each.document) for each in occurrences]
    return sha256_hex(join_lines("echtra-series-v1", *etags))[:32]


def _find_warnings(row: TournamentRow | None, document: TournamentDocument, config: Config) -> tuple[Message, ...]:
    warnings = []
    if document.beacon == "none":
        warnings.append(msg("tournaments.no_beacon"))
    elif not config.beacon_url:
        warnings.append(msg("tournaments.no_beacon_url"))
    if row is not None and not list_neutral_rulers(row, (*document.organisers, *document.arbiters)):
        warnings.append(msg("rulings.nobody_neutral"))
    return tuple(warnings)


def find_etag(row: TournamentRow | None, document: TournamentDocument) -> str:
    """Return the etag of a tournament: it changes with the document and with whatever begins.

    Before the tournament exists it is that of the `document` to apply.

    Whoever applies a document sends it back, so that nobody changes what they have not seen.
    """
    if row is None:
        return sha256_hex(join_lines("echtra-plan-v1", "-", document.etag_text))[:32]
    begun = _find_begun(row)
    parts = [f"{name}:{count}" for name, count in sorted(begun.rounds.items())]
    flags = [int(flag) for flag in (begun.entry, begun.closed, row.state == CANCELLED)]
    return sha256_hex(join_lines("echtra-plan-v1", row.document_hash, *flags, begun.pauses, *parts))[:32]


def _find_begun(row: TournamentRow) -> BegunParts:
    """Return the parts of a tournament that have begun and so cannot change."""
    state, document, at = load_state(row.id), document_of(row), now()
    opens = document.entry.opens
    begun = {
        name: sum(each.started for each in stage.rounds.values())
        for name, stage in state.stages.items()
        if stage.lots or stage.last_round or any(each.started for each in stage.rounds.values())
    }
    table = Timetable(state, document)
    over = [plan.name for plan in document.stages if plan.name in begun and table.is_stage_over(plan.name)]
    pauses = sum(begin <= at for begin, _ in document.pauses)
    entered = bool(state.entrants) or (opens is not None and opens <= at)
    return BegunParts(entered, state.closed_at is not None, begun, pauses, over)


def _compare(row: TournamentRow, document: TournamentDocument) -> tuple[Difference, ...]:
    return describe_differences(document_of(row), document, _find_begun(row))


def may_create(player: PlayerRow, config: Config) -> bool:
    """Return True if the operator lets this player create tournaments."""
    granted = {each.lower() for each in config.organisers}
    return not granted or player.id in granted or (player.address or "").lower() in granted


def _check_may_create(player: PlayerRow, document: TournamentDocument, config: Config) -> None:
    """Raise `Problem` if the player may not create another tournament.

    A recurrence counts as one. Programs count with their owner.
    """
    if not may_create(player, config):
        raise Problem("forbidden", msg("tournaments.not_granted"))
    person = player.owner or player.id
    family = PlayerRow.select(PlayerRow.id).where((PlayerRow.id == person) | (PlayerRow.owner == person))
    open_rows = TournamentRow.select(TournamentRow.name).where(
        TournamentRow.owner.in_(family) & TournamentRow.state.not_in(ENDED)
    )
    names = {strip_day(row.name) for row in open_rows} - {document.name}
    if len(names) >= MOST_OPEN:
        raise Problem("limit-reached", msg("tournaments.too_many_open", most=MOST_OPEN))


def apply_tournament(
    player: PlayerRow, document: TournamentDocument, if_match: str | None, config: Config
) -> TournamentRow:
    """Make the tournament of a document, or change it to the document. What has begun cannot change.

    `if_match` is the etag of the plan that the player has seen; only for a new tournament it may be missing.
    """
    with write_transaction():
        # Serialise everybody who applies a document: without it, two at the same time would make two tournaments.
        wait_for_lock(LOCK)
        if document.repeat is not None:
            _check_may_create(player, document, config)
            return _apply_occurrences(player.id, document, if_match)
        row = find_own(player.id, document.name)
        if row is None:
            _check_may_create(player, document, config)
        if row is None and if_match is not None and if_match != find_etag(None, document):
            raise Problem("conflict", msg("tournaments.plan_changed"))
        return _apply_document(player.id, document, row, if_match)


def _apply_occurrences(player: str, document: TournamentDocument, if_match: str | None) -> TournamentRow:
    """Make or change all coming tournaments of a document that repeats. Return the next one."""
    occurrences = find_occurrences(player, document)
    rows = [find_own(player, each.name) for each in occurrences]
    changes = any(
        row is not None and row.document_hash != each.document.hash for each, row in zip(occurrences, rows, strict=True)
    )
    if if_match != find_series_etag(player, occurrences) and (changes or if_match is not None):
        raise Problem("conflict", msg("tournaments.plan_changed"))
    applied = [
        _apply_document(player, each.document, row, find_etag(row, each.document))
        for each, row in zip(occurrences, rows, strict=True)
    ]
    return applied[0]


def _apply_document(
    player: str, document: TournamentDocument, row: TournamentRow | None, if_match: str | None
) -> TournamentRow:
    if row is None:
        return _create_tournament(player, document)
    if row.document_hash == document.hash:
        return row
    return _change_tournament(row.id, player, document, if_match)


def _new_header(tournament: str, document: TournamentDocument, chain: str, deals: str) -> TournamentHeader:
    return TournamentHeader(tournament, document.hash, chain, deals, document.beacon, now())


def _create_tournament(owner: str, document: TournamentDocument) -> TournamentRow:
    seed, deals, at = ids.new_seed(), ids.new_seed(), now()
    id_ = ids.new_id()
    header = _new_header(id_, document, commit_chain(seed), commit_deals(deals))
    opens = document.entry.opens or at
    row = TournamentRow.create(
        id=id_,
        owner=owner,
        state=ENTRY if opens <= at else ANNOUNCED,
        seed=seed.hex(),
        deals=deals.hex(),
        created_at=header.created,
        head_seq=0,
        head_hash=header.hash,
        next_at=at,
        **_document_columns(document),
    )
    TournamentHeaderRow.create(tournament=id_, hash=header.hash, body="".join(f"{line}\n" for line in header.rows))
    _store_document(id_, document, at)
    write_rounds(row, load_state(id_), document)
    return row


def _document_columns(document: TournamentDocument) -> dict[str, object]:
    return {
        "name": document.name,
        "game": document.game,
        "listed": document.listed,
        "title": json.dumps(dict(document.title), ensure_ascii=False),
        "document": document_text(document),
        "document_hash": document.hash,
        "opens_at": document.entry.opens,
        "closes_at": document.entry.closes,
    }


def _store_document(tournament: str, document: TournamentDocument, at: int) -> None:
    TournamentDocumentRow.insert(
        tournament=tournament, hash=document.hash, document=document_text(document), at=at
    ).on_conflict_ignore().execute()


def _change_tournament(
    tournament: str, player: str, document: TournamentDocument, if_match: str | None
) -> TournamentRow:
    with lock_tournament(tournament) as row:
        check_not_ended(row)
        differences = _compare(row, document)
        fixed = [each for each in differences if not each.allowed]
        if fixed:
            changes = [{"path": each.path, "before": each.before, "after": each.after} for each in fixed]
            raise Problem(
                "conflict", msg("tournaments.begun", paths=", ".join(each.path for each in fixed)), changes=changes
            )
        if any(each.path.startswith(("/organisers", "/arbiters")) for each in differences) and row.owner != player:
            raise Problem("forbidden", msg("tournaments.only_maker"))
        if if_match != find_etag(row, document):
            raise Problem("conflict", msg("tournaments.plan_changed"))
        _store_document(tournament, document, now())
        for name, value in _document_columns(document).items():
            setattr(row, name, value)
        row.next_at = now()
        write_lines(row, [DocumentLine(document.hash)], now())
        write_rounds(row, load_state(tournament), document)
        return row


def appoint(owner: str, tournament: str, player: str, role: Role | None) -> TournamentRow:
    """Make a player an organiser or an arbiter of a tournament, or with None neither. Only its owner may.

    The document in force changes and is in the log, so that everybody sees who may decide since when.
    """
    with write_transaction():
        # Every document comes into force under this lock, so none is overwritten here.
        wait_for_lock(LOCK)
        row = TournamentRow.get_by_id(tournament)
        if row.owner != owner:
            raise Problem("forbidden", msg("tournaments.only_maker"))
        there = (PlayerRow.id == player) & PlayerRow.deleted_at.is_null() & ~players.is_guest()
        if role is not None and not PlayerRow.select().where(there).exists():
            raise Problem("not-found", msg("accounts.no_such_player"))
        document = load_document(_change_staff(document_of(row), player, role, owner))
        if document.hash == row.document_hash:
            return row
        return _change_tournament(row.id, owner, document, find_etag(row, document))


def _change_staff(document: TournamentDocument, player: str, role: Role | None, owner: str) -> dict[str, Any]:
    """Return the canonical document with a player in one of the two lists, or in neither."""
    canonical = dict(document.canonical)
    for key, wanted in (("organisers", "organiser"), ("arbiters", "arbiter")):
        people = [each for each in canonical.get(key, ()) if each != player] + [player] * (role == wanted)
        if len(people) > MOST_ORGANISERS:
            raise Problem("limit-reached", msg("tournaments.too_many_staff", most=MOST_ORGANISERS))
        if people or key in canonical:
            canonical[key] = people or ([owner] if key == "organisers" else [])
    return canonical


def cancel_matches(job: Job[CancelMatches], _config: Config) -> None:
    """Job: cancel the matches of a cancelled tournament that have not started. Safe to repeat."""
    state = load_state(job.payload.tournament)
    rounds = [each for stage in state.stages.values() for each in stage.rounds.values() if not each.started]
    matches = [pair.id for each in rounds for pair in each.pairs]
    for part in batched(matches, MOST_CANCELLED):
        cancel_unstarted_matches(part)
