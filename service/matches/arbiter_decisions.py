"""Arbiter decisions: log entries written by an organiser or the operator."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from engine.game import HOUSE, AnyAction
from engine.house import BotTakes, End, Pause, PlayerTakes, Resume, refusal
from engine.notation import NotALine
from engine.reading import read
from service.config import Config
from service.db.log_writer import HeadMoved
from service.db.models.accounts import PlayerRow
from service.db.models.matches import MatchRow, SeatRow
from service.events.log import Event, write_events
from service.i18n.catalogue import msg
from service.matches import join, organisers
from service.matches.substitutes import reset_seat
from service.play import access
from service.play.match_log import AdditionOr, LogAddition, append_to_match, next_entries
from service.problems import Problem, invalid_fields_problem
from service.record.match_state import MatchState
from service.timestamps import DAY, now, rfc3339

MORE_TIME = "more-time"
FURTHEST_DEADLINE = 366 * DAY
VERBS = ("pause", "resume", "end", "bot", "seat")
RESERVED = frozenset(
    ("agreed", "resign", "too-long", "timeout", "outage", "bounce", "tournament", "adjudication", MORE_TIME)
)
"""Reasons that describe an event, not a decision. An arbiter may not use them."""
SHORT_SEAT = 3
"""Number of words in a `seat` line that leaves the choice of keys to the server."""

ExtraWrites = Callable[[MatchState, AnyAction], None]
"""Writes the other rows of a decision, in the same transaction."""
DecideActions = Callable[[MatchState], tuple[tuple[AnyAction, ...], ExtraWrites]]
"""Returns the actions to write for the current match state, and the extra writes."""


@dataclass(frozen=True)
class Decision:
    """The lines written by a decision, and the log's head after them."""

    match: str
    lines: tuple[str, ...]
    seq: int
    hash: str
    at: int


@dataclass(frozen=True)
class Arbiter:
    """Decides about a match: its organiser, or the operator if the match has none."""

    match: MatchRow
    organiser: str | None
    config: Config

    def decide(self, line: str) -> Decision:
        """Write one arbiter line if it is allowed now."""
        return self._write(lambda match_state: ((self._parse(match_state, line),), self._reset_seat))

    def extend(self, seat: int, due: int) -> Decision:
        """Move the deadline of a seat to `due`, never to an earlier time."""

        def pause_and_resume(match_state: MatchState) -> tuple[tuple[AnyAction, ...], ExtraWrites]:
            asked, old = self._check_deadline(match_state, seat, due)
            pause = Pause(MORE_TIME)
            _check_allowed(match_state, pause)
            # Paused and resumed at once, so that the question stays unchanged and the log shows the added time.
            return (pause, Resume()), partial(_move_deadline, seat=seat, asked=asked, old=old, due=due)

        return self._write(pause_and_resume)

    def _write(self, choose_actions: DecideActions) -> Decision:
        def decide(match_state: MatchState) -> AdditionOr[Decision]:
            if match_state.state.over:
                raise Problem("match-over", msg("matches.nothing_to_decide"))
            actions, also = choose_actions(match_state)
            entries, after = next_entries(match_state, [(HOUSE, action) for action in actions])
            lines = tuple(action.line for action in actions)
            decision = Decision(self.match.id, lines, after.seq, after.hash, after.at)
            write = partial(_write_with_events, match_state, after, actions[0], also)
            return LogAddition(match_state, entries, after, decision, write)

        return append_to_match(self.match.id, decide)

    def _parse(self, match_state: MatchState, line: str) -> AnyAction:
        words = line.split(" ")
        if words[0] not in VERBS:
            raise Problem("not-canonical", msg("matches.house_forms"))
        if words[0] == "seat" and len(words) == SHORT_SEAT:
            line = f"{line} {join.active_keys(words[2])}"
        try:
            action = read(match_state.facts.game, line, HOUSE)
        except NotALine as error:
            raise Problem(
                "not-canonical", msg("matches.line_refused", line=line, why=error.reason), line=line
            ) from None
        if isinstance(action, BotTakes):
            action = _choose_bot(match_state, action)
        _check_allowed(match_state, action)
        if self.match.pairing is not None and isinstance(action, End | PlayerTakes):
            raise Problem("conflict", msg("matches.paired_decision"))
        if isinstance(action, Pause | End) and action.why in RESERVED:
            raise Problem("conflict", msg("matches.reserved_reason", why=action.why))
        if isinstance(action, PlayerTakes):
            self._check_consent(match_state, action)
        return action

    def _check_consent(self, match_state: MatchState, action: PlayerTakes) -> None:
        """Refuse to seat a player who has not agreed or cannot play here."""
        player = action.player
        if player == self.match.arbiter:
            raise Problem("forbidden", organisers.ORGANISER_CANNOT_PLAY)
        if match_state.seat_of(player) is not None:
            raise Problem("conflict", msg("matches.player_is_seated"))
        if match_state.facts.header.places[action.seat].player != player:
            # A player who had this seat at the start gave their consent then.
            organisers.check_consent(
                self.organiser or self.match.arbiter or self.match.created_by, self.match.id, player
            )
        if not PlayerRow.select().where((PlayerRow.id == player) & PlayerRow.deleted_at.is_null()).exists():
            raise Problem("conflict", msg("matches.player_has_left"))
        keys = set(join.active_keys(player).split(","))
        if not set(action.keys.split(",")) <= keys:
            raise Problem("conflict", msg("matches.keys_of_player"))
        if match_state.facts.signed_only and action.keys == "-":
            raise Problem("conflict", msg("matches.player_has_no_key"))

    def _reset_seat(self, match_state: MatchState, action: AnyAction) -> None:
        """Reset the seat if this action gives it to a new player."""
        if isinstance(action, PlayerTakes):
            reset_seat(match_state.facts.id, action.seat, action.player, self.config)

    def _check_deadline(self, match_state: MatchState, seat: int, due: int) -> tuple[int, int]:
        """Return the question and deadline of a seat. Refuse an earlier time and a seat whose clock is not running."""
        row = SeatRow.get_or_none((SeatRow.match == match_state.facts.id) & (SeatRow.seat == seat))
        if row is None:
            raise Problem("invalid", msg("matches.no_such_seat"), errors=[{"field": "seat", "reason": "no such seat"}])
        asked, old = row.asked, row.due_at
        question = match_state.questions[seat]
        if question is None or asked is None or old is None:
            raise Problem("conflict", msg("matches.no_clock_runs"))
        if asked != question.asked:
            raise Problem("not-now", msg("matches.table_moves_on"), retry_after=1)
        if not old <= due <= now() + FURTHEST_DEADLINE:
            reason = msg("matches.deadline_window", earliest=rfc3339(old))
            raise invalid_fields_problem(msg("matches.deadline_earlier", window=reason), due=reason)
        return asked, old


def arbiter_for_organiser(match_id: str, organiser: str, config: Config) -> Arbiter:
    """Return the arbiter for the match's organiser. Refuse everybody else."""
    match = access.find_match(match_id, organiser)
    if match.arbiter != organiser:
        raise Problem("forbidden", msg("matches.only_organiser_decides"))
    return Arbiter(match, organiser, config)


def arbiter_for_operator(match_id: str, config: Config) -> Arbiter:
    """Return the operator as arbiter. Any match is allowed."""
    match = MatchRow.get_or_none(MatchRow.id == match_id)
    if match is None:
        raise Problem("not-found", msg("matches.no_match_with_id", match=match_id))
    return Arbiter(match, None, config)


def _check_allowed(match_state: MatchState, action: AnyAction) -> None:
    why = refusal(match_state.state, HOUSE, action)
    if why:
        raise Problem("conflict", msg("matches.line_refused", line=action.line, why=why))


def _choose_bot(match_state: MatchState, action: BotTakes) -> BotTakes:
    """Return the action with the latest version of its bot. Refuse an unknown bot, and one that already plays there."""
    bots = match_state.facts.game.bots
    if not bots.knows(action.name):
        raise Problem("conflict", msg("matches.no_bot_but_others", bot=action.name, bots=", ".join(bots.by_name)))
    name = bots.current(action.name)
    if action.seat < match_state.facts.seats and match_state.bots[action.seat] == name:
        raise Problem("conflict", msg("matches.bot_plays_already", bot=name, seat=action.seat))
    return BotTakes(action.seat, name)


def _write_with_events(before: MatchState, after: MatchState, action: AnyAction, also: ExtraWrites) -> None:
    also(before, action)
    write_decision_events(before, after)


def write_decision_events(before: MatchState, after: MatchState) -> None:
    """Queue the event about a decision for all current players and those just replaced."""
    people = {
        player: seat for match_state in (before, after) for seat, player in enumerate(match_state.players) if player
    }
    write_events(
        Event(player, after.facts.id, seat, before.seq + 1, "match.decided") for player, seat in people.items()
    )


def _move_deadline(match_state: MatchState, _action: AnyAction, *, seat: int, asked: int, old: int, due: int) -> None:
    same = (
        (SeatRow.match == match_state.facts.id)
        & (SeatRow.seat == seat)
        & (SeatRow.asked == asked)
        & (SeatRow.due_at == old)
    )
    later = SeatRow.update(due_at=due, since=SeatRow.since + (due - old), reminded="")
    if later.where(same).execute() != 1:
        raise HeadMoved(match_state.facts.id)
