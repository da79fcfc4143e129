"""`echtra tournament challenge`: list the challenges of a ladder, make one, take one up or decline it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cli.command import bilingual_command, bilingual_option, refusal, strip_control_characters
from service.i18n.catalogue import translate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.words import Locale
    from service.db.models.tournaments import ChallengeRow, TournamentRow

LIST, MAKE, ACCEPT, DECLINE = "list", "make", "accept", "decline"
MOST_LISTED = 100


@bilingual_command("challenge", "usage.tournament_challenge.about")
@click.argument("name")
@click.argument("what", type=click.Choice((LIST, MAKE, ACCEPT, DECLINE)), default=LIST)
@click.argument("rival", required=False, metavar="[PLAYER]")
@bilingual_option("--as", "player", metavar="PLAYER", text="usage.tournament_challenge.as")
def command(name: str, what: str, rival: str | None, player: str | None, locale: Locale, no_color: bool) -> int:
    """Challenge, answer a challenge, or list all."""
    from cli.tournament_access import find_named, open_database

    open_database(locale)
    row = find_named(name, locale)
    if what == LIST:
        _list_challenges(row, player, locale, no_color=no_color)
    else:
        _settle_challenge(row, what, rival or "", player, locale)
    return 0


def _settle_challenge(row: TournamentRow, what: str, rival: str, player: str | None, locale: Locale) -> None:
    """Make a challenge or answer one, for the player that `--as` names."""
    from cli.tournament_access import find_organiser, format_time, refuse_problems
    from service.tournaments.rounds.challenges import (
        answer_challenge,
        find_ladder,
        find_rival,
        find_waiting_challenge,
        make_challenge,
    )

    if player is None:
        raise refusal(locale, "commands.tournament.challenge.as_missing", what=what)
    if what == MAKE and not rival:
        raise refusal(locale, "commands.tournament.challenge.whom", name=row.name)
    own = find_organiser(player, locale).id
    with refuse_problems(locale):
        find_ladder(row)
        if what == MAKE:
            found = make_challenge(own, row.id, find_rival(row.id, rival))
        else:
            waiting = find_waiting_challenge(own, row.id, rival)
            found = answer_challenge(own, row.id, waiting.id, accept=what == ACCEPT)
    ((one, other),) = _name_both([found], locale)
    words = {"one": one, "other": other, "match": found.pairing, "at": format_time(found.answer_by, locale)}
    click.echo(translate(locale, f"commands.tournament.challenge.{what}", **words))


def _name_both(challenges: Sequence[ChallengeRow], locale: Locale) -> list[list[str]]:
    """Who challenges and who is challenged, for each of these."""
    from service.tournaments.rounds.standings import find_names

    both = [(each.challenger, each.challenged) for each in challenges]
    names = find_names(sorted({one for pair in both for one in pair}), locale)
    return [[strip_control_characters(names[one]) for one in pair] for pair in both]


def _list_challenges(row: TournamentRow, player: str | None, locale: Locale, *, no_color: bool) -> None:
    """Print the challenges of a ladder, the latest first, or those that concern one player."""
    from cli.terminal import Terminal
    from cli.tournament_access import find_organiser, format_time
    from service.db.models.tournaments import ChallengeRow
    from service.tournaments.rounds.challenges import ACCEPTED, has_ladder, select_challenges

    def say(key: str) -> str:
        return translate(locale, f"commands.tournament.challenge.{key}")

    if not has_ladder(row):
        raise refusal(locale, "challenges.none")
    found = select_challenges(row.id).order_by(ChallengeRow.made_at.desc(), ChallengeRow.id)
    if player is not None:
        own = find_organiser(player, locale).id
        found = found.where((ChallengeRow.challenger == own) | (ChallengeRow.challenged == own))
    challenges = list(found.limit(MOST_LISTED))
    terminal = Terminal(locale, no_color=no_color)
    if not challenges:
        terminal.prose(say("empty"))
        return
    header = [say(column) for column in ("challenger", "challenged", "state", "answer_by", "match")]
    rows = [
        [
            *names,
            say(f"states.{each.state}"),
            format_time(each.answer_by, locale),
            each.pairing if each.pairing and each.state == ACCEPTED else "-",
        ]
        for each, names in zip(challenges, _name_both(challenges, locale), strict=True)
    ]
    terminal.grid("", header, rows, left=len(header))
