"""Leagues become tournaments with one deal for all: the same ids, seeds and hashes, and a log of what is stored.

What takes long, playing finished leagues again for their results, comes before the first write, and the rows of matches
are touched last. The tables of before stay for processes that still run; a league that one of them would open or let
somebody enter now is refused, because nobody would find it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import rfc8785

from engine.chance import match_key
from engine.game import HOUSE
from engine.games import GAMES
from engine.reading import read
from service.db.connection import db, execute, is_postgres, rows
from service.db.sealing import seal, unseal
from service.record.hashing import join_lines, sha256_hex
from service.record.header import read as read_header
from service.record.seat_endings import EndingLine, find_seat_endings, is_own_line
from service.record.table import MatchInfo, Table, initial_table
from service.timestamps import rfc3339

INDEXES = {
    "match_listed": "on match (created_at desc, id) where visibility = 'open'",
    "tournament_league": "on tournament (closes_at) where league",
}
BATCH_SIZE = 100
STAGE, ROUND = "deal", "deal:1"
SELECT_LEAGUES = (
    "select id, title, game, options, seed, seed_hash, created_by, created_at, closes_at, published_at from league "
    "order by created_at, id"
)
SELECT_MATCHES = "select id, created_by, created_at, status from match where league = ? order by created_at, id"
SELECT_LOG = "select seq, seat, at, made_by, line, hash from entry where match = ? order by seq"
SELECT_HEADER = "select m.seed, h.body, h.hash from match m join header h on h.match = m.id where m.id = ?"
OPEN_MATCHES = "update match set pairing = id where league = ?"
SEALED_MATCHES = "update match set pairing = id, visibility = 'sealed' where league = ?"
MOVED = "leagues are tournaments now: start this process anew"
SQLITE_GUARDS = (
    f"create trigger league_moved before insert on league begin select raise(abort, '{MOVED}'); end",
    "create trigger league_match_moved before insert on match when new.league is not null "
    f"begin select raise(abort, '{MOVED}'); end",
)
POSTGRES_GUARDS = (
    "create function league_moved() returns trigger language plpgsql as "
    f"$$ begin raise exception '{MOVED}' using errcode = 'integrity_constraint_violation'; end $$",
    "create trigger league_moved before insert on league for each row execute function league_moved()",
    "create trigger league_match_moved before insert on match for each row when (new.league is not null) "
    "execute function league_moved()",
)
Rows = list[dict[str, Any]]


@dataclass
class MovedLeague:
    """The rows of one league as a tournament, and its log as it grows line by line."""

    id: str
    hash: str
    at: int
    tables: dict[str, Rows] = field(default_factory=dict)
    seq: int = 0

    def add_row(self, table: str, **columns: Any) -> None:  # noqa: ANN401  # whatever a column holds
        """Add a row of a table."""
        self.tables.setdefault(table, []).append(columns)

    def add_line(self, line: str, at: int) -> int:
        """Add a line to the log, not before the one before it; its number."""
        self.at = max(self.at, at)
        self.seq += 1
        words = ("echtra-tournament-entry-v1", self.id, self.seq, self.at, line, self.hash)
        before, self.hash = self.hash, sha256_hex(join_lines(*words))
        self.add_row(
            "tournament_entry",
            tournament=self.id,
            seq=self.seq,
            at=self.at,
            line=line,
            prev_hash=before,
            hash=self.hash,
        )
        return self.seq


def up() -> None:
    """Make a tournament of each league; nothing of it is lost, and nobody gets a letter."""
    moved = [(_move_league(StoredLeague(*row)), row[-1] is not None) for row in rows(SELECT_LEAGUES)]
    db.execute_sql("alter table tournament add column league boolean not null default false")
    for league, _ in moved:
        for table, columns in league.tables.items():
            _insert_rows(table, columns)
    for league, published in moved:
        execute(OPEN_MATCHES if published else SEALED_MATCHES, league.id)
    for statement in POSTGRES_GUARDS if is_postgres() else SQLITE_GUARDS:
        db.execute_sql(statement)


def _insert_rows(table: str, columns: Rows) -> None:
    names = list(columns[0])
    holes = f"({', '.join('?' * len(names))})"
    for start in range(0, len(columns), BATCH_SIZE):
        part = columns[start : start + BATCH_SIZE]
        sql = f"insert into {table} ({', '.join(names)}) values {', '.join([holes] * len(part))}"
        execute(sql, *(row[name] for row in part for name in names))


class StoredLeague(NamedTuple):
    """A row of the table of before."""

    id: str
    title: str
    game: str
    options: str
    seed: str
    seed_hash: str
    owner: str
    created_at: int
    closes_at: int
    published_at: int | None


def _move_league(old: StoredLeague) -> MovedLeague:
    deals, shape = unseal(old.seed, "league.seed"), json.loads(old.options)
    document = _write_document(old, shape)
    text = rfc8785.dumps(document).decode()
    hash_ = sha256_hex(text.encode())
    header = _write_header(old, hash_)
    league = MovedLeague(old.id, sha256_hex(join_lines(*header)), old.created_at)
    row = {
        "id": old.id,
        "name": document["tournament"],
        "owner": old.owner,
        "game": old.game,
        "state": "entry",
        "listed": True,
        "title": json.dumps(document["title"], ensure_ascii=False),
        "document": text,
        "document_hash": hash_,
        "seed": seal("-", "tournament.seed"),
        "deals": seal(deals, "tournament.deals"),
        "created_at": old.created_at,
        "opens_at": old.created_at,
        "closes_at": old.closes_at,
        "league": True,
    }
    league.tables["tournament"] = [row]
    league.add_row(
        "tournament_header", tournament=old.id, hash=league.hash, body="".join(f"{each}\n" for each in header)
    )
    league.add_row("tournament_document", tournament=old.id, hash=hash_, document=text, at=old.created_at)
    league.add_line("close", old.created_at)
    matches = rows(SELECT_MATCHES, old.id)
    started_at = _add_entrants(league, shape, matches)
    over_at = _add_end(league, shape, matches, deals, old.published_at) if old.published_at is not None else None
    state = "over" if over_at is not None else "entry" if started_at is None else "running"
    row |= {
        "state": state,
        "head_seq": league.seq,
        "head_hash": league.hash,
        "next_at": None if over_at is not None else old.closes_at,
        "started_at": started_at,
        "ended_at": over_at,
    }
    phase = "planned" if state == "entry" else state
    league.add_row(
        "stage",
        tournament=old.id,
        place=1,
        name=STAGE,
        format="same-deal",
        state=phase,
        standings="",
        standings_seq=0,
    )
    league.add_row(
        "round",
        tournament=old.id,
        stage=STAGE,
        number=1,
        state=phase,
        starts_at=started_at or old.created_at,
        ends_at=old.closes_at,
        started_at=started_at,
        over_at=over_at,
    )
    return league


def _write_header(old: StoredLeague, document: str) -> tuple[str, ...]:
    """The rows of the header; the seed of the league is the deals that it commits to."""
    return (
        "echtra-tournament-v1",
        f"tournament: {old.id}",
        f"document: {document}",
        "chain: -",
        f"deals: {old.seed_hash}",
        "beacon: none",
        f"created: {old.created_at}",
    )


def _write_document(old: StoredLeague, shape: Mapping[str, Any]) -> dict[str, Any]:
    opens = rfc3339(old.created_at)
    stage = {
        "name": STAGE,
        "format": "same-deal",
        "seats": shape["seats"],
        "seat": shape["seat"],
        "bots": shape["bots"],
        "options": shape["options"],
        "start": {"first": opens},
        "end": {"at": rfc3339(old.closes_at), "then": "play-on"},
        "points": "score",
        "ties": [],
    }
    entry = {"opens": opens, "closes": "with-end", "by": "open", "least": 1, "most": 20_000, "programs": True}
    return {
        "tournament": f"league-{old.id}",
        "title": {"en": old.title, "fr": old.title},
        "game": old.game,
        "options": {},
        "zone": "UTC",
        "organisers": [old.owner],
        "listed": True,
        "entry": {**entry, "withdrawn": "score-as-played", "reserves": "24h"},
        "draw": {"beacon": "none"},
        "pauses": [],
        "clock": shape["clock"],
        "moves": "any",
        "leave": True,
        "late_seat": "stand-in",
        "spectators": "after-stage",
        "rated": False,
        "review": "0h",
        "stages": [stage],
        "prizes": [],
    }


def _add_entrants(
    league: MovedLeague, shape: Mapping[str, Any], matches: Sequence[tuple[str, str, int, str]]
) -> int | None:
    """Write who entered, with their pairings; when the first did, if anybody."""
    started_at = None
    for number, (match, player, created_at, _) in enumerate(matches, 1):
        bots = {int(seat): f"bot:{bot}" for seat, bot in shape["bots"].items()}
        people = [bots.get(seat, player) for seat in range(shape["seats"])]
        entered = league.add_line(f"enter {player}", created_at)
        league.add_line(f"accept {player}", created_at)
        league.add_line(f"number {player} {number} -", created_at)
        league.add_line(f"pair {match} {ROUND} - {' '.join(people)}", created_at)
        if started_at is None:
            league.add_line(f"start {ROUND}", created_at)
            started_at = league.at
        league.add_row(
            "entrant",
            tournament=league.id,
            player=player,
            status="in",
            number=number,
            rating=None,
            nonce="-",
            entered_seq=entered,
        )
        league.add_row(
            "pairing",
            id=match,
            tournament=league.id,
            stage=STAGE,
            round=1,
            place=number,
            section=0,
            seats=json.dumps(people),
            void=False,
            result="",
        )
        league.add_row("pairing_seat", pairing=match, seat=shape["seat"], player=player)
    return started_at


def _add_end(
    league: MovedLeague,
    shape: Mapping[str, Any],
    matches: Sequence[tuple[str, str, int, str]],
    deals: str,
    published_at: int,
) -> int:
    """Write the results, the end and the seed of a league that is over; when that was."""
    for place, (match, _, _, status) in enumerate(matches):
        lapsed = " ".join(["1:0:lapsed"] * shape["seats"])
        result = " ".join(map(str, _replay_match(match))) if status == "over" else lapsed
        league.add_line(f"result {match} {result}", published_at)
        league.tables["pairing"][place]["result"] = result
    league.add_line(f"over {ROUND}", published_at)
    league.add_line(f"end {deals}", published_at)
    return league.at


def _replay_match(match: str) -> Iterator[str]:
    """How each seat of a match that is over ended, as the log of a tournament writes it."""
    ((seed, body, header_hash),) = rows(SELECT_HEADER, match)
    table = initial_table(_parse_match_info(match, seed, body, header_hash))
    house: list[EndingLine] = []
    movers: set[int] = set()
    for seq, seat, at, made_by, line, hash_ in rows(SELECT_LOG, match):
        table = _apply_line(table, seat, line, hash_, at)
        if seat == HOUSE:
            house.append(EndingLine(seq, at, line))
        elif is_own_line(made_by, line):
            movers.add(seat)
    return map(str, find_seat_endings(table, movers, house))


def _apply_line(table: Table, seat: int, line: str, hash_: str, at: int) -> Table:
    return table.after(seat, read(table.facts.game, line, seat), hash_, at)


def _parse_match_info(match: str, seed: str, body: str, header_hash: str) -> MatchInfo:
    header = read_header(body.rstrip("\n").split("\n"))
    raw = bytes.fromhex(unseal(seed, "match.seed"))
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
        header_hash=header_hash,
    )
