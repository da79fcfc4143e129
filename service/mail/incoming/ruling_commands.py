"""Rulings by letter: an organiser writes one, gets what it would do, and a yes to that letter makes it."""

from __future__ import annotations

from collections.abc import Callable

from engine.words import Locale
from service.db.models.accounts import PlayerRow
from service.db.models.tournaments import TournamentRow
from service.i18n.catalogue import translate
from service.mail.commands import Command
from service.mail.incoming import answers
from service.mail.incoming.answers import MailOutcome, fingerprint
from service.mail.incoming.incoming_letter import IncomingLetter
from service.mail.job_payloads import RulingQuestionAnswer, TournamentAnswer
from service.problems import Problem
from service.tournaments.rounds.standings import find_names
from service.tournaments.rulings.ruling_words import parse_ruling
from service.tournaments.rulings.rulings import RulingPlan, StandingChange, make_ruling, plan_ruling
from service.tournaments.tournament_store import find_tournament
from service.tournaments.views.derivations import format_units

REFUSED = "tournament-rule"
MOST_CHANGES = 30


def propose_ruling(letter: IncomingLetter, player: PlayerRow, command: Command) -> MailOutcome:
    """Answer `rule NAME WHAT … WHY words` with what it would do; nothing is done before a yes."""
    name, _, text = command.rest.partition(" ")
    try:
        row = find_tournament(name.lower(), player.id)
        plan = plan_ruling(player.id, row.id, parse_ruling(text), letter.config)
    except Problem as problem:
        return answers.refuse(
            player.id, REFUSED, command.rest, why=problem.message, print_=fingerprint("desk", 0, command.rest)
        )
    answer = RulingQuestionAnswer(
        rest=f"{plan.seq} {row.id} {text}",
        lines=plan.lines,
        letters=len(plan.letters),
        standings=tuple(describe_changes(plan, "fr" if player.language == "fr" else "en")),
    )
    print_ = fingerprint("rule", plan.seq, command.rest)
    return MailOutcome("answered", "rule", "", (answer,), player.id, print_)


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
        row: TournamentRow = find_tournament(tournament, player.id)
        make_ruling(player.id, row.id, parse_ruling(text), int(seen), letter.config)
    except Problem as problem:
        return answers.refuse(player.id, REFUSED, text, why=problem.message)
    answer = TournamentAnswer(about="ruled", tournament=row.id)
    return MailOutcome("done", "ruled", "", (answer,), player.id)


COMMANDS: dict[str, Callable[[IncomingLetter, PlayerRow, Command], MailOutcome]] = {"rule": propose_ruling}
"""Commands of organisers."""
