"""Letters by which people find each other: how to begin, the games, the open matches, whom one has invited."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine.games import GAMES
from engine.words import Locale
from service.db.models.matches import MatchRow, SeatRow
from service.i18n.catalogue import join_items, translate
from service.mail.letters import sections
from service.mail.letters.blocks import (
    Addressee,
    Block,
    Bullets,
    Heading,
    Letter,
    Link,
    Menu,
    MenuChoice,
    Para,
    ReplyPurpose,
)
from service.mail.letters.context import LetterContext, game_name
from service.mail.letters.move_answers import reply_subject
from service.mail.letters.sections import describe_clock
from service.play.views import bot_name, player_names


def compose_begin(context: LetterContext) -> Letter:
    """The answer to somebody without an account: what this is, and how to begin."""
    payload = context.payload
    locale: Locale = "fr" if payload["language"] == "fr" else "en"
    to = Addressee(payload["address"], payload["name"], locale, payload["zone"])
    first = next(iter(GAMES))
    blocks: list[Block] = [
        sections.reply_line(locale),
        Para(translate(locale, "begin.lead"), strong=True),
        Para(translate(locale, "begin.what")),
        Heading(translate(locale, "begin.how")),
        Bullets(tuple(translate(locale, f"begin.{way}", game=first) for way in ("alone", "friend", "code", "anybody"))),
        Heading(translate(locale, "begin.games")),
        Bullets(_describe_games(locale)),
        *_list_for_stranger(payload.get("listed", ()), locale),
        Para(translate(locale, "begin.last" if payload.get("last") else "begin.daily")),
        Link(translate(locale, "begin.web"), context.config.url),
    ]
    return Letter(
        kind="begin",
        to=to,
        subject=reply_subject(context, translate(locale, "begin.subject")),
        blocks=tuple(blocks),
        reply_purpose=ReplyPurpose("begin", payload={"address": to.address}),
        scope="address",
        preview=translate(locale, "begin.what"),
        in_reply_to=context.in_reply_to,
    )


def _list_for_stranger(listed: Sequence[str], locale: Locale) -> list[Block]:
    """Return the open matches for somebody without an account, each with the line that joins it."""
    found = list(MatchRow.select().where(MatchRow.id.in_(list(listed))))
    lines = (translate(locale, "begin.join", code=row.id, what=_describe_open_match(row, locale)) for row in found)
    return [Heading(translate(locale, "listed.lead")), Bullets(tuple(lines))] if found else []


def _describe_games(locale: Locale) -> tuple[str, ...]:
    """Each game with the word that names it in a letter and how many play it."""
    return tuple(
        translate(
            locale,
            "games.item",
            game=game.presentation.title[locale],
            slug=slug,
            least=game.rules.seats[0],
            most=game.rules.seats[-1],
        )
        for slug, game in GAMES.items()
    )


def compose_games(context: LetterContext) -> Letter | None:
    """The answer to `games`: what can be played, and how to begin."""
    to = context.to
    if to is None:
        return None
    locale, first = to.locale, next(iter(GAMES))
    blocks: tuple[Block, ...] = (
        Para(translate(locale, "games.lead"), strong=True),
        Bullets(_describe_games(locale)),
        Para(translate(locale, "games.how", game=first)),
        Link(translate(locale, "begin.web"), context.config.url),
    )
    return _account_letter(context, to, blocks)


def compose_open_matches(context: LetterContext) -> Letter | None:
    """The answer to `matches`: those one can join, numbered."""
    to = context.to
    if to is None:
        return None
    locale = to.locale
    found = {row.id: row for row in MatchRow.select().where(MatchRow.id.in_(list(context.payload["listed"])))}
    listed = [found[id_] for id_ in context.payload["listed"] if id_ in found]
    if not listed:
        blocks: tuple[Block, ...] = (
            Para(translate(locale, "listed.none"), strong=True),
            Para(translate(locale, "games.how", game=next(iter(GAMES)))),
        )
        return _account_letter(context, to, blocks)
    choices = tuple(
        MenuChoice(number, translate(locale, "listed.line", number=number), _describe_open_match(match, locale))
        for number, match in enumerate(listed, 1)
    )
    blocks = (
        sections.reply_line(locale),
        Para(translate(locale, "listed.lead"), strong=True),
        Menu(choices),
        Para(translate(locale, "listed.how")),
        Link(translate(locale, "begin.web"), context.config.url),
    )
    letter = _account_letter(context, to, blocks)
    return replace(letter, reply_purpose=ReplyPurpose("list", payload={"matches": [match.id for match in listed]}))


def _describe_open_match(match: MatchRow, locale: Locale) -> str:
    """An open match in a phrase: the game, who sits there, how many seats are free, the time."""
    seats = list(SeatRow.select().where(SeatRow.match == match.id).order_by(SeatRow.seat))
    people = {row.player for row in seats} | {match.arbiter}
    names = player_names(sorted(player for player in people if player), locale)
    game = GAMES[match.game]
    sits = [
        names[row.player] if row.player else bot_name(game, row.bot or "", locale)
        for row in seats
        if row.player or row.bot
    ]
    what = game_name(game, locale)
    what = translate(locale, "with", game=what, others=join_items(locale, sits)) if sits else what
    what = translate(locale, "titled", title=match.title, what=what) if match.title else what
    item = translate(
        locale, "listed.item", what=what, free=match.seats - len(sits), clock=describe_clock(match.clock, locale)
    )
    return translate(locale, "listed.arbitrated", item=item, name=names[match.arbiter]) if match.arbiter else item


def compose_guests_invited(context: LetterContext) -> Letter | None:
    """The answer to `invite`: who gets a letter, and to what."""
    to, match = context.to, MatchRow.get_or_none(MatchRow.id == context.payload["match"])
    if to is None or match is None:
        return None
    locale = to.locale
    guests = join_items(locale, list(context.payload["guests"]))
    blocks: tuple[Block, ...] = (
        Para(translate(locale, "invited.lead"), strong=True),
        Para(translate(locale, "invited.who", guests=guests, game=game_name(GAMES[match.game], locale))),
        *joining_blocks(match, context, locale),
    )
    return replace(_account_letter(context, to, blocks), match=match.id)


def joining_blocks(match: MatchRow, context: LetterContext, locale: Locale) -> list[Block]:
    """How others come to an open match: by its code where everybody may, else by invitation."""
    address = context.config.mail_from
    code = match.id if match.visibility == "open" else match.link
    words = translate(locale, "made.invite", address=address)
    if not code:
        return [Para(words)]
    return [Para(translate(locale, "made.join", code=code, address=address)), Para(words)]


def _account_letter(context: LetterContext, to: Addressee, blocks: tuple[Block, ...]) -> Letter:
    """An answer that is about no seat."""
    lead = next(block.words for block in blocks if isinstance(block, Para))
    return Letter(
        kind=context.kind,
        to=to,
        subject=reply_subject(context, lead.rstrip(".")),
        blocks=blocks,
        scope="all",
        in_reply_to=context.in_reply_to,
    )
