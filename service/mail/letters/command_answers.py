"""Answers to commands by email: help, rules, clocks, leave, notes, seats, settings."""

from __future__ import annotations

from collections.abc import Iterator
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
from service.i18n.catalogue import join_items, quote, translate
from service.mail.commands import Command
from service.mail.job_payloads import (
    AnswerLetter,
    ClockAnswer,
    CommandQuestionAnswer,
    ConfirmModeAnswer,
    HelpAnswer,
    LeaveBookedAnswer,
    LeavesAnswer,
    LetterModeAnswer,
    LettersStoppedAnswer,
    MatchCreatedAnswer,
    NoteAnswer,
    RulesAnswer,
    SeatDeclinedAnswer,
    SeatJoinedAnswer,
    SettingAnswer,
    UnreachableLetter,
    WelcomeAnswer,
)
from service.mail.letters import sections
from service.mail.letters.blocks import Addressee, Block, Bullets, FactList, Heading, Letter, Para, Preformatted, Quote
from service.mail.letters.context import LetterContext, SeatContext, game_name
from service.mail.letters.lobby import joining_blocks
from service.mail.letters.move_answers import ask_about_command, build_account_reply, build_reply
from service.mail.letters.registry import player_letter, seat_letter
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


def _compose_reply(context: LetterContext[AnswerLetter], to: Addressee, *blocks: Block) -> Letter:
    """Compose an answer with these blocks, about the player's seat if they have one."""
    seat = context.own_seat
    if seat is None:
        return build_account_reply(to, context.job, blocks)
    return build_reply(seat, context.job, list(blocks))


@player_letter(HelpAnswer)
def compose_help(context: LetterContext[HelpAnswer], to: Addressee) -> Letter:
    """Compose the answer to `help`: what an email can say."""
    locale = to.locale
    return _compose_reply(
        context,
        to,
        Para(translate(locale, "help.lead"), strong=True),
        Heading(translate(locale, "help.moves")),
        Bullets(tuple(translate(locale, f"help.{name}") for name in TABLE_COMMANDS)),
        Heading(translate(locale, "help.any")),
        Bullets(tuple(translate(locale, f"help.{name}") for name in ANY_TIME_COMMANDS)),
        Heading(translate(locale, "help.own", address=context.config.mail_from)),
        Bullets((translate(locale, "help.new", games=", ".join(GAMES)),)),
    )


@player_letter(RulesAnswer)
def compose_rules(context: LetterContext[RulesAnswer], to: Addressee) -> Letter:
    """Compose the answer to `rules`: the whole rules of a game, or which games there are."""
    locale, slug = to.locale, context.job.game
    if slug not in GAMES and context.job.match:
        match = MatchRow.get_or_none(MatchRow.id == context.job.match)
        slug = match.game if match else None
    if slug not in GAMES:
        games = Para(translate(locale, "rules.games", games=", ".join(GAMES)))
        return _compose_reply(context, to, Para(translate(locale, "rules.which"), strong=True), games)
    game = GAMES[slug]
    lead = Para(translate(locale, "rules.lead", game=game.presentation.title[locale]), strong=True)
    return _compose_reply(context, to, lead, *_rules_blocks(whole_rules(game, locale), locale))


def _rules_blocks(rules: Rulebook, locale: Locale) -> Iterator[Block]:
    """Yield the sections of a rulebook as blocks of an email; its tables stay as they are printed."""
    for section in rules:
        yield Heading(section.title)
        for block in section.blocks:
            if isinstance(block, Points):
                yield Bullets(block.items)
            elif isinstance(block, Grid):
                yield Preformatted("\n".join(print_block(block, locale)))
            else:
                yield Para(" ".join(line.strip() for line in print_block(block, locale)))


@seat_letter(ClockAnswer)
def compose_clock(context: LetterContext[ClockAnswer], seat: SeatContext) -> Letter:
    """Compose the answer to `clock`: how much time everybody in the match has."""
    locale, asked = seat.locale, to_act(seat.match_state.state)
    lines = []
    for row in SeatRow.select().where(SeatRow.match == seat.match).order_by(SeatRow.seat):
        until = dates.format_moment(row.due_at, seat.to.zone, locale) if row.due_at else ""
        key = "idle" if row.seat not in asked else "paused" if row.paused_at else "asked" if row.due_at else "free"
        name = seat.names[row.seat] + translate(locale, "colon").rstrip()
        lines.append((name, translate(locale, f"clock.{key}", moment=until)))
    preset = MatchRow.get_by_id(seat.match).clock
    lead = Para(translate(locale, "clock.lead", what=seat.match_phrase), strong=True)
    facts = FactList(((translate(locale, "clock.rules"), describe_clock(preset, locale)), *lines))
    own: list[Block] = [Para(sections.time_left(seat))] if seat.asked is not None else []
    rest = [Para(words)] if (words := _leave_sentence(seat, preset)) else []
    return build_reply(seat, context.job, [lead, *own, facts, *rest])


def _leave_sentence(seat: SeatContext, preset: str) -> str:
    """Return when the reader's own clock rests in this match, in a sentence; an empty one if there is no clock."""
    if preset == "none":
        return ""
    if not seat.leave_counts:
        return translate(seat.locale, "clock.no-leave")
    balance = _leave_left(seat.to, vacation.today(seat.to.zone, now()).year)
    if seat.quiet_weekends and not PRESETS[preset].weekends:
        return f"{translate(seat.locale, 'clock.quiet')} {balance}"
    return balance


def _leave_left(to: Addressee, year: int) -> str:
    """Return how much leave a player has left in a year, in a sentence."""
    return leave_balance(to.locale, vacation.days_left(to.player or "", year), year)


@player_letter(LeaveBookedAnswer)
def compose_leave_booked(context: LetterContext[LeaveBookedAnswer], to: Addressee) -> Letter:
    """Compose the answer to `leave`: it is booked."""
    job, locale = context.job, to.locale
    first, last = date.fromisoformat(job.first_day), date.fromisoformat(job.last_day)
    days = translate(locale, "leave.days", first=_format_day(first, locale), last=_format_day(last, locale))
    left = " ".join(_leave_left(to, year) for year in range(first.year, last.year + 1))
    clashes = find_clashes(job.player, to.zone, [(first, last)], locale)
    met = tuple(describe_clash(clash, to.zone, locale) for clash in clashes)
    lead = Para(translate(locale, "leave.booked"), strong=True)
    return _compose_reply(context, to, lead, Para(f"{days} {left}"), *([Bullets(met)] if met else []))


@player_letter(LeavesAnswer)
def compose_leaves(context: LetterContext[LeavesAnswer], to: Addressee) -> Letter:
    """Compose the answer to `leave` alone: what is booked; after `leave off`, that nothing is."""
    locale = to.locale
    items = []
    for row in vacation.upcoming(context.job.player, to.zone):
        first, last = (_format_day(date.fromisoformat(day), locale) for day in (row.first_day, row.last_day))
        items.append(translate(locale, "leaves.item", first=first, last=last))
    key = "leaves.cancelled" if context.job.cancelled else "leaves.lead" if items else "leaves.none"
    return _compose_reply(
        context,
        to,
        Para(translate(locale, key), strong=True),
        *([Bullets(tuple(items))] if items else []),
        Para(_leave_left(to, vacation.today(to.zone, now()).year)),
        Para(translate(locale, "leaves.how")),
    )


def _format_day(day: date, locale: Locale) -> str:
    return dates.format_day(datetime(day.year, day.month, day.day), locale)  # noqa: DTZ001  # a day has no zone


@player_letter(NoteAnswer)
def compose_note(context: LetterContext[NoteAnswer], to: Addressee) -> Letter:
    """Compose the answer to `note`: the note was written."""
    lead = Para(translate(to.locale, "note.lead"), strong=True)
    return _compose_reply(context, to, lead, Quote(translate(to.locale, "note", who=to.name), context.job.note))


@player_letter(LettersStoppedAnswer)
def compose_letters_stopped(context: LetterContext[LettersStoppedAnswer], to: Addressee) -> Letter:
    """Compose the answer to `stop`: no more emails come."""
    lead = Para(translate(to.locale, "stopped.all" if context.job.everywhere else "stopped.lead"), strong=True)
    return _compose_reply(context, to, lead, Para(translate(to.locale, "stopped.back")))


@player_letter(LetterModeAnswer)
def compose_letter_mode(context: LetterContext[LetterModeAnswer], to: Addressee) -> Letter:
    """Compose the answer to `letters`: which emails come from now on."""
    locale = to.locale
    which = translate(locale, f"letters.{context.job.mode}")
    where = translate(locale, "letters.everywhere" if context.job.everywhere else "letters.here")
    return _compose_reply(context, to, Para(translate(locale, "letters.lead"), strong=True), Para(f"{which} {where}"))


@player_letter(SettingAnswer)
def compose_setting(context: LetterContext[SettingAnswer], to: Addressee) -> Letter:
    """Compose the answer to a change of language, time zone or hour of the digest."""
    moment, more = now(), []
    if context.job.name == "digest":
        player = PlayerRow.get_by_id(to.player)
        moment = dates.next_hour(moment, player.digest_hour, to.zone)
        more = [] if player.letters == "digest" else [Para(translate(to.locale, "setting.digest.where"))]
    time = dates.format_moment(moment, to.zone, to.locale)
    lead = Para(translate(to.locale, f"setting.{context.job.name}", moment=time), strong=True)
    return _compose_reply(context, to, lead, *more)


@player_letter(ConfirmModeAnswer)
def compose_confirm_mode(context: LetterContext[ConfirmModeAnswer], to: Addressee) -> Letter:
    """Compose the answer to `confirm on` or `off`: whether moves by email wait for a second word."""
    lead = Para(translate(to.locale, "confirming.on" if context.job.on else "confirming.off"), strong=True)
    how = [Para(translate(to.locale, "confirming.how"))] if context.job.on else []
    return _compose_reply(context, to, lead, *how)


@player_letter(SeatJoinedAnswer)
def compose_seat_joined(context: LetterContext[SeatJoinedAnswer], to: Addressee) -> Letter:
    """Compose the answer to an accepted invitation: a seat is taken."""
    job, locale, match = context.job, to.locale, MatchRow.get_by_id(context.job.match)
    game = game_name(GAMES[match.game], locale)
    return _compose_reply(
        context,
        to,
        Para(translate(locale, "joined.welcome" if job.new else "joined.lead", name=to.name), strong=True),
        Para(translate(locale, "joined.waits" if match.status == "open" else "joined.started", game=game)),
        *([Para(translate(locale, "welcome.account"))] if job.new else []),
        *arbiter(match.arbiter, locale),
        *receipt(job.receipt, locale),
    )


@player_letter(SeatDeclinedAnswer)
def compose_seat_declined(context: LetterContext[SeatDeclinedAnswer], to: Addressee) -> Letter:
    """Compose the answer to a declined invitation or seat."""
    game = game_name(GAMES[MatchRow.get_by_id(context.job.match).game], to.locale)
    lead = Para(translate(to.locale, "declined.lead"), strong=True)
    return _compose_reply(context, to, lead, Para(translate(to.locale, "declined.told", game=game)))


@player_letter(MatchCreatedAnswer)
def compose_match_created(context: LetterContext[MatchCreatedAnswer], to: Addressee) -> Letter:
    """Compose the answer to `new` or `rematch`: a match is open or has begun. It also welcomes a new player."""
    job, locale, match = context.job, to.locale, MatchRow.get_by_id(context.job.match)
    game, begun = game_name(GAMES[match.game], locale), match.status != "open"
    welcome, lead = ("made.welcome.begun", "made.begun") if begun else ("made.welcome", "made.lead")
    return _compose_reply(
        context,
        to,
        Para(translate(locale, welcome if job.new else lead, game=game, name=to.name), strong=True),
        Para(_next_step(job, locale, begun=begun)),
        *([] if begun else joining_blocks(match, context.config, locale)),
        *([Para(translate(locale, "welcome.account"))] if job.new else []),
        *_first_match_blocks(job, locale),
        FactList(((translate(locale, "made.id"), match.id),)),
    )


def _next_step(job: MatchCreatedAnswer, locale: Locale, *, begun: bool) -> str:
    """Return what happens next with a match that was made."""
    if begun:
        return translate(locale, "made.turn")
    if job.guests:
        return translate(locale, "made.guests", guests=join_items(locale, job.guests))
    return translate(locale, "made.invited" if job.invited else "made.waits")


def _first_match_blocks(job: MatchCreatedAnswer, locale: Locale) -> list[Block]:
    """Tell which options the match has because it is the player's first, and how to ask for others."""
    first = job.first or {}
    options = [option for option in GAMES[job.game].rules.options if option.name in first] if first else []
    if not options:
        return []
    settings = ", ".join(f"{option.title[locale]} ({option.name}={setting(first[option.name])})" for option in options)
    others = " ".join(f"{option.name}={setting(option.default)}" for option in options)
    return [Para(translate(locale, "made.first_match", settings=settings, slug=job.game, others=others))]


@player_letter(WelcomeAnswer)
def compose_welcome(context: LetterContext[WelcomeAnswer], to: Addressee) -> Letter:
    """Compose the answer to a confirmed address: there is an account now."""
    return _compose_reply(
        context,
        to,
        Para(translate(to.locale, "welcome.lead", name=context.job.name), strong=True),
        Para(translate(to.locale, "welcome.how")),
        Para(translate(to.locale, "welcome.new", game=next(iter(GAMES)), games=", ".join(GAMES))),
    )


@player_letter(CommandQuestionAnswer)
def compose_command_question(context: LetterContext[CommandQuestionAnswer], to: Addressee) -> Letter:
    """Ask the player whether they wrote a command that came in their name; a yes to this email runs it."""
    command = Command(context.job.verb, context.job.rest)
    typed = quote(to.locale, f"{command.verb} {command.rest}".strip()[:200])
    what = Para(translate(to.locale, "unverified.what", command=typed))
    question = ask_about_command(to, context.job, "unverified", command, [what])
    return question.with_blocks(Para(translate(to.locale, "unverified.not")))


@player_letter(UnreachableLetter)
def compose_player_unreachable(context: LetterContext[UnreachableLetter], to: Addressee) -> Letter | None:
    """Compose the email that tells an organiser that emails to a seat bounce."""
    job = context.job
    places = rows(
        "select s.player, m.game, m.title from seat s join match m on m.id = s.match where s.match = ? and s.seat = ?",
        job.match,
        job.seat,
    )
    if not places:
        return None
    player, slug, title = places[0]
    who = player_names([player], to.locale)[player] if player else translate(to.locale, "play.former_player")
    what = title or game_name(GAMES[slug], to.locale)
    blocks = (
        Para(translate(to.locale, "absent.lead", who=who), strong=True),
        Para(translate(to.locale, "absent.what", what=what, status=job.status or "?")),
    )
    return Letter(job.kind, to, translate(to.locale, "absent.subject"), blocks, match=job.match, scope="all")
