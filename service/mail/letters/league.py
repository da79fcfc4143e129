"""Letters about leagues: you are in, it closes soon, it is over with its standings, and where it stands."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from engine.games import GAMES
from engine.words import Locale
from service.config import Config
from service.db.connection import rows
from service.db.models import League
from service.i18n import dates as times
from service.i18n.catalogue import listed, say
from service.mail.letters import sections as parts
from service.mail.letters.blocks import Addressee, Block, Bullets, Facts, Fine, Heading, Letter, Para, Scores
from service.mail.letters.context import addressee, desk
from service.mail.letters.context import called as game_name
from service.mail.letters.invitation import clock_words
from service.mail.letters.move_replies import subject
from service.mail.letters.turn import about, asking
from service.matches import leagues
from service.play.time_control import PRESETS
from service.play.views import bot_name, called
from service.timestamps import now

MOST_LINES = 50
MOST_OPEN = 20
Payload = Mapping[str, Any]


class Line(NamedTuple):
    """How somebody fared: the place is shared by those with as many points."""

    place: int | None
    player: str
    match: str
    score: int | None


@lru_cache(maxsize=8)
def ranked(league: str, _published_at: int) -> tuple[Line, ...]:
    """The standings of a league that is over, counted once for all its letters."""
    found = leagues.standings(League.get_by_id(league), "en")
    scores = [each["score"] for each in found]
    return tuple(
        Line(None if score is None else scores.index(score) + 1, each["player"], each["match"], score)
        for each, score in zip(found, scores, strict=True)
    )


def _reader(player: str) -> Addressee | None:
    """Somebody who wants letters."""
    wants = rows("select 1 from player where id = ? and letters <> 'none'", player)
    return addressee(player) if wants else None


def _facts(league: League, to: Addressee) -> Facts:
    locale, shape = to.locale, json.loads(league.options)
    leave = say(locale, "leave.counts" if PRESETS[shape["clock"]].leave else "leave.not")
    found = [
        (say(locale, "league.game"), game_name(GAMES[league.game], locale)),
        (say(locale, "league.rivals"), _rivals(league, locale)),
        (say(locale, "invitation.clock"), clock_words(shape["clock"], locale)),
        *([(say(locale, "leave.label"), leave)] if shape["clock"] != "none" else []),
        (say(locale, "league.closes"), times.moment(league.closes_at, to.zone, locale)),
        (say(locale, "league.play"), str(_count(league.id)[0])),
    ]
    return Facts(tuple(found))


def _rivals(league: League, locale: Locale) -> str:
    bots = json.loads(league.options)["bots"].values()
    return listed(locale, [bot_name(GAMES[league.game], bot, locale) for bot in bots])


def _count(league: str) -> tuple[int, int]:
    """How many have entered, and how many of them still play."""
    sql = (
        "select count(*), coalesce(sum(case when status = 'running' then 1 else 0 end), 0) from match where league = ?"
    )
    ((entered, playing),) = rows(sql, league)
    return int(entered), int(playing)


def people(league: str) -> list[str]:
    """Who is told how a league ended: everybody who entered, and who opened it."""
    sql = "select created_by from match where league = ? union select created_by from league where id = ?"
    return [player for (player,) in rows(sql, league, league)]


def entered(payload: Payload, _config: Config) -> Letter | None:
    """You are in, and this is how it goes."""
    to, league = _reader(payload["player"]), League.get_by_id(payload["league"])
    if to is None:
        return None
    locale, title = to.locale, league.title
    blocks: list[Block] = [
        Para(say(locale, "entered.lead", title=title), strong=True),
        Para(say(locale, "entered.how")),
        _facts(league, to),
        Para(say(locale, "entered.ask", title=title)),
        Fine(say(locale, "entered.hash")),
        Fine(league.seed_hash),
    ]
    words = say(locale, "entered.subject", title=title)
    return Letter("league-entered", to, words, tuple(blocks), match=payload["match"], scope="all")


def closes(payload: Payload, _config: Config) -> Letter | None:
    """It closes soon and your match is not over; nothing if it is, or if the league has closed by now."""
    league = League.get_by_id(payload["league"])
    seats = rows(
        "select s.match, s.seat from seat s join match m on m.id = s.match where m.league = ? and s.player = ? "
        "and m.status = 'running'",
        league.id,
        payload["player"],
    )
    at = desk(*seats[0]) if seats and league.closes_at > now() else None
    if at is None or at.wants == "none":
        return None
    moment = times.moment(league.closes_at, at.to.zone, at.locale)
    count, playing = _count(league.id)
    words, lead = (say(at.locale, f"closes.{key}", title=league.title, moment=moment) for key in ("subject", "lead"))
    then = Para(say(at.locale, "closes.then", playing=playing, count=count))
    if at.asked is not None:
        return asking(at, "league-closes", words, lead, then)
    return about(at, "league-closes", words, [parts.above(at.locale), Para(lead, strong=True), then, parts.head(at)])


def over(payload: Payload, config: Config) -> Letter | None:
    """The league is over: the standings, your place, the seed, and how to check all of it."""
    to, league = _reader(payload["player"]), League.get_by_id(payload["league"])
    if to is None or league.published_at is None:
        return None
    locale, lines = to.locale, ranked(league.id, league.published_at)
    mine = next((line for line in lines if line.player == to.player), None)
    blocks: list[Block] = [Para(_won(league, lines, to), strong=True)]
    if mine is not None and mine.place is not None:
        place = say(locale, "league.of", place=mine.place, count=len(lines))
        blocks.append(
            Facts(((say(locale, "league.place"), place), (say(locale, "league.yours"), _points(mine, locale))))
        )
    blocks += [*_standings(league, lines, to, config), *_check(league, mine or next(iter(lines), None), to, config)]
    words = say(locale, "league.subject", title=league.title)
    return Letter("league-over", to, words, tuple(blocks), scope="all", match=mine.match if mine else None)


def _won(league: League, lines: tuple[Line, ...], to: Addressee) -> str:
    first = [line.player for line in lines if line.place == 1]
    names = called(sorted(first), to.locale)
    others = listed(to.locale, [names[player] for player in first if player != to.player])
    if not first:
        key = "league.empty"
    elif to.player in first:
        key = "league.shared" if others else "league.won"
    else:
        key = "league.shared-by" if len(first) > 1 else "league.lost"
    return say(to.locale, key, title=league.title, winners=others)


def _points(line: Line, locale: Locale) -> str:
    return say(locale, "league.unscored") if line.score is None else str(line.score).replace("-", "−")


def _standings(league: League, lines: tuple[Line, ...], to: Addressee, config: Config) -> list[Block]:
    if not lines:
        return []
    locale, told = to.locale, lines[:MOST_LINES]
    names = called(sorted({line.player for line in told}), locale)
    table = tuple(
        (f"{line.place}. {names[line.player]}" if line.place else names[line.player], (_points(line, locale),))
        for line in told
    )
    blocks: list[Block] = [Heading(say(locale, "league.standings"))]
    blocks.append(Scores((say(locale, "league.points"),), table, summed=False))
    if len(lines) > len(told):
        url = f"{config.url}/v1/leagues/{league.id}/standings"
        blocks.append(Para(say(locale, "league.more", count=len(lines) - len(told), url=url)))
    return blocks


def _check(league: League, line: Line | None, to: Addressee, config: Config) -> list[Block]:
    """The seed, and how to replay one of the matches with it."""
    found: list[Block] = [Heading(say(to.locale, "verify")), Para(say(to.locale, "league.verify"))]
    if line is not None:
        found.append(parts.verifying(line.match, config))
    seed = (say(to.locale, "league.seed"), league.seed), (say(to.locale, "league.hash"), league.seed_hash)
    return [*found, Facts(seed)]


def told(payload: Payload, config: Config) -> Letter | None:
    """How a league stands, or which ones are open."""
    to = addressee(payload["player"])
    if to is None:
        return None
    if payload["league"] is None:
        blocks = _open(to)
    else:
        league = leagues.found(payload["league"])
        blocks = _stands(league, to, config)
    lead = next(block.words for block in blocks if isinstance(block, Para))
    words, answers = subject(payload, lead.rstrip(".")), payload.get("in_reply_to") or ""
    return Letter("league", to, words, tuple(blocks), scope="all", answers=answers)


def _open(to: Addressee) -> list[Block]:
    locale = to.locale
    found = list(League.select().where(League.closes_at > now()).order_by(League.closes_at).limit(MOST_OPEN))
    if not found:
        return [Para(say(locale, "league.none"), strong=True), Para(say(locale, "league.none.how"))]
    items = [
        say(
            locale,
            "league.line",
            title=league.title,
            game=game_name(GAMES[league.game], locale),
            rivals=_rivals(league, locale),
            moment=times.moment(league.closes_at, to.zone, locale),
            count=_count(league.id)[0],
        )
        for league in found
    ]
    enter = Para(say(locale, "league.enter", title=found[0].title))
    return [Para(say(locale, "league.open"), strong=True), Bullets(tuple(items)), enter]


def _stands(league: League, to: Addressee, config: Config) -> list[Block]:
    if league.published_at is not None:
        lines = ranked(league.id, league.published_at)
        return [Para(_won(league, lines, to), strong=True), *_standings(league, lines, to, config)]
    locale, running = to.locale, league.closes_at > now()
    moment = times.moment(league.closes_at, to.zone, locale)
    lead = say(locale, "league.lead" if running else "league.closed", title=league.title, moment=moment)
    blocks: list[Block] = [Para(lead, strong=True), _facts(league, to)]
    found = leagues.standings(league, locale)
    if any(line["player"] == to.player for line in found):
        blocks.append(Para(say(locale, "league.in")))
    elif running:
        blocks.append(Para(say(locale, "league.enter", title=league.title)))
    items = [f"{line['name']}{say(locale, 'colon')}{_status(locale, line['status'])}" for line in found[:MOST_LINES]]
    return [*blocks, Bullets(tuple(items))] if items else blocks


def _status(locale: Locale, status: str) -> str:
    return say(locale, f"league.status.{'running' if status in ('open', 'running') else 'over'}")
