"""Letting a new device play by the signature of an older one, in all matches of a player at once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from service.db.models.matches import MatchRow, SeatRow
from service.i18n.catalogue import msg
from service.play import accept, seat_keys, submissions
from service.play.match_loader import load_match_state_at
from service.play.match_log import select_entries
from service.play.submissions import Submission, SubmissionResult
from service.problems import Problem, invalid_field_problem
from service.record.header import key_ids
from service.record.match_state import MatchState
from service.record.proved_keys import ProvedKeys

SEAT_CHANGES = (
    "match = ? and seq <= ? and (line like ? or line like ? or line like ?) "
    "and (key is not null or seat = -2) order by seq"
)
SEAT_CHANGE_FORMS = ("keys %", "seat %", "bot %")


@dataclass(frozen=True)
class Approval:
    """Line that an older key signs so that a new one may play at a seat."""

    match: MatchRow
    match_state: MatchState
    seat: int
    line: str
    signers: tuple[str, ...]
    """Keys of the seat whose signature proves the new one."""
    waiting: int
    """Number of the seat's orders that this line would cancel."""


def list_approvals(player: str, key: str, after: tuple[Any, ...] | None = None) -> Iterator[Approval]:
    """Yield the lines left to sign for this key, one per running match in which it is not proved.

    With `after`, the start and id of a match, yield later matches only.
    """
    for match in running_matches(player):
        if after is not None and (match.started_at, match.id) <= after:
            continue
        match_state = load_match_state_at(match.id, match.head_seq, match.head_hash)
        seat = match_state.seat_of(player)
        if seat is None or match_state.state.over:
            continue
        proved, ids = proved_keys(match_state), match_state.keys[seat]
        if key in ids and proved.is_proved(seat, key):
            continue
        signers = tuple(sorted(each for each in {*ids} - {key} if proved.is_proved(seat, each)))
        if signers or match_state.facts.signed_only:
            line = f"keys {seat_keys.keys_with(match_state, seat, key)}"
            waiting = len(submissions.list_waiting_lines(match.id, seat))
            yield Approval(match, match_state, seat, line, signers, waiting)


def running_matches(player: str) -> list[MatchRow]:
    """Return the player's running matches, oldest first."""
    own = MatchRow.id.in_(SeatRow.select(SeatRow.match).where(SeatRow.player == player))
    return list(
        MatchRow.select().where(own & (MatchRow.status == "running")).order_by(MatchRow.started_at, MatchRow.id)
    )


def proved_keys(match_state: MatchState) -> ProvedKeys:
    """Return the proved keys of each player, as a verifier of the record would find them."""
    proved = ProvedKeys([place.key_ids for place in match_state.facts.header.places])
    for entry in select_entries(SEAT_CHANGES, match_state.facts.id, match_state.seq, *SEAT_CHANGE_FORMS):
        verb, *words = entry.line.split(" ")
        if verb == "keys" and entry.key is not None:
            proved.sign_for(entry.seat, entry.key, key_ids(words[0]))
        elif verb == "seat":
            proved.take_seat(int(words[0]), key_ids(words[2]))
        elif verb == "bot":
            proved.take_seat(int(words[0]), ())
    return proved


def approve_key(player: str, match: str, key: str, sent: Submission) -> SubmissionResult:
    """Make the `keys` line in which another key of the seat approves this one."""
    verb, _, keys = sent.lines[0].partition(" ")
    if verb != "keys" or key not in keys.split(","):
        raise invalid_field_problem("line", msg("matches.approval_names_key", key=key))
    if sent.key == key:
        raise Problem("not-your-key", msg("matches.approval_by_itself"))
    return accept.accept(match, player, sent)
