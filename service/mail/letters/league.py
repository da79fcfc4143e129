"""Letters about leagues: you are in, it closes soon, it is over with its standings, and where it stands."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from engine.games import GAMES
from engine.words import Locale
from service.config import Config
from service.db.connection import rows
from service.db.models.accounts import PlayerRow
from service.i18n import dates
from service.i18n.catalogue import join_items, translate
from service.mail.letters import sections
from service.mail.letters.blocks import (
    Addressee,
    Block,
    Bullets,
    FactList,
    Heading,
    Letter,
    Para,
    ScoreTable,
    SmallPrint,
)
from service.mail.letters.context import LetterContext, find_addressee, game_name, load_seat
from service.mail.letters.move_answers import reply_subject
from service.mail.letters.sections import describe_clock
from service.mail.letters.turn import build_match_letter, build_question_letter
from service.play.time_control import PRESETS
from service.play.views import bot_name, player_names
from service.timestamps import now
from service.tournaments import leagues
from service.tournaments.leagues import League

MOST_LINES = 50
MOST_OPEN = 20


class LeagueRank(NamedTuple):
    """How somebody fared: the place is shared by those with as many points."""

    place: int | None
    player: str
    match: str
    score: int | None


@lru_cache(maxsize=8)
def final_ranking(league: str, _published_at: int) -> tuple[LeagueRank, ...]:
    """The standings of a league that is over, counted once for all its letters."""
    found = leagues.standings(leagues.find(league), "en")
    scores = [each["score"] for each in found]
    return tuple(
        LeagueRank(None if score is None else scores.index(score) + 1, each["player"], each["match"], score)
        for each, score in zip(found, scores, strict=True)
    )


def _find_subscriber(player: str) -> Addressee | None:
    """Somebody who wants letters."""
    wants = (PlayerRow.id == player) & (PlayerRow.letters != "none")
    return find_addressee(player) if PlayerRow.select().where(wants).exists() else None


def _league_facts(league: League, to: Addressee) -> FactList:
    locale, shape = to.locale, league.shape
    leave = translate(locale, "leave.counts" if PRESETS[shape["clock"]].leave else "leave.not")
    found = [
        (translate(locale, "league.game"), game_name(GAMES[league.game], locale)),
        (translate(locale, "league.rivals"), _bot_names(league, locale)),
        (translate(locale, "invitation.clock"), describe_clock(shape["clock"], locale)),
        *([(translate(locale, "leave.label"), leave)] if shape["clock"] != "none" else []),
        (translate(locale, "league.closes"), dates.format_moment(league.closes_at, to.zone, locale)),
        (translate(locale, "league.play"), str(_count_matches(league.id)[0])),
    ]
    return FactList(tuple(found))


def _bot_names(league: League, locale: Locale) -> str:
    bots = league.shape["bots"].values()
    return join_items(locale, [bot_name(GAMES[league.game], bot, locale) for bot in bots])


def _count_matches(league: str) -> tuple[int, int]:
    """How many have entered, and how many of them still play."""
    sql = (
        "select count(*), coalesce(sum(case when m.status = 'running' then 1 else 0 end), 0) "
        "from pairing p join match m on m.id = p.id where p.tournament = ?"
    )
    ((entered, playing),) = rows(sql, league)
    return int(entered), int(playing)


def league_recipients(league: str) -> list[str]:
    """Who is told how a league ended: everybody who entered, and who opened it."""
    sql = (
        "select m.created_by from pairing p join match m on m.id = p.id where p.tournament = ? "
        "union select owner from tournament where id = ?"
    )
    return [player for (player,) in rows(sql, league, league)]


def compose_league_entered(context: LetterContext) -> Letter | None:
    """The letter to who entered a league: how it goes."""
    to, league = _find_subscriber(context.payload["player"]), leagues.find(context.payload["league"])
    if to is None:
        return None
    locale, title = to.locale, league.title
    blocks: list[Block] = [
        Para(translate(locale, "entered.lead", title=title), strong=True),
        Para(translate(locale, "entered.how")),
        _league_facts(league, to),
        Para(translate(locale, "entered.ask", title=title)),
        SmallPrint(translate(locale, "entered.hash")),
        SmallPrint(league.seed_hash),
    ]
    words = translate(locale, "entered.subject", title=title)
    return Letter("league-entered", to, words, tuple(blocks), match=context.payload["match"], scope="all")


def compose_league_closes(context: LetterContext) -> Letter | None:
    """The letter about a league that closes soon; nothing if the match is over, or the league closed by now."""
    league = leagues.find(context.payload["league"])
    seats = rows(
        "select s.match, s.seat from pairing p join match m on m.id = p.id join seat s on s.match = m.id "
        "where p.tournament = ? and s.player = ? and m.status = 'running'",
        league.id,
        context.payload["player"],
    )
    seat = load_seat(*seats[0]) if seats and league.closes_at > now() else None
    if seat is None or seat.letter_mode == "none":
        return None
    moment = dates.format_moment(league.closes_at, seat.to.zone, seat.locale)
    count, playing = _count_matches(league.id)
    words, lead = (
        translate(seat.locale, f"closes.{key}", title=league.title, moment=moment) for key in ("subject", "lead")
    )
    then = Para(translate(seat.locale, "closes.then", playing=playing, count=count))
    if seat.asked is not None:
        return build_question_letter(seat, "league-closes", words, lead, then)
    return build_match_letter(
        seat,
        "league-closes",
        words,
        [sections.reply_line(seat.locale), Para(lead, strong=True), then, sections.log_head(seat)],
    )


def compose_league_over(context: LetterContext) -> Letter | None:
    """The letter about a league that is over: the standings, their place, the seed, and how to check all of it."""
    to, league = _find_subscriber(context.payload["player"]), leagues.find(context.payload["league"])
    if to is None or league.published_at is None:
        return None
    locale, lines = to.locale, final_ranking(league.id, league.published_at)
    mine = next((line for line in lines if line.player == to.player), None)
    blocks: list[Block] = [Para(_winner_sentence(league, lines, to), strong=True)]
    if mine is not None and mine.place is not None:
        place = translate(locale, "league.of", place=mine.place, count=len(lines))
        blocks.append(
            FactList(
                (
                    (translate(locale, "league.place"), place),
                    (translate(locale, "league.yours"), _format_score(mine, locale)),
                )
            )
        )
    blocks += [
        *_standings_blocks(league, lines, to, context.config),
        *_verify_blocks(league, mine or next(iter(lines), None), to, context.config),
    ]
    words = translate(locale, "league.subject", title=league.title)
    return Letter("league-over", to, words, tuple(blocks), scope="all", match=mine.match if mine else None)


def _winner_sentence(league: League, lines: tuple[LeagueRank, ...], to: Addressee) -> str:
    first = [line.player for line in lines if line.place == 1]
    names = player_names(sorted(first), to.locale)
    others = join_items(to.locale, [names[player] for player in first if player != to.player])
    if not first:
        key = "league.empty"
    elif to.player in first:
        key = "league.shared" if others else "league.won"
    else:
        key = "league.shared-by" if len(first) > 1 else "league.lost"
    return translate(to.locale, key, title=league.title, winners=others)


def _format_score(line: LeagueRank, locale: Locale) -> str:
    return translate(locale, "league.unscored") if line.score is None else str(line.score).replace("-", "−")


def _standings_blocks(league: League, lines: tuple[LeagueRank, ...], to: Addressee, config: Config) -> list[Block]:
    if not lines:
        return []
    locale, told = to.locale, lines[:MOST_LINES]
    names = player_names(sorted({line.player for line in told}), locale)
    table = tuple(
        (f"{line.place}. {names[line.player]}" if line.place else names[line.player], (_format_score(line, locale),))
        for line in told
    )
    blocks: list[Block] = [Heading(translate(locale, "league.standings"))]
    blocks.append(ScoreTable((translate(locale, "league.points"),), table, summed=False))
    if len(lines) > len(told):
        url = f"{config.url}/v1/leagues/{league.id}/standings"
        blocks.append(Para(translate(locale, "league.more", count=len(lines) - len(told), url=url)))
    return blocks


def _verify_blocks(league: League, line: LeagueRank | None, to: Addressee, config: Config) -> list[Block]:
    """The seed, and how to replay one of the matches with it."""
    found: list[Block] = [Heading(translate(to.locale, "verify")), Para(translate(to.locale, "league.verify"))]
    if line is not None:
        found.append(sections.verify_commands(line.match, config))
    seed = (translate(to.locale, "league.seed"), league.seed), (translate(to.locale, "league.hash"), league.seed_hash)
    return [*found, FactList(seed)]


def compose_league_status(context: LetterContext) -> Letter | None:
    """The answer to `league`: how one stands, or which ones are open."""
    to = context.to
    if to is None:
        return None
    if context.payload["league"] is None:
        blocks = _open_leagues_blocks(to)
    else:
        league = leagues.find(context.payload["league"])
        blocks = _league_status_blocks(league, to, context.config)
    lead = next(block.words for block in blocks if isinstance(block, Para))
    subject = reply_subject(context, lead.rstrip("."))
    return Letter("league", to, subject, tuple(blocks), scope="all", in_reply_to=context.in_reply_to)


def _open_leagues_blocks(to: Addressee) -> list[Block]:
    locale = to.locale
    found = leagues.find_open_leagues(MOST_OPEN)
    if not found:
        return [Para(translate(locale, "league.none"), strong=True), Para(translate(locale, "league.none.how"))]
    items = [
        translate(
            locale,
            "league.line",
            title=league.title,
            game=game_name(GAMES[league.game], locale),
            rivals=_bot_names(league, locale),
            moment=dates.format_moment(league.closes_at, to.zone, locale),
            count=_count_matches(league.id)[0],
        )
        for league in found
    ]
    enter = Para(translate(locale, "league.enter", title=found[0].title))
    return [Para(translate(locale, "league.open"), strong=True), Bullets(tuple(items)), enter]


def _league_status_blocks(league: League, to: Addressee, config: Config) -> list[Block]:
    if league.published_at is not None:
        lines = final_ranking(league.id, league.published_at)
        return [Para(_winner_sentence(league, lines, to), strong=True), *_standings_blocks(league, lines, to, config)]
    locale, running = to.locale, league.closes_at > now()
    moment = dates.format_moment(league.closes_at, to.zone, locale)
    lead = translate(locale, "league.lead" if running else "league.closed", title=league.title, moment=moment)
    blocks: list[Block] = [Para(lead, strong=True), _league_facts(league, to)]
    found = leagues.standings(league, locale)
    if any(line["player"] == to.player for line in found):
        blocks.append(Para(translate(locale, "league.in")))
    elif running:
        blocks.append(Para(translate(locale, "league.enter", title=league.title)))
    items = [
        f"{line['name']}{translate(locale, 'colon')}{_match_status(locale, line['status'])}"
        for line in found[:MOST_LINES]
    ]
    return [*blocks, Bullets(tuple(items))] if items else blocks


def _match_status(locale: Locale, status: str) -> str:
    return translate(locale, f"league.status.{'running' if status in ('open', 'running') else 'over'}")
