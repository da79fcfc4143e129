"""The last letter of a match: who won, the count, and how to check all of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.game import Score, final_scores, winners
from service.config import Config
from service.mail import parts
from service.mail.desk import Desk, desk
from service.mail.letter import Block, Heading, Letter, Para, Plain, Scores
from service.mail.turns import about
from service.mail.words import known, listed, say
from service.views import CANCELLED


def over(payload: Mapping[str, Any], config: Config) -> Letter | None:
    """The match is over."""
    at = desk(payload["match"], payload["seat"])
    if at is None or not at.table.state.over or at.to.player != payload["player"] or at.wants == "none":
        return None
    locale = at.locale
    blocks: list[Block] = [parts.above(locale), *verdict(at), *count(at), *parts.story(at), *parts.notes(at)]
    blocks += [*parts.table(at), *check(at, config), parts.head(at)]
    return about(at, "over", say(locale, "over.subject", what=at.what), blocks)


def verdict(at: Desk) -> list[Block]:
    """Who won, and why it ended if it was not played to its end."""
    locale, why = at.locale, at.table.state.house.ended
    if why == CANCELLED:
        return [Para(_capital(say(locale, "over.cancelled", what=at.what)), strong=True)]
    won = winners(at.looking.game, at.table.state)
    others = listed(locale, [at.names[seat] for seat in won if seat != at.seat])
    if at.seat in won:
        key = "over.shared" if others else "over.won"
    else:
        key = ("over.lost" if len(won) == 1 else "over.shared-by") if won else "over.nobody"
    lead: list[Block] = [Para(_capital(say(locale, key, what=at.what, winners=others)), strong=True)]
    if not why:
        return lead
    told = say(locale, f"why.{why}") if known(locale, f"why.{why}") else why.replace("-", " ")
    return [*lead, Para(say(locale, "over.why", why=told))]


def count(at: Desk) -> list[Block]:
    """The score sheet."""
    if at.table.state.house.ended == CANCELLED:
        return []
    locale, scores = at.locale, final_scores(at.looking.game, at.table.state)
    labels = dict.fromkeys(each.label for score in scores for each in score.counts)
    name = at.looking.game.words.name
    rows = [(_capital(name(label, locale)), tuple(_points(score, label) for score in scores)) for label in labels]
    rows.append((say(locale, "scores.total"), tuple(_number(score.total) for score in scores)))
    return [Heading(say(locale, "scores")), Scores(at.names, tuple(rows))]


def _points(score: Score, label: str) -> str:
    return next((_number(each.points) for each in score.counts if each.label == label), "–")


def _number(points: int) -> str:
    return str(points).replace("-", "−")


def check(at: Desk, config: Config) -> list[Block]:
    """How to fetch the record and replay it."""
    match = at.table.facts.id
    lines = f"curl -o {match}.jsonl {config.url}/v1/matches/{match}/record\nechtra verify {match}.jsonl"
    return [
        Heading(say(at.locale, "verify")),
        Para(say(at.locale, "verify.how")),
        Plain(lines),
        Para(say(at.locale, "verify.head", hash=at.table.hash)),
    ]


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]
