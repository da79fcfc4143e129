"""The letter of the day for who wants only one: matches that wait, and news of tournaments since the last one."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from service.db.connection import write_transaction
from service.db.models.mail import DigestNewsRow
from service.i18n.catalogue import translate_count
from service.mail.letters import digest
from service.mail.letters.blocks import Block, Bullets, Heading, Letter, Para
from service.mail.letters.context import LetterContext
from service.timestamps import DAY, now

MOST_NEWS = 10
NEWS_KEPT = 40 * DAY
"""How long news is kept that has been told, in case the digest is written again."""
NEWS_KINDS = frozenset(f"tournament-{what}" for what in ("round", "over", "cancelled", "ruling", "ending", "message"))
"""Letters that wait for the digest of who wants one; what asks for an answer does not wait."""
Composer = Callable[[LetterContext], Letter | None]


def keep_news(key: str, player: str, payload: Mapping[str, Any]) -> None:
    """Keep what a letter would have told for the next digest, once for each job; inside a transaction."""
    text = json.dumps(payload, separators=(",", ":"))
    columns = {"key": key, "player": player, "payload": text, "at": now(), "told": 0}
    DigestNewsRow.insert(columns).on_conflict_ignore().execute()


def compose_daily_digest(context: LetterContext, compose: Composer) -> Letter | None:
    """The digest of what waits for a player now, and of what happened in tournaments; nothing if there is neither.

    `compose` writes any letter: each piece of news is what the letter about it alone would be.
    """
    to, news = context.to, _take_news(context, compose)
    waiting = digest.compose_digest(context)
    if waiting is not None or to is None or not news:
        return waiting if waiting is None else waiting.with_blocks(*_news_blocks(news))
    lead = translate_count(to.locale, "digest.news", len(news))
    subject = news[0].subject if len(news) == 1 else lead
    return Letter("digest", to, subject, (Para(lead, strong=True), *_news_blocks(news)), scope="all")


def _take_news(context: LetterContext, compose: Composer) -> list[Letter]:
    """The news that this digest tells, the oldest first; the same ones however often it is composed."""
    slot, mine = int(context.payload["slot"]), DigestNewsRow.player == context.payload["player"]
    if not DigestNewsRow.select().where(mine).exists():
        return []
    with write_transaction():
        DigestNewsRow.update(told=slot).where(mine & (DigestNewsRow.told == 0)).execute()
        old = (DigestNewsRow.told > 0) & (DigestNewsRow.told < slot - NEWS_KEPT)
        DigestNewsRow.delete().where(mine & old).execute()
    found = DigestNewsRow.select().where(mine & (DigestNewsRow.told == slot)).order_by(DigestNewsRow.at)
    payloads = [json.loads(row.payload) for row in found]
    composed = [compose(replace(context, payload=each)) for each in payloads]
    return [letter for letter in composed if letter is not None]


def _news_blocks(news: Sequence[Letter]) -> list[Block]:
    """What each piece of news tells, under its own heading; of very many the last ones only by their headings."""
    blocks: list[Block] = []
    for each in news[:MOST_NEWS]:
        blocks += [Heading(each.subject), *each.blocks[1:]]
    rest = tuple(each.subject for each in news[MOST_NEWS:])
    return [*blocks, Bullets(rest)] if rest else blocks
