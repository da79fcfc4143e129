"""Sections of emails about a match: time left, story, notes, table, moves, how to answer."""

from __future__ import annotations

from collections.abc import Mapping

from engine.games import GAMES
from engine.words import Locale
from service.config import Config
from service.db.connection import rows
from service.db.models.matches import MatchRow, SeatRow
from service.i18n import dates
from service.i18n.catalogue import translate, translate_count
from service.mail.letters.blocks import Block, Bullets, FactList, Heading, Para, Preformatted, Quote, SmallPrint
from service.mail.letters.context import SeatContext
from service.play import record_links
from service.play.story import ToldTurn
from service.play.time_control import PRESETS
from service.play.views import bot_name, player_names
from service.record.canonical_json import JsonValue
from service.timestamps import MINUTE, now

HASH_DIGITS = 12
MOST_NOTES = 10
SELECT_NOTES = (
    "select n.player, n.text from note n where n.match = ? and (n.player is null or n.player <> ?) and n.at > "
    "(select coalesce(max(l.created_at), 0) from letter l where l.match = ? and l.player = ? "
    "and l.accepted_at is not null and l.kind in ('turn', 'reminder', 'urgent', 'dropped', 'over', 'understood', "
    "'undone', 'refused', 'stale', 'board', 'back', 'noted')) order by n.id desc limit ?"
)
"""Notes since the last email that includes notes."""
RECEIPT_WIDTH = 64
RECEIPT_FIELDS = tuple("type match seat player seq hash seed nonce keys at signatures server signature".split())


def task(seat: SeatContext) -> list[Block]:
    """Return the seat's current task, in the game's own words."""
    return [Para(seat.task)] if seat.task else []


def clock(seat: SeatContext) -> Block:
    """Return how much time the seat has left, and until when in its own zone."""
    locale, due = seat.locale, seat.due_at
    if due is None:
        return Para(translate(locale, "time.none"))
    until = dates.format_moment(due, seat.to.zone, locale)
    if due <= now():
        return Para(translate(locale, "time.past", moment=until))
    left = (
        (translate(locale, "time.label"), dates.format_duration(due - now(), locale)),
        (translate(locale, "time.until"), until),
    )
    return FactList(
        left if seat.leave_counts else (*left, (translate(locale, "leave.label"), translate(locale, "leave.not")))
    )


def time_left(seat: SeatContext) -> str:
    """Return how much time the seat has left, in one sentence."""
    locale, due = seat.locale, seat.due_at
    if due is None:
        return translate(locale, "time.none")
    until = dates.format_moment(due, seat.to.zone, locale)
    if due <= now():
        return translate(locale, "time.past", moment=until)
    return translate(locale, "time.left", span=dates.format_duration(due - now(), locale), moment=until)


def story(seat: SeatContext, most: int = 40, heading: str = "") -> list[Block]:
    """Tell what happened since the seat's last email."""
    tale = seat.story(most)
    key = "since" if seat.told_seq else "last" if tale.left_out else "first"
    title = heading or translate(seat.locale, f"story.{key}")
    if not tale.items:
        return [Heading(title), Para(translate(seat.locale, "story.nothing"))] if heading else []
    blocks: list[Block] = [Heading(title)]
    if tale.left_out:
        blocks.append(Para(translate_count(seat.locale, "story.more", tale.left_out)))
    return [*blocks, Bullets(tuple(_tell_turn(turn, seat.locale) for turn in tale.turns))]


def _tell_turn(turn: ToldTurn, locale: Locale) -> str:
    """Return the seat's actions, and their duration if that was a minute or more."""
    if turn.took < MINUTE or turn.seat < 0:
        return turn.text
    return translate(locale, "story.took", turn=turn.text, span=dates.format_duration(turn.took, locale))


def notes(seat: SeatContext) -> list[Block]:
    """Return other people's notes since the seat's last email, unless it has muted notes."""
    if seat.muted:
        return []
    match, me = seat.match, seat.to.player
    found = rows(SELECT_NOTES, match, me, match, me, MOST_NOTES + 1)
    if not found:
        return []
    names = player_names(sorted({player for player, _ in found if player}), seat.locale)
    blocks: list[Block] = [Heading(translate(seat.locale, "notes"))]
    if len(found) > MOST_NOTES:
        blocks.append(Para(translate(seat.locale, "note.more")))
    for player, text in reversed(found[:MOST_NOTES]):
        blocks.append(Quote(translate(seat.locale, "note", who=names.get(player, "")), text))
    return blocks


def board(seat: SeatContext) -> list[Block]:
    """Return the table as picture and as text."""
    words = Preformatted(seat.table_text, translate(seat.locale, "table.words"))
    return [Heading(translate(seat.locale, "table")), seat.picture(), words]


def moves(seat: SeatContext) -> list[Block]:
    """Return the seat's moves and how to answer, or who is asked instead."""
    locale = seat.locale
    if seat.asked is None:
        who = ", ".join(seat.names[number] for number in seat.view.asked if number >= 0)
        return [Para(translate(locale, "asked.other" if who else "asked.nobody", who=who))]
    listed: list[Block] = [Heading(translate(locale, "moves")), seat.menu()]
    if seat.signed_only:
        return [*listed, Para(translate(locale, "answer.signed"))]
    how = (Para(translate(locale, key)) for key in ("answer.how", "answer.words"))
    return [*listed, Heading(translate(locale, "answer")), *how]


def arbiter(match_arbiter: str | None, locale: Locale) -> list[Block]:
    """Return the line that names the arbiter of a match; an empty list if there is none."""
    if match_arbiter is None:
        return []
    name = player_names([match_arbiter], locale)[match_arbiter]
    return [SmallPrint(translate(locale, "matches.arbiter_sentence", name=name))]


def log_head(seat: SeatContext) -> SmallPrint:
    """Return the head of the log, with enough digits to tell two logs apart."""
    return SmallPrint(
        translate(seat.locale, "head", seq=seat.match_state.seq, digits=seat.match_state.hash[:HASH_DIGITS])
    )


def verify_commands(match: str, config: Config, *, private: bool = False) -> Preformatted:
    """Return the shell commands that fetch and verify a record.

    The record of a `private` match needs a token, or a signed link, which shows nothing else.
    """
    url = record_links.url(match, config) if private else f"{config.url}/v1/matches/{match}/record"
    fetch = f"curl -o {match}.jsonl \\\n  {url}"
    return Preformatted(f"{fetch}\nechtra verify {match}.jsonl")


def split_paragraphs(text: str) -> list[str]:
    """Return the paragraphs of a text that is wrapped into rows: a row that ends a sentence ends a paragraph."""
    paragraphs = [""]
    for row in text.split("\n"):
        paragraphs[-1] = f"{paragraphs[-1]} {row.strip()}".strip()
        if row.rstrip().endswith((".", ":", "!")):
            paragraphs.append("")
    return [words for words in paragraphs if words]


def describe_clock(preset: str, locale: Locale) -> str:
    """Return the time control of a match in a phrase."""
    clock = PRESETS[preset]
    if clock.per_move:
        told = translate(locale, "clock.move", span=dates.format_duration(clock.per_move, locale))
    elif clock.bank:
        spans = {name: dates.format_duration(getattr(clock, name), locale) for name in ("bank", "increment", "cap")}
        told = translate(locale, "clock.bank", **spans)
    else:
        return translate(locale, "clock.none")
    return told + translate(locale, "clock.weekends") if clock.weekends else told


def leave_balance(locale: Locale, left: int, year: int) -> str:
    """Return how many days of leave are left in a year, in a sentence."""
    return (
        translate_count(locale, "leave.left", left, year=year)
        if left > 0
        else translate(locale, "leave.none", year=year)
    )


def receipt(given: Mapping[str, JsonValue], locale: Locale) -> list[Block]:
    """Return a receipt for the end of an email."""
    lines: list[str] = []
    for field in RECEIPT_FIELDS:
        if field in given:
            value = str(given[field])
            lines.append(f"{field}: {value[:RECEIPT_WIDTH]}")
            lines += [
                " " * (len(field) + 2) + value[start : start + RECEIPT_WIDTH]
                for start in range(RECEIPT_WIDTH, len(value), RECEIPT_WIDTH)
            ]
    return [
        Heading(translate(locale, "receipt")),
        SmallPrint(translate(locale, "receipt.why")),
        Preformatted("\n".join(lines)),
    ]


def name_occupants(match: MatchRow, locale: Locale) -> list[str]:
    """Return the names of the players and bots who have seats in a match, by seat."""
    taken = list(SeatRow.select().where(SeatRow.match == match.id).order_by(SeatRow.seat))
    names = player_names(sorted({row.player for row in taken if row.player}), locale)
    game = GAMES[match.game]
    return [
        names[row.player] if row.player else bot_name(game, row.bot or "", locale)
        for row in taken
        if row.player or row.bot
    ]
