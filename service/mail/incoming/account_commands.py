"""The service's own address, and commands that are about the player and not about one table."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from functools import lru_cache
from typing import Any
from zoneinfo import available_timezones

from engine.words import plain
from service.accounts import players, vacation
from service.accounts.email_address import canonicalise
from service.config import Config
from service.db.connection import execute, rows, write_transaction
from service.db.models.accounts import PlayerRow
from service.jobs import outbox
from service.jobs.outbox import Job
from service.mail.incoming import commands, new_match_command, sender_checks
from service.mail.incoming.answers import AnswerLetter, MailOutcome, PendingOutcome, fingerprint, ignore
from service.mail.incoming.commands import Command
from service.mail.incoming.incoming_letter import IncomingLetter
from service.matches import create, leagues
from service.problems import Problem

LANGUAGES = {
    **dict.fromkeys(("en", "english", "anglais"), "en"),
    **dict.fromkeys(("fr", "french", "francais"), "fr"),
}

HOUR_FORM = re.compile(r"(?:(?:at|to|a) )?(\d{1,2}) ?(?:h|heures?|oclock)? ?:?(?:00)? ?(?:([ap]) ?m)?")
NOON, HOURS_IN_DAY = 12, 24


@lru_cache(maxsize=1)
def _zones_by_name() -> dict[str, str]:
    """The zones by every name people have for them: whole, or only the place where no other zone has it."""
    known = sorted(available_timezones())
    found = {plain(name): name for name in known}
    places: dict[str, list[str]] = {}
    for name in known:
        if "/" in name and not name.startswith(("Etc/", "posix/", "right/")):
            places.setdefault(plain(name.rpartition("/")[2].replace("_", " ")), []).append(name)
    return {**{place: names[0] for place, names in places.items() if len(names) == 1}, **found}


def parse_hour(said: str) -> int | None:
    """The hour that `18`, `18 h`, `18:00` or `6 pm` names."""
    found = HOUR_FORM.fullmatch(said)
    if found is None:
        return None
    number, half = int(found[1]), found[2]
    if half:
        return number % NOON + NOON * (half == "p") if 0 < number <= NOON else None
    return number if number < HOURS_IN_DAY else None


SETTINGS: dict[str, tuple[str, Callable[[str], Any]]] = {
    "zone": ("zone", lambda said: _zones_by_name().get(said)),
    "language": ("language", LANGUAGES.get),
    "digest": ("digest_hour", parse_hour),
}
"""For each command the setting that it changes, and who reads what is said of it."""


def change_setting(player: PlayerRow, known: Command) -> MailOutcome:
    """Do what `zone Europe/Dublin`, `language English` or `digest 18` asks."""
    setting, read = SETTINGS[known.verb]
    value = read(plain(known.rest))
    if value is None:
        about = {"reason": known.verb, "text": known.rest[:400], "meant": [], "why": ""}
        print_ = fingerprint("desk", 0, f"{known.verb} {known.rest}")
        return MailOutcome("refused", known.verb, "", (AnswerLetter("refused", player.id, about),), player.id, print_)
    players.change_settings(player.id, {setting: value})
    return MailOutcome("done", known.verb, "", (AnswerLetter("setting", player.id, {"name": known.verb}),), player.id)


LONGEST_WISH = 200
ACCOUNT_COMMANDS = frozenset("help rules leave stop letters new league zone language digest".split())
DAY_RANGE = re.compile(
    r"(\d{4}-\d{2}-\d{2})(?:\s*(?:\.\.+|…|–|—|to|until|till|au|jusqu['’]au|à|a)\s*(\d{4}-\d{2}-\d{2}))?"
)
FRENCH_WORDS = frozenset(
    "aide inscription inscrire sinscrire nouvelle nouveau rejoindre accepter accepte jaccepte oui daccord participer "
    "je".split()
)


def guess_language(text: str) -> str:
    """The language of a first word that exists in one of ours only."""
    return "fr" if frozenset(text.lower().replace("'", "").replace("’", "").split()[:1]) & FRENCH_WORDS else "en"


def handle(letter: IncomingLetter) -> PendingOutcome:
    """A letter to the service itself: from a player a command; from anybody else only the wish to become one."""
    player = (
        PlayerRow.get_or_none((PlayerRow.address == letter.writer) & PlayerRow.deleted_at.is_null())
        if letter.writer
        else None
    )
    if letter.verdict == "fail":
        return ignore("dmarc")
    lines = letter.said.lines or (letter.mail.get("subject"),)
    if player is None or player.confirmed_at is None:
        return _handle_stranger(letter, lines)
    wish = commands.parse_request(lines, ACCOUNT_COMMANDS)
    if wish.command is not None and not wish.mixed:
        known = wish.command
        return PendingOutcome(lambda: handle_command(letter, player, known))
    return PendingOutcome(lambda: _refuse(player, "desk", "\n".join(lines)))


def _handle_stranger(letter: IncomingLetter, lines: tuple[str, ...]) -> PendingOutcome:
    """A letter from somebody without an account: to register, or to play, which begins with registering."""
    found = commands.parse_request(lines, frozenset({"register", "join", "new"})).command if letter.writer else None
    if found is None or (found.verb == "new" and not _is_possible_match(found.rest)):
        return ignore("unknown-sender")
    name, wish = ("", found.rest) if found.verb == "new" else (found.rest, "")
    return PendingOutcome(lambda: _register(letter, name, wish))


def _is_possible_match(text: str) -> bool:
    try:
        new_match_command.parse(text)
    except Problem:
        return False
    return len(text) <= LONGEST_WISH


def _register(letter: IncomingLetter, rest: str, wish: str) -> MailOutcome:
    """Send the letter that confirms an address; who asks too often gets none."""
    name = (rest or sender_checks.from_name(letter.mail) or letter.writer.partition("@")[0])[:60]
    said = letter.said.text or letter.mail.get("subject")
    players.register(name, canonicalise(letter.writer), guess_language(said), letter.zone, wish)
    return MailOutcome("done", "register")


def create_wished_match(job: Job, config: Config) -> None:
    """Make the match that was asked for before there was an account, once."""
    player, key = players.find(job.payload["player"]), f"wished:{job.payload['player']}"
    with write_transaction():
        if rows("select 1 from job where key = ?", key):
            return
        match = create.create_match(player, new_match_command.parse(job.payload["new"]), config)
        outbox.add("letter", key, {"kind": "made", "player": player.id, "match": match.id, "game": match.game})


def _refuse(player: PlayerRow, reason: str, text: str, why: str = "") -> MailOutcome:
    about = {"reason": reason, "text": text[:400], "meant": [], "why": why}
    print_ = fingerprint("desk", 0, text)
    return MailOutcome("refused", reason, why, (AnswerLetter("refused", player.id, about),), player.id, print_)


def handle_command(letter: IncomingLetter, player: PlayerRow, known: Command) -> MailOutcome:
    """Do what a command about the player asks."""
    if known.verb in HANDLERS:
        return HANDLERS[known.verb](letter, player, known)
    more = {"game": _game_slug(known.rest)} if known.verb == "rules" else {}
    print_ = fingerprint("desk", 0, f"{known.verb} {known.rest}")
    return MailOutcome("answered", known.verb, "", (AnswerLetter(known.verb, player.id, more),), player.id, print_)


def _set_letter_mode(_letter: IncomingLetter, player: PlayerRow, known: Command) -> MailOutcome:
    """Other letters from now on, or none."""
    mode = "none" if known.verb == "stop" else commands.parse_letter_mode(known.rest)[0]
    if not mode or (known.verb == "stop" and known.rest and not commands.parse_letter_mode(known.rest)[1]):
        return _refuse(player, known.verb, known.rest)
    with write_transaction():
        execute("update player set letters = ? where id = ?", mode, player.id)
    answer = AnswerLetter(
        "stopped" if known.verb == "stop" else "letters", player.id, {"mode": mode, "everywhere": True}
    )
    return MailOutcome("done", known.verb, "", (answer,), player.id)


def _game_slug(rest: str) -> str | None:
    try:
        return new_match_command.parse_game(rest).slug
    except Problem:
        return None


def _book_leave(_letter: IncomingLetter, player: PlayerRow, known: Command) -> MailOutcome:
    rest = known.rest
    found = DAY_RANGE.fullmatch(rest.strip())
    try:
        first, last = (date.fromisoformat(day) for day in (found[1], found[2] or found[1])) if found else (None, None)
    except ValueError:
        first = last = None
    if first is None or last is None:
        return _refuse(player, "leave", rest)
    try:
        with write_transaction():
            booked = vacation.book(player.id, player.zone, first, last)
    except Problem as problem:
        return _refuse(player, "booking", rest, problem.detail)
    days = {"first_day": booked.first_day, "last_day": booked.last_day}
    return MailOutcome("done", "leave", "", (AnswerLetter("leave", player.id, days),), player.id)


def _handle_league(letter: IncomingLetter, player: PlayerRow, known: Command) -> MailOutcome:
    """Tell of a league, or of all that are open; with `join` after its name the player's match begins."""
    rest, words = known.rest, known.rest.split()
    joins = bool(words) and commands.parse_command(words[-1], {"join"}) is not None
    name = " ".join(words[:-1] if joins else words)
    league = leagues.find_by_name(name) if name else None
    if league is None and words:
        return _refuse(player, "league", rest)
    if joins and league is not None:
        try:
            leagues.enter(player, league.id, letter.config)
        except Problem as problem:
            return _refuse(player, "entering", name, problem.detail)
        return MailOutcome("done", "league-entered", "", (), player.id)
    about = {"league": league.id if league else None}
    print_ = fingerprint("desk", 0, f"league {rest}")
    return MailOutcome("answered", "league", "", (AnswerLetter("league", player.id, about),), player.id, print_)


def create_match(letter: IncomingLetter, player: PlayerRow, rest: str) -> MailOutcome:
    """Make the match that is asked for."""
    try:
        match = create.create_match(player, new_match_command.parse(rest), letter.config)
    except Problem as problem:
        return _refuse(player, "new", rest, problem.detail)
    return MailOutcome(
        "done", "new", "", (AnswerLetter("made", player.id, {"match": match.id, "game": match.game}),), player.id
    )


HANDLERS: dict[str, Callable[[IncomingLetter, PlayerRow, Command], MailOutcome]] = {
    "leave": _book_leave,
    "league": _handle_league,
    "letters": _set_letter_mode,
    "stop": _set_letter_mode,
    "new": lambda letter, player, known: create_match(letter, player, known.rest),
    "zone": lambda _letter, player, known: change_setting(player, known),
    "language": lambda _letter, player, known: change_setting(player, known),
    "digest": lambda _letter, player, known: change_setting(player, known),
}
"""Who does what commands about the player ask; the others are only answered."""
