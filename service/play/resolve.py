"""Resolving a match: chance, bots, stand-ins and waiting orders act until a person must."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from typing import Any, NamedTuple

from engine.chance import Numbered, bot_stream
from engine.game import CHANCE, HOUSE, AnyAction, Thinker, legal, to_act
from engine.house import BotTakes, End
from engine.playout import answer, roll_chance
from service.db.batches import batched
from service.db.connection import execute, rows, rows_from_json, rows_in_column
from service.db.log_writer import HeadMoved, LogEntry
from service.i18n.catalogue import Explanation, msg
from service.jobs import queue
from service.jobs.queue import NewJob
from service.play import seat_keys
from service.play.accept import choose_action, mail_attestation, proof_of_line
from service.play.access import AFTER_MATCH, OPEN
from service.play.job_payloads import TakeResult
from service.play.match_loader import NEW_ENTRIES, dump_snapshot, find_cached_match_states, match_states_at_heads
from service.play.match_log import LogAddition, append, next_entry
from service.play.submissions import Submission, dump_reason
from service.record.chain import by_bot
from service.record.match_state import MatchState
from service.timestamps import now

TRIES = 50
MOST_AT_ONCE = 400
MOST_READ_TOGETHER = 10
"""Number of matches to read at once before their speed is known."""
BATCH_SECONDS = 0.03
"""Seconds after which the matches resolved so far are written, before others are begun."""
SELECT_UNRESOLVED = (
    "select m.id, m.head_seq, m.head_hash, m.resolved_seq, {entries}, "
    "exists (select 1 from submission s where s.match = m.id and s.status = 'waiting'), m.status from {wanted} "
    "join match m on m.id = w.match"
)
SELECT_WAITING = "select match, id from submission where match in ({holes}) and status = 'waiting'"
SELECT_ORDERS = (
    "select s.match, s.id, s.player, s.seat, s.asked, s.orders, s.body, s.made, e.signature, e.mail from submission s "
    "left join entry e on e.match = s.match and e.seq = (select max(o.seq) from entry o where o.match = s.match "
    "and o.seat = s.seat) where s.match in ({holes}) and s.status = 'waiting' order by s.at, s.id"
)
CLOSE_PAIRED = (
    "update match set visibility = case when visibility = ? then ? else visibility end "
    "where id in ({holes}) and pairing is not null returning id"
)
SNAPSHOT_EVERY = 16
"""Entries between two snapshots. Writing a snapshot costs as much as replaying some entries."""
UPSERT_SNAPSHOT = (
    "insert into snapshot (match, seq, hash, shape, state) values (?, ?, ?, ?, ?) on conflict (match) do update set "
    "seq = excluded.seq, hash = excluded.hash, shape = excluded.shape, state = excluded.state "
    "where snapshot.seq < excluded.seq or snapshot.shape <> excluded.shape"
)


@dataclass(frozen=True)
class Orders:
    """A submission whose remaining lines wait."""

    id: str
    player: str
    seat: int
    asked: int
    orders: bool
    key: str
    lines: tuple[str, ...]
    signatures: tuple[str, ...]
    made: int
    mail: dict[str, Any] | None = None
    """Attestation of the email they came with, instead of signatures."""
    why: str = ""
    """Reason why the next line could not be made, with the line; empty if there was no problem."""
    reason: Explanation | None = None
    """The same reason without the line."""
    lapsed: bool = False
    """True if the remaining lines lapsed without notice."""

    @property
    def open(self) -> bool:
        """True if a line still waits."""
        return not self.why and not self.lapsed and self.made < len(self.lines)

    def status(self, *, over: bool) -> str:
        """Return the status for the submission's row."""
        if self.open:
            return "dropped" if over else "waiting"
        return "dropped" if self.why else "made"


class WaitingOrders(NamedTuple):
    """The orders of each seat of a match that are still its latest, and the ids of replaced ones."""

    by_seat: dict[int, Orders] = {}  # noqa: RUF012  # never changed
    stale: tuple[str, ...] = ()


@dataclass(frozen=True)
class Resolution:
    """The result of resolving a match from its head: the entries to append, and the outcome of orders."""

    since: int
    """The last entry that was resolved before; -1 if the match has only just started."""
    before: MatchState
    match_state: MatchState
    entries: tuple[LogEntry, ...] = ()
    orders: dict[int, Orders] = field(default_factory=dict)
    stale: tuple[str, ...] = ()
    whole: bool = True
    """True if no further step happens by itself."""
    thinking: bool = False
    """True if it stopped because a bot is still thinking."""
    devices: tuple[tuple[str, str], ...] = ()
    """Players, and the keys that the house gave to their seats so that orders signed by them can be made."""

    @property
    def order_ids(self) -> tuple[str, ...]:
        """Ids of all orders that waited when this was computed."""
        return (*(orders.id for orders in self.orders.values()), *self.stale)

    def with_entry(self, made: tuple[LogEntry, MatchState]) -> Resolution:
        """Return the resolution with one more entry."""
        return replace(self, entries=(*self.entries, made[0]), match_state=made[1])


Effects = Callable[[Sequence[Resolution]], None]
"""Writes the other effects of resolutions in their transaction: clocks, events, emails."""
Think = Callable[[MatchState, int], AnyAction | None]
"""Asks a slow bot at a seat for its line. Returns None while it thinks; the match is resolved again later."""


def think_now(match_state: MatchState, seat: int) -> AnyAction:
    """Return the bot's action at this seat, however long it takes to compute."""
    game = match_state.facts.game
    choices = bot_stream(match_state.facts.key, seat, match_state.made[seat])
    return answer(game, match_state.state, seat, game.bots.latest(match_state.bots[seat]), choices)


def postpone_thought(_match_state: MatchState, _seat: int) -> None:
    """Leave slow bots to a worker."""


def resolve_match(match: str, effects: Effects, most_entries: int, think: Think = think_now) -> MatchState | None:
    """Play the match on as far as it goes by itself. Safe to repeat and to run concurrently.

    Return the new state, or None if there was nothing to do, another process did it, or a bot still thinks.
    """
    for _ in range(TRIES):
        resolutions = _resolutions_of([match], most_entries, think)
        if not resolutions:
            return None
        if not _append_resolutions(resolutions, effects)[0]:
            continue
        if resolutions[0].thinking:
            return None
        if resolutions[0].whole:
            return resolutions[0].match_state
    return None


def resolve_together(
    matches: Sequence[str], effects: Effects, most_entries: int, think: Think = think_now
) -> list[str]:
    """Play each match on as far as it goes by itself, in one transaction. Return those to be resolved once more."""
    begun = time.monotonic()
    left: list[str] = []
    resolutions: list[Resolution] = []
    for part in batched(matches, MOST_READ_TOGETHER):
        if time.monotonic() - begun < BATCH_SECONDS:
            resolutions += _resolutions_of(part, most_entries, think)
        else:
            left += part
    written = _append_resolutions(resolutions, effects)
    for resolution, is_written in zip(resolutions, written, strict=True):
        if not is_written or not (resolution.whole or resolution.thinking):
            left.append(resolution.before.facts.id)
    return left


def _resolutions_of(matches: Sequence[str], most_entries: int, think: Think) -> list[Resolution]:
    """Return the resolutions of those matches that go on by themselves or are not yet marked as resolved."""
    known, seqs = find_cached_match_states(matches)
    unresolved = _select_unresolved(seqs)
    match_states = match_states_at_heads(
        known, {match: (seq, hash_, entries) for match, seq, hash_, _, entries, _ in unresolved}
    )
    waiting = waiting_orders([match_states[match] for match, *_, has_orders in unresolved if has_orders])
    found = [
        resolution_of(
            match_states[match], max(now(), match_states[match].at), most_entries, since, think, waiting.get(match)
        )
        for match, _, _, since, *_ in unresolved
    ]
    return [each for each in found if each.entries or not each.thinking]


def _select_unresolved(seqs: Mapping[str, int]) -> list[tuple[Any, ...]]:
    """Return head, new entries and "orders wait" of each match that is not resolved."""
    sql = SELECT_UNRESOLVED.format(
        entries=rows_in_column(*NEW_ENTRIES),
        wanted=rows_from_json("w", match="text", known_seq="int"),
    )
    # The status is checked here: as a condition it would make PostgreSQL read all matches with that status.
    found = rows(sql, json.dumps([{"match": match, "known_seq": seq} for match, seq in seqs.items()]))
    return [
        (match, seq, hash_, since, *rest)
        for match, seq, hash_, since, *rest, status in found
        if status in ("running", "over") and seq != since
    ]


def _append_resolutions(resolutions: Sequence[Resolution], effects: Effects) -> list[bool]:
    """Write resolutions with all their effects. Snapshots that are due are made before the transaction."""
    snapshots = {
        each.match_state.facts.id: (each.match_state.seq, each.match_state.hash, *dump_snapshot(each.match_state))
        for each in resolutions
        if _is_snapshot_due(each)
    }
    additions = [
        LogAddition(each.before, each.entries, each.match_state, each, resolved=each.whole, wake=False)
        for each in resolutions
    ]
    return append(additions, partial(_write_extras, snapshots=snapshots, effects=effects))


def _write_extras(
    additions: Sequence[LogAddition[Resolution]], *, snapshots: Mapping[str, tuple[Any, ...]], effects: Effects
) -> None:
    resolutions = [addition.result for addition in additions]
    _settle_orders(resolutions)
    for resolution in resolutions:
        match = resolution.match_state.facts.id
        if match in snapshots:
            execute(UPSERT_SNAPSHOT, match, *snapshots[match])
        for player, key in resolution.devices:
            seat_keys.queue_device_letter(resolution.match_state, player, key)
    effects(resolutions)
    _close_paired_matches(
        [each.match_state.facts.id for each in resolutions if each.whole and each.match_state.state.over]
    )


def _close_paired_matches(over: Sequence[str]) -> None:
    """Open those of these finished matches that belong to a tournament, and queue their results."""
    if not over:
        return
    paired = rows(CLOSE_PAIRED.format(holes=", ".join("?" * len(over))), AFTER_MATCH, OPEN, *over)
    queue.add_all([NewJob(TakeResult(match=match), f"result:{match}") for (match,) in paired])


def _is_snapshot_due(resolution: Resolution) -> bool:
    """Return True if a snapshot is due: at the start, at the end, and every few entries, so that replays stay short."""
    seq, since = resolution.match_state.seq, resolution.since
    return since < 0 or resolution.match_state.state.over or seq // SNAPSHOT_EVERY != since // SNAPSHOT_EVERY


def _settle_orders(resolutions: Sequence[Resolution]) -> None:
    """Store the outcome of orders. Raise HeadMoved with the matches whose waiting orders have changed since."""
    read = {(each.before.facts.id, id_) for each in resolutions for id_ in each.order_ids}
    matches = [each.before.facts.id for each in resolutions]
    waiting = rows(SELECT_WAITING.format(holes=", ".join("?" * len(matches))), *matches)
    changed = read.symmetric_difference((match, id_) for match, id_ in waiting)
    if changed:
        raise HeadMoved(*{match for match, _ in changed})
    for resolution in resolutions:
        _settle_orders_of(resolution)


def _settle_orders_of(resolution: Resolution) -> None:
    for stale in resolution.stale:
        execute("update submission set status = 'replaced' where id = ? and status = 'waiting'", stale)
    for orders in resolution.orders.values():
        status = orders.status(over=resolution.match_state.state.over)
        sql = "update submission set made = ?, status = ?, why = ?, reason = ? where id = ? and status = 'waiting'"
        # A seat that withdraws its orders at this very moment has the last word.
        if execute(sql, orders.made, status, orders.why, dump_reason(orders.reason), orders.id) != 1:
            raise HeadMoved(resolution.match_state.facts.id)


def resolution_of(
    match_state: MatchState,
    at: int,
    most_entries: int,
    since: int = -1,
    think: Think = think_now,
    waiting: WaitingOrders | None = None,
) -> Resolution:
    """Compute what follows by itself from this state and the waiting orders. All entries have the same time."""
    orders, stale = waiting or WaitingOrders()
    resolution = Resolution(since, match_state, match_state, orders=orders, stale=stale)
    while True:
        if len(resolution.entries) >= MOST_AT_ONCE:
            return replace(resolution, whole=False)
        step = _resolve_next(resolution, at, most_entries, think)
        if step is None or step.thinking:
            return step or resolution
        resolution = step


def _resolve_next(resolution: Resolution, at: int, most_entries: int, think: Think) -> Resolution | None:
    match_state = resolution.match_state
    state, known = match_state.state, match_state.facts
    if state.over:
        return None
    decision = _house_action(match_state, most_entries)
    if decision is not None:
        return resolution.with_entry(next_entry(match_state, HOUSE, decision, "house", at))
    asked = to_act(state)
    if CHANCE in asked:
        action = roll_chance(state, Numbered(known.key, state.picks))
        return resolution.with_entry(next_entry(match_state, CHANCE, action, "chance", at))
    for seat in sorted(asked):
        if match_state.bots[seat]:
            return _play_bot(resolution, seat, at, think)
        step = _play_for_person(resolution, seat, at)
        if step is not None:
            return step
    return None


def _play_for_person(resolution: Resolution, seat: int, at: int) -> Resolution | None:
    """Play a line that a person has ordered, or a forced one if they allowed that. Return None if they must act."""
    match_state, orders = resolution.match_state, resolution.orders.get(seat)
    if orders is not None and orders.open:
        return _play_ordered_line(resolution, orders, at)
    sole = _sole_line(match_state, seat)
    letter = _find_wish_for_sole_lines(match_state.facts.id, seat) if sole is not None else None
    if sole is None or letter is None:
        return None
    made_by, proof = proof_of_line(Submission(0, "", (sole.line,), mail=letter), 1, sole.line, sole)
    return resolution.with_entry(next_entry(match_state, seat, sole, made_by, at, proof))


def _sole_line(match_state: MatchState, seat: int) -> AnyAction | None:
    """Return the only line that finishes a turn the seat has begun, or None."""
    if match_state.facts.signed_only or not match_state.own[seat] or match_state.own[seat] != max(match_state.own):
        return None
    found = list(islice(legal(match_state.state, seat), 2))
    return found[0] if len(found) == 1 else None


def _find_wish_for_sole_lines(match: str, seat: int) -> dict[str, Any] | None:
    """Return the attestation of the email that allowed forced lines to be played, or None."""
    sql = (
        "select case when s.auto <> '' then s.auto else p.auto end from seat s join player p on p.id = s.player "
        "where s.match = ? and s.seat = ?"
    )
    found = rows(sql, match, seat)
    said: dict[str, Any] | None = json.loads(found[0][0]) if found and found[0][0] not in ("", "off") else None
    return said


def _house_action(match_state: MatchState, most_entries: int) -> AnyAction | None:
    """Return the house's decision that is due.

    It ends a match that is too long, seats a stand-in after a resignation, and replaces an earlier version of a bot.
    """
    if match_state.seq >= most_entries:
        return End("too-long")
    left = [
        seat
        for seat in match_state.state.house.resigned
        if not match_state.bots[seat] and not _has_substitute(match_state, seat)
    ]
    bots = match_state.facts.game.bots
    if left:
        return BotTakes(left[0], bots.current(bots.stand_in))
    earlier = [seat for seat, bot in enumerate(match_state.bots) if bot and bot != bots.current(bot)]
    return BotTakes(earlier[0], bots.current(match_state.bots[earlier[0]])) if earlier else None


def _has_substitute(match_state: MatchState, seat: int) -> bool:
    """Return True if somebody took the seat after the resignation."""
    sql = (
        "select 1 from entry e where e.match = ? and e.seat = ? and e.line like ? and e.seq > "
        "(select max(o.seq) from entry o where o.match = e.match and o.seat = ? and o.line = 'resign') limit 1"
    )
    return bool(rows(sql, match_state.facts.id, HOUSE, f"seat {seat} %", seat))


def _play_bot(resolution: Resolution, seat: int, at: int, think: Think) -> Resolution:
    """Make the line of the bot at a seat, or stop if it is still thinking."""
    match_state = resolution.match_state
    bot = match_state.bots[seat]
    action = (
        think(match_state, seat)
        if isinstance(match_state.facts.game.bots.latest(bot), Thinker)
        else think_now(match_state, seat)
    )
    if action is None:
        return replace(resolution, whole=False, thinking=True)
    return resolution.with_entry(next_entry(match_state, seat, action, by_bot(bot), at))


def waiting_orders(match_states: Sequence[MatchState]) -> dict[str, WaitingOrders]:
    """Return the waiting orders by match. Matches without any are left out."""
    by_match = {match_state.facts.id: match_state for match_state in match_states}
    found: dict[str, WaitingOrders] = {}
    if not by_match:
        return found
    for match, *columns in rows(SELECT_ORDERS.format(holes=", ".join("?" * len(by_match))), *by_match):
        found[match] = _add_orders(found.get(match, WaitingOrders()), by_match[match], columns)
    return found


def _add_orders(waiting: WaitingOrders, match_state: MatchState, columns: Sequence[Any]) -> WaitingOrders:
    """Add one row. Of two orders of a seat the later one counts."""
    id_, player, seat, asked, orders, body, made, signature, mailed_by = columns
    plain = json.loads(body)
    lines, signatures, mail = tuple(plain["lines"]), tuple(plain["signatures"]), plain["mail"]
    same = mail_attestation(mail) == mailed_by if mail else bool(made) and signature == signatures[made - 1]
    standing = same if made else match_state.own[seat] <= asked
    if not standing or match_state.players[seat] != player:
        return waiting._replace(stale=(*waiting.stale, id_))
    stale = (*waiting.stale, waiting.by_seat[seat].id) if seat in waiting.by_seat else waiting.stale
    found = Orders(id_, player, seat, asked, bool(orders), plain["key"], lines, signatures, made, mail)
    return WaitingOrders({**waiting.by_seat, seat: found}, stale)


def _play_ordered_line(resolution: Resolution, orders: Orders, at: int) -> Resolution:
    """Make the next line of waiting orders if it is listed. Otherwise drop the rest."""
    match_state, seat, n = resolution.match_state, orders.seat, orders.made + 1
    text = orders.lines[orders.made]
    action, why = choose_action(match_state, seat, text)
    is_new = orders.mail is None and orders.key not in match_state.keys[seat]
    if is_new and not seat_keys.may_keep_orders(match_state, orders.player, orders.key):
        action, why = None, msg("play.key_not_of_seat")
    if action is None:
        lapsed = all(map(match_state.facts.game.rules.may_lapse, orders.lines[orders.made :]))
        ended = replace(orders, lapsed=True) if lapsed else replace(orders, why=f"{text}: {why}", reason=why)
        return replace(resolution, orders={**resolution.orders, seat: ended})
    if is_new:
        keys = seat_keys.keys_with(match_state, seat, orders.key)
        resolution = resolution.with_entry(seat_keys.give_keys_to_seat(match_state, seat, keys, at))
        resolution = replace(resolution, devices=(*resolution.devices, (orders.player, orders.key)))
    by, proof = proof_of_line(_as_submission(orders), n, text, action)
    made = next_entry(resolution.match_state, seat, action, by, at, proof)
    rest = {**resolution.orders, seat: replace(orders, made=n)}
    return replace(resolution.with_entry(made), orders=rest)


def _as_submission(orders: Orders) -> Submission:
    """Return the submission that the lines left in these orders belong to."""
    return Submission(
        orders.asked, "", orders.lines, orders.signatures, orders.key, orders=orders.orders, mail=orders.mail
    )
