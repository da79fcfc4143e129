"""The last letter of a match: who won, the count, and how to check all of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.game import HOUSE, Score, final_scores, winners
from service.config import Config
from service.db.connection import rows
from service.i18n import dates as times
from service.i18n.catalogue import capital, known, listed, say
from service.mail.letters import sections as parts
from service.mail.letters.blocks import Block, Heading, Letter, Para, Scores
from service.mail.letters.context import Desk, desk
from service.mail.letters.turn import about
from service.matches import leagues
from service.play.views import CANCELLED

LEAGUE = "select league from match where id = ?"
MISSED = "select line from entry where match = ? and seat = ? and line like ? order by seq desc limit 1"


def over(payload: Mapping[str, Any], config: Config) -> Letter | None:
    """The match is over."""
    at = desk(payload["match"], payload["seat"])
    if at is None or not at.table.state.over or at.to.player != payload["player"] or at.wants == "none":
        return None
    locale = at.locale
    blocks: list[Block] = [parts.above(locale), *verdict(at), *count(at), *parts.story(at), *parts.notes(at)]
    (league,) = rows(LEAGUE, at.table.facts.id)[0]
    blocks += [*parts.table(at), *check(at, league, config), *_again(at, league), parts.head(at)]
    return about(at, "over", say(locale, "over.subject", what=at.what), blocks)


def _again(at: Desk, league: str | None) -> list[Block]:
    """How to play again; a league is played once."""
    if league is not None:
        return []
    people = [player for seat, player in enumerate(at.table.players) if player and seat != at.seat]
    return [Para(say(at.locale, "over.again" if people else "over.alone"))]


def verdict(at: Desk) -> list[Block]:
    """Who won, and why it ended if it was not played to its end."""
    locale, why = at.locale, at.table.state.house.ended
    if why == CANCELLED:
        return [Para(capital(say(locale, "over.cancelled", what=at.what)), strong=True)]
    won = winners(at.looking.game, at.table.state)
    others = listed(locale, [at.names[seat] for seat in won if seat != at.seat])
    if at.seat in won:
        key = "over.shared" if others else "over.won"
    else:
        key = ("over.lost" if len(won) == 1 else "over.shared-by") if won else "over.nobody"
    lead: list[Block] = [Para(capital(say(locale, key, what=at.what, winners=others)), strong=True)]
    if not why:
        return lead
    return [*lead, Para(say(locale, "over.why", why=_reason(at, why)))]


def _reason(at: Desk, why: str) -> str:
    """Why a match ended early: who gave up or let the time run out is named."""
    gone = at.table.state.house.resigned
    if why == "resign" and gone:
        return say(at.locale, "why.resign.you" if gone[-1] == at.seat else "why.resign.other", who=at.names[gone[-1]])
    found = rows(MISSED, at.table.facts.id, HOUSE, "timeout %") if why == "forfeit" else []
    if not found:
        return say(at.locale, f"why.{why}") if known(at.locale, f"why.{why}") else why.replace("-", " ")
    seat, due = (int(word) for word in found[0][0].split(" ")[1:])
    key = "why.forfeit.you" if seat == at.seat else "why.forfeit.other"
    return say(at.locale, key, who=at.names[seat], moment=times.moment(due, at.to.zone, at.locale))


def count(at: Desk) -> list[Block]:
    """The score sheet."""
    if at.table.state.house.ended == CANCELLED:
        return []
    locale, scores = at.locale, final_scores(at.looking.game, at.table.state)
    labels = dict.fromkeys(each.label for score in scores for each in score.counts)
    name = at.looking.game.words.name
    rows = [(capital(name(label, locale)), tuple(_points(score, label) for score in scores)) for label in labels]
    rows.append((say(locale, "scores.total"), tuple(_number(score.total) for score in scores)))
    return [Heading(say(locale, "scores")), Scores(at.names, tuple(rows))]


def _points(score: Score, label: str) -> str:
    return next((_number(each.points) for each in score.counts if each.label == label), "–")


def _number(points: int) -> str:
    return str(points).replace("-", "−")


def check(at: Desk, league: str | None, config: Config) -> list[Block]:
    """How to fetch the record and replay it."""
    match = at.table.facts.id
    if not leagues.seed_is_out(league):
        return [Heading(say(at.locale, "verify")), Para(say(at.locale, "verify.league", title=at.title))]
    return [
        Heading(say(at.locale, "verify")),
        Para(say(at.locale, "verify.how")),
        parts.verifying(match, config),
        Para(say(at.locale, "verify.head", hash=at.table.hash)),
    ]
