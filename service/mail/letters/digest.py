"""One letter a day for every match that waits, each under a letter of the alphabet."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from string import ascii_uppercase
from typing import Any

from service.config import Config
from service.db.connection import rows
from service.i18n.catalogue import join_items, translate, translate_count
from service.mail.letters import sections
from service.mail.letters.blocks import (
    Block,
    DigestTable,
    Heading,
    Letter,
    Para,
    Preformatted,
    ReplyPurpose,
    TableAddress,
)
from service.mail.letters.context import LetterContext, addressee, load_context

MOST_MATCHES = 8
MOST_PICTURES = 6
MOST_SENTENCES = 12
SELECT_WAITING_SEATS = (
    "select s.match, s.seat from seat s join match m on m.id = s.match where s.player = ? and s.asked is not null "
    "and m.status = 'running' order by s.due_at is null, s.due_at, s.match"
)


def load_waiting(player: str) -> list[LetterContext]:
    """The seats of this player that are asked something and want a digest, the most urgent first."""
    desks = [load_context(match, seat) for match, seat in rows(SELECT_WAITING_SEATS, player)]
    return [at for at in desks if at is not None and at.asked is not None and at.wants == "digest"]


def compose_digest(payload: Mapping[str, Any], _config: Config) -> Letter | None:
    """What waits for a player now; nothing if nothing does."""
    to, desks = addressee(payload["player"]), load_waiting(payload["player"])
    if to is None or not desks:
        return None
    locale, count = to.locale, len(desks)
    whole = dict(zip(ascii_uppercase, desks[:MOST_MATCHES], strict=False))
    blocks: list[Block] = [
        sections.reply_line(locale),
        Para(translate_count(locale, "digest.lead", count), strong=True),
    ]
    blocks.append(Para(translate(locale, "digest.how", letter="A")))
    for number, (letter, at) in enumerate(whole.items()):
        blocks += _match_blocks(letter, at, _table_blocks(letter, at, drawn=number < MOST_PICTURES))
    if count > MOST_MATCHES:
        blocks.append(
            Para(translate(locale, "digest.rest", what=join_items(locale, [at.what for at in desks[MOST_MATCHES:]])))
        )
    tables = tuple(
        DigestTable(letter, at.table.facts.id, at.seat, at.asked or 0, at.table.seq) for letter, at in whole.items()
    )
    places = {each.label: {"match": each.match, "seat": each.seat, "asked": each.asked} for each in tables}
    return Letter(
        kind="digest",
        to=to,
        subject=translate_count(locale, "digest.subject", count),
        blocks=tuple(blocks),
        answering=ReplyPurpose("digest", payload={"tables": places}),
        scope="all",
        preview=join_items(locale, [at.what for at in desks[:MOST_MATCHES]]),
        tables=tables,
        seats=tuple(at.looking for at in whole.values()),
    )


def _table_blocks(letter: str, at: LetterContext, *, drawn: bool) -> list[Block]:
    """The table as picture and as text, or as text alone."""
    if not drawn:
        return [Preformatted(at.words)]
    title = translate(at.locale, "digest.match", letter=letter, what=translate(at.locale, "table.words"))
    return [replace(at.picture(), label=letter), Preformatted(at.words, title)]


def _match_blocks(letter: str, at: LetterContext, table: list[Block]) -> list[Block]:
    heading = Heading(translate(at.locale, "digest.match", letter=letter, what=at.what))
    told = sections.story(at, MOST_SENTENCES)
    menu = replace(at.menu(), prefix=f"{letter}: ", label=letter)
    own = TableAddress(translate(at.locale, "digest.own"), letter)
    return [
        heading,
        Para(sections.time_left(at)),
        *told[1:],
        *sections.notes(at),
        *table,
        menu,
        own,
        sections.log_head(at),
    ]
