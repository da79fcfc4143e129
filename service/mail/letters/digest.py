"""One letter a day for every match that waits, each under a letter of the alphabet."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from string import ascii_uppercase
from typing import Any

from service.config import Config
from service.db.connection import rows
from service.i18n.catalogue import counted, listed, say
from service.mail.letters import sections as parts
from service.mail.letters.blocks import Answering, Block, Heading, Letter, OwnAddress, Para, Plain, Table
from service.mail.letters.context import Desk, addressee, desk

MOST_WHOLE = 8
MOST_PICTURES = 6
MOST_SENTENCES = 12
WAITING = (
    "select s.match, s.seat from seat s join match m on m.id = s.match where s.player = ? and s.asked is not null "
    "and m.status = 'running' order by s.due_at is null, s.due_at, s.match"
)


def waiting(player: str) -> list[Desk]:
    """The seats of this player that are asked something and want a digest, the most urgent first."""
    desks = [desk(match, seat) for match, seat in rows(WAITING, player)]
    return [at for at in desks if at is not None and at.asked is not None and at.wants == "digest"]


def digest(payload: Mapping[str, Any], _config: Config) -> Letter | None:
    """What waits for a player now; nothing if nothing does."""
    to, desks = addressee(payload["player"]), waiting(payload["player"])
    if to is None or not desks:
        return None
    locale, count = to.locale, len(desks)
    whole = dict(zip(ascii_uppercase, desks[:MOST_WHOLE], strict=False))
    blocks: list[Block] = [parts.above(locale), Para(counted(locale, "digest.lead", count), strong=True)]
    blocks.append(Para(say(locale, "digest.how", letter="A")))
    for number, (letter, at) in enumerate(whole.items()):
        blocks += _match(letter, at, _table(letter, at, drawn=number < MOST_PICTURES))
    if count > MOST_WHOLE:
        blocks.append(Para(say(locale, "digest.rest", what=listed(locale, [at.what for at in desks[MOST_WHOLE:]]))))
    tables = tuple(
        Table(letter, at.table.facts.id, at.seat, at.asked or 0, at.table.seq) for letter, at in whole.items()
    )
    places = {each.label: {"match": each.match, "seat": each.seat, "asked": each.asked} for each in tables}
    return Letter(
        kind="digest",
        to=to,
        subject=counted(locale, "digest.subject", count),
        blocks=tuple(blocks),
        answering=Answering("digest", payload={"tables": places}),
        scope="all",
        preview=listed(locale, [at.what for at in desks[:MOST_WHOLE]]),
        tables=tables,
        seats=tuple(at.looking for at in whole.values()),
    )


def _table(letter: str, at: Desk, *, drawn: bool) -> list[Block]:
    """The table as picture and as text, or as text alone."""
    if not drawn:
        return [Plain(at.words)]
    title = say(at.locale, "digest.match", letter=letter, what=say(at.locale, "table.words"))
    return [replace(at.picture(), label=letter), Plain(at.words, title)]


def _match(letter: str, at: Desk, table: list[Block]) -> list[Block]:
    heading = Heading(say(at.locale, "digest.match", letter=letter, what=at.what))
    told = parts.story(at, MOST_SENTENCES)
    menu = replace(at.menu(), prefix=f"{letter}: ", label=letter)
    own = OwnAddress(say(at.locale, "digest.own"), letter)
    return [heading, Para(parts.time_left(at)), *told[1:], *parts.notes(at), *table, menu, own, parts.head(at)]
