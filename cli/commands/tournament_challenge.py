"""`echtra tournament challenge`: list the challenges of a ladder, make one, accept one or decline it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cli.command import (
    bilingual_command,
    bilingual_option,
    current_language,
    localise,
    refusal,
    refuse_problems,
    strip_control_characters,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from service.db.models.tournaments import ChallengeRow, TournamentRow

LIST, MAKE, ACCEPT, DECLINE = "list", "make", "accept", "decline"
MOST_LISTED = 100


@bilingual_command("challenge", "usage.tournament_challenge.about")
@click.argument("name")
@click.argument("what", type=click.Choice((LIST, MAKE, ACCEPT, DECLINE)), default=LIST)
@click.argument("rival", required=False, metavar="[PLAYER]")
@bilingual_option("--as", "player", metavar="PLAYER", text="usage.tournament_challenge.as")
def command(name: str, what: str, rival: str | None, player: str | None) -> None:
    """Challenge, answer a challenge, or list all."""
    from cli.preflight import open_database
    from cli.tournament_access import find_tournament

    open_database()
    row = find_tournament(name)
    if what == LIST:
        _list_challenges(row, player)
    else:
        _settle_challenge(row, what, rival or "", player)


def say(key: str, **values: object) -> str:
    """Return a text of this command."""
    return localise(f"commands.tournament.challenge.{key}", **values)


def _settle_challenge(row: TournamentRow, what: str, rival: str, player: str | None) -> None:
    """Make a challenge or answer one, for the player that `--as` names."""
    from cli.tournament_access import find_player, format_time
    from service.tournaments.rounds.challenges import (
        answer_challenge,
        find_ladder,
        find_rival,
        find_waiting_challenge,
        make_challenge,
    )

    if player is None:
        raise refusal("commands.tournament.challenge.as_missing", what=what)
    if what == MAKE and not rival:
        raise refusal("commands.tournament.challenge.whom", name=row.name)
    own = find_player(player).id
    with refuse_problems():
        find_ladder(row)
        if what == MAKE:
            challenge = make_challenge(own, row.id, find_rival(row.id, rival))
        else:
            waiting = find_waiting_challenge(own, row.id, rival)
            challenge = answer_challenge(own, row.id, waiting.id, accept=what == ACCEPT)
    ((one, other),) = _name_both([challenge])
    words = {"one": one, "other": other, "match": challenge.pairing, "at": format_time(challenge.answer_by)}
    click.echo(say(what, **words))


def _name_both(challenges: Sequence[ChallengeRow]) -> list[list[str]]:
    """Return the names of the challenger and the challenged player of each challenge."""
    from service.tournaments.rounds.standings import find_names

    both = [(each.challenger, each.challenged) for each in challenges]
    names = find_names(sorted({one for pair in both for one in pair}), current_language())
    return [[strip_control_characters(names[one]) for one in pair] for pair in both]


def _list_challenges(row: TournamentRow, player: str | None) -> None:
    """Print the challenges of a ladder, the latest first, or those of one player."""
    from cli.terminal import print_list
    from cli.tournament_access import find_player, format_time
    from service.db.models.tournaments import ChallengeRow
    from service.tournaments.rounds.challenges import ACCEPTED, has_ladder, select_challenges

    if not has_ladder(row):
        raise refusal("challenges.none")
    query = select_challenges(row.id).order_by(ChallengeRow.made_at.desc(), ChallengeRow.id)
    if player is not None:
        own = find_player(player).id
        query = query.where((ChallengeRow.challenger == own) | (ChallengeRow.challenged == own))
    challenges = list(query.limit(MOST_LISTED))
    rows = [
        [
            *names,
            say(f"states.{each.state}"),
            format_time(each.answer_by),
            each.pairing if each.pairing and each.state == ACCEPTED else "-",
        ]
        for each, names in zip(challenges, _name_both(challenges), strict=True)
    ]
    header = [say(column) for column in ("challenger", "challenged", "state", "answer_by", "match")]
    print_list(header, rows, empty=say("empty"))
