"""Drafts of tournaments: what an organiser has planned so far, one for each player, kept until it is published."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from engine.games import EXAMPLE
from service.config import Config
from service.db.connection import write_transaction
from service.db.models.accounts import PlayerRow
from service.db.models.tournaments import TournamentDraftRow, TournamentRow
from service.i18n.catalogue import msg
from service.problems import Problem
from service.timestamps import now
from service.tournaments.documents.document import BadDocument, DocumentFault, read_document
from service.tournaments.documents.simple_document import (
    Answers,
    read_answers,
    read_times,
    suggest_name,
    write_document,
)
from service.tournaments.lifecycle import TournamentPlan, document_context, find_own, plan_tournament
from service.tournaments.tournament_caches import document_of

MOST_NAMES = 100
ANSWERED = frozenset({"tournament", "game", "zone", "clock", "entry", "stages"})
"""Keys of a document that the answers of the wizard write."""
NOT_COPIED = frozenset({"pauses", "organisers", "arbiters"})
"""Keys that a copy of a tournament does not take over: times, and people who have not been asked."""


@dataclass(frozen=True)
class TournamentDraft:
    """The answers of an organiser, and the text of the document if it was edited by hand."""

    answers: Answers
    document: str = ""

    def write(self, player: PlayerRow) -> str:
        """Return the document: the edited one, or that of the answers with a name that is still free."""
        if self.document:
            return self.document
        return write_document(self.answers, _find_free_name(player, suggest_name(self.answers.title)), player.zone)


def _find_free_name(player: PlayerRow, wanted: str) -> str:
    """Return this name, or with a number after it if the player has a tournament of this name."""
    names = (wanted, *(f"{wanted}-{number}" for number in range(2, MOST_NAMES)))
    return next((name for name in names if find_own(player.id, name) is None), wanted)


def load_draft(player: PlayerRow) -> TournamentDraft:
    """Return the draft of a player, or a new one with the usual answers."""
    row = TournamentDraftRow.get_or_none(TournamentDraftRow.player == player.id)
    if row is None:
        return TournamentDraft(_start_answers(player))
    return TournamentDraft(Answers.from_json(row.answers), row.document)


def _start_answers(player: PlayerRow) -> Answers:
    return Answers.start(datetime.fromtimestamp(now() / 1000, ZoneInfo(player.zone)), EXAMPLE)


def save_draft(player: PlayerRow, draft: TournamentDraft) -> None:
    """Keep the draft of a player in place of the one before."""
    columns = {"answers": draft.answers.to_json(), "document": draft.document, "at": now()}
    with write_transaction():
        TournamentDraftRow.insert(player=player.id, **columns).on_conflict(
            conflict_target=[TournamentDraftRow.player], update=columns
        ).execute()


def drop_draft(player: PlayerRow) -> None:
    """Delete the draft of a player."""
    with write_transaction():
        TournamentDraftRow.delete().where(TournamentDraftRow.player == player.id).execute()


def copy_tournament(player: PlayerRow, row: TournamentRow, config: Config) -> TournamentDraft:
    """Return a draft like an earlier tournament with new times; one the wizard cannot make is kept as its document."""
    document, title = document_of(row), _title_for(player, row)
    name = _find_free_name(player, row.name)
    again = _read_again(player, row, config)
    answers = read_answers(document.canonical, _start_answers(player), title)
    if again is None or answers is None:
        renamed = {**document.canonical, "tournament": name}
        return replace(load_draft(player), document=json.dumps(renamed, ensure_ascii=False, indent=2))
    more = {key: value for key, value in again.more.items() if key not in NOT_COPIED}
    if not more:
        return TournamentDraft(answers)
    return TournamentDraft(answers, write_document(answers, name, document.zone, more))


def edit_tournament(player: PlayerRow, row: TournamentRow, config: Config) -> TournamentDraft:
    """Return a draft that changes a tournament: its document in force, as short as possible.

    Raise `Problem` if this player would change another tournament by that name.
    """
    found, document = find_own(player.id, row.name), document_of(row)
    if found is None or found.id != row.id:
        raise Problem("conflict", msg("organise.same_name"))
    again = _read_again(player, row, config)
    text = json.dumps(document.canonical, ensure_ascii=False, indent=2)
    if again is not None:
        text = write_document(again.answers, row.name, document.zone, again.more)
    return replace(load_draft(player), document=text)


@dataclass(frozen=True)
class _WrittenAgain:
    """Answers that make the document of a tournament, with the values of keys that no answer is about."""

    answers: Answers
    more: Mapping[str, Any]


def _read_again(player: PlayerRow, row: TournamentRow, config: Config) -> _WrittenAgain | None:
    """Return the answers from which the document of a tournament can be written again, or None if there are none."""
    document = document_of(row)
    answers = read_answers(document.canonical, _start_answers(player), _title_for(player, row))
    if answers is None:
        return None
    answers = replace(answers, **read_times(document.canonical, ZoneInfo(document.zone)))
    context, more = document_context(player, config), dict[str, Any]()
    for _ in range(2):
        try:
            made = read_document(write_document(answers, row.name, document.zone, more).encode(), context).canonical
        except BadDocument:
            return None
        keys = [key for key in document.canonical if made.get(key) != document.canonical[key]]
        if not keys:
            return _WrittenAgain(answers, more)
        if more or not made.keys() <= document.canonical.keys() or not ANSWERED.isdisjoint(keys):
            return None
        more = {key: document.canonical[key] for key in keys}
    return None


def _title_for(player: PlayerRow, row: TournamentRow) -> str:
    titles = document_of(row).title
    return titles.get(player.language) or next(iter(titles.values()), row.name)


@dataclass(frozen=True)
class DraftPlan:
    """Plan of a draft, or its faults."""

    text: str
    plan: TournamentPlan | None = None
    faults: tuple[DocumentFault, ...] = ()


def plan_draft(player: PlayerRow, draft: TournamentDraft, config: Config) -> DraftPlan:
    """Return the plan of a draft, or its faults."""
    text = draft.write(player)
    try:
        document = read_document(text.encode(), document_context(player, config))
    except BadDocument as bad:
        return DraftPlan(text, faults=bad.faults)
    return DraftPlan(text, plan_tournament(player, document, config))
