"""The lobby by email: new matches, invitations, the list of open matches, and joining one of them."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

from engine.games import GAMES
from engine.options import Setting
from engine.words import is_number
from service.accounts import players
from service.accounts.job_payloads import DigestLetter, GrantWish
from service.config import Config
from service.db.connection import rows, write_transaction
from service.db.models.accounts import PlayerRow
from service.db.models.mail import ReplyAddressRow
from service.db.models.matches import MatchRow, SeatRow
from service.i18n.catalogue import msg
from service.jobs import queue
from service.jobs.payloads import LetterJob
from service.jobs.queue import Job
from service.mail import commands
from service.mail.commands import Command
from service.mail.incoming import answers, new_match_command
from service.mail.incoming.answers import CommandRefused, MailOutcome, done
from service.mail.incoming.incoming_letter import IncomingLetter
from service.mail.incoming.new_match_command import MatchWish
from service.mail.job_payloads import (
    AnswerLetter,
    GamesAnswer,
    GuestsInvitedAnswer,
    MatchCreatedAnswer,
    OpenMatchesAnswer,
    SeatBackAnswer,
    SeatJoinedAnswer,
)
from service.matches import create, invitations, join, search, substitutes
from service.matches.search import MatchFilter
from service.matches.start import matches_with_free_seats
from service.play.match_loader import load_match_state
from service.problems import Problem

MOST_LISTED = 20
DEFAULT_GAME = next(iter(GAMES))
"""The game of an invitation that names none, from somebody who has not played yet."""


def create_match(letter: IncomingLetter, player: PlayerRow, command: Command) -> MailOutcome:
    """Make the match that `new` asks for, and invite the people it names."""
    return done(player.id, "new", _make_match(player, new_match_command.parse_wish(command.rest), letter.config))


def _make_match(player: PlayerRow, wish: MatchWish, config: Config, *, new: bool = False) -> MatchCreatedAnswer:
    """Make a match, invite its guests, and return the answer about it."""
    with write_transaction():
        first = _first_match_settings(player, wish)
        match = create.create_match(player, wish.wanted, config)
        _invite_guests(player, match.id, wish.guests, config)
    return MatchCreatedAnswer(match=match.id, game=match.game, first=first, guests=wish.guests, new=new)


def _first_match_settings(player: PlayerRow, wish: MatchWish) -> dict[str, Setting]:
    """Return the options that the match has only because it is the first of this player."""
    wanted = wish.wanted
    proposed = create.first_match_options(player, wanted, create.game_of(wanted.game))
    return {name: value for name, value in proposed.items() if name not in wanted.options}


def _invite_guests(player: PlayerRow, match: str, guests: tuple[str, ...], config: Config) -> None:
    """Offer each of these addresses a seat, inside a transaction."""
    for address in guests:
        if address == player.address:
            raise Problem("invalid", msg("matches.own_address"))
        invitations.invite(player.id, match, None, address, None, config)


def invite(letter: IncomingLetter, player: PlayerRow, command: Command) -> MailOutcome:
    """Invite addresses to the named match, to the open one, or to a new one."""
    rest, guests = new_match_command.split_guests(command.rest)
    if not guests:
        raise CommandRefused("invite", command.rest)
    words = " ".join(word for word in rest.split() if word.lower() not in new_match_command.FILLERS | {"to", "a", "à"})
    match = _find_open_match(player, words)
    if match is None:
        game = words or _favourite_game(player)
        wish = new_match_command.parse_wish(f"{game} {' '.join(guests)}")
        return done(player.id, "new", _make_match(player, wish, letter.config))
    with write_transaction():
        _invite_guests(player, match.id, guests, letter.config)
    return done(player.id, "invite", GuestsInvitedAnswer(match=match.id, game=match.game, guests=guests))


def _find_open_match(player: PlayerRow, words: str) -> MatchRow | None:
    """Return the open match that these words name by its code, or the player's latest with a free seat, or None."""
    sits = SeatRow.select(SeatRow.match).where(SeatRow.player == player.id)
    mine = (MatchRow.status == "open") & MatchRow.pairing.is_null() & MatchRow.id.in_(sits)
    found = list(MatchRow.select().where(mine).order_by(MatchRow.created_at.desc()).limit(MOST_LISTED))
    named = commands.parse_code(words)
    if words:
        return next((match for match in found if match.id == named), None)
    free = matches_with_free_seats([match.id for match in found])
    return next((match for match in found if match.id in free), None)


def _favourite_game(player: PlayerRow) -> str:
    """Return the game that the player played last, or the easiest one for beginners."""
    sits = SeatRow.select(SeatRow.match).where(SeatRow.player == player.id)
    latest = MatchRow.select().where(MatchRow.id.in_(sits)).order_by(MatchRow.created_at.desc()).first()
    return str(latest.game) if latest is not None else DEFAULT_GAME


def list_matches(_letter: IncomingLetter, player: PlayerRow, command: Command) -> MailOutcome:
    """Answer with the open matches that the player may join, numbered."""
    listed = tuple(match.id for match in find_open_matches(player.id))
    return answers.answer(player.id, command, OpenMatchesAnswer(listed=listed), " ".join(listed))


def list_own_matches(letter: IncomingLetter, player: PlayerRow, command: Command) -> MailOutcome:
    """Answer with every match where the player is asked, each with the numbers to answer it."""
    running = MatchRow.select(MatchRow.id).where(MatchRow.status == "running")
    asked = (SeatRow.player == player.id) & SeatRow.asked.is_null(False) & SeatRow.match.in_(running)
    if not SeatRow.select().where(asked).exists():
        raise CommandRefused("mine", command.verb)
    queue.add(DigestLetter(player=player.id, slot=letter.received, every=True), f"mine:{letter.id}")
    return MailOutcome("answered", "mine", "", (), player.id)


def find_open_matches(player: str) -> list[MatchRow]:
    """Return the open matches with a free seat that this player does not play in, latest first.

    After them come running matches in which a substitute may take over a seat.
    """
    found = search.search_matches(MatchFilter(status="open"), None, None, 10 * MOST_LISTED)
    sits = {row.match for row in SeatRow.select(SeatRow.match).where(SeatRow.player == player)}
    free = matches_with_free_seats([match.id for match in found])
    listed = [match for match in found if match.id in free - sits]
    return [*listed, *_find_seats_to_take_over(player, sits)][:MOST_LISTED]


def _find_seats_to_take_over(player: str, sits: set[str]) -> list[MatchRow]:
    """Return the running matches, latest first, where a stand-in plays a seat that anybody may take over."""
    stand_ins = SeatRow.select(SeatRow.match).where(SeatRow.player.is_null() & SeatRow.bot.is_null(False))
    welcome = (MatchRow.status == "running") & (MatchRow.policy == "substitute") & (MatchRow.visibility == "open")
    running = MatchRow.select().where(welcome & MatchRow.pairing.is_null() & MatchRow.id.in_(stand_ins))
    latest = [
        match for match in running.order_by(MatchRow.created_at.desc()).limit(MOST_LISTED) if match.id not in sits
    ]
    return [match for match in latest if substitutes.open_seats(match, load_match_state(match.id), player)]


def list_games(_letter: IncomingLetter, player: PlayerRow, command: Command) -> MailOutcome:
    """Answer with the games there are."""
    return answers.answer(player.id, command, GamesAnswer())


def join_match(letter: IncomingLetter, player: PlayerRow, command: Command) -> MailOutcome:
    """Take a seat in the match that `join 2` or `join CODE` names."""
    code = commands.parse_code(command.rest)
    match = _match_with_number(letter, player, int(code)) if is_number(code) else code
    if not match:
        raise CommandRefused("join", command.rest)
    return done(player.id, "joined", _take_seat(player, match, letter.config))


def _take_seat(player: PlayerRow, code: str, config: Config, *, new: bool = False) -> AnswerLetter:
    """Take a seat in the match with this id or private link, and return the answer about it.

    If the match has begun, that is a seat to take over from a stand-in.
    """
    linked = MatchRow.get_or_none(MatchRow.link == code)
    match = linked or MatchRow.get_or_none(MatchRow.id == code)
    id_, link = match.id if match else code, code if linked is not None else None
    if match is not None and match.status == "running":
        seat = substitutes.take_seat(player, id_, None, link, config)
        return SeatBackAnswer(match=id_, seat=seat, substitute=True)
    receipt = join.join_match(player, id_, None, "-", link, config)
    return SeatJoinedAnswer(match=id_, seat=receipt["seat"], receipt=receipt, new=new)


def _match_with_number(letter: IncomingLetter, player: PlayerRow, number: int) -> str:
    """Return the match with this number in the answered list or in the player's last list, or None."""
    address = letter.reply_address
    if address is not None and address.kind == "list" and "matches" in address.payload:
        listed = address.payload["matches"]
    else:
        mine = (ReplyAddressRow.player == player.id) & (ReplyAddressRow.kind == "list")
        latest = ReplyAddressRow.select().where(mine).order_by(ReplyAddressRow.created_at.desc()).first()
        listed = json.loads(latest.payload).get("matches", []) if latest is not None else []
    return str(listed[number - 1]) if 0 < number <= len(listed) else ""


def parse_wish_text(text: str) -> Command | None:
    """Return the command in a stranger's request: `join CODE`, or a match in the words after `new`."""
    wanted = commands.parse_command(text, {"join", "new"})
    if wanted is not None and wanted.verb == "join":
        return wanted if commands.parse_code(wanted.rest) and not is_number(commands.parse_code(wanted.rest)) else None
    rest = wanted.rest if wanted is not None else text
    try:
        new_match_command.parse_wish(rest)
    except Problem:
        return None
    return Command("new", rest)


def create_wished_match(job: Job[GrantWish], config: Config) -> None:
    """Make the match that was requested before there was an account, once."""
    grant_wish(players.find(job.payload.player), job.payload.new, config)


def grant_wish(player: PlayerRow, text: str, config: Config) -> str | None:
    """Make or join the requested match, and write the welcome email that leads to it. Return the match, if any.

    Safe to repeat: the second time it only returns the match.
    """
    key = f"wished:{player.id}"
    with write_transaction():
        before = rows("select payload from job where key = ?", key)
        if before:
            sent = LetterJob.from_json(before[0][0])
            return sent.match if isinstance(sent, AnswerLetter) else None
        wish = parse_wish_text(text)
        answer: AnswerLetter = answers.build_refusal("join", text)
        try:
            if wish is not None and wish.verb == "join":
                answer = _take_seat(player, commands.parse_code(wish.rest), config, new=True)
            elif wish is not None:
                answer = _make_match(player, new_match_command.parse_wish(wish.rest), config, new=True)
        except Problem as problem:
            reason = "join" if wish is not None and wish.verb == "join" else "new"
            answer = answers.build_refusal(reason, text, why=problem.message)
        queue.add(replace(answer, player=player.id), key)
    return answer.match


def find_wish(code: str) -> str:
    """Return the request that came with the registration of this code, or an empty string."""
    jobs = rows("select payload from job where key = ?", f"wish:{code}")
    return GrantWish.from_json(jobs[0][0]).new if jobs else ""


COMMANDS: dict[str, Callable[[IncomingLetter, PlayerRow, Command], MailOutcome]] = {
    "new": create_match,
    "invite": invite,
    "matches": list_matches,
    "mine": list_own_matches,
    "resend": list_own_matches,
    "games": list_games,
    "join": join_match,
}
"""Handlers of commands of the lobby."""
