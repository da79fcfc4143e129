"""Decisions of the house: lines that an organiser, or the operator, writes into the log of a running match."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from engine.game import HOUSE, Action
from engine.house import BotTakes, End, Pause, PlayerTakes, Resume, refusal
from engine.notation import NotALine
from engine.reading import read
from service.config import Config
from service.db.connection import db, rows, run
from service.db.models import Match, Player
from service.events.log import Event, write
from service.jobs import outbox_nudge as nudge
from service.matches import join as seating
from service.matches import organisers as organise
from service.matches.create import check_room
from service.matches.substitutes import RESET
from service.play import access
from service.play.accept import table_of
from service.play.match_log import Moved, Row, append, entry
from service.play.time_control import DAY
from service.problems import Problem
from service.record.table import Table
from service.timestamps import now, rfc3339

TRIES = 20
MORE_TIME = "more-time"
FURTHEST = 366 * DAY
FORMS = ("pause WHY", "resume", "end WHY [SCORE…]", "bot SEAT NAME", "seat SEAT PLAYER [KEYS]")
VERBS = tuple(form.split(" ", 1)[0] for form in FORMS)
RESERVED = frozenset(("agreed", "resign", "too-long", "timeout", "outage", "bounce", MORE_TIME))
"""Reasons that say what happened without a decision: nobody may claim them."""
SHORT_SEAT = 3
"""How many words a `seat` line has that leaves the keys to us."""
LATER = (
    "update seat set due_at = ?, since = since + ?, reminded = '' "
    "where match = ? and seat = ? and asked = ? and due_at = ?"
)


Also = Callable[[Table, Action[Any]], None]
"""What is written besides the entries, in their transaction."""
Made = Callable[[Table], tuple[tuple[Action[Any], ...], Also]]
"""What to write, given the table as it stands."""


@dataclass(frozen=True)
class Decided:
    """What was written: the lines, and the head of the log after them."""

    match: str
    lines: tuple[str, ...]
    seq: int
    hash: str
    at: int


@dataclass(frozen=True)
class Desk:
    """Who decides about a match: its organiser, or the operator where no organiser is named."""

    match: Match
    organiser: str | None
    config: Config

    def decide(self, line: str) -> Decided:
        """Write one line of the house, if it may be written now."""
        return self._written(lambda table: ((self._read(table, line),), self._seated))

    def extend(self, seat: int, due: int) -> Decided:
        """Give a seat until then for its answer; a deadline is never brought forward."""

        def made(table: Table) -> tuple[tuple[Action[Any], ...], Also]:
            asked, old = self._deadline(table, seat, due)
            pause = Pause(MORE_TIME)
            _check(table, pause)
            # Paused and resumed in one moment: the question stands as it stood, and the log says that time was given.
            return (pause, Resume()), partial(_moved, seat=seat, asked=asked, old=old, due=due)

        return self._written(made)

    def _written(self, made: Made) -> Decided:
        for _ in range(TRIES):
            table = table_of(self.match.id)
            if table.state.over:
                raise Problem("match-over", "The match is over; nothing is left to decide.")
            actions, also = made(table)
            at, after = max(now(), table.at), table
            entries: list[Row] = []
            for action in actions:
                row, after = entry(after, HOUSE, action, "house", at)
                entries.append(row)
            try:
                append(table, entries, after, partial(_also, table, after, actions[0], also))
            except Moved:
                continue
            db.after_commit(lambda: nudge.resolve(self.match.id))
            return Decided(self.match.id, tuple(action.line for action in actions), after.seq, after.hash, at)
        raise Problem("not-now", "Too much happens at this table; try again.", retry_after=1)

    def _read(self, table: Table, line: str) -> Action[Any]:
        words = line.split(" ")
        if words[0] not in VERBS:
            raise Problem("not-canonical", f"The house decides by {', '.join(f'`{form}`' for form in FORMS)}.")
        if words[0] == "seat" and len(words) == SHORT_SEAT:
            line = f"{line} {seating.keys_of(words[2])}"
        try:
            action = read(table.facts.game, line, HOUSE)
        except NotALine as error:
            raise Problem("not-canonical", f"{line}: {error}.", line=line) from None
        _check(table, action)
        if isinstance(action, Pause | End) and action.why in RESERVED:
            raise Problem("conflict", f"`{action.why}` says what happens without a decision; give another reason.")
        if isinstance(action, BotTakes):
            _bot(table, action)
        if isinstance(action, PlayerTakes):
            self._consents(table, action)
        return action

    def _consents(self, table: Table, action: PlayerTakes) -> None:
        """Refuse to seat somebody who did not agree to it, or who cannot play there."""
        player = action.player
        if player == self.match.arbiter:
            raise Problem("forbidden", organise.OWN_TABLE)
        if table.seat_of(player) is not None:
            raise Problem("conflict", "This player has a seat in the match.")
        if table.facts.header.places[action.seat].player != player:
            # Who had this very seat at the start agreed to it then.
            organise.allow(self.organiser or self.match.arbiter or self.match.created_by, self.match.id, player)
        if not Player.select().where((Player.id == player) & Player.deleted_at.is_null()).exists():
            raise Problem("conflict", "This player has left.")
        keys = set(seating.keys_of(player).split(","))
        if not set(action.keys.split(",")) <= keys:
            raise Problem("conflict", "Name keys that this player has now, or leave them out.")
        if table.facts.signed_only and action.keys == "-":
            raise Problem("conflict", "This match takes signed moves only, and the player has no key.")

    def _seated(self, table: Table, action: Action[Any]) -> None:
        """What belongs to a line besides the entry: somebody who sits down begins with a clean sheet."""
        if isinstance(action, PlayerTakes):
            check_room(action.player, table.facts.id, self.config)
            run(RESET, seating.EXCUSES, table.facts.id, action.seat)

    def _deadline(self, table: Table, seat: int, due: int) -> tuple[int, int]:
        """Question and deadline of a seat whose clock runs, if this is a later time for it."""
        found = rows("select asked, due_at from seat where match = ? and seat = ?", table.facts.id, seat)
        if not found:
            raise Problem("invalid", "There is no such seat.", errors=[{"field": "seat", "reason": "no such seat"}])
        asked, old = found[0]
        question = table.questions[seat]
        if question is None or asked is None or old is None:
            raise Problem("conflict", "No clock runs for this seat now.")
        if asked != question.asked:
            raise Problem("not-now", "The table is just moving on; try again.", retry_after=1)
        if not old <= due <= now() + FURTHEST:
            reason = f"not before {rfc3339(old)}, and within a year"
            raise Problem(
                "invalid", "A deadline is never brought forward.", errors=[{"field": "due", "reason": reason}]
            )
        return asked, old


def desk(match_id: str, organiser: str, config: Config) -> Desk:
    """The desk of an organiser; only theirs."""
    match = access.find(match_id, organiser)
    if match.arbiter != organiser:
        raise Problem("forbidden", "Only the organiser of this match may decide about it.")
    return Desk(match, organiser, config)


def operators_desk(match_id: str, config: Config) -> Desk:
    """The desk of whoever runs the service."""
    match = Match.get_or_none(Match.id == match_id)
    if match is None:
        raise Problem("not-found", f"There is no match {match_id}.")
    return Desk(match, None, config)


def _check(table: Table, action: Action[Any]) -> None:
    why = refusal(table.state, HOUSE, action)
    if why:
        raise Problem("conflict", f"{action.line}: {why}.")


def _bot(table: Table, action: BotTakes) -> None:
    bots = table.facts.game.bots
    if action.name not in bots:
        raise Problem("conflict", f"There is no bot {action.name} here; there are {', '.join(bots)}.")
    if table.bots[action.seat] == action.name:
        raise Problem("conflict", f"The bot {action.name} plays seat {action.seat} already.")


def _also(before: Table, after: Table, action: Action[Any], also: Also) -> None:
    also(before, action)
    people = {player: seat for table in (before, after) for seat, player in enumerate(table.players) if player}
    write(Event(player, after.facts.id, seat, before.seq + 1, "match.decided") for player, seat in people.items())


def _moved(table: Table, _action: Action[Any], *, seat: int, asked: int, old: int, due: int) -> None:
    if run(LATER, due, due - old, table.facts.id, seat, asked, old) != 1:
        raise Moved(table.facts.id)
