"""The digest: one email for all matches that wait for a player, each with a letter of the alphabet.

It also has the emails about tournaments that were kept for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from string import ascii_uppercase

from service.accounts.job_payloads import DigestLetter
from service.db.connection import write_transaction
from service.db.models.mail import DigestLetterRow
from service.i18n.catalogue import join_items, translate, translate_count
from service.jobs.payloads import LetterJob, PlayerLetter
from service.mail.letters import sections
from service.mail.letters.blocks import (
    Addressee,
    Block,
    Bullets,
    Heading,
    Letter,
    Para,
    Preformatted,
    ReplyPurpose,
)
from service.mail.letters.context import LetterContext, SeatContext, load_waiting_seats
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

MOST_MATCHES = 8
MOST_PICTURES = 6
MOST_SENTENCES = 12
MOST_WHOLE = 10
KEPT_FOR = 40 * DAY
"""How long emails are kept after their digest, in case it is composed again."""
DIGEST_KINDS = (
    RoundLetter,
    TournamentOverLetter,
    TournamentCancelledLetter,
    RulingNoticeLetter,
    EndingLetter,
    OrganiserMessageLetter,
)
"""Emails that wait for the digest; those that ask for an answer do not wait."""


def load_waiting(player: str, *, every: bool = False) -> list[SeatContext]:
    """Return the seats of a player that are asked something and want a digest, or all of them. Most urgent first."""
    seats = load_waiting_seats(player)
    return [seat for seat in seats if seat.asked is not None and (every or seat.letter_mode == "digest")]


def build_digest(to: Addressee, *, every: bool = False) -> Letter | None:
    """Build the digest of what waits for a player now. None if nothing does."""
    seats = load_waiting(to.player or "", every=every)
    if not seats:
        return None
    locale, count = to.locale, len(seats)
    whole = dict(zip(ascii_uppercase, seats[:MOST_MATCHES], strict=False))
    blocks: list[Block] = [
        Para(translate_count(locale, "digest.lead", count), strong=True),
        Para(translate(locale, "digest.how", letter="A")),
    ]
    for number, (letter, seat) in enumerate(whole.items()):
        blocks += _match_blocks(letter, seat, _table_blocks(letter, seat, drawn=number < MOST_PICTURES))
    if count > MOST_MATCHES:
        rest = join_items(locale, [seat.match_phrase for seat in seats[MOST_MATCHES:]])
        blocks.append(Para(translate(locale, "digest.rest", what=rest)))
    places = {
        letter: {"match": seat.match, "seat": seat.number, "asked": seat.asked or 0} for letter, seat in whole.items()
    }
    return Letter(
        kind="digest",
        to=to,
        subject=translate_count(locale, "digest.subject", count),
        blocks=tuple(blocks),
        reply_purpose=ReplyPurpose("digest", payload={"tables": places}),
        scope="all",
        preview=join_items(locale, [seat.match_phrase for seat in seats[:MOST_MATCHES]]),
        viewers=tuple(seat.viewer for seat in whole.values()),
    )


def _table_blocks(letter: str, seat: SeatContext, *, drawn: bool) -> list[Block]:
    """Return the table as picture and text, or as text alone."""
    if not drawn:
        return [Preformatted(seat.table_text)]
    title = translate(seat.locale, "digest.match", letter=letter, what=translate(seat.locale, "table.words"))
    return [replace(seat.picture(), label=letter), Preformatted(seat.table_text, title)]


def _match_blocks(letter: str, seat: SeatContext, table: list[Block]) -> list[Block]:
    heading = Heading(translate(seat.locale, "digest.match", letter=letter, what=seat.match_phrase))
    told = sections.story(seat, MOST_SENTENCES)
    menu = replace(seat.menu(), prefix=f"{letter}: ")
    return [
        heading,
        *sections.task(seat),
        Para(sections.time_left(seat)),
        *told[1:],
        *sections.notes(seat),
        *table,
        menu,
        sections.log_head(seat),
    ]


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
    waiting = build_digest(to, every=context.job.every)
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
