"""Tournaments by email: lists, entering, leaving, byes, challenges, standings, and rulings of organisers.

An organiser who writes a ruling gets its effects in an email; a yes to that email makes it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable

from engine.words import Locale, plain
from service import ids
from service.db.models.accounts import PlayerRow
from service.db.models.tournaments import TournamentRow
from service.i18n.catalogue import translate
from service.mail.commands import Command
from service.mail.incoming.answers import CommandRefused, MailOutcome, answer, done, fingerprint, refuse
from service.mail.incoming.incoming_letter import IncomingLetter
from service.mail.job_payloads import RulingQuestionAnswer, TournamentAnswer
from service.problems import Problem
from service.tournaments.entry.entrants import ask_bye, enter_tournament, withdraw_entrant
from service.tournaments.rounds.challenges import answer_challenge, find_rival, find_waiting_challenge, make_challenge
from service.tournaments.rounds.standings import find_names
from service.tournaments.rulings.ruling_words import parse_ruling
from service.tournaments.rulings.rulings import RulingPlan, StandingChange, make_ruling, plan_ruling
from service.tournaments.tournament_store import find_entrant, find_tournament
from service.tournaments.views import overview
from service.tournaments.views.derivations import format_units

NAME = re.compile(r"[a-z0-9-]{3,40}")
FILLERS = frozenset("the tournament le la au aux du tournoi from in for of to de a pour dans round ronde now".split())
"""Words between a command and a name that add nothing."""
ROUND = re.compile(r"(?:[a-z][a-z0-9-]{0,31}:)?\d{1,4}", re.IGNORECASE)
AT_ONCE = frozenset({"now", "maintenant", "immediatement"})
MOST_FOUND = 200
REFUSED = "tournament-rule"
MOST_CHANGES = 30
ANSWERS = {
    **dict.fromkeys(("accept", "accepts", "yes", "accepter", "accepte", "oui", "relever"), True),
    **dict.fromkeys(("decline", "no", "refuse", "refuser", "non", "decliner"), False),
}
"""Words that accept or decline a challenge."""


def _find(player: PlayerRow, command: Command, words: str) -> TournamentRow:
    """Return the tournament that words name: by id or name, or by its title if only one fits. Refuse any other."""
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
    if len(titled) != 1:
        raise CommandRefused("tournament", command.rest)
    return titled[0]


def _split(rest: str) -> list[str]:
    """Return the words after a command without fillers."""
    words = rest.split()
    while words and plain(words[0]) in FILLERS:
        words = words[1:]
    return words


def list_tournaments(_letter: IncomingLetter, player: PlayerRow, command: Command) -> MailOutcome:
    """Answer with the tournaments that one can enter, and those the player is in."""
    return answer(player.id, command, TournamentAnswer(about="list"))


def enter(letter: IncomingLetter, player: PlayerRow, command: Command) -> MailOutcome:
    """Enter the named tournament. The entry itself sends the email about it."""
    row = _find(player, command, " ".join(_split(command.rest)))
    before = find_entrant(row.id, player.id)
    receipt = enter_tournament(player, row, ids.new_seed().hex()[:16], letter.config)
    if before is not None and before.entered_seq == receipt.seq:
        return answer(player.id, command, TournamentAnswer(about="standing", tournament=row.id))
    return done(player.id, "tournament-entered")


def withdraw(_letter: IncomingLetter, player: PlayerRow, command: Command) -> MailOutcome:
    """Leave the named tournament, from the next pairing on; with `now` also out of running matches."""
    words = _split(command.rest)
    at_once = bool(words) and plain(words[-1]) in AT_ONCE
    row = _find(player, command, " ".join(words[:-1] if at_once else words))
    withdraw_entrant(player.id, row.id, at_once=at_once)
    return done(player.id, "withdrawn", TournamentAnswer(about="withdrawn", tournament=row.id))


def take_bye(_letter: IncomingLetter, player: PlayerRow, command: Command) -> MailOutcome:
    """Ask for a bye in the named round, before or after the tournament: `bye NAME 3`, `bye NAME swiss:3`."""
    words = [word.strip(",") for word in _split(command.rest) if plain(word) not in FILLERS]
    if words and ROUND.fullmatch(words[0]):
        words = [*words[1:], words[0]]
    row = _find(player, command, " ".join(words[:-1]))
    said = words[-1].lower()
    round_name = said if ":" in said else f"{overview.list_stages(row.id)[0].name}:{said}"
    ask_bye(player.id, row.id, round_name)
    return done(player.id, "bye", TournamentAnswer(about="bye", tournament=row.id, round=round_name))


def challenge(_letter: IncomingLetter, player: PlayerRow, command: Command) -> MailOutcome:
    """Challenge somebody on a ladder: `challenge NAME PLAYER`; or answer one: `challenge NAME accept` or `decline`."""
    name, _, said = command.rest.replace(",", " ", 1).partition(" ")
    row, said = _find(player, command, name), said.strip("\"'“”«» \u00a0.")
    word, _, who = said.partition(" ")
    accepts = ANSWERS.get(plain(word))
    if accepts is None:
        made, what = make_challenge(player.id, row.id, find_rival(row.id, said)), "challenged"
    else:
        waiting = find_waiting_challenge(player.id, row.id, who.strip())
        made = answer_challenge(player.id, row.id, waiting.id, accept=accepts)
        what = made.state
    return done(player.id, what, TournamentAnswer(about="challenge", tournament=row.id, challenge=made.id))


def tell_standing(_letter: IncomingLetter, player: PlayerRow, command: Command) -> MailOutcome:
    """Answer with the state of the named tournament, the reasons for the player's place, or their rounds."""
    if not command.rest:
        return _tell_of_only_one(player, command)
    row = _find(player, command, " ".join(_split(command.rest)))
    return answer(player.id, command, TournamentAnswer(about=command.verb, tournament=row.id))


def _tell_of_only_one(player: PlayerRow, command: Command) -> MailOutcome:
    """Answer about the only tournament the player is in, else with the list of all."""
    entered = list(overview.select_entered(player.id).limit(2))
    if len(entered) != 1:
        return answer(player.id, command, TournamentAnswer(about="list"))
    return answer(player.id, command, TournamentAnswer(about=command.verb, tournament=entered[0].id))


def tell_rating(_letter: IncomingLetter, player: PlayerRow, command: Command) -> MailOutcome:
    """Answer with the player's ratings, one for each game."""
    return answer(player.id, command, TournamentAnswer(about="rating"))


def propose_ruling(letter: IncomingLetter, player: PlayerRow, command: Command) -> MailOutcome:
    """Answer `rule NAME WHAT … WHY words` with its effects. Nothing is done before a yes."""
    name, _, text = command.rest.partition(" ")
    row = find_tournament(name.lower(), player.id)
    plan = plan_ruling(player.id, row.id, parse_ruling(text), letter.config)
    question = RulingQuestionAnswer(
        rest=f"{plan.seq} {row.id} {text}",
        lines=plan.lines,
        letters=len(plan.letters),
        standings=tuple(describe_changes(plan, "fr" if player.language == "fr" else "en")),
    )
    print_ = fingerprint("rule", plan.seq, command.rest)
    return MailOutcome("answered", "rule", "", (question,), player.id, print_)


def describe_changes(plan: RulingPlan, locale: Locale) -> list[str]:
    """Return how the standings would change, a line for each entrant who moves."""
    changes = plan.standings[:MOST_CHANGES]
    names = find_names([change.player for change in changes], locale)
    return [_describe_change(change, names[change.player], locale) for change in changes]


def _describe_change(change: StandingChange, name: str, locale: Locale) -> str:
    ranks = [str(rank or "-") for rank in (change.rank_before, change.rank_after)]
    points = [format_units(units or 0, locale) for units in (change.points_before, change.points_after)]
    return translate(
        locale,
        "tournament.rule.change",
        name=name,
        rank=ranks[0],
        new_rank=ranks[1],
        points=points[0],
        new_points=points[1],
    )


def confirm_ruling(letter: IncomingLetter, player: PlayerRow, command: Command) -> MailOutcome:
    """Make the ruling that was proposed, if nothing about it has changed since."""
    seen, tournament, text = command.rest.split(" ", 2)
    try:
        row = find_tournament(tournament, player.id)
        make_ruling(player.id, row.id, parse_ruling(text), int(seen), letter.config)
    except Problem as problem:
        return refuse(player.id, REFUSED, text, why=problem.message)
    return done(player.id, "ruled", TournamentAnswer(about="ruled", tournament=row.id))


COMMANDS: dict[str, Callable[[IncomingLetter, PlayerRow, Command], MailOutcome]] = {
    "tournaments": list_tournaments,
    "enter": enter,
    "withdraw": withdraw,
    "bye": take_bye,
    "challenge": challenge,
    "standing": tell_standing,
    "schedule": tell_standing,
    "rating": tell_rating,
    "why": tell_standing,
    "rule": propose_ruling,
}
"""Handlers of commands about tournaments."""
