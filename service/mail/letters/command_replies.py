"""Answers to a player's own letters about anything but moves: help, rules, clocks, leave, notes, seats, settings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date, datetime
from typing import Any

from engine.game import to_act
from engine.games import GAMES
from engine.rulebook import Grid, Points, Rulebook, print_block
from engine.words import Locale
from service.accounts import vacation
from service.config import Config
from service.db.connection import rows
from service.db.models.accounts import PlayerRow
from service.db.models.matches import MatchRow
from service.i18n import dates
from service.i18n.catalogue import translate
from service.mail.letters import sections
from service.mail.letters.blocks import Block, Bullets, FactList, Heading, Letter, Para, Preformatted, Quote
from service.mail.letters.context import LetterContext, addressee, game_name
from service.mail.letters.move_replies import build_reply, load_writer_context, reply_subject
from service.mail.letters.sections import describe_clock, leave_balance, receipt
from service.play.time_control import PRESETS
from service.play.views import FORMER_PLAYER, player_names
from service.timestamps import now

Payload = Mapping[str, Any]
TABLE_COMMANDS = tuple("number board history rules clock note resign rematch stop letters confirm".split())
ANY_TIME_COMMANDS = tuple("leave join league zone digest".split())


def _compose_reply(payload: Payload, blocks: list[Block]) -> Letter | None:
    """An answer that needs no table."""
    to = addressee(payload["player"])
    if to is None:
        return None
    at = load_writer_context(payload)
    if at is not None:
        return build_reply(at, payload, blocks)
    lead = next(block.words for block in blocks if isinstance(block, Para))
    return Letter(
        kind=payload["kind"],
        to=to,
        subject=reply_subject(payload, lead.rstrip(".")),
        blocks=tuple(blocks),
        match=payload.get("match"),
        scope="all",
        answers=payload.get("in_reply_to") or "",
    )


def _locale(payload: Payload) -> Locale:
    to = addressee(payload["player"])
    return to.locale if to else "en"


def compose_help(payload: Payload, config: Config) -> Letter | None:
    """What a letter can say."""
    locale, games = _locale(payload), ", ".join(GAMES)
    blocks: list[Block] = [Para(translate(locale, "help.lead"), strong=True), Heading(translate(locale, "help.moves"))]
    blocks += [
        Bullets(tuple(translate(locale, f"help.{name}") for name in TABLE_COMMANDS)),
        Heading(translate(locale, "help.any")),
    ]
    blocks += [Bullets(tuple(translate(locale, f"help.{name}") for name in ANY_TIME_COMMANDS))]
    blocks += [Heading(translate(locale, "help.own", address=config.mail_from))]
    return _compose_reply(payload, [*blocks, Bullets((translate(locale, "help.new", games=games),))])


def compose_rules(payload: Payload, _config: Config) -> Letter | None:
    """The whole rules of a game, or which games there are."""
    locale, slug = _locale(payload), payload.get("game")
    if slug not in GAMES and payload.get("match"):
        found = MatchRow.get_or_none(MatchRow.id == payload["match"])
        slug = found.game if found else None
    if slug not in GAMES:
        words = translate(locale, "rules.games", games=", ".join(GAMES))
        return _compose_reply(payload, [Para(translate(locale, "rules.which"), strong=True), Para(words)])
    game = GAMES[slug]
    lead = Para(translate(locale, "rules.lead", game=game.title[locale]), strong=True)
    return _compose_reply(payload, [lead, *_rules_blocks(game.rulebook[locale], locale)])


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


def compose_clock(payload: Payload, _config: Config) -> Letter | None:
    """How long everybody has."""
    at = load_writer_context(payload)
    if at is None:
        return None
    locale = at.locale
    found = rows("select seat, due_at, paused_at from seat where match = ? order by seat", at.table.facts.id)
    asked = to_act(at.table.state)
    lines = []
    for seat, due, paused in found:
        until = dates.format_moment(due, at.to.zone, locale) if due else ""
        key = "idle" if seat not in asked else "paused" if paused else "asked" if due else "free"
        lines.append(
            (at.names[seat] + translate(locale, "colon").rstrip(), translate(locale, f"clock.{key}", moment=until))
        )
    ((preset,),) = rows("select clock from match where id = ?", at.table.facts.id)
    lead = Para(translate(locale, "clock.lead", what=at.what), strong=True)
    facts = FactList(((translate(locale, "clock.rules"), describe_clock(preset, locale)), *lines))
    own: list[Block] = [Para(sections.time_left(at))] if at.asked is not None else []
    rest = [Para(words)] if (words := _leave_sentence(at, preset)) else []
    return build_reply(at, payload, [lead, *own, facts, *rest, sections.log_head(at)])


def _leave_sentence(at: LetterContext, preset: str) -> str:
    """When the reader's own clock rests at this table, in a sentence; nothing where there is no clock."""
    if preset == "none":
        return ""
    if not at.leave:
        return translate(at.locale, "clock.no-leave")
    left = vacation.days_left(at.to.player or "", vacation.today(at.to.zone, now()).year)
    told = leave_balance(at.locale, left, vacation.today(at.to.zone, now()).year)
    return f"{translate(at.locale, 'clock.quiet')} {told}" if at.quiet and not PRESETS[preset].weekends else told


def compose_leave_booked(payload: Payload, _config: Config) -> Letter | None:
    """Leave is booked."""
    locale = _locale(payload)
    first, last = (date.fromisoformat(payload[name]) for name in ("first_day", "last_day"))
    words = {"first": _format_day(first, locale), "last": _format_day(last, locale)}
    years = range(first.year, last.year + 1)
    left = " ".join(leave_balance(locale, vacation.days_left(payload["player"], year), year) for year in years)
    told = Para(f"{translate(locale, 'leave.days', **words)} {left}")
    return _compose_reply(payload, [Para(translate(locale, "leave.booked"), strong=True), told])


def _format_day(day: date, locale: Locale) -> str:
    return dates.format_day(datetime(day.year, day.month, day.day), locale)  # noqa: DTZ001  # a day has no zone


def compose_note(payload: Payload, _config: Config) -> Letter | None:
    """Words left at the table."""
    locale, to = _locale(payload), addressee(payload["player"])
    who = translate(locale, "note", who=to.name if to else "")
    return _compose_reply(payload, [Para(translate(locale, "note.lead"), strong=True), Quote(who, payload["note"])])


def compose_letters_stopped(payload: Payload, _config: Config) -> Letter | None:
    """No more letters."""
    locale = _locale(payload)
    lead = translate(locale, "stopped.all" if payload["everywhere"] else "stopped.lead")
    return _compose_reply(payload, [Para(lead, strong=True), Para(translate(locale, "stopped.back"))])


def compose_letter_mode(payload: Payload, _config: Config) -> Letter | None:
    """Other letters from now on."""
    locale = _locale(payload)
    where = translate(locale, "letters.everywhere" if payload["everywhere"] else "letters.here")
    lead = Para(translate(locale, "letters.lead"), strong=True)
    return _compose_reply(payload, [lead, Para(f"{translate(locale, 'letters.' + payload['mode'])} {where}")])


def compose_setting(payload: Payload, _config: Config) -> Letter | None:
    """Letters come in another language, tell the times of another zone, or come at another hour."""
    to = addressee(payload["player"])
    if to is None:
        return None
    at, more = now(), []
    if payload["name"] == "digest":
        player = PlayerRow.get_by_id(payload["player"])
        at = dates.next_hour(at, player.digest_hour, to.zone)
        more = [] if player.letters == "digest" else [Para(translate(to.locale, "setting.digest.where"))]
    moment = dates.format_moment(at, to.zone, to.locale)
    return _compose_reply(
        payload, [Para(translate(to.locale, f"setting.{payload['name']}", moment=moment), strong=True), *more]
    )


def compose_confirm_mode(payload: Payload, _config: Config) -> Letter | None:
    """Moves by letter count later, or at once again."""
    locale = _locale(payload)
    if not payload["on"]:
        return _compose_reply(payload, [Para(translate(locale, "confirming.off"), strong=True)])
    return _compose_reply(
        payload, [Para(translate(locale, "confirming.on"), strong=True), Para(translate(locale, "confirming.how"))]
    )


def _game_and_start(payload: Payload, locale: Locale) -> tuple[str, bool]:
    """The title of the match's game, and whether the match has begun."""
    match = MatchRow.get_by_id(payload["match"])
    return game_name(GAMES[match.game], locale), match.status != "open"


def compose_seat_joined(payload: Payload, _config: Config) -> Letter | None:
    """A seat is yours."""
    locale = _locale(payload)
    game, begun = _game_and_start(payload, locale)
    told = Para(translate(locale, "joined.started" if begun else "joined.waits", game=game))
    blocks: list[Block] = [Para(translate(locale, "joined.lead"), strong=True), told]
    return _compose_reply(payload, [*blocks, *receipt(payload["receipt"], locale)])


def compose_seat_declined(payload: Payload, _config: Config) -> Letter | None:
    """You said no."""
    locale = _locale(payload)
    game, _ = _game_and_start(payload, locale)
    told = Para(translate(locale, "declined.told", game=game))
    return _compose_reply(payload, [Para(translate(locale, "declined.lead"), strong=True), told])


def compose_match_created(payload: Payload, _config: Config) -> Letter | None:
    """A new match is open."""
    locale = _locale(payload)
    game, begun = _game_and_start(payload, locale)
    blocks: list[Block] = [
        Para(translate(locale, "made.begun" if begun else "made.lead", game=game), strong=True),
        Para(translate(locale, "made.turn" if begun else "made.invited" if payload.get("invited") else "made.waits")),
        FactList(((translate(locale, "made.id"), payload["match"]),)),
    ]
    return _compose_reply(payload, blocks)


def compose_welcome(payload: Payload, _config: Config) -> Letter | None:
    """An answer made an account."""
    locale = _locale(payload)
    lead = Para(translate(locale, "welcome.lead", name=payload["name"]), strong=True)
    begin = translate(locale, "welcome.new", game=next(iter(GAMES)), games=", ".join(GAMES))
    return _compose_reply(payload, [lead, Para(translate(locale, "welcome.how")), Para(begin)])


def compose_player_unreachable(payload: Payload, _config: Config) -> Letter | None:
    """To an organiser: letters to a player come back."""
    to = addressee(payload["player"])
    found = rows(
        "select s.player, m.game, m.title from seat s join match m on m.id = s.match where s.match = ? and s.seat = ?",
        payload["match"],
        payload["seat"],
    )
    if to is None or not found:
        return None
    player, slug, title = found[0]
    who = player_names([player], to.locale)[player] if player else FORMER_PLAYER[to.locale]
    what = title or game_name(GAMES[slug], to.locale)
    blocks: tuple[Block, ...] = (
        Para(translate(to.locale, "absent.lead", who=who), strong=True),
        Para(translate(to.locale, "absent.what", what=what, status=payload.get("status") or "?")),
    )
    return Letter("absent", to, translate(to.locale, "absent.subject"), blocks, match=payload["match"], scope="all")
