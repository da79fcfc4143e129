"""Tournaments by letter: which there are, entering, leaving, a bye, where one stands and why."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

from engine.words import plain
from service import ids
from service.db.models.accounts import PlayerRow
from service.db.models.tournaments import TournamentRow
from service.i18n.catalogue import Message
from service.mail.commands import Command
from service.mail.incoming import answers
from service.mail.incoming.answers import MailOutcome, fingerprint
from service.mail.incoming.incoming_letter import IncomingLetter
from service.mail.job_payloads import TournamentAnswer
from service.problems import Problem
from service.tournaments.entry.entrants import ask_bye, enter_tournament, withdraw_entrant
from service.tournaments.rounds.challenges import answer_challenge, find_rival, find_waiting_challenge, make_challenge
from service.tournaments.tournament_store import find_entrant, find_tournament
from service.tournaments.views import overview

NAME = re.compile(r"[a-z0-9-]{3,40}")
FILLERS = frozenset("the tournament le la au aux du tournoi from in for of to de a pour dans round ronde now".split())
"""Words between a command and a name that add nothing."""
ROUND = re.compile(r"(?:[a-z][a-z0-9-]{0,31}:)?\d{1,4}", re.IGNORECASE)
AT_ONCE = frozenset({"now", "maintenant", "immediatement"})
MOST_FOUND = 200
ANSWERS = {
    **dict.fromkeys(("accept", "accepts", "yes", "accepter", "accepte", "oui", "relever"), True),
    **dict.fromkeys(("decline", "no", "refuse", "refuser", "non", "decliner"), False),
}
"""Words that accept or decline a challenge."""


def _find(player: PlayerRow, words: str) -> TournamentRow | None:
    """Return the tournament that words name: by id or name, or by its title where only one fits."""
    said = words.strip("\"'“”«» \u00a0").lower()
    if NAME.fullmatch(said):
        try:
            return find_tournament(said, player.id)
        except Problem:
            pass
    titled = [
        row
        for row in overview.select_visible(player.id).order_by(TournamentRow.created_at.desc()).limit(MOST_FOUND)
        if plain(said) and plain(said) in {plain(title) for title in json.loads(row.title or "{}").values()}
    ]
    return titled[0] if len(titled) == 1 else None


def _split(rest: str) -> list[str]:
    """Return the words after a command without fillers."""
    words = rest.split()
    while words and plain(words[0]) in FILLERS:
        words = words[1:]
    return words


def list_tournaments(_letter: IncomingLetter, player: PlayerRow, command: Command) -> MailOutcome:
    """Answer with the tournaments that one can enter, and those the player is in."""
    return _answer(player, command, TournamentAnswer(about="list"))


def enter(letter: IncomingLetter, player: PlayerRow, command: Command) -> MailOutcome:
    """Enter the tournament that is named; the letter about it comes from the entry itself."""
    row = _find(player, " ".join(_split(command.rest)))
    if row is None:
        return _refuse(player, "tournament", command.rest)
    before = find_entrant(row.id, player.id)
    try:
        receipt = enter_tournament(player, row, ids.new_seed().hex()[:16], letter.config)
    except Problem as problem:
        return _refuse(player, "tournament-entry", command.rest, problem.message)
    if before is not None and before.entered_seq == receipt.seq:
        return _answer(player, command, TournamentAnswer(about="standing", tournament=row.id))
    return MailOutcome("done", "tournament-entered", "", (), player.id)


def withdraw(_letter: IncomingLetter, player: PlayerRow, command: Command) -> MailOutcome:
    """Leave the tournament that is named, from the next pairing on; with `now` out of running matches too."""
    words = _split(command.rest)
    at_once = bool(words) and plain(words[-1]) in AT_ONCE
    row = _find(player, " ".join(words[:-1] if at_once else words))
    if row is None:
        return _refuse(player, "tournament", command.rest)
    try:
        withdraw_entrant(player.id, row.id, at_once=at_once)
    except Problem as problem:
        return _refuse(player, "tournament-withdraw", command.rest, problem.message)
    return _done(player, "withdrawn", TournamentAnswer(about="withdrawn", tournament=row.id))


def take_bye(_letter: IncomingLetter, player: PlayerRow, command: Command) -> MailOutcome:
    """Ask for a bye in the round that is named, before or after the tournament: `bye NAME 3`, `bye NAME swiss:3`."""
    words = [word.strip(",") for word in _split(command.rest) if plain(word) not in FILLERS]
    if words and ROUND.fullmatch(words[0]):
        words = [*words[1:], words[0]]
    row = _find(player, " ".join(words[:-1])) if len(words) > 1 else None
    if row is None:
        return _refuse(player, "tournament", command.rest)
    said = words[-1].lower()
    round_name = said if ":" in said else f"{overview.list_stages(row.id)[0].name}:{said}"
    try:
        ask_bye(player.id, row.id, round_name)
    except Problem as problem:
        return _refuse(player, "tournament-bye", command.rest, problem.message)
    return _done(player, "bye", TournamentAnswer(about="bye", tournament=row.id, round=round_name))


def challenge(_letter: IncomingLetter, player: PlayerRow, command: Command) -> MailOutcome:
    """Challenge somebody on a ladder: `challenge NAME PLAYER`; or answer one: `challenge NAME accept` or `decline`."""
    name, _, said = command.rest.replace(",", " ", 1).partition(" ")
    row, said = _find(player, name), said.strip("\"'“”«» \u00a0.")
    if row is None:
        return _refuse(player, "tournament", command.rest)
    try:
        answer, _, who = said.partition(" ")
        accepts = ANSWERS.get(plain(answer))
        if accepts is None:
            found = make_challenge(player.id, row.id, find_rival(row.id, said))
            return _done(
                player, "challenged", TournamentAnswer(about="challenge", tournament=row.id, challenge=found.id)
            )
        waiting = find_waiting_challenge(player.id, row.id, who.strip())
        found = answer_challenge(player.id, row.id, waiting.id, accept=accepts)
    except Problem as problem:
        return _refuse(player, "tournament-challenge", command.rest, problem.message)
    return _done(player, found.state, TournamentAnswer(about="challenge", tournament=row.id, challenge=found.id))


def tell_standing(_letter: IncomingLetter, player: PlayerRow, command: Command) -> MailOutcome:
    """Answer how the tournament stands that is named, or why the player stands where they stand."""
    if not command.rest:
        return _tell_only_standing(player, command)
    row = _find(player, " ".join(_split(command.rest)))
    if row is None:
        return _refuse(player, "tournament", command.rest)
    return _answer(player, command, TournamentAnswer(about=command.verb, tournament=row.id))


def _tell_only_standing(player: PlayerRow, command: Command) -> MailOutcome:
    """Answer with the standings of the only tournament the player is in, else with the list of all."""
    entered = list(overview.select_entered(player.id).limit(2))
    if len(entered) != 1:
        return _answer(player, command, TournamentAnswer(about="list"))
    return _answer(player, command, TournamentAnswer(about="standing", tournament=entered[0].id))


def tell_rating(_letter: IncomingLetter, player: PlayerRow, command: Command) -> MailOutcome:
    """Answer with the player's ratings, one for each game."""
    return _answer(player, command, TournamentAnswer(about="rating"))


def _answer(player: PlayerRow, command: Command, answer: TournamentAnswer) -> MailOutcome:
    print_ = fingerprint("desk", 0, f"{command.verb} {command.rest}")
    return MailOutcome("answered", command.verb, "", (answer,), player.id, print_)


def _done(player: PlayerRow, what: str, answer: TournamentAnswer) -> MailOutcome:
    return MailOutcome("done", what, "", (answer,), player.id)


def _refuse(player: PlayerRow, reason: str, text: str, why: Message | None = None) -> MailOutcome:
    """Do nothing and say what was wrong."""
    return answers.refuse(player.id, reason, text, why=why, print_=fingerprint("desk", 0, text))


COMMANDS: dict[str, Callable[[IncomingLetter, PlayerRow, Command], MailOutcome]] = {
    "tournaments": list_tournaments,
    "enter": enter,
    "withdraw": withdraw,
    "bye": take_bye,
    "challenge": challenge,
    "standing": tell_standing,
    "rating": tell_rating,
    "why": tell_standing,
}
"""Handlers of commands about tournaments."""
