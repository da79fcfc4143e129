"""The parts that letters about a match are made of: time, story, notes, table, moves, how to answer."""

from __future__ import annotations

from collections.abc import Iterable

from engine.words import Locale
from service.config import Config
from service.db.connection import rows
from service.i18n import dates as times
from service.i18n.catalogue import counted, say
from service.mail.incoming import reply_parser_marks as marks
from service.mail.letters.blocks import Block, Bullets, Facts, Fine, Heading, Para, Plain, Quote
from service.mail.letters.context import Desk
from service.play.views import called
from service.timestamps import now

DIGITS = 12
MOST_NOTES = 10
NOTES = (
    "select n.player, n.body from note n where n.match = ? and (n.player is null or n.player <> ?) and n.at > "
    "(select coalesce(max(l.created_at), 0) from letter l where l.match = ? and l.player = ? "
    "and l.accepted_at is not null) order by n.id desc limit ?"
)


def above(locale: Locale) -> Fine:
    """The line above which answers are written."""
    return Fine(marks.ABOVE[locale])


def clock(desk: Desk) -> Block:
    """How long the seat has, and until when in its own zone."""
    locale, due = desk.locale, desk.due_at
    if due is None:
        return Para(say(locale, "time.none"))
    until = times.moment(due, desk.to.zone, locale)
    if due <= now():
        return Para(say(locale, "time.past", moment=until))
    left = (say(locale, "time.label"), times.span(due - now(), locale)), (say(locale, "time.until"), until)
    return Facts(left if desk.leave else (*left, (say(locale, "leave.label"), say(locale, "leave.not"))))


def time_left(desk: Desk) -> str:
    """The same in one sentence."""
    locale, due = desk.locale, desk.due_at
    if due is None:
        return say(locale, "time.none")
    until = times.moment(due, desk.to.zone, locale)
    if due <= now():
        return say(locale, "time.past", moment=until)
    return say(locale, "time.left", span=times.span(due - now(), locale), moment=until)


def story(desk: Desk, most: int = 40, heading: str = "") -> list[Block]:
    """What happened since the seat's last letter."""
    told = desk.story(most)
    title = heading or say(desk.locale, f"story.{_since(desk, told.left_out)}")
    if not told.items:
        return [Heading(title), Para(say(desk.locale, "story.nothing"))] if heading else []
    blocks: list[Block] = [Heading(title)]
    if told.left_out:
        blocks.append(Para(counted(desk.locale, "story.more", told.left_out)))
    return [*blocks, Bullets(told.items)]


def _since(desk: Desk, left_out: int) -> str:
    return "since" if desk.told else "last" if left_out else "first"


def notes(desk: Desk) -> list[Block]:
    """What others wrote at the table since the seat's last letter, unless it wants no notes."""
    if desk.muted:
        return []
    match, me = desk.table.facts.id, desk.to.player
    found = rows(NOTES, match, me, match, me, MOST_NOTES + 1)
    if not found:
        return []
    names = called(sorted({player for player, _ in found if player}), desk.locale)
    blocks: list[Block] = [Heading(say(desk.locale, "notes"))]
    if len(found) > MOST_NOTES:
        blocks.append(Para(say(desk.locale, "note.more")))
    for player, body in reversed(found[:MOST_NOTES]):
        blocks.append(Quote(say(desk.locale, "note", who=names.get(player, "")), body))
    return blocks


def table(desk: Desk, *, drawn: bool = True) -> list[Block]:
    """The table as picture and as text."""
    if not drawn:
        return [Heading(say(desk.locale, "table")), Plain(desk.words)]
    words = Plain(desk.words, say(desk.locale, "table.words"))
    return [Heading(say(desk.locale, "table")), desk.picture(), words]


def moves(desk: Desk) -> list[Block]:
    """What the seat may do and how it says so; or who is asked instead."""
    locale = desk.locale
    if desk.asked is None:
        who = [desk.names[seat] for seat in desk.view.asked if seat >= 0]
        return [Para(waits(locale, who))]
    if desk.signed:
        return [Heading(say(locale, "moves")), desk.menu(), Para(say(locale, "answer.signed"))]
    return [Heading(say(locale, "moves")), desk.menu(), *how(locale)]


def waits(locale: Locale, who: Iterable[str]) -> str:
    """Who is asked, when the reader is not."""
    names = ", ".join(who)
    return say(locale, "asked.other", who=names) if names else say(locale, "asked.nobody")


def how(locale: Locale) -> list[Block]:
    """How to answer a turn."""
    return [Heading(say(locale, "answer")), Para(say(locale, "answer.how")), Para(say(locale, "answer.words"))]


def head(desk: Desk) -> Fine:
    """Where the log stands, with enough digits to tell two stories apart."""
    return Fine(say(desk.locale, "head", seq=desk.table.seq, digits=desk.table.hash[:DIGITS]))


def verifying(match: str, config: Config) -> Plain:
    """What to type to fetch a record and to check it; the first command goes on after its break."""
    fetch = f"curl -o {match}.jsonl \\\n  {config.url}/v1/matches/{match}/record"
    return Plain(f"{fetch}\nechtra verify {match}.jsonl")


def preview(desk: Desk) -> str:
    """The first words of a letter about a turn, for lists of mail."""
    return time_left(desk)
