"""The digest: one email for all matches that wait for a player, each with a letter of the alphabet."""

from __future__ import annotations

from dataclasses import replace
from string import ascii_uppercase

from service.i18n.catalogue import join_items, translate, translate_count
from service.mail.letters import sections
from service.mail.letters.blocks import (
    Addressee,
    Block,
    Heading,
    Letter,
    Para,
    Preformatted,
    ReplyPurpose,
)
from service.mail.letters.context import SeatContext, load_waiting_seats

MOST_MATCHES = 8
MOST_PICTURES = 6
MOST_SENTENCES = 12


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
        sections.reply_line(locale),
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
