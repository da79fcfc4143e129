"""The letter of the day for who wants only one: matches that wait, and news of tournaments since the last one."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from service.db.connection import write_transaction
from service.db.models.mail import DigestLetterRow
from service.i18n.catalogue import translate_count
from service.mail.letters import digest
from service.mail.letters.blocks import Block, Bullets, Heading, Letter, Para
from service.mail.letters.context import LetterContext
from service.timestamps import DAY, now

MOST_WHOLE = 10
KEPT_FOR = 40 * DAY
"""How long news is kept that has been told, in case the digest is written again."""
DIGEST_KINDS = frozenset(f"tournament-{what}" for what in ("round", "over", "cancelled", "ruling", "ending", "message"))
"""Letters that wait for the digest of who wants one; what asks for an answer does not wait."""
Composer = Callable[[LetterContext], Letter | None]


def keep_for_digest(key: str, player: str, payload: Mapping[str, Any]) -> None:
    """Keep what a letter would have told for the next digest, once for each job; inside a transaction."""
    text = json.dumps(payload, separators=(",", ":"))
    columns = {"key": key, "player": player, "payload": text, "at": now(), "told": 0}
    DigestLetterRow.insert(columns).on_conflict_ignore().execute()


def compose_daily_digest(context: LetterContext, compose: Composer) -> Letter | None:
    """The digest of what waits for a player now, and of what happened in tournaments; nothing if there is neither.

    `compose` writes any letter: each piece of news is what the letter about it alone would be.
    """
    to, kept_letters = context.to, _take_kept_letters(context, compose)
    waiting = digest.compose_digest(context)
    if waiting is not None or to is None or not kept_letters:
        return waiting if waiting is None else waiting.with_blocks(*_letter_blocks(kept_letters))
    lead = translate_count(to.locale, "digest.news", len(kept_letters))
    subject = kept_letters[0].subject if len(kept_letters) == 1 else lead
    return Letter("digest", to, subject, (Para(lead, strong=True), *_letter_blocks(kept_letters)), scope="all")


def _take_kept_letters(context: LetterContext, compose: Composer) -> list[Letter]:
    """The news that this digest tells, the oldest first; the same ones however often it is composed."""
    slot, mine = int(context.payload["slot"]), DigestLetterRow.player == context.payload["player"]
    if not DigestLetterRow.select().where(mine).exists():
        return []
    with write_transaction():
        DigestLetterRow.update(told=slot).where(mine & (DigestLetterRow.told == 0)).execute()
        old = (DigestLetterRow.told > 0) & (DigestLetterRow.told < slot - KEPT_FOR)
        DigestLetterRow.delete().where(mine & old).execute()
    found = DigestLetterRow.select().where(mine & (DigestLetterRow.told == slot)).order_by(DigestLetterRow.at)
    payloads = [json.loads(row.payload) for row in found]
    composed = [compose(replace(context, payload=each)) for each in payloads]
    return [letter for letter in composed if letter is not None]


def _letter_blocks(kept_letters: Sequence[Letter]) -> list[Block]:
    """What each piece of news tells, under its own heading; of very many the last ones only by their headings."""
    blocks: list[Block] = []
    for each in kept_letters[:MOST_WHOLE]:
        blocks += [Heading(each.subject), *each.blocks[1:]]
    rest = tuple(each.subject for each in kept_letters[MOST_WHOLE:])
    return [*blocks, Bullets(rest)] if rest else blocks
