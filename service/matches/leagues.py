"""Leagues: solo matches dealt alike, from one seed that is committed at the opening and published at the end."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from engine.options import BadSetting, Setting
from engine.words import Locale, plain
from service import ids
from service.config import Config
from service.db.connection import write_transaction
from service.db.models.accounts import PlayerRow
from service.db.models.matches import LeagueRow, MatchRow
from service.i18n.catalogue import msg
from service.jobs import outbox
from service.matches.create import NewMatch, create_match, game_of
from service.play import views
from service.play.access import SEALED
from service.play.table_store import table_of
from service.problems import Problem, invalid_fields_problem
from service.timestamps import DAY, now

LONGEST = 365 * DAY
SHAPE = ("seats", "seat", "bots", "clock", "options")
MOST_NAMED = 500


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


def open_league(player: str, wanted: NewLeague) -> LeagueRow:
    """Open a league: its seed is made now, and its hash is told at once."""
    _check_league(wanted)
    seed = ids.new_seed()
    shape = {name: getattr(wanted, name) for name in SHAPE}
    with write_transaction():
        return LeagueRow.create(
            id=ids.new_id(),
            title=wanted.title,
            game=wanted.game,
            options=json.dumps({**shape, "bots": {str(seat): name for seat, name in wanted.bots.items()}}),
            seed=seed.hex(),
            seed_hash=sha256(seed).hexdigest(),
            created_by=player,
            created_at=now(),
            closes_at=wanted.closes_at,
            published_at=None,
        )


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


def find(league_id: str) -> LeagueRow:
    """The league, with its seed published if its time has come."""
    league = LeagueRow.get_or_none(LeagueRow.id == league_id)
    if league is None:
        raise Problem("not-found", msg("matches.no_such_league"))
    if league.published_at is None and _is_finished(league):
        _publish_seed(league_id)
        return LeagueRow.get_by_id(league_id)
    return league


def _publish_seed(league: str) -> None:
    """Publish the seed and queue the last letters, both exactly once."""
    with write_transaction():
        closed = (LeagueRow.id == league) & LeagueRow.published_at.is_null()
        if LeagueRow.update(published_at=now()).where(closed).execute() == 1:
            outbox.add("letter", f"league-over:{league}", {"kind": "league-over", "league": league})


def close_due(at: int) -> None:
    """Publish the seed of leagues that are over, and queue letters about those that close within a day."""
    for league in list(LeagueRow.select().where(LeagueRow.published_at.is_null() & (LeagueRow.closes_at <= at))):
        find(league.id)
    for league in list(LeagueRow.select().where((LeagueRow.closes_at > at) & (LeagueRow.closes_at <= at + DAY))):
        # Who began on the last day knows when it ends.
        unfinished = (MatchRow.status == "running") & (MatchRow.created_at <= league.closes_at - DAY)
        with write_transaction():
            for match in list(MatchRow.select().where((MatchRow.league == league.id) & unfinished)):
                about = {"kind": "league-closes", "league": league.id, "player": match.created_by}
                outbox.add("letter", f"league-closes:{league.id}:{match.created_by}", about)


def find_by_name(text: str) -> LeagueRow | None:
    """The league with this id, or with this title as far as that is unmistakable; those that run come first."""
    running_first = (LeagueRow.published_at.is_null(is_null=False), LeagueRow.created_at.desc())
    known = list(LeagueRow.select().order_by(*running_first).limit(MOST_NAMED))
    said = plain(text)
    exact = [each.id for each in known if text.strip() == each.id or plain(each.title) == said]
    begins = [each.id for each in known if said and plain(each.title).startswith(said)]
    chosen_ = exact[:1] or (begins if len(begins) == 1 else [])
    return LeagueRow.get_or_none(LeagueRow.id == (chosen_[0] if chosen_ else text.strip()))


def _is_finished(league: LeagueRow) -> bool:
    """Whether nobody can begin any more and nobody still plays."""
    if league.closes_at > now():
        return False
    unfinished = (MatchRow.league == league.id) & MatchRow.status.in_(("open", "running"))
    return not MatchRow.select().where(unfinished).exists()


def enter(player: PlayerRow, league_id: str, config: Config) -> MatchRow:
    """Begin this player's match of the league; everybody has one."""
    with write_transaction():
        league = find(league_id)
        # The row is held, so that two requests at once do not begin two matches.
        LeagueRow.update(title=LeagueRow.title).where(LeagueRow.id == league.id).execute()
        if league.closes_at <= now():
            raise Problem("match-over", msg("matches.league_closed"))
        mine = _match_of(league.id, player.id)
        if mine is not None:
            raise Problem("conflict", msg("matches.league_entered"), match=mine)
        shape = json.loads(league.options)
        wanted = NewMatch(
            game=league.game,
            seats=shape["seats"],
            options=shape["options"],
            clock=shape["clock"],
            bots={int(seat): name for seat, name in shape["bots"].items()},
            title=league.title,
            seat=shape["seat"],
            league=league.id,
        )
        made = create_match(player, wanted, config)
        about = {"kind": "league-entered", "league": league.id, "player": player.id, "match": made.id}
        outbox.add("letter", f"league-entered:{league.id}:{player.id}", about)
        return made


def _match_of(league: str, player: str) -> str | None:
    mine = MatchRow.get_or_none((MatchRow.league == league) & (MatchRow.created_by == player))
    return mine.id if mine else None


def is_seed_public(league: str | None) -> bool:
    """Whether the seed of a match that is over may be told: in a league only when all its matches are over."""
    return league is None or find(league).published_at is not None


def is_record_public(match: MatchRow) -> bool:
    """Whether seed and record of a match that is over may be told: not while others still play the same deal."""
    return match.visibility != SEALED and is_seed_public(match.league)


def league_as_json(league: LeagueRow, player: str | None) -> dict[str, Any]:
    """A league as anyone gets it; the seed only once it is published."""
    out = league.published_at is not None
    return {
        "id": league.id,
        "title": league.title,
        "game": league.game,
        **json.loads(league.options),
        "created_by": league.created_by,
        "created_at": league.created_at,
        "closes_at": league.closes_at,
        "published_at": league.published_at,
        "seed_hash": league.seed_hash,
        "seed": league.seed if out else None,
        "your_match": _match_of(league.id, player) if player else None,
    }


def standings(league: LeagueRow, locale: Locale) -> list[dict[str, Any]]:
    """Who plays, and once the seed is out how they fared, best first."""
    matches = MatchRow.select().where(MatchRow.league == league.id)
    played = list(matches.order_by(MatchRow.created_at, MatchRow.id))
    names = views.player_names(sorted({match.created_by for match in played}), locale)
    lines = [{"player": match.created_by, "name": names[match.created_by], "status": match.status} for match in played]
    if league.published_at is None:
        return [{**line, "match": None, "score": None} for line in lines]
    seat = json.loads(league.options)["seat"]
    scored = [
        {**line, "match": match.id, "score": _score(match.id, seat)} for line, match in zip(lines, played, strict=True)
    ]
    return sorted(scored, key=lambda line: -1_000_000 if line["score"] is None else line["score"], reverse=True)


def _score(match: str, seat: int) -> int | None:
    result = views.result(views.Viewer(table_of(match), None, "en"))
    if result is None or result["scores"] is None:
        return None
    total: int = result["scores"][seat]["total"]
    return total
