"""Emails to the service's own address, and commands that concern the player and not one table."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from zoneinfo import available_timezones

from engine.games import GAMES
from engine.words import is_number, plain
from service import look_alikes
from service.accounts import cold_mail_quota, players, vacation
from service.accounts.email_address import canonicalise
from service.db.connection import write_transaction
from service.db.models.accounts import PlayerRow
from service.db.models.mail import ReplyAddressRow
from service.jobs import queue
from service.mail import commands
from service.mail.commands import Command
from service.mail.incoming import (
    leave_days,
    lobby_commands,
    new_match_command,
    sender_checks,
    table_commands,
    tournament_commands,
    wish_sentences,
)
from service.mail.incoming.answers import (
    MOST_MEANT,
    CommandRefused,
    MailOutcome,
    answer,
    done,
    fingerprint,
    ignore,
    refuse,
)
from service.mail.incoming.incoming_letter import IncomingLetter
from service.mail.incoming.reading.move_reader import read_number
from service.mail.incoming.reading.pieces import Grammar
from service.mail.incoming.reading.requests import MailRequest, read_request
from service.mail.job_payloads import (
    BeginLetter,
    CommandQuestionAnswer,
    HelpAnswer,
    LeaveBookedAnswer,
    LeavesAnswer,
    LetterModeAnswer,
    LettersStoppedAnswer,
    RulesAnswer,
    SettingAnswer,
)
from service.problems import Problem
from service.timestamps import now

LONGEST_WISH = 200
ACCOUNT_COMMANDS = (
    frozenset("help rules leave stop letters zone language digest auto".split())
    | lobby_commands.COMMANDS.keys()
    | tournament_commands.COMMANDS.keys()
)
LIST_ROW = re.compile(r"(\d{1,3})[.)]?\s+(?:join|rejoindre)\s+\1\b", re.IGNORECASE)
"""A row of the list of open matches, copied with its number."""
HOUR_FORM = re.compile(r"(?:(?:at|to|a) )?(\d{1,2}) ?(?:h|heures?|oclock)? ?:?(?:00)? ?(?:([ap]) ?m)?")
NOON, HOURS_IN_DAY = 12, 24
LANGUAGES = {
    **dict.fromkeys(("en", "english", "anglais"), "en"),
    **dict.fromkeys(("fr", "french", "francais"), "fr"),
}
FRENCH_WORDS = frozenset(
    "aide inscription inscrire sinscrire nouvelle nouveau rejoindre accepter accepte jaccepte oui daccord participer "
    "je jaimerais voudrais bonjour bonsoir salut jouer jeux jeu parties partie inviter avec quelles regles".split()
)
ENGLISH_WORDS = frozenset("yes no yeah sure thats that its this is me i im hello hi please thanks want the".split())
LANGUAGE_WORDS = 8
PLAY_WORDS = frozenset(
    "help aide join rejoindre register inscription play playing jouer joue game games jeu jeux match matches partie "
    "parties open ouvertes new nouvelle rules regles invite inviter echtra commands commandes".split()
) | frozenset(plain(slug).split()[0] for slug in GAMES)
"""Words of people who want to play, in both languages."""
LONGEST_QUESTION = 600
STRANGER_COMMANDS = frozenset({"register", "join", "new"})


@dataclass(frozen=True)
class FirstWish:
    """Request of somebody without an account."""

    name: str
    match: str
    """The match they want, in the words of an email; empty if they only want an account."""


def handle(letter: IncomingLetter) -> MailOutcome:
    """Handle an email to the service itself. A player may give a command; anybody else may register or ask how.

    If From may be forged, the player must confirm before anything changes.
    """
    if letter.verdict == "fail":
        return ignore("dmarc")
    player = find_player(letter.from_address)
    if player is None:
        lines = letter.lines or (letter.mail.get("subject"),)
        wish = parse_first_wish(wish_sentences.as_commands(lines)) if letter.from_address else None
        return tell_how_to_begin(letter, lines) if wish is None else _register(letter, wish)
    lines = wish_sentences.as_commands(letter.lines)
    request = read_request(lines, letter.grammar, ACCOUNT_COMMANDS, signature=letter.reply_text.signature)
    command = None if request.mixed else request.command
    if letter.verdict != "pass" and command is not None and commands.changes_something(command):
        question = CommandQuestionAnswer(verb=command.verb, rest=command.rest)
        print_ = fingerprint("unverified", 0, f"{command.verb} {command.rest}")
        return MailOutcome("answered", "unverified", command.verb, (question,), player.id, print_)
    return handle_request(letter, player, request, "desk")


def handle_confirmation(letter: IncomingLetter, player: PlayerRow) -> MailOutcome:
    """Handle an answer to the email that asks whether a command is theirs. A plain yes runs it, once."""
    address = letter.reply_address
    if address is None:
        return ignore("gone")
    wanted = Command(str(address.payload["verb"]), str(address.payload["rest"]))
    said = letter.read_request({"yes", "no", "confirm"}).sole_command
    if said is None or said.rest:
        text = "\n".join(letter.lines)
        return refuse(player.id, "unverified", text, print_=fingerprint(address.hash, 0, text))
    ReplyAddressRow.delete().where(ReplyAddressRow.hash == address.hash).execute()
    if said.verb == "no" and address.payload.get("asked"):
        return ignore("declined", player=player.id)
    if said.verb == "no":
        return refuse(player.id, "not-mine", f"{wanted.verb} {wanted.rest}".strip())
    return handle_command(letter, player, wanted)


def find_player(address: str) -> PlayerRow | None:
    """Return the player who has confirmed this address, or None."""
    here = PlayerRow.deleted_at.is_null() & PlayerRow.confirmed_at.is_null(False)
    return PlayerRow.get_or_none((PlayerRow.address == address) & here) if address else None


def parse_first_wish(lines: tuple[str, ...]) -> FirstWish | None:
    """Return the request of somebody without an account: an account, perhaps with a name, or a match; else None."""
    command = read_request(lines, Grammar(), STRANGER_COMMANDS).command
    if command is None:
        return None
    if command.verb == "register" or not command.rest:
        return None if command.verb == "new" else FirstWish(command.rest, "")
    match = f"join {command.rest}" if command.verb == "join" else command.rest
    fits = len(match) <= LONGEST_WISH and lobby_commands.parse_wish_text(match) is not None
    return FirstWish("", match) if fits else None


def _register(letter: IncomingLetter, wish: FirstWish) -> MailOutcome:
    """Send the email that confirms an address, or none to somebody who has asked too often."""
    address = canonicalise(letter.from_address)
    passed = letter.verdict == "pass"
    if not passed and not cold_mail_quota.take_for_domain(address, letter.received):
        return ignore("register", "domain")
    language = guess_language(letter.reply_text.text or letter.mail.get("subject"))
    name = sender_name(letter, wish.name)
    players.register(name, address, language, letter.zone, wish.match, by_mail=True, asked=passed)
    return MailOutcome("done", "register")


def _choose_name(*names: str) -> str:
    """Return the first of these that can be a name, without invisible characters. The last is part of an address."""
    found = (look_alikes.remove_invisible(name)[:60].strip() for name in names)
    return next(
        (name for name in found if look_alikes.has_letter(name) and not look_alikes.mixes_alphabets(name)), names[-1]
    )


def sender_name(letter: IncomingLetter, chosen: str = "") -> str:
    """Return the chosen name, or the one in From, or the part before the @."""
    return _choose_name(chosen, sender_checks.from_name(letter.mail), letter.from_address.partition("@")[0])


def tell_how_to_begin(letter: IncomingLetter, lines: tuple[str, ...]) -> MailOutcome:
    """Answer somebody without an account once a day. If the sender may be forged, answer only a likely request."""
    text = "\n".join(lines)
    proved = letter.verdict == "pass" or letter.address_kind == "begin"
    if not letter.from_address or not (proved or _asks_to_play(text)):
        return ignore("unknown-sender")
    if not proved and not cold_mail_quota.take_for_domain(letter.from_address, letter.received):
        return ignore("unknown-sender", "domain")
    allowance = cold_mail_quota.take_answer(letter.from_address, letter.received, passed=proved)
    if not allowance.granted:
        return ignore("unknown-sender", "quota")
    asks_for_matches = read_request(lines, Grammar(), {"matches"}).command is not None
    listed = lobby_commands.find_open_matches("") if asks_for_matches else []
    how = BeginLetter(
        address=letter.from_address,
        name=sender_name(letter),
        language=guess_language(text),
        zone=letter.zone,
        last=allowance.last,
        listed=tuple(match.id for match in listed),
        in_reply_to=letter.message_id,
        subject=letter.subject,
    )
    queue.add(how, f"begin:{letter.id}")
    return MailOutcome("answered", "begin")


def _asks_to_play(text: str) -> bool:
    """Return True if a stranger's text is short and has a word of people who want to play."""
    return len(text) <= LONGEST_QUESTION and bool(PLAY_WORDS & set(plain(text).split()))


def guess_language(text: str, otherwise: str = "en") -> str:
    """Return the language of a text that starts with words of only one of our languages."""
    words = set(plain(text).split()[:LANGUAGE_WORDS])
    return "fr" if FRENCH_WORDS & words else "en" if ENGLISH_WORDS & words else otherwise


def handle_request(letter: IncomingLetter, player: PlayerRow, request: MailRequest, otherwise: str) -> MailOutcome:
    """Run the one command about the player in an email. `otherwise` says why there is nothing to do."""
    if request.command is not None and not request.mixed:
        return handle_command(letter, player, request.command)
    reason = "question" if request.question else "mixed" if request.mixed else otherwise
    text = "\n".join(letter.lines) or letter.subject
    print_ = fingerprint("desk", 0, text)
    return refuse(player.id, reason, text, meant=request.mixed[:MOST_MEANT], print_=print_)


def handle_command(letter: IncomingLetter, player: PlayerRow, command: Command) -> MailOutcome:
    """Run a command about the player, or say why that is impossible."""
    try:
        return COMMANDS[command.verb](letter, player, command)
    except CommandRefused as refused:
        return refuse(player.id, refused.reason, refused.text, print_=fingerprint("desk", 0, refused.text))
    except Problem as problem:
        reason, print_ = REFUSALS.get(command.verb, command.verb), fingerprint("desk", 0, command.rest)
        return refuse(player.id, reason, command.rest, why=problem.message, print_=print_)


def _tell_help(_letter: IncomingLetter, player: PlayerRow, command: Command) -> MailOutcome:
    return answer(player.id, command, HelpAnswer())


def _tell_rules(_letter: IncomingLetter, player: PlayerRow, command: Command) -> MailOutcome:
    """Answer with the rules of the named game, or with the list of games."""
    try:
        game = new_match_command.parse_game(command.rest).slug
    except Problem:
        game = None
    return answer(player.id, command, RulesAnswer(game=game))


def handle_list_reply(letter: IncomingLetter, player: PlayerRow) -> MailOutcome:
    """Handle an answer to the list of open matches: a number, a row of it, or any command about the player."""
    row = LIST_ROW.match(letter.lines[0].strip())
    number = row[1] if row else read_number(letter.lines[0])
    if is_number(number) and len(letter.lines) == 1:
        return lobby_commands.join_match(letter, player, Command("join", number))
    request = letter.read_request(ACCOUNT_COMMANDS)
    return handle_request(letter, player, request, "join")


def _book_leave(_letter: IncomingLetter, player: PlayerRow, command: Command) -> MailOutcome:
    """Book the days that `leave` names. Without days, list the bookings; with `off`, cancel them."""
    if not command.rest:
        return answer(player.id, Command("leaves"), LeavesAnswer(cancelled=False))
    if commands.parse_switch(command.rest) == "off":
        return _cancel_leave(player)
    days = leave_days.parse_days(command.rest, vacation.today(player.zone, now()))
    if days is None:
        raise CommandRefused("leave", command.rest)
    with write_transaction():
        booked = vacation.book(player.id, player.zone, *days)
    return done(player.id, "leave", LeaveBookedAnswer(first_day=booked.first_day, last_day=booked.last_day))


def _cancel_leave(player: PlayerRow) -> MailOutcome:
    """Cancel every booking that is not over."""
    with write_transaction():
        for booked in vacation.upcoming(player.id, player.zone):
            vacation.cancel(player.id, player.zone, booked.id)
    return done(player.id, "leave", LeavesAnswer(cancelled=True))


def _set_letter_mode(_letter: IncomingLetter, player: PlayerRow, command: Command) -> MailOutcome:
    """Set the emails that the player gets from now on."""
    mode = commands.parse_wanted_letters(command)[0]
    if not mode:
        raise CommandRefused(command.verb, command.rest)
    with write_transaction():
        PlayerRow.update(letters=mode).where(PlayerRow.id == player.id).execute()
    kind = LettersStoppedAnswer if command.verb == "stop" else LetterModeAnswer
    return done(player.id, command.verb, kind(mode=mode, everywhere=True))


def _change_setting(_letter: IncomingLetter, player: PlayerRow, command: Command) -> MailOutcome:
    """Run `zone Europe/Dublin`, `language English` or `digest 18`."""
    setting, parse = SETTINGS[command.verb]
    value = parse(plain(command.rest))
    if value is None:
        raise CommandRefused(command.verb, command.rest)
    players.change_settings(player.id, {setting: value})
    return done(player.id, command.verb, SettingAnswer(name=command.verb))


@lru_cache(maxsize=1)
def _zones_by_name() -> dict[str, str]:
    """Return the zones by every name that people use: the whole name, or an unambiguous place."""
    known = sorted(available_timezones())
    found = {plain(name): name for name in known}
    places: dict[str, list[str]] = {}
    for name in known:
        if "/" in name and not name.startswith(("Etc/", "posix/", "right/")):
            places.setdefault(plain(name.rpartition("/")[2].replace("_", " ")), []).append(name)
    return {**{place: names[0] for place, names in places.items() if len(names) == 1}, **found}


def parse_hour(text: str) -> int | None:
    """Return the hour that `18`, `18 h`, `18:00` or `6 pm` names."""
    found = HOUR_FORM.fullmatch(text)
    if found is None:
        return None
    number, half = int(found[1]), found[2]
    if half:
        return number % NOON + NOON * (half == "p") if 0 < number <= NOON else None
    return number if number < HOURS_IN_DAY else None


SETTINGS: dict[str, tuple[str, Callable[[str], Any]]] = {
    "zone": ("zone", lambda text: _zones_by_name().get(text)),
    "language": ("language", LANGUAGES.get),
    "digest": ("digest_hour", parse_hour),
}
"""For each command, the setting that it changes, and the reader of its argument."""
COMMANDS: dict[str, Callable[[IncomingLetter, PlayerRow, Command], MailOutcome]] = {
    "help": _tell_help,
    "rules": _tell_rules,
    "leave": _book_leave,
    "letters": _set_letter_mode,
    "stop": _set_letter_mode,
    **lobby_commands.COMMANDS,
    **tournament_commands.COMMANDS,
    # Nobody can type this: only a yes to a proposed ruling stands for it.
    "ruling": tournament_commands.confirm_ruling,
    "auto": table_commands.set_auto,
    **dict.fromkeys(SETTINGS, _change_setting),
}
"""Handlers of commands about the player."""
REFUSALS = {
    "leave": "booking",
    "enter": "tournament-entry",
    **{verb: f"tournament-{verb}" for verb in ("withdraw", "bye", "challenge", "rule")},
}
"""By command, the key of the sentence that says why it failed, if it differs from the command."""
