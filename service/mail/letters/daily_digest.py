"""The daily email of players who want only one: matches that wait, and what happened in tournaments since."""

from __future__ import annotations

from collections.abc import Sequence

from service.accounts.job_payloads import DigestLetter
from service.db.connection import write_transaction
from service.db.models.mail import DigestLetterRow
from service.i18n.catalogue import translate_count
from service.jobs.payloads import LetterJob, PlayerLetter
from service.mail.letters import digest
from service.mail.letters.blocks import Addressee, Block, Bullets, Heading, Letter, Para
from service.mail.letters.context import LetterContext
from service.mail.letters.registry import compose, player_letter
from service.timestamps import DAY, now
from service.tournaments.job_payloads import (
    EndingLetter,
    OrganiserMessageLetter,
    RoundLetter,
    RulingNoticeLetter,
    TournamentCancelledLetter,
    TournamentOverLetter,
)

MOST_WHOLE = 10
KEPT_FOR = 40 * DAY
"""How long letters are kept after their digest, in case it is composed again."""
DIGEST_KINDS = (
    RoundLetter,
    TournamentOverLetter,
    TournamentCancelledLetter,
    RulingNoticeLetter,
    EndingLetter,
    OrganiserMessageLetter,
)
"""Emails that wait for the digest; those that ask for an answer do not wait."""


def keep_for_digest(key: str, letter: PlayerLetter) -> None:
    """Keep an email for the next digest, once for each job. Call inside a transaction."""
    columns = {"key": key, "player": letter.player, "payload": letter.to_json(), "at": now(), "told": 0}
    DigestLetterRow.insert(columns).on_conflict_ignore().execute()


@player_letter(DigestLetter)
def compose_daily_digest(context: LetterContext[DigestLetter], to: Addressee) -> Letter | None:
    """Compose the digest of what waits for a player, and of what happened in tournaments. None if there is neither.

    Emails that were kept are composed now, as they would be alone, and become parts of the digest.
    """
    kept_letters = _take_kept_letters(context)
    waiting = digest.build_digest(to, every=context.job.every)
    if waiting is not None or not kept_letters:
        return waiting if waiting is None else waiting.with_blocks(*_letter_blocks(kept_letters))
    lead = translate_count(to.locale, "digest.news", len(kept_letters))
    subject = kept_letters[0].subject if len(kept_letters) == 1 else lead
    return Letter(context.job.kind, to, subject, (Para(lead, strong=True), *_letter_blocks(kept_letters)), scope="all")


def _take_kept_letters(context: LetterContext[DigestLetter]) -> list[Letter]:
    """Compose the emails kept for this digest, oldest first; the same ones however often it is composed."""
    slot, mine = context.job.slot, DigestLetterRow.player == context.job.player
    if not DigestLetterRow.select().where(mine).exists():
        return []
    with write_transaction():
        DigestLetterRow.update(told=slot).where(mine & (DigestLetterRow.told == 0)).execute()
        old = (DigestLetterRow.told > 0) & (DigestLetterRow.told < slot - KEPT_FOR)
        DigestLetterRow.delete().where(mine & old).execute()
    kept = DigestLetterRow.select().where(mine & (DigestLetterRow.told == slot)).order_by(DigestLetterRow.at)
    composed = [compose(LetterContext(LetterJob.from_json(row.payload), context.config)) for row in kept]
    return [letter for letter in composed if letter is not None]


def _letter_blocks(kept_letters: Sequence[Letter]) -> list[Block]:
    """Return the kept emails, each under its subject; of those after the first ten only the subjects."""
    blocks: list[Block] = []
    for letter in kept_letters[:MOST_WHOLE]:
        blocks += [Heading(letter.subject), *letter.blocks[1:]]
    rest = tuple(letter.subject for letter in kept_letters[MOST_WHOLE:])
    return [*blocks, Bullets(rest)] if rest else blocks
