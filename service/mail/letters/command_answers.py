"""Answers to a player's own letters about anything but moves: help, rules, clocks, leave, notes, seats, settings."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date, datetime

from engine.game import to_act
from engine.games import GAMES
from engine.notation import setting
from engine.rulebook import Grid, Points, Rulebook, print_block, whole_rules
from engine.words import Locale
from service.accounts import vacation
from service.db.connection import rows
from service.db.models.accounts import PlayerRow
from service.db.models.matches import MatchRow, SeatRow
from service.i18n import dates
from service.i18n.catalogue import join_items, translate
from service.mail.letters import sections
from service.mail.letters.blocks import Block, Bullets, FactList, Heading, Letter, Para, Preformatted, Quote
from service.mail.letters.context import LetterContext, SeatContext, game_name
from service.mail.letters.lobby import joining_blocks
from service.mail.letters.move_answers import build_reply, reply_subject
from service.mail.letters.sections import arbiter, describe_clock, leave_balance, receipt
from service.play.time_control import PRESETS
from service.play.views import player_names
from service.timestamps import now
from service.tournaments.calendars.leave_clashes import describe_clash, find_clashes

TABLE_COMMANDS = tuple(
    "number board position preview history rules clock note mute propose orders auto resign rematch stop letters "
    "confirm".split()
)
ANY_TIME_COMMANDS = tuple("mine leave join matches invite tournaments zone digest forward".split())


def _compose_reply(context: LetterContext, blocks: list[Block]) -> Letter | None:
    """An answer with these blocks, about the seat of the player if they have one."""
    to = context.to
    if to is None:
        return None
    seat = context.own_seat
    lead = next(block.words for block in blocks if isinstance(block, Para))
    subject = reply_subject(context, lead.rstrip("."))
    if seat is not None:
        return replace(build_reply(seat, context, blocks), subject=subject)
    return Letter(
        kind=context.kind,
        to=to,
        subject=subject,
        blocks=tuple(blocks),
        match=context.payload.get("match"),
        scope="all",
        in_reply_to=context.in_reply_to,
    )


def compose_help(context: LetterContext) -> Letter | None:
    """The answer to `help`: what a letter can say."""
    locale, games = context.locale, ", ".join(GAMES)
    blocks: list[Block] = [Para(translate(locale, "help.lead"), strong=True), Heading(translate(locale, "help.moves"))]
    blocks += [
        Bullets(tuple(translate(locale, f"help.{name}") for name in TABLE_COMMANDS)),
        Heading(translate(locale, "help.any")),
    ]
    blocks += [Bullets(tuple(translate(locale, f"help.{name}") for name in ANY_TIME_COMMANDS))]
    blocks += [Heading(translate(locale, "help.own", address=context.config.mail_from))]
    return _compose_reply(context, [*blocks, Bullets((translate(locale, "help.new", games=games),))])


def compose_rules(context: LetterContext) -> Letter | None:
    """The answer to `rules`: the whole rules of a game, or which games there are."""
    locale, slug = context.locale, context.payload.get("game")
    if slug not in GAMES and context.payload.get("match"):
        found = MatchRow.get_or_none(MatchRow.id == context.payload["match"])
        slug = found.game if found else None
    if slug not in GAMES:
        words = translate(locale, "rules.games", games=", ".join(GAMES))
        return _compose_reply(context, [Para(translate(locale, "rules.which"), strong=True), Para(words)])
    game = GAMES[slug]
    lead = Para(translate(locale, "rules.lead", game=game.presentation.title[locale]), strong=True)
    return _compose_reply(context, [lead, *_rules_blocks(whole_rules(game, locale), locale)])


def _rules_blocks(rules: Rulebook, locale: Locale) -> Iterator[Block]:
    """The sections of a rulebook as blocks of a letter; its tables stay as they are printed."""
    for section in rules:
        yield Heading(section.title)
        for block in section.blocks:
            if isinstance(block, Points):
                yield Bullets(block.items)
            elif isinstance(block, Grid):
                yield Preformatted("\n".join(print_block(block, locale)))
            else:
                yield Para(" ".join(line.strip() for line in print_block(block, locale)))


def compose_clock(context: LetterContext) -> Letter | None:
    """The answer to `clock`: how long everybody at the table has."""
    seat = context.own_seat
    if seat is None:
        return None
    locale = seat.locale
    asked = to_act(seat.match_state.state)
    lines = []
    for row in SeatRow.select().where(SeatRow.match == seat.match).order_by(SeatRow.seat):
        until = dates.format_moment(row.due_at, seat.to.zone, locale) if row.due_at else ""
        key = "idle" if row.seat not in asked else "paused" if row.paused_at else "asked" if row.due_at else "free"
        lines.append(
            (
                seat.names[row.seat] + translate(locale, "colon").rstrip(),
                translate(locale, f"clock.{key}", moment=until),
            )
        )
    preset = MatchRow.get_by_id(seat.match).clock
    lead = Para(translate(locale, "clock.lead", what=seat.match_phrase), strong=True)
    facts = FactList(((translate(locale, "clock.rules"), describe_clock(preset, locale)), *lines))
    own: list[Block] = [Para(sections.time_left(seat))] if seat.asked is not None else []
    rest = [Para(words)] if (words := _leave_sentence(seat, preset)) else []
    return build_reply(seat, context, [lead, *own, facts, *rest, sections.log_head(seat)])


def _leave_sentence(seat: SeatContext, preset: str) -> str:
    """When the reader's own clock rests at this table, in a sentence; nothing where there is no clock."""
    if preset == "none":
        return ""
    if not seat.leave_counts:
        return translate(seat.locale, "clock.no-leave")
    left = vacation.days_left(seat.to.player or "", vacation.today(seat.to.zone, now()).year)
    told = leave_balance(seat.locale, left, vacation.today(seat.to.zone, now()).year)
    return (
        f"{translate(seat.locale, 'clock.quiet')} {told}"
        if seat.quiet_weekends and not PRESETS[preset].weekends
        else told
    )


def compose_leave_booked(context: LetterContext) -> Letter | None:
    """The answer to `leave`: it is booked."""
    locale = context.locale
    first, last = (date.fromisoformat(context.payload[name]) for name in ("first_day", "last_day"))
    words = {"first": _format_day(first, locale), "last": _format_day(last, locale)}
    years = range(first.year, last.year + 1)
    left = " ".join(leave_balance(locale, vacation.days_left(context.payload["player"], year), year) for year in years)
    told = Para(f"{translate(locale, 'leave.days', **words)} {left}")
    blocks: list[Block] = [Para(translate(locale, "leave.booked"), strong=True), told]
    if context.to is not None:
        clashes = find_clashes(context.payload["player"], context.to.zone, [(first, last)], locale)
        met = tuple(describe_clash(clash, context.to.zone, locale) for clash in clashes)
        blocks += [Bullets(met)] if met else []
    return _compose_reply(context, blocks)


def compose_leaves(context: LetterContext) -> Letter | None:
    """The answer to `leave` alone: what is booked; after `leave off`, that nothing is."""
    to = context.to
    if to is None:
        return None
    locale = to.locale
    booked = [
        [date.fromisoformat(day) for day in (row.first_day, row.last_day)]
        for row in vacation.upcoming(context.payload["player"], to.zone)
    ]
    key = "leaves.cancelled" if context.payload["cancelled"] else "leaves.lead" if booked else "leaves.none"
    items = tuple(
        translate(locale, "leaves.item", first=_format_day(first, locale), last=_format_day(last, locale))
        for first, last in booked
    )
    year = vacation.today(to.zone, now()).year
    left = Para(leave_balance(locale, vacation.days_left(context.payload["player"], year), year))
    blocks: list[Block] = [Para(translate(locale, key), strong=True), *([Bullets(items)] if items else []), left]
    return _compose_reply(context, [*blocks, Para(translate(locale, "leaves.how"))])


def _format_day(day: date, locale: Locale) -> str:
    return dates.format_day(datetime(day.year, day.month, day.day), locale)  # noqa: DTZ001  # a day has no zone


def compose_note(context: LetterContext) -> Letter | None:
    """The answer to `note`: the words are left at the table."""
    locale, to = context.locale, context.to
    who = translate(locale, "note", who=to.name if to else "")
    return _compose_reply(
        context, [Para(translate(locale, "note.lead"), strong=True), Quote(who, context.payload["note"])]
    )


def compose_letters_stopped(context: LetterContext) -> Letter | None:
    """The answer to `stop`: there are no more letters."""
    locale = context.locale
    lead = translate(locale, "stopped.all" if context.payload["everywhere"] else "stopped.lead")
    return _compose_reply(context, [Para(lead, strong=True), Para(translate(locale, "stopped.back"))])


def compose_letter_mode(context: LetterContext) -> Letter | None:
    """The answer to `letters`: which ones come from now on."""
    locale = context.locale
    where = translate(locale, "letters.everywhere" if context.payload["everywhere"] else "letters.here")
    lead = Para(translate(locale, "letters.lead"), strong=True)
    return _compose_reply(context, [lead, Para(f"{translate(locale, 'letters.' + context.payload['mode'])} {where}")])


def compose_setting(context: LetterContext) -> Letter | None:
    """Letters come in another language, tell the times of another zone, or come at another hour."""
    to = context.to
    if to is None:
        return None
    at, more = now(), []
    if context.payload["name"] == "digest":
        player = PlayerRow.get_by_id(context.payload["player"])
        at = dates.next_hour(at, player.digest_hour, to.zone)
        more = [] if player.letters == "digest" else [Para(translate(to.locale, "setting.digest.where"))]
    moment = dates.format_moment(at, to.zone, to.locale)
    return _compose_reply(
        context, [Para(translate(to.locale, f"setting.{context.payload['name']}", moment=moment), strong=True), *more]
    )


def compose_confirm_mode(context: LetterContext) -> Letter | None:
    """The answer to `confirm on` or `off`: whether moves by letter wait for a second word."""
    locale = context.locale
    if not context.payload["on"]:
        return _compose_reply(context, [Para(translate(locale, "confirming.off"), strong=True)])
    return _compose_reply(
        context, [Para(translate(locale, "confirming.on"), strong=True), Para(translate(locale, "confirming.how"))]
    )


def compose_seat_joined(context: LetterContext) -> Letter | None:
    """The answer to an accepted invitation: a seat is taken."""
    locale, match = context.locale, MatchRow.get_by_id(context.payload["match"])
    game, begun = game_name(GAMES[match.game], locale), match.status != "open"
    told = Para(translate(locale, "joined.started" if begun else "joined.waits", game=game))
    lead = translate(locale, "joined.welcome", name=_reader_name(context)) if context.payload.get("new") else ""
    blocks: list[Block] = [Para(lead or translate(locale, "joined.lead"), strong=True), told]
    blocks += [Para(translate(locale, "welcome.account"))] if lead else []
    blocks += arbiter(match.arbiter, locale)
    return _compose_reply(context, [*blocks, *receipt(context.payload["receipt"], locale)])


def compose_seat_declined(context: LetterContext) -> Letter | None:
    """The answer to a declined invitation or seat."""
    locale = context.locale
    game = game_name(GAMES[MatchRow.get_by_id(context.payload["match"]).game], locale)
    told = Para(translate(locale, "declined.told", game=game))
    return _compose_reply(context, [Para(translate(locale, "declined.lead"), strong=True), told])


def _reader_name(context: LetterContext) -> str:
    return context.to.name if context.to else ""


def compose_match_created(context: LetterContext) -> Letter | None:
    """The answer to `new` or `rematch`: a match is open, or has begun; a new player is welcomed with it."""
    locale, payload = context.locale, context.payload
    match = MatchRow.get_by_id(payload["match"])
    game, begun = game_name(GAMES[match.game], locale), match.status != "open"
    key = ("made.welcome.begun" if begun else "made.welcome") if payload.get("new") else ""
    key = key or ("made.begun" if begun else "made.lead")
    blocks: list[Block] = [
        Para(translate(locale, key, game=game, name=_reader_name(context)), strong=True),
        Para(_next_step(context, locale, begun=begun)),
        *([] if begun else joining_blocks(match, context, locale)),
        *([Para(translate(locale, "welcome.account"))] if payload.get("new") else []),
        *_first_match_blocks(context, locale),
        FactList(((translate(locale, "made.id"), payload["match"]),)),
    ]
    return _compose_reply(context, blocks)


def _next_step(context: LetterContext, locale: Locale, *, begun: bool) -> str:
    """What happens next with a match that was made."""
    guests = context.payload.get("guests")
    if begun:
        return translate(locale, "made.turn")
    if guests:
        return translate(locale, "made.guests", guests=join_items(locale, list(guests)))
    return translate(locale, "made.invited" if context.payload.get("invited") else "made.waits")


def _first_match_blocks(context: LetterContext, locale: Locale) -> list[Block]:
    """Which options the match has because it is the first of this player, and how to ask for others."""
    slug, first = context.payload["game"], context.payload.get("first") or {}
    if not first:
        return []
    options = [option for option in GAMES[slug].rules.options if option.name in first]
    settings = ", ".join(f"{option.title[locale]} ({option.name}={setting(first[option.name])})" for option in options)
    others = " ".join(f"{option.name}={setting(option.default)}" for option in options)
    return [Para(translate(locale, "made.first_match", settings=settings, slug=slug, others=others))]


def compose_welcome(context: LetterContext) -> Letter | None:
    """The answer to a confirmed address: there is an account now."""
    locale = context.locale
    lead = Para(translate(locale, "welcome.lead", name=context.payload["name"]), strong=True)
    begin = translate(locale, "welcome.new", game=next(iter(GAMES)), games=", ".join(GAMES))
    return _compose_reply(context, [lead, Para(translate(locale, "welcome.how")), Para(begin)])


def compose_player_unreachable(context: LetterContext) -> Letter | None:
    """The letter to an organiser when the letters to a seat come back."""
    to = context.to
    found = rows(
        "select s.player, m.game, m.title from seat s join match m on m.id = s.match where s.match = ? and s.seat = ?",
        context.payload["match"],
        context.payload["seat"],
    )
    if to is None or not found:
        return None
    player, slug, title = found[0]
    who = player_names([player], to.locale)[player] if player else translate(to.locale, "play.former_player")
    what = title or game_name(GAMES[slug], to.locale)
    blocks: tuple[Block, ...] = (
        Para(translate(to.locale, "absent.lead", who=who), strong=True),
        Para(translate(to.locale, "absent.what", what=what, status=context.payload.get("status") or "?")),
    )
    return Letter(
        "absent", to, translate(to.locale, "absent.subject"), blocks, match=context.payload["match"], scope="all"
    )
