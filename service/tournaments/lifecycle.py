"""The life of a tournament from its document: what a document would do, applying it, changing it, cancelling.

Applying is safe to repeat: the same document changes nothing, and whoever applies it at the same moment finds the one
tournament.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import rfc8785

from service import ids
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
from service.tournaments.documents.recurrence import Occurrence, find_first_day, list_occurrences
from service.tournaments.formats.draw import commit_chain, commit_deals
from service.tournaments.formats.log_lines import DocumentLine
from service.tournaments.formats.tournament_log import TournamentHeader
from service.tournaments.formats.tournament_state import TournamentState
from service.tournaments.job_payloads import CancelMatches
from service.tournaments.rounds import timetable
from service.tournaments.rounds.planned_rounds import list_certain_repeats
from service.tournaments.rounds.rounds import write_rounds
from service.tournaments.rounds.timetable import RoundPlan
from service.tournaments.tournament_caches import ANNOUNCED, CANCELLED, ENTRY, OVER
from service.tournaments.tournament_store import (
    is_organiser,
    list_neutral_organisers,
    load_state,
    lock_tournament,
    write_lines,
)
from service.tournaments.views.forecast import TournamentForecast, forecast_document

LOCK = 0x746F7572
MOST_CANCELLED = 100


@dataclass(frozen=True)
class TournamentPlan:
    """What applying a document would do; `tournament` is the one it would change, if there is one."""

    name: str
    tournament: str | None
    etag: str
    document: TournamentDocument
    taken: Mapping[str, tuple[str, str]]
    differences: tuple[Difference, ...]
    rounds: tuple[RoundPlan, ...]
    forecast: TournamentForecast
    """When all will be over, with who has entered by now."""
    warnings: tuple[Message, ...]
    occurrences: tuple[Occurrence, ...] = ()
    """The tournaments to come of a document that repeats."""


def document_context(player: PlayerRow, config: Config) -> DocumentContext:
    """What the reader of a document must know of who applies it and of this service."""

    def find_in_force(name: str) -> TournamentDocument | None:
        row = find_own(player.id, name)
        return None if row is None else load_document(json.loads(row.document))

    return DocumentContext(
        applicant=player.id,
        now=now(),
        beacon_url_set=bool(config.beacon_url),
        find_people=find_people,
        most_open=config.open_matches,
        find_in_force=find_in_force,
    )


def find_own(player: str, name: str) -> TournamentRow | None:
    """The tournament that somebody means by a name: one they made, or the newest that they organise."""
    named = list(TournamentRow.select().where(TournamentRow.name == name).order_by(TournamentRow.created_at.desc()))
    own = [row for row in named if row.owner == player]
    organised = [row for row in named if is_organiser(row, player)]
    return next(iter(own or organised), None)


def plan_tournament(player: PlayerRow, document: TournamentDocument, config: Config) -> TournamentPlan:
    """What applying this document would do; nothing is written."""
    if document.repeat is not None:
        return _plan_occurrences(player, document, config)
    row = find_own(player.id, document.name)
    differences: tuple[Difference, ...] = ()
    if row is None:
        state = TournamentState.read(_new_header("planned00000", document, "0" * 64, "0" * 64), _by_hash(document), ())
    else:
        state = load_state(row.id)
        differences = _compare(row, state, document)
    changed = _with_document(state, document)
    rounds = tuple(timetable.plan_rounds(changed, document))
    forecast = forecast_document(changed, document, player.id, organises=True)
    warnings = tuple(note.text for note in document.notes) + list_certain_repeats(changed, document)
    warnings += _find_warnings(row, document, config)
    tournament = None if row is None else str(row.id)
    etag = find_etag(row)
    return TournamentPlan(
        document.name, tournament, etag, document, document.taken, differences, rounds, forecast, warnings
    )


def _plan_occurrences(player: PlayerRow, document: TournamentDocument, config: Config) -> TournamentPlan:
    """What applying a document that repeats would do; rounds and forecast are those of the next tournament."""
    found = find_occurrences(player.id, document)
    plans = [plan_tournament(player, each.document, config) for each in found[:1]]
    made = {each.name: find_own(player.id, each.name) for each in found}
    differences = tuple(
        replace(change, path=f"/{name}{change.path}")
        for each in found
        for name, row in [(each.name, made[each.name])]
        if row is not None and row.document_hash != each.document.hash
        for change in _compare(row, load_state(row.id), each.document)
    )
    notes = tuple(note.text for note in document.notes) + tuple(each.note for each in found if each.note is not None)
    return replace(
        plans[0],
        name=document.name,
        etag=find_series_etag(player.id, found),
        document=document,
        taken=document.taken,
        differences=differences,
        warnings=notes + _find_warnings(None, document, config),
        occurrences=tuple(found),
    )


def find_occurrences(player: str, document: TournamentDocument) -> list[Occurrence]:
    """The tournaments to come of a document that repeats, counted from the first that was made of it."""
    dated = TournamentRow.select().where(TournamentRow.name.startswith(f"{document.name}-"))
    names = [row.name for row in dated if is_organiser(row, player)]
    found = list_occurrences(document, find_first_day(document.name, names), now())
    if not found:
        raise Problem("invalid", msg("tournaments.repeat_over"))
    return found


def find_series_etag(player: str, found: Sequence[Occurrence]) -> str:
    """What names all tournaments of a document that repeats, as they are now."""
    etags = [find_etag(find_own(player, each.name)) for each in found]
    return sha256_hex(join_lines("echtra-series-v1", *etags))[:32]


def _by_hash(document: TournamentDocument) -> dict[str, dict[str, object]]:
    return {document.hash: dict(document.canonical)}


def _with_document(state: TournamentState, document: TournamentDocument) -> TournamentState:
    """The state as it would be with a document in force."""
    changed = state.fold((), {**state.documents, **_by_hash(document)})
    changed.take_document(document.hash, now())
    return changed


def _find_warnings(row: TournamentRow | None, document: TournamentDocument, config: Config) -> tuple[Message, ...]:
    found = []
    if document.beacon == "none":
        found.append(msg("tournaments.no_beacon"))
    elif not config.beacon_url:
        found.append(msg("tournaments.no_beacon_url"))
    if row is not None and not list_neutral_organisers(row, document.organisers):
        found.append(msg("rulings.nobody_neutral"))
    return tuple(found)


def find_etag(row: TournamentRow | None) -> str:
    """What names the document in force and what has begun, so that nobody changes what they have not seen."""
    if row is None:
        return sha256_hex(join_lines("echtra-plan-v1", "-"))[:32]
    state = load_state(row.id)
    begun = find_begun(state, load_document(json.loads(row.document)), now())
    parts = [f"{name}:{count}" for name, count in sorted(begun.rounds.items())]
    flags = [int(flag) for flag in (begun.entry, begun.closed, row.state == CANCELLED)]
    return sha256_hex(join_lines("echtra-plan-v1", row.document_hash, *flags, begun.pauses, *parts))[:32]


def find_begun(state: TournamentState, document: TournamentDocument, at: int) -> BegunParts:
    """What of a tournament has begun and so cannot change."""
    opens = document.entry.opens
    begun = {
        name: sum(each.started for each in stage.rounds.values())
        for name, stage in state.stages.items()
        if stage.lots or stage.last_round or any(each.started for each in stage.rounds.values())
    }
    names = [plan.name for plan in document.stages]
    over = [name for name in names if name in begun and timetable.find_stage_state(state, document, name) == "over"]
    pauses = sum(begin <= at for begin, _ in document.pauses)
    entered = bool(state.entrants) or (opens is not None and opens <= at)
    return BegunParts(entered, state.closed_at is not None, begun, pauses, over)


def _compare(row: TournamentRow, state: TournamentState, document: TournamentDocument) -> tuple[Difference, ...]:
    old = load_document(json.loads(row.document))
    return describe_differences(old, document, find_begun(state, old, now()))


def apply_tournament(
    player: PlayerRow, document: TournamentDocument, if_match: str | None, _config: Config
) -> TournamentRow:
    """Make the tournament of a document, or bring it up to the document; what has begun cannot change.

    `if_match` is the etag of the plan that the player has seen; only for a new tournament it may be missing.
    """
    with write_transaction():
        # Two who apply at once come one after the other, and the second finds what the first made.
        wait_for_lock(LOCK)
        if document.repeat is not None:
            return _apply_occurrences(player.id, document, if_match)
        row = find_own(player.id, document.name)
        if row is None:
            if if_match is not None and if_match != find_etag(None):
                raise Problem("conflict", msg("tournaments.plan_changed"))
            return _create_tournament(player.id, document)
        if row.document_hash == document.hash:
            return row
        return _change_tournament(row.id, player.id, document, if_match)


def _apply_occurrences(player: str, document: TournamentDocument, if_match: str | None) -> TournamentRow:
    """Make or change every tournament to come of a document that repeats, inside a transaction; the next of them."""
    found = find_occurrences(player, document)
    rows = [find_own(player, each.name) for each in found]
    changes = any(
        row is not None and row.document_hash != each.document.hash for each, row in zip(found, rows, strict=True)
    )
    if if_match != find_series_etag(player, found) and (changes or if_match is not None):
        raise Problem("conflict", msg("tournaments.plan_changed"))
    made = []
    for each, row in zip(found, rows, strict=True):
        if row is None:
            made.append(_create_tournament(player, each.document))
        elif row.document_hash != each.document.hash:
            made.append(_change_tournament(row.id, player, each.document, find_etag(row)))
        else:
            made.append(row)
    return made[0]


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
        "document": rfc8785.dumps(dict(document.canonical)).decode(),
        "document_hash": document.hash,
        "opens_at": document.entry.opens,
        "closes_at": document.entry.closes,
    }


def _store_document(tournament: str, document: TournamentDocument, at: int) -> None:
    text = rfc8785.dumps(dict(document.canonical)).decode()
    TournamentDocumentRow.insert(
        tournament=tournament, hash=document.hash, document=text, at=at
    ).on_conflict_ignore().execute()


def _change_tournament(
    tournament: str, player: str, document: TournamentDocument, if_match: str | None
) -> TournamentRow:
    with lock_tournament(tournament) as row:
        if row.state in {OVER, CANCELLED}:
            raise Problem("conflict", msg("tournaments.has_ended"))
        state = load_state(tournament)
        differences = _compare(row, state, document)
        fixed = [each for each in differences if not each.allowed]
        if fixed:
            changes = [{"path": each.path, "before": each.before, "after": each.after} for each in fixed]
            raise Problem(
                "conflict", msg("tournaments.begun", paths=", ".join(each.path for each in fixed)), changes=changes
            )
        if any(each.path.startswith("/organisers") for each in differences) and row.owner != player:
            raise Problem("forbidden", msg("tournaments.only_maker"))
        if if_match != find_etag(row):
            raise Problem("conflict", msg("tournaments.plan_changed"))
        _store_document(tournament, document, now())
        for name, value in _document_columns(document).items():
            setattr(row, name, value)
        row.next_at = now()
        write_lines(row, [DocumentLine(document.hash)], now())
        write_rounds(row, load_state(tournament), document)
        if row.is_dirty():
            row.save(only=row.dirty_fields)
        return row


def cancel_matches(job: Job[CancelMatches], _config: Config) -> None:
    """The job of a tournament that was cancelled: its matches that have not started are cancelled. Safe to repeat."""
    state = load_state(job.payload.tournament)
    rounds = [each for stage in state.stages.values() for each in stage.rounds.values() if not each.started]
    matches = [pair.id for each in rounds for pair in each.pairs]
    for part in batched(matches, MOST_CANCELLED):
        cancel_unstarted_matches(part)
