"""The last letter of a match: who won, the count, and how to check all of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.game import HOUSE, Score, final_scores, winners
from service.config import Config
from service.db.connection import rows
from service.i18n import dates
from service.i18n.catalogue import capitalise, has_text, join_items, translate
from service.mail.letters import sections
from service.mail.letters.blocks import Block, Heading, Letter, Para, ScoreTable
from service.mail.letters.context import LetterContext, load_context
from service.mail.letters.turn import build_match_letter
from service.matches import leagues
from service.play.views import CANCELLED

SELECT_LEAGUE = "select league from match where id = ?"
SELECT_LAST_TIMEOUT = "select line from entry where match = ? and seat = ? and line like ? order by seq desc limit 1"


def compose_match_over(payload: Mapping[str, Any], config: Config) -> Letter | None:
    """The match is over."""
    at = load_context(payload["match"], payload["seat"])
    if at is None or not at.table.state.over or at.to.player != payload["player"] or at.wants == "none":
        return None
    locale = at.locale
    blocks: list[Block] = [
        sections.reply_line(locale),
        *result_blocks(at),
        *score_blocks(at),
        *sections.story(at),
        *sections.notes(at),
    ]
    (league,) = rows(SELECT_LEAGUE, at.table.facts.id)[0]
    blocks += [
        *sections.table(at),
        *verify_blocks(at, league, config),
        *_rematch_blocks(at, league),
        sections.log_head(at),
    ]
    return build_match_letter(at, "over", translate(locale, "over.subject", what=at.what), blocks)


def _rematch_blocks(at: LetterContext, league: str | None) -> list[Block]:
    """How to play again; a league is played once."""
    if league is not None:
        return []
    people = [player for seat, player in enumerate(at.table.players) if player and seat != at.seat]
    return [Para(translate(at.locale, "over.again" if people else "over.alone"))]


def result_blocks(at: LetterContext) -> list[Block]:
    """Who won, and why it ended if it was not played to its end."""
    locale, why = at.locale, at.table.state.house.ended
    if why == CANCELLED:
        return [Para(capitalise(translate(locale, "over.cancelled", what=at.what)), strong=True)]
    won = winners(at.looking.game, at.table.state)
    others = join_items(locale, [at.names[seat] for seat in won if seat != at.seat])
    if at.seat in won:
        key = "over.shared" if others else "over.won"
    else:
        key = ("over.lost" if len(won) == 1 else "over.shared-by") if won else "over.nobody"
    lead: list[Block] = [Para(capitalise(translate(locale, key, what=at.what, winners=others)), strong=True)]
    if not why:
        return lead
    return [*lead, Para(translate(locale, "over.why", why=_ending_reason(at, why)))]


def _ending_reason(at: LetterContext, why: str) -> str:
    """Why a match ended early: who gave up or let the time run out is named."""
    gone = at.table.state.house.resigned
    if why == "resign" and gone:
        return translate(
            at.locale, "why.resign.you" if gone[-1] == at.seat else "why.resign.other", who=at.names[gone[-1]]
        )
    found = rows(SELECT_LAST_TIMEOUT, at.table.facts.id, HOUSE, "timeout %") if why == "forfeit" else []
    if not found:
        return translate(at.locale, f"why.{why}") if has_text(at.locale, f"why.{why}") else why.replace("-", " ")
    seat, due = (int(word) for word in found[0][0].split(" ")[1:])
    key = "why.forfeit.you" if seat == at.seat else "why.forfeit.other"
    return translate(at.locale, key, who=at.names[seat], moment=dates.format_moment(due, at.to.zone, at.locale))


def score_blocks(at: LetterContext) -> list[Block]:
    """The score sheet."""
    if at.table.state.house.ended == CANCELLED:
        return []
    locale, scores = at.locale, final_scores(at.looking.game, at.table.state)
    labels = dict.fromkeys(each.label for score in scores for each in score.counts)
    name = at.looking.game.words.name
    rows = [
        (capitalise(name(label, locale)), tuple(_count_points(score, label) for score in scores)) for label in labels
    ]
    rows.append((translate(locale, "scores.total"), tuple(_format_points(score.total) for score in scores)))
    return [Heading(translate(locale, "scores")), ScoreTable(at.names, tuple(rows))]


def _count_points(score: Score, label: str) -> str:
    return next((_format_points(each.points) for each in score.counts if each.label == label), "–")


def _format_points(points: int) -> str:
    return str(points).replace("-", "−")


def verify_blocks(at: LetterContext, league: str | None, config: Config) -> list[Block]:
    """How to fetch the record and replay it."""
    match = at.table.facts.id
    if not leagues.is_seed_public(league):
        return [Heading(translate(at.locale, "verify")), Para(translate(at.locale, "verify.league", title=at.title))]
    return [
        Heading(translate(at.locale, "verify")),
        Para(translate(at.locale, "verify.how")),
        sections.verify_commands(match, config),
        Para(translate(at.locale, "verify.head", hash=at.table.hash)),
    ]
