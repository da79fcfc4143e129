"""Players at tables, for tests that need no HTTP: they sign lines and submit them by the same function as the API."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from engine.game import legal
from service.accounts import players as accounts
from service.accounts import signing_keys
from service.config import Config
from service.db.connection import rows, write_transaction
from service.db.models.accounts import PlayerRow
from service.matches import create, join
from service.play import accept, record_export
from service.play.match_loader import load_match_state
from service.play.notify import make_effects
from service.play.resolve import resolve_match
from service.play.submissions import Submission, SubmissionResult
from service.record.keys import public_key_of, sign
from service.record.match_state import MatchState
from service.record.signed_text import link_to_previous, move_text
from service.record.verify import verify
from service.record.verify.report import Report
from service.record.verify.rules_check import RulesChecker
from service.timestamps import now

SEAT_0_BEGINS = {"keltis": {"start": 0}, "tain": {"first": 0}}
"""Options by game that fix who is asked first."""


@dataclass
class Seated:
    """A player with a key."""

    player: PlayerRow
    private: Ed25519PrivateKey = field(default_factory=Ed25519PrivateKey.generate)

    def submission(self, match_state: MatchState, lines: tuple[str, ...], *, orders: bool = False) -> Submission:
        """Return these lines, signed for the seat's question, or for the head if it has none."""
        seat = match_state.seat_of(self.player.id)
        assert seat is not None
        question = match_state.questions[seat]
        asked, prev = (
            (question.asked, question.prev) if question and not orders else (match_state.seq, match_state.hash)
        )
        signatures: list[str] = []
        for n, line in enumerate(lines, 1):
            tie = link_to_previous(signatures[-1] if signatures else None, orders)
            signatures.append(sign(self.private, move_text(match_state.facts.id, seat, asked, prev, n, tie, line)))
        return Submission(asked, prev, lines, tuple(signatures), public_key_of(self.private).id, orders)

    def send(self, match: str, *lines: str, orders: bool = False) -> SubmissionResult:
        """Submit these lines."""
        return accept.accept(match, self.player.id, self.submission(load_match_state(match), lines, orders=orders))

    def move(self, match: str, number: int = 0) -> SubmissionResult:
        """Make one of the listed lines."""
        match_state = load_match_state(match)
        seat = match_state.seat_of(self.player.id)
        assert seat is not None
        listed = [action.line for action in legal(match_state.state, seat)]
        return self.send(match, listed[number % len(listed)])


def somebody(name: str = "Aoife") -> Seated:
    """Return a new player with a key."""
    made = Ed25519PrivateKey.generate()
    with write_transaction():
        player = accounts.create(name=name, language="en", zone="Europe/Dublin", at=now(), address=None)
        signing_keys.add(player.id, public_key_of(made), "test")
    return Seated(player, made)


def with_seat_0_first(body: dict[str, Any]) -> dict[str, Any]:
    """Return the body of a new match in which seat 0 begins, unless its options say otherwise."""
    return {**body, "options": {**SEAT_0_BEGINS.get(body["game"], {}), **body.get("options", {})}}


def match_of(
    config: Config, *players: Seated, bots: Mapping[int, str] | None = None, game: str = "keltis", moves: str = "any"
) -> str:
    """Return a match that has started, with the players in its first free seats."""
    bots = bots or {}
    free = [seat for seat in range(len(players) + len(bots)) if seat not in bots]
    body = with_seat_0_first({"game": game, "seats": len(players) + len(bots), "moves": moves})
    wanted = create.NewMatch(bots=bots, seat=free[0], **body)
    made = create.create_match(players[0].player, wanted, config)
    for seat, other in zip(free[1:], players[1:], strict=True):
        join.join_match(other.player, made.id, seat, "-", None, config)
    found: str = made.id
    return found


def settle(match: str, config: Config) -> MatchState:
    """Resolve as the worker does."""
    resolve_match(match, make_effects(config), config.most_entries)
    return load_match_state(match)


def log_of(match: str) -> list[tuple[int, str]]:
    """Seat and line of every entry."""
    return [(seat, line) for seat, line in rows("select seat, line from entry where match = ? order by seq", match)]


def verified(match: str) -> Report:
    """Return the report on the whole record, checked with the rules."""
    match_state = load_match_state(match)
    return verify(record_export.export_record(match_state, "all"), rules=RulesChecker())
