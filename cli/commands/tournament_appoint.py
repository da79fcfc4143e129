"""`echtra tournament appoint`: give a player a role in a tournament, or take it away."""

from __future__ import annotations

import click

from cli.command import bilingual_command, bilingual_option, current_language, localise, print_line, refuse_problems

NOBODY = "nobody"


@bilingual_command("appoint", "usage.tournament_appoint.about")
@click.argument("name")
@click.argument("helper", metavar="PLAYER")
@click.argument("role", type=click.Choice(("organiser", "arbiter", NOBODY)))
@bilingual_option("--as", "player", metavar="PLAYER", text="usage.tournament_appoint.as")
def command(name: str, helper: str, role: str, player: str | None) -> None:
    """Appoint or remove a helper. Without `--as` it is done for the owner."""
    from cli.preflight import open_database
    from cli.tournament_access import find_player, find_tournament
    from service.tournaments.lifecycle import ROLES, appoint
    from service.tournaments.rounds.standings import find_names
    from service.tournaments.tournament_caches import document_of

    open_database()
    row = find_tournament(name)
    owner = row.owner if player is None else find_player(player).id
    wanted = next((each for each in ROLES if each == role), None)
    with refuse_problems():
        row = appoint(owner, row.id, find_player(helper).id, wanted)
    document = document_of(row)
    organisers = list(dict.fromkeys([row.owner, *document.organisers]))
    names = find_names([*organisers, *document.arbiters], current_language())
    for key, people in (("organisers", organisers), ("arbiters", document.arbiters)):
        told = ", ".join(names[each] for each in people) or "-"
        print_line(localise(f"commands.tournament.{key}", people=told))
