"""Matches of a tournament: seats are fixed beforehand, they start together, and the server may end them.

This module does not depend on the tournaments room. A match is paired if `match.pairing` is set. Nobody can leave,
join, start or cancel it by hand, or take a vacated seat. It never expires, and its creator sees no more than other
people.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from hashlib import sha256
from typing import Any, Literal

from engine.game import HOUSE, AnyAction, final_scores, to_act
from engine.games import GAMES
from engine.house import BotTakes, End, Pause, PlayerTakes, Resign, Resume, Timeout
from engine.options import Setting
from service.config import Config
from service.db.batches import batched
from service.db.connection import db, execute, write_transaction
from service.db.log_writer import HeadMoved
from service.db.models.accounts import PlayerRow
from service.db.models.matches import MatchRow, SeatRow
from service.db.secret_encryption import encrypt_secret
from service.i18n.catalogue import msg
from service.jobs import wakeups
from service.matches import join
from service.matches.arbiter_decisions import write_decision_events
from service.matches.start import build_header, cancel_match
from service.matches.substitutes import reset_seat
from service.play import server_keys
from service.play.access import AFTER_MATCH, AFTER_STAGE, CLOSED, OPEN, SEALED
from service.play.match_loader import load_match_info, load_match_state
from service.play.match_log import AdditionOr, LogAddition, append, append_to_match, next_entries, select_entries
from service.play.time_control import DEFAULT_PRESET, GRACE, PRESETS
from service.play.timeouts import DUEL, forfeit_scores, has_unread_mail, has_unrestored_outage
from service.play.views import CANCELLED
from service.problems import Problem, invalid_field_problem
from service.record.header import Header, write_options
from service.record.match_state import MatchState, initial_match_state
from service.record.seat_endings import AS_IT_STANDS, LAPSED, LATE_LOSES, WITHDRAWN
from service.record.signed_text import sign_join_receipt
from service.timestamps import HOUR, now

MOST_TOGETHER = 100
"""Maximum number of matches created or started in one transaction."""
VISIBILITY_BY_SPECTATORS = {"now": OPEN, "after-match": AFTER_MATCH, "after-stage": AFTER_STAGE}
VISIBILITY_BY_SPECTATORS |= {SEALED: SEALED, CLOSED: CLOSED}
"""The `match.visibility` for each setting of spectators. `sealed` keeps the record of a finished match closed."""
TOURNAMENT = "tournament"
ADJUDICATION = "adjudication"
"""Reasons for a pause: of the whole tournament, or of one match that an organiser must decide."""
BY_TIME = (AS_IT_STANDS, LATE_LOSES, LAPSED)
LATE_AFTER = 48 * HOUR
OPEN_LOGS = (
    "with h(id, hash, started) as (values {holes}) update match set status = 'running', started_at = h.started, "
    "head_seq = 0, head_hash = h.hash, head_at = h.started, resolved_seq = -1 from h where match.id = h.id"
)
EndingRule = Literal["as-it-stands", "late-loses", "lapsed", "adjudicated", "ruled"]
"""How the server ends a match: by current scores, against late seats, without a result, or by an organiser's places."""


@dataclass(frozen=True)
class PairedMatch:
    """A match to create for a pairing, under the pairing's id, with all players seated."""

    id: str
    game: str
    seats: int
    seed: bytes
    created_by: str
    players: Mapping[int, tuple[str, str]]
    """The player of each seat, and the nonce for the header."""
    bots: Mapping[int, str] = field(default_factory=dict)
    options: Mapping[str, Setting] = field(default_factory=dict)
    moves: str = "any"
    clock: str = DEFAULT_PRESET
    policy: str = "stand-in"
    """Consequence of running out of time; always `forfeit` with two seats."""
    spectators: str = "after-match"
    title: str = ""
    beacon: str = "-"
    leave: bool = True
    rated: bool = True


def make_paired_matches(wanted: Sequence[PairedMatch]) -> None:
    """Create at most 100 matches in one transaction without starting them. Existing ones stay unchanged."""
    if len(wanted) > MOST_TOGETHER:
        raise ValueError(len(wanted))
    at = now()
    keys = join.find_active_keys({player for each in wanted for player, _ in each.players.values()})
    matches = [_match_columns(each, at) for each in wanted]
    seats = [columns for each in wanted for columns in _seat_columns(each, keys, at)]
    if not wanted:
        return
    with write_transaction():
        # A second caller waits for the first on the unique key, and then finds every match with its seats.
        _insert_rows("match", matches)
        _insert_rows("seat", seats)


def _insert_rows(sql_table: str, columns: Sequence[Mapping[str, Any]]) -> None:
    """Insert the rows that do not exist yet by one statement. All must have the same columns."""
    names = tuple(columns[0])
    holes = ", ".join([f"({', '.join('?' * len(names))})"] * len(columns))
    sql = f"insert into {sql_table} ({', '.join(names)}) values {holes} on conflict do nothing"  # noqa: S608  # our own names
    execute(sql, *(each[name] for each in columns for name in names))


def _match_columns(wanted: PairedMatch, at: int) -> dict[str, Any]:
    game = GAMES[wanted.game]
    settings = game.rules.settings(wanted.options, wanted.seats)
    return {
        "id": wanted.id,
        "pairing": wanted.id,
        "game": game.slug,
        "revision": game.rules.revision,
        "seats": wanted.seats,
        "options": write_options(settings),
        "moves": wanted.moves,
        "clock": wanted.clock,
        "policy": "forfeit" if wanted.seats <= DUEL else wanted.policy,
        "visibility": VISIBILITY_BY_SPECTATORS[wanted.spectators],
        "status": "open",
        "title": wanted.title,
        "seed": encrypt_secret(wanted.seed.hex(), "match.seed"),
        "seed_hash": sha256(wanted.seed).hexdigest(),
        "beacon": wanted.beacon,
        "created_by": wanted.created_by,
        "rated": wanted.rated,
        "created_at": at,
        "expires_at": at,
        "leave_allowed": wanted.leave and PRESETS[wanted.clock].leave,
        "head_seq": 0,
        "head_hash": "",
        "head_at": at,
        "resolved_seq": 0,
        "outage_ms": 0,
        "outage_at": 0,
    }


def _seat_columns(wanted: PairedMatch, keys: Mapping[str, str], at: int) -> Iterator[dict[str, Any]]:
    """Yield the seats of a match, each with a receipt that ties its player to the seed."""
    for seat in range(wanted.seats):
        columns = join.new_seat_columns(wanted.id, seat, wanted.clock, wanted.bots.get(seat))
        player, nonce = wanted.players.get(seat, (None, "-"))
        if player is not None:
            columns |= {"player": player, "nonce": nonce, "joined_at": at}
            columns |= _key_columns(wanted.id, seat, player, sha256(wanted.seed).hexdigest(), nonce, keys[player], at)
        yield {"player": None, "joined_at": None, "receipt": None, "turns": 0, "auto": "", **columns}


def _key_columns(match: str, seat: int, player: str, seed: str, nonce: str, keys: str, at: int) -> dict[str, str]:
    """Return the keys of a seat and the receipt for them."""
    private = server_keys.current_key().private
    given = sign_join_receipt(private, match=match, seat=seat, player=player, seed=seed, nonce=nonce, keys=keys, at=at)
    return {"keys": keys, "receipt": json.dumps(given)}


def are_made(ids: Collection[str]) -> bool:
    """Return True if every pairing has its match."""
    parts = batched(sorted(set(ids)))
    return all(MatchRow.select().where(MatchRow.pairing.in_(part)).count() == len(part) for part in parts)


def cancel_unstarted_matches(ids: Collection[str]) -> None:
    """Cancel those of these matches that have not started, for example when their round is paired again."""
    with write_transaction():
        for match in _lock_open_matches(ids):
            cancel_match(match)


def open_to_spectators(ids: Collection[str]) -> None:
    """Open these matches and their records to everybody from now on, for example when their stage is over."""
    with write_transaction():
        MatchRow.update(visibility=OPEN).where(MatchRow.pairing.in_(list(ids))).execute()


def start_paired_matches(ids: Collection[str], at: int) -> int:
    """Start at most 100 matches in one transaction. Return how many were started.

    If a seat's player has left for good, the stand-in plays it; a match of two seats is forfeited.
    """
    if len(ids) > MOST_TOGETHER:
        raise ValueError(len(ids))
    with write_transaction():
        matches = _lock_open_matches(ids)
        seats = _seats_of(matches)
        gone = _find_erased_players(seats)
        _fill_empty_seats(matches, seats)
        _renew_keys(matches, seats, gone)
        _open_logs([build_header(match, seats[match.id], max(at, now())) for match in matches])
        for match in matches:
            _give_up_seats(match, [row.seat for row in seats[match.id] if row.player in gone])
    return len(matches)


def _open_logs(headers: Sequence[Header]) -> None:
    """Write headers and open the logs, inside a transaction. The worker continues from there."""
    if not headers:
        return
    _insert_rows("header", [{"match": each.match, "hash": each.hash, "body": each.body} for each in headers])
    holes = ", ".join(["(?, ?, ?)"] * len(headers))
    execute(OPEN_LOGS.format(holes=holes), *(v for each in headers for v in (each.match, each.hash, each.started)))
    for each in headers:
        db.after_commit(partial(wakeups.wake_for_match, each.match))


def _lock_open_matches(ids: Collection[str]) -> list[MatchRow]:
    """Lock those of these matches that have not started, and return them."""
    waiting = MatchRow.pairing.in_(sorted(ids)) & (MatchRow.status == "open")
    MatchRow.update(status=MatchRow.status).where(waiting).execute()
    return list(MatchRow.select().where(waiting).order_by(MatchRow.id))


def _seats_of(matches: Sequence[MatchRow]) -> dict[str, list[SeatRow]]:
    found: dict[str, list[SeatRow]] = {match.id: [] for match in matches}
    for row in SeatRow.select().where(SeatRow.match.in_(list(found))).order_by(SeatRow.match, SeatRow.seat):
        found[row.match].append(row)
    return found


def _find_erased_players(seats: Mapping[str, Sequence[SeatRow]]) -> set[str]:
    people = sorted({row.player for each in seats.values() for row in each if row.player})
    erased = PlayerRow.id.in_(people) & PlayerRow.deleted_at.is_null(is_null=False)
    return {row.id for row in PlayerRow.select(PlayerRow.id).where(erased)}


def _fill_empty_seats(matches: Sequence[MatchRow], seats: Mapping[str, Sequence[SeatRow]]) -> None:
    """Seat the stand-in at seats without a player."""
    for match in matches:
        for row in seats[match.id]:
            if row.player is None and row.bot is None:
                row.bot = GAMES[match.game].bots.stand_in
                _update_seat(row, {"bot": row.bot})


def _renew_keys(matches: Sequence[MatchRow], seats: Mapping[str, Sequence[SeatRow]], gone: Collection[str]) -> None:
    """Give every seat its player's current keys."""
    keys = join.find_active_keys({row.player for each in seats.values() for row in each if row.player})
    for match in matches:
        for row in seats[match.id]:
            if row.player and row.player not in gone and row.keys != keys[row.player]:
                seat = (match.id, row.seat, row.player, match.seed_hash, row.nonce)
                columns = _key_columns(*seat, keys[row.player], now())
                row.keys = columns["keys"]
                _update_seat(row, columns)


def _update_seat(row: SeatRow, columns: Mapping[str, Any]) -> None:
    SeatRow.update(**columns).where((SeatRow.match == row.match) & (SeatRow.seat == row.seat)).execute()


def _give_up_seats(match: MatchRow, seats: Sequence[int]) -> None:
    """Write into a new log which players will not play. Call inside a transaction."""
    if not seats:
        return
    # Built from the header, not loaded: a loaded state is cached, and this transaction may still be rolled back.
    match_state = initial_match_state(load_match_info(match.id))
    bots = match_state.facts.game.bots
    lines: list[AnyAction] = [BotTakes(seat, bots.current(bots.stand_in)) for seat in seats]
    if match.seats <= DUEL:
        nobody = len(seats) == match.seats
        lines.append(End(WITHDRAWN, (0,) * match.seats if nobody else forfeit_scores(match_state, *seats)))
    entries, after = next_entries(match_state, [(HOUSE, line) for line in lines])
    append([LogAddition(match_state, entries, after, None)])


def pause_paired_matches(ids: Collection[str], at: int, why: str = TOURNAMENT) -> None:
    """Stop all clocks of these matches. Matches already paused stay as they are."""

    def choose_lines(match_state: MatchState) -> list[AnyAction]:
        return [] if match_state.state.house.paused else [Pause(why)]

    for match in _running_matches(ids):
        write_house_lines(match, choose_lines, at)


def resume_paired_matches(ids: Collection[str], at: int, why: str = TOURNAMENT) -> None:
    """Resume the matches that were paused for this reason. Other pauses stay."""

    def choose_lines(match_state: MatchState) -> list[AnyAction]:
        return (
            [Resume()]
            if match_state.state.house.paused and _last_pause(match_state.facts.id) == Pause(why).line
            else []
        )

    for match in _running_matches(ids):
        write_house_lines(match, choose_lines, at)


def _last_pause(match: str) -> str:
    found = select_entries("match = ? and seat = ? and line like ? order by seq desc limit 1", match, HOUSE, "pause %")
    return found[0].line if found else ""


def _running_matches(ids: Collection[str]) -> list[str]:
    running = MatchRow.pairing.in_(sorted(ids)) & (MatchRow.status == "running")
    return [row.id for row in MatchRow.select(MatchRow.id).where(running).order_by(MatchRow.id)]


def write_house_lines(match: str, choose_lines: Callable[[MatchState], Sequence[AnyAction]], at: int) -> None:
    """Write arbiter lines into a running match and notify everybody in it."""

    def decide(match_state: MatchState) -> AdditionOr[None]:
        lines = [] if match_state.state.over else choose_lines(match_state)
        if not lines:
            return None
        entries, after = next_entries(match_state, [(HOUSE, line) for line in lines], at)
        return LogAddition(match_state, entries, after, None, lambda: write_decision_events(match_state, after))

    append_to_match(match, decide)


def void_paired_matches(ids: Collection[str]) -> None:
    """Cancel these matches without a result, whether they have started or not."""
    cancel_unstarted_matches(ids)
    for match in _running_matches(ids):
        write_house_lines(match, lambda _: [End(CANCELLED)], now())


def replace_seat_player(match_id: str, one: str, other: str, nonce: str, config: Config) -> None:
    """Give a player's seat to another player who agreed, before or after the start. Safe to repeat."""
    with write_transaction():
        for match in _lock_open_matches([match_id]):
            for row in _seats_of([match])[match.id]:
                if row.player == one:
                    keys = join.active_keys(other)
                    signed = _key_columns(match.id, row.seat, other, match.seed_hash, nonce, keys, now())
                    _update_seat(row, {"player": other, "nonce": nonce, "joined_at": now(), **signed})
    if _running_matches([match_id]):
        _take_over_seat(match_id, one, other, config)


def _seat_player(match_state: MatchState, line: PlayerTakes, config: Config, *, limited: bool) -> LogAddition[None]:
    """Return the line that gives a seat to a player, and reset the seat with it."""
    entries, after = next_entries(match_state, [(HOUSE, line)])

    def also() -> None:
        reset_seat(match_state.facts.id, line.seat, line.player, config, limited=limited)
        write_decision_events(match_state, after)

    return LogAddition(match_state, entries, after, None, also)


def _take_over_seat(match: str, one: str, other: str, config: Config) -> None:
    def decide(match_state: MatchState) -> AdditionOr[None]:
        began = [place.player for place in match_state.facts.header.places]
        left = began.index(one) if one in began else None
        seat = match_state.seat_of(one) if match_state.seat_of(one) is not None else left
        if (
            match_state.state.over
            or seat is None
            or match_state.seat_of(other) is not None
            or seat in match_state.state.house.resigned
        ):
            return None
        return _seat_player(match_state, PlayerTakes(seat, other, join.active_keys(other)), config, limited=False)

    append_to_match(match, decide)


def list_left_seats(match: str) -> list[int]:
    """Return the seats of a running match played by stand-ins for players who left, unless given up."""
    if not _running_matches([match]):
        return []
    match_state = load_match_state(match)
    return [
        seat
        for seat, place in enumerate(match_state.facts.header.places)
        if place.player and match_state.bots[seat] and seat not in match_state.state.house.resigned
    ]


def take_left_seat(match: str, seat: int, player: str, config: Config) -> None:
    """Seat a player where a stand-in plays. The seat still scores as left."""

    def decide(match_state: MatchState) -> AdditionOr[None]:
        if match_state.seat_of(player) == seat:
            return None
        if match_state.state.over or match_state.seat_of(player) is not None or not match_state.bots[seat]:
            raise Problem("conflict", msg("matches.seat_not_open"))
        keys = join.active_keys(player)
        if match_state.facts.signed_only and keys == "-":
            raise Problem("conflict", msg("matches.key_needed"))
        return _seat_player(match_state, PlayerTakes(seat, player, keys), config, limited=True)

    append_to_match(match, decide)


def rank_scores_of(match_id: str, places: Sequence[int]) -> tuple[int, ...]:
    """Return scores that produce these places, based on the current scores."""
    return _scores_by_place(load_match_state(match_id), places)


def is_waiting_for_decision(match_id: str) -> bool:
    """Return True if a match is paused because its time is over, so that an organiser must decide it."""
    running = _running_matches([match_id])
    return (
        bool(running)
        and load_match_state(match_id).state.house.paused
        and _last_pause(match_id) == Pause(ADJUDICATION).line
    )


def end_paired_match(
    match_id: str,
    how: EndingRule,
    places: Sequence[int] | None = None,
    *,
    at: int | None = None,
    scores: Sequence[int] = (),
) -> bool:
    """End a running match by arbiter lines. Return True if it is over now.

    False means that it cannot be ended by time yet, because moves or emails from before `at` (the end of its time) are
    unread, or lost time has not been returned yet. Try again later. `places` are ranks with ties as 1, 1, 3; `scores`,
    if given, are used instead.
    """
    moment = now() if at is None else at

    def decide(match_state: MatchState) -> AdditionOr[bool]:
        if match_state.state.over:
            return True
        if how in BY_TIME and _is_something_unread(match_state, moment):
            return False
        lines = [End(how, tuple(scores))] if scores else _ending_lines(match_state, how, places, moment)
        entries, after = next_entries(match_state, [(HOUSE, line) for line in lines])

        def also() -> None:
            # Asked again inside the transaction, since an email may have arrived in the meantime.
            if how in BY_TIME and _is_something_unread(match_state, moment):
                raise HeadMoved(match_id)
            write_decision_events(match_state, after)

        return LogAddition(match_state, entries, after, True, also)

    return append_to_match(match_id, decide)


def _is_something_unread(match_state: MatchState, at: int) -> bool:
    """Return True if a move, an email or lost time from before `at` is unprocessed, so that time is not over yet."""
    match = match_state.facts.id
    resolved = MatchRow.select().where((MatchRow.id == match) & (MatchRow.resolved_seq == match_state.seq)).exists()
    asked = [seat for seat, question in enumerate(match_state.questions) if question is not None]
    return not resolved or has_unrestored_outage(now()) or any(has_unread_mail(match, seat, at) for seat in asked)


def _ending_lines(match_state: MatchState, how: str, places: Sequence[int] | None, at: int) -> list[AnyAction]:
    if how == LATE_LOSES:
        late = _find_late_seats(match_state, at)
        if late:
            scores = forfeit_scores(match_state, *(line.seat for line in late))
            return [*late, End(LATE_LOSES, scores)]
    if how == LAPSED:
        return [End(LAPSED)]
    if how in BY_TIME:
        return [End(AS_IT_STANDS)]
    return [End(how, _scores_by_place(match_state, places) if places is not None else ())]


def _find_late_seats(match_state: MatchState, at: int) -> list[Timeout]:
    """Return timeout lines for the seats that have been to act for 48 hours. Stopped clocks do not count."""
    asked = (SeatRow.match == match_state.facts.id) & SeatRow.asked.is_null(is_null=False) & SeatRow.paused_at.is_null()
    found = {row.seat: row.since for row in SeatRow.select(SeatRow.seat, SeatRow.since).where(asked)}
    dues = {seat: since + LATE_AFTER for seat, since in found.items() if since is not None}
    to_play = sorted(to_act(match_state.state))
    return [Timeout(seat, dues[seat]) for seat in to_play if seat in dues and dues[seat] + GRACE <= at]


def _scores_by_place(match_state: MatchState, places: Sequence[int]) -> tuple[int, ...]:
    """Return scores that produce these places: the current ones, raised where needed."""
    if len(places) != match_state.facts.seats or any(
        place != 1 + sum(other < place for other in places) for place in places
    ):
        raise invalid_field_problem("places", msg("matches.places", seats=match_state.facts.seats))
    scores = [score.total for score in final_scores(match_state.facts.game, match_state.state)]
    behind: int | None = None
    for place in sorted(set(places), reverse=True):
        level = [seat for seat, each in enumerate(places) if each == place]
        best = max(scores[seat] for seat in level)
        behind = best if behind is None else max(best, behind + 1)
        for seat in level:
            scores[seat] = behind
    return tuple(scores)


def resign_running_seats(player: str, ids: Collection[str] | None = None) -> None:
    """Resign this player's seats in running paired matches, or only in these. With two seats that ends the match."""
    sits = SeatRow.select(SeatRow.match).where(SeatRow.player == player)
    running = MatchRow.pairing.is_null(is_null=False) & (MatchRow.status == "running") & MatchRow.id.in_(sits)
    if ids is not None:
        running &= MatchRow.id.in_(list(ids))
    for row in list(MatchRow.select(MatchRow.id).where(running).order_by(MatchRow.id)):
        _resign_seat(row.id, player)


def _resign_seat(match: str, player: str) -> None:
    def decide(match_state: MatchState) -> AdditionOr[None]:
        seat = match_state.seat_of(player)
        if match_state.state.over or seat is None:
            return None
        lines: list[tuple[int, AnyAction]] = [(HOUSE, End(WITHDRAWN, forfeit_scores(match_state, seat)))]
        if match_state.facts.seats > DUEL:
            # The stand-in resigns at once, since the seat can no longer win.
            bots = match_state.facts.game.bots
            lines = [(HOUSE, BotTakes(seat, bots.current(bots.stand_in))), (seat, Resign())]
            lines = lines[:1] if seat in match_state.state.house.resigned else lines
        entries, after = next_entries(match_state, lines)
        return LogAddition(match_state, entries, after, None, lambda: write_decision_events(match_state, after))

    append_to_match(match, decide)
