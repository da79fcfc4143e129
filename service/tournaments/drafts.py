"""Drafts of tournaments: what an organiser has planned so far, one for each player, kept until it is published."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from datetime import datetime
from zoneinfo import ZoneInfo

from engine.games import EXAMPLE
from service.config import Config
from service.db.connection import write_transaction
from service.db.models.accounts import PlayerRow
from service.db.models.tournaments import TournamentDraftRow, TournamentRow
from service.timestamps import now
from service.tournaments.documents.document import BadDocument, DocumentFault, read_document
from service.tournaments.documents.simple_document import Answers, read_answers, suggest_name, write_document
from service.tournaments.lifecycle import TournamentPlan, document_context, find_own, plan_tournament
from service.tournaments.tournament_caches import document_of

MOST_NAMES = 100


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


def copy_tournament(player: PlayerRow, row: TournamentRow) -> TournamentDraft:
    """Return a draft like an earlier tournament with new times; one the wizard cannot make is kept as its document."""
    document = document_of(row)
    title = document.title.get(player.language) or next(iter(document.title.values()), row.name)
    answers = read_answers(document.canonical, _start_answers(player), title)
    if answers is None:
        renamed = {**document.canonical, "tournament": _find_free_name(player, row.name)}
        return replace(load_draft(player), document=json.dumps(renamed, ensure_ascii=False, indent=2))
    return TournamentDraft(answers)


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
