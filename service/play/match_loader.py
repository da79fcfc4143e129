"""Loading the state of a match, at its head or at an earlier entry, and caching states in this process.

An earlier position is replayed from the nearest cached one, so that stepping through a log stays cheap.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from engine import snapshot
from engine.chance import match_key
from engine.games import GAMES
from engine.reading import read
from service.bounded_cache import BoundedCache
from service.db.connection import rows
from service.db.secret_encryption import decrypt_secret
from service.i18n.catalogue import msg
from service.play import access
from service.problems import Problem
from service.record.header import read as read_header
from service.record.match_state import MatchInfo, MatchState, Question, initial_match_state

MatchHead = tuple[str, int, str]
"""Status of a match, its last seq and the hash of that entry."""


SELECT_STARTS = (
    "with w(match, upto) as (values {holes}) "
    "select m.id, m.seed, h.body, h.hash, s.seq, s.hash, s.shape, s.state from w join match m on m.id = w.match "
    "join header h on h.match = m.id left join snapshot s on s.match = m.id and s.seq <= w.upto"
)
SELECT_ENTRIES = (
    "with w(match, after_seq, upto) as (values {holes}) select e.match, e.seat, e.line, e.hash, e.at from w "
    "join entry e on e.match = w.match and e.seq > w.after_seq and e.seq <= w.upto order by e.match, e.seq"
)


Positions = BoundedCache[tuple[str, int], MatchState]
"""Earlier positions by the hash of the header and the number of the last entry."""
STRIDE = 64
"""While replaying, every 64th position is kept."""
_newest: BoundedCache[str, MatchState] = BoundedCache(1_000)
"""The newest state of each match that this process has seen."""
_positions: Positions = BoundedCache(512)


def position_at(match_state: MatchState, seq: int, positions: Positions = _positions) -> MatchState:
    """Return the state of this match after an earlier entry, replayed from the nearest position that is kept."""
    if seq == match_state.seq:
        return match_state
    header = match_state.facts.header_hash
    # Looking for a position at each earlier entry costs far less than replaying one entry.
    kept = (positions.get((header, earlier)) for earlier in range(seq, -1, -1))
    state = next(filter(None, kept), None) or initial_match_state(match_state.facts)
    while state.seq < seq:
        state = replay_entries(state, min(seq, state.seq - state.seq % STRIDE + STRIDE))
        if state.seq % STRIDE == 0:
            positions.put((header, state.seq), state)
    positions.put((header, seq), state)
    return state


def requested_position(match_state: MatchState, seq: int) -> MatchState:
    """Return the state after the entry that a reader names. Raise Problem if there is no such entry yet."""
    if seq > match_state.seq:
        raise Problem(
            "invalid",
            msg("play.no_such_entry", last=match_state.seq),
            errors=[{"field": "at", "reason": f"at most {match_state.seq}"}],
        )
    return position_at(match_state, seq)


def head_of(match: str) -> MatchHead:
    """Return status and head of a match."""
    found = rows("select status, head_seq, head_hash from match where id = ?", match)
    if not found:
        raise Problem("not-found", access.NO_SUCH_MATCH)
    status, seq, hash_ = found[0]
    return status, seq, hash_


def load_match_state(match: str) -> MatchState:
    """Return the state of a match that has started."""
    status, seq, hash_ = head_of(match)
    if status not in ("running", "over"):
        raise not_started_problem(status)
    return load_match_state_at(match, seq, hash_)


def not_started_problem(status: str) -> Problem:
    """Return the refusal of a request that needs a log for a match without one."""
    if status == "open":
        return Problem("conflict", msg("play.not_started"))
    return Problem("match-over", msg("play.cancelled"))


def hash_of(match_state: MatchState, seq: int) -> str:
    """Return the hash of an entry, or of the header for 0."""
    if seq == match_state.seq:
        return match_state.hash
    if seq == 0:
        return match_state.facts.header_hash
    found = rows("select hash from entry where match = ? and seq = ?", match_state.facts.id, seq)
    hash_: str = found[0][0]
    return hash_


def load_match_info(match: str) -> MatchInfo:
    """Return the constant facts of a started match, from its row and its header."""
    ((seed, body, hash_),) = rows(
        "select m.seed, h.body, h.hash from match m join header h on h.match = m.id where m.id = ?", match
    )
    return _parse_match_info(match, seed, body, hash_)


def _parse_match_info(match: str, seed: str, body: str, hash_: str) -> MatchInfo:
    header = read_header(body.rstrip("\n").split("\n"))
    raw = bytes.fromhex(decrypt_secret(seed, "match.seed"))
    return MatchInfo(
        id=match,
        game=GAMES[header.game],
        seats=header.seats,
        settings=header.option_values(),
        revision=header.revision,
        signed_only=header.moves == "signed",
        seed=raw,
        key=match_key(raw, header.nonces, header.beacon),
        header=header,
        header_hash=hash_,
    )


def cache_match_state(match_state: MatchState) -> None:
    """Cache the newest state of a match in this process.

    A thread with an older state may win a race. That is harmless, because readers of the cache catch up with the head.
    """
    cached = _newest.get(match_state.facts.id)
    if cached is None or cached.seq < match_state.seq:
        _newest.put(match_state.facts.id, match_state)


def cached_match_state(match: str) -> MatchState | None:
    """Return the newest state of a match that this process has seen. Other processes may have written since."""
    return _newest.get(match)


def forget_match_state(match: str) -> None:
    """Drop the newest state of a match from the cache."""
    _newest.drop(match)


def load_match_state_at(match: str, seq: int, hash_: str) -> MatchState:
    """Return the state of a match at the head that was just read."""
    return load_match_states_at([(match, seq, hash_)])[0]


def load_match_states_at(heads: Sequence[tuple[str, int, str]]) -> list[MatchState]:
    """Return the states of matches at the heads that were just read.

    However many there are, at most two statements run: one for the starting points, one for the entries after them.
    """
    starts = {match: match_state for match, _, _ in heads if (match_state := cached_match_state(match))}
    starts |= _load_starts([(match, seq) for match, seq, _ in heads if match not in starts])
    entries = _entries_after([(starts[match], seq) for match, seq, _ in heads if starts[match].seq < seq])
    return [_catch_up(starts[match], entries.get(match, []), seq, hash_) for match, seq, hash_ in heads]


NEW_ENTRIES = (
    "seat, line, hash, at",
    "(select e.seat, e.line, e.hash, e.at from entry e where e.match = m.id and e.seq > w.known_seq order by e.seq) e",
)
"""Columns and source, for `rows_in_column`, of the entries of match `m` after the seq that table `w` has for it."""


MOST_SEQ = 2**31 - 1
"""Greater than any seq: no entry follows it, so a query for later entries returns none."""


def find_cached_match_states(matches: Collection[str]) -> tuple[dict[str, MatchState], dict[str, int]]:
    """Return the cached states, and for each match the seq of its cached state, or `MOST_SEQ` if it has none."""
    match_states = {match: match_state for match in matches if (match_state := cached_match_state(match))}
    return match_states, {match: match_states[match].seq if match in match_states else MOST_SEQ for match in matches}


def match_states_at_heads(
    match_states: Mapping[str, MatchState], heads: Mapping[str, tuple[int, str, str]]
) -> dict[str, MatchState]:
    """Return the state of each match at its head: the cached one plus the entries that follow it, else loaded.

    `heads` has seq and hash of each head, and as JSON the `NEW_ENTRIES` after the cached state.
    """
    found: dict[str, MatchState] = {}
    unknown: list[tuple[str, int, str]] = []
    for match, (seq, hash_, entries) in heads.items():
        known = match_states.get(match)
        if known is None or known.seq > seq:
            unknown.append((match, seq, hash_))
        else:
            found[match] = _catch_up(known, json.loads(entries) if seq > known.seq else (), seq, hash_)
    if unknown:
        found |= {match_state.facts.id: match_state for match_state in load_match_states_at(unknown)}
    return found


def _load_starts(wanted: Sequence[tuple[str, int]]) -> dict[str, MatchState]:
    """Return for each match the state of its snapshot if it is not after this entry, else the initial state."""
    found: dict[str, MatchState] = {}
    if wanted:
        values = [value for each in wanted for value in each]
        selected = rows(SELECT_STARTS.format(holes=", ".join(["(?, ?)"] * len(wanted))), *values)
        for match, seed, body, header_hash, seq, hash_, shape, state in selected:
            facts = _parse_match_info(match, seed, body, header_hash)
            fits = shape == snapshot.shape(facts.game)  # fails for another version's rules, or if there is no snapshot
            found[match] = _parse_snapshot(facts, seq, hash_, state) if fits else initial_match_state(facts)
    return found


def _entries_after(match_states: Sequence[tuple[MatchState, int]]) -> dict[str, list[tuple[Any, ...]]]:
    """Return the entries that follow each of these states up to a seq, by match."""
    found: dict[str, list[tuple[Any, ...]]] = {}
    if match_states:
        values = [value for match_state, seq in match_states for value in (match_state.facts.id, match_state.seq, seq)]
        for match, *entry in rows(SELECT_ENTRIES.format(holes=", ".join(["(?, ?, ?)"] * len(match_states))), *values):
            found.setdefault(match, []).append(tuple(entry))
    return found


def _catch_up(match_state: MatchState, entries: Sequence[Sequence[Any]], seq: int, hash_: str) -> MatchState:
    """Apply these entries and cache the state. Raise BrokenLog if they do not lead to this hash."""
    if match_state.seq > seq:
        return match_state  # another process has moved since; everything cached here is in the log
    for seat, line, entry_hash, at in entries:
        match_state = match_state.after(seat, read(match_state.facts.game, line, seat), entry_hash, at)
    if match_state.hash != hash_:
        forget_match_state(match_state.facts.id)
        raise BrokenLog(match_state.facts.id, seq)
    cache_match_state(match_state)
    return match_state


class BrokenLog(RuntimeError):
    """The log does not lead to the head of the match; `echtra doctor` says more."""

    def __init__(self, match: str, seq: int) -> None:
        super().__init__(f"match {match}: entry {seq} does not have the hash of the head; run `echtra doctor`")


def replay_entries(match_state: MatchState, seq: int) -> MatchState:
    """Return the state after the entries up to this seq."""
    if match_state.seq == seq:
        return match_state
    for seat, line, hash_, at in _entries_after([(match_state, seq)]).get(match_state.facts.id, []):
        match_state = match_state.after(seat, read(match_state.facts.game, line, seat), hash_, at)
    return match_state


def replay_from_start(match: str, seq: int) -> MatchState:
    """Return the state after an earlier entry, replayed from the start."""
    return replay_entries(initial_match_state(load_match_info(match)), seq)


def dump_snapshot(match_state: MatchState) -> tuple[str, str]:
    """Return shape and text of a snapshot of this state."""
    plain = {
        "state": snapshot.dump(match_state.facts.game, match_state.state),
        "at": match_state.at,
        "questions": [[each.asked, each.prev, each.at] if each else None for each in match_state.questions],
        "own": match_state.own,
        "made": match_state.made,
        "players": match_state.players,
        "bots": match_state.bots,
        "keys": match_state.keys,
    }
    return snapshot.shape(match_state.facts.game), json.dumps(plain, separators=(",", ":"))


def _parse_snapshot(facts: MatchInfo, seq: int, hash_: str, text: str) -> MatchState:
    plain = json.loads(text)
    return MatchState(
        facts=facts,
        seq=seq,
        hash=hash_,
        at=plain["at"],
        state=snapshot.load(facts.game, plain["state"]),
        questions=tuple(Question(*each) if each else None for each in plain["questions"]),
        own=tuple(plain["own"]),
        made=tuple(plain["made"]),
        players=tuple(plain["players"]),
        bots=tuple(plain["bots"]),
        keys=tuple(map(tuple, plain["keys"])),
    )
