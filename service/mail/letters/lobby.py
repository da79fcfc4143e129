"""Emails by which people find each other: how to begin, the games, the open matches, who was invited."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine.games import GAMES
from engine.words import Locale
from service.config import Config
from service.db.models.matches import MatchRow
from service.i18n.catalogue import join_items, translate
from service.mail.job_payloads import BeginLetter, GamesAnswer, GuestsInvitedAnswer, OpenMatchesAnswer
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
from service.mail.letters.context import LetterContext, game_name, read_locale
from service.mail.letters.move_answers import build_account_reply, reply_subject
from service.mail.letters.registry import letter, player_letter
from service.mail.letters.sections import describe_clock
from service.play.views import player_names


@letter(BeginLetter)
def compose_begin(context: LetterContext[BeginLetter]) -> Letter:
    """Compose the answer to somebody without an account: what this is, and how to begin."""
    job, locale = context.job, read_locale(context.job.language)
    to = Addressee(job.address, job.name, locale, job.zone)
    first = next(iter(GAMES))
    blocks: list[Block] = [
        Para(translate(locale, "begin.lead"), strong=True),
        Para(translate(locale, "begin.what")),
        Heading(translate(locale, "begin.how")),
        Bullets(tuple(translate(locale, f"begin.{way}", game=first) for way in ("alone", "friend", "code", "anybody"))),
        Heading(translate(locale, "begin.games")),
        Bullets(_describe_games(locale)),
        *_list_for_stranger(job.listed, locale),
        Para(translate(locale, "begin.last" if job.last else "begin.daily")),
        Link(translate(locale, "begin.web"), context.config.url),
    ]
    return Letter(
        kind=job.kind,
        to=to,
        subject=reply_subject(job.subject, translate(locale, "begin.subject")),
        blocks=tuple(blocks),
        reply_purpose=ReplyPurpose("begin", payload={"address": to.address}),
        scope="address",
        preview=translate(locale, "begin.what"),
        in_reply_to=job.in_reply_to,
    )


def _list_for_stranger(listed: Sequence[str], locale: Locale) -> list[Block]:
    """Return the open matches for somebody without an account, each with the line that joins it."""
    found = list(MatchRow.select().where(MatchRow.id.in_(list(listed))))
    lines = (translate(locale, "begin.join", code=row.id, what=_describe_open_match(row, locale)) for row in found)
    return [Heading(translate(locale, "listed.lead")), Bullets(tuple(lines))] if found else []


def _describe_games(locale: Locale) -> tuple[str, ...]:
    """Describe each game with its word in commands and its number of players."""
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


@player_letter(GamesAnswer)
def compose_games(context: LetterContext[GamesAnswer], to: Addressee) -> Letter:
    """Compose the answer to `games`: what can be played, and how to begin."""
    locale, first = to.locale, next(iter(GAMES))
    blocks = (
        Para(translate(locale, "games.lead"), strong=True),
        Bullets(_describe_games(locale)),
        Para(translate(locale, "games.how", game=first)),
        Link(translate(locale, "begin.web"), context.config.url),
    )
    return build_account_reply(to, context.job, blocks)


@player_letter(OpenMatchesAnswer)
def compose_open_matches(context: LetterContext[OpenMatchesAnswer], to: Addressee) -> Letter:
    """Compose the answer to `matches`: those one can join, numbered."""
    locale, wanted = to.locale, context.job.listed
    matches = {row.id: row for row in MatchRow.select().where(MatchRow.id.in_(wanted))}
    listed = [matches[id_] for id_ in wanted if id_ in matches]
    blocks: tuple[Block, ...] = (
        Para(translate(locale, "listed.none"), strong=True),
        Para(translate(locale, "games.how", game=next(iter(GAMES)))),
    )
    if not listed:
        return build_account_reply(to, context.job, blocks)
    choices = tuple(
        MenuChoice(number, translate(locale, "listed.line", number=number), _describe_open_match(match, locale))
        for number, match in enumerate(listed, 1)
    )
    blocks = (
        Para(translate(locale, "listed.lead"), strong=True),
        Menu(choices),
        Para(translate(locale, "listed.how")),
        Link(translate(locale, "begin.web"), context.config.url),
    )
    purpose = ReplyPurpose("list", payload={"matches": [match.id for match in listed]})
    return replace(build_account_reply(to, context.job, blocks), reply_purpose=purpose)


def _describe_open_match(match: MatchRow, locale: Locale) -> str:
    """Describe an open match in a phrase: the game, who sits there, how many seats are free, the clock."""
    sits, what = sections.name_occupants(match, locale), game_name(GAMES[match.game], locale)
    what = translate(locale, "with", game=what, others=join_items(locale, sits)) if sits else what
    what = translate(locale, "titled", title=match.title, what=what) if match.title else what
    key = "listed.substitute" if match.status == "running" else "listed.item"
    free, clock = match.seats - len(sits), describe_clock(match.clock, locale)
    item = translate(locale, key, what=what, free=free, clock=clock)
    if not match.arbiter:
        return item
    name = player_names([match.arbiter], locale)[match.arbiter]
    return translate(locale, "listed.arbitrated", item=item, name=name)


@player_letter(GuestsInvitedAnswer)
def compose_guests_invited(context: LetterContext[GuestsInvitedAnswer], to: Addressee) -> Letter | None:
    """Compose the answer to `invite`: who gets an email, and to which game."""
    match = MatchRow.get_or_none(MatchRow.id == context.job.match)
    if match is None:
        return None
    locale, guests = to.locale, join_items(to.locale, context.job.guests)
    blocks = (
        Para(translate(locale, "invited.lead"), strong=True),
        Para(translate(locale, "invited.who", guests=guests, game=game_name(GAMES[match.game], locale))),
        *joining_blocks(match, context.config, locale),
    )
    return build_account_reply(to, context.job, blocks)


def joining_blocks(match: MatchRow, config: Config, locale: Locale) -> list[Block]:
    """Tell how others join an open match: by its code if anybody may, else by invitation."""
    code = match.id if match.visibility == "open" else match.link
    invite = Para(translate(locale, "made.invite", address=config.mail_from))
    return [Para(translate(locale, "made.join", code=code, address=config.mail_from)), invite] if code else [invite]
