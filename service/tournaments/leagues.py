"""Leagues: same-deal tournaments as they were before tournaments, with a match that begins at once.

The one seed is committed to at the opening, as the deals of the tournament, and published at the end. Whoever enters
plays at once; nobody begins after the closing, and who has begun plays on. When nobody plays any more the results, the
end and the seed are written together.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import rfc8785

from engine.options import BadSetting, Setting
from engine.words import Locale, plain
from service import ids
from service.config import Config
from service.db.connection import write_transaction
from service.db.models.accounts import PlayerRow
from service.db.models.matches import MatchRow
from service.db.models.tournaments import (
    PairingRow,
    PairingSeatRow,
    TournamentDocumentRow,
    TournamentHeaderRow,
    TournamentRow,
)
from service.i18n.catalogue import msg
from service.jobs import outbox
from service.matches.create import game_of
from service.matches.join import check_open_match_limit
from service.matches.paired_matches import make_paired_matches, open_to_spectators, start_paired_matches
from service.matches.seat_results import read_seat_results
from service.play import views
from service.play.table_store import load_tables
from service.problems import Problem, invalid_fields_problem
from service.record.table import Table
from service.timestamps import DAY, now, rfc3339
from service.tournaments.document import TournamentDocument, load_document
from service.tournaments.documents.document_schema import WITH_END
from service.tournaments.entrants import ENDED, deal_lines
from service.tournaments.formats.crosstable import How
from service.tournaments.formats.draw import commit_deals, name_round
from service.tournaments.formats.rulesets import NEWEST
from service.tournaments.formats.stage_rules import SAME_DEAL
from service.tournaments.formats.tournament_log import NO_CHAIN, TournamentHeader
from service.tournaments.formats.tournament_state import TournamentState
from service.tournaments.round_jobs import build_paired_match
from service.tournaments.rounds import write_rounds
from service.tournaments.timetable import PLAY_ON
from service.tournaments.tournament_caches import ENTRY
from service.tournaments.tournament_store import append_lines, load_state, lock_tournament, write_lines

LONGEST = 365 * DAY
MOST_ENTRANTS = 20_000
MOST_NAMED = 500
MOST_TOGETHER = 100
DEAL = "deal"
"""The name of the one stage of a league."""
UNFINISHED = ("open", "running")


@dataclass(frozen=True)
class NewLeague:
    """What every match of a league is like, and until when one may begin."""

    title: str
    game: str
    seats: int
    closes_at: int
    bots: Mapping[int, str]
    seat: int = 0
    clock: str = "standard"
    options: Mapping[str, Setting] = field(default_factory=dict)


@dataclass(frozen=True)
class League:
    """A league as its tournament tells it; the seed is secret until it is published."""

    id: str
    title: str
    game: str
    shape: Mapping[str, Any]
    """Seats, the player's seat, bots by seat, clock and options of each match."""
    seed: str
    seed_hash: str
    created_by: str
    created_at: int
    closes_at: int
    published_at: int | None


def read_league(row: TournamentRow) -> League:
    """The league that a tournament is."""
    document = json.loads(row.document)
    (stage,) = document["stages"]
    return League(
        id=row.id,
        title=document["title"]["en"],
        game=row.game,
        shape={
            "seats": stage["seats"],
            "seat": stage["seat"],
            "bots": stage["bots"],
            "clock": document["clock"],
            "options": stage["options"],
        },
        seed=row.deals,
        seed_hash=commit_deals(bytes.fromhex(row.deals)),
        created_by=row.owner,
        created_at=row.created_at,
        closes_at=closing_time(row),
        published_at=row.ended_at,
    )


def closing_time(row: TournamentRow) -> int:
    """When a league closes; each has such a time."""
    if row.closes_at is None:
        raise ValueError(row.id)
    return row.closes_at


def open_league(player: str, wanted: NewLeague) -> League:
    """Open a league: its seed is made now, and its hash is told at once."""
    _check_league(wanted)
    seed, id_, at = ids.new_seed(), ids.new_id(), now()
    document = load_document(league_document(id_, player, wanted, at))
    header = TournamentHeader(id_, document.hash, NO_CHAIN, commit_deals(seed), document.beacon, at)
    text = rfc8785.dumps(dict(document.canonical)).decode()
    with write_transaction():
        row = TournamentRow.create(
            id=id_,
            name=document.name,
            owner=player,
            game=wanted.game,
            state=ENTRY,
            listed=document.listed,
            title=json.dumps(dict(document.title), ensure_ascii=False),
            document=text,
            document_hash=document.hash,
            seed=NO_CHAIN,
            deals=seed.hex(),
            created_at=at,
            opens_at=document.entry.opens,
            closes_at=wanted.closes_at,
            head_seq=0,
            head_hash=header.hash,
            next_at=wanted.closes_at,
            league=True,
        )
        TournamentHeaderRow.create(tournament=id_, hash=header.hash, body="".join(f"{line}\n" for line in header.rows))
        TournamentDocumentRow.create(tournament=id_, hash=document.hash, document=text, at=at)
        # Whoever enters begins at once, so that it starts with its opening.
        write_lines(row, ["close"], at)
        write_rounds(row, load_state(id_), document)
    return read_league(row)


def league_document(id_: str, owner: str, wanted: NewLeague, at: int) -> dict[str, Any]:
    """The canonical document of a league."""
    stage = {
        "name": DEAL,
        "format": SAME_DEAL,
        "seats": wanted.seats,
        "seat": wanted.seat,
        "bots": {str(seat): name for seat, name in wanted.bots.items()},
        "options": dict(wanted.options),
        "start": {"first": rfc3339(at)},
        "end": {"at": rfc3339(wanted.closes_at), "then": PLAY_ON},
        "points": "score",
        "ties": [],
    }
    return {
        "tournament": f"league-{id_}",
        "title": {"en": wanted.title, "fr": wanted.title},
        "game": wanted.game,
        "options": {},
        "zone": "UTC",
        "organisers": [owner],
        "listed": True,
        "entry": {
            "opens": rfc3339(at),
            "closes": WITH_END,
            "by": "open",
            "least": 1,
            "most": MOST_ENTRANTS,
            "programs": True,
            "withdrawn": "score-as-played",
            "reserves": "24h",
        },
        "draw": {"beacon": "none"},
        "pauses": [],
        "clock": wanted.clock,
        "moves": "any",
        "leave": True,
        "late_seat": "stand-in",
        "spectators": "after-stage",
        "rated": False,
        "review": "0h",
        "stages": [stage],
        "prizes": [],
        "ruleset": NEWEST.value,
    }


def _check_league(wanted: NewLeague) -> None:
    game, faults = game_of(wanted.game), dict[str, str]()
    try:
        game.start(wanted.seats, game.settings(wanted.options, wanted.seats))
    except BadSetting as error:
        faults["options"] = str(error)
    others = set(range(wanted.seats)) - {wanted.seat}
    if not 0 <= wanted.seat < wanted.seats:
        faults["seat"] = f"0 to {wanted.seats - 1}"
    elif set(wanted.bots) != others or any(name not in game.bots for name in wanted.bots.values()):
        faults["bots"] = f"one of {', '.join(game.bots)} for each seat but {wanted.seat}"
    if not now() < wanted.closes_at <= now() + LONGEST:
        faults["closes_at"] = "a time to come, within a year"
    if faults:
        raise invalid_fields_problem(msg("matches.league_cannot_open"), **faults)


def select_leagues() -> Any:  # noqa: ANN401  # a query of peewee
    """The tournaments that are leagues."""
    return TournamentRow.select().where(TournamentRow.league)


def find(league_id: str) -> League:
    """The league, with its seed published if its time has come."""
    row = select_leagues().where(TournamentRow.id == league_id).get_or_none()
    if row is None:
        raise Problem("not-found", msg("matches.no_such_league"))
    if row.ended_at is None and _is_finished(row):
        _publish_seed(row)
        return read_league(TournamentRow.get_by_id(league_id))
    return read_league(row)


def find_by_name(text: str) -> League | None:
    """The league with this id, or with this title as far as that is unmistakable; those that run come first."""
    running_first = (TournamentRow.ended_at.is_null(is_null=False), TournamentRow.created_at.desc())
    known = [read_league(row) for row in select_leagues().order_by(*running_first).limit(MOST_NAMED)]
    said = plain(text)
    exact = [each.id for each in known if text.strip() == each.id or plain(each.title) == said]
    begins = [each.id for each in known if said and plain(each.title).startswith(said)]
    chosen = exact[:1] or (begins if len(begins) == 1 else [])
    row = select_leagues().where(TournamentRow.id == (chosen[0] if chosen else text.strip())).get_or_none()
    return None if row is None else read_league(row)


def find_open_leagues(most: int) -> list[League]:
    """So many of the leagues that can still be entered, those that close first first."""
    still = select_leagues().where(TournamentRow.closes_at > now())
    return [read_league(row) for row in still.order_by(TournamentRow.closes_at).limit(most)]


def _is_finished(row: TournamentRow) -> bool:
    """Whether nobody can begin any more and nobody still plays."""
    if closing_time(row) > now():
        return False
    return not select_matches(row.id).where(MatchRow.status.in_(UNFINISHED)).exists()


def select_matches(league: str) -> Any:  # noqa: ANN401  # a query of peewee
    """The matches of a league."""
    pairings = PairingRow.select(PairingRow.id).where(PairingRow.tournament == league)
    return MatchRow.select().where(MatchRow.id.in_(pairings))


def _publish_seed(row: TournamentRow) -> None:
    """Write results and seed, open the matches to everybody and queue the last letters, all of it exactly once."""
    state = load_state(row.id)
    each = state.first_stage.rounds.get(1)
    pairs = each.unfinished(solo=True) if each is not None else ()
    over = {match.id for match in select_matches(row.id).where(MatchRow.status == "over")}
    lines = [f"result {pair.id} {_describe_result(pair.id, len(pair.seats), over)}" for pair in pairs]
    matches = list(state.where)

    def also(row: TournamentRow, state: TournamentState) -> None:
        row.next_at = None
        write_rounds(row, state, load_document(json.loads(row.document)))
        for start in range(0, len(matches), MOST_TOGETHER):
            open_to_spectators(matches[start : start + MOST_TOGETHER])
        outbox.add("letter", f"league-over:{row.id}", {"kind": "league-over", "league": row.id})

    append_lines(row.id, state.seq, [*lines, f"over {name_round(DEAL, 1)}", f"end {row.deals}"], now(), also)


def _describe_result(match: str, seats: int, over: set[str]) -> str:
    """How each seat ended, as the log writes it; a match that never came to its end counts for nobody."""
    if match in over:
        return " ".join(map(str, read_seat_results(match)))
    return " ".join([f"1:0:{How.LAPSED}"] * seats)


def close_due(at: int) -> None:
    """Publish the seed of leagues that are over, and queue letters about those that close within a day."""
    closed = TournamentRow.ended_at.is_null() & (TournamentRow.closes_at <= at)
    for row in list(select_leagues().where(closed)):
        find(row.id)
    for row in list(select_leagues().where((TournamentRow.closes_at > at) & (TournamentRow.closes_at <= at + DAY))):
        # Who began on the last day knows when it ends.
        unfinished = (MatchRow.status == "running") & (MatchRow.created_at <= row.closes_at - DAY)
        with write_transaction():
            for match in list(select_matches(row.id).where(unfinished)):
                about = {"kind": "league-closes", "league": row.id, "player": match.created_by}
                outbox.add("letter", f"league-closes:{row.id}:{match.created_by}", about, rank=outbox.BULK)


def enter(player: PlayerRow, league_id: str, config: Config) -> MatchRow:
    """Begin this player's match of the league; everybody has one."""
    find(league_id)
    # The row is held, so that two requests at once do not begin two matches.
    with lock_tournament(league_id) as row:
        if closing_time(row) <= now() or row.state in ENDED:
            raise Problem("match-over", msg("matches.league_closed"))
        mine = _match_of(row.id, player.id)
        if mine is not None:
            raise Problem("conflict", msg("matches.league_entered"), match=mine)
        check_open_match_limit(player.id, "", config)
        match = _write_entry(row, load_document(json.loads(row.document)), player.id)
        about = {"kind": "league-entered", "league": row.id, "player": player.id, "match": match}
        outbox.add("letter", f"league-entered:{row.id}:{player.id}", about)
        return MatchRow.get_by_id(match)


def _write_entry(row: TournamentRow, document: TournamentDocument, player: str) -> str:
    """Write that somebody enters and is seated, and make and start the match; its id."""
    state, (plan,) = load_state(row.id), document.stages
    number = f"number {player} {len(state.holders) + 1} -"
    at, seated = now(), deal_lines(state, plan, player)
    write_lines(row, [f"enter {player}", f"accept {player}", number, *seated], at)
    state = load_state(row.id)
    write_rounds(row, state, document)
    pairing = PairingRow.get_by_id(seated[0].split(" ")[1])
    make_paired_matches([build_paired_match(row, state, document, plan, pairing)])
    start_paired_matches([pairing.id], at)
    return str(pairing.id)


def _match_of(league: str, player: str) -> str | None:
    sits = PairingSeatRow.select(PairingSeatRow.pairing).where(PairingSeatRow.player == player)
    mine = PairingRow.get_or_none((PairingRow.tournament == league) & PairingRow.id.in_(sits))
    return mine.id if mine else None


def league_as_json(league: League, player: str | None) -> dict[str, Any]:
    """A league as anyone gets it; the seed only once it is published."""
    out = league.published_at is not None
    return {
        "id": league.id,
        "title": league.title,
        "game": league.game,
        **league.shape,
        "created_by": league.created_by,
        "created_at": league.created_at,
        "closes_at": league.closes_at,
        "published_at": league.published_at,
        "seed_hash": league.seed_hash,
        "seed": league.seed if out else None,
        "your_match": _match_of(league.id, player) if player else None,
    }


def standings(league: League, locale: Locale) -> list[dict[str, Any]]:
    """Who plays, and once the seed is out how they fared, best first."""
    played = list(select_matches(league.id).order_by(MatchRow.created_at, MatchRow.id))
    names = views.player_names(sorted({match.created_by for match in played}), locale)
    lines = [{"player": match.created_by, "name": names[match.created_by], "status": match.status} for match in played]
    if league.published_at is None:
        return [{**line, "match": None, "score": None} for line in lines]
    scored = [
        {**line, "match": match.id, "score": score}
        for line, match, score in zip(lines, played, _list_scores(played, league.shape["seat"]), strict=True)
    ]
    return sorted(scored, key=lambda line: -1_000_000 if line["score"] is None else line["score"], reverse=True)


def _list_scores(matches: Sequence[MatchRow], seat: int) -> Iterator[int | None]:
    """What this seat has in each of these matches that are over; their tables are read many at a time."""
    for first in range(0, len(matches), MOST_TOGETHER):
        part = matches[first : first + MOST_TOGETHER]
        for table in load_tables([(match.id, match.head_seq, match.head_hash) for match in part]):
            yield _score(table, seat)


def _score(table: Table, seat: int) -> int | None:
    result = views.result(views.Viewer(table, None, "en"))
    if result is None or result["scores"] is None:
        return None
    total: int = result["scores"][seat]["total"]
    return total
