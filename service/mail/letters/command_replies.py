"""Answers to a player's own letters about anything but moves: help, rules, clocks, leave, notes, seats, settings."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any

from engine.game import to_act
from engine.games import GAMES
from engine.words import Locale
from service.accounts import vacation as leaves
from service.config import Config
from service.db.connection import rows
from service.db.models import Match, Player
from service.i18n import dates as times
from service.i18n.catalogue import say
from service.mail.letters import sections as parts
from service.mail.letters.blocks import Block, Bullets, Facts, Heading, Letter, Para, Quote
from service.mail.letters.context import Desk, addressee
from service.mail.letters.context import called as game_name
from service.mail.letters.invitation import clock_words, paragraphs
from service.mail.letters.move_replies import answer, at_table, subject
from service.mail.letters.notices import balance
from service.mail.letters.sections_receipts import receipt
from service.play.time_control import PRESETS
from service.play.views import GONE, called
from service.timestamps import now

Payload = Mapping[str, Any]
COMMANDS = tuple("number board history rules clock note resign rematch stop letters confirm".split())
ANY_TIME = tuple("leave join league zone digest".split())


def _plainly(payload: Payload, blocks: list[Block]) -> Letter | None:
    """An answer that needs no table."""
    to = addressee(payload["player"])
    if to is None:
        return None
    at = at_table(payload)
    if at is not None:
        return answer(at, payload, blocks)
    lead = next(block.words for block in blocks if isinstance(block, Para))
    return Letter(
        kind=payload["kind"],
        to=to,
        subject=subject(payload, lead.rstrip(".")),
        blocks=tuple(blocks),
        match=payload.get("match"),
        scope="all",
        answers=payload.get("in_reply_to") or "",
    )


def _locale(payload: Payload) -> Locale:
    to = addressee(payload["player"])
    return to.locale if to else "en"


def help_(payload: Payload, config: Config) -> Letter | None:
    """What a letter can say."""
    locale, games = _locale(payload), ", ".join(GAMES)
    blocks: list[Block] = [Para(say(locale, "help.lead"), strong=True), Heading(say(locale, "help.moves"))]
    blocks += [Bullets(tuple(say(locale, f"help.{name}") for name in COMMANDS)), Heading(say(locale, "help.any"))]
    blocks += [Bullets(tuple(say(locale, f"help.{name}") for name in ANY_TIME))]
    blocks += [Heading(say(locale, "help.own", address=config.mail_from))]
    return _plainly(payload, [*blocks, Bullets((say(locale, "help.new", games=games),))])


def rules(payload: Payload, _config: Config) -> Letter | None:
    """The rules of a game in brief, or which games there are."""
    locale, slug = _locale(payload), payload.get("game")
    if slug not in GAMES and payload.get("match"):
        found = Match.get_or_none(Match.id == payload["match"])
        slug = found.game if found else None
    if slug not in GAMES:
        words = say(locale, "rules.games", games=", ".join(GAMES))
        return _plainly(payload, [Para(say(locale, "rules.which"), strong=True), Para(words)])
    game = GAMES[slug]
    lead = Para(say(locale, "rules.lead", game=game.title[locale]), strong=True)
    return _plainly(payload, [lead, *(Para(words) for words in paragraphs(game.rules[locale]))])


def clock(payload: Payload, _config: Config) -> Letter | None:
    """How long everybody has."""
    at = at_table(payload)
    if at is None:
        return None
    locale = at.locale
    found = rows("select seat, due_at, paused_at from seat where match = ? order by seat", at.table.facts.id)
    asked = to_act(at.table.state)
    lines = []
    for seat, due, paused in found:
        until = times.moment(due, at.to.zone, locale) if due else ""
        key = "idle" if seat not in asked else "paused" if paused else "asked" if due else "free"
        lines.append((at.names[seat] + say(locale, "colon").rstrip(), say(locale, f"clock.{key}", moment=until)))
    ((preset,),) = rows("select clock from match where id = ?", at.table.facts.id)
    lead = Para(say(locale, "clock.lead", what=at.what), strong=True)
    facts = Facts(((say(locale, "clock.rules"), clock_words(preset, locale)), *lines))
    own: list[Block] = [Para(parts.time_left(at))] if at.asked is not None else []
    rest = [Para(words)] if (words := _rest(at, preset)) else []
    return answer(at, payload, [lead, *own, facts, *rest, parts.head(at)])


def _rest(at: Desk, preset: str) -> str:
    """When the reader's own clock rests at this table, in a sentence; nothing where there is no clock."""
    if preset == "none":
        return ""
    if not at.leave:
        return say(at.locale, "clock.no-leave")
    left = leaves.days_left(at.to.player or "", leaves.today(at.to.zone, now()).year)
    told = balance(at.locale, left, leaves.today(at.to.zone, now()).year)
    return f"{say(at.locale, 'clock.quiet')} {told}" if at.quiet and not PRESETS[preset].weekends else told


def leave(payload: Payload, _config: Config) -> Letter | None:
    """Leave is booked."""
    locale = _locale(payload)
    first, last = (date.fromisoformat(payload[name]) for name in ("first_day", "last_day"))
    words = {"first": _day(first, locale), "last": _day(last, locale)}
    years = range(first.year, last.year + 1)
    left = " ".join(balance(locale, leaves.days_left(payload["player"], year), year) for year in years)
    told = Para(f"{say(locale, 'leave.days', **words)} {left}")
    return _plainly(payload, [Para(say(locale, "leave.booked"), strong=True), told])


def _day(day: date, locale: Locale) -> str:
    return times.day(datetime(day.year, day.month, day.day), locale)  # noqa: DTZ001  # a day has no zone


def note(payload: Payload, _config: Config) -> Letter | None:
    """Words left at the table."""
    locale, to = _locale(payload), addressee(payload["player"])
    who = say(locale, "note", who=to.name if to else "")
    return _plainly(payload, [Para(say(locale, "note.lead"), strong=True), Quote(who, payload["note"])])


def stopped(payload: Payload, _config: Config) -> Letter | None:
    """No more letters."""
    locale = _locale(payload)
    lead = say(locale, "stopped.all" if payload["everywhere"] else "stopped.lead")
    return _plainly(payload, [Para(lead, strong=True), Para(say(locale, "stopped.back"))])


def letters(payload: Payload, _config: Config) -> Letter | None:
    """Other letters from now on."""
    locale = _locale(payload)
    where = say(locale, "letters.everywhere" if payload["everywhere"] else "letters.here")
    lead = Para(say(locale, "letters.lead"), strong=True)
    return _plainly(payload, [lead, Para(f"{say(locale, 'letters.' + payload['mode'])} {where}")])


def setting(payload: Payload, _config: Config) -> Letter | None:
    """Letters come in another language, tell the times of another zone, or come at another hour."""
    to = addressee(payload["player"])
    if to is None:
        return None
    at, more = now(), []
    if payload["name"] == "digest":
        player = Player.get_by_id(payload["player"])
        at = times.next_hour(at, player.digest_hour, to.zone)
        more = [] if player.letters == "digest" else [Para(say(to.locale, "setting.digest.where"))]
    moment = times.moment(at, to.zone, to.locale)
    return _plainly(payload, [Para(say(to.locale, f"setting.{payload['name']}", moment=moment), strong=True), *more])


def confirming(payload: Payload, _config: Config) -> Letter | None:
    """Moves by letter count later, or at once again."""
    locale = _locale(payload)
    if not payload["on"]:
        return _plainly(payload, [Para(say(locale, "confirming.off"), strong=True)])
    return _plainly(payload, [Para(say(locale, "confirming.on"), strong=True), Para(say(locale, "confirming.how"))])


def _game(payload: Payload, locale: Locale) -> tuple[str, bool]:
    """The title of the match's game, and whether the match has begun."""
    match = Match.get_by_id(payload["match"])
    return game_name(GAMES[match.game], locale), match.status != "open"


def joined(payload: Payload, _config: Config) -> Letter | None:
    """A seat is yours."""
    locale = _locale(payload)
    game, begun = _game(payload, locale)
    told = Para(say(locale, "joined.started" if begun else "joined.waits", game=game))
    blocks: list[Block] = [Para(say(locale, "joined.lead"), strong=True), told]
    return _plainly(payload, [*blocks, *receipt(payload["receipt"], locale)])


def declined(payload: Payload, _config: Config) -> Letter | None:
    """You said no."""
    locale = _locale(payload)
    game, _ = _game(payload, locale)
    told = Para(say(locale, "declined.told", game=game))
    return _plainly(payload, [Para(say(locale, "declined.lead"), strong=True), told])


def made(payload: Payload, _config: Config) -> Letter | None:
    """A new match is open."""
    locale = _locale(payload)
    game, begun = _game(payload, locale)
    blocks: list[Block] = [
        Para(say(locale, "made.begun" if begun else "made.lead", game=game), strong=True),
        Para(say(locale, "made.turn" if begun else "made.invited" if payload.get("invited") else "made.waits")),
        Facts(((say(locale, "made.id"), payload["match"]),)),
    ]
    return _plainly(payload, blocks)


def welcome(payload: Payload, _config: Config) -> Letter | None:
    """An answer made an account."""
    locale = _locale(payload)
    lead = Para(say(locale, "welcome.lead", name=payload["name"]), strong=True)
    begin = say(locale, "welcome.new", game=next(iter(GAMES)), games=", ".join(GAMES))
    return _plainly(payload, [lead, Para(say(locale, "welcome.how")), Para(begin)])


def absent(payload: Payload, _config: Config) -> Letter | None:
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
    who = called([player], to.locale)[player] if player else GONE[to.locale]
    what = title or game_name(GAMES[slug], to.locale)
    blocks: tuple[Block, ...] = (
        Para(say(to.locale, "absent.lead", who=who), strong=True),
        Para(say(to.locale, "absent.what", what=what, status=payload.get("status") or "?")),
    )
    return Letter("absent", to, say(to.locale, "absent.subject"), blocks, match=payload["match"], scope="all")
