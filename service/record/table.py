"""A running match in memory: its state, its head, and what each seat is asked; always derived from the log."""

from __future__ import annotations

import json
from collections import OrderedDict
from dataclasses import dataclass, replace
from threading import Lock
from typing import Any

from engine import snapshot
from engine.chance import match_key
from engine.game import HOUSE, Action, Game, State, apply, legal, to_act
from engine.games import GAMES
from engine.house import BotTakes, Keys, Pause, PlayerTakes, Resume, SeatKeys
from engine.options import Settings
from engine.reading import read
from engine.tuples import put
from service.db.connection import rows
from service.record.header import Header
from service.record.header import read as read_header


@dataclass(frozen=True)
class Facts:
    """What never changes about a match once it has started."""

    id: str
    game: Game[Any]
    seats: int
    settings: Settings
    revision: int
    signed_only: bool
    seed: bytes
    key: bytes
    header: Header
    header_hash: str


@dataclass(frozen=True)
class Question:
    """What a seat is asked: the entry since which it stands unchanged, and that entry's hash and time."""

    asked: int
    prev: str
    at: int


@dataclass(frozen=True)
class Table:
    """A match at its head."""

    facts: Facts
    seq: int
    hash: str
    at: int
    state: State
    questions: tuple[Question | None, ...]
    own: tuple[int, ...]
    """The seq of each seat's own last entry."""
    made: tuple[int, ...]
    """How many entries each seat has."""
    players: tuple[str, ...]
    bots: tuple[str, ...]
    keys: tuple[str, ...]
    held: tuple[Question | None, ...] = ()
    """What was asked when the last entry paused the match: resumed in the same moment, it stands unchanged."""

    def seat_of(self, player: str) -> int | None:
        """The seat where this player sits."""
        return self.players.index(player) if player in self.players else None

    def after(self, seat: int, action: Action[Any], hash_: str, at: int) -> Table:
        """The table after one more entry."""
        state = apply(self.state, seat, action)
        seq = self.seq + 1
        unbroken = isinstance(action, Resume) and self.held and at == self.at
        table = replace(
            self,
            seq=seq,
            hash=hash_,
            at=at,
            state=state,
            questions=self.held if unbroken else _questions(self, seat, state, Question(seq, hash_, at)),
            own=put(self.own, seat, seq) if seat >= 0 else self.own,
            made=put(self.made, seat, self.made[seat] + 1) if seat >= 0 else self.made,
            held=self.questions if isinstance(action, Pause) else (),
        )
        return _seated(table, seat, action)


def _questions(table: Table, seat: int, state: State, new: Question) -> tuple[Question | None, ...]:
    before, after = to_act(table.state), to_act(state)
    found: list[Question | None] = []
    for each, question in enumerate(table.questions):
        if each not in after:
            found.append(None)
        elif each == seat or question is None or each not in before or not _same(table.state, state, each):
            found.append(new)
        else:
            found.append(question)
    return tuple(found)


def _same(before: State, after: State, seat: int) -> bool:
    """Whether a seat that did not act is asked the same as before."""
    one, two = before.agenda[0], after.agenda[0]
    return one == two or (type(one) is type(two) and list(legal(before, seat)) == list(legal(after, seat)))


def _seated(table: Table, seat: int, action: Action[Any]) -> Table:
    if isinstance(action, Keys):
        return replace(table, keys=put(table.keys, seat, action.keys))
    if seat != HOUSE:
        return table
    if isinstance(action, SeatKeys):
        return replace(table, keys=put(table.keys, action.seat, action.keys))
    if isinstance(action, BotTakes):
        return _sits(table, action.seat, "", action.name, "-")
    if isinstance(action, PlayerTakes):
        return _sits(table, action.seat, action.player, "", action.keys)
    return table


def _sits(table: Table, seat: int, player: str, bot: str, keys: str) -> Table:
    return replace(
        table,
        players=put(table.players, seat, player),
        bots=put(table.bots, seat, bot),
        keys=put(table.keys, seat, keys),
    )


def facts(match: str) -> Facts:
    """The facts of a started match, from its row and its header."""
    ((seed, body, hash_),) = rows(
        "select m.seed, h.body, h.hash from match m join header h on h.match = m.id where m.id = ?", match
    )
    header = read_header(body.rstrip("\n").split("\n"))
    raw = bytes.fromhex(seed)
    return Facts(
        id=match,
        game=GAMES[header.game],
        seats=header.seats,
        settings=header.chosen(),
        revision=header.revision,
        signed_only=header.moves == "signed",
        seed=raw,
        key=match_key(raw, header.nonces, header.beacon),
        header=header,
        header_hash=hash_,
    )


def first(known: Facts) -> Table:
    """The table before the first entry."""
    state = known.game.start(known.seats, known.settings, known.revision)
    places = known.header.places
    started = known.header.started
    opening = Question(0, known.header_hash, started)
    acting = to_act(state)
    return Table(
        facts=known,
        seq=0,
        hash=known.header_hash,
        at=started,
        state=state,
        questions=tuple(opening if seat in acting else None for seat in range(known.seats)),
        own=(0,) * known.seats,
        made=(0,) * known.seats,
        players=tuple(place.player for place in places),
        bots=tuple(place.bot for place in places),
        keys=tuple(place.keys for place in places),
    )


# The cache: whatever is in it was derived from the log, so it may be dropped at any time.

MOST_KEPT = 400
_kept: OrderedDict[str, Table] = OrderedDict()
_lock = Lock()


def keep(table: Table) -> None:
    """Remember the newest table of a match in this process."""
    with _lock:
        known = _kept.get(table.facts.id)
        if known is None or known.seq < table.seq:
            _kept[table.facts.id] = table
        _kept.move_to_end(table.facts.id)
        while len(_kept) > MOST_KEPT:
            _kept.popitem(last=False)


def remembered(match: str) -> Table | None:
    """The table of a match as this process knows it; it may have gone on elsewhere."""
    with _lock:
        return _kept.get(match)


def forget(match: str | None = None) -> None:
    """Drop what is remembered, of one match or of all."""
    with _lock:
        if match is None:
            _kept.clear()
        else:
            _kept.pop(match, None)


def load(match: str, seq: int, hash_: str) -> Table:
    """The table of a match at its head, which had this seq and hash when it was looked up."""
    known = remembered(match)
    if known is not None and known.seq > seq:
        return known  # somebody made a move since; what is kept here is in the log
    known = tail(known or _snapshot(match, seq) or first(facts(match)), seq)
    if known.hash != hash_:
        forget(match)
        raise BrokenLog(match, seq)
    keep(known)
    return known


class BrokenLog(RuntimeError):
    """The log does not lead to the head that the match has; `echtra doctor` tells more."""

    def __init__(self, match: str, seq: int) -> None:
        super().__init__(f"match {match}: entry {seq} does not have the hash of the head; run `echtra doctor`")


def tail(table: Table, seq: int) -> Table:
    """The table after the entries that follow it, up to this seq."""
    if table.seq == seq:
        return table
    game = table.facts.game
    found = rows(
        "select seq, seat, line, hash, at from entry where match = ? and seq > ? and seq <= ? order by seq",
        table.facts.id,
        table.seq,
        seq,
    )
    for _, seat, line, hash_, at in found:
        table = table.after(seat, read(game, line, seat), hash_, at)
    return table


def at(match: str, seq: int) -> Table:
    """The table at an earlier point, replayed from the start."""
    return tail(first(facts(match)), seq)


def dumped(table: Table) -> tuple[str, str]:
    """Shape and text of a snapshot of this table."""
    plain = {
        "state": snapshot.dump(table.facts.game, table.state),
        "at": table.at,
        "questions": [[each.asked, each.prev, each.at] if each else None for each in table.questions],
        "own": table.own,
        "made": table.made,
        "players": table.players,
        "bots": table.bots,
        "keys": table.keys,
    }
    return snapshot.shape(table.facts.game), json.dumps(plain, separators=(",", ":"))


def _snapshot(match: str, seq: int) -> Table | None:
    found = rows("select seq, hash, shape, state from snapshot where match = ? and seq <= ?", match, seq)
    if not found:
        return None
    known = facts(match)
    ((at_seq, hash_, shape, text),) = found
    if shape != snapshot.shape(known.game):
        return None
    plain = json.loads(text)
    return Table(
        facts=known,
        seq=at_seq,
        hash=hash_,
        at=plain["at"],
        state=snapshot.load(known.game, plain["state"]),
        questions=tuple(Question(*each) if each else None for each in plain["questions"]),
        own=tuple(plain["own"]),
        made=tuple(plain["made"]),
        players=tuple(plain["players"]),
        bots=tuple(plain["bots"]),
        keys=tuple(plain["keys"]),
    )
