"""Tools of organisers besides rulings: messages to all, bounced addresses, matches to decide."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from peewee import ModelSelect

from engine.words import Locale
from service import ids, shapes
from service.db.batches import batched
from service.db.models.accounts import PlayerRow
from service.db.models.tournaments import EntrantRow, PairingRow, TournamentMessageRow, TournamentRow
from service.i18n.catalogue import msg
from service.jobs.queue import BULK, NewJob
from service.matches.paired_matches import is_waiting_for_decision
from service.play.match_loader import load_match_state
from service.play.views import Viewer
from service.problems import Problem, invalid_field_problem
from service.timestamps import DAY, now
from service.tournaments.formats.log_lines import is_bot
from service.tournaments.formats.tournament_state import PRESENT
from service.tournaments.job_payloads import OrganiserMessageLetter
from service.tournaments.rounds import timetable
from service.tournaments.rounds.rounds import StepContext, queue_jobs
from service.tournaments.tournament_store import check_organiser, lock_tournament

MESSAGES_A_DAY = 2
MOST_TEXT = 4_000


class MessageSent(shapes.Shape):
    """Outcome of a message."""

    id: str = shapes.ident("The message.", shapes.MATCH_ID)
    at: int = shapes.timestamp("When it was sent.")
    letters: int = shapes.number("How many letters go out.", 23)
    muted: int = shapes.number("How many entrants get none, because they muted letters.", 1)
    left_today: int = shapes.number("How many messages are left for these 24 hours.", 1)


@dataclass(frozen=True)
class OpenDecision:
    """A match that is paused because its time is over. After `until`, the current scores count."""

    match: str
    stage: str
    round: int
    until: int
    players: tuple[str, ...]
    sort_key: tuple[int, int, str]
    """Place in the list: stage, round, match."""


def send_message(author: str, tournament: str, text: str) -> MessageSent:
    """Send plain text to everybody who is in or waiting, at most twice a day. Muted players get none."""
    words = "\n".join("".join(sign for sign in line if sign.isprintable()).rstrip() for line in text.splitlines())
    if not words.strip() or len(words) > MOST_TEXT:
        raise invalid_field_problem("text", msg("rulings.message_text", most=MOST_TEXT))
    with lock_tournament(tournament) as row:
        check_organiser(row, author)
        at = now()
        recent = (TournamentMessageRow.tournament == tournament) & (TournamentMessageRow.at > at - DAY)
        sent = TournamentMessageRow.select().where(recent).count()
        if sent >= MESSAGES_A_DAY:
            raise Problem("limit-reached", msg("rulings.too_many_messages", most=MESSAGES_A_DAY))
        message = TournamentMessageRow.create(
            id=ids.new_id(), tournament=tournament, author=author, at=at, text=words.strip()
        )
        present = (EntrantRow.tournament == tournament) & EntrantRow.status.in_(PRESENT)
        people = [each.player for each in EntrantRow.select(EntrantRow.player).where(present)]
        wanting = _list_who_want_letters(people)
        jobs = [_message_letter(tournament, message.id, player) for player in wanting]
        queue_jobs(jobs)
    muted, left_today = len(people) - len(jobs), MESSAGES_A_DAY - sent - 1
    return MessageSent(id=message.id, at=at, letters=len(jobs), muted=muted, left_today=left_today)


def _list_who_want_letters(people: list[str]) -> list[str]:
    wanting: list[str] = []
    for part in batched(people):
        some = PlayerRow.id.in_(part) & PlayerRow.deleted_at.is_null()
        reached = some & (PlayerRow.letters != "none") & PlayerRow.address.is_null(is_null=False)
        wanting += [row.id for row in PlayerRow.select(PlayerRow.id).where(reached).order_by(PlayerRow.id)]
    return wanting


def _message_letter(tournament: str, message: str, player: str) -> NewJob:
    letter = OrganiserMessageLetter(tournament=tournament, player=player, message=message)
    return NewJob(letter, f"{letter.kind}:{message}:{player}", rank=BULK)


def select_unreachable(tournament: str) -> ModelSelect[PlayerRow]:
    """Return a query for entrants whose emails bounced so often that none are sent: id and name only."""
    present = EntrantRow.select(EntrantRow.player).where(
        (EntrantRow.tournament == tournament) & EntrantRow.status.in_(PRESENT)
    )
    bounced = PlayerRow.id.in_(present) & PlayerRow.bounced_at.is_null(is_null=False) & PlayerRow.deleted_at.is_null()
    return PlayerRow.select(PlayerRow.id, PlayerRow.name).where(bounced).order_by(PlayerRow.name, PlayerRow.id)


def list_open_decisions(row: TournamentRow, after: tuple[Any, ...] | None = None) -> Iterator[OpenDecision]:
    """Yield the matches that wait for an organiser's decision: all of them, or those after a `sort_key`."""
    loaded = StepContext.of(row)
    for place, plan in enumerate(loaded.document.stages):
        if plan.end.then != timetable.ADJUDICATE:
            continue
        for number, each in sorted(loaded.state.stages[plan.name].rounds.items()):
            ends_at = loaded.timetable.end_of(plan, each)
            if ends_at is None or ends_at > now() or each.over:
                continue
            for match in sorted(pair.id for pair in each.unfinished()):
                sort_key = (place, number, match)
                if (after is None or sort_key > after) and is_waiting_for_decision(match):
                    until = ends_at + timetable.ADJUDICATION
                    yield OpenDecision(match, plan.name, number, until, _players_of(match), sort_key)


def _players_of(match: str) -> tuple[str, ...]:
    seats = json.loads(PairingRow.get_by_id(match).seats)
    return tuple(player for player in seats if not is_bot(player))


def describe_public_table(match: str, locale: Locale) -> str:
    """Return a match's table in words, as somebody without a seat sees it."""
    viewer = Viewer(load_match_state(match), None, locale)
    write = viewer.game.presentation.prose or viewer.game.presentation.text
    return write(viewer.view(), locale)
