"""The service's own address, and commands that are about the player and not about one table."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import date
from typing import Any

from service.accounts import players as accounts
from service.accounts import vacation as leave
from service.accounts.email_address import canonical
from service.config import Config
from service.db.connection import rows, run, writing
from service.db.models import Player
from service.jobs import outbox as jobs
from service.mail.incoming import account_commands_settings as settings
from service.mail.incoming import commands
from service.mail.incoming import new_match_command as wanted
from service.mail.incoming import sender_checks as sender
from service.mail.incoming.answers import fingerprint
from service.mail.incoming.answers_outcome import Answer, Outcome, Work, ignored
from service.mail.incoming.commands import Command
from service.mail.incoming.incoming_letter import Incoming
from service.matches import create as matches
from service.matches import leagues
from service.problems import Problem

LONGEST_WISH = 200
GENERAL = frozenset("help rules leave stop letters new league zone language digest".split())
DAYS = re.compile(r"(\d{4}-\d{2}-\d{2})(?:\s*(?:\.\.+|…|–|—|to|until|till|au|jusqu['’]au|à|a)\s*(\d{4}-\d{2}-\d{2}))?")
FRENCH = frozenset(
    "aide inscription inscrire sinscrire nouvelle nouveau rejoindre accepter accepte jaccepte oui daccord participer "
    "je".split()
)


def language(text: str) -> str:
    """The language of a first word that exists in one of ours only."""
    return "fr" if frozenset(text.lower().replace("'", "").replace("’", "").split()[:1]) & FRENCH else "en"


def work(letter: Incoming) -> Work:
    """A letter to the service itself: from a player a command; from anybody else only the wish to become one."""
    player = (
        Player.get_or_none((Player.address == letter.writer) & Player.deleted_at.is_null()) if letter.writer else None
    )
    if letter.verdict == "fail":
        return ignored("dmarc")
    lines = letter.said.lines or (letter.mail.get("subject"),)
    if player is None or player.confirmed_at is None:
        return _stranger(letter, lines)
    wish = commands.wish(lines, GENERAL)
    if wish.command is not None and not wish.mixed:
        known = wish.command
        return Work(lambda: general(letter, player, known))
    return Work(lambda: _refused(player, "desk", "\n".join(lines)))


def _stranger(letter: Incoming, lines: tuple[str, ...]) -> Work:
    """A letter from somebody without an account: to register, or to play, which begins with registering."""
    found = commands.wish(lines, frozenset({"register", "join", "new"})).command if letter.writer else None
    if found is None or (found.verb == "new" and not _possible(found.rest)):
        return ignored("unknown-sender")
    name, wish = ("", found.rest) if found.verb == "new" else (found.rest, "")
    return Work(lambda: _register(letter, name, wish))


def _possible(text: str) -> bool:
    try:
        wanted.read(text)
    except Problem:
        return False
    return len(text) <= LONGEST_WISH


def _register(letter: Incoming, rest: str, wish: str) -> Outcome:
    """Send the letter that confirms an address; who asks too often gets none."""
    name = (rest or sender.called(letter.mail) or letter.writer.partition("@")[0])[:60]
    said = letter.said.text or letter.mail.get("subject")
    accounts.register(name, canonical(letter.writer), language(said), letter.zone, wish)
    return Outcome("done", "register")


def wished(payload: Mapping[str, Any], config: Config) -> None:
    """Make the match that was asked for before there was an account, once."""
    player, key = accounts.of(payload["player"]), f"wished:{payload['player']}"
    with writing():
        if rows("select 1 from job where key = ?", key):
            return
        match = matches.create(player, wanted.read(payload["new"]), config)
        jobs.add("letter", key, {"kind": "made", "player": player.id, "match": match.id, "game": match.game})


def _refused(player: Player, reason: str, text: str, why: str = "") -> Outcome:
    about = {"reason": reason, "text": text[:400], "meant": [], "why": why}
    print_ = fingerprint("desk", 0, text)
    return Outcome("refused", reason, why, (Answer("refused", player.id, about),), player.id, print_)


def general(letter: Incoming, player: Player, known: Command) -> Outcome:
    """Do what a command about the player asks."""
    if known.verb in DOING:
        return DOING[known.verb](letter, player, known)
    more = {"game": _slug(known.rest)} if known.verb == "rules" else {}
    print_ = fingerprint("desk", 0, f"{known.verb} {known.rest}")
    return Outcome("answered", known.verb, "", (Answer(known.verb, player.id, more),), player.id, print_)


def _letters(_letter: Incoming, player: Player, known: Command) -> Outcome:
    """Other letters from now on, or none."""
    mode = "none" if known.verb == "stop" else commands.mode(known.rest)[0]
    if not mode or (known.verb == "stop" and known.rest and not commands.mode(known.rest)[1]):
        return _refused(player, known.verb, known.rest)
    with writing():
        run("update player set letters = ? where id = ?", mode, player.id)
    answer = Answer("stopped" if known.verb == "stop" else "letters", player.id, {"mode": mode, "everywhere": True})
    return Outcome("done", known.verb, "", (answer,), player.id)


def _slug(rest: str) -> str | None:
    try:
        return wanted.game(rest).slug
    except Problem:
        return None


def _leave(_letter: Incoming, player: Player, known: Command) -> Outcome:
    rest = known.rest
    found = DAYS.fullmatch(rest.strip())
    try:
        first, last = (date.fromisoformat(day) for day in (found[1], found[2] or found[1])) if found else (None, None)
    except ValueError:
        first = last = None
    if first is None or last is None:
        return _refused(player, "leave", rest)
    try:
        with writing():
            booked = leave.book(player.id, player.zone, first, last)
    except Problem as problem:
        return _refused(player, "booking", rest, problem.detail)
    days = {"first_day": booked.first_day, "last_day": booked.last_day}
    return Outcome("done", "leave", "", (Answer("leave", player.id, days),), player.id)


def _league(letter: Incoming, player: Player, known: Command) -> Outcome:
    """Tell of a league, or of all that are open; with `join` after its name the player's match begins."""
    rest, words = known.rest, known.rest.split()
    joins = bool(words) and commands.command(words[-1], {"join"}) is not None
    name = " ".join(words[:-1] if joins else words)
    league = leagues.named(name) if name else None
    if league is None and words:
        return _refused(player, "league", rest)
    if joins and league is not None:
        try:
            leagues.enter(player, league.id, letter.config)
        except Problem as problem:
            return _refused(player, "entering", name, problem.detail)
        return Outcome("done", "league-entered", "", (), player.id)
    about = {"league": league.id if league else None}
    print_ = fingerprint("desk", 0, f"league {rest}")
    return Outcome("answered", "league", "", (Answer("league", player.id, about),), player.id, print_)


def made(letter: Incoming, player: Player, rest: str) -> Outcome:
    """Make the match that is asked for."""
    try:
        match = matches.create(player, wanted.read(rest), letter.config)
    except Problem as problem:
        return _refused(player, "new", rest, problem.detail)
    return Outcome("done", "new", "", (Answer("made", player.id, {"match": match.id, "game": match.game}),), player.id)


DOING: dict[str, Callable[[Incoming, Player, Command], Outcome]] = {
    "leave": _leave,
    "league": _league,
    "letters": _letters,
    "stop": _letters,
    "new": lambda letter, player, known: made(letter, player, known.rest),
    "zone": lambda _letter, player, known: settings.change(player, known),
    "language": lambda _letter, player, known: settings.change(player, known),
    "digest": lambda _letter, player, known: settings.change(player, known),
}
"""Who does what commands about the player ask; the others are only answered."""
